"""What the engine answers: values, and the reasons for them, without any prose.

The text of a message is made by `engine.texts` from its key, in the reader's script.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: a key in the message catalogue and the values to put in."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so: the rulebook clause that decides, and what to say of it."""

    clause: str
    message: Message


def message(key: str, **params: Any) -> Message:
    """A message from its key and values."""
    return Message(key, params)


def reason(clause: str, key: str, **params: Any) -> Reason:
    """A reason from its clause id, its message key and the message's values."""
    return Reason(clause, Message(key, params))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one question: plain JSON values by name, and the reasons in order."""

    answer: Mapping[str, Any]
    reasons: tuple[Reason, ...]


class BadInput(ValueError):
    """A question that is none. `place` names the field (`rows[1]`), `message` says what it takes."""

    def __init__(self, place: str, key: str, **params: Any) -> None:
        super().__init__(f"{place}: {key}")
        self.place = place
        self.message = Message(key, {"field": place, **params})


class IllegalMove(ValueError):
    """A move that the rules forbid; `reasons` cites the clauses, the deciding one first."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(", ".join(r.clause for r in reasons))
        self.reasons = reasons
