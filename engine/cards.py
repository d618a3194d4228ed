"""Cards, packs, and reading cards as people write them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Literal, Self, get_args

Suit = Literal["S", "H", "D", "C"]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "XW", "DW"]

SUITS: tuple[Suit, ...] = get_args(Suit)
"""Spades, hearts, diamonds, clubs: the order in which equal ranks are listed."""
RANKS: tuple[Rank, ...] = get_args(Rank)
SUIT_RANKS: tuple[Rank, ...] = RANKS[:13]
"""The thirteen ranks that each suit has."""
JOKERS: tuple[Rank, ...] = ("DW", "XW")
"""The big joker (大王) and the small one (小王)."""
NUMBERS: dict[str, int] = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 11)}
"""The place of a rank in its suit, ace low: A 1, J 11, Q 12, K 13."""
SUIT_GLYPHS: dict[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
JOKER_WORDS: dict[str, str] = {"DW": "大王", "XW": "小王"}


class Card(str):
    """One card. It is its own code (`Card("S7") == "S7"`), so it is JSON as it stands.

    `suit` is one of S H D C, and "" for a joker; `rank` is 2 to 10, J, Q, K, A, DW or XW.
    Raises `ValueError` for anything but a code; `read_card` reads what people write.
    """

    __slots__ = ("rank", "suit")
    suit: Suit | Literal[""]
    rank: Rank

    def __new__(cls, code: str) -> Self:
        try:
            return _INTERNED[code]  # type: ignore[return-value]
        except KeyError:
            raise ValueError(f"expected a card code such as S7, H10 or DW: {code!r}") from None

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        return Card, (str(self),)

    @property
    def glyphs(self) -> str:
        """The card as it stands in a sentence, the same in both scripts: ♠7, ♥10, 大王."""
        return SUIT_GLYPHS[self.suit] + self.rank if self.suit else JOKER_WORDS[self.rank]


_INTERNED: dict[str, Card] = {}


def _intern(suit: Suit | Literal[""], rank: Rank) -> None:
    card = str.__new__(Card, suit + rank)
    card.suit, card.rank = suit, rank
    _INTERNED[suit + rank] = card


for _suit in SUITS:
    for _rank in SUIT_RANKS:
        _intern(_suit, _rank)
for _rank in JOKERS:
    _intern("", _rank)

Cards = tuple[Card, ...]


def pack(
    ranks: Iterable[Rank] = SUIT_RANKS,
    *,
    copies: int = 1,
    jokers: Iterable[Rank] = (),
    without: Iterable[str] = (),
) -> Cards:
    """All cards of `copies` packs with these ranks in each suit, and these jokers, less `without`."""
    one = [Card(suit + rank) for suit in SUITS for rank in ranks]
    cards = (one + [Card(joker) for joker in jokers]) * copies
    for code in without:
        cards.remove(Card(code))
    return tuple(cards)


_SUIT_WORDS: dict[str, str] = {
    **dict.fromkeys(["S", "♠", "♤", "黑桃", "黑"], "S"),
    **dict.fromkeys(["H", "♥", "♡", "红桃", "红心", "紅桃", "紅心", "红", "紅"], "H"),
    **dict.fromkeys(["D", "♦", "♢", "方块", "方片", "方塊", "方"], "D"),
    **dict.fromkeys(["C", "♣", "♧", "梅花", "草花", "梅", "草"], "C"),
}
_JOKERS = {"DW": "DW", "大王": "DW", "大鬼": "DW", "XW": "XW", "小王": "XW", "小鬼": "XW"}


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_TOKEN = re.compile(
    rf"(?P<joker>{_longest_first(_JOKERS)})"
    rf"|(?P<suit>{_longest_first(_SUIT_WORDS)})\s*(?P<rank>10|[2-9TJQKA])(?![0-9])"
)
_BETWEEN = re.compile(r"[\s,;、，；。|]*")


def read_cards(text: str) -> Cards:
    """Cards from a line as people write it: `S7 H10`, `♠7♥10`, `黑桃7、红心10`, `大王`.

    Letters may be small, digits full-width, and colour-emoji selectors are passed over.
    Raises `ValueError` whose argument is the piece that is no card (at most 12 characters).
    """
    text = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").replace("\ufe0e", "").upper()
    cards: list[Card] = []
    at = _between(text, 0)
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise ValueError(text[at:].split()[0][:12])
        if found["joker"]:
            cards.append(Card(_JOKERS[found["joker"]]))
        else:
            rank = "10" if found["rank"] == "T" else found["rank"]
            cards.append(Card(_SUIT_WORDS[found["suit"]] + rank))
        at = _between(text, found.end())
    return tuple(cards)


def _between(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def read_card(text: str) -> Card:
    """One card from a piece of text; raises `ValueError` as `read_cards`, and for any other count."""
    cards = read_cards(text)
    if len(cards) != 1:
        raise ValueError(text[:12])
    return cards[0]


def read_suit(text: str) -> Suit:
    """A suit from a letter, sign or name; raises `ValueError` with the text when it is none."""
    word = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").strip().upper()
    for suit in SUITS:
        if _SUIT_WORDS.get(word) == suit:
            return suit
    raise ValueError(text[:12])


class Order:
    """A game's order of ranks. `strength` maps each rank to a number, higher is stronger."""

    def __init__(self, ranks: Iterable[Rank]) -> None:
        """Takes the ranks from the highest to the lowest."""
        self.ranks = tuple(ranks)
        self.strength: Mapping[str, int] = {
            r: len(self.ranks) - i for i, r in enumerate(self.ranks)
        }
        self._place = {
            card: (self.strength[card.rank], -SUITS.index(card.suit) if card.suit else 1)
            for card in _INTERNED.values()
            if card.rank in self.strength
        }

    def sort(self, cards: Iterable[Card]) -> Cards:
        """The cards from the highest to the lowest; equal ranks in the order S H D C."""
        return tuple(sorted(cards, key=self._place.__getitem__, reverse=True))


def contains(cards: Cards, wanted: Iterable[Card]) -> bool:
    """Whether all of `wanted` are among the cards, as often as they are wanted."""
    left = list(cards)
    for card in wanted:
        if card not in left:
            return False
        left.remove(card)
    return True


def remove(cards: Cards, gone: Iterable[Card]) -> Cards:
    """`cards` less one copy of each card in `gone`, in the same order.

    Raises `ValueError` when a card of `gone` is not among them.
    """
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
