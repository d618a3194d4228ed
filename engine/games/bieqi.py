"""憋7: rows grow from the sevens; who cannot lay a card borrows one; the joker's holder loses."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import JOKERS, SUITS, Card, Cards, remove
from engine.families.layout import Choices, LayoutFacts, LayoutGame, LayoutState, lay
from engine.families.layout_rows import CLOSED, Row, Rows
from engine.fields import CardList, Check, Field, Int, ListOf, Nullable, OneCard, SeatNumber
from engine.game import Deal, Match, Move, Note, Result
from engine.seats import check_each, check_seat, put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Facts(LayoutFacts):
    """Of the jokers in `ranks` only the first is used. `live_joker` lets it stand for any card; a deal
    is void after `void_after` turns in a row without a card laid."""

    live_joker: bool
    void_after: int


@dataclass(frozen=True, kw_only=True)
class BieqiMatch(Match):
    """The game counts no points; `won` and `lost` are how many deals each seat has won and lost."""

    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BieqiState(LayoutState):
    """`borrower` waits for a card from the seat to move; `idle` are the turns since the last card."""

    borrower: int | None = None
    idle: int = 0


BORROW = Move("borrow")


class Bieqi(LayoutGame[Facts, BieqiState]):
    facts_type = Facts
    match_type = BieqiMatch

    @property
    def jokers(self) -> Cards:
        """The joker in use, and the one that stays in the box."""
        return tuple(Card(rank) for rank in self.facts.ranks if rank in JOKERS)

    @property
    def joker(self) -> Card:
        """The one joker in use."""
        return self.jokers[0]

    def pack(self, players: int) -> Cards:
        return remove(super().pack(players), self.jokers[1:])

    def new_match(self, players: int, seed: str = "", target: int | None = None) -> Match:
        match = super().new_match(players, seed, target)
        assert isinstance(match, BieqiMatch)
        return replace(match, won=match.scores, lost=match.scores)

    def check_match(self, match: Match) -> None:
        super().check_match(match)
        assert isinstance(match, BieqiMatch)
        for name in ("won", "lost"):
            check_each(getattr(match, name), match.players, f"match.{name}")

    def start(self, deal: Deal, match: Match) -> BieqiState:
        first = self.leader(deal.hands)
        events = (
            reason("bieqi-01", "layout.dealt", seat=match.dealer),
            reason("bieqi-03", "leads", seat=first, card=self.first),
        )
        return BieqiState(match=match, hands=deal.hands, turn=first, events=events)

    # What can be laid

    def choices(self, hand: Cards, rows: Rows, dead: Cards, suits: Collection[str]) -> Choices:
        """Whatever goes next to a row, or opens one (bieqi-03); a live joker for any of these."""
        places = (*self.board.joins(rows), *self.board.centres(rows, suits))
        natural = tuple(c for c in hand if c in places)
        wild = tuple(c for c in hand if not c.suit) if self.facts.live_joker else ()
        return Choices(natural, wild, places if wild else (), bool(natural))

    def other_moves(self, state: BieqiState) -> Sequence[Move]:
        return [] if self.choices_now(state).bound else [BORROW]

    def legal_moves(self, state: BieqiState) -> Sequence[Move]:
        if state.turn is None or state.borrower is None:
            return super().legal_moves(state)
        hand = state.hands[state.turn]
        worst = self.worst(hand, state.rows, state.dead)
        return [Move("lend", (c,)) for c in (worst, *remove(hand, (worst,)))]

    def fault(self, state: BieqiState, move: Move) -> Reason | None:
        if state.borrower is None:
            return super().fault(state, move)
        if move.kind != "lend" or len(move.cards) != 1 or move.value is not None:
            return reason("bieqi-07", "lend.must", seat=state.borrower)
        if move.cards[0] not in state.hands[state.mover]:
            return reason("bieqi-07", "turn.not-held", cards=list(move.cards))
        return None

    def other_fault(self, state: BieqiState, move: Move) -> Reason | None:
        if move != BORROW:
            return self.cite("turn", "turn.play-or-borrow")
        choices = self.choices_now(state)
        if choices.bound:
            return reason("bieqi-06", "borrow.able", cards=list(self.sorted(choices.natural)))
        return None

    def why_other(self, state: BieqiState, move: Move) -> tuple[Reason, ...]:
        if move.kind == "lend":
            return (reason("bieqi-07", "lend.any", seat=state.borrower),)
        return self.why_borrow(self.joker if self.choices_now(state).wild else None)

    def why_borrow(self, live_joker: Card | None) -> tuple[Reason, ...]:
        """Why a hand may borrow that holds nothing to lay but, perhaps, a live joker."""
        if live_joker is None:
            return (reason("bieqi-05", "borrow.unable"),)
        return (
            reason("bieqi-05", "borrow.only-joker", joker=live_joker),
            reason("bieqi-13", "joker.free-to-keep", joker=live_joker),
        )

    def why_wild(self, state: BieqiState, move: Move) -> tuple[Reason, ...]:
        return (
            reason("bieqi-11", "joker.stands", joker=self.joker, card=move.value),
            reason("bieqi-13", "joker.free", joker=self.joker),
        )

    def why_not_wild(self, card: Card) -> Reason:
        if card.suit:
            return self.cite("turn", "joker.only", card=card)
        if not self.facts.live_joker:
            return self.why_joker(card)
        return reason("bieqi-11", "joker.name-it", joker=card)

    def why_joker(self, card: Card) -> Reason:
        if self.facts.live_joker:
            return reason("bieqi-11", "joker.name-it", joker=card)
        return reason("bieqi-02", "joker.dead", joker=card)

    def overheard(self, state: BieqiState, move: Move) -> Message:
        if move.kind == "lend":
            return message("move.lend-unseen", seat=state.turn)
        return super().overheard(state, move)

    # Turns

    def play(self, state: BieqiState, move: Move) -> BieqiState:
        seat = state.mover
        if move.kind == "play":
            return super().play(state, move)
        # Nobody is ever out while the deal goes on, so the previous player is the previous seat.
        if move.kind == "borrow":
            lender = (seat - 1) % state.players
            return replace(state, turn=lender, borrower=seat, events=())
        return self._lend_card(state, seat, move.cards[0])

    def after_laying(self, state: BieqiState, seat: int) -> BieqiState:
        if not state.hands[seat]:
            return replace(state, turn=None)
        return replace(state, turn=(seat + 1) % state.players, idle=0)

    def _lend_card(self, state: BieqiState, lender: int, card: Card) -> BieqiState:
        borrower = state.borrower
        assert borrower is not None
        hands = put(state.hands, lender, remove(state.hands[lender], (card,)))
        hands = put(hands, borrower, (*hands[borrower], card))
        state = replace(
            state,
            hands=hands,
            borrower=None,
            idle=state.idle + 1,
            turn=(borrower + 1) % state.players,
            events=(reason("bieqi-05", "borrowed", seat=borrower, lender=lender),),
        )
        if not hands[lender]:
            out = reason("bieqi-08", "lent-out", seat=lender)
            return replace(state, turn=None, events=(*state.events, out))
        if state.idle >= self.facts.void_after:
            return replace(state, turn=None)
        return state

    def longest(self, players: int) -> int:
        """A bound on the moves of a deal.

        Proof. While two cards or more can be laid (a live joker's card is never among them, its place is
        taken), a card is laid within `players` turns: a turn without one moves one card, from the seat
        before to the seat whose turn it is. A holder of such a card lays it on his turn unless he gave
        it to the seat after him, whose turn comes later; so only the seat that laid the last card can
        give one away unplayed, and he gives one card before his next turn. Runs of `void_after` turns
        need that exactly one card can be laid. Every suit has one such card or two until it is finished
        or one end of it is: so three suits are finished, and the fourth is not open or finished at one
        end. That is the case before at most 1 + `side` cards, `side` being the longer side of a row.
        A turn without a card is two moves, to borrow and to lend.
        """
        side = max(self.board.middle - 1, self.board.highest - self.board.middle)
        cards = len(self.pack(players))
        long_runs = 1 + side
        return cards + 2 * (players * cards + long_runs * self.facts.void_after)

    # The end

    def settled(self, hands: Sequence[Cards], dead: Card | None) -> tuple[int, int, list[Reason]]:
        """The winner, the loser and why (bieqi-09, -11, -12): one hand is empty, and one of the others
        holds the dead card, which is the joker unless the joker stands for one."""
        card = dead or next(c for hand in hands for c in hand if not c.suit)
        winner = next(seat for seat, hand in enumerate(hands) if not hand)
        loser = next(seat for seat, hand in enumerate(hands) if card in hand)
        reasons = [reason("bieqi-09", "settle.out", seat=winner)]
        if card.suit:
            reasons.append(reason("bieqi-11", "settle.replaced", seat=loser, card=card))
        elif self.facts.live_joker:
            reasons.append(reason("bieqi-12", "settle.unused", seat=loser, card=card))
        else:
            reasons.append(reason("bieqi-09", "settle.joker", seat=loser, card=card))
        return winner, loser, reasons

    def result(self, state: BieqiState) -> Result | None:
        if state.turn is not None:
            return None
        match = state.match
        assert isinstance(match, BieqiMatch)
        none = (0,) * state.players
        if all(state.hands):
            return Result(none, (), match, (self._void(state.idle),))
        dead = state.dead[0] if state.dead else None
        winner, loser, reasons = self.settled(state.hands, dead)
        match = replace(
            match,
            won=put(match.won, winner, match.won[winner] + 1),
            lost=put(match.lost, loser, match.lost[loser] + 1),
        )
        return Result(none, (winner,), match, tuple(reasons))

    def _void(self, idle: int) -> Reason:
        return reason("bieqi-10", "settle.void", idle=idle)

    # Looking on

    def notes(self, state: BieqiState) -> tuple[Note, ...]:
        match = state.match
        assert isinstance(match, BieqiMatch)
        tally = (
            Note(message("note.tally", won=won, lost=lost), seat)
            for seat, (won, lost) in enumerate(zip(match.won, match.lost, strict=True))
            if won or lost
        )
        return (*super().notes(state), *tally)

    # Moves for seats that nobody plays

    def worst(self, hand: Cards, rows: Rows, dead: Cards) -> Card:
        """The card best given away: the dead one, else the one that waits longest for others. A live
        joker is kept: it goes wherever its holder likes."""

        def burden(card: Card) -> tuple[int, int, int]:
            if card in dead:
                return 3, 0, 0
            if not card.suit:
                return (0 if self.facts.live_joker else 3), 0, 0
            before = self.board.missing(rows, card)
            return 1, len(before), sum(c not in hand for c in before)

        return max(self.sorted(hand), key=burden)

    def robot(self, state: BieqiState) -> Move:
        """Lays the card that most of its own wait for; uses a live joker when it has nothing else."""
        moves = self.legal_moves(state)
        if state.borrower is not None:
            return moves[0]
        hand = state.hands[state.mover]
        plays = [m for m in moves if m.kind == "play"]
        natural = [m for m in plays if m.value is None]
        if natural:
            return max(natural, key=lambda m: len(self.board.beyond(hand, m.cards[0])))
        # Its own cards should not be replaced: it would lose by them.
        useful = [m for m in plays if m.value not in hand]
        if useful:
            return max(useful, key=lambda m: len(self.board.beyond(hand, Card(str(m.value)))))
        return moves[-1]

    def pick(self, state: BieqiState, rng: random.Random) -> Move:
        if state.borrower is not None:
            return Move("lend", (rng.choice(state.hands[state.mover]),))
        choices = self.choices_now(state)
        moves = [lay(card, as_) for card, as_ in choices.laid()]
        return rng.choice(moves if choices.bound else [*moves, BORROW])

    # Questions

    def checks(self) -> Iterable[Check]:
        most = self.rules.book.game.players[1]
        rows = self.rows_field()
        yield self._question("legal", self._legal, hand=CardList(1), rows=rows)
        yield self._question(
            "layout", self._layout, played=CardList(1), joker_as=Nullable(OneCard(), may_miss=True)
        )
        yield self._question(
            "settle",
            self._settle,
            hands=ListOf(CardList(), 2, most, by_seat=True),
            dead=Nullable(OneCard(counted=False), may_miss=True),
            idle=Nullable(Int(0, self.facts.void_after), may_miss=True),
            offender=Nullable(SeatNumber(most), may_miss=True),
        )
        yield self._question(
            "lend", self._lend, hand=CardList(1), rows=Nullable(rows, may_miss=True)
        )

    def _question(self, name: str, run: Any, **fields: Field) -> Check:
        """A question in which either joker may stand, as either may be the one in use."""
        check = self.question(name, run, **fields)
        return replace(check, pack=(*check.pack, *self.jokers[1:]))

    def _one_joker(self, cards: Iterable[Card], at: str) -> Card | None:
        jokers = [c for c in cards if not c.suit]
        if len(jokers) > 1:
            raise BadInput(at, "bad.two-jokers")
        return jokers[0] if jokers else None

    def _dead_in(self, hand: Cards, rows: Rows) -> Cards:
        """The card of a hand that a live joker stands for: the one whose place is taken."""
        joker = self._one_joker(hand, "hand")
        covered = [c for c in hand if self.board.covered(rows, c)]
        may_be = 1 if self.facts.live_joker and not joker else 0
        for number, card in enumerate(covered):
            if number >= may_be or card == self.first:
                raise BadInput("hand", "bad.laid", card=card)
        return tuple(covered)

    def _legal(self, hand: Cards, rows: Mapping[str, Row | None]) -> Verdict:
        table = self.read_rows(rows)
        dead = self._dead_in(hand, table)
        if table == CLOSED:
            return self._lead(hand)
        choices = self.choices(hand, table, dead, SUITS)
        stands_for = list(self.sorted(choices.stands_for))
        cards = (*choices.natural, *(choices.wild if stands_for else ()))
        answer: dict[str, Any] = {"cards": list(self.sorted(cards)), "borrow": not choices.bound}
        if self.facts.live_joker:
            answer["joker_as"] = stands_for
        reasons = self.why_hand(hand, table, dead, choices)
        joker = self._one_joker(hand, "hand")
        if stands_for:
            reasons.append(reason("bieqi-11", "joker.choices", joker=joker, cards=stands_for))
        elif joker:
            reasons.append(self.why_joker(joker))
        if choices.bound:
            natural = list(self.sorted(choices.natural))
            reasons.append(reason("bieqi-06", "borrow.able", cards=natural))
        else:
            reasons.extend(self.why_borrow(joker if stands_for else None))
        return Verdict(answer, tuple(reasons))

    def _lead(self, hand: Cards) -> Verdict:
        """No row is open yet: only the first centre card can be laid, by its holder."""
        cards = [c for c in hand if c == self.first]
        answer: dict[str, Any] = {"cards": cards, "borrow": False}
        if self.facts.live_joker:
            answer["joker_as"] = []
        key = "layout.lead" if cards else "layout.first"
        return Verdict(answer, (reason("bieqi-03", key, card=self.first),))

    def _layout(self, played: Cards, joker_as: Card | None) -> Verdict:
        joker = self._one_joker(played, "played")
        if joker and not self.facts.live_joker:
            raise BadInput("played", "bad.dead-joker", card=joker)
        if joker and joker_as is None:
            raise BadInput("joker_as", "bad.missing")
        if joker_as and (not joker or not joker_as.suit or joker_as == self.first):
            raise BadInput("joker_as", "bad.stands-for", card=self.first)
        lying = {*(c for c in played if c.suit), *((joker_as,) if joker_as else ())}
        rows = CLOSED
        while self.first in lying:
            following = (*self.board.joins(rows), *self.board.centres(rows))
            laid = next((c for c in following if c in lying), None)
            if laid is None:
                break
            rows = self.board.with_card(rows, laid)
        loose = self.sorted(c for c in lying if not self.board.covered(rows, c))
        reasons = [reason("bieqi-04", "layout.rows")]
        if self.first not in lying:
            reasons = [reason("bieqi-03", "layout.first", card=self.first)]
        elif loose:
            reasons.append(self.cite("skip", "layout.skips", cards=list(loose)))
        if joker_as and joker_as not in loose:
            reasons.append(reason("bieqi-12", "layout.past", joker=joker, card=joker_as))
        return Verdict({"rows": self.rows_json(rows), "loose": list(loose)}, tuple(reasons))

    def _settle(
        self, hands: tuple[Cards, ...], dead: Card | None, idle: int | None, offender: int | None
    ) -> Verdict:
        joker = self._one_joker((c for hand in hands for c in hand), "hands")
        self._check_dead(dead, joker)
        seats = range(len(hands))
        if offender is not None:
            check_seat(offender, len(hands), "offender")
            others = [seat for seat in seats if seat != offender]
            answer = {"winner": None, "loser": offender, "winners": others}
            return Verdict(answer, (reason("bieqi-06", "settle.offender", seat=offender),))
        out = [seat for seat in seats if not hands[seat]]
        if len(out) > 1:
            raise BadInput("hands", "bad.two-out")
        if not out:
            if idle != self.facts.void_after:
                raise BadInput("hands", "bad.nobody-out", idle=self.facts.void_after)
            return Verdict({"winner": None, "loser": None, "winners": []}, (self._void(idle),))
        card = dead or joker
        if card is None or not any(card in hand for hand in hands):
            raise BadInput("hands", "bad.dead-not-held", card=card or self.joker)
        winner, loser, reasons = self.settled(hands, dead)
        return Verdict({"winner": winner, "loser": loser, "winners": [winner]}, tuple(reasons))

    def _check_dead(self, dead: Card | None, joker: Card | None) -> None:
        """Only a live joker that has left the hands can have made another card the dead one."""
        if dead is None or (not dead.suit and dead == (joker or dead)):
            return
        if not self.facts.live_joker or joker or dead == self.first:
            raise BadInput("dead", "bad.dead-card", card=self.first)

    def _lend(self, hand: Cards, rows: Mapping[str, Row | None] | None) -> Verdict:
        table = self.read_rows(rows)
        dead = self._dead_in(hand, table)
        card = self.worst(hand, table, dead)
        reasons = [reason("bieqi-07", "lend.choose", card=card)]
        if card in dead:
            reasons.append(reason("bieqi-11", "lend.dead", card=card))
        elif not card.suit and not self.facts.live_joker:
            reasons.append(reason("bieqi-09", "lend.joker", card=card))
        elif not card.suit:
            reasons.append(reason("bieqi-12", "lend.live-joker", card=card))
        elif missing := list(self.board.missing(table, card)):
            reasons.append(reason("bieqi-04", "lend.waits", card=card, missing=missing))
        else:
            reasons.append(reason("bieqi-13", "lend.before-joker", card=card))
        return Verdict({"card": card}, tuple(reasons))


GAME = Bieqi
