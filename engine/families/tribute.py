"""Tribute between deals: seats that finished late give high cards to seats that finished early, and
get as many back, all in the order of finish.

A game says at the start of a deal who owes whom, as the steps of a `Tribute`; the family plays them and
then lets the game begin. It cites the game's clauses through `cites`: `tribute.give`, `tribute.tie`,
`tribute.receive`, `tribute.take`, `tribute.back`, `tribute.return`, `tribute.stays`, `tribute.pick`.
"""

import random
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Literal, TypeVar

from engine.cards import Card, Cards, contains, remove
from engine.families.climbing import ClimbingFacts, ClimbingGame, ClimbingState
from engine.game import Move, Table, Zone
from engine.seats import put
from engine.values import replace
from engine.verdict import Message, Reason, message

Lots = tuple[tuple[int, Cards], ...]
"""Cards lying on the table, by the seat that laid them."""


@dataclass(frozen=True, slots=True)
class Step:
    """What `seat` has to do: `give` its `count` highest cards; `receive` the highest card that
    another has given, without a choice; `take` one of those given; `return` as many cards as it has
    got, of its choice; `pick` one of those returned. `of` are the seats whose cards it may get.
    `back` hands cards that nobody took back to their owners."""

    kind: Literal["give", "receive", "take", "return", "pick", "back"]
    seat: int
    of: tuple[int, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Gift:
    """A card given as tribute."""

    giver: int
    taker: int
    card: Card


@dataclass(frozen=True, kw_only=True)
class Tribute:
    """Tribute under way: the steps to come, the cards on the table, and who got what of whom."""

    todo: tuple[Step, ...] = ()
    given: Lots = ()
    returned: Lots = ()
    gifts: tuple[Gift, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TributeState(ClimbingState):
    """A deal that may begin with tribute: while `tribute.todo` holds steps, no card is played."""

    tribute: Tribute = Tribute()


F = TypeVar("F", bound=ClimbingFacts)
S = TypeVar("S", bound=TributeState)
KINDS = {"give": "tribute", "take": "pick", "return": "return", "pick": "pick"}
"""The kind of move that does a step."""


class TributeGame(ClimbingGame[F, S]):
    """A climbing game whose deals begin with tribute for the last one.

    `face_up` says whether all may see what is given; if not, only giver and taker do. What is
    returned lies face up.
    """

    captures = False
    face_up: ClassVar[bool] = True

    # Hooks

    @abstractmethod
    def begin(self, state: S) -> S:
        """The state when tribute is over or none is due: who leads has the turn."""

    def stays(self, card: Card) -> bool:
        """Whether a card may not be returned."""
        return False

    # The highest cards

    def highest(self, hand: Iterable[Card], count: int) -> tuple[Cards, Cards]:
        """The highest `count` cards of a hand: those that are surely among them, and the equal ones
        of which the rest may be chosen."""
        cards = self.sorted(hand)
        edge = cards[count - 1].rank if count <= len(cards) else None
        sure = tuple(c for c in cards[:count] if c.rank != edge)
        return sure, tuple(c for c in cards if c.rank == edge)

    # Steps that need no choice

    def settle_tribute(self, state: S) -> S:
        """Does the steps that leave no choice, up to one that does or to the first play."""
        while state.tribute.todo:
            step = state.tribute.todo[0]
            offered = self.offered(state.tribute, step)
            if step.kind == "receive":
                state = self._hand_over(state, step, self.sorted(offered)[0], "tribute.received")
            elif step.kind == "back":
                state = self._hand_back(state)
            elif step.kind in ("take", "pick") and len(offered) < 2:
                point = "tribute.left" if step.kind == "take" else "tribute.got-back"
                rest = replace(state, tribute=replace(state.tribute, todo=state.tribute.todo[1:]))
                state = self._hand_over(state, step, offered[0], point) if offered else rest
            elif step.kind == "return" and not self.number(state.tribute, step):
                state = replace(state, tribute=replace(state.tribute, todo=state.tribute.todo[1:]))
            else:
                return replace(state, turn=step.seat)
        return self.begin(state)

    def number(self, tribute: Tribute, step: Step) -> int:
        """How many cards a step takes."""
        if step.kind == "return":
            return sum(gift.taker == step.seat for gift in tribute.gifts)
        return step.count

    @staticmethod
    def offered(tribute: Tribute, step: Step) -> Cards:
        """The cards of which a seat may get one."""
        lots = tribute.returned if step.kind == "pick" else tribute.given
        return tuple(card for seat, cards in lots for card in cards if seat in step.of)

    def _hand_over(self, state: S, step: Step, card: Card, key: str) -> S:
        """Gives the seat of a step the card, with an event when nothing had to be chosen."""
        tribute = state.tribute
        lots = tribute.returned if step.kind == "pick" else tribute.given
        owner = next(seat for seat, cards in lots if card in cards and seat in step.of)
        left = _without(lots, owner, card)
        if step.kind == "pick":
            tribute = replace(tribute, returned=left)
        else:
            gift = Gift(owner, step.seat, card)
            tribute = replace(tribute, given=left, gifts=(*tribute.gifts, gift))
        hands = put(state.hands, step.seat, (*state.hands[step.seat], card))
        events = state.events
        if key:
            seen = {"card": card} if self.face_up or step.kind == "pick" else {}
            key = key if seen else f"{key}-unseen"
            event = self.cite(f"tribute.{step.kind}", key, seat=step.seat, giver=owner, **seen)
            events = (*events, event)
        tribute = replace(tribute, todo=tribute.todo[1:])
        return replace(state, hands=hands, tribute=tribute, events=events)

    def _hand_back(self, state: S) -> S:
        """What nobody may take goes back to who laid it."""
        tribute, events, hands = state.tribute, state.events, list(state.hands)
        for seat, cards in tribute.given:
            hands[seat] = (*hands[seat], *cards)
            event = self.cite("tribute.back", "tribute.back", seat=seat, cards=list(cards))
            events = (*events, event)
        tribute = replace(tribute, given=(), todo=tribute.todo[1:])
        return replace(state, hands=tuple(hands), tribute=tribute, events=events)

    # Moves

    def legal_moves(self, state: S) -> Sequence[Move]:
        if not state.tribute.todo or state.turn is None:
            return super().legal_moves(state)
        step = state.tribute.todo[0]
        count = self.number(state.tribute, step)
        hand = state.hands[step.seat]
        if step.kind == "give":
            sure, equal = self.highest(hand, count)
            ways = combinations(reversed(equal), count - len(sure))
            return [Move("tribute", (*sure, *reversed(way))) for way in ways]
        if step.kind == "return":
            low = [card for card in reversed(self.sorted(hand)) if not self.stays(card)]
            return [Move("return", cards) for cards in combinations(low, count)]
        offered = reversed(self.sorted(self.offered(state.tribute, step)))
        return [Move("pick", (card,)) for card in offered]

    def fault(self, state: S, move: Move) -> Reason | None:
        if not state.tribute.todo:
            return super().fault(state, move)
        step = state.tribute.todo[0]
        point, count = f"tribute.{step.kind}", self.number(state.tribute, step)
        if move.kind != KINDS[step.kind] or len(move.cards) != count or move.value is not None:
            return self.cite(point, f"tribute.now-{step.kind}", count=count)
        offered = self.offered(state.tribute, step)
        if step.kind in ("take", "pick"):
            if move.cards[0] in offered:
                return None
            return self.cite(point, "tribute.not-offered", cards=list(self.sorted(offered)))
        if not contains(state.hands[step.seat], move.cards):
            return self.cite(point, "turn.not-held", cards=list(move.cards))
        for card in move.cards:
            if step.kind == "return" and self.stays(card):
                return self.cite("tribute.stays", "tribute.stays", card=card)
        if step.kind == "give":
            sure, equal = self.highest(state.hands[step.seat], count)
            if not set(sure) <= set(move.cards) <= {*sure, *equal}:
                wanted = self.sorted((*sure, *equal))
                return self.cite(point, "tribute.highest", count=count, cards=list(wanted))
        return None

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        if not state.tribute.todo:
            return super().allows(state, move)
        step = state.tribute.todo[0]
        count = self.number(state.tribute, step)
        reasons = [self.cite(f"tribute.{step.kind}", f"tribute.{step.kind}", count=count)]
        if step.kind == "give":
            sure, equal = self.highest(state.hands[step.seat], count)
            if len(sure) + len(equal) > count:
                reasons.append(self.cite("tribute.tie", "tribute.tie", cards=list(equal)))
        return tuple(reasons)

    def play(self, state: S, move: Move) -> S:
        if not state.tribute.todo:
            return super().play(state, move)
        tribute, step = state.tribute, state.tribute.todo[0]
        state = replace(state, events=())
        if step.kind in ("take", "pick"):
            return self.settle_tribute(self._hand_over(state, step, move.cards[0], ""))
        hands = put(state.hands, step.seat, remove(state.hands[step.seat], move.cards))
        lot = (step.seat, self.sorted(move.cards))
        todo = tribute.todo[1:]
        if step.kind == "give":
            tribute = replace(tribute, todo=todo, given=(*tribute.given, lot))
        else:
            picks = tuple(
                Step("pick", gift.giver, (step.seat,))
                for gift in tribute.gifts
                if gift.taker == step.seat
            )
            tribute = replace(tribute, todo=(*picks, *todo), returned=(*tribute.returned, lot))
        return self.settle_tribute(replace(state, hands=hands, tribute=tribute))

    def longest(self, players: int) -> int:
        # Each seat gives once at most and returns once at most. Cards go between the two sides only,
        # one for each pair at most, so there are no more picks than pairs.
        return super().longest(players) + 2 * players + 2 * (players * players // 4)

    # Looking on, and moves for seats that nobody plays

    def table(self, state: S) -> Table:
        table = super().table(state)
        tribute = state.tribute
        given = (
            Zone("tribute", cards, seat, None if self.face_up else (seat,))
            for seat, cards in tribute.given
        )
        returned = (Zone("returned", cards, seat) for seat, cards in tribute.returned)
        return replace(table, zones=(*given, *returned, *table.zones))

    def overheard(self, state: S, move: Move) -> Message:
        if move.kind == "tribute" and not self.face_up:
            return message("move.tribute-unseen", seat=state.turn, count=len(move.cards))
        return super().overheard(state, move)

    def pick(self, state: S, rng: random.Random) -> Move:
        if not state.tribute.todo:
            return super().pick(state, rng)
        step = state.tribute.todo[0]
        if step.kind != "return":
            return rng.choice(self.legal_moves(state))
        cards = [card for card in state.hands[step.seat] if not self.stays(card)]
        return Move("return", tuple(rng.sample(cards, self.number(state.tribute, step))))

    def robot(self, state: S) -> Move:
        """Picks the highest card and returns low ones, rather those that stand alone."""
        if not state.tribute.todo:
            return super().robot(state)
        step = state.tribute.todo[0]
        if step.kind != "return":
            return self.legal_moves(state)[0 if step.kind == "give" else -1]
        hand = [card for card in self.sorted(state.hands[step.seat]) if not self.stays(card)]
        held, place = self.types.counts(hand), self.types.place
        hand.sort(key=lambda card: place[card.rank] + 3 * (held[place[card.rank]] - 1))
        return Move("return", tuple(hand[: self.number(state.tribute, step)]))


def _without(lots: Lots, owner: int, card: Card) -> Lots:
    """The lots less one card; an empty lot is gone."""
    left = ((s, remove(cards, (card,)) if s == owner else cards) for s, cards in lots)
    return tuple((seat, cards) for seat, cards in left if cards)
