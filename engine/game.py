"""What a game can do: the few verbs that every game shares, and the values they work on.

A `Game` is a set of rules in force. A `State` is one deal as it stands, an immutable value; playing
is `legal_moves(state)`, `apply(state, move)` and `result(state)`, and `view(state, seat)` is all that a
seat may know of it. A `Match` is what goes on from deal to deal.
"""

import random
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from engine import schema
from engine.cards import Card, Cards, Order, pack, read_cards
from engine.fields import Check, Field
from engine.rulebook import Data, RuleDataError, Rules
from engine.values import replace
from engine.verdict import BadInput, IllegalMove, Message, Reason, Verdict, message, reason

Value = str | int | None
_NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Move:
    """One move of the seat to move: what it does, with which cards, and a word or number beside.

    Written `kind CARDS: value`, so `play S7`, `bid: 250`, `play DW: S8`, `pass`; `str` and `parse`
    are each other's inverse. The order of the cards matters only where the game says so.
    """

    kind: str
    cards: Cards = ()
    value: Value = None

    def __str__(self) -> str:
        text = " ".join([self.kind, *self.cards])
        return text if self.value is None else f"{text}: {self.value}"

    @classmethod
    def parse(cls, text: str) -> "Move":
        """The move in the notation above. Raises `ValueError` with the piece that cannot be read."""
        head, colon, tail = text.partition(":")
        kind, _, cards = head.strip().partition(" ")
        if not kind:
            raise ValueError(text[:12])
        word = tail.strip()
        value: Value = (int(word) if _NUMBER.fullmatch(word) else word) if colon else None
        return cls(kind, read_cards(cards), value)


DEAL = Move("deal")
"""Between two deals of a match: deal the next."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """What goes on from deal to deal. Games that carry more extend it; all fields are plain data.

    `scores` are the points by seat (partners show the same); `target` is the total that ends the
    match, None for a single deal after another.
    """

    seed: str = ""
    players: int
    deal_no: int = 1
    dealer: int = 0
    scores: tuple[int, ...]
    target: int | None = None

    @property
    def eldest(self) -> int:
        """The seat after the dealer's: the first to be dealt a card, and the next to deal."""
        return (self.dealer + 1) % self.players


