"""The one boundary: plain JSON values in and out, alike for the command line, the build and the
browser. All texts in what comes back are in the reader's script.

Every function raises `BadInput` for what it cannot take; `dispatch` and the command line turn that
into one line that names the field.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature

from engine.answers import say_answer
from engine.as_json import (
    MOST_MOVES_LISTED,
    form_json,
    game_json,
    in_force_json,
    kind_json,
    move_json,
    reasons_json,
    record_json,
    standing_json,
    step_json,
    view_json,
)
from engine.fields import read_card_list
from engine.game import DEAL, AnyGame, State
from engine.record import Record, opening, read_move, read_record, step
from engine.registry import game, game_of
from engine.rulebook import Rulebook, rulebook, slugs, words
from engine.rulebook import say as say_shared
from engine.texts import LANGS, Lang, translate
from engine.verdict import BadInput, IllegalMove, Verdict
from engine.wire import Json
from engine.wire import read_json as read_json
from engine.wire import to_json as to_json


def _book(slug: object) -> Rulebook:
    if not isinstance(slug, str) or slug not in slugs():
        raise BadInput("game", "bad.choice", values=list(slugs()))
    return rulebook(slug)


def games(lang: Lang = "zh-Hans") -> list[Json]:
    """Every game: slug, title, players, rule sets and options with their values."""
    return [game_json(slug, lang) for slug in slugs()]


def rules(slug: str, lang: Lang = "zh-Hans", rule_set: str = "", options: Json = None) -> Json:
    """The clauses of a game as they read under a rule set and options, and the facts behind them."""
    book = _book(slug)
    in_force = book.rules(rule_set, _options(options))
    return {
        **game_json(slug, lang),
        **in_force_json(in_force),
        "facts": in_force.facts,
        "clauses": [
            {
                "id": clause.id,
                "section": translate(words().section[clause.section], lang),
                "mark": clause.mark,
                "text": in_force.clause_text(clause.id, lang),
                "note": in_force.text(clause.note, lang) if clause.note else "",
            }
            for clause in book.clause
        ],
    }


def checks(slug: str, lang: Lang = "zh-Hans", rule_set: str = "", options: Json = None) -> Json:
    """The questions a game answers, with what a form for each needs to know; `cards` are the cards to
    choose from, in the game's order, with how many there are of each."""
    _book(slug)
    playing = game(slug, rule_set, _options(options))
    book = playing.rules.book
    found = []
    for name in playing.check_names:
        said = book.check[name]
        found.append(
            {
                "name": name,
                "title": translate(said.title, lang),
                "ask": translate(said.ask, lang),
                "fields": [form_json(f, said.fields, lang) for f in playing.check(name).form()],
                "start": said.question,
            }
        )
    pack = playing.pack(playing.rules.book.game.players[1])
    cards = {card: pack.count(card) for card in playing.sorted(pack)}
    return {"game": slug, **in_force_json(playing.rules), "cards": cards, "checks": found}


def check(slug: str, name: str, question: Json, lang: Lang = "zh-Hans") -> Json:
    """The engine's answer to a question, with its reasons and the rules in force.

    `question` holds the check's fields, and `rule_set` and `options` where they are not the default.
    """
    return check_in(_book(slug), name, question, lang)


def ask(slug: str, name: str, question: Json, lang: Lang = "zh-Hans") -> Json:
    """`check` for a page: `said` beside it is the answer in words, line by line. A question that is
    a text, as in a link, is read as JSON."""
    if isinstance(question, str):
        question = read_json(question, "in")
    found = check(slug, name, question, lang)
    rules = _book(slug).rules(found["rule_set"], found["options"])
    return {**found, "said": say_answer(rules, name, found["answer"], lang)}


def check_in(book: Rulebook, name: str, question: Json, lang: Lang = "zh-Hans") -> Json:
    """The same for rule data at hand."""
    if not isinstance(question, Mapping):
        raise BadInput("input", "bad.record", fields=["…"])
    fields = dict(question)
    rule_set = fields.pop("rule_set", "")
    if not isinstance(rule_set, str):
        raise BadInput("rule_set", "bad.text")
    playing = game_of(book, rule_set, _options(fields.pop("options", None)))
    verdict = check_of(playing, name, fields)
    return {
        "answer": dict(verdict.answer),
        "reasons": reasons_json(verdict.reasons, playing.rules, lang),
        **in_force_json(playing.rules),
    }


