"""攻擂, from the rulebook: ranking rows, special hands, settlement, the best arrangement, the title."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from typing import Any, cast

import phevaluator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.cards import SUIT_RANKS, SUITS, Card, Cards, pack, read_cards
from engine.families.arranging import Laid
from engine.game import Deal, Move
from engine.games import gonglei_opponents
from engine.games.gonglei import Gonglei, GongleiMatch
from engine.record import Record, opening
from engine.registry import game
from engine.rulebook import Rulebook, rulebook
from engine.verdict import BadInput, IllegalMove

FIVES = ["同花顺", "四同张", "三同二同", "同花", "顺子", "三同张", "二对子", "一对子", "五单张"]
OFF = {"ace_low_straight": "off"}


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("gonglei", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("gonglei", check, question)["reasons"]]


def gonglei(**options: str) -> Gonglei:
    return cast(Gonglei, game("gonglei", "", options))


def hand(text: str) -> list[str]:
    return list(read_cards(text))


def rows(*texts: str) -> list[list[str]]:
    return [hand(text) for text in texts]


# One row: gonglei-07 to -13 and -20


@pytest.mark.parametrize(
    ("row", "cards", "category", "pays"),
    [
        (1, "S7 H7 D7", "三同张", 30),
        (1, "S7 H7 D8", "对加单", 10),
        (1, "S7 H8 D9", "三单张", 10),  # no straights in the first row
        (1, "S7 S8 S9", "三单张", 10),  # nor flushes
        (2, "S10 S9 S8 S7 S6", "同花顺", 100),
        (2, "S7 H7 D7 C7 S2", "四同张", 80),
        (2, "S7 H7 D7 C2 S2", "三同二同", 20),
        (2, "S10 S9 S8 S7 S2", "同花", 10),
        (2, "S10 H9 S8 S7 S6", "顺子", 10),
        (2, "S7 H7 D7 C3 S2", "三同张", 10),
        (2, "S7 H7 D3 C3 S2", "二对子", 10),
        (2, "S7 H7 D4 C3 S2", "一对子", 10),
        (2, "S9 H7 D4 C3 S2", "五单张", 10),
        (3, "S10 S9 S8 S7 S6", "同花顺", 50),
        (3, "S7 H7 D7 C7 S2", "四同张", 40),
        (3, "S7 H7 D7 C2 S2", "三同二同", 10),
        (3, "S10 S9 S8 S7 S2", "同花", 10),
        (3, "SA HK SQ SJ S10", "顺子", 10),
    ],
)
def test_what_a_row_is_and_pays(row: int, cards: str, category: str, pays: int) -> None:
    assert ask("row", row=row, cards=hand(cards)) == {"category": category, "pays": pays}


def test_the_order_of_input_changes_nothing() -> None:
    for cards in permutations(hand("SA H2 D3 C4 S5")):
        assert ask("row", row=3, cards=list(cards))["category"] == "顺子"


@pytest.mark.parametrize(
    ("cards", "on", "off"),
    [
        ("SA H2 D3 C4 S5", "顺子", "五单张"),
        ("SA S2 S3 S4 S5", "同花顺", "同花"),
        ("SA HK DQ CJ S10", "顺子", "顺子"),
        ("SK HA D2 C3 S4", "五单张", "五单张"),
        ("SQ HK DA C2 S3", "五单张", "五单张"),
        ("SQ SK SA S2 S3", "同花", "同花"),
        ("S2 H3 D4 C5 S6", "顺子", "顺子"),
    ],
)
def test_where_an_ace_may_stand(cards: str, on: str, off: str) -> None:  # gonglei-08
    assert ask("row", row=3, cards=hand(cards))["category"] == on
    assert ask("row", row=3, cards=hand(cards), options=OFF)["category"] == off
    if on != off or on == "五单张":
        assert "gonglei-08" in cites("row", row=3, cards=hand(cards), options=OFF)


def shapes(size: int) -> Iterator[tuple[Cards, int, int]]:
    """Every choice of ranks for a row, with cards of it in mixed suits, and how many rows of it there
    are in mixed suits and in one."""
    for ranks in combinations_with_replacement(SUIT_RANKS, size):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        cards = [Card(suit + rank) for rank, n in counts.items() for suit in SUITS[:n]]
        if len(counts) == size:
            cards[-1] = Card("H" + ranks[-1])
        ways = prod(comb(4, n) for n in counts.values())
        one_suit = 4 if len(counts) == size else 0
        yield tuple(cards), ways - one_suit, one_suit


@pytest.mark.parametrize(
    ("options", "sequences"), [({}, 10), (OFF, 9)], ids=["ace low", "ace high only"]
)
def test_how_many_rows_of_five_there_are_of_each_type(
    options: dict[str, str], sequences: int
) -> None:
    # Counted by choosing ranks, then suits: 四同张 13 ranks × 48 others, 三同二同 13·4 × 12·6, and so
    # on; straights are `sequences` runs × 4^5 suits. All add up to C(52,5).
    wanted = {
        "同花顺": sequences * 4,
        "四同张": 13 * 48,
        "三同二同": 13 * 4 * 12 * 6,
        "同花": 4 * comb(13, 5) - sequences * 4,
        "顺子": sequences * (4**5 - 4),
        "三同张": 13 * 4 * comb(12, 2) * 16,
        "二对子": comb(13, 2) * 36 * 44,
        "一对子": 13 * 6 * comb(12, 3) * 64,
        "五单张": (comb(13, 5) - sequences) * (4**5 - 4),
    }
    assert sum(wanted.values()) == comb(52, 5)
    ranks = gonglei(**options).ranks[2]
    found: Counter[str] = Counter()
    for cards, mixed, suited in shapes(5):
        found[ranks.rank(cards).type] += mixed
        if suited:
            found[ranks.rank(tuple(Card("S" + c.rank) for c in cards)).type] += suited
    assert found == wanted


def test_how_many_rows_of_three_there_are_of_each_type() -> None:
    found: Counter[str] = Counter()
    for cards, mixed, suited in shapes(3):
        found[gonglei().ranks[0].rank(cards).type] += mixed + suited
    assert found == {"三同张": 13 * 4, "对加单": 13 * 6 * 48, "三单张": comb(13, 3) * 64}


def test_five_cards_rank_as_an_independent_library_says() -> None:  # gonglei-11, -12
    # The known differences, all from gonglei-12: within 四同张, 三同二同 and 三同张 only the four or the
    # three count here, where poker goes on to the other cards. Two such rows can only meet when
    # they come from different packs, as here.
    playing = gonglei()
    ranks = playing.ranks[2]
    deck = pack()
    names = {card: card.rank.replace("10", "T") + card.suit.lower() for card in deck}
    rng = random.Random(2026)
    differences: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for _ in range(100_000):
        one, other = rng.sample(deck, 5), rng.sample(deck, 5)
        mine, theirs = ranks.rank(one), ranks.rank(other)
        types[mine.type] += 1
        # phevaluator's best hand is 1.
        poker = (phevaluator.evaluate_cards(*map(names.__getitem__, other))
                 - phevaluator.evaluate_cards(*map(names.__getitem__, one)))  # fmt: skip
        ours = mine.strength - theirs.strength
        if (ours > 0) - (ours < 0) != (poker > 0) - (poker < 0):
            differences[mine.type] += 1
            assert ours == 0
            assert mine.type == theirs.type
            assert mine.type in ("四同张", "三同二同", "三同张")
            assert mine.ranks[0] == theirs.ranks[0]
    assert len(types) >= 8
    assert differences["三同张"] > 0


def test_one_row_of_each_type_ranks_as_an_independent_library_says() -> None:
    # Random pairs seldom hold the high types, so these meet systematically.
    deck = pack()
    rng = random.Random(7)
    ranks = gonglei().ranks[2]
    by_type: dict[str, list[Cards]] = {name: [] for name in FIVES}
    for suit in SUITS:
        for low in range(9):
            run = tuple(Card(suit + rank) for rank in SUIT_RANKS[low : low + 5])
            by_type["同花顺"].append(run)
        by_type["同花顺"].append(
            tuple(map(Card, (f"{suit}{r}" for r in ("A", "2", "3", "4", "5"))))
        )
    for rank in SUIT_RANKS:
        four = tuple(Card(suit + rank) for suit in SUITS)
        by_type["四同张"].append((*four, rng.choice([c for c in deck if c.rank != rank])))
    while len(by_type["同花"]) < 40 or len(by_type["三同二同"]) < 25:
        cards = tuple(rng.sample(deck, 5))
        name = ranks.rank(cards).type
        if len(by_type[name]) < 40:
            by_type[name].append(cards)
    everything = [(name, cards) for name, found in by_type.items() for cards in found]

    def poker(cards: Cards) -> int:
        return int(
            phevaluator.evaluate_cards(*(c.rank.replace("10", "T") + c.suit.lower() for c in cards))
        )

    for (name, one), (other_name, other) in combinations(everything, 2):
        ours = ranks.rank(one).strength - ranks.rank(other).strength
        if name == other_name in ("四同张", "三同二同", "三同张") and ours == 0:
            continue
        theirs = poker(other) - poker(one)
        assert (ours > 0) - (ours < 0) == (theirs > 0) - (theirs < 0), (one, other)


# Two rows: gonglei-09 to -12, -14, -20


@pytest.mark.parametrize(
    ("row", "challenger", "defender", "winner", "pays"),
    [
        (3, "S9 H9 D9 C9 S2", "SA HA DA CK DK", "challenger", 40),
        (2, "S9 H9 D9 C9 S2", "SA HA DA CK DK", "challenger", 80),
        (2, "SA HA DA CK DK", "S9 H9 D9 C9 S2", "defender", 80),
        (1, "S2 H2 D2", "SA HA DK", "challenger", 30),
        (1, "SA HA DK", "S2 H2 D2", "defender", 30),
        (1, "S2 H2 D3", "SA HK DQ", "challenger", 10),
        (1, "S8 H8 DK", "D8 C8 SQ", "challenger", 10),  # level pairs: the single
        (1, "S9 H9 D2", "D8 C8 SA", "challenger", 10),  # the pair before the single
        (1, "SA HQ D3", "CA DQ S2", "challenger", 10),  # down to the last card
        (1, "SA HQ D3", "CA DQ S3", "defender", 10),  # level: the defender's
        (2, "SK SJ S9 S6 S3", "HK HJ H9 H6 H2", "challenger", 10),  # not by the first card only
        (2, "SK SJ S9 S6 S3", "HK HJ H9 H7 H2", "defender", 10),
        (2, "SK SJ S9 S6 S3", "HK HJ H9 H6 H3", "defender", 10),
        (3, "SA H2 D3 C4 S5", "S2 H3 D4 C5 S6", "defender", 10),  # five high, not ace high
        (3, "SA HK DQ CJ S10", "HA DK CQ SJ H10", "defender", 10),
        (2, "SA S2 S3 S4 S5", "H2 H3 H4 H5 H6", "defender", 100),
        (2, "SQ HQ D3 C3 S4", "DQ CQ S3 H3 D5", "defender", 10),  # two pairs: the single
        (2, "SQ HQ D4 C4 S2", "DQ CQ S3 H3 DA", "challenger", 10),  # the lower pair first
        (2, "S6 H6 DA C4 S3", "D6 C6 HA S4 H2", "challenger", 10),  # the third single
        (2, "S6 H6 DA C4 S3", "D6 C6 HA S5 H2", "defender", 10),
        (3, "SA HK DQ CJ S9", "HA DK CQ SJ H8", "challenger", 10),
        (3, "S7 H7 D7 C3 S2", "S6 H6 D6 CA SK", "challenger", 10),  # by the threes only
        (3, "S7 H7 D7 C2 S2", "S6 H6 D6 CA SA", "challenger", 10),
    ],
)
def test_who_wins_a_row(row: int, challenger: str, defender: str, winner: str, pays: int) -> None:
    answer = ask("compare", row=row, challenger=hand(challenger), defender=hand(defender))
    assert answer == {"winner": winner, "pays": pays}


def test_every_category_beats_the_next() -> None:  # gonglei-11
    five = ["SK SQ SJ S10 S9", "D2 C2 H2 S2 D3", "D2 C2 H2 D3 C3", "D2 D3 D4 D5 D7",
            "D2 C3 H4 S5 D6", "D2 C2 H2 D3 C4", "D2 C2 D3 C3 H4", "D2 C2 D3 C4 H5",
            "SA HK DQ CJ H9"]  # fmt: skip
    ranks = gonglei().ranks[1]
    found = [ranks.rank(read_cards(cards)) for cards in five]
    assert [row.type for row in found] == FIVES
    assert [row.strength for row in found] == sorted((r.strength for r in found), reverse=True)


def test_without_a_low_ace_the_lowest_straight_is_two_to_six() -> None:
    question = {"challenger": hand("SA H2 D3 C4 S5"), "defender": hand("SK HQ DJ C10 D8")}
    assert ask("compare", row=3, **question)["winner"] == "challenger"
    assert ask("compare", row=3, options=OFF, **question) == {"winner": "challenger", "pays": 10}
    lower = {"challenger": hand("SA H2 D3 C4 S5"), "defender": hand("S6 H6 D2 C3 D4")}
    assert ask("compare", row=3, options=OFF, **lower)["winner"] == "defender"


# Order of rows: gonglei-05, -06


@pytest.mark.parametrize(
    ("laid", "legal"),
    [
        (("SK H7 D5", "S8 H8 DA C6 S2", "CJ DJ C9 D9 C4"), True),
        (("SK HK D5", "S8 H8 DA C6 S2", "CJ DJ C9 D9 C4"), False),  # a higher pair before a pair
        (("S7 H7 D5", "S8 H8 DA C6 S2", "CJ DJ C9 D9 C4"), True),
        (("S8 H8 DA", "D8 C8 SK C6 S2", "CJ DJ C9 D9 C4"), False),  # level pairs: ace above king
        (("S8 H8 DK", "D8 C8 SK C6 S2", "CJ DJ C9 D9 C4"), True),  # level to the end: row 2
        (("S2 H2 D2", "S8 H8 DA CA SK", "CJ DJ C9 D9 S9"), False),  # a three above two pairs
        (("S2 H2 D2", "S3 H3 D3 CA SK", "CJ DJ C9 D9 S9"), True),
        (("S4 H4 D4", "S3 H3 D3 CA SK", "CJ DJ C9 D9 S9"), False),
        (("SA HK DQ", "CA DK SJ C6 S2", "CJ DJ C9 D9 C4"), False),  # ace, king, then queen
        (("SA HK DJ", "CA DK SJ C6 S2", "CQ DQ C9 D9 C4"), True),
        (("S2 H3 D4", "CJ DJ C9 D9 C4", "S8 H8 DA C6 S7"), False),  # row 2 above row 3
        (("S2 H3 D5", "SA HK DQ CJ S9", "HA DK CQ SJ H9"), True),  # rows 2 and 3 level
        (("S2 H3 D5", "SA HK DQ CJ S10", "HA D2 C3 S4 H5"), False),  # the low straight is lowest
        (("S10 S9 S8", "HK H6 D5 C3 D2", "DQ CQ S3 H3 DA"), True),  # three single cards, no flush
    ],
)
def test_which_arrangements_are_legal(laid: tuple[str, ...], legal: bool) -> None:
    assert ask("arrangement", rows=rows(*laid))["legal"] is legal
    clauses = cites("arrangement", rows=rows(*laid))
    assert "gonglei-05" in clauses or "gonglei-06" in clauses
    if not legal:
        assert "gonglei-06" in clauses
        assert ask("arrangement", rows=rows(*laid), options={"misarranged": "forfeit"}) == ask(
            "arrangement", rows=rows(*laid)
        )


# Special hands: gonglei-15 to -19

SPECIALS = {
    "青龙": (200, "SA SK SQ SJ S10 S9 S8 S7 S6 S5 S4 S3 S2"),
    "花龙": (130, "SA HK SQ SJ S10 S9 S8 S7 S6 S5 S4 S3 S2"),
    "三个四同": (100, "SA HA DA CA S9 H9 D9 C9 S2 H2 D2 C2 S7"),
    "四个三同": (80, "SA HA DA S9 H9 D9 S5 H5 D5 C2 S2 H2 S7"),
    "六对半": (60, "SA HA SK DK HQ CQ D9 C9 S8 H8 D4 C4 S2"),
    "全红": (50, "HA HK H2 H3 H5 H7 D9 D10 DA D2 D4 D6 D8"),
    "全黑": (50, "SA SK S2 S3 S5 S7 C9 C10 CA C2 C4 C6 C8"),
    "全大": (40, "SA HA DA CK HQ SJ CJ D10 H10 S9 D9 C8 H8"),
    "全小": (40, "SA HA D8 C8 H2 S2 C3 D4 H4 S5 D5 C6 H7"),
    "三同花": (30, "SA SJ S4 H2 H5 H9 HK HQ D3 D4 D8 D10 D7"),
    "三顺": (30, "SQ HK DA C2 S3 D4 H5 S6 C6 D7 H8 S9 C10"),
}


@pytest.mark.parametrize("name", SPECIALS)
def test_each_special_hand(name: str) -> None:
    pays, cards = SPECIALS[name]
    answer = ask("special", cards=hand(cards))
    assert (answer["special"], answer["pays"]) == (name, pays)
    if answer["split"] is not None:
        assert Counter(card for group in answer["split"] for card in group) == Counter(hand(cards))


@pytest.mark.parametrize(
    ("cards", "special"),
    [
        # The odd card may match a three; a four counts as two pairs; the odd card may match a pair.
        ("SA HA DA CA S9 H9 D9 S5 H5 D5 C2 S2 H2", "四个三同"),
        ("SA HA DA CA HQ CQ D9 C9 S8 H8 D4 C4 S2", "六对半"),
        ("SA HA SK DK HQ CQ D9 C9 S8 H8 D4 C4 S4", "六对半"),
        ("SA HA DA CA S9 H9 D9 C9 S2 H2 D2 S7 H7", "六对半"),  # 4+4+3+2: pairs 2, 2, 1 and 1
        ("SA HA DA CA S9 H9 D9 C9 S2 H2 D2 S7 H6", None),  # only five pairs
        # 8 is high and low; 7 and 9 are not both.
        ("SA HA D8 C8 H2 S2 C3 D4 H4 S5 D5 C6 H9", None),
        ("SA HA DK CK HQ SJ CJ D10 H10 S9 D9 C8 H7", None),
        ("S8 H8 D8 C8 SA HA DA C9 S9 D10 HJ CQ SK", "全大"),
        ("S8 H8 D8 C8 SA HA DA C2 S3 D4 H5 C6 S7", "全小"),
        # Higher classes first.
        ("SA CA SK CK SQ CQ S9 C9 S8 C8 S4 C4 S2", "六对半"),  # all black too
        ("SA SK SQ SJ S10 HA HK HQ HJ H10 D9 D10 D8", "全大"),  # three flushes and straights too
        ("HA HJ H9 H6 H2 HK H5 H4 D3 D4 D8 D10 D7", "全红"),  # 8 and 5 of a suit: flushes too
        # Flushes of 3, 5 and 5, two of them of one suit.
        ("SA SJ S9 S6 S2 SK S5 S4 D3 D4 D8 D10 D7", "三同花"),
        ("SA SJ S9 S6 S2 SK S5 S4 S3 SQ D8 D10 D9", "三同花"),
        ("SA SJ S9 S6 S2 SK S5 S4 S3 SQ D8 D10 H9", None),
        ("SA SJ S9 S6 S2 SK S5 S4 H3 D4 D8 D10 D7", None),
        # Straights of 3, 5 and 5.
        ("SA H2 D3 C4 S5 D6 H7 S8 C9 D10 HJ SQ CK", "花龙"),
        ("SA H2 D3 CA D2 H3 S4 C5 D10 HJ SQ CK DA", "三顺"),
        ("SK HA D2 C5 D6 H7 S8 C9 D5 H6 S7 C8 S9", None),  # no turn at the ace
    ],
)
def test_special_hands_at_their_edges(cards: str, special: str | None) -> None:
    assert ask("special", cards=hand(cards))["special"] == special


def test_the_ace_in_three_straights_follows_the_option() -> None:  # gonglei-17
    low = hand("SA H2 D3 C4 D5 H6 S7 C8 D4 H5 S6 C7 S8")  # A-2-3, 4-8, 4-8
    assert ask("special", cards=low)["special"] == "全小"
    low = hand("SA H2 D3 C5 D6 H7 S8 C9 D5 H6 S7 C8 S9")  # A-2-3, 5-9, 5-9
    assert ask("special", cards=low)["special"] == "三顺"
    assert "gonglei-17" in cites("special", cards=low)
    assert ask("special", cards=low, options=OFF)["special"] is None
    high = hand("SQ HK DA C5 D6 H7 S8 C9 D5 H6 S7 C8 S9")
    assert ask("special", cards=high, options=OFF)["special"] == "三顺"


def splits_into_runs(ranks: Sequence[int], sizes: Sequence[int], ace_low: bool) -> bool:
    """Whether ranks (ace 14) split into runs of these sizes: tried one run after another."""
    if not sizes:
        return not ranks
    for low in range(1 if ace_low else 2, 15 - sizes[0] + 1):
        left = list(ranks)
        try:
            for rank in range(low, low + sizes[0]):
                left.remove(14 if rank == 1 else rank)
        except ValueError:
            continue
        if splits_into_runs(left, sizes[1:], ace_low):
            return True
    return False


@settings(max_examples=150)
@given(data=st.data())
def test_three_straights_are_found_wherever_they_are(data: st.DataObject) -> None:
    playing, high_only = gonglei(), gonglei(**OFF)
    deck = pack()
    if data.draw(st.booleans()):
        # Three runs laid together, one card perhaps exchanged.
        lows = data.draw(st.tuples(st.integers(1, 12), st.integers(1, 10), st.integers(1, 10)))
        numbers = [
            n for low, size in zip(lows, (3, 5, 5), strict=True) for n in range(low, low + size)
        ]
        names = ["A", *SUIT_RANKS]
        used: Counter[str] = Counter()
        cards = []
        for number in numbers:
            rank = names[number - 1]
            cards.append(Card(SUITS[used[rank]] + rank))
            used[rank] += 1
        if data.draw(st.booleans()):
            cards[0] = data.draw(st.sampled_from([c for c in deck if c not in cards]))
    else:
        cards = data.draw(st.lists(st.sampled_from(deck), min_size=13, max_size=13, unique=True))
    ranks = [SUIT_RANKS.index(card.rank) + 2 for card in cards]
    for of, ace_low in ((playing, True), (high_only, False)):
        found = "三顺" in of.specials.classes(tuple(cards))
        assert found == splits_into_runs(ranks, (3, 5, 5), ace_low)
        if found:
            groups = of.specials.split("三顺", tuple(cards))
            assert groups is not None
            assert [len(group) for group in groups] == [3, 5, 5]
            assert of.ranks[2].rank(groups[1]).type in ("顺子", "同花顺")
            assert Counter(c for group in groups for c in group) == Counter(cards)


@settings(max_examples=60)
@given(cards=st.permutations(pack()).map(lambda p: tuple(p[:13])))
def test_special_classes_by_their_definitions(cards: Cards) -> None:
    counts = Counter(c.rank for c in cards)
    suits = Counter(c.suit for c in cards)
    classes = gonglei().specials.classes(cards)
    assert ("六对半" in classes) == (sum(n // 2 for n in counts.values()) == 6)
    assert ("全黑" in classes) == (suits["S"] + suits["C"] == 13)
    flushes = any(
        Counter({a: 3}) + Counter({b: 5}) + Counter({c: 5}) == suits
        for a in SUITS for b in SUITS for c in SUITS
    )  # fmt: skip
    assert ("三同花" in classes) == flushes


# Settlement: gonglei-14, -18 to -21

DEFENDER = rows("SK H7 D5", "S8 H8 DA C6 S2", "CJ DJ C9 D9 C4")
CHALLENGER = rows("SQ HJ D6", "S7 D7 HK C5 H3", "HA H10 H9 H6 H2")


def test_rows_are_paid_one_by_one() -> None:
    answer = ask("settle", defender={"rows": DEFENDER}, challengers=[{"rows": CHALLENGER}])
    assert answer == {
        "challengers": [
            {
                "rows": [
                    {"winner": "defender", "pays": 10},
                    {"winner": "defender", "pays": 10},
                    {"winner": "challenger", "pays": 10},
                ],
                "won": 10,
                "lost": 20,
            }
        ],
        "defender_won": 20,
    }


def test_challengers_are_compared_with_the_defender_only() -> None:  # gonglei-01, -21
    third = rows("S3 D3 C10", "S6 S5 S4 C3 D2", "C2 CK H4 H5 D8")
    with pytest.raises(BadInput):  # a pair above five single cards
        ask("settle", defender={"rows": DEFENDER}, challengers=[{"rows": third}])
    third = rows("S3 D8 C10", "S6 S5 S4 C2 D2", "CK DK H4 H5 C3")
    answer = ask(
        "settle", defender={"rows": DEFENDER}, challengers=[{"rows": CHALLENGER}, {"rows": third}]
    )
    assert [d["lost"] for d in answer["challengers"]] == [20, 30]
    assert answer["defender_won"] == 50
    both = cites("settle", defender={"rows": DEFENDER},
                 challengers=[{"rows": CHALLENGER}, {"rows": third}])  # fmt: skip
    assert both.count("gonglei-01") == 2


PLAIN = rows("S2 H3 D5", "SA HK DQ CJ S9", "D10 H10 C4 C3 D2")


@pytest.mark.parametrize("name", SPECIALS)
def test_a_special_hand_beats_rows_and_pays_its_own(name: str) -> None:
    pays, text = SPECIALS[name]
    rest = [c for c in pack() if c not in hand(text)]
    playing = gonglei()
    other = next(playing.search().legal(playing.sorted(rest[:13])))
    laid = {"rows": [list(row) for row in other]}
    answer = ask("settle", defender=laid, challengers=[{"special": hand(text)}])
    assert answer == {"challengers": [{"rows": None, "won": pays, "lost": 0}], "defender_won": 0}
    answer = ask("settle", defender={"special": hand(text)}, challengers=[laid])
    assert answer == {
        "challengers": [{"rows": None, "won": 0, "lost": pays}], "defender_won": pays,
    }  # fmt: skip


def test_special_against_special() -> None:  # gonglei-18
    playing = gonglei()
    order = [["青龙"], ["花龙"], ["三个四同"], ["四个三同"], ["六对半"], ["全红", "全黑"],
             ["全大", "全小"], ["三同花"], ["三顺"]]  # fmt: skip
    level = {name: place for place, names in enumerate(order) for name in names}
    nothing: tuple[Cards, ...] = ((), (), ())
    for one, (pays, _) in SPECIALS.items():
        for other, (other_pays, _) in SPECIALS.items():
            duel = playing.duel(Laid(nothing, one), Laid(nothing, other))
            if level[one] < level[other]:
                assert (duel.won, duel.lost) == (pays, 0)
            else:  # the defender's is higher, or level with it
                assert (duel.won, duel.lost) == (0, other_pays)


def test_level_specials_are_the_defenders() -> None:
    red, black = SPECIALS["全红"][1], SPECIALS["全黑"][1]
    answer = ask("settle", defender={"special": hand(red)}, challengers=[{"special": hand(black)}])
    assert answer["challengers"] == [{"rows": None, "won": 0, "lost": 50}]


def test_forfeited_rows_are_lost() -> None:  # gonglei-06
    wrong = {"rows": rows("SK HK D5", "S8 H8 DA C6 S2", "CJ DJ C9 D9 C4")}
    right = {"rows": rows("SQ HJ D6", "S7 D7 H4 C5 H3", "HA H10 H9 H6 H2")}
    options = {"misarranged": "forfeit"}
    answer = ask("settle", defender=wrong, challengers=[right], options=options)
    assert answer["challengers"][0]["won"] == 30
    assert answer["defender_won"] == 0
    answer = ask("settle", defender=right, challengers=[wrong], options=options)
    assert answer["challengers"][0]["lost"] == 30
    # The winner's own rows decide the pay.
    fours = {"rows": rows("H2 H4 H6", "C2 S3 S5 C8 D10", "S7 D7 H7 C7 H3")}
    answer = ask("settle", defender=fours, challengers=[wrong], options=options)
    assert answer["defender_won"] == 10 + 10 + 40
    both = {"rows": rows("SQ HQ D6", "S7 D7 H4 C5 H3", "HA H10 H9 H6 H2")}
    answer = ask("settle", defender=wrong, challengers=[both], options=options)
    assert answer["challengers"][0]["rows"] == [{"winner": None, "pays": 0}] * 3
    special = {"special": hand("SA S10 S4 H2 H5 H9 H7 HQ D3 D4 D8 D10 D7")}
    answer = ask("settle", defender=special, challengers=[wrong], options=options)
    assert answer["defender_won"] == 30


@pytest.mark.parametrize(
    ("check", "question", "place"),
    [
        ("row", {"row": 0, "cards": ["S2", "S3", "S4"]}, "row"),
        ("row", {"row": 1, "cards": ["S2", "S3", "S4", "S5", "S6"]}, "cards"),
        ("row", {"row": 2, "cards": ["S2", "S3", "S4"]}, "cards"),
        ("row", {"row": 1, "cards": ["S2", "S2", "S4"]}, "cards"),
        ("row", {"row": 1, "cards": ["S2", "DW", "S4"]}, "cards"),
        ("compare", {"row": 1, "challenger": ["S2", "S3", "S4"], "defender": ["S5"] * 3}, "defender"),
        ("compare", {"row": 1, "challenger": ["S2", "S3", "S4"],
                     "defender": ["S2", "S6", "S7"]}, "defender"),
        ("compare", {"row": 3, "challenger": ["S2", "S3", "S4"],
                     "defender": ["S5", "S6", "S7", "S8", "S9"]}, "challenger"),
        ("special", {"cards": ["S2"] * 12}, "cards"),
        ("arrangement", {"rows": [["S2", "S3"], ["S4"] * 5, ["S5"] * 5]}, "rows[0]"),
        ("arrangement", {"rows": [["S2", "S3", "S4"]]}, "rows"),
        ("best", {"cards": hand(SPECIALS["青龙"][1]), "role": "dealer"}, "role"),
        ("settle", {"defender": {"rows": DEFENDER}, "challengers": []}, "challengers"),
        ("settle", {"defender": {"rows": DEFENDER},
                    "challengers": [{"special": [c for row in CHALLENGER for c in row]}]},
         "challengers[0].special"),
        ("settle", {"defender": {"rows": DEFENDER}, "challengers": [{"rows": DEFENDER}]},
         "challengers[0].rows[0]"),
        ("settle", {"defender": {"rows": [DEFENDER[0], DEFENDER[2], DEFENDER[1]]},
                    "challengers": [{"rows": CHALLENGER}]}, "defender.rows[1]"),
        ("settle", {"defender": {"rows": DEFENDER},
                    "challengers": [{"rows": CHALLENGER}] * 4}, "challengers"),
    ],
)  # fmt: skip
def test_questions_that_are_none_are_refused(
    check: str, question: dict[str, Any], place: str
) -> None:
    with pytest.raises(BadInput) as caught:
        ask(check, **question)
    assert caught.value.place == place


# The best arrangement

BEST_HANDS = [
    "SA HK DK CJ SJ HJ S9 H8 D8 C5 S4 H3 D2",
    "S7 H7 D7 C7 S9 S8 S10 SJ SQ H2 D2 C3 H4",  # fours, a straight flush and a full house compete
    "SA HQ D10 C8 S6 H4 D2 CK SJ H9 D7 C5 S3",  # 花龙
]


def plain_values(playing: Gonglei, number: int, role: str) -> Callable[[Cards], int]:
    """What a row is worth against the tallied opponents, added up one by one."""
    ranks, pays = playing.ranks[number], playing.pays[number]
    others = [(ranks.decode(text), count) for text, count in playing.tally.rows[number].items()]
    others_by_strength = [(other.strength, count, pays[other.type]) for other, count in others]
    values: dict[int, int] = {}

    def value(cards: Cards) -> int:
        mine = ranks.rank(cards)
        if mine.strength not in values:
            pay = pays[mine.type]
            values[mine.strength] = sum(
                count * (pay if mine.strength > strength
                         or (mine.strength == strength and role == "defender") else -loss)
                for strength, count, loss in others_by_strength
            )  # fmt: skip
        return values[mine.strength]

    return value


@pytest.mark.parametrize(
    ("text", "role"),
    [(text, "challenger") for text in BEST_HANDS] + [(BEST_HANDS[0], "defender")],
)
def test_best_is_the_best_of_all_72072_arrangements(text: str, role: str) -> None:
    playing = gonglei()
    cards = read_cards(text)
    value1, value2, value3 = (plain_values(playing, n, role) for n in range(3))
    specials = playing.tally.specials
    cost = sum(n * playing.specials.pay(name) for name, n in specials.items())
    found: dict[tuple[int, ...], int] = {}
    arrangements = 0
    for third in combinations(cards, 5):
        rest = [c for c in cards if c not in third]
        worth3, level3 = value3(third), playing.ranks[2].rank(third).level
        for second in combinations(rest, 5):
            arrangements += 1
            level2 = playing.ranks[1].rank(second).level
            if level2 > level3:
                continue
            first = tuple(c for c in rest if c not in second)
            level1 = playing.ranks[0].rank(first).level
            if level1 > level2:
                continue
            worth = value1(first) + value2(second) + worth3 - cost
            found[level1, level2, level3] = worth
    assert arrangements == 72_072
    best, second_best = sorted(found.values(), reverse=True)[:2]
    answer = ask("best", cards=list(cards), role=role)
    hands = playing.tally.hands
    assert answer["expected"] == round(best / hands, 2)
    assert answer["runner_up"]["expected"] == round(second_best / hands, 2)
    for laid, worth in ((answer["rows"], best), (answer["runner_up"]["rows"], second_best)):
        assert ask("arrangement", rows=laid)["legal"]
        assert Counter(c for row in laid for c in row) == Counter(cards)
        levels = tuple(r.rank(row).level for r, row in zip(playing.ranks, laid, strict=True))
        assert found[levels] == worth


def test_best_takes_at_most_50_milliseconds() -> None:
    playing = gonglei()
    rng = random.Random(5)
    texts = [*BEST_HANDS, *(cards for _, cards in SPECIALS.values())]
    hands = [tuple(rng.sample(pack(), 13)) for _ in range(25)] + [read_cards(t) for t in texts]
    check = playing.check("best")
    check.answer({"cards": list(hands[0])})
    for cards in hands:
        times = []
        for _ in range(3):
            start = time.process_time()
            check.answer({"cards": list(cards)})
            times.append(time.process_time() - start)
        assert min(times) <= 0.05


def test_the_arrangement_is_the_challengers_unless_said() -> None:
    cards = hand(BEST_HANDS[0])
    assert ask("best", cards=cards) == ask("best", cards=cards, role="challenger")
    # A tie is the defender's, so the same cards are worth more to him.
    assert (
        ask("best", cards=cards, role="defender")["expected"] > ask("best", cards=cards)["expected"]
    )


def test_what_a_player_gives_up_with_a_special_hand() -> None:  # gonglei-24
    cards = hand(SPECIALS["青龙"][1])
    answer = ask("best", cards=cards)
    assert answer["special"] == "青龙"
    # Nobody in the tally has 青龙 or is level with it: 200 from everyone.
    assert answer["declared"] == 200
    assert answer["expected"] < 200
    assert "gonglei-24" in cites("best", cards=cards)
    lowest = hand(SPECIALS["三顺"][1])
    specials = gonglei().tally.specials
    pays = {name: pays for name, (pays, _) in SPECIALS.items()}
    lost = sum(n * pays[name] for name, n in specials.items())
    plain = gonglei().tally.hands - sum(specials.values())
    assert ask("best", cards=lowest)["declared"] == round(
        (30 * plain - lost) / gonglei().tally.hands, 2
    )
    defender = 30 * (plain + specials.get("三顺", 0)) - lost + 30 * specials.get("三顺", 0)
    assert ask("best", cards=lowest, role="defender")["declared"] == round(
        defender / gonglei().tally.hands, 2
    )
    assert ask("best", cards=hand(BEST_HANDS[0]))["declared"] is None


def changed(facts: dict[str, Any]) -> Rulebook:
    book = rulebook("gonglei")
    return replace(book, facts={**book.facts, **facts})


def test_changing_a_pay_changes_the_best_arrangement() -> None:
    cards = hand("HA SK CQ DJ CJ C10 S5 H5 C5 S4 D4 C4 C2")
    facts = [dict(row) for row in rulebook("gonglei").facts["rows"]]
    facts[0] = {**facts[0], "pays": {"三同张": 10}}
    before = ask("best", cards=cards)
    after = api.check_in(changed({"rows": facts}), "best", {"cards": cards})["answer"]
    # Three fours in front are worth it for 30 points, not for 10.
    assert before["rows"][0] == ["S4", "D4", "C4"]
    assert set(after["rows"][2]) == {"S5", "H5", "C5", "S4", "D4"}


def test_changing_the_order_of_types_changes_who_wins() -> None:
    question = {"row": 2, "challenger": hand("S2 H3 D4 C5 S6"), "defender": hand("SK SJ S9 S7 S3")}
    types = list(FIVES)
    types[3], types[4] = types[4], types[3]
    assert ask("compare", **question)["winner"] == "defender"
    answer = api.check_in(changed({"five_types": types}), "compare", question)["answer"]
    assert answer == {"winner": "challenger", "pays": 10}


def test_a_sample_reproduces_the_opponents() -> None:
    tally = gonglei_opponents.tally()
    assert tally.hands == gonglei_opponents.BATCH * gonglei_opponents.BATCHES
    # The first batches, made anew, are in the tally card by card.
    sample = gonglei_opponents.make(2)
    for found, all_rows in zip(sample.rows, tally.rows, strict=True):
        assert sum(all_rows.values()) + sum(tally.specials.values()) == tally.hands
        for text, count in found.items():
            assert all_rows[text] >= count
    for name, count in sample.specials.items():
        assert tally.specials[name] >= count


def test_special_hands_are_as_frequent_as_can_be_counted() -> None:
    # 六对半: six pairs of 13 ranks, an odd card of the other 28, or of the six ranks (a three), or four
    # of a kind for two pairs and a single, by the counts of each rank.
    def ways(shape: Sequence[int]) -> int:
        kinds = Counter(shape)
        left, found = 13, 1
        for size, n in kinds.items():
            found *= comb(left, n) * comb(4, size) ** n
            left -= n
        return found

    shapes = [[2] * 6 + [1], [3] + [2] * 5, [4] + [2] * 4 + [1], [4, 3, 2, 2, 2], [4, 4, 2, 2, 1],
              [4, 4, 3, 2]]  # fmt: skip
    tally = gonglei_opponents.tally()
    wanted = tally.hands * sum(map(ways, shapes)) / comb(52, 13)
    assert abs(tally.specials["六对半"] - wanted) < 5 * wanted**0.5
    # 三同花, less the few hands that are of a higher class.
    by_suits = [(3, 5, 5), (8, 5, 0), (10, 3, 0)]
    flushes = sum(12 * prod(comb(13, n) for n in counts) for counts in by_suits)
    wanted = tally.hands * flushes / comb(52, 13)
    assert abs(tally.specials["三同花"] - wanted) < 5 * wanted**0.5


# Playing


def dealt(players: int, seed: str = "1", **options: str) -> tuple[Gonglei, Any]:
    playing = gonglei(**options)
    return playing, playing.deal(playing.new_match(players, seed))


def first_legal(playing: Gonglei, state: Any) -> Move:
    return next(m for m in playing.legal_moves(state) if m.kind == "arrange")


def test_two_players_play_two_deals_from_one_pack() -> None:  # gonglei-03
    playing, state = dealt(2)
    used = [set(h) for h in state.hands]
    assert [len(h) for h in state.hands] == [13, 13]
    assert len(state.stock) == 26
    left = set(state.stock)
    for _ in range(2):
        state = playing.apply(state, playing.robot(state))
    second = playing.next_deal(state)
    assert set().union(*second.hands) == left
    assert set(second.stock) == set().union(*used)
    assert {z.label: z.seen_by for z in playing.table(second).zones} == {"used": None}
    for _ in range(2):
        second = playing.apply(second, playing.robot(second))
    third = playing.next_deal(second)
    assert set(third.stock) not in (left, set().union(*used))


@pytest.mark.parametrize(("players", "left"), [(3, 13), (4, 0)])
def test_more_players_use_a_fresh_pack_each_deal(players: int, left: int) -> None:
    playing, state = dealt(players)
    assert len(state.stock) == left
    for _ in range(players):
        state = playing.apply(state, playing.robot(state))
    assert playing.next_deal(state).hands != state.hands
    assert playing.table(playing.next_deal(state)).zones == tuple(
        z for z in playing.table(playing.next_deal(state)).zones if z.label == "stock"
    )


def test_the_defender_deals_and_the_seat_after_him_begins() -> None:
    for seed in range(20):
        _, state = dealt(4, str(seed))
        assert state.turn == (state.match.dealer + 1) % 4


def test_the_first_defender_is_drawn_by_cards() -> None:  # gonglei-02
    playing = gonglei()
    order = playing.order.strength
    winners = set()
    again = 0
    for seed in range(300):
        match = playing.new_match(4, str(seed))
        seats = set(range(4))
        for cards in match.draws:
            assert {s for s, card in enumerate(cards) if card} == seats
            best = max(order[Card(card).rank] for card in cards if card)
            seats = {s for s in seats if order[Card(cards[s]).rank] == best}
            again += len(seats) > 1
        assert seats == {match.dealer}
        winners.add(match.dealer)
        clauses = [r.clause for r in playing.deal(match).events]
        assert clauses.count("gonglei-02") >= 5
    assert winners == {0, 1, 2, 3}
    assert again > 10  # some had to draw again


def test_legal_moves_are_all_legal_arrangements() -> None:
    playing, state = dealt(3, "5")
    cards = playing.sorted(state.hands[state.turn])
    count = 0
    for third in combinations(cards, 5):
        rest = [c for c in cards if c not in third]
        level3 = playing.ranks[2].rank(third).level
        for second in combinations(rest, 5):
            level2 = playing.ranks[1].rank(second).level
            first = [c for c in rest if c not in second]
            count += playing.ranks[0].rank(first).level <= level2 <= level3
    moves = playing.legal_moves(state)
    assert len(moves) == len({frozenset(map(frozenset, playing.split(m.cards))) for m in moves})
    assert len(moves) == count
    assert all(playing.fault(state, move) is None for move in moves[::500])
    all_moves = gonglei(misarranged="forfeit").legal_moves(state)
    assert len(all_moves) == 72_072


def test_illegal_arrangements_are_refused_with_the_clause() -> None:
    playing, state = dealt(2)
    seat = state.turn
    cards = playing.sorted(state.hands[seat])
    best = first_legal(playing, state)
    with pytest.raises(IllegalMove, match="gonglei-04"):
        playing.apply(state, Move("arrange", cards[:12]))
    with pytest.raises(IllegalMove, match="gonglei-04"):
        playing.apply(state, Move("arrange", (*state.hands[1 - seat][:1], *cards[1:])))
    first, second, third = playing.split(best.cards)
    assert playing.ranks[1].rank(second).level < playing.ranks[2].rank(third).level
    with pytest.raises(IllegalMove, match="gonglei-05"):
        playing.apply(state, Move("arrange", first + third + second))
    forfeiting, same = dealt(2, misarranged="forfeit")
    forfeiting.apply(same, Move("arrange", first + third + second))
    with pytest.raises(IllegalMove, match="gonglei-16"):
        playing.apply(state, Move("declare"))


def with_hands(players: int, *hands: str, **match: Any) -> tuple[Gonglei, Any]:
    record = Record("gonglei", players, hands=hands, stock=rest_of(*hands), match=match)
    playing, state = opening(record)
    return cast(Gonglei, playing), state


def rest_of(*hands: str) -> str:
    used = {card for text in hands for card in read_cards(text)}
    return " ".join(card for card in pack() if card not in used)


RED = SPECIALS["全红"][1]
LOW_BLACK = "SQ SJ S10 S9 CK CQ CJ S4 S6 S8 C3 C5 C7"


def test_nothing_shows_who_has_a_special_hand_until_all_have_laid_down() -> None:
    standing = {"deal_no": 2, "dealer": 0, "scores": [0, 0, 0], "lost": [0, 0, 0]}
    third = "H4 H6 H8 H9 H10 HJ HQ D3 D5 D7 DJ DQ DK"
    playing, state = with_hands(3, RED, LOW_BLACK, third, **standing)
    declared = playing.apply(state, Move("declare"))
    arranged = playing.apply(state, first_legal(playing, state))
    for seat in (0, 2):
        assert playing.view(declared, seat) == playing.view(arranged, seat)
        assert all(
            set(z.cards) == {None} for z in playing.view(declared, seat).zones if z.seat == 1
        )
    assert playing.view(declared, 1) != playing.view(arranged, 1)
    for _ in range(2):
        declared = playing.apply(declared, Move("declare"))
    assert declared.turn is None
    assert all(None not in z.cards for z in playing.view(declared, 0).zones if z.label != "stock")
    assert [z.label for z in playing.view(declared, 0).zones] == ["special"] * 3 + ["stock"]


def test_arranging_a_special_hand_says_what_is_given_up() -> None:  # gonglei-24
    standing = {"deal_no": 3, "dealer": 0, "scores": [0, 0], "lost": [0, 0]}
    playing, state = with_hands(2, RED, LOW_BLACK, **standing)
    move = first_legal(playing, state)
    assert "gonglei-24" in [r.clause for r in playing.allows(state, move)]
    assert [r.clause for r in playing.allows(state, Move("declare"))][-1] == "gonglei-19"
    state = playing.apply(state, move)
    state = playing.apply(state, Move("declare"))
    result = playing.result(state)
    assert result is not None
    assert result.scores == (50, 0)


# The title: gonglei-22, -23


def standing(
    scores: Sequence[int], lost: Sequence[int], dealer: int = 0, target: int | None = 500
) -> GongleiMatch:
    return GongleiMatch(
        seed="t", players=len(scores), deal_no=4, dealer=dealer, scores=tuple(scores),
        lost=tuple(lost), target=target,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "lost", "total", "held", "taker"),
    [
        ((500, 0), (0, 500), "gross", False, None),  # not more than 500
        ((510, 0), (0, 510), "gross", True, None),
        ((600, 100), (0, 600), "gross", False, None),  # a net of 500
        ((610, 100), (0, 610), "gross", True, None),
        ((700, 90, 100), (0, 300, 400), "gross", True, None),
        ((700, 100, 100), (0, 300, 400), "gross", False, None),
        ((0, 200), (0, 0), "gross", False, 1),
        ((0, 190), (0, 0), "gross", False, None),
        ((300, 200), (0, 300), "gross", False, 1),  # his losses do not count
        ((300, 200), (0, 300), "net", False, None),
        ((10, 210), (0, 10), "net", False, 1),
        ((20, 210), (0, 20), "net", False, None),
        ((100, 200, 210), (0, 50, 50), "gross", False, 2),  # the higher total
        ((100, 210, 200), (0, 50, 50), "gross", False, 1),
        ((100, 260, 280), (0, 10, 90), "net", False, 1),  # the higher of 250 and 190
        ((1000, 200, 210), (0, 500, 500), "gross", True, None),  # held in the same deal: first
    ],
)
def test_who_has_the_title(
    scores: tuple[int, ...], lost: tuple[int, ...], total: str, held: bool, taker: int | None
) -> None:
    title = gonglei(challenger_total=total).title(standing(scores, lost))
    assert (title.held, title.taker) == (held, taker)


def test_level_challengers_draw_for_the_title() -> None:  # gonglei-23
    playing = gonglei()
    takers = set()
    for seed in range(40):
        match = replace(standing((100, 200, 200), (0, 50, 50)), seed=str(seed))
        title = playing.title(match)
        assert title == playing.title(match)
        takers.add(title.taker)
        assert "gonglei-23" in [r.clause for r in title.reasons]
    assert takers == {1, 2}


def test_a_new_defender_begins_with_a_clean_sheet() -> None:
    playing, state = with_hands(
        2, LOW_BLACK, RED, deal_no=3, dealer=0, scores=[120, 150], lost=[0, 120]
    )
    state = playing.apply(state, Move("declare"))
    state = playing.apply(state, Move("declare"))  # 全黑 is level with 全红: the defender's
    result = playing.result(state)
    assert result is not None
    assert (result.scores, result.match.scores, result.match.dealer) == ((50, 0), (170, 150), 0)
    playing, state = with_hands(
        2, LOW_BLACK, RED, deal_no=3, dealer=0, scores=[120, 150], lost=[0, 120]
    )
    state = playing.apply(state, Move("declare"))
    state = playing.apply(state, first_legal(playing, state))
    result = playing.result(state)
    assert result is not None
    assert result.scores == (0, 50)
    assert result.match_winners is None
    following = cast(GongleiMatch, playing.next_deal(state).match)
    assert (following.dealer, following.scores, following.lost) == (1, (0, 0), (0, 0))


def test_a_match_ends_when_the_title_is_held() -> None:
    playing, state = with_hands(
        2, RED, LOW_BLACK, deal_no=3, dealer=0, scores=[460, 0], lost=[0, 460]
    )
    state = playing.apply(state, first_legal(playing, state))
    state = playing.apply(state, Move("declare"))
    result = playing.result(state)
    assert result is not None
    assert result.match_winners == (0,)
    with pytest.raises(ValueError, match="over"):
        playing.next_deal(state)


@pytest.mark.parametrize(
    ("match", "place"),
    [
        ({"deal_no": 2, "dealer": 0, "scores": [10, 0]}, "match.lost"),
        ({"deal_no": 2, "dealer": 0, "scores": [10, 0], "lost": [0, 20]}, "match.lost"),
        ({"deal_no": 2, "dealer": 0, "scores": [10, 0], "lost": [10, 0]}, "match.lost"),
        ({"deal_no": 2, "dealer": 0, "scores": [0, 0], "lost": [0]}, "match.lost"),
        ({"deal_no": 2, "dealer": 0, "scores": [-10, 0], "lost": [0, 0]}, "match.scores"),
        ({"deal_no": 2, "dealer": 0, "scores": [0, 200], "lost": [0, 0]}, "match.scores"),
        ({"deal_no": 1, "draws": [["S2", "HA"]], "dealer": 0}, "match.draws"),
    ],
)
def test_standings_that_cannot_be_are_refused(match: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as caught:
        opening(Record("gonglei", 2, seed="1", match=match))
    assert caught.value.place == place


def test_matches_are_played_to_a_title_held() -> None:
    # With losses counted: where they are not, challengers seldom leave a defender the time.
    playing, state = dealt(4, "2", challenger_total="net")
    defenders = set()
    rng = random.Random(2)
    result = None
    for _ in range(2000):
        defenders.add(state.match.dealer)
        while state.turn is not None:
            state = playing.apply(state, playing.pick(state, rng))
        result = playing.result(state)
        assert result is not None
        match = cast(GongleiMatch, result.match)
        assert sum(match.lost) == match.scores[match.dealer]
        if result.match_winners:
            break
        state = playing.next_deal(state)
    assert result is not None
    assert result.match_winners == (state.match.dealer,)
    assert match.scores[match.dealer] - sum(
        points for seat, points in enumerate(match.scores) if seat != match.dealer
    ) > 500  # fmt: skip
    assert len(defenders) > 1


def test_robots_know_only_their_own_cards() -> None:
    playing, state = dealt(3, "9")
    seat = state.turn
    other = [s for s in range(3) if s != seat]
    hands = list(state.hands)
    hands[other[0]], hands[other[1]] = hands[other[1]], hands[other[0]]
    assert playing.robot(state) == playing.robot(replace(state, hands=tuple(hands)))


def test_a_robot_declares_what_is_worth_more_than_rows() -> None:
    playing, state = with_hands(2, RED, LOW_BLACK, deal_no=3, dealer=0, scores=[0, 0], lost=[0, 0])
    assert playing.robot(state) == Move("declare")


def test_the_answer_is_the_same_bytes_each_time() -> None:
    question = {"cards": hand(BEST_HANDS[0])}
    first = api.to_json(api.check("gonglei", "best", question))
    assert first == api.to_json(api.check("gonglei", "best", question))
    assert json.loads(first)["answer"]["rows"] == ask("best", **question)["rows"]


def test_cards_given_out_by_hand_must_be_the_whole_pack() -> None:
    playing = gonglei()
    match = playing.new_match(2, "1")
    deal = playing.shuffled(match)
    with pytest.raises(BadInput):
        playing.check_deal(Deal(deal.hands, deal.stock[1:]), match)


def test_the_second_deal_of_a_pack_is_what_the_first_left() -> None:  # gonglei-03
    playing = game("gonglei")
    pack = playing.pack(2)
    for hands, stock in (
        ((pack[:13], pack[13:26]), pack[26:]),
        ((pack[39:], pack[26:39]), pack[:26]),
    ):
        record = Record(
            "gonglei",
            2,
            seed="given",
            hands=tuple(" ".join(h) for h in hands),
            stock=" ".join(stock),
        )
        _, state = opening(record)
        while state.turn is not None:
            state = playing.apply(state, playing.robot(state))
        following = playing.next_deal(state)
        dealt = [card for hand in following.hands for card in hand]
        assert sorted(dealt) == sorted(stock)
        used = next(z for z in playing.view(following, None).zones if z.label == "used")
        assert sorted(c for c in used.cards if c) == sorted([*hands[0], *hands[1]])
        while following.turn is not None:
            following = playing.apply(following, playing.robot(following))
        third = playing.next_deal(following)
        assert sorted((*third.hands[0], *third.hands[1], *third.stock)) == sorted(pack)


def test_a_special_hand_arranged_plainly_hears_what_it_gives_up() -> None:  # gonglei-24
    rows = [["H2", "D2", "S3"], ["S4", "H4", "S5", "H5", "C8"], ["S9", "H9", "SJ", "HJ", "D3"]]
    said = api.check("gonglei", "arrangement", {"rows": rows})
    assert [r["clause"] for r in said["reasons"]] == ["gonglei-05", "gonglei-24"]
