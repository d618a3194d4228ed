"""Fishing: a card from the hand takes one from the table when the two make a total.

A turn is two moves: `take HAND TABLE` or `draw` without a take, then `lay CARD` on the table; the
cards drawn come with the first. What the pairs are worth stands in hooks: `worth`, `sides`. The family
cites the game's clauses through `cites`: `value`, `take`, `took`, `none`, `must`, `lay`, `end`, `short`,
`count`, `share`.
"""

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.cards import Card, Cards, remove
from engine.families import partners, totals
from engine.families.counting import notes_of
from engine.families.dealing import deal_each
from engine.fields import CardList, Check, ListOf, OneCard
from engine.game import Deal, DeckFacts, Game, Match, Move, Note, Result, State, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message

Pair = tuple[Card, Card]
"""A card of a hand and the card of the table that it takes."""


@dataclass(frozen=True, kw_only=True)
class Draws:
    """How many cards are drawn after a take, and after none."""

    take: int
    none: int


@dataclass(frozen=True, kw_only=True)
class FishFacts(DeckFacts):
    """`values` are the values by rank, of which a pair makes `total`; `hand` are the cards each and
    `table` those turned up, by number of players; `must_take` says whether who can take must."""

    values: Mapping[str, int]
    total: int
    hand: Mapping[str, int]
    table: Mapping[str, int]
    draws: Draws
    must_take: bool


@dataclass(frozen=True, kw_only=True)
class FishState(State):
    """A deal of fishing. `open_cards` lie on the table, `pairs` before each seat.

    `phase` is "take", then "lay"; `took` says whether the turn under way has taken.
    """

    open_cards: Cards
    pairs: tuple[Cards, ...]
    phase: str = "take"
    took: bool = False


F = TypeVar("F", bound=FishFacts)
S = TypeVar("S", bound=FishState)


