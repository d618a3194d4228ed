"""Links to a place on the page that is open: the browser goes there at once, and nothing is lost."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

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
