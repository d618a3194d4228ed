"""``./site-build.sh bench``: what is promised of speed, measured beside others in one run.

Every part gives plain numbers; `report` sets them against the goals, prints one table and writes
``docs/bench.json``, which the page 'how fast, how checked' is drawn from (`macros/speed.py`).
Where a thing runs on one core alone, seconds are those of the core, so that a busy machine does not
change them; what a browser does is measured by the clock, in turns with what it is compared with.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How much of everything is done: `games` random games of each rule set; `rounds` turns of
    everything that is compared, of `seconds` each; `visits` to the site and to bare Pyodide, and
    `slow_visits` on each slow line; `copies` of the rule data, all and (of one game) most."""

    games: int
    rounds: int
    seconds: float
    visits: int
    slow_visits: int
    copies: int
    most_copies: int


FULL = Effort(
    games=10_000, rounds=3, seconds=1.0, visits=5, slow_visits=2, copies=10, most_copies=100
)
QUICK = Effort(games=40, rounds=1, seconds=0.1, visits=1, slow_visits=1, copies=2, most_copies=3)