class FishGame(Game[F, S]):
    """A game of fishing."""

    # What takes what, and what it is worth

    def takes(self, hand: Cards, table: Cards) -> tuple[Pair, ...]:
        """All pairs that make the total, in the game's order, the hand's card first."""
        values, total = self.facts.values, self.facts.total
        return tuple(
            (card, other)
            for card in self.sorted(hand)
            for other in self.sorted(table)
            if values[card.rank] + values[other.rank] == total
        )

    @abstractmethod
    def worth(self, cards: Cards) -> int:
        """The points that cards in one's pairs are worth."""

    @abstractmethod
    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        """Why they are worth so many."""

    def best(self, pairs: Sequence[Pair]) -> Pair | None:
        """The pair worth most; of pairs worth the same the first."""
        return max(pairs, key=self.worth, default=None)

    def sides(self, players: int) -> partners.Sides:
        """Who adds up points with whom: each for himself by default."""
        return [[seat] for seat in range(players)]

    # The deal

    def hand_size(self, players: int) -> int:
        """How many cards each is dealt."""
        return self.facts.hand[str(players)]

    def table_size(self, players: int) -> int:
        """How many cards are turned up on the table."""
        return self.facts.table[str(players)]

    def first_seat(self, match: Match) -> int:
        """Who draws the first card and begins: the seat after the dealer's by default."""
        return match.eldest

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.hand_size(match.players), self.first_seat(match))

    # A turn

    def legal_moves(self, state: S) -> Sequence[Move]:
        if state.turn is None:
            return []
        hand = state.hands[state.turn]
        if state.phase == "lay":
            return [Move("lay", (card,)) for card in reversed(self.sorted(hand))]
        pairs = self.takes(hand, state.open_cards)
        takes = [Move("take", pair) for pair in pairs]
        return takes if takes and self.facts.must_take else [Move("draw"), *takes]

    def fault(self, state: S, move: Move) -> Reason | None:
        hand = state.hands[state.mover]
        if state.phase == "lay":
            return self._lay_fault(state, hand, move)
        if move == Move("draw"):
            if self.facts.must_take and (pair := self.best(self.takes(hand, state.open_cards))):
                return self.cite("must", "take.must", card=pair[0], other=pair[1])
            return None
        if move.kind != "take" or len(move.cards) != 2 or move.value is not None:
            return self.cite("take", "take.or-draw")
        card, other = _hand_first(move.cards, hand)
        if card not in hand:
            return self.cite("take", "turn.not-held", cards=[card])
        if other not in state.open_cards:
            return self.cite("take", "take.not-on-table", card=other)
        made = self.facts.values[card.rank] + self.facts.values[other.rank]
        if made != self.facts.total:
            return self.cite("take", "take.other-total", card=card, other=other, made=made)
        return None

    def _lay_fault(self, state: S, hand: Cards, move: Move) -> Reason | None:
        if move.kind == "take":
            if state.took:
                return self.cite("take", "take.once")
            return self.cite("must", "take.just-drawn")
        point = "took" if state.took else "none"
        if move.kind != "lay" or len(move.cards) != 1 or move.value is not None:
            return self.cite(point, "lay.to-table")
        if move.cards[0] not in hand:
            return self.cite(point, "turn.not-held", cards=list(move.cards))
        return None

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        if state.phase == "lay":
            return (self.cite("took" if state.took else "none", "lay.to-table"),)
        hand = state.hands[state.mover]
        if move.kind == "draw":
            if self.takes(hand, state.open_cards):
                return (self.cite("must", "take.need-not"),)
            return (self.cite("none", "take.none", count=self.facts.draws.none),)
        card, other = _hand_first(move.cards, hand)
        values = self.facts.values
        why = self.cite("take", "take.makes", card=card, other=other, a=values[card.rank],
                        b=values[other.rank])  # fmt: skip
        return (why,)

    def play(self, state: S, move: Move) -> S:
        seat = state.mover
        hand = state.hands[seat]
        if state.phase == "lay":
            after = replace(
                state,
                hands=put(state.hands, seat, remove(hand, move.cards)),
                open_cards=(*state.open_cards, *move.cards),
                phase="take",
                events=(),
            )
            if after.stock:
                return replace(after, turn=(seat + 1) % state.players)
            return replace(after, turn=None, events=(self.cite("end", "stock.used-up"),))
        took = move.kind == "take"
        if took:
            pair = _hand_first(move.cards, hand)
            hand = remove(hand, pair[:1])
            state = replace(
                state,
                open_cards=remove(state.open_cards, pair[1:]),
                pairs=put(state.pairs, seat, (*state.pairs[seat], *pair)),
            )
        return self._drawn(state, seat, hand, took)

    def _drawn(self, state: S, seat: int, hand: Cards, took: bool) -> S:
        """The state after the cards that come with a take, or with none, were drawn."""
        count = self.facts.draws.take if took else self.facts.draws.none
        drawn = state.stock[:count]
        events = [self.cite("took" if took else "none", "drawn", seat=seat, count=len(drawn))]
        if len(drawn) < count:
            events.append(self.cite("short", "stock.short", count=len(drawn)))
        return replace(
            state,
            hands=put(state.hands, seat, (*hand, *drawn)),
            stock=state.stock[count:],
            phase="lay",
            took=took,
            events=tuple(events),
        )

    # The end

    def result(self, state: S) -> Result | None:
        if state.turn is not None:
            return None
        sides = self.sides(state.players)
        own = [self.worth(cards) for cards in state.pairs]
        by_side = [sum(own[seat] for seat in seats) for seats in sides]
        scores = partners.by_seat(sides, by_side)
        best, winners = max(scores), totals.best(scores)
        why = [self.cite("end", "stock.used-up")]
        if any(state.hands) or state.open_cards:
            why.append(self.cite("short", "left.nothing"))
        why += [
            self.cite("count", "pairs.points", seat=seat, cards=list(self.sorted(cards)),
                      points=own[seat])
            for seat, cards in enumerate(state.pairs)
        ]  # fmt: skip
        if len(sides) < state.players:
            why += [
                self.cite("share", "side.points", seats=list(seats), points=points)
                for seats, points in zip(sides, by_side, strict=True)
            ]
        if by_side.count(best) > 1:
            why.append(self.cite("share", "win.share", seats=list(winners), points=best))
        else:
            why.append(self.cite("count", "win.most", seats=list(winners), points=best))
        match = totals.add(state.match, scores)
        return Result(scores, winners, match, tuple(why), totals.leaders(match))

    def next_match(self, state: S, result: Result) -> Match:
        match = super().next_match(state, result)
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # A turn is two moves and draws at least one card of what the deal leaves in the stock.
        dealt = players * self.hand_size(players) + self.table_size(players)
        return 2 * (len(self.pack(players)) - dealt)

    # Looking on

    def table(self, state: S) -> Table:
        pairs = tuple(Zone("pairs", cards, seat) for seat, cards in enumerate(state.pairs) if cards)
        stock = self.face_down("stock", state.stock)
        zones = (Zone("table", state.open_cards), *stock, *pairs)
        return Table(state.turn, self.hands(state), zones, self.notes(state))

    def notes(self, state: S) -> tuple[Note, ...]:
        """What is known beside the cards: what is left to draw, and the points so far."""
        won = notes_of(state.pairs, self.worth)
        return (Note(message("note.stock", count=len(state.stock))), *won)

    # Moves for seats that nobody plays

    def robot(self, state: S) -> Move:
        """Takes the pair worth most; lays the card worth least."""
        hand = state.hands[state.mover]
        if state.phase == "lay":
            return Move("lay", (min(self.sorted(hand), key=lambda card: self.worth((card,))),))
        pair = self.best(self.takes(hand, state.open_cards))
        return Move("take", pair) if pair else Move("draw")

    def pick(self, state: S, rng: random.Random) -> Move:
        hand = state.hands[state.mover]
        if state.phase == "lay":
            return Move("lay", (rng.choice(hand),))
        values, total = self.facts.values, self.facts.total
        takes = [
            Move("take", (card, other))
            for card in hand
            for other in state.open_cards
            if values[card.rank] + values[other.rank] == total
        ]
        return rng.choice(takes if takes and self.facts.must_take else [Move("draw"), *takes])

    # Questions

    def value_check(self) -> Check:
        """`value`: what a card counts towards the total, and what it is worth in a pair."""
        return self.question("value", self._value, card=OneCard())

    def _value(self, card: Card) -> Verdict:
        value = self.facts.values[card.rank]
        why = (self.cite("value", "value.of", card=card, value=value), *self.why_worth((card,)))
        return Verdict({"value": value, "points": self.worth((card,))}, why)

    def takes_check(self) -> Check:
        """`takes`: all pairs that a hand can take from the table."""
        return self.question(
            "takes", self._takes, hand=CardList(1, self.largest_hand), table=CardList()
        )

    def _takes(self, hand: Cards, table: Cards) -> Verdict:
        pairs = self.takes(hand, table)
        best = self.best(pairs)
        answer = {"pairs": [list(pair) for pair in pairs], "best": list(best) if best else None}
        if best is None:
            count = self.facts.draws.none
            return Verdict(answer, (self.cite("none", "take.none", count=count),))
        values = self.facts.values
        why = [
            self.cite("take", "take.makes", card=card, other=other, a=values[card.rank],
                      b=values[other.rank])
            for card, other in pairs
        ]  # fmt: skip
        must = "take.who-can" if self.facts.must_take else "take.need-not"
        why.append(self.cite("must", must))
        if len(pairs) > 1:
            points = self.worth(best)
            why.append(self.cite("count", "take.best", cards=list(best), points=points))
        return Verdict(answer, tuple(why))

    def score_check(self) -> Check:
        """`score`: what one's pairs are worth."""
        return self.question("score", self._score, pairs=ListOf(CardList(2, 2)))

    def _score(self, pairs: tuple[Cards, ...]) -> Verdict:
        for number, pair in enumerate(pairs):
            made = sum(self.facts.values[card.rank] for card in pair)
            if made != self.facts.total:
                raise BadInput(f"pairs[{number}]", "bad.pair", made=made, total=self.facts.total)
        cards = tuple(card for pair in pairs for card in pair)
        return Verdict({"points": self.worth(cards)}, self.why_worth(cards))


def _hand_first(cards: Cards, hand: Cards) -> Pair:
    """The two cards of a take, that of the hand first; as they stand where neither is in the hand."""
    a, b = cards
    return (b, a) if a not in hand and b in hand else (a, b)
