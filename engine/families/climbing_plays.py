"""All plays that a hand has, and one of them at random.

A hand is first looked at by ranks alone: which frames it can fill, with which cards carried. Only then
are suits chosen, as the product of what each rank has; so no set of cards comes up twice.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from engine.cards import SUITS, Card, Cards
from engine.families.climbing_types import Classifier, Counts, Frame, Reading

ByRank = Sequence[Sequence[Card]]
"""The cards of a hand by place of their rank."""
Rivals = tuple[tuple[int, tuple[tuple[int, int, Frame], ...]], ...]
"""Frames of one type by their group, each after its count and mask."""


class Option(NamedTuple):
    """Cards that may be played, and the readings under which they may."""

    cards: Cards
    readings: tuple[Reading, ...]


class Holding(NamedTuple):
    """The ranks of a hand, as frames are looked up: how many cards there are; for each number, the ranks
    of which so many are held, as bits; the substitutes for sets and for runs, as bits and how many, none
    when none are held."""

    total: int
    masks: Sequence[int]
    spare: tuple[tuple[int, int], ...]


class Plays:
    """What a hand can play, above a play on the table or as a lead."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self.wild = bool(classifier.fillers(False))
        self._fillers = [
            (sum(1 << r for r in ranks), ranks)
            for ranks in (classifier.fillers(False), classifier.fillers(True))
        ]
        """The substitutes in sets and in runs, as bits and as places in the order."""
        self._most = 1 + max(f.group for fs in classifier.frames_of.values() for f in fs)
        self._rivals_of = lru_cache(maxsize=1 << 14)(self._frames_above)
        self._holding = lru_cache(maxsize=1 << 14)(self._look_at)

    # All of them

    def options(self, hand: Cards, above: Reading | None = None) -> Iterator[Option]:
        """Every set of cards of the hand that can be played (above a play), each once. Cards of one
        kind from several packs are alike."""
        cards_of = self.by_rank(hand)
        for counts in self.vectors(self.classifier.counts(hand), above):
            readings = self.classifier.rank_readings(counts)
            if readings is not None:
                allowed = self.above(readings, above)
                if allowed:
                    for cards in _expand(counts, cards_of):
                        yield Option(cards, allowed)
                continue
            for cards in _expand(counts, cards_of):
                if allowed := self.above(self.classifier.readings(cards), above):
                    yield Option(cards, allowed)

    def at_most(self, hand: Cards, above: Reading | None = None) -> int:
        """A number of sets of cards that `options` does not exceed, found without listing them;
        exact but for sets of which only some choices of suits can be played."""
        cards_of = self.by_rank(hand)
        return sum(
            prod(
                len(_subsets(tuple(cards), n))
                for n, cards in zip(counts, cards_of, strict=True)
                if n
            )
            for counts in self.vectors(self.classifier.counts(hand), above)
        )

    def above(self, readings: Sequence[Reading], table: Reading | None) -> tuple[Reading, ...]:
        """Those readings that may be played on a table, one for each that makes a difference."""
        if len(readings) == 1:
            beats = table is None or self.classifier.beats(readings[0], table)
            return tuple(readings) if beats else ()
        found: list[Reading] = []
        for reading in readings:
            if table is not None and not self.classifier.beats(reading, table):
                continue
            if not any(reading.same(other) for other in found):
                found.append(reading)
        return tuple(found)

    def vectors(self, held: Counts, above: Reading | None = None) -> Iterator[Counts]:
        """The ranks of every set of cards that can be played, suits aside, each once."""
        seen: set[Counts] = set()
        for frame in self.frames(held, above):
            for counts in self._fillings(frame, held):
                if counts not in seen:
                    seen.add(counts)
                    yield counts

    def frames(self, held: Counts, above: Reading | None = None) -> Iterator[Frame]:
        """The frames that cards of these ranks can fill and that may be above a play."""
        holding = self._holding(held)
        for candidates in self._rivals(above):
            yield from _filled(candidates, holding)

    @cached_property
    def _highest(self) -> list[list[tuple[Frame, Reading]]]:
        """The frames of each type with the highest that they can be."""
        reading = self.classifier.reading
        return [[(f, reading(f)) for f in frames] for frames in self.classifier.frames_of.values()]

    def _rivals(self, above: Reading | None) -> tuple[Rivals, ...]:
        """The frames that may be above a play, whatever the hand, for each type that has any."""
        if above is None:
            return self._rivals_of(None)
        # What `Classifier.beats` looks at, which is quicker to look up than the whole reading.
        return self._rivals_of((above.level, above.build, above.strength))

    def _frames_above(
        self, above: tuple[int, tuple[int, int, int], tuple[int, ...]] | None
    ) -> tuple[Rivals, ...]:
        if above is None:
            types: Iterable[Sequence[Frame]] = self.classifier.frames_of.values()
        else:
            level, build, strength = above
            table = Reading("", "", "", build, 0, level, strength)
            beats = self.classifier.beats
            types = (
                [frame for frame, highest in frames if beats(highest, table)]
                for frames in self._highest
            )
        return tuple(map(_by_group, filter(None, types)))

    def _look_at(self, counts: Counts) -> Holding:
        spare: tuple[tuple[int, int], ...] = ()
        if self.wild:
            spare = tuple(
                [(mask, sum([counts[r] for r in ranks])) for mask, ranks in self._fillers]
            )
            if not any(number for _, number in spare):
                spare = ()
        return Holding(sum(counts), _masks(counts, self._most), spare)

    def _fillings(self, frame: Frame, held: Counts) -> Iterator[Counts]:
        """The ranks of every set of held cards that fills a frame."""
        base = [0] * len(held)
        if frame.load:
            for r in frame.ranks:
                base[r] = frame.group
            rest = [have - taken for have, taken in zip(held, base, strict=True)]
            for carried in _choices(rest, frame.length * frame.load):
                yield tuple(a + b for a, b in zip(base, carried, strict=True))
            return
        fillers = self.classifier.fillers(frame.length > 1)
        if not fillers:
            for r in frame.ranks:
                base[r] = frame.group
            yield tuple(base)
            return
        yield from self._wild_fillings(frame, held, fillers)

    def _wild_fillings(
        self, frame: Frame, held: Counts, fillers: tuple[int, ...]
    ) -> Iterator[Counts]:
        own = [r for r in frame.ranks if r not in fillers]
        wild = sorted(fillers)
        ways = [(sum(n), n) for n in product(*(range(held[r] + 1) for r in wild))]
        for numbers in product(*(range(min(held[r], frame.group) + 1) for r in own)):
            missing = frame.count - sum(numbers)
            for total, chosen in ways:
                if total == missing:
                    counts = [0] * len(held)
                    for r, number in zip((*wild, *own), (*chosen, *numbers), strict=True):
                        counts[r] = number
                    if frame in self.classifier.frames(tuple(counts)):
                        yield tuple(counts)

    # One of them

    def pick(self, hand: Cards, above: Reading | None, rng: random.Random) -> Option | None:
        """A play drawn at random, without listing all: a type, a place of it, then the cards.
        None when there is none."""
        held = self.classifier.counts(hand)
        holding = self._holding(held)
        types, draw = list(self._rivals(above)), rng.random
        while types:
            frames = _filled(types.pop(int(draw() * len(types))), holding)
            if not frames:
                continue
            cards_of = self.by_rank(hand)
            while frames:
                frame = frames.pop(int(draw() * len(frames)))
                for cards in self._fills(frame, held, cards_of, rng):
                    if allowed := self.above(self.classifier.readings(cards), above):
                        return Option(cards, allowed)
        return None

    def _fills(
        self, frame: Frame, held: Counts, cards_of: ByRank, rng: random.Random
    ) -> Iterator[Cards]:
        """Cards that fill a frame, drawn at random: where suits decide what they are worth, in every
        choice of suits."""
        if self.classifier.shapes[frame.type].of:
            ways = self._flushes(frame, cards_of)
            rng.shuffle(ways)
            for found, missing, wild in ways:
                yield (*found, *rng.sample(wild, missing))
        elif self.wild and not all(len(cards_of[r]) >= frame.group for r in frame.ranks):
            if fillings := list(self._fillings(frame, held)):
                counts = rng.choice(fillings)
                chosen = zip(counts, cards_of, strict=True)
                yield tuple(card for n, cards in chosen for card in rng.sample(cards, n))
        else:
            yield self._fill(frame, cards_of, rng)

    def _fill(self, frame: Frame, cards_of: ByRank, rng: random.Random) -> Cards:
        found: list[Card] = []
        for r in frame.ranks:
            have = cards_of[r]
            if len(have) > frame.group:
                found += rng.sample(have, frame.group) if frame.group > 1 else [rng.choice(have)]
            else:
                found += have
        if frame.load:
            rest = [c for r, cards in enumerate(cards_of) for c in cards]
            for card in found:
                rest.remove(card)
            found += rng.sample(rest, frame.length * frame.load)
        return tuple(found)

    def _flushes(self, frame: Frame, cards_of: ByRank) -> list[tuple[list[Card], int, list[Card]]]:
        """The ways to fill a one-suit frame, one for each choice of as many suits as the group has:
        its cards, how many are missing, and the substitutes there are for them."""
        fillers = self.classifier.fillers(frame.length > 1)
        wild = [card for r in fillers for card in cards_of[r]]
        ways = []
        for suits in combinations(SUITS, frame.group):
            found = [
                card
                for r in frame.ranks
                if r not in fillers
                for card in dict.fromkeys(cards_of[r])
                if card.suit in suits
            ]
            missing = frame.count - len(found)
            if found and missing <= len(wild):
                ways.append((found, missing, wild))
        return ways

    def cheapest(self, frame: Frame, hand: Cards, above: Reading | None) -> Option | None:
        """The cards of a hand that fill a frame at the least cost: carried are single low cards.
        None when none of them is above the play."""
        held = self.classifier.counts(hand)
        cards_of = self.by_rank(hand)
        found: list[Card] = [c for r in frame.ranks for c in cards_of[r][: frame.group]]
        if self.classifier.shapes[frame.type].of or len(found) < frame.length * frame.group:
            fills = self._fills(frame, held, cards_of, random.Random(0))
        else:
            rest = list(hand)
            for card in found:
                rest.remove(card)
            place = self.classifier.place
            rest.sort(key=lambda card: (held[place[card.rank]], place[card.rank]))
            fills = iter([(*found, *rest[: frame.length * frame.load])])
        for cards in fills:
            if allowed := self.above(self.classifier.readings(cards), above):
                return Option(cards, allowed)
        return None

    def by_rank(self, hand: Cards) -> ByRank:
        """The cards of a hand by place of their rank, in the order in which they are held."""
        found: list[list[Card]] = [[] for _ in self.classifier.ranks]
        place = self.classifier.place
        for card in hand:
            found[place[card.rank]].append(card)
        return found


