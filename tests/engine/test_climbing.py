"""The climbing family against a second, slow reading of the rulebook, and on the facts of games that
do not stand on it here: substitutes, pairs of flushes, a bomb of two jokers."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api, schema
from engine.cards import Card, Cards, pack, read_cards
from engine.families.climbing_plays import Plays
from engine.families.climbing_types import Classifier, Reading, TypeFacts
from engine.games.wushik import Facts
from engine.rulebook import rulebook

FACTS = rulebook("wushik").rules("two-packs").facts
TYPES = Classifier(schema.load(Facts, FACTS))
PLAYS = Plays(TYPES)
LOW_ACE = {"A": 1, "2": 2, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(3, 11)}
ORDER = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]

# The oracle: the rulebook's sentences, one after the other, over plain lists of ranks. It shares no
# code with the engine. A reading is (type, highest rank, cards, threes or straight length, load).

Told = tuple[str, str, int, int, int]


def oracle(cards: Sequence[Card]) -> set[Told]:
    n = len(cards)
    of = Counter(str(card.rank) for card in cards)
    found: set[Told] = set()
    if len(of) == 1:
        name = {1: "单张", 2: "对", 3: "三同张"}.get(n, "炸弹")
        return {(name, cards[0].rank, n, 1, 0)}
    if sorted(of) == ["10", "5", "K"] and n == 3:
        name = "正五十K" if len({card.suit for card in cards}) == 1 else "副五十K"
        return {(name, "K", 3, 3, 0)}
    if n >= 5 and len(of) == n:
        flush = len({card.suit for card in cards}) == 1
        for ace in (1, 14):
            numbers = sorted(ace if r == "A" else LOW_ACE[r] for r in of)
            if numbers == list(range(numbers[0], numbers[0] + n)):
                top = next(r for r in of if (ace if r == "A" else LOW_ACE[r]) == numbers[-1])
                found.add(("同花顺" if flush else "顺子", top, n, n, 0))
    if n in (4, 5):
        found |= {("三带", r, n, 1, n - 3) for r in of if of[r] >= 3}
    run = ORDER[:-1]
    for first in range(len(run)):
        for last in range(first + 1, len(run)):
            ranks, length = run[first : last + 1], last - first + 1
            if n == 2 * length and all(of[r] == 2 for r in ranks):
                found.add(("连对", run[last], n, length, 0))
            if n == 3 * length and all(of[r] == 3 for r in ranks):
                found.add(("连三同张", run[last], n, length, 0))
            for load in (0, 1, 2):
                if n == (3 + load) * length and all(of[r] >= 3 for r in ranks):
                    found.add(("三连带", run[last], n, length, load))
    return found


def oracle_beats(a: Told, mine: Sequence[Card], b: Told, theirs: Sequence[Card]) -> bool:
    def grade(told: Told, cards: Sequence[Card]) -> tuple[int, int, int]:
        if told[0] == "炸弹":
            return 6, told[2], ORDER.index(told[1])
        if told[0] == "正五十K":
            return 5 - "SHCD".index(cards[0].suit), 0, 0
        return (1, 0, 0) if told[0] == "副五十K" else (0, 0, 0)

    if grade(a, mine)[0] or grade(b, theirs)[0]:
        return grade(a, mine) > grade(b, theirs)
    straights = ("顺子", "同花顺")
    if a[0] in straights and b[0] in straights:
        if a[2] != b[2]:
            return False

        def height(told: Told) -> tuple[int, bool]:
            # Two straights of one length: an ace that is the top is high.
            return 14 if told[1] == "A" else LOW_ACE[told[1]], told[0] == "同花顺"

        return height(a) > height(b)
    if {a[0], b[0]} == {"三连带", "连三同张"} and a[4] == b[4] == 0:
        return a[3] == b[3] and ORDER.index(a[1]) > ORDER.index(b[1])
    return a[0] == b[0] and a[2:] == b[2:] and ORDER.index(a[1]) > ORDER.index(b[1])


def told(reading: Reading) -> Told:
    return reading.type, reading.rank, reading.count, reading.length, reading.load


def subsets(hand: Sequence[Card]) -> Iterator[Cards]:
    """Every set of cards of a hand, copies of a card alike."""
    seen = set()
    for n in range(1, len(hand) + 1):
        for cards in combinations(sorted(hand), n):
            if cards not in seen:
                seen.add(cards)
                yield cards


def crowded(rng: random.Random, size: int) -> Cards:
    """A hand from few neighbouring ranks, perhaps of few suits, of two packs: so that runs, threes
    and flushes are common."""
    width = rng.choice((3, 4, 5, 6, 13))
    ladder = ["A", "2", *ORDER[:-2], "A", "2"]
    at = rng.randrange(len(ladder) - min(width, 13) + 1)
    ranks = set(ladder[at : at + width]) | ({"5", "10", "K"} if rng.random() < 0.3 else set())
    suits = rng.choice(("SHDC", "SHDC", "SHDC", "SH", "S"))
    deck = [card for card in pack(copies=2) if card.rank in ranks and card.suit in suits]
    return tuple(rng.sample(deck, min(size, len(deck))))


def test_readings_are_those_of_the_rulebook() -> None:
    rng = random.Random(1)
    kinds: Counter[str] = Counter()
    for _ in range(80):
        hand = crowded(rng, 8)
        for cards in [*subsets(hand), crowded(rng, 12), crowded(rng, 15)]:
            found = {told(reading) for reading in TYPES.readings(cards)}
            assert found == oracle(cards), cards
            kinds.update(name for name, *_ in found)
    assert set(kinds) == set(FACTS["types"])


@pytest.mark.parametrize("seed", range(12))
def test_options_are_all_legal_plays_and_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    hand = crowded(rng, 11)
    plays = {cards: oracle(cards) for cards in subsets(hand)}
    legal = {cards for cards, readings in plays.items() if readings}
    options = [tuple(sorted(option.cards)) for option in PLAYS.options(hand)]
    assert len(options) == len(set(options))
    assert set(options) == legal
    # A table from other cards, so that replies of every kind are asked for.
    tables = [crowded(rng, rng.choice((1, 2, 3, 4, 5, 6, 8))) for _ in range(60)]
    tables += rng.sample(sorted(legal), min(15, len(legal)))
    for table in tables:
        for lying in TYPES.readings(table):
            wanted = {
                cards
                for cards in legal
                if any(oracle_beats(r, cards, told(lying), table) for r in plays[cards])
            }
            got = [tuple(sorted(o.cards)) for o in PLAYS.options(hand, lying)]
            assert len(got) == len(wanted)
            assert set(got) == wanted


def test_pick_finds_every_kind_of_play_and_only_legal_ones() -> None:
    rng = random.Random(5)
    for _ in range(300):
        hand = crowded(rng, 12)
        lead = PLAYS.pick(hand, None, rng)
        assert lead is not None
        assert not Counter(lead.cards) - Counter(hand)
        lying = lead.readings[0]
        other = crowded(rng, 12)
        reply = PLAYS.pick(other, lying, rng)
        options = {tuple(sorted(option.cards)) for option in PLAYS.options(other, lying)}
        assert (tuple(sorted(reply.cards)) in options) if reply else not options


ONE_PACK = list(pack())


@given(st.lists(st.sampled_from(ONE_PACK), min_size=1, max_size=8, unique=True), st.randoms())
def test_order_of_input_changes_nothing(cards: list[Card], rng: random.Random) -> None:
    shuffled = list(cards)
    rng.shuffle(shuffled)
    assert TYPES.readings(cards) == TYPES.readings(shuffled)


@settings(max_examples=300)
@given(st.integers(0, 10**6))
def test_higher_is_a_strict_order(seed: int) -> None:
    rng = random.Random(seed)
    some = [r for _ in range(6) for r in TYPES.readings(crowded(rng, rng.randint(1, 6)))]
    for a in some:
        assert not TYPES.beats(a, a)
        for b in some:
            assert not (TYPES.beats(a, b) and TYPES.beats(b, a))
            for c in some:
                if TYPES.beats(a, b) and TYPES.beats(b, c):
                    assert TYPES.beats(a, c)


# Other games' facts. Small tables of types, written here so that nothing depends on those games.

RANKS = ["DW", "XW", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3"]
LADDERS = {"straight": ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]}


def classifier(types: dict[str, Any], **facts: Any) -> Classifier:
    data = {"ranks": RANKS, "ladders": LADDERS, "types": types, **facts}
    return Classifier(schema.load(TypeFacts, data))


WILD = classifier(
    {
        "单张": {"group": 1},
        "双张": {"group": 2},
        "三张": {"group": 3},
        "四张": {"group": 4},
        "顺子": {"group": 1, "run": 3, "ladder": "straight", "by": ["flush", "rank", "real"]},
        "同花顺": {"of": "顺子"},
        "亲家顺子": {"group": 2, "run": 3, "ladder": "straight", "by": ["flush", "rank", "real"]},
        "亲家同花顺": {"of": "亲家顺子", "group": 2, "more": True},
    },
    substitutes={"DW": "any", "XW": "any", "2": "sets"},
)


def names(kind: Classifier, cards: str) -> list[str]:
    return sorted(r.name for r in kind.readings(read_cards(cards)))


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("DW", ["单张DW"]),
        ("S2", ["单张2"]),
        ("DW XW", ["双张XW"]),
        ("DW S2", ["双张2"]),
        ("S2 H2", ["双张2"]),
        ("S7 H2", ["双张7"]),
        ("S7 H2 DW", ["三张7"]),
        ("S7 H7 S2 XW", ["四张7"]),
        ("S7 H8 S2", []),
        ("S7 H8 DW", ["顺子6-8", "顺子7-9"]),
        ("H7 H8 DW", ["同花顺6-8", "同花顺7-9"]),
        ("HK HA DW", ["同花顺Q-A"]),
        ("HA H2 H3", []),
        ("H7 H9 S8", ["顺子7-9"]),
        ("H3 DW XW", ["三张3", "同花顺3-5"]),
        ("S3 H3 S4 H4 S5 H5", ["亲家同花顺3-5"]),
        ("S3 H3 S4 D4 S5 H5", ["亲家顺子3-5"]),
        ("S3 H3 S4 DW S5 H5", ["亲家同花顺3-5"]),
        ("S3 H3 D3 S4 H4 D4 S5 H5 D5", ["亲家同花顺3-5"]),
        ("S3 H3 D3 S4 H4 C4 S5 H5 D5", []),
    ],
)
def test_substitutes(cards: str, wanted: list[str]) -> None:
    assert names(WILD, cards) == wanted


def test_a_flush_beats_a_plain_straight_first_where_the_facts_say_so() -> None:
    def one(cards: str) -> Reading:
        return WILD.readings(read_cards(cards))[0]

    assert WILD.beats(one("H10 H9 H8"), one("SA DK CQ"))
    assert not WILD.beats(one("SA DK CQ"), one("H10 H9 H8"))
    assert WILD.beats(one("H10 H9 H8"), one("S10 DW D8"))
    assert not WILD.beats(one("S10 DW D8"), one("H10 H9 H8"))
    assert not WILD.beats(one("S10 DW D8"), one("H10 XW H8"))
    assert not WILD.beats(one("S7 S2"), one("H7 D7"))


@pytest.mark.parametrize("seed", range(8))
def test_options_with_substitutes_are_all_there(seed: int) -> None:
    rng = random.Random(seed)
    deck = [c for c in pack(jokers=("DW", "XW")) if c.rank in {"DW", "XW", "2", "5", "6", "7", "8"}]
    hand = tuple(rng.sample(deck, 9))
    plays = Plays(WILD)
    wanted = {cards for cards in subsets(hand) if WILD.readings(cards)}
    got = [tuple(sorted(option.cards)) for option in plays.options(hand)]
    assert len(got) == len(set(got))
    assert set(got) == wanted
    for cards in rng.sample(sorted(wanted), min(20, len(wanted))):
        for lying in WILD.readings(cards):
            higher = {
                other
                for other in wanted
                if any(WILD.beats(reading, lying) for reading in WILD.readings(other))
            }
            assert {tuple(sorted(o.cards)) for o in plays.options(hand, lying)} == higher
            picked = plays.pick(hand, lying, rng)
            assert (tuple(sorted(picked.cards)) in higher) if picked else not higher


def test_two_jokers_can_be_the_highest_bomb() -> None:
    kind = classifier(
        {
            "单张": {"group": 1},
            "对子": {"group": 2},
            "炸弹": {"group": 4, "by": ["rank"]},
            "王炸": {"set": ["XW", "DW"], "term": "炸弹"},
        },
        bombs=["炸弹", "王炸"],
    )
    (jokers,) = kind.readings(read_cards("DW XW"))
    (twos,) = kind.readings(read_cards("S2 H2 D2 C2"))
    assert jokers.type == "炸弹"
    assert kind.beats(jokers, twos)
    assert not kind.beats(twos, jokers)


@pytest.mark.parametrize(
    ("types", "facts"),
    [
        ({"顺子": {"group": 1, "run": 5, "ladder": "none"}}, {}),
        ({"同花顺": {"of": "顺子"}}, {}),
        ({"单张": {}}, {}),
        ({"单张": {"group": 1}}, {"bombs": ["炸弹"]}),
    ],
)
def test_types_that_cannot_be_are_refused(types: dict[str, Any], facts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"type|ladder"):
        classifier(types, **facts)


def test_reasons_name_what_decides() -> None:
    """Regressions: one bomb that beats another of the same name, and a flush that wins only at the
    same top."""

    def say(slug: str, **question: list[str]) -> str:
        return "".join(r["text"] for r in api.check(slug, "beats", question)["reasons"])

    quad, jokers = ["S3", "H3", "D3", "C3"], ["DW", "XW"]
    assert "大王那一手大过3那一手" in say("zhuoheia", table=quad, play=jokers)
    plain, flush = ["S3", "H4", "S5", "S6", "S7"], ["D3", "D4", "D5", "D6", "D7"]
    assert "最大的点数一样" in say("zhuoheia", table=plain, play=flush)
    assert "最大的点数一样" not in say(
        "qiaosanjia", table=["SA", "DK", "CQ"], play=["H10", "H9", "H8"]
    )
    assert "桌上这一手当作顺子J-K" in say(
        "qiaosanjia", table=["SQ", "HJ", "DW"], play=["CQ", "DJ", "D10"]
    )
