"""The whole bench: every part in turn, the goals they are held to, one table, and `docs/bench.json`."""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from playwright.sync_api import sync_playwright

from engine.rulebook import rulebook
from macros import BUILD, ROOT
from macros.bench import FULL, QUICK
from macros.bench.answers import SLOWEST, measure_engine, measure_hold_ups
from macros.bench.builds import measure_builds
from macros.bench.games import (
    hearts_game,
    one_after_another,
    play_all,
    rates,
    rlcard_game,
    rule_sets,
)
from macros.bench.hands import HANDS, asker, rankers
from macros.bench.server import serving
from macros.bench.starts import SLOW_LINES, folders, measure_slow_lines, measure_starts

REPORT = ROOT / "docs" / "bench.json"
QUICK_REPORT = BUILD / "bench-quick.json"
Json = dict[str, Any]


@dataclass(frozen=True)
class Goal:
    """What is promised: a measured figure, at most or at least so much. `about` says of what, where
    several have the same `id`."""

    id: str
    about: str
    value: float
    bound: Literal["most", "least"]
    goal: float

    @property
    def met(self) -> bool:
        return self.value <= self.goal if self.bound == "most" else self.value >= self.goal


def run_bench(*, quick: bool = False) -> None:
    """Measures everything, prints the table and writes `docs/bench.json`; with `quick` a little of
    everything, to try the bench itself, which goes to `build/bench-quick.json`.

    Raises `BuildError` for a random game that does not end as it must, or a tool that fails.
    """
    effort = QUICK if quick else FULL
    started = time.monotonic()
    found: Json = {"taken": time.strftime("%Y-%m-%d"), "machine": machine(), "tests": count_tests()}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        work = Path(name)
        with sync_playwright() as playwright, serving(folders(work)) as server:
            _say("First answers, cold and again, beside bare Pyodide")
            found["starts"] = measure_starts(playwright, server, effort)
            _say("The same on slow lines")
            found["slow_lines"] = measure_slow_lines(playwright, server, effort)
            _say("The engine in the browser")
            found["browser"] = measure_engine(playwright, server, effort)
            found["hold_ups"] = measure_hold_ups(playwright, server)
        _say("Games, questions and hands in CPython, beside others")
        found["python"] = measure_python(effort.rounds, effort.seconds)
        _say("Builds")
        found["builds"] = measure_builds(work, effort)
        _say(f"{effort.games:,} random games of every rule set")
        found["random_games"] = {
            "each": effort.games,
            "played": play_all(effort.games),
            "faults": 0,
        }
    found["minutes"] = round((time.monotonic() - started) / 60, 1)
    found["goals"] = [{**asdict(goal), "met": goal.met} for goal in goals(found)]
    print(f"\n{table(found)}")
    report = QUICK_REPORT if quick else REPORT
    text = json.dumps(_rounded(found), ensure_ascii=False, indent=1)
    report.write_text(text + "\n", encoding="utf-8")
    print(f"\nWrote {report.relative_to(ROOT)} after {found['minutes']} minutes")


def _say(title: str) -> None:
    print(f"\n== {title} ==", flush=True)


def _rounded(value: Any) -> Any:
    """Three figures are as many as such measurements have."""
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return value


def machine() -> Json:
    """What it was measured on."""
    return {"cores": os.cpu_count(), "system": platform.system(), "python": sys.version.split()[0]}


