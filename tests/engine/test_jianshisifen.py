"""捡十四分, from the rulebook: values, takes, scores, and whole deals."""

import random
from typing import Any

import pytest

from engine import api
from engine.cards import read_cards
from engine.families.fishing import FishState
from engine.game import Deal, Move
from engine.games.jianshisifen import Jianshisifen
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

# Written out once more from the rulebook, to check the data by (jianshisifen-02, -13, -14).
VALUES = {"DW": 1, "XW": 1, "A": 1, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 11)}
POINTS = {"S": 4, "H": 3, "D": 2, "C": 1, "": 0}


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("jianshisifen", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("jianshisifen", check, question)["reasons"]]


def test_what_every_card_counts_and_is_worth() -> None:
    for card in game("jianshisifen").pack(6):
        answer = {"value": VALUES[card.rank], "points": POINTS[card.suit]}
        assert ask("value", card=card) == answer


@pytest.mark.parametrize(
    ("hand", "table", "pairs", "best"),
    [
        ("SJ H6 CA", "D3 S8 HK C9", [["SJ", "D3"], ["H6", "S8"], ["CA", "HK"]], ["H6", "S8"]),
        ("SK", "DA DW XW CA", [["SK", "DA"], ["SK", "CA"], ["SK", "DW"], ["SK", "XW"]],
         ["SK", "DA"]),
        ("DW", "SK HK SQ", [["DW", "SK"], ["DW", "HK"]], ["DW", "SK"]),
        ("S7 H7", "D7 C7", [["S7", "D7"], ["S7", "C7"], ["H7", "D7"], ["H7", "C7"]],
         ["S7", "D7"]),
        ("S7 H7", "D6 C8", [], None),  # 13 and 15; two cards of the hand take nothing
        ("S7 SA", "", [], None),
    ],
)  # fmt: skip
def test_which_pairs_make_fourteen(
    hand: str, table: str, pairs: list[list[str]], best: list[str] | None
) -> None:  # jianshisifen-07
    answer = ask("takes", hand=hand, table=table)
    assert answer == {"pairs": pairs, "best": best}
    turned = ask("takes", hand=list(read_cards(hand))[::-1], table=list(read_cards(table))[::-1])
    assert turned == answer


def test_takes_against_trying_all_pairs() -> None:
    pack = game("jianshisifen").pack(6)
    rng = random.Random(14)
    for _ in range(200):
        cards = rng.sample(pack, 13)
        hand, table = cards[:6], cards[6:]
        answer = ask("takes", hand=hand, table=table)
        pairs = [[a, b] for a in hand for b in table if VALUES[a.rank] + VALUES[b.rank] == 14]
        assert sorted(answer["pairs"]) == sorted(pairs)
        worth = [POINTS[a.suit] + POINTS[b.suit] for a, b in answer["pairs"]]
        if pairs:
            best = answer["pairs"].index(answer["best"])
            assert worth[best] == max(worth)


def test_who_can_take_must_unless_agreed() -> None:  # jianshisifen-10
    assert "jianshisifen-10" in cites("takes", hand="SJ", table="D3")
    texts = []
    for value in ("on", "off"):
        said = api.check(
            "jianshisifen", "takes",
            {"hand": "SJ", "table": "D3", "options": {"must_take": value}},
        )  # fmt: skip
        texts.append([r["text"] for r in said["reasons"] if r["clause"] == "jianshisifen-10"])
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("pairs", "points"),
    [
        ([], 0),
        (["SJ D3"], 6),
        (["SK DW"], 4),
        (["SJ D3", "CA HK"], 10),
        (["S7 H7", "D7 C7"], 10),
    ],
)
def test_scores(pairs: list[str], points: int) -> None:  # jianshisifen-13, -14
    assert ask("score", pairs=[list(read_cards(p)) for p in pairs]) == {"points": points}


def test_a_pack_is_worth_130() -> None:  # 13 × (4 + 3 + 2 + 1), jokers nothing
    playing = game("jianshisifen")
    assert isinstance(playing, Jianshisifen)
    assert playing.worth(playing.pack(6)) == 130


