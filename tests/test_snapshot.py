"""What the build makes of Python for the browser: a memory in pieces, and a leaner wasm file."""

import json
import random
import subprocess
import sys
from itertools import product

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from engine import api
from engine.rulebook import rulebook, slugs
from macros import ROOT, RUNTIME, BuildError
from macros.lean import functions, lean, marked, reachable
from macros.snapshot import BLOCK, ENGINE_WASM, LONGEST, SCRIPT, SNAPSHOT, WASM, pieces_of

BLOCKS = st.lists(st.sampled_from([b"\0", b"\1", b"\2"]), min_size=1, max_size=200)


@given(BLOCKS, st.binary(max_size=100))
def test_pieces_hold_what_is_not_zero_and_no_more(blocks: list[bytes], rest: bytes) -> None:
    memory = b"".join(block * BLOCK for block in blocks) + rest
    again = bytearray(len(memory))
    end = 0
    for at, piece in pieces_of(memory):
        assert at >= end
        assert 0 < len(piece) <= LONGEST
        end = at + len(piece)
        again[at:end] = piece
        assert all(any(piece[i : i + BLOCK]) for i in range(0, len(piece), BLOCK))
    assert again == memory


# A wasm file of three functions, written out by the specification: `one` gives 1, `two` gives what the
# second function gives, which has a local and gives 2. Its memory starts with the text "here".
THREE = bytes.fromhex(
    "0061736d01000000"
    "0105016000017f"  # one type: nothing in, an i32 out
    "030403000000"  # three functions of it
    "0503010001"  # a memory of a page
    "07160303" + b"one".hex() + "000003" + b"two".hex() + "0002066d656d6f72790200"
    "0a12030400" + "41010b" + "0601017f" + "41020b" + "040010010b"
    "0b0a010041000b04" + b"here".hex()
)  # fmt: skip
RUN = """
const bytes = Buffer.from(process.argv[1], "hex");
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
const found = { exports: Object.keys(exports) };
for (const name of ["one", "two"]) {
  try { found[name] = exports[name](); } catch (error) { found[name] = String(error.message); }
}
if (exports.memory) found.memory = Buffer.from(exports.memory.buffer, 0, 300).toString("latin1");
console.log(JSON.stringify(found));
"""


