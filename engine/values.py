"""Changing a few fields of an immutable value: every move makes a new state."""

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """`dataclasses.replace`, several times as fast for values that keep their fields in a
        dictionary and have nothing to work out anew; for others it is that very function."""
        kind = value.__class__
        if not hasattr(value, "__dict__") or hasattr(kind, "__post_init__"):
            return dataclasses.replace(value, **changes)
        if not kind.__dataclass_fields__.keys() >= changes.keys():
            raise TypeError(f"{kind.__name__} has not all of the fields {sorted(changes)}")
        new = object.__new__(kind)
        new.__dict__.update(value.__dict__, **changes)
        return new


__all__ = ["replace"]
