"""Python with the engine inside, as the build left it, so that browsers need not start it anew.

Two files: Python's memory after all modules are imported and all rule data is read, and Pyodide's wasm
file with the functions that the engine calls (`macros.lean`). `docs/assets/restore.mjs` puts them
together, with no script of Pyodide's. Both are packed by zstd: a fifth smaller than by gzip, and
unpacked (by zstddec, in wasm) in half the time that the browser's own gunzip takes. Modules are compiled
without docstrings and line tables first: their sources are not in the browser to be shown.

What is made must answer as CPython does: all examples, all example deals, a random game of each rule
set, and a good deal of nonsense. Where a question needs a function that is not in the file, the browser
starts the whole of Pyodide.
"""

import base64
import hashlib
import importlib.util
import json
import marshal
import struct
import subprocess
import zipfile
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import Any

import zstandard

from engine import api
from macros import ROOT, BuildError
from macros.lean import functions, lean, marked, reachable
from macros.trial import requests

SCRIPT = Path(__file__).with_suffix(".mjs")
SNAPSHOT = "engine.snapshot.zst"
ENGINE_WASM = "engine.wasm.zst"
WASM = "pyodide.asm.wasm"
ENGINE_MANIFEST = "engine.json"
HASHED = (ENGINE_WASM, SNAPSHOT, WASM, "pyodide.asm.js", "python_stdlib.zip")
"""What the browser uses only when it is what was built."""
EXPORTS = ("malloc", "free", "PyUnicode_FromStringAndSize", "PyObject_CallOneArg",
           "PyUnicode_AsUTF8AndSize", "Py_DecRef")  # fmt: skip
"""What the browser calls (docs/assets/restore.mjs)."""
QUICK, HARDEST = 1, 22
"""Levels at which zstd packs: fast, and best."""
BLOCK = 1 << 16
LONGEST = 4 << 20
"""What is not zero is packed in pieces of whole blocks, each so many bytes at most: while one is
unpacked into its place, the browser needs as much memory beside."""
MARKS = 1 << 28
"""Where marks are left in memory: far above all that Python uses."""


def make_snapshot(runtime: Path, stdlib: Path, sources: Iterable[Path]) -> None:
    """Add the two files to the runtime folder, and the manifest that the engine's worker is built with.

    ``stdlib`` is Pyodide's own archive with sources; ``sources`` are the files of the engine.

    :raises BuildError: when Node fails, or the restored engine answers otherwise than CPython.
    """
    work = runtime.parent / "snapshot"
    work.mkdir(parents=True, exist_ok=True)
    lean_stdlib, lean_engine, raw = work / "stdlib.zip", work / "engine.zip", work / "memory.bin"
    with zipfile.ZipFile(stdlib) as archive:
        _compile((name, archive.read(name)) for name in archive.namelist()).save(lean_stdlib)
    _compile((p.relative_to(ROOT).as_posix(), p.read_bytes()) for p in sources).save(lean_engine)
    manifest = json.loads(_node("make", runtime, lean_stdlib, lean_engine, raw))
    held = manifest.pop("held")
    memory = raw.read_bytes()
    pieces = [(at, packed(piece)) for at, piece in pieces_of(memory)]
    (runtime / SNAPSHOT).write_bytes(b"".join(piece for _, piece in pieces))
    manifest["size"] = len(memory)
    manifest["pieces"] = [[at, len(piece)] for at, piece in pieces]
    _make_lean(runtime, work, manifest, held)
    manifest["files"] = {name: _integrity(runtime / name) for name in HASHED}
    (runtime / ENGINE_MANIFEST).write_text(json.dumps(manifest, sort_keys=True), encoding="utf-8")


def _make_lean(runtime: Path, work: Path, manifest: dict[str, Any], held: Collection[int]) -> None:
    """Make the engine's wasm file: find out what is called, leave out the rest, and prove the result.

    ``held`` are the functions that are kept in any case, by their numbers.
    """
    state, asked, marks = work / "manifest.json", requests(), work / "marks.bin"
    state.write_text(json.dumps(manifest), encoding="utf-8")
    wasm, trial = (runtime / WASM).read_bytes(), work / "marked.wasm.zst"

    def ask(file: Path, *more: object) -> list[str]:
        parts = (file, runtime / SNAPSHOT, state, work / "memory.bin")
        answers: list[str] = json.loads(_node("ask", *parts, *more, stdin=json.dumps(asked)))
        return answers

    trial.write_bytes(packed(marked(wasm, EXPORTS, MARKS), QUICK))
    with ThreadPoolExecutor() as pool:
        tried = pool.submit(ask, trial, MARKS, functions(wasm), marks)
        expected = [api.dispatch(request) for request in asked]
        tried.result()
    kept = reachable(wasm, marks.read_bytes(), held)
    (runtime / ENGINE_WASM).write_bytes(packed(lean(wasm, EXPORTS, kept)))
    for request, answer, known in zip(asked, ask(runtime / ENGINE_WASM), expected, strict=True):
        if answer != known:
            raise BuildError(
                f"the engine's snapshot answers otherwise than CPython: {request[:200]}"
            )


class _Archive:
    def __init__(self) -> None:
        self.members: dict[str, bytes] = {}

    def save(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(self.members.items()):
                archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)


def _compile(files: Iterable[tuple[str, bytes]]) -> _Archive:
    """The files with each module compiled, without docstrings, asserts and line tables."""
    header = importlib.util.MAGIC_NUMBER + struct.pack("<III", 0, 0, 0)
    archive = _Archive()
    for name, content in files:
        if name.endswith(".py"):
            code = compile(content, name, "exec", optimize=2, dont_inherit=True)
            archive.members[f"{name}c"] = header + marshal.dumps(_lean(code))
        else:
            archive.members[name] = content
    return archive


def _lean(code: CodeType) -> CodeType:
    inner = tuple(_lean(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=inner, co_linetable=b"", co_filename="")


def _node(*arguments: object, stdin: str = "") -> str:
    done = subprocess.run(
        ["node", str(SCRIPT), *map(str, arguments)],
        cwd=ROOT, input=stdin, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BuildError(
            f"the engine's snapshot cannot be made: {lines[-1] if lines else '?'}"[:300]
        )
    return done.stdout


def _integrity(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def packed(content: bytes, level: int = HARDEST) -> bytes:
    """The content packed by zstd, as the browser takes it."""
    return zstandard.ZstdCompressor(level=level).compress(content)


def pieces_of(memory: bytes) -> Iterator[tuple[int, bytes]]:
    """Where the memory is not zero: the place of each piece, and the piece."""

    def is_filled(at: int) -> bool:
        return any(memory[at : at + BLOCK])

    for filled, blocks in groupby(range(0, len(memory), BLOCK), is_filled):
        if filled:
            first, *rest = blocks
            end = min((rest[-1] if rest else first) + BLOCK, len(memory))
            for at in range(first, end, LONGEST):
                yield at, memory[at : min(at + LONGEST, end)]
