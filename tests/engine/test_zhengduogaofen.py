"""争夺高分: making the trump with all options, four scores, and who is first to seven."""

import random
from collections import Counter
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import check
from engine.cards import Cards, read_cards
from engine.game import Deal, Match, Move
from engine.games.zhengduogaofen import Zhengduogaofen, ZhengduogaofenState
from engine.registry import game
from engine.rulebook import rulebook
from engine.verdict import BadInput, IllegalMove

GAME = cast(Zhengduogaofen, game("zhengduogaofen"))
DEALING = cast(Zhengduogaofen, game("zhengduogaofen", options={"deal_on_change": "3"}))
ELDEST = cast(Zhengduogaofen, game("zhengduogaofen", options={"gift": "eldest"}))


def answer(name: str, **question: Any) -> Any:
    return check("zhengduogaofen", name, question)["answer"]


def cited(name: str, **question: Any) -> set[str]:
    return {r["clause"] for r in check("zhengduogaofen", name, question)["reasons"]}


def with_stock(playing: Zhengduogaofen, players: int, top: str, **more: Any) -> ZhengduogaofenState:
    """A deal whose stock begins with these cards, the first of them turned."""
    first = read_cards(top)
    rest = tuple(c for c in playing.pack(players) if c not in first)
    hands = tuple(rest[i * 6 : i * 6 + 6] for i in range(players))
    match = Match(players=players, scores=more.pop("scores", (0,) * players), target=7, **more)
    deal = Deal(hands, (*first, *rest[players * 6 :]))
    playing.check_deal(deal, match)
    return playing.start(deal, match)


def moved(playing: Zhengduogaofen, state: ZhengduogaofenState, *moves: str) -> ZhengduogaofenState:
    for text in moves:
        state = playing.apply(state, Move.parse(text))
    return state


def refused(playing: Zhengduogaofen, state: ZhengduogaofenState, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        playing.apply(state, Move.parse(move))
    return error.value.reasons[0].clause


# zhengduogaofen-01 to -04: the trump


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players: int) -> None:
    state = GAME.deal(GAME.new_match(players, "t"))
    assert [len(hand) for hand in state.hands] == [6] * players
    assert len(state.turned) + len(state.stock) == 52 - 6 * players
    assert (state.phase, state.turn) == ("ask", 1)


NO_GIFT = [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("turned", "answers", "trump", "gift", "again", "turn"),
    [
        ("H5", [], None, NO_GIFT, False, 1),
        ("H5", ["承认"], "H", NO_GIFT, False, None),
        ("H5", ["否认"], None, NO_GIFT, False, 0),
        ("H5", ["否认", "可以"], "H", [3, -1, -1, -1], False, None),
        ("H5", ["否认", "变更"], None, NO_GIFT, True, 0),
        ("H5 H9", ["否认", "变更"], None, NO_GIFT, True, 0),
        ("H5 H9 HA", ["否认", "变更"], None, NO_GIFT, True, 0),
        ("H5 S2", ["否认", "变更"], "S", NO_GIFT, False, None),
        ("H5 H9 HA D2", ["否認", "变更王牌"], "D", NO_GIFT, False, None),
    ],
)
def test_trump(
    turned: str,
    answers: list[str],
    trump: str | None,
    gift: list[int],
    again: bool,
    turn: int | None,
) -> None:
    said = answer("trump", dealer=0, turned=turned, answers=answers)
    assert said == {"trump": trump, "gift": gift, "again": again, "redeal": False, "turn": turn}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_gift_goes_to_the_dealer_or_to_the_left(players: int) -> None:
    for dealer in range(players):
        left = (dealer + 1) % players
        for gift, to in (("dealer", dealer), ("eldest", left)):
            said = answer(
                "trump", dealer=dealer, turned="H5", answers=["否认", "可以"], players=players,
                options={"gift": gift},
            )  # fmt: skip
            others = [seat for seat in range(players) if seat != to]
            assert all(said["gift"][seat] == -1 for seat in others)
            assert said["gift"][to] == len(others)


