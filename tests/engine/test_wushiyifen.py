"""五十一分, from the rulebook: hands, comparing, revealing, and whole deals."""

import random
from itertools import combinations
from typing import Any

import pytest

from engine import api
from engine.cards import Card, read_cards
from engine.game import Deal, Move
from engine.games.wushiyifen import Wushiyifen, WushiyifenState
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

# Points as the rulebook says them (wushiyifen-02), written out once more to check the data by.
PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "DW": 10, "XW": 10} | {str(n): n for n in range(2, 11)}


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("wushiyifen", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("wushiyifen", check, question)["reasons"]]


def hand(text: str) -> list[str]:
    return list(read_cards(text))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("SA SK SQ SJ S10", 51),
        ("S2 S3 S4 S5 S6", 20),
        ("HA HK HQ H7 H3", 41),
        ("HA HK HQ H7 S3", 0),  # one card of another suit spoils it
        ("DW HA HK HQ H7", 48),
        ("DW XW HA HK HQ", 51),  # both jokers
        ("DW XW H2 H3 H4", 29),  # a joker is 10, never 11
        ("DW XW H2 H3 S4", 0),
    ],
)
def test_what_a_hand_is_worth(cards: str, points: int) -> None:  # wushiyifen-02, -03
    answer = {"points": points, "may_reveal": points > 40}
    assert ask("hand", cards=hand(cards)) == answer
    assert ask("hand", cards=hand(cards)[::-1]) == answer


def test_any_suit_adds_up_every_hand() -> None:  # wushiyifen-08
    pack = game("wushiyifen").pack(5)
    rng = random.Random(51)
    for _ in range(300):
        cards = rng.sample(pack, 5)
        points = sum(PIPS[c.rank] for c in cards)
        answer = ask("hand", cards=cards, rule_set="any-suit")
        assert answer == {"points": points, "may_reveal": points >= 41}
        suits = {c.suit for c in cards if c.suit}
        one_suit = points if len(suits) == 1 else 0
        assert ask("hand", cards=cards) == {"points": one_suit, "may_reveal": one_suit >= 41}


def test_no_hand_of_one_suit_is_worth_more_than_51() -> None:  # wushiyifen-02
    cards = [c for c in game("wushiyifen").pack(5) if c.suit in ("S", "")]
    playing = game("wushiyifen")
    assert isinstance(playing, Wushiyifen)
    assert max(playing.points(five) for five in combinations(cards, 5)) == 51
    assert playing.figures()["most"] == 51


@pytest.mark.parametrize(
    ("option", "cards", "may"),
    [
        ("41", "DA DK D8 D6 D5", False),  # 40
        ("41", "DA DK D8 D7 D5", True),  # 41
        ("40", "DA DK D8 D6 D5", True),
        ("40", "DA DK D7 D6 D5", False),  # 39
    ],
)
def test_from_how_many_points_one_reveals(option: str, cards: str, may: bool) -> None:
    answer = ask("hand", cards=hand(cards), options={"reveal_min": option})  # wushiyifen-04
    assert answer["may_reveal"] is may


@pytest.mark.parametrize(
    ("a", "b", "winner"),
    [
        ("HA HK HQ H9 H8", "SA SK SQ SJ S2", "a"),
        ("H2 H3 H4 H5 H6", "SA HK SQ SJ S2", "a"),  # 20 against nothing
        ("HA HK HQ H7 DW", "SA SK SQ SJ S7", "b"),  # 48 each, one with a joker
        ("SA SK SQ SJ S7", "HA HK HQ H7 DW", "a"),
        ("HA HK HQ H8 H6", "SA SK SJ S9 S5", None),  # 45 each, both without
        ("HA HK H7 H6 DW", "SA SQ S8 S5 XW", None),  # 44 each, both with
        ("HA HQ H7 DW XW", "SA SK SQ S7 S10", "b"),  # two jokers are no better than one
    ],
)
def test_comparing(a: str, b: str, winner: str | None) -> None:  # wushiyifen-09, -10
    assert ask("compare", a=hand(a), b=hand(b)) == {"winner": winner}
    other = {"a": "b", "b": "a", None: None}[winner]
    assert ask("compare", a=hand(b)[::-1], b=hand(a)[::-1]) == {"winner": other}


