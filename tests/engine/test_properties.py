"""What must hold of play in every game, under every rule set and for every number of players."""

import json
import random
import string
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.cards import Card
from engine.game import AnyGame, Move, State
from engine.record import Record, states
from engine.registry import game
from engine.rulebook import rulebook, slugs
from engine.texts import LANGS
from engine.verdict import IllegalMove

KINDS = [
    (slug, rule_set, players)
    for slug in slugs()
    for rule_set in rulebook(slug).rule_set
    for players in range(rulebook(slug).game.players[0], rulebook(slug).game.players[1] + 1)
]
ALL = pytest.mark.parametrize(("slug", "rule_set", "players"), KINDS)
SOME = settings(max_examples=12)
seeds = st.integers(0, 10**6).map(str)


def opened(slug: str, rule_set: str, players: int, seed: str) -> tuple[AnyGame, State]:
    playing = game(slug, rule_set)
    state: State = playing.deal(playing.new_match(players, seed))
    return playing, state


def played(playing: AnyGame, state: State, rng: random.Random) -> list[State]:
    """The states of a deal played to its end by moves drawn with `rng`."""
    found = [state]
    bound = playing.longest(state.players)
    while state.turn is not None:
        state = playing.apply(state, playing.pick(state, rng))
        found.append(state)
        assert len(found) - 1 <= bound, "the deal is longer than its declared bound"
    return found


def cards_on(playing: AnyGame, state: State) -> Counter[Card | None]:
    """All cards that who watches the table sees."""
    view = playing.view(state, None)
    return Counter(card for zone in (*view.hands, *view.zones) for card in zone.cards)


@ALL
@SOME
@given(seed=seeds)
def test_cards_are_conserved_and_every_deal_ends(
    slug: str, rule_set: str, players: int, seed: str
) -> None:
    playing, state = opened(slug, rule_set, players, seed)
    pack: Counter[Card | None] = Counter(playing.pack(players))
    for reached in played(playing, state, random.Random(seed)):
        assert cards_on(playing, reached) == pack
        assert (playing.result(reached) is None) == (reached.turn is not None)


@ALL
@SOME
@given(seed=seeds, stop=st.integers(0, 60))
def test_legal_moves_apply_and_others_are_refused_with_a_clause(
    slug: str, rule_set: str, players: int, seed: str, stop: int
) -> None:
    playing, state = opened(slug, rule_set, players, seed)
    path = played(playing, state, random.Random(seed))
    state = path[min(stop, len(path) - 2)] if len(path) > 1 else path[0]
    if state.turn is None:
        return
    clauses = {clause.id for clause in playing.rules.book.clause}
    moves = playing.legal_moves(state)
    assert moves
    rng = random.Random(seed)
    for move in rng.sample(list(moves), min(len(moves), 25)):
        assert Move.parse(str(move)) == move
        after = playing.apply(state, move)
        assert playing.allows(state, move), f"no reason why {move} is legal"
        assert {r.clause for r in playing.allows(state, move)} <= clauses
        assert {r.clause for r in after.events} <= clauses
        playing.rules.say(playing.describe(state, move))
    pack = playing.pack(players)
    tries = [Move("pass"), Move("no-such-kind"), Move("play", (), 3), Move("deal")]
    for kind in {m.kind for m in moves}:
        tries += [Move(kind, tuple(rng.sample(pack, rng.randint(0, 6)))) for _ in range(6)]
        tries += [Move(kind, (), "x"), Move(kind, (), -1), Move(kind, pack)]
    for move in tries:
        fault = playing.fault(state, move)
        if fault is None:
            playing.apply(state, move)
            continue
        assert fault.clause in clauses
        assert playing.rules.say(fault.message)
        with pytest.raises(IllegalMove):
            playing.apply(state, move)


@ALL
@settings(max_examples=5)
@given(seed=seeds)
def test_drawn_and_robot_moves_are_legal(slug: str, rule_set: str, players: int, seed: str) -> None:
    playing, state = opened(slug, rule_set, players, seed)
    rng = random.Random(seed)
    for _ in range(playing.longest(players)):
        if state.turn is None:
            break
        assert playing.fault(state, playing.pick(state, rng)) is None
        state = playing.apply(state, playing.robot(state))
    assert state.turn is None, "robots do not end the deal"


