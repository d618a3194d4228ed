"""The command, the lock files, the server, and the runtime that goes to the browser."""

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.rulebook import RuleDataError
from macros import ROOT, BuildError, tasks
from macros.__main__ import main
from macros.runtime import prepare_runtime
from macros.serve import SiteServer
from macros.trial import requests

LOCKS = ["requirements-build.txt", "requirements.txt", "requirements-bench.txt"]


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "site-build.sh", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


# The command


def test_help_names_every_command() -> None:
    done = run_command("--help")
    assert done.returncode == 0
    for command in ("build", "serve [--port N]", "test", "bench"):
        assert f"\n  {command} " in done.stdout


def test_unknown_command_is_refused_in_one_line() -> None:
    done = run_command("biuld")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "site-build.sh: unknown command 'biuld': use build, serve, test or bench (--help explains)"
    ]


@pytest.mark.parametrize("port", ["80a", "-1", "65536", "８０"])
def test_bad_port_is_refused_in_one_line(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", f"--port={port}"])
    assert stopped.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--port" in line
    assert "from 0 to 65535" in line


@pytest.mark.parametrize(
    ("tool", "hint"),
    [("python3.13", "Python 3.13 with venv is missing"), ("node", "Node 18 or newer is missing")],
)
def test_a_missing_tool_is_named_in_one_line(tool: str, hint: str, tmp_path: Path) -> None:
    # A copy of the project on a machine where Python is there only when Node is what is missing.
    shutil.copy(ROOT / "site-build.sh", tmp_path)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "cat", "cmp", "mkdir", "sleep"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    (tools / "python3.13").write_text("#!/bin/sh\nexit 127\n")  # a shim that runs nothing
    (tools / "python3.13").chmod(0o755)
    if tool != "python3.13":
        venv = tmp_path / ".venv"
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(sys.executable)
        for name in LOCKS[:2]:
            (tmp_path / name).touch()
        (venv / "installed.txt").touch()
    done = subprocess.run(
        [shutil.which("bash") or "bash", str(tmp_path / "site-build.sh"), "build"],
        env={"PATH": str(tools), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"site-build.sh: {hint}: install it")


# The lock files


@pytest.mark.parametrize("name", LOCKS)
def test_python_lock_pins_with_hashes_and_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|^-|\bfile:|@ ", text, re.MULTILINE)
    entries = re.split(r"\n(?=\S)", text.strip())
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_node_lock_pins_with_hashes_and_names_no_download_address() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert "node_modules/pyodide" in packages
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert entry["integrity"].startswith("sha512-"), name


def test_python_of_the_lock_is_the_one_of_pyodide() -> None:
    lock = json.loads((ROOT / "node_modules/pyodide/pyodide-lock.json").read_text())
    major, minor, _ = lock["info"]["python"].split(".")
    assert (int(major), int(minor)) == sys.version_info[:2]


# Building


@pytest.fixture
def old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with a finished site, to which the build is pointed."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("old")
    monkeypatch.setattr(tasks, "SITE", site)
    monkeypatch.setattr(tasks, "BUILD", tmp_path / "build")
    monkeypatch.setattr(tasks, "prepare_runtime", lambda: tmp_path)
    return site


def set_pages_build(monkeypatch: pytest.MonkeyPatch, build_site: Callable[[Path], None]) -> None:
    module = SimpleNamespace(build_site=build_site)
    monkeypatch.setitem(sys.modules, "macros.site", module)


def test_a_new_site_replaces_the_old_one_whole(
    old_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build_site(out: Path) -> None:
        out.mkdir()
        (out / "new.html").write_text("new")
        assert (old_site / "index.html").read_text() == "old"

    set_pages_build(monkeypatch, build_site)
    assert main(["build"]) == 0
    assert [path.name for path in old_site.iterdir()] == ["new.html"]


def test_a_failed_build_leaves_the_old_site_and_says_why_in_one_line(
    old_site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build_site(out: Path) -> None:
        out.mkdir()
        (out / "index.html").write_text("half")
        raise RuleDataError("gonglei.toml", "facts.pay", "missing")

    set_pages_build(monkeypatch, build_site)
    assert main(["build"]) == 1
    assert (old_site / "index.html").read_text() == "old"
    assert capsys.readouterr().err == "site-build.sh: gonglei.toml: facts.pay: missing\n"


def test_a_build_cut_between_its_two_renames_is_mended(
    old_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = old_site.with_name("build")
    build.mkdir()
    old_site.rename(build / "site.old")

    def build_site(out: Path) -> None:  # noqa: ARG001
        raise RuleDataError("gonglei.toml", "facts.pay", "missing")

    set_pages_build(monkeypatch, build_site)
    assert main(["build"]) == 1
    assert (old_site / "index.html").read_text() == "old"


# The server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SiteServer]:
    """Serve a small site under a sub-path."""
    for name in ("index.html", "a.mjs", "a.wasm", "a.json", "a.whl", "a.svg", "a.css", "a.js"):
        (tmp_path / name).write_text(name)
    (tmp_path / "empty").mkdir()
    (tmp_path / "404.html").write_text("no such page")
    with SiteServer(tmp_path, prefix="/sub/") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("", "text/html"),
        ("a.js", "text/javascript"),
        ("a.mjs", "text/javascript"),
        ("a.wasm", "application/wasm"),
        ("a.json", "application/json"),
        ("a.css", "text/css"),
        ("a.svg", "image/svg+xml"),
        ("a.whl", "application/zip"),
    ],
)
def test_files_are_sent_with_the_types_that_browsers_insist_on(
    server: SiteServer, name: str, type_: str
) -> None:
    with urllib.request.urlopen(server.url + name) as answer:
        assert answer.headers["Content-Type"] == type_
        assert answer.read().decode() == (name or "index.html")


@pytest.mark.parametrize("path", ["none.html", "/index.html", "empty/", "%2e%2e/%2e%2e/etc/passwd"])
def test_an_unknown_address_gets_the_page_for_it(server: SiteServer, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.parse.urljoin(server.url, path))
    assert refused.value.code == 404
    assert refused.value.read().decode() == "no such page"


def test_a_busy_port_is_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert capsys.readouterr().err == (
        f"site-build.sh: port {port} is in use: "
        "choose another with ./site-build.sh serve --port N\n"
    )


# The runtime


def test_the_runtime_is_made_of_the_sources_alone_and_boots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is made twice here need not be tried with all that the real one is.
    some = requests()[:200]
    monkeypatch.setattr("macros.snapshot.requests", lambda: some)
    folder = prepare_runtime(tmp_path / "runtime")
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    assert list(lock["packages"]) == ["card-rules-engine"]

    wheel = folder / lock["packages"]["card-rules-engine"]["file_name"]
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for path in (ROOT / "engine" / "rules").glob("**/*.*"):
        assert path.relative_to(ROOT).as_posix() in names

    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    content = wheel.read_bytes()
    prepare_runtime(folder)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    (tmp_path / "runtime.inputs").unlink()
    prepare_runtime(folder)
    assert wheel.read_bytes() == content

    code = "import json, engine.api; json.dumps(engine.api.games(), ensure_ascii=False)"
    booted = subprocess.run(
        ["node", str(ROOT / "tests" / "boot_runtime.mjs"), str(folder), code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert booted.returncode == 0, booted.stderr
    from engine import api

    assert json.loads(booted.stdout) == json.loads(json.dumps(api.games()))


def test_an_engine_that_answers_otherwise_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = requests()[0]
    monkeypatch.setattr("macros.snapshot.requests", lambda: [asked])
    monkeypatch.setattr("engine.api.dispatch", lambda _: "something else")
    folder = prepare_runtime(tmp_path / "runtime")
    assert "answers otherwise than CPython" in capsys.readouterr().err
    left = {path.name for path in folder.iterdir()}
    assert "pyodide.asm.wasm" in left
    assert not {"engine.wasm.zst", "engine.snapshot.zst", "engine.json"} & left


def test_a_missing_pyodide_is_named_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macros.runtime.PYODIDE", tmp_path)
    with pytest.raises(BuildError, match="node_modules/pyodide is missing: run "):
        prepare_runtime(tmp_path / "runtime")


# The browser


@pytest.fixture
def tools_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Set a Debian without browser and font; give the list of the tools that are run on it."""
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(tasks, "CHROMIUM", tmp_path / "chromium")
    monkeypatch.setattr(tasks, "_is_debian", lambda: True)
    monkeypatch.setattr(tasks, "_has_han_font", lambda: False)
    monkeypatch.setattr(tasks, "_run", lambda _what, *command: commands.append(command))
    return commands


def test_root_on_debian_gets_the_browser_and_the_font(
    tools_run: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    tasks.ready_browser()
    assert [command[:2] for command in tools_run] == [("apt-get", "update"), ("apt-get", "install")]
    assert tools_run[1][-2:] == ("chromium", "fonts-noto-cjk")


def test_others_on_debian_are_told_what_to_install(
    tools_run: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(BuildError, match="run 'apt-get install chromium fonts-noto-cjk' as root"):
        tasks.ready_browser()
    assert not tools_run


def test_elsewhere_playwright_brings_its_own_browser(
    tools_run: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_is_debian", lambda: False)
    tasks.ready_browser()
    assert [command[1:] for command in tools_run] == [("-m", "playwright", "install", "chromium")]
    assert tasks.chromium_path() is None


def test_a_browser_that_cannot_be_had_is_an_error_not_a_skip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tasks, "_is_debian", lambda: False)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert main(["test"]) == 1
    assert capsys.readouterr().err.startswith(
        "site-build.sh: installing Chromium with 'playwright install chromium' failed"
    )
