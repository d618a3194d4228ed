"""Climbing: each in turn plays higher than the last or passes, until the first hands are empty.

How a type is made and compared is in `climbing_types`, how a hand's plays are found in
`climbing_plays`, the reasons in `climbing_why`. A game gives what is its own in the hooks: `start`,
`gather`, `finished`, `friends`, `result`. The family cites the game's clauses through `cites`: `lead`,
`higher`, `pass`, `again`, `round`, `last`, `inherit`, `out`, `turn`, `name`, and those of `Why`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from engine.cards import Cards, contains, remove
from engine.families.climbing_plays import Plays
from engine.families.climbing_types import Classifier, Frame, Reading, TypeFacts
from engine.families.climbing_why import Why
from engine.fields import CardList, Check, Nullable, Text
from engine.game import Game, Match, Move, Note, State, Table, Zone
from engine.rulebook import RuleDataError, Rules
from engine.seats import check_seat, put
from engine.values import replace
from engine.verdict import BadInput, Message, Reason, Verdict, message


@dataclass(frozen=True, kw_only=True)
class ClimbingFacts(TypeFacts):
    """`inherit` says who leads after a round whose winner has gone out: the next of his side in
    order, or simply the next."""

    inherit: Literal["partner", "next"]


@dataclass(frozen=True, kw_only=True)
class LeadMatch(Match):
    """`leader` leads the next deal; None where the cards say who does."""

    leader: int | None = None


def check_leader(match: Match) -> None:
    """Raises `BadInput` for a leader that is no seat."""
    if isinstance(match, LeadMatch) and match.leader is not None:
        check_seat(match.leader, match.players, "match.leader")


@dataclass(frozen=True, slots=True)
class Play:
    """Cards on the table: who played them, and as what."""

    seat: int
    cards: Cards
    reading: Reading


@dataclass(frozen=True, kw_only=True)
class ClimbingState(State):
    """A deal of climbing.

    `plays` are those of the round on the table, `passes` how many have passed since the last of
    them, `passers` all who have passed in this round; `out` are the seats that have played all their
    cards, in order; `taken` are the cards of the rounds that each seat has won.
    """

    plays: tuple[Play, ...] = ()
    passes: int = 0
    passers: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    taken: tuple[Cards, ...] = ()


F = TypeVar("F", bound=ClimbingFacts)
S = TypeVar("S", bound=ClimbingState)
PASS = Move("pass")
MOST_LISTED = 500_000
"""`moves` refuses hands with more plays: a contrived hand of two packs has millions. The most that 150
hands dealt at random had was 227,535."""


class ClimbingGame(Game[F, S]):
    """A climbing game. `captures` says whether the cards of a round are won by who wins it; if not,
    they are only put aside."""

    captures: ClassVar[bool] = True

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        try:
            self.types = Classifier(self.facts)
        except (KeyError, ValueError) as error:
            raise RuleDataError(f"{rules.book.slug}.toml", "facts", str(error)) from None
        self.plays = Plays(self.types)
        self.why = Why(self.types, self.cite, rules.book.cites)

    # What is legal

    def to_beat(self, state: S) -> Reading | None:
        """The play that the next must be higher than, None for a lead."""
        return state.plays[-1].reading if state.plays else None

    def legal_moves(self, state: S) -> Sequence[Move]:
        if state.turn is None:
            return []
        table = self.to_beat(state)
        found: list[tuple[tuple[int, int, tuple[int, ...]], Move]] = []
        for option in self.plays.options(state.hands[state.turn], table):
            several = len(option.readings) > 1
            cards = self.sorted(option.cards)
            for reading in option.readings:
                move = Move("play", cards, reading.name if several else None)
                found.append(((reading.level, reading.count, reading.strength), move))
        found.sort(key=lambda pair: pair[0])
        moves = [move for _, move in found]
        return moves if table is None else [PASS, *moves]

    def fault(self, state: S, move: Move) -> Reason | None:
        seat = state.mover
        table = self.to_beat(state)
        if move.kind == "pass":
            if move is not PASS and move != PASS:
                return self.cite("turn", "climb.play-or-pass")
            return self.cite("lead", "climb.must-lead") if table is None else None
        if move.kind != "play" or not move.cards:
            key = "climb.must-lead" if table is None else "climb.play-or-pass"
            return self.cite("lead" if table is None else "turn", key)
        if not contains(state.hands[seat], move.cards):
            return self.cite("turn", "turn.not-held", cards=list(move.cards))
        return self._play_fault(move, table)

    def _play_fault(self, move: Move, table: Reading | None) -> Reason | None:
        readings = self.types.readings(move.cards)
        if not readings:
            return self.why.is_none(move.cards)
        allowed = self.plays.above(readings, table)
        if move.value is not None:
            named = [r for r in readings if r.name == move.value]
            if not named:
                return self.cite("name", "climb.no-reading", names=_names(readings))
            allowed = self.plays.above(named, table)
            readings = tuple(named)
        if not allowed:
            assert table is not None
            return self.why.compares(readings[0], table)[0]
        if len(allowed) > 1:
            return self.cite("name", "climb.name-it", names=_names(allowed))
        return None

    def meant(self, move: Move, table: Reading | None) -> Reading:
        """What a legal play is played as."""
        readings = self.types.readings(move.cards)
        if move.value is not None:
            readings = tuple(r for r in readings if r.name == move.value)
        return self.plays.above(readings, table)[0]

    def allows(self, state: S, move: Move) -> tuple[Reason, ...]:
        table = self.to_beat(state)
        if move.kind == "pass":
            return (self.cite("pass", "climb.pass"),)
        reading = self.meant(move, table)
        reasons = list(self.why.reads(reading, move.cards))
        if move.value is not None:
            reasons.append(self.cite("name", "climb.named", type=reading.type, span=reading.span))
        if table is None:
            reasons.append(self.cite("lead", "climb.lead"))
        else:
            reasons += self.why.compares(reading, table)
            if state.turn in state.passers:
                reasons.append(self.cite("again", "climb.again", seat=state.turn))
        return tuple(reasons)

    def describe(self, state: S, move: Move) -> Message:
        if move.kind != "play":
            return super().describe(state, move)
        reading = self.meant(move, self.to_beat(state))
        key = "move.climb" if move.value is None else "move.climb-as"
        cards = list(self.sorted(move.cards))
        return message(key, seat=state.turn, cards=cards, type=reading.type, span=reading.span)

    # What comes of a move

    def play(self, state: S, move: Move) -> S:
        seat = state.mover
        if move.kind == "pass":
            return self._after_pass(state, seat)
        table = self.to_beat(state)
        cards = self.sorted(move.cards)
        play = Play(seat, cards, self.meant(move, table))
        hand = remove(state.hands[seat], cards)
        hands, plays = put(state.hands, seat, hand), (*state.plays, play)
        turn = self.after(state, seat) if hand else seat
        after = replace(state, hands=hands, plays=plays, passes=0, turn=turn, events=())
        if hand:
            return after
        out = (*state.out, seat)
        event = self.cite("out", "climb.out", seat=seat, place=len(out))
        after = replace(after, out=out, events=(event,))
        if self.finished(after):
            return replace(self.close(after), turn=None)
        return replace(after, turn=self.after(after, seat))

    def _after_pass(self, state: S, seat: int) -> S:
        last = state.plays[-1].seat
        others = sum(map(bool, state.hands)) - bool(state.hands[last])
        passers = state.passers if seat in state.passers else (*state.passers, seat)
        if state.passes + 1 < others:
            return replace(
                state, passes=state.passes + 1, passers=passers, turn=self.after(state, seat),
                events=(),
            )  # fmt: skip
        after = self.close(replace(state, events=()))
        return self.give_lead(after, last)

    def close(self, state: S) -> S:
        """The round is over, perhaps with the deal: the last to play wins the cards on the table."""
        last = state.plays[-1].seat
        cards = tuple(card for play in state.plays for card in play.cards)
        taken = put(state.taken, last, (*state.taken[last], *cards))
        ends = self.finished(state)
        event = self.cite("last" if ends else "round", "climb.last" if ends else "climb.round",
                          seat=last)  # fmt: skip
        after = replace(
            state, plays=(), passes=0, passers=(), taken=taken, events=(*state.events, event)
        )
        return self.gather(after, last, cards)

    def give_lead(self, state: S, winner: int) -> S:
        """The winner of a round leads the next; where he has gone out, who comes after him."""
        if state.hands[winner]:
            return replace(state, turn=winner)
        heir = self.heir(state, winner)
        friend = heir in self.friends(state, winner)
        key = "climb.inherit.friend" if friend else "climb.inherit.next"
        event = self.cite("inherit", key, seat=winner, heir=heir)
        return replace(state, turn=heir, events=(*state.events, event))

    def heir(self, state: S, seat: int) -> int:
        """Who leads in place of a winner who has gone out: by `inherit`, the next of his side who
        holds cards, else the next who does."""
        order = [(seat + i) % state.players for i in range(1, state.players)]
        holding = [s for s in order if state.hands[s]]
        if self.facts.inherit == "partner":
            friends = self.friends(state, seat)
            holding = [s for s in holding if s in friends] or holding
        return holding[0]

    def after(self, state: S, seat: int) -> int:
        """The next seat in order that holds cards."""
        players = len(state.hands)
        for i in range(1, players + 1):
            if state.hands[(seat + i) % players]:
                return (seat + i) % players
        raise AssertionError("nobody holds cards")

    # Hooks

    def friends(self, state: S, seat: int) -> tuple[int, ...]:
        """The seats known by all to be of a seat's side, itself left out."""
        return ()

    def allies(self, state: S, seat: int) -> tuple[int, ...]:
        """The seats that a seat itself knows to be of its side: by default those that all know."""
        return self.friends(state, seat)

    def finished(self, state: S) -> bool:
        """Whether the deal is over now that a seat has gone out: by default when one holds cards."""
        return sum(1 for hand in state.hands if hand) <= 1

    def order_of_finish(self, state: S) -> tuple[int, ...]:
        """All seats in the order in which they finished, those who still hold cards at the end."""
        return (*state.out, *(s for s, hand in enumerate(state.hands) if hand))

    def gather(self, state: S, seat: int, cards: Cards) -> S:
        """What becomes of the cards of a round that `seat` won, `taken` by him already."""
        return state

    def worth(self, state: S) -> int:
        """What the cards on the table are worth to a robot: the price of a bomb is about 20."""
        return 0

    def longest(self, players: int) -> int:
        # Each play lays a card at least, so there are no more plays than cards. After a play each of
        # the other seats passes once at most before the round is over, and who leads cannot pass.
        return len(self.pack(players)) * players

    # Looking on

    def table(self, state: S) -> Table:
        plays = tuple(Zone("table", play.cards, play.seat) for play in state.plays)
        taken = self.piles("taken", state.taken)
        if not self.captures and taken:
            gone = self.sorted(card for cards in state.taken for card in cards)
            taken = (Zone("aside", gone),)
        return Table(state.turn, self.hands(state), (*plays, *taken), self.notes(state))

    def notes(self, state: S) -> tuple[Note, ...]:
        """What is known beside the cards: who went out in which place."""
        return tuple(
            Note(message("note.out", place=place), seat) for place, seat in enumerate(state.out, 1)
        )

    # Moves for seats that nobody plays

    def pick(self, state: S, rng: random.Random) -> Move:
        table = self.to_beat(state)
        if table is not None and rng.random() < 0.25:
            return PASS
        option = self.plays.pick(state.hands[state.mover], table, rng)
        if option is None:
            return PASS
        if len(option.readings) == 1:
            return Move("play", option.cards)
        return Move("play", option.cards, rng.choice(option.readings).name)

    def robot(self, state: S) -> Move:
        """Gets rid of low cards, many at a time; keeps bombs together, lets friends have their way,
        and bombs only what is worth it or a seat that is nearly out."""
        table = self.to_beat(state)
        hand = state.hands[state.mover]
        held = self.types.counts(hand)
        frames = list(self.plays.frames(held, table))
        scored = sorted(frames, key=lambda f: self._cost(f, held, lead=table is None))
        for frame in scored:
            if table is not None and not self._worth_it(state, frame):
                continue
            option = self.plays.cheapest(frame, hand, table)
            if option is not None:
                several = len(option.readings) > 1
                return Move(
                    "play", self.sorted(option.cards), option.readings[0].name if several else None
                )
        return PASS

    def _cost(self, frame: Frame, held: Sequence[int], lead: bool) -> tuple[int, ...]:
        """What a frame costs a hand, the least first: bombs last, then sets broken, then high ranks;
        a lead is the better the more cards it lays."""
        level = self.types.level(frame.type)
        broken = sum(held[r] - frame.group for r in frame.ranks)
        height = frame.ranks[0] if lead else frame.ranks[-1]
        size = -frame.count if lead else 0
        return (level, broken, height // 3, size, height, frame.load)

    def _worth_it(self, state: S, frame: Frame) -> bool:
        last = state.plays[-1].seat
        if len(state.hands[state.mover]) == frame.count:
            return True
        if last in self.allies(state, state.mover):
            return False
        near = min(len(h) for s, h in enumerate(state.hands) if h and s != state.mover) <= 5
        return not self.types.level(frame.type) or near or self.worth(state) >= 20

    # Questions

    def climbing_checks(self, hand: int) -> tuple[Check, ...]:
        """`classify`, `beats` and `moves`, with hands of at most so many cards."""
        play = CardList(1, hand)
        named = Nullable(Text(), may_miss=True)
        return (
            self.question("classify", self._classify, cards=play),
            self.question("beats", self._beats, table=play, play=play, table_as=named),
            self.question("moves", self._moves, hand=play, table=CardList(0, hand), table_as=named),
        )

    def reading_json(self, reading: Reading) -> dict[str, Any]:
        """A reading as it stands in answers."""
        return {
            "type": reading.type,
            "rank": reading.rank,
            "count": reading.count,
            "length": reading.length,
            "load": reading.load,
        }

    def _classify(self, cards: Cards) -> Verdict:
        readings = self.types.readings(cards)
        answer = {"readings": [self.reading_json(r) for r in readings]}
        if not readings:
            return Verdict(answer, (self.why.is_none(cards),))
        reasons: list[Reason] = []
        for reading in readings:
            reasons += [r for r in self.why.reads(reading, cards) if r not in reasons]
        if len(differing := self.plays.above(readings, None)) > 1:
            reasons.append(self.cite("name", "climb.several", names=_names(differing)))
        if readings[0].level:
            reasons.append(self.cite("bomb", "type.bomb", type=readings[0].type))
        return Verdict(answer, tuple(reasons))

    def on_table(self, cards: Cards, named: str | None) -> Reading | None:
        """The play that a question finds on the table: the first reading unless one is named.

        Raises `BadInput` for cards that are no play and for an unknown name.
        """
        if not cards:
            return None
        readings = self.types.readings(cards)
        if not readings:
            raise BadInput("table", "bad.no-play")
        if not named:
            return readings[0]
        for reading in readings:
            if reading.name == named:
                return reading
        raise BadInput("table_as", "bad.choice", values=[r.name for r in readings])

    def _beats(self, table: Cards, play: Cards, table_as: str | None = None) -> Verdict:
        lying = self.on_table(table, table_as)
        assert lying is not None
        readings = self.types.readings(play)
        if not readings:
            return Verdict({"beats": False}, (self.why.is_none(play),))
        higher = [r for r in readings if self.types.beats(r, lying)]
        chosen = (higher or [r for r in readings if r.build == lying.build] or readings)[0]
        reasons = (
            *self.why.lies(lying, table, len(self.types.readings(table))),
            *self.why.reads(chosen, play),
            *self.why.compares(chosen, lying),
        )
        return Verdict({"beats": bool(higher)}, reasons)

    def _moves(self, hand: Cards, table: Cards, table_as: str | None = None) -> Verdict:
        lying = self.on_table(table, table_as)
        count = self.plays.at_most(hand, lying)
        if count > MOST_LISTED:
            raise BadInput("hand", "bad.too-many-moves", count=count, most=MOST_LISTED)
        moves = [list(self.sorted(o.cards)) for o in self.plays.options(hand, lying)]
        point, key = ("higher", "climb.moves") if lying else ("lead", "climb.leads")
        if not moves:
            key = "climb.no-moves"
        return Verdict({"moves": moves}, (self.cite(point, key, count=len(moves)),))


def _names(readings: Sequence[Reading]) -> dict[str, str]:
    """The readings a player may name: the type by the ranks it spans."""
    return {reading.span: reading.type for reading in readings}
