"""The rule data as the site publishes it: the files themselves, and the JSON Schema that they fit."""

import json
import shutil
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from engine import schema
from engine.game import AnyGame
from engine.registry import game_of
from engine.rulebook import Rulebook
from macros.variants import facts_of_switches

Json = dict[str, Any]
SCHEMA_FILE = "rules.schema.json"


def rules_schema(books: Iterable[Rulebook]) -> Json:
    """The JSON Schema of a game's file: what every file holds, and the facts of each game."""
    books = list(books)
    found = schema.json_schema(Rulebook)
    found["properties"]["facts"] = {"type": "object"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rule data of a card game",
        **found,
        "allOf": [_facts_of(book) for book in books],
    }


def _facts_of(book: Rulebook) -> Json:
    """If the file is this game's: its facts, whole or, in rule sets and options, in part."""
    playing: AnyGame = game_of(book)
    facts = schema.json_schema(playing.facts_type)
    part = _partial(facts)
    values = {"items": {"properties": {"facts": part}}}
    for path in facts_of_switches(book):
        _not_required(facts, path.split("."))
    return {
        "if": {"properties": {"game": {"properties": {"slug": {"const": book.slug}}}}},
        "then": {
            "properties": {
                "facts": part if book.game.base else facts,
                "rule_set": {"additionalProperties": {"properties": {"facts": part}}},
                "option": {"items": {"properties": {"values": values}}},
            }
        },
    }


def _not_required(node: Json, path: list[str]) -> None:
    """Let the file leave out a fact that its rule sets or options set."""
    first, *rest = path
    node["required"] = [name for name in node.get("required", []) if name != first]
    inner = node.get("properties", {}).get(first)
    if rest and inner:
        _not_required(inner, rest)


def _partial(node: Any) -> Any:
    """The same schema with nothing required."""
    if isinstance(node, Mapping):
        return {key: _partial(inner) for key, inner in node.items() if key != "required"}
    if isinstance(node, list):
        return [_partial(inner) for inner in node]
    return node


def publish(out: Path, books: Iterable[Rulebook]) -> None:
    """Write the rule data and its schema into the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    books = list(books)
    for name in ("words", *(book.slug for book in books)):
        file = resources.files("engine") / "rules" / f"{name}.toml"
        with resources.as_file(file) as path:
            shutil.copyfile(path, out / file.name)
    text = json.dumps(rules_schema(books), ensure_ascii=False, indent=1)
    (out / SCHEMA_FILE).write_text(text + "\n", encoding="utf-8")
