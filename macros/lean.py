"""Pyodide's wasm file with only those functions in it that the engine may call: about a quarter.

A function that is left out keeps its place and its number, but all that it does is to stop: the browser
then starts the whole of Pyodide and asks again (`docs/assets/engine-worker.js`). Which functions are
called is found by trying, as in a marked file each function leaves a mark in memory. More stay: those
that Python says it holds; those that stand in a list, such as that of all operators, beside one that was
called; and what all these may call or hand on to be called.

Source: the WebAssembly specification, "Binary Format", which names the parts and numbers used here.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from macros import BuildError

CUSTOM, IMPORT, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = 0, 2, 7, 8, 9, 10, 11, 12
"""Kinds of sections."""
LEFT_OUT = b"\x00\x00\x0b"
"""The body of a function that stops at once: no locals, unreachable, end."""
FILL_MEMORY, DROP = 0xFC0B, b"\x1a"
CALLS = (0x10, 0x12)
GET_LOCAL, SET_LOCAL, TEE_LOCAL, GET_GLOBAL = 0x20, 0x21, 0x22, 0x23
CONSTANT, ADD, STORE, END = 0x41, 0x6A, 0x36, 0x0B
FILLER = "__wasm_apply_data_relocs"
"""The function that writes into memory where functions and other data are."""
WORD = 4
OPERANDS = {
    **dict.fromkeys((0x00, 0x01, 0x05, 0x0B, 0x0F, 0x19, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)), ""),
    **dict.fromkeys((0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0C, 0x0D, 0x10, 0x12, 0x18), "n"),
    **dict.fromkeys((*range(0x20, 0x27), 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2), "n"),
    **dict.fromkeys((0x11, 0x13, *range(0x28, 0x3F)), "nn"),
    0x0E: "vn", 0x1C: "v", 0x43: "4", 0x44: "8",
    **{0xFC00 + n: "" for n in range(8)},
    0xFC08: "nn", 0xFC09: "n", 0xFC0A: "nn", 0xFC0B: "n", 0xFC0C: "nn", 0xFC0D: "n", 0xFC0E: "nn",
    **{0xFC00 + n: "n" for n in (0x0F, 0x10, 0x11)},
}  # fmt: skip
"""What follows an instruction: numbers, vectors of numbers, so many bytes."""
Change = Callable[[int, bytes], bytes]


def lean(wasm: bytes, exports: Collection[str], kept: bytes) -> bytes:
    """The file with the functions for which ``kept`` holds no zero, and without the data that its memory
    starts with: that comes from elsewhere, and may be there before the functions are.

    ``exports`` are the functions that can be called from outside.
    """
    return _rewrite(wasm, exports, lambda number, body: body if kept[number] else LEFT_OUT)


def reachable(wasm: bytes, called: bytes, held: Iterable[int] = ()) -> bytes:
    """Marks for all functions that may be called: those with marks in ``called``, those with the numbers
    in ``held`` (where imported functions come first), those that stand beside a called one in the only
    list that has it, and all that these name.

    :raises BuildError: for an instruction or a table of functions that is not known here.
    """
    imported = _imported_functions(wasm)
    bodies = list(_bodies(_section(wasm, CODE)))
    base, table = _table(wasm)
    met = {imported + number for number, mark in enumerate(called) if mark}
    waiting = [*met, *held]
    if (filler := _export(wasm, FILLER)) is not None:
        lists = [set(listed) for listed in _lists(bodies[filler - imported], base, table)]
        # What stands in many, such as a function that does nothing, tells nothing of any.
        often = Counter(chain.from_iterable(lists))
        telling = {index for index in met if often[index] == 1}
        waiting += [index for listed in lists if listed & telling for index in listed]
    found = bytearray(len(bodies))
    while waiting:
        number = waiting.pop() - imported
        if number >= 0 and not found[number]:
            found[number] = 1
            waiting += _named(bodies[number], base, table)
    return bytes(found)


def marked(wasm: bytes, exports: Collection[str], marks: int) -> bytes:
    """The same with all functions; each sets the byte at ``marks`` plus its number when it is called."""
    return _rewrite(wasm, exports, lambda number, body: _leave_mark(body, marks + number))


def functions(wasm: bytes) -> int:
    """How many functions the file holds (imported ones not counted)."""
    return _number(_section(wasm, CODE), 0)[0]


def _rewrite(wasm: bytes, exports: Collection[str], change: Change) -> bytes:
    parts = [wasm[:8]]
    first = _first_called(wasm)
    for kind, content in _sections(wasm):
        if kind in (CUSTOM, DATA, DATA_COUNT):
            continue
        if kind == EXPORT:
            content = _vector(_exports(content, exports))
        elif kind == CODE:
            bodies = (
                change(n, _without_fill(body) if n == first else body)
                for n, body in enumerate(_bodies(content))
            )
            content = _vector(_sized(body) for body in bodies)
        parts.append(bytes([kind]) + _sized(content))
    return b"".join(parts)


def _sections(wasm: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(wasm):
        size, start = _number(wasm, at + 1)
        yield wasm[at], wasm[start : start + size]
        at = start + size


def _section(wasm: bytes, wanted: int) -> bytes:
    """The content of a section; where there is none, that of an empty one."""
    return next((content for kind, content in _sections(wasm) if kind == wanted), b"\0")


def _imported_functions(wasm: bytes) -> int:
    """How many functions come from outside: they have the first numbers."""
    section = _section(wasm, IMPORT)
    count, at = _number(section, 0)
    functions = 0
    for _ in range(count):
        for _ in range(2):
            length, at = _number(section, at)
            at += length
        kind, at = section[at], at + 1
        functions += kind == 0
        at = _skip_import(section, at, kind)
    return functions


def _skip_import(section: bytes, at: int, kind: int) -> int:
    if kind == 0:
        return _number(section, at)[1]
    if kind in (3, 4):
        return at + 2
    limits = at + (kind == 1)
    at = limits + 1
    for _ in range(1 + (section[limits] & 1)):
        at = _number(section, at)[1]
    return at


def _first_called(wasm: bytes) -> int | None:
    """The number of the function that is called when the module is made (imported ones not counted)."""
    for kind, content in _sections(wasm):
        if kind == START:
            return _number(content, 0)[0] - _imported_functions(wasm)
    return None


def _export(wasm: bytes, wanted: str) -> int | None:
    """The number of the function that goes by a name outside."""
    for entry in _exports(_section(wasm, EXPORT), [wanted]):
        return _number(entry, entry.index(wanted.encode()) + len(wanted) + 1)[0]
    return None


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


def _table(wasm: bytes) -> tuple[int, list[int]]:
    """The global that holds where the file's functions begin in the table, and the functions there."""
    section = _section(wasm, ELEMENT)
    segments, at = _number(section, 0)
    if segments == 0:
        return -1, []
    if segments != 1 or section[at : at + 2] != bytes([0, GET_GLOBAL]):
        raise BuildError(
            "pyodide.asm.wasm has a table of functions of another kind than known here"
        )
    base, at = _number(section, at + 2)
    count, at = _number(section, at + 1)
    functions = []
    for _ in range(count):
        index, at = _number(section, at)
        functions.append(index)
    return base, functions


