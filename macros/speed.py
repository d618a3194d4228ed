"""What the page 'how fast, how checked' shows: the figures of the last bench, and what is checked.

Every figure comes from `docs/bench.json`, which `./site-build.sh bench` writes, or is counted in the
rule data; texts stand in the template.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from engine.rulebook import Rulebook, rulebook
from engine.texts import Lang, translate
from macros import ROOT, BuildError
from macros.scripts import in_script

REPORT = ROOT / "docs" / "bench.json"
PEERS = {"RLCard doudizhu": "RLCard斗地主", "OpenSpiel hearts": "OpenSpiel红心大战"}
PLOT = 420
"""The width of the longest bar, in the plot's own units."""


@dataclass(frozen=True)
class Bar:
    """A bar of a plot: its label, its figure, its width, and whether it is ours."""

    label: str
    value: float
    width: float
    ours: bool


def bars(rows: Iterable[tuple[str, float, bool]], *, log: bool = False) -> list[Bar]:
    """Labels, figures above 0, and whether they are ours, as the bars of a plot: the longest `PLOT`
    wide; with `log` on a logarithmic scale that begins at the power of ten below the least."""
    rows = list(rows)
    if not rows:
        return []
    most, least = max(v for _, v, _ in rows), min(v for _, v, _ in rows)
    floor = math.floor(math.log10(least)) if log else 0

    def width(value: float) -> float:
        if not log:
            return PLOT * value / most
        # A figure at the foot of the scale still shows.
        return PLOT * max(math.log10(value) - floor, 0.02) / max(math.log10(most) - floor, 0.02)

    return [Bar(label, value, round(width(value), 1), ours) for label, value, ours in rows]


def figure(value: float) -> str:
    """A figure with as many places as it deserves: `1,230`, `45.6`, `0.25`."""
    places = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{places}f}"


class Speed:
    """The figures of the last bench in the reader's script; false when there was none."""

    def __init__(self, books: Sequence[Rulebook], lang: Lang, report: Path = REPORT) -> None:
        """Raises `BuildError` when the report is no JSON."""
        self.books, self.lang = books, lang
        self.found: Mapping[str, Any] = {}
        if report.is_file():
            try:
                self.found = json.loads(report.read_text(encoding="utf-8"))
            except ValueError as error:
                raise BuildError(f"{report.name}: {error}: run ./site-build.sh bench") from None

    def __bool__(self) -> bool:
        return bool(self.found)

    def milliseconds(self, who: str, kind: str) -> float:
        """How long a start took: `who` is `ours` or `bare`, `kind` is `cold` or `second`."""
        return float(median(self.found["starts"]["milliseconds"][who][kind]))

    def rule_set(self, name: str) -> str:
        """`wushik two-packs` as a reader knows it."""
        slug, _, rule_set = name.partition(" ")
        book = rulebook(slug)
        title = translate(book.game.title, self.lang)
        if len(book.rule_set) < 2 or rule_set not in book.rule_set:
            return title
        return f"{title}（{translate(book.rule_set[rule_set].title, self.lang)}）"

    def check(self, name: str) -> str:
        """`gonglei best` as a reader knows it."""
        slug, _, check = name.partition(" ")
        title = translate(rulebook(slug).check[check].title, self.lang)
        return f"{self.rule_set(slug)}：{title}"

    @cached_property
    def rates(self) -> list[tuple[str, float, float, float]]:
        """Every rule set: its name, games a second in CPython and in the browser, and questions."""
        python, browser = self.found["python"], self.found["browser"]
        return [
            (self.rule_set(name), rate, browser["games_per_second"][name],
             browser["checks_per_second"][name])
            for name, rate in python["games_per_second"].items()
            if name.split()[0] in {book.slug for book in self.books}
        ]  # fmt: skip

    @property
    def peers(self) -> dict[str, float]:
        found: dict[str, float] = self.found["python"]["peers_games_per_second"]
        return found

    @property
    def contest(self) -> list[tuple[str, float, bool]]:
        """Games a second of all, the others' first, as the rows of a plot."""
        theirs = [(in_script(PEERS[name], self.lang), r, False) for name, r in self.peers.items()]
        ours = [(name, rate, True) for name, rate, _, _ in self.rates]
        return theirs + sorted(ours, key=lambda row: row[1])

    @cached_property
    def counts(self) -> dict[str, int]:
        """What the rule data holds: games, rule sets, clauses, examples and example deals."""
        return {
            "games": len(self.books),
            "rule_sets": sum(len(book.rule_set) for book in self.books),
            "clauses": sum(len(book.clause) for book in self.books),
            "examples": sum(len(book.example) for book in self.books),
            "deals": sum(len(book.deal) for book in self.books),
        }
