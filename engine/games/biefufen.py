"""憋负分: rows grow from the sevens; a card that one lays face down instead counts against him."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from engine.cards import JOKERS, SUITS, Card, Cards, Order, Rank, pack, remove
from engine.families import totals
from engine.families.layout import Choices, LayoutFacts, LayoutGame, LayoutState, lay
from engine.families.layout_rows import CLOSED, Row, Rows
from engine.fields import ByCard, CardList, Check, Int, ListOf, Nullable, SeatNumber
from engine.game import Deal, Match, Move, Note, Result, Table
from engine.rulebook import Data
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


@dataclass(frozen=True)
class Fewer:
    """With so many `players`, these `suits` stay out."""

    players: int
    suits: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """The minus `points` of a card of these `ranks`."""

    ranks: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Times:
    """How often a card counts that a `card` of a suit stood for, and one that a `joker` stood for."""

    card: int
    joker: int


@dataclass(frozen=True, kw_only=True)
class Facts(LayoutFacts):
    """`suits_out` by number of players; `minus` the points; `wild` whether cards of `wild_ranks`, and
    the jokers where there are any, may stand for others; `times` how often the replaced card counts."""

    suits_out: tuple[Fewer, ...]
    minus: tuple[Points, ...]
    wild: bool
    wild_ranks: tuple[str, ...]
    times: Times


@dataclass(frozen=True, kw_only=True)
class BiefufenState(LayoutState):
    """`down` are the cards that each seat has laid face down."""

    down: tuple[Cards, ...] = ()


Replaced = Mapping[Card, int]
"""How often replaced cards count."""


class Biefufen(LayoutGame[Facts, BiefufenState]):
    facts_type = Facts

    def suits(self, players: int) -> Sequence[str]:
        """All suits but those that stay out with so few players (biefufen-01, -02)."""
        return self._suits.get(players, SUITS)

    @cached_property
    def _suits(self) -> Mapping[int, Sequence[str]]:
        return {
            fewer.players: tuple(suit for suit in SUITS if suit not in fewer.suits)
            for fewer in self.facts.suits_out
        }

    def pack(self, players: int) -> Cards:
        suits = ("", *self.suits(players))
        return tuple(card for card in super().pack(players) if card.suit in suits)

    def figures(self) -> Data:
        """Besides the ends of a row, `total` minus points are in all cards."""
        every = self.pack(self.rules.book.game.players[1])
        return {**super().figures(), "total": sum(map(self.minus, every))}

    def start(self, deal: Deal, match: Match) -> BiefufenState:
        first = self.leader(deal.hands)
        out = [suit for suit in SUITS if suit not in self.suits(match.players)]
        events = [reason("biefufen-01", "pack.all")]
        if out:
            events = [
                reason("biefufen-01", "pack.fewer", players=match.players, suits=out),
                reason("biefufen-02", "pack.kept", suit=self.first.suit),
            ]
        events += [
            reason("biefufen-03", "layout.dealt", seat=match.dealer),
            reason("biefufen-03", "leads", seat=first, card=self.first),
        ]
        empty: tuple[Cards, ...] = ((),) * match.players
        return BiefufenState(
            match=match, hands=deal.hands, turn=first, down=empty, events=tuple(events)
        )

    @cached_property
    def _order(self) -> Order:
        ranks = cast(tuple[Rank, ...], self.facts.ranks)
        return Order((*(joker for joker in JOKERS if joker not in ranks), *ranks))

    def sorted(self, cards: Iterable[Card]) -> Cards:
        """Jokers as well where they are not in the pack: on score sheets any card may stand."""
        return self._order.sort(cards)

    # Minus points

    def minus(self, card: Card) -> int:
        """The minus points of a card (biefufen-06)."""
        return next(p.points for p in self.facts.minus if card.rank in p.ranks)

    def counted(self, cards: Iterable[Card], replaced: Replaced) -> int:
        """The minus points of cards laid face down, replaced ones counted more than once."""
        return sum(self.minus(card) * replaced.get(card, 1) for card in cards)

    def times(self, wild: Card) -> int:
        """How often a card counts that this wild card stands for (biefufen-08, -10)."""
        return self.facts.times.card if wild.suit else self.facts.times.joker

    def replaced(self, state: BiefufenState) -> Replaced:
        return {card: self.times(wild) for card, wild in state.replaced}

    def _clause_of(self, times: int) -> str:
        return "biefufen-08" if times == self.facts.times.card else "biefufen-10"

    def why_counted(self, cards: Cards, replaced: Replaced) -> list[Reason]:
        """How the minus points of some cards come together."""
        cards = self.sorted(cards)
        points = self.counted(cards, replaced)
        if not cards:
            return [reason("biefufen-06", "minus.none")]
        reasons = [reason("biefufen-06", "minus.sum", cards=list(cards), points=points)]
        for card in cards:
            if times := replaced.get(card):
                counted = self.minus(card) * times
                said = reason(
                    self._clause_of(times), "minus.times", card=card, times=times, points=counted
                )
                reasons.append(said)
                if self.is_wild(card):
                    reasons.append(reason("biefufen-12", "wild.replaced", card=card))
        return reasons

    # What can be laid

    def is_wild(self, card: Card) -> bool:
        """Whether a card may stand for another."""
        return card in self._wild_cards

    @cached_property
    def _wild_cards(self) -> frozenset[Card]:
        ranks = {*self.facts.wild_ranks, *JOKERS} if self.facts.wild else set()
        return frozenset(card for card in super().pack(0) if card.rank in ranks)

    def choices(self, hand: Cards, rows: Rows, dead: Cards, suits: Collection[str]) -> Choices:
        """Whatever joins a row; for who need not join, centres of other suits as well (biefufen-05). A
        wild card need not be used, and a replaced one cannot be (biefufen-09, -11)."""
        places = self.board.joins(rows)
        natural = tuple(c for c in hand if c in places)
        bound = any(not self.is_wild(c) for c in natural)
        if not bound:
            centres = self.board.centres(rows, suits)
            natural += tuple(c for c in hand if c in centres)
            places += centres
        wild = tuple(c for c in hand if self.is_wild(c) and c not in dead)
        return Choices(natural, wild, places if wild else (), bound)

    def other_moves(self, state: BiefufenState) -> Sequence[Move]:
        if self.choices_now(state).bound:
            return []
        cards = self.sorted(state.hands[state.mover])
        return [Move("down", (card,)) for card in sorted(cards, key=self.minus)]

    def other_fault(self, state: BiefufenState, move: Move) -> Reason | None:
        if move.kind != "down" or len(move.cards) != 1 or move.value is not None:
            return self.cite("turn", "turn.join-or-down")
        card = move.cards[0]
        if card not in state.hands[state.mover]:
            return self.cite("turn", "turn.not-held", cards=[card])
        if state.rows == CLOSED:
            return self.cite("lead", "layout.first", card=self.first)
        choices = self.choices_now(state)
        return self._must_join(choices) if choices.bound else None

    def _must_join(self, choices: Choices) -> Reason:
        cards = self.sorted(c for c in choices.natural if not self.is_wild(c))
        return reason("biefufen-05", "join.must", cards=list(cards))

    def why_other(self, state: BiefufenState, move: Move) -> tuple[Reason, ...]:
        reasons = [self._why_down(self.choices_now(state))]
        if move.cards[0] in state.dead:
            reasons.append(self.dead(move.cards[0]))
        return tuple(reasons)

    def _why_down(self, choices: Choices) -> Reason:
        """Why a card may be laid face down."""
        centres = [c for c in choices.natural if c in self.board.centre.values()]
        if centres:
            return reason("biefufen-05", "down.or-centre", cards=centres)
        if choices.laid():
            return reason("biefufen-11", "down.or-wild")
        return reason("biefufen-05", "down.must")

    def allows(self, state: BiefufenState, move: Move) -> tuple[Reason, ...]:
        reasons = super().allows(state, move)
        if move.kind == "play" and move.value is None and self.is_wild(move.cards[0]):
            return (*reasons, reason("biefufen-09", "wild.itself", card=move.cards[0]))
        return reasons

    def why_wild(self, state: BiefufenState, move: Move) -> tuple[Reason, ...]:
        wild, card = move.cards[0], Card(str(move.value))
        reasons = [
            reason(self._clause_of(self.times(wild)), "wild.any", wild=wild),
            reason("biefufen-09", "wild.stands", card=card),
        ]
        if not self.choices_now(state).bound:
            reasons.append(reason("biefufen-11", "wild.free", wild=wild))
        if self.is_wild(card):
            reasons.append(reason("biefufen-12", "wild.replaced", card=card))
        return tuple(reasons)

    def why_replaced(self, state: BiefufenState, card: Card, wild: Card) -> tuple[Reason, ...]:
        # A wild card lies elsewhere for another, but its own place is still to be filled.
        if card in self._lying_wild(state):
            return (reason("biefufen-09", "wild.fills", card=card, wild=wild),)
        times = self.times(wild)
        counts = reason(self._clause_of(times), "wild.counts", card=card, times=times)
        return (*super().why_replaced(state, card, wild), counts)

    def _lying_wild(self, state: BiefufenState) -> Cards:
        """The wild cards that lie for another."""
        return tuple(wild for _, wild in state.replaced)

    def not_wild(self, card: Card) -> Reason:
        if not self.is_wild(card):
            clause = "biefufen-08" if self.facts.wild else "biefufen-04"
            return reason(clause, "wild.none", card=card)
        return reason("biefufen-09", "wild.name-it", wild=card)

    def why_joker(self, card: Card) -> Reason:
        return reason("biefufen-10", "wild.name-it", wild=card)

    def why_no_centre(self, card: Card) -> Reason:
        return reason("biefufen-05", "centre.later", card=card)

    # Turns

    def play(self, state: BiefufenState, move: Move) -> BiefufenState:
        seat = state.mover
        if move.kind == "play":
            return super().play(state, move)
        card = move.cards[0]
        down = put(state.down, seat, (*state.down[seat], card))
        hands = put(state.hands, seat, remove(state.hands[seat], (card,)))
        return self.after_laying(replace(state, hands=hands, down=down, events=()), seat)

    def after_laying(self, state: BiefufenState, seat: int) -> BiefufenState:
        """The next seat with cards is to move: of uneven hands some are empty before others."""
        following = ((seat + n) % state.players for n in range(1, state.players + 1))
        turn = next((s for s in following if state.hands[s]), None)
        if turn is None:
            state = replace(state, events=(*state.events, reason("biefufen-07", "turn-up")))
        return replace(state, turn=turn)

    def longest(self, players: int) -> int:
        # Every move takes one card out of a hand, and none comes back.
        return len(self.pack(players))

    def overheard(self, state: BiefufenState, move: Move) -> Message:
        if move.kind == "down":
            return message("move.down-unseen", seat=state.turn)
        return super().overheard(state, move)

    # The end

    def settled(self, points: Sequence[int]) -> tuple[list[int], list[int], list[Reason]]:
        """Who has the fewest minus points and wins, who the most and loses, and why (biefufen-07).
        Where all have as many, nobody loses."""
        fewest, most = min(points), max(points)
        winners = [seat for seat, n in enumerate(points) if n == fewest]
        losers = [seat for seat, n in enumerate(points) if n == most and n > fewest]
        return winners, losers, [
            reason("biefufen-07", "settle.fewest", seats=winners, points=fewest),
            *([reason("biefufen-07", "settle.most", seats=losers, points=most)] if losers else []),
        ]  # fmt: skip

    def result(self, state: BiefufenState) -> Result | None:
        if state.turn is not None:
            return None
        replaced = self.replaced(state)
        points = [self.counted(cards, replaced) for cards in state.down]
        reasons = list(self._why_each(state.down, replaced))
        winners, _, ending = self.settled(points)
        scores = tuple(-n for n in points)
        match = totals.add(state.match, scores)
        return Result(scores, tuple(winners), match, (*reasons, *ending))

    def _why_each(self, down: Sequence[Cards], replaced: Replaced) -> Iterable[Reason]:
        """Each seat's minus points, in one sentence, and the replaced cards among them."""
        for seat, cards in enumerate(down):
            if not cards:
                yield reason("biefufen-06", "minus.of-none", seat=seat)
                continue
            _, *more = self.why_counted(cards, replaced)
            points, shown = self.counted(cards, replaced), list(self.sorted(cards))
            yield reason("biefufen-06", "minus.of", seat=seat, cards=shown, points=points)
            yield from more

    # Looking on

    def table(self, state: BiefufenState) -> Table:
        """Cards laid face down are seen by who laid them, and by all when the deal is over."""
        table = super().table(state)
        down = self.piles("buried", state.down, secret=state.turn is not None)
        return replace(table, zones=(*table.zones, *down))

    def notes(self, state: BiefufenState) -> tuple[Note, ...]:
        lying = self._lying_wild(state)
        return tuple(
            Note(message("note.times", card=card, wild=wild, times=self.times(wild)))
            for card, wild in state.replaced
            if card not in lying
        )

    # Moves for seats that nobody plays

    def robot(self, state: BiefufenState) -> Move:
        """Joins where most of its own minus points wait; lays down what is dead, or counts least."""
        hand = state.hands[state.mover]
        moves = self.legal_moves(state)

        def frees(move: Move) -> int:
            card = move.cards[0] if move.value is None else Card(str(move.value))
            return sum(self.minus(c) for c in self.board.beyond(hand, card) if c not in state.dead)

        plain = [m for m in moves if m.kind == "play" and not self.is_wild(m.cards[0])]
        if plain:
            return max(plain, key=frees)
        wild = [m for m in moves if m.kind == "play" and m.value not in hand]
        best = max(wild, key=frees, default=None)
        if best and (frees(best) or all(map(self.is_wild, hand))):
            return best
        down = [m for m in moves if m.kind == "down"]

        def cost(move: Move) -> tuple[bool, bool, int]:
            card = move.cards[0]
            return card not in state.dead, self.is_wild(card), self.minus(card)

        return min(down or moves, key=cost)

    def pick(self, state: BiefufenState, rng: random.Random) -> Move:
        choices = self.choices_now(state)
        laid = choices.laid()
        hand = () if choices.bound else state.hands[state.mover]
        number = rng.randrange(len(laid) + len(hand))
        if number < len(laid):
            return lay(*laid[number])
        return Move("down", (hand[number - len(laid)],))

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        yield self.question(
            "legal",
            self._legal,
            hand=CardList(1, self.largest_hand),
            rows=self.rows_field(),
            dead=Nullable(CardList(counted=False), may_miss=True),
            players=Nullable(Int(least, most), may_miss=True),
        )
        times = self.facts.times
        replaced = Nullable(
            ByCard(Int(min(times.card, times.joker), max(times.card, times.joker))), may_miss=True
        )
        # What cards count is asked of score sheets, so in any rule set any of them may stand there.
        every = pack(jokers=JOKERS)
        minus = self.question("minus", self._minus, cards=CardList(), replaced=replaced)
        yield replace(minus, pack=every)
        sides = ListOf(ListOf(SeatNumber(most), 1, most), 2, most)
        settle = self.question(
            "settle",
            self._settle,
            laid_down=ListOf(CardList(), least, most, by_seat=True),
            replaced=replaced,
            sides=Nullable(sides, may_miss=True),
        )
        yield replace(settle, pack=every)

    def _legal(
        self,
        hand: Cards,
        rows: Mapping[str, Row | None],
        dead: Cards | None,
        players: int | None,
    ) -> Verdict:
        table = self.read_rows(rows)
        dead = dead or ()
        suits = self.suits(players or self.rules.book.game.players[1])
        self._check_position(hand, table, dead, suits)
        if table == CLOSED:
            return self._lead(hand)
        choices = self.choices(hand, table, dead, suits)
        laid = choices.laid()
        answer: dict[str, Any] = {
            "plays": [{"card": card, "as": as_} for card, as_ in laid],
            "must_lay_down": not laid,
            "may_lay_down": not choices.bound,
        }
        reasons = self.why_hand(hand, table, dead, choices)
        reasons += self._why_wild_cards(choices)
        if choices.bound:
            reasons.append(self._must_join(choices))
            reasons += [
                self.why_no_centre(c) for c in hand if c in self.board.centres(table, suits)
            ]
        else:
            reasons.append(self._why_down(choices))
        return Verdict(answer, tuple(reasons))

    def _lead(self, hand: Cards) -> Verdict:
        """No row is open yet: only the first centre card can be laid, by its holder."""
        plays = [{"card": c, "as": c} for c in hand if c == self.first]
        key = "layout.lead" if plays else "layout.first"
        answer = {"plays": plays, "must_lay_down": False, "may_lay_down": False}
        return Verdict(answer, (reason("biefufen-03", key, card=self.first),))

    def _why_wild_cards(self, choices: Choices) -> list[Reason]:
        """What the wild cards of a hand may do."""
        reasons = [
            reason("biefufen-09", "wild.itself", card=card)
            for card in self.sorted(choices.natural)
            if self.is_wild(card)
        ]
        stands_for = self.sorted(choices.stands_for)
        if not stands_for:
            return reasons
        for wild in self.sorted(choices.wild):
            clause = self._clause_of(self.times(wild))
            reasons.append(reason(clause, "wild.any", wild=wild))
        cards = list(stands_for)
        reasons.append(reason("biefufen-09", "wild.choices", cards=cards))
        replaced = [c for c in stands_for if self.is_wild(c)]
        reasons += [reason("biefufen-12", "wild.replaced", card=card) for card in replaced]
        return reasons

    def _check_position(self, hand: Cards, rows: Rows, dead: Cards, suits: Collection[str]) -> None:
        """Raises `BadInput` for cards and rows that cannot be together."""
        for suit, row in zip(SUITS, rows, strict=True):
            if row is not None and suit not in suits:
                raise BadInput(f"rows.{suit}", "bad.suit-out", suit=suit)
        for name, cards in (("hand", hand), ("dead", dead)):
            for card in cards:
                if card.suit and card.suit not in suits:
                    raise BadInput(name, "bad.suit-out", suit=card.suit)
        for card in hand:
            if self.board.covered(rows, card) and card not in dead:
                raise BadInput("hand", "bad.laid", card=card)
        for card in dead:
            if not self.facts.wild or card == self.first or not self.board.covered(rows, card):
                raise BadInput("dead", "bad.not-replaced", card=card)

    def _minus(self, cards: Cards, replaced: Replaced | None) -> Verdict:
        table = self._read_replaced(replaced)
        points = self.counted(cards, table)
        return Verdict({"points": points}, tuple(self.why_counted(cards, table)))

    def _read_replaced(self, replaced: Replaced | None) -> Replaced:
        for card in replaced or {}:
            if not card.suit:
                raise BadInput(f"replaced.{card}", "bad.joker-replaced", card=card)
        return replaced or {}

    def _settle(
        self,
        laid_down: tuple[Cards, ...],
        replaced: Replaced | None,
        sides: tuple[tuple[int, ...], ...] | None,
    ) -> Verdict:
        table = self._read_replaced(replaced)
        points = [self.counted(cards, table) for cards in laid_down]
        reasons = list(self._why_each(laid_down, table))
        answer: dict[str, Any] = {"points": points}
        if sides is None:
            winners, losers, ending = self.settled(points)
            return Verdict({**answer, "winners": winners, "losers": losers}, (*reasons, *ending))
        if sorted(seat for side in sides for seat in side) != list(range(len(laid_down))):
            raise BadInput("sides", "bad.sides", most=len(laid_down) - 1)
        sums = [sum(points[seat] for seat in side) for side in sides]
        best, worst, _ = self.settled(sums)
        answer |= {
            "sides": sums,
            "winners": sorted(seat for side in best for seat in sides[side]),
            "losers": sorted(seat for side in worst for seat in sides[side]),
        }
        for side, n in zip(sides, sums, strict=True):
            reasons.append(reason("biefufen-07", "settle.side", seats=list(side), points=n))
        reasons.append(reason("biefufen-07", "settle.winners", seats=answer["winners"]))
        return Verdict(answer, tuple(reasons))


GAME = Biefufen