def test_equal_points_cite_the_joker_clauses() -> None:
    assert "wushiyifen-09" in cites("compare", a=hand("HA HK HQ H7 DW"), b=hand("SA SK SQ SJ S7"))
    tie = cites("compare", a=hand("HA HK HQ H8 H6"), b=hand("SA SK SJ S9 S5"))
    assert {"wushiyifen-09", "wushiyifen-10"} <= set(tie)


H43, H44, H48 = "HA HK HQ H9 H3", "HA HK HQ H9 H4", "HA HK HQ H9 H8"
S43, S44, S48 = "SA SK SQ SJ S2", "SA SK SQ S9 S4", "SA SK SQ SJ S7"
S48_JOKER = "SA SK SQ S7 DW"
LOW = "D2 D3 D4 D5 D6"


@pytest.mark.parametrize(
    ("mode", "challenger", "hands", "writes", "winner"),
    [
        # open (wushiyifen-05): nobody higher, somebody higher, somebody equal
        ("open", None, [H44, S43, LOW], [44, 0, 0], 0),
        ("open", None, [H43, S44, LOW], [0, 44, 0], 1),
        ("open", None, [H43, LOW, S48], [0, 0, 48], 2),
        ("open", None, [H44, S44], [44, 44], None),
        ("open", None, [S48_JOKER, H48], [0, 48], 1),
        ("open", None, [H48, S48_JOKER], [48, 0], 0),
        # closed (wushiyifen-06): higher, lower, nobody, equal
        ("closed", 1, [H43, S48], [0, 96], 1),
        ("closed", 1, [H48, S43], [91, 0], 0),
        ("closed", None, [H43, S48], [43, 0], 0),
        ("closed", 1, [H44, S44], [44, 44], None),
        ("closed", 1, [S48_JOKER, H48], [0, 96], 1),
        ("closed", 1, [H48, S48_JOKER], [96, 0], 0),
        # only the one challenger counts (wushiyifen-07)
        ("closed", 2, [H44, S48, "DA DK DQ D9 D3"], [44 + 43, 0, 0], 0),
    ],
)
def test_who_writes_what(
    mode: str, challenger: int | None, hands: list[str], writes: list[int], winner: int | None
) -> None:
    answer = ask("reveal", mode=mode, revealer=0, challenger=challenger,
                 hands=[hand(h) for h in hands])  # fmt: skip
    assert answer == {"writes": writes, "winner": winner}


def test_the_revealer_sits_anywhere() -> None:
    hands = [hand(S44), hand(LOW), hand(H43)]
    assert ask("reveal", mode="open", revealer=2, hands=hands) == {"writes": [44, 0, 0],
                                                                   "winner": 0}  # fmt: skip
    answer = ask("reveal", mode="closed", revealer=2, challenger=0, hands=hands)
    assert answer == {"writes": [88, 0, 0], "winner": 0}


def test_a_hand_below_the_threshold_is_refused() -> None:  # wushiyifen-07
    for revealer, challenger, place in ((1, None, "hands[1]"), (0, 1, "hands[1]")):
        with pytest.raises(BadInput) as refused:
            ask("reveal", mode="closed", revealer=revealer, challenger=challenger,
                hands=[hand(H44), hand(LOW)])  # fmt: skip
        assert refused.value.place == place
    with pytest.raises(BadInput, match="challenger"):
        ask("reveal", mode="closed", revealer=0, challenger=0, hands=[hand(H44), hand(LOW)])
    with pytest.raises(BadInput, match="revealer"):
        ask("reveal", mode="open", revealer=2, hands=[hand(H44), hand(LOW)])


