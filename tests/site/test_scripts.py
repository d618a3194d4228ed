"""Traditional texts: what OpenCC alone gets wrong in card talk, and whether all is up to date."""

import re

import pytest

from engine.rulebook import rulebook, slugs, words
from engine.texts import render
from macros import ROOT
from macros.review import differences, unsettled
from macros.scripts import (
    CATALOGUES,
    HERE,
    all_texts,
    catalogues,
    leaves,
    template_to_traditional,
    to_traditional,
)


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        # Faults of OpenCC's own dictionaries.
        ("牌发完了", "牌發完了"),
        ("被发完", "被發完"),
        ("还有只能跟的牌", "還有只能跟的牌"),
        ("手里有只剩一张的花色", "手裡有只剩一張的花色"),
        ("单张面包括大王", "單張面包括大王"),
        ("干牌", "乾牌"),
        ("风后", "風後"),
        ("舍牌", "捨牌"),
        ("打一周", "打一周"),
        ("规则写明了", "規則寫明了"),
        ("从得分里扣掉", "從得分裡扣掉"),
        ("在这一副牌里扣分", "在這一副牌裡扣分"),
        # Characters with two traditional forms.
        ("面前摆着", "面前擺著"),
        ("一沓牌", "一沓牌"),
        ("手里", "手裡"),
        ("其余的牌", "其餘的牌"),
        ("只有一只手", "只有一隻手"),
        ("干净", "乾淨"),
        ("皇后", "皇后"),
        ("最后", "最後"),
        ("记账", "記帳"),
        # The forms of Taiwan, not those of bare s2t.
        ("吃牌才算", "吃牌才算"),
        ("为什么", "為什麼"),
        ("台面", "檯面"),
        # The names of games, families and suits.
        ("争上游类", "爭上游類"),
        ("红心、方块、梅花、黑桃", "紅心、方塊、梅花、黑桃"),
        ("五十K", "五十K"),
        ("三带", "三帶"),
        ("青龙", "青龍"),
        ("议将夺墩算分", "議將奪墩算分"),
        # Quotation marks.
        ("他说“过”", "他說「過」"),
        ("“我说‘过’了”", "「我說『過』了」"),
    ],
)
def test_words_of_card_talk(simplified: str, traditional: str) -> None:
    assert to_traditional(simplified) == traditional


def test_a_line_can_carry_its_own_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"lines": {"舍牌时看下家": "打牌時看下家"}, "words": {}}
    monkeypatch.setattr("macros.scripts.reviewed", lambda: own)
    assert to_traditional("舍牌时看下家") == "打牌時看下家"
    assert to_traditional("舍牌") == "捨牌"


def test_a_template_keeps_the_paths_of_its_facts() -> None:
    template = "青龙得{special_pay.青龙}分，花龙得{special_pay.花龙:cn}分"
    converted = template_to_traditional(template)
    assert converted == "青龍得{special_pay.青龙}分，花龍得{special_pay.花龙:cn}分"
    pays = {"special_pay": {"青龙": 200, "花龙": 2}}
    assert render(converted, pays) == "青龍得200分，花龍得两分"


def test_phrases_are_pairs_of_one_length_named_once() -> None:
    lines = (HERE / "phrases.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    assert all(len(pair) == 2 and len(pair[0]) == len(pair[1]) for pair in pairs)
    assert len({pair[0] for pair in pairs}) == len(pairs)


def test_every_phrase_converts_as_it_says() -> None:
    for line in (HERE / "phrases.txt").read_text(encoding="utf-8").splitlines():
        simplified, traditional = line.split("\t")
        assert to_traditional(simplified) == traditional


def test_leaves_are_texts_terms_and_what_stands_in_json() -> None:
    data = {"facts": {"三带": {"label": "三张带两张"}}, "example": [{"input": '{"type": "顺子"}'}]}
    found = list(leaves(data))
    assert {"三带", "三张带两张", "顺子"} <= set(found)
    assert '{"type": "顺子"}' not in found


def test_the_catalogues_are_up_to_date() -> None:
    wanted = catalogues()
    assert {file.name for file in CATALOGUES.glob("*.json")} == set(wanted)
    for name, content in wanted.items():
        now = (CATALOGUES / name).read_text(encoding="utf-8")
        assert now == content, f"{name}: run ./site-build.sh build and commit what it changes"


def test_no_word_on_which_converters_differ_is_left_unseen() -> None:
    left = unsettled(all_texts(ROOT))
    assert not left, f"read these and put them into reviewed.toml: {left}"


def test_a_difference_between_converters_is_found() -> None:
    assert list(differences("单张面包括")) == []
    assert list(differences("争上游")) == [(2, 3)]
    assert unsettled(["甲玩争上游"]) == {}


@pytest.mark.parametrize("slug", slugs())
def test_every_sentence_of_the_rules_is_whole_in_traditional_script(slug: str) -> None:
    book = rulebook(slug)
    rules = book.rules()
    for clause in book.clause:
        _assert_traditional(rules.clause_text(clause.id, "zh-Hant"), clause.id)
        _assert_traditional(rules.text(clause.note, "zh-Hant"), clause.id)


def test_the_shared_words_are_whole_in_traditional_script() -> None:
    from engine.texts import translate

    for key, text in words().label.items():
        _assert_traditional(translate(text, "zh-Hant"), key)


def _assert_traditional(text: str, where: str) -> None:
    for character in re.findall(r"[\u3400-\u9fff]", text):
        try:
            character.encode("big5")
        except UnicodeEncodeError:
            pytest.fail(f"{where}: {character} in {text}")
