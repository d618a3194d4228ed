"""憋7, from the rulebook: each check at its edges, borrowing, the live joker, and that deals end."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.cards import Card, Cards, read_cards
from engine.game import Deal, Move
from engine.games.bieqi import Bieqi, BieqiMatch, BieqiState
from engine.record import Record, opening
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

LIVE = "live-joker"


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("bieqi", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("bieqi", check, question)["reasons"]]


def refused(check: str, **question: Any) -> str:
    with pytest.raises(BadInput) as error:
        api.check("bieqi", check, question)
    return error.value.place


def playing(rule_set: str = "") -> Bieqi:
    found = game("bieqi", rule_set)
    assert isinstance(found, Bieqi)
    return found


def dealt(hands: list[str], rule_set: str = "", **changes: Any) -> tuple[Bieqi, BieqiState]:
    """A deal as it stands with these hands (the rest of the pack left aside) and these changes."""
    bieqi = playing(rule_set)
    cards = tuple(read_cards(hand) for hand in hands)
    state = bieqi.start(Deal(((bieqi.first,), *cards[1:])), bieqi.new_match(len(hands)))
    return bieqi, replace(state, hands=cards, events=(), **changes)


def fault(bieqi: Bieqi, state: BieqiState, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        bieqi.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


# What can be laid


def test_the_pack_has_53_cards_and_one_joker() -> None:
    for players in range(2, 7):
        pack = playing().pack(players)
        assert len(pack) == len(set(pack)) == 53
        assert [c for c in pack if not c.suit] == ["DW"]


@pytest.mark.parametrize(("players", "longest"), [(2, 27), (3, 18), (4, 14), (5, 11), (6, 9)])
def test_all_cards_are_dealt_uneven_or_not(players: int, longest: int) -> None:  # bieqi-01
    state = playing().deal(playing().new_match(players, "x"))
    sizes = [len(hand) for hand in state.hands]
    assert sum(sizes) == 53
    assert (max(sizes), min(sizes)) == (longest, 53 // players)


@pytest.mark.parametrize(
    ("hand", "rows", "cards", "borrow"),
    [
        # next to either end, never past it (bieqi-04)
        ("S10 SJ S5 S4", {"S": [6, 9]}, ["S10", "S5"], False),
        ("SJ S4 SK", {"S": [6, 9]}, [], True),
        # king and ace end a row; the ace does not follow the king
        ("SK SA", {"S": [2, 12]}, ["SK", "SA"], False),
        ("SA", {"S": [3, 13]}, [], True),
        ("HK DA", {"S": [1, 13]}, [], True),
        # any other seven, but no other card of a suit that is not open (bieqi-02, -03)
        ("H7 D7 H8 D6", {"S": [7, 7]}, ["H7", "D7"], False),
        ("H8 D6 C7", {"S": [7, 7], "H": [7, 7]}, ["H8", "C7"], False),
        # the dead joker goes nowhere
        ("DW", {"S": [7, 7]}, [], True),
        ("DW S8", {"S": [7, 7]}, ["S8"], False),
    ],
)
def test_what_can_be_laid(hand: str, rows: Any, cards: list[str], borrow: bool) -> None:
    assert ask("legal", hand=[hand], rows=rows) == {"cards": cards, "borrow": borrow}


def test_the_first_card_is_the_seven_of_spades() -> None:  # bieqi-03
    assert ask("legal", hand=["S7 S8 H7"], rows={}) == {"cards": ["S7"], "borrow": False}
    assert ask("legal", hand=["S8 H7"], rows={}) == {"cards": [], "borrow": False}
    assert cites("legal", hand=["S8 H7"], rows={}) == ["bieqi-03"]


def test_borrowing_though_able_is_answered_with_its_clause() -> None:  # bieqi-05, -06
    assert "bieqi-06" in cites("legal", hand=["S8"], rows={"S": [7, 7]})
    assert "bieqi-05" in cites("legal", hand=["S9"], rows={"S": [7, 7]})


# Every place of a suit: 1 to 6 below the seven, 8 to 13 above it. From row [low, high] exactly
# low - 1 and high + 1 go, where they are on the board; there are 7 x 7 rows.
@given(low=st.integers(1, 7), high=st.integers(7, 13))
@settings(max_examples=49)
def test_from_every_row_just_the_neighbours_go(low: int, high: int) -> None:
    ranks = ["A", *(str(n) for n in range(2, 11)), "J", "Q", "K"]
    outside = [r for n, r in enumerate(ranks, 1) if not low <= n <= high]
    hand = [f"H{r}" for r in outside] + ["DW"]
    wanted = {f"H{ranks[n - 1]}" for n in (low - 1, high + 1) if 1 <= n <= 13}
    assert set(ask("legal", hand=hand, rows={"S": [7, 7], "H": [low, high]})["cards"]) == wanted


def test_cards_that_lie_on_the_table_are_not_in_the_hand() -> None:
    assert refused("legal", hand=["S8"], rows={"S": [7, 9]}) == "hand"
    assert refused("legal", hand=["S7"], rows={"S": [7, 7]}) == "hand"
    # with a live joker one card may be: the one that the joker stands for, never the first lead
    assert ask("legal", hand=["S8"], rows={"S": [7, 9]}, rule_set=LIVE)["cards"] == []
    assert refused("legal", hand=["S8 S9"], rows={"S": [7, 9]}, rule_set=LIVE) == "hand"
    assert refused("legal", hand=["S8 DW"], rows={"S": [7, 9]}, rule_set=LIVE) == "hand"
    assert refused("legal", hand=["S7"], rows={"S": [7, 9]}, rule_set=LIVE) == "hand"


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"hand": [], "rows": {}}, "hand"),
        ({"hand": ["S7"]}, "rows"),
        ({"hand": ["S8 S8"], "rows": {}}, "hand"),
        ({"hand": ["DW XW"], "rows": {"S": [7, 7]}}, "hand"),
        ({"hand": ["S8"], "rows": {"S": [8, 9]}}, "rows.S[0]"),
        ({"hand": ["S8"], "rows": {"S": [7, 14]}}, "rows.S[1]"),
        ({"hand": ["S8"], "rows": {"S": [7]}}, "rows.S"),
        ({"hand": ["S8"], "rows": {"X": [7, 7]}}, "rows.X"),
        ({"hand": ["S8"], "rows": []}, "rows"),
    ],
)
def test_what_is_no_question(question: dict[str, Any], place: str) -> None:
    assert refused("legal", **question) == place


def test_either_joker_may_be_the_one_in_use() -> None:
    answer = ask("legal", hand=["小王"], rows={"S": [7, 7]}, rule_set=LIVE)
    assert answer["cards"] == ["XW"]


# The live joker


def test_the_live_joker_stands_for_any_card_that_could_be_played() -> None:  # bieqi-11
    rows = {"S": [1, 9], "H": [7, 13]}
    answer = ask("legal", hand=["DW C2"], rows=rows, rule_set=LIVE)
    assert set(answer["joker_as"]) == {"S10", "H6", "D7", "C7"}
    assert answer["cards"] == ["DW"]
    assert answer["borrow"] is True  # using it is free (bieqi-13)
    assert ask("legal", hand=["DW C7"], rows=rows, rule_set=LIVE)["borrow"] is False


def test_the_joker_never_leads() -> None:  # bieqi-12
    bieqi, state = dealt(["S7 DW", "S8"], LIVE, turn=0)
    assert [str(m) for m in bieqi.legal_moves(state)] == ["play S7"]
    assert fault(bieqi, state, "play DW: S7") == "bieqi-03"
    assert fault(bieqi, state, "borrow") == "bieqi-06"


OPEN = ((7, 8), None, None, None)


def test_the_row_goes_on_past_the_joker_and_the_card_is_dead() -> None:  # bieqi-12
    bieqi, state = dealt(["S9 DW HA", "S10 DK D2", "C2 C3 C4"], LIVE, turn=0, rows=OPEN)
    state = bieqi.apply(state, Move.parse("play DW: S9"))
    assert state.rows[0] == (7, 9)
    assert state.dead == ("S9",)
    row = next(z for z in bieqi.table(state).zones if z.label == "row.S")
    assert row.cards == ("S7", "S8", "DW")
    state = bieqi.apply(state, Move.parse("play S10"))
    state = bieqi.apply(bieqi.apply(state, Move("borrow")), Move.parse("lend DK"))
    assert fault(bieqi, state, "play S9") == "bieqi-12"
    state = bieqi.apply(state, Move("borrow"))
    assert state.turn == 2
    assert Move.parse("lend C2") in bieqi.legal_moves(state)
    state = bieqi.apply(state, Move.parse("lend C2"))
    state = bieqi.apply(state, Move("borrow"))
    state = bieqi.apply(state, Move.parse("lend S9"))  # the dead card is lent like any other
    assert "S9" in state.hands[1]


@pytest.mark.parametrize(
    ("move", "clause"),
    [
        ("play DW", "bieqi-11"),  # it must be said what it stands for
        ("play DW: S8", "bieqi-12"),  # that place is taken
        ("play DW: SJ", "bieqi-04"),  # no skipping
        ("play DW: H8", "bieqi-02"),  # the suit is not open
        ("play DW: DW", "bieqi-11"),
        ("play DW: x", "bieqi-11"),
        ("play DW: 9", "bieqi-11"),
        ("play S9: S10", "bieqi-03"),  # only the joker stands for others
        ("play S9 DW", "bieqi-03"),
        ("play C2", "bieqi-02"),
        ("play HK", "bieqi-03"),  # not in this hand
        ("borrow", "bieqi-06"),
        ("lend S9", "bieqi-03"),
        ("pass", "bieqi-03"),
    ],
)
def test_refusals_cite_the_clause_that_forbids(move: str, clause: str) -> None:
    bieqi, state = dealt(["S9 DW C2", "HK"], LIVE, turn=0, rows=OPEN)
    assert fault(bieqi, state, move) == clause


def test_a_dead_joker_cannot_be_played() -> None:  # bieqi-02
    bieqi, state = dealt(["DW C2", "HK"], turn=0, rows=OPEN)
    assert fault(bieqi, state, "play DW") == "bieqi-02"
    assert fault(bieqi, state, "play DW: S9") == "bieqi-02"
    assert [str(m) for m in bieqi.legal_moves(state)] == ["borrow"]


def test_with_only_the_joker_to_play_one_may_borrow() -> None:  # bieqi-13
    bieqi, state = dealt(["DW C2", "HK D2"], LIVE, turn=0, rows=OPEN)
    moves = {str(m) for m in bieqi.legal_moves(state)}
    assert moves == {"borrow"} | {f"play DW: {c}" for c in ("S6", "S9", "H7", "D7", "C7")}
    assert [r.clause for r in bieqi.allows(state, Move("borrow"))] == ["bieqi-05", "bieqi-13"]


# Borrowing


def test_one_borrows_from_the_seat_before_and_plays_nothing() -> None:  # bieqi-05, -07
    bieqi, state = dealt(["C2 C3", "HK D2", "S9 DA"], turn=0, rows=OPEN)
    state = bieqi.apply(state, Move("borrow"))
    assert state.turn == 2  # the seat before 0 of three
    assert fault(bieqi, state, "lend C2") == "bieqi-07"  # not his card
    assert fault(bieqi, state, "borrow") == "bieqi-07"  # he must give one
    assert {str(m) for m in bieqi.legal_moves(state)} == {"lend S9", "lend DA"}
    state = bieqi.apply(state, Move.parse("lend S9"))
    assert state.turn == 1  # seat 0 holds the card that goes now and may not play it (bieqi-08)
    assert set(state.hands[0]) == {"C2", "C3", "S9"}


def test_a_lender_whose_last_card_goes_has_won() -> None:  # bieqi-08, -09
    bieqi, state = dealt(["C2 DW", "HK D2", "S9"], turn=0, rows=OPEN)
    state = bieqi.apply(bieqi.apply(state, Move("borrow")), Move.parse("lend S9"))
    assert state.turn is None
    assert "bieqi-08" in [e.clause for e in state.events]
    result = bieqi.result(state)
    assert result is not None
    assert result.winners == (2,)
    assert isinstance(result.match, BieqiMatch)
    assert (result.match.won, result.match.lost) == ((0, 0, 1), (1, 0, 0))


def test_the_lender_who_gives_the_joker_last_wins_and_the_borrower_loses() -> None:
    bieqi, state = dealt(["C2", "HK D2", "DW"], turn=0, rows=OPEN)
    state = bieqi.apply(bieqi.apply(state, Move("borrow")), Move.parse("lend DW"))
    result = bieqi.result(state)
    assert result is not None
    assert result.winners == (2,)
    assert isinstance(result.match, BieqiMatch)
    assert result.match.lost == (1, 0, 0)


def test_what_was_borrowed_is_not_told_to_the_others() -> None:
    bieqi, state = dealt(["C2 C3", "HK D2", "S9 DA"], turn=0, rows=OPEN)
    lent = [
        bieqi.apply(bieqi.apply(state, Move("borrow")), Move("lend", (Card(c),)))
        for c in ("S9", "DA")
    ]
    assert lent[0].events == lent[1].events
    assert bieqi.view(lent[0], 1) == bieqi.view(lent[1], 1)


@pytest.mark.parametrize(
    ("hand", "rows", "card"),
    [
        ("DW SA HK", None, "DW"),  # the dead joker first
        ("SQ HK", None, "HK"),  # further from the seven
        ("S3 S4 H2", None, "H2"),
        ("S9 HK D6", {"S": [6, 8], "D": [7, 7]}, "HK"),
        ("S9 HK", {"S": [7, 7], "H": [7, 12]}, "S9"),  # the king goes at once
    ],
)
def test_the_card_best_lent(hand: str, rows: Any, card: str) -> None:
    assert ask("lend", hand=[hand], rows=rows) == {"card": card}


def test_the_live_joker_is_kept_and_the_replaced_card_given() -> None:
    assert ask("lend", hand=["DW S6"], rule_set=LIVE) == {"card": "S6"}
    assert ask("lend", hand=["DW"], rule_set=LIVE) == {"card": "DW"}
    dead = {"hand": ["S9 HK"], "rows": {"S": [7, 10]}, "rule_set": LIVE}
    assert ask("lend", **dead) == {"card": "S9"}
    assert "bieqi-11" in cites("lend", **dead)


# The end


@pytest.mark.parametrize(
    ("rule_set", "hands", "dead", "winner", "loser"),
    [
        ("", [["S3"], [], ["DW HK"]], None, 1, 2),
        ("", [[], ["DW"]], None, 0, 1),
        ("", [["XW S2"], ["H2"], ["D2"], []], None, 3, 0),
        ("", [["S3"], [], ["DW HK"]], "DW", 1, 2),  # the joker is the dead card
        (LIVE, [["HK"], ["S9 D2"], []], "S9", 2, 1),
        (LIVE, [["HK"], ["S9 D2"], []], "HK", 2, 0),
        (LIVE, [["DW"], ["S9 D2"], []], None, 2, 0),  # the joker was never used (bieqi-12)
    ],
)
def test_who_wins_and_loses(
    rule_set: str, hands: Any, dead: str | None, winner: int, loser: int
) -> None:  # bieqi-09, -11, -12
    answer = ask("settle", rule_set=rule_set or "dead-joker", hands=hands, dead=dead)
    assert answer == {"winner": winner, "loser": loser, "winners": [winner]}


def test_borrowing_though_able_loses_at_once() -> None:  # bieqi-06
    answer = ask("settle", hands=[["S3 DW"], ["HK"], ["D2"]], dead=None, offender=1)
    assert answer == {"winner": None, "loser": 1, "winners": [0, 2]}
    assert cites("settle", hands=[["S3 DW"], ["HK"]], offender=1) == ["bieqi-06"]


def test_a_deal_is_void_after_200_turns_without_a_card() -> None:  # bieqi-10
    hands = [["HA DW"], ["H2"]]
    answer: dict[str, Any] = {"winner": None, "loser": None, "winners": []}
    assert ask("settle", hands=hands, idle=200) == answer
    assert refused("settle", hands=hands, idle=199) == "hands"
    assert refused("settle", hands=hands) == "hands"


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"hands": [[], [], ["DW"]]}, "hands"),  # the deal ended with the first out
        ({"hands": [[], ["S2"]]}, "hands"),  # somebody must hold the joker
        ({"hands": [[], ["DW XW"]]}, "hands"),
        ({"hands": [[], ["DW"]], "dead": "S9"}, "dead"),  # nothing is replaced by a dead joker
        ({"hands": [[], ["DW S9"]], "dead": "S9", "rule_set": LIVE}, "dead"),  # joker not used
        ({"hands": [[], ["S7"]], "dead": "S7", "rule_set": LIVE}, "dead"),  # the first lead is real
        ({"hands": [[], ["S8"]], "dead": "S9", "rule_set": LIVE}, "hands"),
        ({"hands": [["DW"]]}, "hands"),
        ({"hands": [["DW"], ["S3"]], "offender": 2}, "offender"),
        ({"hands": [[], ["DW"]], "idle": 201}, "idle"),
    ],
)
def test_hands_that_end_no_deal(question: dict[str, Any], place: str) -> None:
    assert refused("settle", **question) == place


def test_the_four_rows() -> None:  # bieqi-04
    played = ["S7 S6 S8 H7 H9 D8 C7 C6"]
    assert ask("layout", played=played) == {
        "rows": {"S": [6, 8], "H": [7, 7], "C": [6, 7]},
        "loose": ["H9", "D8"],
    }
    assert ask("layout", played=["H7 H8"]) == {"rows": {}, "loose": ["H8", "H7"]}
    every = [c for c in playing().pack(2) if c.suit]
    rows = {suit: [1, 13] for suit in "SHDC"}
    assert ask("layout", played=every) == {"rows": rows, "loose": []}


def test_the_joker_in_a_row() -> None:  # bieqi-12
    live = {"played": ["S7 DW S9"], "joker_as": "S8", "rule_set": LIVE}
    assert ask("layout", **live) == {"rows": {"S": [7, 9]}, "loose": []}
    assert refused("layout", played=["S7 DW"], rule_set=LIVE) == "joker_as"
    assert refused("layout", played=["S7 S8"], joker_as="S6", rule_set=LIVE) == "joker_as"
    assert refused("layout", played=["DW S8"], joker_as="S7", rule_set=LIVE) == "joker_as"
    assert refused("layout", played=["S7 S8 DW"], joker_as="S8", rule_set=LIVE) == "joker_as"
    assert refused("layout", played=["S7 DW"]) == "played"


# That deals end (bieqi-10)


def circling() -> tuple[Bieqi, BieqiState]:
    """Three suits are finished, hearts but for ace and two: only ♥2 can be laid, and it is lent on and
    on. The dealer's seat is to move and holds nothing that goes."""
    rows = ((1, 13), (3, 13), (1, 13), (1, 13))
    return dealt(["HA", "DW", "H2 S2"], turn=0, rows=rows)


