"""From a slug to the game: its own module in `engine.games`, or its family's where it has none."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

from engine.game import AnyGame
from engine.rulebook import Rulebook, Rules, rulebook


@lru_cache(maxsize=256)
def game_by(rules: Rules) -> AnyGame:
    """The game under rules in force."""
    info = rules.book.game
    own = f"engine.games.{info.slug}"
    module = import_module(own if find_spec(own) else f"engine.families.{info.family}")
    kind: type[AnyGame] = module.GAME
    return kind(rules)


def game(slug: str, rule_set: str = "", options: Mapping[str, str] | None = None) -> AnyGame:
    """The game under a rule set and options, both by default unless named.

    Raises `KeyError` for an unknown slug and `BadInput` for an unknown rule set or option.
    """
    return game_of(rulebook(slug), rule_set, options)


def game_of(
    book: Rulebook, rule_set: str = "", options: Mapping[str, str] | None = None
) -> AnyGame:
    """The same for rule data at hand."""
    return game_by(book.rules(rule_set, options))
