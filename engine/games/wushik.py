"""五十K: climbing for the points in fives, tens and kings, partners opposite."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, Literal

from engine.cards import Card, Cards
from engine.families import partners, totals
from engine.families.climbing import (
    ClimbingFacts,
    ClimbingGame,
    ClimbingState,
    LeadMatch,
    check_leader,
)
from engine.families.climbing_types import Reading
from engine.families.counting import notes_of, points_of
from engine.families.dealing import deal_each
from engine.fields import Check, Int, ListOf, SeatNumber
from engine.game import Deal, Match, Note, Result
from engine.seats import check_seats
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, reason


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How the first out and his partner finish: the partner's `place` among the four, its `name`,
    and what the other side then `pays` them."""

    name: str
    place: int
    pays: int


@dataclass(frozen=True, kw_only=True)
class Facts(ClimbingFacts):
    """`hand` cards each; `values` are points by rank; who draws `opening` first leads the first
    deal; `sides` are the partners' seats.

    `settlement` is how a deal is settled: by what `finishes` pay and the points left in hand, or by
    camps, where the first of the finishes is a sweep: the winners get the first of `sweep`, the
    others the second.
    `target` ends a match.
    """

    hand: int
    values: Mapping[str, int]
    opening: str
    sides: tuple[tuple[int, ...], ...]
    finishes: tuple[Finish, ...]
    settlement: Literal["deduct", "camp"]
    sweep: tuple[int, int]
    target: int


