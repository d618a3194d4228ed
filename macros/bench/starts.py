"""From a click on a link to the verdict: how long it takes, beside Pyodide as it comes from npm.

Every visit is made in a browser of its own with an empty profile; a second visit follows in the same
browser. Ours opens a link that asks something and ends when the verdict stands on the page; bare Pyodide
starts in a module worker and ends with its first expression. Both count from navigation, and take turns.
On slow lines it is Chromium that slows the page and the worker it starts (`emulateNetworkConditions`).
"""

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page, Playwright

from engine import api
from engine.rulebook import Example, rulebook
from macros import ROOT, SITE
from macros.bench import Effort
from macros.bench.server import BenchServer, Files
from macros.tasks import chromium_path

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", "--no-first-run"]  # fmt: skip
GAME = "sibaifen"
SLOW_LINES = (10.0, 1.6)
"""In Mbit/s."""
LATENCY = {10.0: 40, 1.6: 150}
"""In milliseconds, there and back."""
REST = 1.5
"""Seconds that a new tab is left alone before it is used. Chromium puts away what the visit before has
fetched, and loads parts of its own: the list below the address bar keeps a core busy for a second."""
PATIENCE = 180_000
ANSWER = "output[data-answer]"
SHOWN = "shown"
WATCH = (
    f"const SHOWN = {SHOWN!r};"
    """
window.bench = { shown: 0, tasks: [], scripts: [] };
new MutationObserver((_, observer) => {
  if (!document.querySelector("output[data-answer]")) return;
  bench.shown = performance.now();
  observer.disconnect();
  console.debug(SHOWN);
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-answer"] });
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) bench.tasks.push(task.duration);
}).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => {
  for (const frame of list.getEntries())
    for (const script of frame.scripts) bench.scripts.push([script.sourceURL, script.duration]);
}).observe({ type: "long-animation-frame", buffered: true });
"""
)
"""When the first answer stood on the page; the long tasks, and the scripts in long frames."""
BARE_PAGE = """<!doctype html><meta charset="utf-8"><title>Pyodide</title><output></output>
<script type="module">
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = (event) => {
  document.querySelector("output").dataset.answer = event.data;
};
</script>
"""
BARE_WORKER = """import { loadPyodide } from "./pyodide/pyodide.mjs";
const pyodide = await loadPyodide();
postMessage(String(pyodide.runPython("1 + 1")));
"""
OURS = re.compile(
    rb'<script src="[^"]*assets/(start|page)\.js"[^>]*></script>|'
    rb'<link rel="modulepreload"[^>]*>|<link rel="preload" as="style"[^>]*>'
)
THEME = re.compile(rb'<link rel="preload" as="script" id="theme" href=("[^"]*")>')


@dataclass(frozen=True)
class Visit:
    """In milliseconds from navigation: when the answer was shown (0: none was awaited), the first paint
    with content, and when the whole page was read; `sent` are path and bytes of what was fetched."""

    shown: float
    painted: float
    read: float
    sent: tuple[tuple[str, int], ...]

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.sent)


def without_ours(html: bytes) -> bytes:
    """A page without any script of ours: the theme's stands where the theme puts it."""
    return THEME.sub(rb"<script src=\1></script>", OURS.sub(b"", html))


def folders(work: Path) -> dict[str, Files]:
    """What the bench serves: the site, the site without any script of ours, and bare Pyodide."""
    bare = work / "bare"
    bare.mkdir()
    (bare / "index.html").write_text(BARE_PAGE, encoding="utf-8")
    (bare / "worker.js").write_text(BARE_WORKER, encoding="utf-8")
    (bare / "pyodide").symlink_to(ROOT / "node_modules" / "pyodide")
    return {
        "site": Files(SITE),
        "plain": Files(SITE, without_ours),
        "bare": Files(bare),
    }


def asking_link(slug: str, example: Example) -> str:
    """The address that asks what an example asks, below the site's folder."""
    question = api.to_json(dict(example.question))
    return f"games/{slug}/?{urlencode({'check': example.check, 'in': question})}"


def first_question() -> str:
    """The link whose answer is waited for: who wins a trick."""
    return asking_link(GAME, next(e for e in rulebook(GAME).example if e.check == "trick"))


@contextmanager
def new_browser(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser with an empty profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium_path(), args=FLAGS, locale="zh-CN",
            viewport={"width": 1280, "height": 900},
        )  # fmt: skip
        context.add_init_script(WATCH)
        yield context
        context.close()


