"""Matches played to a total: adding up deals and telling who has won."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from engine.game import Match

M = TypeVar("M", bound=Match)


def add(match: M, scores: Sequence[int]) -> M:
    """The standing with a deal's points by seat added."""
    return replace(match, scores=tuple(a + b for a, b in zip(match.scores, scores, strict=True)))


def leaders(match: Match) -> tuple[int, ...] | None:
    """The seats that have won the match: the highest at or over the target. None while nobody is
    there, or where the match has no target."""
    best = max(match.scores)
    if match.target is None or best < match.target:
        return None
    return tuple(seat for seat, score in enumerate(match.scores) if score == best)
