"""One challenger against the defender: what their rows and special hands are, and what they win."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from engine.cards import Cards
from engine.families.arranging import ArrangingFacts, ArrangingGame, ArrangingState, Laid
from engine.families.poker_ranks import Ranked
from engine.families.special_hands import SpecialFacts, SpecialHands
from engine.verdict import Reason, reason

Winner = Literal["challenger", "defender"]


@dataclass(frozen=True, kw_only=True)
class DuelFacts(ArrangingFacts):
    """`special` are the hands that win as a whole."""

    special: SpecialFacts


@dataclass(frozen=True, slots=True)
class Duel:
    """What a challenger and the defender win from each other: `rows` give winner and pay of each row,
    None where a special hand decided. A row that both have forfeited has no winner."""

    rows: tuple[tuple[Winner | None, int], ...] | None
    won: int
    lost: int
    reasons: tuple[Reason, ...]


F = TypeVar("F", bound=DuelFacts)


class DuelGame(ArrangingGame[F, ArrangingState]):
    """A game of arranging in which two hands at a time stand against each other."""

    @cached_property
    def specials(self) -> SpecialHands:
        sizes = [row.cards for row in self.facts.rows]
        return SpecialHands(self.facts.special, self.order, sizes, ace_low=self.facts.ace_low)

    # What rows and hands are

    def why_row(self, row: int, cards: Cards, ranked: Ranked) -> tuple[Reason, ...]:
        short = self.facts.rows[row].cards == min(r.cards for r in self.facts.rows)
        clause = "gonglei-09" if short else "gonglei-11"
        reasons = [reason(clause, f"is.{ranked.type}", cards=list(cards))]
        if ranked.type == "同花":
            reasons.append(reason("gonglei-13", "is.no-run"))
        if not short:
            reasons += self.why_ace(row, cards, ranked)
        name, pays = self.facts.rows[row].name, self.pays[row][ranked.type]
        reasons.append(reason("gonglei-20", "pay.row", row=name, type=ranked.type, pays=pays))
        return tuple(reasons)

    def why_ace(self, row: int, cards: Cards, ranked: Ranked) -> list[Reason]:
        """What the ace may or may not be in cards that are a straight or look like one."""
        ace, top = self.facts.ranks[0], len(self.facts.ranks)
        held = sorted(self.order.strength[card.rank] for card in cards)
        if ace not in {card.rank for card in cards} or len(set(held)) < len(held):
            return []
        size = len(held)
        if ranked.type in ("顺子", "同花顺"):
            low = ranked.ranks[0] < size
            key, high = ("ace.low", self.rank_of(ranked.ranks[0])) if low else ("ace.high", ace)
            return [reason("gonglei-08", key, ace=ace, high=high)]
        if held == [*range(1, size), top]:
            return [reason("gonglei-08", "ace.never-low", ace=ace)]
        # The ranks stand in a ring: do they make one run across its seam?
        gaps = sum((b - a) % top != 1 for a, b in zip(held, [*held[1:], held[0]], strict=True))
        return [reason("gonglei-08", "ace.no-turn", ace=ace)] if gaps == 1 else []

    def rank_of(self, strength: int) -> str:
        """The rank of a strength; 0 is an ace that stands low."""
        ranks = self.facts.ranks
        return ranks[len(ranks) - strength] if strength else ranks[0]

    def why_special(self, cards: Cards) -> tuple[Reason, ...]:
        """Why a hand is a special one, or is none."""
        classes = self.specials.classes(cards)
        if not classes:
            return (reason("gonglei-16", "special.none"),)
        special, *others = classes
        reasons = [reason("gonglei-16", f"is.{special}"), *self._why_liberal(special, cards)]
        if others:
            reasons.append(reason("gonglei-18", "special.highest", special=special, others=others))
        reasons.append(reason("gonglei-15", "special.wins", special=special))
        pays = self.specials.pay(special)
        return (*reasons, reason("gonglei-19", "special.pay", special=special, pays=pays))

    def _why_liberal(self, special: str, cards: Cards) -> list[Reason]:
        """What in a special hand only counts because the rules read its class widely."""
        counts = Counter(card.rank for card in cards)
        most, ranks = counts.most_common(1)[0][1], self.facts.ranks
        if special in self.facts.special.sets and special != "三个四同":
            sets = self.facts.special.sets[special]
            if most > sets.of:
                rank = counts.most_common(1)[0][0]
                return [reason("gonglei-17", "liberal.set", special=special, rank=rank)]
        middle = self.facts.special.middle
        if special in ("全大", "全小") and counts[middle]:  # type: ignore[index]
            return [reason("gonglei-17", "liberal.middle", special=special, rank=middle)]
        if special == "三顺" and counts[ranks[0]]:  # type: ignore[index]
            ace = ranks[0]
            return [reason("gonglei-17", "liberal.ace", ace=ace),
                    reason("gonglei-08", "ace.in-runs", ace=ace)]  # fmt: skip
        return []

    # Comparing

    def compare(self, row: int, challenger: Cards, defender: Cards) -> tuple[Winner, int]:
        """Who wins the row of that number from 0, and what it pays him."""
        mine, other = (self.ranks[row].rank(cards) for cards in (challenger, defender))
        if mine.strength > other.strength:
            return "challenger", self.pays[row][mine.type]
        return "defender", self.pays[row][other.type]

    def why_compared(self, row: int, challenger: Cards, defender: Cards) -> Reason:
        """What decides between the rows."""
        mine, other = (self.ranks[row].rank(cards) for cards in (challenger, defender))
        name = self.facts.rows[row].name
        if mine.strength == other.strength:
            return reason("gonglei-14", "compare.tie", row=name, type=mine.type)
        side, high, low = "challenger", mine, other
        if mine.strength < other.strength:
            side, high, low = "defender", other, mine
        short = len(challenger) == min(r.cards for r in self.facts.rows)
        if high.type != low.type:
            clause = "gonglei-09" if short else "gonglei-11"
            return reason(clause, f"compare.type.{side}", row=name, high=high.type, low=low.type)
        clause = "gonglei-10" if short else "gonglei-12"
        better, worse = next(
            pair for pair in zip(high.ranks, low.ranks, strict=True) if pair[0] != pair[1]
        )
        return reason(clause, f"compare.rank.{side}", row=name, type=high.type,
                      high=self.rank_of(better), low=self.rank_of(worse))  # fmt: skip

    def why_paid(self, row: int, winner: Winner, ranked: Ranked) -> Reason:
        """What the winner's row pays."""
        name, pays = self.facts.rows[row].name, self.pays[row][ranked.type]
        kind = "bonus" if ranked.type in self.facts.rows[row].pays else "plain"
        key = f"pay.{kind}.{winner}"
        return reason("gonglei-20", key, row=name, type=ranked.type, pays=pays)

    def duel(self, challenger: Laid, defender: Laid) -> Duel:
        """What the two win from each other (gonglei-14, -18 to -20)."""
        if challenger.declared or defender.declared:
            return self._duel_of_specials(challenger.declared, defender.declared)
        forfeits = [self.misplaced(laid.rows) is not None for laid in (challenger, defender)]
        if any(forfeits):
            return self._duel_of_forfeits(challenger, defender, *forfeits)
        rows: list[tuple[Winner, int]] = []
        reasons: list[Reason] = []
        for n, (mine, other) in enumerate(zip(challenger.rows, defender.rows, strict=True)):
            winner, pays = self.compare(n, mine, other)
            rows.append((winner, pays))
            ranked = self.ranks[n].rank(mine if winner == "challenger" else other)
            reasons += [self.why_compared(n, mine, other), self.why_paid(n, winner, ranked)]
        return self._sum(rows, reasons)

    def _sum(self, rows: Sequence[tuple[Winner | None, int]], reasons: Iterable[Reason]) -> Duel:
        won = sum(pays for winner, pays in rows if winner == "challenger")
        lost = sum(pays for winner, pays in rows if winner == "defender")
        return Duel(tuple(rows), won, lost, (*reasons, self._why_sum(won, lost)))

    @staticmethod
    def _why_sum(won: int, lost: int) -> Reason:
        return reason("gonglei-21", "sheet.duel", won=won, lost=lost)

    def _duel_of_specials(self, challenger: str | None, defender: str | None) -> Duel:
        mine, other = self.specials.level(challenger), self.specials.level(defender)
        special = challenger if mine > other else defender
        assert special is not None
        side = "challenger" if mine > other else "defender"
        if not challenger or not defender:
            why = [reason("gonglei-18", f"special.beats-rows.{side}", special=special)]
        elif mine == other:
            why = [reason("gonglei-18", "special.tie", special=special, other=challenger)]
        else:
            low = defender if mine > other else challenger
            why = [
                reason("gonglei-15", "special.order", special=special, other=low),
                reason("gonglei-18", f"special.higher.{side}"),
            ]
        pays = self.specials.pay(special)
        won, lost = (pays, 0) if mine > other else (0, pays)
        paid = reason("gonglei-19", f"special.pay.{side}", special=special, pays=pays)
        return Duel(None, won, lost, (*why, paid, self._why_sum(won, lost)))

    def _duel_of_forfeits(self, challenger: Laid, defender: Laid, lost: bool, won: bool) -> Duel:
        """Rows out of order are lost, whatever they are; where both are out of order nobody wins."""
        if lost and won:
            both = reason("gonglei-06", "forfeit.both")
            return self._sum([(None, 0)] * len(self.facts.rows), [both])
        winner: Winner = "defender" if lost else "challenger"
        ranked = self.ranked(defender.rows if lost else challenger.rows)
        reasons = [reason("gonglei-06", f"forfeit.{winner}")]
        reasons += [self.why_paid(n, winner, row) for n, row in enumerate(ranked)]
        return self._sum([(winner, self.pays[n][r.type]) for n, r in enumerate(ranked)], reasons)
