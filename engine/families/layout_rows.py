"""Rows of one suit that grow from a centre card at both ends: which card belongs where."""

from collections.abc import Collection, Iterable, Sequence

from engine.cards import JOKERS, SUITS, Card, Cards

Row = tuple[int, int]
"""The places at the low and the high end of a row; a suit's lowest card has place 1."""
Rows = tuple[Row | None, ...]
"""The rows in the order of `SUITS`; None for a suit that is not open."""
CLOSED: Rows = (None,) * len(SUITS)


class Board:
    """The places of the cards. `place` maps a rank to its place, `centre` a suit to its centre card;
    `middle` is the centre's place, `highest` the last one."""

    def __init__(self, ranks: Sequence[str], centre: str) -> None:
        """Takes the ranks from the highest to the lowest; jokers have no place.

        Raises `ValueError` for a centre that is none of them.
        """
        order = [r for r in reversed(ranks) if r not in JOKERS]
        if centre not in order:
            raise ValueError("expected one of ranks")
        self.place = {rank: number for number, rank in enumerate(order, 1)}
        self.highest = len(order)
        self.middle = self.place[centre]
        self.centre: dict[str, Card] = {suit: Card(suit + centre) for suit in SUITS}
        self._card: dict[str, Cards] = {
            suit: tuple(Card(suit + rank) for rank in order) for suit in SUITS
        }
        # Asked at every move: the cards next to each row that there can be.
        lows, highs = range(1, self.middle + 1), range(self.middle, self.highest + 1)
        self._ends = [
            {(low, high): self._beside(suit, low, high) for low in lows for high in highs}
            for suit in SUITS
        ]

    def _beside(self, suit: str, low: int, high: int) -> Cards:
        return tuple(self.card(suit, n) for n in (low - 1, high + 1) if 1 <= n <= self.highest)

    def card(self, suit: str, place: int) -> Card:
        """The card of a suit that belongs at a place."""
        return self._card[suit][place - 1]

    def row_of(self, rows: Rows, card: Card) -> Row | None:
        """The row of a card's suit."""
        return rows[SUITS.index(card.suit)] if card.suit else None

    def covered(self, rows: Rows, card: Card) -> bool:
        """Whether a card lies at this card's place: it, or one that stands for it."""
        row = self.row_of(rows, card)
        return row is not None and row[0] <= self.place[card.rank] <= row[1]

    def distance(self, card: Card) -> int:
        """How many places a card is from its centre."""
        return abs(self.place[card.rank] - self.middle)

    def joins(self, rows: Rows) -> Cards:
        """The cards that go next to an open row."""
        found: Cards = ()
        for ends, row in zip(self._ends, rows, strict=True):
            if row is not None:
                found += ends[row]
        return found

    def centres(self, rows: Rows, suits: Collection[str] = SUITS) -> Cards:
        """The centre cards of suits that are not open."""
        return tuple(
            self.centre[suit]
            for suit, row in zip(SUITS, rows, strict=True)
            if row is None and suit in suits
        )

    def with_card(self, rows: Rows, card: Card) -> Rows:
        """The rows with a card laid that goes next to one, or opens one."""
        place = self.place[card.rank]
        row = self.row_of(rows, card)
        new = (place, place) if row is None else (min(row[0], place), max(row[1], place))
        return tuple(
            new if suit == card.suit else old for suit, old in zip(SUITS, rows, strict=True)
        )

    def missing(self, rows: Rows, card: Card) -> Cards:
        """The cards between a card and its row (from its centre on when the suit is not open)."""
        low, high = self.row_of(rows, card) or (self.middle + 1, self.middle - 1)
        place = self.place[card.rank]
        between = range(high + 1, place) if place > self.middle else range(place + 1, low)
        return tuple(self.card(card.suit, n) for n in between)

    def beyond(self, hand: Iterable[Card], card: Card) -> Cards:
        """The cards of a hand that can only follow once `card` is laid."""
        at = self.place[card.rank]

        def follows(other: Card) -> bool:
            if other.suit != card.suit or other == card:
                return False
            place = self.place[other.rank]
            return at == self.middle or (place > at > self.middle) or (place < at < self.middle)

        return tuple(c for c in hand if follows(c))
