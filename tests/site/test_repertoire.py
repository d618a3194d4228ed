"""No character of the other script on any page, and none of the usual slips of conversion."""

import json
import re
from pathlib import Path

import pytest

from tests.site.pages import BuiltPage

HAN = re.compile(r"[\u3400-\u9fff]")
EITHER = frozenset("囧")
"""Characters of both scripts that the old character sets lack."""
SLIPS = re.compile(
    "|".join(
        [
            "[麵麪](前|對|子上)|[上下前後裡裏正反牌桌兩背頁界全方花]麵|[麵麪]包括",
            "(?<![一二兩三四五六七八九十幾這那每])隻(能|要|有|看|是|比|可|取|算|得|按|剩|用|記|付|扣|收)|不隻",
            "限製|控製|反複|若幹|幹擾|幹牌|乾涉|乾擾",
            "[皇王太]後(?![^ ]*後)|風后|[上下先最然以之]后",
            "[頭理]發(?!牌)|發型|髮",
            "鬥數|係統|關繫|標誌著|瞭(?!望)|纔|麽|喫|爲|衹|遝|捨得|千裡|裏程碑",
            "[錶](示|格)|代錶|舍牌",
            "[傢](庭)|[大各莊贏輸玩每下上對]傢",
        ]
    )
)


def foreign(text: str, codec: str) -> set[str]:
    """Characters that a character set of one script does not have."""
    found = set()
    for character in set(HAN.findall(text)) - EITHER:
        try:
            character.encode(codec)
        except UnicodeEncodeError:
            found.add(character)
    return found


def test_the_check_itself_finds_what_it_should() -> None:
    assert foreign("红心紅心", "gb2312") == {"紅"}
    assert foreign("红心紅心", "big5") == {"红"}
    for slip in ("牌面前麵前", "還有隻能", "隻剩一張", "被髮完", "單張麵包括", "風后", "明瞭"):
        assert SLIPS.search(slip), slip
    for right in ("面前", "一隻手", "每隻", "只能", "皇后", "最後", "瞭望"):
        assert not SLIPS.search(right), right


def test_pages_keep_to_their_script(pages: dict[str, BuiltPage]) -> None:
    for path, page in pages.items():
        text = page.root.text(foreign=False)
        codec = "big5" if page.lang == "zh-Hant" else "gb2312"
        assert not foreign(text, codec), path
        if page.lang == "zh-Hant":
            slip = SLIPS.search(text)
            assert not slip, f"{path}: {slip and text[slip.start() - 8 : slip.end() + 8]}"


@pytest.mark.parametrize("attribute", ["title", "aria-label", "placeholder", "content", "alt"])
def test_words_in_attributes_keep_to_the_script(
    pages: dict[str, BuiltPage], attribute: str
) -> None:
    for path, page in pages.items():
        codec = "big5" if page.lang == "zh-Hant" else "gb2312"
        for element in page.root.all():
            if "lang" not in element.attributes:
                assert not foreign(element.attributes.get(attribute, ""), codec), path


@pytest.mark.parametrize(("lang", "codec"), [("zh-Hans", "gb2312"), ("zh-Hant", "big5")])
def test_what_the_widgets_fetch_keeps_to_the_script(site_dir: Path, lang: str, codec: str) -> None:
    files = list((site_dir / "assets" / "widgets").glob(f"*.{lang}.json"))
    assert files
    for file in files:
        texts = _said(json.loads(file.read_text(encoding="utf-8")))
        assert not foreign("".join(texts), codec), file.name


def _said(data: object, key: str = "") -> list[str]:
    """The texts for readers in a data file; values of questions stay in the rule data's terms."""
    if isinstance(data, str):
        return [] if key in {"values", "start"} else [data]
    if isinstance(data, list):
        return [text for inner in data for text in _said(inner, key)]
    if isinstance(data, dict):
        return [
            text
            for name, inner in data.items()
            if name not in {"values", "start", "options", "record", "move", "suits"}
            for text in _said(inner, name)
        ]
    return []
