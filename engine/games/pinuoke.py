"""二人皮诺克: melds and tricks for two, from 48 cards."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card, Cards
from engine.families import totals
from engine.families.counting import points_of
from engine.families.melds import MeldFacts, MeldGame, MeldState
from engine.fields import (
    CardList,
    Check,
    Choice,
    Int,
    ListOf,
    Nullable,
    OneCard,
    SeatNumber,
    SuitOf,
)
from engine.game import Deal, Match, Move, Note, Result, Table, Zone
from engine.rulebook import Data
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason

EXAMPLE_TRUMP = "H"
"""The trump under which the table of melds shows its cards."""


@dataclass(frozen=True, kw_only=True)
class Facts(MeldFacts):
    """`hand` cards each, dealt in one of the `packets`. Cards are drawn, melds laid and suits not
    followed in the first `free_tricks`; who leads after them says `leads_next`.

    `nine` is the rank of the trump that is exchanged; `turned_nine` is for the dealer who turns one,
    `last_trick` for the last trick; `values` are points by rank, which count with `trick_points`.
    """

    hand: int
    packets: tuple[int, ...]
    free_tricks: int
    leads_next: Literal["loser", "winner"]
    nine: str
    turned_nine: int
    last_trick: int
    trick_points: bool
    values: Mapping[str, int]
    target: int


@dataclass(frozen=True, kw_only=True)
class PinuokeState(MeldState):
    """The last card of `stock` is the one turned for trump, which lies under it face up.

    `phase` is "play" and, after each of the free tricks, "meld". `turned` is the card turned at the
    deal; `melds_now` says whether the winner of the last trick has melded; `last_taker` took the last.
    """

    turned: Card
    melds_now: bool = False
    last_taker: int | None = None


class Pinuoke(MeldGame[Facts, PinuokeState]):
    facts_type = Facts
    trump_field = SuitOf()

    def figures(self) -> Data:
        """`cards` are all in use, `trick_points` what they are worth in tricks; `melds` show the cards
        of each meld with hearts as trump."""
        pack = self.pack(2)
        melds = {
            name: {
                "cards": list(kind.of(EXAMPLE_TRUMP)[0]),
                "points": kind.points,
                "group": kind.group,
            }
            for name, kind in self.facts.melds.items()
        }
        return {"cards": len(pack), "melds": melds, "trick_points": self.points(pack)}

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        facts, players = self.facts, match.players
        hands: list[Cards] = [()] * players
        at = 0
        while any(len(hand) < facts.hand for hand in hands):
            for i in range(players):
                seat = (match.eldest + i) % players
                packet = min(facts.packets[0], facts.hand - len(hands[seat]))
                hands[seat] += cards[at : at + packet]
                at += packet
        return Deal(tuple(hands), cards[at:])

    def start(self, deal: Deal, match: Match) -> PinuokeState:
        turned = deal.stock[0]
        first = match.eldest
        events = [
            reason("pinuoke-02", "dealt", dealer=match.dealer, card=turned, suit=turned.suit),
        ]
        if turned.rank == self.facts.nine:
            events.append(reason("pinuoke-03", "dealt.nine", seat=match.dealer, card=turned))
        events.append(reason("pinuoke-04", "dealt.leads", seat=first))
        empty: tuple[Cards, ...] = ((),) * match.players
        return PinuokeState(
            match=match,
            hands=deal.hands,
            stock=(*deal.stock[1:], turned),
            turn=first,
            leader=first,
            trump=turned.suit,
            turned=turned,
            taken=empty,
            tricks=(0,) * match.players,
            laid=empty,
            melded=((),) * match.players,
            served=((),) * match.players,
            events=tuple(events),
        )

    # Tricks

    def free(self, state: PinuokeState) -> bool:
        """Whether the trick under way is one of the first, to which anything may be played."""
        return sum(state.tricks) < self.facts.free_tricks

    def choices(self, state: PinuokeState) -> Cards:
        held = self.held(state, state.mover)
        return held if self.free(state) else self.playable(held, state.trick, state.trump)

    def playable(self, hand: Cards, trick: Cards, trump: str | None) -> Cards:
        """The cards that may be played from the thirteenth trick on (pinuoke-12)."""
        if not trick:
            return hand
        suited = tuple(c for c in hand if c.suit == trick[0].suit)
        strength = self.order.strength
        higher = tuple(c for c in suited if strength[c.rank] > strength[trick[0].rank])
        return higher or suited or tuple(c for c in hand if c.suit == trump) or hand

    def why_choices(self, state: PinuokeState) -> Reason:
        held = self.held(state, state.mover)
        if self.free(state):
            key = "follow.free" if state.trick else "follow.lead"
            return reason("pinuoke-04", key)
        return self.why_playable(held, state.trick, state.trump)

    def why_playable(self, hand: Cards, trick: Cards, trump: str | None) -> Reason:
        if not trick:
            return reason("pinuoke-12", "follow.lead")
        led, cards = trick[0], self.playable(hand, trick, trump)
        if cards[0].suit == led.suit:
            wins = self.order.strength[cards[0].rank] > self.order.strength[led.rank]
            key = "strict.higher" if wins else "strict.follow"
        else:
            key = "strict.trump" if cards[0].suit == trump else "strict.any"
        return reason("pinuoke-12", key, suit=led.suit, card=led, trump=trump)

    def why_taken(self, trick: Cards, trump: str | None) -> tuple[Reason, ...]:
        if trick[0] == trick[1]:
            return (reason("pinuoke-01", "trick.equal", card=trick[0]),)
        return super().why_taken(trick, trump)

    def fault(self, state: PinuokeState, move: Move) -> Reason | None:
        if state.phase == "play" and move.kind in ("meld", "exchange", "draw"):
            if self.free(state):
                return reason("pinuoke-04", "meld.not-now")
            return reason("pinuoke-12", "meld.no-more")
        return super().fault(state, move)

    def allows(self, state: PinuokeState, move: Move) -> tuple[Reason, ...]:
        why = super().allows(state, move)
        if state.phase != "play" or state.turn is None:
            return why
        if move.cards[0] not in state.laid[state.turn]:
            return why
        return (*why, reason("pinuoke-07", "play.laid", card=move.cards[0]))

    def after_trick(self, state: PinuokeState, trick: Cards) -> PinuokeState:
        count = sum(state.tricks)
        if count <= self.facts.free_tricks:
            return replace(state, phase="meld", melds_now=False)
        if any(self.held(state, seat) for seat in range(state.players)):
            return state
        seat = state.turn
        event = reason("pinuoke-13", "trick.last", seat=seat)
        return replace(state, turn=None, last_taker=seat, events=(*state.events, event))

    # Melding, exchanging the nine, and drawing

    def nine(self, state: PinuokeState) -> Card:
        """The card that may be exchanged for the turned one."""
        return Card(f"{state.trump}{self.facts.nine}")

    def phase_moves(self, state: PinuokeState) -> Sequence[Move]:
        moves = [Move("draw")]
        exchange = Move("exchange", (self.nine(state),))
        if self._exchange_fault(state, exchange) is None:
            moves.append(exchange)
        if not state.melds_now:
            moves += map(self.meld_move, reversed(self.open_melds(state, state.mover)))
        return moves

    def phase_fault(self, state: PinuokeState, move: Move) -> Reason | None:
        if move == Move("draw"):
            return None
        if move.kind == "exchange":
            return self._exchange_fault(state, move)
        if move.kind != "meld" or not move.cards or move.value is not None:
            return reason("pinuoke-04", "meld.or-draw")
        if state.melds_now:
            return reason("pinuoke-06", "meld.one")
        fault = self.meld_fault(state, move.cards)
        if fault and move.cards == (self.nine(state),) and fault.message.key == "meld.served":
            return reason("pinuoke-09", "nine.shown", card=self.nine(state))
        return fault

    def _exchange_fault(self, state: PinuokeState, move: Move) -> Reason | None:
        nine = self.nine(state)
        if move.cards != (nine,) or move.value is not None:
            return reason("pinuoke-08", "exchange.only", card=nine)
        if nine not in self.held(state, state.mover):
            return reason("pinuoke-08", "turn.not-held", cards=[nine])
        if state.stock[-1:] == (nine,):
            return reason("pinuoke-09a", "exchange.nine-there", card=nine)
        return None

    def phase_allows(self, state: PinuokeState, move: Move) -> tuple[Reason, ...]:
        nine = self.nine(state)
        if move.kind == "draw":
            return (reason("pinuoke-04", "meld.may-draw"),)
        if move.kind == "exchange":
            why = [reason("pinuoke-08", "exchange.may", card=nine, other=state.stock[-1])]
            if nine in state.laid[state.mover]:
                why.append(reason("pinuoke-09", "exchange.shown", card=nine))
            if state.melds_now:
                why.append(reason("pinuoke-09a", "exchange.besides"))
            return tuple(why)
        meld = self.meld_of(state, move.cards)
        assert meld is not None
        found = reason("pinuoke-05", "meld.is", meld=meld.name, points=meld.points)
        return (reason("pinuoke-04", "meld.won"), found, reason("pinuoke-06", "meld.once"))

    def phase_play(self, state: PinuokeState, move: Move) -> PinuokeState:
        seat = state.mover
        if move.kind == "draw":
            return self._draw(state, seat)
        if move.kind == "exchange":
            turned = state.stock[-1]
            state = self.let_go(state, seat, move.cards[0])
            hands = put(state.hands, seat, (*state.hands[seat], turned))
            event = reason("pinuoke-08", "exchanged", seat=seat, card=move.cards[0], other=turned)
            stock = (*state.stock[:-1], *move.cards)
            return replace(state, hands=hands, stock=stock, events=(event,))
        meld = self.meld_of(state, move.cards)
        assert meld is not None
        event = reason("pinuoke-05", "melded", seat=seat, meld=meld.name, points=meld.points)
        return replace(self.lay_down(state, seat, meld), melds_now=True, events=(event,))

    def _draw(self, state: PinuokeState, seat: int) -> PinuokeState:
        """The winner of the trick draws the top of the stock, the others the next in turn."""
        hands = list(state.hands)
        for i, card in enumerate(state.stock[: state.players]):
            hands[(seat + i) % state.players] += (card,)
        stock = state.stock[state.players :]
        events = [reason("pinuoke-04", "drawn", seat=seat)]
        loser = (seat + 1) % state.players
        leader = seat
        if sum(state.tricks) == self.facts.free_tricks:
            if self.facts.leads_next == "loser":
                leader = loser
            events = [
                reason("pinuoke-10", "drawn.last", seat=seat, other=loser, card=state.stock[-1]),
                reason("pinuoke-11", f"leads.{self.facts.leads_next}", seat=leader),
                reason("pinuoke-12", "strict.from-now"),
            ]
        return replace(
            state,
            hands=tuple(hands),
            stock=stock,
            phase="play",
            leader=leader,
            turn=leader,
            events=tuple(events),
        )

    # The end

    def points(self, cards: Iterable[Card]) -> int:
        """What cards are worth in tricks, where that counts (pinuoke-14)."""
        return points_of(cards, self.facts.values)

    def settle(
        self,
        dealer: int,
        turned: Card,
        melds: Sequence[Sequence[str]],
        last: int,
        trick_points: Sequence[int],
    ) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
        """The points of each seat, and why (pinuoke-03, -05, -13, -14)."""
        facts = self.facts
        scores = [self.meld_points(names) for names in melds]
        why = [
            reason("pinuoke-05", "settle.melds", seat=seat, melds=list(names), points=scores[seat])
            for seat, names in enumerate(melds)
            if names
        ]
        if turned.rank == facts.nine:
            scores[dealer] += facts.turned_nine
            why.append(reason("pinuoke-03", "settle.nine", seat=dealer, card=turned))
        scores[last] += facts.last_trick
        why.append(reason("pinuoke-13", "trick.last", seat=last))
        if facts.trick_points:
            for seat, points in enumerate(trick_points):
                scores[seat] += points
                why.append(reason("pinuoke-14", "settle.tricks", seat=seat, points=points))
        else:
            why.append(reason("pinuoke-14", "settle.no-tricks"))
        return tuple(scores), tuple(why)

    def result(self, state: PinuokeState) -> Result | None:
        if state.turn is not None:
            return None
        assert state.last_taker is not None
        taken = [self.points(cards) for cards in state.taken]
        dealer = state.match.dealer
        scores, why = self.settle(dealer, state.turned, state.melded, state.last_taker, taken)
        match = totals.add(state.match, scores)
        won = totals.leaders(match)
        if won is not None:
            best = max(match.scores)
            over = reason("pinuoke-15", "match.won", seats=won, total=best, target=match.target)
            why = (*why, over)
        return Result(scores, totals.best(scores), match, why, won)

    def next_match(self, state: PinuokeState, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # Every card is played once. After each free trick come a draw and at most one meld; the nine
        # is exchanged once, as it then lies under the stock itself.
        return len(self.pack(players)) + 2 * self.facts.free_tricks + 1

    # Looking on

    def table(self, state: PinuokeState) -> Table:
        table = super().table(state)
        zones = (*table.zones, *self.face_down("stock", state.stock[:-1]))
        if state.stock:
            zones = (*zones, Zone("turned", state.stock[-1:]))
        return replace(table, zones=zones)

    def notes(self, state: PinuokeState) -> tuple[Note, ...]:
        count = sum(state.tricks) + (state.phase == "play" and state.turn is not None)
        return (Note(message("note.trick", count=count)), *super().notes(state))

    # Moves for seats that nobody plays

    def robot(self, state: PinuokeState) -> Move:
        if state.phase != "meld":
            return super().robot(state)
        moves = self.phase_moves(state)
        exchange = next((m for m in moves if m.kind == "exchange"), None)
        best = moves[-1] if moves[-1].kind == "meld" else None
        # Only showing the nine itself goes before exchanging it.
        if best and exchange and best.cards == exchange.cards:
            return best
        return exchange or best or moves[0]

    def pick(self, state: PinuokeState, rng: random.Random) -> Move:
        if state.phase != "meld":
            return super().pick(state, rng)
        return rng.choice(self.phase_moves(state))

    # Questions

    def checks(self) -> Iterable[Check]:
        hand, players = self.facts.hand, self.rules.book.game.players[1]
        yield self.melds_check(hand)
        yield self.question(
            "legal",
            self._legal_now,
            hand=CardList(1, hand),
            lead=Nullable(OneCard()),
            trump=SuitOf(),
            phase=Int(1, 2),
        )
        yield self.trick_check(players, players)
        most = self.points(self.pack(players))
        names = Choice(tuple(self.facts.melds))
        by_seat = ListOf(ListOf(names, 0, len(names.values) * 2), players, players, by_seat=True)
        points = ListOf(Int(0, most), players, players, by_seat=True)
        yield self.question(
            "settle",
            self._settle,
            dealer=SeatNumber(players),
            turned=OneCard(),
            melds=by_seat,
            last=SeatNumber(players),
            trick_points=Nullable(points, may_miss=True),
        )

    def _legal_now(self, hand: Cards, lead: Card | None, trump: str, phase: int) -> Verdict:
        trick = () if lead is None else (lead,)
        if phase == 1:
            key = "follow.free" if trick else "follow.lead"
            cards, why = hand, reason("pinuoke-04", key)
        else:
            cards = self.playable(hand, trick, trump)
            why = self.why_playable(hand, trick, trump)
        return Verdict({"cards": list(self.sorted(cards))}, (why,))

    def worth(self, cards: Cards) -> dict[str, int]:
        return {"points": self.points(cards)} if self.facts.trick_points else {}

    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        if not self.facts.trick_points:
            return ()
        points = self.points(cards)
        return (reason("pinuoke-14", "trick.points", cards=list(cards), points=points),)

    def _settle(
        self,
        dealer: int,
        turned: Card,
        melds: tuple[tuple[str, ...], ...],
        last: int,
        trick_points: tuple[int, ...] | None = None,
    ) -> Verdict:
        counts = Counter(name for names in melds for name in names)
        for name, kind in self.facts.melds.items():
            most = self.facts.copies * len(kind.of(EXAMPLE_TRUMP))
            if counts[name] > most:
                raise BadInput("melds", "bad.meld-often", meld=name, most=most)
        total = self.points(self.pack(len(melds)))
        if self.facts.trick_points:
            if trick_points is None:
                raise BadInput("trick_points", "bad.missing")
            if sum(trick_points) != total:
                raise BadInput("trick_points", "bad.sum", total=total, got=sum(trick_points))
        scores, why = self.settle(dealer, turned, melds, last, trick_points or ())
        return Verdict({"scores": list(scores)}, why)


GAME = Pinuoke