def new_tab(context: BrowserContext) -> Page:
    """A tab at rest."""
    page = context.new_page()
    time.sleep(REST)
    return page


def visit(
    context: BrowserContext, server: BenchServer, path: str, line: float = 0, *, answer: bool = True
) -> Visit:
    """Opens a page, on a line of so many Mbit/s (0: as fast as it goes), and closes it again."""
    page = new_tab(context)
    if line:
        slow_down(context, page, line)
    server.sent.clear()
    if answer:
        # Not by a selector: looking for it would keep the page busy.
        with page.expect_console_message(lambda said: said.text == SHOWN, timeout=PATIENCE):
            page.goto(server.url + path, wait_until="commit", timeout=PATIENCE)
    else:
        page.goto(server.url + path, wait_until="load", timeout=PATIENCE)
    seen: dict[str, float] = page.evaluate(
        """() => ({
            shown: bench.shown,
            painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
            read: performance.getEntriesByType("navigation")[0].domInteractive,
        })"""
    )
    page.close()
    return Visit(seen["shown"], seen["painted"], seen["read"], tuple(server.sent))


def slow_down(context: BrowserContext, page: Page, line: float) -> None:
    """Has Chromium slow a page, and the workers it starts, to a line of so many Mbit/s."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    speed = line * 1e6 / 8
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": LATENCY[line], "downloadThroughput": speed,
         "uploadThroughput": speed},
    )  # fmt: skip


def measure_starts(playwright: Playwright, server: BenchServer, effort: Effort) -> dict[str, Any]:
    """First answers cold and on a second visit, and what they fetch."""
    found: dict[str, dict[str, list[Visit]]] = {
        name: {"cold": [], "second": []} for name in ("bare", "ours")
    }
    places = {"bare": "bare/", "ours": f"site/{first_question()}"}
    for number in range(effort.visits + 1):
        for name, path in places.items():
            with new_browser(playwright) as context:
                cold = visit(context, server, path)
                second = visit(context, server, path)
            # The first of all warms up the server and the machine.
            if number or effort.visits == 1:
                found[name]["cold"].append(cold)
                found[name]["second"].append(second)
            print(f"  {name:5} cold {cold.shown:6.0f} ms, again {second.shown:6.0f} ms", flush=True)
    ours = found["ours"]["cold"][-1]
    runtime = sum(size for path, size in ours.sent if "/pyodide/" in path)
    return {
        "milliseconds": {
            name: {kind: [round(v.shown) for v in visits] for kind, visits in kinds.items()}
            for name, kinds in found.items()
        },
        "bytes": {
            "bare": found["bare"]["cold"][-1].bytes,
            "ours": ours.bytes,
            "ours_engine": runtime,
            "ours_page": ours.bytes - runtime,
        },
    }


def measure_slow_lines(
    playwright: Playwright, server: BenchServer, effort: Effort
) -> dict[str, dict[str, Any]]:
    """The same on slow lines, and when the page was there, beside the page without any script of
    ours."""
    asking = f"site/{first_question()}"
    found = {}
    for line in SLOW_LINES:

        def once(name: str, path: str, *, answer: bool, line: float = line) -> Visit:
            with new_browser(playwright) as context:
                made = visit(context, server, path, line, answer=answer)
            print(f"  {line} Mbit/s {name:5} {made.shown or made.painted:8.0f} ms", flush=True)
            return made

        answers: dict[str, list[Visit]] = {"bare": [], "ours": []}
        pages: dict[str, list[Visit]] = {"plain": [], "ours": []}
        for _ in range(effort.slow_visits):
            answers["bare"].append(once("bare", "bare/", answer=True))
            answers["ours"].append(once("ours", asking, answer=True))
        # A page is painted in steps of a frame, so it takes more visits to tell two pages apart.
        for _ in range(effort.visits):
            pages["plain"].append(once("plain", f"plain/games/{GAME}/", answer=False))
            pages["ours"].append(once("ours", asking, answer=False))
        found[f"{line:g}"] = {
            "answer": {n: round(median(v.shown for v in runs)) for n, runs in answers.items()},
            "painted": {n: round(median(v.painted for v in runs)) for n, runs in pages.items()},
            "read": {n: round(median(v.read for v in runs)) for n, runs in pages.items()},
        }
    return found
