"""The bench: that it measures what it says, and the page that shows its figures."""

import gzip
import json
import re
import time
import urllib.error
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from engine import api
from engine.registry import game
from engine.rulebook import parse, rulebook, slugs
from engine.texts import LANGS, Lang
from macros import SITE, BuildError, pages
from macros.bench import games, report
from macros.bench.builds import copy_tree, plain_project
from macros.bench.games import played, rate, rates, rule_sets
from macros.bench.hands import questions, request
from macros.bench.server import Files, serving
from macros.bench.starts import GAME, first_question, without_ours
from macros.speed import PLOT, Speed, bars, figure

NUMBERS = {"ours": 2.0, "phevaluator": 1.0, "treys": 1.5}


@pytest.fixture
def found() -> dict[str, Any]:
    """A report such as the bench makes, with figures that no real one would have."""
    names = [f"{slug} {rule_set}" for slug, rule_set in rule_sets()]
    each = {name: 100.0 + number for number, name in enumerate(names)}
    slow = {
        "answer": {"bare": 2000, "ours": 1000},
        "painted": {"plain": 100, "ours": 100},
        "read": {"plain": 200, "ours": 300},
    }
    built = {"seconds": 2.0, "pages": 10, "bytes": 1000}
    made: dict[str, Any] = {
        "taken": "2001-02-03",
        "machine": {"cores": 2, "system": "Linux", "python": "3.13.0"},
        "tests": {"engine": 5, "site": 6, "browser": 7, "tools": 8},
        "starts": {
            "milliseconds": {
                "bare": {"cold": [4000, 9000, 1000], "second": [3000]},
                "ours": {"cold": [800, 900, 700], "second": [700]},
            },
            "bytes": {"bare": 100, "ours": 90, "ours_engine": 80, "ours_page": 10},
        },
        "slow_lines": {"10": slow, "1.6": slow},
        "browser": {
            "checks_per_second": each,
            "games_per_second": each,
            "wait_95": {"gonglei best": 150.0, "gonglei row": 3.0, "sibaifen trick": 17.0},
        },
        "hold_ups": {"longest_task": {"sibaifen": 60}, "longest_own_script": {"sibaifen": 40}},
        "python": {
            "games_per_second": each,
            "checks_per_second": each,
            "peers_games_per_second": {"RLCard doudizhu": 5.0, "OpenSpiel hearts": 5000.0},
            "hands_per_second": NUMBERS,
        },
        "builds": {
            "ours": built,
            "material": {**built, "seconds": 1.6},
            "single": built,
            "copies": [{"games": 15, "copies": 10, "seconds": 30.0, "pages": 100, "bytes": 10000}],
        },
        "random_games": {"each": 10, "played": 200, "faults": 0},
        "minutes": 12.5,
    }
    made["goals"] = [{**vars(goal), "met": goal.met} for goal in report.goals(made)]
    return made


# Games


@pytest.mark.parametrize(("slug", "rule_set"), rule_sets())
def test_random_games_come_to_their_end(slug: str, rule_set: str) -> None:
    ended = list(played(game(slug, rule_set), 0, 3))
    assert len(ended) == 3
    assert all(state.turn is None for state in ended)


def test_the_number_of_players_goes_round() -> None:
    playing = game("sibaifen")
    least, most = playing.rules.book.game.players
    count = games.DEALS_OF_A_MATCH * (most - least + 1)
    assert {state.players for state in played(playing, 0, count)} == set(range(least, most + 1))


def test_a_deal_longer_than_the_game_says_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = game("sibaifen")
    monkeypatch.setattr(playing, "longest", lambda _: 5)
    with pytest.raises(
        BuildError, match=r"^sibaifen standard, 4 players, seed bench/0, deal 1: .*longer"
    ):
        next(played(playing, 0, 1))


def test_a_deal_without_a_result_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = game("sibaifen")
    monkeypatch.setattr(playing, "result", lambda _: None)
    with pytest.raises(BuildError, match="seed bench/7, deal 1: the deal ended without a result"):
        next(played(playing, 7, 1))


def test_a_rate_is_calls_by_seconds_of_the_core() -> None:
    def work() -> None:
        end = time.process_time() + 0.004
        while time.process_time() < end:
            pass

    def twice() -> None:
        work()
        work()

    assert 125 < rate(work, 0.04) <= 250
    fast = rates({"a": work, "b": twice}, 1, 0.04)
    assert 1.5 < fast["a"] / fast["b"] < 2.5


