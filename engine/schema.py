"""Reading plain data (TOML, JSON) into dataclasses, strictly, and the JSON Schema that says the same.

A dataclass is the one description of a table in the rule data: `load` refuses what it does not name,
and `json_schema` publishes it for editors. Field names stand in the data as they are, with a trailing
underscore dropped (`if_` is the key `if`).
"""

import dataclasses
import types
import typing
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

T = TypeVar("T")


class SchemaError(ValueError):
    """Data that does not fit: `key` is the dotted place, `reason` what would be right.

    `wanted` says the same in one word, for who writes it in another language: missing, unknown,
    text, whole, flag, any-list, table, or value for anything else; `known` are the keys there are.
    """

    def __init__(
        self, key: str, reason: str, wanted: str = "value", known: Sequence[str] = ()
    ) -> None:
        super().__init__(f"{key}: {reason}")
        self.key, self.reason, self.wanted, self.known = key, reason, wanted, tuple(known)


def load(kind: type[T], data: object, at: str = "") -> T:
    """`data` as a value of `kind`: a dataclass, a scalar, `tuple[X, ...]`, `Mapping[str, X]`, a Literal
    or a union of these. Raises `SchemaError` at the first unknown key, missing key or wrong type."""
    return cast(T, _load(kind, data, at))


def _load(kind: Any, data: object, at: str) -> object:
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _load_dataclass(kind, data, at)
    if kind is Any or kind is object:
        return data
    if origin is Literal:
        if data in get_args(kind) and type(data) in {type(v) for v in get_args(kind)}:
            return data
        raise SchemaError(at, "expected one of " + ", ".join(map(str, get_args(kind))))
    if origin in (Union, types.UnionType):
        return _load_union(get_args(kind), data, at)
    if origin is tuple:
        return _load_tuple(get_args(kind), data, at)
    if origin in (Mapping, dict) or kind in (Mapping, dict):
        of = get_args(kind)[1] if get_args(kind) else Any
        if not isinstance(data, Mapping):
            raise SchemaError(at, "expected a table", "table")
        return {str(k): _load(of, v, _join(at, str(k))) for k, v in data.items()}
    wanted = {str: "a text", int: "a whole number", bool: "true or false", float: "a number"}
    words = {str: "text", int: "whole", bool: "flag"}
    if kind in wanted and type(data) is kind:
        return data
    if kind is type(None) and data is None:
        return None
    if kind not in wanted and kind is not type(None):
        raise TypeError(f"{kind!r} cannot be described in data")
    reason = f"expected {wanted.get(kind, 'nothing')}, found {_show(data)}"
    raise SchemaError(at, reason, words.get(kind, "value"))


def _load_dataclass(kind: Any, data: object, at: str) -> object:
    if not isinstance(data, Mapping):
        raise SchemaError(at, f"expected a table, found {_show(data)}", "table")
    fields = {_key(f): f for f in dataclasses.fields(kind) if f.init}
    for key in data:
        if key not in fields:
            reason = "unknown key; known here: " + ", ".join(fields)
            raise SchemaError(_join(at, key), reason, "unknown", tuple(fields))
    values = {}
    for key, field in fields.items():
        if key in data:
            values[field.name] = _load(_hints(kind)[field.name], data[key], _join(at, key))
        elif _required(field):
            raise SchemaError(_join(at, key), "missing", "missing")
    try:
        return kind(**values)
    except ValueError as error:
        raise SchemaError(at, str(error)) from None


def _load_union(kinds: tuple[Any, ...], data: object, at: str) -> object:
    reasons = []
    for kind in kinds:
        try:
            return _load(kind, data, at)
        except SchemaError as error:
            reasons.append(error)
    raise max(reasons, key=lambda error: len(error.key))


def _load_tuple(kinds: tuple[Any, ...], data: object, at: str) -> tuple[object, ...]:
    if not isinstance(data, list | tuple):
        raise SchemaError(at, f"expected a list, found {_show(data)}", "any-list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_load(kinds[0], item, f"{at}[{i}]") for i, item in enumerate(data))
    if len(data) != len(kinds):
        raise SchemaError(at, f"expected {len(kinds)} entries, found {len(data)}")
    return tuple(
        _load(k, v, f"{at}[{i}]") for i, (k, v) in enumerate(zip(kinds, data, strict=True))
    )


def _key(field: "dataclasses.Field[Any]") -> str:
    return field.name.removesuffix("_")


def _required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


@cache
def _hints(kind: Hashable) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _join(at: str, key: str) -> str:
    return f"{at}.{key}" if at else key


def _show(data: object) -> str:
    text = repr(data)
    return text if len(text) <= 40 else text[:37] + "..."


def json_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `load(kind, …)` accepts."""
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        fields = [f for f in dataclasses.fields(kind) if f.init]
        hints = _hints(cast(Hashable, kind))
        return {
            "type": "object",
            "description": (kind.__doc__ or "").strip().split("\n\n")[0],
            "properties": {_key(f): json_schema(hints[f.name]) for f in fields},
            "required": [_key(f) for f in fields if _required(f)],
            "additionalProperties": False,
        }
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin in (Union, types.UnionType):
        return {"anyOf": [json_schema(k) for k in get_args(kind)]}
    if origin is tuple:
        kinds = get_args(kind)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            return {"type": "array", "items": json_schema(kinds[0])}
        return {"type": "array", "prefixItems": [json_schema(k) for k in kinds], "items": False,
                "minItems": len(kinds)}  # fmt: skip
    if origin in (Mapping, dict) or kind in (Mapping, dict):
        of = get_args(kind)[1] if get_args(kind) else Any
        return {"type": "object", "additionalProperties": json_schema(of)}
    names = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}
    return {"type": names[kind]} if kind in names else {}
