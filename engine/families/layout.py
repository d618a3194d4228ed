"""Layouts: rows of one suit that grow from a centre card at both ends, and wild cards lying in them.

What each game decides for itself stands in hooks: `choices` (what a hand may lay, and whether it must),
`other_moves` and `other_fault` (what one does instead of laying a card), `after_laying` and `why_wild`.
The family cites the game's clauses through `cites`: `lead`, `join`, `skip`, `centre`, `closed`, `dead`,
`turn`.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from engine.cards import SUITS, Card, Cards, Rank, Suit, remove
from engine.families import totals
from engine.families.dealing import deal_out
from engine.families.layout_rows import CLOSED, Board, Row, Rows
from engine.fields import BySuit, Fixed, Int, Nullable
from engine.game import Deal, DeckFacts, Game, Match, Move, Note, Result, State, Table, Zone
from engine.rulebook import Data, RuleDataError
from engine.seats import put
from engine.values import replace
from engine.verdict import Message, Reason, message

Laid = tuple[Card, Card]
"""A card of the hand, and the card it is laid as: itself, or the one it stands for."""


@dataclass(frozen=True, kw_only=True)
class LayoutFacts(DeckFacts):
    """`centre` is the rank that opens a suit, `first` the suit that is opened first. `ranks` go down to
    the lowest end of a row."""

    centre: Rank
    first: Suit


@dataclass(frozen=True, kw_only=True)
class LayoutState(State):
    """A deal of rows. `replaced` are the cards that a wild card stands for, each with that wild card."""

    rows: Rows = CLOSED
    replaced: tuple[Laid, ...] = ()

    @property
    def dead(self) -> Cards:
        """The cards that can no longer be laid, because another lies in their place."""
        return tuple(card for card, _ in self.replaced)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a hand can lay on its turn: `natural` are its cards that go as themselves, `wild` those that
    may stand for any of `stands_for`. `bound` says that one of them must be laid."""

    natural: Cards
    wild: Cards
    stands_for: Cards
    bound: bool

    def laid(self) -> list[Laid]:
        """Every card with what it can be laid as."""
        stand_in = ((w, card) for w in self.wild for card in self.stands_for if card != w)
        return [*((card, card) for card in self.natural), *stand_in]


F = TypeVar("F", bound=LayoutFacts)
S = TypeVar("S", bound=LayoutState)


