"""The site's own scripts and styles, one file for each place of use: a page asks for three, not twenty.

`docs/assets/` holds plain modules and style sheets; esbuild joins them, and what they take from npm
packages, and strips what only readers of the source need.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from macros import ROOT, BuildError

SOURCES = ROOT / "docs" / "assets"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
LICENCES = {"zstddec-license.txt": ROOT / "node_modules" / "zstddec" / "LICENSE"}
"""What goes with bundled packages, as their licences want it (`docs/data.md` names the files)."""
BUNDLES = ("engine-client.js", "page.js", "page.css", "engine-worker.js", "engine-plain.js",
           "search-worker.js")  # fmt: skip
"""What pages and workers are started with. Apart from the others stand `engine-client.js`, which holds
the page's one engine for whoever imports it, and `engine-plain.js`, which is hardly ever needed."""
FIRST = ("start.js",)
"""What runs before there are modules."""


def bundle(assets: Path, manifest: str) -> None:
    """Put the bundles into ``assets`` of a site, in the place of their parts.

    ``manifest`` says in JSON what the engine is started from (`macros.snapshot`).

    :raises BuildError: with esbuild's first line, when a part cannot be joined.
    """
    for kind in ("*.js", "*.mjs", "*.css"):
        for part in assets.glob(kind):
            part.unlink()
    _join(assets, BUNDLES, "--format=esm", f"--define:globalThis.MANIFEST={manifest}")
    _join(assets, FIRST, "--format=iife")
    for name, licence in LICENCES.items():
        shutil.copyfile(licence, assets / name)


def _join(assets: Path, names: Sequence[str], *options: str) -> None:
    apart = [f"--external:./{name}" for name in BUNDLES]
    done = subprocess.run(
        [ESBUILD, *(SOURCES / name for name in names), "--bundle", "--minify", "--target=es2022",
         *apart, "--external:node:*", "--charset=utf8", "--log-level=error", *options,
         f"--outdir={assets}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BuildError(f"scripts and styles cannot be joined: {lines[0] if lines else '?'}")
