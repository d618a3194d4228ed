"""Where two converters disagree: the words of our texts that a person has to settle.

OpenCC (with our phrases) makes the traditional texts; zhconv makes them another way. What both make
alike is taken as right. Where they differ, `opencc/reviewed.toml` holds the word as it should read.
`python -m macros.review` lists what is not in it yet, in its own form, to be read and copied.
"""

import json
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import zhconv

from macros import ROOT
from macros.scripts import HAN, QUOTES, all_texts, convert, reviewed

CONTEXT = 2
"""Characters shown on either side of a difference."""


def _traditional(line: str) -> str:
    """What OpenCC makes of a line."""
    return convert(line).translate(QUOTES)


def differences(line: str) -> Iterator[tuple[int, int]]:
    """Where in a simplified line the two converters disagree: start and end."""
    ours, theirs = _traditional(line), zhconv.convert(line, "zh-tw")
    if ours == theirs:
        return
    if len(ours) != len(line):
        yield 0, len(line)
        return
    for kind, start, end, _, _ in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield start, max(end, start + 1)


def is_settled(line: str, start: int, end: int) -> bool:
    """Whether a reviewed word covers this place, and reads there as it should."""
    ours = _traditional(line)
    for word, right_word in reviewed()["words"].items():
        at = line.find(word)
        while at >= 0:
            if at <= start and end <= at + len(word) and ours[at : at + len(word)] == right_word:
                return True
            at = line.find(word, at + 1)
    return line in reviewed()["lines"]


def unsettled(lines: Iterable[str]) -> dict[str, str]:
    """Words with a disagreement that nobody has settled, with what OpenCC makes of them."""
    found = {}
    for line in lines:
        for start, end in differences(line):
            if not is_settled(line, start, end):
                left, right = _context(line, start, end)
                found[line[left:right]] = _traditional(line)[left:right]
    return found


def _context(line: str, start: int, end: int) -> tuple[int, int]:
    """The place widened by a few Han characters."""
    for _ in range(CONTEXT):
        start -= start > 0 and bool(HAN.match(line[start - 1]))
        end += end < len(line) and bool(HAN.match(line[end]))
    return start, end


if __name__ == "__main__":
    for word, traditional in sorted(unsettled(all_texts(ROOT)).items()):
        print(
            f"{json.dumps(word, ensure_ascii=False)} = {json.dumps(traditional, ensure_ascii=False)}"
        )
