"""The opponents that 攻擂 arrangements are measured against, and how they were made.

An opponent is a random hand of 13 cards from the whole pack. He declares a special hand when he has
one, else he arranges his cards as is best for a defender against all opponents before him. The hands
come in batches: the first puts the strongest row last, then the strongest of the rest; each later one
answers the tally of all batches before (fictitious play), so that none can be gained on far. That the
cards one holds oneself are not in his hand is left out of account.

The tally stands in `gonglei_opponents.json`. `python -m engine.games.gonglei_opponents` makes it anew
(some minutes).
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

from engine import schema
from engine.cards import Cards
from engine.families.row_odds import Tally
from engine.families.row_search import Rows, RowSearch

if TYPE_CHECKING:
    from engine.games.gonglei import Gonglei

BATCH = 250
BATCHES = 80
FILE = "gonglei_opponents.json"


@cache
def tally() -> Tally:
    """The opponents as they stand in the file."""
    text = (resources.files("engine") / "games" / FILE).read_text(encoding="utf-8")
    return schema.load(Tally, json.loads(text))


def make(batches: int) -> Tally:
    """The opponents of so many batches."""
    playing = _gonglei()
    strongest = RowSearch(playing.ranks[0], playing.ranks[1], [lambda _: 0] * 3)
    found = collect("0", lambda cards: next(strongest.legal(cards)))
    for number in range(1, batches):
        values = [odds.value for odds in playing.odds_against(found, "defender")]
        search = RowSearch(playing.ranks[0], playing.ranks[1], values)
        found = _joined(found, collect(str(number), partial(_best, search)))
    return found


def _best(search: RowSearch, cards: Cards) -> Rows:
    return search.best(cards, 1)[0].rows


def _joined(one: Tally, other: Tally) -> Tally:
    rows = (Counter(a) + Counter(b) for a, b in zip(one.rows, other.rows, strict=True))
    specials = Counter(one.specials) + Counter(other.specials)
    return Tally(one.hands + other.hands, specials, tuple(rows))


def collect(seed: str, arrange: Callable[[Cards], Rows]) -> Tally:
    """A batch of random hands, the special ones declared, the others arranged."""
    playing = _gonglei()
    rng = random.Random(f"gonglei opponents {seed}")
    pack = playing.pack(2)
    specials: Counter[str] = Counter()
    rows: list[Counter[str]] = [Counter() for _ in playing.ranks]
    for _ in range(BATCH):
        cards = playing.sorted(rng.sample(pack, playing.facts.hand))
        if special := playing.specials.best(cards):
            specials[special] += 1
            continue
        for ranks, count, row in zip(playing.ranks, rows, arrange(cards), strict=True):
            count[ranks.encode(row)] += 1
    return Tally(BATCH, specials, tuple(rows))


def _gonglei() -> "Gonglei":
    from engine.registry import game

    return cast("Gonglei", game("gonglei"))


def write(made: Tally, file: Path) -> None:
    """Writes a tally, its entries in alphabetical order."""
    data = {
        "hands": made.hands,
        "specials": dict(sorted(made.specials.items())),
        "rows": [dict(sorted(row.items())) for row in made.rows],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(make(BATCHES), Path(__file__).with_name(FILE))
