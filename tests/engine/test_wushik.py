"""五十K, clause by clause of its rulebook."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from engine import api
from engine.cards import read_cards
from engine.families.climbing import ClimbingState, LeadMatch
from engine.game import Deal, Move
from engine.games.wushik import Wushik
from engine.registry import game
from engine.verdict import BadInput, IllegalMove


def wushik(rule_set: str = "one-pack", **options: str) -> Wushik:
    playing = game("wushik", rule_set, options)
    assert isinstance(playing, Wushik)
    return playing


def ask(check: str, **question: Any) -> Any:
    return api.check("wushik", check, question)


def read(cards: str, packs: str = "one-pack") -> list[tuple[str, str, int, int]]:
    answer = ask("classify", cards=[cards], rule_set=packs)["answer"]
    return [(r["type"], r["rank"], r["length"], r["load"]) for r in answer["readings"]]


def beats(table: str, play: str, packs: str = "two-packs") -> bool:
    answer: bool = ask("beats", table=[table], play=[play], rule_set=packs)["answer"]["beats"]
    return answer


def cited(said: Any) -> list[str]:
    return [r["clause"].removeprefix("wushik-") for r in said["reasons"]]


# wushik-01 to wushik-03: packs, points, who leads


@pytest.mark.parametrize(
    ("packs", "each", "points"), [("one-pack", 13, 100), ("two-packs", 26, 200)]
)
def test_packs_and_points(packs: str, each: int, points: int) -> None:
    playing = wushik(packs)
    state = playing.deal(playing.new_match(4, "x"))
    assert [len(hand) for hand in state.hands] == [each] * 4
    assert playing.points(card for hand in state.hands for card in hand) == points
    assert playing.points(read_cards("S5 H10 DK CA S2")) == 25


def test_the_holder_of_the_three_of_spades_leads_the_first_deal() -> None:
    playing = wushik()
    for seed in map(str, range(20)):
        state = playing.deal(playing.new_match(4, seed))
        assert state.turn is not None
        assert "S3" in state.hands[state.turn]


@pytest.mark.parametrize(
    ("hands", "dealer", "leader"),
    [
        (("H3 S3", "S3 H3", "H4 D4", "H5 D5"), 0, 1),  # seat 1 drew it first
        (("S3 H3", "H4 D4", "H5 D5", "S3 D6"), 0, 3),  # both with the first card: 1, 2, 3, 0
        (("S3 H3", "H4 D4", "H5 D5", "S3 D6"), 3, 0),  # the dealer is 3: 0, 1, 2, 3
    ],
)
def test_with_two_packs_who_drew_a_three_of_spades_first_leads(
    hands: Sequence[str], dealer: int, leader: int
) -> None:
    match = LeadMatch(players=4, dealer=dealer, scores=(0,) * 4)
    deal = Deal(tuple(read_cards(hand) for hand in hands))
    assert wushik("two-packs").start(deal, match).turn == leader


# wushik-06 to wushik-17: types. The oracle in test_climbing.py covers them all at random; here are
# the edges that the rulebook names.


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("S3", [("单张", "3", 1, 0)]),
        ("S3 H3", [("对", "3", 1, 0)]),
        ("S3 H4", []),
        ("S3 H3 D3", [("三同张", "3", 1, 0)]),
        ("SA H2 D3 C4 S5", [("顺子", "5", 5, 0)]),
        ("S2 H3 D4 C5 S6", [("顺子", "6", 5, 0)]),
        ("S10 HJ DQ CK SA", [("顺子", "A", 5, 0)]),
        ("SJ HQ DK CA S2", []),
        ("SQ HK DA C2 S3", []),
        ("SK HA D2 C3 S4", []),
        ("S3 H4 D5 C6", []),
        ("S3 S4 S5 S6 S7", [("同花顺", "7", 5, 0)]),
        ("SA S2 S3 S4 S5", [("同花顺", "5", 5, 0)]),
        ("S3 H3 D4 C5 S6 S7", []),
        ("SA H2 D3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK", [("顺子", "A", 13, 0), ("顺子", "K", 13, 0)]),
        ("S3 H3 D3 C4", [("三带", "3", 1, 1)]),
        ("S3 H3 D3 C4 S9", [("三带", "3", 1, 2)]),
        ("S3 H3 D3 C4 S4", [("三带", "3", 1, 2)]),
        ("S3 H3 D3 C3", [("炸弹", "3", 1, 0)]),
        ("S3 H3 D3 C3 S4", [("三带", "3", 1, 2)]),
        ("S3 H3 D3 C4 S4 S5", []),
        ("S3 H3 D3 S4 H4 D4", [("连三同张", "4", 2, 0), ("三连带", "4", 2, 0)]),
        ("S3 S4 H4 D4 S5 H5 D5 C5", [("三连带", "5", 2, 1)]),
        ("S3 H3 D3 S4 H4 D4 S9", []),
        ("S3 H3 D3 S4 H4 D4 S9 H9", [("三连带", "4", 2, 1)]),
        ("S3 H3 D3 S4 H4 D4 S9 H9 D9 C9", [("三连带", "4", 2, 2)]),
        ("S3 H3 D3 S5 H5 D5", []),
        ("SA HA DA S2 H2 D2", []),
        ("S2 H2 D2 S3 H3 D3", []),
        ("SK HK DK SA HA DA S2 H2", [("三连带", "A", 2, 1)]),
        ("S3 H3 S4 H4", [("连对", "4", 2, 0)]),
        ("SK HK SA HA", [("连对", "A", 2, 0)]),
        ("SA HA S2 H2", []),
        ("S2 H2 S3 H3", []),
        ("S5 S10 SK", [("正五十K", "K", 3, 0)]),
        ("S5 S10 HK", [("副五十K", "K", 3, 0)]),
    ],
)
def test_types(cards: str, wanted: list[tuple[str, str, int, int]]) -> None:
    assert read(cards) == wanted
    assert read(" ".join(reversed(cards.split()))) == wanted


def test_types_of_two_packs() -> None:
    assert read("S3 S3 H3 D3 C3", "two-packs") == [("炸弹", "3", 1, 0)]
    assert read("S5 S5 H5 D5 C5 C5 H5 D5", "two-packs") == [("炸弹", "5", 1, 0)]
    # Two aces: one would have to be low and one high, but each rank stands once in a straight.
    straight = "SA HA S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK"
    assert read(straight, "two-packs") == []
    assert cited(ask("classify", cards=[straight], rule_set="two-packs")) == ["09"]


def test_a_set_of_cards_has_every_reading_that_fits() -> None:
    # Twelve cards: four threes and nothing carried, or three threes carrying the fourth.
    assert read("S3 H3 D3 S4 H4 D4 S5 H5 D5 S6 H6 D6") == [
        ("连三同张", "6", 4, 0),
        ("三连带", "6", 4, 0),
        ("三连带", "6", 3, 1),
        ("三连带", "5", 3, 1),
    ]
    # Fifteen cards: five threes, or three with two each: 3-5, 4-6 or 5-7.
    fifteen = "S3 H3 D3 S4 H4 D4 S5 H5 D5 S6 H6 D6 S7 H7 D7"
    assert read(fifteen, "two-packs") == [
        ("连三同张", "7", 5, 0),
        ("三连带", "7", 5, 0),
        ("三连带", "7", 3, 2),
        ("三连带", "6", 3, 2),
        ("三连带", "5", 3, 2),
    ]


@pytest.mark.parametrize(
    ("table", "play", "yes"),
    [
        ("SA", "H2", True),
        ("S2", "H2", False),
        ("S3", "D4", True),
        ("S3 H3", "D4", False),
        ("SA H2 D3 C4 S5", "S2 H3 D4 C5 S6", True),
        ("S2 H3 D4 C5 S6", "SA H2 D3 C4 S5", False),
        ("S9 H10 DJ CQ SK", "S10 HJ DQ CK SA", True),
        ("SA H2 D3 C4 S5", "H10 HJ DQ CK SA", True),
        ("S3 H4 D5 C6 S7", "S4 H5 D6 C7 S8 H9", False),
        ("S3 H4 D5 C6 S7", "H3 H4 H5 H6 H7", True),
        ("H3 H4 H5 H6 H7", "S3 H4 D5 C6 S7", False),
        ("H3 H4 H5 H6 H7", "S3 S4 S5 S6 S7", False),
        ("H3 H4 H5 H6 H7", "S4 H5 D6 C7 S8", True),
        ("S4 H5 D6 C7 S8", "H3 H4 H5 H6 H7", False),
        ("S9 H9", "H3 H4 H5 H6 H7", False),
        ("S8 H8 D8 SA", "H9 D9 C9 S3", True),
        ("S9 H9 D9 S3", "H8 D8 C8 SA", False),
        ("S8 H8 D8 SA", "H9 D9 C9 S3 H3", False),
        ("S8 H8 D8", "H9 D9 C9 S3", False),
        ("SA HA DA S3", "S2 H2 D2 S4", True),
        ("S3 H3 D3 S4 H4 D4", "S5 H5 D5 S6 H6 D6", True),
        ("S3 H3 D3 S4 H4 D4 S9 H9", "S5 H5 D5 S6 H6 D6", False),
        ("S3 H3 D3 S4 H4 D4 S9 H9", "C4 D4 S4 S5 H5 D5 CJ CQ", True),
        ("S3 H3 S4 H4", "D4 C4 D5 C5", True),
        ("S3 H3 S4 H4", "D4 C4 D5 C5 D6 C6", False),
        ("S10 HJ DQ CK SA", "S5 H10 DK", True),
        ("S5 H10 DK", "S10 HJ DQ CK SA", False),
        ("S5 H10 DK", "H5 S10 CK", False),
        ("S5 H10 DK", "D5 D10 DK", True),
        ("D5 D10 DK", "C5 C10 CK", True),
        ("C5 C10 CK", "H5 H10 HK", True),
        ("H5 H10 HK", "S5 S10 SK", True),
        ("S5 S10 SK", "H5 H10 HK", False),
        ("S5 S10 SK", "S5 S10 SK", False),
        ("S5 S10 SK", "S3 H3 D3 C3", True),
        ("S3 H3 D3 C3", "S5 S10 SK", False),
        ("S2 H2 D2 C2", "S3 S3 H3 D3 C3", True),
        ("S3 H3 D3 C3", "S4 H4 D4 C4", True),
        ("S4 H4 D4 C4", "S3 H3 D3 C3", False),
        ("S8 H8 D8 SA", "S9 H9 D9 C9", True),
    ],
)
def test_what_beats_what(table: str, play: str, yes: bool) -> None:
    assert beats(table, play) is yes


def test_cards_that_are_no_play_beat_nothing_and_the_clause_says_why() -> None:
    said = ask("beats", table=["S3"], play=["SA HA S2 H2"])
    assert said["answer"] == {"beats": False}
    assert cited(said) == ["13"]


def test_the_table_is_read_as_the_player_named_it() -> None:
    twelve = "S3 H3 D3 S4 H4 D4 S5 H5 D5 S6 H6 D6"
    play = "S4 H4 D4 S5 H5 D5 S6 H6 D6 S2 H2 D2"
    table = {"rule_set": "two-packs", "table": [twelve], "play": [play]}
    assert ask("beats", **table, table_as="三连带3-5")["answer"] == {"beats": True}
    assert ask("beats", **table, table_as="三连带4-6")["answer"] == {"beats": False}
    for unnamed in ({}, {"table_as": None}, {"table_as": ""}):
        assert ask("beats", **table, **unnamed)["answer"] == {"beats": False}
    with pytest.raises(BadInput, match="table_as"):
        ask("beats", **table, table_as="三连带3-4")


# Plays counted by hand


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        # 13 single cards; straights of 5 to 12 cards begin at 10, 9, … 3 places (an ace at either
        # end), that of 13 is one set of cards: 52 + 1; and the true 五十K: 13 + 53 + 1.
        ("SA S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK", 67),
        # Singles 6, pairs 3 + 3, threes 2, with one 3 + 3, with two 3 + 3, pairs in a row 3 × 3, one
        # run of two threes.
        ("S3 H3 D3 S4 H4 D4", 36),
        # Singles 7, pairs 6 + 3, threes 4 + 1, the bomb 1, with one 4 × 3 + 4, with two: 777-88
        # 4 × 3, 7777-8 3, 888-77 6; pairs in a row 6 × 3, threes in a row 4.
        ("S7 H7 D7 C7 S8 H8 D8", 81),
    ],
)
def test_the_number_of_leads(hand: str, count: int) -> None:
    assert len(ask("moves", hand=[hand], table=[])["answer"]["moves"]) == count


def test_millions_of_plays_are_not_listed() -> None:
    # Six ranks of four cards: runs of threes with carried cards are millions of sets.
    hand = [f"{suit}{rank}" for rank in "345678" for suit in "SHDC"]
    with pytest.raises(BadInput, match="hand"):
        ask("moves", rule_set="two-packs", hand=hand, table=[])
    # Nothing in it is above a nine but the six bombs.
    moves = ask("moves", rule_set="two-packs", hand=hand, table=["C9"])["answer"]["moves"]
    assert len(moves) == 6


def test_copies_of_a_card_are_alike() -> None:
    moves = ask("moves", rule_set="two-packs", hand=["S7 S7 H7"], table=[])["answer"]["moves"]
    assert sorted(map(tuple, moves)) == sorted(
        [("S7",), ("H7",), ("S7", "S7"), ("S7", "H7"), ("S7", "S7", "H7")]
    )


def test_moves_are_those_higher_than_the_table_and_never_the_pass() -> None:
    hand = "S9 H9 S10 D5 SK HK C2"
    moves = ask("moves", hand=[hand], table=["C9 D9"])["answer"]["moves"]
    assert sorted(map(tuple, moves)) == [("HK", "S10", "D5"), ("SK", "HK"), ("SK", "S10", "D5")]
    assert ask("moves", hand=["S3"], table=["C9"])["answer"]["moves"] == []


# wushik-04, wushik-05: rounds


def opened(playing: Wushik, *hands: str, leader: int = 0) -> ClimbingState:
    match = LeadMatch(players=4, scores=(0,) * 4, leader=leader, target=1000)
    return playing.start(Deal(tuple(read_cards(hand) for hand in hands)), match)


def after(playing: Wushik, state: ClimbingState, *moves: str) -> ClimbingState:
    for move in moves:
        state = playing.apply(state, Move.parse(move))
    return state


def test_a_lead_is_free_and_cannot_be_passed() -> None:
    playing = wushik()
    state = opened(playing, "S3 H3 D9", "S4 D4", "S5 H5", "S6 H6")
    moves = [str(move) for move in playing.legal_moves(state)]
    assert sorted(moves) == ["play D9", "play H3", "play S3", "play S3 H3"]
    assert moves[2:] == ["play D9", "play S3 H3"]
    with pytest.raises(IllegalMove) as caught:
        playing.apply(state, Move.parse("pass"))
    assert caught.value.reasons[0].clause == "wushik-04"


def test_a_pass_is_not_final_and_the_round_goes_to_the_last_to_play() -> None:
    playing = wushik()
    state = opened(playing, "S5 S8", "DK S4", "D10 S2", "S6 H7")
    state = after(playing, state, "play S5", "play DK", "pass", "pass")
    assert state.turn == 0
    state = after(playing, state, "pass")
    assert state.turn == 1
    assert [playing.points(cards) for cards in state.taken] == [0, 15, 0, 0]
    assert state.plays == ()
    # Seat 2 passes, and plays when its turn comes again in the same round.
    state = opened(playing, "S5 SA", "S9 S4", "D10 S2", "SJ H7")
    state = after(playing, state, "play S5", "play S9", "pass", "play SJ", "play SA", "pass")
    assert state.turn == 2
    reasons = playing.allows(state, Move.parse("play S2"))
    assert "wushik-05" in [reason.clause for reason in reasons]
    state = after(playing, state, "play S2", "pass", "pass")
    assert [playing.points(cards) for cards in state.taken] == [0, 0, 5, 0]


@pytest.mark.parametrize(("inherit", "leader"), [("partner", 2), ("next", 1)])
def test_who_leads_for_a_winner_who_is_out(inherit: str, leader: int) -> None:
    playing = wushik(inherit=inherit)
    state = opened(playing, "S2", "S3 H3", "S4 H4", "S5 H5")
    state = after(playing, state, "play S2", "pass", "pass", "pass")
    assert state.out == (0,)
    assert state.turn == leader


def test_the_next_leads_when_the_partner_is_out_as_well() -> None:
    """That ends a deal of 五十K, but the rule holds: seats 0 and 2 have no cards."""
    playing = wushik()
    state = opened(playing, "", "S3 H3", "", "S5 H5")
    assert playing.heir(state, 0) == 1
    assert playing.heir(state, 2) == 3


def test_one_may_play_over_the_last_card_of_a_player_who_goes_out() -> None:
    playing = wushik()
    state = opened(playing, "SK", "S2 H3", "S4 H4", "S5 H5")
    state = after(playing, state, "play SK", "play S2", "pass", "pass")
    assert state.turn == 1
    assert [playing.points(cards) for cards in state.taken] == [0, 10, 0, 0]


def test_the_deal_ends_when_a_side_is_out_and_the_table_goes_to_the_last_play() -> None:
    playing = wushik()
    state = opened(playing, "S5", "S6 HK", "D10", "S2 H5")
    state = after(playing, state, "play S5", "play S6", "play D10")
    assert state.turn is None
    assert [playing.points(cards) for cards in state.taken] == [0, 0, 15, 0]
    result = playing.result(state)
    assert result is not None
    # First and second: 15 captured and 30 from the others, who lose 30 and the 15 they hold.
    assert result.scores == (45, -45, 45, -45)
    assert result.winners == (0, 2)


def test_a_play_with_several_readings_is_named() -> None:
    playing = wushik("two-packs")
    twelve = "S3 H3 D3 S4 H4 D4 S5 H5 D5 S6 H6 D6"
    state = opened(playing, f"{twelve} S9", "S7 H7 D7 S8 H8 D8 S9 H9 D9 SA SA H2", "S3", "S3")
    with pytest.raises(IllegalMove) as caught:
        after(playing, state, f"play {twelve}")
    assert caught.value.reasons[0].clause == "wushik-14"
    with pytest.raises(IllegalMove):
        after(playing, state, f"play {twelve}: 三连带3-4")
    whole = set(read_cards(twelve))
    named = {str(m.value) for m in playing.legal_moves(state) if set(m.cards) == whole}
    assert named == {"连三同张3-6", "三连带4-6", "三连带3-5"}
    led = after(playing, state, f"play {twelve}: 三连带3-5")
    # The reply has one reading only that is higher, so it needs no name: 7-9 carrying three.
    led = after(playing, led, "play S7 H7 D7 S8 H8 D8 S9 H9 D9 SA SA H2")
    assert led.plays[-1].reading.name == "三连带7-9"
    led = after(playing, state, f"play {twelve}: 连三同张3-6")
    with pytest.raises(IllegalMove):
        after(playing, led, "play S7 H7 D7 S8 H8 D8 S9 H9 D9 SA SA H2")


# wushik-18, wushik-19: settlement


def settle(
    order: Sequence[int], captured: Sequence[int], left: Sequence[int], **more: Any
) -> tuple[list[int], str]:
    question = {"order": list(order), "captured": list(captured), "left": list(left), **more}
    answer = ask("settle", **question)["answer"]
    return answer["sides"], answer["result"]


@pytest.mark.parametrize(
    ("order", "name"),
    [
        ((0, 2), "双抓"), ((2, 0), "双抓"), ((1, 3), "双抓"), ((3, 1), "双抓"),
        ((0, 1, 2), "单抓"), ((0, 3, 2), "单抓"), ((2, 1, 0), "单抓"), ((1, 0, 3), "单抓"),
        ((3, 2, 1), "单抓"), ((0, 1, 3), "保"), ((0, 3, 1), "保"), ((2, 1, 3), "保"),
        ((1, 0, 2), "保"), ((3, 0, 2), "保"), ((3, 2, 0), "保"),
    ],
)  # fmt: skip
def test_finishes_and_what_they_pay(order: tuple[int, ...], name: str) -> None:
    captured = [20, 15, 10, 5]
    left = [0 if seat in order else 10 for seat in range(4)]
    pays = {"双抓": 30, "单抓": 15, "保": 0}[name]
    first = order[0] % 2
    wanted = [20 + 10, 15 + 5]
    wanted[first] += pays
    wanted[1 - first] -= pays
    for seat in range(4):
        wanted[seat % 2] -= left[seat]
    assert settle(order, captured, left) == (wanted, name)


def test_a_side_can_end_below_nothing() -> None:
    assert settle((0, 2), [50, 0, 20, 0], [0, 20, 0, 10])[0] == [100, -60]


@pytest.mark.parametrize("order", list(permutations(range(4), 3)))
def test_camps(order: tuple[int, ...]) -> None:
    captured = [60, 45, 30, 35]
    if order[0] % 2 == order[1] % 2:
        winners = order[0] % 2
        left = [0 if seat in order[:2] else 15 for seat in range(4)]
        wanted = [200, 0] if winners == 0 else [0, 200]
        found = settle(order[:2], captured, left, rule_set="two-packs")
        assert found == (wanted, "双抓")
        return
    left = [0 if seat in order else 30 for seat in range(4)]
    wanted = [60 + 30, 45 + 35]
    wanted[order[2] % 2] += 30
    assert settle(order, captured, left, rule_set="two-packs")[0] == wanted


def test_either_settlement_can_be_used_with_either_packs() -> None:
    order, captured, left = (0, 1, 2), [30, 20, 20, 10], [0, 0, 0, 20]
    camp, deduct = {"settlement": "camp"}, {"settlement": "deduct"}
    assert settle(order, captured, left, options=camp)[0] == [70, 30]
    assert settle(order, captured, left)[0] == [65, -5]
    two = {"rule_set": "two-packs"}
    assert settle(order, captured, left, **two)[0] == [70, 30]
    assert settle(order, captured, left, **two, options=deduct)[0] == [65, -5]


def test_whole_order_of_four_is_taken_as_well() -> None:
    assert settle((0, 1, 2, 3), [30, 20, 20, 10], [0, 0, 0, 20])[1] == "单抓"


# wushik-20: the match


@pytest.mark.parametrize(
    ("before", "winners", "clause"),
    [
        ((900, 900), None, None),
        ((960, 900), (0, 2), "wushik-20"),
        ((955, 900), None, None),
        ((700, 970), (1, 3), "wushik-20"),
        ((965, 970), None, "wushik-20"),
        ((1000, 1040), (1, 3), "wushik-20a"),
        ((1005, 1005), None, "wushik-20a"),
    ],
)
def test_the_match(
    before: tuple[int, int], winners: tuple[int, ...] | None, clause: str | None
) -> None:
    # 保, nothing paid: one side took the four tens, the other the four kings, 40 each.
    playing = wushik()
    state = ClimbingState(
        match=LeadMatch(players=4, scores=before * 2, target=1000),
        hands=((), (), read_cards("S3"), ()),
        turn=None,
        out=(0, 1, 3),
        taken=(read_cards("S10 H10 D10 C10"), read_cards("SK HK DK CK"), (), ()),
    )
    result = playing.result(state)
    assert result is not None
    assert result.scores == (40, 40, 40, 40)
    assert result.match_winners == winners
    cites = [reason.clause for reason in result.reasons if reason.clause.startswith("wushik-20")]
    assert cites == ([clause] if clause else [])


def test_the_first_out_leads_the_next_deal_and_scores_go_on() -> None:
    playing = wushik()
    state = playing.deal(playing.new_match(4, "next"))
    while state.turn is not None:
        state = playing.apply(state, playing.robot(state))
    result = playing.result(state)
    assert result is not None
    following = playing.next_deal(state)
    assert following.turn == state.out[0]
    assert following.match.scores == result.scores


# Questions that are none


@pytest.mark.parametrize(
    ("check", "question", "field"),
    [
        ("classify", {"cards": ["S3 S3"]}, "cards"),
        ("classify", {"cards": []}, "cards"),
        ("classify", {"cards": ["DW"]}, "cards"),
        ("classify", {"cards": ["S3 S3 S3"], "rule_set": "two-packs"}, "cards"),
        ("beats", {"table": ["S3 H4"], "play": ["S5"]}, "table"),
        ("beats", {"table": [], "play": ["S5"]}, "table"),
        ("beats", {"table": ["S3"], "play": []}, "play"),
        ("beats", {"table": ["S3"], "play": ["S3"]}, "play"),
        ("moves", {"hand": ["S3"], "table": ["S4 H5"]}, "table"),
        ("moves", {"hand": [], "table": []}, "hand"),
        ("settle", {"order": [0, 1], "captured": [0] * 4, "left": [0] * 4}, "order"),
        ("settle", {"order": [0, 0, 2], "captured": [0] * 4, "left": [0] * 4}, "order[1]"),
        ("settle", {"order": [0, 2], "captured": [0] * 4, "left": [5, 0, 0, 0]}, "left[0]"),
        ("settle", {"order": [0, 2], "captured": [100, 5, 0, 0], "left": [0] * 4}, "captured"),
        ("settle", {"order": [0, 2], "captured": [3, 0, 0, 0], "left": [0] * 4}, "captured[0]"),
        ("settle", {"order": [0, 2], "captured": [0] * 3, "left": [0] * 4}, "captured"),
    ],
)
def test_bad_questions_name_the_field(check: str, question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as caught:
        api.check("wushik", check, question)
    assert caught.value.place == field
    assert api.refusal(caught.value)["text"].startswith(field)


def test_a_standing_must_be_one_of_two_sides() -> None:
    record = {"game": "wushik", "players": 4, "match": {"scores": [5, 0, 0, 0]}}
    with pytest.raises(BadInput) as caught:
        api.replay(record)
    assert caught.value.place == "match.scores"


def test_every_answer_names_the_rules_in_force() -> None:
    said = ask("classify", cards=["S3"], rule_set="two-packs")
    assert (said["rule_set"], said["options"]["settlement"]) == ("two-packs", "camp")
    assert ask("classify", cards=["S3"])["options"] == {
        "settlement": "deduct",
        "inherit": "partner",
    }
