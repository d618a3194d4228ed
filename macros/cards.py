"""Cards on a page: their suits as SVG shapes, their names as text for who does not see them.

A card in the page is text (the suit's name, hidden from the eye, and the rank) with a shape beside it,
so that it can be read aloud, copied and searched, and stays when the page is printed.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from functools import cache

from markupsafe import Markup, escape

from engine.cards import JOKER_WORDS, SUIT_GLYPHS, Card
from engine.rulebook import label
from engine.texts import SUIT_NAMES, Lang, translate
from macros import ROOT

SHAPES_FILE = ROOT / "docs" / "assets" / "cards.svg"
"""The one place where the shapes are drawn."""
RED_SUITS = ("H", "D")
_SVG = "{http://www.w3.org/2000/svg}"


@cache
def shapes() -> dict[str, str]:
    """From a suit, a joker or ``back`` to the path that draws it in a square of 24 by 24."""
    root = ElementTree.parse(SHAPES_FILE).getroot()
    return {s.attrib["id"]: s[0].attrib["d"] for s in root.iter(f"{_SVG}symbol")}


@cache
def shape_html(name: str) -> Markup:
    """The shape of a suit, a joker or ``back``, said by nobody: a name stands beside it."""
    return Markup(
        '<svg class="pip" viewBox="0 0 24 24" aria-hidden="true">'
        '<path fill-rule="evenodd" d="{}"/></svg>'
    ).format(shapes()[name])


@cache
def suit_html(suit: str, lang: Lang) -> Markup:
    """The name of a suit, as one of the words that the reader may choose."""
    name = translate(SUIT_NAMES[suit], lang)
    return Markup('<span class="suit-word" data-suit="{}">{}</span>').format(suit, name)


def colour(card: Card) -> str:
    """``red`` or ``black``; the big joker is red."""
    return "red" if card.suit in RED_SUITS or card.rank == "DW" else "black"


@cache
def card_html(code: str | None, lang: Lang, *, small: bool = False) -> Markup:
    """One card. ``code`` is a card's code, or None for one that lies face down.

    :raises ValueError: for a code that is no card's.
    """
    size = " card-small" if small else ""
    if code is None:
        back = Markup('<span class="card card-back{}">{}<span class="unseen">{}</span></span>')
        return back.format(size, shape_html("back"), label("ui.face-down", lang))
    card = Card(code)
    start = Markup('<span class="card {}{}" data-card="{}">').format(colour(card), size, card)
    if not card.suit:
        name = translate(JOKER_WORDS[card.rank], lang)
        joker = Markup('{}{}<b class="joker">{}</b></span>')
        return joker.format(start, shape_html(card.rank), name)
    return Markup('{}<span class="unseen">{}</span><b>{}</b>{}</span>').format(
        start, suit_html(card.suit, lang), card.rank, shape_html(card.suit)
    )


def cards_html(codes: Iterable[str | None], lang: Lang, *, small: bool = False) -> Markup:
    """Cards side by side, in the order given."""
    cards = Markup(" ").join(card_html(code, lang, small=small) for code in codes)
    return Markup('<span class="cards">{}</span>').format(cards)


_SUIT_OF_GLYPH = {glyph: suit for suit, glyph in SUIT_GLYPHS.items()}


@cache
def _token_pattern(lang: Lang) -> re.Pattern[str]:
    names = "|".join(translate(name, lang) for name in SUIT_NAMES.values())
    jokers = "|".join(translate(word, lang) for word in JOKER_WORDS.values())
    rank = r"(?P<{}>10|[2-9JQKA](?![A-Za-z0-9]))"
    return re.compile(
        rf"(?P<glyph>[♠♥♦♣]){rank.format('of_glyph')}?"
        rf"|(?P<name>{names}){rank.format('of_name')}?"
        rf"|(?P<joker>{jokers})"
    )


@cache
def tokens_html(text: str, lang: Lang) -> Markup:
    """A text, escaped, with its cards and suits (♠7, 黑桃7, 大王) as pieces that no line end breaks."""
    parts: list[Markup] = []
    at = 0
    for found in _token_pattern(lang).finditer(text):
        parts += [escape(text[at : found.start()]), _token(found[0], lang)]
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


@cache
def _token(text: str, lang: Lang) -> Markup:
    found = _token_pattern(lang).fullmatch(text)
    assert found
    if found["joker"]:
        return Markup('<span class="token">{}</span>').format(found["joker"])
    if found["name"]:
        suit = next(s for s, name in SUIT_NAMES.items() if translate(name, lang) == found["name"])
        rank = found["of_name"] or ""
        return Markup('<span class="token">{}{}</span>').format(suit_html(suit, lang), rank)
    suit = _SUIT_OF_GLYPH[found["glyph"]]
    return Markup('<span class="token {}">{}<span class="unseen">{}</span>{}</span>').format(
        "red" if suit in RED_SUITS else "black",
        shape_html(suit),
        suit_html(suit, lang),
        found["of_glyph"] or "",
    )
