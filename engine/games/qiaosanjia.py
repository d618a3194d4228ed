"""敲三家: climbing three against three, nine cards each, with jokers and twos that stand for others."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, Cards
from engine.families import partners, totals
from engine.families.climbing import ClimbingFacts, LeadMatch, check_leader
from engine.families.climbing_substitutes import Substitutes, stands_for
from engine.families.climbing_types import Frame
from engine.families.dealing import deal_out, face_up
from engine.families.tribute import Gift, Step, Tribute, TributeGame, TributeState
from engine.fields import CardList, Check, ListOf, SeatNumber
from engine.game import Deal, Match, Move, Result
from engine.rulebook import Data, Rules
from engine.seats import check_seats
from engine.texts import SEATS
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place in the order of finish: its name, and the points it is worth."""

    name: str
    points: int


@dataclass(frozen=True, kw_only=True)
class Facts(ClimbingFacts):
    """`hand` cards each; `sides` are the partners' seats; `places` are those from the first to the
    last to finish, the last but one worth its points only in some deals; `sweep` multiplies the
    points of a side all out before the other; `partners_exempt` spares partners tribute; `target`
    ends a match."""

    hand: int
    sides: tuple[tuple[int, ...], ...]
    places: tuple[Place, ...]
    sweep: int
    partners_exempt: bool
    target: int


