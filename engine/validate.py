"""Whether rule data holds together: the strict reading that the build and the tests do.

Loading (`engine.rulebook`) has refused unknown keys and wrong types already; here every reference
must lead somewhere, every text must find its facts, and every example must come out as it says.
"""

from collections.abc import Iterator

from engine import api
from engine.game import AnyGame
from engine.record import example_record, read_move, states
from engine.registry import game_of
from engine.rulebook import Example, Rulebook, RuleDataError, Rules, words
from engine.texts import Lang, MissingFact
from engine.verdict import BadInput, Reason


def validate(book: Rulebook) -> None:
    """Raises `RuleDataError` (file, key, reason) at the first thing that does not hold."""
    for key, reason in _faults(book):
        raise RuleDataError(f"{book.slug}.toml", key, reason)


def variants(book: Rulebook) -> Iterator[Rules]:
    """The rules under every rule set, and under every single option that is not as it stands."""
    for rule_set in book.rule_set:
        plain = book.rules(rule_set)
        yield plain
        for option in book.option:
            for value in option.names:
                if plain.options[option.id] != value:
                    yield book.rules(rule_set, {option.id: value})


def templates(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Every text of the rule data that is filled from the facts alone, with its key."""
    info = book.game
    yield "game.pack", info.pack
    yield "game.aim", info.aim
    yield "game.notice", info.notice
    for i, line in enumerate(info.summary):
        yield f"game.summary[{i}]", line
    for clause in book.clause:
        yield f"clause.{clause.id}.text", clause.text
        yield f"clause.{clause.id}.note", clause.note
        for i, reading in enumerate(clause.readings):
            yield f"clause.{clause.id}.readings[{i}]", reading
        for i, wording in enumerate(clause.wordings):
            yield f"clause.{clause.id}.wordings[{i}].text", wording.text
    for option in book.option:
        for value in option.values:
            yield f"option.{option.id}.{value.id}.label", value.label
            yield f"option.{option.id}.{value.id}.effect", value.effect
    for name, rule_set in book.rule_set.items():
        yield f"rule_set.{name}.summary", rule_set.summary


def _faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    yield from _references(book)
    for rules in variants(book):
        yield from _texts(book, rules)
        yield from _words_of_checks(book, game_of(book, rules.rule_set, rules.options))
    for deal in book.deal:
        yield from _deal(book, deal.id)
    for example in book.example:
        yield from _example(book, example)


def _references(book: Rulebook) -> Iterator[tuple[str, str]]:
    known = {clause.id for clause in book.clause}
    if book.game.family not in words().family:
        yield "game.family", "expected one of " + ", ".join(words().family)
    for kind, ids in {
        "clause": [c.id for c in book.clause],
        "example": [e.id for e in book.example],
        "deal": [d.id for d in book.deal],
        "table": [t.id for t in book.table],
        "option": [o.id for o in book.option],
    }.items():
        for name in ids:
            if ids.count(name) > 1:
                yield f"{kind}.{name}", "this id is used twice"
    named = {f"cites.{point}": clause for point, clause in book.cites.items()}
    named |= {f"option.{o.id}.clause": o.clause for o in book.option}
    named |= {f"table.{t.id}.clause": t.clause for t in book.table}
    named |= {f"example.{e.id}.clauses": c for e in book.example for c in e.clauses}
    for key, clause_id in named.items():
        if clause_id not in known:
            yield key, f"no clause has the id {clause_id!r}"
    for clause in book.clause:
        if not clause.id.startswith(f"{book.slug}-"):
            yield f"clause.{clause.id}", f"expected an id like {book.slug}-01"
        if clause.mark != "source" and not clause.note:
            yield f"clause.{clause.id}.note", f"missing: a clause marked {clause.mark} says why"
    for option in book.option:
        if len({tuple(sorted(v.facts)) for v in option.values}) > 1:
            yield f"option.{option.id}", "every value must set the same facts"
    for name, rule_set in book.rule_set.items():
        for option_id, value in rule_set.options.items():
            if option_id not in {o.id for o in book.option}:
                yield f"rule_set.{name}.options", f"no option has the id {option_id!r}"
            elif value not in book.option_of(option_id).names:
                yield f"rule_set.{name}.options.{option_id}", f"no value {value!r}"
    for table in book.table:
        if len(table.cells) != len(table.columns):
            yield f"table.{table.id}.cells", f"expected {len(table.columns)} cells"


def _texts(book: Rulebook, rules: Rules) -> Iterator[tuple[str, str]]:
    for key, template in templates(book):
        try:
            rules.text(template)
        except (MissingFact, KeyError, ValueError, TypeError, AttributeError) as error:
            yield key, f"cannot be filled from the facts: {error}"
    for clause in book.clause:
        for wording in clause.wordings:
            try:
                rules.fact(wording.fact)
            except KeyError as error:
                yield f"clause.{clause.id}.wordings", f"no fact {error}"
    for table in book.table:
        try:
            table_rows(rules, table.id)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            yield f"table.{table.id}", f"cannot be filled from the facts: {error}"


def table_rows(rules: Rules, table_id: str, lang: Lang = "zh-Hans") -> list[list[str]]:
    """The cells of a table under these rules, in the reader's script. Raises `KeyError`."""
    table = next(t for t in rules.book.table if t.id == table_id)
    if table.rule_set not in ("", rules.rule_set):
        return []
    entries = rules.fact(table.each)
    items = entries.items() if isinstance(entries, dict) else enumerate(entries)
    return [[rules.text(cell, lang, k=k, v=v) for cell in table.cells] for k, v in items]


def _words_of_checks(book: Rulebook, playing: AnyGame) -> Iterator[tuple[str, str]]:
    for name in playing.check_names:
        if name not in book.check:
            yield f"check.{name}", "missing: the check needs a title, a question and labels"
            continue
        for form in playing.check(name).form():
            if form["name"] not in book.check[name].fields:
                yield f"check.{name}.fields.{form['name']}", "missing: a label"
    for name in book.check:
        if name not in playing.check_names:
            yield f"check.{name}", "the engine answers no such check"
        try:
            api.check_of(playing, name, book.check[name].question)
        except BadInput as error:
            # A start may belong to another rule set; it must be a question under one of them.
            if playing.rules.rule_set == next(iter(book.rule_set)):
                yield f"check.{name}.start", api.refusal(error)["text"]


def _example(book: Rulebook, example: Example) -> Iterator[tuple[str, str]]:
    key = f"example.{example.id}"
    if example.deal:
        if example.deal not in {d.id for d in book.deal}:
            yield f"{key}.deal", f"no deal has the id {example.deal!r}"
            return
        reasons = step_reasons(book, example.deal, example.step)
        if reasons is None:
            yield f"{key}.step", "the deal has no such step"
            return
        cited = [r.clause for r in reasons]
    else:
        try:
            found = api.check_in(book, example.check, example.question)
        except BadInput as error:
            yield f"{key}.input", api.refusal(error)["text"]
            return
        for name, value in example.expected.items():
            if found["answer"].get(name) != value:
                got = api.to_json(found["answer"].get(name))
                yield f"{key}.answer.{name}", f"the engine answers {got}"
        cited = [r["clause"] for r in found["reasons"]]
    for clause in example.clauses:
        if clause not in cited:
            names = ", ".join(dict.fromkeys(cited))
            yield f"{key}.clauses", f"the reasons do not cite {clause}, only {names}"


def step_reasons(book: Rulebook, deal_id: str, step: int) -> tuple[Reason, ...] | None:
    """Why the move at a step of an example deal was legal and what came of it (step 0: the deal
    itself; at the last step the result's reasons as well); None when there is no such step."""
    record = example_record(book, book.deal_of(deal_id))
    playing, found = states(record, game_of(book, record.rule_set, record.options))
    if not 0 <= step < len(found):
        return None
    why: tuple[Reason, ...] = ()
    if step and found[step - 1].turn is not None:
        why = playing.allows(found[step - 1], read_move(record.moves[step - 1], "move"))
    result = playing.result(found[step])
    return (*why, *found[step].events, *(result.reasons if result else ()))


def _deal(book: Rulebook, deal_id: str) -> Iterator[tuple[str, str]]:
    deal = book.deal_of(deal_id)
    record = example_record(book, deal)
    try:
        playing = game_of(book, record.rule_set, record.options)
        _, found = states(record, playing)
    except BadInput as error:
        yield f"deal.{deal_id}.{error.place}", api.refusal(error)["text"]
        return
    if found[-1].turn is not None:
        yield f"deal.{deal_id}.moves", "the deal is not played to its end"
    for remark in deal.remarks:
        if not 0 <= remark.step < len(found):
            yield f"deal.{deal_id}.remarks", f"the deal has no step {remark.step}"
