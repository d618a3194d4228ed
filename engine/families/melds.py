"""Melds: combinations of cards laid down for points between tricks.

What melds there are stands in the facts. A card that has served in a meld lies on the table, is still
played to tricks, and may serve again or not as the game says. The family cites the game's clauses
through `cites`: `meld`, `one`, `again`, `held`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from engine.cards import SUITS, Card, Cards, remove
from engine.families.tricks import TrickGame, TrickState
from engine.fields import CardList, Check, SuitOf
from engine.game import DeckFacts, Move, Note, Table
from engine.rulebook import Rules
from engine.seats import put
from engine.values import replace
from engine.verdict import Reason, Verdict, message


@dataclass(frozen=True, kw_only=True)
class MeldKind:
    """One kind of meld: `points` for cards of these `ranks`, all in the trump suit, all in one plain
    suit, or one in each suit; or for certain `cards`. Kinds of one `group` are alike: where a card
    may serve again, it serves once in each group."""

    group: str
    points: int
    suit: Literal["trump", "plain", "each", "none"] = "none"
    ranks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()

    def of(self, trump: str) -> tuple[Cards, ...]:
        """The cards of every meld of this kind under a trump."""
        if self.suit == "none":
            return (tuple(map(Card, self.cards)),)
        if self.suit == "each":
            return (tuple(Card(s + r) for r in self.ranks for s in SUITS),)
        suits = [s for s in SUITS if (s == trump) == (self.suit == "trump")]
        return tuple(tuple(Card(s + r) for r in self.ranks) for s in suits)


@dataclass(frozen=True, kw_only=True)
class MeldFacts(DeckFacts):
    """`melds` are the kinds by name; `again` says whether a card may serve once in each group, or
    only once."""

    melds: Mapping[str, MeldKind]
    again: bool


@dataclass(frozen=True, slots=True)
class Meld:
    """One meld: the name of its kind, its cards from the first to the last, and its points."""

    name: str
    cards: Cards
    points: int
    group: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class MeldState(TrickState):
    """Tricks with melds. `laid` are the melded cards that lie before each seat, `melded` the names of
    the melds each seat has scored. `served` says in which group each laid card has served."""

    laid: tuple[Cards, ...]
    melded: tuple[tuple[str, ...], ...]
    served: tuple[tuple[tuple[str, Card], ...], ...]


F = TypeVar("F", bound=MeldFacts)
S = TypeVar("S", bound=MeldState)


def worth_most(melds: Sequence[Meld], cards: Iterable[Card]) -> tuple[Meld, ...]:
    """The melds worth most together when each of `cards` serves once, worth most first; a meld is
    there as often as it can be laid. Exact: all ways are tried, but for those that cannot win.

    `melds` are all that may be chosen from, worth most first.
    """
    left = Counter(cards)
    chosen: list[Meld] = []
    best: list[Meld] = []
    best_points = 0
    # The most that the melds from each place on can add: each as often as the cards allow alone.
    most = [0]
    for meld in reversed(melds):
        most.append(most[-1] + meld.points * min(left[card] for card in meld.cards))
    most.reverse()

    def search(at: int, points: int) -> None:
        nonlocal best, best_points
        if points > best_points:
            best, best_points = chosen[:], points
        if at == len(melds) or points + most[at] <= best_points:
            return
        meld = melds[at]
        if all(left[card] for card in meld.cards):
            left.subtract(meld.cards)
            chosen.append(meld)
            search(at, points + meld.points)
            chosen.pop()
            left.update(meld.cards)
        search(at + 1, points)

    search(0, 0)
    return tuple(best)


class MeldGame(TrickGame[F, S]):
    """A game of tricks and melds."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._possible: dict[str, tuple[Meld, ...]] = {s: self._melds_under(s) for s in SUITS}

    def _melds_under(self, trump: str) -> tuple[Meld, ...]:
        melds = [
            Meld(name, cards, kind.points, kind.group)
            for name, kind in self.facts.melds.items()
            for cards in kind.of(trump)
        ]
        return tuple(sorted(melds, key=lambda meld: -meld.points))

    def possible(self, trump: str) -> tuple[Meld, ...]:
        """All melds under a trump, worth most first."""
        return self._possible[trump]

    def melds(self, cards: Iterable[Card], trump: str) -> tuple[Meld, ...]:
        """The melds that cards hold, each once, worth most first."""
        held = set(cards)
        return tuple(meld for meld in self.possible(trump) if held.issuperset(meld.cards))

    def best(self, cards: Cards, trump: str) -> tuple[Meld, ...]:
        """The melds worth most together, worth most first: no card serves twice, or, where cards may
        serve again, twice in one group."""
        melds = self.melds(cards, trump)
        if not self.facts.again:
            return worth_most(melds, cards)
        groups = dict.fromkeys(meld.group for meld in melds)
        found = [
            meld
            for group in groups
            for meld in worth_most([m for m in melds if m.group == group], cards)
        ]
        return tuple(sorted(found, key=lambda meld: -meld.points))

    # Laying down and playing laid cards

    def _service(self, meld: Meld) -> str:
        """What a card that serves in the meld has then served in."""
        return meld.group if self.facts.again else ""

    def held(self, state: S, seat: int) -> Cards:
        return (*state.hands[seat], *state.laid[seat])

    def fresh(self, state: S, seat: int, meld: Meld) -> bool:
        """Whether each card of a meld is there in a copy that may still serve in it."""
        service, served = self._service(meld), state.served[seat]
        held = self.held(state, seat)
        return all(held.count(c) > served.count((service, c)) for c in meld.cards)

    def open_melds(self, state: S, seat: int) -> tuple[Meld, ...]:
        """The melds that a seat may lay down now, worth most first."""
        assert state.trump is not None
        held = self.held(state, seat)
        return tuple(m for m in self.melds(held, state.trump) if self.fresh(state, seat, m))

    def meld_of(self, state: S, cards: Cards) -> Meld | None:
        """The meld that these cards are."""
        assert state.trump is not None
        wanted = sorted(cards)
        return next((m for m in self.possible(state.trump) if sorted(m.cards) == wanted), None)

    def lay_down(self, state: S, seat: int, meld: Meld) -> S:
        """The state after a seat has laid down a meld."""
        service = self._service(meld)
        hand, laid = state.hands[seat], state.laid[seat]
        served = state.served[seat]
        for card in meld.cards:
            # Of two copies the one that has served in more serves again, so that the other stays free.
            served = (*served, (service, card))
            if served.count((service, card)) > laid.count(card):
                hand, laid = remove(hand, (card,)), (*laid, card)
        return replace(
            state,
            hands=put(state.hands, seat, hand),
            laid=put(state.laid, seat, laid),
            served=put(state.served, seat, served),
            melded=put(state.melded, seat, (*state.melded[seat], meld.name)),
        )

    def let_go(self, state: S, seat: int, card: Card) -> S:
        if card not in state.laid[seat]:
            return super().let_go(state, seat, card)
        # Of two copies the one that has served goes, so that the other may still serve.
        gone = {(service, c) for service, c in state.served[seat] if c == card}
        served = list(state.served[seat])
        for service in gone:
            served.remove(service)
        return replace(
            state,
            laid=put(state.laid, seat, remove(state.laid[seat], (card,))),
            served=put(state.served, seat, tuple(served)),
        )

    def meld_fault(self, state: S, cards: Cards) -> Reason | None:
        """Why the seat to move may not lay down these cards as a meld."""
        seat = state.mover
        missing = list((Counter(cards) - Counter(self.held(state, seat))).elements())
        if missing:
            return self.cite("meld", "turn.not-held", cards=missing)
        meld = self.meld_of(state, cards)
        if meld is None:
            return self.cite("meld", "meld.none", cards=list(self.sorted(cards)))
        if not self.fresh(state, seat, meld):
            used = [
                c
                for c in meld.cards
                if self.held(state, seat).count(c)
                <= state.served[seat].count((self._service(meld), c))
            ]
            return self.cite("again", "meld.served", cards=used)
        return None

    # Looking on

    def table(self, state: S) -> Table:
        table = super().table(state)
        return replace(table, zones=(*table.zones, *self.piles("melded", state.laid)))

    def meld_points(self, names: Iterable[str]) -> int:
        """What melds of these kinds are worth."""
        return sum(self.facts.melds[name].points for name in names)

    def notes(self, state: S) -> tuple[Note, ...]:
        melds = (
            Note(message("note.melds", points=self.meld_points(names)), seat)
            for seat, names in enumerate(state.melded)
            if names
        )
        return (*super().notes(state), *melds)

    def meld_move(self, meld: Meld) -> Move:
        """The move that lays it down."""
        return Move("meld", self.sorted(meld.cards))

    # Questions

    def melds_check(self, most: int) -> Check:
        """`melds`: every meld in a hand of up to so many cards, and those worth most together."""
        return self.question("melds", self._melds, hand=CardList(1, most), trump=SuitOf())

    def _melds(self, hand: Cards, trump: str) -> Verdict:
        found, best = self.melds(hand, trump), self.best(hand, trump)
        points = sum(meld.points for meld in best)
        answer = {
            "melds": [self._said(meld) for meld in found],
            "best": [self._said(meld) for meld in best],
            "points": points,
        }
        if not found:
            return Verdict(answer, (self.cite("meld", "melds.none"),))
        why = [
            self.cite("meld", "melds.one", meld=m.name, cards=list(m.cards), points=m.points)
            for m in found
        ]
        if sorted(m.name for m in best) != sorted(m.name for m in found):
            key = "melds.best-again" if self.facts.again else "melds.best"
            why.append(self.cite("again", key, melds=[m.name for m in best], points=points))
        if len(best) > 1:
            why.append(self.cite("one", "melds.one-a-time"))
        return Verdict(answer, tuple(why))

    def _said(self, meld: Meld) -> dict[str, object]:
        return {
            "meld": meld.name,
            "cards": list(self.sorted(meld.cards)),
            "points": meld.points,
        }
