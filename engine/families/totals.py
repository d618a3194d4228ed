"""Points by seat: who has most, adding up deals, and telling who has won a match played to a total."""

from collections.abc import Sequence
from typing import TypeVar

from engine.game import Match
from engine.values import replace
from engine.verdict import BadInput

M = TypeVar("M", bound=Match)


def best(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats with the most points."""
    most = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == most)


def add(match: M, scores: Sequence[int]) -> M:
    """The standing with a deal's points by seat added."""
    return replace(match, scores=tuple(a + b for a, b in zip(match.scores, scores, strict=True)))


def leaders(match: Match) -> tuple[int, ...] | None:
    """The seats that have won the match: the highest at or over the target. None while nobody is
    there, or where the match has no target."""
    if match.target is None or max(match.scores) < match.target:
        return None
    return best(match.scores)


def check_no_target(match: Match) -> None:
    """Raises `BadInput` for a match with a target, in a game that is not played to one."""
    if match.target is not None:
        raise BadInput("target", "bad.no-target")
