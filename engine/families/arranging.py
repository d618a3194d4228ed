"""Arranging: a hand is laid down in rows, secretly, and compared row by row with other hands.

The family cites the game's clauses through `cites`: `arrange`, `ascending`, `misarranged`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeVar

from engine.cards import Cards
from engine.families.poker_ranks import FIVE_TYPES, THREE_TYPES, Ranked, RowRanks
from engine.families.row_odds import RowOdds, Tally
from engine.families.row_search import Rows, RowSearch
from engine.fields import CardList, Check, Fixed, Int
from engine.game import DeckFacts, Game, Move, State, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict

Role = Literal["challenger", "defender"]


@dataclass(frozen=True, kw_only=True)
class RowFacts:
    """A row: its name, how many cards stand in it, and the types that pay their winner more (or less)
    than others do."""

    name: str
    cards: int
    pays: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class ArrangingFacts(DeckFacts):
    """A hand of `hand` cards makes the `rows`; a row won pays `row_pay` unless it says otherwise.

    `three_types` and `five_types` are the types of rows from the highest; `level` says which type of
    five a type of three stands level with; `compared` is how many ranks decide between two rows of one
    type. `ace_low` lets an ace stand below the lowest rank of a straight. `misarranged` is what
    becomes of rows that are not in order: they are refused, or all of them are lost.
    """

    hand: int
    rows: tuple[RowFacts, ...]
    row_pay: int
    three_types: tuple[str, ...]
    five_types: tuple[str, ...]
    level: Mapping[str, str]
    compared: Mapping[str, int]
    ace_low: bool
    misarranged: Literal["refuse", "forfeit"]

    def __post_init__(self) -> None:
        if [row.cards for row in self.rows] != [3, 5, 5] or self.hand != 13:
            raise ValueError("a hand of 13 cards makes rows of 3, 5 and 5")
        types = {"three_types": THREE_TYPES, "five_types": FIVE_TYPES}
        for key, known in types.items():
            if set(getattr(self, key)) != known:
                raise ValueError(f"{key}: expected {', '.join(sorted(known))} in some order")
        if set(self.level) != THREE_TYPES or not set(self.level.values()) <= FIVE_TYPES:
            raise ValueError("level: expected a type of five for each type of three")
        if set(self.compared) != THREE_TYPES | FIVE_TYPES:
            raise ValueError("compared: expected a number for each type")
        for row in self.rows:
            if not set(row.pays) <= set(self.types(row)):
                raise ValueError(f"rows: {row.name} pays for a type that it cannot hold")

    def types(self, row: RowFacts) -> tuple[str, ...]:
        """The types that a row can be, from the highest."""
        return self.three_types if row.cards == 3 else self.five_types


@dataclass(frozen=True, slots=True)
class Laid:
    """What a seat has laid down: its rows, and the special hand that it declares instead, if any."""

    rows: Rows
    declared: str | None = None

    @property
    def cards(self) -> Cards:
        """All cards of the rows."""
        return tuple(card for row in self.rows for card in row)


@dataclass(frozen=True, kw_only=True)
class ArrangingState(State):
    """A deal of arranging. `laid` is what each seat has laid down, secret until all have."""

    laid: tuple[Laid | None, ...]


F = TypeVar("F", bound=ArrangingFacts)
S = TypeVar("S", bound=ArrangingState)


class ArrangingGame(Game[F, S]):
    """A game of arranging. Seats lay down one after another, but none sees what another laid until
    the last has; the move is `arrange` with the cards of the first row, then the second, the third.
    """

    # What rows are

    @cached_property
    def ranks(self) -> tuple[RowRanks, ...]:
        """For each row, how its cards rank."""
        facts = self.facts
        fives = {name: len(facts.five_types) - n for n, name in enumerate(facts.five_types)}
        threes = {name: fives[level] for name, level in facts.level.items()}
        of_size = {
            row.cards: RowRanks(
                self.order,
                row.cards,
                facts.types(row),
                facts.compared,
                threes if row.cards == 3 else fives,
                ace_low=facts.ace_low,
            )
            for row in facts.rows
        }
        return tuple(of_size[row.cards] for row in facts.rows)

    @cached_property
    def pays(self) -> tuple[Mapping[str, int], ...]:
        """For each row, what each type pays its winner."""
        facts = self.facts
        return tuple(
            {name: row.pays.get(name, facts.row_pay) for name in facts.types(row)}
            for row in facts.rows
        )

    def ranked(self, rows: Rows) -> tuple[Ranked, ...]:
        """What each row is."""
        return tuple(ranks.rank(row) for ranks, row in zip(self.ranks, rows, strict=True))

    def split(self, cards: Cards) -> Rows:
        """Cards in a line as rows, each in the game's order."""
        rows, start = [], 0
        for row in self.facts.rows:
            rows.append(self.sorted(cards[start : start + row.cards]))
            start += row.cards
        return tuple(rows)

    def misplaced(self, rows: Rows) -> int | None:
        """The number from 0 of the first row that is stronger than the next; None when all stand in
        order, from the weakest to the strongest."""
        levels = [row.level for row in self.ranked(rows)]
        return next((n for n, (a, b) in enumerate(pairwise(levels)) if a > b), None)

    def why_misplaced(self, rows: Rows, lower: int) -> Reason:
        """Why a row may not be followed by the next."""
        below, above = self.ranked(rows)[lower : lower + 2]
        names = {"row": self.facts.rows[lower].name, "next": self.facts.rows[lower + 1].name}
        if below.type_level == above.type_level:
            # Where types stand level, another clause says how their ranks compare.
            short = self.facts.rows[lower].cards < self.facts.rows[lower + 1].cards
            point = "misarranged" if short else "ascending"
            return self.cite(point, "rows.level", type=below.type, other=above.type, **names)
        return self.cite("ascending", "rows.stronger", type=below.type, other=above.type, **names)

    def why_ascending(self, rows: Rows) -> tuple[Reason, ...]:
        """Why rows are in order."""
        ranked = self.ranked(rows)
        reasons = [self.cite("ascending", "rows.ascending", types=[row.type for row in ranked])]
        for n, (below, above) in enumerate(pairwise(ranked)):
            names = {"row": self.facts.rows[n].name, "next": self.facts.rows[n + 1].name}
            if below.level == above.level:
                reasons.append(self.cite("misarranged", "rows.equal", **names))
            elif len(rows[n]) < len(rows[n + 1]) and below.type_level == above.type_level:
                level = below.ranks == above.ranks[: len(below.ranks)]
                key = "rows.ran-out" if level else "rows.level-right"
                types = {"type": below.type, "other": above.type}
                reasons.append(self.cite("misarranged", key, **types, **names))
        return tuple(reasons)

    # The best arrangement

    @property
    def tally(self) -> Tally:
        """The opponents that arrangements are measured against."""
        raise NotImplementedError

    def odds(self, role: Role) -> tuple[RowOdds, ...]:
        """For each row, what it is worth in that role."""
        if role not in self._odds:
            self._odds[role] = self.odds_against(self.tally, role)
        return self._odds[role]

    def odds_against(self, tally: Tally, role: Role) -> tuple[RowOdds, ...]:
        """The same against other opponents. A tie is the defender's."""
        rows = zip(tally.rows, self.ranks, self.pays, strict=True)
        ties = role == "defender"
        return tuple(RowOdds(row, ranks, pays, wins_ties=ties) for row, ranks, pays in rows)

    def search(self, role: Role = "challenger") -> RowSearch:
        """The search among all arrangements, valued for that role."""
        if role not in self._searches:
            values = [odd.value for odd in self.odds(role)]
            self._searches[role] = RowSearch(self.ranks[0], self.ranks[1], values)
        return self._searches[role]

    @cached_property
    def _odds(self) -> dict[Role, tuple[RowOdds, ...]]:
        return {}

    @cached_property
    def _searches(self) -> dict[Role, RowSearch]:
        return {}

    # Playing

    def legal_moves(self, state: S) -> Sequence[Move]:
        """The strongest third row first, then the strongest second; the cards of a row in the game's
        order. Another order within a row is the same arrangement."""
        if state.turn is None:
            return []
        cards = self.sorted(state.hands[state.turn])
        search = self.search()
        forfeit = self.facts.misarranged == "forfeit"
        rows = search.every(cards) if forfeit else search.legal(cards)
        return [Move("arrange", first + second + third) for first, second, third in rows]

    def fault(self, state: S, move: Move) -> Reason | None:
        hand = self.sorted(state.hands[state.mover])
        if move.kind != "arrange" or move.value is not None or self.sorted(move.cards) != hand:
            return self.cite("arrange", "rows.all-cards")
        rows = self.split(move.cards)
        lower = self.misplaced(rows)
        if lower is None or self.facts.misarranged == "forfeit":
            return None
        return self.why_misplaced(rows, lower)

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        rows = self.split(move.cards)
        lower = self.misplaced(rows)
        if lower is None:
            return (self.cite("arrange", "rows.laid"), *self.why_ascending(rows))
        return (self.why_misplaced(rows, lower), self.cite("misarranged", "rows.forfeit"))

    def play(self, state: S, move: Move) -> S:
        return self.lay(state, Laid(self.split(move.cards)))

    def lay(self, state: S, laid: Laid) -> S:
        """The state after the seat to move has laid down its cards: the next seat's turn, or, after
        the last, all cards open and the deal over."""
        seat = state.mover
        all_laid, hands = put(state.laid, seat, laid), put(state.hands, seat, ())
        turn = (seat + 1) % state.players if None in all_laid else None
        events = () if turn is not None else (self.cite("arrange", "rows.revealed"),)
        return replace(state, laid=all_laid, hands=hands, turn=turn, events=events)

    def longest(self, players: int) -> int:
        # Each seat lays down its cards once.
        return players

    # Looking on

    def table(self, state: S) -> Table:
        zones: list[Zone] = []
        for seat, laid in enumerate(state.laid):
            if laid is None:
                continue
            seen_by = None if state.turn is None else (seat,)
            if laid.declared and state.turn is None:
                zones.append(Zone("special", self.sorted(laid.cards), seat))
                continue
            # A declared hand lies in rows like any other until all are turned up.
            zones += [
                Zone(f"row.{n}", row, seat, seen_by) for n, row in enumerate(laid.rows, start=1)
            ]
        return Table(state.turn, self.hands(state), (*zones, *self.undealt(state)))

    def undealt(self, state: S) -> tuple[Zone, ...]:
        """The cards that nobody was dealt."""
        return self.face_down("stock", state.stock)

    # Moves for seats that nobody plays

    def pick(self, state: S, rng: random.Random) -> Move:
        cards = list(state.hands[state.mover])
        # Most shuffles give a legal arrangement when the rows of five are put in order.
        for _ in range(50):
            rng.shuffle(cards)
            rows = self.split(tuple(cards))
            if self.facts.misarranged == "forfeit":
                break
            first, second, third = self.ranked(rows)
            if second.level > third.level:
                rows, second = (rows[0], rows[2], rows[1]), third
            if first.level <= second.level:
                break
        else:
            rows = next(self.search().legal(self.sorted(cards)))
        return Move("arrange", tuple(card for row in rows for card in row))

    # Questions

    def rows_field(self) -> Fixed:
        """The rows of one hand."""
        return Fixed(tuple(CardList(row.cards, row.cards) for row in self.facts.rows))

    def row_check(self) -> Check:
        """`row`: what the cards of one row are."""
        sizes = [row.cards for row in self.facts.rows]
        return self.question(
            "row",
            self._row,
            row=Int(1, len(sizes)),
            cards=CardList(min(sizes), max(sizes)),
        )

    def _row(self, row: int, cards: Cards) -> Verdict:
        self.check_size("cards", row, cards)
        ranked = self.ranks[row - 1].rank(cards)
        pays = self.pays[row - 1][ranked.type]
        return Verdict(
            {"category": ranked.type, "pays": pays},
            self.why_row(row - 1, self.sorted(cards), ranked),
        )

    def check_size(self, place: str, row: int, cards: Cards) -> None:
        """Raises `BadInput` unless so many cards make the row of that number from 1."""
        size = self.facts.rows[row - 1].cards
        if len(cards) != size:
            raise BadInput(place, "bad.cards", least=size, most=size, got=len(cards))

    def why_row(self, row: int, cards: Cards, ranked: Ranked) -> tuple[Reason, ...]:
        """Why the cards are what they are, and what they pay: the game's own clauses."""
        raise NotImplementedError

    def arrangement_check(self) -> Check:
        """`arrangement`: whether rows are in order."""
        return self.question("arrangement", self._arrangement, rows=self.rows_field())

    def why_plain(self, rows: Rows) -> tuple[Reason, ...]:
        """What a special hand gives up that is arranged plainly: a game with such hands says it."""
        return ()

    def _arrangement(self, rows: Rows) -> Verdict:
        lower = self.misplaced(rows)
        answer = {"legal": lower is None, "categories": [row.type for row in self.ranked(rows)]}
        if lower is None:
            return Verdict(answer, (*self.why_ascending(rows), *self.why_plain(rows)))
        fate = f"rows.{self.facts.misarranged}"
        return Verdict(answer, (self.why_misplaced(rows, lower), self.cite("misarranged", fate)))