def check_of(playing: AnyGame, name: str, fields: Json) -> Verdict:
    """The verdict of a game on a question's own fields."""
    if name not in playing.check_names:
        raise BadInput("check", "bad.choice", values=list(playing.check_names))
    return playing.check(name).answer(fields)


def cards(text: str) -> Json:
    """The cards in a line as people write it."""
    return {"cards": list(read_card_list(text, "cards"))}


def _options(options: object) -> dict[str, str] | None:
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise BadInput("options", "bad.record", fields=["…"])
    for name, value in options.items():
        if type(value) not in (str, int):
            raise BadInput(f"options.{name}"[:60], "bad.text")
    # A value such as 41 is a name here, whichever way it is written.
    return {str(name): str(value) for name, value in options.items()}


# Playing


def deal(
    slug: str,
    players: int,
    seed: str,
    rule_set: str = "",
    options: Json = None,
    target: int | None = None,
    lang: Lang = "zh-Hans",
) -> Json:
    """A new deal: its record, and the table as dealt."""
    header = {"game": slug, "players": players, "rule_set": rule_set, "seed": str(seed),
              "options": options or {}, "target": target}  # fmt: skip
    return replay(header, lang)


def replay(record: Json, lang: Lang = "zh-Hans") -> Json:
    """Every step of a record: what happened, why it was legal, what came of it, and the table with
    who may see what; then the standing at the end."""
    read = read_record(record)
    playing, state = opening(read)
    steps = [step_json(playing, None, "", state, lang)]
    for number, text in enumerate(read.moves):
        after = step(playing, state, text, f"moves[{number}]")
        steps.append(step_json(playing, state, text, after, lang))
        state = after
    return {
        "record": record_json(read, playing),
        "steps": steps,
        **standing_json(playing, state, lang),
    }


_reached: dict[str, State] = {}
"""The state that the last few records led to: a reader who plays on asks for one move more."""
_MOST_REACHED = 4


def _state(record: Json) -> tuple[Record, AnyGame, State]:
    """The record, its game, and the state it leads to. Raises `BadInput`."""
    read = read_record(record)
    playing = game(read.game, read.rule_set, read.options)
    before = _key(read, len(read.moves) - 1)
    if (key := _key(read, len(read.moves))) in _reached:
        state = _reached[key]
    elif before in _reached:
        state = step(playing, _reached[before], read.moves[-1], f"moves[{len(read.moves) - 1}]")
    else:
        _, state = opening(read)
        for number, text in enumerate(read.moves):
            state = step(playing, state, text, f"moves[{number}]")
    _reached[key] = state
    while len(_reached) > _MOST_REACHED:
        del _reached[next(iter(_reached))]
    return read, playing, state


def _key(record: Record, moves: int) -> str:
    return repr(replace(record, moves=record.moves[: max(moves, 0)])) if moves >= 0 else ""


def seat_view(record: Json, seat: int | None = None, lang: Lang = "zh-Hans") -> Json:
    """What one seat may know at the end of a record, and, when it is its turn, its legal moves.

    `moves` lists them (null when there are more than a page can show), `kinds` what one can do.
    """
    read, playing, state = _state(record)
    _check_seat(seat, read.players)
    found = {
        "seat": seat,
        **view_json(playing.view(state, seat), playing.rules, lang),
        **standing_json(playing, state, lang),
        "events": reasons_json(state.events, playing.rules, lang),
    }
    if state.turn is not None and seat in (None, state.turn):
        moves = playing.legal_moves(state)
        few = len(moves) <= MOST_MOVES_LISTED
        kinds = list(dict.fromkeys(m.kind for m in moves))
        found["moves"] = [move_json(playing, state, m, lang) for m in moves] if few else None
        found["kinds"] = [kind_json(kind, moves, lang) for kind in kinds]
    return found


def _check_seat(seat: object, players: int) -> None:
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise BadInput("seat", "bad.int", least=0, most=players - 1)


