"""An answer in words: what the keys of a verdict's answer say, line by line.

The words stand in `words.toml`, as labels `answer.KEY`; a label `answer.CHECK.KEY` or
`answer.SLUG.CHECK.KEY` goes before it where a check means something else by the same key. A label is a
template over `v`, the value, and `t`, the value in words; `answer.KEY.true`, `.false`, `.null` and
`.empty` are whole sentences for these values. Of a record, `answer.KEY.NAME` says one entry (nothing
where it is empty), or `answer.KEY.whole` all of it, a template over the entries.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.cards import JOKERS, SUIT_RANKS, SUITS
from engine.rulebook import Rules, words
from engine.texts import SUIT_NAMES, Lang, card_text, catalogue, render, translate

_CODES = frozenset([s + r for s in SUITS for r in SUIT_RANKS] + list(JOKERS))


def say_answer(rules: Rules, check: str, answer: Mapping[str, Any], lang: Lang) -> list[str]:
    """One line of text for each key of the answer, in its order."""
    return list(_Answer(rules, check, lang).lines(answer))


def value_word(value: str | int, lang: Lang) -> str:
    """A move's value as a reader sees it: a suit, cards, a number or a word (label `value.WORD`)."""
    if isinstance(value, int):
        return str(value)
    if value in SUIT_NAMES:
        return translate(SUIT_NAMES[value], lang)
    parts = value.split()
    if parts and all(part in _CODES for part in parts):
        return " ".join(map(card_text, parts))
    if label := words().label.get(f"value.{value}"):
        return translate(label, lang)
    # A reading names a type and its ranks (三连带3-5): the term is what the catalogue knows.
    known = catalogue(lang)
    end = next((n for n in range(len(value), 0, -1) if value[:n] in known), 0)
    return translate(value[:end], lang) + value[end:]


class _Answer:
    def __init__(self, rules: Rules, check: str, lang: Lang) -> None:
        self.lang = lang
        slug = rules.book.slug
        self.prefixes = (f"answer.{slug}.{check}.", f"answer.{check}.", "answer.")
        said = rules.book.check.get(check)
        self.labels = said.fields if said else {}

    def lines(self, answer: Mapping[str, Any]) -> Iterator[str]:
        for key, value in answer.items():
            if line := self.line(key, value):
                yield line

    def line(self, key: str, value: Any) -> str:
        special = {True: "true", False: "false", None: "null"}
        if value is None or isinstance(value, bool):
            sentence = self.label(f"{key}.{special[value]}")
            if sentence is not None:
                return sentence
        elif value in ([], {}, ()):
            sentence = self.label(f"{key}.empty")
            if sentence is not None:
                return sentence
        template = self.template(key)
        if template is None:
            return f"{key}：{self.words(key, value)}"
        return render(template, {"v": value, "t": self.words(key, value)}, self.lang)

    def template(self, key: str) -> str | None:
        found = (words().label.get(prefix + key) for prefix in self.prefixes)
        return next((text for text in found if text is not None), None)

    def label(self, key: str) -> str | None:
        text = self.template(key)
        return None if text is None else translate(text, self.lang)

    def words(self, key: str, value: Any) -> str:
        """A value in words; `key` is where it stands."""
        if value is None or isinstance(value, bool):
            return self.label("value." + {True: "true", False: "false", None: "null"}[value]) or ""
        if isinstance(value, str):
            return self.word(value)
        if isinstance(value, Mapping):
            if (whole := self.template(f"{key}.whole")) is not None:
                return render(whole, value, self.lang)
            lines = (
                self.pair(k, v, key) if self.template(f"{key}.{k}") is None
                else self.line(f"{key}.{k}", v)
                for k, v in value.items()
            )  # fmt: skip
            return "，".join(line for line in lines if line)
        if not isinstance(value, list | tuple):
            return str(value).replace("-", "−")
        if not value:
            return "—"
        if all(isinstance(v, str) and v in _CODES for v in value):
            return " ".join(map(card_text, value))
        between = "；" if any(isinstance(v, list | tuple | Mapping) for v in value) else "、"
        return between.join(self.words(key, v) for v in value)

    def pair(self, name: str, value: Any, key: str) -> str:
        return f"{self.word(name)}：{self.words(key, value)}"

    def word(self, value: str) -> str:
        """A single word: a card, a suit, a term, or a name that the check's form has a label for."""
        if value in _CODES:
            return card_text(value)
        text = self.label(f"value.{value}") or self.labels.get(value, value)
        return translate(text, self.lang)
