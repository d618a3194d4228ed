"""Random full games: that none has a fault, and how many a second."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from typing import Any

from engine.game import AnyGame, State
from engine.registry import game
from engine.rulebook import rulebook, slugs
from macros import BuildError

DEALS_OF_A_MATCH = 10
"""A match without an end is broken off here, so that every number of players has its turn."""
CHUNK = 250
WORKERS = 2

RuleSet = tuple[str, str]
"""A game's slug and one of its rule sets."""


def rule_sets() -> list[RuleSet]:
    """Every rule set of every game."""
    return [(slug, rule_set) for slug in slugs() for rule_set in rulebook(slug).rule_set]


def play_all(count: int) -> int:
    """Plays `count` deals of every rule set in all processors; gives how many were played in all.

    Raises `BuildError`, naming game, rule set, seed and deal, for one that does not end as it must.
    """
    chunks = [
        (slug, rule_set, first, min(CHUNK, count - first))
        for slug, rule_set in rule_sets()
        for first in range(0, count, CHUNK)
    ]
    played = 0
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        for chunk, faults in zip(
            chunks, pool.map(_play_chunk, *zip(*chunks, strict=True)), strict=True
        ):
            if faults:
                raise BuildError(faults)
            played += chunk[3]
            if played % 1000 < chunk[3]:
                print(f"\r  {played:,} of {count * len(rule_sets()):,} games ", end="", flush=True)
    print(flush=True)
    return played


def _play_chunk(slug: str, rule_set: str, first: int, count: int) -> str:
    """The first fault in a chunk of games, in a line; "" for none."""
    try:
        for _ in played(game(slug, rule_set), first, count):
            pass
    except BuildError as error:
        return str(error)
    return ""


def played(playing: AnyGame, first: int, count: int) -> Iterator[State]:
    """Deals played by random legal moves: each as it stands at its end.

    Deals follow each other in matches as the game says; the number of players goes round. `first` is
    the number of the first deal, from which the seeds are made.

    Raises `BuildError` when a deal fails, outlasts the game's bound or ends without a result.
    """
    least, most = playing.rules.book.game.players
    state: State | None = None
    for number in range(first, first + count):
        if state is None:
            players = least + number // DEALS_OF_A_MATCH % (most - least + 1)
            state = playing.deal(playing.new_match(players, seed=f"bench/{number}"))
        try:
            state = _to_the_end(playing, state)
            result = playing.result(state)
        except Exception as error:
            raise BuildError(f"{_name(playing, state)}: {type(error).__name__}: {error}") from error
        if result is None:
            raise BuildError(f"{_name(playing, state)}: the deal ended without a result")
        yield state
        over = result.match_winners is not None or (number + 1) % DEALS_OF_A_MATCH == 0
        state = None if over else playing.next_deal(state)


def _to_the_end(playing: AnyGame, state: State) -> State:
    """One deal to its end by moves drawn with its own seed."""
    rng = random.Random(f"moves/{state.match.seed}/{state.match.deal_no}")
    for _ in range(playing.longest(state.players)):
        if state.turn is None:
            return state
        state = playing.apply(state, playing.pick(state, rng))
    if state.turn is None:
        return state
    raise BuildError(f"{_name(playing, state)}: the deal is longer than `longest` says")


def _name(playing: AnyGame, state: State) -> str:
    match = state.match
    return (
        f"{playing.rules.book.slug} {playing.rules.rule_set}, {match.players} players, "
        f"seed {match.seed}, deal {match.deal_no}"
    )


def one_after_another(slug: str, rule_set: str) -> Callable[[], object]:
    """A function that plays the next random game of a rule set."""
    playing = game(slug, rule_set)
    return played(playing, 0, 10**9).__next__


def rlcard_game() -> Callable[[], object]:
    """A function that plays one random game of RLCard's doudizhu."""
    import rlcard
    from rlcard.agents import RandomAgent

    table = rlcard.make("doudizhu", config={"seed": 1})
    table.set_agents([RandomAgent(table.num_actions) for _ in range(table.num_players)])
    return lambda: table.run(is_training=False)


def hearts_game() -> Callable[[], object]:
    """A function that plays one random game of OpenSpiel's hearts: its C++, moves drawn in Python."""
    import pyspiel

    hearts, rng = pyspiel.load_game("hearts"), random.Random(1)

    def play() -> None:
        state = hearts.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    return play


def rates(
    contenders: Mapping[str, Callable[[], Any]], rounds: int, seconds: float
) -> dict[str, float]:
    """How often a second of the core each function can be called: all in turn, the median of the
    rounds, after one round that does not count."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, act in contenders.items():
            measured = rate(act, seconds if number else seconds / 4)
            if number:
                found[name].append(measured)
    return {name: median(values) for name, values in found.items()}


def rate(act: Callable[[], Any], seconds: float) -> float:
    """Calls `act` for about so many seconds of the core; gives the calls a second."""
    calls, started = 0, time.process_time()
    while True:
        act()
        calls += 1
        spent = time.process_time() - started
        if spent >= seconds:
            return calls / spent
