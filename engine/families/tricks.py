"""Trick-taking: following suit, who takes a trick, and playing tricks out.

What each game decides for itself stands in hooks: `trick_size`, `next_seat`, `choices`, `after_trick`,
and, for an auction or the like before the tricks, those of `phases`. The family cites the game's
clauses through `cites`: `lead`, `follow`, `void`, `trick`, `order`, `turn`, and, where they are trumps,
`jokers`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from engine.cards import JOKERS, Card, Cards, remove
from engine.families.phases import PhaseGame, PhaseState
from engine.fields import CardList, Check, Field, Nullable, SuitOf
from engine.game import DeckFacts, Move, Note, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import Reason, Verdict, message


@dataclass(frozen=True, kw_only=True)
class TrickState(PhaseState):
    """A deal of tricks. `trick` is the one on the table, in order of play from `leader`.

    `taken` are the cards each seat has taken; `last` is the trick that was taken last, for looking.
    `phase` is "play" while tricks are played; games with an auction or the like have others.
    """

    leader: int
    trick: Cards = ()
    trump: str | None = None
    taken: tuple[Cards, ...] = ()
    tricks: tuple[int, ...] = ()
    phase: str = "play"


F = TypeVar("F", bound=DeckFacts)
S = TypeVar("S", bound=TrickState)


class TrickGame(PhaseGame[F, S]):
    """A game of tricks."""

    trump_field: ClassVar[Field | None] = Nullable(SuitOf())
    """How questions name the trump: null for none. None where the game has no trump at all."""

    # What a trick is

    def suit(self, card: Card, trump: str | None) -> str:
        """The suit that a card counts as: a joker is a trump."""
        return card.suit or trump or ""

    def playable(self, hand: Cards, trick: Cards, trump: str | None) -> Cards:
        """The cards of a hand that may be played to a trick: those that follow suit, else all."""
        if not trick:
            return hand
        led = self.suit(trick[0], trump)
        return tuple(c for c in hand if self.suit(c, trump) == led) or hand

    def winner(self, trick: Cards, trump: str | None) -> int:
        """The place in a trick, from 0, of the card that takes it: the highest trump, else the
        highest of the suit led; of equal cards the first."""
        led = self.suit(trick[0], trump)

        def power(place: int) -> tuple[int, int, int]:
            card = trick[place]
            suit = self.suit(card, trump)
            rank = 2 if suit == trump else 1 if suit == led else 0
            return rank, self.order.strength[card.rank], -place

        return max(range(len(trick)), key=power)

    def why_taken(self, trick: Cards, trump: str | None) -> tuple[Reason, ...]:
        """Why the winning card takes the trick."""
        card = trick[self.winner(trick, trump)]
        suit = self.suit(card, trump)
        trumps = trump is not None and suit == trump
        key = "trick.trump" if trumps else "trick.led" if trump else "trick.plain"
        reasons = [self.cite("trick", key, card=card, suit=suit)]
        rivals = self.sorted(c for c in trick if self.suit(c, trump) == suit)
        if len(rivals) > 1:
            reasons.append(self.cite("order", "trick.order", card=card, other=rivals[1]))
        return tuple(reasons)

    def why_playable(self, hand: Cards, trick: Cards, trump: str | None) -> Reason:
        """Which rule says what may be played."""
        if not trick:
            return self.cite("lead", "follow.lead")
        led = self.suit(trick[0], trump)
        follows = any(self.suit(c, trump) == led for c in hand)
        if led == trump and self.jokers_are_trumps:
            return self.cite("follow" if follows else "void",
                             "follow.trump" if follows else "follow.no-trump")  # fmt: skip
        if follows:
            return self.cite("follow", "follow.must", suit=led)
        return self.cite("void", "follow.void", suit=led)

    @property
    def jokers_are_trumps(self) -> bool:
        """Whether the trump suit is longer than its suit, by the jokers."""
        return any(rank in JOKERS for rank in self.order.ranks)

    # Playing

    def legal_moves(self, state: S) -> Sequence[Move]:
        if state.turn is None:
            return []
        if state.phase != "play":
            return self.phase_moves(state)
        cards = self.sorted(set(self.choices(state)))
        return [Move("play", (card,)) for card in reversed(cards)]

    def fault(self, state: S, move: Move) -> Reason | None:
        if state.phase != "play":
            return self.phase_fault(state, move)
        if move.kind != "play" or len(move.cards) != 1 or move.value is not None:
            return self.cite("turn", "turn.one-card")
        if move.cards[0] not in self.held(state, state.mover):
            return self.cite("turn", "turn.not-held", cards=list(move.cards))
        return None if move.cards[0] in self.choices(state) else self.why_choices(state)

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        if state.phase != "play" or state.turn is None:
            return self.phase_allows(state, move)
        return (self.why_choices(state),)

    def play(self, state: S, move: Move) -> S:
        if state.phase != "play":
            return self.phase_play(state, move)
        seat = state.mover
        state = self.let_go(state, seat, move.cards[0])
        trick = (*state.trick, *move.cards)
        if len(trick) < self.trick_size(state):
            return replace(state, trick=trick, turn=self.next_seat(state, seat), events=())
        return self._take(replace(state, trick=trick))

    def _take(self, state: S) -> S:
        """The full trick goes to its winner, who leads, unless the deal is over."""
        place = self.winner(state.trick, state.trump)
        seat = self.seats_of_trick(state)[place]
        taken = put(state.taken, seat, (*state.taken[seat], *state.trick))
        tricks = put(state.tricks, seat, state.tricks[seat] + 1)
        events = (
            *self.why_taken(state.trick, state.trump),
            self.cite("trick", "trick.taken", seat=seat, cards=list(state.trick)),
        )
        after = replace(
            state, taken=taken, tricks=tricks, trick=(), leader=seat, turn=seat, events=events
        )
        return self.after_trick(after, state.trick)

    # Hooks

    def held(self, state: S, seat: int) -> Cards:
        """The cards that a seat plays from: its hand."""
        return state.hands[seat]

    def let_go(self, state: S, seat: int, card: Card) -> S:
        """The state after a card left those that the seat plays from."""
        return replace(state, hands=put(state.hands, seat, remove(state.hands[seat], (card,))))

    def choices(self, state: S) -> Cards:
        """The cards that the seat to move may play."""
        return self.playable(self.held(state, state.mover), state.trick, state.trump)

    def why_choices(self, state: S) -> Reason:
        """Which rule says so."""
        return self.why_playable(self.held(state, state.mover), state.trick, state.trump)

    def trick_size(self, state: S) -> int:
        """How many cards make a full trick."""
        return state.players

    def next_seat(self, state: S, seat: int) -> int:
        """Who plays after `seat` in a trick."""
        return (seat + 1) % state.players

    def seats_of_trick(self, state: S) -> tuple[int, ...]:
        """Who played the cards of the trick on the table, in order."""
        seats = [state.leader]
        while len(seats) < len(state.trick):
            seats.append(self.next_seat(state, seats[-1]))
        return tuple(seats)

    def after_trick(self, state: S, trick: Cards) -> S:
        """The state after `trick` was taken: by default the deal is over when the hands are empty."""
        return state if any(state.hands) else replace(state, turn=None)

    # Looking on

    def table(self, state: S) -> Table:
        seats = self.seats_of_trick(state)
        trick = tuple(
            Zone("trick", (card,), seat) for seat, card in zip(seats, state.trick, strict=False)
        )
        zones = (*trick, *self.piles("taken", state.taken))
        return Table(state.turn, self.hands(state), zones, self.notes(state))

    def notes(self, state: S) -> tuple[Note, ...]:
        """What is known beside the cards: the trump by default."""
        return (Note(message("note.trump", suit=state.trump)),) if state.trump else ()

    # Moves for seats that nobody plays

    def robot(self, state: S) -> Move:
        """Takes a trick that no ally holds as cheaply as it can, else throws the lowest card, a trump
        last; leads the highest."""
        moves = self.legal_moves(state)
        if state.phase != "play":
            return moves[0]
        if not state.trick:
            return moves[-1]
        place, trump = len(state.trick), state.trump
        holder = self.seats_of_trick(state)[self.winner(state.trick, trump)]
        if holder not in self.allies(state):
            for move in moves:
                if self.winner((*state.trick, *move.cards), trump) == place:
                    return move
        return min(moves, key=lambda m: self.suit(m.cards[0], trump) == trump)

    def allies(self, state: S) -> Sequence[int]:
        """The seats that play together with the seat to move: none by default."""
        return ()

    def pick(self, state: S, rng: random.Random) -> Move:
        if state.phase != "play" or state.turn is None:
            return super().pick(state, rng)
        return Move("play", (rng.choice(self.choices(state)),))

    # Questions

    def legal_check(self) -> Check:
        """`legal`: which cards of a hand may be played to a trick."""
        most = self.rules.book.game.players[1]
        fields: dict[str, Any] = {
            "hand": CardList(1, self.largest_hand),
            "trick": CardList(0, most - 1),
        }
        if self.trump_field:
            fields["trump"] = self.trump_field
        return self.question("legal", self._legal, **fields)

    def _legal(self, hand: Cards, trick: Cards, trump: str | None = None) -> Verdict:
        cards = self.sorted(self.playable(hand, trick, trump))
        reasons = [self.why_playable(hand, trick, trump)]
        led = trick and self.suit(trick[0], trump)
        if led and led == trump and not all(card.suit for card in (trick[0], *hand)):
            reasons.append(self.cite("jokers", "follow.jokers"))
        return Verdict({"cards": list(cards)}, tuple(reasons))

    def trick_check(self, least: int, most: int) -> Check:
        """`trick`: who takes a trick of so many cards."""
        fields: dict[str, Any] = {"cards": CardList(least, most)}
        if self.trump_field:
            fields["trump"] = self.trump_field
        return self.question("trick", self._trick, **fields)

    def _trick(self, cards: Cards, trump: str | None = None) -> Verdict:
        answer = {"winner": self.winner(cards, trump), **self.worth(cards)}
        return Verdict(answer, (*self.why_taken(cards, trump), *self.why_worth(cards)))

    def worth(self, cards: Cards) -> dict[str, int]:
        """What a trick is worth, for the answer of `trick`: nothing by default."""
        return {}

    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        """Why it is worth so much."""
        return ()
