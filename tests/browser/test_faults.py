"""What can go wrong with the engine in the browser: each is said in words, and no card is lost."""

import base64
import hashlib
import json

import pytest
from playwright.sync_api import Page, Route, expect

from macros import RUNTIME
from macros.lean import functions, lean
from macros.snapshot import ENGINE_MANIFEST, ENGINE_WASM, EXPORTS, QUICK, WASM, packed
from tests.browser.widgets import check_address, engine_way, hand_check, shown_answer

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}
ANSWER = {"winner": 2, "points": 55}
SNAPSHOT = "**/assets/pyodide/engine.snapshot.zst"
LEAN = "**/assets/pyodide/engine.wasm.zst"
CORE = "**/assets/pyodide/pyodide.asm.*"
LIBRARY = "**/assets/pyodide/python_stdlib.zip"
WORKER = "**/assets/engine-worker.js"


def altered(route: Route) -> None:
    """The same file with one byte changed in its middle."""
    answer = route.fetch()
    body = bytearray(answer.body())
    body[len(body) // 2] ^= 0xFF
    route.fulfill(response=answer, body=bytes(body))


def cut_short(route: Route) -> None:
    """The first half of the file."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.body()[: len(answer.body()) // 2])


def missing(route: Route) -> None:
    route.fulfill(status=404, body="")


def cut_off(route: Route) -> None:
    route.abort("connectionreset")


@pytest.mark.page_errors_expected
@pytest.mark.parametrize("fault", [altered, cut_short, missing, cut_off])
@pytest.mark.parametrize("file", [SNAPSHOT, LEAN])
def test_a_bad_snapshot_only_makes_the_start_slower(
    page: Page, site_url: str, file: str, fault: object
) -> None:
    page.route(file, fault)  # type: ignore[arg-type]
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == ANSWER
    expect(hand_check(page)).to_have_attribute("data-state", "ready")
    assert engine_way(page, site_url) == "plain"


@pytest.mark.page_errors_expected
@pytest.mark.parametrize("fault", [altered, cut_short, missing, cut_off])
@pytest.mark.parametrize("file", [CORE, LIBRARY])
def test_when_neither_way_leads_to_an_engine_it_says_so_and_can_be_tried_again(
    page: Page, site_url: str, file: str, fault: object
) -> None:
    page.route(SNAPSHOT, missing)
    page.route(file, fault)  # type: ignore[arg-type]
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    widget = hand_check(page)
    expect(widget).to_have_attribute("data-state", "error")
    status = widget.locator(".engine-status")
    expect(status).to_contain_text("引擎没有启动成功")
    assert widget.locator(".chosen .card").count() == 4
    page.unroute_all()
    status.get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == ANSWER
    assert engine_way(page, site_url) == "snapshot"


def _leaving_out_all_but(page: Page, count: int) -> None:
    """Have the site give an engine in which only the first so many functions are."""
    wasm = (RUNTIME / WASM).read_bytes()
    called = bytes(number < count for number in range(functions(wasm)))
    other = packed(lean(wasm, EXPORTS, called), QUICK)
    known = json.loads((RUNTIME / ENGINE_MANIFEST).read_text(encoding="utf-8"))["files"][
        ENGINE_WASM
    ]
    digest = "sha256-" + base64.b64encode(hashlib.sha256(other).digest()).decode()

    def worker(route: Route) -> None:
        text = route.fetch().text()
        assert known in text
        route.fulfill(body=text.replace(known, digest), content_type="text/javascript")

    page.route(WORKER, worker)
    page.route(LEAN, lambda route: route.fulfill(body=other))


@pytest.mark.page_errors_expected
def test_a_question_that_needs_what_the_build_left_out_is_answered_all_the_same(
    page: Page, site_url: str
) -> None:
    started: list[str] = []
    page.on("console", lambda message: started.append(message.text))
    _leaving_out_all_but(page, 1000)
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == ANSWER
    assert engine_way(page, site_url) == "plain"
    assert [text for text in started if "unreachable" in text], "the engine was not started first"
    # And from now on all of it is there.
    hand_check(page).get_by_role("button", name="重新填").click()
    hand_check(page).get_by_role("button", name="看结论").click()
    assert shown_answer(page) == ANSWER


@pytest.mark.page_errors_expected
def test_and_where_all_of_python_cannot_be_had_it_says_so(page: Page, site_url: str) -> None:
    _leaving_out_all_but(page, 1000)
    page.route(LIBRARY, missing)
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    widget = hand_check(page)
    expect(widget.locator(".engine-status")).to_contain_text("再试一次")
    assert widget.locator(".chosen .card").count() == 4
    page.unroute_all()
    # Another widget may start the engine meanwhile: what was asked here has still not been answered.
    page.evaluate(
        "async (module) => (await import(module)).engine.start()",
        f"{site_url}assets/engine-client.js",
    )
    expect(widget).to_have_attribute("data-state", "ready")
    widget.locator(".engine-status").get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == ANSWER
    expect(widget.locator(".engine-status")).to_be_empty()


def test_a_worker_killed_in_the_middle_of_a_call(page: Page, site_url: str) -> None:
    page.add_init_script("""
        window.workers = [];
        window.Worker = class extends Worker {
            constructor(...args) {
                super(...args);
                if (String(args[0]).includes("engine-worker")) window.workers.push(this);
            }
            postMessage(message) {
                // A deal on the page may be asking, too.
                if (!window.kill || !message.request?.includes('"trick"')) {
                    return super.postMessage(message);
                }
                window.kill = false;
                this.terminate();
            }
        };
    """)
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == ANSWER
    page.evaluate(
        "async (module) => { (await import(module)).engine.answerLimit = 1000; window.kill = true; }",
        f"{site_url}assets/engine-client.js",
    )
    widget = hand_check(page)
    widget.get_by_role("button", name="看结论").click()
    status = widget.locator(".engine-status")
    expect(status.get_by_role("button", name="再试一次")).to_be_visible()
    assert widget.locator(".chosen .card").count() == 4
    page.evaluate(
        "async (module) => { (await import(module)).engine.answerLimit = 15000; }",
        f"{site_url}assets/engine-client.js",
    )
    status.get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == ANSWER
    assert page.evaluate("window.workers.length") == 2


def test_a_page_without_workers_says_so(page: Page, site_url: str) -> None:
    page.add_init_script("window.Worker = class { constructor() { throw new Error('no'); } };")
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    widget = hand_check(page)
    expect(widget).to_have_attribute("data-state", "error")
    expect(widget.locator(".engine-status")).to_contain_text("引擎没有启动成功")


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("{ saveData: false, effectiveType: '4g' }", True),
        ("undefined", True),
        ("{ saveData: true, effectiveType: '4g' }", False),
        ("{ saveData: false, effectiveType: '3g' }", False),
    ],
)
def test_the_engine_starts_early_unless_bytes_count(
    page: Page, site_url: str, line: str, starts: bool
) -> None:
    page.add_init_script(
        f"Object.defineProperty(Navigator.prototype, 'connection', {{ get: () => ({line}) }});"
    )
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(f"{site_url}games/sibaifen/")
    widget = hand_check(page)
    expect(widget.locator("form")).to_be_visible()
    assert not [url for url in asked if "pyodide" in url]
    widget.scroll_into_view_if_needed()
    if starts:
        expect(widget).to_have_attribute("data-state", "ready")
    else:
        page.wait_for_timeout(1500)
        expect(widget).to_have_attribute("data-state", "static")
        assert not [url for url in asked if "pyodide" in url]
        widget.get_by_role("button", name="看结论").click()
        assert shown_answer(page) == {"points": 70}
