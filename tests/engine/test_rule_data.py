"""What must hold of the rule data of every game (the design's three promises)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine import api
from engine.record import example_record, states
from engine.registry import game_of
from engine.rulebook import Rulebook, RuleDataError, rulebook, slugs, words
from engine.texts import MissingFact
from engine.validate import step_reasons, table_rows, templates, validate, variants
from engine.verdict import BadInput

SLUGS = slugs()


@pytest.fixture(params=SLUGS)
def book(request: pytest.FixtureRequest) -> Rulebook:
    return rulebook(request.param)


def test_rule_data_holds_together(book: Rulebook) -> None:
    validate(book)


def test_every_rule_clause_is_shown_deciding_something(book: Rulebook) -> None:
    shown = {clause for example in book.example for clause in example.clauses}
    rules = {clause.id for clause in book.clause if clause.kind == "rule"}
    assert sorted(rules - shown) == []


def test_every_rule_set_has_two_example_deals(book: Rulebook) -> None:
    first = next(iter(book.rule_set))
    for name in book.rule_set:
        deals = [d.id for d in book.deal if (d.rule_set or first) == name]
        assert len(deals) >= 2, f"{name}: {deals}"


def test_clause_numbers_run_without_a_gap(book: Rulebook) -> None:
    numbers = [int(re.sub(r"\D", "", c.id.removeprefix(book.slug))) for c in book.clause]
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))


_FIGURE = re.compile(r"[0-9０-９二两三四五六七八九十百千]")


def _terms(book: Rulebook) -> list[str]:
    """Names with numerals in them, which are no figures: game titles, fact keys and terms."""

    def leaves(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from leaves(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from leaves(inner)
        elif isinstance(value, str):
            yield value

    found = {book.game.title, *book.game.other_names, *book.glossary, *words().glossary}
    found |= {rulebook(slug).game.title for slug in SLUGS}
    found |= set(leaves(book.facts)) | set(words().terms)
    for rules in variants(book):
        found |= set(leaves(rules.facts))
    return sorted((t for t in found if len(t) > 1 and not t.isdecimal()), key=len, reverse=True)


def test_texts_hold_no_figure_of_their_own(book: Rulebook) -> None:
    terms = _terms(book)
    texts = dict(templates(book)) | {f"message.{k}": v for k, v in book.message.items()}
    wrong = {}
    for key, text in texts.items():
        bare = re.sub(r"\{[^{}]*\}", "", text)
        for term in terms:
            bare = bare.replace(term, "")
        if found := _FIGURE.findall(bare):
            wrong[key] = "".join(found)
    assert wrong == {}


def test_texts_have_no_typed_gap_between_han_and_latin(book: Rulebook) -> None:
    gap = re.compile(r"[\u4e00-\u9fff] [A-Za-z0-9{]|[A-Za-z0-9}] [\u4e00-\u9fff]")
    texts = dict(templates(book)) | {f"message.{k}": v for k, v in book.message.items()}
    texts |= {f"example.{e.id}": e.caption for e in book.example}
    assert {k: t for k, t in texts.items() if gap.search(re.sub(r"\{[^{}]*\}", "{}", t))} == {}


# Promise 1: each fact stands once, and changing it changes what the reader sees or the engine says.


def _paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves; a list of plain values counts as one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*at, key))
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        for i, inner in enumerate(value):
            yield from _paths(inner, (*at, i))
    else:
        yield at


def _changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "’"
    if value and isinstance(value[0], int):
        return [value[0] + 1, *value[1:]]
    if len(value) > 1 and value[0] != value[1]:
        return [value[1], value[0], *value[2:]]
    return value[1:] if value else ["SA"]


def _with(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    if not path:
        return change(value)
    if isinstance(value, dict):
        return {k: _with(v, path[1:], change) if k == path[0] else v for k, v in value.items()}
    return [_with(v, path[1:], change) if i == path[0] else v for i, v in enumerate(value)]


def _fact_changes(book: Rulebook) -> Iterator[tuple[str, Rulebook]]:
    """The rule data with each single fact changed, in the base facts, rule sets and options."""
    for path in _paths(dict(book.facts)):
        yield f"facts.{path}", replace(book, facts=_with(dict(book.facts), path, _changed))
    for name, rule_set in book.rule_set.items():
        for path in _paths(dict(rule_set.facts)):
            changed = replace(rule_set, facts=_with(dict(rule_set.facts), path, _changed))
            yield (
                f"rule_set.{name}.{path}",
                replace(book, rule_set={**book.rule_set, name: changed}),
            )
    for option in book.option:
        for value in option.values:
            for path in _paths(dict(value.facts)):
                new = replace(value, facts=_with(dict(value.facts), path, _changed))
                values = tuple(new if v.id == value.id else v for v in option.values)
                options = tuple(
                    replace(option, values=values) if o.id == option.id else o for o in book.option
                )
                yield f"option.{option.id}.{value.id}.{path}", replace(book, option=options)


def _seen(book: Rulebook) -> Iterator[object]:
    """All that a reader sees of rule data, piece by piece: texts, tables, verdicts, deals."""
    for rules in variants(book):
        try:
            playing = game_of(book, rules.rule_set, rules.options)
            yield [playing.check(name).form() for name in playing.check_names]
        except (RuleDataError, ValueError, KeyError, IndexError) as error:
            yield f"unusable: {type(error).__name__}"
            return
        try:
            yield [rules.text(template) for _, template in templates(book)]
            yield [rules.clause_text(clause.id) for clause in book.clause]
            yield [table_rows(rules, table.id) for table in book.table]
        except (MissingFact, KeyError, ValueError, TypeError) as error:
            yield f"unreadable: {error}"
    for example in book.example:
        if example.check:
            for rules in variants(book):
                asked = {"rule_set": rules.rule_set, **example.question}
                asked["options"] = {**dict(rules.options), **example.question.get("options", {})}
                try:
                    yield api.check_in(book, example.check, asked)["answer"]
                except BadInput as error:
                    yield f"refused: {error}"
                except (RuleDataError, ValueError, KeyError, IndexError) as error:
                    yield f"fails: {type(error).__name__}"
        if example.check:
            try:
                yield api.check_in(book, example.check, example.question)["reasons"]
            except (BadInput, RuleDataError, ValueError, KeyError, IndexError) as error:
                yield f"refused: {error}"
    for deal in book.deal:
        try:
            record = example_record(book, deal)
            playing, found = states(record, game_of(book, record.rule_set, record.options))
            yield [playing.view(state, None) for state in found]
            yield [playing.result(state) for state in found]
            yield [step_reasons(book, deal.id, step) for step in range(len(found))][:1]
        except BadInput as error:
            yield f"refused: {error}"
        except (RuleDataError, ValueError, KeyError, IndexError, StopIteration) as error:
            yield f"fails: {type(error).__name__}"


@cache
def _baseline(slug: str) -> tuple[object, ...]:
    return tuple(_seen(rulebook(slug)))


def _differs(book: Rulebook, slug: str) -> bool:
    seen = _seen(book)
    return any(next(seen, None) != before for before in _baseline(slug))


def test_every_fact_changes_something_that_is_seen(book: Rulebook) -> None:
    idle = [key for key, changed in _fact_changes(book) if not _differs(changed, book.slug)]
    assert idle == []


def test_an_example_with_another_verdict_stops_the_build(book: Rulebook) -> None:
    example = next(e for e in book.example if e.check and e.expected)
    wrong = replace(example, answer=api.to_json(dict.fromkeys(example.expected, "?")))
    examples = tuple(wrong if e.id == example.id else e for e in book.example)
    with pytest.raises(RuleDataError, match=rf"{book.slug}\.toml: example\.{example.id}\.answer"):
        validate(replace(book, example=examples))
