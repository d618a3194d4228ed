"""憋负分, from the rulebook: joining and laying down, minus points, wild cards, and that deals end."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.cards import Card, read_cards
from engine.families.layout_rows import Rows
from engine.game import Deal, Move
from engine.games.biefufen import Biefufen
from engine.games.biefufen_minus import BiefufenState
from engine.record import Record, opening
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

SETS = ["plain", "wild-2K", "wild-jokers"]
RANKS = ["A", *(str(n) for n in range(2, 11)), "J", "Q", "K"]


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("biefufen", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("biefufen", check, question)["reasons"]]


def refused(check: str, **question: Any) -> str:
    with pytest.raises(BadInput) as error:
        api.check("biefufen", check, question)
    return error.value.place


def legal(
    hand: str, rows: Any, rule_set: str = "plain", **more: Any
) -> tuple[set[str], bool, bool]:
    """The plays as `CARD` or `CARD=OTHER`, whether one must lay down, and whether one may."""
    answer = ask("legal", hand=[hand], rows=rows, rule_set=rule_set, **more)
    plays = {
        p["card"] if p["card"] == p["as"] else f"{p['card']}={p['as']}" for p in answer["plays"]
    }
    assert len(plays) == len(answer["plays"])
    return plays, answer["must_lay_down"], answer["may_lay_down"]


def playing(rule_set: str = "plain") -> Biefufen:
    found = game("biefufen", rule_set)
    assert isinstance(found, Biefufen)
    return found


def dealt(
    hands: list[str], rule_set: str, rows: Rows, **changes: Any
) -> tuple[Biefufen, BiefufenState]:
    """A deal as it stands with these hands (the rest of the pack left aside), seat 0 to move."""
    biefufen = playing(rule_set)
    cards = tuple(read_cards(hand) for hand in hands)
    state = biefufen.start(Deal(((biefufen.first,), *cards[1:])), biefufen.new_match(len(hands)))
    return biefufen, replace(state, hands=cards, rows=rows, turn=0, events=(), **changes)


def play(biefufen: Biefufen, state: BiefufenState, *moves: str) -> BiefufenState:
    for move in moves:
        state = biefufen.apply(state, Move.parse(move))
    return state


def fault(biefufen: Biefufen, state: BiefufenState, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        biefufen.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


# The pack


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("rule_set", SETS)
def test_the_pack_for_each_number_of_players(rule_set: str, players: int) -> None:
    suits = {2: "SH", 3: "SHD"}.get(players, "SHDC")  # biefufen-02: clubs out, then diamonds
    wanted = {suit + rank for suit in suits for rank in RANKS}
    wanted |= {"DW", "XW"} if rule_set == "wild-jokers" else set()
    pack = playing(rule_set).pack(players)
    assert len(pack) == len(wanted)
    assert set(pack) == wanted
    state = playing(rule_set).deal(playing(rule_set).new_match(players, "x"))
    sizes = [len(hand) for hand in state.hands]
    assert sum(sizes) == len(pack)
    assert max(sizes) - min(sizes) <= 1
    assert state.turn is not None
    assert "S7" in state.hands[state.turn]


# Minus points (biefufen-06): seven 7, one less for each step outwards, jokers nothing.


def test_the_minus_points_of_each_card() -> None:
    for place, rank in enumerate(RANKS, 1):
        for suit in "SHDC":
            assert ask("minus", cards=[suit + rank]) == {"points": 7 - abs(place - 7)}
    assert ask("minus", cards=["DW XW"]) == {"points": 0}
    assert ask("minus", cards=[]) == {"points": 0}


def test_a_pack_holds_196_minus_points() -> None:
    # 7 + 2 x (6 + 5 + 4 + 3 + 2 + 1) = 49 in a suit
    for players, suits in [(2, 2), (3, 3), (4, 4), (8, 4)]:
        for rule_set in SETS:
            pack = playing(rule_set).pack(players)
            assert ask("minus", cards=list(pack)) == {"points": 49 * suits}


@pytest.mark.parametrize(
    ("cards", "replaced", "points"),
    [
        ("S8", {"S8": 2}, 12),
        ("S8", {"S8": 3}, 18),
        ("S8 HA", {"S8": 2}, 13),
        ("S8 HA", {"D7": 2}, 7),  # replaced, but not among these cards
        ("SK", {"SK": 2}, 2),  # a wild card replaced by another (biefufen-12)
        ("S2 D2", {"D2": 3}, 8),
        ("H7 D7", {"H7": 3, "D7": 2}, 35),
    ],
)
def test_replaced_cards_count_more_than_once(cards: str, replaced: Any, points: int) -> None:
    for rule_set in SETS:
        answer = ask("minus", cards=[cards], replaced=replaced, rule_set=rule_set)
        assert answer == {"points": points}


def test_the_clauses_behind_a_replaced_card() -> None:
    assert "biefufen-08" in cites("minus", cards=["S8"], replaced={"S8": 2})
    assert "biefufen-10" in cites("minus", cards=["S8"], replaced={"S8": 3})
    wild = {"cards": ["SK"], "replaced": {"SK": 2}, "rule_set": "wild-2K"}
    assert "biefufen-12" in cites("minus", **wild)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"cards": ["S8 S8"]}, "cards"),
        ({}, "cards"),
        ({"cards": ["S8"], "replaced": {"S8": 4}}, "replaced.S8"),
        ({"cards": ["S8"], "replaced": {"S8": 1}}, "replaced.S8"),
        ({"cards": ["S8"], "replaced": {"DW": 2}}, "replaced.DW"),
        ({"cards": ["S8"], "replaced": {"Z8": 2}}, "replaced.Z8"),
        ({"cards": ["S8"], "replaced": ["S8"]}, "replaced"),
    ],
)
def test_what_counts_no_points(question: dict[str, Any], place: str) -> None:
    assert refused("minus", **question) == place


# Joining and laying down

FULL = [1, 13]
"""A finished row."""


@pytest.mark.parametrize(
    ("hand", "rows", "plays", "must", "may"),
    [
        # either end, no skipping (biefufen-04)
        ("S10 S5 SJ S4", {"S": [6, 9]}, {"S10", "S5"}, False, False),
        ("SJ S4", {"S": [6, 9]}, set(), True, True),
        # who can join must join, and may not lay another seven (biefufen-05)
        ("S10 H7", {"S": [6, 9]}, {"S10"}, False, False),
        # who cannot may lay another seven or a card face down
        ("SJ H7 D7 H8", {"S": [6, 9]}, {"H7", "D7"}, False, True),
        ("SJ H8", {"S": [6, 9], "H": [7, 7]}, {"H8"}, False, False),
        # rows end with ace and king
        ("SA SK", {"S": [2, 12]}, {"SA", "SK"}, False, False),
        ("SA H3", {"S": [3, 13], "H": [4, 13]}, {"H3"}, False, False),
        ("C3", {"S": FULL, "H": FULL, "D": FULL, "C": [5, 13]}, set(), True, True),
        # the first lead
        ("S7 S8 H7", {}, {"S7"}, False, False),
        ("S8 H7", {}, set(), False, False),
    ],
)
def test_joining(hand: str, rows: Any, plays: set[str], must: bool, may: bool) -> None:
    assert legal(hand, rows) == (plays, must, may)


def test_a_two_or_king_is_a_plain_card_without_wild_cards() -> None:
    assert legal("HK H2", {"S": [6, 9]}) == (set(), True, True)
    assert legal("SK", {"S": [6, 12]}) == ({"SK"}, False, False)


@given(low=st.integers(1, 7), high=st.integers(7, 13))
@settings(max_examples=49)
def test_from_every_row_just_the_neighbours_join(low: int, high: int) -> None:
    outside = [f"H{r}" for n, r in enumerate(RANKS, 1) if not low <= n <= high]
    wanted = {f"H{RANKS[n - 1]}" for n in (low - 1, high + 1) if 1 <= n <= 13}
    rows = {"S": FULL, "H": [low, high]}
    assert legal(" ".join([*outside, "D2"]), rows) == (wanted, not wanted, not wanted)


# Wild cards


@pytest.mark.parametrize(
    ("hand", "rows", "plays", "may"),
    [
        # for any card that joins now, or a seven when nothing plain joins (biefufen-08, -09)
        ("HK D9", {"S": [6, 9]}, {"HK=S5", "HK=S10", "HK=H7", "HK=D7", "HK=C7"}, True),
        ("H2 S10", {"S": [6, 9]}, {"S10", "H2=S10", "H2=S5"}, False),
        # as itself (biefufen-09), free even then (biefufen-11), with the sevens open to it
        ("SK D7", {"S": [1, 12], "H": FULL, "C": FULL}, {"SK", "D7", "SK=D7"}, True),
        # for another wild card (biefufen-12), never for itself
        ("DK SK", {"S": [1, 12], "H": FULL, "D": [1, 9], "C": FULL},
         {"SK", "DK=SK", "DK=D10", "SK=D10"}, True),
        # two wild cards stand for the same places
        ("HK D2", {"S": [6, 13], "H": [7, 7], "D": [7, 13], "C": FULL},
         {f"{w}={c}" for w in ("HK", "D2") for c in ("S5", "H6", "H8", "D6")}, True),
    ],
)  # fmt: skip
def test_wild_cards(hand: str, rows: Any, plays: set[str], may: bool) -> None:
    for rule_set in SETS[1:]:
        assert legal(hand, rows, rule_set) == (plays, False, may)


def test_jokers_are_wild_only_with_jokers() -> None:  # biefufen-10
    wanted = {"DW=S5", "DW=S10", "DW=H7", "DW=D7", "DW=C7"}
    assert legal("DW", {"S": [6, 9]}, "wild-jokers") == (wanted, False, True)
    for rule_set in SETS[:2]:
        assert refused("legal", hand=["DW"], rows={"S": [6, 9]}, rule_set=rule_set) == "hand"


def test_with_few_players_nothing_stands_for_suits_that_are_out() -> None:
    rows = {"S": [6, 13]}
    every = {"H2=S5", "H2=H7", "H2=D7", "H2=C7"}
    assert legal("H2", rows, "wild-2K", players=4)[0] == every
    assert legal("H2", rows, "wild-2K", players=3)[0] == every - {"H2=C7"}
    assert legal("H2", rows, "wild-2K", players=2)[0] == {"H2=S5", "H2=H7"}
    assert refused("legal", hand=["C2"], rows=rows, players=3) == "hand"
    assert refused("legal", hand=["S2"], rows={"D": [7, 7]}, players=2) == "rows.D"


def test_replaced_cards_can_only_be_laid_face_down() -> None:  # biefufen-09, -12
    wild = "wild-2K"
    assert legal("S8 D9", {"S": [6, 9]}, wild, dead=["S8"]) == (set(), True, True)
    assert legal("SK D9", {"S": [6, 13]}, wild, dead=["SK"]) == (set(), True, True)
    assert legal("H7", {"S": [6, 13], "H": [7, 7]}, wild, dead=["H7"]) == (set(), True, True)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"hand": ["S8"], "rows": {"S": [7, 9]}}, "hand"),  # on the table already
        ({"hand": ["S8"], "rows": {"S": [7, 9]}, "dead": ["S8"]}, "dead"),  # nothing wild in plain
        ({"hand": ["S8"], "rows": {"S": [7, 7]}, "dead": ["S8"], "rule_set": "wild-2K"}, "dead"),
        ({"hand": ["S7"], "rows": {"S": [7, 7]}, "dead": ["S7"], "rule_set": "wild-2K"}, "dead"),
        (
            {"hand": ["S8"], "rows": {"S": [7, 7]}, "dead": ["DW"], "rule_set": "wild-jokers"},
            "dead",
        ),
        ({"hand": [], "rows": {"S": [7, 7]}}, "hand"),
        ({"hand": ["S8"]}, "rows"),
        ({"hand": ["S8"], "rows": {"S": [8, 8]}}, "rows.S[0]"),
        ({"hand": ["S8"], "rows": {"S": [7, 7]}, "players": 9}, "players"),
    ],
)
def test_what_is_no_question(question: dict[str, Any], place: str) -> None:
    assert refused("legal", **question) == place


ROWS: Rows = ((6, 9), None, (7, 7), (1, 13))


@pytest.mark.parametrize(
    ("rule_set", "hand", "move", "clause"),
    [
        ("plain", "S10 H7 D9", "down D9", "biefufen-05"),  # can join
        ("plain", "S10 H7 D9", "play H7", "biefufen-05"),  # another seven only when he cannot
        ("plain", "S10 H7 D9", "play D9", "biefufen-04"),
        ("plain", "S10 H7 D9", "play S10: S5", "biefufen-04"),
        ("plain", "S10 H8", "play H8", "biefufen-04"),
        ("plain", "S10", "play S5", "biefufen-05"),  # not in the hand
        ("plain", "SJ", "down S5", "biefufen-05"),
        ("plain", "SJ", "down SJ: 3", "biefufen-05"),
        ("plain", "SJ", "pass", "biefufen-05"),
        ("wild-2K", "HK S10", "play HK: H7", "biefufen-05"),  # a plain card joins: no centres
        ("wild-2K", "HK", "play HK: SJ", "biefufen-04"),
        ("wild-2K", "HK", "play HK: S8", "biefufen-09"),  # that place is taken
        ("wild-2K", "HK", "play HK: HK", "biefufen-09"),
        ("wild-2K", "HK", "play HK: DW", "biefufen-09"),
        ("wild-2K", "HQ", "play HQ: S10", "biefufen-08"),
        ("wild-2K", "HK", "play HK", "biefufen-04"),  # as itself it does not join
        ("wild-jokers", "DW", "play DW", "biefufen-10"),  # it must be said what it stands for
    ],
)
def test_refusals_cite_the_clause_that_forbids(
    rule_set: str, hand: str, move: str, clause: str
) -> None:
    biefufen, state = dealt([hand, "HA", "DA", "H3"], rule_set, ROWS)
    assert fault(biefufen, state, move) == clause


def test_the_first_lead_is_the_real_seven_of_spades() -> None:
    for rule_set in SETS:
        biefufen, state = dealt(["S7 SK", "HA"], rule_set, (None,) * 4)
        assert [str(m) for m in biefufen.legal_moves(state)] == ["play S7"]
        assert fault(biefufen, state, "down SK") == "biefufen-03"
        assert fault(biefufen, state, "play SK: S7") == "biefufen-03"
        assert fault(biefufen, state, "play SK") == "biefufen-03"


def test_a_row_goes_on_past_a_wild_card_and_the_replaced_one_is_laid_down() -> None:
    biefufen, state = dealt(["HK S10 D3", "S8 S9 DQ"], "wild-2K", ((7, 7), None, None, None))
    state = play(biefufen, state, "play HK: S8", "play S9", "play S10")
    assert fault(biefufen, state, "play S8") == "biefufen-09"
    assert biefufen.table(state).zones[0].cards == ("S7", "HK", "S9", "S10")
    state = play(biefufen, state, "down S8", "down D3", "down DQ")
    result = biefufen.result(state)
    assert result is not None
    assert result.scores == (-3, -14)  # D3; S8 twice 6, DQ 2
    assert result.winners == (0,)


def test_a_joker_makes_the_replaced_card_count_three_times() -> None:  # biefufen-10
    biefufen, state = dealt(["DW D3", "S8 DQ"], "wild-jokers", ((7, 7), None, None, None))
    state = play(biefufen, state, "play DW: S8", "down S8", "down D3", "down DQ")
    result = biefufen.result(state)
    assert result is not None
    assert result.scores == (-3, -20)
    clauses = [r.clause for r in result.reasons]
    assert "biefufen-10" in clauses
    assert "biefufen-08" not in clauses


def test_a_card_already_face_down_can_be_replaced() -> None:
    rows: Rows = ((7, 8), (1, 13), (1, 13), (1, 13))
    biefufen, state = dealt(["HK D3", "DQ"], "wild-2K", rows, down=((), read_cards("S9")))
    state = play(biefufen, state, "play HK: S9", "down DQ", "down D3")
    result = biefufen.result(state)
    assert result is not None
    assert result.scores == (-3, -12)  # S9 twice 5, DQ 2


def test_a_replaced_wild_card_is_wild_no_more() -> None:  # biefufen-12
    rows: Rows = ((1, 12), (1, 13), (1, 13), (1, 9))
    biefufen, state = dealt(["HK D3", "SK C3"], "wild-2K", rows)
    state = play(biefufen, state, "play HK: SK")
    assert {str(m) for m in biefufen.legal_moves(state)} == {"down SK", "down C3"}
    assert fault(biefufen, state, "play SK: C10") == "biefufen-09"


def test_the_place_of_a_wild_card_that_lies_elsewhere_can_be_filled() -> None:
    """♥2 lies for ♥4; for ♥A to follow ♥3, another wild card must lie for ♥2. Nobody pays for it."""
    biefufen, state = dealt(["H2 SK", "HA H3"], "wild-2K", ((1, 13), (5, 13), (1, 13), (1, 13)))
    state = replace(state, rows=((1, 12), *state.rows[1:]))
    state = play(biefufen, state, "play H2: H4", "play H3", "play SK: H2")
    assert [e.clause for e in state.events] == ["biefufen-09"]
    row = next(z for z in biefufen.table(state).zones if z.label == "row.H")
    assert row.cards[:3] == ("SK", "H3", "H2")
    state = play(biefufen, state, "play HA")
    result = biefufen.result(state)
    assert result is not None
    assert result.scores == (0, 0)


# A second reading of the rules, card by card


def allowed(biefufen: Biefufen, state: BiefufenState) -> set[str]:
    assert state.turn is not None
    hand = state.hands[state.turn]
    suits = {2: "SH", 3: "SHD"}.get(state.players, "SHDC")
    jokers = biefufen.rules.rule_set == "wild-jokers"

    def wild(card: Card) -> bool:
        if biefufen.rules.rule_set == "plain":
            return False
        return card.rank in ("2", "K") or (jokers and not card.suit)

    taken = {
        suit + RANKS[n - 1]
        for suit, row in zip("SHDC", state.rows, strict=True)
        if row
        for n in range(row[0], row[1] + 1)
    }
    if not taken:
        return {"play S7"}
    joins, sevens = set(), set()
    for suit in suits:
        for n, rank in enumerate(RANKS, 1):
            beside = [RANKS[m - 1] for m in (n - 1, n + 1) if 1 <= m <= 13]
            if suit + rank not in taken and any(suit + b in taken for b in beside):
                joins.add(suit + rank)
        if suit + "7" not in taken:
            sevens.add(suit + "7")
    must = any(c in joins and not wild(c) for c in hand)
    goes = joins if must else joins | sevens
    found = {f"play {c}" for c in hand if c in goes}
    found |= {
        f"play {c}: {other}"
        for c in hand
        if wild(c) and c not in taken
        for other in goes
        if other != c
    }
    return found | (set() if must else {f"down {c}" for c in hand})


@given(data=st.data(), rule_set=st.sampled_from(SETS), players=st.integers(2, 8))
@settings(max_examples=60)
def test_whole_deals_against_a_second_reading(
    data: st.DataObject, rule_set: str, players: int
) -> None:
    biefufen = playing(rule_set)
    match = biefufen.new_match(players, str(data.draw(st.integers(0, 10**6))))
    state: BiefufenState = biefufen.deal(match)
    rng = biefufen.rng(match, "test")
    moves = 0
    while state.turn is not None:
        wanted = allowed(biefufen, state)
        assert {str(m) for m in biefufen.legal_moves(state)} == wanted
        assert str(biefufen.pick(state, rng)) in wanted
        before = state.turn
        state = biefufen.apply(state, Move.parse(rng.choice(sorted(wanted))))
        moves += 1
        if state.turn is not None:  # the next seat that holds a card (hands may be uneven)
            between = [(before + n) % players for n in range(1, players)]
            assert state.turn == next((s for s in between if state.hands[s]), before)
    # every move takes one card out of a hand: that is why every deal ends
    assert moves == len(biefufen.pack(players)) == biefufen.longest(players)
    check_the_sum(biefufen, state)


def check_the_sum(biefufen: Biefufen, state: BiefufenState) -> None:
    """All minus points of the pack lie on the table or face down, each replaced card once more or
    twice more."""
    result = biefufen.result(state)
    assert result is not None
    value = {rank: 7 - abs(n - 7) for n, rank in enumerate(RANKS, 1)} | {"DW": 0, "XW": 0}
    lying = sum(
        value[c.rank] for z in biefufen.table(state).zones if z.seat is None for c in z.cards if c
    )
    down = {c for cards in state.down for c in cards}
    extra = sum(
        value[card.rank] * (1 if wild.suit else 2) for card, wild in state.replaced if card in down
    )
    total = 49 * len(biefufen.suits(state.players))
    assert lying - sum(result.scores) == total + extra
    if biefufen.rules.rule_set == "plain":
        assert extra == 0


# What is hidden


def test_cards_face_down_are_seen_by_who_laid_them_until_the_end() -> None:  # biefufen-07
    biefufen, state = dealt(["DQ D9", "S10"], "plain", ((7, 8), None, None, None))
    twins = [play(biefufen, state, move) for move in ("down DQ", "down D9")]
    assert twins[0].events == twins[1].events
    other = [
        replace(biefufen.view(t, 1), hands=()) for t in twins
    ]  # the hand is as long either way
    assert other[0] == other[1]
    own = next(z for z in biefufen.view(twins[0], 0).zones if z.label == "buried")
    assert own.cards == ("DQ",)
    hidden = next(z for z in biefufen.view(twins[0], 1).zones if z.label == "buried")
    assert hidden.cards == (None,)
    said = [biefufen.overheard(state, Move.parse(m)) for m in ("down DQ", "down D9")]
    assert said[0] == said[1]
    over = play(biefufen, twins[0], "down S10", "down D9")
    shown = [z for z in biefufen.view(over, 1).zones if z.label == "buried"]
    assert [z.cards for z in shown] == [("DQ", "D9"), ("S10",)]
    assert [e.clause for e in over.events] == ["biefufen-07"]


# Who wins


@pytest.mark.parametrize(
    ("laid_down", "replaced", "points", "winners", "losers"),
    [
        (["H8 C3", "", "D9 HA HK"], {}, [9, 0, 7], [1], [0]),
        (["H8", "C8", "D9"], {}, [6, 6, 5], [2], [0, 1]),
        (["H8", "C8"], {}, [6, 6], [0, 1], []),  # as many each: nobody loses
        (["H3", "SA DA CA"], {"H3": 2}, [6, 3], [1], [0]),
        (["H3", "SA DA CA"], {"H3": 3}, [9, 3], [1], [0]),
        (["", ""], {}, [0, 0], [0, 1], []),
    ],
)
def test_the_fewest_win_and_the_most_lose(
    laid_down: list[str],
    replaced: dict[str, int],
    points: list[int],
    winners: list[int],
    losers: list[int],
) -> None:
    answer = ask("settle", laid_down=[[c] if c else [] for c in laid_down], replaced=replaced)
    assert answer == {"points": points, "winners": winners, "losers": losers}


def test_sides_add_up() -> None:
    cards = [["H8"], ["C3 C4"], ["SA"], ["D9"]]
    answer = ask("settle", laid_down=cards, sides=[[0, 2], [1, 3]])
    assert answer == {
        "points": [6, 7, 1, 5], "sides": [7, 12], "winners": [0, 2], "losers": [1, 3],
    }  # fmt: skip
    for sides in ([[0, 2], [1]], [[0, 1], [1, 2, 3]], [[0, 1, 2, 3]], [[0, 1], [2, 4]]):
        assert refused("settle", laid_down=cards, sides=sides) == "sides"


def test_totals_add_up_over_deals() -> None:
    biefufen = playing()
    state: BiefufenState = biefufen.deal(biefufen.new_match(3, "x"))
    totals = [0, 0, 0]
    for _ in range(3):
        while state.turn is not None:
            state = biefufen.apply(state, biefufen.robot(state))
        result = biefufen.result(state)
        assert result is not None
        totals = [a + b for a, b in zip(totals, result.scores, strict=True)]
        assert result.match.scores == tuple(totals)
        assert result.match_winners is None
        state = biefufen.next_deal(state)
    assert state.match.dealer == 0


def test_a_total_to_play_to_is_refused() -> None:
    with pytest.raises(BadInput) as error:
        opening(Record(game="biefufen", players=3, seed="x", target=50))
    assert error.value.place == "target"
