"""What the other seats hear of a move names no card that they have not seen."""

import random
import re

import pytest

from engine.cards import read_cards
from engine.game import AnyGame, Move, State
from engine.registry import game
from engine.rulebook import rulebook, slugs

RULE_SETS = [(slug, rule_set) for slug in slugs() for rule_set in rulebook(slug).rule_set]
# Not what a joker stands for (大王当♥Q): that is no card on the table.
CARD = re.compile(r"(?<!当)[♠♥♦♣](?:10|[2-9JQKA])|[大小]王")


def named(text: str) -> set[str]:
    return {str(card) for card in read_cards(" ".join(CARD.findall(text)))}


def seen(playing: AnyGame, state: State, seat: int) -> set[str]:
    view = playing.view(state, seat)
    return {str(c) for zone in (*view.hands, *view.zones) for c in zone.cards if c is not None}


def heard(playing: AnyGame, state: State, move: Move) -> str:
    return playing.rules.say(playing.overheard(state, move))


@pytest.mark.parametrize(("slug", "rule_set"), RULE_SETS)
def test_no_unseen_card_is_named(slug: str, rule_set: str) -> None:
    playing = game(slug, rule_set)
    least, most = rulebook(slug).game.players
    for number in range(6):
        rng = random.Random(number)
        players = least + number % (most - least + 1)
        state: State = playing.deal(playing.new_match(players, f"overheard/{number}"))
        while state.turn is not None:
            move = playing.pick(state, rng)
            after: State = playing.apply(state, move)
            text = heard(playing, state, move)
            events = " ".join(playing.rules.say(e.message) for e in after.events)
            for seat in range(players):
                if seat != state.turn:
                    known = seen(playing, state, seat) | seen(playing, after, seat) | named(events)
                    unseen = named(text) - known
                    assert not unseen, f"{move} is told to seat {seat} as {text!r}"
            state = after


def test_buried_cards_are_told_by_their_number_alone() -> None:
    playing = game("sibaifen")
    state = playing.deal(playing.new_match(4, "bury"))
    while playing.legal_moves(state)[0].kind != "bury":
        state = playing.apply(state, playing.robot(state))
    move = playing.robot(state)
    assert named(heard(playing, state, move)) == set()
    assert named(playing.rules.say(playing.describe(state, move))) == set(move.cards)
