"""议将夺墩算分: rounds of five cards, naming the trump, and figures made or missed."""

import random
from itertools import product
from typing import Any, cast

import pytest

from engine.api import check
from engine.game import Match, Move
from engine.games.yijiangduodun import Yijiangduodun, YijiangduodunState
from engine.registry import game
from engine.rulebook import rulebook
from engine.verdict import BadInput, IllegalMove

GAME = cast(Yijiangduodun, game("yijiangduodun"))


def answer(name: str, **question: Any) -> Any:
    return check("yijiangduodun", name, question)["answer"]


def opened(players: int, seed: str = "t") -> YijiangduodunState:
    return GAME.deal(GAME.new_match(players, seed))


def moved(state: YijiangduodunState, *moves: str) -> YijiangduodunState:
    for text in moves:
        state = GAME.apply(state, Move.parse(text))
    return state


def refused(state: YijiangduodunState, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        GAME.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


def at_random(state: YijiangduodunState, rng: random.Random) -> YijiangduodunState:
    return GAME.apply(state, GAME.pick(state, rng))


# yijiangduodun-01, -03, -04: sides and rounds


def test_sides() -> None:
    assert list(map(tuple, GAME.sides(4))) == [(0, 2), (1, 3)]
    assert list(GAME.sides(3)) == [(0,), (1,), (2,)]
    assert list(GAME.sides(2)) == [(0,), (1,)]


@pytest.mark.parametrize(("players", "rounds", "out"), [(2, 5, 2), (3, 3, 7), (4, 2, 12)])
def test_rounds_go_on_while_all_can_have_five(players: int, rounds: int, out: int) -> None:
    state, rng, dealt = opened(players), random.Random(1), 1
    while state.turn is not None:
        assert max(map(len, state.hands)) <= 5
        after = at_random(state, rng)
        if after.phase == "call" and not after.calls and state.phase == "play":
            dealt += 1
            assert [len(hand) for hand in after.hands] == [5] * players
            assert after.turn == after.match.dealer
            assert after.trump is None
        state = after
    assert dealt == rounds
    assert len(state.stock) == out
    assert sum(len(cards) for cards in state.taken) == 52 - out


def test_the_stock_is_never_seen() -> None:
    state, rng = opened(4), random.Random(2)
    while state.turn is not None:
        state = at_random(state, rng)
        for seat in range(4):
            for zone in GAME.view(state, seat).zones:
                assert zone.label != "stock" or set(zone.cards) == {None}


# yijiangduodun-02, -06: tricks


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("S5 SK H2 S3", "H", 2),
        ("S5 SK H2 S3", "D", 1),
        ("D4 H3 DA H10", "H", 3),
        ("C7 HA C9", None, 2),
        ("C7 H2", "H", 1),
        ("C2 DA", "H", 0),
    ],
)
def test_trick(cards: str, trump: str | None, winner: int) -> None:
    assert answer("trick", cards=cards, trump=trump) == {"winner": winner}


@pytest.mark.parametrize(
    ("hand", "trick", "trump", "legal"),
    [
        (["S9", "S3", "HK"], ["S5"], "H", ["S9", "S3"]),
        (["HK", "D7"], ["S5", "H3"], "H", ["HK", "D7"]),
        (["HK", "H2", "D7"], ["H5"], "H", ["HK", "H2"]),
        (["HK", "D7"], [], None, ["HK", "D7"]),
        (["HK", "D7"], ["D2"], None, ["D7"]),
    ],
)
def test_legal(hand: list[str], trick: list[str], trump: str | None, legal: list[str]) -> None:
    assert answer("legal", hand=hand, trick=trick, trump=trump)["cards"] == legal