class LayoutGame(Game[F, S]):
    """A game of rows."""

    @cached_property
    def board(self) -> Board:
        """The places of the cards in their rows."""
        try:
            return Board(self.facts.ranks, self.facts.centre)
        except ValueError as error:
            raise RuleDataError(
                f"{self.rules.book.slug}.toml", "facts.centre", str(error)
            ) from None

    @property
    def first(self) -> Card:
        """The centre card that is laid first of all."""
        return self.board.centre[self.facts.first]

    def figures(self) -> Data:
        """`low` and `high` are the ranks at the ends of a row."""
        suit, board = self.facts.first, self.board
        return {"low": board.card(suit, 1).rank, "high": board.card(suit, board.highest).rank}

    # Dealing

    def suits(self, players: int) -> Sequence[str]:
        """The suits in use with so many players."""
        return SUITS

    def divide(self, cards: Cards, match: Match) -> Deal:
        """One card at a time from the dealer on until all are out, even or not."""
        return deal_out(cards, match, match.dealer)

    def leader(self, hands: Sequence[Cards]) -> int:
        """The seat that holds the first centre card."""
        return next(seat for seat, hand in enumerate(hands) if self.first in hand)

    def check_match(self, match: Match) -> None:
        totals.check_no_target(match)

    def next_match(self, state: S, result: Result) -> Match:
        """The deal passes on, so that the longer hands go round."""
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    # Playing

    @abstractmethod
    def choices(self, hand: Cards, rows: Rows, dead: Cards, suits: Collection[str]) -> Choices:
        """What a hand can lay when a row is open."""

    @abstractmethod
    def other_moves(self, state: S) -> Sequence[Move]:
        """What one can do instead of laying a card, if anything."""

    @abstractmethod
    def other_fault(self, state: S, move: Move) -> Reason | None:
        """Why a move that lays no card is not legal, None when it is."""

    @abstractmethod
    def after_laying(self, state: S, seat: int) -> S:
        """The state after `seat` has laid a card: who is next, or the end."""

    @abstractmethod
    def why_wild(self, state: S, move: Move) -> tuple[Reason, ...]:
        """Why a wild card may stand for another."""

    def why_replaced(self, state: S, card: Card, wild: Card) -> tuple[Reason, ...]:
        """What becomes of a card that a wild card is laid for."""
        return (self.cite("dead", "layout.replaced", card=card, wild=wild),)

    @abstractmethod
    def why_not_wild(self, card: Card) -> Reason:
        """Why a card of the hand cannot stand for another."""

    @abstractmethod
    def why_joker(self, card: Card) -> Reason:
        """Why a joker cannot be laid as it is."""

    def why_no_centre(self, card: Card) -> Reason:
        """Why the centre card of a suit that is not open cannot be laid."""
        raise NotImplementedError(card)

    def choices_now(self, state: S) -> Choices:
        """What the seat to move can lay."""
        hand = state.hands[state.mover]
        if state.rows == CLOSED:
            return Choices((self.first,), (), (), True)
        return self.choices(hand, state.rows, state.dead, self.suits(state.players))

    def legal_moves(self, state: S) -> Sequence[Move]:
        if state.turn is None:
            return []
        choices = self.choices_now(state)
        natural = tuple(sorted(choices.natural, key=self.board.distance, reverse=True))
        laid = (lay(card, as_) for card, as_ in replace(choices, natural=natural).laid())
        return [*laid, *self.other_moves(state)]

    def fault(self, state: S, move: Move) -> Reason | None:
        if move.kind != "play":
            return self.other_fault(state, move)
        if len(move.cards) != 1:
            return self.cite("turn", "turn.one-card")
        card = move.cards[0]
        if card not in state.hands[state.mover]:
            return self.cite("turn", "turn.not-held", cards=[card])
        choices = self.choices_now(state)
        if move.value is None:
            return None if card in choices.natural else self.why_not(state, card)
        if state.rows == CLOSED:
            return self.cite("lead", "layout.first", card=self.first)
        if card not in choices.wild:
            return self.why_dead(card) if card in state.dead else self.why_not_wild(card)
        try:
            as_ = Card(str(move.value))
        except ValueError:
            return self.why_not_wild(card)
        if as_ in choices.stands_for and as_ != card:
            return None
        return self.why_cannot_stand(state, card, as_)

    def why_not(self, state: S, card: Card) -> Reason:
        """Why a card of the hand cannot be laid as itself."""
        if state.rows == CLOSED:
            return self.cite("lead", "layout.first", card=self.first)
        if not card.suit:
            return self.why_joker(card)
        if card in state.dead:
            return self.why_dead(card)
        return self.why_no_place(state, card)

    def why_cannot_stand(self, state: S, card: Card, as_: Card) -> Reason:
        """Why a wild card cannot stand for `as_`."""
        if not as_.suit or as_.suit not in self.suits(state.players) or as_ == card:
            return self.why_not_wild(card)
        if self.board.covered(state.rows, as_):
            return self.cite("dead", "layout.covered", card=as_)
        return self.why_no_place(state, as_)

    def why_no_place(self, state: S, card: Card) -> Reason:
        """Why no row has a place for a card now."""
        if self.board.row_of(state.rows, card) is not None:
            near = self.board.missing(state.rows, card)
            return self.cite("skip", "layout.skip", card=card, missing=list(near))
        if card == self.board.centre[card.suit]:
            return self.why_no_centre(card)
        return self.cite(
            "closed", "layout.closed", cards=[card], centre=self.board.centre[card.suit]
        )

    def why_dead(self, card: Card) -> Reason:
        """Why a replaced card cannot be laid."""
        return self.cite("dead", "layout.dead", card=card)

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        if move.kind != "play":
            return self.why_other(state, move)
        card = move.cards[0]
        if state.rows == CLOSED:
            return (self.cite("lead", "layout.lead", card=card),)
        if move.value is not None:
            return self.why_wild(state, move)
        if self.board.row_of(state.rows, card) is None:
            return (self.cite("centre", "layout.centre", cards=[card]),)
        return (self.cite("join", "layout.join", cards=[card], suit=card.suit),)

    def why_other(self, state: S, move: Move) -> tuple[Reason, ...]:
        """Why a legal move that lays no card is legal."""
        return ()

    def describe(self, state: S, move: Move) -> Message:
        if move.kind == "play" and move.value is not None:
            return message(
                "move.play-as", seat=state.turn, cards=list(move.cards), value=move.value
            )
        return super().describe(state, move)

    def play(self, state: S, move: Move) -> S:
        seat = state.mover
        card = move.cards[0]
        as_ = card if move.value is None else Card(str(move.value))
        wild = as_ != card
        state = replace(
            state,
            hands=put(state.hands, seat, remove(state.hands[seat], (card,))),
            rows=self.board.with_card(state.rows, as_),
            replaced=(*state.replaced, (as_, card)) if wild else state.replaced,
            events=self.why_replaced(state, as_, card) if wild else (),
        )
        return self.after_laying(state, seat)

    # Looking on

    def table(self, state: S) -> Table:
        """The hands, and each row from its low end to its high end."""
        lying = dict(state.replaced)
        zones = []
        for suit, row in zip(SUITS, state.rows, strict=True):
            if row is not None:
                natural = (self.board.card(suit, n) for n in range(row[0], row[1] + 1))
                zones.append(Zone(f"row.{suit}", tuple(lying.get(c, c) for c in natural)))
        return Table(state.turn, self.hands(state), tuple(zones), self.notes(state))

    def notes(self, state: S) -> tuple[Note, ...]:
        """The replaced cards, by default."""
        return tuple(
            Note(message("note.replaced", card=card, wild=wild)) for card, wild in state.replaced
        )

    # Questions

    def rows_field(self) -> BySuit:
        """The rows as a question gives them: the places at both ends of each open one."""
        ends = Fixed((Int(1, self.board.middle), Int(self.board.middle, self.board.highest)))
        return BySuit(Nullable(ends))

    def read_rows(self, rows: Mapping[str, Row | None] | None) -> Rows:
        """The rows of a question; none is open where it names none."""
        return tuple((rows or {}).get(suit) for suit in SUITS)

    def rows_json(self, rows: Rows) -> dict[str, Any]:
        """The rows as an answer gives them."""
        return {s: list(row) for s, row in zip(SUITS, rows, strict=True) if row is not None}

    def why_hand(self, hand: Cards, rows: Rows, dead: Cards, choices: Choices) -> list[Reason]:
        """What can be laid of a hand and what cannot, clause by clause."""
        joins = self.board.joins(rows)
        can = [c for c in self.sorted(choices.natural) if c in joins]
        opening = [c for c in self.sorted(choices.natural) if c not in joins]
        reasons = [self.cite("join", "layout.join", cards=can)] if can else []
        reasons += [self.cite("centre", "layout.centre", cards=opening)] if opening else []
        for card in self.sorted(hand):
            if card in dead:
                reasons.append(self.why_dead(card))
        told = {*choices.natural, *choices.wild, *dead}
        rest = [c for c in self.sorted(hand) if c.suit and c not in told]
        far = [c for c in rest if self.board.row_of(rows, c) is not None]
        if far:
            reasons.append(self.cite("skip", "layout.skips", cards=far))
        for suit in SUITS:
            waiting = [c for c in rest if c.suit == suit and self.board.row_of(rows, c) is None]
            waiting = [c for c in waiting if c != self.board.centre[suit]]
            if waiting:
                centre = self.board.centre[suit]
                reasons.append(self.cite("closed", "layout.closed", cards=waiting, centre=centre))
        return reasons


def lay(card: Card, as_: Card) -> Move:
    """The move that lays a card, as itself or for another."""
    return Move("play", (card,), None if card == as_ else str(as_))
