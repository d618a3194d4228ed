"""The README says what is so."""

import re
import shlex
import subprocess
import sys

import pytest

from macros import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_two_commands_are_known() -> None:
    commands = re.findall(r"^\./site-build\.sh (\w+)", blocks("sh")[0], re.MULTILINE)
    assert commands == ["serve", "test"]
    usage = (ROOT / "site-build.sh").read_text(encoding="utf-8")
    for command in commands:
        assert re.search(rf"^  {command}\b", usage, re.MULTILINE)


@pytest.mark.parametrize("line", blocks("sh")[1].splitlines())
def test_the_engine_s_commands_run(line: str) -> None:
    arguments = shlex.split(line)[1:]
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("{", "["))


def test_the_python_example_holds() -> None:
    (example,) = blocks("python")
    exec(compile(example, "README.md", "exec"), {})


def test_the_map_names_what_is_there() -> None:
    for name in re.findall(r"^\| `([^`]+)`", TEXT, re.MULTILINE):
        assert (ROOT / name).exists(), name


def test_links_and_the_picture_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (ROOT / target).is_file(), target


def test_the_picture_is_small() -> None:
    assert (ROOT / "docs" / "assets" / "screenshot.png").stat().st_size < 300_000
