"""What on a page depends on a rule set or a house rule, and how it reads then.

Every sentence, table and example is shown under the rules as they stand. Where a rule set or an
option changes it, the page also holds the other readings, each with the choices under which it
applies; a switch on the page then only shows one and hides the other.
"""

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Generic, TypeVar

from engine import api
from engine.rulebook import Clause, Example, Rulebook, Rules, Table
from engine.verdict import BadInput

RULE_SET = "rule_set"
"""The switch of the rule set; the others are named by their option's id."""

T = TypeVar("T")
When = Mapping[str, str]
"""Choices by switch: a rule set under `RULE_SET`, values under option ids."""


@dataclass(frozen=True)
class Readings(Generic[T]):
    """Something as it reads under the rules as they stand, and where it reads otherwise.

    `switches` are those that may change it; each of `others` names a choice for each of them.
    """

    default: T
    switches: tuple[str, ...]
    others: tuple[tuple[When, T], ...]


def switches(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Every switch of a game with its values, the default first."""
    found = {option.id: option.names for option in book.option}
    if len(book.rule_set) > 1:
        found[RULE_SET] = tuple(book.rule_set)
    return found


def rules_when(book: Rulebook, when: When) -> Rules:
    """The rules with these choices and everything else as it stands."""
    options = {name: value for name, value in when.items() if name != RULE_SET}
    return book.rules(when.get(RULE_SET, ""), options)


def readings(
    book: Rulebook, depends: Iterable[str], render: Callable[[Rules, When], T]
) -> Readings[T]:
    """What `render` makes under every combination of the switches that it depends on."""
    names = tuple(depends)
    values = switches(book)
    default = render(book.rules(), {})
    others = []
    for combination in product(*(values[name] for name in names)):
        when = dict(zip(names, combination, strict=True))
        other = render(rules_when(book, when), when)
        if other != default:
            others.append((when, other))
    return Readings(default, names if others else (), tuple(others))


def changing(book: Rulebook, render: Callable[[Rules, When], T]) -> tuple[str, ...]:
    """The switches that, turned alone under some rule set, change what `render` makes."""

    def make(when: When) -> T:
        return render(rules_when(book, when), when)

    values = switches(book)
    sets: list[When] = [{RULE_SET: name} for name in values.get(RULE_SET, ())] or [{}]
    plain = [make(when) for when in sets]
    found = set()
    if any(made != plain[0] for made in plain):
        found.add(RULE_SET)
    for number, (when, made) in enumerate(zip(sets, plain, strict=True)):
        for name in values:
            if name == RULE_SET or all(make({**when, name: v}) == made for v in values[name]):
                continue
            found |= {name, RULE_SET} if number else {name}
    return tuple(name for name in values if name in found)


def _leaves(facts: Mapping[str, Any], at: str = "") -> Iterator[str]:
    for key, value in facts.items():
        path = f"{at}.{key}" if at else str(key)
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, path)
        else:
            yield path


@lru_cache(maxsize=64)
def _facts_by_switch(book: Rulebook) -> dict[str, frozenset[str]]:
    """From each switch to the paths of the facts that it sets."""
    found = {
        option.id: frozenset(path for value in option.values for path in _leaves(value.facts))
        for option in book.option
    }
    sets = book.rule_set.values()
    found[RULE_SET] = frozenset(path for s in sets for path in _leaves(s.facts))
    return found


def facts_of_switches(book: Rulebook) -> frozenset[str]:
    """The paths of the facts that some rule set or option sets."""
    return frozenset().union(*_facts_by_switch(book).values())


def depends_on(book: Rulebook, paths: Iterable[str]) -> tuple[str, ...]:
    """The switches that set one of these facts, a part of it, or what it is part of."""
    wanted = set(paths)
    return tuple(
        name
        for name, facts in _facts_by_switch(book).items()
        if name in switches(book)
        and any(
            path == fact or path.startswith(f"{fact}.") or fact.startswith(f"{path}.")
            for path in wanted
            for fact in facts
        )
    )


def paths_in(template: str) -> set[str]:
    """The facts that a template names."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def text_depends(book: Rulebook, templates: Iterable[str], paths: Iterable[str]) -> tuple[str, ...]:
    """The switches that may change texts made from these templates and facts."""
    templates = tuple(templates)
    named = set(paths).union(*map(paths_in, templates))
    found = dict.fromkeys(depends_on(book, named))
    if any(path.startswith("figures.") for path in named):
        # What a game works out from its facts may come from any of them: try.
        def render(rules: Rules, _: When) -> list[Any]:
            figures = [path for path in sorted(named) if path.startswith("figures.")]
            return [rules.fact(path) for path in figures]

        found |= dict.fromkeys(changing(book, render))
    return tuple(found)


def clause_depends(book: Rulebook, clause: Clause) -> tuple[str, ...]:
    """The switches that may change a clause's sentence."""
    wordings = clause.wordings
    return text_depends(
        book, [clause.text, *(w.text for w in wordings)], [w.fact for w in wordings]
    )


def table_depends(book: Rulebook, table: Table) -> tuple[str, ...]:
    """The switches that may change a table."""
    found = text_depends(book, table.cells, [table.each])
    if table.rule_set and len(book.rule_set) > 1 and RULE_SET not in found:
        return (*found, RULE_SET)
    return found


def example_under(book: Rulebook, example: Example, when: When) -> dict[str, Any]:
    """An example's question asked with these choices, those that it names itself excepted.

    Only what the reader has changed is asked for: an example may belong to a rule set of its own,
    whose options stand otherwise.
    """
    question = dict(example.question)
    usual = book.rules(when.get(RULE_SET, "")).options
    options = {n: v for n, v in when.items() if n != RULE_SET and v != usual[n]}
    if RULE_SET in when:
        question.setdefault(RULE_SET, when[RULE_SET])
    if options:
        question["options"] = options | question.get("options", {})
    return question


@lru_cache(maxsize=8192)
def _answer(book: Rulebook, check: str, question: str) -> str:
    """The engine's answer and its reasons as JSON; "" where it is no question."""
    try:
        found = api.check_in(book, check, api.read_json(question, "input"))
    except BadInput:
        return ""
    return api.to_json([found["answer"], found["reasons"]])


def answer_under(book: Rulebook, example: Example, when: When) -> str:
    """What the engine answers to an example with these choices; "" where it is then no question."""
    return _answer(book, example.check, api.to_json(example_under(book, example, when)))


def example_depends(book: Rulebook, example: Example) -> tuple[str, ...]:
    """The switches that, turned alone, change an example's answer or the reasons for it."""
    if example.deal:
        return ()
    found = changing(book, lambda _, when: answer_under(book, example, when))
    usual = [book.rules(rule_set).options for rule_set in book.rule_set]
    if RULE_SET not in found and any(
        options[name] != usual[0][name] for options in usual for name in found
    ):
        return (*found, RULE_SET)
    return found
