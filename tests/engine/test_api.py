"""The command line and the JSON boundary."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import api
from engine.__main__ import main
from engine.rulebook import slugs


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    try:
        code = main(args)
    except SystemExit as error:
        code = int(error.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        (
            ["sibaifen", "settle", '{"contract":370,"declarer_points":340}'],
            {"declarer": 0, "defenders": 30},
        ),
    ],
)
def test_worked_samples(
    capsys: pytest.CaptureFixture[str], args: list[str], answer: dict[str, Any]
) -> None:
    code, out, err = run(capsys, "check", *args)
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert said["answer"] == answer
    assert set(said) == {"answer", "reasons", "rule_set", "options"}
    assert all(set(r) == {"clause", "text"} for r in said["reasons"])


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["check", "sibaifen", "points", "{}"], "cards"),
        (["check", "sibaifen", "points", '{"cards":["S7","S7"]}'], "cards"),
        (["check", "sibaifen", "points", '{"cards":["Z7"]}'], "cards"),
        (["check", "sibaifen", "points", '{"cards":["DW"]}'], "cards"),
        (["check", "sibaifen", "points", '{"cards":7}'], "cards"),
        (["check", "sibaifen", "points", '{"cards":["S7"],"more":1}'], "more"),
        (["check", "sibaifen", "points", '{"cards":["S7"],"rule_set":"x"}'], "rule_set"),
        (["check", "sibaifen", "points", '{"cards":["S7"],"rule_set":1}'], "rule_set"),
        (["check", "sibaifen", "points", '{"cards":["S7"],"options":{"x":"y"}}'], "options.x"),
        (["check", "sibaifen", "points", '{"cards":["S7"],"options":[]}'], "options"),
        (["check", "sibaifen", "points", "{"], "json"),
        (["check", "sibaifen", "points", "[" * 100000], "json"),
        (["check", "sibaifen", "points", '{"cards":NaN}'], "json"),
        (["check", "sibaifen", "points", "[]"], "input"),
        (["check", "sibaifen", "nope", "{}"], "check"),
        (["check", "nope", "points", "{}"], "game"),
        (["check", "sibaifen", "trick", '{"cards":["S5","SK","H2"],"trump":"H"}'], "cards"),
        (["check", "sibaifen", "settle", '{"contract":372,"declarer_points":0}'], "contract"),
        (["check", "sibaifen", "settle", '{"contract":true,"declarer_points":0}'], "contract"),
        (["check", "sibaifen", "legal", '{"hand":["S5"],"trick":["S5"],"trump":"H"}'], "trick"),
        (["deal", "sibaifen", "--players", "3", "--seed", "1"], "players"),
        (["deal", "sibaifen", "--players", "4", "--seed", "1", "--option", "x"], "option"),
        (["deal", "sibaifen", "--players", "x", "--seed", "1"], "players"),
        (["replay", "/no/such/file"], "file"),
        (["rules", "nope"], "game"),
        (["nope"], "COMMAND"),
    ],
)
def test_bad_input_is_one_line_that_names_the_field(
    capsys: pytest.CaptureFixture[str], args: list[str], named: str
) -> None:
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert named in err


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"game": "nope"}, "game"),
        ({"players": 5}, "players"),
        ({"moves": ["bid: 200", "fly"]}, "moves[1]"),
        ({"moves": ["bid: 201"]}, "moves[0]"),
        ({"moves": ["deal"]}, "moves[0]"),
        ({"moves": ["bid S99"]}, "moves[0]"),
        ({"moves": "pass"}, "moves"),
        ({"hands": ["S7"]}, "hands"),
        ({"hands": ["S7", "S7", "S8", "S9"]}, "hands[1]"),
        ({"hands": ["S7", "S6", "S8", "S9"]}, "hands[0]"),
        ({"match": {"scores": [1]}}, "match.scores"),
        ({"match": {"odd": 1}}, "match.odd"),
        ({"match": {"dealer": 9}}, "match.dealer"),
        ({"odd": 1}, "odd"),
        ({"players": "4"}, "players"),
        ({"moves": [5]}, "moves[0]"),
        ({"moves": ["bid: --200"]}, "moves[0]"),
        ({"seed": "\ud800"}, "seed"),
        ({"target": 0}, "target"),
        ({"target": -1}, "target"),
        ({"match": {"deal_no": 0}}, "match.deal_no"),
        ({"match": {"scores": [5, 0, 0, 0]}}, "match.scores"),
        ({"seed": "x" * 1000}, "seed"),
    ],
)
def test_bad_records_name_the_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    record = {"game": "sibaifen", "players": 4, "seed": "1", "moves": [], **change}
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    code, out, err = run(capsys, "replay", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(named)
    assert err.count("\n") == 1
    assert not re.search(r"expected|invalid|found", err), "a refusal is in the reader's language"


def test_a_reader_who_stops_early_is_no_fault() -> None:
    command = f"{shlex.quote(sys.executable)} -m engine games | head -c 5"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ('[{"sl', "")


def test_numbers_and_names_are_one_for_options() -> None:
    cards = ["S7", "S8", "S9", "SQ", "S6"]
    for value in (40, "40"):
        question = {"cards": cards, "options": {"reveal_min": value}}
        assert api.check("wushiyifen", "hand", question)["answer"]["may_reveal"] is True


def test_the_module_runs_and_prints_json() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "games"], capture_output=True, text=True, check=True
    )
    assert [g["slug"] for g in json.loads(done.stdout)] == list(slugs())


@pytest.mark.parametrize("slug", slugs())
def test_rules_and_checks_of_every_game(capsys: pytest.CaptureFixture[str], slug: str) -> None:
    for command in ("rules", "checks"):
        code, out, err = run(capsys, command, slug)
        assert (code, err) == (0, "")
        assert json.loads(out)


def test_a_deal_can_be_played_on_from_its_record() -> None:
    deal = api.deal("sibaifen", 4, "7")
    assert deal["turn"] == 0
    view = api.seat_view(deal["record"], 0)
    assert [k["kind"] for k in view["kinds"]] == ["pass", "bid"]
    assert all(card is None for card in view["hands"][1]["cards"])
    refused = api.play(deal["record"], "bid: 199")
    assert refused["legal"] is False
    assert refused["reasons"][0]["clause"] == "sibaifen-04"
    played = api.play(deal["record"], "bid: 200")
    assert played["legal"] is True
    others = api.robots(played["record"], 0)
    assert others["turn"] in (0, None)
    assert api.replay(others["record"])["turn"] == others["turn"]


def test_dispatch_answers_or_refuses_in_the_script_asked_for() -> None:
    def ask(request: Any) -> Any:
        return json.loads(api.dispatch(json.dumps(request)))

    settle = {"slug": "sibaifen", "name": "settle",
              "question": {"contract": 370, "declarer_points": 340}}  # fmt: skip
    assert ask({"op": "check", "args": settle})["ok"]["answer"]["defenders"] == 30
    assert ask({"op": "check", "args": {"slug": "sibaifen"}})["refused"]["field"] == "args"
    assert ask({"op": "eval", "args": {}})["refused"]["field"] == "op"
    assert ask({"op": "games", "lang": "en"})["refused"]["field"] == "lang"
    assert ask([])["refused"]["field"] == "request"
    assert json.loads(api.dispatch("{"))["refused"]["field"] == "request"


def test_a_refusal_is_one_line_whatever_the_question_brings_along() -> None:
    request = {"op": "check", "args": {"slug": "sibaifen", "name": "points",
                                       "question": {"options": {"\n\u2028x": None}}}}  # fmt: skip
    said = json.loads(api.dispatch(json.dumps(request)))["refused"]
    assert said["field"] == "options.  x"
    assert said["text"].startswith("options.  x")
    assert len(said["text"].splitlines()) == 1
