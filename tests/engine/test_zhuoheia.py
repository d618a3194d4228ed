"""捉黑A, from the rulebook: the secret, the sides, and tribute in every order of finish."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest

from engine import api
from engine.cards import Card
from engine.game import Move, View
from engine.games.zhuoheia import Zhuoheia, ZhuoheiaMatch, ZhuoheiaState
from engine.record import opening, read_record
from engine.registry import game
from engine.rulebook import rulebook
from engine.verdict import BadInput, IllegalMove

RANKS = ["DW", "XW", "2", "A", "K", "Q", "J", *(str(n) for n in range(10, 2, -1))]
SECRET = Card("SA")


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("zhuoheia", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> set[str]:
    return {r["clause"] for r in api.check("zhuoheia", check, question)["reasons"]}


def playing(**options: str) -> Zhuoheia:
    found = game("zhuoheia", options=options)
    assert isinstance(found, Zhuoheia)
    return found


def opened(
    players: int, seed: str = "", hands: list[str] | None = None, **match: Any
) -> tuple[Zhuoheia, ZhuoheiaState]:
    record = {"game": "zhuoheia", "players": players, "seed": seed, "match": match}
    if hands:
        record["hands"] = hands
    found, state = opening(read_record(record))
    assert isinstance(found, Zhuoheia)
    assert isinstance(state, ZhuoheiaState)
    return found, state


# The base game


def test_what_the_base_says_is_not_said_again() -> None:
    own, base = rulebook("zhuoheia"), rulebook("zhengshangyou")
    assert not set(own.facts) & {"ranks", "types", "bombs", "ladders"}
    merged = own.rules().facts
    for name in ("ranks", "types", "bombs", "ladders"):
        assert merged[name] == base.facts[name]


def test_plays_are_those_of_the_base_game() -> None:  # zhuoheia-05 to -07
    rng = random.Random(2)
    deck = list(playing().pack(4))
    for _ in range(60):
        cards = [str(c) for c in rng.sample(deck, 12)]
        table, hand = cards[:1], cards[1:]
        question = {"hand": hand, "table": table}
        base = api.check("zhengshangyou", "moves", question)["answer"]
        assert ask("moves", **question) == base
    assert ask("classify", cards="DW XW")["readings"][0]["type"] == "炸弹"
    assert "zhuoheia-06" in cites("classify", cards="SJ HQ DK CA S2")
    assert ask("beats", table="HA", play="SA") == {"beats": False}


# Sides and the banker


@pytest.mark.parametrize(
    ("hands", "banker", "sides", "friend"),
    [
        (["S3", "H4", "SA", "D5"], 0, [[0, 2], [1, 3]], 2),
        (["S3", "H4", "SA", "D5"], 3, [[2, 3], [0, 1]], 2),
        (["S3", "H4", "SA", "D5"], 2, [[2], [0, 1, 3]], None),  # alone
        (["SA", "H4", "HA", "D5", "C7"], 4, [[0, 4], [1, 2, 3]], 0),
        (["S3", "H4", "HA", "D5", "SA"], 4, [[4], [0, 1, 2, 3]], None),
    ],
)
def test_sides(hands: list[str], banker: int, sides: Any, friend: int | None) -> None:
    answer = ask("sides", hands=[[c] for c in hands], banker=banker)  # zhuoheia-01
    assert answer == {"sides": sides, "friend": friend}


def test_the_first_banker_draws_a_card_face_up_that_is_not_the_secret_one() -> None:
    bankers = set()  # zhuoheia-03, -03a
    for seed in range(120):
        for players in (4, 5):
            state = opened(players, str(seed))[1]
            shown = next(e for e in state.events if e.message.key == "banker.face-up")
            card = shown.message.params["card"]
            assert card != SECRET
            assert card in state.hands[state.banker]
            assert state.turn == state.banker
            bankers.add((players, state.banker))
    assert len(bankers) == 9


def test_all_cards_are_dealt() -> None:  # zhuoheia-04
    for players, sizes in ((4, [13, 13, 14, 14]), (5, [10, 11, 11, 11, 11])):
        state = opened(players, "x")[1]
        assert sorted(map(len, state.hands)) == sizes


# Tribute


def finishes(players: int) -> Iterator[tuple[tuple[int, ...], int, int | None]]:
    for order in permutations(range(players)):
        for banker in range(players):
            for friend in (None, *(s for s in range(players) if s != banker)):
                yield order, banker, friend


def distinct_hands(players: int, rng: random.Random) -> list[list[str]]:
    """Hands of five cards, all ranks of a hand different, so that its highest cards are certain."""
    hands = []
    suits = rng.sample("SHDCS", players) if players == 5 else rng.sample("SHDC", players)
    jokers = {"DW", "XW"}
    used: set[str] = set()
    for suit in suits:
        cards: list[str] = []
        for rank in rng.sample(RANKS, 15):
            code = rank if rank in jokers else suit + rank
            if code not in used and len(cards) < 5:
                cards.append(code)
                used.add(code)
        hands.append(cards)
    return hands


@pytest.mark.parametrize("players", [4, 5])
def test_of_two_opponents_the_later_owes_the_earlier_in_every_order(players: int) -> None:
    # zhuoheia-12, seen from each seat: it pays as many cards as opponents were before it and gets as
    # many as were after it; its n highest go, one each, the highest to the earliest. 24 orders by 4
    # bankers by 4 friends or none, and 120 by 5 by 5.
    rng = random.Random(players)
    check = playing().check("tribute")
    cases = 0
    for order, banker, friend in finishes(players):
        cases += 1
        hands = distinct_hands(players, rng)
        question = {"order": list(order), "banker": banker, "friend": friend, "hands": hands}
        gives = check.answer(question).answer["gives"]
        camp = ["B" if s in (banker, friend) else "O" for s in range(players)]
        for seat in range(players):
            at = order.index(seat)
            before = [s for s in order[:at] if camp[s] != camp[seat]]
            after = [s for s in order[at + 1 :] if camp[s] != camp[seat]]
            best = sorted(hands[seat], key=lambda c: RANKS.index(c.lstrip("SHDC")
                          if c not in ("DW", "XW") else c))  # fmt: skip
            paid = {g["to"]: g["card"] for g in gives if g["from"] == seat}
            assert paid == dict(zip(before, best, strict=False))
            assert sorted(g["from"] for g in gives if g["to"] == seat) == sorted(after)
        # Strictly by the order of finish: who takes first stands first, then who gives first.
        placed = [(order.index(g["to"]), order.index(g["from"])) for g in gives]
        assert placed == sorted(placed)
    assert cases == {4: 24 * 4 * 4, 5: 120 * 5 * 5}[players]


def test_the_cases_that_the_source_tells() -> None:  # zhuoheia-10, -11
    hands = ["S3 S4 S5", "HK H9 H8", "DA DJ D10", "C2 CQ C7"]

    def gives(order: list[int], banker: int, friend: int | None) -> set[tuple[int, int, str]]:
        answer = ask("tribute", order=order, banker=banker, friend=friend, hands=hands)
        return {(g["from"], g["to"], g["card"]) for g in answer["gives"]}

    # Alone and first: everybody's highest.
    assert gives([0, 1, 2, 3], 0, None) == {(1, 0, "HK"), (2, 0, "DA"), (3, 0, "C2")}
    # Alone and third: one each to the two before, the higher to the first; one from the one after.
    assert gives([1, 2, 0, 3], 0, None) == {(0, 1, "S5"), (0, 2, "S4"), (3, 0, "C2")}
    assert gives([1, 2, 3, 0], 0, None) == {(0, 1, "S5"), (0, 2, "S4"), (0, 3, "S3")}
    # Banker first, friend second: the banker gets the higher of each, the friend the lower.
    assert gives([0, 2, 1, 3], 0, 2) == {
        (1, 0, "HK"), (1, 2, "H9"), (3, 0, "C2"), (3, 2, "CQ"),
    }  # fmt: skip
    # An opponent first, the other last: both pay the first and are paid by the last.
    assert gives([1, 0, 2, 3], 0, 2) == {
        (0, 1, "S5"), (2, 1, "DA"), (3, 0, "C2"), (3, 2, "CQ"),
    }  # fmt: skip
    # Both opponents before both: two cards each.
    assert gives([1, 3, 2, 0], 0, 2) == {
        (2, 1, "DA"), (2, 3, "DJ"), (0, 1, "S5"), (0, 3, "S4"),
    }  # fmt: skip


def test_reasons_of_tribute_name_the_case() -> None:
    hands = ["S3 S4 S5", "HK H9 H8", "DA DJ D10", "C2 CQ C7"]

    def cited(order: list[int], friend: int | None) -> set[str]:
        return cites("tribute", order=order, banker=0, friend=friend, hands=hands)

    assert cited([0, 1, 2, 3], None) == {"zhuoheia-10", "zhuoheia-12"}
    assert cited([1, 0, 2, 3], None) == {"zhuoheia-10", "zhuoheia-12", "zhuoheia-13"}
    assert cited([0, 2, 1, 3], 2) == {"zhuoheia-11", "zhuoheia-12"}
    assert cited([1, 0, 2, 3], 2) == {"zhuoheia-11", "zhuoheia-12", "zhuoheia-13"}
    assert cited([2, 0, 1, 3], 2) == {"zhuoheia-12"}
    assert cited([0, 2], 2) == {"zhuoheia-11", "zhuoheia-12", "zhuoheia-14"}


def test_who_still_holds_cards_ranks_by_seat_after_the_last_out() -> None:  # zhuoheia-14
    hands = ["S3 S4 S5", "HK H9 H8", "DA DJ D10", "C2 CQ C7", "D7 D8 D9"]
    question = {"banker": 0, "friend": 2, "hands": hands}
    assert ask("tribute", order=[0, 2], **question) == ask(
        "tribute", order=[0, 2, 3, 4, 1], **question
    )
    assert ask("tribute", order=[1, 4, 3], **question) == ask(
        "tribute", order=[1, 4, 3, 0, 2], **question
    )
    found = playing()
    assert found.full_order((4, 1), 5) == (4, 1, 2, 3, 0)
    assert found.full_order((3,), 4) == (3, 0, 1, 2)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"order": [0, 1]}, "order"),  # neither side is out
        ({"order": [0, 2, 2]}, "order[2]"),
        ({"order": [0, 4]}, "order[1]"),
        ({"friend": 0}, "friend"),
        ({"friend": 4}, "friend"),
        ({"banker": 4}, "banker"),
        ({"hands": ["S3", "H3", "D3"]}, "hands"),
        ({"hands": ["S3", "H3", "D3", "C3"]}, "hands[3]"),  # it owes two
        ({"hands": ["S3", "H3", "D3", "S3 C4"]}, "hands[3]"),
    ],
)
def test_tribute_questions_that_are_none(question: dict[str, Any], place: str) -> None:
    asked = {"order": [0, 2, 3, 1], "banker": 0, "friend": 2,
             "hands": ["S3", "HK H9", "DA", "C2 CQ"]} | question  # fmt: skip
    with pytest.raises(BadInput) as caught:
        ask("tribute", **asked)
    assert caught.value.place == place


def test_equal_highest_cards_are_the_givers_choice() -> None:  # zhuoheia-12a
    found, state = opened(
        4, "t", banker=0, order=[0, 1, 2, 3], last_banker=0, last_friend=None, deal_no=2
    )
    while state.tribute.todo and state.tribute.todo[0].kind == "give":
        step = state.tribute.todo[0]
        hand = state.hands[step.seat]
        best = min(RANKS.index(c.rank) for c in hand)
        wanted = {c for c in hand if RANKS.index(c.rank) == best}
        assert {m.cards[0] for m in found.legal_moves(state)} == wanted
        low = max(hand, key=lambda c: RANKS.index(c.rank))
        with pytest.raises(IllegalMove, match="zhuoheia-12"):
            found.apply(state, Move("tribute", (low,)))
        state = found.apply(state, found.legal_moves(state)[-1])
    assert state.tribute.todo[0].kind == "return"


def match_after(found: Zhuoheia, players: int, seed: int) -> ZhuoheiaState:
    """The state after one deal of random moves."""
    rng = random.Random(seed)
    state = found.deal(found.new_match(players, f"m{seed}"))
    while state.turn is not None:
        state = found.apply(state, found.pick(state, rng))
    return state


@pytest.mark.parametrize("players", [4, 5])
def test_the_next_deal_pays_what_the_check_says(players: int) -> None:
    found = playing()
    for seed in range(25):
        over = match_after(found, players, seed)
        state = found.next_deal(over)
        match = state.match
        assert isinstance(match, ZhuoheiaMatch)
        assert match.banker == over.out[0]
        assert state.banker == over.out[0]
        dealt = state.hands
        asked = {"order": list(over.out), "banker": over.banker, "friend": match.last_friend,
                 "hands": [list(map(str, h)) for h in dealt]}  # fmt: skip
        wanted = {(g["from"], g["to"], g["card"][-1]) for g in ask("tribute", **asked)["gives"]}
        rng = random.Random(seed)
        kinds = []
        sizes = [len(h) for h in dealt]
        while state.tribute.todo:
            step = state.tribute.todo[0]
            kinds.append(step.kind)
            if step.kind == "give":  # nobody has got anything yet: zhuoheia-13
                assert all(len(h) <= n for h, n in zip(state.hands, sizes, strict=True))
                assert not state.tribute.gifts
            state = found.apply(state, found.pick(state, rng))
        assert "give" not in kinds[kinds.index("return") :]
        gifts = {(g.giver, g.taker, g.card[-1]) for g in state.tribute.gifts}
        assert gifts == wanted
        assert [len(h) for h in state.hands] == sizes
        assert state.turn == state.banker  # zhuoheia-04


def test_returned_cards_are_picked_in_order_of_finish() -> None:  # zhuoheia-10
    found, state = opened(
        5, "r", banker=2, order=[2, 4, 1, 0, 3], last_banker=2, last_friend=None, deal_no=2
    )
    turns = []
    while state.tribute.todo:
        turns.append((state.tribute.todo[0].kind, state.turn))
        moves = found.legal_moves(state)
        if state.tribute.todo[0].kind == "return":
            assert {len(m.cards) for m in moves} == {4}
        state = found.apply(state, moves[0])
    assert turns == [
        ("give", 4), ("give", 1), ("give", 0), ("give", 3), ("return", 2),
        ("pick", 4), ("pick", 1), ("pick", 0),
    ]  # fmt: skip


def test_the_secret_card_is_given_but_not_returned() -> None:  # zhuoheia-13a
    answer = ask(
        "tribute", order=[0, 1, 2, 3], banker=0, friend=None,
        hands=["S3", "SA H3", "DA D4", "C2 C5"],
    )  # fmt: skip
    assert {"from": 1, "to": 0, "card": "SA"} in answer["gives"]
    found = playing()
    for seed in range(60):
        state = found.next_deal(match_after(found, 4, seed))
        while state.tribute.todo and state.tribute.todo[0].kind != "return":
            state = found.apply(state, found.robot(state))
        if not state.tribute.todo or state.turn is None or SECRET not in state.hands[state.turn]:
            continue
        count = found.number(state.tribute, state.tribute.todo[0])
        others = [c for c in state.hands[state.turn] if c != SECRET]
        with pytest.raises(IllegalMove, match="zhuoheia-13a"):
            found.apply(state, Move("return", (SECRET, *others[: count - 1])))
        assert all(SECRET not in m.cards for m in found.legal_moves(state))
        return
    pytest.fail("no deal in which the one to return holds the secret card")


# The secret: two deals that differ only in where ♠A is look alike to every other seat


def swapped(state: ZhuoheiaState, other: Card) -> ZhuoheiaState:
    """The same deal with ♠A and another card exchanged, wherever they lie hidden."""
    names = {SECRET: other, other: SECRET}

    def change(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(names.get(card, card) for card in cards)

    given = tuple((seat, change(cards)) for seat, cards in state.tribute.given)
    gifts = tuple(replace(g, card=names.get(g.card, g.card)) for g in state.tribute.gifts)
    tribute = replace(state.tribute, given=given, gifts=gifts)
    return replace(state, hands=tuple(map(change, state.hands)), tribute=tribute)


def told(found: Zhuoheia, state: ZhuoheiaState, seat: int) -> tuple[View, Any]:
    """All that a seat is told: its view and the events in words."""
    return found.view(state, seat), [found.rules.say(e.message) for e in state.events]


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("later", [False, True])
def test_nothing_tells_where_the_secret_card_is(players: int, later: bool) -> None:
    found = playing()
    compared = robots = 0
    for seed in range(25):
        rng = random.Random(seed)
        state = found.deal(found.new_match(players, f"s{seed}"))
        if later:
            state = found.next_deal(match_after(found, players, seed))
        holder = next(s for s, h in enumerate(state.hands) if SECRET in h)
        # Exchange it for another ace, so that the same cards are the highest in both deals.
        other = next(
            (c for s, h in enumerate(state.hands) for c in h if c.rank == "A" and s != holder), None
        )
        if other is None:
            continue
        twin = swapped(state, other)
        while state.turn is not None:
            hidden = [
                s for s in range(players) if not {SECRET, other} & set(state.hands[s])
                and not any(o == s and {SECRET, other} & set(c) for o, c in state.tribute.given)
            ]  # fmt: skip
            for seat in hidden:
                assert told(found, state, seat) == told(found, twin, seat)
                compared += 1
                if seat == state.turn:
                    assert found.robot(state) == found.robot(twin)
                    assert found.legal_moves(state) == found.legal_moves(twin)
                    robots += 1
            move = found.robot(state) if rng.random() < 0.5 else found.pick(state, rng)
            names = {SECRET: other, other: SECRET}
            heard = found.rules.say(found.overheard(state, move))
            if move.kind == "tribute":  # face down: the same but for the two cards
                mirrored = Move("tribute", tuple(names.get(c, c) for c in move.cards))
            elif {SECRET, other} & set(move.cards):
                break  # one of the two is shown
            else:
                mirrored = move
            assert found.rules.say(found.overheard(twin, mirrored)) == heard
            after = found.apply(twin, mirrored)
            state, twin = found.apply(state, move), after
            if list(map(set, twin.hands)) != list(map(set, swapped(state, other).hands)):
                break  # two aces of one giver went to two takers the other way round
            if (state.turn is None) != (twin.turn is None):
                break  # that one side is out ends the deal, by the rules: zhuoheia-09
    assert compared > 500
    assert robots > 100


def test_given_cards_are_seen_by_giver_and_taker_only() -> None:
    found, state = opened(
        4, "t", banker=0, order=[0, 1, 2, 3], last_banker=0, last_friend=None, deal_no=2
    )
    state = found.apply(state, found.legal_moves(state)[0])
    for seat in range(4):
        zone = next(z for z in found.view(state, seat).zones if z.label == "tribute")
        assert all(zone.cards) == (seat == 1)
    while state.tribute.todo and state.tribute.todo[0].kind == "give":
        state = found.apply(state, found.legal_moves(state)[0])
    words = [found.rules.say(e.message) for e in state.events]
    assert len(words) == 3
    assert not any(sign in text for text in words for sign in "♠♥♦♣王")


def test_sides_are_known_once_the_secret_card_is_played() -> None:  # zhuoheia-02
    hands = [
        "S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK S2 HA",
        "H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK H2 SA DW",
        "D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK D2 DA XW",
        "C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK C2 CA",
    ]
    found, state = opened(4, "", hands, banker=0)
    for seat in range(4):
        assert found.friends(state, seat) == ()
        assert not any(n.message.key == "note.friend" for n in found.view(state, seat).notes)
    assert found.allies(state, 1) == (0,)  # the holder himself knows
    assert found.allies(state, 0) == ()
    state = found.apply(state, Move.parse("play S3"))
    state = found.apply(state, Move.parse("play SA"))
    assert [e.clause for e in state.events] == ["zhuoheia-02", "zhuoheia-01"]
    assert [found.friends(state, s) for s in range(4)] == [(1,), (0,), (3,), (2,)]


# Ends


def end(found: Zhuoheia, state: ZhuoheiaState, moves: str) -> ZhuoheiaState:
    for text in moves.split(", "):
        state = found.apply(state, Move.parse(text))
    return state


def laid(state: ZhuoheiaState, hands: list[str]) -> ZhuoheiaState:
    """A late state: these hands, and all other cards put aside."""
    held = tuple(tuple(map(Card, h.split())) for h in hands)
    seen = {c for h in held for c in h}
    gone = tuple(c for h in state.hands for c in h if c not in seen)
    return replace(state, hands=held, taken=(gone, *(((),) * (len(hands) - 1))))


def test_a_banker_alone_ends_the_deal_by_going_out() -> None:  # zhuoheia-09, -14
    found, state = opened(4, "e", banker=1)
    state = laid(replace(state, turn=1), ["S3 S4", "SA", "D3 D4", "C3"])
    state = end(found, state, "play SA")
    assert state.turn is None
    result = found.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((1,), (0, 1, 0, 0))
    match = found.next_match(state, result)
    assert isinstance(match, ZhuoheiaMatch)
    assert (match.order, match.last_banker, match.last_friend) == ((1, 2, 3, 0), 1, None)


def test_a_banker_with_a_friend_goes_on_until_a_side_is_out() -> None:
    found, state = opened(4, "e", banker=1)
    state = laid(replace(state, turn=1), ["S3 S4", "S5", "D6 D4", "SA"])
    state = end(found, state, "play S5, play D6")
    assert state.out == (1,)
    assert state.turn == 3
    state = end(found, state, "play SA")
    result = found.result(state)
    assert result is not None
    assert result.winners == (1, 3)
    match = found.next_match(state, result)
    assert isinstance(match, ZhuoheiaMatch)
    assert (match.order, match.last_banker, match.last_friend) == ((1, 3, 0, 2), 1, 3)


def test_the_side_of_the_first_out_wins_even_when_the_other_is_out_first() -> None:
    found, state = opened(4, "e", banker=1)  # zhuoheia-09
    state = laid(replace(state, turn=0), ["S3", "S4", "D6 D4", "SA"])
    state = end(found, state, "play S3, play S4, pass, play SA")
    result = found.result(state)
    assert result is not None
    assert state.out == (0, 1, 3)
    assert result.winners == (0, 2)
    # The friend has played, so all can see it; the opponents' last card decides nothing.
    assert found.full_order(state.out, 4) == (0, 1, 3, 2)


def test_who_leads_after_a_winner_went_out() -> None:  # zhuoheia-08
    def lead(option: str, hands: list[str], moves: str) -> int | None:
        found = playing(inherit=option)
        match = found.new_match(4, "e")
        assert isinstance(match, ZhuoheiaMatch)
        state = found.deal(replace(match, banker=1))
        return end(found, laid(replace(state, turn=1), hands), moves).turn

    hidden = ["S3 S4", "S5", "D3 D4", "SA C3"]
    for option in ("next", "partner"):  # not shown yet: nobody may learn who the friend is
        assert lead(option, hidden, "play S5, pass, pass, pass") == 2
    shown = ["S3 S4", "H2 S5", "D3 D4", "SA S6 C3"]
    moves = "play S5, pass, play SA, pass, play H2, pass, pass, pass"
    assert lead("next", shown, moves) == 2
    assert lead("partner", shown, moves) == 3


def test_each_winner_marks_a_deal_and_five_win_the_match() -> None:  # zhuoheia-09a
    found = playing()
    assert found.new_match(4).target == 5
    found, state = opened(4, "e", banker=1, scores=[0, 4, 2, 3])
    state = laid(replace(state, turn=1), ["S3 S4", "SA", "D3 D4", "C3"])
    result = found.result(end(found, state, "play SA"))
    assert result is not None
    assert result.match.scores == (0, 5, 2, 3)
    assert result.match_winners == (1,)


@pytest.mark.parametrize(
    ("match", "place"),
    [
        ({"banker": 4}, "match.banker"),
        ({"order": [0, 1, 2]}, "match.order"),
        ({"order": [0, 1, 2, 2]}, "match.order"),
        ({"order": [0, 1, 2, 3]}, "match.last_banker"),
        ({"order": [0, 1, 2, 3], "banker": 1}, "match.banker"),
        ({"order": [0, 1, 2, 3], "last_banker": 1, "last_friend": 1}, "match.last_friend"),
        ({"last_friend": -1}, "match.last_friend"),
    ],
)
def test_standings_that_cannot_be_are_refused(match: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as caught:
        opened(4, "e", **match)
    assert caught.value.place == place


def test_tribute_takes_no_more_moves_than_declared() -> None:
    found = playing()
    for players in (4, 5):
        pairs = max(
            len(b) * (players - len(b)) for n in (1, 2) for b in combinations(range(players), n)
        )
        assert pairs <= players * players // 4
        assert found.longest(players) >= 54 * players + 2 * players + 2 * pairs


def test_a_tie_with_the_secret_card_leaves_the_choice_to_the_giver() -> None:  # zhuoheia-12a, -13a
    hands = [["S3"], ["DW", "H2", "S5"], ["S6"], ["SA", "CA"]]
    question = {"order": [0], "banker": 0, "friend": None, "hands": hands}
    said = {r["clause"]: r["text"] for r in api.check("zhuoheia", "tribute", question)["reasons"]}
    assert "zhuoheia-12a" in said
    assert "换一张同样大的给也行" in said["zhuoheia-13a"]
    hands[3] = ["SA", "CK"]
    said = {r["clause"]: r["text"] for r in api.check("zhuoheia", "tribute", question)["reasons"]}
    assert "zhuoheia-12a" not in said
    assert "换一张" not in said["zhuoheia-13a"]
