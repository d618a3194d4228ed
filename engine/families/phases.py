"""Phases: a deal of which only some moves are its family's, and others (an auction, an exchange) the
game's own.

The family plays the phases it knows and asks the hooks below for all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.game import DeckFacts, Game, Move, State
from engine.verdict import Reason


@dataclass(frozen=True, kw_only=True)
class PhaseState(State):
    """A deal with phases; each family names its own."""

    phase: str


F = TypeVar("F", bound=DeckFacts)
S = TypeVar("S", bound=PhaseState)


class PhaseGame(Game[F, S]):
    """A game whose deals have phases: what `legal_moves`, `fault`, `allows` and `play` are in those
    that the family does not know."""

    def phase_moves(self, state: S) -> Sequence[Move]:
        """All legal moves, the mildest first."""
        raise NotImplementedError(state.phase)

    def phase_fault(self, state: S, move: Move) -> Reason | None:
        """Why a move is not legal, None when it is."""
        raise NotImplementedError(state.phase)

    def phase_allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        """Why a legal move is legal."""
        return ()

    def phase_play(self, state: S, move: Move) -> S:
        """The state after a legal move."""
        raise NotImplementedError(state.phase)
