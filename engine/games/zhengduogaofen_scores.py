"""What is scored in 争夺高分: the highest and lowest trump, the jack, and the most card points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from engine.cards import Card, Cards
from engine.families import totals
from engine.families.counting import points_of
from engine.families.tricks import TrickGame, TrickState
from engine.fields import CardList, Check, ListOf, SuitOf
from engine.game import DeckFacts
from engine.seats import check_each
from engine.verdict import BadInput, Reason, Verdict, reason


@dataclass(frozen=True, kw_only=True)
class Gift:
    """What each of the others gives when the dealer keeps the suit, and to whom."""

    points: int
    to: Literal["dealer", "eldest"]


@dataclass(frozen=True, kw_only=True)
class Change:
    """On a change, whether each is first dealt more cards, and how many."""

    deals: bool
    cards: int


@dataclass(frozen=True, kw_only=True)
class Scores:
    """What is scored for the highest trump in play, the lowest, the jack of trumps, and the most
    card points."""

    high: int
    low: int
    jack: int
    game: int


@dataclass(frozen=True, kw_only=True)
class Facts(DeckFacts):
    """`hand` cards are played; `values` are card points by rank; `jack` is the rank of the trump that
    scores when won; `target` wins the match."""

    hand: int
    gift: Gift
    change: Change
    jack: str
    values: Mapping[str, int]
    scores: Scores
    target: int


@dataclass(frozen=True)
class Settlement:
    """Who has each of the four, None for nobody, in the order in which they are counted."""

    high: int | None
    low: int | None
    jack: int | None
    game: int | None
    reasons: tuple[Reason, ...]


S = TypeVar("S", bound=TrickState)


class ScoreGame(TrickGame[Facts, S]):
    """The part of the game that counts what has been won."""

    def points(self, cards: Iterable[Card]) -> int:
        """The card points of cards won."""
        return points_of(cards, self.facts.values)

    def settle(self, trump: str, won: Sequence[Cards], dealt: Sequence[Cards]) -> Settlement:
        """Who scores for what, from the cards each has won and was dealt (zhengduogaofen-09)."""
        trumps = self.sorted(c for hand in dealt for c in hand if c.suit == trump)
        high = low = jack = None
        reasons = []
        if trumps:
            high, low = _holder(dealt, trumps[0]), _holder(dealt, trumps[-1])
            reasons = [
                reason("zhengduogaofen-09", "score.high", seat=high, card=trumps[0]),
                reason("zhengduogaofen-09", "score.low", seat=low, card=trumps[-1]),
            ]
        for card in trumps:
            if card.rank == self.facts.jack:
                jack = _holder(won, card)
                reasons.append(reason("zhengduogaofen-09", "score.jack", seat=jack, card=card))
        points = tuple(map(self.points, won))
        best = totals.best(points)
        game = best[0] if len(best) == 1 else None
        key = "score.game" if len(best) == 1 else "score.tie"
        reasons.append(reason("zhengduogaofen-09", key, seats=list(best), points=max(points)))
        return Settlement(high, low, jack, game, tuple(reasons))

    def scored(self, settled: Settlement) -> list[tuple[int, int]]:
        """Seats and points in the order in which they are counted (zhengduogaofen-10)."""
        worth = self.facts.scores
        counted = (
            (settled.high, worth.high),
            (settled.low, worth.low),
            (settled.jack, worth.jack),
            (settled.game, worth.game),
        )
        return [(seat, points) for seat, points in counted if seat is not None]

    def settle_check(self) -> Check:
        """`settle`: who scores for what in a deal played out."""
        least, most = self.rules.book.game.players
        return self.question(
            "settle",
            self._settle,
            trump=SuitOf(),
            won=ListOf(CardList(), least, most, by_seat=True),
            dealt=ListOf(CardList(0, self.facts.hand, counted=False), least, most, by_seat=True),
        )

    def _settle(self, trump: str, won: Sequence[Cards], dealt: Sequence[Cards]) -> Verdict:
        players = len(won)
        check_each(dealt, players, "dealt")
        seen: set[Card] = set()
        for seat, hand in enumerate(dealt):
            for card in hand:
                if card in seen:
                    raise BadInput(f"dealt[{seat}]", "bad.card.twice", card=card, copies=1)
                seen.add(card)
        for seat, cards in enumerate(won):
            for card in cards:
                if card not in seen:
                    raise BadInput(f"won[{seat}]", "bad.won-not-dealt", card=card)
        if missing := self.sorted(seen - {card for cards in won for card in cards}):
            raise BadInput("won", "bad.not-won", card=missing[0])
        settled = self.settle(trump, won, dealt)
        scores = [0] * players
        for seat, points in self.scored(settled):
            scores[seat] += points
        answer: dict[str, Any] = {
            "high": settled.high,
            "low": settled.low,
            "jack": settled.jack,
            "game": settled.game,
            "scores": scores,
        }
        return Verdict(answer, settled.reasons)


def _holder(hands: Sequence[Cards], card: Card) -> int:
    return next(seat for seat, cards in enumerate(hands) if card in cards)
