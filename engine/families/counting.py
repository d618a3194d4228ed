"""Counting cards: what ranks are worth, and what each seat has got so far."""

from collections.abc import Callable, Iterable, Mapping

from engine.cards import Card, Cards
from engine.game import Note
from engine.verdict import message


def points_of(cards: Iterable[Card], values: Mapping[str, int]) -> int:
    """What cards are worth by the points of their ranks; a rank that has none counts nothing."""
    return sum(values.get(card.rank, 0) for card in cards)


def notes_of(
    piles: Iterable[Cards], points: Callable[[Cards], int], key: str = "note.points"
) -> tuple[Note, ...]:
    """A note for each seat that has cards before it: what they are worth."""
    return tuple(
        Note(message(key, points=points(cards)), seat) for seat, cards in enumerate(piles) if cards
    )
