"""Questions to the engine, and ranking hands of five, in CPython."""

import random
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Any, cast

from engine import api
from engine.cards import SUIT_RANKS, SUITS, Card
from engine.registry import game
from engine.rulebook import rulebook
from macros.bench.games import RuleSet

HANDS = 20_000
VARIATIONS = 6
"""So many questions are made of each example by drawing its cards anew."""
HAND_FIELDS = ("cards", "hand")
Question = tuple[str, dict[str, Any]]
"""The name of a check, and what is asked."""


def questions(rule_set: RuleSet) -> list[Question]:
    """The questions of a rule set's examples, and others made of them with cards drawn at random:
    such as the engine answers."""
    slug, name = rule_set
    book = rulebook(slug)
    rng = random.Random(f"questions/{slug}/{name}")
    first = next(iter(book.rule_set))
    found: list[Question] = []
    for example in book.example:
        if not example.check or example.question.get("rule_set", first) != name:
            continue
        question = dict(example.question)
        found.append((example.check, question))
        pack = [
            card for card, n in api.checks(slug, rule_set=name)["cards"].items() for _ in range(n)
        ]
        for _ in range(VARIATIONS):
            drawn = {
                field: rng.sample(pack, len(question[field]))
                for field in HAND_FIELDS
                if isinstance(question.get(field), list) and len(question[field]) <= len(pack)
            }
            other = (example.check, {**question, **drawn})
            if drawn and "ok" in api.dispatch(request(slug, *other)):
                found.append(other)
    return found


def request(slug: str, check: str, question: Mapping[str, Any]) -> str:
    """A question as the page asks it."""
    args = {"slug": slug, "name": check, "question": question}
    return api.to_json({"op": "ask", "args": args, "lang": "zh-Hans"})


def asker(rule_set: RuleSet) -> Callable[[], str]:
    """A function that asks the next of a rule set's questions, as the page does."""
    texts = cycle([request(rule_set[0], *question) for question in questions(rule_set)])
    return lambda: api.dispatch(next(texts))


def rankers() -> dict[str, Callable[[], None]]:
    """Functions that rank the same `HANDS` hands of five cards: by us, phevaluator and treys, each
    given the cards as its own values."""
    import treys
    from phevaluator import evaluate_cards

    ranks = cast(Any, game("gonglei")).ranks[-1].rank
    rng = random.Random("hands of five")
    pack = [Card(suit + rank) for suit in SUITS for rank in SUIT_RANKS]
    ours = [tuple(rng.sample(pack, 5)) for _ in range(HANDS)]
    # phevaluator numbers the cards by rank and then suit; treys has words of bits.
    numbered = [[4 * SUIT_RANKS.index(c.rank) + "CDHS".index(c.suit)
                 for c in hand] for hand in ours]  # fmt: skip
    words = [
        [treys.Card.new(c.rank.replace("10", "T") + c.suit.lower()) for c in hand] for hand in ours
    ]
    judge = treys.Evaluator().evaluate

    def by_us() -> None:
        for hand in ours:
            ranks(hand)

    def by_phevaluator() -> None:
        for hand in numbered:
            evaluate_cards(*hand)

    def by_treys() -> None:
        for hand in words:
            judge(hand, [])

    return {"ours": by_us, "phevaluator": by_phevaluator, "treys": by_treys}
