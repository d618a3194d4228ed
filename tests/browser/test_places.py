"""Places on a page: links lead there at once and lose nothing; widgets that wake leave them in place."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.test_pages import find
from tests.browser.widgets import (
    asked_in_address,
    check_address,
    game_address,
    hand_check,
    shown_answer,
)

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}
CLAUSE = "sibaifen-08"
WIDGETS = "**/assets/widgets/*.json"


def watch_pages(page: Page) -> list[str]:
    """The addresses of pages that are fetched from now on, by the browser or by instant navigation."""
    fetched: list[str] = []

    def sent(request: Request) -> None:
        if re.search(r"/(\?.*)?$", request.url):
            fetched.append(request.url)

    page.on("request", sent)
    return fetched


def mark(page: Page) -> None:
    """Mark the hand checker as it is now in the page."""
    hand_check(page).evaluate("widget => { widget.mark = true; }")


def is_marked(page: Page) -> bool:
    """Whether the page still has the very hand checker that was marked."""
    marked: bool = hand_check(page).evaluate("widget => widget.mark === true")
    return marked


def follow(page: Page, place: str) -> None:
    """Follow the table of contents to a place."""
    page.locator(f".md-sidebar--secondary a[href$='#{place}']").first.click()
    assert page.url.endswith(f"#{place}")
    expect(page.locator(f"#{place}")).to_be_in_viewport()


def late(page: Page) -> None:
    """Have widgets wake late."""

    def go_on(route: Route) -> None:
        time.sleep(1)
        route.continue_()

    page.route(WIDGETS, go_on)


def hold(page: Page, files: str) -> Callable[[], None]:
    """Hold files back until the function that is given back is called."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(files, keep)

    def let_go() -> None:
        page.route(files, lambda route: route.continue_())
        for route in held:
            route.continue_()

    return let_go


