"""Bidding: each in turn bids more or passes; enough passes after a bid make it the contract."""

from collections.abc import Sequence
from dataclasses import dataclass

Bid = tuple[int, int | None]
"""A seat, and the points it bids; None for a pass."""


@dataclass(frozen=True, kw_only=True)
class AuctionFacts:
    """`least` is the lowest first bid, `step` what bids are multiples of, `most` the highest bid,
    `passes` how many passes in a row after a bid end the auction; as many as there are players end
    it without one. With `passes` 0 each seat speaks just once."""

    least: int
    step: int
    most: int
    passes: int = 0


@dataclass(frozen=True)
class Auction:
    """An auction as it stands after some bids."""

    facts: AuctionFacts
    players: int
    dealer: int
    bids: Sequence[Bid] = ()

    @property
    def contract(self) -> tuple[int, int] | None:
        """The highest bid so far: its seat and points."""
        made = [(seat, points) for seat, points in self.bids if points is not None]
        return made[-1] if made else None

    @property
    def passes(self) -> int:
        """How many have passed in a row."""
        count = 0
        for _, points in reversed(self.bids):
            if points is not None:
                break
            count += 1
        return count

    @property
    def over(self) -> bool:
        """Whether the bidding is over."""
        if not self.facts.passes:
            return len(self.bids) >= self.players
        return self.passes >= (self.facts.passes if self.contract else self.players)

    @property
    def turn(self) -> int | None:
        """Whose turn it is to bid: the dealer's first, then in order; None when it is over."""
        return None if self.over else (self.dealer + len(self.bids)) % self.players

    @property
    def least(self) -> int | None:
        """The lowest bid that can be made now, None when none can."""
        bid = self.contract[1] + self.facts.step if self.contract else self.facts.least
        return None if self.over or bid > self.facts.most else bid

    def may_bid(self, points: int) -> bool:
        """Whether the seat whose turn it is may bid so many."""
        least = self.least
        return (
            least is not None
            and least <= points <= self.facts.most
            and not points % self.facts.step
        )

    def choices(self) -> range:
        """All bids that can be made now."""
        least = self.least
        return range(0) if least is None else range(least, self.facts.most + 1, self.facts.step)
