"""最后胜利: jokers as trumps, drawing by the trick's winner, and the order of going bankrupt."""

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any, cast

import pytest

from engine.api import check
from engine.cards import Cards, read_cards
from engine.game import Deal, Move
from engine.games.zuihoushengli import Zuihoushengli, ZuihoushengliState
from engine.registry import game
from engine.verdict import BadInput

GAME = cast(Zuihoushengli, game("zuihoushengli"))


def answer(name: str, **question: Any) -> Any:
    return check("zuihoushengli", name, question)["answer"]


def cards(text: str) -> Cards:
    return read_cards(text)


def opened(players: int, seed: str = "t") -> ZuihoushengliState:
    return GAME.deal(GAME.new_match(players, seed))


def keys(state: ZuihoushengliState) -> list[str]:
    return [event.message.key for event in state.events]


def position(hands: list[str], stock: str, **more: Any) -> ZuihoushengliState:
    """A deal late in play: hearts are trumps, the first seat leads."""
    fields: dict[str, Any] = {"turned": None, "trump": "H", "turn": 0, "leader": 0, **more}
    n = len(hands)
    return replace(
        opened(n), hands=tuple(map(cards, hands)), stock=cards(stock), trick=(), events=(), **fields
    )


def played(state: ZuihoushengliState, text: str) -> ZuihoushengliState:
    for card in cards(text):
        state = GAME.apply(state, Move("play", (card,)))
    return state


# zuihoushengli-01 to -03: the deal and the trump


@pytest.mark.parametrize(("players", "each"), [(4, 7), (5, 6), (6, 5)])
def test_the_deal(players: int, each: int) -> None:
    state = opened(players)
    assert [len(hand) for hand in state.hands] == [each] * players
    assert state.turned is not None
    assert len(state.stock) + 1 == 54 - players * each
    assert state.trump == state.turned.suit
    assert state.turn == state.match.dealer == 0


@pytest.mark.parametrize(
    ("top", "jokers", "turned"),
    [("S9", "", "S9"), ("XW S9", "XW", "S9"), ("DW XW S9", "DW XW", "S9"), ("S9 XW", "", "S9")],
)
def test_a_joker_turned_goes_under_the_stock(top: str, jokers: str, turned: str) -> None:
    first = cards(top)
    rest = tuple(c for c in GAME.pack(4) if c not in first)
    deal = Deal(
        tuple(rest[i * 7 : i * 7 + 7] for i in range(4)),
        (*first, *(c for c in rest[28:])),
    )
    match = GAME.new_match(4)
    GAME.check_deal(deal, match)
    state = GAME.start(deal, match)
    assert state.turned == turned
    assert state.trump == "S"
    under = cards(jokers)
    assert state.stock[len(state.stock) - len(under) :] == under
    assert Counter((*state.stock, state.turned)) == Counter(deal.stock)
    assert keys(state).count("turned.joker") == len(under)


def test_only_the_turned_card_of_the_stock_is_seen() -> None:
    state = opened(5)
    for seat in range(5):
        zones = {z.label: z.cards for z in GAME.view(state, seat).zones}
        assert zones["turned"] == (state.turned,)
        assert set(zones["stock"]) == {None}


# zuihoushengli-04 to -06: tricks


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("S9 XW H4", "S5", "S9"),
        ("S9 XW H4", "HK", "XW H4"),
        ("S9 XW", "HK", "XW"),  # a joker is a trump and must follow one
        ("S9 H4", "DW", "H4"),  # a joker led is trump led
        ("C9 H4 XW", "S5 SK", "XW H4 C9"),
        ("C9 D4", "XW", "C9 D4"),
    ],
)
def test_legal(hand: str, trick: str, legal: str) -> None:
    found = answer("legal", hand=hand, trick=trick, trump="H")["cards"]
    assert found == sorted(cards(legal), key=found.index)
    assert len(found) == len(cards(legal))


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("HA XW H2 DW HK", 3),
        ("XW HA", 0),
        ("D4 DJ SA D9", 1),
        ("S5 H2 SA H3", 3),
        ("SA DW XW H2 S3 S4", 1),
        ("C2 D3", 0),
    ],
)
def test_trick(trick: str, winner: int) -> None:
    assert answer("trick", cards=trick, trump="H") == {"winner": winner}


def test_the_winner_draws_the_top_card_and_leads() -> None:
    state = position(["S5 S6", "SK C2", "S3 C3", "S4 C4"], "D9 D8", turned=cards("H7")[0])
    state = played(state, "S5 SK S3 S4")
    assert state.hands[1] == cards("C2 D9")
    assert state.stock == cards("D8")
    assert (state.turn, state.leader) == (1, 1)


def test_the_turned_card_is_drawn_last_and_then_nothing() -> None:
    state = position(["SA S2 S3", "S4 C2 D2", "S5 C3 D3", "S6 C4 D4"], "", turned=cards("H7")[0])
    state = played(state, "SA S4 S5 S6")
    assert state.turned is None
    assert state.hands[0] == cards("S2 S3 H7")
    state = played(state, "S2 C2 C3 C4")
    assert "stock.empty" in keys(state)
    assert state.hands[0] == cards("S3 H7")


# zuihoushengli-07 to -09: running out