# yijiangduodun-05: naming the trump


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"calls": []}, {"turn": 0, "least": 1, "named": None, "over": False, "leader": None}),
        ({"calls": [2, None, 3]}, {"turn": 3, "least": 4, "over": False}),
        ({"calls": [5]}, {"turn": 1, "least": None, "over": False}),
        (
            {"calls": [2, None, 3, None]},
            {"turn": None, "least": None, "named": {"seat": 2, "tricks": 3}, "leader": 2},
        ),
        (
            {"calls": [None, 1], "players": 2, "dealer": 1},
            {"named": {"seat": 0, "tricks": 1}, "over": True, "leader": 0},
        ),
        (
            {"calls": [None] * 3, "players": 3, "dealer": 2},
            {"named": None, "over": True, "leader": 2},
        ),
        (
            {"calls": [1, 2, 5], "players": 3, "dealer": 1},
            {"named": {"seat": 0, "tricks": 5}, "over": True, "leader": 0},
        ),
    ],
)
def test_naming(question: dict[str, Any], expected: dict[str, Any]) -> None:
    said = answer("naming", **question)
    assert {key: said[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"calls": [2, 2]}, "calls[1]"),
        ({"calls": [3, 1]}, "calls[1]"),
        ({"calls": [5, 5]}, "calls[1]"),
        ({"calls": [6]}, "calls[0]"),
        ({"calls": [0]}, "calls[0]"),
        ({"calls": [1, 2, 3], "players": 2}, "calls[2]"),
        ({"calls": [1, 2, 3, 4, 5]}, "calls"),
        ({"calls": [], "players": 3, "dealer": 3}, "dealer"),
        ({"calls": [], "players": 5}, "players"),
        ({}, "calls"),
    ],
)
def test_illegal_naming(question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("yijiangduodun", "naming", question)
    assert error.value.place == field


def test_each_speaks_once_and_the_highest_names_and_leads() -> None:
    state = opened(4)
    assert (state.phase, state.turn) == ("call", 0)
    state = moved(state, "call: 2", "pass", "call: 4")
    assert state.turn == 3
    assert refused(state, "call: 4") == "yijiangduodun-05"
    assert refused(state, "call: 3") == "yijiangduodun-05"
    assert refused(state, "call: 6") == "yijiangduodun-05"
    assert refused(state, "bid: 5") == "yijiangduodun-05"
    state = moved(state, "pass")
    assert (state.phase, state.turn) == ("trump", 2)
    assert refused(state, "trump: X") == "yijiangduodun-05"
    assert refused(state, f"play {state.hands[2][0]}") == "yijiangduodun-05"
    state = moved(state, "trump: C")
    assert (state.phase, state.turn, state.leader, state.trump) == ("play", 2, 2, "C")


def test_after_five_the_rest_can_only_pass() -> None:
    state = moved(opened(3), "call: 5")
    assert [str(move) for move in GAME.legal_moves(state)] == ["pass"]
    assert refused(state, "call: 5") == "yijiangduodun-05"


def test_all_pass_no_trump_and_the_dealer_leads() -> None:
    state = GAME.start(GAME.shuffled(match := Match(players=3, dealer=1, scores=(0, 0, 0))), match)
    state = moved(state, "pass", "pass", "pass")
    assert (state.phase, state.turn, state.trump) == ("play", 1, None)


# yijiangduodun-07: scores


def expected_scores(named: int | None, side: int | None, tricks: list[int]) -> list[int]:
    """The clause, read once more: a trick scores 1, short scores minus the figure, five of five 10."""
    scores = list(tricks)
    if named is not None and side is not None:
        if tricks[side] < named:
            scores[side] = -named
        if named == 5 == tricks[side]:
            scores[side] = 10
    return scores


def test_settle_for_every_figure_and_outcome() -> None:
    for sides in (2, 3):
        for tricks in product(range(6), repeat=sides):
            if sum(tricks) != 5:
                continue
            for named, side in [*product(range(1, 6), range(sides)), (None, None)]:
                said = answer("settle", named=named, naming_side=side, tricks=list(tricks))
                assert said["scores"] == expected_scores(named, side, list(tricks))


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"named": 3, "naming_side": 0, "tricks": [2, 2]}, "tricks"),
        ({"named": 3, "naming_side": 2, "tricks": [2, 3]}, "naming_side"),
        ({"named": 3, "naming_side": None, "tricks": [2, 3]}, "naming_side"),
        ({"named": None, "naming_side": 1, "tricks": [2, 3]}, "naming_side"),
        ({"named": 6, "naming_side": 0, "tricks": [2, 3]}, "named"),
        ({"named": 0, "naming_side": 0, "tricks": [2, 3]}, "named"),
        ({"named": 3, "naming_side": 0, "tricks": [5]}, "tricks"),
        ({"named": 3, "naming_side": 0, "tricks": [1, 1, 1, 2]}, "tricks"),
        ({"naming_side": 0, "tricks": [2, 3]}, "named"),
    ],
)
def test_illegal_settlements(question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("yijiangduodun", "settle", question)
    assert error.value.place == field


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deal_adds_up_its_rounds(players: int) -> None:
    # Scores are kept by hand, from the calls as they are made and the tricks as they are taken.
    side_of = [0, 1, 0, 1] if players == 4 else list(range(players))
    count = max(side_of) + 1
    for seed in range(20):
        state, rng = opened(players, str(seed)), random.Random(seed)
        won, total = [0] * count, [0] * count
        named: tuple[int | None, int | None] = (None, None)
        while state.turn is not None:
            move = GAME.pick(state, rng)
            if move.kind == "call":
                named = (cast(int, move.value), side_of[state.turn])
            after = GAME.apply(state, move)
            for seat in range(players):
                if len(after.taken[seat]) > len(state.taken[seat]):
                    won[side_of[seat]] += 1
            if sum(won) == 5:
                scores = expected_scores(*named, won)
                total = [a + b for a, b in zip(total, scores, strict=True)]
                won, named = [0] * count, (None, None)
            state = after
        result = GAME.result(state)
        assert result is not None
        assert result.scores == tuple(total[side] for side in side_of)
        best = max(total)
        assert result.winners == tuple(s for s in range(players) if total[side_of[s]] == best)
        following = GAME.next_deal(state)
        assert following.match.scores == result.scores
        assert following.turn == following.match.dealer == 1


# yijiangduodun-08


def test_the_page_says_that_the_source_breaks_off() -> None:
    book = rulebook("yijiangduodun")
    assert "原书" in book.game.notice
    marks = {clause.id[-2:]: clause.mark for clause in book.clause}
    assert {n for n, mark in marks.items() if mark == "source"} == {"01", "02", "03"}
    assert all(clause.note for clause in book.clause if clause.mark == "supplied")
