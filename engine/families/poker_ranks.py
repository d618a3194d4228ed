"""Ranking rows of three and of five cards by their pairs, straights and flushes.

What makes a type stands here; which types count, their order, and how many ranks decide between two
of one type come from the rule data.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import SUITS, Card, Order

_BY_COUNTS = {
    (3,): "三同张",
    (2, 1): "对加单",
    (1, 1, 1): "三单张",
    (4, 1): "四同张",
    (3, 2): "三同二同",
    (3, 1, 1): "三同张",
    (2, 2, 1): "二对子",
    (2, 1, 1, 1): "一对子",
    (1, 1, 1, 1, 1): "五单张",
}
"""The types by how often each rank stands in the row. Five single cards may be more than that."""
THREE_TYPES = frozenset({"三同张", "对加单", "三单张"})
FIVE_TYPES = frozenset(_BY_COUNTS.values()) - {"对加单", "三单张"} | {"同花顺", "同花", "顺子"}

_BITS = 3
"""A shape counts each rank in three bits: up to four of a kind."""
_RANK_BITS = 20
"""Five ranks of four bits stand below a type's place in a strength."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a row is: its type, and the ranks that decide within the type (as `Order.strength`; an ace
    that stands low is 0), the first first.

    Of two rows of one size the higher `strength` wins, equal ones are level. `level` compares rows of
    different sizes: where the shorter runs out of ranks, the longer is the higher.
    """

    type: str
    ranks: tuple[int, ...]
    strength: int
    level: int

    @property
    def type_level(self) -> int:
        """The place of the type among rows of any size."""
        return self.level >> _RANK_BITS


class ByShape(dict[int, "Ranked"]):
    """From a shape to what it is, worked out on the first asking."""

    def __init__(self, find: Callable[[int], Ranked]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, shape: int) -> Ranked:
        found = self[shape] = self._find(shape)
        return found


class RowRanks:
    """Ranks rows of `size` cards; all rows of one shape (the same ranks) rank alike unless they are
    of one suit. `mixed` and `suited` give what a shape is."""

    def __init__(
        self,
        order: Order,
        size: int,
        types: Sequence[str],
        compared: Mapping[str, int],
        levels: Mapping[str, int],
        *,
        ace_low: bool,
    ) -> None:
        """`types` are the types of this size from the highest, `compared` how many ranks decide
        within a type, `levels` the place of a type among rows of any size, higher is stronger;
        `ace_low` whether an ace may stand below the lowest rank of a straight."""
        self.size = size
        self._places = {name: len(types) - place for place, name in enumerate(types)}
        self._compared = compared
        self._levels = levels
        self._ranks = len(order.ranks)
        self._ace_low = ace_low
        self.weights = {
            Card(suit + rank): 1 << _BITS * (strength - 1)
            for suit in SUITS
            for rank, strength in order.strength.items()
        }
        """What each card adds to a shape."""
        self._letters = {rank.replace("10", "T"): s for rank, s in order.strength.items()}
        self.mixed = ByShape(lambda shape: self._rank(shape, suited=False))
        self.suited = ByShape(lambda shape: self._rank(shape, suited=True))
        # The cards of each suit are counted in four bits above the shape.
        top = _BITS * self._ranks
        self._full_weights = {
            card: weight | 1 << top + 4 * SUITS.index(card.suit)
            for card, weight in self.weights.items()
        }
        self._shape_mask = (1 << top) - 1
        self._one_suit = frozenset(size << top + 4 * n for n in range(len(SUITS)))

    def rank(self, cards: Iterable[Card]) -> Ranked:
        """What `size` cards are."""
        total = sum(map(self._full_weights.__getitem__, cards))
        shape = total & self._shape_mask
        return self.suited[shape] if total - shape in self._one_suit else self.mixed[shape]

    def encode(self, cards: Sequence[Card]) -> str:
        """The ranks of a row from the highest, with `s` behind for one suit: `AKQ97s`."""
        letters = sorted((c.rank.replace("10", "T") for c in cards), key=self._letters.__getitem__)
        text = "".join(reversed(letters))
        return text + "s" if len({c.suit for c in cards}) == 1 else text

    def decode(self, text: str) -> Ranked:
        """What a row written so is."""
        ranks = text.removesuffix("s")
        shape = sum(1 << _BITS * (self._letters[letter] - 1) for letter in ranks)
        return self.suited[shape] if ranks != text else self.mixed[shape]

    def straight(self, ranks: Sequence[int]) -> tuple[int, ...]:
        """Ranks from the highest as a straight, with 0 for a low ace; empty when they are none."""
        high = ranks[0]
        if tuple(ranks) == tuple(range(high, high - self.size, -1)):
            return tuple(ranks)
        low = tuple(range(self.size - 1, -1, -1))
        return low if self._ace_low and tuple(ranks) == (self._ranks, *low[:-1]) else ()

    def _rank(self, shape: int, *, suited: bool) -> Ranked:
        groups = []
        while shape:
            place = (shape.bit_length() - 1) // _BITS
            groups.append((shape >> _BITS * place, place + 1))
            shape &= (1 << _BITS * place) - 1
        groups.sort(reverse=True)
        ranks = tuple(strength for _, strength in groups)
        name = _BY_COUNTS[tuple(count for count, _ in groups)]
        if name == "五单张":
            if straight := self.straight(ranks):
                name, ranks = ("同花顺" if suited else "顺子"), straight
            elif suited:
                name = "同花"
        ranks = ranks[: self._compared[name]]
        packed = sum(rank << 4 * (4 - place) for place, rank in enumerate(ranks))
        place, level = self._places[name] << _RANK_BITS, self._levels[name] << _RANK_BITS
        return Ranked(name, ranks, place | packed, level | packed)