@dataclass(frozen=True, kw_only=True)
class QiaosanjiaMatch(LeadMatch):
    """`order` is the order of finish of the last deal, empty before the first; `leader` draws first
    and leads, None where the order or a card face up says who."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class QiaosanjiaState(TributeState):
    """`agreeing` while the last two, of one side, settle who leads the next deal: `next_leader`."""

    leader: int
    agreeing: bool = False
    next_leader: int | None = None


class Qiaosanjia(TributeGame[Facts, QiaosanjiaState]):
    facts_type = Facts
    match_type = QiaosanjiaMatch

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.why: Substitutes = Substitutes(self.types, self.cite, rules.book.cites)

    def figures(self) -> Data:
        """`cards` is how many cards there are, `table` the points of every split of the places, and
        `swept` those of the best."""
        players = self.rules.book.game.players[0]
        table = self.splits(players)
        return {"cards": len(self.pack(players)), "table": table, "swept": table[0]}

    def check_match(self, match: Match) -> None:
        super().check_match(match)
        assert isinstance(match, QiaosanjiaMatch)
        partners.check_scores(self.facts.sides, match)
        if match.order and sorted(match.order) != list(range(match.players)):
            raise BadInput("match.order", "bad.order", players=match.players)
        check_leader(match)
        if match.order and match.leader not in (None, *self.leaders(match.order)):
            seats = list(self.leaders(match.order))
            raise BadInput("match.leader", "bad.leader", seats=seats)

    # The deal

    def side(self, seat: int) -> int:
        return partners.side_of(self.facts.sides, seat)

    def leaders(self, order: Sequence[int]) -> tuple[int, ...]:
        """Who may lead the next deal: the last but one to finish, or, when the last two are of one
        side, either of them (qiaosanjia-02)."""
        third, last = order[-2:]
        return (third, last) if self.side(third) == self.side(last) else (third,)

    def divide(self, cards: Cards, match: Match) -> Deal:
        assert isinstance(match, QiaosanjiaMatch)
        if match.order:
            leader = match.order[-2] if match.leader is None else match.leader
            match = replace(match, dealer=(leader - 1) % match.players)
        return deal_out(cards, match)

    def start(self, deal: Deal, match: Match) -> QiaosanjiaState:
        assert isinstance(match, QiaosanjiaMatch)
        order = match.order
        if order:
            leader = order[-2] if match.leader is None else match.leader
            key = "leads.agreed" if len(self.leaders(order)) > 1 else "leads.third"
            events = [
                reason("qiaosanjia-03", "dealt.later", last=order[-1], first=order[0]),
                reason("qiaosanjia-02", key, seat=leader),
                *self.why_tribute(order),
            ]
        else:
            drawer = match.eldest
            card, leader = face_up(self.rng(match, "face up"), deal.hands, self.pack(match.players))
            leader = leader if match.leader is None else match.leader
            shown = reason("qiaosanjia-01", "leads.face-up", seat=leader, card=card)
            given = reason("qiaosanjia-01", "leads.named", seat=leader)
            events = [
                reason("qiaosanjia-01", "dealt.first", cutter=match.dealer, seat=drawer),
                shown if match.leader is None else given,
            ]
        state = QiaosanjiaState(
            match=match,
            hands=deal.hands,
            turn=leader,
            taken=((),) * match.players,
            leader=leader,
            tribute=Tribute(todo=self.steps(order)),
            events=tuple(events),
        )
        return self.settle_tribute(state)

    def begin(self, state: QiaosanjiaState) -> QiaosanjiaState:
        return replace(state, turn=state.leader)

    def friends(self, state: QiaosanjiaState, seat: int) -> tuple[int, ...]:
        return tuple(s for s in self.facts.sides[self.side(seat)] if s != seat)

    # Tribute

    def may_give(self, giver: int, taker: int) -> bool:
        """Whether tribute may pass between two seats (qiaosanjia-09)."""
        return not self.facts.partners_exempt or self.side(giver) != self.side(taker)

    def steps(self, order: Sequence[int]) -> tuple[Step, ...]:
        """The tribute due after a deal (qiaosanjia-08): all give, then the first two take and return,
        each in turn."""
        if not order:
            return ()
        takers, givers = order[:2], order[-2:]
        pays = [g for g in givers if any(self.may_give(g, t) for t in takers)]
        of = {t: tuple(g for g in pays if self.may_give(g, t)) for t in takers}
        return (
            *(Step("give", giver) for giver in pays),
            *(Step("take", taker, of[taker]) for taker in takers if of[taker]),
            Step("back", takers[0]),
            *(Step("return", taker) for taker in takers),
        )

    def why_tribute(self, order: Sequence[int]) -> tuple[Reason, ...]:
        takers, givers = list(order[:2]), list(order[-2:])
        reasons = [reason("qiaosanjia-08", "tribute.due", givers=givers, takers=takers)]
        for taker in takers:
            mates = [g for g in givers if self.side(g) == self.side(taker)]
            if mates:
                key = "tribute.exempt" if self.facts.partners_exempt else "tribute.partners"
                reasons.append(reason("qiaosanjia-09", key, takers=[taker], givers=mates))
        return tuple(reasons)

    # Who leads the next deal

    def play(self, state: QiaosanjiaState, move: Move) -> QiaosanjiaState:
        if state.agreeing:
            order = self.order_of_finish(state)
            seat = order[-2] if move.value == self.facts.places[-2].name else order[-1]
            return replace(state, agreeing=False, next_leader=seat, turn=None, events=())
        after = super().play(state, move)
        if after.turn is not None:
            return after
        order = self.order_of_finish(after)
        if len(self.leaders(order)) == 1:
            return after
        event = reason("qiaosanjia-02", "leads.agree", seats=list(order[-2:]))
        return replace(after, agreeing=True, turn=order[-2], events=(*after.events, event))

    def legal_moves(self, state: QiaosanjiaState) -> Sequence[Move]:
        if not state.agreeing:
            return super().legal_moves(state)
        return [Move("leader", (), place.name) for place in self.facts.places[-2:]]

    def fault(self, state: QiaosanjiaState, move: Move) -> Reason | None:
        if not state.agreeing:
            return super().fault(state, move)
        if move in self.legal_moves(state):
            return None
        return reason(
            "qiaosanjia-02", "leads.choose", names=[p.name for p in self.facts.places[-2:]]
        )

    def allows(self, state: QiaosanjiaState, move: Move) -> tuple[Reason, ...]:
        if not state.agreeing:
            return super().allows(state, move)
        return (reason("qiaosanjia-02", "leads.agree", seats=self.order_of_finish(state)[-2:]),)

    def describe(self, state: QiaosanjiaState, move: Move) -> Message:
        if state.agreeing:
            return message("move.leader", seat=state.turn, value=move.value)
        said = super().describe(state, move)
        if move.kind != "play":
            return said
        stands = self.why.stands(self.meant(move, self.to_beat(state)), move.cards)
        if not stands:
            return said
        return message("move.climb-stands", **said.params, **stands[0].message.params)

    def pick(self, state: QiaosanjiaState, rng: random.Random) -> Move:
        return rng.choice(self.legal_moves(state)) if state.agreeing else super().pick(state, rng)

    def robot(self, state: QiaosanjiaState) -> Move:
        return self.legal_moves(state)[0] if state.agreeing else super().robot(state)

    def _cost(self, frame: Frame, held: Sequence[int], lead: bool) -> tuple[int, ...]:
        """The same, substitutes spent before all else."""
        missing = sum(max(frame.group - held[r], 0) for r in frame.ranks)
        return (missing, *super()._cost(frame, held, lead))

    def longest(self, players: int) -> int:
        return super().longest(players) + 1  # the last two agree who leads

    # The end of a deal

    def splits(self, players: int) -> list[dict[str, Any]]:
        """The points of every way in which the first side can finish (qiaosanjia-06a)."""
        first, second = self.facts.sides
        found = []
        for code in range(1 << players):
            held = [i for i in range(players) if code >> (players - 1 - i) & 1]
            if len(held) == len(first):
                mine, theirs = iter(first), iter(second)
                order = [next(mine) if i in held else next(theirs) for i in range(players)]
                sides, _, _ = self.settle(order)
                places = [i + 1 for i in held]
                found.append({"places": places, "own": sides[0], "other": sides[1]})
        return sorted(found, key=lambda row: list(row["places"]))

    def settle(self, order: Sequence[int]) -> tuple[tuple[int, ...], bool, tuple[Reason, ...]]:
        """The points of each side, whether one was swept, and why (qiaosanjia-05 to -07)."""
        side = [self.side(seat) for seat in order]
        points = [place.points for place in self.facts.places]
        reasons = [
            reason("qiaosanjia-04", "settle.places",
                   places={SEATS[s]: self.facts.places[i].name for i, s in enumerate(order)}),
            reason("qiaosanjia-05", "settle.firsts", first=order[0], second=order[1]),
        ]  # fmt: skip
        both = side[0] == side[1] == side[-2]
        if both or side[-2] == side[-1]:
            points[-2] = 0
        clause = "qiaosanjia-05" if side[-2] != side[-1] else "qiaosanjia-06"
        key = "both" if both else "together" if side[-2] == side[-1] else "third"
        reasons.append(reason(clause, f"settle.{key}", seat=order[-2], last=order[-1]))
        sides = [
            sum(p for p, s in zip(points, side, strict=True) if s == number)
            for number in range(len(self.facts.sides))
        ]
        size = len(self.facts.sides[0])
        sweep = len(set(side[:size])) == 1
        if sweep:
            sides = [self.facts.sweep * p for p in sides]
            reasons.append(reason("qiaosanjia-07", "settle.sweep", seats=sorted(order[:size])))
        places = [i + 1 for i, s in enumerate(side) if s == 0]
        values = {"seats": list(self.facts.sides[0]), "places": places,
                  "own": sides[0], "other": sides[1]}  # fmt: skip
        return tuple(sides), sweep, (*reasons, reason("qiaosanjia-06a", "settle.split", **values))

    def result(self, state: QiaosanjiaState) -> Result | None:
        if state.turn is not None:
            return None
        sides, _, reasons = self.settle(self.order_of_finish(state))
        scores = partners.by_seat(self.facts.sides, sides)
        winners = self.facts.sides[sides.index(max(sides))]
        match = totals.add(state.match, scores)
        match_winners = totals.leaders(match)
        if match_winners is not None:
            best = max(match.scores)
            if len(match_winners) == state.players:
                match_winners = None
                reasons = (*reasons, reason("qiaosanjia-21a", "match.level", points=best))
            else:
                seats = list(match_winners)
                over = reason("qiaosanjia-21", "match.won", seats=seats, points=best)
                reasons = (*reasons, over)
                if min(match.scores) >= (match.target or 0):
                    reasons = (*reasons, reason("qiaosanjia-21a", "match.higher", seats=seats))
        return Result(scores, winners, match, reasons, match_winners)

    def next_match(self, state: QiaosanjiaState, result: Result) -> Match:
        match = super().next_match(state, result)
        assert isinstance(match, QiaosanjiaMatch)
        order = self.order_of_finish(state)
        leader = order[-2] if state.next_leader is None else state.next_leader
        return replace(match, order=order, leader=leader, dealer=(leader - 1) % match.players)

    # Questions

    def checks(self) -> Iterable[Check]:
        players = self.rules.book.game.players[0]
        yield from self.climbing_checks(self.facts.hand)
        order = ListOf(SeatNumber(players), players, players)
        yield self.question("settle", self._settle, order=order)
        hands = ListOf(CardList(1, self.facts.hand), players, players, by_seat=True)
        yield self.question("tribute", self._tribute, order=order, hands=hands)

    def _classify(self, cards: Cards) -> Verdict:
        verdict = super()._classify(cards)
        readings = [
            {
                **self.reading_json(reading),
                "stands_for": dict(stands_for(self.types, reading, cards)),
                "fake": reading.wild > 0,
            }
            for reading in self.types.readings(cards)
        ]
        reasons = verdict.reasons
        if not readings and self._two_as_joker(cards):
            reasons = (*reasons, reason("qiaosanjia-14", "stands.two-no-run"))
        return Verdict({**verdict.answer, "readings": readings}, reasons)

    def _two_as_joker(self, cards: Cards) -> bool:
        """Whether cards would be a run if what stands for others in sets did so there as well."""
        anywhere = self.types.fillers(True)
        counts = list(self.types.counts(cards))
        for r in self.types.fillers(False):
            if r not in anywhere:
                counts[anywhere[0]] += counts[r]
                counts[r] = 0
        return any(frame.length > 1 for frame in self.types.frames(tuple(counts)))

    def _settle(self, order: tuple[int, ...]) -> Verdict:
        check_seats(order, len(order), "order")
        sides, sweep, reasons = self.settle(order)
        return Verdict({"sides": list(sides), "sweep": sweep}, reasons)

    def _tribute(self, order: tuple[int, ...], hands: tuple[Cards, ...]) -> Verdict:
        check_seats(order, len(order), "order")
        reasons = list(self.why_tribute(order))
        given: dict[int, Card] = {}
        gifts: list[Gift] = []
        for step in self.steps(order):
            if step.kind == "give":
                given[step.seat] = self.sorted(hands[step.seat])[0]
                equal = self.highest(hands[step.seat], 1)[1]
                if len(equal) > 1:
                    reasons.append(reason("qiaosanjia-09", "tribute.tie", cards=list(equal)))
            elif step.kind == "take":
                # The higher card is taken first; of equal ones that of the earlier to finish.
                owners = [giver for giver in step.of if giver in given]
                if owners:
                    owner = max(owners, key=lambda g: self.order.strength[given[g].rank])
                    gifts.append(Gift(owner, step.seat, given.pop(owner)))
        gives = [{"from": g.giver, "to": g.taker, "card": g.card} for g in gifts]
        return Verdict({"gives": gives}, tuple(reasons))


GAME = Qiaosanjia