@pytest.mark.parametrize(
    ("players", "most"),
    # The stock without the first turned card, in steps of three cards a seat and one turned:
    # (52 - 12 - 1) // 7, (52 - 18 - 1) // 10, (52 - 24 - 1) // 13.
    [(2, 1 + 5), (3, 1 + 3), (4, 1 + 2)],
)
def test_the_stock_used_up(players: int, most: int) -> None:
    hearts = [f"H{rank}" for rank in (2, 3, 4, 5, 6, 7, 8)]
    question = {"dealer": 0, "answers": ["否认", "变更"], "players": players}
    options = {"deal_on_change": "3"}
    for count in range(1, most + 1):
        said = answer("trump", turned=hearts[:count], options=options, **question)
        assert (said["trump"], said["again"]) == (None, True)
        assert said["redeal"] == (count == most)
    with pytest.raises(BadInput, match="turned"):
        answer("trump", turned=hearts[: most + 1], options=options, **question)
    assert not answer("trump", turned=hearts, **question)["redeal"]


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"dealer": 0, "turned": [], "answers": []}, "turned"),
        ({"dealer": 0, "turned": ["H5"], "answers": ["可以"]}, "answers[0]"),
        ({"dealer": 0, "turned": ["H5"], "answers": ["否认", "承认"]}, "answers[1]"),
        ({"dealer": 0, "turned": ["H5"], "answers": ["承认", "可以"]}, "answers[1]"),
        ({"dealer": 0, "turned": ["H5"], "answers": ["no"]}, "answers[0]"),
        ({"dealer": 0, "turned": ["H5", "H6"], "answers": ["否认"]}, "turned[1]"),
        ({"dealer": 0, "turned": ["H5", "S6"], "answers": ["承认"]}, "turned[1]"),
        ({"dealer": 0, "turned": ["H5", "S6", "H7"], "answers": ["否认", "变更"]}, "turned[2]"),
        ({"dealer": 0, "turned": ["H5", "H5"], "answers": ["否认", "变更"]}, "turned"),
        ({"dealer": 0, "turned": ["DW"], "answers": []}, "turned"),
        ({"dealer": 3, "turned": ["H5"], "answers": [], "players": 3}, "dealer"),
        ({"dealer": 4, "turned": ["H5"], "answers": []}, "dealer"),
        ({"dealer": 0, "turned": ["H5"], "answers": [], "players": 5}, "players"),
    ],
)
def test_illegal_questions_about_the_trump(question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("zhengduogaofen", "trump", question)
    assert error.value.place == field


def test_accepting_and_refusing_at_the_table() -> None:
    state = with_stock(GAME, 4, "H5 H9 HA S2")
    assert refused(GAME, state, "keep") == "zhengduogaofen-02"
    assert refused(GAME, state, "pass") == "zhengduogaofen-02"
    accepted = moved(GAME, state, "accept")
    assert (accepted.trump, accepted.turn, accepted.phase) == ("H", 1, "play")
    asked = moved(GAME, state, "refuse")
    assert (asked.phase, asked.turn) == ("answer", 0)
    assert refused(GAME, asked, "accept") == "zhengduogaofen-03"
    kept = moved(GAME, asked, "keep")
    assert (kept.trump, kept.gift, kept.turn) == ("H", (3, -1, -1, -1), 1)
    changed = moved(GAME, asked, "change")
    assert (changed.trump, changed.gift) == ("S", (0, 0, 0, 0))
    assert changed.turned == read_cards("H5 H9 HA S2")
    assert [len(hand) for hand in changed.hands] == [6] * 4
    assert moved(ELDEST, with_stock(ELDEST, 4, "H5"), "refuse", "keep").gift == (-1, 3, -1, -1)


# zhengduogaofen-05 to -07: cards dealt on a change


def test_without_dealing_the_stock_always_gives_another_suit() -> None:
    # Nobody holds a heart, and all thirteen lie on top: the fourteenth card is another suit.
    hearts = " ".join(f"H{r}" for r in ("A", "K", "Q", "J", *range(10, 1, -1)))
    state = moved(GAME, with_stock(GAME, 4, hearts), "refuse", "change")
    assert len(state.turned) == 14
    assert state.trump not in (None, "H")


def test_three_cards_each_before_every_turn() -> None:
    rest = [c for c in DEALING.pack(4) if c.suit != "H"]
    dealt = rest[-24:]
    stock = " ".join(["H5", *dealt[:12], "H9", *dealt[12:], "S2"])
    state = moved(DEALING, with_stock(DEALING, 4, stock), "refuse", "change")
    assert state.turned == read_cards("H5 H9 S2")
    assert state.trump == "S"
    assert [len(hand) for hand in state.hands] == [12] * 4
    assert (state.phase, state.turn) == ("aside", 1)
    hand = state.hands[1]
    assert refused(DEALING, state, f"aside {' '.join(hand[:5])}") == "zhengduogaofen-06"
    assert refused(DEALING, state, f"aside {' '.join(hand[:7])}") == "zhengduogaofen-06"
    assert refused(DEALING, state, f"aside {' '.join(state.hands[2][:6])}") == "zhengduogaofen-06"
    assert refused(DEALING, state, f"play {hand[0]}") == "zhengduogaofen-06"
    # Six of twelve: 924.
    assert len(DEALING.legal_moves(state)) == 924
    for seat in (1, 2, 3, 0):
        assert state.turn == seat
        state = moved(DEALING, state, f"aside {' '.join(state.hands[seat][:6])}")
    assert (state.phase, state.turn) == ("play", 1)
    assert state.dealt == state.hands
    for seat in range(4):
        zones = {z.seat: z.cards for z in DEALING.view(state, seat).zones if z.label == "aside"}
        assert len(zones) == 4
        assert all((None in cards) == (owner != seat) for owner, cards in zones.items())


def test_no_trump_means_a_new_deal_by_the_same_dealer() -> None:
    rest = [c for c in DEALING.pack(4) if c.suit != "H"]
    stock = " ".join(["H5", *rest[:12], "H9", *rest[12:24], "H2"])
    state = moved(DEALING, with_stock(DEALING, 4, stock, dealer=2), "refuse", "change")
    assert state.turn is None
    result = DEALING.result(state)
    assert result is not None
    assert (result.scores, result.winners, result.match_winners) == ((0,) * 4, (), None)
    following = DEALING.next_deal(state)
    assert (following.match.dealer, following.match.deal_no) == (2, 2)


# zhengduogaofen-08: tricks


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("S5 SK H2 S3", 2), ("S5 S10 SJ DA", 2), ("H9 H10", 1), ("D2 CA SA", 0), ("D2 H3 HJ H10", 2)],
)
def test_trick(cards: str, winner: int) -> None:
    assert answer("trick", cards=cards, trump="H") == {"winner": winner}


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        (["S9", "S3", "HK"], ["S5"], ["S9", "S3"]),  # a trump does not go before following
        (["HK", "D7"], ["S5", "S8"], ["HK", "D7"]),
        (["HK", "D7"], [], ["HK", "D7"]),
        (["HK", "D7"], ["H2"], ["HK"]),
    ],
)
def test_legal(hand: list[str], trick: list[str], legal: list[str]) -> None:
    assert answer("legal", hand=hand, trick=trick, trump="H")["cards"] == legal


