"""争上游, from its clauses: each type and comparison at its edges, leads, and the order of finish."""

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from engine import api
from engine.cards import Card, pack
from engine.game import Move
from engine.games.zhengshangyou import Zhengshangyou
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

RUN = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RANKS = [*RUN, "2", "XW", "DW"]


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("zhengshangyou", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("zhengshangyou", check, question)["reasons"]]


def beats(table: str, play: str) -> bool:
    return bool(ask("beats", table=table, play=play)["beats"])


def kinds(cards: str) -> list[str]:
    return [f"{r['type']}{r['rank']}" for r in ask("classify", cards=cards)["readings"]]


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("S7", ["单张7"]),
        ("DW", ["单张DW"]),
        ("S7 H7", ["对子7"]),
        ("S7 H7 D7", ["三张7"]),
        ("S7 H7 D7 C7", ["炸弹7"]),
        ("DW XW", ["炸弹DW"]),
        ("S7 H8", []),
        ("S2 DW", []),
        ("S7 H7 D7 C8", []),  # a three carries nothing
        ("S7 H7 D7 C8 S8", []),
        ("S3 H4 D5 C6", []),  # four are too few
        ("S3 H4 D5 C6 S7", ["顺子7"]),
        ("H3 H4 H5 H6 H7", ["同花顺7"]),
        ("S10 HJ DQ CK SA", ["顺子A"]),
        ("SJ HQ DK CA S2", []),  # the two stands in none
        ("SA H2 D3 C4 S5", []),  # nor is the ace low
        ("SQ HK DA C3 S4", []),
        ("S7 H8 D9 C10 DW", []),  # a joker is no substitute
        ("S3 H4 D5 C6 S7 H8 D9 C10 SJ HQ DK CA", ["顺子A"]),
        ("S3 H3 D4 C4", []),  # two pairs are too few
        ("S3 H3 D4 C4 S5 H5", ["连对5"]),
        ("SQ HQ DK CK SA HA", ["连对A"]),
        ("DK CK SA HA S2 H2", []),
        ("S3 H3 D3 S4 H4 D4", ["连三张4"]),
        ("SK HK DK SA HA DA", ["连三张A"]),
        ("SA HA DA S2 H2 D2", []),
        ("S3 H3 D3 S5 H5 D5", []),
        ("S3 H3 S4 H4 S5 H5 S6", []),
    ],
)
def test_types(cards: str, wanted: list[str]) -> None:  # zhengshangyou-05 to -09
    assert kinds(cards) == wanted


@pytest.mark.parametrize(
    ("table", "play", "higher"),
    [
        ("S3", "H4", True),
        ("SA", "H2", True),
        ("S2", "XW", True),
        ("XW", "DW", True),
        ("S9", "H9", False),  # suits are equal
        ("S9 H9", "D10 C10", True),
        ("S9 H9", "D10 C10 S10", False),  # another type
        ("S9 H9", "DW XW", True),  # but the jokers together are a bomb
        ("DW", "S3 H3 D3 C3", True),
        ("S3 H3 D3 C3", "S4 H4 D4 C4", True),
        ("S4 H4 D4 C4", "S3 H3 D3 C3", False),
        ("S2 H2 D2 C2", "DW XW", True),
        ("DW XW", "S2 H2 D2 C2", False),
        ("S3 H3 D3 C3", "SA HA DA", False),
        ("S3 H4 D5 C6 S7", "C4 D6 S5 C7 H8", True),
        ("S3 H4 D5 C6 S7", "H8 S9 D10 CJ HQ DK", False),  # another length
        ("S3 C4 D5 C6 S7", "H3 H4 H5 H6 H7", True),  # a flush of the same top
        ("H3 H4 H5 H6 H7", "S3 C4 D5 C6 S7", False),
        ("H3 H4 H5 H6 H7", "S3 S4 S5 S6 S7", False),
        ("C4 D5 C6 S7 S8", "H3 H4 H5 H6 H7", False),  # only of the same top
        ("H3 H4 H5 H6 H7", "C4 D5 C6 S7 S8", True),
        ("S3 H3 S4 H4 S5 H5", "D4 C4 D5 C5 D6 C6", True),
        ("S3 H3 S4 H4 S5 H5", "D7 C7 H7 D8 C8 H8", False),  # six cards of another type
        ("S3 H3 D3 S4 H4 D4", "S5 H5 D5 S6 H6 D6", True),
        ("S10 HJ DQ CK SA", "S3 H3 D3 C3", True),
    ],
)
def test_comparing(table: str, play: str, higher: bool) -> None:  # zhengshangyou-10 to -12
    assert beats(table, play) is higher


