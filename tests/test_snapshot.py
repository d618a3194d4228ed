"""What the build makes of a memory snapshot, and that it can be put together again."""

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from macros import RUNTIME, BuildError
from macros.snapshot import (
    BLOCK,
    LONGEST,
    SNAPSHOT,
    StaticData,
    find_static_data,
    pieces_of,
    strike_out,
)

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


@given(st.binary(min_size=60, max_size=60), st.binary(min_size=40, max_size=40))
def test_what_was_struck_out_is_put_back_by_the_same(memory: bytes, wasm: bytes) -> None:
    static = StaticData(file_offset=8, memory_offset=16, length=30)
    struck = strike_out(memory, wasm, static)
    assert struck[:16] + struck[46:] == memory[:16] + memory[46:]
    assert strike_out(struck, wasm, static) == memory
    alike = memory[:16] + wasm[8:38] + memory[46:]
    assert strike_out(alike, wasm, static)[16:46] == bytes(30)


def test_another_kind_of_wasm_file_is_refused() -> None:
    with pytest.raises(BuildError, match="data segment"):
        find_static_data(b"\0asm\1\0\0\0" + b"\x01\x02\x00\x00")


def test_the_snapshot_is_packed_as_the_browser_takes_it() -> None:
    """No piece asks for more memory than one piece of the longest."""
    frame = zstandard.frame_content_size((RUNTIME / SNAPSHOT).read_bytes())
    assert 0 < frame <= LONGEST
