"""捉黑A: 争上游 with a hidden friend. Who holds ♠A plays with the banker, and nobody else knows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, Cards, remove
from engine.families import totals
from engine.families.dealing import deal_out, face_up
from engine.families.tribute import Gift, Step, Tribute, TributeGame, TributeState
from engine.fields import CardList, Check, ListOf, Nullable, SeatNumber
from engine.game import Deal, Match, Move, Note, Result
from engine.games import zhengshangyou
from engine.rulebook import Data
from engine.seats import check_seat, check_seats
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason


@dataclass(frozen=True, kw_only=True)
class Facts(zhengshangyou.Facts):
    """Who holds `secret` is the banker's friend; `win` is what each winner of a deal scores."""

    secret: str
    win: int


@dataclass(frozen=True, kw_only=True)
class ZhuoheiaMatch(Match):
    """`banker` of this deal, None where a card face up says who. `order` is the order of finish of
    the last deal, empty before the first, with its banker and friend (None: he was alone)."""

    banker: int | None = None
    order: tuple[int, ...] = ()
    last_banker: int | None = None
    last_friend: int | None = None


@dataclass(frozen=True, kw_only=True)
class ZhuoheiaState(TributeState):
    """`revealed` is who has played the secret card: only then is it known to all."""

    banker: int
    revealed: int | None = None


