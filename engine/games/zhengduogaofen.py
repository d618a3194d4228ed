"""争夺高分: All Fours, the trump turned up and accepted, refused or changed."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine.cards import Card, Cards, Suit, contains, remove
from engine.families import totals
from engine.families.dealing import deal_each
from engine.families.tricks import TrickState
from engine.fields import CardList, Check, Choice, Int, ListOf, Nullable, SeatNumber, SuitOf
from engine.game import Deal, Match, Move, Note, Result, Table, Zone
from engine.games.zhengduogaofen_scores import Facts, ScoreGame
from engine.seats import check_seat, put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message, reason

ACCEPT, REFUSE, KEEP, CHANGE = "承认", "否认", "可以", "变更"
"""What the dealer's left neighbour and then the dealer may say to a turned card."""
ALSO_SAID = {"变更王牌": CHANGE, "變更": CHANGE, "變更王牌": CHANGE, "承認": ACCEPT, "否認": REFUSE}
"""The same in full, and in traditional script."""


@dataclass(frozen=True, kw_only=True)
class ZhengduogaofenState(TrickState):
    """`turned` are the cards turned so far, `gift` the points given by seat, `aside` the surplus laid
    away, `dealt` the hands that play begins with. In phase "void" no trump was found."""

    turned: Cards
    gift: tuple[int, ...]
    aside: tuple[Cards, ...]
    dealt: tuple[Cards, ...] = ()