class Wushik(ClimbingGame[Facts, ClimbingState]):
    facts_type = Facts
    match_type = LeadMatch

    def check_match(self, match: Match) -> None:
        check_leader(match)
        partners.check_scores(self.facts.sides, match)

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def start(self, deal: Deal, match: Match) -> ClimbingState:
        assert isinstance(match, LeadMatch)
        if match.leader is None:
            leader = self.first_leader(deal, match)
            event = reason("wushik-03", "leads.first", seat=leader)
        else:
            leader = match.leader
            event = reason("wushik-03", "leads.winner", seat=leader)
        return ClimbingState(
            match=match,
            hands=deal.hands,
            turn=leader,
            taken=((),) * match.players,
            events=(reason("wushik-01", "dealt"), event),
        )

    def first_leader(self, deal: Deal, match: Match) -> int:
        """Who drew the opening card first: hands stand in the order in which they were dealt, one
        card at a time from the seat after the dealer (wushik-03)."""

        def drawn(seat: int) -> tuple[int, int]:
            round_place = (seat - match.eldest) % match.players
            return deal.hands[seat].index(Card(self.facts.opening)), round_place

        holders = [s for s, hand in enumerate(deal.hands) if self.facts.opening in hand]
        return min(holders, key=drawn)

    # Sides and points

    def friends(self, state: ClimbingState, seat: int) -> tuple[int, ...]:
        side = self.facts.sides[partners.side_of(self.facts.sides, seat)]
        return tuple(s for s in side if s != seat)

    def finished(self, state: ClimbingState) -> bool:
        """One side is out, which is so at the latest when the third player is (wushik-18)."""
        return any(all(not state.hands[s] for s in side) for side in self.facts.sides)

    def points(self, cards: Iterable[Card]) -> int:
        """The points that cards are worth (wushik-02)."""
        return points_of(cards, self.facts.values)

    def gather(self, state: ClimbingState, seat: int, cards: Cards) -> ClimbingState:
        counted = self.sorted(c for c in cards if c.rank in self.facts.values)
        if not counted:
            return state
        event = reason(
            "wushik-02", "round.points", seat=seat, cards=list(counted), points=self.points(counted)
        )
        return replace(state, events=(*state.events, event))

    def worth(self, state: ClimbingState) -> int:
        return sum(self.points(play.cards) for play in state.plays)

    def notes(self, state: ClimbingState) -> tuple[Note, ...]:
        return (*super().notes(state), *notes_of(state.taken, self.points))

    # Settlement

    def settle(
        self, order: Sequence[int], captured: Sequence[int], left: Sequence[int]
    ) -> tuple[tuple[int, ...], str, tuple[Reason, ...]]:
        """The points of each side, the name of the finish, and why (wushik-18, wushik-19).

        `order` are the seats as they went out, until one side was out; `captured` and `left` are
        the points taken and still in hand, by seat.
        """
        first = order[0]
        side = partners.side_of(self.facts.sides, first)
        mates = [s for s in self.facts.sides[side] if s != first]
        place = max(order.index(s) + 1 if s in order else len(captured) for s in mates)
        finish = next(f for f in self.facts.finishes if f.place == place)
        why = reason(
            "wushik-18", "settle.finish", seat=first, mates=mates, place=place, name=finish.name
        )
        own = [sum(captured[s] for s in seats) for seats in self.facts.sides]
        if self.facts.settlement == "deduct":
            scores, reasons = self._deduct(side, finish, own, left)
        else:
            scores, reasons = self._camp(side, finish, order, own, left)
        return scores, finish.name, (why, *reasons)

    def _deduct(
        self, side: int, finish: Finish, own: Sequence[int], left: Sequence[int]
    ) -> tuple[tuple[int, ...], list[Reason]]:
        """The losers pay by the finish, and what is left in hand is taken off its side."""
        paid = [finish.pays if number == side else -finish.pays for number in range(len(own))]
        kept = [sum(left[s] for s in seats) for seats in self.facts.sides]
        winners = list(self.facts.sides[side])
        key = "settle.pays" if finish.pays else "settle.no-pay"
        reasons = [reason("wushik-18", key, seats=winners, points=finish.pays)]
        for seats, points in zip(self.facts.sides, kept, strict=True):
            if points:
                reasons.append(reason("wushik-18", "settle.left", seats=list(seats), points=points))
        return tuple(a + b - c for a, b, c in zip(own, paid, kept, strict=True)), reasons

    def _camp(
        self,
        side: int,
        finish: Finish,
        order: Sequence[int],
        own: Sequence[int],
        left: Sequence[int],
    ) -> tuple[tuple[int, ...], list[Reason]]:
        """Each camp has what its members captured, and the third out what the last still holds."""
        if finish is self.facts.finishes[0]:
            won, lost = self.facts.sweep
            winners = list(self.facts.sides[side])
            scores = tuple(won if number == side else lost for number in range(len(own)))
            return scores, [reason("wushik-18", "settle.sweep", seats=winners)]
        third = order[-1]
        heirs = partners.side_of(self.facts.sides, third)
        reasons = [
            reason(
                "wushik-18",
                "settle.camp-first",
                seats=list(self.facts.sides[side]),
                points=own[side],
            ),
            *(
                reason("wushik-19", "settle.camp-other", seats=list(seats), points=own[number])
                for number, seats in enumerate(self.facts.sides)
                if number != side
            ),
        ]
        last = sum(left)
        if last:
            reasons.append(reason("wushik-19", "settle.camp-left", seat=third, points=last))
        scores = tuple(p + (last if number == heirs else 0) for number, p in enumerate(own))
        return scores, reasons

    def result(self, state: ClimbingState) -> Result | None:
        if state.turn is not None:
            return None
        captured = [self.points(cards) for cards in state.taken]
        left = [self.points(hand) for hand in state.hands]
        sides, _, reasons = self.settle(state.out, captured, left)
        scores = partners.by_seat(self.facts.sides, sides)
        best = max(sides)
        winners = tuple(s for s, score in enumerate(scores) if score == best and min(sides) < best)
        match = totals.add(state.match, scores)
        match_winners, why = self.match_over(state.match, match)
        return Result(scores, winners, match, (*reasons, *why), match_winners)

    def match_over(
        self, before: Match, after: Match
    ) -> tuple[tuple[int, ...] | None, tuple[Reason, ...]]:
        """Who has won the match now, and why or why it goes on (wushik-20, wushik-20a)."""
        target = after.target
        if target is None:
            return None, ()
        was = partners.by_side(self.facts.sides, before.scores)
        now = partners.by_side(self.facts.sides, after.scores)
        extra = min(was) >= target
        if not extra and max(now) < target:
            return None, ()
        best = max(now)
        winners = list(self.facts.sides[now.index(best)])
        if extra:
            if min(now) == best:
                return None, (reason("wushik-20a", "match.extra-again", points=best),)
            return tuple(winners), (reason("wushik-20a", "match.extra-won", seats=winners),)
        if min(now) >= target:
            return None, (reason("wushik-20", "match.extra", points=target),)
        return tuple(winners), (reason("wushik-20", "match.won", seats=winners, points=target),)

    def next_match(self, state: ClimbingState, result: Result) -> Match:
        match = super().next_match(state, result)
        assert isinstance(match, LeadMatch)
        return replace(match, leader=state.out[0])

    # Questions

    def reading_json(self, reading: Reading) -> dict[str, Any]:
        found = super().reading_json(reading)
        return found | {"suit": reading.suit} if reading.suit else found

    def checks(self) -> Iterable[Check]:
        yield from self.climbing_checks(self.facts.hand)
        players = self.rules.book.game.players[1]
        most = self.points(self.pack(players))
        step = gcd(*self.facts.values.values())
        points = ListOf(Int(0, most, step), players, players, by_seat=True)
        yield self.question(
            "settle",
            self._settle,
            order=ListOf(SeatNumber(players), 2, players),
            captured=points,
            left=points,
        )

    def _settle(
        self, order: tuple[int, ...], captured: tuple[int, ...], left: tuple[int, ...]
    ) -> Verdict:
        check_seats(order, len(captured), "order")
        out = next(
            (
                order[:number]
                for number in range(2, len(order) + 1)
                if any(set(side) <= set(order[:number]) for side in self.facts.sides)
            ),
            None,
        )
        if out is None:
            raise BadInput("order", "bad.no-side-out")
        for seat in out:
            if left[seat]:
                raise BadInput(f"left[{seat}]", "bad.left-when-out", seat=seat)
        most = self.points(self.pack(len(captured)))
        if sum(captured) + sum(left) > most:
            raise BadInput("captured", "bad.too-many-points", most=most)
        sides, name, reasons = self.settle(out, captured, left)
        return Verdict({"sides": list(sides), "result": name}, reasons)


GAME = Wushik