def test_reasons_name_the_clause_that_decides() -> None:
    assert cites("classify", cards="SJ HQ DK CA S2") == ["zhengshangyou-08"]
    assert cites("classify", cards="S3 H3 D4 C4") == ["zhengshangyou-07"]
    question = {"table": "S3 C4 D5 C6 S7", "play": "H3 H4 H5 H6 H7"}
    assert "zhengshangyou-11" in cites("beats", **question)
    assert "zhengshangyou-12" in cites("beats", table="DW", play="S3 H3 D3 C3")


# A second reading of the clauses, which shares no code with the engine: for every set of cards its
# type and how high it is, as (bomb or not, what must be equal, what is compared).


def oracle(cards: tuple[Card, ...]) -> tuple[bool, Any, Any] | None:
    of = Counter(str(card.rank) for card in cards)
    n, ranks = len(cards), sorted(of, key=RANKS.index)
    if of.keys() == {"DW", "XW"} and n == 2:
        return True, "bomb", 99
    if len(of) == 1 and n <= 3:
        return False, n, (RANKS.index(ranks[0]), False)
    if len(of) == 1:
        return True, "bomb", RANKS.index(ranks[0])
    each = set(of.values())
    if len(each) > 1 or any(r not in RUN for r in ranks):
        return None
    if RUN.index(ranks[-1]) - RUN.index(ranks[0]) != len(ranks) - 1:
        return None
    size = each.pop()
    if len(ranks) < {1: 5, 2: 3, 3: 2}.get(size, 99):
        return None
    flush = size == 1 and len({card.suit for card in cards}) == 1
    return False, (size, len(ranks)), (RANKS.index(ranks[-1]), flush)


def higher(play: tuple[bool, Any, Any], table: tuple[bool, Any, Any]) -> bool:
    if play[0] != table[0]:
        return play[0]
    return bool(play[1] == table[1] and play[2] > table[2])


@pytest.mark.parametrize("seed", range(6))
def test_moves_are_all_that_the_clauses_allow(seed: int) -> None:
    rng = random.Random(seed)
    deck = pack(jokers=("DW", "XW"))
    some = [c for c in deck if c.rank in ("DW", "XW", *RUN[seed % 6 : seed % 6 + 7])]
    hand = tuple(rng.sample(some, 12))
    sets = [c for n in range(1, 13) for c in combinations(hand, n)]
    plays = {frozenset(c): found for c in sets if (found := oracle(c))}
    leads = [frozenset(m) for m in ask("moves", hand=list(hand), table=[])["moves"]]
    assert len(leads) == len(set(leads))
    assert set(leads) == set(plays)
    others = [c for c in deck if c not in hand]
    tables = [c for n in (1, 2, 3, 4) for c in combinations(others[::3], n) if oracle(c)]
    tables += [tuple(Card(s + r) for s, r in zip("SHDCS", RUN[i : i + 5], strict=True))
               for i in range(4)]  # fmt: skip
    for table in rng.sample(tables, 8):
        if set(table) & set(hand):
            continue
        lying = oracle(table)
        assert lying
        wanted = {cards for cards, play in plays.items() if higher(play, lying)}
        found = ask("moves", hand=list(hand), table=list(table))["moves"]
        assert {frozenset(m) for m in found} == wanted
        assert len(found) == len(wanted)


