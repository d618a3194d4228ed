"""What lets a reader keep the site: the web app manifests, and the service worker's list of files.

The worker itself is `docs/sw.js`, the reader's switch `docs/assets/offline.js`.
"""

import base64
import hashlib
import json
from pathlib import Path
from urllib.parse import quote

from engine.rulebook import label, words
from engine.texts import Lang
from macros import ROOT

MANIFEST = "manifest.webmanifest"
WORKER = "sw.js"
SIZES = "offline.json"
"""How much there is to keep, for the switch to say."""
SNAPSHOT_WAY = "assets/pyodide/engine.wasm.zst"
SLOW_WAY = (
    "assets/engine-plain.js",
    "assets/pyodide/*.whl",
    "assets/pyodide/python_stdlib.zip",
    "assets/pyodide/pyodide.asm.*",
    "assets/pyodide/*-lock.json",
)
"""What starts Python where there is no snapshot: three times as much, and hardly ever used where there
is one."""
NEVER_ASKED = (WORKER, SIZES, "**/sitemap.xml.gz", "assets/screenshot.png")
"""What no page asks for."""
LABELS = "offline."
COLOURS = {"background_color": "#fffdf8", "theme_color": "#1c4a3c"}


def labels(lang: Lang) -> dict[str, str]:
    """The words of the switch, by their keys in the rule data without ``offline.``."""
    keys = (key for key in words().label if key.startswith(LABELS))
    return {key.removeprefix(LABELS): label(key, lang) for key in keys}


def write_manifest(site: Path, lang: Lang, to_root: str, name: str, description: str) -> None:
    """Write the web app manifest of one script into its folder ``site``.

    ``to_root`` leads from there to the first page of the whole site, which is the app's scope in both
    scripts, so that the script can be switched inside the app.
    """
    icons = [
        {"src": f"{to_root}assets/icons/{file}", "sizes": f"{n}x{n}", "purpose": purpose}
        for file, n, purpose in (
            ("192.png", 192, "any"),
            ("512.png", 512, "any"),
            ("maskable-512.png", 512, "maskable"),
        )
    ]
    manifest = {
        "name": name,
        "short_name": name,
        "description": description,
        "lang": lang,
        "dir": "ltr",
        "start_url": "./",
        "scope": to_root or "./",
        "display": "standalone",
        **COLOURS,
        "icons": [icon | {"type": "image/png"} for icon in icons],
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (site / MANIFEST).write_text(text, encoding="utf-8")


def kept_files(site: Path) -> list[str]:
    """The files that a reader keeps, as paths in the finished ``site``: all that its pages ask for."""
    left_out = [*NEVER_ASKED, *(SLOW_WAY if (site / SNAPSHOT_WAY).is_file() else ())]
    found = (path.relative_to(site) for path in site.rglob("*") if path.is_file())
    return sorted(f.as_posix() for f in found if not any(f.full_match(p) for p in left_out))


def write_worker(site: Path) -> str:
    """Write the service worker of the finished ``site``, with the hashes of all that is kept and a build
    id made of them; give the id. Nothing in ``site`` may change afterwards."""
    files: dict[str, tuple[str, int]] = {}
    for name in kept_files(site):
        content = (site / name).read_bytes()
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        files[quote(name)] = (f"sha256-{digest}", len(content))
    build_id = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
    size = sum(length for _, length in files.values())
    build = json.dumps({"id": build_id, "bytes": size, "files": files}, separators=(",", ":"))
    worker = (ROOT / "docs" / WORKER).read_text(encoding="utf-8")
    (site / WORKER).write_text(f"self.BUILD = {build};\n{worker}", encoding="utf-8")
    (site / SIZES).write_text(json.dumps({"id": build_id, "bytes": size}), encoding="utf-8")
    return build_id
