"""The game that CONTRIBUTING.md adds: its files as printed there, in a copy of the project."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from macros import ROOT
from tests.site.pages import read_page

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RENDER = """
from pathlib import Path
from engine.rulebook import rulebook
from engine.validate import validate
from macros.pages import GamePage
from macros.scripts import refresh_catalogues

refresh_catalogues()
validate(rulebook("shudun"))
for lang in ("zh-Hans", "zh-Hant"):
    page = GamePage(rulebook("shudun"), lang)
    Path(f"{lang}.html").write_text(f"<html lang={lang}>{page.html}</html>", encoding="utf-8")
"""


def printed(language: str) -> str:
    """The one block of that language in the text."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    return str(block)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the game added as the text says."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("engine", "macros", "docs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for place, language in (("rules/shudun.toml", "toml"), ("games/shudun.py", "python")):
        assert f"`engine/{place}`" in TEXT
        (copy / "engine" / place).write_text(printed(language), encoding="utf-8")
    return copy


def run(project: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands() -> list[list[str]]:
    """The commands of the text that run the engine, as arguments."""
    import shlex

    lines = printed("sh").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith(".venv/bin/python")]


def test_the_printed_commands_answer(project: Path) -> None:
    question, deal = commands()
    answer: dict[str, Any] = json.loads(run(project, *question))
    assert answer["answer"]["winner"] == 1
    assert [r["clause"] for r in answer["reasons"]] == ["shudun-04", "shudun-02"]
    dealt = json.loads(run(project, *deal))
    assert dealt["record"]["game"] == "shudun"


def test_the_printed_game_is_valid_and_its_page_whole(project: Path) -> None:
    run(project, "-c", RENDER)
    for lang, word in (("zh-Hans", "数墩"), ("zh-Hant", "數墩")):
        page = read_page(project / f"{lang}.html")
        assert page.root.find("h1")[0].text() == word
        clauses = [e.attributes["id"] for e in page.root.find(class_="clause")]
        assert clauses == [f"shudun-0{n}" for n in (1, 2, 3, 4, 5)]
        assert len(page.root.find(class_="example")) == 4
        (shown,) = page.root.find(class_="shown")
        assert shown.text().startswith(
            {"zh-Hans": "5条规则里，有5条"}.get(lang, "5條規則裡，有5條")
        )


def test_a_figure_lives_in_one_place(project: Path) -> None:
    data = project / "engine" / "rules" / "shudun.toml"
    as_printed = data.read_text(encoding="utf-8")
    data.write_text(as_printed.replace("\nworth = 1\n", "\nworth = 3\n"), encoding="utf-8")
    try:
        run(project, "-c", RENDER)
        page = read_page(project / "zh-Hans.html")
    finally:
        data.write_text(as_printed, encoding="utf-8")
    (score,) = page.root.find(id="shudun-05")
    assert "每赢一墩记3分" in score.text()
    assert "得12分" in score.text()


def test_an_example_that_comes_out_otherwise_stops_the_build(project: Path) -> None:
    data = project / "engine" / "rules" / "shudun.toml"
    as_printed = data.read_text(encoding="utf-8")
    data.write_text(as_printed.replace('{"winner": 1}', '{"winner": 2}'), encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-c", RENDER], cwd=project, capture_output=True, text=True, check=False
        )
    finally:
        data.write_text(as_printed, encoding="utf-8")
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith("shudun.toml: example.order.answer.winner: the engine answers 1")
