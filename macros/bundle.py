"""The site's own scripts and styles, one file for each place of use: a page asks for three, not twenty.

`docs/assets/` holds plain modules and style sheets; esbuild joins them, and what they take from npm
packages, and strips what only readers of the source need.
"""

import shutil
import subprocess
from pathlib import Path

from macros import ROOT, BuildError

SOURCES = ROOT / "docs" / "assets"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
LICENCES = {"zstddec-license.txt": ROOT / "node_modules" / "zstddec" / "LICENSE"}
"""What goes with bundled packages, as their licences want it (`docs/data.md` names the files)."""
BUNDLES = ("engine-client.js", "page.js", "page.css", "engine-worker.js", "search-worker.js")
"""What pages and workers are started with. The page's one engine is in `engine-client.js`, which a page
may load before the rest; so it is not joined to the others."""


def bundle(assets: Path) -> None:
    """Put the bundles into ``assets`` of a site, in the place of their parts.

    :raises BuildError: with esbuild's first line, when a part cannot be joined.
    """
    for part in (*assets.glob("*.js"), *assets.glob("*.css")):
        part.unlink()
    done = subprocess.run(
        [ESBUILD, *(SOURCES / name for name in BUNDLES), "--bundle", "--format=esm", "--minify",
         "--target=es2022", "--external:./engine-client.js", "--external:node:*",
         "--charset=utf8", "--log-level=error", f"--outdir={assets}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BuildError(f"scripts and styles cannot be joined: {lines[0] if lines else '?'}")
    for name, licence in LICENCES.items():
        shutil.copyfile(licence, assets / name)