def run(wasm: bytes) -> dict[str, object]:
    """What Node finds in a wasm file, and what its functions give."""
    done = subprocess.run(
        ["node", "-e", RUN, wasm.hex()], capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_file_that_the_next_tests_change_is_sound() -> None:
    assert functions(THREE) == 3
    found = run(THREE)
    assert (found["one"], found["two"]) == (1, 2)
    assert str(found["memory"]).startswith("here")


def test_what_was_never_called_stops_and_all_else_is_as_before() -> None:
    every = run(lean(THREE, ["one", "two", "memory"], bytes([1, 1, 1])))
    assert (every["one"], every["two"]) == (1, 2)
    assert str(every["memory"]).strip("\0") == ""
    without = run(lean(THREE, ["one", "two"], bytes([1, 0, 1])))
    assert without == {"exports": ["one", "two"], "one": 1, "two": "unreachable"}
    assert run(lean(THREE, ["two"], bytes([0, 1, 1])))["exports"] == ["two"]


@pytest.mark.parametrize("place", [0, 63, 64, 127, 128, 200])
def test_a_marked_file_tells_which_functions_were_called(place: int) -> None:
    found = run(marked(THREE, ["one", "two", "memory"], place))
    assert (found["one"], found["two"]) == (1, 2)
    assert str(found["memory"])[place : place + 3] == "\1\1\1"
    alone = run(marked(THREE, ["one", "memory"], place))
    assert str(alone["memory"])[place : place + 3] == "\1\0\0"


def test_what_a_called_function_calls_is_kept_too() -> None:
    assert reachable(THREE, bytes([0, 0, 1])) == bytes([0, 1, 1])
    assert reachable(THREE, bytes([1, 0, 0])) == bytes([1, 0, 0])


@pytest.mark.parametrize(
    "before",
    [
        "41ff7e1a", "42ff7e1a", "430000003f1a", "44000000000000103f1a",  # constants, dropped
        "0240" + "0c00" + "0b", "0240" + "4100" + "0e020000" + "00" + "0b",  # blocks, branches
        "4100" + "280200" + "1a", "3f001a",  # memory
        "410041004100" + "fc0b00", "4300000000" + "fc00" + "1a",  # what has a second number
        "410041004100" + "1c017f" + "1a", "01",
    ],
)  # fmt: skip
def test_a_call_is_found_after_whatever_stands_before_it(before: str) -> None:
    bodies = ["0041010b", "0041020b", f"00{before}10010b"]
    code = "03" + "".join(f"{len(body) // 2:02x}{body}" for body in bodies)
    start = THREE[: THREE.index(bytes.fromhex("0a12"))]
    wasm = start + bytes.fromhex(f"0a{len(code) // 2:02x}{code}")
    assert run(wasm)["two"] == 2
    assert reachable(wasm, bytes([0, 0, 1])) == bytes([0, 1, 1])


def test_an_instruction_that_is_not_known_is_refused() -> None:
    with pytest.raises(BuildError, match="instruction 0xff"):
        reachable(THREE.replace(b"\x41\x01\x0b", b"\xff\x01\x0b"), bytes([1, 0, 0]))


def vector(*items: str) -> str:
    """Parts of a wasm file behind their number, as hexadecimal digits."""
    return f"{len(items):02x}" + "".join(items)


def section(kind: str, content: str) -> str:
    return f"{kind}{len(content) // 2:02x}{content}"


def place_of(number: int) -> str:
    """Code that gives the place of a function in the table: where the table begins, and a number."""
    return f"230141{number:02x}6a"


def stored(at: int, number: int) -> str:
    """Code that writes a function's place into memory."""
    return f"230041{at:02x}6a{place_of(number)}360200"


# Six functions, 1 to 5 of which stand in the table. Function 0 fills the memory with three lists:
# 2 and 3 with a word between, 1 and 4, 1 and 5. Function 3 drops the place of function 5.
LISTS = [(0, 1), (8, 2), (20, 0), (24, 3), (40, 0), (44, 4)]
BODIES = ["".join(stored(at, number) for at, number in LISTS), "", "", place_of(4) + "1a", "", ""]
TABLED = bytes.fromhex(
    "0061736d01000000"
    + section("01", vector("600000"))
    + section("02", vector(*(f"0165{len(name):02x}{name.encode().hex()}037f00" for name in "mt")))
    + section("03", vector(*["00"] * 6))
    + section("04", vector("700020"))
    + section("05", vector("0001"))
    + section("07", vector(f"18{b'__wasm_apply_data_relocs'.hex()}0000"))
    + section("09", vector("0023010b" + vector("01", "02", "03", "04", "05")))
    + section("0a", vector(*(f"{len(b) // 2 + 2:02x}00{b}0b" for b in BODIES)))
)
FILL = """
const bytes = Buffer.from(process.argv[1], "hex");
const base = (value) => new WebAssembly.Global({ value: "i32" }, value);
const module = new WebAssembly.Module(bytes);
const { exports } = new WebAssembly.Instance(module, { e: { m: base(0), t: base(1) } });
exports.__wasm_apply_data_relocs();
"""


def test_the_file_with_a_table_is_sound() -> None:
    done = subprocess.run(["node", "-e", FILL, TABLED.hex()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert functions(TABLED) == 6


@pytest.mark.parametrize(
    ("called", "held", "kept"),
    [
        # The companion in its list, and what that hands on.
        ({2}, (), {2, 3, 5}),
        ({3}, (), {2, 3, 5}),
        ({4}, (), {1, 4}),
        # What stands in two lists tells nothing of either.
        ({1}, (), {1}),
        # What is only held was not called, so its list may well be of no use.
        (set(), (4,), {4}),
        ({1}, (3,), {1, 3, 5}),
    ],
)
def test_companions_in_a_list_are_kept_and_what_is_handed_on(
    called: set[int], held: tuple[int, ...], kept: set[int]
) -> None:
    marks = bytes(number in called for number in range(6))
    assert reachable(TABLED, marks, held) == bytes(number in kept for number in range(6))


def test_a_table_of_another_kind_is_refused() -> None:
    other = TABLED.replace(bytes.fromhex("0023010b05"), bytes.fromhex("0041010b05"))
    with pytest.raises(BuildError, match="table"):
        reachable(other, bytes(6))


def started_with(*instructions: str) -> bytes:
    """A wasm file whose one function runs at once."""
    body = "00" + "".join(instructions) + "0b"
    return bytes.fromhex(
        "0061736d01000000"
        + section("01", vector("600000"))
        + section("03", vector("00"))
        + section("05", vector("0001"))
        + section("07", vector(f"06{b'memory'.hex()}0200"))
        + section("08", "00")
        + section("0a", vector(f"{len(body) // 2:02x}{body}"))
    )


STORED, FILLED = "410041093a0000", "410841074104fc0b00"
"""Writes a 9 at 0; fills four bytes from 8 on with 7."""


def test_what_runs_first_empties_no_memory_that_may_be_filled_by_then() -> None:
    wasm = started_with(STORED, FILLED)
    assert str(run(wasm)["memory"])[:13] == "\t" + 7 * "\0" + 4 * "\7" + "\0"
    assert str(run(lean(wasm, ["memory"], b"\1"))["memory"]).rstrip("\0") == "\t"
    with pytest.raises(BuildError, match="look like"):
        lean(started_with("41fc0b", "00"), [], b"\1")  # a constant, and a stop


def test_the_engine_takes_few_of_pythons_functions() -> None:
    whole = (RUNTIME / WASM).read_bytes()
    engine = zstandard.decompress((RUNTIME / ENGINE_WASM).read_bytes())
    assert functions(engine) == functions(whole)
    assert len(engine) < len(whole) / 3


def test_deals_never_tried_need_nothing_that_was_left_out() -> None:
    """Of every rule set, with house rules by chance; Python tidies up in the midst of them."""
    chance = random.Random("never tried")
    asked = []
    for slug in slugs():
        book = rulebook(slug)
        for rule_set, number in product(book.rule_set, range(60)):
            options = {o.id: chance.choice(o.names) for o in book.option if chance.random() < 0.5}
            record = {
                "game": slug,
                "rule_set": rule_set,
                "players": chance.randint(*book.game.players),
                "seed": f"never tried {number}",
                "options": options,
            }
            asked.append(api.to_json({"op": "random_deal", "args": {"record": record}}))
    work = RUNTIME.parent / "snapshot"
    done = subprocess.run(
        ["node", SCRIPT, "ask", RUNTIME / ENGINE_WASM, RUNTIME / SNAPSHOT, work / "manifest.json",
         work / "memory.bin"],
        cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [api.dispatch(request) for request in asked]


def test_the_snapshot_is_packed_as_the_browser_takes_it() -> None:
    """Its first piece asks for no more memory than the longest."""
    frame = zstandard.frame_content_size((RUNTIME / SNAPSHOT).read_bytes())
    assert 0 < frame <= LONGEST


ANSWERS = """
import hashlib
from engine import api
from macros.trial import requests
print(hashlib.sha256("".join(map(api.dispatch, requests())).encode()).hexdigest())
"""


def test_no_answer_hangs_on_the_order_of_a_set() -> None:
    """Python shuffles its sets anew at each start; the browser's engine has the order of the build."""

    def start(seed: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", ANSWERS], cwd=ROOT, env={"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    found = [process.communicate()[0] for process in [start("1"), start("2"), start("3")]]
    assert len(found[0]) == 65
    assert len(set(found)) == 1
