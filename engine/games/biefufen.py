"""憋负分: rows grow from the sevens; a card that one lays face down instead counts against him."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from engine.cards import SUITS, Card, Cards, remove
from engine.families import totals
from engine.families.layout import Choices, lay
from engine.families.layout_rows import CLOSED, Row, Rows
from engine.fields import CardList, Check, Int, Nullable
from engine.game import Deal, Match, Move, Note, Result, Table
from engine.games.biefufen_minus import BiefufenState, Facts, MinusGame, Replaced
from engine.rulebook import Data
from engine.seats import put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason


class Biefufen(MinusGame):
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

    # Minus points

    def replaced(self, state: BiefufenState) -> Replaced:
        return {card: self.times(wild) for card, wild in state.replaced}

    # What can be laid

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
            reasons.append(self.why_dead(move.cards[0]))
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

    def why_not_wild(self, card: Card) -> Reason:
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
        yield from self.minus_checks()

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


GAME = Biefufen
