"""The build side: renders the rule data into pages and readies the engine for the browser."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
"""Work folder of the build; safe to delete."""
RUNTIME = BUILD / "runtime"
"""Pyodide with the engine inside, as the site serves it in ``assets/pyodide/``."""
SITE = ROOT / "site"
"""The finished site."""


class BuildError(Exception):
    """Something that the person at the keyboard can mend; the message is one line that says how."""