class Zhuoheia(TributeGame[Facts, ZhuoheiaState]):
    facts_type = Facts
    match_type = ZhuoheiaMatch
    face_up = False

    def figures(self) -> Data:
        """`cards` is how many cards there are, `types` the names of the types of play."""
        names = [shape.term or name for name, shape in self.types.shapes.items()]
        cards = len(self.pack(self.rules.book.game.players[0]))
        return {"cards": cards, "types": list(dict.fromkeys(names))}

    def check_match(self, match: Match) -> None:
        super().check_match(match)
        assert isinstance(match, ZhuoheiaMatch)
        seats = range(match.players)
        named = {"banker": match.banker, "last_banker": match.last_banker,
                 "last_friend": match.last_friend}  # fmt: skip
        for name, seat in named.items():
            if seat is not None:
                check_seat(seat, match.players, f"match.{name}")
        if not match.order:
            return
        if sorted(match.order) != list(seats):
            raise BadInput("match.order", "bad.order", players=match.players)
        if match.banker not in (None, match.order[0]):
            raise BadInput("match.banker", "bad.banker", seat=match.order[0])
        if match.last_banker is None:
            raise BadInput("match.last_banker", "bad.missing")
        if match.last_friend == match.last_banker:
            raise BadInput("match.last_friend", "bad.friend")

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_out(cards, match)

    def start(self, deal: Deal, match: Match) -> ZhuoheiaState:
        assert isinstance(match, ZhuoheiaMatch)
        counts = [len(hand) for hand in deal.hands]
        events = [reason("zhuoheia-04", "dealt", seat=match.eldest, counts=counts)]
        tribute = Tribute()
        if match.order:
            banker = match.order[0]
            events.append(reason("zhuoheia-03", "banker.first-out", seat=banker))
            assert match.last_banker is not None
            owing = Owing(match.order, match.last_banker, match.last_friend)
            events += owing.why()
            tribute = Tribute(todo=owing.steps())
        elif match.banker is not None:
            banker = match.banker
            events.append(reason("zhuoheia-03", "banker.named", seat=banker))
        else:
            rng, pack = self.rng(match, "face up"), self.pack(match.players)
            card, banker = face_up(rng, deal.hands, pack, self.facts.secret)
            events.append(reason("zhuoheia-03", "banker.face-up", seat=banker, card=card))
            events.append(reason("zhuoheia-03a", "banker.not-secret", card=self.facts.secret))
        return self.settle_tribute(
            ZhuoheiaState(
                match=match,
                hands=deal.hands,
                turn=banker,
                taken=((),) * match.players,
                banker=banker,
                tribute=tribute,
                events=tuple(events),
            )
        )

    def begin(self, state: ZhuoheiaState) -> ZhuoheiaState:
        event = reason("zhuoheia-04", "banker.leads", seat=state.banker)
        return replace(state, turn=state.banker, events=(*state.events, event))

    def stays(self, card: Card) -> bool:
        return card == self.facts.secret

    # Sides

    def holder(self, state: ZhuoheiaState) -> int:
        """The seat that holds the secret card, or has played it. Not for robots or views."""
        if state.revealed is not None:
            return state.revealed
        for seat, hand in enumerate(state.hands):
            if self.facts.secret in hand:
                return seat
        return next(p.seat for p in state.plays if self.facts.secret in p.cards)

    def side(self, state: ZhuoheiaState, seat: int, friend: int) -> tuple[int, ...]:
        """The side of a seat when `friend` holds the secret card (perhaps the banker himself)."""
        bank = {state.banker, friend}
        return tuple(s for s in range(state.players) if (s in bank) == (seat in bank))

    def friends(self, state: ZhuoheiaState, seat: int) -> tuple[int, ...]:
        if state.revealed is None:
            return ()
        return tuple(s for s in self.side(state, seat, state.revealed) if s != seat)

    def allies(self, state: ZhuoheiaState, seat: int) -> tuple[int, ...]:
        if state.revealed is None and self.facts.secret in state.hands[seat]:
            return (state.banker,) if seat != state.banker else ()
        return self.friends(state, seat)

    def finished(self, state: ZhuoheiaState) -> bool:
        holder = self.holder(state)
        banks = self.side(state, state.banker, holder)
        others = [s for s in range(state.players) if s not in banks]
        return any(all(not state.hands[s] for s in side) for side in (banks, others))

    def play(self, state: ZhuoheiaState, move: Move) -> ZhuoheiaState:
        seat = state.turn
        after = super().play(state, move)
        if move.kind != "play" or self.facts.secret not in move.cards:
            return after
        alone = seat == state.banker
        events = (
            reason("zhuoheia-02", "secret.shown", seat=seat, card=self.facts.secret),
            reason("zhuoheia-01", "secret.alone" if alone else "secret.friend", seat=seat,
                   banker=state.banker),
        )  # fmt: skip
        return replace(after, revealed=seat, events=(*events, *after.events))

    def notes(self, state: ZhuoheiaState) -> tuple[Note, ...]:
        notes = [Note(message("note.banker"), state.banker)]
        if state.revealed is not None:
            key = "note.alone" if state.revealed == state.banker else "note.friend"
            notes.append(Note(message(key), state.revealed))
        return (*notes, *super().notes(state))

    # The end of a deal

    def full_order(self, out: Sequence[int], players: int) -> tuple[int, ...]:
        """The order of finish with those who still hold cards: by seat after the last to go out
        (zhuoheia-14)."""
        after = ((out[-1] + i) % players for i in range(1, players))
        return (*out, *(seat for seat in after if seat not in out))

    def result(self, state: ZhuoheiaState) -> Result | None:
        if state.turn is not None:
            return None
        holder = self.holder(state)
        order = self.full_order(state.out, state.players)
        winners = self.side(state, order[0], holder)
        scores = tuple(self.facts.win * (s in winners) for s in range(state.players))
        match = totals.add(state.match, scores)
        key = "finish.alone" if holder == state.banker else "finish.friend"
        reasons = [
            reason("zhuoheia-01", key, banker=state.banker, friend=holder),
            reason("zhuoheia-09", "finish.won", seat=order[0], seats=list(winners)),
        ]
        if len(order) - len(state.out) > 1:
            left = list(order[len(state.out) :])
            reasons.append(reason("zhuoheia-14", "finish.left", seat=state.out[-1], seats=left))
        reasons.append(reason("zhuoheia-09", "finish.order", seats=list(order)))
        reasons.append(reason("zhuoheia-09a", "finish.scores", seats=list(winners)))
        leaders = totals.leaders(match)
        if leaders is not None:
            won = max(match.scores)
            reasons.append(reason("zhuoheia-09a", "match.won", seats=list(leaders), points=won))
        return Result(scores, winners, match, tuple(reasons), leaders)

    def next_match(self, state: ZhuoheiaState, result: Result) -> Match:
        match = super().next_match(state, result)
        assert isinstance(match, ZhuoheiaMatch)
        order = self.full_order(state.out, state.players)
        holder = self.holder(state)
        return replace(
            match,
            dealer=match.eldest,
            banker=order[0],
            order=order,
            last_banker=state.banker,
            last_friend=None if holder == state.banker else holder,
        )

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        hand = -(-len(self.pack(least)) // least)
        yield from self.climbing_checks(hand)
        seat = SeatNumber(most)
        hands = ListOf(CardList(0, hand), least, most, by_seat=True)
        yield self.question("sides", self._sides, hands=hands, banker=seat)
        yield self.question(
            "tribute",
            self._tribute,
            order=ListOf(seat, 1, most),
            banker=seat,
            friend=Nullable(seat),
            hands=hands,
        )

    def _sides(self, hands: tuple[Cards, ...], banker: int) -> Verdict:
        check_seat(banker, len(hands), "banker")
        holders = [seat for seat, hand in enumerate(hands) if self.facts.secret in hand]
        if not holders:
            raise BadInput("hands", "bad.no-secret", card=self.facts.secret)
        friend = holders[0]
        alone = friend == banker
        bank = sorted({banker, friend})
        others = [seat for seat in range(len(hands)) if seat not in bank]
        answer = {"sides": [bank, others], "friend": None if alone else friend}
        key = "finish.alone" if alone else "finish.friend"
        return Verdict(answer, (reason("zhuoheia-01", key, banker=banker, friend=friend),))

    def _tribute(
        self, order: tuple[int, ...], banker: int, friend: int | None, hands: tuple[Cards, ...]
    ) -> Verdict:
        players = len(hands)
        check_seat(banker, players, "banker")
        if friend is not None:
            check_seat(friend, players, "friend")
        if friend == banker:
            raise BadInput("friend", "bad.friend")
        check_seats(order, players, "order")
        bank = {banker} if friend is None else {banker, friend}
        if not (bank <= set(order) or set(range(players)) - bank <= set(order)):
            raise BadInput("order", "bad.no-side-out")
        owing = Owing(self.full_order(order, players), banker, friend)
        reasons = list(owing.why())
        if players - len(order) > 1:
            left = list(owing.order[len(order) :])
            reasons.append(reason("zhuoheia-14", "finish.left", seat=order[-1], seats=left))
        gifts = self.gifts(owing, hands)
        chosen: set[int] = set()
        for giver, takers in owing.givers.items():
            sure, equal = self.highest(hands[giver], len(takers))
            if len(sure) + len(equal) > len(takers):
                if self.facts.secret in equal:
                    chosen.add(giver)
                reasons.append(reason("zhuoheia-12a", "tribute.tie", cards=list(equal)))
        for gift in gifts:
            if gift.card == self.facts.secret:
                values = {"card": gift.card, "seat": gift.giver, "taker": gift.taker}
                key = "tribute.secret-chosen" if gift.giver in chosen else "tribute.secret"
                reasons.append(reason("zhuoheia-13a", key, **values))
        return Verdict({"gives": [_gift_json(gift) for gift in gifts]}, tuple(reasons))

    def gifts(self, owing: "Owing", hands: Sequence[Cards]) -> list[Gift]:
        """Who gives whom which card, of equal ones the first in the game's order.

        Raises `BadInput` for a hand with too few.
        """
        left = {}
        for giver, takers in owing.givers.items():
            cards = self.sorted(hands[giver])
            if len(cards) < len(takers):
                raise BadInput(f"hands[{giver}]", "bad.too-few", least=len(takers))
            left[giver] = cards[: len(takers)]
        found = []
        for giver, taker in owing.pairs:
            card = left[giver][0]
            left[giver] = remove(left[giver], (card,))
            found.append(Gift(giver, taker, card))
        return found


class Owing:
    """Who owes whom a card after a deal: of two opponents the later to finish owes the earlier one
    (zhuoheia-12)."""

    def __init__(self, order: Sequence[int], banker: int, friend: int | None) -> None:
        self.order, self.banker, self.friend = tuple(order), banker, friend
        bank = {banker, friend}
        self.pairs = tuple(
            (giver, taker)
            for place, taker in enumerate(order)
            for giver in order[place + 1 :]
            if (giver in bank) != (taker in bank)
        )
        """Giver and taker, in the order in which the cards are taken."""
        self.givers = {
            giver: [t for g, t in self.pairs if g == giver]
            for giver in order
            if any(g == giver for g, _ in self.pairs)
        }
        """To whom each gives, the earliest first."""
        self.takers = tuple(s for s in order if any(t == s for _, t in self.pairs))

    def steps(self) -> tuple[Step, ...]:
        """All give first, then the cards are taken, then as many returned (zhuoheia-13)."""
        gives = tuple(Step("give", g, count=len(to)) for g, to in self.givers.items())
        receives = tuple(Step("receive", taker, (giver,)) for giver, taker in self.pairs)
        returns = tuple(Step("return", taker) for taker in self.takers)
        return (*gives, *receives, *returns)

    def why(self) -> tuple[Reason, ...]:
        reasons = [self._case()]
        for giver, takers in self.givers.items():
            key = "tribute.owes-several" if len(takers) > 1 else "tribute.owes"
            reasons.append(reason("zhuoheia-12", key, giver=giver, takers=takers))
        both = [seat for seat in self.givers if seat in self.takers]
        reasons += [reason("zhuoheia-13", "tribute.first-give", seat=seat) for seat in both]
        return tuple(reasons)

    def _case(self) -> Reason:
        """Which of the cases that the source tells apart this is."""
        values: dict[str, Any] = {"banker": self.banker, "friend": self.friend,
                                  "seat": self.order[0]}  # fmt: skip
        if self.friend is None:
            key = "tribute.alone-first" if self.order[0] == self.banker else "tribute.alone"
            return reason("zhuoheia-10", key, **values)
        if self.order[:2] == (self.banker, self.friend):
            return reason("zhuoheia-11", "tribute.both-first", **values)
        if self.order[0] not in (self.banker, self.friend):
            return reason("zhuoheia-11", "tribute.opponent-first", **values)
        return reason("zhuoheia-12", "tribute.between", **values)


def _gift_json(gift: Gift) -> dict[str, Any]:
    return {"from": gift.giver, "to": gift.taker, "card": gift.card}


GAME = Zhuoheia
