"""争上游: climbing, every seat for itself, in a race to be out first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.cards import Cards
from engine.families import totals
from engine.families.climbing import (
    ClimbingFacts,
    ClimbingGame,
    ClimbingState,
    LeadMatch,
    check_leader,
)
from engine.families.dealing import deal_out, face_up
from engine.fields import Check
from engine.game import Deal, Match, Result
from engine.rulebook import Data
from engine.values import replace
from engine.verdict import reason


@dataclass(frozen=True, kw_only=True)
class Facts(ClimbingFacts):
    """`beaten` is what a seat scores for each that finishes after it; `target` ends a match."""

    beaten: int
    target: int


class Zhengshangyou(ClimbingGame[Facts, ClimbingState]):
    facts_type = Facts
    match_type = LeadMatch
    captures = False

    def figures(self) -> Data:
        """`cards` is how many cards there are."""
        return {"cards": len(self.pack(self.rules.book.game.players[0]))}

    def check_match(self, match: Match) -> None:
        super().check_match(match)
        check_leader(match)

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_out(cards, match)

    def start(self, deal: Deal, match: Match) -> ClimbingState:
        assert isinstance(match, LeadMatch)
        first = match.eldest
        if match.leader is None:
            card, leader = face_up(self.rng(match, "face up"), deal.hands, self.pack(match.players))
            leads = reason("zhengshangyou-03", "leads.face-up", seat=leader, card=card)
        else:
            leader = match.leader
            leads = reason("zhengshangyou-03", "leads.first", seat=leader)
        return ClimbingState(
            match=match,
            hands=deal.hands,
            turn=leader,
            taken=((),) * match.players,
            events=(
                reason("zhengshangyou-01", "dealt.pack"),
                reason("zhengshangyou-02", "dealt", seat=first, counts=_counts(deal.hands, first)),
                leads,
            ),
        )

    # The end of a deal

    def result(self, state: ClimbingState) -> Result | None:
        if state.turn is not None:
            return None
        order = self.order_of_finish(state)
        scores = tuple(
            self.facts.beaten * (state.players - 1 - order.index(seat))
            for seat in range(state.players)
        )
        match = totals.add(state.match, scores)
        winners = totals.leaders(match)
        reasons = [
            reason("zhengshangyou-15", "finish.order", seats=list(order), last=order[-1]),
            reason("zhengshangyou-16", "finish.points", scores=list(scores)),
        ]
        if winners is not None:
            best = max(match.scores)
            reasons.append(
                reason("zhengshangyou-17", "match.won", seats=list(winners), points=best)
            )
        return Result(scores, order[:1], match, tuple(reasons), winners)

    def next_match(self, state: ClimbingState, result: Result) -> Match:
        match = super().next_match(state, result)
        assert isinstance(match, LeadMatch)
        return replace(match, leader=state.out[0], dealer=match.eldest)

    # Questions

    def checks(self) -> Iterable[Check]:
        least = self.rules.book.game.players[0]
        yield from self.climbing_checks(-(-len(self.pack(least)) // least))


def _counts(hands: Sequence[Cards], first: int) -> list[int]:
    """How many cards each seat has, from the seat that drew first."""
    return [len(hands[(first + i) % len(hands)]) for i in range(len(hands))]


GAME = Zhengshangyou