def _by_group(frames: Sequence[Frame]) -> Rivals:
    groups = dict.fromkeys(frame.group for frame in frames)
    return tuple(
        (group, tuple((f.count, f.mask, f) for f in frames if f.group == group)) for group in groups
    )


def _filled(rivals: Rivals, holding: Holding) -> list[Frame]:
    """Those frames that cards of these ranks fill, with substitutes where they may stand."""
    found: list[Frame] = []
    total, masks, spare = holding
    if not spare:
        for group, rows in rivals:
            if have := masks[group]:
                found += [f for count, mask, f in rows if have & mask == mask and count <= total]
        return found
    for group, rows in rivals:
        have = masks[group]
        for count, mask, frame in rows:
            if count > total:
                continue
            if have & mask == mask:
                found.append(frame)
            elif not frame.load:
                fillers, number = spare[len(frame.ranks) > 1]
                mask &= ~fillers
                own = 0
                for same in masks[1 : group + 1]:
                    own += (same & mask).bit_count()
                # Substitutes alone are only a set of their own rank.
                if own + number >= count and (own or not mask):
                    found.append(frame)
    return found


def _masks(held: Counts, most: int) -> list[int]:
    """For each number up to `most`, the ranks of which so many cards are held, as bits."""
    exact = [0] * (max(max(held), most) + 1)
    bit = 1
    for have in held:
        exact[have] |= bit
        bit <<= 1
    for number in range(len(exact) - 1, 0, -1):
        exact[number - 1] |= exact[number]
    return exact


def _choices(held: Sequence[int], number: int) -> Iterator[Counts]:
    """Every way to take so many cards of these ranks, as counts."""

    def take(r: int, left: int, room: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield (0,) * (len(held) - r)
            return
        if room < left:
            return
        for number in range(min(held[r], left) + 1):
            for rest in take(r + 1, left - number, room - held[r]):
                yield (number, *rest)

    yield from take(0, number, sum(held))


def _expand(counts: Counts, cards_of: ByRank) -> Iterator[Cards]:
    """Every choice of suits for cards of these ranks; cards of one kind are alike."""
    by_rank = [
        _subsets(tuple(cards), number)
        for number, cards in zip(counts, cards_of, strict=True)
        if number
    ]
    for parts in product(*by_rank):
        yield tuple(card for part in parts for card in part)


@lru_cache(maxsize=1 << 12)
def _subsets(cards: tuple[Card, ...], number: int) -> list[tuple[Card, ...]]:
    return list(dict.fromkeys(combinations(sorted(cards), number)))