# Questions


@pytest.mark.parametrize("slug", slugs())
def test_questions_are_all_that_the_examples_ask_and_are_answered(slug: str) -> None:
    book = rulebook(slug)
    asked = [question for name in book.rule_set for question in questions((slug, name))]
    assert {check for check, _ in asked} == {e.check for e in book.example if e.check}
    for check, question in asked:
        assert json.loads(api.dispatch(request(slug, check, question)))["ok"]["said"]


def test_the_link_that_is_opened_asks_something_that_is_answered() -> None:
    parts = urlsplit(first_question())
    slug = parts.path.split("/")[1]
    query = parse_qs(parts.query)
    assert api.check(slug, query["check"][0], json.loads(query["in"][0]))["answer"]


def test_the_page_without_our_scripts_has_only_the_themes() -> None:
    page = (SITE / "games" / GAME / "index.html").read_bytes()
    loads = re.compile(rb'<script [^>]*?src="([^"]+)"|<link rel="\w*preload"[^>]*?href="([^"]+)"')
    assert len(loads.findall(page)) > 3
    ((theme, _),) = loads.findall(without_ours(page))
    assert b"/javascripts/bundle." in theme


# The server


def test_the_server_packs_counts_and_sends_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<p>a</p><script type="module" src="x.js"></script>' * 50)
    (tmp_path / "a.zip").write_bytes(b"zip" * 100)
    plain = Files(tmp_path, lambda html: html.replace(b"<script", b"<x"))
    with serving({"site": Files(tmp_path), "plain": plain}) as server:
        with urllib.request.urlopen(f"{server.url}site/") as answer:
            packed, tag = answer.read(), answer.headers["ETag"]
            assert answer.headers["Content-Encoding"] == "gzip"
        assert b"<script" in gzip.decompress(packed)
        again = urllib.request.Request(f"{server.url}site/", headers={"If-None-Match": tag})
        with pytest.raises(urllib.error.HTTPError, match="304"):
            urllib.request.urlopen(again)
        with urllib.request.urlopen(f"{server.url}plain/index.html") as answer:
            assert b"<script" not in gzip.decompress(answer.read())
        with urllib.request.urlopen(f"{server.url}site/a.zip?x=1") as answer:
            assert answer.headers["Content-Encoding"] is None
            assert len(answer.read()) == 300
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.url}other/")
        assert [server.sent[0], server.sent[-1]] == [
            ("/site/", len(packed)),
            ("/site/a.zip?x=1", 300),
        ]
        assert len(server.sent) == 3


# Builds


def test_plain_material_gets_the_articles_of_the_pages(tmp_path: Path) -> None:
    for folder, text in (("", "一"), ("games/a/", "二"), ("zh-Hant/games/a/", "三")):
        page = tmp_path / "site" / folder / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<nav>x</nav><article class='y'>\n<p>{text}</p>\n\n<p>z</p></article>")
    configs = plain_project(tmp_path / "site", tmp_path / "out")
    found = {
        str(file.relative_to(tmp_path / "out")): file.read_text()
        for file in (tmp_path / "out").rglob("*.md")
    }
    assert found == {
        "zh-Hans/docs/index.md": "<div>\n<p>一</p>\n<p>z</p>\n</div>\n",
        "zh-Hans/docs/games/a.md": "<div>\n<p>二</p>\n<p>z</p>\n</div>\n",
        "zh-Hant/docs/games/a.md": "<div>\n<p>三</p>\n<p>z</p>\n</div>\n",
    }
    assert [json.loads(c.read_text())["theme"]["language"] for c in configs] == ["zh", "zh-TW"]


def test_copies_of_rule_data_are_games_of_their_own(tmp_path: Path) -> None:
    copy_tree(tmp_path / "tree", ["zhengshangyou"], 3)
    rules = tmp_path / "tree" / "engine" / "rules"
    copies = sorted(file.stem for file in rules.glob("zhengshangyou*.toml"))
    assert copies == ["zhengshangyou", "zhengshangyou2", "zhengshangyou3"]
    book = parse((rules / "zhengshangyou3.toml").read_text(encoding="utf-8"), "zhengshangyou3.toml")
    assert book.slug == "zhengshangyou3"
    assert len(book.clause) == len(rulebook("zhengshangyou").clause)
    assert all(clause.id.startswith("zhengshangyou3-") for clause in book.clause)
    assert (tmp_path / "tree/engine/games/zhengshangyou3.py").is_file()


