"""What stands on the pages: the rule data of a game laid out for its reader, in either script.

A page is made of views, small values with everything already in words; the templates only place them.
Templates hold simplified Chinese and are read in the reader's script.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from engine import api
from engine.rulebook import Clause, Example, Option, Rulebook, Rules, Table, rulebook, words
from engine.texts import Lang, translate
from engine.validate import table_rows
from macros import variants, widgets
from macros.cards import tokens_html
from macros.scripts import in_script
from macros.speed import Speed, bars, figure
from macros.terms import Term, TermMarker, terms_of
from macros.variants import RULE_SET, Readings, When

TEMPLATES = Path(__file__).parent / "templates"
SECTIONS = ("prepare", "deal", "order", "types", "bid", "play", "score", "match", "advice")


class InScript(BaseLoader):
    """Templates of another loader, with their Chinese in the reader's script."""

    def __init__(self, loader: BaseLoader, lang: Lang) -> None:
        self.loader, self.lang = loader, lang

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, file, fresh = self.loader.get_source(environment, template)
        return in_script(source, self.lang), file, fresh

    def list_templates(self) -> list[str]:
        return self.loader.list_templates()


@lru_cache(maxsize=2)
def environment(lang: Lang) -> Environment:
    """The templates of the pages."""
    found = Environment(
        loader=InScript(FileSystemLoader(TEMPLATES), lang),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["tokens"] = lambda text: tokens_html(str(text), lang)
    found.filters["number"] = clause_number
    found.globals["lang"] = lang
    return found


def clause_number(clause_id: str) -> str:
    """The number that a clause goes by on its page: `5a` of `sibaifen-05a`."""
    return clause_id.rpartition("-")[2].lstrip("0")


def from_to(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


# Views


@dataclass(frozen=True)
class ExampleView:
    """An example as drawn, and under which choices it comes out otherwise."""

    id: str
    anchor: str
    readings: Readings[Markup]


@dataclass(frozen=True)
class TableView:
    """A table with its cells as HTML; a reading without rows is a table that is not shown."""

    id: str
    title: str
    columns: tuple[str, ...]
    clause: str
    readings: Readings[tuple[tuple[Markup, ...], ...]]


@dataclass(frozen=True)
class SwitchEffect:
    """What a switch changes on the page: an anchor and its name."""

    anchor: str
    name: str


@dataclass(frozen=True)
class ValueView:
    """One position of a switch."""

    id: str
    label: str
    effect: str
    defaults: str = ""
    """For a rule set: its option defaults, as JSON."""


@dataclass(frozen=True)
class SwitchView:
    """A rule set or house rule that the reader can turn."""

    name: str
    title: str
    clause: str
    values: tuple[ValueView, ...]
    effects: tuple[SwitchEffect, ...]
    examples: int
    """How many examples it changes."""


@dataclass(frozen=True)
class ClauseView:
    """One rule: its sentence, where it comes from, and what shows it."""

    id: str
    number: str
    mark: str
    mark_label: str
    advice: bool
    text: Readings[Markup]
    note: Markup
    rulings: tuple[Markup, ...]
    terms: tuple[Term, ...]
    options: tuple[SwitchView, ...]
    examples: tuple[ExampleView, ...]
    shown_elsewhere: tuple[tuple[str, str], ...]
    """Examples placed at another clause: anchor and number of that clause."""
    tables: tuple[TableView, ...]


@dataclass(frozen=True)
class SectionView:
    id: str
    title: str
    clauses: tuple[ClauseView, ...]


@dataclass(frozen=True)
class Row:
    """A game in the index."""

    slug: str
    title: str
    other_names: tuple[str, ...]
    players: str
    least: int
    most: int
    best: str
    packs: int
    jokers: bool
    pack: str
    family: str
    family_title: str
    minutes: str
    longest: int
    difficulty: int
    line: str


class GamePage:
    """The page of one game in one script."""

    def __init__(self, book: Rulebook, lang: Lang) -> None:
        self.book, self.lang = book, lang
        self.rules = book.rules()
        self.terms = TermMarker(book, lang)
        self._examples = {e.id: self._example(e) for e in book.example}
        self._tables = {t.id: self._table(t) for t in book.table}
        self._clause_switches = {c.id: variants.clause_depends(book, c) for c in book.clause}

    @cached_property
    def html(self) -> Markup:
        """The page from its title to its sources."""
        template = environment(self.lang).get_template("game.html.j2")
        return Markup(template.render(page=self))

    # Small pieces

    @property
    def _names(self) -> Any:
        """The short names in `names.j2`."""
        return environment(self.lang).get_template("names.j2").module

    def say(self, text: str) -> str:
        """A template of the rule data in words."""
        return self.rules.text(text, self.lang)

    def word(self, text: str) -> str:
        """A plain text of the rule data in the page's script."""
        return translate(text, self.lang)

    @property
    def title(self) -> str:
        return self.word(self.book.game.title)

    @property
    def slug(self) -> str:
        return self.book.slug

    @property
    def description(self) -> str:
        """The game in two lines, for search engines."""
        return "".join(self.say(line) for line in self.book.game.summary)

    @cached_property
    def row(self) -> Row:
        return index_row(self.book, self.lang)

    @cached_property
    def lead(self) -> tuple[tuple[Markup, ...], tuple[Term, ...]]:
        """The game in two lines and its aim, with the terms they bring in."""
        lines = [*self.book.game.summary, self.book.game.aim]
        return tuple(self.terms.html(self.say(line)) for line in lines), self.terms.take_new()

    @property
    def shown(self) -> tuple[int, int]:
        """How many rules have an example, and how many rules there are."""
        rules = [c.id for c in self.book.clause if c.kind == "rule"]
        shown = {clause for e in self.book.example for clause in e.clauses}
        return sum(clause in shown for clause in rules), len(rules)

    @property
    def marks(self) -> dict[str, tuple[str, int]]:
        """How many clauses carry each mark, by mark: its name and the number."""
        names = words().mark
        counts = {mark: sum(c.mark == mark for c in self.book.clause) for mark in names}
        return {mark: (self.word(names[mark]), n) for mark, n in counts.items() if n}

    # The rules

    @cached_property
    def sections(self) -> tuple[SectionView, ...]:
        found = []
        for section in SECTIONS:
            clauses = [c for c in self.book.clause if c.section == section]
            if clauses:
                self.terms.new_section()
                title = self.word(words().section[section])
                views = tuple(self._clause(c) for c in clauses)
                found.append(SectionView(f"{self.slug}-{section}", title, views))
        return tuple(found)

    def _clause(self, clause: Clause) -> ClauseView:
        found = variants.readings(
            self.book,
            self._clause_switches[clause.id],
            lambda rules, _: rules.clause_text(clause.id, self.lang),
        )
        text = Readings(
            self.terms.html(found.default),
            found.switches,
            tuple((when, self.terms.html(t, defining=False)) for when, t in found.others),
        )
        examples = [e for e in self.book.example if e.clauses[0] == clause.id]
        elsewhere = [e for e in self.book.example if clause.id in e.clauses and e not in examples]
        return ClauseView(
            id=clause.id,
            number=clause_number(clause.id),
            mark=clause.mark,
            mark_label=self.word(words().mark[clause.mark]),
            advice=clause.kind == "advice",
            text=text,
            note=self.terms.html(self.say(clause.note)),
            rulings=tuple(self.terms.html(self.say(r)) for r in clause.readings),
            terms=self.terms.take_new(),
            options=tuple(self._option(o) for o in self.book.option if o.clause == clause.id),
            examples=tuple(self._examples[e.id] for e in examples),
            shown_elsewhere=tuple(
                (self._examples[e.id].anchor, clause_number(e.clauses[0])) for e in elsewhere
            ),
            tables=tuple(self._tables[t.id] for t in self.book.table if t.clause == clause.id),
        )

    @property
    def tables(self) -> tuple[TableView, ...]:
        return tuple(self._tables.values())

    def _table(self, table: Table) -> TableView:
        def rows(rules: Rules, _: When) -> tuple[tuple[Markup, ...], ...]:
            return tuple(
                tuple(tokens_html(cell, self.lang) for cell in row)
                for row in table_rows(rules, table.id, self.lang)
            )

        return TableView(
            id=f"{self.slug}-table-{table.id}",
            title=self.word(table.title),
            columns=tuple(self.word(c) for c in table.columns),
            clause=table.clause,
            readings=variants.readings(self.book, variants.table_depends(self.book, table), rows),
        )

    def _example(self, example: Example) -> ExampleView:
        anchor = f"{self.slug}-example-{example.id}"
        default = variants.answer_under(self.book, example, {}) if example.check else ""

        def draw(_: Rules, when: When) -> Markup:
            if not when:
                return widgets.example_html(self.slug, example.id, self.lang)
            answer = variants.answer_under(self.book, example, when)
            if answer == default:
                return drawn
            if not answer:
                return Markup(environment(self.lang).get_template("no-question.html.j2").render())
            question = variants.example_under(self.book, example, when)
            other = widgets.example_html(
                self.slug, example.id, self.lang, question, self._names.other_rules
            )
            return Markup(other.replace(f' id="{anchor}"', "", 1))

        drawn = draw(self.rules, {})
        depends = variants.example_depends(self.book, example)
        return ExampleView(example.id, anchor, variants.readings(self.book, depends, draw))

    # House rules

    @cached_property
    def rule_sets(self) -> SwitchView | None:
        """The switch of the rule set, where the game has several."""
        if len(self.book.rule_set) < 2:
            return None
        values = []
        for name, rule_set in self.book.rule_set.items():
            rules = self.book.rules(name)
            summary = rules.text(rule_set.summary, self.lang)
            defaults = api.to_json(dict(rules.options))
            values.append(ValueView(name, self.word(rule_set.title), summary, defaults))
        return self._switch(RULE_SET, "", "", tuple(values))

    @cached_property
    def options(self) -> tuple[SwitchView, ...]:
        return tuple(self._option(option) for option in self.book.option)

    def _option(self, option: Option) -> SwitchView:
        values = tuple(
            ValueView(v.id, self.say(v.label), self.say(v.effect) if v.effect else "")
            for v in option.values
        )
        title = self.word(option.title)
        return self._switch(option.id, title, option.clause, values)

    def _switch(
        self, name: str, title: str, clause: str, values: tuple[ValueView, ...]
    ) -> SwitchView:
        effects, examples = self._effects(name), self._examples_changed(name)
        return SwitchView(name, title, clause, values, effects, examples)

    def _effects(self, switch: str) -> tuple[SwitchEffect, ...]:
        """The clauses and tables that a switch changes."""
        found = [
            SwitchEffect(clause, self._names.clause(clause_number(clause)))
            for clause, names in self._clause_switches.items()
            if switch in names
        ]
        found += [
            SwitchEffect(view.id, self._names.table(view.title))
            for view in self._tables.values()
            if switch in view.readings.switches
        ]
        return tuple(found)

    def _examples_changed(self, switch: str) -> int:
        return sum(switch in view.readings.switches for view in self._examples.values())

    @property
    def start(self) -> str:
        """The choices as they stand, as JSON, for the switches."""
        return api.to_json({RULE_SET: self.rules.rule_set, **self.rules.options})

    # Watching and trying

    @property
    def deals(self) -> tuple[str, ...]:
        return tuple(deal.id for deal in self.book.deal)

    def deal_html(self, deal_id: str) -> Markup:
        return widgets.deal_player_html(self.slug, deal_id, self.lang)

    @property
    def hand_check(self) -> Markup:
        return widgets.hand_check_html(self.slug, self.lang)

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(self.word(source) for source in self.book.game.sources)

    @property
    def base(self) -> str:
        """The slug of the game that this one builds on, "" for none."""
        return self.book.game.base

    @property
    def base_title(self) -> str:
        return self.word(rulebook(self.base).game.title)

    # For the navigation and the search

    def headings(self) -> list[dict[str, Any]]:
        """The table of contents, as MkDocs takes it."""
        rules = [_heading(3, s.id, s.title) for s in self.sections]
        parts = self._names.headings
        found = []
        if self.deals:
            found.append(_heading(2, "watch", parts["watch"]))
        found += [_heading(2, "rules", parts["rules"], rules)]
        found += [_heading(2, "try", parts["try"])]
        if self.tables:
            found.append(_heading(2, "tables", parts["tables"]))
        if self.options:
            found.append(_heading(2, "options", parts["options"]))
        found.append(_heading(2, "sources", parts["sources"]))
        return [_heading(1, self.slug, self.title, found)]

    def search_entries(self, url: str) -> Iterator[dict[str, str]]:
        """What the search finds on this page: the game, its rules, its terms and its tables."""
        names = [self.title, *self.row.other_names]
        yield _entry(url, self.title, " ".join([*names[1:], self.description]))
        for section in self.sections:
            for clause in section.clauses:
                text = " ".join(
                    Markup(part).striptags() for part in (clause.text.default, clause.note) if part
                )
                title = f"{section.title} {clause.number}"
                yield _entry(f"{url}#{clause.id}", title, text)
        for term in self.terms.met:
            yield _entry(f"{url}#{term.anchor}", term.word, term.meaning)
        for table in self.tables:
            cells = (cell.striptags() for row in table.readings.default for cell in row)
            yield _entry(f"{url}#{table.id}", table.title, " ".join(cells))


def _heading(
    level: int, anchor: str, name: str, children: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    return {"level": level, "id": anchor, "name": name, "children": list(children)}


def _entry(location: str, title: str, text: str) -> dict[str, str]:
    # The index holds texts as HTML.
    return {"location": location, "title": str(escape(title)), "text": str(escape(text))}


# Pages over all games


def index_row(book: Rulebook, lang: Lang) -> Row:
    """A game as the index lists it."""
    info, rules = book.game, book.rules()
    return Row(
        slug=info.slug,
        title=translate(info.title, lang),
        other_names=tuple(translate(name, lang) for name in info.other_names),
        players=from_to(*info.players),
        least=info.players[0],
        most=info.players[1],
        best=from_to(min(info.best_players), max(info.best_players)) if info.best_players else "",
        packs=info.packs,
        jokers=info.jokers,
        pack=rules.text(info.pack, lang),
        family=info.family,
        family_title=translate(words().family[info.family], lang),
        minutes=from_to(*info.minutes),
        longest=info.minutes[1],
        difficulty=info.difficulty,
        line=rules.text(info.summary[0], lang),
    )


def index_order(books: Iterable[Rulebook]) -> list[Rulebook]:
    """Games by family, the easy ones of a family first."""
    families = list(words().family)
    return sorted(books, key=lambda b: (families.index(b.game.family), b.game.difficulty, b.slug))


@dataclass(frozen=True)
class Emendation:
    """A clause that the source does not give as it stands."""

    id: str
    number: str
    mark: str
    mark_label: str
    text: str
    note: str
    readings: tuple[str, ...]
    options: tuple[tuple[str, str, str], ...]
    """Options of the clause: id, title, and the labels of its values."""


def emendations(book: Rulebook, lang: Lang) -> tuple[Emendation, ...]:
    """Every emended or supplied clause of a game."""
    rules = book.rules()

    def option(o: Option) -> tuple[str, str, str]:
        labels = "、".join(rules.text(v.label, lang) for v in o.values)
        return o.id, translate(o.title, lang), labels

    return tuple(
        Emendation(
            id=clause.id,
            number=clause_number(clause.id),
            mark=clause.mark,
            mark_label=translate(words().mark[clause.mark], lang),
            text=rules.clause_text(clause.id, lang),
            note=rules.text(clause.note, lang),
            readings=tuple(rules.text(r, lang) for r in clause.readings),
            options=tuple(option(o) for o in book.option if o.clause == clause.id),
        )
        for clause in book.clause
        if clause.mark != "source"
    )


def parts(books: Sequence[Rulebook], lang: Lang) -> Mapping[str, Callable[[], Markup]]:
    """What a hand-written page can call in with a paragraph `{{ name }}`."""
    ordered = index_order(books)

    def render(template: str, **values: Any) -> Markup:
        return Markup(environment(lang).get_template(template).render(**values))

    rows = [index_row(book, lang) for book in ordered]
    families = {row.family: row.family_title for row in rows}
    return {
        "games": lambda: render("index.html.j2", rows=rows, families=families),
        "editorial": lambda: render(
            "editorial.html.j2",
            games=[(row, emendations(b, lang)) for row, b in zip(rows, ordered, strict=True)],
        ),
        "data": lambda: render("data.html.j2", rows=rows),
        "marks": lambda: render("marks.html.j2"),
        **speed_parts(ordered, lang),
    }


def speed_parts(books: Sequence[Rulebook], lang: Lang) -> Mapping[str, Callable[[], Markup]]:
    """The parts of the page about speed: what was never measured is said to be so."""
    measured = Speed(books, lang)
    values = {"bars": bars, "figure": figure}
    said: Any = environment(lang).get_template("speed.html.j2").make_module(values)

    def part(name: str) -> Callable[[], Markup]:
        return lambda: Markup(getattr(said, name)(measured) if measured else said.unmeasured())

    return {
        "checked": lambda: Markup(said.checked(measured)),
        **{name: part(name) for name in ("starts", "rates", "goals")},
    }


def vocabulary(books: Iterable[Rulebook], lang: Lang) -> list[str]:
    """Names and terms, for the search to suggest."""
    found: dict[str, None] = {}
    for book in books:
        info = book.game
        found |= dict.fromkeys(translate(n, lang) for n in (info.title, *info.other_names))
        found |= dict.fromkeys(term.word for term in terms_of(book, lang))
    return list(found)


def when_json(when: When) -> str:
    """Choices as JSON, for an attribute."""
    return json.dumps(when, ensure_ascii=False, separators=(",", ":"))
