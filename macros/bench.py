"""``./site-build.sh bench``: many random full games of every rule set, and how fast they go."""

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from engine.game import AnyGame, State
from engine.registry import game
from engine.rulebook import rulebook, slugs
from macros import ROOT, BuildError
from macros.hearts import compare_hearts

GAMES = 10_000
"""Random full games of each rule set."""
DEALS_OF_A_MATCH = 10
"""A match without a target is broken off here, so that every number of players has its turn."""
PEER_SECONDS = 5.0
"""How long another library plays, to compare."""
REPORT = ROOT / "bench.json"


def run_bench() -> None:
    """Play, compare, print a table and write ``bench.json``.

    :raises BuildError: naming game, rule set and seed when a game does not end as it must, or when
        OpenSpiel plays hearts otherwise.
    """
    rates = {}
    for slug in slugs():
        for rule_set in rulebook(slug).rule_set:
            name = f"{slug} {rule_set}"
            print(f"Playing {GAMES:,} games of {name} … ", end="", flush=True)
            rates[name] = play_games(game(slug, rule_set), GAMES)
            print(f"{rates[name]:,.0f} a second", flush=True)
    print(f"Comparing 黑夫人 with OpenSpiel's hearts over {GAMES:,} games … ", end="", flush=True)
    compared = compare_hearts(GAMES)
    print(f"the same, {compared:,} to the last point", flush=True)
    peers = {}
    for name, play in (("RLCard doudizhu", rlcard_game()), ("OpenSpiel hearts", hearts_game())):
        peers[name] = rate(play, PEER_SECONDS)
        print(f"{name}: {peers[name]:,.0f} games a second", flush=True)

    print(f"\n{'games a second':24}{'':>10}" + "".join(f"{f'/ {name}':>20}" for name in peers))
    for name, value in rates.items():
        ratios = "".join(f"{value / peer:20.3g}" for peer in peers.values())
        print(f"{name:24}{value:10,.0f}{ratios}")
    report = {
        "python": sys.version.split()[0],
        "games": GAMES,
        "games_per_second": rates,
        "peers_games_per_second": peers,
        "hearts_games_compared": compared,
    }
    REPORT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(f"\nWrote {REPORT.name}")


def play_games(playing: AnyGame, count: int) -> float:
    """Play ``count`` deals from deal to settlement by random legal moves; give deals a second.

    Deals follow each other in matches as the game says; the number of players goes round.

    :raises BuildError: when a deal outlasts the game's declared bound or ends without a result.
    """
    least, most = playing.rules.book.game.players
    tables = most - least + 1
    state: State | None = None
    started = time.perf_counter()
    for number in range(count):
        if state is None:
            players = least + number // DEALS_OF_A_MATCH % tables
            state = playing.deal(playing.new_match(players, seed=f"bench/{number}"))
        state = _to_the_end(playing, state)
        result = playing.result(state)
        if result is None:
            raise BuildError(f"{_name(playing, state)}: the deal ended without a result")
        over = result.match_winners is not None or (number + 1) % DEALS_OF_A_MATCH == 0
        state = None if over else playing.next_deal(state)
    return count / (time.perf_counter() - started)


def _to_the_end(playing: AnyGame, state: State) -> State:
    """Play one deal to its end by moves drawn with its own seed."""
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


def rate(play: Callable[[], Any], seconds: float) -> float:
    """Call ``play`` for about so many seconds; give the calls a second."""
    calls, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        play()
        calls += 1
    return calls / spent


def rlcard_game() -> Callable[[], Any]:
    """Give a function that plays one random game of RLCard's doudizhu."""
    import rlcard
    from rlcard.agents import RandomAgent

    table = rlcard.make("doudizhu", config={"seed": 1})
    table.set_agents([RandomAgent(table.num_actions) for _ in range(table.num_players)])
    return lambda: table.run(is_training=False)


def hearts_game() -> Callable[[], Any]:
    """Give a function that plays one random game of OpenSpiel's hearts."""
    import pyspiel

    hearts, rng = pyspiel.load_game("hearts"), random.Random(1)

    def play() -> None:
        state = hearts.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    return play
