"""The engine in the browser: the same answers as CPython's to the byte, and never in the way."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from engine import api
from engine.rulebook import rulebook, slugs
from engine.texts import LANGS
from macros import SITE
from tests.browser.widgets import (
    all_deals,
    ask_engine,
    check_address,
    game_address,
    hand_check,
    request,
    shown_answer,
)

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}


def test_every_example_gives_the_same_bytes_as_in_cpython(page: Page, site_url: str) -> None:
    asked = [
        request("ask", lang, slug=slug, name=example.check, question=example.question)
        for lang in LANGS
        for slug in slugs()
        for example in rulebook(slug).example
        if example.check
    ]
    page.goto(site_url)
    answers = ask_engine(page, site_url, asked)
    assert len(answers) > 2 * 10
    for question, answer in zip(asked, answers, strict=True):
        assert answer == api.dispatch(question), question


def test_every_example_deal_replays_to_the_same_bytes(page: Page, site_url: str) -> None:
    asked, expected = [], []
    for lang in LANGS:
        for slug, deal in all_deals():
            text = (SITE / f"assets/widgets/{slug}-{deal}.{lang}.json").read_text(encoding="utf-8")
            asked.append(request("replay", lang, record=json.loads(text)["record"]))
            expected.append(f'{{"ok":{text}}}')
    page.goto(site_url)
    for question, answer, known in zip(
        asked, ask_engine(page, site_url, asked), expected, strict=True
    ):
        assert answer == known == api.dispatch(question)


def test_the_same_seed_and_moves_give_the_same_deal(page: Page, site_url: str) -> None:
    records = []
    for slug in slugs():
        book = rulebook(slug)
        for rule_set in book.rule_set:
            players = book.game.players[1]
            dealt = api.deal(slug, players, f"{slug}/{rule_set}", rule_set)["record"]
            records.append(request("random_deal", record=dealt))
    page.goto(site_url)
    for question, answer in zip(records, ask_engine(page, site_url, records), strict=True):
        assert answer == api.dispatch(question)


STRANGE_TEXTS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "S7<b>", "'\"><svg/onload=1>",
    "javascript:alert(1)", "{{7*7}}", "__proto__", "constructor", "\u202eS7", "S\u0000 7", "♥️♥️♥️",
    "S7" * 900, "\ud83c\udca1", "Ｓ７７", "ß", "İ", "黑桃十三", "DWDW", "null", "S1", "大小王", "-1",
]  # fmt: skip


def _strange(rng: random.Random, depth: int = 0) -> Any:
    """A value that somebody might put into a link to see what happens."""
    roll = rng.random()
    if depth > 3 or roll < 0.4:
        return rng.choice([*STRANGE_TEXTS, -1, 10**30, 1.5, True, None, "", [], {}])
    if roll < 0.7:
        return [_strange(rng, depth + 1) for _ in range(rng.randrange(6))]
    names = ["cards", "hand", "trick", "trump", "rule_set", "options", "bids", *STRANGE_TEXTS]
    return {rng.choice(names): _strange(rng, depth + 1) for _ in range(rng.randrange(4))}


def test_hostile_links_are_refused_in_one_line(page: Page, site_url: str) -> None:
    rng = random.Random(4)
    asked = []
    for number in range(2200):
        slug = rng.choice(slugs())
        names = list(rulebook(slug).check)
        text: Any = json.dumps(_strange(rng))
        match number % 11:
            case 0:
                text = rng.choice(STRANGE_TEXTS)
            case 1:
                text = "[" * rng.randrange(500, 100_000)
            case 2:
                text = json.dumps({"cards": ["S7"] * rng.randrange(300, 3000)})
            case 3:
                text = text[: len(text) // 2] + rng.choice(STRANGE_TEXTS)
            case 4:
                slug = rng.choice(STRANGE_TEXTS)
            case 5:
                names = STRANGE_TEXTS
        asked.append(request("ask", slug=slug, name=rng.choice(names), question=text))
    page.goto(site_url)
    answers = [json.loads(answer) for answer in ask_engine(page, site_url, asked)]
    for question, answer in zip(asked, answers, strict=True):
        assert "refused" in answer, question[:500]
        line = answer["refused"]["text"]
        assert line, question[:500]
        assert len(line.splitlines()) == 1, question[:500]
        assert len(line) < 600, question[:500]


@pytest.mark.parametrize(
    ("check", "text"),
    [
        ("points", '{"cards": ["<img src=x onerror=document.title=1>"]}'),
        ("points", '{"cards": "<script>document.title=1</script>"}'),
        ("points", '{"<b>x</b>": 1}'),
        ("points", "[" * 5_000),
        ("points", '{"__proto__": {"cards": ["S7"]}, "constructor": 1}'),
        ("legal", '{"hand": {"0": "S7"}, "trick": [[[]]], "trump": ["H"]}'),
        ("auction", '{"dealer": 99, "bids": [[1], null, {"a": 1}]}'),
        ("<script>", "{}"),
        ("constructor", "{}"),
    ],
)
def test_a_hostile_link_is_only_ever_text(page: Page, site_url: str, check: str, text: str) -> None:
    page.goto(site_url + check_address("sibaifen", check, text))
    expect(hand_check(page).locator("output .refusal")).to_be_visible()
    title = page.title()
    assert title != "1"
    assert hand_check(page).locator("img, script, hand-check output b").count() == 0
    # The page is as good as ever.
    hand_check(page).get_by_role("button", name="重新填").click()
    hand_check(page).get_by_role("button", name="看结论").click()
    known = check if check in rulebook("sibaifen").check else "points"
    start = rulebook("sibaifen").check[known].question
    assert shown_answer(page) == api.check("sibaifen", known, start)["answer"]


def test_instant_navigation_keeps_one_engine(page: Page, site_url: str) -> None:
    engines: list[str] = []
    page.on("worker", lambda worker: engines.append(worker.url))
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    page.evaluate("window.samePage = true")
    other = next(slug for slug in slugs() if slug != "sibaifen")
    page.locator(f".md-nav a[href*='/{other}/'], .md-nav a[href*='{other}/']").first.click()
    expect(page.locator("h1")).to_have_text(rulebook(other).game.title)
    expect(hand_check(page).locator("form")).to_be_visible()
    assert page.evaluate("window.samePage"), "the navigation was not instant"
    hand_check(page).get_by_role("button", name="看结论").click()
    start = next(iter(rulebook(other).check.values())).question
    name = next(iter(rulebook(other).check))
    assert shown_answer(page) == api.check(other, name, start)["answer"]
    page.go_back()
    # Until the page is there, the one before shows its answer.
    expect(page.locator("h1")).to_have_text(rulebook("sibaifen").game.title)
    assert shown_answer(page) == {"winner": 2, "points": 55}
    page.go_forward()
    expect(page.locator("h1")).to_have_text(rulebook(other).game.title)
    expect(hand_check(page).locator("form")).to_be_visible()
    assert page.evaluate("window.samePage"), "going back was not instant"
    assert len([url for url in engines if "engine-worker" in url]) == 1


@pytest.mark.page_errors_expected
def test_a_failed_start_is_said_and_can_be_tried_again(page: Page, site_url: str) -> None:
    page.route("**/assets/pyodide/**", lambda route: route.abort())
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    widget = hand_check(page)
    expect(widget).to_have_attribute("data-state", "error")
    status = widget.locator(".engine-status")
    expect(status).to_contain_text("引擎没有启动成功")
    # The page is readable, and the cards are where they were.
    assert page.locator(".clause").first.is_visible()
    assert widget.locator(".chosen .card").count() == 4
    page.unroute_all()
    status.get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == {"winner": 2, "points": 55}
    expect(widget).to_have_attribute("data-state", "ready")
    expect(status).to_be_empty()


SLOW_ENGINE = """
postMessage({ state: "ready", way: "plain" });
addEventListener("message", ({ data: { id, request } }) => {
  while (request.includes('"S5"'));
  const rules = { rule_set: "standard", options: {} };
  const ok = { answer: { points: 1 }, said: [], reasons: [], ...rules };
  postMessage({ id, answer: JSON.stringify({ ok }) });
});
"""


def test_a_check_that_runs_too_long_is_stopped(page: Page, site_url: str) -> None:
    def slow(route: Route) -> None:
        route.fulfill(body=SLOW_ENGINE, content_type="text/javascript")

    page.route("**/assets/engine-worker.js", slow)
    page.goto(site_url + game_address("sibaifen"))
    page.evaluate(
        "async (module) => { (await import(module)).engine.answerLimit = 500; }",
        f"{site_url}assets/engine-client.js",
    )
    widget = hand_check(page)
    widget.get_by_role("button", name="黑桃5", exact=True).click()
    widget.get_by_role("button", name="看结论").click()
    status = widget.locator(".engine-status")
    expect(status).to_contain_text("算得太久")
    expect(status.get_by_role("button", name="再试一次")).to_be_visible()
    assert widget.locator(".chosen .card").count() == 4
    # The engine is there again for the next question.
    widget.locator(".chosen [data-card=S5]").click()
    widget.get_by_role("button", name="看结论").click()
    assert shown_answer(page) == {"points": 1}


@pytest.mark.page_errors_expected
def test_without_its_data_a_widget_stays_readable(page: Page, site_url: str) -> None:
    page.route("**/assets/widgets/**", lambda route: route.abort())
    page.goto(site_url + game_address("sibaifen"))
    expect(hand_check(page)).to_have_attribute("data-state", "error")
    expect(hand_check(page).locator(".check-list")).to_be_visible()
    player = page.locator("deal-player").first
    expect(player).to_have_attribute("data-state", "error")
    player.locator("summary").click()
    expect(player.locator("ol .step-text").first).to_be_visible()


def test_no_byte_of_python_before_a_widget_is_used(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(site_url + game_address("sibaifen"))
    player = page.locator("deal-player").first
    player.get_by_role("button", name="下一步").click()
    expect(player.locator(".step-count")).to_contain_text("第1步")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "pyodide" in url or "engine-worker" in url]


def test_own_scripts_and_data_of_a_page_are_small() -> None:
    """At most 60 kB gzipped before there is an engine, deals included (all games)."""
    import gzip

    def size(path: Path) -> int:
        return len(gzip.compress(path.read_bytes()))

    late = {"engine-worker.js", "engine-plain.js", "search-worker.js"}
    scripts = [f for f in (SITE / "assets").glob("*.js") if f.name not in late]
    assert scripts
    own = sum(map(size, scripts))
    for slug in slugs():
        for lang in LANGS:
            data = list((SITE / "assets/widgets").glob(f"{slug}*.{lang}.json"))
            assert data
            total = own + sum(map(size, data))
            assert total <= 60_000, f"{slug} {lang}: {total:,} bytes gzipped"
