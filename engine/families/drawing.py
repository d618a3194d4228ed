"""Drawing and laying: a card from the stock or the one just laid, then one card out of the hand.

A turn is two moves: `draw` or `take CARD`, then `lay CARD`. A game says in hooks what else may be done
while laying (`lay_kinds`, `lay_fault`, `after_lay`) and what other phases there are. The family cites
the game's clauses through `cites`: `deal`, `draw`, `take`, `lay`, `round`, `aside`, `exhausted`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.cards import Card, Cards, remove
from engine.families.dealing import deal_each
from engine.families.phases import PhaseGame, PhaseState
from engine.game import Deal, DeckFacts, Match, Move, Note, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import Reason, message


@dataclass(frozen=True, kw_only=True)
class DrawFacts(DeckFacts):
    """`hand` cards each; a player's laid cards are set aside once there are `aside` of them; after
    `takes` rounds in which nobody drew from the stock, the next player must."""

    hand: int
    aside: int
    takes: int


@dataclass(frozen=True, kw_only=True)
class DrawState(PhaseState):
    """A deal of drawing and laying. `laid` are the cards before each seat, `aside` those set aside.

    `phase` is "draw", then "lay"; games have others. `up` is the card that may be taken, `takes` how
    many turns in a row nobody drew from the stock.
    """

    laid: tuple[Cards, ...]
    aside: Cards = ()
    phase: str = "draw"
    up: Card | None = None
    takes: int = 0


F = TypeVar("F", bound=DrawFacts)
S = TypeVar("S", bound=DrawState)


class DrawGame(PhaseGame[F, S]):
    """A game of drawing and laying."""

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def dealt(self, match: Match) -> tuple[Reason, ...]:
        """What is said of a deal before the first move."""
        return (self.cite("deal", "dealt", seat=match.eldest),)

    # A turn

    def lay_kinds(self, state: S) -> Sequence[str]:
        """What a player may do with the card that he lays, the mildest first: `lay` by default."""
        return ("lay",)

    def lay_fault(self, state: S, kind: str, card: Card) -> Reason | None:
        """Why laying a card of one's hand in this way is not legal."""
        return None

    def lay_allows(self, state: S, kind: str, card: Card) -> tuple[Reason, ...]:
        """Why laying a card in this way is legal."""
        return (self.cite("lay", "lay.one"),)

    def after_lay(self, state: S, kind: str) -> S:
        """The state after a card was laid and, when its pile was full, set aside: by default the
        next player's turn, and the end of the deal when the stock is used up."""
        if not state.stock:
            events = (*state.events, self.cite("exhausted", "stock.exhausted"))
            return replace(state, turn=None, events=events)
        return replace(state, turn=(state.mover + 1) % state.players, phase="draw")

    def take_fault(self, state: S) -> Reason | None:
        """Why the card just laid may not be taken, None when it may."""
        if state.up is None:
            if not state.aside:
                return self.cite("take", "take.none")
            return self.cite("aside", "take.aside", count=self.facts.aside)
        if state.takes >= self.facts.takes * state.players:
            return self.cite("round", "take.round")
        return None

    def legal_moves(self, state: S) -> Sequence[Move]:
        if state.turn is None:
            return []
        if state.phase == "draw":
            moves = [Move("draw")]
            if state.up is not None and self.take_fault(state) is None:
                moves.append(Move("take", (state.up,)))
            return moves
        if state.phase != "lay":
            return self.phase_moves(state)
        cards = tuple(reversed(self.sorted(state.hands[state.turn])))
        return [
            Move(kind, (card,))
            for kind in self.lay_kinds(state)
            for card in cards
            if self.lay_fault(state, kind, card) is None
        ]

    def fault(self, state: S, move: Move) -> Reason | None:
        if state.phase == "draw":
            if move == Move("draw"):
                return None
            if move.kind == "take" and move.value is None:
                fault = self.take_fault(state)
                if fault is None and move.cards != (state.up,):
                    return self.cite("take", "take.only", card=state.up)
                return fault
            return self.draw_fault(state, move)
        if state.phase != "lay":
            return self.phase_fault(state, move)
        if move.kind not in self.lay_kinds(state) or len(move.cards) != 1 or move.value is not None:
            return self.cite("lay", "lay.one")
        if move.cards[0] not in state.hands[state.mover]:
            return self.cite("lay", "turn.not-held", cards=list(move.cards))
        return self.lay_fault(state, move.kind, move.cards[0])

    def draw_fault(self, state: S, move: Move) -> Reason:
        """Why anything but `draw` and `take` is refused at the beginning of a turn."""
        return self.cite("draw", "draw.first")

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        if state.phase == "draw":
            if move.kind == "take":
                return (self.cite("take", "take.just-laid"),)
            if state.up is not None and (fault := self.take_fault(state)):
                return (fault,)
            if state.up is None and state.aside:
                return (self.take_fault(state) or self.cite("draw", "draw.stock"),)
            return (self.cite("draw", "draw.stock"),)
        if state.phase != "lay":
            return self.phase_allows(state, move)
        return self.lay_allows(state, move.kind, move.cards[0])

    def play(self, state: S, move: Move) -> S:
        seat = state.mover
        if state.phase == "draw":
            return self._draw(state, move, seat)
        if state.phase != "lay":
            return self.phase_play(state, move)
        card = move.cards[0]
        pile = (*state.laid[seat], card)
        full = len(pile) >= self.facts.aside
        count = self.facts.aside
        events = (self.cite("aside", "laid.aside", seat=seat, count=count),) if full else ()
        state = replace(
            state,
            hands=put(state.hands, seat, remove(state.hands[seat], move.cards)),
            laid=put(state.laid, seat, () if full else pile),
            aside=(*state.aside, *pile) if full else state.aside,
            up=None if full else card,
            events=events,
        )
        return self.after_lay(state, move.kind)

    def _draw(self, state: S, move: Move, seat: int) -> S:
        if move.kind == "draw":
            card, stock, laid, takes = state.stock[0], state.stock[1:], state.laid, 0
        else:
            before = (seat - 1) % state.players
            card, stock = move.cards[0], state.stock
            laid, takes = put(state.laid, before, state.laid[before][:-1]), state.takes + 1
        hands = put(state.hands, seat, (*state.hands[seat], card))
        return replace(
            state, hands=hands, stock=stock, laid=laid, takes=takes, phase="lay", events=()
        )

    def most_turns(self, players: int) -> int:
        """No deal has more turns of drawing and laying than this."""
        # Each turn draws or takes. The last card of the stock ends the deal, the first turn must
        # draw, and between two draws at most `takes` rounds take: so this many turns for the stock.
        stock = len(self.pack(players)) - players * self.facts.hand
        return stock + max(stock - 1, 0) * self.facts.takes * players

    # Looking on

    def table(self, state: S) -> Table:
        laid = tuple(Zone("discard", pile, seat) for seat, pile in enumerate(state.laid) if pile)
        stock = self.face_down("stock", state.stock)
        aside = (Zone("aside", state.aside),) if state.aside else ()
        return Table(state.turn, self.hands(state), (*laid, *stock, *aside), self.notes(state))

    def notes(self, state: S) -> tuple[Note, ...]:
        """What is known beside the cards: how many are left to draw."""
        return (Note(message("note.stock", count=len(state.stock))),)

    def pick(self, state: S, rng: random.Random) -> Move:
        if state.phase != "lay" or state.turn is None:
            return super().pick(state, rng)
        kinds = list(self.lay_kinds(state))
        while kinds:
            kind = kinds.pop(rng.randrange(len(kinds)))
            card = rng.choice(state.hands[state.turn])
            if self.lay_fault(state, kind, card) is None:
                return Move(kind, (card,))
        return super().pick(state, rng)
