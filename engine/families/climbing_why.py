"""Why cards are a type or none, and why one play is higher than another: the reasons, with clauses.

A game's `cites` name the clause of each type (`"三带"`), and of the points `none`, `order`, `same`,
`bomb` and `carry` (carried cards of a group's rank). Where a clause of its own says so, a type has
points of its own: `"三带.order"`, `"同花顺.flush"`, `"顺子.real"` and `"同花顺.equal"` for comparing;
`"顺子.ends"` (where runs end), `"连对.short"`, `"顺子.once"` (no rank twice) and `"顺子.low"` (an ace
at the low end) for what it is.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.cards import NUMBERS, Cards
from engine.families.climbing_types import Classifier, Reading, Shape
from engine.verdict import Reason

Cite = Callable[..., Reason]


class Why:
    """The reasons of one game: `cite` makes them, `cites` are the points that it knows."""

    def __init__(self, classifier: Classifier, cite: Cite, cites: Mapping[str, str]) -> None:
        self.classifier = classifier
        self.cite = cite
        self.cites = cites

    def is_type(self, reading: Reading) -> Reason:
        """What makes cards this type."""
        run = reading.length > 1
        if self.classifier.shape_of(reading).set:
            key = "type.fixed-flush" if reading.suit else "type.fixed"
        elif reading.load:
            key = "type.run-load" if run else "type.set-load"
        elif reading.flush:
            key = "type.run-flush" if reading.group == 1 else "type.run-flushes"
        else:
            key = "type.run" if run else "type.set"
        fixed = list(self.classifier.shape_of(reading).set)
        return self.cite(reading.type, key, **_values(reading), set=fixed)

    def lies(self, reading: Reading, cards: Cards, readings: int) -> tuple[Reason, ...]:
        """How the cards on the table are read, where that does not go without saying: they have
        several `readings`, or substitutes among them."""
        if readings < 2 and not reading.wild:
            return ()
        said = self.cite(reading.type, "beat.table", type=reading.type, span=reading.span)
        return (said, *self.reads(reading, cards)[1:])

    def reads(self, reading: Reading, cards: Cards) -> tuple[Reason, ...]:
        """What makes cards this type, and what else had to be decided for it."""
        return (self.is_type(reading), *self._low(reading), *self._carry(reading, cards))

    def _low(self, reading: Reading) -> tuple[Reason, ...]:
        """That a rank which may be at either end of a run (an ace) is the low one here."""
        shape = self.classifier.shape_of(reading)
        point = f"{reading.type}.low"
        if not shape.run or point not in self.cites:
            return ()
        ends = self.classifier.ends[shape.ladder]
        if ends[0] != ends[1] or reading.low != ends[0]:
            return ()
        return (self.cite(point, "type.low", low=reading.low, rank=reading.rank),)

    def _carry(self, reading: Reading, cards: Cards) -> tuple[Reason, ...]:
        """That carried cards may have the rank of those that carry them."""
        if not reading.load or "carry" not in self.cites:
            return ()
        counts = self.classifier.counts(cards)
        low, high = self.classifier.place[reading.low], self.classifier.place[reading.rank]
        alike = [
            self.classifier.ranks[r] for r in range(low, high + 1) if counts[r] > reading.group
        ]
        return (self.cite("carry", "type.carry", ranks=alike),) if alike else ()

    def is_none(self, cards: Cards) -> Reason:
        """Why cards are no play: what is missing for a type that they are near to."""
        counts = self.classifier.counts(cards)
        places = [r for r, number in enumerate(counts) if number]
        for name, shape in self._plain_shapes():
            even = all(counts[r] == shape.group for r in places)
            if even and shape.run and not any(shape.load) and len(places) > 1:
                return self._no_run(name, shape, places)
        for name, shape in self._plain_shapes():
            if shape.run and not any(shape.load) and len(places) >= shape.run:
                twice = [self.classifier.ranks[r] for r in places if counts[r] > shape.group]
                short = any(counts[r] < shape.group for r in places)
                if twice and not short and set(places) in self._runs(shape):
                    return self.cite(
                        self._own(name, "once"), "near.twice", type=name, ranks=twice,
                        group=shape.group,
                    )  # fmt: skip
        for name, shape in self._plain_shapes():
            full = [r for r in places if counts[r] >= shape.group]
            if any(shape.load) and (len(full) > 1 if shape.run else len(full) == 1):
                if shape.run and set(full) not in self._runs(shape):
                    return self._no_run(name, shape, full)
                loads = list(shape.load)
                return self.cite(name, "near.load", type=name, loads=loads, group=shape.group)
        return self.cite("none", "near.none", cards=list(cards))

    def _plain_shapes(self) -> Iterable[tuple[str, Shape]]:
        return ((n, s) for n, s in self.classifier.shapes.items() if not s.of and not s.set)

    def _no_run(self, name: str, shape: Shape, places: list[int]) -> Reason:
        """Why single, double … ranks are no run: one that never joins, a gap, or too few."""
        ranks = [self.classifier.ranks[r] for r in places]
        runs = self._runs(shape)
        for r, rank in zip(places, ranks, strict=True):
            if {r} not in runs:
                return self.cite(self._own(name, "ends"), "near.never", type=name, rank=rank)
        if set(places) in runs:
            return self.cite(self._own(name, "short"), "near.short", type=name, least=shape.run,
                             length=len(ranks))  # fmt: skip
        ladder = [self.classifier.ranks[run[0]] for _, run in self.classifier.ladders[shape.ladder]
                  if len(run) == 1]  # fmt: skip
        if _wraps(ranks, _CIRCLE) or _wraps(ranks, ladder):
            return self.cite(self._own(name, "ends"), "near.wrap", type=name)
        return self.cite(name, "near.gap", type=name)

    def _runs(self, shape: Shape) -> list[set[int]]:
        return [set(run) for _, run in self.classifier.ladders[shape.ladder]]

    def compares(self, play: Reading, table: Reading) -> tuple[Reason, ...]:
        """Why a play is higher than the one on the table, or why it is not."""
        values = {"type": play.type, "other_type": table.type, "rank": play.rank,
                  "other": table.rank, "count": play.count, "other_count": table.count}  # fmt: skip
        if play.level != table.level:
            return (self._bombs(play, table, values),)
        if not play.level and play.build != table.build:
            return (self.cite(self._point(play, "same", table), "beat.other-type", **values),)
        before: list[str] = []
        for key, mine, theirs in self._steps(play, table):
            if mine != theirs:
                won = "higher" if mine > theirs else "lower"
                point = self._point(play, "order")
                if key in ("flush", "real"):
                    point = self._own((play if mine > theirs else table).type, key)
                values |= {"suit": play.suit, "other_suit": table.suit}
                low = (*self._low(play), *self._low(table)) if key == "rank" else ()
                # Where the rank comes first, a flush is higher only at the same top.
                said = "flush-at-top" if key == "flush" and "rank" in before else key
                return (self.cite(point, f"beat.{said}.{won}", **values), *low)
            before.append(key)
        point = f"{play.type}.equal"
        point = point if point in self.cites else self._point(play, "order")
        return (self.cite(point, "beat.equal", **values),)

    def _steps(self, play: Reading, table: Reading) -> Iterable[tuple[str, int, int]]:
        keys = self.classifier.shape_of(play).by
        return zip(keys, play.strength, table.strength, strict=True)

    def _bombs(self, play: Reading, table: Reading, values: dict[str, Any]) -> Reason:
        high, low = (play, table) if play.level > table.level else (table, play)
        won = "higher" if high is play else "lower"
        if not low.level:
            return self.cite("bomb", f"beat.bomb.{won}", **values)
        said = "bombs-alike" if high.type == low.type else "bombs"
        return self.cite(self._point(high, "order"), f"beat.{said}.{won}", **values)

    def _own(self, name: str, point: str) -> str:
        """The type's own point where the game has one, else the type."""
        own = f"{name}.{point}"
        return own if own in self.cites else name

    def _point(self, play: Reading, point: str, table: Reading | None = None) -> str:
        """The point to cite: the type's own (`三带.order`) where the game has one."""
        own = f"{play.type}.{point}"
        return own if own in self.cites and (table is None or table.group == play.group) else point


def _values(reading: Reading) -> dict[str, Any]:
    return {
        "type": reading.type,
        "rank": reading.rank,
        "low": reading.low,
        "group": reading.group,
        "length": reading.length,
        "load": reading.load,
        "count": reading.count,
        "carried": reading.length * reading.load,
        "suit": reading.suit,
    }


_CIRCLE = sorted(NUMBERS, key=NUMBERS.__getitem__)
"""The ranks of a suit, the king followed by the ace."""


def _wraps(ranks: list[str], circle: list[str]) -> bool:
    """Whether ranks would be consecutive if the last of the circle were followed by the first."""
    n = len(circle)
    return any(
        {circle[(start + i) % n] for i in range(len(ranks))} == set(ranks) for start in range(n)
    )
