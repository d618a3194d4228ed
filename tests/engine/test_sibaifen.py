"""四百分, from the rulebook: each check at its edges."""

from itertools import pairwise
from typing import Any

import pytest

from engine import api
from engine.game import Move
from engine.games.sibaifen import Sibaifen
from engine.registry import game
from engine.verdict import BadInput, IllegalMove


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("sibaifen", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("sibaifen", check, question)["reasons"]]


def test_the_pack_is_worth_400_points_on_24_cards() -> None:  # sibaifen-01
    pack = game("sibaifen").pack(4)
    assert ask("points", cards=list(pack)) == {"points": 400}
    counting = [c for c in pack if ask("points", cards=[c])["points"]]
    assert len(counting) == 24
    assert {c.rank: ask("points", cards=[c])["points"] for c in counting} == {
        "K": 25, "Q": 20, "J": 15, "10": 10, "5": 5, "2": 25,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "trick", "cards"),
    [
        (["S9", "S3", "HK"], ["S5"], ["S9", "S3"]),
        (["HK", "D7"], ["S5"], ["HK", "D7"]),
        (["HK", "D7"], ["S5", "H2"], ["HK", "D7"]),  # no duty to overruff
        (["HK", "H2", "D7"], ["H5"], ["HK", "H2"]),  # trump led is followed like any suit
        (["HK", "D7"], [], ["HK", "D7"]),
    ],
)
def test_following_suit(hand: list[str], trick: list[str], cards: list[str]) -> None:  # sibaifen-08
    assert ask("legal", hand=hand, trick=trick, trump="H") == {"cards": cards}


@pytest.mark.parametrize(
    ("cards", "trump", "winner", "points"),
    [
        (["S5", "SK", "H2", "S3"], "H", 2, 55),
        (["S5", "SK", "H2", "S3"], "D", 1, 55),
        (["S5", "DA", "H2", "S3"], "C", 0, 30),  # higher cards of other suits win nothing
        (["S2", "D3", "C3", "H3"], "S", 0, 25),
        (["D4", "H3", "HA", "H2"], "H", 2, 25),
    ],
)
def test_who_takes_a_trick(cards: list[str], trump: str, winner: int, points: int) -> None:
    assert ask("trick", cards=cards, trump=trump) == {"winner": winner, "points": points}


def test_the_two_is_lowest_and_the_ace_highest() -> None:  # sibaifen-02
    ranks = ["A", "K", "Q", "J", *(str(n) for n in range(10, 1, -1))]
    for high, low in pairwise(ranks):
        trick = [f"S{low}", f"S{high}", "D3", "D4"]
        assert ask("trick", cards=trick, trump="H")["winner"] == 1


def test_bidding_starts_at_200_with_the_dealer() -> None:  # sibaifen-04
    assert ask("auction", dealer=2, bids=[]) == {
        "turn": 2, "least": 200, "contract": None, "over": False,
    }  # fmt: skip


def test_three_passes_after_a_bid_make_the_contract() -> None:  # sibaifen-04
    two = [[0, 200], [1, None], [2, None]]
    assert ask("auction", dealer=0, bids=two)["over"] is False
    answer = ask("auction", dealer=0, bids=[*two, [3, None]])
    assert answer == {
        "turn": None, "least": None, "contract": {"seat": 0, "points": 200}, "over": True,
    }  # fmt: skip


def test_three_passes_before_any_bid_leave_the_fourth_his_turn() -> None:  # sibaifen-05
    three = [[0, None], [1, None], [2, None]]
    answer = ask("auction", dealer=0, bids=three)
    assert (answer["turn"], answer["over"]) == (3, False)
    answer = ask("auction", dealer=0, bids=[*three, [3, None]])
    assert (answer["turn"], answer["contract"], answer["over"]) == (None, None, True)


def test_a_bid_may_jump_up_to_400_and_a_passer_may_return() -> None:  # sibaifen-05
    answer = ask("auction", dealer=0, bids=[[0, None], [1, 200], [2, 400]])
    assert (answer["turn"], answer["least"]) == (3, None)
    assert "sibaifen-05" in cites("auction", dealer=0, bids=[[0, 200], [1, 390]])
    bids = [[0, None], [1, 200], [2, None], [3, None], [0, 205]]
    assert ask("auction", dealer=0, bids=bids)["turn"] == 1


@pytest.mark.parametrize(
    ("bids", "place"),
    [
        ([[1, 200]], "bids[0][0]"),  # out of turn
        ([[0, 195]], "bids[0][1]"),
        ([[0, 200], [1, 200]], "bids[1][1]"),
        ([[0, 203]], "bids[0][1]"),
        ([[0, 405]], "bids[0][1]"),
        ([[0, None], [1, None], [2, None], [3, None], [0, 200]], "bids[4]"),
        ([[0, 200, 1]], "bids[0]"),
        ([[4, 200]], "bids[0][0]"),
    ],
)
def test_bids_that_cannot_be_are_refused(bids: list[Any], place: str) -> None:
    with pytest.raises(BadInput) as caught:
        ask("auction", dealer=0, bids=bids)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("contract", "won", "declarer", "defenders"),
    [(370, 370, 370, 0), (370, 400, 370, 0), (370, 365, 0, 5), (370, 340, 0, 30), (200, 0, 0, 200)],
)
def test_settlement(contract: int, won: int, declarer: int, defenders: int) -> None:
    answer = ask("settle", contract=contract, declarer_points=won)
    assert answer == {"declarer": declarer, "defenders": defenders}


def test_a_whole_deal_counts_all_400_points() -> None:
    playing = game("sibaifen")
    assert isinstance(playing, Sibaifen)
    for seed in range(40):
        header = {"game": "sibaifen", "players": 4, "seed": str(seed)}
        record = api.random_deal(header)
        state = playing.deal(playing.new_match(4, str(seed)))
        for text in record["moves"]:
            state = playing.apply(state, Move.parse(text))
        if not state.trump:
            assert state.bids == ((0, None), (1, None), (2, None), (3, None))
            continue
        taken = sum(playing.points(cards) for cards in state.taken)
        assert taken + playing.points(state.buried) == 400


def test_the_next_dealer_deals_after_four_passes() -> None:  # sibaifen-05
    playing = game("sibaifen")
    state = playing.deal(playing.new_match(4, "1"))
    for _ in range(4):
        state = playing.apply(state, Move("pass"))
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.winners) == ((0, 0, 0, 0), ())
    assert playing.next_deal(state).match.dealer == 1


def test_the_kitty_is_the_declarers_secret() -> None:
    playing = game("sibaifen")
    state = playing.deal(playing.new_match(4, "1"))
    for move in ["bid: 250", "pass", "pass", "pass"]:
        state = playing.apply(state, Move.parse(move))
    hand = state.hands[0]
    assert len(hand) == 16
    with pytest.raises(IllegalMove, match="sibaifen-06"):
        playing.apply(state, Move("bury", hand[:3]))
    state = playing.apply(state, Move("bury", hand[:4]))
    for seat in range(4):
        zone = next(z for z in playing.view(state, seat).zones if z.label == "buried")
        assert any(zone.cards) == (seat == 0)


def test_a_match_ends_at_the_agreed_total() -> None:  # sibaifen-12
    playing = game("sibaifen")
    assert playing.new_match(4).target == 1000
    assert playing.new_match(4, target=300).target == 300
