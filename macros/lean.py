"""Pyodide's wasm file with only those functions in it that the engine calls: one in ten.

A function that is left out keeps its place and its number, but all that it does is to stop: the browser
then starts the whole of Pyodide and asks again (`docs/assets/engine-worker.js`). Which functions are
called is found by trying: in a marked file each function leaves a mark in memory.

Source: the WebAssembly specification, "Binary Format", which names the parts and numbers used here.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

CUSTOM, EXPORT, CODE, DATA, DATA_COUNT = 0, 7, 10, 11, 12
"""Kinds of sections."""
LEFT_OUT = b"\x00\x00\x0b"
"""The body of a function that stops at once: no locals, unreachable, end."""
Change = Callable[[int, bytes], bytes]


def lean(wasm: bytes, exports: Collection[str], called: bytes) -> bytes:
    """The file with the functions for which there is a mark in ``called``, and without the data that its
    memory starts with, which comes from elsewhere.

    ``exports`` are the functions that can be called from outside.
    """
    return _rewrite(wasm, exports, lambda number, body: body if called[number] else LEFT_OUT)


def marked(wasm: bytes, exports: Collection[str], marks: int) -> bytes:
    """The same with all functions; each sets the byte at ``marks`` plus its number when it is called."""
    return _rewrite(wasm, exports, lambda number, body: _leave_mark(body, marks + number))


def functions(wasm: bytes) -> int:
    """How many functions the file holds (imported ones not counted)."""
    return next(_number(content, 0)[0] for kind, content in _sections(wasm) if kind == CODE)


def _rewrite(wasm: bytes, exports: Collection[str], change: Change) -> bytes:
    parts = [wasm[:8]]
    for kind, content in _sections(wasm):
        if kind in (CUSTOM, DATA, DATA_COUNT):
            continue
        if kind == EXPORT:
            content = _vector(_exports(content, exports))
        elif kind == CODE:
            bodies = (change(n, body) for n, body in enumerate(_bodies(content)))
            content = _vector(_sized(body) for body in bodies)
        parts.append(bytes([kind]) + _sized(content))
    return b"".join(parts)


def _sections(wasm: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(wasm):
        size, start = _number(wasm, at + 1)
        yield wasm[at], wasm[start : start + size]
        at = start + size


def _exports(section: bytes, wanted: Collection[str]) -> Iterator[bytes]:
    count, at = _number(section, 0)
    for _ in range(count):
        start = at
        length, name = _number(section, at)
        _, at = _number(section, name + length + 1)
        if section[name : name + length].decode() in wanted:
            yield section[start:at]


def _bodies(section: bytes) -> Iterator[bytes]:
    count, at = _number(section, 0)
    for _ in range(count):
        size, at = _number(section, at)
        yield section[at : at + size]
        at += size


def _leave_mark(body: bytes, place: int) -> bytes:
    """The body with `i32.store8 (i32.const place) (i32.const 1)` before its first instruction."""
    groups, at = _number(body, 0)
    for _ in range(groups):
        _, at = _number(body, at)
        at += 1
    mark = b"\x41" + _signed(place) + b"\x41\x01\x3a\x00\x00"
    return body[:at] + mark + body[at:]


def _vector(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return _unsigned(len(found)) + b"".join(found)


def _sized(content: bytes) -> bytes:
    return _unsigned(len(content)) + content


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number in wasm's LEB128, and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if not byte & 128:
            return number, at


def _unsigned(number: int) -> bytes:
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return bytes(groups)


def _signed(number: int) -> bytes:
    """The same for a number that may be negative, though this one is not: its sign is the bit 64 of the
    last group."""
    groups = []
    while number > 63:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])
