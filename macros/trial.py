"""What the engine is asked to show that it answers in the browser as it does here: as much of what pages
ask as can be had, and of what somebody might put into a link.

It also tells which functions of Python's own the engine calls (`macros.snapshot`). What is not met here
may be missing in the browser, which then has to start all of Python, so the list is rather long.
"""

import random
from collections.abc import Iterator
from dataclasses import asdict
from itertools import cycle, product
from typing import Any

from engine import api
from engine.record import example_record
from engine.rulebook import Rulebook, rulebook, slugs
from engine.texts import LANGS

Call = tuple[str, dict[str, Any]]
"""An operation and what it is given."""
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 7, 10**30, 1.5, 1e300, "", "S7", "SA HA", "<b>7</b>", "♥\ufe0f７", "\U0001f0a1",
    "İß", "\u202e\0\ud800", "a" * 3000, [], [[]], ["S7"] * 400, ["S7", 7, None, ["H7"]], {},
    {"0": "S7"}, {"__proto__": {"a": [1, 2.5]}},
)  # fmt: skip
"""What no field, or hardly any, takes."""
BROKEN = (
    "", "{", "[" * 60, "[" * 90_000, "7", "[]", "NaN", "{'op': 'games'}", "\U0001f0a1",
    '"\\ud83c\\udca1"', '"\\ud800"', '{"op":1e999}', '{"op":' + "9" * 5000 + "}", '{"op":7}',
    '{"op":"nothing"}', '{"op":"games"}x', "\ufeff{}", '{"op":"games","lang":"en"}',
    '{"op":"games","args":{"more":1}}', '{"op":"games","args":[]}', '{"op":"games","args":{}',
    "x" * 400_001, "[" + "1234567890," * 30_000 + "0]", "[" + '{"a":[1.5,"b"]},' * 12_000 + "0]",
)  # fmt: skip
"""Requests that are none."""
STRANGE = 1500


def requests() -> list[str]:
    """The requests, as texts: in both scripts, but nonsense in one or the other."""
    calls: list[Call] = [
        ("games", {}),
        ("cards", {"text": "黑桃7 ♥10、S A"}),
        ("cards", {"text": "?"}),
    ]
    nonsense: list[Call] = []
    for slug in slugs():
        book = rulebook(slug)
        calls += _examples(book)
        for rule_set in book.rule_set:
            calls += [*_rules(book, rule_set), *_play(book, rule_set)]
            nonsense += _odd_questions(book, rule_set)
    nonsense += _strange(random.Random("strange"))
    asked = [*product(calls, LANGS), *zip(nonsense, cycle(LANGS))]
    texts = [api.to_json({"op": op, "args": args, "lang": lang}) for (op, args), lang in asked]
    # A sign that is half a character cannot be sent, so the browser never sends it as itself.
    return [text.encode("utf-8", "replace").decode() for text in (*texts, *BROKEN)]


def _examples(book: Rulebook) -> Iterator[Call]:
    """All examples, as a page asks them and as a link does, and all deals to watch."""
    slug = book.game.slug
    for example in book.example:
        if example.check:
            of_check = {"slug": slug, "name": example.check}
            yield "check", {**of_check, "question": example.question}
            yield "ask", {**of_check, "question": api.to_json(dict(example.question))}
    for deal in book.deal:
        yield "replay", {"record": asdict(example_record(book, deal))}


def _rules(book: Rulebook, rule_set: str) -> Iterator[Call]:
    """What the engine knows of a game, and a deal of it, under each value of each option."""
    of_rules: dict[str, Any] = {"slug": book.game.slug, "rule_set": rule_set}
    yield "rules", of_rules
    yield "checks", of_rules
    for option in book.option:
        for value in option.names:
            options = {option.id: value}
            yield "rules", {**of_rules, "options": options}
            for players in {*book.game.players}:
                opening = {"players": players, "seed": "trial", "options": options, **of_rules}
                yield "random_deal", {"record": api.deal(**opening)["record"]}


def _play(book: Rulebook, rule_set: str) -> Iterator[Call]:
    """A deal that goes its own way, and at some of its steps all that a player at the table may ask."""
    for players in {*book.game.players}:
        opening: dict[str, Any] = {
            "slug": book.game.slug,
            "players": players,
            "seed": "trial",
            "rule_set": rule_set,
        }
        yield "deal", opening
        dealt = api.deal(**opening)["record"]
        yield "random_deal", {"record": dealt}
        played = api.random_deal(dealt)
        yield "replay", {"record": played}
        # The next deal, which may begin otherwise.
        yield "random_deal", {"record": {**played, "moves": [*played["moves"], "deal"]}}
        moves = played["moves"]
        for end in {0, 1, 2, len(moves) // 3, len(moves) // 2, len(moves) - 1, len(moves)}:
            so_far = {**played, "moves": moves[:end]}
            for seat in (None, *range(players), players):
                yield "seat_view", {"record": so_far, "seat": seat}
            for move in (*moves[end : end + 1], *moves[end + 2 : end + 4], "deal", "play S7", "?"):
                yield "play", {"record": so_far, "move": move}
            yield "advice", {"record": so_far}
            yield "robots", {"record": so_far, "seat": 0}
        yield "replay", {"record": {**played, "moves": [*moves[1:], *moves]}}
        yield "replay", {"record": {**played, "seed": 7, "options": []}}


def _odd_questions(book: Rulebook, rule_set: str) -> Iterator[Call]:
    """Each check with each of its fields in turn missing, odd, or with an odd one beside it."""
    slug = book.game.slug
    for name, check in book.check.items():
        question = {"rule_set": rule_set, **check.question}
        for field in (*check.question, "more", "rule_set", "options"):
            without = {k: v for k, v in question.items() if k != field}
            yield "ask", {"slug": slug, "name": name, "question": without}
            for value in ODD:
                yield "ask", {"slug": slug, "name": name, "question": {**without, field: value}}


def _strange(rng: random.Random) -> Iterator[Call]:
    """What nobody would ask."""
    for _ in range(STRANGE):
        slug = rng.choice(slugs())
        name = rng.choice([*rulebook(slug).check, "nothing"])
        text = api.to_json(_strange_value(rng))
        question: Any = rng.choice([text, text[: len(text) // 2], _strange_value(rng)])
        yield "ask", {"slug": slug, "name": name, "question": question}


def _strange_value(rng: random.Random, depth: int = 0) -> Any:
    roll = rng.random()
    if depth > 3 or roll < 0.4:
        return rng.choice(ODD)
    if roll < 0.7:
        return [_strange_value(rng, depth + 1) for _ in range(rng.randrange(6))]
    names = ["cards", "hand", "trick", "trump", "rule_set", "options", "\u202e"]
    return {rng.choice(names): _strange_value(rng, depth + 1) for _ in range(rng.randrange(4))}
