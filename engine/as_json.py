"""The engine's values as plain JSON, with all texts in the reader's script."""

from collections.abc import Mapping, Sequence

from engine.answers import value_word
from engine.game import AnyGame, Move, Note, Result, State, View, Zone
from engine.record import Record, read_move
from engine.rulebook import Rules, rulebook, words
from engine.rulebook import say as say_shared
from engine.texts import Lang, translate
from engine.verdict import Message, Reason
from engine.wire import Json

MOST_MOVES_LISTED = 400
"""More legal moves than this are not listed one by one."""


def game_json(slug: str, lang: Lang) -> Json:
    """A game in a list of games: what it is called, for whom it is, and how it can be played."""
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


def in_force_json(rules: Rules) -> Json:
    """The rule set and the options chosen, by id."""
    return {"rule_set": rules.rule_set, "options": dict(rules.options)}


def form_json(form: Json, labels: Mapping[str, str], lang: Lang, within: str = "") -> Json:
    """A field's form with its label (and its inner fields' and choices') in the reader's script."""
    path = within + form["name"] if "name" in form else within.removesuffix(".")
    labelled = dict(form)
    if "name" in form:
        labelled["label"] = translate(labels.get(path, labels.get(form["name"], path)), lang)
    if "labels" in form:
        labelled["labels"] = [translate(labels.get(v, v), lang) for v in form["labels"]]
    if "fields" in form:
        labelled["fields"] = [form_json(f, labels, lang) for f in form["fields"]]
    of = form.get("of")
    if isinstance(of, dict):
        labelled["of"] = form_json(of, labels, lang, f"{path}.")
    elif of:
        labelled["of"] = [form_json(f, labels, lang, f"{path}.") for f in of]
    for i, inner in enumerate(labelled["of"] if isinstance(of, list) else []):
        inner["label"] = translate(labels.get(f"{path}.{i}", str(i + 1)), lang)
    return labelled


def reasons_json(reasons: tuple[Reason, ...], rules: Rules, lang: Lang) -> list[Json]:
    """Reasons with their clauses, in order."""
    return [{"clause": r.clause, "text": rules.say(r.message, lang)} for r in reasons]


def record_json(record: Record, playing: AnyGame) -> Json:
    """The record with the rules in force spelled out."""
    found: dict[str, Json] = {
        "game": record.game,
        "players": record.players,
        **in_force_json(playing.rules),
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


def step_json(playing: AnyGame, before: State | None, text: str, after: State, lang: Lang) -> Json:
    """What happened between two states, why it was legal and what came of it: the move in notation
    `text`, or, where a deal begins, the dealing. `before` is None for the first deal of a record."""
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
        "why": reasons_json(why, rules, lang),
        "events": reasons_json(after.events, rules, lang),
        "table": view_json(playing.view(after, None), rules, lang),
    }
    if after.turn is None:
        found["result"] = result_json(playing.result(after), rules, lang)
    return found


def standing_json(playing: AnyGame, state: State, lang: Lang) -> Json:
    """Whose turn it is, and the result when the deal is over."""
    result = playing.result(state)
    return {"turn": state.turn, "result": result_json(result, playing.rules, lang)}


def result_json(result: Result | None, rules: Rules, lang: Lang) -> Json:
    """How a deal ended, null while it goes on."""
    if result is None:
        return None
    return {
        "scores": list(result.scores),
        "winners": list(result.winners),
        "totals": list(result.match.scores),
        "match_winners": None if result.match_winners is None else list(result.match_winners),
        "reasons": reasons_json(result.reasons, rules, lang),
    }


def view_json(view: View, rules: Rules, lang: Lang) -> Json:
    """What a seat may know: hands and zones with their cards (null for one face down), and notes."""
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


def move_json(playing: AnyGame, state: State, move: Move, lang: Lang) -> Json:
    """A move that can be made in a state: its parts, its notation and what it is in words."""
    text = playing.rules.say(playing.describe(state, move), lang)
    return {"kind": move.kind, "cards": list(move.cards), "value": move.value, "move": str(move),
            "text": text}  # fmt: skip


def kind_json(kind: str, moves: Sequence[Move], lang: Lang) -> Json:
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
