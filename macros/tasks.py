"""The commands of ``site-build.sh``, once the environment stands."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from macros import BUILD, ROOT, SITE, BuildError
from macros.runtime import prepare_runtime
from macros.serve import SiteServer

CHROMIUM = Path("/usr/bin/chromium")
"""Debian's own Chromium; elsewhere Playwright brings one."""


def runtime() -> None:
    """Pack the engine for the browser, with its texts in both scripts."""
    from macros.scripts import refresh_catalogues

    refresh_catalogues()
    print("Packing the engine for the browser …", flush=True)
    prepare_runtime()


@contextmanager
def one_build_at_a_time() -> Iterator[None]:
    """Wait until no other build works in the same folders."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another build to end …", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build() -> None:
    """Build the whole site beside the old one, then put it in the old one's place.

    :raises BuildError: when rule data or a tool is at fault; the old site then stays as it was.
    """
    with one_build_at_a_time():
        _build()


def _build() -> None:
    from engine.rulebook import RuleDataError
    from macros.site import build_site

    started = time.monotonic()
    new, old = BUILD / "site.new", BUILD / "site.old"
    if old.exists() and not SITE.exists():  # stopped between the two renames below
        old.rename(SITE)
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.parent.mkdir(exist_ok=True)
    try:
        runtime()
        print("Building the pages …", flush=True)
        build_site(new)
    except RuleDataError as error:
        raise BuildError(str(error)) from error
    if SITE.exists():
        SITE.rename(old)
    new.rename(SITE)
    shutil.rmtree(old, ignore_errors=True)
    print(f"Built {SITE.name}/ in {time.monotonic() - started:.1f} s", flush=True)


def serve(port: int) -> None:
    """Build the site and serve it until interrupted.

    :raises BuildError: when the port is taken (before anything is built) or the build fails.
    """
    with SiteServer(SITE, port) as server:
        build()
        print(f"Serving {server.url} (Ctrl+C stops)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def test() -> int:
    """Run every check and give the exit code: 1 when any of them failed."""
    ready_browser()
    python = [sys.executable, "-m"]
    binaries = ROOT / "node_modules" / ".bin"
    failed = []

    def check(title: str, *command: str | Path) -> None:
        print(f"\n== {title} ==", flush=True)
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(title)

    check("Format", *python, "ruff", "format", "--check", ".")
    check("Lint", *python, "ruff", "check", ".")
    check("Types", *python, "mypy")
    check("Scripts and styles: format and lint", binaries / "biome", "check", ".")
    check("Scripts: types", binaries / "tsc", "--project", ROOT / "tsconfig.json")
    print("\n== Build ==", flush=True)
    build()
    pytest = [*python, "pytest", "-q", "-n", "2"]
    check("Rule data, engine, pages", *pytest, "tests", "--ignore=tests/browser")
    check("Real browser", *pytest, "tests/browser")
    if failed:
        print(f"\nsite-build.sh: failed: {'; '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def bench(*, quick: bool = False) -> None:
    """Measure, and write ``docs/bench.json``; with ``quick`` only try the bench itself.

    :raises BuildError: when the packages to compare with cannot be installed.
    """
    ready_browser()
    _ready_bench_packages()
    build()
    from macros.bench.report import run_bench

    run_bench(quick=quick)


def lock() -> None:
    """Renew the lock files, without any address in them."""
    compile_ = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--upgrade", "--universal",
                "--python-version", "3.13", "--generate-hashes", "--no-header", "--no-annotate",
                "--no-emit-index-url", "--no-emit-find-links"]  # fmt: skip
    for group, name in (
        ("build", "requirements-build.txt"),
        ("dev", "requirements.txt"),
        ("bench", "requirements-bench.txt"),
    ):
        extra = ["--constraint", "requirements.txt"] if group == "bench" else []
        _run("renewing the lock files", *compile_, *extra, "--group", group, "--output-file", name)
    _run("renewing the lock files", "npm", "update", "--package-lock-only",
         "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund")  # fmt: skip


def chromium_path() -> str | None:
    """Give the path of Debian's Chromium, or ``None`` for the one that Playwright brings."""
    return str(CHROMIUM) if CHROMIUM.exists() else None


def ready_browser() -> None:
    """See that there is a Chromium and a font with Han characters, and install what is missing.

    :raises BuildError: when that cannot be done here.
    """
    if _is_debian():
        missing = [] if CHROMIUM.exists() else ["chromium"]
        if not _has_han_font():
            missing.append("fonts-noto-cjk")
        if not missing:
            return
        packages = " ".join(missing)
        if os.geteuid() != 0:
            raise BuildError(
                f"the browser tests need {packages}: run 'apt-get install {packages}' as root"
            )
        print(f"Installing {packages} …", flush=True)
        _run(f"installing {packages} with apt-get", "apt-get", "update", "-qq")
        _run(f"installing {packages} with apt-get", "apt-get", "install", "-y", "-qq",
             "--no-install-recommends", *missing)  # fmt: skip
        return
    print("Installing Playwright's Chromium where it is missing …", flush=True)
    _run("installing Chromium with 'playwright install chromium'",
         sys.executable, "-m", "playwright", "install", "chromium")  # fmt: skip


def _is_debian() -> bool:
    release = Path("/etc/os-release")
    return release.is_file() and "\nID=debian\n" in f"\n{release.read_text()}\n"


def _has_han_font() -> bool:
    if not shutil.which("fc-list"):
        return False
    listing = subprocess.run(
        ["fc-list", ":lang=zh-tw", "family"], capture_output=True, text=True, check=False
    )
    return bool(listing.stdout.strip())


def _ready_bench_packages() -> None:
    """Install what only the bench compares with, once for each state of its lock file."""
    wanted = ROOT / "requirements-bench.txt"
    installed = Path(sys.prefix) / "installed-bench.txt"
    if installed.is_file() and installed.read_bytes() == wanted.read_bytes():
        return
    print("Installing the packages to compare with (about a minute) …", flush=True)
    _run("installing the packages of requirements-bench.txt",
         sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes",
         "--no-build-isolation", "-r", str(wanted))  # fmt: skip
    shutil.copyfile(wanted, installed)


def _run(what: str, *command: str) -> None:
    """Run a tool with its output shown.

    :raises BuildError: naming ``what`` was done, when the tool fails or is not there.
    """
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    except FileNotFoundError as error:
        raise BuildError(f"{what} failed: {command[0]} is not installed") from error
    if done.returncode:
        raise BuildError(f"{what} failed: see what {command[0]} says above")
