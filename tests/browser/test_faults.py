"""What can go wrong with the engine in the browser: each is said in words, and no card is lost."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.widgets import check_address, hand_check, shown_answer

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}
ANSWER = {"winner": 2, "points": 55}
SNAPSHOT = "**/assets/pyodide/engine.snapshot.zst"
WASM = "**/assets/pyodide/pyodide.asm.wasm"


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
def test_a_bad_snapshot_only_makes_the_start_slower(
    page: Page, site_url: str, fault: object
) -> None:
    page.route(SNAPSHOT, fault)  # type: ignore[arg-type]
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == ANSWER
    expect(hand_check(page)).to_have_attribute("data-state", "ready")


@pytest.mark.page_errors_expected
@pytest.mark.parametrize("fault", [altered, cut_short, missing, cut_off])
def test_without_its_core_the_engine_says_so_and_can_be_tried_again(
    page: Page, site_url: str, fault: object
) -> None:
    page.route(WASM, fault)  # type: ignore[arg-type]
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    widget = hand_check(page)
    expect(widget).to_have_attribute("data-state", "error")
    status = widget.locator(".engine-status")
    expect(status).to_contain_text("引擎没有启动成功")
    assert widget.locator(".chosen .card").count() == 4
    page.unroute_all()
    status.get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == ANSWER


@pytest.mark.page_errors_expected
def test_with_neither_snapshot_nor_library_it_says_so(page: Page, site_url: str) -> None:
    page.route(SNAPSHOT, missing)
    page.route("**/assets/pyodide/python_stdlib.zip", cut_short)
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    expect(hand_check(page)).to_have_attribute("data-state", "error")
    page.unroute_all()
    hand_check(page).get_by_role("button", name="再试一次").click()
    assert shown_answer(page) == ANSWER


def test_a_worker_killed_in_the_middle_of_a_call(page: Page, site_url: str) -> None:
    page.add_init_script("""
        window.workers = [];
        window.Worker = class extends Worker {
            constructor(...args) {
                super(...args);
                if (String(args[0]).includes("engine-worker")) window.workers.push(this);
            }
            postMessage(message) {
                if (!window.kill) return super.postMessage(message);
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
