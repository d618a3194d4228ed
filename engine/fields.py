"""What a check takes: fields that read JSON strictly, cards liberally, and describe their own form.

Each field reads one value (`read`) and says what a form needs to know of it (`form`). A value that
does not fit raises `BadInput` naming the place and what it takes.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import SUIT_RANKS, SUITS, Card, Cards, read_cards, read_suit
from engine.verdict import BadInput, Verdict

LONGEST_LIST = 200
"""No question has more entries than this in one list."""


class Reading:
    """One reading of one question: counts the cards seen, so that none is there too often."""

    def __init__(self, pack: Cards) -> None:
        self.pack = Counter(pack)
        self.seen: Counter[Card] = Counter()

    def card(self, card: Card, at: str, *, counted: bool) -> None:
        """Takes note of a card. Raises `BadInput` when the game has no such card (left)."""
        if not self.pack[card]:
            raise BadInput(at, "bad.card.not-in-pack", card=card)
        if counted:
            self.seen[card] += 1
            if self.seen[card] > self.pack[card]:
                raise BadInput(at, "bad.card.twice", card=card, copies=self.pack[card])


class Field(ABC):
    """One value that a check takes."""

    @abstractmethod
    def read(self, value: object, at: str, reading: Reading) -> Any:
        """The value as the engine's own. Raises `BadInput`."""

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """What a form needs to know: `type` and the bounds."""


@dataclass(frozen=True)
class Int(Field):
    """A whole number from `least` to `most`, in steps of `step` from 0."""

    least: int
    most: int
    step: int = 1

    def read(self, value: object, at: str, reading: Reading) -> int:
        if type(value) is int and self.least <= value <= self.most and value % self.step == 0:
            return value
        if self.step > 1:
            raise BadInput(at, "bad.int-step", least=self.least, most=self.most, step=self.step)
        raise BadInput(at, "bad.int", least=self.least, most=self.most)

    def form(self) -> dict[str, Any]:
        return {"type": "int", "least": self.least, "most": self.most, "step": self.step}


@dataclass(frozen=True)
class SeatNumber(Field):
    """A seat from 0 to `players` - 1."""

    players: int

    def read(self, value: object, at: str, reading: Reading) -> int:
        return Int(0, self.players - 1).read(value, at, reading)

    def form(self) -> dict[str, Any]:
        return {"type": "seat", "least": 0, "most": self.players - 1}


@dataclass(frozen=True)
class Choice(Field):
    """One of some words. `labels` are their texts in the rule data where the word is no text; `also`
    are other words that are read as one of them."""

    values: tuple[str, ...]
    labels: tuple[str, ...] = ()
    also: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: object, at: str, reading: Reading) -> str:
        if isinstance(value, str):
            value = self.also.get(value, value)
            if value in self.values:
                return value
        raise BadInput(at, "bad.choice", values=list(self.values))

    def form(self) -> dict[str, Any]:
        return {"type": "choice", "values": list(self.values),
                "labels": list(self.labels or self.values)}  # fmt: skip


@dataclass(frozen=True)
class Text(Field):
    """A short text."""

    most: int = 100

    def read(self, value: object, at: str, reading: Reading) -> str:
        if not isinstance(value, str):
            raise BadInput(at, "bad.text")
        if len(value) > self.most:
            raise BadInput(at, "bad.too-long", most=self.most)
        return value

    def form(self) -> dict[str, Any]:
        return {"type": "text", "most": self.most}


@dataclass(frozen=True)
class Flag(Field):
    """True or false."""

    def read(self, value: object, at: str, reading: Reading) -> bool:
        if isinstance(value, bool):
            return value
        raise BadInput(at, "bad.flag")

    def form(self) -> dict[str, Any]:
        return {"type": "flag"}


@dataclass(frozen=True)
class SuitOf(Field):
    """A suit, by letter, sign or name."""

    def read(self, value: object, at: str, reading: Reading) -> str:
        if isinstance(value, str):
            try:
                return read_suit(value)
            except ValueError:
                pass
        raise BadInput(at, "bad.suit")

    def form(self) -> dict[str, Any]:
        return {"type": "suit", "values": list(SUITS)}


