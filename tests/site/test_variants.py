"""What a switch shows is what the engine says under those rules."""

import random
from collections.abc import Mapping
from itertools import islice
from typing import TypeVar

import pytest

from engine import api
from engine.rulebook import Rulebook, rulebook, slugs
from engine.validate import table_rows
from engine.verdict import BadInput
from macros.pages import GamePage
from macros.terms import TermMarker
from macros.variants import RULE_SET, Readings, rules_when, switches

T = TypeVar("T")
CHOICES_TRIED = 24
BOOKS = [rulebook(slug) for slug in slugs()]
BY_SLUG = pytest.mark.parametrize(
    "book", [b for b in BOOKS if switches(b)], ids=lambda book: book.slug
)


def choose(found: Readings[T], chosen: Mapping[str, str]) -> T:
    """The reading that the page shows, chosen as `rule-page.js` does."""
    for when, reading in found.others:
        if all(chosen[name] == value for name, value in when.items()):
            return reading
    return found.default


def choices(book: Rulebook) -> list[dict[str, str]]:
    """Every switch turned alone under every rule set, then some combinations."""
    values = switches(book)
    found = []
    for rule_set in book.rule_set:
        usual = {**book.rules(rule_set).options, RULE_SET: rule_set}
        found.append(usual)
        found += [
            {**usual, name: value} for name in values if name != RULE_SET for value in values[name]
        ]
    rng = random.Random(book.slug)
    found += islice(
        ({RULE_SET: next(iter(book.rule_set)), **{n: rng.choice(v) for n, v in values.items()}}
         for _ in range(CHOICES_TRIED)),
        CHOICES_TRIED,
    )  # fmt: skip
    return found


@BY_SLUG
def test_clauses_read_as_under_the_rules_chosen(book: Rulebook) -> None:
    page = GamePage(book, "zh-Hans")
    page.html  # noqa: B018  (terms are met in the page's order)
    plain = TermMarker(book, "zh-Hans")
    for chosen in choices(book):
        rules = rules_when(book, chosen)
        for section in page.sections:
            for clause in section.clauses:
                wanted = plain.html(rules.clause_text(clause.id), defining=False)
                shown = choose(clause.text, chosen)
                assert shown.striptags() == wanted.striptags(), (clause.id, chosen)


@BY_SLUG
def test_tables_read_as_under_the_rules_chosen(book: Rulebook) -> None:
    page = GamePage(book, "zh-Hans")
    for chosen in choices(book):
        rules = rules_when(book, chosen)
        for table, view in zip(book.table, page.tables, strict=True):
            shown = choose(view.readings, chosen)
            assert len(shown) == len(table_rows(rules, table.id)), (table.id, chosen)
            for row, cells in zip(shown, table_rows(rules, table.id), strict=True):
                plain = TermMarker(book, "zh-Hans")
                assert [c.striptags() for c in row] == [
                    plain.html(cell, defining=False).striptags() for cell in cells
                ]


@BY_SLUG
def test_examples_say_what_the_engine_says_when_one_switch_is_turned(book: Rulebook) -> None:
    page = GamePage(book, "zh-Hans")
    views = {v.id: v for s in page.sections for c in s.clauses for v in c.examples}
    singles = len(book.rule_set) * (1 + sum(len(o.names) for o in book.option))
    for chosen in choices(book)[:singles]:
        usual = book.rules(chosen[RULE_SET]).options
        options = {n: v for n, v in chosen.items() if n != RULE_SET and v != usual[n]}
        for example in book.example:
            if not example.check:
                continue
            question = {RULE_SET: chosen[RULE_SET], **example.question}
            question["options"] = options | question.get("options", {})
            shown = choose(views[example.id].readings, chosen).striptags()
            try:
                verdict = api.check_in(book, example.check, question)
            except BadInput:
                assert "这一题就不成立了" in shown
                continue
            for reason in verdict["reasons"]:
                plain = TermMarker(book, "zh-Hans")
                text = plain.html(reason["text"], defining=False).striptags()
                assert "".join(text.split()) in "".join(shown.split()), (example.id, chosen)


@BY_SLUG
def test_a_reading_that_is_no_other_is_not_called_changed(book: Rulebook) -> None:
    page = GamePage(book, "zh-Hans")
    page.html  # noqa: B018  (terms are met in the page's order)
    for section in page.sections:
        for clause in section.clauses:
            for found in (clause.text, *(example.readings for example in clause.examples)):
                default = found.default.striptags()
                assert default not in [other.striptags() for _, other in found.others]
                start = {**page.rules.options, RULE_SET: page.rules.rule_set}
                assert choose(found, start) == found.default


@BY_SLUG
def test_a_switch_that_changes_nothing_is_no_switch(book: Rulebook) -> None:
    page = GamePage(book, "zh-Hans")
    views = [page.rule_sets] if page.rule_sets else []
    for view in (*views, *page.options):
        assert view.effects or view.examples, f"nothing on the page shows {view.name}"
