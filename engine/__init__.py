"""The rules of Chinese card games, as data and as an engine that plays by them.

Standard library only: the same package runs on CPython and, through Pyodide, in a browser.

Where things are decided, from the outside in:

- `api` is the one door: questions and deals as JSON in, answers as JSON out. `__main__` is the command
  line before it, `wire` bounds and writes the text of JSON, `as_json` writes values, `answers` says an
  answer in words.
- `rules/SLUG.toml` holds all that a game computes with and says: facts, clauses, options, examples,
  messages. `rules/words.toml` are the words that all games share. `rulebook` reads them strictly by
  `schema`, `validate` proves that they hold together, `texts` fills sentences in either script.
- `game` says what every game can do (`legal_moves`, `fault`, `play`, `view`, `result`), `cards`,
  `seats`, `values` and `verdict` what it works with, `fields` what a question takes. `record` replays
  a deal, `registry` finds the game of a slug.
- `families` holds what games share:
  `climbing` (rounds and who leads), `climbing_types` (what makes a type and which play is higher: 三带
  is decided in `Classifier.frames`, by the shape in the game's `[facts.types]`), `climbing_plays` (all
  plays of a hand), `climbing_why` (the reasons), `climbing_substitutes`, `tribute`;
  `tricks` (following suit, who takes a trick), `melds`, `auction`;
  `layout` with `layout_rows`; `drawing`; `fishing`;
  `arranging` with `poker_ranks`, `row_search`, `row_odds` and `special_hands`;
  and pieces for any of them: `dealing`, `phases`, `partners`, `counting`, `totals`.
- `games/SLUG.py` is what a game has of its own, `games/SLUG_*.py` a part of it that stands by itself.

Start reading at `game` and `rulebook`; then `games/zhengshangyou.py`, the shortest game.
"""
