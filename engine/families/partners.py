"""Sides of partners: which seats play together."""

from collections.abc import Sequence

from engine.game import Match
from engine.verdict import BadInput

Sides = Sequence[Sequence[int]]


def side_of(sides: Sides, seat: int) -> int:
    """The number of the side that a seat plays for; raises `ValueError` for a seat of none."""
    for number, seats in enumerate(sides):
        if seat in seats:
            return number
    raise ValueError(f"seat {seat} is on no side")


def by_seat(sides: Sides, scores: Sequence[int]) -> tuple[int, ...]:
    """Points by seat from points by side: partners show the same."""
    players = sum(map(len, sides))
    return tuple(scores[side_of(sides, seat)] for seat in range(players))


def by_side(sides: Sides, scores: Sequence[int]) -> tuple[int, ...]:
    """Points by side from points by seat that partners show alike."""
    return tuple(scores[seats[0]] for seats in sides)


def check_scores(sides: Sides, match: Match) -> None:
    """Raises `BadInput` unless partners show the same scores."""
    if by_seat(sides, by_side(sides, match.scores)) != match.scores:
        raise BadInput("match.scores", "bad.partners")
