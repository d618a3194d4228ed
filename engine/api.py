"""The one boundary: plain JSON values in and out, alike for the command line, the build and the
browser. All texts in what comes back are in the reader's script.

Every function raises `BadInput` for what it cannot take; `dispatch` and the command line turn that
into one line that names the field.
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

from engine.answers import say_answer, value_word
from engine.fields import read_card_list
from engine.game import DEAL, AnyGame, Move, Note, Result, State, View, Zone
from engine.record import Record, opening, read_move, read_record, step
from engine.registry import game, game_of
from engine.rulebook import Rulebook, Rules, rulebook, slugs, words
from engine.rulebook import say as say_shared
from engine.texts import LANGS, Lang, translate
from engine.verdict import BadInput, IllegalMove, Message, Reason, Verdict

Json = Any
MOST_MOVES_LISTED = 400
"""More legal moves than this are not listed one by one."""
LONGEST_REQUEST = 400_000
DEEPEST_REQUEST = 40


def _book(slug: object) -> Rulebook:
    if not isinstance(slug, str) or slug not in slugs():
        raise BadInput("game", "bad.choice", values=list(slugs()))
    return rulebook(slug)


def games(lang: Lang = "zh-Hans") -> list[Json]:
    """Every game: slug, title, players, rule sets and options with their values."""
    return [_game_json(slug, lang) for slug in slugs()]


def _game_json(slug: str, lang: Lang) -> Json:
    book = rulebook(slug)
    info = book.game
    rules = book.rules()
    return {
        "slug": slug,
        "title": translate(info.title, lang),
        "other_names": [translate(n, lang) for n in info.other_names],
        "family": translate(words().family[info.family], lang),
        "players": list(info.players),
        "minutes": list(info.minutes),
        "summary": [rules.text(line, lang) for line in info.summary],
        "rule_sets": [
            {
                "id": name,
                "title": translate(rule_set.title, lang),
                "options": dict(rule_set.options),
            }
            for name, rule_set in book.rule_set.items()
        ],
        "options": [
            {
                "id": option.id,
                "title": translate(option.title, lang),
                "clause": option.clause,
                "values": [{"id": v.id, "label": translate(v.label, lang)} for v in option.values],
            }
            for option in book.option
        ],
    }


def rules(slug: str, lang: Lang = "zh-Hans", rule_set: str = "", options: Json = None) -> Json:
    """The clauses of a game as they read under a rule set and options, and the facts behind them."""
    book = _book(slug)
    in_force = book.rules(rule_set, _options(options))
    return {
        **_game_json(slug, lang),
        **_in_force(in_force),
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
                "fields": [_labelled(f, said.fields, lang) for f in playing.check(name).form()],
                "start": said.question,
            }
        )
    pack = playing.pack(playing.rules.book.game.players[1])
    cards = {card: pack.count(card) for card in playing.sorted(pack)}
    return {"game": slug, **_in_force(playing.rules), "cards": cards, "checks": found}


def _labelled(form: Json, labels: Mapping[str, str], lang: Lang, within: str = "") -> Json:
    """A field's form with its label (and its inner fields' and choices') in the reader's script."""
    path = within + form["name"] if "name" in form else within.removesuffix(".")
    labelled = dict(form)
    if "name" in form:
        labelled["label"] = translate(labels.get(path, labels.get(form["name"], path)), lang)
    if "labels" in form:
        labelled["labels"] = [translate(labels.get(v, v), lang) for v in form["labels"]]
    if "fields" in form:
        labelled["fields"] = [_labelled(f, labels, lang) for f in form["fields"]]
    of = form.get("of")
    if isinstance(of, dict):
        labelled["of"] = _labelled(of, labels, lang, f"{path}.")
    elif of:
        labelled["of"] = [_labelled(f, labels, lang, f"{path}.") for f in of]
    for i, inner in enumerate(labelled["of"] if isinstance(of, list) else []):
        inner["label"] = translate(labels.get(f"{path}.{i}", str(i + 1)), lang)
    return labelled


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
        "reasons": _reasons(verdict.reasons, playing.rules, lang),
        **_in_force(playing.rules),
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


def _in_force(rules: Rules) -> Json:
    return {"rule_set": rules.rule_set, "options": dict(rules.options)}


def _reasons(reasons: tuple[Reason, ...], rules: Rules, lang: Lang) -> list[Json]:
    return [{"clause": r.clause, "text": rules.say(r.message, lang)} for r in reasons]


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
    steps = [_step_json(playing, None, "", state, lang)]
    for number, text in enumerate(read.moves):
        after = step(playing, state, text, f"moves[{number}]")
        steps.append(_step_json(playing, state, text, after, lang))
        state = after
    return {
        "record": _record_json(read, playing),
        "steps": steps,
        **_standing(playing, state, lang),
    }


def _record_json(record: Record, playing: AnyGame) -> Json:
    """The record with the rules in force spelled out."""
    found: dict[str, Json] = {
        "game": record.game,
        "players": record.players,
        **_in_force(playing.rules),
        "seed": record.seed,
    }
    if record.hands:
        found |= {"hands": [h if isinstance(h, str) else list(h) for h in record.hands]}
        found |= {"stock": record.stock if isinstance(record.stock, str) else list(record.stock)}
    if record.target is not None:
        found["target"] = record.target
    if record.match:
        found["match"] = dict(record.match)
    return found | {"moves": list(record.moves)}


def _step_json(playing: AnyGame, before: State | None, text: str, after: State, lang: Lang) -> Json:
    rules = playing.rules
    said, seat, notation = say_shared(Message("move.deal"), lang), None, text
    why: tuple[Reason, ...] = ()
    if before is not None and before.turn is not None:
        move = read_move(text, "move")
        seat = before.turn
        said, why = rules.say(playing.describe(before, move), lang), playing.allows(before, move)
        notation = str(move)
    found: dict[str, Json] = {
        "seat": seat,
        "move": notation,
        "text": said,
        "why": _reasons(why, rules, lang),
        "events": _reasons(after.events, rules, lang),
        "table": _view_json(playing.view(after, None), rules, lang),
    }
    if after.turn is None:
        found["result"] = _result_json(playing.result(after), rules, lang)
    return found


def _standing(playing: AnyGame, state: State, lang: Lang) -> Json:
    result = playing.result(state)
    return {"turn": state.turn, "result": _result_json(result, playing.rules, lang)}


def _result_json(result: Result | None, rules: Rules, lang: Lang) -> Json:
    if result is None:
        return None
    return {
        "scores": list(result.scores),
        "winners": list(result.winners),
        "totals": list(result.match.scores),
        "match_winners": None if result.match_winners is None else list(result.match_winners),
        "reasons": _reasons(result.reasons, rules, lang),
    }


def _view_json(view: View, rules: Rules, lang: Lang) -> Json:
    return {
        "turn": view.turn,
        "hands": [_zone_json(z, lang) for z in view.hands],
        "zones": [_zone_json(z, lang) for z in view.zones],
        "notes": [_note_json(n, rules, lang) for n in view.notes],
    }


def _zone_json(zone: Zone, lang: Lang) -> Json:
    found: dict[str, Json] = {
        "zone": zone.label,
        "label": translate(words().label[zone.label], lang),
        "seat": zone.seat,
        "cards": list(zone.cards),
    }
    if zone.seen_by is not None:
        found["seen_by"] = list(zone.seen_by)
    return found


def _note_json(note: Note, rules: Rules, lang: Lang) -> Json:
    found: dict[str, Json] = {"text": rules.say(note.message, lang), "seat": note.seat}
    if note.seen_by is not None:
        found["seen_by"] = list(note.seen_by)
    return found


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
        **_view_json(playing.view(state, seat), playing.rules, lang),
        **_standing(playing, state, lang),
        "events": _reasons(state.events, playing.rules, lang),
    }
    if state.turn is not None and seat in (None, state.turn):
        moves = playing.legal_moves(state)
        few = len(moves) <= MOST_MOVES_LISTED
        kinds = list(dict.fromkeys(m.kind for m in moves))
        found["moves"] = [_move_json(playing, state, m, lang) for m in moves] if few else None
        found["kinds"] = [_kind_json(kind, moves, lang) for kind in kinds]
    return found


def _move_json(playing: AnyGame, state: State, move: Move, lang: Lang) -> Json:
    text = playing.rules.say(playing.describe(state, move), lang)
    return {"kind": move.kind, "cards": list(move.cards), "value": move.value, "move": str(move),
            "text": text}  # fmt: skip


def _kind_json(kind: str, moves: Sequence[Move], lang: Lang) -> Json:
    """A kind of move: its label, whether it takes cards, and the values to choose from."""
    alike = [m for m in moves if m.kind == kind]
    values = list(dict.fromkeys(m.value for m in alike if m.value is not None))[:MOST_MOVES_LISTED]
    return {
        "kind": kind,
        "label": translate(words().label[f"kind.{kind}"], lang),
        "cards": any(m.cards for m in alike),
        "values": values,
        "value_labels": [value_word(value, lang) for value in values],
    }


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
            return {"legal": False, "reasons": _reasons(error.reasons, playing.rules, lang)}
    longer = {**_record_json(read, playing), "moves": [*read.moves, str(tried)]}
    return {
        "legal": True,
        "record": longer,
        "step": _step_json(playing, state, str(tried), after, lang),
        **_standing(playing, after, lang),
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
        heard.append({"text": text, "events": _reasons(after.events, playing.rules, lang)})
        state = after
    longer = {**_record_json(read, playing), "moves": moves}
    return {"record": longer, "heard": heard, **_standing(playing, state, lang)}


def advice(record: Json, lang: Lang = "zh-Hans") -> Json:
    """The move that a robot would make at the end of a record, knowing what the seat to move knows."""
    _, playing, state = _state(record)
    if state.turn is None:
        raise BadInput("record", "bad.deal-over")
    return _move_json(playing, state, playing.robot(state), lang)


def random_deal(record: Json) -> Json:
    """Plays a deal to its end by moves drawn with its seed: the record, for tests and benches."""
    read, playing, state = _state(record)
    rng = random.Random(f"moves/{read.seed}")
    moves = list(read.moves)
    while state.turn is not None:
        move = playing.pick(state, rng)
        state = playing.apply(state, move)
        moves.append(str(move))
    return {**_record_json(read, playing), "moves": moves}


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


def read_json(text: str, at: str) -> Json:
    """JSON from outside. Raises `BadInput` naming `at` for anything that is none."""
    if len(text) > LONGEST_REQUEST:
        raise BadInput(at, "bad.too-long", most=LONGEST_REQUEST)
    text = text.removeprefix("\ufeff")
    if _is_deep(text):
        raise BadInput(at, "bad.too-deep", most=DEEPEST_REQUEST)
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadInput(at, "bad.json") from None


_MARKS = re.compile(r"""[][{}"]|\\.""", re.DOTALL)


def _is_deep(text: str) -> bool:
    """Whether lists and objects stand too deep in one another: Python's reader recurses, and in the
    browser its stack is short."""
    if text.count("[") + text.count("{") <= DEEPEST_REQUEST:
        return False
    depth, in_string = 0, False
    for mark in _MARKS.findall(text):
        if mark == '"':
            in_string = not in_string
        elif not in_string and mark in ("[", "{"):
            depth += 1
            if depth > DEEPEST_REQUEST:
                return True
        elif not in_string and mark in ("]", "}"):
            depth -= 1
    return False


def _no_constant(name: str) -> Json:
    raise ValueError(name)


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


def to_json(value: Json) -> str:
    """JSON as it is written everywhere: compact, Chinese as it is, the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