@pytest.mark.parametrize(
    ("check", "question", "place"),
    [
        ("score", {"pairs": [["SJ", "D3"], ["SJ", "H3"]]}, "pairs[1]"),
        ("score", {"pairs": [["SJ", "D4"]]}, "pairs[0]"),
        ("score", {"pairs": [["SJ"]]}, "pairs[0]"),
        ("takes", {"hand": ["SJ"], "table": ["SJ"]}, "table"),
        ("takes", {"hand": [], "table": ["SJ"]}, "hand"),
        ("takes", {"hand": ["SJ"]}, "table"),
        ("value", {"card": ["SJ", "S3"]}, "card"),
        ("takes", {"hand": ["SJ"], "table": [], "options": {"must_take": "no"}},
         "options.must_take"),
    ],
)  # fmt: skip
def test_bad_questions_name_the_field(check: str, question: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refused:
        ask(check, **question)
    assert refused.value.place == place


# Whole deals


@pytest.mark.parametrize(("players", "hand", "table"), [(3, 6, 4), (4, 5, 5), (5, 4, 6), (6, 3, 7)])
def test_hands_and_table(players: int, hand: int, table: int) -> None:  # jianshisifen-03, -04
    playing = game("jianshisifen")
    state = playing.deal(playing.new_match(players, "x"))
    assert [len(h) for h in state.hands] == [hand] * players
    assert len(state.open_cards) == table
    assert len(state.stock) == 54 - players * hand - table
    cited = [e.clause for e in state.events]
    assert cited.count("jianshisifen-04") == (players in (3, 6))
    assert cited.count("jianshisifen-03") == 2 - (players in (3, 6))


@pytest.mark.parametrize("players", [2, 7])
def test_other_numbers_of_players_are_refused(players: int) -> None:  # jianshisifen-01
    with pytest.raises(BadInput, match="players"):
        game("jianshisifen").new_match(players)


def test_the_player_before_the_dealer_draws_first_and_begins() -> None:  # jianshisifen-05, -06
    playing = game("jianshisifen")
    match = playing.new_match(4)
    cards = playing.pack(4)
    dealt = playing.divide(cards, match)
    assert dealt.hands[3][0] == cards[0]
    assert dealt.hands[0][0] == cards[1]
    assert playing.start(dealt, match).turn == 3


def opened(
    hands: list[str], table: str, stock: str, **options: str
) -> tuple[Jianshisifen, FishState]:
    """A state with these cards only, seat 0 to move: for the rules of a turn."""
    playing = game("jianshisifen", "", options)
    assert isinstance(playing, Jianshisifen)
    match = playing.new_match(len(hands))
    state = FishState(
        match=match,
        hands=tuple(read_cards(h) for h in hands),
        open_cards=read_cards(table),
        stock=read_cards(stock),
        pairs=((),) * len(hands),
        turn=0,
    )
    return playing, state


def after(playing: Jianshisifen, state: FishState, *moves: str) -> FishState:
    for text in moves:
        state = playing.apply(state, Move.parse(text))
    return state


def refused(playing: Jianshisifen, state: FishState, move: str) -> str:
    """The clause that forbids the move."""
    with pytest.raises(IllegalMove) as error:
        playing.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


def test_after_a_take_two_are_drawn_and_one_is_laid() -> None:  # jianshisifen-07, -08
    playing, state = opened(["SJ H6", "S2 S3", "S4 S5"], "D3 S8 C9", "HK HA D4")
    assert refused(playing, state, "take SJ S8") == "jianshisifen-07"  # 19
    assert refused(playing, state, "take SJ H3") == "jianshisifen-07"  # not on the table
    assert refused(playing, state, "take DJ D3") == "jianshisifen-07"  # not in the hand
    assert refused(playing, state, "take SJ D3 S8") == "jianshisifen-07"
    state = after(playing, state, "take SJ D3")
    assert state.pairs[0] == ("SJ", "D3")
    assert state.hands[0] == ("H6", "HK", "HA")
    assert refused(playing, state, "take H6 S8") == "jianshisifen-07"  # one pair a turn
    assert refused(playing, state, "lay SJ") == "jianshisifen-08"  # out of play
    state = after(playing, state, "lay HK")
    assert state.open_cards == ("S8", "C9", "HK")
    assert state.turn == 1


def test_without_a_take_one_is_drawn_which_takes_nothing() -> None:  # jianshisifen-09, -10
    playing, state = opened(["SJ H6", "S2 S3", "S4 S5"], "D4 C9", "C5 HK")
    assert [str(m) for m in playing.legal_moves(state)] == ["draw"]
    state = after(playing, state, "draw")
    assert state.hands[0] == ("SJ", "H6", "C5")
    assert refused(playing, state, "take C5 C9") == "jianshisifen-10"
    assert refused(playing, state, "draw") == "jianshisifen-09"
    assert after(playing, state, "lay C5").open_cards == ("D4", "C9", "C5")


def test_who_can_take_must() -> None:  # jianshisifen-10
    playing, state = opened(["SJ H6", "S2 S3", "S4 S5"], "D3 C9", "C5 HK")
    assert refused(playing, state, "draw") == "jianshisifen-10"
    free, state = opened(["SJ H6", "S2 S3", "S4 S5"], "D3 C9", "C5 HK", must_take="off")
    assert [str(m) for m in free.legal_moves(state)] == ["draw", "take SJ D3"]
    assert free.apply(state, Move("draw")).phase == "lay"


def test_a_short_stock_gives_what_it_has_and_the_turn_is_finished() -> None:
    playing, state = opened(["SJ H6", "S2 S3", "S4 S5"], "D3 C9", "C5")  # jianshisifen-11, -12
    state = after(playing, state, "take SJ D3")
    assert [e.clause for e in state.events] == ["jianshisifen-08", "jianshisifen-12"]
    assert state.hands[0] == ("H6", "C5")
    assert playing.result(state) is None
    state = after(playing, state, "lay H6")
    assert state.turn is None
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.winners) == ((6, 0, 0), (0,))
    assert {"jianshisifen-11", "jianshisifen-12"} <= {r.clause for r in result.reasons}


