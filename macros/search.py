"""The search: what it needs beside MkDocs' own index, and its place in the theme.

Each script has its index. Matching is done by `docs/assets/search-worker.js`, which looks for what was
typed as it stands in the texts, so nothing depends on where Chinese is cut into words. Traditional and
simplified characters are taken as one while matching; which belong together comes from our own texts.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from macros.scripts import HAN

INDEX = Path("search") / "search_index.json"
"""What the theme asks for with every page: here it only says where the texts are."""
TEXTS = INDEX.with_name("texts.json")
"""What is searched, fetched with the reader's first word."""
ZERO_WIDTH = "\u200b"
"""Material sets these between words of Chinese; this search has no use for them."""


def fold(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """From each traditional character in our texts to the simplified one it stands for, from
    simplified texts and the same texts in traditional script.

    A character that stands for several keeps the most frequent.
    """
    counts: dict[str, dict[str, int]] = {}
    for simplified, traditional in pairs:
        if len(simplified) != len(traditional):
            continue
        for s, t in zip(simplified, traditional, strict=True):
            if HAN.match(t):
                of_t = counts.setdefault(t, {})
                of_t[s] = of_t.get(s, 0) + 1
    best = {t: max(of_t, key=lambda s: of_t[s]) for t, of_t in counts.items()}
    return {t: s for t, s in sorted(best.items()) if s != t}


def finish_index(site: Path, folder: str, settings: Mapping[str, Any]) -> None:
    """Part what Material wrote in ``site`` into what each page asks for and what only a search needs.

    ``folder`` is the script's, below the whole site; ``settings`` go with the texts.
    """
    index = json.loads((site / INDEX).read_text(encoding="utf-8").replace(ZERO_WIDTH, ""))
    _write(site / TEXTS, {**settings, "docs": index["docs"]})
    # As the worker in `assets/` finds it.
    index["config"]["texts"] = f"../{folder}{TEXTS.as_posix()}"
    _write(site / INDEX, {**index, "docs": []})


def _write(file: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text, encoding="utf-8")
