"""Widgets for everybody: axe on them in use, targets for fingers, pages without a script, print."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.rulebook import rulebook, slugs
from engine.texts import LANGS, Lang
from macros import ROOT
from tests.browser.conftest import NewPage
from tests.browser.widgets import check_address, game_address, hand_check, shown_answer

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def faults(page: Page) -> list[str]:
    """What axe finds on the page, in short."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("axe.run()")["violations"]
    return [f"{v['id']}: {node['html'][:150]}" for v in found for node in v["nodes"]]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("lang", LANGS)
def test_axe_finds_nothing_in_widgets_in_use(
    new_page: NewPage, site_url: str, lang: Lang, dark: bool
) -> None:
    page = new_page(dark=dark, phone=dark)
    # A verdict, with every fold open.
    page.goto(site_url + check_address("bieqi", "legal", {
        "hand": ["S6", "H9"], "rows": {"S": [7, 8]}, "rule_set": "dead-joker"
    }, lang))  # fmt: skip
    expect(hand_check(page).locator("output[data-answer]")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert faults(page) == []
    # A refusal, and a deal of one's own under way.
    page.goto(site_url + check_address("sibaifen", "settle", {"contract": 1}, lang))
    expect(hand_check(page).locator("output[data-refused]")).to_be_visible()
    player = page.locator("deal-player").first
    player.scroll_into_view_if_needed()
    player.locator(".play-offer .button").first.click()
    expect(player.locator(".kinds")).to_be_visible()
    player.locator(".mine .hand-buttons .card").first.click()
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert faults(page) == []


SMALL_TARGETS = """() => [...document.querySelectorAll(
    "hand-check :is(button, select, summary, label.check-pick, input[type=text])," +
    "hand-check input[type=number]," +
    "deal-player :is(button, select, summary, input)")]
  .filter((e) => e.checkVisibility())
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
  .map(([e, box]) => `${e.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""


@pytest.mark.parametrize("slug", slugs())
def test_fingers_find_their_targets_on_a_phone(phone_page: Page, site_url: str, slug: str) -> None:
    phone_page.goto(site_url + game_address(slug))
    expect(phone_page.locator("deal-player .movers").first).to_be_visible()
    expect(hand_check(phone_page).locator("form")).to_be_visible()
    for radio in hand_check(phone_page).locator(".check-pick").all():
        radio.tap()
        assert phone_page.evaluate(SMALL_TARGETS) == []
        assert phone_page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("slug", slugs())
def test_everything_can_be_read_without_a_script(
    new_page: NewPage, site_url: str, slug: str, lang: Lang
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(site_url + game_address(slug, lang))
    book = rulebook(slug)
    expect(hand_check(page).locator(".check-list > div")).to_have_count(len(book.check))
    expect(hand_check(page).locator(".no-script")).to_be_visible()
    for deal in book.deal:
        player = page.locator(f"deal-player[deal={deal.id}]")
        expect(player.locator(".stage .card").first).to_be_visible()
        player.locator(".deal-steps summary").click()
        steps = player.locator(".deal-steps ol > li")
        expect(steps).to_have_count(len(deal.moves) + 1)
        expect(steps.last).to_be_visible()
    for example in book.example:
        shown = page.locator(f"#{slug}-example-{example.id}").first
        expect(shown.locator(".verdict")).to_be_visible()
        expect(shown.locator(".example-open")).to_be_hidden()


def test_hidden_names_of_suits_are_read_and_copied(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "points", {"cards": ["SK", "HQ"]}))
    shown_answer(page)
    said = hand_check(page).locator("output .reasons li").first
    assert "黑桃K" in " ".join((said.text_content() or "").split())
    assert "黑桃K" in "".join(said.inner_text().split())


def test_print_keeps_cards_and_leaves_out_what_is_pressed(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen"))
    expect(page.locator("deal-player .movers").first).to_be_visible()
    page.emulate_media(media="print")
    pip = page.locator(".example .card .pip").first
    expect(pip).to_be_visible()
    # A shape, not a background that printers drop.
    assert pip.evaluate("pip => getComputedStyle(pip).backgroundImage") == "none"
    expect(page.locator("deal-player .movers").first).to_be_hidden()
    expect(hand_check(page).locator("form")).to_be_hidden()


def test_suits_are_told_by_shape_and_colour_both(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen"))
    expect(hand_check(page).locator(".picker")).to_be_visible()
    shapes = page.evaluate("""() => ["SA", "HA", "DA", "CA"].map((code) => {
        const card = document.querySelector(`.picker [data-card=${code}]`);
        return [card.querySelector("path").getAttribute("d"), getComputedStyle(card).color];
    })""")
    assert len({shape for shape, _ in shapes}) == 4
    assert len({colour for _, colour in shapes}) == 2


def test_big_and_small_joker_differ(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("wushiyifen"))
    jokers = hand_check(page).locator(".picker [data-card=DW], .picker [data-card=XW]")
    expect(jokers).to_have_count(2)
    texts, shapes = zip(*jokers.evaluate_all(
        "js => js.map((j) => [j.textContent, j.querySelector('path').getAttribute('d')])"
    ), strict=True)  # fmt: skip
    assert set(texts) == {"大王", "小王"}
    assert len(set(shapes)) == 2