def ended(points: list[str], **options: str) -> tuple[tuple[int, ...], tuple[int, ...], list[str]]:
    """Scores, winners and cited clauses of a deal that ended with these cards in pairs."""
    playing, state = opened([""] * len(points), "", "", **options)
    pairs = tuple(read_cards(p) for p in points)
    state = FishState(match=state.match, hands=state.hands, open_cards=(), pairs=pairs, turn=None)
    result = playing.result(state)
    assert result is not None
    return result.scores, result.winners, [r.clause for r in result.reasons]


def test_equal_totals_share_the_win() -> None:  # jianshisifen-14
    scores, winners, cited = ended(["SJ D3", "S3 DJ", "CK DW"])
    assert (scores, winners) == ((6, 6, 1), (0, 1))
    assert "jianshisifen-14" in cited


def test_partners_add_their_totals() -> None:  # jianshisifen-14
    pairs = ["SJ D3", "HK HA", "CK DW", "S3 CJ"]  # 6, 6, 1, 5
    assert ended(pairs)[:2] == ((6, 6, 1, 5), (0, 1))
    assert ended(pairs, partners="on")[:2] == ((7, 11, 7, 11), (1, 3))
    six = [*pairs, "SK SA", "D7 D2"]  # 8, 4
    assert ended(six, partners="on")[:2] == ((15,) * 6, (0, 1, 2, 3, 4, 5))
    assert ended(six[:5], partners="on")[:2] == ((6, 6, 1, 5, 8), (4,))  # an odd number cannot


def test_given_hands_are_dealt_as_given() -> None:
    playing = game("jianshisifen")
    pack = playing.pack(3)
    match = playing.new_match(3)
    hands = (pack[:6], pack[6:12], pack[12:18])
    deal = Deal(hands, pack[18:])
    playing.check_deal(deal, match)
    state = playing.start(deal, match)
    assert (state.hands, state.open_cards, state.stock) == (hands, pack[18:22], pack[22:])
