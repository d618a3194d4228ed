"""What a hand of 五十一分 is worth, which of two is higher, and which card to lay from six."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from engine.cards import JOKERS, Card, Cards, remove
from engine.families.drawing import DrawFacts, DrawGame, DrawState
from engine.fields import CardList, Check
from engine.rulebook import Data
from engine.verdict import Reason, Verdict, reason


@dataclass(frozen=True, kw_only=True)
class Reveal:
    """One reveals with more than `over` points, or, where `reached` is on, with so many."""

    over: int
    reached: bool


@dataclass(frozen=True, kw_only=True)
class Facts(DrawFacts):
    """`values` are points by rank; `any_suit` says whether a hand of several suits counts;
    `challenge` is how many times his own points a challenger writes who wins; `target` ends a match."""

    values: Mapping[str, int]
    any_suit: bool
    reveal: Reveal
    challenge: int
    target: int


S = TypeVar("S", bound=DrawState)


class HandGame(DrawGame[Facts, S]):
    """The part of the game that looks at one hand, or at two."""

    @property
    def least(self) -> int:
        """The fewest points that one may reveal with (wushiyifen-04)."""
        return self.facts.reveal.over + (0 if self.facts.reveal.reached else 1)

    def figures(self) -> Data:
        """`most` is what a hand can be worth at most, `least` the fewest points to reveal with."""
        values = self.facts.values
        best = sorted((values[r] for r in self.facts.ranks if r not in JOKERS), reverse=True)
        jokers = [values[r] for r in self.facts.ranks if r in JOKERS]
        ranks = best * 4 if self.facts.any_suit else best
        most = sum(sorted([*ranks, *jokers], reverse=True)[: self.facts.hand])
        return {"most": most, "least": self.least}

    def points(self, hand: Cards) -> int:
        """What five cards are worth (wushiyifen-02, -03, -08)."""
        if not self.facts.any_suit and len(_suits(hand)) > 1:
            return 0
        return sum(self.facts.values[card.rank] for card in hand)

    def rank(self, hand: Cards) -> tuple[int, bool]:
        """What hands are compared by: their points, then whether no joker helps (wushiyifen-09)."""
        return self.points(hand), _pure(hand)

    def may_reveal(self, hand: Cards) -> bool:
        return self.points(hand) >= self.least

    def clause_of(self, hand: Cards) -> str:
        """The clause that a hand counts by."""
        return "wushiyifen-08" if len(_suits(hand)) > 1 else "wushiyifen-02"

    def why_points(self, hand: Cards) -> tuple[Reason, ...]:
        """Why a hand is worth what it is."""
        cards, points, suits = list(self.sorted(hand)), self.points(hand), _suits(hand)
        if self.facts.any_suit:
            found = [reason(self.clause_of(hand), "hand.sum", cards=cards, points=points)]
        elif len(suits) > 1:
            return (reason("wushiyifen-03", "hand.mixed", suits=suits, cards=cards),)
        else:
            suit = suits[0]
            found = [reason("wushiyifen-02", "hand.suit", cards=cards, points=points, suit=suit)]
        jokers = [c for c in cards if c.rank in JOKERS]
        if jokers:
            value = self.facts.values[jokers[0].rank]
            found.append(reason("wushiyifen-03", "hand.joker", cards=jokers, value=value))
        return tuple(found)

    def why_revealed(self, hand: Cards) -> Reason:
        """Whether one may reveal with a hand, and why."""
        points, least = self.points(hand), self.least
        key = "reveal.enough" if points >= least else "reveal.below"
        return reason("wushiyifen-04", key, points=points, least=least)

    def why_higher(self, a: Cards, b: Cards) -> Reason | None:
        """Why hands of equal points are told apart or not; None when their points differ."""
        points = self.points(a)
        if points != self.points(b):
            return None
        if _pure(a) != _pure(b):
            return reason("wushiyifen-09", "equal.joker", points=points)
        key = "equal.pure" if _pure(a) else "equal.mixed"
        return reason("wushiyifen-10", key, points=points)

    def best_discard(self, hand: Cards) -> Card:
        """The card to lay from six: for the most points, then for a hand without a joker, then for
        the most points in one suit; of cards alike the one worth least."""

        def left(card: Card) -> tuple[int, bool, int, int]:
            kept = remove(hand, (card,))
            worth: dict[str, int] = {}
            for c in kept:
                worth[c.suit] = worth.get(c.suit, 0) + self.facts.values[c.rank]
            joker = worth.pop("", 0)
            best = joker + max(worth.values(), default=0)
            points, pure = self.rank(kept)
            return points, pure and points > 0, best, -self.facts.values[card.rank]

        return max(reversed(self.sorted(hand)), key=left)

    # Questions

    def hand_checks(self) -> tuple[Check, Check, Check]:
        """`hand`, `compare` and `best_discard`."""
        hand = CardList(self.facts.hand, self.facts.hand)
        six = CardList(self.facts.hand + 1, self.facts.hand + 1)
        return (
            self.question("hand", self._hand, cards=hand),
            self.question("compare", self._compare, a=hand, b=hand),
            self.question("best_discard", self._best_discard, cards=six),
        )

    def _hand(self, cards: Cards) -> Verdict:
        answer = {"points": self.points(cards), "may_reveal": self.may_reveal(cards)}
        return Verdict(answer, (*self.why_points(cards), self.why_revealed(cards)))

    def _compare(self, a: Cards, b: Cards) -> Verdict:
        first, second = self.rank(a), self.rank(b)
        winner = "a" if first > second else "b" if second > first else None
        why: list[Reason] = [*self.why_points(a), *self.why_points(b)]
        if equal := self.why_higher(a, b):
            why.append(equal)
        if winner is None:
            why.append(reason("wushiyifen-09", "compare.equal"))
        return Verdict({"winner": winner}, tuple(why))

    def _best_discard(self, cards: Cards) -> Verdict:
        card = self.best_discard(cards)
        kept = remove(cards, (card,))
        why = [reason("wushiyifen-01", "discard.keep", cards=list(self.sorted(kept)), card=card)]
        others = [remove(cards, (c,)) for c in cards if c != card]
        same = [o for o in others if self.points(o) == self.points(kept) > 0]
        if _pure(kept) and not all(map(_pure, same)):
            why.append(reason("wushiyifen-09", "discard.pure"))
        why += self.why_points(kept)
        return Verdict({"discard": card, "points": self.points(kept)}, tuple(why))


def _suits(hand: Iterable[Card]) -> list[str]:
    """The suits in a hand, jokers left out."""
    return list(dict.fromkeys(card.suit for card in hand if card.suit))


def _pure(hand: Iterable[Card]) -> bool:
    return all(card.suit for card in hand)
