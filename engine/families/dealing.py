"""Dealing all cards out, and the card dealt face up that says who begins."""

import random
from collections.abc import Sequence

from engine.cards import Card, Cards
from engine.game import Match


def deal_out(cards: Cards, match: Match) -> tuple[Cards, ...]:
    """One card at a time from the seat after the dealer until all are out: hands may differ by one."""
    players = match.players
    hands: list[Cards] = [()] * players
    for i in range(players):
        hands[(match.dealer + 1 + i) % players] = cards[i::players]
    return tuple(hands)


def face_up(
    rng: random.Random, hands: Sequence[Cards], pack: Cards, without: str = ""
) -> tuple[Card, int]:
    """The card that lay face up in the pack, any but `without`, and the seat that drew it.

    Which card it is does not depend on how the cards were dealt.
    """
    card = rng.choice([c for c in pack if c != without])
    return card, next(seat for seat, hand in enumerate(hands) if card in hand)
