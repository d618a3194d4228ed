"""The published schema takes every file of rule data, and refuses what the loader refuses."""

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.rulebook import rulebook, slugs
from macros import ROOT
from macros.published import SCHEMA_FILE, rules_schema

SCHEMA = rules_schema([rulebook(slug) for slug in slugs()])


def data(site_dir: Path, slug: str) -> dict[str, Any]:
    return tomllib.loads((site_dir / "data" / f"{slug}.toml").read_text(encoding="utf-8"))


def faults(document: dict[str, Any]) -> list[str]:
    return [e.json_path for e in Draft202012Validator(SCHEMA).iter_errors(document)]


def test_the_schema_is_one_and_is_published(site_dir: Path) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = (site_dir / "data" / SCHEMA_FILE).read_text(encoding="utf-8")
    assert json.loads(text) == SCHEMA


@pytest.mark.parametrize("slug", slugs())
def test_every_published_file_fits_the_schema(site_dir: Path, slug: str) -> None:
    assert faults(data(site_dir, slug)) == []


@pytest.mark.parametrize("slug", slugs())
def test_published_files_are_the_ones_in_use(site_dir: Path, slug: str) -> None:
    published = (site_dir / "data" / f"{slug}.toml").read_bytes()
    assert published == (ROOT / "engine" / "rules" / f"{slug}.toml").read_bytes()


def test_the_schema_refuses_what_does_not_belong(site_dir: Path) -> None:
    good = data(site_dir, "sibaifen")

    def broken(*path: str | int, value: Any) -> list[str]:
        document = copy.deepcopy(good)
        node: Any = document
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = value
        return faults(document)

    assert broken("game", "colour", value="red")
    assert broken("clause", 0, "mark", value="guess")
    assert broken("facts", "hand", value="twelve")
    assert broken("facts", "luck", value=1)
    del good["facts"]["kitty"]
    assert faults(good)