@dataclass(frozen=True)
class OneCard(Field):
    """One card. `counted` is off where the card also stands in another field."""

    counted: bool = True

    def read(self, value: object, at: str, reading: Reading) -> Card:
        cards = read_card_list(value, at)
        if len(cards) != 1:
            raise BadInput(at, "bad.cards", least=1, most=1, got=len(cards))
        reading.card(cards[0], at, counted=self.counted)
        return cards[0]

    def form(self) -> dict[str, Any]:
        return {"type": "card"}


@dataclass(frozen=True)
class CardList(Field):
    """From `least` to `most` cards, as a list of cards or one text.

    `counted` is off where the cards also stand in another field.
    """

    least: int = 0
    most: int = LONGEST_LIST
    counted: bool = True

    def read(self, value: object, at: str, reading: Reading) -> Cards:
        cards = read_card_list(value, at)
        if not self.least <= len(cards) <= self.most:
            key = "bad.cards" if self.least == self.most else "bad.cards-range"
            raise BadInput(at, key, least=self.least, most=self.most, got=len(cards))
        for card in cards:
            reading.card(card, at, counted=self.counted)
        return cards

    def form(self) -> dict[str, Any]:
        return {"type": "cards", "least": self.least, "most": self.most}


def read_card_list(value: object, at: str) -> Cards:
    """Cards from a list of texts or one text, however many. Raises `BadInput`."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(t, str) for t in texts):
        raise BadInput(at, "bad.cards-type")
    if len(texts) > LONGEST_LIST or any(len(t) > 2000 for t in texts):
        raise BadInput(at, "bad.too-long", most=LONGEST_LIST)
    try:
        return tuple(card for text in texts for card in read_cards(text))
    except ValueError as error:
        raise BadInput(at, "bad.card", got=str(error)) from None


@dataclass(frozen=True)
class Nullable(Field):
    """A value that may be null, and, with `may_miss`, left out of its record."""

    of: Field
    may_miss: bool = False

    def read(self, value: object, at: str, reading: Reading) -> Any:
        return None if value is None else self.of.read(value, at, reading)

    def form(self) -> dict[str, Any]:
        return {**self.of.form(), "nullable": True, "may_miss": self.may_miss}


@dataclass(frozen=True)
class ListOf(Field):
    """From `least` to `most` values of one kind; `by_seat` when they stand for the seats in order."""

    of: Field
    least: int = 0
    most: int = LONGEST_LIST
    by_seat: bool = False

    def read(self, value: object, at: str, reading: Reading) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise BadInput(at, "bad.list", least=self.least, most=self.most)
        if not self.least <= len(value) <= self.most:
            key = "bad.length" if self.least == self.most else "bad.list"
            raise BadInput(at, key, least=self.least, most=self.most, got=len(value))
        return tuple(self.of.read(v, f"{at}[{i}]", reading) for i, v in enumerate(value))

    def form(self) -> dict[str, Any]:
        return {"type": "list", "of": self.of.form(), "least": self.least, "most": self.most,
                "by_seat": self.by_seat}  # fmt: skip


@dataclass(frozen=True)
class Fixed(Field):
    """A list whose entries each have a kind of their own: the three rows, a bid's seat and points."""

    of: tuple[Field, ...]

    def read(self, value: object, at: str, reading: Reading) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.of):
            got = len(value) if isinstance(value, list | tuple) else 0
            raise BadInput(at, "bad.length", least=len(self.of), most=len(self.of), got=got)
        pairs = enumerate(zip(self.of, value, strict=True))
        return tuple(f.read(v, f"{at}[{i}]", reading) for i, (f, v) in pairs)

    def form(self) -> dict[str, Any]:
        return {"type": "fixed", "of": [f.form() for f in self.of]}