def count_tests() -> Json:
    """How many tests there are, by what they are about."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    counts: dict[str, int] = {}
    for folder in re.findall(r"^tests/(\w+)/?\S*::", done.stdout, re.MULTILINE):
        kind = folder if (ROOT / "tests" / folder).is_dir() else "tools"
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def measure_python(rounds: int, seconds: float) -> Json:
    """Games, questions and hands a second of one core, beside others."""
    sets = [(f"{slug} {name}", (slug, name)) for slug, name in rule_sets()]
    peers = {"RLCard doudizhu": rlcard_game(), "OpenSpiel hearts": hearts_game()}
    games = rates({n: one_after_another(*s) for n, s in sets} | peers, rounds, seconds)
    checks = rates({name: asker(rule_set) for name, rule_set in sets}, rounds, seconds / 2)
    hands = {name: HANDS * each for name, each in rates(rankers(), rounds, seconds).items()}
    return {
        "games_per_second": {name: games[name] for name, _ in sets},
        "checks_per_second": checks,
        "peers_games_per_second": {name: games[name] for name in peers},
        "hands_per_second": hands,
    }


def goals(found: Json) -> list[Goal]:
    """Everything that was promised, with what was measured."""
    shown = {
        (name, kind): median(times)
        for name, kinds in found["starts"]["milliseconds"].items()
        for kind, times in kinds.items()
    }
    sent = found["starts"]["bytes"]
    python, builds = found["python"], found["builds"]
    rates_, peers = python["games_per_second"], python["peers_games_per_second"]
    bare = shown["bare", "cold"]
    listed = [
        Goal("first-answer", "", shown["ours", "cold"] / bare, "most", 0.25),
        Goal("second-answer", "", shown["ours", "second"] / bare, "most", 0.2),
        Goal("bytes", "", sent["ours"] / sent["bare"], "most", 1.3),
    ]
    for line in SLOW_LINES:
        slow = found["slow_lines"][f"{line:g}"]
        ratio = slow["answer"]["ours"] / slow["answer"]["bare"]
        listed.append(Goal("slow-answer", f"{line:g}", ratio, "most", 1.0))
        # A tenth is what such measurements differ by from one time to the next.
        painted = slow["painted"]["ours"] / slow["painted"]["plain"]
        listed.append(Goal("slow-page", f"{line:g}", painted, "most", 1.1))
        read = slow["read"]["ours"] / slow["read"]["plain"]
        listed.append(Goal("slow-read", f"{line:g}", read, "most", 1.1))
    waits = found["browser"]["wait_95"]
    others = {name: wait for name, wait in waits.items() if name != SLOWEST}
    slowest = max(others, key=lambda name: others[name])
    listed.append(Goal("wait", slowest, others[slowest], "most", 16.0))
    if SLOWEST in waits:
        listed.append(Goal("wait-best", SLOWEST, waits[SLOWEST], "most", 200.0))
    scripts = found["hold_ups"]["longest_own_script"]
    longest = max(scripts, key=lambda slug: scripts[slug])
    listed.append(Goal("held-up", longest, scripts[longest], "most", 50.0))
    for name, rate in rates_.items():
        if rulebook(name.split()[0]).game.family == "climbing":
            listed.append(Goal("climbing", name, rate / peers["RLCard doudizhu"], "least", 20.0))
    hearts = rates_["heifuren standard"] / peers["OpenSpiel hearts"]
    listed.append(Goal("hearts", "heifuren standard", hearts, "least", 0.1))
    hands = python["hands_per_second"]
    listed.append(Goal("hands", "", hands["ours"] / hands["phevaluator"], "least", 1.0))
    ratio = builds["ours"]["seconds"] / builds["material"]["seconds"]
    listed.append(Goal("build", "", ratio, "most", 1.5))
    for more in builds["copies"]:
        about = f"{more['copies']} × {more['games']}"
        listed.append(Goal("build-growth", about, growth(builds["single"], more), "most", 1.0))
    return listed


def growth(base: Mapping[str, Any], more: Mapping[str, Any]) -> float:
    """How much more a build with more pages takes than its bytes of pages would let one think."""
    ratio: float = (more["seconds"] / base["seconds"]) / (more["bytes"] / base["bytes"])
    return ratio


def table(found: Json) -> str:
    """One table: the goals, then every rule set."""
    lines = [f"{'goal':16}{'of':28}{'measured':>10}{'':>10}{'goal':>8}"]
    for goal in found["goals"]:
        sign = "at most" if goal["bound"] == "most" else "at least"
        end = "" if goal["met"] else "   short"
        lines.append(
            f"{goal['id']:16}{goal['about']:28}{goal['value']:10.3g}{sign:>10}{goal['goal']:8g}{end}"
        )
    python, browser = found["python"], found["browser"]
    games, peers = python["games_per_second"], python["peers_games_per_second"]
    heads = ("games/s", "in browser", "/ RLCard", "/ hearts", "checks/s", "in browser")
    lines += ["", f"{'rule set':24}" + "".join(f"{head:>12}" for head in heads)]
    for name, rate in games.items():
        figures = (
            rate,
            browser["games_per_second"][name],
            rate / peers["RLCard doudizhu"],
            rate / peers["OpenSpiel hearts"],
            python["checks_per_second"][name],
            browser["checks_per_second"][name],
        )
        lines.append(f"{name:24}" + "".join(f"{figure:12.3g}" for figure in figures))
    lines += [f"{name:24}{rate:12.3g}" for name, rate in peers.items()]
    lines += ["", f"{'hands of five':24}{'hands/s':>12}"]
    lines += [f"{name:24}{rate:12.3g}" for name, rate in python["hands_per_second"].items()]
    return "\n".join(lines)