class Zhengduogaofen(ScoreGame[ZhengduogaofenState]):
    facts_type = Facts
    trump_field = SuitOf()

    # The deal

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def start(self, deal: Deal, match: Match) -> ZhengduogaofenState:
        players = match.players
        eldest = match.eldest
        empty: tuple[Cards, ...] = ((),) * players
        card = deal.stock[0]
        return ZhengduogaofenState(
            match=match,
            hands=deal.hands,
            stock=deal.stock[1:],
            turned=(card,),
            turn=eldest,
            leader=eldest,
            taken=empty,
            tricks=(0,) * players,
            phase="ask",
            gift=(0,) * players,
            aside=empty,
            events=(
                reason("zhengduogaofen-01", "dealt", seat=eldest),
                reason("zhengduogaofen-02", "turned", seat=eldest, card=card),
            ),
        )

    # The trump

    def phase_moves(self, state: ZhengduogaofenState) -> Sequence[Move]:
        if state.phase == "ask":
            return [Move("accept"), Move("refuse")]
        if state.phase == "answer":
            return [Move("keep"), Move("change")]
        hand = tuple(reversed(self.sorted(state.hands[state.mover])))
        return [Move("aside", cards) for cards in combinations(hand, self.surplus(state))]

    def surplus(self, state: ZhengduogaofenState) -> int:
        """How many cards the seat to move must lay aside (zhengduogaofen-06)."""
        return len(state.hands[state.mover]) - self.facts.hand

    def phase_fault(self, state: ZhengduogaofenState, move: Move) -> Reason | None:
        if state.phase != "aside":
            if move in self.phase_moves(state):
                return None
            clause = "zhengduogaofen-02" if state.phase == "ask" else "zhengduogaofen-03"
            return reason(clause, f"say.{state.phase}")
        count = self.surplus(state)
        if move.kind != "aside" or len(move.cards) != count or move.value is not None:
            return reason("zhengduogaofen-06", "aside.count", count=count)
        if contains(state.hands[state.mover], move.cards):
            return None
        return reason("zhengduogaofen-06", "turn.not-held", cards=list(move.cards))

    def phase_allows(self, state: ZhengduogaofenState, move: Move) -> tuple[Reason, ...]:
        clause = {"ask": "02", "answer": "03", "aside": "06"}[state.phase]
        return (reason(f"zhengduogaofen-{clause}", f"right.{state.phase}"),)

    def phase_play(self, state: ZhengduogaofenState, move: Move) -> ZhengduogaofenState:
        dealer = state.match.dealer
        suit = state.turned[0].suit
        match move.kind:
            case "accept":
                event = reason("zhengduogaofen-02", "accepted", seat=state.turn, suit=suit)
                return self._with_trump(state, suit, (event,))
            case "refuse":
                event = reason("zhengduogaofen-02", "refused", seat=dealer)
                return replace(state, turn=dealer, phase="answer", events=(event,))
            case "keep":
                gift, why = self.gift(dealer, state.players)
                event = reason("zhengduogaofen-03", "kept", seat=dealer, suit=suit)
                state = replace(state, gift=gift)
                return self._with_trump(state, suit, (event, why))
            case "change":
                return self._change(state)
            case _:
                return self._lay_aside(state, move.cards)

    def gift(self, dealer: int, players: int) -> tuple[tuple[int, ...], Reason]:
        """What the seats get and give when the dealer keeps the suit (zhengduogaofen-03, -04)."""
        by_dealer = self.facts.gift.to == "dealer"
        to = dealer if by_dealer else (dealer + 1) % players
        points = self.facts.gift.points
        given = tuple(points * (players - 1) if s == to else -points for s in range(players))
        return given, reason(f"zhengduogaofen-0{3 if by_dealer else 4}", "gift", seat=to)

    def step_cards(self, players: int) -> int:
        """How many cards of the stock one change takes: those dealt, and the one turned."""
        return 1 + (self.facts.change.cards * players if self.facts.change.deals else 0)

    def _change(self, state: ZhengduogaofenState) -> ZhengduogaofenState:
        """Turns, and deals before each turn where that is the rule, until another suit comes."""
        players, step = state.players, self.step_cards(state.players)
        first = state.turned[0]
        events = [] if step > 1 else [reason("zhengduogaofen-07", "turn.only")]
        while len(state.stock) >= step:
            dealt = deal_each(state.stock, state.match, (step - 1) // players).hands
            hands = tuple((*old, *new) for old, new in zip(state.hands, dealt, strict=True))
            card = state.stock[step - 1]
            if step > 1:
                events.append(reason("zhengduogaofen-07", "dealt.more"))
            state = replace(
                state, hands=hands, stock=state.stock[step:], turned=(*state.turned, card)
            )
            if card.suit != first.suit:
                events.append(reason("zhengduogaofen-04", "changed", card=card, suit=card.suit))
                return self._with_trump(state, card.suit, tuple(events))
            events.append(reason("zhengduogaofen-03", "same.suit", card=card))
        events.append(reason("zhengduogaofen-05", "void"))
        return replace(state, turn=None, phase="void", events=tuple(events))

    def _with_trump(
        self, state: ZhengduogaofenState, trump: str, events: tuple[Reason, ...]
    ) -> ZhengduogaofenState:
        eldest = state.match.eldest
        state = replace(state, trump=trump, turn=eldest, leader=eldest, events=events)
        if self._match_winner(state, ()) is not None:
            return replace(state, turn=None, phase="play", dealt=state.hands)
        if self.surplus(state):
            return replace(state, phase="aside")
        return self._lead(state)

    def _lay_aside(self, state: ZhengduogaofenState, cards: Cards) -> ZhengduogaofenState:
        seat = state.mover
        following = (seat + 1) % state.players
        state = replace(
            state,
            hands=put(state.hands, seat, remove(state.hands[seat], cards)),
            aside=put(state.aside, seat, cards),
            turn=following,
            events=(),
        )
        return state if self.surplus(state) else self._lead(state)

    def _lead(self, state: ZhengduogaofenState) -> ZhengduogaofenState:
        event = reason("zhengduogaofen-08", "leads", seat=state.leader)
        return replace(state, phase="play", dealt=state.hands, events=(*state.events, event))

    def overheard(self, state: ZhengduogaofenState, move: Move) -> Message:
        if move.kind == "aside":
            return message("move.aside-unseen", seat=state.turn, count=len(move.cards))
        return super().overheard(state, move)

    # The end

    def _match_winner(
        self, state: ZhengduogaofenState, scored: Iterable[tuple[int, int]]
    ) -> int | None:
        """The first seat to reach the target: the gift counts first, then what is scored."""
        match = state.match
        if match.target is None:
            return None
        standing = [a + b for a, b in zip(match.scores, state.gift, strict=True)]
        for seat, points in ((0, 0), *scored):
            standing[seat] += points
            if max(standing) >= match.target:
                return standing.index(max(standing))
        return None

    def result(self, state: ZhengduogaofenState) -> Result | None:
        if state.turn is not None:
            return None
        if state.phase == "void":
            nothing = (0,) * state.players
            return Result(nothing, (), state.match, (reason("zhengduogaofen-05", "void"),))
        scores, reasons = list(state.gift), list[Reason]()
        scored: list[tuple[int, int]] = []
        if not any(state.hands):
            assert state.trump is not None
            settled = self.settle(state.trump, state.taken, state.dealt)
            scored, reasons = self.scored(settled), list(settled.reasons)
        for seat, points in scored:
            scores[seat] += points
        winner = self._match_winner(state, scored)
        match = totals.add(state.match, scores)
        if winner is not None:
            reasons.append(reason("zhengduogaofen-10", "match.won", seat=winner))
        return Result(
            tuple(scores),
            totals.best(scores),
            match,
            tuple(reasons),
            None if winner is None else (winner,),
        )

    def next_match(self, state: ZhengduogaofenState, result: Result) -> Match:
        match = super().next_match(state, result)
        if state.phase == "void":
            return match
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # Two answers to the turned card, a surplus from each, and every card in hand.
        return 2 + players + players * self.facts.hand

    # Looking on

    def table(self, state: ZhengduogaofenState) -> Table:
        table = super().table(state)
        zones = (
            *table.zones,
            Zone("turned", state.turned),
            *self.face_down("stock", state.stock),
            *self.piles("aside", state.aside, secret=True),
        )
        return replace(table, zones=zones)

    def notes(self, state: ZhengduogaofenState) -> tuple[Note, ...]:
        standing = zip(state.match.scores, state.gift, strict=True)
        return (
            *super().notes(state),
            *(Note(message("note.score", points=a + b), s) for s, (a, b) in enumerate(standing)),
        )

    # Moves for seats that nobody plays

    def pick(self, state: ZhengduogaofenState, rng: random.Random) -> Move:
        if state.phase == "aside":
            hand = state.hands[state.mover]
            return Move("aside", tuple(rng.sample(hand, self.surplus(state))))
        return super().pick(state, rng)

    def robot(self, state: ZhengduogaofenState) -> Move:
        """Takes a turned suit of which it holds two cards; lays aside what counts least."""
        hand = state.hands[state.mover]
        if state.phase in ("ask", "answer"):
            fits = sum(card.suit == state.turned[0].suit for card in hand) > 1
            return self.phase_moves(state)[0 if fits else 1]
        if state.phase == "aside":
            cheap = sorted(hand, key=lambda c: (c.suit == state.trump, self.order.strength[c.rank]))
            return Move("aside", tuple(cheap[: self.surplus(state)]))
        return super().robot(state)

    # Questions

    def checks(self) -> Iterable[Check]:
        least, most = self.rules.book.game.players
        yield self.question(
            "trump",
            self._trump,
            dealer=SeatNumber(most),
            turned=CardList(1),
            answers=ListOf(Choice((ACCEPT, REFUSE, KEEP, CHANGE), also=ALSO_SAID), 0, 2),
            players=Nullable(Int(least, most), may_miss=True),
        )
        yield self.legal_check()
        yield self.trick_check(least, most)
        yield self.settle_check()

    def _trump(
        self, dealer: int, turned: Cards, answers: Sequence[str], players: int | None
    ) -> Verdict:
        """The trump as the answers leave it; the largest number of players unless given."""
        players = players or self.rules.book.game.players[1]
        check_seat(dealer, players, "dealer")
        self._check_answers(answers)
        changed = answers[-1:] == (CHANGE,)
        last = self._check_turned(turned, players, changed=changed)
        eldest = (dealer + 1) % players
        suit: Suit | None = None
        gift, redeal, turn = (0,) * players, False, None
        if not answers:
            turn = eldest
            why = [reason("zhengduogaofen-02", "turned", seat=eldest, card=turned[0])]
        elif answers[0] == ACCEPT:
            suit = _suit(turned[0])
            why = [reason("zhengduogaofen-02", "accepted", seat=eldest, suit=suit)]
        elif len(answers) == 1:
            turn = dealer
            why = [reason("zhengduogaofen-02", "refused", seat=dealer)]
        elif not changed:
            suit = _suit(turned[0])
            gift, given = self.gift(dealer, players)
            why = [reason("zhengduogaofen-03", "kept", seat=dealer, suit=suit), given]
        else:
            same = [c for c in turned[1:] if c.suit == turned[0].suit]
            why = [reason("zhengduogaofen-03", "same.suit", card=card) for card in same]
            if len(turned) > 1:
                key = "dealt.more" if self.facts.change.deals else "turn.only"
                why.insert(0, reason("zhengduogaofen-07", key))
            if len(same) < len(turned) - 1:
                suit = _suit(turned[-1])
                why.append(reason("zhengduogaofen-04", "changed", card=turned[-1], suit=suit))
            elif redeal := len(turned) == last:
                why.append(reason("zhengduogaofen-05", "void"))
            else:
                turn = dealer
                why.append(reason("zhengduogaofen-03", "turn.again", seat=dealer))
        answer: dict[str, Any] = {
            "trump": suit,
            "gift": list(gift),
            "again": changed and suit is None,
            "redeal": redeal,
            "turn": turn,
        }
        return Verdict(answer, tuple(why))

    def _check_answers(self, answers: Sequence[str]) -> None:
        may_say = [[ACCEPT, REFUSE], [KEEP, CHANGE]]
        for number, said in enumerate(answers):
            place = f"answers[{number}]"
            if number and answers[0] == ACCEPT:
                raise BadInput(place, "bad.trump-made")
            if said not in may_say[number]:
                raise BadInput(place, "bad.choice", values=may_say[number])

    def _check_turned(self, turned: Cards, players: int, *, changed: bool) -> int:
        """How many cards can be turned in all. Raises `BadInput` when `turned` are too many."""
        step = self.step_cards(players)
        stock = len(self.pack(players)) - players * self.facts.hand
        last = 1 + (stock - 1) // step if changed else 1
        suits = [card.suit for card in turned]
        other = next((i for i, suit in enumerate(suits) if suit != suits[0]), last)
        if len(turned) > min(last, other + 1):
            raise BadInput(f"turned[{min(last, other + 1)}]", "bad.trump-made")
        return last


def _suit(card: Card) -> Suit:
    assert card.suit
    return card.suit


GAME = Zhengduogaofen