@pytest.mark.parametrize(
    ("rule_set", "cards", "discard", "points"),
    [
        ("flush", "HA HK HQ H9 H8 S3", "S3", 48),
        ("flush", "HA HK HQ H9 H8 H3", "H3", 48),
        ("flush", "HA HK HQ H9 S8 DW", "S8", 50),
        ("flush", "SA SK SQ SJ S10 DW", "DW", 51),  # as many points, and no joker (-09)
        ("any-suit", "HA SK DQ C9 H8 S3", "S3", 48),
        ("any-suit", "HA SK DQ CJ H10 XW", "XW", 51),
    ],
)
def test_the_best_discard(rule_set: str, cards: str, discard: str, points: int) -> None:
    answer = ask("best_discard", cards=hand(cards), rule_set=rule_set)
    assert answer == {"discard": discard, "points": points}


def test_no_other_discard_leaves_more() -> None:
    rng = random.Random(6)
    for rule_set in ("flush", "any-suit"):
        playing = game("wushiyifen", rule_set)
        assert isinstance(playing, Wushiyifen)
        suited = [c for c in playing.pack(5) if c.suit in ("H", "")]
        for _ in range(200):
            six = tuple(rng.sample(suited if rng.random() < 0.5 else playing.pack(5), 6))
            best = max(playing.points(five) for five in combinations(six, 5))
            assert ask("best_discard", cards=list(six), rule_set=rule_set)["points"] == best


