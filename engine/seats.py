"""Seats: values that stand one for each seat, and seats that are named from outside."""

from collections.abc import Sequence, Sized
from typing import TypeVar

from engine.verdict import BadInput

T = TypeVar("T")


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Values by seat with another one for `seat`."""
    return (*values[:seat], value, *values[seat + 1 :])


def check_seat(seat: int, players: int, at: str) -> None:
    """Raises `BadInput` unless so many players have that seat."""
    if not 0 <= seat < players:
        raise BadInput(at, "bad.int", least=0, most=players - 1)


def check_seats(seats: Sequence[int], players: int, at: str) -> None:
    """Raises `BadInput` unless so many players have all these seats, none named twice."""
    for number, seat in enumerate(seats):
        check_seat(seat, players, f"{at}[{number}]")
        if seat in seats[:number]:
            raise BadInput(f"{at}[{number}]", "bad.seat-twice", seat=seat)


def check_each(values: Sized, players: int, at: str) -> None:
    """Raises `BadInput` unless there is a value for each seat."""
    if len(values) != players:
        raise BadInput(at, "bad.length", least=players, most=players, got=len(values))
