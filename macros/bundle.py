"""The site's own JavaScript, one file for each place it runs in: a page asks for two, not for twenty.

`docs/assets/` holds plain modules; esbuild joins them, and what they take from npm packages, and strips
what only readers of the source need.
"""

import shutil
import subprocess
from pathlib import Path

from macros import ROOT, BuildError

SOURCES = ROOT / "docs" / "assets"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
LICENCES = {"zstddec-license.txt": ROOT / "node_modules" / "zstddec" / "LICENSE"}
"""What goes with bundled packages, as their licences want it (`docs/data.md` names the files)."""
BUNDLES = ("engine-client.js", "page.js", "engine-worker.js", "search-worker.js")
"""What pages and workers are started with. The page's one engine is in `engine-client.js`, which a page
may load before the rest; so it is not joined to the others."""


def bundle_scripts(assets: Path) -> None:
    """Put the bundles into ``assets`` of a site, in the place of the modules.

    :raises BuildError: with esbuild's first line, when a module cannot be joined.
    """
    for module in assets.glob("*.js"):
        module.unlink()
    done = subprocess.run(
        [ESBUILD, *(SOURCES / name for name in BUNDLES), "--bundle", "--format=esm", "--minify",
         "--target=es2022", "--external:./engine-client.js", "--external:node:*",
         "--charset=utf8", "--log-level=error", f"--outdir={assets}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BuildError(f"the scripts cannot be joined: {lines[0] if lines else '?'}")
    for name, licence in LICENCES.items():
        shutil.copyfile(licence, assets / name)
