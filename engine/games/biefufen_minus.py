"""What cards laid face down cost in 憋负分, some of them more than once, and who wins by it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from engine.cards import JOKERS, Card, Cards, Order, Rank, pack
from engine.families.layout import LayoutFacts, LayoutGame, LayoutState
from engine.fields import ByCard, CardList, Check, Int, ListOf, Nullable, SeatNumber
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, reason


@dataclass(frozen=True)
class Fewer:
    """With so many `players`, these `suits` stay out."""

    players: int
    suits: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """The minus `points` of a card of these `ranks`."""

    ranks: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Times:
    """How often a card counts that a `card` of a suit stood for, and one that a `joker` stood for."""

    card: int
    joker: int


@dataclass(frozen=True, kw_only=True)
class Facts(LayoutFacts):
    """`suits_out` by number of players; `minus` the points; `wild` whether cards of `wild_ranks`, and
    the jokers where there are any, may stand for others; `times` how often the replaced card counts."""

    suits_out: tuple[Fewer, ...]
    minus: tuple[Points, ...]
    wild: bool
    wild_ranks: tuple[str, ...]
    times: Times


@dataclass(frozen=True, kw_only=True)
class BiefufenState(LayoutState):
    """`down` are the cards that each seat has laid face down."""

    down: tuple[Cards, ...] = ()


Replaced = Mapping[Card, int]
"""How often replaced cards count."""


class MinusGame(LayoutGame[Facts, BiefufenState]):
    """The part of the game that counts minus points."""

    def minus(self, card: Card) -> int:
        """The minus points of a card (biefufen-06)."""
        return next(p.points for p in self.facts.minus if card.rank in p.ranks)

    def counted(self, cards: Iterable[Card], replaced: Replaced) -> int:
        """The minus points of cards laid face down, replaced ones counted more than once."""
        return sum(self.minus(card) * replaced.get(card, 1) for card in cards)

    def times(self, wild: Card) -> int:
        """How often a card counts that this wild card stands for (biefufen-08, -10)."""
        return self.facts.times.card if wild.suit else self.facts.times.joker

    def _clause_of(self, times: int) -> str:
        return "biefufen-08" if times == self.facts.times.card else "biefufen-10"

    def why_counted(self, cards: Cards, replaced: Replaced) -> list[Reason]:
        """How the minus points of some cards come together."""
        cards = self.sorted(cards)
        points = self.counted(cards, replaced)
        if not cards:
            return [reason("biefufen-06", "minus.none")]
        reasons = [reason("biefufen-06", "minus.sum", cards=list(cards), points=points)]
        for card in cards:
            if times := replaced.get(card):
                counted = self.minus(card) * times
                said = reason(
                    self._clause_of(times), "minus.times", card=card, times=times, points=counted
                )
                reasons.append(said)
                if self.is_wild(card):
                    reasons.append(reason("biefufen-12", "wild.replaced", card=card))
        return reasons

    def is_wild(self, card: Card) -> bool:
        """Whether a card may stand for another."""
        return card in self._wild_cards

    @cached_property
    def _wild_cards(self) -> frozenset[Card]:
        ranks = {*self.facts.wild_ranks, *JOKERS} if self.facts.wild else set()
        return frozenset(card for card in super().pack(0) if card.rank in ranks)

    def settled(self, points: Sequence[int]) -> tuple[list[int], list[int], list[Reason]]:
        """Who has the fewest minus points and wins, who the most and loses, and why (biefufen-07).
        Where all have as many, nobody loses."""
        fewest, most = min(points), max(points)
        winners = [seat for seat, n in enumerate(points) if n == fewest]
        losers = [seat for seat, n in enumerate(points) if n == most and n > fewest]
        return winners, losers, [
            reason("biefufen-07", "settle.fewest", seats=winners, points=fewest),
            *([reason("biefufen-07", "settle.most", seats=losers, points=most)] if losers else []),
        ]  # fmt: skip

    def _why_each(self, down: Sequence[Cards], replaced: Replaced) -> Iterable[Reason]:
        """Each seat's minus points, in one sentence, and the replaced cards among them."""
        for seat, cards in enumerate(down):
            if not cards:
                yield reason("biefufen-06", "minus.of-none", seat=seat)
                continue
            _, *more = self.why_counted(cards, replaced)
            points, shown = self.counted(cards, replaced), list(self.sorted(cards))
            yield reason("biefufen-06", "minus.of", seat=seat, cards=shown, points=points)
            yield from more

    @cached_property
    def _order(self) -> Order:
        ranks = cast(tuple[Rank, ...], self.facts.ranks)
        return Order((*(joker for joker in JOKERS if joker not in ranks), *ranks))

    def sorted(self, cards: Iterable[Card]) -> Cards:
        """Jokers as well where they are not in the pack: on score sheets any card may stand."""
        return self._order.sort(cards)

    # Questions

    def minus_checks(self) -> tuple[Check, Check]:
        """`minus` and `settle`: what cards count is asked of score sheets, so in any rule set any of
        them may stand there."""
        least, most = self.rules.book.game.players
        times = sorted((self.facts.times.card, self.facts.times.joker))
        replaced = Nullable(ByCard(Int(times[0], times[1])), may_miss=True)
        minus = self.question("minus", self._minus, cards=CardList(), replaced=replaced)
        sides = ListOf(ListOf(SeatNumber(most), 1, most), 2, most)
        settle = self.question(
            "settle",
            self._settle,
            laid_down=ListOf(CardList(), least, most, by_seat=True),
            replaced=replaced,
            sides=Nullable(sides, may_miss=True),
        )
        every = pack(jokers=JOKERS)
        return replace(minus, pack=every), replace(settle, pack=every)

    def _minus(self, cards: Cards, replaced: Replaced | None) -> Verdict:
        table = self._read_replaced(replaced)
        points = self.counted(cards, table)
        return Verdict({"points": points}, tuple(self.why_counted(cards, table)))

    def _read_replaced(self, replaced: Replaced | None) -> Replaced:
        for card in replaced or {}:
            if not card.suit:
                raise BadInput(f"replaced.{card}", "bad.joker-replaced", card=card)
        return replaced or {}

    def _settle(
        self,
        laid_down: tuple[Cards, ...],
        replaced: Replaced | None,
        sides: tuple[tuple[int, ...], ...] | None,
    ) -> Verdict:
        table = self._read_replaced(replaced)
        points = [self.counted(cards, table) for cards in laid_down]
        reasons = list(self._why_each(laid_down, table))
        answer: dict[str, Any] = {"points": points}
        if sides is None:
            winners, losers, ending = self.settled(points)
            return Verdict({**answer, "winners": winners, "losers": losers}, (*reasons, *ending))
        if sorted(seat for side in sides for seat in side) != list(range(len(laid_down))):
            raise BadInput("sides", "bad.sides", most=len(laid_down) - 1)
        sums = [sum(points[seat] for seat in side) for side in sides]
        best, worst, _ = self.settled(sums)
        answer |= {
            "sides": sums,
            "winners": sorted(seat for side in best for seat in sides[side]),
            "losers": sorted(seat for side in worst for seat in sides[side]),
        }
        for side, n in zip(sides, sums, strict=True):
            reasons.append(reason("biefufen-07", "settle.side", seats=list(side), points=n))
        reasons.append(reason("biefufen-07", "settle.winners", seats=answer["winners"]))
        return Verdict(answer, tuple(reasons))
