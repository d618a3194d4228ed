"""黑夫人: each clause of the rulebook, each table size, the exchange, and matchsticks to the last."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import check
from engine.cards import Card, Cards, read_cards
from engine.game import Deal, Match, Move
from engine.games.heifuren import Heifuren, HeifurenMatch, HeifurenState
from engine.registry import game
from engine.verdict import BadInput, IllegalMove

HEIFUREN = cast(Heifuren, game("heifuren"))
ALL_GIVE = cast(Heifuren, game("heifuren", options={"pass_left_3": "on"}))


def answer(name: str, **question: Any) -> Any:
    return check("heifuren", name, question)["answer"]


def cited(name: str, **question: Any) -> list[str]:
    return [r["clause"] for r in check("heifuren", name, question)["reasons"]]


def opened(playing: Heifuren, players: int, seed: str = "t") -> HeifurenState:
    return playing.deal(playing.new_match(players, seed))


def moved(playing: Heifuren, state: HeifurenState, *moves: str) -> HeifurenState:
    for text in moves:
        state = playing.apply(state, Move.parse(text))
    return state


def refused(playing: Heifuren, state: HeifurenState, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        playing.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


# heifuren-01, -02: the five packs


@pytest.mark.parametrize(
    ("players", "removed", "cards", "each", "par"),
    [
        (3, ["C2"], 51, 17, 9),
        (4, [], 52, 13, 7),
        (5, ["D2", "C2"], 50, 10, 6),
        (6, ["D3", "C3", "D2", "C2"], 48, 8, 5),
        (7, ["C3", "D2", "C2"], 49, 7, 4),
    ],
)
def test_pack(players: int, removed: list[str], cards: int, each: int, par: int) -> None:
    said = answer("pack", players=players)
    assert said == {"removed": removed, "cards": cards, "each": each, "par": par}
    state = opened(HEIFUREN, players)
    assert [len(hand) for hand in state.hands] == [each] * players
    assert not {c for hand in state.hands for c in hand} & set(removed)


def test_no_table_for_two_or_eight() -> None:
    for players in (2, 8):
        with pytest.raises(BadInput, match="players"):
            answer("pack", players=players)


@pytest.mark.parametrize("players", range(3, 8))
def test_twenty_six_minus_points_are_always_in(players: int) -> None:
    pack = HEIFUREN.pack(players)
    # Thirteen hearts of one point each, and the queen of spades.
    assert sum(c.suit == "H" for c in pack) == 13
    assert "SQ" in pack
    assert HEIFUREN.minus(pack) == 13 * 1 + 13


def test_the_left_of_the_dealer_gets_the_first_card() -> None:
    pack = HEIFUREN.pack(4)
    hands = HEIFUREN.divide(pack, Match(players=4, dealer=2, scores=(20,) * 4)).hands
    assert [hand[0] for hand in (hands[3], hands[0], hands[1], hands[2])] == list(pack[:4])


# heifuren-03, -05, -08, -09: tricks


@pytest.mark.parametrize(
    ("cards", "winner", "minus"),
    [
        ("S5 SK H2 SQ", 1, 14),
        ("D4 HA CA", 0, 1),  # no trump: aces of other suits take nothing
        ("C10 C2 CK C9 C3", 2, 0),
        ("H2 H3 H4 H5 H6 H7 SQ", 5, 19),
        ("SQ SA SK", 1, 13),
        ("DQ CQ HQ", 0, 1),  # the other queens are harmless
    ],
)
def test_trick(cards: str, winner: int, minus: int) -> None:
    assert answer("trick", cards=cards) == {"winner": winner, "minus": minus}


@pytest.mark.parametrize(
    ("hand", "trick", "cards"),
    [
        ("S3 SQ H9", "S5", "SQ S3"),
        ("H9 D2 SQ", "C5 H2", "SQ H9 D2"),
        ("H9 D2 SQ", "", "SQ H9 D2"),
        ("H2 C4", "DA D3 H5", "C4 H2"),
        ("H2 HA", "S5 HK", "HA H2"),
    ],
)
def test_legal(hand: str, trick: str, cards: str) -> None:
    found = answer("legal", hand=hand, trick=trick)["cards"]
    assert Counter(found) == Counter(read_cards(cards))


def test_hearts_and_the_lady_may_be_led_at_once() -> None:
    hand = ["H2", "SQ", "D3"]
    assert answer("legal", hand=hand, trick=[])["cards"] == ["SQ", "D3", "H2"]
    assert "heifuren-09" in cited("legal", hand=hand, trick=[])
    assert "heifuren-09" not in cited("legal", hand=hand, trick=["D9"])
    state = moved(HEIFUREN, opened(HEIFUREN, 4), *["pass"] * 4)
    assert {m.cards[0] for m in HEIFUREN.legal_moves(state)} == set(state.hands[1])


@pytest.mark.parametrize(
    ("name", "question", "field"),
    [
        ("legal", {"hand": ["S3"], "trick": ["DW"]}, "trick"),
        ("legal", {"hand": ["S3"], "trick": ["S3"]}, "trick"),
        ("legal", {"hand": [], "trick": []}, "hand"),
        ("legal", {"hand": ["S3"], "trick": "S4 S5 S6 S7 S8 S9 S10"}, "trick"),
        ("trick", {"cards": ["S3", "S4"]}, "cards"),
        ("trick", {"cards": "S2 S3 S4 S5 S6 S7 S8 S9"}, "cards"),
        ("settle", {"taken": [0, 9, 16], "pot": 0, "sticks": [20, 20, 20]}, "taken"),
        ("settle", {"taken": [26, 0, 0], "pot": 0, "sticks": [20, 20]}, "sticks"),
        ("settle", {"taken": [26, 0], "pot": 0, "sticks": [20, 20]}, "taken"),
        ("settle", {"taken": [27, 0, -1], "pot": 0, "sticks": [20, 20, 20]}, "taken[0]"),
        ("settle", {"taken": [26, 0, 0], "pot": -1, "sticks": [20, 20, 20]}, "pot"),
        ("settle", {"taken": [26, 0, 0], "sticks": [20, 20, 20]}, "pot"),
        ("pack", {"players": "5"}, "players"),
    ],
)
def test_illegal_questions_name_their_field(
    name: str, question: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadInput) as error:
        check("heifuren", name, question)
    assert error.value.place == field


def test_a_card_left_out_at_some_tables_may_still_be_asked_about() -> None:
    assert answer("trick", cards="C2 C3 D2 D3")["winner"] == 1


# heifuren-06, -07: the exchange


def held(state: HeifurenState, seat: int, count: int) -> str:
    return " ".join(state.hands[seat][:count])


def test_the_neighbour_gives_back_as_many() -> None:
    state = opened(HEIFUREN, 4)
    assert (state.phase, state.turn) == ("asked", 1)
    gives, returns = state.hands[1][:2], state.hands[2][:2]
    state = moved(HEIFUREN, state, f"exchange {held(state, 1, 2)}")
    assert (state.phase, state.turn) == ("answer", 2)
    # The laid cards are not in the neighbour's hand yet: only his own may go back.
    assert refused(HEIFUREN, state, f"give {' '.join(gives)}") == "heifuren-06"
    assert refused(HEIFUREN, state, f"give {held(state, 2, 1)}") == "heifuren-06"
    assert refused(HEIFUREN, state, f"give {held(state, 2, 3)}") == "heifuren-06"
    assert refused(HEIFUREN, state, "pass") == "heifuren-07"
    state = moved(HEIFUREN, state, f"give {held(state, 2, 2)}")
    assert set(returns) <= set(state.hands[1])
    assert set(gives) <= set(state.hands[2])
    assert [len(hand) for hand in state.hands] == [13] * 4
    assert (state.phase, state.turn) == ("asked", 2)


@pytest.mark.parametrize("players", range(3, 8))
def test_each_is_asked_once_from_the_dealers_left(players: int) -> None:
    state, asked = opened(HEIFUREN, players), []
    while state.phase != "play":
        if state.phase == "asked":
            asked.append(state.turn)
            state = moved(HEIFUREN, state, f"exchange {held(state, asked[-1] or 0, 3)}")
        else:
            assert state.turn is not None
            state = moved(HEIFUREN, state, f"give {held(state, state.turn, 3)}")
    assert asked == [*range(1, players), 0]
    assert (state.turn, state.leader) == (1, 1)


def test_none_to_three_cards() -> None:
    state = opened(HEIFUREN, 7)
    assert refused(HEIFUREN, state, f"exchange {held(state, 1, 4)}") == "heifuren-06"
    assert refused(HEIFUREN, state, "exchange") == "heifuren-06"
    assert refused(HEIFUREN, state, f"exchange {state.hands[2][0]}") == "heifuren-06"
    card = state.hands[1][0]
    assert refused(HEIFUREN, state, f"exchange {card} {card}") == "heifuren-06"
    assert refused(HEIFUREN, state, f"play {card}") == "heifuren-06"
    # None, one, two or three of seven cards: 1 + 7 + 21 + 35.
    assert len(HEIFUREN.legal_moves(state)) == 64


def test_cards_received_may_be_given_on() -> None:
    state = opened(HEIFUREN, 3)
    card = state.hands[1][0]
    state = moved(HEIFUREN, state, f"exchange {card}", f"give {held(state, 2, 1)}")
    why = HEIFUREN.allows(state, Move.parse(f"exchange {card}"))
    assert [r.clause for r in why] == ["heifuren-06", "heifuren-07"]
    state = moved(HEIFUREN, state, f"exchange {card}", f"give {held(state, 0, 1)}")
    assert card in state.hands[0]


def test_laid_cards_are_seen_by_their_owner_only() -> None:
    state = opened(HEIFUREN, 4)
    cards = state.hands[1][:2]
    state = moved(HEIFUREN, state, f"exchange {' '.join(cards)}")
    for seat in range(4):
        (zone,) = (z for z in HEIFUREN.view(state, seat).zones if z.label == "laid")
        assert zone.seat == 1
        assert set(zone.cards) == (set(cards) if seat == 1 else {None})


@pytest.mark.parametrize("players", range(3, 8))
def test_all_give_three_to_the_left(players: int) -> None:
    state = start = opened(ALL_GIVE, players)
    for seat in [*range(1, players), 0]:
        assert (state.phase, state.turn) == ("all", seat)
        assert state.hands[seat] == start.hands[seat], "nothing is taken up before all have given"
        state = moved(ALL_GIVE, state, f"give {held(start, seat, 3)}")
    assert (state.phase, state.turn) == ("play", 1)
    for seat in range(players):
        kept, got = start.hands[seat][3:], start.hands[(seat - 1) % players][:3]
        assert Counter(state.hands[seat]) == Counter((*kept, *got))


def test_with_the_option_nobody_may_give_fewer() -> None:
    state = opened(ALL_GIVE, 4)
    assert refused(ALL_GIVE, state, "pass") == "heifuren-07"
    for count in (1, 2, 4):
        assert refused(ALL_GIVE, state, f"give {held(state, 1, count)}") == "heifuren-06"


# heifuren-10 to -13: matchsticks


@pytest.mark.parametrize(
    ("taken", "pot", "sticks", "expected"),
    [
        # The worked sample: par 9 at three.
        ([0, 9, 17], 0, [20, 20, 20], ([0, 0, 8], [8, 0, 0], 0, [28, 20, 12], False)),
        # Par 7 at four; two without a point share 15, one stays.
        ([0, 0, 22, 4], 0, [20] * 4, ([0, 0, 15, 0], [7, 7, 0, 0], 1, [27, 27, 5, 20], False)),
        # The pot of earlier deals is shared as well: 3 + 7.
        ([0, 14, 0, 12], 3, [20, 20, 17, 20],
         ([0, 7, 0, 5], [7, 0, 7, 0], 1, [27, 13, 24, 15], False)),
        # Nobody without a point: all stays.
        ([13, 2, 2, 9], 3, [20, 17, 20, 20],
         ([6, 0, 0, 2], [0, 0, 0, 0], 11, [14, 17, 20, 18], False)),
        # Who has too few pays what he has, and the match is over.
        ([21, 0, 3, 1, 1], 0, [6, 28, 22, 24, 20],
         ([6, 0, 0, 0, 0], [0, 6, 0, 0, 0], 0, [0, 34, 22, 24, 20], True)),
        # Exactly enough: the last stick goes, the match is over too.
        ([14, 6, 6], 0, [5, 30, 25], ([5, 0, 0], [0, 0, 0], 5, [0, 30, 25], True)),
        # Par 5 at six, 4 at seven; a point over costs one.
        ([14, 6, 6, 0, 0, 0], 0, [20] * 6,
         ([9, 1, 1, 0, 0, 0], [0, 0, 0, 3, 3, 3], 2, [11, 19, 19, 23, 23, 23], False)),
        ([13, 5, 4, 4, 0, 0, 0], 0, [20] * 7,
         ([9, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 3, 3, 3], 1, [11, 19, 20, 20, 23, 23, 23], False)),
        # One takes everything.
        ([26, 0, 0, 0, 0], 0, [20] * 5,
         ([20, 0, 0, 0, 0], [0, 5, 5, 5, 5], 0, [0, 25, 25, 25, 25], True)),
    ],
)  # fmt: skip
def test_settle(taken: list[int], pot: int, sticks: list[int], expected: tuple[Any, ...]) -> None:
    said = answer("settle", taken=taken, pot=pot, sticks=sticks)
    assert tuple(said[k] for k in ("pays", "receives", "pot", "sticks", "over")) == expected
    assert sum(said["sticks"]) + said["pot"] == sum(sticks) + pot


def test_settle_cites_what_decided() -> None:
    stays = cited("settle", taken=[13, 2, 2, 9], pot=3, sticks=[20, 17, 20, 20])
    assert stays == ["heifuren-10", "heifuren-10", "heifuren-12"]
    out = cited("settle", taken=[21, 0, 3, 1, 1], pot=0, sticks=[6, 28, 22, 24, 20])
    assert out == ["heifuren-10", "heifuren-12", "heifuren-11", "heifuren-13"]


def played(playing: Heifuren, state: HeifurenState, rng: random.Random) -> HeifurenState:
    while state.turn is not None:
        state = playing.apply(state, playing.pick(state, rng))
    return state


@given(st.integers(0, 10**6), st.integers(3, 7))
def test_matchsticks_are_conserved_in_a_match(seed: int, players: int) -> None:
    rng = random.Random(seed)
    state = opened(HEIFUREN, players, str(seed))
    assert state.match.scores == (20,) * players
    for _ in range(3):
        dealer = state.match.dealer
        state = played(HEIFUREN, state, rng)
        taken = [HEIFUREN.minus(cards) for cards in state.taken]
        assert sum(taken) == 26
        result = HEIFUREN.result(state)
        assert result is not None
        assert isinstance(result.match, HeifurenMatch)
        assert sum(result.match.scores) + result.match.pot == 20 * players
        assert result.winners == tuple(s for s, minus in enumerate(taken) if not minus)
        assert (result.match_winners is not None) == (0 in result.match.scores)
        if result.match_winners is not None:
            best = max(result.match.scores)
            assert all(result.match.scores[s] == best for s in result.match_winners)
            return
        state = HEIFUREN.next_deal(state)
        assert state.match.dealer == (dealer + 1) % players
        assert cast(HeifurenMatch, state.match).pot == result.match.pot


def test_a_standing_must_add_up() -> None:
    HEIFUREN.check_match(HeifurenMatch(players=3, scores=(20, 25, 10), pot=5))
    for scores, pot in (
        ((20, 20, 20), 1),
        ((0, 30, 30), 0),
        ((40, 40, -20), 0),
        ((30, 31, 20), -21),
    ):
        with pytest.raises(BadInput):
            HEIFUREN.check_match(HeifurenMatch(players=3, scores=scores, pot=pot))


# Tricks again, by an oracle of its own: OpenSpiel is compared with in the bench.


def oracle(hands: list[set[str]], leader: int, choose: Callable[[list[str]], str]) -> list[int]:
    """Plays a deal with nothing of the engine's; gives the minus points by seat."""
    ranks = "23456789TJQKA"
    power = {c: ranks.index("T" if c[1:] == "10" else c[1:]) for hand in hands for c in hand}
    points = [0] * len(hands)
    while hands[leader]:
        trick: list[tuple[int, str]] = []
        for i in range(len(hands)):
            seat = (leader + i) % len(hands)
            follow = [c for c in hands[seat] if trick and c[0] == trick[0][1][0]]
            card = choose(sorted(follow or hands[seat]))
            hands[seat].remove(card)
            trick.append((seat, card))
        led = trick[0][1][0]
        leader = max((power[c], seat) for seat, c in trick if c[0] == led)[1]
        points[leader] += sum(13 if c == "SQ" else c[0] == "H" for _, c in trick)
    return points