class Record(Field):
    """Values by name; only a `Nullable` that says so may be left out."""

    def __init__(self, **fields: Field) -> None:
        self.fields = {name.removesuffix("_"): f for name, f in fields.items()}

    def read(self, value: object, at: str, reading: Reading) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise BadInput(at, "bad.record", fields=list(self.fields))
        prefix = f"{at}." if at else ""
        for name in value:
            if name not in self.fields:
                place = f"{prefix}{str(name)[:40]}"
                raise BadInput(place, "bad.unknown-field", fields=list(self.fields))
        for name, f in self.fields.items():
            if name not in value and not (isinstance(f, Nullable) and f.may_miss):
                raise BadInput(prefix + name, "bad.missing")
        return {n: f.read(value.get(n), prefix + n, reading) for n, f in self.fields.items()}

    def form(self) -> dict[str, Any]:
        return {
            "type": "record",
            "fields": [{"name": n, **f.form()} for n, f in self.fields.items()],
        }


class OneOf(Field):
    """One of several single fields, told apart by name: `{"rows": …}` or `{"special": …}`."""

    def __init__(self, **fields: Field) -> None:
        self.fields = fields

    def read(self, value: object, at: str, reading: Reading) -> tuple[str, Any]:
        """The name and the value."""
        if isinstance(value, Mapping) and len(value) == 1:
            ((name, inner),) = value.items()
            if name in self.fields:
                return name, self.fields[name].read(inner, f"{at}.{name}", reading)
        raise BadInput(at, "bad.one-of", fields=list(self.fields))

    def form(self) -> dict[str, Any]:
        return {
            "type": "one-of",
            "fields": [{"name": n, **f.form()} for n, f in self.fields.items()],
        }


@dataclass(frozen=True)
class BySuit(Field):
    """A table with a value for some of the suits."""

    of: Field

    def read(self, value: object, at: str, reading: Reading) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise BadInput(at, "bad.by-suit")
        found: dict[str, Any] = {}
        for name, inner in value.items():
            try:
                suit = read_suit(str(name))
            except ValueError:
                raise BadInput(f"{at}.{str(name)[:20]}", "bad.suit") from None
            if suit in found:
                raise BadInput(f"{at}.{suit}", "bad.suit-twice")
            found[suit] = self.of.read(inner, f"{at}.{suit}", reading)
        return found

    def form(self) -> dict[str, Any]:
        return {"type": "by-suit", "keys": list(SUITS), "of": self.of.form()}


@dataclass(frozen=True)
class ByCard(Field):
    """A table with a value for some cards."""

    of: Field

    def read(self, value: object, at: str, reading: Reading) -> dict[Card, Any]:
        if not isinstance(value, Mapping):
            raise BadInput(at, "bad.by-card")
        found: dict[Card, Any] = {}
        for name, inner in value.items():
            card = OneCard(counted=False).read(str(name), f"{at}.{str(name)[:20]}", reading)
            found[card] = self.of.read(inner, f"{at}.{card}", reading)
        return found

    def form(self) -> dict[str, Any]:
        return {"type": "by-card", "of": self.of.form()}


@dataclass(frozen=True)
class RankOf(Field):
    """A rank of a suit: 2 to 10, J, Q, K, A; a number 1 to 13 is read as well (A 1, K 13)."""

    def read(self, value: object, at: str, reading: Reading) -> str:
        text = str(value).upper().replace("T", "10") if isinstance(value, str | int) else ""
        text = {"1": "A", "11": "J", "12": "Q", "13": "K"}.get(text, text)
        if text in SUIT_RANKS and not isinstance(value, bool):
            return text
        raise BadInput(at, "bad.rank")

    def form(self) -> dict[str, Any]:
        return {"type": "rank", "values": list(SUIT_RANKS)}


@dataclass(frozen=True)
class Check:
    """One question a game answers: its name, how it is answered, and what it takes.

    `run` is called with the values by name. `pack` holds all cards of the game, so that a card that
    is not in it, or is there more often than it can be, is refused.
    """

    name: str
    run: Callable[..., Verdict]
    fields: Mapping[str, Field]
    pack: Cards = field(repr=False)

    def answer(self, question: object) -> Verdict:
        """The verdict on a question (JSON values by name). Raises `BadInput`."""
        values = Record(**self.fields).read(question, "", Reading(self.pack))
        return self.run(**values)

    def form(self) -> Sequence[dict[str, Any]]:
        """The fields in order, for a form."""
        return [{"name": name, **f.form()} for name, f in self.fields.items()]