@pytest.mark.parametrize(
    ("check", "question", "place"),
    [
        ("hand", {"cards": ["HA", "HK", "HQ", "H9"]}, "cards"),
        ("hand", {"cards": ["HA", "HA", "HQ", "H9", "H8"]}, "cards"),
        ("hand", {"cards": ["HA", "HK", "HQ", "H9", "DW", "XW"]}, "cards"),
        ("compare", {"a": hand(H44), "b": hand(H48)}, "b"),  # cards that are in the other hand
        ("best_discard", {"cards": hand(H44)}, "cards"),
        ("hand", {"cards": hand(H44), "rule_set": "no-such"}, "rule_set"),
        ("hand", {"cards": hand(H44), "options": {"reveal_min": "39"}}, "options.reveal_min"),
    ],
)
def test_bad_questions_name_the_field(check: str, question: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refused:
        ask(check, **question)
    assert refused.value.place == place


# Whole deals


def opened(
    hands: list[str], stock: str, rule_set: str = "flush", **options: str
) -> tuple[Wushiyifen, WushiyifenState]:
    """A deal from given hands, whose stock begins as given and goes on with the other cards."""
    playing = game("wushiyifen", rule_set, options)
    assert isinstance(playing, Wushiyifen)
    dealt = tuple(read_cards(h) for h in hands)
    top = read_cards(stock)
    gone = {*top, *(c for h in dealt for c in h)}
    rest = tuple(c for c in playing.pack(len(hands)) if c not in gone)
    match = playing.new_match(len(hands))
    return playing, playing.start(Deal(dealt, top + rest), match)


def after(playing: Wushiyifen, state: WushiyifenState, *moves: str) -> WushiyifenState:
    for text in moves:
        state = playing.apply(state, Move.parse(text))
    return state


def refused(playing: Wushiyifen, state: WushiyifenState, move: str) -> str:
    """The clause that forbids the move."""
    with pytest.raises(IllegalMove) as error:
        playing.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


def test_hands_stay_at_five_and_the_first_player_only_draws() -> None:  # wushiyifen-01
    playing, state = opened(["HA HK HQ H9 C4", "SA SK S9 S7 D3"], "C6 D8")
    assert state.turn == 1
    assert [str(m) for m in playing.legal_moves(state)] == ["draw"]
    assert refused(playing, state, "take C6") == "wushiyifen-01"
    state = after(playing, state, "draw")
    assert state.hands[1][-1] == "C6"
    assert refused(playing, state, "draw") == "wushiyifen-01"
    assert refused(playing, state, "lay HA") == "wushiyifen-01"
    state = after(playing, state, "lay C6")
    assert [len(h) for h in state.hands] == [5, 5]
    assert [str(m) for m in playing.legal_moves(state)] == ["draw", "take C6"]
    state = after(playing, state, "take C6")
    assert "C6" in state.hands[0]
    assert state.laid == ((), ())


def test_only_the_card_just_laid_before_is_taken() -> None:  # wushiyifen-01
    playing, state = opened(["HA HK HQ H9 C4", "SA SK S9 S7 D3", "DK DJ C10 C8 H2"], "C6 D8")
    state = after(playing, state, "draw", "lay C6", "draw", "lay H2")
    assert refused(playing, state, "take C6") == "wushiyifen-01"
    assert "H2" in after(playing, state, "take H2").hands[0]


def test_a_round_of_taking_is_followed_by_drawing() -> None:  # wushiyifen-01a
    playing, state = opened(["HA H9 H5 S7 C4", "SA SQ S8 S4 H10"], "D2 HK")
    state = after(playing, state, "draw", "lay H10", "take H10", "lay S7", "take S7", "lay D2")
    assert refused(playing, state, "take D2") == "wushiyifen-01a"
    state = after(playing, state, "draw", "lay C4")
    assert Move.parse("take C4") in playing.legal_moves(state)


def test_five_laid_cards_are_set_aside_and_not_taken() -> None:  # wushiyifen-11
    playing, state = opened(["HA HK HQ H9 C4", "SA SK S9 S7 D3"], "")
    for turn in range(8):
        assert len(state.laid[1]) == (turn + 1) // 2
        seat = state.turn
        assert seat is not None
        state = after(playing, state, "draw")
        state = after(playing, state, f"lay {state.hands[seat][-1]}")
    assert [len(pile) for pile in state.laid] == [4, 4]
    state = after(playing, state, "draw")
    state = after(playing, state, f"lay {state.hands[1][-1]}")
    assert [len(pile) for pile in state.laid] == [4, 0]
    assert len(state.aside) == 5
    assert refused(playing, state, f"take {state.aside[-1]}") == "wushiyifen-11"
    assert [e.clause for e in state.events] == ["wushiyifen-11"]


def test_revealing_needs_the_points_and_the_time() -> None:  # wushiyifen-07, -14
    playing, state = opened(["HA HK HQ H9 C4", "SA SK SQ S7 D3"], "S2 H4")
    assert refused(playing, state, "open D3") == "wushiyifen-14"
    state = after(playing, state, "draw")  # 11 + 10 + 10 + 7 + 2 = 40
    assert refused(playing, state, "open D3") == "wushiyifen-07"
    assert refused(playing, state, "closed D3") == "wushiyifen-07"
    forty, state = opened(["HA HK HQ H9 C4", "SA SK SQ S7 D3"], "S2 H4", reveal_min="40")
    assert after(forty, after(forty, state, "draw"), "open D3").revealer == 1


def test_an_open_reveal_beaten_by_a_higher_hand() -> None:  # wushiyifen-05
    playing, state = opened(["HA HK HQ H9 H4", "SA SK SQ S7 D3", "DA DK DQ DJ D5"], "S5")
    state = after(playing, state, "draw", "open D3")  # 43 against 44 and 46
    assert state.turn == 2
    assert playing.view(state, 0).hands[1].cards == playing.sorted(state.hands[1])
    state = after(playing, state, "show")
    assert refused(playing, state, "show") == "wushiyifen-05"  # 44 does not beat the 46 shown
    state = after(playing, state, "pass")
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.winners) == ((0, 0, 46), (2,))


def test_a_higher_hand_need_not_be_shown() -> None:  # wushiyifen-05
    playing, state = opened(["HA HK HQ H9 H4", "SA SK SQ S7 D3"], "S5")
    state = after(playing, state, "draw", "open D3", "pass")
    result = playing.result(state)
    assert result is not None
    assert result.scores == (0, 43)
    assert playing.view(state, 1).hands[0].cards == (None,) * 5


