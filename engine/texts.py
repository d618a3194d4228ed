"""Making sentences from templates and values, in either script.

A template is a text with `{path:form}` pieces: the path leads through mappings and lists
(`{special_pay.青龙}`, `{rows.0.size}`), the form says how the value is written. Forms:

| form | of | writes |
| --- | --- | --- |
| (none) | text, number | as it is |
| `cn` | number | Chinese numeral, 两 for 2: before a measure word |
| `nth` | number | Chinese numeral, 二 for 2: 第二 |
| `sign` | number | +20, −40 |
| `card`, `cards` | card code(s) | ♠7, ♠7 ♥10 |
| `rank` | rank | 7, 大王 |
| `suit`, `suits` | S H D C | 黑桃 |
| `seat`, `seats` | seat(s) from 0 | 甲, 甲、乙 |
| `at` | place in a suit, ace low | A for 1, K for 13 |
| `place` | place from 0 | 一 for the first: 第一张 |
| `by_seat` | numbers by seat | 甲8、乙0、丙−3 |
| `list` | list | items with 、 |
| `gt` | list | items with ＞, the highest first; level ones, in a list of their own, with ＝ |
| `run` | list | items with - |
| `count`, `count_cn` | list | how many |
| `each PATTERN` | table | the pattern for each entry with 、, %k for the key and %v for the value |
"""

import json
import string
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from engine.cards import JOKER_WORDS, NUMBERS, Card

Lang = Literal["zh-Hans", "zh-Hant"]
LANGS: tuple[Lang, ...] = get_args(Lang)

SEATS = "甲乙丙丁戊己庚辛"
SUIT_NAMES = {"S": "黑桃", "H": "红心", "D": "方块", "C": "梅花"}
_RANK_AT = {number: rank for rank, number in NUMBERS.items()}
_DIGITS = "零一二三四五六七八九"


class MissingFact(KeyError):
    """A template asks for something that is not there; the argument is the path."""


def chinese_number(number: int, *, ordinal: bool = False) -> str:
    """A number from 0 to 999 in Chinese numerals; 2 is 两 unless `ordinal`."""
    if not 0 <= number < 1000:
        return str(number)
    if number == 2 and not ordinal:
        return "两"
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    text = _DIGITS[hundreds] + "百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _DIGITS[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (_DIGITS[ones] if ones or not text else "")


def signed(number: int) -> str:
    """A number with its sign: +20, −40, 0."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def card_text(code: str) -> str:
    """A card in a sentence: ♠7, 大王. Raises `ValueError` for anything but a code."""
    return Card(code).glyphs


def rank_text(rank: str) -> str:
    """A rank in a sentence: 7, 大王."""
    return JOKER_WORDS.get(rank, rank)


def _write(value: Any, form: str, words: Mapping[str, str]) -> str:
    name, _, pattern = form.partition(" ")
    match name:
        case "":
            return "、".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        case "cn":
            return chinese_number(value)
        case "nth":
            return chinese_number(value, ordinal=True)
        case "sign":
            return signed(value)
        case "card":
            return card_text(value)
        case "cards":
            return " ".join(map(card_text, value)) if value else "—"
        case "rank":
            return rank_text(value)
        case "ranks":
            return " ".join(map(rank_text, value))
        case "suit":
            return SUIT_NAMES[value]
        case "suits":
            return "、".join(words.get(SUIT_NAMES[v], SUIT_NAMES[v]) for v in value)
        case "seat":
            return SEATS[value]
        case "at":
            return _RANK_AT[value]
        case "place":
            return chinese_number(value + 1, ordinal=True)
        case "seats":
            return "、".join(SEATS[v] for v in value) if value else "—"
        case "by_seat":
            numbers = (str(n).replace("-", "−") for n in value)
            return "、".join(SEATS[seat] + number for seat, number in enumerate(numbers))
        case "list":
            return "、".join(rank_text(str(v)) for v in value)
        case "gt":
            levels = (v if isinstance(v, list) else [v] for v in value)
            return " ＞ ".join(" ＝ ".join(rank_text(str(v)) for v in level) for level in levels)
        case "run":
            return "-".join(rank_text(str(v)) for v in value)
        case "count":
            return str(len(value))
        case "count_cn":
            return chinese_number(len(value))
        case "each":
            return "、".join(
                pattern.replace("%k", rank_text(str(k))).replace("%v", str(v))
                for k, v in value.items()
            )
    raise MissingFact(f"form {name!r}")


class _Writer(string.Formatter):
    def __init__(self, words: "Mapping[str, str]") -> None:
        self.words = words

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value: Any = kwargs
        for step in field_name.split("."):
            try:
                value = value[int(step) if isinstance(value, list | tuple) else step]
            except (KeyError, IndexError, ValueError, TypeError):
                raise MissingFact(field_name) from None
        return value, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        written = _write(_convert(value, self.words), format_spec, self.words)
        return self.words.get(written, written)


def _convert(value: Any, words: Mapping[str, str]) -> Any:
    """Terms inside a value, in the catalogue's script."""
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, list | tuple):
        return [_convert(v, words) for v in value]
    if isinstance(value, dict):
        return {_convert(k, words): _convert(v, words) for k, v in value.items()}
    return value


@cache
def catalogue(lang: Lang) -> Mapping[str, str]:
    """From each simplified text of the rule data (whole templates and single terms) to the same in
    `lang`: empty for zh-Hans. The build makes the files with OpenCC."""
    words: dict[str, str] = {}
    if lang == "zh-Hans":
        return words
    folder = resources.files("engine") / "rules" / lang
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".json"):
            words.update(json.loads(file.read_text(encoding="utf-8")))
    return words


def translate(text: str, lang: Lang) -> str:
    """A whole text of the rule data in the reader's script."""
    return catalogue(lang).get(text, text)


def render(template: str, values: Mapping[str, Any], lang: Lang = "zh-Hans") -> str:
    """The template with its values, in the reader's script. Raises `MissingFact` (the path)."""
    words = catalogue(lang)
    return _Writer(words).vformat(words.get(template, template), (), values)