def test_a_card_lent_round_for_ever_voids_the_deal() -> None:
    bieqi, state = circling()
    turns = 0
    while state.turn is not None:
        borrowed = bieqi.apply(state, Move("borrow"))
        assert borrowed.turn is not None
        hand = borrowed.hands[borrowed.turn]
        card = Card("H2") if "H2" in hand else hand[0]
        state = bieqi.apply(borrowed, Move("lend", (card,)))
        turns += 1
        assert all(state.hands)
    assert turns == 200
    result = bieqi.result(state)
    assert result is not None
    assert (result.winners, [r.clause for r in result.reasons]) == ((), ["bieqi-10"])
    assert isinstance(result.match, BieqiMatch)
    assert sum(result.match.won) == 0
    following = bieqi.next_deal(state)
    assert following.match.deal_no == 2


def test_a_card_laid_begins_the_count_anew() -> None:
    bieqi, state = circling()
    state = replace(state, idle=199, turn=2)
    state = bieqi.apply(state, Move.parse("play H2"))
    assert state.idle == 0


@settings(max_examples=40)
@given(data=st.data(), rule_set=st.sampled_from(["", LIVE]), players=st.integers(2, 6))
def test_while_two_cards_go_somebody_lays_one_within_a_round(
    data: st.DataObject, rule_set: str, players: int
) -> None:
    """What the bound on a deal's length rests on, with lenders as unhelpful as can be: they give away a
    card that could be laid whenever they hold one."""
    bieqi = playing(rule_set)
    seed = data.draw(st.integers(0, 10**6))
    state = bieqi.deal(bieqi.new_match(players, str(seed)))
    rng = bieqi.rng(state.match, "test")
    moves = 0
    while state.turn is not None:
        going = [*bieqi.board.joins(state.rows), *bieqi.board.centres(state.rows)]
        assert state.idle < players or len(going) == 1
        options: list[Move] = list(bieqi.legal_moves(state))
        if state.borrower is not None:
            useful = [m for m in options if m.cards[0] in going]
            options = useful or options
        elif Move("borrow") in options:
            options = [Move("borrow")]
        state = bieqi.apply(state, rng.choice(options))
        moves += 1
    assert moves <= bieqi.longest(players)