def test_growth_is_time_beside_bytes_of_pages() -> None:
    base = {"seconds": 2.0, "bytes": 100}
    assert report.growth(base, {"seconds": 20.0, "bytes": 1000}) == 1.0
    assert report.growth(base, {"seconds": 30.0, "bytes": 1000}) == 1.5


# Goals


def test_goals_are_held_against_what_was_measured(found: dict[str, Any]) -> None:
    goals = {(goal["id"], goal["about"]): goal for goal in found["goals"]}
    first = goals["first-answer", ""]
    assert (first["value"], first["goal"], first["met"]) == (0.2, 0.25, True)
    assert goals["second-answer", ""]["value"] == 700 / 4000
    assert goals["bytes", ""]["value"] == 0.9
    assert not goals["slow-read", "1.6"]["met"]
    # The slowest check but the one with a limit of its own.
    assert (goals["wait", "sibaifen trick"]["value"], goals["wait", "sibaifen trick"]["met"]) == (
        17,
        False,
    )
    assert goals["wait-best", "gonglei best"]["met"]
    assert goals["hearts", "heifuren standard"]["value"] == pytest.approx(0.02, rel=0.2)
    climbing = {about for kind, about in goals if kind == "climbing"}
    assert {"wushik one-pack", "wushik two-packs", "zhengshangyou standard"} <= climbing
    assert "sibaifen standard" not in climbing
    assert goals["build", ""]["value"] == 1.25
    assert not goals["build-growth", "10 × 15"]["met"]


def test_the_table_says_which_goals_are_missed(found: dict[str, Any]) -> None:
    lines = report.table(found).splitlines()
    missed = [line for line in lines if line.endswith("short")]
    assert len(missed) == sum(not goal["met"] for goal in found["goals"]) > 0
    for slug, rule_set in rule_sets():
        assert any(line.startswith(f"{slug} {rule_set} ") for line in lines)


# The page


def test_bars_are_in_proportion() -> None:
    assert [bar.width for bar in bars([("a", 2, False), ("b", 1, True)])] == [PLOT, PLOT / 2]
    powers = bars([("a", 10, False), ("b", 100, True), ("c", 10_000, True)], log=True)
    assert [round(bar.width / PLOT, 2) for bar in powers][1:] == [0.33, 1.0]
    assert 0 < powers[0].width < PLOT / 20


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.5, "1,234"), (100, "100"), (45.67, "45.7"), (0.254, "0.25"), (3, "3.00")],
)
def test_figures_have_as_many_places_as_they_deserve(value: float, text: str) -> None:
    assert figure(value) == text


def parts_of(lang: Lang) -> dict[str, str]:
    books = [rulebook(slug) for slug in slugs()]
    return {name: str(make()) for name, make in pages.speed_parts(books, lang).items()}


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_not_measured_is_said_to_be_so(
    lang: Lang, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "Speed", partial(Speed, report=tmp_path / "none.json"))
    parts = parts_of(lang)
    said = {"zh-Hans": "还没有量过", "zh-Hant": "還沒有量過"}[lang]
    assert {name for name, html in parts.items() if said in html} == {"starts", "rates", "goals"}
    assert str(sum(len(rulebook(slug).clause) for slug in slugs())) in parts["checked"]


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_shows_every_figure_of_the_report(
    lang: Lang, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]
) -> None:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(found), encoding="utf-8")
    monkeypatch.setattr(pages, "Speed", partial(Speed, report=file))
    parts = parts_of(lang)
    assert parts["starts"].count("<rect") == 4
    assert f"{figure(4000)} " in parts["starts"]
    assert parts["rates"].count("<rect") == len(rule_sets()) + 2
    rows = re.findall(r"<tr><td>(.*?)</td>", parts["goals"])
    assert len(rows) == len(found["goals"])
    assert all(re.search(r"[\u4e00-\u9fff]", row) for row in rows)
    assert len(set(rows)) == len(rows)
    assert parts["goals"].count({"zh-Hans": "没达到", "zh-Hant": "沒達到"}[lang]) == sum(
        not goal["met"] for goal in found["goals"]
    )
    assert "26" in parts["checked"]
    assert "style=" not in "".join(parts.values())


def test_a_broken_report_stops_the_build_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_text('{"taken": ')
    with pytest.raises(BuildError, match=r"^bench\.json: .*run \./site-build\.sh bench$"):
        Speed([], "zh-Hans", file)