def as_apples(page: Page) -> None:
    """Have the browser not keep the place by itself, as Apple's do not."""
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
            document.documentElement.style.overflowAnchor = "none";
            document.body.style.overflowAnchor = "none";
        });"""
    )


def top(page: Page, part: str) -> float:
    """How far a part of the page stands below the top of the screen, in pixels, when all is awake."""
    expect(page.locator("deal-player:not([role])")).to_have_count(0)
    expect(hand_check(page).locator("form")).to_be_attached()
    page.wait_for_timeout(300)
    distance: float = page.locator(part).evaluate("part => part.getBoundingClientRect().top")
    return distance


def places(page: Page) -> list[str]:
    """The places in the table of contents, from the top of the page down."""
    links = page.locator(".md-sidebar--secondary a[href*='#']")
    found: list[str] = links.evaluate_all(
        "links => links.map((link) => decodeURIComponent(link.hash.slice(1)))"
    )
    return found


@pytest.mark.parametrize("settled", [True, False])
def test_a_clause_named_in_a_verdict_is_reached_without_fetching_the_page(
    page: Page, site_url: str, settled: bool
) -> None:
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    if settled:
        page.wait_for_load_state("networkidle")
    mark(page)
    fetched = watch_pages(page)
    hand_check(page).locator("output").get_by_role("link", name="第8条").click()
    assert page.url.endswith(f"#{CLAUSE}")
    expect(page.locator(f"#{CLAUSE}")).to_be_in_viewport()
    # Instant navigation remembers the place a moment after scrolling.
    page.wait_for_timeout(300)
    page.go_back()
    expect(hand_check(page).locator("output")).to_be_in_viewport()
    page.go_forward()
    expect(page.locator(f"#{CLAUSE}")).to_be_in_viewport()
    assert is_marked(page)
    assert fetched == []


def test_the_contents_leave_the_question_that_is_being_asked(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    page.wait_for_load_state("networkidle")
    widget = hand_check(page)
    cards = widget.locator(".field-cards .chosen .card")
    cards.first.click()
    expect(cards).to_have_count(3)
    mark(page)
    fetched = watch_pages(page)
    middle, place = places(page)[2], places(page)[-1]
    follow(page, place)
    # The address follows what is picked a moment later, and may do so at the new place.
    page.wait_for_timeout(1000)
    assert asked_in_address(page)["cards"] == TRICK["cards"][1:]
    page.evaluate("scrollTo(0, 0)")
    follow(page, place)
    cards.first.click()
    page.wait_for_timeout(1000)
    follow(page, middle)
    page.go_back()
    expect(cards).to_have_count(2)
    assert asked_in_address(page)["cards"] == TRICK["cards"][2:]
    assert is_marked(page)
    assert fetched == []


def test_the_contents_leave_house_rules(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("wushik"))
    page.wait_for_load_state("networkidle")
    choice = page.locator("rule-page input[type=radio]:not(:checked)").first
    name, value = choice.get_attribute("name"), choice.get_attribute("value")
    choice.check()
    follow(page, places(page)[-1])
    assert page.locator(f"input[name={name}][value='{value}']").is_checked()
    assert f"{name}%3A{value}" in page.url


def test_places_and_pages_are_gone_through_backwards(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen"))
    page.wait_for_load_state("networkidle")
    page.evaluate("window.sameDocument = true")
    first = places(page)[-1]
    follow(page, first)
    page.wait_for_timeout(300)
    page.locator(".md-nav--primary a[href*='wushik/']").first.click()
    expect(page.locator("h1")).to_have_text("五十K")
    second = places(page)[-1]
    expect(hand_check(page).locator("form")).to_be_attached()
    mark(page)
    fetched = watch_pages(page)
    follow(page, second)
    page.wait_for_timeout(300)
    page.go_back()
    expect(page.locator("h1")).to_be_in_viewport()
    page.go_forward()
    expect(page.locator(f"#{second}")).to_be_in_viewport()
    assert is_marked(page)
    assert fetched == []
    page.go_back()
    page.go_back()
    expect(page.locator("h1")).to_have_text("四百分")
    expect(page.locator(f"#{first}")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("h1")).to_be_in_viewport()
    assert page.evaluate("window.sameDocument"), "the navigation was not instant"


def test_going_back_leads_to_where_the_link_was_followed(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("wushik"))
    page.wait_for_load_state("networkidle")
    # From the second page on the browser leaves it to Material to find the place again.
    page.locator(".md-nav--primary a[href*='sibaifen/']").first.click()
    expect(page.locator("h1")).to_have_text("四百分")
    top(page, "h1")
    place = places(page)[-1]
    page.evaluate(
        """([here, place]) => {
            document.getElementById(here).scrollIntoView();
            document.querySelector(`.md-sidebar--secondary a[href$="#${place}"]`).click();
        }""",
        [CLAUSE, place],
    )
    expect(page.locator(f"#{place}")).to_be_in_viewport()
    expect(page.locator(f"#{CLAUSE}")).not_to_be_in_viewport()
    page.go_back()
    expect(page.locator(f"#{CLAUSE}")).to_be_in_viewport()


def test_a_place_noted_late_leads_nobody_astray(page: Page, site_url: str) -> None:
    # Instant navigation notes the place a moment after scrolling: that may come between going back
    # and the word of it.
    page.add_init_script(
        """addEventListener("hashchange", () => {
            if (window.late) history.replaceState({x: 0, y: 500}, "");
        });"""
    )
    page.goto(site_url + game_address("sibaifen"))
    page.wait_for_load_state("networkidle")
    top(page, "h1")
    place = places(page)[-1]
    follow(page, place)
    page.wait_for_timeout(300)
    page.evaluate("window.late = true")
    page.go_back()
    expect(page.locator("h1")).to_be_in_viewport()
    page.wait_for_timeout(300)
    page.go_forward()
    expect(page.locator(f"#{place}")).to_be_in_viewport()


def test_another_page_opens_at_its_own_place_right_after_scrolling(
    page: Page, site_url: str
) -> None:
    def go_at_once(clause: str, slug: str, way: str) -> Callable[[], None]:
        """Scroll, set out for another page and be kept waiting: gives the function that lets it come."""
        let_go = hold(page, f"**/games/{slug}/")
        page.evaluate(
            f"""() => {{
                document.getElementById("{clause}").scrollIntoView();
                setTimeout(() => {way}, 50);
            }}"""
        )
        # Instant navigation notes the place a moment after scrolling: here before the next page comes.
        page.wait_for_timeout(300)
        return let_go

    page.goto(site_url + game_address("sibaifen"))
    page.wait_for_load_state("networkidle")
    link = "document.querySelector(\".md-nav--primary a[href*='wushik/']\")"
    let_come = go_at_once(CLAUSE, "wushik", f"{link}.click()")
    let_come()
    expect(page.locator("h1")).to_have_text("五十K")
    top(page, "h1")
    expect(page.locator("h1")).to_be_in_viewport()
    place = places(page)[-1]
    follow(page, place)
    page.wait_for_timeout(300)
    page.locator(".md-nav--primary a[href*='sibaifen/']").first.click()
    expect(page.locator("h1")).to_have_text("四百分")
    top(page, "h1")
    let_come = go_at_once(CLAUSE, "wushik", "history.back()")
    let_come()
    expect(page.locator("h1")).to_have_text("五十K")
    top(page, "h1")
    expect(page.locator(f"#{place}")).to_be_in_viewport()


def test_a_find_on_the_page_itself_is_reached_and_marked(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen"))
    assert find(page, "扣出去")
    link = page.locator('.md-search-result__link[href*="games/sibaifen/"][href*="#sibaifen-0"]')
    link.first.click()
    expect(page.locator(".clause mark").first).to_have_text("扣出去")
    expect(page.locator(".clause mark").first).to_be_in_viewport()


def test_a_phones_drawer_shuts_each_time(new_page: NewPage, site_url: str) -> None:
    page = new_page(phone=True)
    page.goto(site_url + game_address("sibaifen"))
    page.wait_for_load_state("networkidle")
    place = page.locator(".md-nav--primary .md-nav--secondary a[href*='#']").last
    for _ in range(2):
        page.evaluate("scrollTo(0, 0)")
        page.locator("label.md-header__button[for=__drawer]").click()
        # The drawer opens as it was left: at the games, or at the contents of this page.
        if not page.locator("#__toc").is_checked():
            page.locator("label.md-nav__link[for=__toc]").click()
        place.click()
        expect(page.locator("#__drawer")).not_to_be_checked()
        named = place.evaluate("link => decodeURIComponent(link.hash.slice(1))")
        expect(page.locator(f"#{named}")).to_be_in_viewport()


@pytest.mark.parametrize("phone", [False, True])
def test_a_named_clause_stays_in_place_while_widgets_wake(
    new_page: NewPage, site_url: str, phone: bool
) -> None:
    page = new_page(phone=phone)
    as_apples(page)
    wake = hold(page, WIDGETS)
    page.goto(f"{site_url}{game_address('sibaifen')}#{CLAUSE}")
    length = page.evaluate("document.body.scrollHeight")
    wake()
    assert 0 < top(page, f"#{CLAUSE}") < 120
    assert page.evaluate("document.body.scrollHeight") > length + 300
    # A reader who moves on is not called back.
    page.mouse.wheel(0, 900)
    page.wait_for_timeout(300)
    page.evaluate("document.querySelector('.md-footer').style.height = '2000px'")
    page.wait_for_timeout(300)
    assert page.locator(f"#{CLAUSE}").evaluate("part => part.getBoundingClientRect().top") < -600


@pytest.mark.parametrize("phone", [False, True])
def test_a_shared_question_comes_into_view_while_widgets_wake(
    new_page: NewPage, site_url: str, phone: bool
) -> None:
    page = new_page(phone=phone)
    as_apples(page)
    late(page)
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    assert 0 <= top(page, "hand-check") < 120


def test_going_back_to_a_page_finds_the_place_again(page: Page, site_url: str) -> None:
    as_apples(page)
    late(page)
    page.goto(site_url + game_address("sibaifen"))
    top(page, "h1")
    page.evaluate("document.getElementById('sibaifen-09').scrollIntoView()")
    before = top(page, "#sibaifen-09")
    page.locator(".md-nav--primary a[href*='wushik/']").first.click()
    expect(page.locator("h1")).to_have_text("五十K")
    assert abs(top(page, "h1")) < 300
    page.go_back()
    expect(page.locator("h1")).to_have_text("四百分")
    assert abs(top(page, "#sibaifen-09") - before) < 5
    page.reload()
    assert abs(top(page, "#sibaifen-09") - before) < 5


def test_an_address_that_names_nonsense_breaks_nothing(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}{check_address('sibaifen', 'trick', TRICK)}#%E0%A4%A")
    assert shown_answer(page) == {"winner": 2, "points": 55}
    page.locator("[data-script-switch]").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