def test_deals_go_on_and_the_deal_passes() -> None:
    bieqi = playing()
    state: BieqiState = bieqi.deal(bieqi.new_match(3, "x"))
    while state.turn is not None:
        state = bieqi.apply(state, bieqi.robot(state))
    result = bieqi.result(state)
    assert result is not None
    following = bieqi.next_deal(state)
    assert following.match.dealer == 1
    assert len(following.hands[1]) == 18
    assert len(following.hands[0]) == 17  # 53 cards from seat 1 on: 18 to seats 1 and 2
    assert isinstance(following.match, BieqiMatch)
    assert (sum(following.match.won), sum(following.match.lost)) == (1, 1)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"target": 5}, "target"),
        ({"match": {"won": [1]}}, "match.won"),
        ({"match": {"points": [1]}}, "match.points"),
        ({"players": 7}, "players"),
        ({"hands": ("S7", "S8")}, "hands[0]"),
    ],
)
def test_records_that_cannot_be(change: dict[str, Any], place: str) -> None:
    record = Record(**{"game": "bieqi", "players": 2, "seed": "x", **change})
    with pytest.raises(BadInput) as error:
        opening(record)
    assert error.value.place == place


def hands_of(cards: Cards, *seats: str) -> tuple[str, ...]:
    """Two hands of a whole pack: the first seat's start with `seats`."""
    first = [c for text in seats for c in read_cards(text)]
    rest = [c for c in cards if c not in first]
    cut = 27 - len(first)
    return " ".join([*first, *rest[:cut]]), " ".join(rest[cut:])


def test_a_deal_given_card_by_card_starts_with_the_first_seven() -> None:
    bieqi = playing()
    hands = hands_of(bieqi.pack(2), "S7 DW")
    _, state = opening(Record(game="bieqi", players=2, hands=hands))
    assert state.turn == 0
    assert [e.clause for e in state.events] == ["bieqi-01", "bieqi-03"]