def _lists(filler: bytes, base: int, table: Sequence[int]) -> Iterator[list[int]]:
    """The lists of functions in the file's own data, read from the function that fills in their places:
    those that follow one another there, with at most a word between two (their names, say)."""
    places: dict[int, int] = {}
    found = list(_instructions(filler))
    # The place in memory is a sum, and so is what is stored there: where the table begins, and a number.
    for _, (_, place), _, added, (_, number), _, (code, offset) in zip(
        *(found[n:] for n in range(7)), strict=False
    ):
        if code == STORE and added == (GET_GLOBAL, [base]):
            places[place[0] + offset[1]] = table[number[0]]
    listed: list[int] = []
    last = 0
    for at, index in sorted(places.items()):
        if at - last > 2 * WORD and listed:
            yield listed
            listed = []
        listed.append(index)
        last = at
    if listed:
        yield listed


def _named(body: bytes, base: int, table: Sequence[int]) -> Iterator[int]:
    """The functions that a body calls by name or takes the place of: their numbers, imported ones first.

    The place of a function is ``base`` plus a number. Where something else is done with ``base``, each
    number that is added to whatever it may be counts as one.
    """
    found = [*_instructions(body), (END, [])]
    bases = [(GET_GLOBAL, [base])]
    loose = False
    for before, (code, local), (after, _) in zip(found, found[1:], found[2:], strict=False):
        if before != bases[0]:
            continue
        if code in (SET_LOCAL, TEE_LOCAL):
            bases += [(GET_LOCAL, local), (TEE_LOCAL, local)]
        elif (code, after) != (CONSTANT, ADD):
            loose = True
    for before, (code, numbers), (after, _) in zip(
        [(END, []), *found], found, found[1:], strict=False
    ):
        if code in CALLS:
            yield numbers[0]
        elif code == CONSTANT and after == ADD and (loose or before in bases):
            yield from table[numbers[0] : numbers[0] + 1]


def _instructions(body: bytes) -> Iterator[tuple[int, list[int]]]:
    """Each instruction with the numbers that follow it. A negative constant is given as a large one."""
    at = _first_instruction(body)
    while at < len(body):
        code, at = body[at], at + 1
        if code == 0xFC:
            more, at = _number(body, at)
            code = 0xFC00 + more
        try:
            operands = OPERANDS[code]
        except KeyError:
            raise BuildError(f"pyodide.asm.wasm has an instruction 0x{code:x}, not known") from None
        numbers = []
        for kind in operands:
            if kind in "48":
                at += int(kind)
                continue
            count, at = _number(body, at) if kind == "v" else (1, at)
            for _ in range(count):
                number, at = _number(body, at)
                numbers.append(number)
        yield code, numbers


def _first_instruction(body: bytes) -> int:
    groups, at = _number(body, 0)
    for _ in range(groups):
        _, at = _number(body, at)
        at += 1
    return at


def _without_fill(body: bytes) -> bytes:
    """The body of what runs first, which empties a part of the memory: that drops its three operands
    instead (`memory.fill` takes as many bytes).

    :raises BuildError: when that cannot be told from the numbers around it.
    """
    fill = b"\xfc\x0b\x00"
    if body.count(fill) != sum(code == FILL_MEMORY for code, _ in _instructions(body)):
        raise BuildError("pyodide.asm.wasm starts with numbers that look like instructions")
    return body.replace(fill, 3 * DROP)


def _leave_mark(body: bytes, place: int) -> bytes:
    """The body with `i32.store8 (i32.const place) (i32.const 1)` before its first instruction."""
    at = _first_instruction(body)
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
