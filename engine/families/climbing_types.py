"""Types of play in climbing games: what cards make one, and which of two plays is higher.

The rule data describes every type as a `Shape` (`[facts.types]`); `Classifier` reads cards by them.
A type is always so many cards of a rank (`group`), perhaps of several consecutive ranks (`run`),
perhaps each carrying others (`load`): 三带 is a group of three carrying one or two, see
`Classifier.frames`. All but suits depends on how many cards of each rank there are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from engine.cards import JOKERS, SUITS, Card, Cards, pack
from engine.game import DeckFacts
from engine.values import replace

Key = Literal["size", "rank", "flush", "real", "suit"]
Counts = tuple[int, ...]
"""How many cards of each rank, by place in the game's order, the lowest first."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What makes a type of play.

    `group` cards of a rank (`more`: or any number above); with `run`, of at least so many
    consecutive ranks of `ladder`. `load` are the numbers of further cards that each group may carry.
    `set` instead names the ranks of a play of fixed cards, one of each.
    `of` names the type that this is the one-suit form of: what is not said here is as there, and
    cards that can be this are never that. `suits` ranks the suits, the highest first, where they
    matter. `by` says in which order two plays of one kind are compared; `term` is the type's name
    where two shapes share it.
    """

    group: int = 0
    more: bool = False
    run: int = 0
    ladder: str = ""
    load: tuple[int, ...] = ()
    set: tuple[str, ...] = ()
    of: str = ""
    suits: tuple[str, ...] = ()
    by: tuple[Key, ...] = ()
    term: str = ""


@dataclass(frozen=True, kw_only=True)
class TypeFacts(DeckFacts):
    """`types` by name; `ladders` are the ranks that runs may go through, the lowest first (a rank at
    both ends may be used at either); `bombs` are the types that beat all others, the lowest first;
    `substitutes` are the ranks that stand for others, in sets of one rank only or in any type, but never
    where cards are carried."""

    types: Mapping[str, Shape]
    ladders: Mapping[str, tuple[str, ...]]
    bombs: tuple[str, ...] = ()
    substitutes: Mapping[str, Literal["sets", "any"]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """A type at one place: `group` cards of each of the `ranks` (places in the game's order, lowest
    first; `at` is where they begin on their ladder), each group carrying `load` cards."""

    type: str
    ranks: tuple[int, ...]
    at: int
    group: int
    load: int
    mask: int
    """The ranks as bits."""
    count: int
    """How many cards fill it."""

    @property
    def length(self) -> int:
        return len(self.ranks)


@dataclass(frozen=True, slots=True)
class Reading:
    """Cards read as a play of a type. `rank` is the highest rank of its groups, `low` the lowest.

    Two plays of level 0 can be compared when their `build` is the same; a bomb has a higher `level`
    than what it beats whatever its build. `strength` compares within that; `wild` is the number of
    substitutes that stand for other cards.
    """

    type: str
    rank: str
    low: str
    build: tuple[int, int, int]
    count: int
    level: int
    strength: tuple[int, ...]
    flush: bool = False
    suit: str = ""
    wild: int = 0

    @property
    def group(self) -> int:
        return self.build[0]

    @property
    def length(self) -> int:
        return self.build[1]

    @property
    def load(self) -> int:
        return self.build[2]

    @property
    def span(self) -> str:
        """The ranks of its groups: `4`, `3-5`."""
        return self.rank if self.length == 1 else f"{self.low}-{self.rank}"

    @property
    def name(self) -> str:
        """How a player names it, the value of a move: `三带4`, `三连带3-5`. No two readings of the
        same cards that make a difference have the same name."""
        return self.type + self.span

    def same(self, other: "Reading") -> bool:
        """Whether it makes no difference which of the two is meant."""
        return (self.level, self.build, self.strength) == (
            other.level, other.build, other.strength,
        )  # fmt: skip


class Classifier:
    """Reads cards as plays, by the types of the rule data."""

    def __init__(self, facts: TypeFacts) -> None:
        """Raises `ValueError` for types that cannot be: an unknown ladder, base type or bomb."""
        self.ranks: tuple[str, ...] = tuple(reversed(facts.ranks))
        self.place = {rank: i for i, rank in enumerate(self.ranks)}
        every = pack(jokers=JOKERS)
        self._place_of = {card: self.place[card.rank] for card in every if card.rank in self.place}
        self.shapes = {name: _resolved(name, facts.types) for name in facts.types}
        for name in facts.bombs:
            if name not in self.shapes:
                raise ValueError(f"bombs: no type {name!r}")
        self._level = {name: i for i, name in enumerate(facts.bombs, 1)}
        self._named = {(s.term or n, self.level(n)): s for n, s in self.shapes.items()}
        self._wild = {self.place[r]: where for r, where in facts.substitutes.items()}
        self._base_of = {name: s.of for name, s in self.shapes.items() if s.of}
        self._most = facts.copies * 4 + sum(
            facts.copies * (1 if rank in JOKERS else 4) for rank in facts.substitutes
        )
        self.ladders = {
            name: _runs_of([self.place[rank] for rank in ladder])
            for name, ladder in facts.ladders.items()
        }
        self.ends = {name: (ladder[0], ladder[-1]) for name, ladder in facts.ladders.items()}
        for name, shape in self.shapes.items():
            if shape.run and shape.ladder not in facts.ladders:
                raise ValueError(f"types.{name}.ladder: no ladder {shape.ladder!r}")
        self.frames_of = {name: tuple(self._all(name)) for name in self.shapes}
        self._by_count: dict[int, list[Frame]] = {}
        for frames in self.frames_of.values():
            for frame in frames:
                self._by_count.setdefault(frame.count, []).append(frame)
        self.frames = lru_cache(maxsize=1 << 16)(self._frames)
        self.rank_readings = lru_cache(maxsize=1 << 16)(self._rank_readings)
        # A move is looked at when it is drawn, judged and made.
        self._known = lru_cache(maxsize=1 << 8)(self._readings)

    # Reading

    def readings(self, cards: Iterable[Card]) -> tuple[Reading, ...]:
        """All that the cards can be played as: bombs first, then the longest and highest; empty when
        they are no play."""
        return self._known(tuple(cards))

    def _readings(self, cards: Cards) -> tuple[Reading, ...]:
        counts = self.counts(cards)
        found = self.rank_readings(counts)
        return found if found is not None else self._read(self.frames(counts), cards)

    def counts(self, cards: Iterable[Card]) -> Counts:
        """How many of the cards have each rank."""
        found = [0] * len(self.ranks)
        for place in map(self._place_of.__getitem__, cards):
            found[place] += 1
        return tuple(found)

    def _frames(self, counts: Counts) -> tuple[Frame, ...]:
        """The types that cards of these ranks make, suits aside. This is where 三带 is decided: its
        shape says groups of three, no run, loads of one or two, and `_fits` sees three of a rank."""
        frames = self._by_count.get(sum(counts), ())
        return tuple(frame for frame in frames if self._fits(counts, frame))

    def level(self, name: str) -> int:
        """0 for a plain type, from 1 up for bombs."""
        return self._level.get(name, 0)

    def shape_of(self, reading: Reading) -> Shape:
        """The shape that a reading was read by."""
        return self._named[reading.type, reading.level]

    def _all(self, name: str) -> Iterator[Frame]:
        """Every frame of a type."""
        shape = self.shapes[name]
        for group in range(shape.group or 1, (self._most if shape.more else shape.group or 1) + 1):
            for load in shape.load or (0,):
                for at, ranks in self._runs(shape):
                    mask = sum(1 << r for r in ranks)
                    count = len(ranks) * (group + load)
                    yield Frame(name, ranks, at, group, load, mask, count)

    def _runs(self, shape: Shape) -> list[tuple[int, tuple[int, ...]]]:
        """The ranks that groups of a shape may have: where on the ladder they begin, and their
        places in the game's order."""
        if shape.set:
            return [(0, tuple(sorted(self.place[rank] for rank in shape.set)))]
        if not shape.run:
            return [(r, (r,)) for r in range(len(self.ranks))]
        return [run for run in self.ladders[shape.ladder] if len(run[1]) >= shape.run]

    def _fits(self, counts: Counts, frame: Frame) -> bool:
        """Whether cards of these ranks, as many as the frame has, fill its groups, the others being
        carried."""
        if self._wild and not frame.load:
            return self._fits_wild(counts, frame)
        if not all(counts[r] >= frame.group for r in frame.ranks):
            return False
        # Cards of one rank only are a set of that rank and carry nothing: four are never 三带.
        return not frame.load or counts[frame.ranks[0]] < frame.count

    def _fits_wild(self, counts: Counts, frame: Frame) -> bool:
        """The same where substitutes may fill what is missing.

        A single card is itself, and a set of substitutes only has the rank of the lowest of them.
        """
        ranks = frame.ranks
        fillers = self.fillers(len(ranks) > 1)
        own = sum(min(counts[r], frame.group) for r in ranks if r not in fillers)
        if own + sum(counts[r] for r in fillers) != frame.count:
            return False
        if len(ranks) > 1 or own:
            return own > 0 and ranks[0] not in fillers
        return ranks[0] == min(r for r in fillers if counts[r])

    def fillers(self, run: bool) -> tuple[int, ...]:
        """The ranks that may stand for others in a run, or in a set of one rank."""
        return tuple(r for r, where in self._wild.items() if where == "any" or not run)

    def _rank_readings(self, counts: Counts) -> tuple[Reading, ...] | None:
        """The readings of cards of these ranks, None where suits have a say."""
        frames = self.frames(counts)
        if any(f.type in self._base_of for f in frames):
            return None
        return self._listed(self.reading(frame, counts=counts) for frame in frames)

    def _read(self, frames: Iterable[Frame], cards: Cards) -> tuple[Reading, ...]:
        counts = self.counts(cards)
        found: list[tuple[Frame, str]] = []
        for frame in frames:
            if frame.type not in self._base_of:
                found.append((frame, ""))
            elif (suit := self._one_suit(frame, cards)) is not None:
                found.append((frame, suit))
        better = {(self._base_of[f.type], f.ranks, f.group) for f, _ in found
                  if f.type in self._base_of}  # fmt: skip
        return self._listed(
            self.reading(frame, suit, counts)
            for frame, suit in found
            if (frame.type, frame.ranks, frame.group) not in better
        )

    def _one_suit(self, frame: Frame, cards: Cards) -> str | None:
        """The suit of cards that are one flush for each card of a group; "" for several suits, None
        when they are not."""
        fillers = self.fillers(frame.length > 1)
        own = [c for c in cards if self.place[c.rank] not in fillers]
        suits = {c.suit for c in own}
        if len(suits) > frame.group or len(set(own)) < len(own):
            return None
        return suits.pop() if len(suits) == 1 and frame.group == 1 else ""

    def reading(self, frame: Frame, suit: str = "", counts: Counts | None = None) -> Reading:
        """The frame as a reading: of cards of these counts, or without substitutes; `suit` is that
        of a flush of one suit. With neither it is the highest that the frame can be."""
        shape = self.shapes[frame.type]
        wild = 0
        if counts is not None and self._wild and frame.count > 1:
            wild = frame.count - sum(min(counts[r], frame.group) for r in frame.ranks)
        keys = {
            "size": frame.count,
            "rank": frame.at,
            "flush": bool(shape.of),
            "real": not wild,
            "suit": len(SUITS) - (shape.suits.index(suit) if suit in shape.suits else 0),
        }
        return Reading(
            shape.term or frame.type,
            self.ranks[frame.ranks[-1]],
            self.ranks[frame.ranks[0]],
            (frame.group, frame.length, frame.load),
            frame.count,
            self._level.get(frame.type, 0),
            tuple(int(keys[key]) for key in shape.by),
            bool(shape.of),
            suit,
            wild,
        )

    @staticmethod
    def _listed(readings: Iterable[Reading]) -> tuple[Reading, ...]:
        def place(reading: Reading) -> tuple[int, int, tuple[int, ...]]:
            return reading.level, reading.length, reading.strength

        return tuple(sorted(readings, key=place, reverse=True))

    # Comparing

    @staticmethod
    def beats(play: Reading, table: Reading) -> bool:
        """Whether a play is higher than the one on the table; an equal one is not."""
        if play.level != table.level:
            return play.level > table.level
        if not play.level and play.build != table.build:
            return False
        return play.strength > table.strength


def _resolved(name: str, types: Mapping[str, Shape]) -> Shape:
    """The shape with all that it takes from the type it is the one-suit form of."""
    shape = types[name]
    if shape.of:
        if shape.of not in types or types[shape.of].of:
            raise ValueError(f"types.{name}.of: no type {shape.of!r} that can have a one-suit form")
        base = _resolved(shape.of, types)
        shape = replace(
            shape,
            group=shape.group or base.group,
            run=shape.run or base.run,
            ladder=shape.ladder or base.ladder,
            set=shape.set or base.set,
            by=shape.by or base.by,
        )
    if bool(shape.group) == bool(shape.set):
        raise ValueError(f"types.{name}: a type names either its group or its set of ranks")
    return shape if shape.by or shape.set else replace(shape, by=("rank",))


def _runs_of(ladder: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Every run of a ladder: where it begins, its ranks. None uses a rank twice."""
    runs = [
        (at, tuple(ladder[at : at + length]))
        for length in range(1, len(ladder) + 1)
        for at in range(len(ladder) - length + 1)
    ]
    return [run for run in runs if len(set(run[1])) == len(run[1])]
