"""Special hands: hands that win as a whole, without being arranged in rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product

from engine.cards import NUMBERS, SUITS, Card, Cards, Order


@dataclass(frozen=True, kw_only=True)
class SetFacts:
    """So many sets of so many cards of one rank each, and one card more."""

    count: int
    of: int


@dataclass(frozen=True, kw_only=True)
class SpecialFacts:
    """`order` are the classes from the highest, level ones together; `pay` what each pays its winner.

    `sets` are the classes made of equal ranks, `colours` those of suits of one colour; `middle` is the
    rank where the high cards begin and the low ones end.
    """

    order: tuple[tuple[str, ...], ...]
    pay: Mapping[str, int]
    sets: Mapping[str, SetFacts]
    colours: Mapping[str, tuple[str, ...]]
    middle: str

    def __post_init__(self) -> None:
        named = {name for level in self.order for name in level}
        known = {"青龙", "花龙", "全大", "全小", "三同花", "三顺", *self.sets, *self.colours}
        if named - known or named - set(self.pay):
            raise ValueError(f"no special hand with a pay: {sorted(named - known & set(self.pay))}")


class SpecialHands:
    """Tells which special hands a hand is, and into which groups it splits."""

    def __init__(
        self, facts: SpecialFacts, order: Order, sizes: Sequence[int], *, ace_low: bool
    ) -> None:
        """`sizes` are the sizes of the flushes and straights in 三同花 and 三顺; `ace_low` whether an
        ace may stand below the lowest rank of a straight."""
        self._facts = facts
        self._order = order
        self._sizes = sizes
        self._ace_low = ace_low
        self._levels = {
            name: len(facts.order) - place
            for place, names in enumerate(facts.order)
            for name in names
        }
        self._suits_of_counts: dict[tuple[int, ...], tuple[str, ...]] = {}
        for suits in product(SUITS, repeat=len(sizes)):
            counts = [0] * len(SUITS)
            for suit, size in zip(suits, sizes, strict=True):
                counts[SUITS.index(suit)] += size
            self._suits_of_counts.setdefault(tuple(counts), suits)

    def classes(self, cards: Cards) -> tuple[str, ...]:
        """All special hands that the cards are, the highest first."""
        ranks: Counter[str] = Counter(card.rank for card in cards)
        suits: Counter[str] = Counter(card.suit for card in cards)
        return tuple(name for name in self._levels if self._is(name, cards, ranks, suits))

    def best(self, cards: Cards) -> str | None:
        """The highest special hand that the cards are."""
        return next(iter(self.classes(cards)), None)

    def level(self, name: str | None) -> int:
        """A class among the others, higher is stronger; level ones are equal, no special hand is 0."""
        return self._levels[name] if name else 0

    def pay(self, name: str) -> int:
        """What a class pays its winner, in points."""
        return self._facts.pay[name]

    def split(self, name: str, cards: Cards) -> tuple[Cards, ...] | None:
        """The groups of a hand that is of that class; None for classes that have none."""
        cards = self._order.sort(cards)
        if name in self._facts.sets:
            return self._split_sets(self._facts.sets[name], cards)
        if name == "三同花":
            return self._split_suits(cards)
        if name == "三顺":
            return self._split_runs(cards)
        return None

    def _is(
        self, name: str, cards: Cards, ranks: Mapping[str, int], suits: Mapping[str, int]
    ) -> bool:
        if name in self._facts.sets:
            sets = self._facts.sets[name]
            return sum(count // sets.of for count in ranks.values()) >= sets.count
        if name in self._facts.colours:
            return all(suit in self._facts.colours[name] for suit in suits)
        match name:
            case "青龙":
                return len(suits) == 1
            case "花龙":
                return len(ranks) == len(cards) and len(suits) > 1
            case "全大":
                strength = self._order.strength
                return all(strength[rank] >= strength[self._facts.middle] for rank in ranks)
            case "全小":
                return all(NUMBERS[rank] <= NUMBERS[self._facts.middle] for rank in ranks)
            case "三同花":
                return tuple(suits[suit] for suit in SUITS) in self._suits_of_counts
            case _:
                return self._shape(cards) in self._runs_of_shape

    def _split_sets(self, sets: SetFacts, cards: Cards) -> tuple[Cards, ...]:
        groups: list[Cards] = []
        rest: list[Card] = []
        for rank in self._order.ranks:
            same = tuple(card for card in cards if card.rank == rank)
            while len(same) >= sets.of and len(groups) < sets.count:
                groups.append(same[: sets.of])
                same = same[sets.of :]
            rest += same
        return (*groups, tuple(rest))

    def _split_suits(self, cards: Cards) -> tuple[Cards, ...]:
        counts = tuple(sum(card.suit == suit for card in cards) for suit in SUITS)
        left = {suit: [card for card in cards if card.suit == suit] for suit in SUITS}
        groups: list[Cards] = []
        # The last group takes the highest cards of its suit, as the last row would.
        for suit, size in reversed(
            list(zip(self._suits_of_counts[counts], self._sizes, strict=True))
        ):
            mine = left[suit]  # type: ignore[index]
            groups.append(tuple(mine[:size]))
            del mine[:size]
        return tuple(reversed(groups))

    def _split_runs(self, cards: Cards) -> tuple[Cards, ...]:
        left = {rank: [c for c in cards if c.rank == rank] for rank in self._order.ranks}
        runs = self._runs_of_shape[self._shape(cards)]
        top = len(self._order.ranks)
        groups = []
        for run in runs:
            # Strength 1 is the last rank, 0 the ace below it.
            ranks = [self._order.ranks[top - (strength or top)] for strength in run]
            groups.append(self._order.sort(left[rank].pop(0) for rank in ranks))
        return tuple(groups)

    def _shape(self, cards: Cards) -> int:
        strength = self._order.strength
        return sum(1 << 3 * (strength[card.rank] - 1) for card in cards)

    @cached_property
    def _runs_of_shape(self) -> dict[int, tuple[range, ...]]:
        """From the ranks of a hand to the straights they make, one for each size."""
        top = len(self._order.ranks)
        first = 0 if self._ace_low else 1

        def runs(size: int) -> list[range]:
            return [range(low, low + size) for low in range(top - size + 1, first - 1, -1)]

        found: dict[int, tuple[range, ...]] = {}
        short, *long = self._sizes
        for three in runs(short):
            for fives in combinations_with_replacement(runs(long[0]), len(long)):
                groups = (three, *reversed(fives))
                shape = sum(1 << 3 * ((s or top) - 1) for group in groups for s in group)
                found.setdefault(shape, groups)
        return found
