"""黑夫人 held against OpenSpiel's hearts: two programs, the same games, the same tricks and points."""

import random
from dataclasses import replace
from typing import Any

from engine.cards import Card, Cards
from engine.game import Deal, Move
from engine.games.heifuren import Heifuren
from engine.registry import game
from macros import BuildError

PLAYERS = 4
HEARTS = {
    "pass_cards": False,
    "must_break_hearts": False,
    "no_pts_on_first_trick": False,
    "qs_breaks_hearts": False,
}
"""OpenSpiel's hearts without its pass phase and its two bans on leading and discarding points."""


def compare_hearts(count: int) -> int:
    """Play ``count`` random games in both and compare whose turn it is, every choice of cards, and
    the minus points by seat; give how many games were compared to the end.

    One rule stays different: in hearts the two of clubs is led first, in 黑夫人 any card; so the
    game begins with that seat and card. A game in which one seat takes all 26 points is not compared
    at its end: hearts turns the points round then.

    :raises BuildError: naming the game and what is different.
    """
    import pyspiel

    hearts: Any = pyspiel.load_game("hearts", HEARTS)
    heifuren = game("heifuren")
    assert isinstance(heifuren, Heifuren)
    return sum(_compare(hearts, heifuren, number) for number in range(count))


def _compare(hearts: Any, heifuren: Heifuren, number: int) -> bool:
    """Play one game in both; give whether its points could be compared."""
    rng = random.Random(number)
    theirs = hearts.new_initial_state()
    theirs.apply_action(theirs.legal_actions()[0])  # nobody passes cards
    dealt: list[Card] = []
    while theirs.is_chance_node():
        action = rng.choice(theirs.legal_actions())
        dealt.append(_card(theirs, action))
        theirs.apply_action(action)
    hands: tuple[Cards, ...] = tuple(tuple(dealt[seat::PLAYERS]) for seat in range(PLAYERS))
    leader = theirs.current_player()
    match = replace(heifuren.new_match(PLAYERS), dealer=(leader - 1) % PLAYERS)
    ours = heifuren.start(Deal(hands), match)
    for _ in range(PLAYERS):
        ours = heifuren.apply(ours, Move("pass"))
    while not theirs.is_terminal():
        if ours.turn != theirs.current_player():
            raise BuildError(f"hearts {number}: OpenSpiel gives another seat the turn")
        choices = {_card(theirs, action): action for action in theirs.legal_actions()}
        legal = {move.cards[0] for move in heifuren.legal_moves(ours)}
        first_lead = not any(ours.taken) and not ours.trick
        if legal != set(choices) and not first_lead:
            raise BuildError(f"hearts {number}: OpenSpiel lets other cards be played")
        card = rng.choice(sorted(choices))
        theirs.apply_action(choices[card])
        ours = heifuren.apply(ours, Move("play", (card,)))
    points = [heifuren.minus(cards) for cards in ours.taken]
    total = sum(points)
    if max(points) == total:
        return False
    if points != [total - value for value in theirs.returns()]:
        raise BuildError(f"hearts {number}: OpenSpiel counts other points")
    return True


def _card(state: Any, action: int) -> Card:
    """The card that an action deals or plays; OpenSpiel writes ``TH`` for the ten of hearts."""
    text = state.action_to_string(state.current_player(), action)
    return Card(text[-1] + text[:-1].replace("T", "10"))