def test_equal_hands_shown_each_write_their_own() -> None:  # wushiyifen-09
    playing, state = opened(["HA HK HQ H9 H3", "SA SK SQ S7 D3"], "S5")
    state = after(playing, state, "draw", "open D3", "show")
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.winners) == ((43, 43), ())


def test_a_joker_cannot_be_shown_against_a_pure_hand_of_the_same_points() -> None:
    playing, state = opened(["HA HK DW H9 H3", "SA SK SQ S7 D3"], "S5")  # wushiyifen-09
    state = after(playing, state, "draw", "open D3")
    assert refused(playing, state, "show") == "wushiyifen-09"


def test_a_closed_reveal_hides_the_hand_until_it_is_answered() -> None:  # wushiyifen-06
    playing, state = opened(["HA HK HQ H9 H4", "SA SK SQ S7 D3", "DA DK DQ DJ C5"], "S5")
    state = after(playing, state, "draw", "closed D3")
    assert playing.view(state, 0).hands[1].cards == (None,) * 5
    assert refused(playing, state, "challenge") == "wushiyifen-07"  # no flush
    state = after(playing, state, "pass")
    assert refused(playing, state, "show") == "wushiyifen-06"
    beaten = after(playing, state, "challenge")
    result = playing.result(beaten)
    assert result is not None
    assert (result.scores, result.winners) == ((88, 0, 0), (0,))
    assert playing.view(beaten, 2).hands[1].cards == playing.sorted(beaten.hands[1])
    unanswered = playing.result(after(playing, state, "pass"))
    assert unanswered is not None
    assert (unanswered.scores, unanswered.winners) == ((0, 43, 0), (1,))


def test_the_first_to_challenge_is_the_only_one() -> None:  # wushiyifen-07
    playing, state = opened(["HA HK HQ H9 H4", "SA SK SQ S7 D3", "DA DK DQ D7 D4"], "S5")
    state = after(playing, state, "draw", "closed D3", "challenge")  # 43 against 42
    result = playing.result(state)
    assert result is not None
    assert result.scores == (0, 85, 0)  # the 44 of seat 0 is not asked any more


def test_a_deal_without_a_reveal_is_void() -> None:  # wushiyifen-12
    playing, state = opened(["HA HK HQ H9 C4", "SA SK S9 S7 D3"], "")
    turns = 0
    while state.turn is not None:
        seat, turns = state.turn, turns + 1
        state = after(playing, state, "draw")
        state = after(playing, state, f"lay {state.hands[seat][-1]}")
    assert turns == 54 - 10
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.winners, result.match_winners) == ((0, 0), (), None)
    following = playing.next_deal(state)
    assert following.match.deal_no == 2
    assert following.match.dealer == state.match.dealer


def test_first_to_the_agreed_total_wins() -> None:  # wushiyifen-13
    for target, winners in ((None, (0,)), (206, (0,)), (207, None)):
        record: dict[str, Any] = {
            "game": "wushiyifen", "players": 2, "target": target,
            "hands": ["HA HK HQ H9 H8", "SA SK SQ S7 D3"],
            "match": {"scores": [110, 150]},
        }  # fmt: skip
        first = ["S5", *(c for c in game("wushiyifen").pack(2)
                         if c != "S5" and c not in " ".join(record["hands"]).split())]  # fmt: skip
        record |= {"stock": " ".join(first), "moves": ["draw", "closed D3", "challenge"]}
        result = api.replay(record)["result"]
        assert result["totals"] == [206, 150]  # 110 + 2 × 48
        assert result["match_winners"] == (list(winners) if winners else None)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_is_dealt_five_from_the_seat_after_the_dealer(players: int) -> None:
    playing = game("wushiyifen")
    cards = playing.pack(players)
    dealt = playing.divide(cards, playing.new_match(players))
    assert [len(h) for h in dealt.hands] == [5] * players
    assert dealt.hands[1 % players][0] == cards[0]
    assert dealt.hands[0][-1] == cards[5 * players - 1]
    assert dealt.stock == cards[5 * players :]
    assert Card("DW") in cards
    assert len(cards) == 54