@dataclass(frozen=True, kw_only=True)
class State:
    """One deal as it stands. `hands` are by seat; `turn` is the seat to move, None when it is over.

    `events` are what the last move brought about, with the clauses: public, known to all seats.
    """

    match: Match
    hands: tuple[Cards, ...]
    stock: Cards = ()
    turn: int | None
    events: tuple[Reason, ...] = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def mover(self) -> int:
        """The seat to move while the deal goes on. Raises `ValueError` when it is over."""
        if self.turn is None:
            raise ValueError("the deal is over")
        return self.turn


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards as dealt: the hands by seat, and what is left."""

    hands: tuple[Cards, ...]
    stock: Cards = ()


@dataclass(frozen=True)
class Result:
    """How a deal ended. `scores` are its points by seat, `winners` the seats that won the deal.

    `match` is the standing with this deal counted; `match_winners` are the seats that have won the
    match, None while it goes on.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    match: Match
    reasons: tuple[Reason, ...]
    match_winners: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Zone:
    """Cards somewhere: `label` is a key of the shared labels, `seat` whose they are.

    `seen_by` are the seats that may see them, None for all. A None among the cards is one face down
    whose face nobody at the table may be told.
    """

    label: str
    cards: tuple[Card | None, ...]
    seat: int | None = None
    seen_by: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Note:
    """Something known beside the cards (trump, contract, score), perhaps of one seat."""

    message: Message
    seat: int | None = None
    seen_by: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Table:
    """Everything on the table, with who may see it. Hands are seen by their holders."""

    turn: int | None
    hands: tuple[Zone, ...]
    zones: tuple[Zone, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class View:
    """All that one seat may know: the table with every card that it may not see as None.

    `seat` None is who watches and sees everything.
    """

    seat: int | None
    turn: int | None
    hands: tuple[Zone, ...]
    zones: tuple[Zone, ...]
    notes: tuple[Note, ...]


def view_of(table: Table, seat: int | None) -> View:
    """The table as `seat` may see it; the one place where cards are hidden."""

    def shown(item: Zone | Note) -> bool:
        return seat is None or item.seen_by is None or seat in item.seen_by

    def veil(zone: Zone) -> Zone:
        cards = zone.cards if shown(zone) else (None,) * len(zone.cards)
        return replace(zone, cards=cards)

    return View(
        seat,
        table.turn,
        tuple(veil(z) for z in table.hands),
        tuple(veil(z) for z in table.zones),
        tuple(n for n in table.notes if shown(n)),
    )


@dataclass(frozen=True, kw_only=True)
class DeckFacts:
    """Facts of every game: the ranks from the highest to the lowest (DW, XW are the jokers), in each
    of the four suits, and how many packs are used."""

    ranks: tuple[str, ...]
    copies: int = 1


F = TypeVar("F", bound=DeckFacts)
S = TypeVar("S", bound=State)


class Game(ABC, Generic[F, S]):
    """A game under the rules in force.

    A game gives its kinds of facts, state and match, and the abstract methods below; families give
    most of them. `fault` is the one place that knows what is legal: `apply` asks it, and
    `legal_moves` lists what it lets pass.
    """

    facts_type: ClassVar[type[Any]]
    match_type: ClassVar[type[Match]] = Match

    def __init__(self, rules: Rules) -> None:
        """Raises `RuleDataError` when the facts do not fit `facts_type`."""
        self.rules = rules
        try:
            self.facts: F = schema.load(self.facts_type, rules.facts, "facts")
        except schema.SchemaError as error:
            raise RuleDataError(f"{rules.book.slug}.toml", error.key, error.reason) from None
        try:
            self.order = Order(self.facts.ranks)
        except (KeyError, ValueError) as error:
            raise RuleDataError(f"{rules.book.slug}.toml", "facts.ranks", str(error)) from None
        self._checks = {check.name: check for check in self.checks()}

    # The match and the deal

    def new_match(self, players: int, seed: str = "", target: int | None = None) -> Match:
        """The standing before the first deal of `players`.

        Raises `BadInput` when the game is not for so many.
        """
        self.check_players(players)
        return self.match_type(
            seed=seed, players=players, scores=(0,) * players, target=target or self.target
        )

    @property
    def target(self) -> int | None:
        """The total that ends a match unless another is agreed: `target` of the facts, None where
        they have none."""
        return getattr(self.facts, "target", None)

    def check_players(self, players: int) -> None:
        """Raises `BadInput` when the game is not for so many."""
        least, most = self.rules.book.game.players
        if not least <= players <= most:
            raise BadInput("players", "bad.int", least=least, most=most)

    def check_match(self, match: Match) -> None:
        """Raises `BadInput` when a standing given from outside cannot be: by default, one at which
        somebody has won already. Games that carry more than scores check it here as well."""
        if match.target is not None and max(match.scores) >= match.target:
            raise BadInput("match.scores", "bad.match-won", target=match.target)

    def shuffled(self, match: Match) -> Deal:
        """The cards of the match's next deal, shuffled by its seed alone."""
        cards = list(self.pack(match.players))
        self.rng(match).shuffle(cards)
        return self.divide(tuple(cards), match)

    def rng(self, match: Match, purpose: str = "deal") -> random.Random:
        """The random numbers of a deal: the same for the same seed everywhere."""
        return random.Random(f"{self.rules.book.slug}/{match.seed}/{match.deal_no}/{purpose}")

    @property
    def largest_hand(self) -> int:
        """How many cards a seat is dealt at the most, whatever the number of players."""
        least, most = self.rules.book.game.players
        sizes = []
        for players in range(least, most + 1):
            match = self.match_type(players=players, scores=(0,) * players)
            sizes += [len(hand) for hand in self.divide(self.pack(players), match).hands]
        return max(sizes)

    def pack(self, players: int) -> Cards:
        """All cards in use with so many players."""
        suit_ranks = [r for r in self.facts.ranks if r not in ("DW", "XW")]
        jokers = [r for r in self.facts.ranks if r in ("DW", "XW")]
        return pack(suit_ranks, copies=self.facts.copies, jokers=jokers)  # type: ignore[arg-type]

    @abstractmethod
    def divide(self, cards: Cards, match: Match) -> Deal:
        """The shuffled cards given out."""

    @abstractmethod
    def start(self, deal: Deal, match: Match) -> S:
        """The state before the first move. `events` say how the cards were dealt."""

    def deal(self, match: Match) -> S:
        """Shuffles, deals and starts."""
        return self.start(self.shuffled(match), match)

    def check_deal(self, deal: Deal, match: Match) -> None:
        """Raises `BadInput` unless these are the game's cards, given out as the game does."""
        wanted = self.divide(self.pack(match.players), match)
        for seat, (hand, model) in enumerate(zip(deal.hands, wanted.hands, strict=True)):
            if len(hand) != len(model):
                n = len(model)
                raise BadInput(f"hands[{seat}]", "bad.cards", least=n, most=n, got=len(hand))
        counts = Counter(self.pack(match.players))
        counts.subtract(card for part in (*deal.hands, deal.stock) for card in part)
        for card, left in counts.items():
            if left:
                raise BadInput("hands", "bad.deal", card=card, left=left)

    # Playing

    @abstractmethod
    def legal_moves(self, state: S) -> Sequence[Move]:
        """All legal moves, the mildest first; none when the deal is over.

        Where suits or arrangements make for very many, `pick` is the quick way to one of them.
        """

    @abstractmethod
    def fault(self, state: S, move: Move) -> Reason | None:
        """Why the move is not legal, None when it is. The seat is the one to move."""

    @abstractmethod
    def play(self, state: S, move: Move) -> S:
        """The state after a move that is legal."""

    def apply(self, state: S, move: Move) -> S:
        """The state after the move. Raises `IllegalMove` with the clause that forbids it."""
        if fault := self.fault(state, move):
            raise IllegalMove(fault)
        return self.play(state, move)

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        """Why a legal move is legal, in the order in which a player would say it."""
        return ()

    def describe(self, state: S, move: Move) -> Message:
        """What the move is, in a sentence: by default the message `move.KIND`."""
        values = {"seat": state.turn, "cards": list(move.cards), "value": move.value}
        return message(f"move.{move.kind}", **values)

    def overheard(self, state: S, move: Move) -> Message:
        """The same as the other seats hear it: without the cards that only the mover knows."""
        return self.describe(state, move)

    @abstractmethod
    def table(self, state: S) -> Table:
        """The table as it stands, with who may see what; `self.hands(state)` gives the hands."""

    def view(self, state: S, seat: int | None) -> View:
        """What the seat may know, and no more; with None, everything."""
        return view_of(self.table(state), seat)

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the deal ended, None while it goes on."""

    def next_match(self, state: S, result: Result) -> Match:
        """The standing with which the next deal begins. Games that carry more extend it."""
        return replace(result.match, deal_no=result.match.deal_no + 1)

    def next_deal(self, state: S) -> S:
        """Deals again after a finished deal. Raises `ValueError` when the deal or match says no."""
        result = self.result(state)
        if result is None or result.match_winners is not None:
            raise ValueError("the deal goes on, or the match is over")
        return self.deal(self.next_match(state, result))

    def pick(self, state: S, rng: random.Random) -> Move:
        """A legal move drawn with `rng`, knowing no more than the seat to move."""
        return rng.choice(self.legal_moves(state))

    def robot(self, state: S) -> Move:
        """A sober move for a seat that nobody plays: by default the mildest that is no pass."""
        moves = self.legal_moves(state)
        return next((m for m in moves if m.kind != "pass"), moves[0])

    @abstractmethod
    def longest(self, players: int) -> int:
        """No deal of so many players has more moves than this."""

    # Questions

    @abstractmethod
    def checks(self) -> Iterable[Check]:
        """The questions this game answers; see `self.question`."""

    def question(self, name: str, run: Any, **fields: Field) -> Check:
        """One question over the game's whole pack (of the most cards it is ever played with)."""
        least, most = self.rules.book.game.players
        named = {n.removesuffix("_"): f for n, f in fields.items()}
        return Check(name, run, named, max(map(self.pack, range(least, most + 1)), key=len))

    def figures(self) -> Data:
        """What follows from the facts and stands in texts and tables as `{figures.NAME}`: so that
        the data need not state what the engine works out. None by default."""
        return {}

    def check(self, name: str) -> Check:
        """The check of that name; raises `KeyError`."""
        return self._checks[name]

    @property
    def check_names(self) -> tuple[str, ...]:
        """The names of the questions that the game answers."""
        return tuple(self._checks)

    # Small helpers for the subclasses

    def cite(self, point: str, key: str, **params: Any) -> Reason:
        """A reason of the family's, with the clause of this game that says so (`cites`)."""
        try:
            return reason(self.rules.book.cites[point], key, **params)
        except KeyError:
            raise RuleDataError(
                f"{self.rules.book.slug}.toml", f"cites.{point}", "missing"
            ) from None

    def hands(self, state: S) -> tuple[Zone, ...]:
        """The hands in the game's order, each seen by its holder only."""
        return tuple(
            Zone("hand", self.sorted(hand), seat, (seat,)) for seat, hand in enumerate(state.hands)
        )

    def piles(
        self, label: str, cards: Iterable[Cards], *, secret: bool = False
    ) -> tuple[Zone, ...]:
        """The cards that lie before the seats, a zone for each seat that has any; secret ones are
        seen by that seat only."""
        return tuple(
            Zone(label, self.sorted(pile), seat, (seat,) if secret else None)
            for seat, pile in enumerate(cards)
            if pile
        )

    @staticmethod
    def face_down(label: str, cards: Cards) -> tuple[Zone, ...]:
        """A zone of cards that no seat may see; none when there are no cards."""
        return (Zone(label, cards, None, ()),) if cards else ()

    def sorted(self, cards: Iterable[Card]) -> Cards:
        """Cards in the game's order, highest first, as they stand in answers."""
        return self.order.sort(cards)

    def explain(self, state: S, move: Move) -> Verdict:
        """Whether the move is legal, and why or why not."""
        fault = self.fault(state, move)
        reasons = (fault,) if fault else self.allows(state, move)
        return Verdict({"legal": fault is None}, reasons)


AnyGame = Game[Any, Any]
