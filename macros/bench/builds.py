"""How long the site takes to build: beside plain Material on the same pages, and with more rule data.

Seconds are those of the processor, for the pages alone: packing the engine is left out, as it is done
once for each change of the engine.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.rulebook import slugs
from engine.texts import LANGS
from macros import ROOT, BuildError
from macros.bench import Effort
from macros.site import FOLDERS

BUILD_OURS = """
import sys
from pathlib import Path
from macros.site import build_site
build_site(Path(sys.argv[1]))
"""
BUILD_PLAIN = """
import sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
for config in sys.argv[1:]:
    build(load_config(config))
"""
ARTICLE = re.compile(r"<article[^>]*>(.*)</article>", re.DOTALL)
TREE = ("engine", "macros", "docs", "mkdocs.yml", "pyproject.toml")
"""What a build needs."""
THEIR_TONGUES = {"zh-Hans": "zh", "zh-Hant": "zh-TW"}
"""What Material calls the two scripts."""
SEEDED = 'Random(f"{self.rules.book.slug}'
"""How `Game.rng` begins its seed."""
SMALLEST = "zhengshangyou"
"""The game of which most copies are made: one with a short file."""


@dataclass(frozen=True)
class Built:
    """A build: processor seconds, how many pages, and their bytes."""

    seconds: float
    pages: int
    bytes: int


def measure_builds(work: Path, effort: Effort) -> dict[str, Any]:
    """The site as it is, plain Material on its pages, and the site with copies of the rule data, and
    with a single one in a folder like theirs."""
    site, plain = work / "ours", work / "material"
    ours = [_ours(ROOT, site) for _ in range(effort.rounds)]
    configs = plain_project(site, plain)
    theirs = [_built(BUILD_PLAIN, ROOT, configs, plain / "site") for _ in range(effort.rounds)]
    print(f"  ours {ours[0].seconds:.1f} s, plain Material {theirs[0].seconds:.1f} s", flush=True)
    found: dict[str, Any] = {
        "ours": _least(ours),
        "material": _least(theirs),
    }
    every = list(slugs())
    found["single"], *found["copies"] = (
        _with_copies(work / "copies", of, count, effort.rounds)
        for of, count in (
            (every, 1),
            (every, effort.copies),
            ([SMALLEST], effort.copies),
            ([SMALLEST], effort.most_copies),
        )
    )
    return found


def _with_copies(tree: Path, of: Sequence[str], count: int, rounds: int) -> dict[str, Any]:
    copy_tree(tree, of, count)
    # The first time Python compiles the modules, so that build is hardly ever the fastest.
    built = _least([_ours(tree, tree / "site") for _ in range(rounds)])
    print(
        f"  {count} copies of {len(of)} games: {built['seconds']:.1f} s, {built['pages']} pages",
        flush=True,
    )
    shutil.rmtree(tree)
    return {"games": len(of), "copies": count, **built}


def _least(runs: Sequence[Built]) -> dict[str, Any]:
    return vars(min(runs, key=lambda run: run.seconds))


def _ours(tree: Path, out: Path) -> Built:
    shutil.rmtree(out, ignore_errors=True)
    return _built(BUILD_OURS, tree, [out], out)


def _built(program: str, tree: Path, arguments: Sequence[Path], out: Path) -> Built:
    """Runs a build in a process of its own and weighs what came of it."""
    before = _children_seconds()
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(
            f"a build of the bench failed: {done.stderr.strip().splitlines()[-1][:200]}"
        )
    pages = list(out.rglob("index.html"))
    size = sum(page.stat().st_size for page in pages)
    return Built(round(_children_seconds() - before, 2), len(pages), size)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plain_project(site: Path, out: Path) -> list[Path]:
    """A project of plain Material with the articles of the built site as its pages, one for each script;
    gives their configurations."""
    configs = []
    for lang in LANGS:
        docs = out / lang / "docs"
        top = site / FOLDERS[lang]
        for page in sorted(top.rglob("index.html")):
            place = page.parent.relative_to(top)
            if lang == "zh-Hans" and place.parts[:1] == ("zh-Hant",):
                continue
            article = ARTICLE.search(page.read_text(encoding="utf-8"))
            if article:
                file = docs / (f"{place}.md" if place.parts else "index.md")
                file.parent.mkdir(parents=True, exist_ok=True)
                # One block of HTML, which Markdown hands through as it stands.
                html = re.sub(r"\n\s*\n", "\n", article[1].strip())
                file.write_text(f"<div>\n{html}\n</div>\n", encoding="utf-8")
        config = out / lang / "mkdocs.yml"
        settings = {
            "site_name": "牌规",
            "docs_dir": str(docs),
            "site_dir": str(out / "site" / FOLDERS[lang]),
            "theme": {"name": "material", "language": THEIR_TONGUES[lang], "font": False},
            "plugins": ["search"],
        }
        config.write_text(json.dumps(settings), encoding="utf-8")
        configs.append(config)
    return configs


def copy_tree(tree: Path, of: Sequence[str], count: int) -> None:
    """What a build needs, with so many copies of games (the originals counted): each with a slug of its
    own, also in the ids of its clauses, and a module of its own where the game has one."""
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            tree.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, tree / name)
    (tree / "node_modules").symlink_to(ROOT / "node_modules")
    # The cards of an example deal come from its seed and the slug: a copy's from the original's slug.
    file = tree / "engine" / "game.py"
    text = file.read_text(encoding="utf-8")
    if SEEDED not in text:
        raise BuildError(f"the bench cannot copy games: engine/game.py has no {SEEDED}")
    file.write_text(text.replace(SEEDED, SEEDED[:-1] + ".rstrip('0123456789')}"), encoding="utf-8")
    for slug in of:
        own = re.compile(rf"(?<![a-z]){slug}(?![a-z])")
        for number in range(2, count + 1):
            for file in sorted((tree / "engine").glob(f"[rg]*/{slug}*")):
                # A game's file, or one of the modules beside it; not another copy's.
                if (ending := file.name.removeprefix(slug)).startswith((".", "_")):
                    text = own.sub(f"{slug}{number}", file.read_text(encoding="utf-8"))
                    file.with_name(f"{slug}{number}{ending}").write_text(text, encoding="utf-8")