@pytest.mark.parametrize("players", range(3, 8))
def test_whole_deals_agree_with_an_oracle(players: int) -> None:
    for seed in range(25):
        state = opened(HEIFUREN, players, str(seed))
        state = moved(HEIFUREN, state, *["pass"] * players)
        rng = random.Random(seed)
        chosen: list[str] = []

        def choose(cards: list[str], rng: random.Random = rng, to: list[str] = chosen) -> str:
            to.append(rng.choice(cards))
            return to[-1]

        hands: list[set[str]] = [set(map(str, hand)) for hand in state.hands]
        expected = oracle(hands, 1, choose)
        state = moved(HEIFUREN, state, *(f"play {card}" for card in chosen))
        assert state.turn is None
        assert [HEIFUREN.minus(cards) for cards in state.taken] == expected


def test_the_count_of_legal_plays_in_a_known_position() -> None:
    # Three seats hold one suit each, the dealer's left all the clubs that are in (no two): he
    # leads any of 12 clubs and 5 others; after a club nobody can follow, so all 17 may go.
    clubs = [c for c in HEIFUREN.pack(3) if c.suit == "C"]
    others = [c for c in HEIFUREN.pack(3) if c.suit != "C"]
    hands: tuple[Cards, ...] = (
        tuple(others[5:22]),
        (*clubs, *others[:5]),
        tuple(others[22:]),
    )
    match = HEIFUREN.new_match(3)
    HEIFUREN.check_deal(Deal(hands), match)
    state = moved(HEIFUREN, HEIFUREN.start(Deal(hands), match), *["pass"] * 3)
    assert len(HEIFUREN.legal_moves(state)) == 17
    state = moved(HEIFUREN, state, f"play {Card('CA')}")
    assert len(HEIFUREN.legal_moves(state)) == 17


def test_others_hear_how_many_cards_were_laid_and_not_which() -> None:
    for playing in (HEIFUREN, ALL_GIVE):
        state = opened(playing, 4)
        move = next(m for m in playing.legal_moves(state) if len(m.cards) == 3)
        assert playing.rules.say(playing.overheard(state, move)) == "乙扣下三张。"
