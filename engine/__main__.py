"""The command line: the same questions and answers as on the site, as JSON on standard output."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from engine import api
from engine.rulebook import RuleDataError
from engine.texts import LANGS
from engine.verdict import BadInput


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line that names the argument, and exit 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    lang = _Parser(add_help=False)
    lang.add_argument("--lang", choices=LANGS, default="zh-Hans", help="script of the texts")
    parser = _Parser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[lang])

    add("games", "list all games")
    add("rules", "the clauses of a game").add_argument("slug")
    add("checks", "the questions a game answers").add_argument("slug")
    check = add("check", "answer one question")
    check.add_argument("slug")
    check.add_argument("check")
    check.add_argument("json", help="the question as JSON, - for standard input")
    deal = add("deal", "shuffle and deal")
    deal.add_argument("slug")
    deal.add_argument("--players", type=int, required=True)
    deal.add_argument("--seed", required=True)
    deal.add_argument("--rule-set", default="")
    deal.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    deal.add_argument("--target", type=int)
    replay = add("replay", "play a record through")
    replay.add_argument("file", help="a record as JSON, - for standard input")
    return parser


def _run(args: argparse.Namespace) -> Any:
    match args.command:
        case "games":
            return api.games(args.lang)
        case "rules":
            return api.rules(args.slug, args.lang)
        case "checks":
            return api.checks(args.slug, args.lang)
        case "check":
            text = sys.stdin.read() if args.json == "-" else args.json
            return api.check(args.slug, args.check, api.read_json(text, "json"), args.lang)
        case "deal":
            options = dict(_option(text) for text in args.option)
            return api.deal(args.slug, args.players, args.seed, args.rule_set, options, args.target,
                            args.lang)  # fmt: skip
        case _:
            return api.replay(api.read_json(_read(args.file), "file"), args.lang)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInput("option", "bad.option-form")
    return name, value


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadInput("file", "bad.file") from None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command: 0 with JSON on standard output, 2 with one line on standard error for what
    it cannot take, 1 for rule data that cannot be used."""
    args = _parser().parse_args(argv)
    try:
        print(api.to_json(_run(args)), flush=True)
    except BrokenPipeError:
        # Whoever reads has heard enough; nothing is left to be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except BadInput as error:
        print(api.refusal(error, args.lang)["text"], file=sys.stderr)
        return 2
    except RuleDataError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
