"""Traditional Chinese (Taiwan forms) from our simplified texts, by OpenCC and phrases of our own.

Texts are kept once, in simplified Chinese; nothing is ever converted back. `phrases.txt` mends what
OpenCC gets wrong in card talk: its phrases take part in cutting the text as well as in converting it.
`reviewed.toml` holds the whole lines that carry a traditional wording of their own, and the words on
which OpenCC and another converter differ, each with the wording found right.
"""

import json
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import opencc

from engine import texts
from engine.cards import JOKER_WORDS
from macros import ROOT

HERE = Path(__file__).parent / "opencc"
RULES = ROOT / "engine" / "rules"
CATALOGUES = RULES / "zh-Hant"
HAN = re.compile(r"[\u3400-\u9fff]")
QUOTES = str.maketrans("“”‘’", "「」『』")
"""OpenCC leaves quotation marks as they are."""
JSON_KEYS = frozenset({"input", "answer", "start"})
"""Keys of the rule data whose text is JSON: its own texts are what counts."""


@cache
def _converter() -> opencc.OpenCC:
    """OpenCC's `s2tw`, with our phrases before its own wherever it cuts or converts."""
    share = Path(opencc.__file__).parent / "clib" / "share" / "opencc"
    config = json.loads((share / "s2tw.json").read_text(encoding="utf-8"))
    ours = {"type": "text", "file": str(HERE / "phrases.txt")}
    config["segmentation"]["dict"]["dicts"].insert(0, ours)
    config["conversion_chain"][0]["dict"]["dicts"].insert(0, ours)
    _absolute(config, share)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cards.json"
        file.write_text(json.dumps(config), encoding="utf-8")
        return opencc.OpenCC(str(file))


def _absolute(node: Any, share: Path) -> None:
    """OpenCC looks for dictionaries beside the configuration: have it find its own."""
    if isinstance(node, dict):
        if "file" in node:
            node["file"] = str(share / node["file"])
        for inner in node.values():
            _absolute(inner, share)
    elif isinstance(node, list):
        for inner in node:
            _absolute(inner, share)


@cache
def reviewed() -> Mapping[str, Mapping[str, str]]:
    """`words` and `lines` of `reviewed.toml`, from simplified to traditional."""
    with (HERE / "reviewed.toml").open("rb") as file:
        return tomllib.load(file)


def to_traditional(text: str) -> str:
    """A simplified text in traditional script, its quotation marks included."""
    if own := reviewed()["lines"].get(text):
        return own
    return convert(text).translate(QUOTES)


def in_script(text: str, lang: texts.Lang) -> str:
    """A simplified text of our own in the reader's script."""
    return to_traditional(text) if lang == "zh-Hant" else text


PATH = re.compile(r"\{([^{}:]*)")
"""The path of a fact in a template: a name in the data, in whichever script the text is."""


def template_to_traditional(template: str) -> str:
    """A template of the rule data in traditional script, with the paths of its facts as they are."""
    paths = iter(PATH.findall(template))
    return PATH.sub(lambda _: "{" + next(paths), to_traditional(template))


@cache
def convert(text: str) -> str:
    """What OpenCC makes of a text."""
    return str(_converter().convert(text)) if HAN.search(text) else text


def leaves(data: Any, key: str = "") -> Iterator[str]:
    """Every text in rule data, and every key of a table that is a term."""
    if isinstance(data, str):
        if key in JSON_KEYS:
            yield from leaves(json.loads(data))
        else:
            yield data
    elif isinstance(data, dict):
        for name, inner in data.items():
            yield name
            yield from leaves(inner, name)
    elif isinstance(data, list):
        for inner in data:
            yield from leaves(inner)


def texts_of_the_engine() -> Iterator[str]:
    """The words that the engine itself writes: suits, jokers, seats and numerals."""
    yield from texts.SUIT_NAMES.values()
    yield from JOKER_WORDS.values()
    yield from texts.SEATS
    yield from (texts.chinese_number(n) for n in range(1000))


def catalogue(lines: Iterable[str]) -> dict[str, str]:
    """From each text of the rule data to its traditional form, where the two differ."""
    pairs = ((line, template_to_traditional(line)) for line in lines)
    return {line: converted for line, converted in sorted(pairs) if line != converted}


def catalogues() -> dict[str, str]:
    """The catalogue files as they should be: name and content.

    :raises RuleDataError: when a file of rule data is no TOML.
    """
    from engine.rulebook import RuleDataError

    found = {"engine": catalogue(texts_of_the_engine())}
    for file in sorted(RULES.glob("*.toml")):
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise RuleDataError(file.name, "TOML", str(error)) from None
        try:
            found[file.stem] = catalogue(leaves(data))
        except ValueError as error:
            raise RuleDataError(file.name, "JSON", str(error)) from None
    return {
        f"{name}.json": json.dumps(words, ensure_ascii=False, indent=1) + "\n"
        for name, words in found.items()
    }


def refresh_catalogues() -> bool:
    """Bring `engine/rules/zh-Hant/` up to date; tell whether anything changed."""
    wanted = catalogues()
    CATALOGUES.mkdir(exist_ok=True)
    changed = False
    for file in CATALOGUES.glob("*.json"):
        if file.name not in wanted:
            file.unlink()
            changed = True
    for name, content in wanted.items():
        file = CATALOGUES / name
        if not file.is_file() or file.read_text(encoding="utf-8") != content:
            file.write_text(content, encoding="utf-8")
            changed = True
    if changed:
        texts.catalogue.cache_clear()
    return changed


def all_texts(root: Path) -> Iterator[str]:
    """Every line with Chinese that is written in the project's data, pages and templates."""
    for file in sorted((root / "engine" / "rules").glob("*.toml")):
        yield from leaves(tomllib.loads(file.read_text(encoding="utf-8")))
    yield from texts_of_the_engine()
    pages = [root / "mkdocs.yml", *(root / "docs").rglob("*.md")]
    templates = [
        file
        for folder in ("templates", "overrides")
        for file in (root / "macros" / folder).rglob("*")
        if file.suffix in (".j2", ".html")
    ]
    for file in sorted([*pages, *templates]):
        yield from file.read_text(encoding="utf-8").splitlines()
