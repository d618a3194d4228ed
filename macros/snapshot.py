"""A memory snapshot of Python with the engine inside, so that browsers need not start Python anew.

Pyodide can write its memory out and start from it again. The snapshot is made under Node when the
site is built; what it shares with the wasm file, whose static data the page has anyway, is struck
out (exclusive or), which leaves about a tenth of its size when packed. Modules are compiled without
docstrings and line tables first: their sources are not in the browser to be shown. It is packed by
zstd: a quarter smaller than by gzip, and unpacked (by zstddec, in wasm) in half the time that the
browser's own gunzip takes.

Sources: Pyodide's issues 5195 and 6418 on the state of this (experimental) option; the version of
Pyodide is pinned, and a snapshot that does not answer every example as CPython does is not used.
"""

import base64
import hashlib
import importlib.util
import json
import marshal
import struct
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from types import CodeType

import zstandard

from engine import api
from engine.record import example_record
from engine.rulebook import rulebook, slugs
from engine.texts import LANGS
from macros import ROOT, BuildError

SCRIPT = Path(__file__).with_suffix(".mjs")
SNAPSHOT = "engine.snapshot.zst"
WASM = "pyodide.asm.wasm"
EMPTY_ZIP = "empty.zip"
MANIFEST = "engine.json"
BOOT_FILES = ("pyodide.asm.js", WASM, SNAPSHOT)
HARDEST = 22
"""The level at which zstd packs best."""
BLOCK = 1 << 16
LONGEST = 16 << 20
"""What is not zero is packed in pieces of whole blocks, each so many bytes at most: while one is
unpacked into its place, the browser needs as much memory beside."""
MEMORY_BASE = 1024
"""Where Emscripten puts a main module's static data in memory."""


@dataclass(frozen=True)
class StaticData:
    """The one data segment of the wasm file: where it stands there, where it goes in memory."""

    file_offset: int
    memory_offset: int
    length: int


def make_snapshot(runtime: Path, stdlib: Path, sources: Iterable[Path]) -> None:
    """Add the snapshot and the manifest to the runtime folder.

    ``stdlib`` is Pyodide's own archive with sources; ``sources`` are the files of the engine.

    :raises BuildError: when Node fails, or the restored engine answers otherwise than CPython.
    """
    work = runtime.parent / "snapshot"
    work.mkdir(parents=True, exist_ok=True)
    lean_stdlib, lean_engine, raw = work / "stdlib.zip", work / "engine.zip", work / "memory.bin"
    with zipfile.ZipFile(stdlib) as archive:
        _compile((name, archive.read(name)) for name in archive.namelist()).save(lean_stdlib)
    _compile((p.relative_to(ROOT).as_posix(), p.read_bytes()) for p in sources).save(lean_engine)
    _node("make", runtime, lean_stdlib, lean_engine, raw)
    _empty_zip(work / EMPTY_ZIP)
    _prove(runtime, raw, work / EMPTY_ZIP)
    wasm, snapshot = (runtime / WASM).read_bytes(), raw.read_bytes()
    start, static = snapshot_start(snapshot), find_static_data(wasm)
    packer = zstandard.ZstdCompressor(level=HARDEST)
    pieces = [
        (at, packer.compress(piece))
        for at, piece in pieces_of(strike_out(snapshot[start:], wasm, static))
    ]
    (runtime / SNAPSHOT).write_bytes(b"".join(packed for _, packed in pieces))
    lock = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))
    manifest = {
        "lock": lock["info"],
        "files": {name: _integrity(runtime / name) for name in BOOT_FILES},
        "head": base64.b64encode(snapshot[:start]).decode(),
        "size": len(snapshot) - start,
        "pieces": [[at, len(packed)] for at, packed in pieces],
        "static": {"file": static.file_offset, "memory": static.memory_offset,
                   "length": static.length},
    }  # fmt: skip
    (runtime / MANIFEST).write_text(json.dumps(manifest, sort_keys=True), encoding="utf-8")


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


def _empty_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w"):
        pass


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


def requests() -> list[str]:
    """What the restored engine is tried with, in both scripts: what it knows of each game, all examples,
    all example deals, and a game of each rule set that goes its own way."""
    asked: list[tuple[str, dict[str, object]]] = [("games", {})]
    for slug in slugs():
        book = rulebook(slug)
        asked += [
            ("check", {"slug": slug, "name": e.check, "question": e.question})
            for e in book.example
            if e.check
        ]
        records: list[object] = [asdict(example_record(book, deal)) for deal in book.deal]
        for rule_set in book.rule_set:
            of_rules = {"slug": slug, "rule_set": rule_set}
            asked += [("rules", {**of_rules}), ("checks", {**of_rules})]
            opening = api.deal(slug, book.game.players[1], "proof", rule_set)["record"]
            records.append(api.random_deal(opening))
        asked += [("replay", {"record": record}) for record in records]
    return [
        api.to_json({"op": op, "args": args, "lang": lang}) for op, args in asked for lang in LANGS
    ]


def _prove(runtime: Path, raw: Path, stdlib: Path) -> None:
    asked = requests()
    answers = json.loads(_node("ask", runtime, raw, stdlib, stdin=json.dumps(asked)))
    for request, answer in zip(asked, answers, strict=True):
        if answer != api.dispatch(request):
            raise BuildError(
                f"the engine's snapshot answers otherwise than CPython: {request[:200]}"
            )


def _integrity(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def snapshot_start(snapshot: bytes) -> int:
    """Where the memory begins in a snapshot: after a header that says so in its second word."""
    (start,) = struct.unpack_from("<I", snapshot, 4)
    return int(start)


def strike_out(memory: bytes, wasm: bytes, static: StaticData) -> bytes:
    """The memory with the wasm file's static data struck out; the same call puts it back."""
    at = static.memory_offset
    segment = wasm[static.file_offset : static.file_offset + static.length]
    mixed = int.from_bytes(memory[at : at + static.length]) ^ int.from_bytes(segment)
    return memory[:at] + mixed.to_bytes(static.length) + memory[at + static.length :]


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


def find_static_data(wasm: bytes) -> StaticData:
    """The data segment of a wasm file that has one, placed at the memory base.

    :raises BuildError: for any other kind of file: a new Pyodide needs a new look.
    """
    at = 8
    while at < len(wasm):
        section, (size, start) = wasm[at], _leb(wasm, at + 1)
        if section == 11:
            count, at = _leb(wasm, start)
            flags, at = _leb(wasm, at)
            base_get, (_, at) = wasm[at], _leb(wasm, at + 1)
            if (count, flags, base_get, wasm[at]) != (1, 0, 0x23, 0x0B):
                break
            length, at = _leb(wasm, at + 1)
            return StaticData(at, MEMORY_BASE, length)
        at = start + size
    raise BuildError("pyodide.asm.wasm has not one data segment at the memory base")


def _leb(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number in wasm's LEB128, and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if not byte & 128:
            return number, at
