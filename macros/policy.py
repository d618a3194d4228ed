"""The Content-Security-Policy of the pages: nothing from elsewhere, no script in a page but the theme's
own few lines, which are named by their hashes.

It stands in the pages, as a static host sends what it likes. All pages have the same one: instant
navigation puts pages into one another. Workers go by the headers that their script comes with.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

INLINE_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
CHARSET = re.compile(r'<meta charset="?utf-8"?>')
DATA = 'type="application/json"'
"""What is no script although it is called so."""


def add_policy(site: Path) -> None:
    """Write the policy into every page below ``site``, right after its encoding.

    :raises ValueError: naming a page that does not say its encoding.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    policy = policy_for(hash_ for text in pages.values() for hash_ in script_hashes(text))
    for path, text in pages.items():
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        encoding = CHARSET.search(text)
        if not encoding:
            raise ValueError(f"{path.name}: no encoding")
        end = encoding.end()
        path.write_text(text[:end] + meta + text[end:], encoding="utf-8")


def policy_for(hashes: Iterable[str]) -> str:
    """The policy that lets the scripts with these hashes run."""
    inline = " ".join(f"'{hash_}'" for hash_ in sorted(set(hashes)))
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {inline}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        )
    )


def script_hashes(page: str) -> set[str]:
    """The hashes of the scripts that stand in a page."""
    texts = (
        found["text"]
        for found in INLINE_SCRIPT.finditer(page)
        if "src=" not in found["attributes"] and DATA not in found["attributes"]
    )
    return {f"sha256-{_digest(text)}" for text in texts}


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
