"""What a row of cards is worth on average against a random opponent.

The opponents stand in a `Tally`: a great many random hands, arranged, and how often each row came out.
A tally holds cards, not results: what the rows are, which beats which and what they pay come from the
rules in force. As each row is compared with the opponent's row of the same number alone, the mean pay
of an arrangement is the sum of the means of its rows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from engine.families.poker_ranks import Ranked, RowRanks


@dataclass(frozen=True)
class Tally:
    """`hands` random hands: how many were laid down as each special hand, and for each row of the
    others how often which cards stood in it, as `RowRanks.encode` writes them."""

    hands: int
    specials: Mapping[str, int]
    rows: tuple[Mapping[str, int], ...]


class RowOdds:
    """What a row is worth against the opponents' rows of the same number.

    Sums over all opponents, in points: whole numbers, so that equal arrangements come out equal.
    """

    def __init__(
        self,
        opponents: Mapping[str, int],
        ranks: RowRanks,
        pays: Mapping[str, int],
        *,
        wins_ties: bool,
    ) -> None:
        """`pays` is what a row of each type pays its winner, `wins_ties` whether a row that is level
        with the opponent's wins."""
        rows = sorted((ranks.decode(text).strength, count, pays[ranks.decode(text).type])
                      for text, count in opponents.items())  # fmt: skip
        self._strengths = [strength for strength, _, _ in rows]
        self._counts = list(accumulate((count for _, count, _ in rows), initial=0))
        self._losses = list(accumulate((count * pay for _, count, pay in rows), initial=0))
        self._pays = pays
        self._find = bisect_right if wins_ties else bisect_left

    def wins(self, row: Ranked) -> int:
        """How many of the opponents' rows lose to it."""
        return self._counts[self._find(self._strengths, row.strength)]

    def value(self, row: Ranked) -> int:
        """What it wins from them less what it loses to the others."""
        place = self._find(self._strengths, row.strength)
        won = self._pays[row.type] * self._counts[place]
        return won - (self._losses[-1] - self._losses[place])
