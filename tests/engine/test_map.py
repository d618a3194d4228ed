"""The map of the package, in its docstring: it leaves no module out."""

import re
from pathlib import Path

import engine

ROOT = Path(engine.__file__).parent


def test_every_module_is_on_the_map() -> None:
    named = set(re.findall(r"`(\w+)`", engine.__doc__ or ""))
    files = [*ROOT.glob("*.py"), *(ROOT / "families").glob("*.py")]
    assert sorted({f.stem for f in files} - {"__init__"} - named) == []


def test_the_map_names_nothing_that_is_not_there() -> None:
    paths = re.findall(r"`([\w/]+\.\w+)`", engine.__doc__ or "")
    files = [path for path in paths if "/" in path and "SLUG" not in path]
    assert files
    assert [path for path in files if not (ROOT / path).is_file()] == []