def test_there_is_always_a_trump() -> None:
    for name, fields in (
        ("legal", {"hand": ["S2"], "trick": []}),
        ("trick", {"cards": ["S2", "S3"]}),
    ):
        with pytest.raises(BadInput, match="trump"):
            answer(name, trump=None, **fields)


# zhengduogaofen-09: scores


@pytest.mark.parametrize(
    ("won", "dealt", "expected"),
    [
        # High and Low to whom they were dealt, Jack and Game to who won them: 7 points to 11.
        (
            ["HA H3 SK S9", "HJ C10 D2 D5"],
            ["HA S9 D2 HJ", "H3 SK C10 D5"],
            (0, 1, 1, 1, [1, 3]),
        ),
        # One trump is both the highest and the lowest; four points each: nobody has Game.
        (["HA S3", "SA D2"], ["HA D2", "SA S3"], (0, 0, None, None, [2, 0])),
        # No trump in play.
        (["SA S3", "D4 D2"], ["SA D2", "D4 S3"], (None, None, None, 0, [1, 0])),
        # No card points at all: nobody has Game.
        (["S9 S3", "D4 D2", ""], ["S9", "D4 S3", "D2"], (None, None, None, None, [0, 0, 0])),
        # The jack as the only trump: three scores, and one point more for Game.
        (["HJ S3", "D4 D2"], ["HJ D2", "D4 S3"], (0, 0, 0, 0, [4, 0])),
        # A tie among two of three: Game to nobody, though the third has less.
        (["SA S3", "CA D2", "CK C2"], ["SA D2", "CA S3", "CK C2"], (None,) * 4 + ([0, 0, 0],)),
        # Tens are worth ten: 10 against A K Q J, that is 4 + 3 + 2 + 1, is a tie.
        (["S10 S2", "DA DK DQ DJ"], ["S10 DA DK", "S2 DQ DJ"], (None,) * 4 + ([0, 0],)),
    ],
)
def test_settle(won: list[str], dealt: list[str], expected: tuple[Any, ...]) -> None:
    said = answer("settle", trump="H", won=won, dealt=dealt)
    assert (said["high"], said["low"], said["jack"], said["game"], said["scores"]) == expected


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"trump": "H", "won": [["SA"], []], "dealt": [["SA"], ["SK"]]}, "won"),
        ({"trump": "H", "won": [["SA", "SQ"], ["SK"]], "dealt": [["SA"], ["SK"]]}, "won[0]"),
        ({"trump": "H", "won": [["SA"], ["SK"]], "dealt": [["SA", "SK"], ["SK"]]}, "dealt[1]"),
        ({"trump": "H", "won": [["SA"], ["SK"]], "dealt": [["SA"], ["SK"], []]}, "dealt"),
        ({"trump": "H", "won": [["SA"], ["SA"]], "dealt": [["SA"], []]}, "won[1]"),
        ({"trump": "H", "won": [["SA"]], "dealt": [["SA"]]}, "won"),
        ({"trump": None, "won": [["SA"], []], "dealt": [["SA"], []]}, "trump"),
        ({"trump": "H", "won": [[], []], "dealt": ["S2 S3 S4 S5 S6 S7 S8", []]}, "dealt[0]"),
    ],
)
def test_illegal_settlements(question: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as error:
        check("zhengduogaofen", "settle", question)
    assert error.value.place == field


POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}


