"""二人皮诺克, from the rulebook: melds, tricks in both halves, the trump nine, and whole deals."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from engine import api
from engine.cards import Card, read_cards
from engine.game import Deal, Move
from engine.games.pinuoke import Pinuoke, PinuokeState
from engine.registry import game
from engine.verdict import BadInput, IllegalMove


def ask(check: str, **question: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.check("pinuoke", check, question)["answer"]
    return answer


def cites(check: str, **question: Any) -> list[str]:
    return [r["clause"] for r in api.check("pinuoke", check, question)["reasons"]]


def melds(hand: str, trump: str = "H", reuse: str = "none") -> tuple[list[tuple[str, int]], int]:
    """The melds found (name and points), and what the best set is worth."""
    answer = ask("melds", hand=hand, trump=trump, options={"reuse": reuse})
    assert sum(m["points"] for m in answer["best"]) == answer["points"]
    return [(m["meld"], m["points"]) for m in answer["melds"]], answer["points"]


@pytest.mark.parametrize(
    ("cards", "trump", "name", "points"),
    [
        ("HA H10 HK HQ HJ", "H", "主牌序列", 150),
        ("HK HQ", "H", "主牌KQ", 40),
        ("HK HQ", "S", "副牌KQ", 20),
        ("SA HA DA CA", "D", "四门A", 100),
        ("SK HK DK CK", "D", "四门K", 80),
        ("SQ HQ DQ CQ", "D", "四门Q", 60),
        ("SJ HJ DJ CJ", "D", "四门J", 40),
        ("SQ DJ", "S", "皮诺克", 40),
        ("SQ DJ", "H", "皮诺克", 40),
        ("C9", "C", "主牌9", 10),
    ],
)
def test_each_meld(cards: str, trump: str, name: str, points: int) -> None:  # pinuoke-05
    found, best = melds(cards, trump)
    assert (name, points) in found
    assert best >= points
    least = " ".join(cards.split()[:-1])
    if least:
        assert name not in [m for m, _ in melds(least, trump)[0]]


@pytest.mark.parametrize(
    ("cards", "trump"),
    [
        ("HA H10 HK HQ HJ", "S"),  # a run of a plain suit is none, but its K and Q are a pair
        ("SA SA HA DA", "H"),  # four aces, but not of four suits
        ("SJ DQ", "H"),
        ("H9", "S"),
        ("HA H10 HK HJ H9", "S"),  # the run as the source prints it
    ],
)
def test_what_is_no_meld(cards: str, trump: str) -> None:
    names = {name for name, _ in melds(cards, trump)[0]}
    assert names <= {"副牌KQ"}
    assert not names or "HQ" in cards


@pytest.mark.parametrize(
    ("hand", "reuse", "points"),
    [
        ("HA H10 HK HQ HJ", "none", 150),  # no marriage inside a run
        ("HA H10 HK HQ HJ", "standard", 150),
        ("HA H10 HK HK HQ HJ", "none", 150),
        ("HA H10 HK HK HQ HQ HJ", "none", 190),
        ("HA HA H10 H10 HK HK HQ HQ HJ HJ", "none", 300),
        ("SQ SQ DJ DJ", "none", 80),
        ("SQ DJ DJ", "none", 40),
        ("H9 H9", "none", 20),
        ("SK SQ DJ", "none", 40),  # the queen serves once: pinochle before a plain pair
        ("SK SQ DJ", "standard", 60),
        ("SK SK SQ SQ DJ", "none", 60),
        ("SK HK DK CK SQ", "none", 80),
        ("SK HK DK CK SQ", "standard", 100),
        ("HK SK DK CK HQ SQ DQ CQ", "none", 140),
        ("HK SK DK CK HQ SQ DQ CQ", "standard", 240),
        ("SA HA DA CA H10 HK HQ HJ", "none", 150),  # the ace of trumps serves once
        ("SA HA DA CA H10 HK HQ HJ", "standard", 250),
        ("SA HA HA DA CA H10 HK HQ HJ", "none", 250),
        ("SQ HQ DQ CQ SJ HJ DJ CJ", "none", 100),
        ("SQ HQ DQ CQ SJ HJ DJ CJ", "standard", 140),
        ("SQ SQ HQ DQ CQ SJ HJ DJ CJ", "none", 100),
        ("SQ SQ HQ DQ CQ SJ HJ DJ DJ CJ", "none", 140),
        ("HK HK HQ HQ SK DK CK", "none", 120),
    ],
)
def test_the_set_worth_most(hand: str, reuse: str, points: int) -> None:  # pinuoke-06
    assert melds(hand, "H", reuse)[1] == points


def all_melds(hand: list[str], trump: str) -> list[tuple[int, str, int]]:
    """Every meld in a hand by the places of its cards (a bit each): its bits, class and points,
    straight from the rulebook; equal cards in two places make two melds."""
    wanted: list[tuple[list[str], str, int]] = [
        ([trump + r for r in ("A", "10", "K", "Q", "J")], "suit", 150),
        ([trump + "K", trump + "Q"], "suit", 40),
        *(([s + "K", s + "Q"], "suit", 20) for s in "SHDC" if s != trump),
        (["SA", "HA", "DA", "CA"], "four", 100),
        (["SK", "HK", "DK", "CK"], "four", 80),
        (["SQ", "HQ", "DQ", "CQ"], "four", 60),
        (["SJ", "HJ", "DJ", "CJ"], "four", 40),
        (["SQ", "DJ"], "pinochle", 40),
        ([trump + "9"], "nine", 10),
    ]
    found = []
    for cards, group, points in wanted:
        places = [[i for i, card in enumerate(hand) if card == wanted] for wanted in cards]
        found += [(sum(1 << i for i in way), group, points) for way in product(*places)]
    return found


def most(found: list[tuple[int, str, int]]) -> int:
    """The most points of melds that share no place, by trying each meld first."""

    @cache
    def rest(used: int) -> int:
        return max((points + rest(used | bits) for bits, _, points in found if not used & bits),
                   default=0)  # fmt: skip

    return rest(0)


@pytest.mark.parametrize("reuse", ["none", "standard"])
def test_the_best_against_an_independent_search(reuse: str) -> None:
    pack = [c for c in game("pinuoke").pack(2) if c.rank not in ("9", "10")]
    rng = random.Random(f"melds {reuse}")
    for _ in range(150):
        trump = rng.choice("SHDC")
        # Some hands from the whole pack, most from the cards that make melds.
        hand = list(rng.sample(pack if rng.random() < 0.8 else game("pinuoke").pack(2), 12))
        found = all_melds(list(hand), trump)
        groups = {group for _, group, _ in found}
        if reuse == "none":
            expected = most(found)
        else:
            expected = sum(most([m for m in found if m[1] == group]) for group in groups)
        answer = ask("melds", hand=hand, trump=trump, options={"reuse": reuse})
        assert answer["points"] == expected
        listed = Counter((tuple(sorted(m["cards"])), m["points"]) for m in answer["melds"])
        ways = {(tuple(sorted(hand[i] for i in range(12) if bits >> i & 1)), p)
                for bits, _, p in found}  # fmt: skip
        assert listed == Counter(ways)
        if reuse == "none":
            used = Counter(c for m in answer["best"] for c in m["cards"])
            assert not used - Counter(hand)
        assert [m["points"] for m in answer["best"]] == sorted(
            (m["points"] for m in answer["best"]), reverse=True
        )


@pytest.mark.parametrize(
    ("hand", "lead", "phase", "cards"),
    [
        # the first twelve tricks: anything (pinuoke-04)
        ("HA HQ SK D9", "HK", 1, "HA SK HQ D9"),
        ("HA HQ SK D9", None, 1, "HA SK HQ D9"),
        # from the thirteenth (pinuoke-12)
        ("HA HQ SK D9", None, 2, "HA SK HQ D9"),
        ("HA HQ SK D9", "HK", 2, "HA"),
        ("H10 HQ SK D9", "HK", 2, "H10"),  # the ten beats the king
        ("HA H10 HQ SK", "HK", 2, "HA H10"),
        ("HK HQ SK D9", "HK", 2, "HK HQ"),  # an equal card does not win
        ("HQ HJ SK D9", "HK", 2, "HQ HJ"),  # suit before trump
        ("SK S9 D9", "HK", 2, "SK S9"),
        ("CA D9", "HK", 2, "CA D9"),
        ("S9 SA D9", "SK", 2, "SA"),  # trump led is followed and beaten likewise
        ("S9 SJ D9", "SK", 2, "SJ S9"),
        ("DA D9", "SK", 2, "DA D9"),
    ],
)
def test_what_may_be_played(hand: str, lead: str | None, phase: int, cards: str) -> None:
    answer = ask("legal", hand=hand, lead=lead, trump="S", phase=phase)
    assert answer == {"cards": cards.split()}
    clause = "pinuoke-04" if phase == 1 else "pinuoke-12"
    assert cites("legal", hand=hand, lead=lead, trump="S", phase=phase) == [clause]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["HA", "HA"], 0),  # of equal cards the first (pinuoke-01)
        (["S9", "S9"], 0),
        (["HK", "H10"], 1),
        (["H10", "HK"], 0),
        (["HA", "S9"], 1),
        (["S9", "HA"], 0),
        (["H9", "DA"], 0),
        (["S9", "SJ"], 1),
    ],
)
def test_who_takes_a_trick(cards: list[str], winner: int) -> None:
    assert ask("trick", cards=cards, trump="S") == {"winner": winner}


def test_ranks_in_tricks() -> None:  # pinuoke-01
    order = ["A", "10", "K", "Q", "J", "9"]
    for i, high in enumerate(order):
        for low in order[i + 1 :]:
            assert ask("trick", cards=["D" + low, "D" + high], trump="S")["winner"] == 1


@pytest.mark.parametrize(
    ("dealer", "turned", "laid", "last", "scores"),
    [
        (0, "H9", [[], []], 1, [10, 10]),
        (1, "H9", [[], []], 1, [0, 20]),
        (0, "HA", [[], []], 0, [10, 0]),
        (0, "HA", [["主牌序列", "四门A"], ["皮诺克", "主牌9"]], 1, [250, 60]),
        (1, "C9", [["主牌KQ", "副牌KQ", "副牌KQ"], ["四门K", "四门Q", "四门J"]], 0, [90, 190]),
    ],
)
def test_settlement(
    dealer: int, turned: str, laid: list[list[str]], last: int, scores: list[int]
) -> None:  # pinuoke-03, -05, -13
    question = {"dealer": dealer, "turned": turned, "melds": laid, "last": last}
    assert ask("settle", **question) == {"scores": scores}
    # Tricks count only when agreed (pinuoke-14).
    both = ask("settle", **question, trick_points=[100, 140], options={"trick_points": "on"})
    assert both == {"scores": [scores[0] + 100, scores[1] + 140]}
    assert ask("settle", **question, trick_points=[100, 140]) == {"scores": scores}


def test_a_pack_is_worth_240_in_tricks() -> None:  # 8 × (11 + 10 + 4 + 3 + 2)
    playing = game("pinuoke")
    assert isinstance(playing, Pinuoke)
    assert len(playing.pack(2)) == 48
    assert playing.points(playing.pack(2)) == 240
    answer = ask("trick", cards=["HA", "H10"], trump="S", options={"trick_points": "on"})
    assert answer == {"winner": 0, "points": 21}


@pytest.mark.parametrize(
    ("check", "question", "place"),
    [
        ("melds", {"hand": ["HA", "HA", "HA"], "trump": "H"}, "hand"),  # only two of each
        ("melds", {"hand": ["H8"], "trump": "H"}, "hand"),
        ("melds", {"hand": ["HA"], "trump": None}, "trump"),
        ("melds", {"hand": list(game("pinuoke").pack(2)[:13]), "trump": "H"}, "hand"),
        ("legal", {"hand": ["HA"], "lead": None, "trump": "H", "phase": 3}, "phase"),
        ("legal", {"hand": ["HA"], "trump": "H", "phase": 1}, "lead"),
        ("trick", {"cards": ["HA"], "trump": "H"}, "cards"),
        ("settle", {"dealer": 0, "turned": "HA", "melds": [["主牌序列"] * 2, ["主牌序列"]],
                    "last": 0}, "melds"),
        ("settle", {"dealer": 0, "turned": "HA", "melds": [["no"], []], "last": 0}, "melds[0][0]"),
        ("settle", {"dealer": 0, "turned": "HA", "melds": [[], []], "last": 0,
                    "options": {"trick_points": "on"}}, "trick_points"),
        ("settle", {"dealer": 0, "turned": "HA", "melds": [[], []], "last": 0,
                    "trick_points": [100, 100], "options": {"trick_points": "on"}},
         "trick_points"),
    ],
)  # fmt: skip
def test_bad_questions_name_the_field(check: str, question: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refused:
        ask(check, **question)
    assert refused.value.place == place


# Whole deals


def opened(
    hands: list[str], turned: str, stock: str = "", **options: str
) -> tuple[Pinuoke, PinuokeState]:
    """A deal by seat 1 from hands that begin as given (the rest filled up with low cards), so that
    seat 0 leads; `stock` are the first cards to be drawn."""
    playing = game("pinuoke", "", options)
    assert isinstance(playing, Pinuoke)
    given = [read_cards(h) for h in hands]
    top, up = read_cards(stock), Card(turned)
    left = Counter(playing.pack(2))
    left.subtract([*top, up, *(c for h in given for c in h)])
    assert min(left.values()) >= 0
    rest = list(reversed(playing.sorted(left.elements())))
    for i, cards in enumerate(given):
        need = 12 - len(cards)
        given[i], rest = (*cards, *rest[:need]), rest[need:]
    match = replace(playing.new_match(2), dealer=1)
    deal = Deal(tuple(given), (up, *top, *rest))
    playing.check_deal(deal, match)
    return playing, playing.start(deal, match)


def after(playing: Pinuoke, state: PinuokeState, *moves: str) -> PinuokeState:
    for text in moves:
        state = playing.apply(state, Move.parse(text))
    return state


def refused(playing: Pinuoke, state: PinuokeState, move: str) -> str:
    """The clause that forbids the move."""
    with pytest.raises(IllegalMove) as error:
        playing.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


def test_twelve_each_and_the_next_turned_for_trump() -> None:  # pinuoke-02
    playing = game("pinuoke")
    assert isinstance(playing, Pinuoke)
    cards = playing.pack(2)
    dealt = playing.divide(cards, playing.new_match(2))
    assert dealt.hands[1][:3] == cards[:3]  # the other hand first, in threes
    assert dealt.hands[0][:3] == cards[3:6]
    assert [len(h) for h in dealt.hands] == [12, 12]
    state = playing.start(dealt, playing.new_match(2))
    assert state.trump == cards[24].suit
    assert state.stock == (*cards[25:], cards[24])
    assert state.turn == 1
    zones = {z.label: z for z in playing.view(state, 0).zones}
    assert zones["turned"].cards == (cards[24],)
    assert zones["stock"].cards == (None,) * 23


def test_the_winner_melds_once_then_draws_first_and_leads() -> None:  # pinuoke-04, -06
    playing, state = opened(["HA HK HQ SQ DJ", "CA"], "H10", "D10 C10")
    assert refused(playing, state, "meld HK HQ") == "pinuoke-04"  # no trick won yet
    state = after(playing, state, "play HA", "play CA")
    assert state.phase == "meld"
    assert state.turn == 0
    assert refused(playing, state, "play HK") == "pinuoke-04"
    assert refused(playing, state, "meld HK SQ") == "pinuoke-05"
    assert refused(playing, state, "meld HA H10") == "pinuoke-05"  # not held
    state = after(playing, state, "meld HK HQ")
    assert playing.meld_points(state.melded[0]) == 40
    assert refused(playing, state, "meld SQ DJ") == "pinuoke-06"  # one at a time
    state = after(playing, state, "draw")
    assert (state.hands[0][-1], state.hands[1][-1]) == ("D10", "C10")
    assert state.turn == 0
    assert state.leader == 0


def test_laid_cards_are_played_and_serve_no_more() -> None:  # pinuoke-06, -07
    playing, state = opened(["HA HA HK HQ SK DK CK", "C9"], "H10", "")
    state = after(playing, state, "play HA", "play C9", "meld HK HQ", "draw")
    assert set(state.laid[0]) == {"HK", "HQ"}
    assert "HK" not in state.hands[0]
    zone = next(z for z in playing.view(state, 1).zones if z.label == "melded")
    assert zone.cards == ("HK", "HQ")
    state = after(playing, state, "play HA", f"play {state.hands[1][0]}")
    assert refused(playing, state, "meld SK HK DK CK") == "pinuoke-06"
    state = after(playing, state, "draw", "play HK")
    assert state.laid[0] == ("HQ",)


def test_a_second_copy_is_another_card() -> None:  # pinuoke-06
    playing, state = opened(["HA HA HK HK HQ SK DK CK", "C9"], "H10", "")
    state = after(playing, state, "play HA", "play C9", "meld HK HQ", "draw")
    state = after(playing, state, "play HA", f"play {state.hands[1][0]}", "meld SK HK DK CK")
    assert playing.meld_points(state.melded[0]) == 120
    # Of two copies, the one that has served is played first.
    playing, state = opened(["HA HA HK HK HQ SK DK CK", "C9"], "H10", "")
    state = after(playing, state, "play HA", "play C9", "meld HK HQ", "draw", "play HK")
    assert (state.hands[0].count(Card("HK")), state.laid[0]) == (1, ("HQ",))


def test_standard_reuse_serves_once_in_each_class() -> None:  # pinuoke-06
    playing, state = opened(["HA HA HK HQ SK DK CK", "C9"], "H10", "S9 S9", reuse="standard")
    state = after(playing, state, "play HA", "play C9", "meld HK HQ", "draw")
    state = after(playing, state, "play HA", f"play {state.hands[1][0]}", "meld SK HK DK CK")
    assert playing.meld_points(state.melded[0]) == 120
    assert sorted(state.laid[0]) == ["CK", "DK", "HK", "HQ", "SK"]
    state = after(playing, state, "draw", "play HK")
    assert sorted(state.laid[0]) == ["CK", "DK", "HQ", "SK"]
    assert not [s for s, card in state.served[0] if card == "HK"]


def test_standard_reuse_not_twice_in_one_class() -> None:  # pinuoke-06
    playing, state = opened(["HA HA HK HQ H10 HJ", "C9"], "H9", "S9 S9", reuse="standard")
    state = after(playing, state, "play HA", "play C9", "meld HK HQ", "draw")
    state = after(playing, state, "play H10", f"play {state.hands[1][0]}", "draw")
    held = playing.held(state, 0)
    assert {"HA", "HK", "HQ", "HJ"} <= set(held)
    state = replace(state, phase="meld", hands=((*state.hands[0], Card("H10")), state.hands[1]))
    assert refused(playing, state, "meld HA H10 HK HQ HJ") == "pinuoke-06"


def test_the_nine_is_shown_once_and_exchanged_later() -> None:  # pinuoke-08, -09, -09a
    playing, state = opened(["HA HA H9 SQ DJ", "C9 S9 H9"], "HK", "")
    assert refused(playing, state, "exchange H9") == "pinuoke-04"
    state = after(playing, state, "play HA", "play C9")
    assert refused(playing, state, "exchange HA") == "pinuoke-08"
    shown = after(playing, state, "meld H9")
    assert playing.meld_points(shown.melded[0]) == 10
    shown = after(playing, shown, "draw", "play HA", "play S9")
    assert refused(playing, shown, "meld H9") == "pinuoke-09"
    both = after(playing, shown, "meld SQ DJ", "exchange H9")  # it is no meld
    assert both.stock[-1] == "H9"
    assert "HK" in both.hands[0]
    assert "H9" not in playing.held(both, 0)
    assert playing.meld_points(both.melded[0]) == 50
    # Exchanging scores nothing by itself, and the turned card may serve at once.
    first = after(playing, state, "exchange H9", "meld SQ DJ")
    assert playing.meld_points(first.melded[0]) == 40


def test_two_nines_are_shown_each_once() -> None:  # pinuoke-09
    playing, state = opened(["HA HA H10 H9 H9", "C9"], "HK", "")
    state = after(playing, state, "play HA", "play C9", "meld H9", "draw")
    state = after(playing, state, "play HA", f"play {state.hands[1][0]}", "meld H9", "exchange H9")
    assert playing.meld_points(state.melded[0]) == 20
    assert refused(playing, state, "exchange H9") == "pinuoke-09a"  # a nine lies there
    state = after(playing, state, "draw", "play H10", f"play {state.hands[1][0]}")
    assert refused(playing, state, "meld H9") == "pinuoke-09"


def test_without_the_nine_nothing_is_exchanged() -> None:  # pinuoke-08
    playing, state = opened(["HA SK SJ", "C9 H9 H9"], "HK", "")
    state = after(playing, state, "play HA", "play C9")
    assert refused(playing, state, "exchange H9") == "pinuoke-08"


def test_a_turned_nine_is_for_the_dealer_and_stays() -> None:  # pinuoke-03, -09a
    playing, state = opened(["HA H9", "C9"], "H9", "")
    assert "pinuoke-03" in [e.clause for e in state.events]
    state = after(playing, state, "play HA", "play C9")
    assert refused(playing, state, "exchange H9") == "pinuoke-09a"


def to_trick(playing: Pinuoke, state: PinuokeState, number: int, seed: int = 1) -> PinuokeState:
    """The state after so many tricks with no meld laid, drawn or not as the last stands."""
    rng = random.Random(seed)
    while sum(state.tricks) < number:
        draw = state.phase == "meld"
        state = playing.apply(state, Move("draw") if draw else playing.pick(state, rng))
    return state


@pytest.mark.parametrize(("trick13", "leads"), [("loser", 1), ("winner", 0)])
def test_after_trick_twelve(trick13: str, leads: int) -> None:  # pinuoke-10, -11, -12
    playing = game("pinuoke", "", {"trick13": trick13})
    assert isinstance(playing, Pinuoke)
    seen = 0
    for seed in range(20):
        state = to_trick(playing, playing.deal(playing.new_match(2, str(seed))), 12, seed)
        assert len(state.stock) == 2
        winner = state.turn
        assert winner is not None
        last, turned = state.stock
        state = after(playing, state, "draw")
        assert state.hands[winner][-1] == last
        assert state.hands[1 - winner][-1] == turned
        assert [len(playing.held(state, s)) for s in (0, 1)] == [12, 12]
        assert state.turn == (winner + leads) % 2
        for kind in ("draw", "meld HK HQ", "exchange H9"):
            assert refused(playing, state, kind) == "pinuoke-12"
        # The follower is bound now.
        lead = playing.legal_moves(state)[0]
        state = playing.apply(state, lead)
        assert state.turn is not None
        held = playing.held(state, state.turn)
        answer = ask("legal", hand=list(held), lead=lead.cards[0], trump=state.trump, phase=2)
        assert {m.cards[0] for m in playing.legal_moves(state)} == set(answer["cards"])
        for card in set(held) - set(answer["cards"]):
            seen += 1
            assert refused(playing, state, f"play {card}") == "pinuoke-12"
    assert seen > 20


def test_the_last_trick_counts_ten_and_the_first_to_1000_wins() -> None:  # pinuoke-13, -15
    playing = game("pinuoke", "", {"trick_points": "on"})
    assert isinstance(playing, Pinuoke)
    for seed in range(10):
        match = replace(playing.new_match(2, str(seed)), scores=(990, 0))
        state = playing.deal(match)
        turned = state.stock[-1]
        state = to_trick(playing, state, 24, seed)
        result = playing.result(state)
        assert result is not None
        nine = 10 if turned.rank == "9" else 0
        assert sum(result.scores) == 240 + 10 + nine
        assert result.match_winners == ((0,) if result.match.scores[0] >= 1000 else None)
        both = replace(state, match=replace(match, scores=(990, 995)))
        ended = playing.result(both)
        assert ended is not None
        totals = (990 + result.scores[0], 995 + result.scores[1])
        assert max(totals) >= 1000
        best = tuple(s for s, t in enumerate(totals) if t == max(totals))
        assert ended.match_winners == best
