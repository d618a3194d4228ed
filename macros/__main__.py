"""``python -m macros``: the Python half of ``site-build.sh``."""

import argparse
import sys
from typing import NoReturn

from macros import BuildError, tasks


class _Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"site-build.sh: {message} (--help explains)\n")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"'{text}' is no port: use a number from 0 to 65535")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="site-build.sh", description="Build, serve, test and measure the site.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("build", help="build the whole site into site/")
    serve = commands.add_parser("serve", help="build the site and serve it on 127.0.0.1")
    serve.add_argument("--port", type=_port, default=8000, help="8000 unless told; 0: any free one")
    commands.add_parser("test", help="run every check")
    bench = commands.add_parser(
        "bench", help="measure the engine, the browser start and the build; writes docs/bench.json"
    )
    bench.add_argument(
        "--quick", action="store_true", help="only try the bench: build/bench-quick.json"
    )
    commands.add_parser("runtime", help="only pack the engine for the browser (build/runtime)")
    commands.add_parser("lock", help="renew the lock files from pyproject.toml and package.json")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command and give its exit code: 0 done, 1 failed, 2 not understood."""
    options = _parser().parse_args(arguments)
    try:
        match options.command:
            case "build":
                tasks.build()
            case "serve":
                tasks.serve(options.port)
            case "test":
                return tasks.test()
            case "bench":
                tasks.bench(quick=options.quick)
            case "runtime":
                tasks.runtime()
            case "lock":
                tasks.lock()
    except BuildError as error:
        print(f"site-build.sh: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
