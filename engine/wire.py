"""JSON as text: reading what comes from outside, within bounds, and writing always the same bytes."""

import json
import re
from typing import Any

from engine.verdict import BadInput

Json = Any
LONGEST = 400_000
"""No request has more characters."""
DEEPEST = 40
"""No request has more lists and objects in one another."""
_MARKS = re.compile(r"""[][{}"]|\\.""", re.DOTALL)


def read_json(text: str, at: str) -> Json:
    """JSON from outside. Raises `BadInput` naming `at` for anything that is none."""
    if len(text) > LONGEST:
        raise BadInput(at, "bad.too-long", most=LONGEST)
    text = text.removeprefix("\ufeff")
    if _is_deep(text):
        raise BadInput(at, "bad.too-deep", most=DEEPEST)
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadInput(at, "bad.json") from None


def _is_deep(text: str) -> bool:
    """Whether lists and objects stand too deep in one another: Python's reader recurses, and in the
    browser its stack is short."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth, in_string = 0, False
    for mark in _MARKS.findall(text):
        if mark == '"':
            in_string = not in_string
        elif not in_string and mark in ("[", "{"):
            depth += 1
            if depth > DEEPEST:
                return True
        elif not in_string and mark in ("]", "}"):
            depth -= 1
    return False


def _no_constant(name: str) -> Json:
    raise ValueError(name)


def to_json(value: Json) -> str:
    """JSON as it is written everywhere: compact, Chinese as it is, the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
