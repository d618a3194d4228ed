"""The rule data of a game: what stands in `engine/rules/SLUG.toml`, read strictly.

A `Rulebook` is the whole file. `Rules` is a rulebook with one rule set and the options chosen: its
`facts` are what the engine computes with and what the texts are filled from. Rule sets and options
are nothing but named changes to the facts.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, Literal, TypeVar

from engine import schema
from engine.texts import Lang, render, translate
from engine.verdict import BadInput, Message

Mark = Literal["source", "emended", "supplied"]
Section = Literal["prepare", "deal", "order", "types", "bid", "play", "score", "match", "advice"]
Data = Mapping[str, Any]
T = TypeVar("T")


class RuleDataError(Exception):
    """Rule data that cannot be used: `FILE: KEY: REASON` in one line."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file, self.key, self.reason = file, key, reason


@dataclass(frozen=True)
class GameInfo:
    """What the game is, at a glance. `players` from least to most; `minutes` likewise."""

    slug: str
    title: str
    family: str
    players: tuple[int, int]
    pack: str
    """The cards used, a template."""
    packs: int
    """How many packs the index files it under."""
    minutes: tuple[int, int]
    difficulty: Literal[1, 2, 3]
    summary: tuple[str, str]
    """The game in two lines, for who has never heard of it; templates."""
    aim: str
    """The object of the game in one sentence, a template."""
    direction: Literal["clockwise", "counter-clockwise"]
    sources: tuple[str, ...]
    """What the rules were worked out from, in words."""
    other_names: tuple[str, ...] = ()
    best_players: tuple[int, ...] = ()
    jokers: bool = False
    base: str = ""
    """The slug of the game that this one builds on: its facts and messages hold here too, unless
    this game has its own."""
    notice: str = ""
    """Something a reader must know above the rules (parts lost in the source, say); a template."""


@dataclass(frozen=True)
class RuleSet:
    """A way to play the game: changes to the facts, and options that stand otherwise by default."""

    title: str
    summary: str = ""
    facts: Data = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OptionValue:
    """One choice of an option: the facts it sets. `effect` says what is different then."""

    id: str
    label: str
    facts: Data
    effect: str = ""


