"""议将夺墩算分: five cards at a time; who names most tricks names the trump, and must win them."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import SUITS, Cards
from engine.families import partners, totals
from engine.families.auction import Auction, AuctionFacts, Bid
from engine.families.dealing import deal_each
from engine.families.partners import Sides
from engine.families.tricks import TrickGame, TrickState
from engine.fields import Check, Int, ListOf, Nullable, SeatNumber
from engine.game import Deal, DeckFacts, Match, Move, Note, Result, Table
from engine.rulebook import Data
from engine.seats import check_seat
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Scores:
    """What a `trick` scores, and what naming and winning `all` tricks of a round scores."""

    trick: int
    all: int


@dataclass(frozen=True, kw_only=True)
class Facts(DeckFacts):
    """`hand` cards each in a round, so as many tricks; `least` is the lowest figure to name;
    `partners` are the sides by number of players, where there are any."""

    hand: int
    least: int
    scores: Scores
    partners: Mapping[str, tuple[tuple[int, ...], ...]]


@dataclass(frozen=True, kw_only=True)
class YijiangduodunState(TrickState):
    """A deal is all rounds of a pack. `calls` and `tricks` are those of this round, `scores` the
    points by side in the rounds before; `stock` is what is left to deal."""

    calls: tuple[Bid, ...] = ()
    scores: tuple[int, ...]


class Yijiangduodun(TrickGame[Facts, YijiangduodunState]):
    facts_type = Facts

    def sides(self, players: int) -> Sides:
        """The sides, in the order of their first seats (yijiangduodun-01)."""
        return self.facts.partners.get(str(players)) or [(seat,) for seat in range(players)]

    def rounds(self, players: int) -> int:
        """How many rounds a pack gives (yijiangduodun-04)."""
        return len(self.pack(players)) // (players * self.facts.hand)

    def figures(self) -> Data:
        least, most = self.rules.book.game.players
        tables = {}
        for players in range(least, most + 1):
            rounds, pack = self.rounds(players), len(self.pack(players))
            out = pack - rounds * players * self.facts.hand
            tables[str(players)] = {"rounds": rounds, "out": out}
        return {"tables": tables}

    def check_match(self, match: Match) -> None:
        totals.check_no_target(match)

    # Rounds of a deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def start(self, deal: Deal, match: Match) -> YijiangduodunState:
        players = match.players
        sides = self.sides(players)
        empty: tuple[Cards, ...] = ((),) * players
        with_partners = len(sides) < players
        key = "sides" if with_partners else "sides.none"
        pairs = [list(side) for side in sides]
        events = (
            reason("yijiangduodun-01", key, first=pairs[0], second=pairs[1]),
            *self._why_dealt(match, first_round=True),
        )
        return YijiangduodunState(
            match=match,
            hands=deal.hands,
            stock=deal.stock,
            turn=match.dealer,
            leader=match.dealer,
            taken=empty,
            tricks=(0,) * players,
            phase="call",
            scores=(0,) * len(sides),
            events=events,
        )

    def _why_dealt(self, match: Match, *, first_round: bool) -> Iterable[Reason]:
        key = "dealt" if first_round else "dealt.again"
        yield reason("yijiangduodun-03", key, seat=match.eldest)
        yield reason("yijiangduodun-05", "call.first", seat=match.dealer)

    def after_trick(self, state: YijiangduodunState, trick: Cards) -> YijiangduodunState:
        if any(state.hands):
            return state
        players, count = state.players, state.players * self.facts.hand
        points, reasons = self._settle_round(state)
        scores = tuple(a + b for a, b in zip(state.scores, points, strict=True))
        events = (*state.events, *reasons)
        if len(state.stock) < count:
            stays = reason("yijiangduodun-04", "rounds.over", left=len(state.stock))
            return replace(state, turn=None, scores=scores, events=(*events, stays))
        deal = self.divide(state.stock, state.match)
        goes_on = reason("yijiangduodun-04", "rounds.next", left=len(state.stock))
        return replace(
            state,
            hands=deal.hands,
            stock=deal.stock,
            turn=state.match.dealer,
            leader=state.match.dealer,
            trump=None,
            tricks=(0,) * players,
            phase="call",
            calls=(),
            scores=scores,
            events=(*events, goes_on, *self._why_dealt(state.match, first_round=False)),
        )

    def _settle_round(
        self, state: YijiangduodunState
    ) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
        """The points of the round just played by side, and why."""
        sides = self.sides(state.players)
        tricks = [sum(state.tricks[seat] for seat in side) for side in sides]
        contract = self.auction(state).contract
        if contract is None:
            return self.settle(None, None, tricks, sides)
        seat, named = contract
        return self.settle(named, partners.side_of(sides, seat), tricks, sides)

    # Naming the trump

    @property
    def auction_facts(self) -> AuctionFacts:
        return AuctionFacts(least=self.facts.least, step=1, most=self.facts.hand)

    def auction(self, state: YijiangduodunState) -> Auction:
        return Auction(self.auction_facts, state.players, state.match.dealer, state.calls)

    def phase_moves(self, state: YijiangduodunState) -> Sequence[Move]:
        if state.phase == "call":
            calls = [Move("call", (), figure) for figure in self.auction(state).choices()]
            return [Move("pass"), *calls]
        return [Move("trump", (), suit) for suit in SUITS]

    def phase_fault(self, state: YijiangduodunState, move: Move) -> Reason | None:
        if state.phase == "trump":
            if move.kind == "trump" and not move.cards and move.value in SUITS:
                return None
            return reason("yijiangduodun-05", "trump.name")
        if move == Move("pass"):
            return None
        auction = self.auction(state)
        if move.kind != "call" or move.cards or type(move.value) is not int:
            return reason("yijiangduodun-05", "call.or-pass")
        if auction.may_bid(move.value):
            return None
        if auction.least is None:
            return reason("yijiangduodun-05", "call.none-higher")
        return reason("yijiangduodun-05", "call.least", least=auction.least)

    def phase_allows(self, state: YijiangduodunState, move: Move) -> tuple[Reason, ...]:
        if state.phase == "trump":
            return (reason("yijiangduodun-05", "trump.right"),)
        if move.kind == "pass":
            return (reason("yijiangduodun-05", "call.pass"),)
        return (reason("yijiangduodun-05", "call.more", least=self.auction(state).least),)

    def phase_play(self, state: YijiangduodunState, move: Move) -> YijiangduodunState:
        seat = state.mover
        if state.phase == "trump":
            leads = reason("yijiangduodun-05", "namer.leads", seat=seat)
            return replace(state, trump=str(move.value), phase="play", leader=seat, events=(leads,))
        figure = move.value if isinstance(move.value, int) else None
        state = replace(state, calls=(*state.calls, (seat, figure)), events=())
        auction = self.auction(state)
        if not auction.over:
            return replace(state, turn=auction.turn)
        if auction.contract is None:
            dealer = state.match.dealer
            nobody = reason("yijiangduodun-05", "call.nobody", seat=dealer)
            return replace(state, turn=dealer, leader=dealer, phase="play", events=(nobody,))
        namer, figure = auction.contract
        event = reason("yijiangduodun-05", "call.highest", seat=namer, figure=figure)
        return replace(state, turn=namer, phase="trump", events=(event,))

    # Scores

    def settle(
        self, named: int | None, naming_side: int | None, tricks: Sequence[int], sides: Sides
    ) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
        """The points of a round by side, and why (yijiangduodun-07)."""
        scores = [self.facts.scores.trick * count for count in tricks]
        reasons = []
        if named is not None and naming_side is not None:
            won = tricks[naming_side]
            key = "settle.made"
            if won < named:
                key, scores[naming_side] = "settle.short", -named
            elif named == self.facts.hand:
                key, scores[naming_side] = "settle.all", self.facts.scores.all
            reasons.append(
                reason(
                    "yijiangduodun-07",
                    key,
                    seats=list(sides[naming_side]),
                    named=named,
                    won=won,
                    points=scores[naming_side],
                )
            )
        for side, seats in enumerate(sides):
            if side != naming_side:
                reasons.append(
                    reason(
                        "yijiangduodun-07",
                        "settle.others",
                        seats=list(seats),
                        won=tricks[side],
                        points=scores[side],
                    )
                )
        return tuple(scores), tuple(reasons)

    def result(self, state: YijiangduodunState) -> Result | None:
        if state.turn is not None:
            return None
        sides = self.sides(state.players)
        scores = partners.by_seat(sides, state.scores)
        reasons = tuple(
            reason("yijiangduodun-07", "deal.total", seats=list(seats), points=points)
            for seats, points in zip(sides, state.scores, strict=True)
        )
        return Result(scores, totals.best(scores), totals.add(state.match, scores), reasons)

    def next_match(self, state: YijiangduodunState, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # In a round each seat speaks once, one names the trump, and every card is played.
        return self.rounds(players) * (players + 1 + players * self.facts.hand)

    # Looking on

    def table(self, state: YijiangduodunState) -> Table:
        table = super().table(state)
        return replace(table, zones=(*table.zones, *self.face_down("stock", state.stock)))

    def notes(self, state: YijiangduodunState) -> tuple[Note, ...]:
        contract = self.auction(state).contract
        named = (Note(message("note.named", figure=contract[1]), contract[0]),) if contract else ()
        by_seat = partners.by_seat(self.sides(state.players), state.scores)
        seats = [
            Note(message("note.round", tricks=state.tricks[seat], points=points), seat)
            for seat, points in enumerate(by_seat)
        ]
        return (*super().notes(state), *named, *seats)

    # Moves for seats that nobody plays

    def pick(self, state: YijiangduodunState, rng: random.Random) -> Move:
        if state.phase == "call":
            # Half of the seats pass, so that all figures and rounds without trump come up.
            choices = self.auction(state).choices()
            if not choices or rng.random() < 0.5:
                return Move("pass")
            return Move("call", (), rng.choice(choices))
        return super().pick(state, rng)

    def allies(self, state: YijiangduodunState) -> Sequence[int]:
        sides = self.sides(state.players)
        return sides[partners.side_of(sides, state.mover)]

    def robot(self, state: YijiangduodunState) -> Move:
        """Names a trick for each ace and each card of its longest suit, less one."""
        if state.phase == "play":
            return super().robot(state)
        hand = state.hands[state.mover]
        suit = max(SUITS, key=lambda s: [sum(c.suit == s for c in hand), s])
        if state.phase == "trump":
            return Move("trump", (), suit)
        worth = sum(c.suit == suit or c.rank == self.order.ranks[0] for c in hand) - 1
        worth += len(self.sides(state.players)) < state.players  # a partner helps
        if self.auction(state).may_bid(worth):
            return Move("call", (), worth)
        return Move("pass")

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        figure = Int(self.facts.least, self.facts.hand)
        counts = [len(self.sides(players)) for players in range(least, most + 1)]
        yield self.legal_check()
        yield self.trick_check(least, most)
        yield self.question(
            "naming",
            self._naming,
            calls=ListOf(Nullable(figure), 0, most),
            players=Nullable(Int(least, most), may_miss=True),
            dealer=Nullable(SeatNumber(most), may_miss=True),
        )
        yield self.question(
            "settle",
            self._settle,
            named=Nullable(figure),
            naming_side=Nullable(Int(0, max(counts) - 1), may_miss=True),
            tricks=ListOf(Int(0, self.facts.hand), min(counts), max(counts)),
        )

    def _naming(
        self, calls: Sequence[int | None], players: int | None, dealer: int | None
    ) -> Verdict:
        """Calls in order from the dealer; the best number of players and seat 0 unless given."""
        players = players or self.rules.book.game.best_players[0]
        dealer = dealer or 0
        check_seat(dealer, players, "dealer")
        auction = Auction(self.auction_facts, players, dealer)
        for number, figure in enumerate(calls):
            place = f"calls[{number}]"
            if auction.over:
                raise BadInput(place, "bad.auction-over")
            if figure is not None and not auction.may_bid(figure):
                if auction.least is None:
                    raise BadInput(place, "bad.no-bid-left")
                raise BadInput(place, "bad.call", least=auction.least)
            assert auction.turn is not None
            auction = replace(auction, bids=(*auction.bids, (auction.turn, figure)))
        contract = auction.contract if auction.over else None
        leader = (contract[0] if contract else dealer) if auction.over else None
        answer: dict[str, Any] = {
            "turn": auction.turn,
            "least": auction.least,
            "named": contract and {"seat": contract[0], "tricks": contract[1]},
            "over": auction.over,
            "leader": leader,
        }
        return Verdict(answer, (self._why_naming(auction),))

    def _why_naming(self, auction: Auction) -> Reason:
        if auction.over and auction.contract:
            seat, figure = auction.contract
            return reason("yijiangduodun-05", "call.highest", seat=seat, figure=figure)
        if auction.over:
            return reason("yijiangduodun-05", "call.nobody", seat=auction.dealer)
        if auction.least is None:
            return reason("yijiangduodun-05", "call.none-higher")
        return reason("yijiangduodun-05", "call.turn", seat=auction.turn, least=auction.least)

    def _settle(self, named: int | None, naming_side: int | None, tricks: Sequence[int]) -> Verdict:
        if named is not None and naming_side is None:
            raise BadInput("naming_side", "bad.missing")
        if named is None and naming_side is not None:
            raise BadInput("naming_side", "bad.not-named")
        if naming_side is not None and naming_side >= len(tricks):
            raise BadInput("naming_side", "bad.int", least=0, most=len(tricks) - 1)
        if sum(tricks) != self.facts.hand:
            raise BadInput("tricks", "bad.sum", total=self.facts.hand, got=sum(tricks))
        # Each side is spoken of by its first seat.
        sides = [(seat,) for seat in range(len(tricks))]
        scores, reasons = self.settle(named, naming_side, tricks, sides)
        return Verdict({"scores": list(scores)}, reasons)


GAME = Yijiangduodun
