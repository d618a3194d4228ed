"""The engine in the browser at work: answers and games a second, how long a reader waits for an answer,
and whether the page is ever held up."""

from statistics import quantiles
from typing import Any

from playwright.sync_api import Page, Playwright

from engine import api
from engine.rulebook import rulebook, slugs
from macros.bench import Effort
from macros.bench.games import DEALS_OF_A_MATCH, rule_sets
from macros.bench.hands import questions, request
from macros.bench.server import BenchServer
from macros.bench.starts import ANSWER, asking_link, new_browser, new_tab

SLOWEST = "gonglei best"
"""The one check that has a limit of its own."""
PATIENCE = 120_000
KEEP_ASKING = """async ([module, texts, milliseconds]) => {
    const { engine } = await import(module);
    await engine.askText(texts[0]);
    const start = performance.now();
    let asked = 0;
    let spent = 0;
    do {
        const answer = await engine.askText(texts[asked % texts.length]);
        if (!answer.startsWith('{"ok"')) throw new Error(answer);
        asked += 1;
        spent = performance.now() - start;
    } while (spent < milliseconds);
    if (engine.way !== "snapshot") throw new Error("the engine lacks what a question needed");
    return (1000 * asked) / spent;
}"""
TIME_EACH = """async ([module, texts, turns]) => {
    const { engine } = await import(module);
    const found = [];
    for (let turn = 0; turn <= turns; turn++) {
        for (const text of texts) {
            const start = performance.now();
            await engine.askText(text);
            // The first of each kind may have something to work out once.
            if (turn || text !== texts[0]) found.push(performance.now() - start);
        }
    }
    return found;
}"""
TURNS = 3


def measure_engine(playwright: Playwright, server: BenchServer, effort: Effort) -> dict[str, Any]:
    """Answers and games a second of every rule set, and the 95th percentile of each check's time."""
    module = f"{server.url}site/assets/engine-client.js"
    asked: dict[str, float] = {}
    played: dict[str, float] = {}
    waits: dict[str, list[float]] = {}
    with new_browser(playwright) as context:
        page = new_tab(context)
        page.set_default_timeout(PATIENCE)
        page.goto(f"{server.url}site/")
        for slug, name in rule_sets():
            book = rulebook(slug)
            found = questions((slug, name))
            milliseconds = 1000 * effort.seconds
            texts = [request(slug, *question) for question in found]
            asked[f"{slug} {name}"] = page.evaluate(KEEP_ASKING, [module, texts, milliseconds])
            least, most = book.game.players
            games = [
                api.to_json({
                    "op": "random_deal",
                    "args": {"record": {
                        "game": slug,
                        "rule_set": name,
                        "players": least + number // DEALS_OF_A_MATCH % (most - least + 1),
                        "seed": f"bench/{number}",
                    }},
                })
                for number in range(400)
            ]  # fmt: skip
            played[f"{slug} {name}"] = page.evaluate(KEEP_ASKING, [module, games, milliseconds])
            for check in dict.fromkeys(check for check, _ in found):
                alike = [t for t, (c, _) in zip(texts, found, strict=True) if c == check]
                times = page.evaluate(TIME_EACH, [module, alike, TURNS])
                waits.setdefault(f"{slug} {check}", []).extend(times)
    return {
        "checks_per_second": asked,
        "games_per_second": played,
        "wait_95": {name: quantiles(times, n=20)[-1] for name, times in waits.items()},
    }


def measure_hold_ups(playwright: Playwright, server: BenchServer) -> dict[str, Any]:
    """The longest task of the page's thread, in milliseconds, while each game's page loads with a link
    that asks, while its first deal is stepped through, and while another question is asked: in all, and
    the longest run of a script of ours."""
    tasks: dict[str, float] = {}
    scripts: dict[str, float] = {}
    for slug in slugs():
        with new_browser(playwright) as context:
            page = new_tab(context)
            page.set_default_timeout(PATIENCE)
            example = next(e for e in rulebook(slug).example if e.check)
            page.goto(f"{server.url}site/{asking_link(slug, example)}")
            page.wait_for_selector(ANSWER)
            step_through(page)
            page.locator("hand-check form button[type=submit]").click()
            page.wait_for_selector(ANSWER)
            page.wait_for_timeout(200)
            seen = page.evaluate("() => bench")
            # A timer's script has no address; it counts as ours.
            ours = [ms for url, ms in seen["scripts"] if "/javascripts/" not in url]
            tasks[slug] = round(max(seen["tasks"], default=0))
            scripts[slug] = round(max(ours, default=0))
    return {"longest_task": tasks, "longest_own_script": scripts}


def step_through(page: Page) -> None:
    """Plays the page's first deal forward for a few steps, or to its end."""
    forward = page.locator("deal-player").first.get_by_role("button", name="下一步")
    for _ in range(5):
        if forward.get_attribute("aria-disabled") == "true":
            break
        forward.click()