def test_number_of_plays_of_one_type() -> None:
    # Of 3-8 in all four suits: 3-7 and 4-8 have 4**5 choices each, 3-8 has 4**6.
    hand = [f"{s}{r}" for s, r in product("SHDC", RUN[:6])]
    assert len(hand) == 24
    with pytest.raises(BadInput):  # nobody can hold so many
        ask("moves", hand=hand, table=[])
    playing = game("zhengshangyou")
    assert isinstance(playing, Zhengshangyou)
    found = Counter(o.readings[0].type for o in playing.plays.options(tuple(map(Card, hand))))
    straights = 2 * 4**5 + 4**6
    assert found["同花顺"] == 4 * 3
    assert found["顺子"] == straights - 12
    # Pairs of a rank: 6; runs of three to six ranks, four to one of them. Threes: 4, two to six.
    assert found["连对"] == sum((7 - n) * 6**n for n in range(3, 7))
    assert found["连三张"] == sum((7 - n) * 4**n for n in range(2, 7))
    assert found["炸弹"] == 6


# Play


def test_hands_may_differ_by_one() -> None:  # zhengshangyou-02
    playing = game("zhengshangyou")
    for players, sizes in ((4, [13, 13, 14, 14]), (5, [10, 11, 11, 11, 11])):
        state = playing.deal(playing.new_match(players, "s"))
        assert sorted(map(len, state.hands)) == sizes
        # The first to draw sits after the dealer, and is among those with one more.
        assert len(state.hands[1]) == max(sizes)


def test_who_draws_the_face_up_card_leads_first_then_the_first_out() -> None:  # zhengshangyou-03
    playing = game("zhengshangyou")
    leaders = set()
    for seed in range(30):
        state = playing.deal(playing.new_match(4, str(seed)))
        card = state.events[-1].message.params["card"]
        assert card in state.hands[state.turn]
        leaders.add(state.turn)
    assert leaders == {0, 1, 2, 3}
    rng = random.Random(0)
    while state.turn is not None:
        state = playing.apply(state, playing.pick(state, rng))
    following = playing.next_deal(state)
    assert following.turn == state.out[0]
    assert following.match.dealer == 1


def test_a_leader_must_play_and_a_passer_may_come_back() -> None:  # zhengshangyou-13
    playing = game("zhengshangyou")
    state = playing.deal(playing.new_match(4, "1"))
    with pytest.raises(IllegalMove, match="zhengshangyou-13"):
        playing.apply(state, Move("pass"))
    seat = state.turn
    low = min(state.hands[seat], key=lambda c: RANKS.index(c.rank))
    state = playing.apply(state, Move("play", (low,)))
    state = playing.apply(state, Move("pass"))
    passer = (seat + 1) % 4
    card = next(c for c in state.hands[state.turn] if RANKS.index(c.rank) > RANKS.index(low.rank))
    state = playing.apply(state, Move("play", (card,)))
    state = playing.apply(state, Move("pass"))
    state = playing.apply(state, Move("pass"))
    assert state.turn == passer
    assert playing.fault(state, Move("pass")) is None
    replies = [m for m in playing.legal_moves(state) if m.kind == "play"]
    assert all("zhengshangyou-13" in {r.clause for r in playing.allows(state, m)} for m in replies)


def test_order_of_finish_and_points() -> None:  # zhengshangyou-14 to -16
    for players in (4, 5):
        playing = game("zhengshangyou")
        for seed in range(20):
            state = playing.deal(playing.new_match(players, f"o{seed}"))
            rng = random.Random(seed)
            while state.turn is not None:
                state = playing.apply(state, playing.pick(state, rng))
            assert len(state.out) == players - 1
            result = playing.result(state)
            assert result is not None
            last = next(s for s in range(players) if s not in state.out)
            order = [*state.out, last]
            # One point for each who finishes later: 4-3-2-1-0 with five.
            assert [result.scores[s] for s in order] == list(range(players - 1, -1, -1))
            assert result.winners == (order[0],)


def test_a_match_ends_at_the_agreed_total() -> None:  # zhengshangyou-17
    playing = game("zhengshangyou")
    assert playing.new_match(4).target == 15
    with pytest.raises(BadInput):
        playing.new_match(3)
    with pytest.raises(BadInput):
        playing.new_match(6)
