"""Sentences from templates, and data read strictly."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import jsonschema
import pytest

from engine import schema
from engine.rulebook import RuleDataError, merge, parse, rulebook
from engine.texts import MissingFact, chinese_number, render


@pytest.mark.parametrize(
    ("number", "cardinal", "ordinal"),
    [(0, "零", "零"), (2, "两", "二"), (10, "十", "十"), (12, "十二", "十二"), (20, "二十", "二十"),
     (52, "五十二", "五十二"), (100, "一百", "一百"), (101, "一百零一", "一百零一"),
     (110, "一百一十", "一百一十"), (200, "二百", "二百"), (999, "九百九十九", "九百九十九")],
)  # fmt: skip
def test_chinese_numbers(number: int, cardinal: str, ordinal: str) -> None:
    assert chinese_number(number) == cardinal
    assert chinese_number(number, ordinal=True) == ordinal


VALUES = {"n": 2, "d": -30, "c": "S7", "cs": ["H10", "DW"], "s": 1, "r": ["A", "K", "DW"],
          "t": {"K": 25, "2": 25}, "deep": {"list": [{"size": 3}]}, "suit": "H"}  # fmt: skip


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{n}张", "2张"), ("{n:cn}张", "两张"), ("第{n:nth}", "第二"), ("{d:sign}", "−30"),
        ("{n:sign}", "+2"), ("{c:card}", "♠7"), ("{cs:cards}", "♥10 大王"), ("{s:seat}", "乙"),
        ("{r:gt}", "A ＞ K ＞ 大王"), ("{r:run}", "A-K-大王"), ("{r:list}", "A、K、大王"),
        ("{r:count}", "3"), ("{t:each %k值%v}", "K值25、2值25"), ("{deep.list.0.size}", "3"),
        ("{suit:suit}", "红心"), ("{{x}}", "{x}"),
    ],
)  # fmt: skip
def test_forms(template: str, text: str) -> None:
    assert render(template, VALUES) == text


@pytest.mark.parametrize("template", ["{x}", "{deep.list.4}", "{n.x}", "{n:odd}"])
def test_a_missing_fact_is_named(template: str) -> None:
    with pytest.raises(MissingFact):
        render(template, VALUES)


@dataclass(frozen=True)
class Inner:
    """Inner."""

    size: int
    kind: Literal["a", "b"] = "a"


@dataclass(frozen=True)
class Outer:
    """Outer."""

    name: str
    inner: tuple[Inner, ...]
    pair: tuple[int, int] = (1, 2)
    either: str | int | None = None
    table: Mapping[str, int] | None = None


GOOD = {"name": "x", "inner": [{"size": 1}, {"size": 2, "kind": "b"}], "table": {"k": 1}}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"odd": 1}, "odd"), ({"name": 1}, "name"), ({"inner": {}}, "inner"),
        ({"inner": [{"size": "1"}]}, "inner[0].size"), ({"inner": [{}]}, "inner[0].size"),
        ({"inner": [{"size": True}]}, "inner[0].size"), ({"pair": [1]}, "pair"),
        ({"inner": [{"size": 1, "kind": "c"}]}, "inner[0].kind"), ({"either": []}, "either"),
        ({"table": {"k": "v"}}, "table.k"),
    ],
)  # fmt: skip
def test_strict_loading_names_the_key_and_the_schema_agrees(
    change: dict[str, Any], key: str
) -> None:
    assert schema.load(Outer, GOOD).inner[1] == Inner(2, "b")
    described = schema.json_schema(Outer)
    jsonschema.validate(GOOD, described)
    with pytest.raises(schema.SchemaError) as caught:
        schema.load(Outer, {**GOOD, **change})
    assert caught.value.key == key
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**GOOD, **change}, described)


def test_merging_lays_tables_over_tables() -> None:
    assert merge({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": 3}, "d": [2]}) == {
        "a": {"b": 3, "c": 2}, "d": [2],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "x.toml: TOML: "),
        ("[game]\nslug = 'x'", "x.toml: game.title: missing"),
        ("[gam]\n", "x.toml: gam: unknown key"),
    ],
)
def test_rule_data_errors_are_one_line(text: str, message: str) -> None:
    with pytest.raises(RuleDataError) as caught:
        parse(text, "x.toml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_unknown_slug() -> None:
    with pytest.raises(KeyError):
        rulebook("../words")