def play(record: Json, move: str, lang: Lang = "zh-Hans") -> Json:
    """Tries a move at the end of a record: the longer record and what came of it when legal, else
    `legal` false and the clauses that forbid it."""
    read, playing, state = _state(record)
    if not isinstance(move, str):
        raise BadInput("move", "bad.text")
    tried = read_move(move, "move")
    if tried == DEAL or state.turn is None:
        after = step(playing, state, str(tried), "move")
    else:
        try:
            after = playing.apply(state, tried)
        except IllegalMove as error:
            return {"legal": False, "reasons": reasons_json(error.reasons, playing.rules, lang)}
    longer = {**record_json(read, playing), "moves": [*read.moves, str(tried)]}
    return {
        "legal": True,
        "record": longer,
        "step": step_json(playing, state, str(tried), after, lang),
        **standing_json(playing, after, lang),
    }


def robots(record: Json, seat: int, lang: Lang = "zh-Hans") -> Json:
    """Lets every other seat move until it is `seat`'s turn or the deal is over: the longer record,
    and what `seat` hears of each move."""
    read, playing, state = _state(record)
    _check_seat(seat, read.players)
    moves, heard = list(read.moves), []
    while state.turn is not None and state.turn != seat:
        move = playing.robot(state)
        after = playing.apply(state, move)
        moves.append(str(move))
        text = playing.rules.say(playing.overheard(state, move), lang)
        heard.append({"text": text, "events": reasons_json(after.events, playing.rules, lang)})
        state = after
    longer = {**record_json(read, playing), "moves": moves}
    return {"record": longer, "heard": heard, **standing_json(playing, state, lang)}


def advice(record: Json, lang: Lang = "zh-Hans") -> Json:
    """The move that a robot would make at the end of a record, knowing what the seat to move knows."""
    _, playing, state = _state(record)
    if state.turn is None:
        raise BadInput("record", "bad.deal-over")
    return move_json(playing, state, playing.robot(state), lang)


def random_deal(record: Json) -> Json:
    """Plays a deal to its end by moves drawn with its seed: the record, for tests and benches."""
    read, playing, state = _state(record)
    rng = random.Random(f"moves/{read.seed}")
    moves = list(read.moves)
    while state.turn is not None:
        move = playing.pick(state, rng)
        state = playing.apply(state, move)
        moves.append(str(move))
    return {**record_json(read, playing), "moves": moves}


# The browser's door

_OPERATIONS: dict[str, Callable[..., Json]] = {
    "games": games,
    "rules": rules,
    "checks": checks,
    "check": check,
    "ask": ask,
    "cards": cards,
    "deal": deal,
    "replay": replay,
    "seat_view": seat_view,
    "play": play,
    "robots": robots,
    "advice": advice,
    "random_deal": random_deal,
}


def read_lang(lang: object) -> Lang:
    """A language tag. Raises `BadInput`."""
    for known in LANGS:
        if lang == known:
            return known
    raise BadInput("lang", "bad.choice", values=list(LANGS))


def refusal(error: BadInput, lang: Lang = "zh-Hans") -> Json:
    """What was wrong with a question: the field, and one line that names it and what it takes."""
    return {"field": _one_line(error.place), "text": _one_line(say_shared(error.message, lang))}


def _one_line(text: str) -> str:
    """The text without line breaks and control characters, which a question may bring along."""
    return "".join(char if char.isprintable() else " " for char in text)


def dispatch(request: str) -> str:
    """One request as JSON, `{"op": "check", "args": {…}, "lang": "zh-Hans"}`; the answer as JSON:
    `{"ok": …}`, or `{"refused": {"field", "text"}}` for what could not be taken."""
    lang: Lang = "zh-Hans"
    try:
        asked = read_json(request, "request")
        if not isinstance(asked, Mapping) or not isinstance(asked.get("args", {}), Mapping):
            raise BadInput("request", "bad.record", fields=["op", "args", "lang"])
        lang = read_lang(asked.get("lang", lang))
        operation = _OPERATIONS.get(str(asked.get("op")))
        if operation is None:
            raise BadInput("op", "bad.choice", values=list(_OPERATIONS))
        args = dict(asked.get("args", {}))
        if "lang" in signature(operation).parameters:
            args["lang"] = lang
        try:
            bound = signature(operation).bind(**args)
        except TypeError:
            raise BadInput(
                "args", "bad.record", fields=list(signature(operation).parameters)
            ) from None
        return to_json({"ok": operation(*bound.args, **bound.kwargs)})
    except BadInput as error:
        return to_json({"refused": refusal(error, lang)})
