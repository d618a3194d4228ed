"""The Pyodide runtime that the site serves: its core files, the engine's wheel, and their lock."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from macros import ROOT, RUNTIME, BuildError
from macros.snapshot import ENGINE_WASM, SCRIPT, SNAPSHOT, make_snapshot

PYODIDE = ROOT / "node_modules" / "pyodide"
ENGINE_PACKAGE = "card-rules-engine"
CORE_FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK_FILE = "pyodide-lock.json"
# The earliest date that a zip can hold, in seconds and as zip has it: the same sources always give
# the same bytes, so that browsers keep what has not changed.
EPOCH_SECONDS = "315532800"
EPOCH_ZIP = (1980, 1, 1, 0, 0, 0)


def prepare_runtime(out: Path = RUNTIME) -> Path:
    """Make the runtime folder ``out`` and give it back; do nothing where it is up to date.

    ``out`` then holds Pyodide's core, the compiled wheel of the engine and a ``pyodide-lock.json``
    that names this wheel alone, so that the page can load nothing from another origin.

    :raises BuildError: when the ``pyodide`` package is missing or one of its tools fails.
    """
    if not (PYODIDE / LOCK_FILE).is_file():
        raise BuildError(
            "node_modules/pyodide is missing: run ./site-build.sh, which installs it with npm"
        )
    stamp = out.with_name(f"{out.name}.inputs")
    inputs = _inputs_digest()
    if out.is_dir() and stamp.is_file() and stamp.read_text() == inputs:
        return out

    new = out.with_name(f"{out.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name in CORE_FILES:
        shutil.copyfile(PYODIDE / name, new / name)
    _add_engine(new)
    _run("pyodide_cli", "py-compile", "--silent", str(new))
    _settle_archives(new)
    try:
        make_snapshot(new, PYODIDE / "python_stdlib.zip", engine_files())
    except BuildError as error:
        for name in (ENGINE_WASM, SNAPSHOT):
            (new / name).unlink(missing_ok=True)
        print(f"{error}; browsers will start Python the slow way", file=sys.stderr)

    stamp.unlink(missing_ok=True)
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    stamp.write_text(inputs)
    return out


def engine_files() -> list[Path]:
    """Give the files that go into the engine's wheel, in a fixed order."""
    found = (path for path in (ROOT / "engine").rglob("*") if path.is_file())
    return sorted(path for path in found if "__pycache__" not in path.parts)


def _inputs_digest() -> str:
    """Give a digest of everything that the runtime is made from."""
    sources: Iterable[Path] = (
        *engine_files(),
        ROOT / "pyproject.toml",
        ROOT / "requirements.txt",
        ROOT / "LICENSE",
        ROOT / "LICENSE-TEXTS",
        PYODIDE / LOCK_FILE,
        Path(__file__),
        SCRIPT,
        *(ROOT / "macros" / name for name in ("snapshot.py", "lean.py", "trial.py")),
        ROOT / "docs" / "assets" / "restore.mjs",
    )
    digest = hashlib.sha256(sys.version.encode())
    for path in sources:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _add_engine(folder: Path) -> None:
    """Build the engine's wheel into ``folder`` and lock it there as Pyodide's only package."""
    # Without an index: the build backend is in the lock file, so nothing is fetched here.
    _run("pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
         "--wheel-dir", str(folder), str(ROOT))  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    lock = folder / LOCK_FILE
    _run("pyodide_cli", "lockfile", "add-wheels", "--input", str(PYODIDE / LOCK_FILE),
         "--output", str(lock), "--base-path", str(folder), str(wheel))  # fmt: skip
    content = json.loads(lock.read_text(encoding="utf-8"))
    content["packages"] = {ENGINE_PACKAGE: content["packages"][ENGINE_PACKAGE]}
    lock.write_text(json.dumps(content, sort_keys=True), encoding="utf-8")


def _settle_archives(folder: Path) -> None:
    """Write the compiled archives again with sorted names and one date, and lock what came out."""
    lock = folder / LOCK_FILE
    content = json.loads(lock.read_text(encoding="utf-8"))
    engine = content["packages"][ENGINE_PACKAGE]
    wheel = folder / engine["file_name"]
    for archive in (wheel, folder / "python_stdlib.zip"):
        with zipfile.ZipFile(archive) as old:
            members = {name: old.read(name) for name in sorted(old.namelist())}
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
            for name, member in members.items():
                entry = zipfile.ZipInfo(name, EPOCH_ZIP)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                new.writestr(entry, member)
    engine["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock.write_text(json.dumps(content, sort_keys=True), encoding="utf-8")


def _run(module: str, *arguments: str) -> None:
    """Run a Python module as a command of its own, with the output kept for a failure."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH_SECONDS},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise BuildError(f"'{module} {arguments[0]}' failed while the engine was packed; see above")
