"""四百分: bidding for 400 points in tricks, partners opposite."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine.cards import SUITS, Card, Cards, contains, remove
from engine.families import partners, totals
from engine.families.auction import Auction, AuctionFacts, Bid
from engine.families.counting import notes_of, points_of
from engine.families.dealing import deal_each
from engine.families.tricks import TrickGame, TrickState
from engine.fields import CardList, Check, Fixed, Int, ListOf, Nullable, SeatNumber
from engine.game import Deal, DeckFacts, Match, Move, Note, Result, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Facts(DeckFacts):
    """`hand` cards each and `kitty` beside; `values` are points by rank; `failed` is what a declarer
    scores who falls short; `sides` are the partners' seats; `target` ends a match."""

    hand: int
    kitty: int
    values: Mapping[str, int]
    auction: AuctionFacts
    failed: int
    sides: tuple[tuple[int, ...], ...]
    target: int


@dataclass(frozen=True, kw_only=True)
class SibaifenState(TrickState):
    """`stock` is the kitty until the declarer takes it, `buried` what he discarded for it."""

    bids: tuple[Bid, ...] = ()
    buried: Cards = ()
    last_taker: int | None = None


class Sibaifen(TrickGame[Facts, SibaifenState]):
    facts_type = Facts

    def check_match(self, match: Match) -> None:
        super().check_match(match)
        partners.check_scores(self.facts.sides, match)

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def start(self, deal: Deal, match: Match) -> SibaifenState:
        empty: tuple[Cards, ...] = ((),) * match.players
        first = match.eldest
        return SibaifenState(
            match=match,
            hands=deal.hands,
            stock=deal.stock,
            turn=match.dealer,
            leader=match.dealer,
            taken=empty,
            tricks=(0,) * match.players,
            phase="bid",
            events=(reason("sibaifen-03", "dealt", seat=first),),
        )

    def points(self, cards: Iterable[Card]) -> int:
        """The points that cards are worth (sibaifen-01)."""
        return points_of(cards, self.facts.values)

    # Bidding, the kitty and the trump

    def auction(self, state: SibaifenState) -> Auction:
        return Auction(self.facts.auction, state.players, state.match.dealer, state.bids)

    def phase_moves(self, state: SibaifenState) -> Sequence[Move]:
        if state.phase == "bid":
            bids = [Move("bid", (), points) for points in self.auction(state).choices()]
            return [Move("pass"), *bids]
        if state.phase == "bury":
            hand = tuple(reversed(self.sorted(state.hands[state.mover])))
            return [Move("bury", cards) for cards in combinations(hand, self.facts.kitty)]
        return [Move("trump", (), suit) for suit in SUITS]

    def phase_fault(self, state: SibaifenState, move: Move) -> Reason | None:
        if state.phase == "bid":
            return self._bid_fault(self.auction(state), move)
        if state.phase == "bury":
            if move.kind != "bury" or len(move.cards) != self.facts.kitty or move.value is not None:
                return reason("sibaifen-06", "bury.count")
            if contains(state.hands[state.mover], move.cards):
                return None
            return reason("sibaifen-06", "turn.not-held", cards=list(move.cards))
        if move.kind == "trump" and not move.cards and move.value in SUITS:
            return None
        return reason("sibaifen-06", "trump.name")

    def _bid_fault(self, auction: Auction, move: Move) -> Reason | None:
        if move == Move("pass"):
            return None
        if move.kind != "bid" or move.cards or not isinstance(move.value, int):
            return reason("sibaifen-04", "bid.or-pass")
        if auction.may_bid(move.value):
            return None
        if auction.least is None:
            return reason("sibaifen-05", "bid.none-higher")
        clause = "sibaifen-04" if move.value < auction.least else "sibaifen-05"
        return reason(clause, "bid.least", least=auction.least)

    def phase_allows(self, state: SibaifenState, move: Move) -> tuple[Reason, ...]:
        if state.phase == "bury":
            if self.points(move.cards):
                return (reason("sibaifen-06", "bury.right"), reason("sibaifen-07", "bury.points"))
            return (reason("sibaifen-06", "bury.right"),)
        if state.phase == "trump":
            return (reason("sibaifen-06", "trump.right"),)
        if move.kind == "pass":
            return (reason("sibaifen-04", "bid.pass"),)
        auction = self.auction(state)
        jump = move.value != auction.least
        clause, key = ("sibaifen-05", "bid.jump") if jump else ("sibaifen-04", "bid.next")
        return (reason(clause, key, least=auction.least),)

    def phase_play(self, state: SibaifenState, move: Move) -> SibaifenState:
        if state.phase == "bid":
            return self._after_bid(state, move)
        seat = state.mover
        if state.phase == "bury":
            hands = put(state.hands, seat, remove(state.hands[seat], move.cards))
            return replace(state, hands=hands, buried=move.cards, phase="trump", events=())
        events = (reason("sibaifen-08", "declarer.leads", seat=seat),)
        return replace(state, trump=str(move.value), phase="play", leader=seat, events=events)

    def _after_bid(self, state: SibaifenState, move: Move) -> SibaifenState:
        points = move.value if isinstance(move.value, int) else None
        state = replace(state, bids=(*state.bids, (state.mover, points)), events=())
        auction = self.auction(state)
        if not auction.over:
            return replace(state, turn=auction.turn)
        if auction.contract is None:
            return replace(state, turn=None, events=(reason("sibaifen-05", "bid.nobody"),))
        seat, points = auction.contract
        hands = put(state.hands, seat, (*state.hands[seat], *state.stock))
        events = (
            reason("sibaifen-04", "bid.contract", seat=seat, points=points),
            reason("sibaifen-06", "kitty.taken", seat=seat),
        )
        return replace(state, hands=hands, stock=(), turn=seat, phase="bury", events=events)

    def overheard(self, state: SibaifenState, move: Move) -> Message:
        if move.kind == "bury":
            return message("move.bury-unseen", seat=state.turn)
        return super().overheard(state, move)

    # Tricks and points

    def after_trick(self, state: SibaifenState, trick: Cards) -> SibaifenState:
        if any(state.hands):
            return state
        seat = state.turn
        event = reason(
            "sibaifen-09", "kitty.won", seat=seat, cards=list(self.sorted(state.buried)),
            points=self.points(state.buried),
        )  # fmt: skip
        return replace(state, turn=None, last_taker=seat, events=(*state.events, event))

    def worth(self, cards: Cards) -> dict[str, int]:
        return {"points": self.points(cards)}

    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        counted = self.sorted(c for c in cards if c.rank in self.facts.values)
        if not counted:
            return (reason("sibaifen-01", "points.none"),)
        return (
            reason("sibaifen-01", "points.sum", cards=list(counted), points=self.points(counted)),
        )

    def declarer_points(self, state: SibaifenState) -> int:
        """What the declarer's side has won, the buried cards counted for the last trick's winner."""
        contract = self.auction(state).contract
        assert contract is not None
        side = self.facts.sides[partners.side_of(self.facts.sides, contract[0])]
        won = sum(self.points(state.taken[seat]) for seat in side)
        return won + (self.points(state.buried) if state.last_taker in side else 0)

    def settle(self, contract: int, declarer_points: int) -> tuple[int, int, tuple[Reason, ...]]:
        """The points of the declarer's side and of the other, and why (sibaifen-10, -11, -12)."""
        short = contract - declarer_points
        if short > 0:
            return self.facts.failed, short, (
                reason("sibaifen-10", "settle.short", contract=contract, won=declarer_points,
                       short=short),
                reason("sibaifen-11", "settle.failed"),
                reason("sibaifen-12", "settle.defenders-win"),
            )  # fmt: skip
        return contract, 0, (
            reason("sibaifen-10", "settle.made", contract=contract, won=declarer_points),
            reason("sibaifen-12", "settle.declarer-wins"),
        )  # fmt: skip

    def result(self, state: SibaifenState) -> Result | None:
        if state.turn is not None:
            return None
        contract = self.auction(state).contract
        if contract is None:
            zero = (0,) * state.players
            return Result(zero, (), state.match, (reason("sibaifen-05", "bid.nobody"),))
        seat, figure = contract
        side = partners.side_of(self.facts.sides, seat)
        declarer, defenders, reasons = self.settle(figure, self.declarer_points(state))
        by_side = (declarer, defenders) if side == 0 else (defenders, declarer)
        scores = partners.by_seat(self.facts.sides, by_side)
        made = self.declarer_points(state) >= figure
        match = totals.add(state.match, scores)
        return Result(
            scores,
            self.facts.sides[side if made else 1 - side],
            match,
            reasons,
            totals.leaders(match),
        )

    def next_match(self, state: SibaifenState, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # Between two bids come at most `passes` - 1 passes, and before the first `players` - 1.
        facts = self.facts.auction
        bids = (facts.most - facts.least) // facts.step + 1
        return players + bids * facts.passes + 2 + players * self.facts.hand

    # Looking on

    def table(self, state: SibaifenState) -> Table:
        table = super().table(state)
        zones = (*table.zones, *self.face_down("kitty", state.stock))
        if state.buried:
            contract = self.auction(state).contract
            assert contract is not None
            seen_by = (contract[0],) if state.turn is not None else None
            zones = (*zones, Zone("buried", self.sorted(state.buried), contract[0], seen_by))
        return replace(table, zones=zones)

    def notes(self, state: SibaifenState) -> tuple[Note, ...]:
        notes = super().notes(state)
        contract = self.auction(state).contract
        if contract:
            seat, points = contract
            notes = (Note(message("note.contract", points=points), seat), *notes)
        return (*notes, *notes_of(state.taken, self.points))

    # Moves for seats that nobody plays

    def pick(self, state: SibaifenState, rng: random.Random) -> Move:
        if state.phase == "bid":
            # Most seats pass, so that auctions are short; a bid is drawn from the lowest few.
            choices = self.auction(state).choices()
            if not choices or rng.random() < 0.6:
                return Move("pass")
            return Move("bid", (), rng.choice(choices[:6]))
        if state.phase == "bury":
            return Move("bury", tuple(rng.sample(state.hands[state.mover], self.facts.kitty)))
        return super().pick(state, rng)

    def robot(self, state: SibaifenState) -> Move:
        hand = state.hands[state.mover]
        if state.phase == "bid":
            auction = self.auction(state)
            worth = self.facts.auction.least + 5 * sum(
                self.order.strength[c.rank] > 9 for c in hand
            )
            if auction.least is not None and auction.least <= worth - worth % 5 - 15:
                return Move("bid", (), auction.least)
            return Move("pass")
        if state.phase == "bury":
            cheap = sorted(hand, key=lambda c: (self.points([c]), self.order.strength[c.rank]))
            return Move("bury", tuple(cheap[: self.facts.kitty]))
        if state.phase == "trump":
            return Move("trump", (), max(SUITS, key=lambda s: sum(c.suit == s for c in hand)))
        return super().robot(state)

    # Questions

    def checks(self) -> Iterable[Check]:
        players = self.rules.book.game.players[1]
        facts = self.facts.auction
        yield self.question("points", self._points, cards=CardList(1))
        yield self.legal_check()
        yield self.trick_check(players, players)
        bid = Fixed((SeatNumber(players), Nullable(Int(0, 10 * facts.most))))
        yield self.question("auction", self._auction, dealer=SeatNumber(players), bids=ListOf(bid))
        most = sum(self.points([card]) for card in self.pack(players))
        yield self.question(
            "settle",
            self._settle,
            contract=Int(facts.least, facts.most, facts.step),
            declarer_points=Int(0, most, 5),
        )

    def _points(self, cards: Cards) -> Verdict:
        return Verdict(self.worth(cards), self.why_worth(cards))

    def _auction(self, dealer: int, bids: tuple[Bid, ...]) -> Verdict:
        auction = Auction(self.facts.auction, self.rules.book.game.players[1], dealer)
        for number, (seat, points) in enumerate(bids):
            if auction.over:
                raise BadInput(f"bids[{number}]", "bad.auction-over")
            if seat != auction.turn:
                raise BadInput(f"bids[{number}][0]", "bad.bidder", seat=auction.turn)
            if points is not None and not auction.may_bid(points):
                least = auction.least
                if least is None:
                    raise BadInput(f"bids[{number}][1]", "bad.no-bid-left")
                most, step = self.facts.auction.most, self.facts.auction.step
                raise BadInput(f"bids[{number}][1]", "bad.bid", least=least, most=most, step=step)
            auction = replace(auction, bids=bids[: number + 1])
        contract = auction.contract if auction.over else None
        answer: dict[str, Any] = {
            "turn": auction.turn,
            "least": auction.least,
            "contract": contract and {"seat": contract[0], "points": contract[1]},
            "over": auction.over,
        }
        return Verdict(answer, self._why_auction(auction))

    def _why_auction(self, auction: Auction) -> tuple[Reason, ...]:
        jumps = self._jump_or_return(auction)
        if auction.over and auction.contract:
            seat, points = auction.contract
            return (reason("sibaifen-04", "bid.contract", seat=seat, points=points), *jumps)
        if auction.over:
            return (reason("sibaifen-05", "bid.nobody"),)
        if auction.least is None:
            return (reason("sibaifen-05", "bid.none-higher"),)
        turn = reason("sibaifen-04", "bid.turn", seat=auction.turn, least=auction.least)
        return (turn, *jumps)

    def _jump_or_return(self, auction: Auction) -> tuple[Reason, ...]:
        """What in an auction was only right because a bid may jump, or a passer bid again."""
        passed: set[int] = set()
        for number, (seat, points) in enumerate(auction.bids):
            if points is None:
                passed.add(seat)
                continue
            before = replace(auction, bids=auction.bids[:number])
            if seat in passed:
                return (reason("sibaifen-05", "bid.again", seat=seat),)
            if points != before.least:
                return (reason("sibaifen-05", "bid.jumped", seat=seat, points=points),)
        return ()

    def _settle(self, contract: int, declarer_points: int) -> Verdict:
        declarer, defenders, reasons = self.settle(contract, declarer_points)
        return Verdict({"declarer": declarer, "defenders": defenders}, reasons)


GAME = Sibaifen
