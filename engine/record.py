"""A deal or match on record: how it began and every move since. Replaying it gives every state.

A record is the only form in which play is stored or passed on: in files, links and example deals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine import schema
from engine.cards import Cards
from engine.fields import CardList, Reading
from engine.game import DEAL, AnyGame, Deal, Move, State
from engine.registry import game
from engine.rulebook import ExampleDeal, Rulebook, slugs
from engine.seats import check_each, check_seat
from engine.verdict import BadInput, IllegalMove

MOST_MOVES = 20000
LONGEST_SEED = 100


@dataclass(frozen=True)
class Record:
    """The header of a deal, and its moves in the notation of `engine.game.Move`.

    The cards come from `seed` unless `hands` (a text or list of cards for each seat) are given.
    `match` is the standing the deal starts from: fields of the game's `Match`, such as `scores`.
    """

    game: str
    players: int
    rule_set: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    hands: tuple[str | tuple[str, ...], ...] = ()
    stock: str | tuple[str, ...] = ""
    target: int | None = None
    match: Mapping[str, Any] = field(default_factory=dict)
    moves: tuple[str, ...] = ()


def read_record(data: object) -> Record:
    """A record from JSON. Raises `BadInput` naming the field that does not fit."""
    try:
        record = schema.load(Record, data)
    except schema.SchemaError as error:
        raise _misfit(error, "record") from None
    if record.game not in slugs():
        raise BadInput("game", "bad.choice", values=list(slugs()))
    if len(record.moves) > MOST_MOVES:
        raise BadInput("moves", "bad.too-long", most=MOST_MOVES)
    if len(record.seed) > LONGEST_SEED:
        raise BadInput("seed", "bad.too-long", most=LONGEST_SEED)
    if not _is_text(record.seed):
        raise BadInput("seed", "bad.text")
    if record.target is not None and record.target < 1:
        raise BadInput("target", "bad.least", least=1)
    return record


def _is_text(text: str) -> bool:
    """Whether a text can be written out: no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _misfit(error: schema.SchemaError, whole: str) -> BadInput:
    """What data that does not fit should have been, in the words of a refusal."""
    key = "bad.unknown-field" if error.wanted == "unknown" else f"bad.{error.wanted}"
    return BadInput(error.key[:60] or whole, key, fields=list(error.known))


def example_record(book: Rulebook, deal: ExampleDeal) -> Record:
    """The record of an example deal."""
    return Record(
        game=book.slug,
        players=deal.players,
        rule_set=deal.rule_set,
        options=deal.options,
        seed=deal.seed or deal.id,
        hands=deal.hands,
        stock=deal.stock,
        match=deal.match,
        moves=deal.moves,
    )


def opening(record: Record, rules_game: AnyGame | None = None) -> tuple[AnyGame, State]:
    """The game and the state before the first move. Raises `BadInput`."""
    playing = rules_game or game(record.game, record.rule_set, record.options)
    match = playing.new_match(record.players, record.seed, record.target)
    known = {f.name for f in fields(match)} - {"seed", "players", "target"}
    for name in record.match:
        if name not in known:
            raise BadInput(f"match.{name}"[:60], "bad.unknown-field", fields=sorted(known))
    try:
        values = {f.name: getattr(match, f.name) for f in fields(match)} | dict(record.match)
        match = schema.load(type(match), values, "match")
    except schema.SchemaError as error:
        raise _misfit(error, "match") from None
    check_each(match.scores, record.players, "match.scores")
    if match.deal_no < 1:
        raise BadInput("match.deal_no", "bad.least", least=1)
    check_seat(match.dealer, record.players, "match.dealer")
    playing.check_match(match)
    if not record.hands:
        return playing, playing.deal(match)
    check_each(record.hands, record.players, "hands")
    reading = Reading(playing.pack(record.players))
    hands = tuple(_cards(h, f"hands[{i}]", reading) for i, h in enumerate(record.hands))
    deal = Deal(hands, _cards(record.stock, "stock", reading))
    playing.check_deal(deal, match)
    return playing, playing.start(deal, match)


def _cards(value: str | tuple[str, ...], at: str, reading: Reading) -> Cards:
    cards: Cards = CardList().read(value, at, reading)
    return cards


def read_move(text: str, at: str) -> Move:
    """A move in its notation. Raises `BadInput` at the place named `at`."""
    try:
        return Move.parse(text[:500])
    except ValueError as error:
        raise BadInput(at, "bad.move", got=str(error)) from None


def step(playing: AnyGame, state: State, text: str, at: str) -> State:
    """The state after one recorded move. Raises `BadInput` for a move that is none or not legal."""
    move = read_move(text, at)
    if move == DEAL:
        try:
            following: State = playing.next_deal(state)
            return following
        except ValueError:
            raise BadInput(at, "bad.no-deal") from None
    if state.turn is None:
        raise BadInput(at, "bad.deal-over")
    try:
        after: State = playing.apply(state, move)
        return after
    except IllegalMove as error:
        why = playing.rules.say(error.reasons[0].message)
        raise BadInput(at, "bad.illegal", move=text[:60], clause=error.reasons[0].clause,
                       why=why) from None  # fmt: skip


def states(record: Record, rules_game: AnyGame | None = None) -> tuple[AnyGame, list[State]]:
    """The game and every state from the deal to the last move. Raises `BadInput`."""
    playing, state = opening(record, rules_game)
    found = [state]
    for number, text in enumerate(record.moves):
        state = step(playing, state, text, f"moves[{number}]")
        found.append(state)
    return playing, found


def with_move(record: Record, move: Move) -> Record:
    """The record with one move more."""
    return replace(record, moves=(*record.moves, str(move)))