@dataclass(frozen=True)
class Option:
    """A house rule: the first value is the default. `clause` is the one it changes."""

    id: str
    title: str
    clause: str
    values: tuple[OptionValue, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise ValueError("an option needs two values or more")

    def value(self, name: str) -> OptionValue:
        """The value of that id; raises `KeyError`."""
        return next(v for v in self.values if v.id == name) if name in self.names else _none(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.id for v in self.values)


def _none(name: str) -> OptionValue:
    raise KeyError(name)


@dataclass(frozen=True)
class Wording:
    """Another text for a clause when the fact at path `fact` has the value `is`."""

    fact: str
    is_: str | int | bool
    text: str


@dataclass(frozen=True)
class Clause:
    """One rule. `text` is a template over the facts; `note` gives the reason for an emended or
    supplied rule; `kind` "advice" states no rule (table manners, hints) and needs no example."""

    id: str
    section: Section
    mark: Mark
    text: str
    note: str = ""
    readings: tuple[str, ...] = ()
    """The conflicting readings of the source, where there are any, the chosen one first."""
    kind: Literal["rule", "advice"] = "rule"
    wordings: tuple[Wording, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table for looking up: a row for each entry of the fact at path `each`.

    `cells` are templates over `k` (key, or number from 0) and `v` (value), and the facts.
    """

    id: str
    title: str
    section: Section
    clause: str
    columns: tuple[str, ...]
    each: str
    cells: tuple[str, ...]
    rule_set: str = ""
    """Shown for this rule set only; "" for all."""


@dataclass(frozen=True)
class Example:
    """A worked example of some clauses: a question to the engine with its answer, or a step of an
    example deal. The engine's reasons (or the step's) must cite each of `clauses`.

    With `check`: `input` is the question and `answer` the keys that must come out so (others may be
    there as well), both as the JSON of the command line.
    With `deal` and `step`: the step of that deal (0 is the deal itself, 1 the first move).
    """

    id: str
    clauses: tuple[str, ...]
    caption: str
    check: str = ""
    input: str = "{}"
    answer: str = "{}"
    deal: str = ""
    step: int = 0

    def __post_init__(self) -> None:
        if bool(self.check) == bool(self.deal):
            raise ValueError("an example names either a check or a deal")
        _json_object("input", self.input)
        _json_object("answer", self.answer)

    @property
    def question(self) -> dict[str, Any]:
        return _json_object("input", self.input)

    @property
    def expected(self) -> dict[str, Any]:
        return _json_object("answer", self.answer)


def _json_object(name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} is no JSON object")
    return value


@dataclass(frozen=True)
class Remark:
    """A sentence at a step of an example deal."""

    step: int
    text: str


@dataclass(frozen=True)
class ExampleDeal:
    """A deal to watch. The cards come from `seed`, or stand in `hands` and `stock`.

    `moves` are in the notation of `engine.game.Move`; "deal" deals the next deal of the match.
    `match` is the standing that the deal starts from (see the game's `Match`).
    """

    id: str
    title: str
    players: int
    moves: tuple[str, ...]
    summary: str = ""
    rule_set: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    hands: tuple[str, ...] = ()
    stock: str = ""
    match: Data = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class CheckWords:
    """What a check is called on the page: its title, the question it answers, its fields' labels.

    `start` is what its form holds at first, as JSON.
    """

    title: str
    ask: str
    fields: Mapping[str, str]
    start: str = "{}"

    def __post_init__(self) -> None:
        _json_object("start", self.start)

    @property
    def question(self) -> dict[str, Any]:
        return _json_object("start", self.start)


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The rule data of one game."""

    game: GameInfo
    facts: Data
    clause: tuple[Clause, ...]
    rule_set: Mapping[str, RuleSet]
    check: Mapping[str, CheckWords]
    option: tuple[Option, ...] = ()
    table: tuple[Table, ...] = ()
    example: tuple[Example, ...] = ()
    deal: tuple[ExampleDeal, ...] = ()
    message: Mapping[str, str] = field(default_factory=dict)
    cites: Mapping[str, str] = field(default_factory=dict)
    """From what the family decides (`follow`, `trick`) to the clause of this game that says so."""
    glossary: Mapping[str, str] = field(default_factory=dict)
    """Terms explained where they first stand on the page."""

    @property
    def slug(self) -> str:
        return self.game.slug

    def base_message(self, key: str) -> str | None:
        """A message of the game that this one builds on."""
        return rulebook(self.game.base).message.get(key) if self.game.base else None

    def clause_of(self, clause_id: str) -> Clause:
        """The clause of that id; raises `KeyError`."""
        return {c.id: c for c in self.clause}[clause_id]

    def option_of(self, option_id: str) -> Option:
        """The option of that id; raises `KeyError`."""
        return {o.id: o for o in self.option}[option_id]

    def deal_of(self, deal_id: str) -> ExampleDeal:
        """The example deal of that id; raises `KeyError`."""
        return {d.id: d for d in self.deal}[deal_id]

    def rules(self, rule_set: str = "", options: Mapping[str, str] | None = None) -> "Rules":
        """The rules in force: the first rule set and the defaults unless named.

        Raises `BadInput` for a rule set, option or value that the game does not know.
        """
        rule_set = rule_set or next(iter(self.rule_set))
        if rule_set not in self.rule_set:
            raise BadInput("rule_set", "bad.choice", values=list(self.rule_set))
        chosen = {o.id: o.names[0] for o in self.option} | dict(self.rule_set[rule_set].options)
        for name, value in (options or {}).items():
            if name not in chosen:
                key = "bad.option" if chosen else "bad.no-options"
                raise BadInput(f"options.{name}"[:60], key, values=list(chosen))
            if value not in self.option_of(name).names:
                values = list(self.option_of(name).names)
                raise BadInput(f"options.{name}", "bad.choice", values=values)
            chosen[name] = value
        return _rules(self, rule_set, tuple(chosen.items()))


@dataclass(frozen=True, eq=False)
class Rules:
    """A rulebook with one rule set and the options chosen; `facts` holds the result."""

    book: Rulebook
    rule_set: str
    options: Mapping[str, str]
    facts: Data

    @cached_property
    def figures(self) -> Data:
        """What the game works out from the facts, for texts and tables (`Game.figures`)."""
        from engine.registry import game_by  # a game is made from its rules, not the other way

        return game_by(self).figures()

    def fact(self, path: str) -> Any:
        """The fact at a dotted path, or, under `figures`, what follows from the facts.

        Raises `KeyError` with the path.
        """
        value: Any = self._facts_for(path)
        for step in path.split("."):
            try:
                value = value[int(step) if isinstance(value, list | tuple) else step]
            except (KeyError, IndexError, ValueError, TypeError):
                raise KeyError(path) from None
        return value

    def text(self, template: str, lang: Lang = "zh-Hans", **values: Any) -> str:
        """A template of the rule data, filled from the facts, their figures and `values`."""
        return render(template, {**self._facts_for(template), **values}, lang)

    def _facts_for(self, text: str) -> Data:
        """The facts, with the figures where a path or template names them."""
        return {**self.facts, "figures": self.figures} if "figures." in text else self.facts

    def clause_template(self, clause: Clause) -> str:
        """The clause's template under the options in force."""
        for wording in clause.wordings:
            if self.fact(wording.fact) == wording.is_:
                return wording.text
        return clause.text

    def clause_text(self, clause_id: str, lang: Lang = "zh-Hans") -> str:
        """The clause as the reader sees it under these rules."""
        return self.text(self.clause_template(self.book.clause_of(clause_id)), lang)

    def say(self, message: Message, lang: Lang = "zh-Hans") -> str:
        """A message in words, from the game's own messages or those that all games share."""
        own = self.book.message.get(message.key) or self.book.base_message(message.key)
        template = own or words().message[message.key]
        return self.text(template, lang, **message.params)


@lru_cache(maxsize=256)
def _rules(book: Rulebook, rule_set: str, options: tuple[tuple[str, str], ...]) -> Rules:
    base = rulebook(book.game.base).facts if book.game.base else {}
    facts = merge(merge(base, book.facts), book.rule_set[rule_set].facts)
    for name, value in options:
        facts = merge(facts, book.option_of(name).value(value).facts)
    return Rules(book, rule_set, dict(options), facts)


def merge(base: Data, change: Data) -> dict[str, Any]:
    """`base` with the entries of `change` laid over it, tables within tables likewise."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        merged[key] = (
            merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
        )
    return merged


@dataclass(frozen=True)
class Words:
    """The words that all games share (`words.toml`)."""

    section: Mapping[str, str]
    mark: Mapping[str, str]
    family: Mapping[str, str]
    message: Mapping[str, str]
    glossary: Mapping[str, str]
    label: Mapping[str, str]
    terms: tuple[str, ...]
    """Names with a numeral in them, which are no figures."""


@cache
def words() -> Words:
    """The shared words. Raises `RuleDataError`."""
    return _read(Words, "words.toml")


def say(message: Message, lang: Lang = "zh-Hans") -> str:
    """A shared message in words, for what belongs to no game."""
    return render(words().message[message.key], message.params, lang)


def label(key: str, lang: Lang = "zh-Hans") -> str:
    """A shared label (zone, mark or button); raises `KeyError`."""
    return translate(words().label[key], lang)


@cache
def slugs() -> tuple[str, ...]:
    """The slugs of all games, in alphabetical order."""
    folder = resources.files("engine") / "rules"
    names = (f.name for f in folder.iterdir())
    found = (n.removesuffix(".toml") for n in names if n.endswith(".toml") and n != "words.toml")
    return tuple(sorted(found))


@cache
def rulebook(slug: str) -> Rulebook:
    """The rule data of a game. Raises `KeyError` for an unknown slug and `RuleDataError`."""
    if slug not in slugs():
        raise KeyError(slug)
    book = _read(Rulebook, f"{slug}.toml")
    if book.game.slug != slug:
        raise RuleDataError(f"{slug}.toml", "game.slug", f"expected {slug!r}, the file's name")
    return book


def parse(text: str, file: str) -> Rulebook:
    """Rule data from the text of a file named `file`. Raises `RuleDataError`."""
    return _parse(Rulebook, text, file)


def _read(kind: type[T], file: str) -> T:
    text = (resources.files("engine") / "rules" / file).read_text(encoding="utf-8")
    return _parse(kind, text, file)


def _parse(kind: type[T], text: str, file: str) -> T:
    try:
        return schema.load(kind, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise RuleDataError(file, "TOML", str(error)) from None
    except schema.SchemaError as error:
        raise RuleDataError(file, error.key, error.reason) from None
