"""Every key that the engine says something by has its words, and no words are left over.

Keys are read off the code: what stands, or can stand, where `reason`, `cite`, `message`, `Message` and
`BadInput` take a key, `Move` a kind and `Zone` a label.
"""

import ast
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

import engine
from engine.cards import SUITS
from engine.registry import game
from engine.rulebook import rulebook, slugs, words

FILES = sorted(Path(engine.__file__).parent.rglob("*.py"))
KEY_AT = {"reason": 1, "cite": 1, "message": 0, "Message": 0, "BadInput": 1}
"""The functions that take the key of a message, and at which place."""
Scope = ast.FunctionDef | ast.Module


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def own_nodes(scope: Scope) -> Iterator[ast.AST]:
    """The nodes of a function, those of the functions in it left out."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            todo += ast.iter_child_nodes(node)


def patterns(value: ast.expr, scope: Scope) -> Set[str]:
    """What texts an expression can be, as regular expressions; none where the code does not say."""
    match value:
        case ast.Constant(str(text)) if text:
            return {re.escape(text)}
        case ast.IfExp():
            return patterns(value.body, scope) | patterns(value.orelse, scope)
        case ast.JoinedStr():
            parts = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+"
                     for p in value.values)  # fmt: skip
            return {"".join(parts)}
        case ast.Name():
            return assigned(value.id, scope)
    return set()


@cache
def assigned(name: str, scope: Scope) -> frozenset[str]:
    """What texts a name of a function can be."""
    found: set[str] = set()
    for node in own_nodes(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found |= given(name, target, node.value, scope)
    return frozenset(found)


def given(name: str, target: ast.expr, value: ast.expr, scope: Scope) -> Set[str]:
    """What an assignment gives to a name."""
    match target, value:
        case ast.Name(), _ if target.id == name:
            # `key = key if … else …` says no more of the name than its other assignments do.
            itself = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))
            return set() if itself else patterns(value, scope)
        case ast.Tuple(), ast.IfExp():
            ways = (value.body, value.orelse)
            return set().union(*(given(name, target, way, scope) for way in ways))
        case ast.Tuple(), ast.Tuple() if len(target.elts) == len(value.elts):
            pairs = zip(target.elts, value.elts, strict=True)
            return set().union(*(given(name, t, v, scope) for t, v in pairs))
    return set()


def arguments(file: Path, place_of: dict[str, int]) -> set[str]:
    """What the functions named in `place_of` are called with at that place."""
    found: set[str] = set()
    scopes: list[Scope] = [tree(file)]
    scopes += (n for n in ast.walk(tree(file)) if isinstance(n, ast.FunctionDef))
    for scope in scopes:
        for node in own_nodes(scope):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if len(node.args) > place_of.get(name, len(node.args)):
                    found |= patterns(node.args[place_of[name]], scope)
    return found


def everywhere(**place_of: int) -> set[str]:
    return set().union(*(arguments(file, place_of) for file in FILES))


@cache
def texts() -> frozenset[str]:
    """Every text that stands in the code by itself."""
    nodes = (node for file in FILES for node in ast.walk(tree(file)))
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str))


def matches(key: str, expressions: Set[str]) -> bool:
    return any(re.fullmatch(expression, key) for expression in expressions)


def keys_known(file: Path) -> set[str]:
    """The messages that a module can say: those of all games, and a game's own; a family may say what
    any game has words for."""
    slug = file.stem.split("_")[0]
    books = [rulebook(s) for s in slugs() if file.parent.name != "games" or s == slug]
    books += [rulebook(book.game.base) for book in books if book.game.base]
    return set(words().message).union(*(book.message for book in books))


def test_every_message_in_the_code_has_words() -> None:
    wordless = {
        f"{file.stem}: {key}"
        for file in FILES
        for key in arguments(file, KEY_AT)
        if not any(re.fullmatch(key, known) for known in keys_known(file))
    }
    assert sorted(wordless) == []


def test_every_message_is_said_somewhere() -> None:
    made = {key for key in everywhere(**KEY_AT) if ".+" in key}
    # Two that stand for too many: a move's kind and a misfit's word must stand in the code.
    made -= {r"move\..+", r"bad\..+"}
    books = {slug: rulebook(slug).message for slug in slugs()} | {"words": words().message}
    unsaid = [
        f"{name}: {key}"
        for name, messages in books.items()
        for key in messages
        if key not in texts()
        and not matches(key, made)
        and not {key.removeprefix("move."), key.removeprefix("bad.")} & texts()
    ]
    assert unsaid == []


def test_a_game_has_words_of_its_own_only_where_they_differ() -> None:
    doubled = [
        f"{slug}: {key}"
        for slug in slugs()
        for key, text in rulebook(slug).message.items()
        if words().message.get(key) == text
    ]
    assert doubled == []


def test_every_zone_and_every_kind_of_move_has_its_label() -> None:
    labels = words().label
    wanted = everywhere(Zone=0, piles=0, face_down=0)
    wanted |= {rf"kind\.{kind}" for kind in everywhere(Move=0)}
    assert [w for w in sorted(wanted) if not any(re.fullmatch(w, key) for key in labels)] == []
    idle = [
        key
        for key in labels
        if key.partition(".")[0] == "kind" or "." not in key
        if not matches(key, wanted) and key.removeprefix("kind.") not in texts()
    ]
    assert idle == []


def test_every_label_of_an_answer_is_for_a_check_and_a_key_that_there_is() -> None:
    checks = {name for slug in slugs() for name in game(slug).check_names}
    values = {"true", "false", "null", "empty", "whole"}
    wrong = []
    for key in words().label:
        head, *parts = key.split(".")
        if head != "answer":
            continue
        if parts[0] in slugs() and parts.pop(0) and parts[0] not in checks:
            wrong.append(key)
        wrong += [key for part in parts if part not in texts() | values | checks | {*SUITS}]
    assert wrong == []