@ALL
@SOME
@given(seed=seeds, data=st.data())
def test_a_view_does_not_depend_on_what_the_seat_cannot_know(
    slug: str, rule_set: str, players: int, seed: str, data: st.DataObject
) -> None:
    playing, state = opened(slug, rule_set, players, seed)
    path = played(playing, state, random.Random(seed))
    state = data.draw(st.sampled_from(path))
    seat = data.draw(st.integers(0, players - 1))
    view = playing.view(state, seat)
    for zone in view.hands:
        held = state.hands[zone.seat if zone.seat is not None else 0]
        assert len(zone.cards) == len(held)
        if zone.seat == seat:
            assert Counter(zone.cards) == Counter(held)
        elif not any(zone.cards):
            assert set(zone.cards) <= {None}
    # Exchange two cards that the seat cannot see: the view must stay as it is.
    hidden = [
        (number, card)
        for number, (zone, hand) in enumerate(zip(view.hands, state.hands, strict=True))
        if zone.cards and None in zone.cards
        for card in hand
        if card not in zone.cards
    ]
    if len({number for number, _ in hidden}) < 2:
        return
    first = data.draw(st.sampled_from(hidden))
    second = data.draw(st.sampled_from([h for h in hidden if h[0] != first[0]]))
    hands = list(state.hands)
    for (number, old), new in ((first, second[1]), (second, first[1])):
        cards = list(hands[number])
        cards[cards.index(old)] = new
        hands[number] = tuple(cards)
    other = replace(state, hands=tuple(hands))
    assert playing.view(other, seat) == view


@ALL
def test_the_same_seed_and_moves_give_the_same_bytes(
    slug: str, rule_set: str, players: int
) -> None:
    header = {"game": slug, "players": players, "rule_set": rule_set, "seed": "again"}
    first, second = (api.to_json(api.replay(api.random_deal(header))) for _ in range(2))
    assert first == second
    other = api.to_json(api.replay(api.random_deal({**header, "seed": "other"})))
    assert other != first


@ALL
@settings(max_examples=3)
@given(seed=seeds)
def test_matches_go_on_from_deal_to_deal(slug: str, rule_set: str, players: int, seed: str) -> None:
    playing, state = opened(slug, rule_set, players, seed)
    rng = random.Random(seed)
    for deal_no in range(1, 5):
        state = played(playing, state, rng)[-1]
        result = playing.result(state)
        assert result is not None
        assert len(result.scores) == players
        assert state.match.deal_no == deal_no
        for said in result.reasons:
            assert playing.rules.say(said.message)
        if result.match_winners is not None:
            with pytest.raises(ValueError, match="over"):
                playing.next_deal(state)
            return
        following = playing.next_deal(state)
        assert following.match.scores == result.match.scores
        state = following


@pytest.mark.parametrize("slug", slugs())
def test_both_scripts_say_the_same(slug: str) -> None:
    simplified, traditional = (
        {
            e.id: api.check(slug, e.check, e.question, lang)
            for e in rulebook(slug).example
            if e.check
        }
        for lang in LANGS
    )
    for name, said in simplified.items():
        assert traditional[name]["answer"] == said["answer"]
        clauses = [r["clause"] for r in said["reasons"]]
        assert [r["clause"] for r in traditional[name]["reasons"]] == clauses


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(string.printable, max_size=8)
    | st.sampled_from(["S7", "H10", "DW", "♠️7", "S7 S8", "one-pack", "S7 S7 S7", "<b>", "𝟟"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("slug", slugs())
@settings(max_examples=60)
@given(data=st.data())
def test_odd_questions_get_an_answer_or_one_line(slug: str, data: st.DataObject) -> None:
    playing = game(slug)
    name = data.draw(st.sampled_from(playing.check_names))
    examples = [e.question for e in rulebook(slug).example if e.check == name] or [{}]
    question: dict[str, Any] = dict(data.draw(st.sampled_from(examples)))
    for field in [*playing.check(name).fields, "rule_set", "options", "odd"]:
        if data.draw(st.integers(0, 3)) == 0:
            question[field] = data.draw(json_values)
    request = {"op": "check", "args": {"slug": slug, "name": name, "question": question}}
    said = json.loads(api.dispatch(json.dumps(request)))
    assert set(said) in ({"ok"}, {"refused"})
    if "refused" in said:
        assert said["refused"]["text"].startswith(said["refused"]["field"])
        assert "\n" not in said["refused"]["text"]


@pytest.mark.parametrize("slug", [s for s in slugs() if rulebook(s).deal], ids=str)
def test_example_deals_replay_alike_from_their_record(slug: str) -> None:
    for deal in rulebook(slug).deal:
        record = {"game": slug, "players": deal.players, "rule_set": deal.rule_set,
                  "options": dict(deal.options), "seed": deal.seed or deal.id,
                  "hands": list(deal.hands), "stock": deal.stock, "match": dict(deal.match),
                  "moves": list(deal.moves)}  # fmt: skip
        steps = api.replay(record)["steps"]
        assert len(steps) == len(deal.moves) + 1
        _, found = states(Record(**{**record, "hands": deal.hands, "moves": deal.moves}))  # type: ignore[arg-type]
        assert len(found) == len(steps)
