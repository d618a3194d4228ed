"""Dealing one card at a time, and the card dealt face up that says who begins."""

import random
from collections.abc import Sequence

from engine.cards import Card, Cards
from engine.game import Deal, Match


def deal_out(cards: Cards, match: Match, first: int | None = None) -> Deal:
    """All cards, one at a time from the seat `first` on (the eldest unless named): hands may differ
    by one."""
    players = match.players
    first = match.eldest if first is None else first
    return Deal(tuple(cards[(seat - first) % players :: players] for seat in range(players)))


def deal_each(cards: Cards, match: Match, each: int, first: int | None = None) -> Deal:
    """`each` cards to every seat in the same way; the others are the stock."""
    count = match.players * each
    return Deal(deal_out(cards[:count], match, first).hands, cards[count:])


def face_up(
    rng: random.Random, hands: Sequence[Cards], pack: Cards, without: str = ""
) -> tuple[Card, int]:
    """The card that lay face up in the pack, any but `without`, and the seat that drew it.

    Which card it is does not depend on how the cards were dealt.
    """
    card = rng.choice([c for c in pack if c != without])
    return card, next(seat for seat, hand in enumerate(hands) if card in hand)