def scored_by_hand(state: ZhengduogaofenState) -> list[int]:
    """The clause read once more, from the hands that were played and the tricks taken."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    owner = {card: seat for seat, hand in enumerate(state.dealt) for card in hand}
    trumps = sorted((c for c in owner if c.suit == state.trump), key=lambda c: ranks.index(c.rank))
    scores = list(state.gift)
    if trumps:
        scores[owner[trumps[-1]]] += 1
        scores[owner[trumps[0]]] += 1
    for seat, cards in enumerate(state.taken):
        scores[seat] += any(c.rank == "J" and c.suit == state.trump for c in cards)
    points = [sum(POINTS.get(c.rank, 0) for c in cards) for cards in state.taken]
    if points.count(max(points)) == 1:
        scores[points.index(max(points))] += 1
    return scores


@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([GAME, DEALING, ELDEST]))
def test_deals_are_scored_as_by_hand(seed: int, players: int, playing: Zhengduogaofen) -> None:
    state, rng = playing.deal(playing.new_match(players, str(seed))), random.Random(seed)
    pack: Counter[Any] = Counter(playing.pack(players))
    moves = 0
    while state.turn is not None:
        state = playing.apply(state, playing.pick(state, rng))
        moves += 1
        view = playing.view(state, None)
        assert Counter(c for zone in (*view.hands, *view.zones) for c in zone.cards) == pack
    assert moves <= playing.longest(players)
    result = playing.result(state)
    assert result is not None
    if state.phase == "void":
        assert result.scores == (0,) * players
    else:
        assert result.scores == tuple(scored_by_hand(state))


# zhengduogaofen-10: first to seven


def finish(state: ZhengduogaofenState, seed: int = 0) -> ZhengduogaofenState:
    rng = random.Random(seed)
    while state.turn is not None:
        state = GAME.apply(state, GAME.pick(state, rng))
    return state


def played_to(scores: tuple[int, ...], moves: list[str], hands: list[str]) -> Any:
    """The result of a deal with hearts as trumps and these hands, all cards played in order."""
    given: tuple[Cards, ...] = tuple(map(read_cards, hands))
    used = {c for hand in given for c in hand}
    stock = ["H5", *(c for c in GAME.pack(len(hands)) if c not in used and c != "H5")]
    match = Match(players=len(hands), scores=scores, target=7)
    deal = Deal(given, read_cards(" ".join(stock)))
    GAME.check_deal(deal, match)
    state = moved(GAME, GAME.start(deal, match), *moves)
    while state.turn is not None:
        state = GAME.apply(state, GAME.legal_moves(state)[0])
    return GAME.result(state)


HANDS = ["HA S2 S3 S4 S6 S7", "H2 D2 D3 D4 D6 D7"]


def test_the_scores_are_counted_in_order() -> None:
    # Both stand at six: the first seat has the highest trump, the second the lowest.
    result = played_to((6, 6), ["accept"], HANDS)
    assert result.scores[0] >= 1
    assert result.scores[1] >= 1
    assert result.match_winners == (0,)
    # The other way round.
    assert played_to((6, 6), ["accept"], HANDS[::-1]).match_winners == (1,)
    # Low is counted before Jack and Game.
    assert played_to((5, 6), ["accept"], HANDS).match_winners == (1,)


def test_the_gift_is_counted_first_and_ends_the_match_at_once() -> None:
    state = moved(GAME, with_stock(GAME, 4, "H5", scores=(4, 6, 6, 6)), "refuse", "keep")
    assert state.turn is None
    result = GAME.result(state)
    assert result is not None
    assert result.scores == (3, -1, -1, -1)
    assert result.match.scores == (7, 5, 5, 5)
    assert result.match_winners == (0,)
    # One point less, and the deal is played.
    state = moved(GAME, with_stock(GAME, 4, "H5", scores=(3, 6, 6, 6)), "refuse", "keep")
    assert state.turn == 1


def test_below_seven_the_match_goes_on_and_the_deal_passes_left() -> None:
    state = finish(moved(GAME, with_stock(GAME, 3, "H5", dealer=1), "accept"))
    result = GAME.result(state)
    assert result is not None
    assert result.match_winners is None
    assert GAME.next_deal(state).match.dealer == 2


def test_the_page_says_what_the_source_lacks() -> None:
    book = rulebook("zhengduogaofen")
    assert "原书" in book.game.notice
    marks = {clause.id[-2:]: clause.mark for clause in book.clause}
    assert {n: mark for n, mark in marks.items() if mark != "source"} == {
        "04": "emended", "07": "emended", "09": "supplied", "10": "supplied",
    }  # fmt: skip


def test_others_hear_how_many_cards_are_laid_aside_and_not_which() -> None:
    rest = [c for c in DEALING.pack(2) if c.suit != "H"]
    stock = " ".join(["H5", *rest[-6:], "S2"])
    state = moved(DEALING, with_stock(DEALING, 2, stock), "refuse", "change")
    move = DEALING.legal_moves(state)[0]
    assert len(move.cards) == 3
    assert DEALING.rules.say(DEALING.overheard(state, move)) == "乙放下三张。"
    assert "zhengduogaofen-07" in cited("trump", dealer=0, turned="H5 S2", answers=["否认", "变更"])