def test_two_run_out_in_one_trick_in_the_order_they_played() -> None:
    state = position(["S6 C2", "S5", "SK C3", "S4"], "D9 D8")
    state = played(state, "S6 S5 SK S4")
    assert state.bankrupt == (1, 3)
    state = position(["S6 C2", "S5", "SK C3", "S4"], "D9 D8", turn=2, leader=2)
    state = played(state, "SK S4 S6 S5")
    assert state.bankrupt == (3, 1)
    assert state.turn == 2


def test_the_winner_draws_before_bankruptcies_are_counted() -> None:
    state = played(position(["S6", "S5", "SK", "S4 C2"], "D9 D8"), "S6 S5 SK S4")
    assert state.bankrupt == (0, 1)
    assert state.hands[2] == cards("D9")
    assert "draws.first" in keys(state)
    assert state.turn == 2


def test_bankrupt_seats_are_passed_over() -> None:
    state = position(["S6 C2", "", "SK C3", "S4 C4"], "D9 D8", bankrupt=(1,))
    state = played(state, "S6 SK S4")
    assert (state.turn, state.trick) == (2, ())
    assert len(GAME.legal_moves(state)) == 2


def test_the_last_cards_together_with_an_empty_stock() -> None:
    state = played(position(["S6", "S5", "SK", "S4"], ""), "S6 S5 SK S4")
    assert state.turn is None
    assert state.bankrupt == (0, 1, 3)
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (2,)
    assert result.scores == (-40, -30, 20, -20)


def test_who_leads_when_the_winner_ran_out_with_an_empty_stock() -> None:
    # The winner has nothing to draw: the next seat with cards leads, here past a bankrupt one.
    state = position(["S6 C2", "S5 C3", "SK", "S4"], "")
    state = played(state, "S6 S5 SK S4")
    assert state.bankrupt == (2, 3)
    assert (state.turn, state.leader) == (0, 0)
    assert "leads.instead" in keys(state)
    state = played(state, "C2 C3")
    assert state.turn is None
    assert GAME.result(state).winners == (1,)  # type: ignore[union-attr]


def test_the_deal_ends_when_one_is_left() -> None:
    state = played(position(["S6", "SK C3 C4", "S4", "S3"], "D9"), "S6 SK S4 S3")
    assert state.turn is None
    assert state.bankrupt == (0, 2, 3)
    assert GAME.legal_moves(state) == []


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_stock_outlasts_every_deal(players: int) -> None:
    # Nobody runs out before trick h (the cards of a hand), when h are left in all; then every trick
    # takes one or more from these: at most 2h - 1 tricks, and the stock has more cards than that.
    each = {4: 7, 5: 6, 6: 5}[players]
    assert 2 * each - 1 < 54 - players * each
    for seed in range(200):
        state, rng = opened(players, str(seed)), random.Random(seed)
        while state.turn is not None:
            state = GAME.apply(state, GAME.pick(state, rng))
        assert sum(state.tricks) <= 2 * each - 1
        assert state.turned is not None
        assert len(state.bankrupt) == players - 1


# zuihoushengli-10 to -12: scores


@pytest.mark.parametrize("players", [4, 5, 6])
def test_settle_for_every_order(players: int) -> None:
    table = [-40, -30, -20, -10, 0][: players - 1]
    for seats in permutations(range(players)):
        scores = answer("settle", bankrupt=list(seats[1:]), winner=seats[0])["scores"]
        assert scores[seats[0]] == 20
        assert [scores[seat] for seat in seats[1:]] == table


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"bankrupt": [0, 1], "winner": 2}, "bankrupt"),
        ({"bankrupt": [0, 1, 1], "winner": 2}, "bankrupt[2]"),
        ({"bankrupt": [0, 1, 2], "winner": 2}, "winner"),
        ({"bankrupt": [0, 1, 4], "winner": 2}, "bankrupt[2]"),
        ({"bankrupt": [0, 1, 2], "winner": 4}, "winner"),
        ({"bankrupt": [0, 1, 2]}, "winner"),
        ({"bankrupt": [0, 1, 2, 3, 4, 5], "winner": 6}, "bankrupt"),
    ],
)
def test_illegal_settlements(question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("zuihoushengli", "settle", question)
    assert error.value.place == field


@pytest.mark.parametrize(
    ("name", "question", "field"),
    [
        ("legal", {"hand": ["S3"], "trick": [], "trump": None}, "trump"),
        ("legal", {"hand": ["DW", "DW"], "trick": [], "trump": "S"}, "hand"),
        ("legal", {"hand": ["S2"], "trick": "S3 S4 S5 S6 S7 S8", "trump": "S"}, "trick"),
        ("trick", {"cards": ["S3"], "trump": "S"}, "cards"),
        ("trick", {"cards": ["S3", "S4"], "trump": "X"}, "trump"),
    ],
)
def test_illegal_questions(name: str, question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("zuihoushengli", name, question)
    assert error.value.place == field


def test_a_match_goes_to_the_agreed_total() -> None:
    state = GAME.deal(GAME.new_match(4, "m", target=20))
    rng = random.Random(1)
    while state.turn is not None:
        state = GAME.apply(state, GAME.pick(state, rng))
    result = GAME.result(state)
    assert result is not None
    assert result.match_winners == result.winners
    # With the usual total one deal won is not enough, and the next seat deals.
    state = replace(state, match=replace(state.match, target=40))
    assert GAME.result(state).match_winners is None  # type: ignore[union-attr]
    following = GAME.next_deal(state)
    assert (following.match.dealer, following.turn) == (1, 1)
