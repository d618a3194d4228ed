"""最后胜利: tricks bring new cards, and the last one with cards in hand wins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import JOKERS, Card, Cards
from engine.families import totals
from engine.families.dealing import deal_each
from engine.families.tricks import TrickGame, TrickState
from engine.fields import Check, ListOf, SeatNumber, SuitOf
from engine.game import Deal, DeckFacts, Match, Result, Table, Zone
from engine.rulebook import Data
from engine.seats import check_seat, check_seats, put
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, reason


@dataclass(frozen=True, kw_only=True)
class Bankrupt:
    """The score of the `first` to go bankrupt; each later one has `step` more."""

    first: int
    step: int


@dataclass(frozen=True, kw_only=True)
class Facts(DeckFacts):
    """`hands` are the cards each is dealt, by number of players; `winner` is the last one's score;
    `target` ends a match."""

    hands: Mapping[str, int]
    winner: int
    bankrupt: Bankrupt
    target: int


@dataclass(frozen=True, kw_only=True)
class ZuihoushengliState(TrickState):
    """`turned` is the card that names trump, None once drawn; `bankrupt` are the seats without cards
    in the order in which they ran out. The top of the stock stands first in `stock`."""

    turned: Card | None
    bankrupt: tuple[int, ...] = ()


class Zuihoushengli(TrickGame[Facts, ZuihoushengliState]):
    facts_type = Facts
    trump_field = SuitOf()

    def figures(self) -> Data:
        most = self.rules.book.game.players[1]
        return {"bankrupt": {str(n): self.score(n) for n in range(1, most)}}

    def score(self, place: int) -> int:
        """What the one to go bankrupt at a place scores, from 1 (zuihoushengli-10, -11)."""
        return self.facts.bankrupt.first + self.facts.bankrupt.step * (place - 1)

    # The deal and the trump

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hands[str(match.players)])

    def start(self, deal: Deal, match: Match) -> ZuihoushengliState:
        players = match.players
        each = len(deal.hands[0])
        events = [reason("zuihoushengli-01", "dealt", seat=match.eldest, each=each)]
        stock = deal.stock
        while stock[0].rank in JOKERS:
            events.append(reason("zuihoushengli-03", "turned.joker", card=stock[0]))
            stock = (*stock[1:], stock[0])
        turned = stock[0]
        events.append(reason("zuihoushengli-02", "turned", card=turned, suit=turned.suit))
        events.append(reason("zuihoushengli-04", "leads", seat=match.dealer))
        empty: tuple[Cards, ...] = ((),) * players
        return ZuihoushengliState(
            match=match,
            hands=deal.hands,
            stock=stock[1:],
            turned=turned,
            trump=turned.suit,
            turn=match.dealer,
            leader=match.dealer,
            taken=empty,
            tricks=(0,) * players,
            events=tuple(events),
        )

    # Tricks among those who still have cards

    def active(self, state: ZuihoushengliState) -> list[int]:
        """The seats that play to the tricks, in order."""
        return [seat for seat in range(state.players) if seat not in state.bankrupt]

    def trick_size(self, state: ZuihoushengliState) -> int:
        return state.players - len(state.bankrupt)

    def next_seat(self, state: ZuihoushengliState, seat: int) -> int:
        active = self.active(state)
        return next((s for s in active if s > seat), active[0])

    def after_trick(self, state: ZuihoushengliState, trick: Cards) -> ZuihoushengliState:
        winner = state.leader
        events = [*state.events, reason("zuihoushengli-07", "trick.aside")]
        empty_handed = not state.hands[winner]
        state, drawn = self._draw(state, winner)
        events.append(drawn)
        active = self.active(state)
        led = active.index(winner) - self.winner(trick, state.trump)
        in_order = [active[(led + i) % len(active)] for i in range(len(active))]
        out = [seat for seat in in_order if not state.hands[seat]]
        if len(out) == len(active):
            # The last cards went together and the stock is empty.
            out.remove(winner)
            events.append(reason("zuihoushengli-09", "last.together", seat=winner))
        elif empty_handed and state.hands[winner]:
            events.append(reason("zuihoushengli-09", "draws.first", seat=winner))
        state = replace(state, bankrupt=(*state.bankrupt, *out))
        if len(out) > 1:
            events.append(reason("zuihoushengli-09", "bankrupt.together", seats=out))
        events += self._why_bankrupt(state, out)
        left = self.active(state)
        if len(left) == 1:
            events.append(reason("zuihoushengli-08", "last", seat=left[0]))
            return replace(state, turn=None, events=tuple(events))
        if winner in out:
            lead = self.next_seat(state, winner)
            events.append(reason("zuihoushengli-07", "leads.instead", seat=lead))
            state = replace(state, turn=lead, leader=lead)
        return replace(state, events=tuple(events))

    def _draw(self, state: ZuihoushengliState, seat: int) -> tuple[ZuihoushengliState, Reason]:
        """The trick's winner draws the top of the stock, the turned card last of all."""
        if state.stock:
            card, state = state.stock[0], replace(state, stock=state.stock[1:])
        elif state.turned:
            card, state = state.turned, replace(state, turned=None)
        else:
            return state, reason("zuihoushengli-07", "stock.empty", seat=seat)
        hands = put(state.hands, seat, (*state.hands[seat], card))
        return replace(state, hands=hands), reason("zuihoushengli-06", "draws", seat=seat)

    def _why_bankrupt(self, state: ZuihoushengliState, out: Sequence[int]) -> Iterable[Reason]:
        for seat in out:
            place = state.bankrupt.index(seat) + 1
            yield reason("zuihoushengli-08", "bankrupt", seat=seat, place=place)

    # Settling

    def settle(
        self, bankrupt: Sequence[int], winner: int
    ) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
        """The points by seat, and why (zuihoushengli-10, -11)."""
        scores = {winner: self.facts.winner}
        reasons = [reason("zuihoushengli-10", "settle.winner", seat=winner)]
        for place, seat in enumerate(bankrupt, 1):
            scores[seat] = self.score(place)
            # The source names the first three and goes on with dots.
            clause = "zuihoushengli-10" if place <= 3 else "zuihoushengli-11"
            reasons.append(
                reason(clause, "settle.bankrupt", seat=seat, place=place, points=scores[seat])
            )
        return tuple(scores[seat] for seat in sorted(scores)), tuple(reasons)

    def result(self, state: ZuihoushengliState) -> Result | None:
        if state.turn is not None:
            return None
        (winner,) = self.active(state)
        scores, reasons = self.settle(state.bankrupt, winner)
        match = totals.add(state.match, scores)
        leaders = totals.leaders(match)
        if leaders:
            total = match.scores[leaders[0]]
            over = reason("zuihoushengli-12", "match.won", seats=list(leaders), total=total)
            reasons = (*reasons, over)
        return Result(scores, (winner,), match, reasons, leaders)

    def next_match(self, state: ZuihoushengliState, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # Every move lays a card down for good.
        return len(self.pack(players))

    # Looking on

    def table(self, state: ZuihoushengliState) -> Table:
        table = super().table(state)
        zones = table.zones
        if state.turned:
            zones = (*zones, Zone("turned", (state.turned,)))
        zones = (*zones, *self.face_down("stock", state.stock))
        return replace(table, zones=zones)

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        yield self.legal_check()
        yield self.trick_check(2, most)
        seat = SeatNumber(most)
        bankrupt = ListOf(seat, least - 1, most - 1)
        yield self.question("settle", self._settle, bankrupt=bankrupt, winner=seat)

    def _settle(self, bankrupt: Sequence[int], winner: int) -> Verdict:
        players = len(bankrupt) + 1
        check_seats(bankrupt, players, "bankrupt")
        check_seat(winner, players, "winner")
        if winner in bankrupt:
            raise BadInput("winner", "bad.seat-twice", seat=winner)
        scores, reasons = self.settle(bankrupt, winner)
        return Verdict({"scores": list(scores)}, reasons)


GAME = Zuihoushengli
