"""敲三家, from the rulebook: substitutes, comparing, all splits of the places, tribute."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import Any

import pytest

from engine import api
from engine.cards import Card, Cards, pack
from engine.game import Move
from engine.games.qiaosanjia import Qiaosanjia, QiaosanjiaState
from engine.record import opening, read_record
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

RUN = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RANKS = [*RUN, "2", "XW", "DW"]
DECK = pack(jokers=("DW", "XW"))


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("qiaosanjia", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> set[str]:
    return {r["clause"] for r in api.check("qiaosanjia", check, question)["reasons"]}


def beats(table: str, play: str) -> bool:
    return bool(ask("beats", table=table, play=play)["beats"])


def playing(**options: str) -> Qiaosanjia:
    found = game("qiaosanjia", options=options)
    assert isinstance(found, Qiaosanjia)
    return found


def opened(
    seed: str = "", hands: list[str] | None = None, options: Any = None, **match: Any
) -> tuple[Qiaosanjia, QiaosanjiaState]:
    record: dict[str, Any] = {"game": "qiaosanjia", "players": 6, "seed": seed, "match": match}
    if hands:
        record["hands"] = hands
    found, state = opening(read_record({**record, "options": options or {}}))
    assert isinstance(found, Qiaosanjia)
    assert isinstance(state, QiaosanjiaState)
    return found, state


# Types and substitutes


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("S7", [("单张", "7", {}, False)]),
        ("DW", [("单张", "DW", {}, False)]),  # alone it is itself: -15
        ("S2", [("单张", "2", {}, False)]),
        ("S2 H2", [("双张", "2", {}, False)]),
        ("S7 H2", [("双张", "7", {"H2": "7"}, True)]),
        ("S7 DW", [("双张", "7", {"DW": "7"}, True)]),
        ("DW XW", [("双张", "XW", {"DW": "XW"}, True)]),
        ("DW S2", [("双张", "2", {"DW": "2"}, True)]),
        ("DW XW S2", [("三张", "2", {"DW": "2", "XW": "2"}, True)]),
        ("DW XW S2 H2", [("四张", "2", {"DW": "2", "XW": "2"}, True)]),
        ("S7 H7 D7 C7", [("四张", "7", {}, False)]),
        ("S7 H7 D7 C7 S2", [("四张以上", "7", {"S2": "7"}, True)]),
        ("S7 H7 D7 C7 S2 H2 D2 DW XW",
         [("四张以上", "7", dict.fromkeys(["DW", "XW", "S2", "H2", "D2"], "7"), True)]),
        ("S7 H8", []),
        ("S7 H8 S2", []),  # a two is no substitute in a straight: -14
        ("SK HA S2", []),  # nor does it stand in one: -12
        ("S2 H3 D4", []),
        ("SQ HK DA", [("顺子", "A", {}, False)]),
        ("SK HA D3", []),
        ("S3 S4 S5", [("同花顺", "5", {}, False)]),
        ("S7 H8 DW", [("顺子", "9", {"DW": "9"}, True), ("顺子", "8", {"DW": "6"}, True)]),
        ("S7 H9 DW", [("顺子", "9", {"DW": "8"}, True)]),
        ("S7 H10 DW", []),
        ("S7 H10 DW XW", [("顺子", "10", {"DW": "9", "XW": "8"}, True)]),
        ("CQ DW C10", [("同花顺", "Q", {"DW": "CJ"}, True)]),
        ("HA HK DW", [("同花顺", "A", {"DW": "HQ"}, True)]),
        ("H3 H4 XW", [("同花顺", "5", {"XW": "H5"}, True)]),
        ("S5 DW XW",
         [("同花顺", "7", {"DW": "S7", "XW": "S6"}, True),
          ("同花顺", "6", {"DW": "S6", "XW": "S4"}, True),
          ("同花顺", "5", {"DW": "S4", "XW": "S3"}, True),
          ("三张", "5", {"DW": "5", "XW": "5"}, True)]),
        ("S3 H3 S4 C4", []),  # two pairs are too few: -12
        ("S3 H3 S4 C4 S5 D5", [("亲家顺子", "5", {}, False)]),
        ("S3 H3 S4 H4 S5 H5", [("亲家同花顺", "5", {}, False)]),
        ("S3 H3 S4 H4 S5 DW", [("亲家同花顺", "5", {"DW": "H5"}, True)]),
        ("S3 H3 S4 D4 S5 DW", [("亲家顺子", "5", {"DW": "5"}, True)]),
        ("S3 H3 S4 H4 S5 S2", []),
        ("S4 H4 S5 H5 DW XW",
         [("亲家同花顺", "6", {"DW": "S6", "XW": "H6"}, True),
          ("亲家同花顺", "5", {"DW": "S3", "XW": "H3"}, True)]),
        ("S3 H3 D3 S4 H4 D4 S5 H5 D5", [("亲家同花顺", "5", {}, False)]),
        ("S3 H3 D3 S4 H4 C4 S5 H5 D5", []),  # threes in a run are no type
        ("SQ HQ SK HK SA HA S2 H2", []),
        ("S3 H4 S5 H6 S7 H8 S9 HJ DW", [("顺子", "J", {"DW": "10"}, True)]),
    ],
)  # fmt: skip
def test_every_reading_with_what_substitutes_stand_for(cards: str, wanted: list[Any]) -> None:
    readings = ask("classify", cards=cards)["readings"]
    assert len(readings) == len(wanted)
    for reading, (name, rank, stands, fake) in zip(readings, wanted, strict=True):
        assert (reading["type"], reading["rank"], reading["fake"]) == (name, rank, fake)
        told = reading["stands_for"]
        assert set(told) == set(stands)
        for card, other in stands.items():
            # A suit counts in flushes only; elsewhere any card of the rank will do.
            assert told[card] == other or told[card].lstrip("SHDC") == other


# A slow second reading of the rulebook: give every joker each rank and suit, every two each rank, and
# look at what is then there. It shares no code with the engine.

Told = tuple[str, str, int, bool]
Plain = tuple[str, str]
"""A card as (rank, suit)."""


def natural(cards: Sequence[Plain]) -> tuple[str, str] | None:
    """The run that cards without substitutes are: its type and top rank."""
    if any(rank not in RUN for rank, _ in cards):
        return None
    of = Counter(rank for rank, _ in cards)
    ranks = sorted(of, key=RUN.index)
    if len(ranks) < 3 or RUN.index(ranks[-1]) - RUN.index(ranks[0]) != len(ranks) - 1:
        return None
    if len(set(of.values())) > 1:
        return None
    size, suits = of[ranks[0]], {suit for _, suit in cards}
    if size == 1:
        return ("同花顺" if len(suits) == 1 else "顺子"), ranks[-1]
    if len(suits) == size and len(set(cards)) == len(cards):
        return "亲家同花顺", ranks[-1]
    return ("亲家顺子", ranks[-1]) if size == 2 else None


def oracle(cards: Cards) -> set[Told]:
    n = len(cards)
    jokers = [c for c in cards if c.rank in ("DW", "XW")]
    own = [c for c in cards if c not in jokers]
    found: set[Told] = set()
    others = {c.rank for c in own if c.rank != "2"}
    name = {1: "单张", 2: "双张", 3: "三张", 4: "四张"}.get(n, "四张以上")
    if n == 1:
        return {(name, cards[0].rank, 1, False)}
    if len(others) == 1:
        found.add((name, others.pop(), n, len(own) < n or any(c.rank == "2" for c in own)))
    elif not others:
        low = min((c.rank for c in cards), key=RANKS.index)
        found.add((name, low, n, any(c.rank != low for c in cards)))
    if n < 3 or not own or any(c.rank == "2" for c in own):
        return found
    plain = [(str(c.rank), str(c.suit)) for c in own]
    runs: set[tuple[str, str]] = set()
    near = {RUN[i] for c in own for i in range(12) if abs(i - RUN.index(c.rank)) < n}
    for given in product(product(sorted(near), "SHDC"), repeat=len(jokers)):
        if run := natural([*plain, *given]):
            runs.add(run)
    for kind, top in runs:
        if kind == "顺子" and ("同花顺", top) in runs:
            continue  # what can be a flush is read as one only
        if kind == "亲家顺子" and ("亲家同花顺", top) in runs:
            continue
        found.add((kind, top, n, bool(jokers)))
    return found


KIND = {"同花顺": "顺子", "亲家同花顺": "亲家顺子"}


def higher(play: Told, table: Told) -> bool:
    """qiaosanjia-16, -17, -18. Nine cards of 亲家同花顺 are three flushes and stand alone."""
    if play[2] != table[2] or KIND.get(play[0], play[0]) != KIND.get(table[0], table[0]):
        return False

    def height(told: Told) -> tuple[bool, int, bool]:
        straight = told[0] in ("顺子", "同花顺", "亲家顺子", "亲家同花顺")
        return told[0] in KIND, RANKS.index(told[1]), straight and not told[3]

    return height(play) > height(table)


def crowded(rng: random.Random, jokers: int) -> Cards:
    at = rng.randrange(9)
    suits = rng.choice(("SHDC", "SHD", "SH", "SH"))
    some = [c for c in DECK if c.rank in (*RUN[at : at + 4], "2") and c.suit in suits]
    wild = [Card("DW"), Card("XW")][:jokers]
    return (*rng.sample(some, min(9 - jokers, len(some))), *wild)


def subsets(hand: Cards) -> Iterator[Cards]:
    for n in range(1, len(hand) + 1):
        yield from combinations(hand, n)


@pytest.mark.parametrize(("seed", "jokers"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2)])
def test_readings_and_moves_are_complete(seed: int, jokers: int) -> None:
    rng = random.Random(seed)
    hand = crowded(rng, jokers)
    told = {cards: oracle(cards) for cards in subsets(hand)}
    types = playing().types
    for cards, wanted in told.items():
        found = {(r.type, r.rank, r.count, r.wild > 0) for r in types.readings(cards)}
        assert found == wanted, cards
    legal = {frozenset(cards) for cards, readings in told.items() if readings}
    leads = ask("moves", hand=list(hand), table=[])["moves"]
    assert {frozenset(m) for m in leads} == legal
    assert len(leads) == len(legal)
    others = [c for c in DECK if c not in hand]
    tables: list[Cards] = []
    while len(tables) < 12:
        table = tuple(rng.sample(others, rng.choice((1, 2, 2, 3, 3, 3, 4))))
        if oracle(table):
            tables.append(table)
    for table in tables:
        # With several readings the first is meant, the longest and highest.
        first = ask("classify", cards=list(table))["readings"][0]
        lying = (first["type"], first["rank"], first["count"], first["fake"])
        assert lying in oracle(table)
        wanted_moves = {
            frozenset(cards)
            for cards, readings in told.items()
            if any(higher(r, lying) for r in readings)
        }
        replies = ask("moves", hand=list(hand), table=list(table))["moves"]
        assert {frozenset(m) for m in replies} == wanted_moves
        assert len(replies) == len(wanted_moves)


def test_no_two_readings_of_a_hand_have_one_name() -> None:
    types = playing().types
    rng = random.Random(9)
    for _ in range(40):
        for cards in subsets(crowded(rng, 2)[:8]):
            readings = types.readings(cards)
            assert len({r.name for r in readings}) == len(readings)


# Comparing


@pytest.mark.parametrize(
    ("low", "high"),
    [  # The chain of the source: each beats the one before it.
        ("DJ C10 H9", "SA XW CQ"),
        ("SA DK CQ", "H10 H9 H8"),
        ("H10 H9 H8", "CQ DW C10"),
        ("D10 XW D8", "H10 H9 H8"),
        ("DK DQ SJ", "D10 XW D8"),
    ],
)
def test_the_examples_of_the_source(low: str, high: str) -> None:  # qiaosanjia-17
    assert beats(low, high)
    assert not beats(high, low)
    assert "qiaosanjia-17" in cites("beats", table=low, play=high)


@pytest.mark.parametrize(
    ("table", "play", "higher"),
    [
        ("S3", "H4", True),
        ("SA", "S2", True),
        ("S2", "XW", True),
        ("XW", "DW", True),
        ("S9", "H9", False),
        ("S9 H9", "D9 C9", False),  # equal: the earlier stands, -10
        ("S9 H9", "D10 DW", True),
        ("S9 DW", "H9 D9", False),  # real against fake counts in straights only, -18
        ("S9 H9", "D9 DW", False),
        ("S2 H2", "DW XW", True),  # two jokers are a pair of XW, -15
        ("S2 H2", "D2 DW", False),  # a joker and a two are a pair of twos
        ("SA HA", "D2 DW", True),
        ("S3 H3", "SK HK DK CK", False),  # no bombs, -16
        ("S3 H3 D3 C3", "S4 H4 D4 C4", True),
        ("S3 H3 D3 C3 S2", "S4 H4 D4 C4 H2", True),
        ("S3 H3 D3 C3 S2", "S4 H4 D4 C4 H2 D2", False),  # six against five
        ("S3 H4 D5", "S4 H5 D6 C7", False),
        ("S3 H4 D5", "S6 H6 D6", False),
        ("H3 S4 D5", "D3 DW H5", False),  # the same top, but fake
        ("D3 DW H5", "H3 S4 D5", True),
        ("DQ DW D10", "HQ XW H10", False),  # two fakes of equal rank
        ("DQ DW XW", "HQ HJ H10", False),  # read as its highest: A, K, Q
        ("SJ HJ DQ CQ SK HK", "S3 H3 S4 H4 S5 H5", True),
        ("S3 H3 S4 H4 S5 H5", "DJ CJ DQ CQ SK HK", False),
        ("D3 C3 D4 C4 D5 DW", "S3 H3 S4 H4 S5 H5", True),  # real against fake, both flush
        ("S3 H3 S4 H4 S5 H5", "D3 C3 D4 C4 D5 DW", False),
    ],
)
def test_comparing(table: str, play: str, higher: bool) -> None:
    assert beats(table, play) is higher


def test_a_table_of_several_readings_may_be_named() -> None:
    question = {"table": ["DQ", "DW", "XW"], "play": ["HQ", "HJ", "H10"]}
    assert not ask("beats", **question)["beats"]
    assert ask("beats", **question, table_as="同花顺10-Q")["beats"]
    with pytest.raises(BadInput) as caught:
        ask("beats", **question, table_as="同花顺3-5")
    assert caught.value.place == "table_as"


def test_reasons_name_the_clause_that_decides() -> None:
    assert cites("classify", cards="S7 H8 S2") == {"qiaosanjia-12", "qiaosanjia-14"}
    assert cites("classify", cards="S3 H3 S4 C4") == {"qiaosanjia-12"}
    assert cites("classify", cards="DW XW") == {"qiaosanjia-11", "qiaosanjia-13", "qiaosanjia-15"}
    assert cites("classify", cards="S7 H10 DW") == {"qiaosanjia-11"}
    assert "qiaosanjia-13a" in cites("classify", cards="S7 H8 DW")
    assert "qiaosanjia-16" in cites("beats", table="S3 H3", play="SK HK DK CK")
    assert "qiaosanjia-18" in cites("beats", table="S9 DW", play="H9 D9")
    assert "qiaosanjia-18" in cites("beats", table="DQ DW D10", play="HQ XW H10")
    assert "qiaosanjia-18" not in cites("beats", table="S9 H9", play="C9 D9")


# Settlement: the table of qiaosanjia-06a, as the rulebook has it

SPLITS = {
    "123": (10, 0), "124": (5, 0), "125": (5, 0), "126": (5, 2), "134": (3, 2),
    "135": (5, 2), "136": (3, 4), "145": (5, 2), "146": (3, 4), "156": (3, 2),
}  # fmt: skip


def test_all_splits_of_the_places() -> None:  # qiaosanjia-05 to -07
    seen = set()
    for order in permutations(range(6)):
        places = "".join(str(i + 1) for i, seat in enumerate(order) if seat % 2 == 0)
        rest = "".join(str(i) for i in range(1, 7) if str(i) not in places)
        sides = SPLITS[places] if places in SPLITS else SPLITS[rest][::-1]
        answer = ask("settle", order=list(order))
        assert answer == {"sides": list(sides), "sweep": places == "123" or rest == "123"}
        seen.add(places)
    assert len(seen) == 20


@pytest.mark.parametrize(
    ("order", "clause"),
    [
        ([0, 1, 2, 3, 4, 5], "qiaosanjia-05"),
        ([0, 2, 1, 3, 4, 5], "qiaosanjia-05"),
        ([0, 1, 3, 5, 2, 4], "qiaosanjia-06"),
        ([0, 2, 4, 1, 3, 5], "qiaosanjia-07"),
    ],
)
def test_settlement_cites_what_decides(order: list[int], clause: str) -> None:
    cited = cites("settle", order=order)
    assert {clause, "qiaosanjia-06a"} <= cited
    assert ("qiaosanjia-07" in cited) == (clause == "qiaosanjia-07")


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 6]])
def test_orders_that_are_none_are_refused(order: list[int]) -> None:
    for check, more in (("settle", {}), ("tribute", {"hands": ["S3"] * 6})):
        with pytest.raises(BadInput) as caught:
            ask(check, order=order, **more)
        assert caught.value.place.startswith(("order", "hands"))


# Tribute


def test_tribute_in_every_order() -> None:  # qiaosanjia-08, -09
    hands = [["SK", "S3"], ["H2", "H3"], ["DW"], ["CQ", "CJ"], ["DA", "D9"], ["XW", "D2"]]
    best = ["SK", "H2", "DW", "CQ", "DA", "XW"]
    value = {"CQ": 0, "SK": 1, "DA": 2, "H2": 3, "XW": 4, "DW": 5}
    for order in permutations(range(6)):
        first, second, third, last = order[0], order[1], order[4], order[5]
        high, low = sorted((third, last), key=lambda s: value[best[s]], reverse=True)
        wanted = [(high, first, best[high]), (low, second, best[low])]
        answer = ask("tribute", order=list(order), hands=hands)
        assert [(g["from"], g["to"], g["card"]) for g in answer["gives"]] == wanted
        # Partners exempt: each takes the best that an opponent has laid and nobody taken.
        laid = {s: best[s] for s in (third, last) if {first % 2, second % 2} != {s % 2}}
        spared = []
        for taker in (first, second):
            foes = sorted((s for s in laid if s % 2 != taker % 2), key=lambda s: value[laid[s]])
            if foes:
                spared.append((foes[-1], taker, laid.pop(foes[-1])))
        options = {"partners_exempt": "on"}
        answer = ask("tribute", order=list(order), hands=hands, options=options)
        assert [(g["from"], g["to"], g["card"]) for g in answer["gives"]] == spared


def test_equal_tribute_goes_by_order_and_is_the_givers_choice() -> None:  # qiaosanjia-09
    hands = ["S3", "S4", "S5", "S6", "SA HA", "DA D4"]
    question = {"order": [0, 1, 2, 3, 4, 5], "hands": hands}
    gives = ask("tribute", **question)["gives"]
    assert [(g["from"], g["to"]) for g in gives] == [(4, 0), (5, 1)]
    assert "qiaosanjia-09" in cites("tribute", **question)


def after_deal(found: Qiaosanjia, seed: int) -> QiaosanjiaState:
    rng = random.Random(seed)
    state = found.deal(found.new_match(6, f"d{seed}"))
    while state.turn is not None:
        state = found.apply(state, found.pick(state, rng))
    return state


@pytest.mark.parametrize("exempt", ["off", "on"])
def test_tribute_is_paid_at_the_next_deal(exempt: str) -> None:
    found = playing(partners_exempt=exempt)
    for seed in range(25):
        over = after_deal(found, seed)
        order = found.order_of_finish(over)
        state = found.next_deal(over)
        dealt = state.hands
        asked = {"order": list(order), "hands": [list(map(str, h)) for h in dealt],
                 "options": {"partners_exempt": exempt}}  # fmt: skip
        wanted = {(g["from"], g["to"]) for g in ask("tribute", **asked)["gives"]}
        seats = []
        while state.tribute.todo:
            seats.append((state.tribute.todo[0].kind, state.turn))
            state = found.apply(state, found.robot(state))
        paid = {(g.giver, g.taker) for g in state.tribute.gifts}
        # Of equal cards the first may pick either; the check names that of the earlier to finish.
        level = len({g.card.rank for g in state.tribute.gifts}) < len(state.tribute.gifts)
        assert paid == wanted or level
        assert {t for _, t in paid} == {t for _, t in wanted}
        assert [len(h) for h in state.hands] == [9] * 6
        assert state.turn == state.leader
        for gift in state.tribute.gifts:
            high = max(RANKS.index(c.rank) for c in dealt[gift.giver])
            assert RANKS.index(gift.card.rank) == high
        if exempt == "off":
            first, second, third, last = order[0], order[1], order[4], order[5]
            assert seats == [("give", third), ("give", last), ("take", first),
                             ("return", first), ("return", second)]  # fmt: skip


def test_a_return_goes_to_the_giver_face_up() -> None:  # qiaosanjia-08, -09
    hands = [
        "S3 H3 D3 C3 S4 H4 D4 C4 S5", "H5 D5 C5 S6 H6 D6 C6 S7 H7",
        "D7 C7 S8 H8 D8 C8 S9 H9 D9", "C9 S10 H10 D10 C10 SJ HJ DJ CJ",
        "SQ HQ DQ CQ SK HK DK CK SA", "HA DA CA S2 H2 D2 C2 XW DW",
    ]  # fmt: skip
    found, state = opened("", hands, order=[0, 1, 2, 3, 4, 5], leader=4)
    with pytest.raises(IllegalMove, match="qiaosanjia-08"):
        found.apply(state, Move.parse("tribute SK"))
    state = found.apply(state, Move.parse("tribute SA"))
    zone = next(z for z in found.view(state, 2).zones if z.label == "tribute")
    assert zone.cards == ("SA",)  # all may see it
    state = found.apply(state, Move.parse("tribute DW"))
    assert state.turn == 0
    with pytest.raises(IllegalMove, match="qiaosanjia-08"):
        found.apply(state, Move.parse("pick S3"))
    state = found.apply(state, Move.parse("pick SA"))  # he need not pick the higher
    assert Card("DW") in state.hands[1]
    assert state.turn == 0
    state = found.apply(state, Move.parse("return S3"))
    assert Card("S3") in state.hands[4]
    state = found.apply(state, Move.parse("return H5"))
    assert Card("H5") in state.hands[5]
    assert state.turn == 4


# Who leads, who shuffles


def test_the_first_deal_is_led_by_who_draws_the_card_face_up() -> None:  # qiaosanjia-01
    leaders = set()
    for seed in range(60):
        state = opened(str(seed))[1]
        card = state.events[-1].message.params["card"]
        assert card in state.hands[state.leader]
        assert state.turn == state.leader
        assert [len(h) for h in state.hands] == [9] * 6
        leaders.add(state.leader)
    assert leaders == set(range(6))


def test_the_third_leads_the_next_deal_and_draws_first() -> None:  # qiaosanjia-02, -03
    found = playing()
    agreed = 0
    for seed in range(40):
        rng = random.Random(seed)
        state = found.deal(found.new_match(6, f"d{seed}"))
        while state.turn is not None:
            if state.agreeing:
                agreed += 1
                order = found.order_of_finish(state)
                assert order[-1] % 2 == order[-2] % 2
                assert state.turn == order[-2]
                moves = [str(m) for m in found.legal_moves(state)]
                assert moves == ["leader: 三先", "leader: 末游"]
                with pytest.raises(IllegalMove, match="qiaosanjia-02"):
                    found.apply(state, Move.parse("leader: 头游"))
                over = found.apply(state, Move.parse("leader: 末游"))
                assert found.next_deal(over).leader == order[-1]
            state = found.apply(state, found.pick(state, rng))
        order = found.order_of_finish(state)
        assert len(state.out) == 5
        following = found.next_deal(state)
        leader = following.leader
        assert leader in (order[-2:] if order[-1] % 2 == order[-2] % 2 else order[-2:-1])
        # Who leads draws first as well: the card on top of the pack is his.
        assert following.match.dealer == (leader - 1) % 6
        assert [e.clause for e in following.events[:2]] == ["qiaosanjia-03", "qiaosanjia-02"]
    assert agreed > 5


@pytest.mark.parametrize(
    ("match", "place"),
    [
        ({"order": [0, 1, 2, 3, 4, 5], "leader": 5}, "match.leader"),
        ({"order": [0, 1, 2, 3, 4, 5], "leader": 0}, "match.leader"),
        ({"leader": 6}, "match.leader"),
        ({"order": [0, 1, 2]}, "match.order"),
        ({"scores": [1, 0, 0, 0, 0, 0]}, "match.scores"),
    ],
)
def test_standings_that_cannot_be_are_refused(match: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as caught:
        opened("", **match)
    assert caught.value.place == place


# Play


def laid(state: QiaosanjiaState, hands: list[str], turn: int) -> QiaosanjiaState:
    """A late state: these hands, and all other cards put aside."""
    held = tuple(tuple(map(Card, h.split())) for h in hands)
    seen = {c for h in held for c in h}
    gone = tuple(c for h in state.hands for c in h if c not in seen)
    return replace(state, hands=held, taken=(gone, *(((),) * 5)), turn=turn)


def run(found: Qiaosanjia, state: QiaosanjiaState, moves: str) -> QiaosanjiaState:
    for text in moves.split(", "):
        state = found.apply(state, Move.parse(text))
    return state


def test_a_play_of_several_readings_must_be_named() -> None:  # qiaosanjia-13a
    found, state = opened("n")
    state = laid(state, ["S7 H8 DW", "S9 H10 DJ", "S3", "H3", "D3", "C3"], 0)
    with pytest.raises(IllegalMove, match="qiaosanjia-13a"):
        found.apply(state, Move.parse("play S7 H8 DW"))
    with pytest.raises(IllegalMove, match="qiaosanjia-13a"):
        found.apply(state, Move.parse("play S7 H8 DW: 顺子8-10"))
    named = {str(m) for m in found.legal_moves(state) if len(m.cards) == 3}
    assert named == {"play DW H8 S7: 顺子6-8", "play DW H8 S7: 顺子7-9"}
    after = found.apply(state, Move.parse("play S7 H8 DW: 顺子6-8"))
    assert after.plays[-1].reading.rank == "8"
    # Where only one reading is high enough, it is the one that is meant.
    state = laid(state, ["S6 H7 D8", "S7 H8 DW", "S3", "H3", "D3", "C3"], 0)
    after = run(found, state, "play S6 H7 D8, play S7 H8 DW")
    assert after.plays[-1].reading.rank == "9"


def test_the_partner_next_in_order_takes_over() -> None:  # qiaosanjia-20
    hands = ["SA", "S3 S4", "H3 H4", "D3 D4", "C3 C4", "S5 S6"]
    for option, leader in (("partner", 2), ("next", 1)):
        found, state = opened("i", options={"inherit": option})
        state = run(found, laid(state, hands, 0), "play SA, pass, pass, pass, pass, pass")
        assert state.turn == leader
        assert state.events[-1].clause == "qiaosanjia-20"
    hands[2] = ""
    found, state = opened("i")
    state = run(found, laid(state, hands, 0), "play SA, pass, pass, pass, pass")
    assert state.turn == 4
    hands[4] = ""  # no partner is left
    state = run(found, laid(state, hands, 0), "play SA, pass, pass, pass")
    assert state.turn == 1


def test_play_goes_on_until_one_seat_holds_cards() -> None:  # qiaosanjia-04a
    found, state = opened("o")
    state = replace(laid(state, ["SA", "S3", "", "D3 D4", "", "S5"], 0), out=(2, 4))
    state = run(found, state, "play SA")
    assert state.turn == 1  # one side is out, the other plays on
    state = run(found, state, "pass, pass, pass, play S3, pass, play S5")
    assert state.agreeing
    state = run(found, state, "leader: 三先")
    result = found.result(state)
    assert result is not None
    assert result.scores == (10, 0) * 3
    assert result.winners == (0, 2, 4)


def finished(scores: tuple[int, int]) -> Any:
    """The result of a deal that ends 5:2 for the first side, from a standing."""
    found, state = opened("f", scores=list(scores) * 3)
    state = laid(state, ["", "", "", "", "S3", "S5 S6"], 4)
    state = run(found, replace(state, out=(0, 1, 2, 3)), "play S3")
    return found.result(state)


def test_a_match_is_played_to_an_agreed_total() -> None:  # qiaosanjia-21, -21a
    assert playing().new_match(6).target == 30
    result = finished((0, 0))
    assert (result.scores, result.match_winners) == ((5, 2) * 3, None)
    result = finished((25, 20))
    assert result.match_winners == (0, 2, 4)
    assert "qiaosanjia-21a" not in {r.clause for r in result.reasons}
    result = finished((25, 29))  # 30 and 31
    assert result.match_winners == (1, 3, 5)
    assert "qiaosanjia-21a" in {r.clause for r in result.reasons}
    result = finished((25, 28))  # both at 30
    assert result.match_winners is None
    assert "qiaosanjia-21a" in {r.clause for r in result.reasons}


def test_the_table_on_the_page_is_that_of_the_rulebook() -> None:  # qiaosanjia-06a
    rows = playing().figures()["table"]
    assert len(rows) == 20
    for row in rows:
        places = "".join(map(str, row["places"]))
        rest = "".join(str(i) for i in range(1, 7) if str(i) not in places)
        wanted = SPLITS[places] if places in SPLITS else SPLITS[rest][::-1]
        assert (row["own"], row["other"]) == wanted
