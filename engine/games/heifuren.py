"""黑夫人: leaving hearts and the queen of spades to others, paid for in matchsticks."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from engine.cards import Card, Cards, contains, remove
from engine.families import totals
from engine.families.counting import notes_of
from engine.families.dealing import deal_out
from engine.families.tricks import TrickGame, TrickState
from engine.fields import Check, Int, ListOf
from engine.game import Deal, DeckFacts, Match, Move, Note, Result, Table
from engine.games.heifuren_sticks import settle, why_over
from engine.rulebook import Data
from engine.seats import check_each, put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Lady:
    """The card that costs most, and its minus points."""

    card: str
    minus: int


@dataclass(frozen=True, kw_only=True)
class Hearts:
    """The suit whose every card costs minus points."""

    suit: str
    minus: int


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """How many cards go to the left neighbour at most: each seat is `asked` in turn and gets as many
    back, or `all` give so many at once."""

    most: int
    way: Literal["asked", "all"]


@dataclass(frozen=True, kw_only=True)
class Facts(DeckFacts):
    """`removal` are the low cards in the order in which they are taken out until the rest divides
    evenly; `sticks` are the matchsticks that each begins with."""

    removal: tuple[str, ...]
    sticks: int
    lady: Lady
    hearts: Hearts
    exchange: Exchange


@dataclass(frozen=True, kw_only=True)
class HeifurenMatch(Match):
    """`scores` are matchsticks; `pot` are those left over from earlier deals."""

    pot: int = 0


@dataclass(frozen=True, kw_only=True)
class HeifurenState(TrickState):
    """Before play (`phase` "asked", "answer" or "all") `laid` are the cards that each seat has laid
    face down for the exchange, `received` those it has got so far."""

    laid: tuple[Cards, ...] = ()
    received: tuple[Cards, ...] = ()


class Heifuren(TrickGame[Facts, HeifurenState]):
    facts_type = Facts
    match_type = HeifurenMatch
    trump_field = None

    # Cards, and what they cost

    def removed(self, players: int) -> Cards:
        """The cards taken out, as few as let the rest be dealt evenly (heifuren-01, -02)."""
        spare = len(super().pack(players)) % players
        return tuple(Card(code) for code in self.facts.removal[:spare])

    def pack(self, players: int) -> Cards:
        return remove(super().pack(players), self.removed(players))

    def minus(self, cards: Iterable[Card]) -> int:
        """The minus points of cards (heifuren-05)."""
        lady, hearts = self.facts.lady, self.facts.hearts
        return sum(
            lady.minus if card == lady.card else hearts.minus if card.suit == hearts.suit else 0
            for card in cards
        )

    def par(self, players: int) -> int:
        """How many minus points cost nothing: an even share, rounded up (heifuren-10)."""
        return -(-self.minus(self.pack(players)) // players)

    def figures(self) -> Data:
        least, most = self.rules.book.game.players
        tables = {}
        for players in range(least, most + 1):
            cards = self.pack(players)
            tables[str(players)] = {
                "removed": list(self.removed(players)),
                "cards": len(cards),
                "each": len(cards) // players,
                "par": self.par(players),
            }
        return {"total": self.minus(self.pack(most)), "tables": tables}

    # The match and the deal

    def new_match(self, players: int, seed: str = "", target: int | None = None) -> Match:
        match = super().new_match(players, seed, target)
        return replace(match, scores=(self.facts.sticks,) * players)

    def check_match(self, match: Match) -> None:
        assert isinstance(match, HeifurenMatch)
        totals.check_no_target(match)
        total = self.facts.sticks * match.players
        if min(match.scores) < 1 or match.pot < 0 or sum(match.scores) + match.pot != total:
            raise BadInput("match.scores", "bad.sticks", total=total)

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_out(cards, match)

    def start(self, deal: Deal, match: Match) -> HeifurenState:
        players = match.players
        first = match.eldest
        empty: tuple[Cards, ...] = ((),) * players
        events = [reason("heifuren-01", "dealt", seat=first, each=len(deal.hands[0]))]
        if removed := self.removed(players):
            events.append(reason("heifuren-02", "removed", cards=list(removed)))
        if match.deal_no == 1:
            events.append(reason("heifuren-04", "sticks"))
        else:
            events.append(reason("heifuren-12", "dealer", seat=match.dealer))
        return HeifurenState(
            match=match,
            hands=deal.hands,
            turn=first,
            leader=first,
            taken=empty,
            tricks=(0,) * players,
            phase=self.facts.exchange.way,
            laid=empty,
            received=empty,
            events=tuple(events),
        )

    # The exchange

    def counts(self, state: HeifurenState) -> range:
        """How many cards the seat to move may lay down for the exchange; none is a pass."""
        count = self.facts.exchange.most
        if state.phase == "asked":
            return range(count + 1)
        if state.phase == "answer":
            count = len(state.laid[(state.mover - 1) % state.players])
        return range(count, count + 1)

    def kind(self, state: HeifurenState) -> str:
        return "exchange" if state.phase == "asked" else "give"

    def phase_moves(self, state: HeifurenState) -> Sequence[Move]:
        hand = tuple(reversed(self.sorted(state.hands[state.mover])))
        return [
            Move(self.kind(state), cards) if cards else Move("pass")
            for count in self.counts(state)
            for cards in combinations(hand, count)
        ]

    def phase_fault(self, state: HeifurenState, move: Move) -> Reason | None:
        if state.phase == "asked" and move == Move("pass"):
            return None
        if state.phase != "asked" and move.kind == "pass":
            return reason("heifuren-07", f"refuse.{state.phase}")
        counts = self.counts(state)
        if move.kind != self.kind(state) or move.value is not None or not move.cards:
            return reason("heifuren-06", f"lay.{state.phase}", count=counts[-1])
        if len(move.cards) not in counts:
            return reason("heifuren-06", f"lay.{state.phase}", count=counts[-1])
        if contains(state.hands[state.mover], move.cards):
            return None
        return reason("heifuren-06", "turn.not-held", cards=list(move.cards))

    def phase_allows(self, state: HeifurenState, move: Move) -> tuple[Reason, ...]:
        if move.kind == "pass":
            return (reason("heifuren-06", "exchange.pass"),)
        count = len(move.cards)
        why = reason("heifuren-06", f"right.{state.phase}", count=count)
        again = set(move.cards) & set(state.received[state.mover])
        return (why, reason("heifuren-07", "exchange.again")) if again else (why,)

    def describe(self, state: HeifurenState, move: Move) -> Message:
        said = super().describe(state, move)
        return replace(said, key="move.pass-on") if state.phase == "all" else said

    def overheard(self, state: HeifurenState, move: Move) -> Message:
        if state.phase == "play" or not move.cards:
            return super().overheard(state, move)
        return message("move.laid-unseen", seat=state.turn, count=len(move.cards))

    def phase_play(self, state: HeifurenState, move: Move) -> HeifurenState:
        seat = state.mover
        following = (seat + 1) % state.players
        state = replace(
            state,
            hands=put(state.hands, seat, remove(state.hands[seat], move.cards)),
            laid=put(state.laid, seat, move.cards),
            turn=following,
            events=(),
        )
        if state.phase == "asked":
            return replace(state, phase="answer") if move.cards else self._ask_next(state)
        if state.phase == "answer":
            asker, count = (seat - 1) % state.players, len(move.cards)
            event = reason("heifuren-06", "exchanged", seat=asker, other=seat, count=count)
            state = self._taken_up(state, [(asker, seat), (seat, asker)], event)
            return self._ask_next(replace(state, turn=seat))
        if following != state.match.eldest:
            return state
        ways = [(giver, (giver + 1) % state.players) for giver in range(state.players)]
        return self._lead(self._taken_up(state, ways, reason("heifuren-07", "exchanged.all")))

    def _taken_up(
        self, state: HeifurenState, ways: Sequence[tuple[int, int]], event: Reason
    ) -> HeifurenState:
        """The laid cards taken up; each of `ways` says who laid them and who takes them."""
        hands, received = state.hands, state.received
        for giver, taker in ways:
            hands = put(hands, taker, (*hands[taker], *state.laid[giver]))
            received = put(received, taker, (*received[taker], *state.laid[giver]))
        empty: tuple[Cards, ...] = ((),) * state.players
        return replace(state, hands=hands, received=received, laid=empty, events=(event,))

    def _ask_next(self, state: HeifurenState) -> HeifurenState:
        """`turn` is asked next, unless all have been."""
        if state.turn == state.match.eldest:
            return self._lead(state)
        event = reason("heifuren-07", "exchange.next", seat=state.turn)
        return replace(state, phase="asked", events=(*state.events, event))

    def _lead(self, state: HeifurenState) -> HeifurenState:
        first = state.match.eldest
        event = reason("heifuren-08", "leads", seat=first)
        return replace(state, phase="play", turn=first, leader=first, events=(*state.events, event))

    # Tricks

    def allows(self, state: HeifurenState, move: Move) -> tuple[Reason, ...]:
        why = super().allows(state, move)
        if state.phase == "play" and not state.trick and self.minus(move.cards):
            return (*why, reason("heifuren-09", "lead.minus", card=move.cards[0]))
        return why

    def worth(self, cards: Cards) -> dict[str, int]:
        return {"minus": self.minus(cards)}

    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        counted = self.sorted(c for c in cards if self.minus([c]))
        if not counted:
            return (reason("heifuren-05", "minus.none"),)
        points = self.minus(counted)
        return (reason("heifuren-05", "minus.sum", cards=list(counted), points=points),)

    def after_trick(self, state: HeifurenState, trick: Cards) -> HeifurenState:
        state = super().after_trick(state, trick)
        return replace(state, events=(*state.events, *self.why_worth(trick)))

    # The end

    def result(self, state: HeifurenState) -> Result | None:
        if state.turn is not None:
            return None
        match = state.match
        assert isinstance(match, HeifurenMatch)
        taken = tuple(map(self.minus, state.taken))
        settled = settle(taken, match.pot, match.scores, self.par(match.players))
        scores = tuple(r - p for r, p in zip(settled.receives, settled.pays, strict=True))
        return Result(
            scores,
            tuple(seat for seat, points in enumerate(taken) if points == 0),
            replace(totals.add(match, scores), pot=settled.pot),
            (*settled.reasons, *why_over(settled.sticks)),
            totals.best(settled.sticks) if settled.over else None,
        )

    def next_match(self, state: HeifurenState, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # Each seat is asked once and answers once; then every card is played once.
        return 2 * players + len(self.pack(players))

    # Looking on

    def table(self, state: HeifurenState) -> Table:
        table = super().table(state)
        laid = self.piles("laid", state.laid, secret=True)
        return replace(table, zones=(*table.zones, *laid))

    def notes(self, state: HeifurenState) -> tuple[Note, ...]:
        match = state.match
        assert isinstance(match, HeifurenMatch)
        pot = (Note(message("note.pot", sticks=match.pot)),) if match.pot else ()
        sticks = (
            Note(message("note.sticks", sticks=sticks), seat)
            for seat, sticks in enumerate(match.scores)
        )
        return (*pot, *sticks, *notes_of(state.taken, self.minus, "note.minus"))

    # Moves for seats that nobody plays

    def danger(self, card: Card) -> tuple[int, int]:
        """How much a seat would like to be rid of a card."""
        return self.minus([card]), self.order.strength[card.rank]

    def pick(self, state: HeifurenState, rng: random.Random) -> Move:
        if state.phase == "play" or state.turn is None:
            return super().pick(state, rng)
        cards = tuple(rng.sample(state.hands[state.turn], rng.choice(self.counts(state))))
        return Move(self.kind(state), cards) if cards else Move("pass")

    def robot(self, state: HeifurenState) -> Move:
        """Gives away what costs most; stays under the trick with the highest card that does, and
        leads low."""
        if state.phase != "play":
            worst = sorted(state.hands[state.mover], key=self.danger, reverse=True)
            cards = tuple(worst[: self.counts(state)[-1]])
            if state.phase == "asked":
                cards = tuple(c for c in cards if self.minus([c]))
            return Move(self.kind(state), cards) if cards else Move("pass")
        cards = self.playable(state.hands[state.mover], state.trick, state.trump)
        place = len(state.trick)
        under = [c for c in cards if place and self.winner((*state.trick, c), None) != place]
        if under:
            return Move("play", (max(under, key=self.danger),))
        return Move("play", (min(cards, key=self.danger),))

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        yield self.legal_check()
        yield self.trick_check(least, most)
        sticks = self.facts.sticks * most
        yield self.question(
            "settle",
            self._settle,
            taken=ListOf(Int(0, self.minus(self.pack(most))), least, most, by_seat=True),
            pot=Int(0, sticks),
            sticks=ListOf(Int(0, sticks), least, most, by_seat=True),
        )
        yield self.question("pack", self._pack, players=Int(least, most))

    def _legal(self, hand: Cards, trick: Cards, trump: str | None = None) -> Verdict:
        verdict = super()._legal(hand, trick, trump)
        costly = self.sorted(c for c in hand if self.minus([c]))
        if trick or not costly:
            return verdict
        why = reason("heifuren-09", "lead.minus", card=costly[0])
        return replace(verdict, reasons=(*verdict.reasons, why))

    def _settle(self, taken: Sequence[int], pot: int, sticks: Sequence[int]) -> Verdict:
        players = len(taken)
        check_each(sticks, players, "sticks")
        if sum(taken) != (total := self.minus(self.pack(players))):
            raise BadInput("taken", "bad.sum", total=total, got=sum(taken))
        settled = settle(taken, pot, sticks, self.par(players))
        answer: dict[str, Any] = {
            "pays": list(settled.pays),
            "receives": list(settled.receives),
            "pot": settled.pot,
            "sticks": list(settled.sticks),
            "over": settled.over,
        }
        return Verdict(answer, (*settled.reasons, *why_over(settled.sticks)))

    def _pack(self, players: int) -> Verdict:
        cards, removed = self.pack(players), self.removed(players)
        each, par = len(cards) // players, self.par(players)
        reasons = [reason("heifuren-01", "pack", cards=len(cards), each=each)]
        if removed:
            reasons.append(reason("heifuren-02", "removed", cards=list(removed)))
        reasons.append(reason("heifuren-10", "pack.par", players=players, par=par))
        answer: dict[str, Any] = {
            "removed": list(self.sorted(removed)),
            "cards": len(cards),
            "each": each,
            "par": par,
        }
        return Verdict(answer, tuple(reasons))


GAME = Heifuren
