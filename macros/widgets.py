"""The widgets as the build draws them: complete to read without a script, ready to come alive.

Also the data files beside the pages, which the widgets fetch when the reader gets to them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from engine import api
from engine.cards import JOKER_WORDS, SUITS, read_cards
from engine.record import example_record
from engine.rulebook import Example, label, rulebook, slugs, words
from engine.texts import LANGS, SEATS, SUIT_NAMES, Lang, translate
from macros.cards import card_html, cards_html, shapes, suit_html, tokens_html
from macros.scripts import in_script

Json = Any
FOLDER = "assets/widgets"
"""Where the data files stand in the site."""
SUIT_CHOICES = {"H": ("红心", "红桃"), "D": ("方块", "方片"), "C": ("梅花", "草花")}
"""Suits that have two names; the first is ours."""


def example_html(
    slug: str,
    example_id: str,
    lang: Lang,
    question: Mapping[str, Any] | None = None,
    caption: str = "",
) -> Markup:
    """One worked example: its caption, the cards, the verdict with its clauses, and a link that opens
    it in the widget. ``question`` asks it under other rules than its own, with a ``caption`` for that.

    :raises KeyError: when the game has no such example.
    """
    book = rulebook(slug)
    example = {e.id: e for e in book.example}[example_id]
    if question is not None:
        example = replace(example, input=api.to_json(question))
    caption = caption or book.rules().text(example.caption, lang)
    if example.deal:
        step = _replayed(slug, example.deal, lang)["steps"][example.step]
        title = translate(book.deal_of(example.deal).title, lang)
        return _render("example-step.html.j2", lang, slug, example=example, step=step, title=title,
                       caption=caption, query=example_query(example))  # fmt: skip
    verdict = api.ask(slug, example.check, example.question, lang)
    forms = _forms(slug, lang, verdict["rule_set"], tuple(verdict["options"].items()))
    fields = forms[example.check]
    asked = {n: v for n, v in example.question.items() if n not in ("rule_set", "options")}
    lines = [
        (f["label"], _value_html(f, asked[f["name"]], lang)) for f in fields if f["name"] in asked
    ]
    return _render(
        "example.html.j2",
        lang,
        slug,
        example=example,
        ask=translate(book.check[example.check].ask, lang),
        caption=caption,
        lines=lines,
        verdict=verdict,
        special=in_force_words(slug, verdict, lang, only_changed=True),
        query=example_query(example),
    )


def example_query(example: Example) -> str:
    """The part of an address that opens an example in its widget: ``?check=…&in=…``."""
    if example.deal:
        return "?" + urlencode({"deal": example.deal, "step": example.step})
    return "?" + urlencode({"check": example.check, "in": api.to_json(example.question)})


def hand_check_html(slug: str, lang: Lang) -> Markup:
    """The ``<hand-check>`` of a game: a list of its questions until the script makes it a form."""
    checks = api.checks(slug, lang)["checks"]
    return _render("hand-check.html.j2", lang, slug, checks=checks)


def deal_player_html(slug: str, deal_id: str, lang: Lang) -> Markup:
    """The ``<deal-player>`` of an example deal: the table as dealt and every step in words.

    :raises KeyError: when the game has no such deal.
    """
    book = rulebook(slug)
    deal = book.deal_of(deal_id)
    replayed = _replayed(slug, deal_id, lang)
    rules = book.rules(deal.rule_set, deal.options)
    remarks: dict[int, list[str]] = {}
    for remark in deal.remarks:
        remarks.setdefault(remark.step, []).append(rules.text(remark.text, lang))
    return _render(
        "deal-player.html.j2",
        lang,
        slug,
        deal=deal,
        title=translate(deal.title, lang),
        summary=rules.text(deal.summary, lang),
        replayed=replayed,
        remarks=remarks,
        special=in_force_words(slug, replayed["record"], lang, only_changed=True),
    )


def in_force_words(slug: str, rules: Json, lang: Lang, *, only_changed: bool = False) -> str:
    """The rule set and options of an answer in words: ``两副牌；A2345顺子：不算``.

    ``only_changed`` leaves out what stands as it does by default.
    """
    book = rulebook(slug)
    plain = book.rules()
    parts = []
    if len(book.rule_set) > 1 and not (only_changed and rules["rule_set"] == plain.rule_set):
        parts.append(translate(book.rule_set[rules["rule_set"]].title, lang))
    usual = book.rules(rules["rule_set"]).options
    for name, value in rules["options"].items():
        if not (only_changed and usual[name] == value):
            option = book.option_of(name)
            title = translate(option.title, lang)
            parts.append(f"{title}：{plain.text(option.value(value).label, lang)}")
    return "；".join(parts)


def widget_data(slug: str, lang: Lang) -> Json:
    """What the widgets of a game's page need before there is an engine: the words, the shapes, the
    rule sets and options, and the forms of the questions for each rule set."""
    (info,) = (g for g in api.games(lang) if g["slug"] == slug)
    prefixes = ("ui.", "kind.")
    return {
        "labels": {k: label(k, lang) for k in words().label if k.startswith(prefixes)},
        "seats": [translate(seat, lang) for seat in SEATS],
        "suits": {script: _suit_choices(script) for script in LANGS},
        "jokers": {code: translate(word, lang) for code, word in JOKER_WORDS.items()},
        "shapes": shapes(),
        "game": info,
        "forms": {
            rule_set["id"]: api.checks(slug, lang, rule_set["id"]) for rule_set in info["rule_sets"]
        },
    }


def _suit_choices(lang: Lang) -> dict[str, list[str]]:
    """The names of each suit that a reader may choose from, ours first."""
    names = {suit: SUIT_CHOICES.get(suit, (SUIT_NAMES[suit],)) for suit in SUITS}
    return {suit: [in_script(name, lang) for name in choice] for suit, choice in names.items()}


def write_data(out: Path) -> None:
    """Write the data files of every game in both scripts below ``out``, the site's folder.

    A deal's file holds the very bytes that the engine gives for it, so that the engine in the browser
    can be held against them.
    """
    folder = out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for lang in LANGS:
        for slug in slugs():
            data = api.to_json(widget_data(slug, lang))
            (folder / f"{slug}.{lang}.json").write_text(data, encoding="utf-8")
            for deal in rulebook(slug).deal:
                text = api.to_json(_replayed(slug, deal.id, lang))
                (folder / f"{slug}-{deal.id}.{lang}.json").write_text(text, encoding="utf-8")


@cache
def _replayed(slug: str, deal_id: str, lang: Lang) -> Json:
    book = rulebook(slug)
    record = json.loads(api.to_json(asdict(example_record(book, book.deal_of(deal_id)))))
    return api.replay(record, lang)


@cache
def _forms(
    slug: str, lang: Lang, rule_set: str, options: tuple[tuple[str, str], ...]
) -> dict[str, list[Json]]:
    """The fields of every check of a game."""
    found = api.checks(slug, lang, rule_set, dict(options))
    return {check["name"]: check["fields"] for check in found["checks"]}


def _value_html(form: Mapping[str, Any], value: Json, lang: Lang) -> Markup:
    """A value of a question as a reader sees it, by the description of its field."""
    if value is None:
        return escape(label("ui.field.empty", lang))
    kind = form["type"]
    if kind == "flag":
        return escape(label("ui.yes" if value else "ui.no", lang))
    if kind == "seat":
        return escape(translate(SEATS[value], lang))
    if kind == "choice":
        return escape(form["labels"][form["values"].index(value)])
    if kind == "suit":
        return tokens_html(translate(SUIT_NAMES[value], lang), lang)
    if kind in ("card", "cards"):
        texts = [value] if isinstance(value, str) else value
        return cards_html([c for text in texts for c in read_cards(text)], lang, small=True)
    if kind == "list":
        items = [_value_html(form["of"], v, lang) for v in value]
        if form["by_seat"]:
            seats = (translate(s, lang) for s in SEATS)
            items = [Markup("{}：{}").format(s, i) for s, i in zip(seats, items, strict=False)]
        return _lines(items, lang)
    if kind == "fixed":
        return Markup(" ").join(
            Markup('<span class="part">{}</span>').format(_value_html(f, v, lang))
            for f, v in zip(form["of"], value, strict=True)
        )
    if kind in ("record", "one-of"):
        inner = {f["name"]: f for f in form["fields"]}
        return Markup(" ").join(
            Markup('<span class="part">{}：{}</span>').format(
                inner[n]["label"], _value_html(inner[n], v, lang)
            )
            for n, v in value.items()
        )
    if kind in ("by-suit", "by-card"):
        items = [
            Markup("{}：{}").format(
                suit_html(n, lang) if kind == "by-suit" else card_html(n, lang, small=True),
                _value_html(form["of"], v, lang),
            )
            for n, v in value.items()
        ]
        return _lines(items, lang)
    return escape(value)


def _lines(items: list[Markup], lang: Lang) -> Markup:
    if not items:
        return escape(label("ui.none", lang))
    return Markup("").join(Markup('<span class="line">{}</span>').format(item) for item in items)


@cache
def _environment() -> Environment:
    folder = Path(__file__).parent / "templates" / "widgets"
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


def _render(template: str, lang: Lang, slug: str, **values: Any) -> Markup:
    def ui(key: str, **parts: Any) -> str:
        text = label(f"ui.{key}", lang)
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", str(part))
        return text

    def clause(clause_id: str) -> Markup:
        return clause_link(clause_id, slug, lang)

    page = _environment().get_template(template)
    return Markup(
        page.render(
            lang=lang,
            slug=slug,
            ui=ui,
            clause=clause,
            tokens=lambda text: tokens_html(text, lang),
            cards=lambda codes: cards_html(codes, lang, small=True),
            seat_name=lambda seat: seat_names([seat], lang),
            seats=lambda seats: seat_names(seats, lang),
            scores=lambda scores: scores_words(scores, lang),
            **values,
        )
    )


def seat_names(seats: Iterable[int], lang: Lang) -> str:
    """Seats by name: ``甲、丙``."""
    return "、".join(translate(SEATS[seat], lang) for seat in seats)


def scores_words(scores: Iterable[int], lang: Lang) -> str:
    """Points by seat: ``甲 30，乙 −10``."""
    pairs = (f"{seat_names([seat], lang)} {score}" for seat, score in enumerate(scores))
    return "，".join(pairs).replace("-", "−")


@cache
def clause_link(clause_id: str, slug: str, lang: Lang) -> Markup:
    """The link to a clause from the page of the game ``slug``, named by its number."""
    home, _, number = clause_id.rpartition("-")
    page = "" if home == slug else f"../{home}/"
    name = label("ui.clause", lang).replace("{n}", number.lstrip("0"))
    return Markup('<a class="clause-link" href="{}#{}">{}</a>').format(page, clause_id, name)
