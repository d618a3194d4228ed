"""All ways to arrange a hand in three rows, and the best of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Generic, TypeVar

from engine.cards import SUITS, Card, Cards
from engine.families.poker_ranks import Ranked, RowRanks

Rows = tuple[Cards, ...]
_ROW, _LONG = 3, 5
HAND = _ROW + 2 * _LONG
_ALL = (1 << HAND) - 1
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A legal arrangement and what its rows are worth, as the values given to `best` say."""

    rows: Rows
    value: int


@cache
def _masks(size: int) -> tuple[int, ...]:
    """All choices of so many of the hand's cards, a bit a card, in the order of `combinations`."""
    return tuple(sum(1 << place for place in c) for c in combinations(range(HAND), size))


class _Known(dict[int, T], Generic[T]):
    """From a row's shape to what is known of it, worked out on the first asking."""

    def __init__(self, find: Callable[[int], T]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, shape: int) -> T:
        found = self[shape] = self._find(shape)
        return found


class RowSearch:
    """Searches the arrangements of hands of 13 cards into rows of 3, 5 and 5.

    There are C(13,3) × C(10,5) = 72,072 of them, of only 286 first rows and 1,287 rows of five; so each
    row is ranked and valued once, by its shape (see `RowRanks`), and arrangements are sums of three.
    """

    def __init__(
        self,
        three: RowRanks,
        five: RowRanks,
        values: Sequence[Callable[[Ranked], int]],
    ) -> None:
        """`values` give what a row is worth as the first, second and third."""
        first, second, third = values
        self._three, self._five = three, five
        self._first = _Known(lambda s: (three.mixed[s].level, first(three.mixed[s])))
        self._mixed = _Known(
            lambda s: (five.mixed[s].level, second(five.mixed[s]), third(five.mixed[s]))
        )
        self._suited = _Known(
            lambda s: (five.suited[s].level, second(five.suited[s]), third(five.suited[s]))
        )

    def best(self, cards: Sequence[Card], count: int = 2) -> tuple[Arrangement, ...]:
        """The legal arrangements worth most, the best first; of those whose rows are equally strong
        only one. Of equal ones the one with the stronger third row is first, then the second.

        Exact: a first row is passed over only when the most that two rows of the other ten cards could
        add falls short, and likewise a third row.
        """
        firsts = self._firsts(cards)
        fives = self._fives(cards)
        by_second = sorted(((v2, mask) for mask, (_, v2, _) in fives.items()), reverse=True)
        by_third = sorted(((v3, level, m) for m, (level, _, v3) in fives.items()), reverse=True)
        bounds = []
        for mask, (level, value) in firsts.items():
            most2 = next(v2 for v2, m in by_second if not m & mask)
            most3 = next(v3 for v3, _, m in by_third if not m & mask)
            bounds.append((value + most2 + most3, value + most2, value, level, mask))
        bounds.sort(reverse=True)
        found: list[tuple[tuple[int, int, int, int], int, int]] = []
        enough = -(10**18)
        for bound, bound12, value1, level1, mask1 in bounds:
            if bound < enough:
                break
            rest = _ALL ^ mask1
            for value3, level3, mask3 in by_third:
                if mask3 & mask1:
                    continue
                if bound12 + value3 < enough:
                    break
                level2, value2, _ = fives[rest ^ mask3]
                value = value1 + value2 + value3
                if value < enough or not level1 <= level2 <= level3:
                    continue
                key = (value, level3, level2, level1)
                if all(key != other for other, _, _ in found):
                    found = sorted([*found, (key, mask1, mask3)], reverse=True)[:count]
                    enough = found[-1][0][0] if len(found) == count else enough
        row = self._cards_of(cards)
        return tuple(
            Arrangement((row[mask1], row[_ALL ^ mask1 ^ mask3], row[mask3]), key[0])
            for key, mask1, mask3 in found
        )

    def legal(self, cards: Sequence[Card]) -> Iterator[Rows]:
        """All legal arrangements, those with the strongest third row first, then the second."""
        firsts, fives, row = self._firsts(cards), self._fives(cards), self._cards_of(cards)
        for mask3, splits in self._splits(cards, fives):
            level3 = fives[mask3][0]
            for level2, mask2, mask1 in splits:
                if firsts[mask1][0] <= level2 <= level3:
                    yield row[mask1], row[mask2], row[mask3]

    def every(self, cards: Sequence[Card]) -> Iterator[Rows]:
        """All arrangements, legal or not, in the same order."""
        row = self._cards_of(cards)
        for mask3, splits in self._splits(cards, self._fives(cards)):
            for _, mask2, mask1 in splits:
                yield row[mask1], row[mask2], row[mask3]

    def _splits(
        self, cards: Sequence[Card], fives: dict[int, tuple[int, int, int]]
    ) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
        """Every third row from the strongest, with the level and the cards of each second row that can
        stand beside it, from the strongest, and the cards that are left."""
        bits = [1 << place for place in range(len(cards))]
        for mask3 in sorted(fives, key=lambda mask: (fives[mask][0], mask), reverse=True):
            rest = _ALL ^ mask3
            left = [bit for bit in bits if bit & rest]
            firsts = map(sum, combinations(left, _ROW))
            yield (
                mask3,
                sorted(((fives[rest ^ m][0], rest ^ m, m) for m in firsts), reverse=True),
            )

    def _firsts(self, cards: Sequence[Card]) -> dict[int, tuple[int, int]]:
        weights = [self._three.weights[card] for card in cards]
        known = map(self._first.__getitem__, map(sum, combinations(weights, _ROW)))
        return dict(zip(_masks(_ROW), known, strict=True))

    def _fives(self, cards: Sequence[Card]) -> dict[int, tuple[int, int, int]]:
        weights = [self._five.weights[card] for card in cards]
        known = map(self._mixed.__getitem__, map(sum, combinations(weights, _LONG)))
        found = dict(zip(_masks(_LONG), known, strict=True))
        for suit in SUITS:
            places = [place for place, card in enumerate(cards) if card.suit == suit]
            for chosen in combinations(places, _LONG):
                mask = sum(1 << place for place in chosen)
                found[mask] = self._suited[sum(weights[place] for place in chosen)]
        return found

    @staticmethod
    def _cards_of(cards: Sequence[Card]) -> dict[int, Cards]:
        """The cards of every row that the hand can give."""
        rows = (zip(_masks(n), combinations(cards, n), strict=True) for n in (_ROW, _LONG))
        return {mask: row for sized in rows for mask, row in sized}
