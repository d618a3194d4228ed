"""五十一分: five cards of one suit, or of any, worth as much as can be."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card, Cards, remove
from engine.families import totals
from engine.families.drawing import DrawState
from engine.fields import CardList, Check, Choice, ListOf, Nullable, SeatNumber
from engine.game import Deal, Match, Move, Note, Result, Table
from engine.games.wushiyifen_hands import Facts, HandGame
from engine.seats import check_seat
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason

Mode = Literal["open", "closed"]
MODES: tuple[Mode, ...] = ("open", "closed")


@dataclass(frozen=True, kw_only=True)
class WushiyifenState(DrawState):
    """`revealer` has revealed in `mode`; the others answer in turn (phase "answer"). `rivals` are
    those whose hands stand against his: who showed a hand as good, or the one who challenged."""

    revealer: int | None = None
    mode: Mode = "open"
    rivals: tuple[int, ...] = ()


@dataclass(frozen=True)
class Settlement:
    """Who writes what, who wins (None where nobody does), and why."""

    writes: tuple[int, ...]
    winner: int | None
    reasons: tuple[Reason, ...]


class Wushiyifen(HandGame[WushiyifenState]):
    facts_type = Facts

    def start(self, deal: Deal, match: Match) -> WushiyifenState:
        return WushiyifenState(
            match=match,
            hands=deal.hands,
            stock=deal.stock,
            turn=match.eldest,
            laid=((),) * match.players,
            events=self.dealt(match),
        )

    # Laying and revealing

    def lay_kinds(self, state: WushiyifenState) -> Sequence[str]:
        return ("lay", *MODES)

    def lay_fault(self, state: WushiyifenState, kind: str, card: Card) -> Reason | None:
        if kind == "lay":
            return None
        hand = remove(state.hands[state.mover], (card,))
        if self.may_reveal(hand):
            return None
        least = self.least
        return reason("wushiyifen-07", "reveal.refused", points=self.points(hand), least=least)

    def lay_allows(self, state: WushiyifenState, kind: str, card: Card) -> tuple[Reason, ...]:
        if kind == "lay":
            return super().lay_allows(state, kind, card)
        hand = remove(state.hands[state.mover], (card,))
        # A closed hand is nobody's to know yet: its points are not told.
        if kind == "closed":
            enough = reason("wushiyifen-04", "reveal.closed", least=self.least)
            clause = "wushiyifen-06"
        else:
            enough, clause = self.why_revealed(hand), "wushiyifen-05"
        return (
            enough,
            reason("wushiyifen-14", "reveal.now"),
            reason(clause, f"reveal.{kind}-way"),
        )

    def draw_fault(self, state: WushiyifenState, move: Move) -> Reason:
        if move.kind in MODES:
            return reason("wushiyifen-14", "reveal.early")
        return super().draw_fault(state, move)

    def after_lay(self, state: WushiyifenState, kind: str) -> WushiyifenState:
        if kind == "lay":
            return super().after_lay(state, kind)
        seat = state.mover
        if kind == "open":
            event = reason("wushiyifen-05", "revealed.open", seat=seat,
                           cards=list(self.sorted(state.hands[seat])),
                           points=self.points(state.hands[seat]))  # fmt: skip
        else:
            event = reason("wushiyifen-06", "revealed.closed", seat=seat)
        mode: Mode = "open" if kind == "open" else "closed"
        return replace(
            state,
            revealer=seat,
            mode=mode,
            phase="answer",
            turn=(seat + 1) % state.players,
            events=(*state.events, event),
        )

    # Answering a reveal

    def phase_moves(self, state: WushiyifenState) -> Sequence[Move]:
        answer = Move("show" if state.mode == "open" else "challenge")
        return [m for m in (Move("pass"), answer) if self.phase_fault(state, m) is None]

    def phase_fault(self, state: WushiyifenState, move: Move) -> Reason | None:
        if move == Move("pass"):
            return None
        hand = state.hands[state.mover]
        if state.mode == "closed":
            if move != Move("challenge"):
                return reason("wushiyifen-06", "answer.closed")
            if self.may_reveal(hand):
                return None
            points, least = self.points(hand), self.least
            return reason("wushiyifen-07", "challenge.refused", points=points, least=least)
        if move != Move("show"):
            return reason("wushiyifen-05", "answer.open")
        if self.rank(hand) >= self._to_beat(state):
            return None
        points, best = self.points(hand), self._to_beat(state)[0]
        if points == best:
            return reason("wushiyifen-09", "show.joker", points=points)
        return reason("wushiyifen-05", "show.refused", points=points, best=best)

    def _to_beat(self, state: WushiyifenState) -> tuple[int, bool]:
        """What the best of the hands shown so far is compared by."""
        assert state.revealer is not None
        return max(self.rank(state.hands[s]) for s in (state.revealer, *state.rivals))

    def phase_allows(self, state: WushiyifenState, move: Move) -> tuple[Reason, ...]:
        if move.kind == "pass":
            clause = "wushiyifen-06" if state.mode == "closed" else "wushiyifen-05"
            return (reason(clause, f"pass.{state.mode}"),)
        if move.kind == "challenge":
            return (
                reason("wushiyifen-06", "challenge.may"),
                reason("wushiyifen-07", "challenge.first", least=self.least),
            )
        hand, best = state.hands[state.mover], self._to_beat(state)
        points = self.points(hand)
        if points > best[0]:
            return (reason("wushiyifen-05", "show.higher", points=points, best=best[0]),)
        key = "show.pure" if self.rank(hand) > best else "show.equal"
        return (reason("wushiyifen-09", key, points=points),)

    def phase_play(self, state: WushiyifenState, move: Move) -> WushiyifenState:
        seat, revealer = state.mover, state.revealer
        assert revealer is not None
        events: tuple[Reason, ...] = ()
        if move.kind != "pass":
            state = replace(state, rivals=(*state.rivals, seat))
            clause = "wushiyifen-06" if move.kind == "challenge" else "wushiyifen-05"
            shown = [revealer, seat] if move.kind == "challenge" else [seat]
            events = tuple(
                reason(clause, "shown", seat=s, cards=list(self.sorted(state.hands[s])))
                for s in shown
            )
        following = (seat + 1) % state.players
        if state.mode == "closed" and move.kind == "pass" and following == revealer:
            cards = list(self.sorted(state.hands[revealer]))
            events = (reason("wushiyifen-06", "shown", seat=revealer, cards=cards),)
        if move.kind == "challenge" or following == revealer:
            return replace(state, turn=None, events=events)
        return replace(state, turn=following, events=events)

    # The end

    def settle(
        self, mode: Mode, revealer: int, rivals: Sequence[int], hands: Sequence[Cards]
    ) -> Settlement:
        """Who writes what when `rivals` stand against a reveal (wushiyifen-05, -06, -09)."""
        points = {seat: self.points(hands[seat]) for seat in (revealer, *rivals)}
        best = max(self.rank(hands[seat]) for seat in points)
        top = [seat for seat in points if self.rank(hands[seat]) == best]
        winner = top[0] if len(top) == 1 else None
        writes = [points[s] if s in top else 0 for s in range(len(hands))]
        why = [
            reason(self.clause_of(hands[seat]), "settle.points", seat=seat, points=points[seat])
            for seat in points
        ]
        equal = [s for s in points if s != top[0] and points[s] == best[0]]
        why += [r for s in equal[:1] if (r := self.why_higher(hands[top[0]], hands[s])) is not None]
        if winner is None:
            why.append(reason("wushiyifen-09", "settle.nobody", seats=top, points=best[0]))
        elif mode == "closed":
            why.append(self._settle_closed(winner, revealer, points, writes))
        else:
            key = "settle.open" if winner == revealer else "settle.shown"
            why.append(reason("wushiyifen-05", key, seat=winner, points=writes[winner]))
        return Settlement(tuple(writes), winner, tuple(why))

    def _settle_closed(
        self, winner: int, revealer: int, points: Mapping[int, int], writes: list[int]
    ) -> Reason:
        """Corrects what the winner of a closed reveal writes, and says why."""
        own = points[winner]
        if len(points) == 1:
            return reason("wushiyifen-06", "settle.unchallenged", seat=winner, points=own)
        if winner != revealer:
            writes[winner] = own * self.facts.challenge
            return reason("wushiyifen-06", "settle.challenger", seat=winner, points=own,
                          writes=writes[winner], loser=revealer)  # fmt: skip
        other = sum(p for seat, p in points.items() if seat != winner)
        writes[winner] = own + other
        return reason("wushiyifen-06", "settle.defended", seat=winner, points=own, other=other,
                      writes=writes[winner])  # fmt: skip

    def result(self, state: WushiyifenState) -> Result | None:
        if state.turn is not None:
            return None
        if state.revealer is None:
            why = (self.cite("exhausted", "stock.exhausted"),)
            return Result((0,) * state.players, (), state.match, why)
        settled = self.settle(state.mode, state.revealer, state.rivals, state.hands)
        match = totals.add(state.match, settled.writes)
        won = totals.leaders(match)
        reasons = settled.reasons
        if won is not None:
            best = max(match.scores)
            over = reason("wushiyifen-13", "match.won", seats=won, total=best, target=match.target)
            reasons = (*reasons, over)
        winners = () if settled.winner is None else (settled.winner,)
        return Result(settled.writes, winners, match, reasons, won)

    def next_match(self, state: WushiyifenState, result: Result) -> Match:
        match = super().next_match(state, result)
        if state.revealer is None:  # gathered and dealt again by the same dealer
            return match
        return replace(match, dealer=match.eldest)

    def longest(self, players: int) -> int:
        # A turn is two moves; the last may be a reveal, which each of the others answers once.
        return 2 * self.most_turns(players) + players - 1

    # Looking on

    def table(self, state: WushiyifenState) -> Table:
        table = super().table(state)
        open_hands = set(state.rivals)
        if state.revealer is not None and (state.mode == "open" or state.turn is None):
            open_hands.add(state.revealer)
        hands = tuple(replace(z, seen_by=None) if z.seat in open_hands else z for z in table.hands)
        return replace(table, hands=hands)

    def notes(self, state: WushiyifenState) -> tuple[Note, ...]:
        notes = super().notes(state)
        if state.revealer is None:
            return notes
        return (*notes, Note(message(f"note.{state.mode}"), state.revealer))

    # Moves for seats that nobody plays

    def robot(self, state: WushiyifenState) -> Move:
        hand = state.hands[state.mover]
        if state.phase == "draw":
            if state.up is not None and self.take_fault(state) is None:
                kept = remove((*hand, state.up), (self.best_discard((*hand, state.up)),))
                if state.up in kept:
                    return Move("take", (state.up,))
            return Move("draw")
        if state.phase == "lay":
            card = self.best_discard(hand)
            points = self.points(remove(hand, (card,)))
            # Close to the most that a hand can be worth, a challenge only adds to it.
            way = "closed" if points >= self.figures()["most"] - 3 else "open"
            return Move(way if points >= self.least else "lay", (card,))
        moves = self.phase_moves(state)
        sure = state.mode == "open" or self.points(hand) > self.least + 3
        return moves[-1] if sure else moves[0]

    def pick(self, state: WushiyifenState, rng: random.Random) -> Move:
        # Cards laid blindly hardly ever make a hand to reveal: half of them are laid with sense.
        if state.phase != "lay" or state.turn is None or rng.random() < 0.5:
            return super().pick(state, rng)
        hand = state.hands[state.turn]
        card = self.best_discard(hand)
        if not self.may_reveal(remove(hand, (card,))):
            return Move("lay", (card,))
        return Move(rng.choice(self.lay_kinds(state)), (card,))

    # Questions

    def checks(self) -> Iterable[Check]:
        n = self.facts.hand
        most = self.rules.book.game.players[1]
        hand, compare, best_discard = self.hand_checks()
        yield from (hand, compare)
        yield self.question(
            "reveal",
            self._reveal,
            mode=Choice(MODES),
            revealer=SeatNumber(most),
            challenger=Nullable(SeatNumber(most), may_miss=True),
            hands=ListOf(CardList(n, n), self.rules.book.game.players[0], most, by_seat=True),
        )
        yield best_discard

    def _reveal(
        self, mode: Mode, revealer: int, hands: tuple[Cards, ...], challenger: int | None = None
    ) -> Verdict:
        for name, seat in (("revealer", revealer), ("challenger", challenger)):
            if seat is None:
                continue
            check_seat(seat, len(hands), name)
            if not self.may_reveal(hands[seat]):
                points, least = self.points(hands[seat]), self.least
                raise BadInput(f"hands[{seat}]", "bad.below", points=points, least=least)
        if challenger == revealer:
            raise BadInput("challenger", "bad.own-challenge")
        rivals: tuple[int, ...] = ()
        if challenger is not None:
            rivals = (challenger,)
        elif mode == "open":  # whoever has a hand as good is taken to show it
            seats = ((revealer + i) % len(hands) for i in range(1, len(hands)))
            rivals = tuple(s for s in seats if self.rank(hands[s]) >= self.rank(hands[revealer]))
        settled = self.settle(mode, revealer, rivals, hands)
        why = [self.why_revealed(hands[revealer]), *settled.reasons]
        if mode == "closed" and challenger is not None:
            why.insert(1, reason("wushiyifen-07", "challenge.one", seat=challenger))
        return Verdict({"writes": list(settled.writes), "winner": settled.winner}, tuple(why))


GAME = Wushiyifen
