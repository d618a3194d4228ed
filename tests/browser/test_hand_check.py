"""The hand checker: every example opens in it, and its form takes what fingers and keyboards do."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from engine import api
from engine.rulebook import rulebook, slugs
from engine.texts import Lang
from tests.browser.conftest import NewPage
from tests.browser.widgets import (
    asked_in_address,
    check_address,
    game_address,
    hand_check,
    shown_answer,
    shown_refusal,
)

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}


def pick(page: Page, name: str) -> Locator:
    """A card of the open grid, by its name."""
    return hand_check(page).locator(".picker").get_by_role("button", name=name, exact=True)


def open_grid(page: Page) -> None:
    """Open the grid of the first field that takes cards."""
    hand_check(page).get_by_role("button", name="选牌").first.click()


def chosen(page: Page) -> list[str]:
    """The cards chosen in the first field."""
    cards = hand_check(page).locator(".field-cards").first.locator(".chosen .card")
    found: list[str] = cards.evaluate_all("cards => cards.map((card) => card.dataset.card)")
    return found


def open_points(page: Page, site_url: str, cards: str = "") -> None:
    """四百分's simplest question, with these cards and no answer yet."""
    page.goto(site_url + game_address("sibaifen"))
    expect(hand_check(page).locator("form")).to_be_visible()
    hand_check(page).get_by_role("button", name="全部拿掉").click()
    for name in cards.split():
        pick(page, name).click()


def ask(page: Page) -> None:
    hand_check(page).get_by_role("button", name=re.compile("看结论|看結論")).click()


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("slug", slugs())
def test_every_example_opens_filled_in(page: Page, site_url: str, slug: str, lang: Lang) -> None:
    page.goto(site_url + game_address(slug, lang))
    expect(hand_check(page).locator("form")).to_be_visible()
    page.evaluate("window.samePage = true")
    examples = [e for e in rulebook(slug).example if e.check]
    if lang == "zh-Hant":
        examples = examples[:5]
    for example in examples:
        link = page.locator(f"#{slug}-example-{example.id} .example-open a").first
        link.evaluate("link => link.click()")
        expected = api.ask(slug, example.check, example.question, lang)
        assert shown_answer(page) == expected["answer"], example.id
        for reason in expected["reasons"]:
            link = hand_check(page).locator(f"output a[href$='#{reason['clause']}']").first
            expect(link).to_be_visible()
        # The form now holds the question: asked again, it gives the same answer.
        hand_check(page).locator("form").evaluate("form => form.requestSubmit()")
        expect(hand_check(page).locator("output .asking")).to_have_count(0)
        assert shown_answer(page) == expected["answer"], example.id
        held = asked_in_address(page)
        again = api.check(slug, example.check, held)
        assert again["answer"] == expected["answer"], example.id
        assert again["rule_set"] == expected["rule_set"], example.id
        assert again["options"] == expected["options"], example.id
    assert page.evaluate("window.samePage"), "an example left the page"


def test_a_link_shows_its_verdict_in_words(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    output = hand_check(page).locator("output")
    expect(output).to_contain_text("第三张赢")
    output.get_by_role("link", name="第8条").click()
    assert page.url.endswith("#sibaifen-08")
    expect(page.locator("#sibaifen-08")).to_be_in_viewport()


def test_the_traditional_page_answers_in_traditional_script(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "trick", TRICK, "zh-Hant"))
    shown_answer(page)
    output = hand_check(page).locator("output")
    expect(output).to_contain_text("第三張贏")
    expect(output).to_contain_text("將牌")


def test_changing_the_form_takes_the_old_verdict_away(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "points", {"cards": ["SK"]}))
    assert shown_answer(page) == {"points": 25}
    open_grid(page)
    pick(page, "红心Q").click()
    expect(hand_check(page).locator("output")).to_be_empty()
    assert hand_check(page).locator("output[data-answer]").count() == 0
    ask(page)
    assert shown_answer(page) == {"points": 45}


# Fingers


def test_a_tap_takes_and_gives_back(phone_page: Page, site_url: str) -> None:
    open_points(phone_page, site_url)
    pick(phone_page, "黑桃K").tap()
    assert chosen(phone_page) == ["SK"]
    expect(pick(phone_page, "黑桃K")).to_have_attribute("aria-pressed", "true")
    phone_page.wait_for_timeout(400)
    pick(phone_page, "黑桃K").tap()
    assert chosen(phone_page) == []
    pick(phone_page, "红心10").tap()
    ask(phone_page)
    assert shown_answer(phone_page) == {"points": 10}


def test_a_double_tap_counts_once(phone_page: Page, site_url: str) -> None:
    open_points(phone_page, site_url)
    box = pick(phone_page, "黑桃K").bounding_box()
    assert box
    x, y = box["x"] + 10, box["y"] + 10
    phone_page.touchscreen.tap(x, y)
    phone_page.touchscreen.tap(x, y)
    expect(hand_check(phone_page).locator(".chosen .card")).to_have_count(1)
    assert chosen(phone_page) == ["SK"]


def resting_place(page: Page) -> float:
    """How far the page is scrolled, in pixels, once it has not moved for half a second."""
    place: float = page.evaluate(
        """async () => {
            for (let [last, still] = [scrollY, 0]; still < 5; ) {
                await new Promise((go) => setTimeout(go, 100));
                [last, still] = [scrollY, scrollY === last ? still + 1 : 0];
            }
            return scrollY;
        }"""
    )
    return place


def test_scrolling_over_cards_chooses_none(phone_page: Page, site_url: str) -> None:
    open_points(phone_page, site_url)
    pick(phone_page, "红心8").scroll_into_view_if_needed()
    before = resting_place(phone_page)
    box = pick(phone_page, "红心8").bounding_box()
    assert box
    x, y = box["x"] + 20, box["y"] + 20
    touch = phone_page.context.new_cdp_session(phone_page)
    for kind, points in [
        ("touchStart", [{"x": x, "y": y}]),
        *(("touchMove", [{"x": x, "y": y - 15 * i}]) for i in range(1, 15)),
        ("touchEnd", []),
    ]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert resting_place(phone_page) > before + 50
    assert chosen(phone_page) == []


def test_two_packs_hold_two_of_each_card(page: Page, site_url: str) -> None:
    address = check_address("wushik", "classify", {"rule_set": "two-packs", "cards": []})
    page.goto(site_url + address)
    shown_refusal(page)
    for copies in (1, 2):
        hand_check(page).locator(".picker [data-card=S5]").click()
        assert chosen(page) == ["S5"] * copies
        page.wait_for_timeout(400)
    card = hand_check(page).locator(".picker [data-card=S5]")
    expect(card).to_have_attribute("aria-label", "黑桃5，已选2张")
    card.click()
    assert chosen(page) == []


# Keyboards


def test_the_whole_question_can_be_put_by_keyboard(page: Page, site_url: str) -> None:
    open_points(page, site_url)
    hand_check(page).get_by_role("radio", name="数一数分").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.picker') !== null"):
            break
    first = page.evaluate("document.activeElement.dataset.card")
    assert first == "SA"
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert chosen(page) == ["SA", "SK", "HK"]
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    assert chosen(page) == ["SK", "HK", "C2"]
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "submit":
            break
    page.keyboard.press("Enter")
    assert shown_answer(page) == {"points": 75}


def test_chosen_cards_are_taken_out_one_by_one(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K 红心Q 方块2")
    hand_check(page).get_by_role("button", name="拿掉红心Q").focus()
    page.keyboard.press("Enter")
    assert chosen(page) == ["SK", "D2"]
    assert page.evaluate("document.activeElement.closest('.chosen') !== null"), "focus was lost"


@pytest.mark.parametrize(
    "text",
    ["♥️7 ♠️K", "红心7，黑桃K", "紅桃７ 黑K", "h7sk", "♥7♠K", "红桃7、黑桃K", "Ｈ７ ＳＫ"],
)
def test_cards_can_be_typed_as_people_write_them(page: Page, site_url: str, text: str) -> None:
    open_points(page, site_url)
    field = hand_check(page).locator(".field-cards input")
    field.fill(text)
    field.press("Enter")
    expect(hand_check(page).locator(".chosen .card")).to_have_count(2)
    assert chosen(page) == ["H7", "SK"]
    expect(field).to_have_value("")


def test_what_cannot_be_read_stays_with_the_reason(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K")
    field = hand_check(page).locator(".field-cards input")
    field.fill("黑桃十三")
    field.press("Enter")
    expect(hand_check(page).locator(".field-fault")).to_contain_text("黑桃十三")
    expect(field).to_have_value("黑桃十三")
    assert chosen(page) == ["SK"]
    ask(page)
    assert "黑桃十三" in shown_refusal(page)


def test_typed_cards_go_with_the_question(page: Page, site_url: str) -> None:
    """The button is pressed while the text still stands in the field."""
    open_points(page, site_url, "黑桃K")
    hand_check(page).locator(".field-cards input").fill("红心10")
    ask(page)
    assert shown_answer(page) == {"points": 35}
    assert chosen(page) == ["SK", "H10"]


def test_enter_that_ends_a_composed_word_asks_nothing(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K")
    field = hand_check(page).locator(".field-cards input")
    field.focus()
    page.evaluate("""() => {
        window.keys = [];
        addEventListener("keydown", (e) => window.keys.push([e.key, e.isComposing]), true);
    }""")
    session = page.context.new_cdp_session(page)
    composed = {"text": "红心", "selectionStart": 2, "selectionEnd": 2}
    session.send("Input.imeSetComposition", composed)
    page.keyboard.press("Enter")
    assert ["Enter", True] in page.evaluate("window.keys"), "this browser was not composing"
    page.wait_for_timeout(500)
    expect(hand_check(page).locator("output")).to_be_empty()
    assert chosen(page) == ["SK"]


# Links beyond the limits: the engine says no, the widget shows it


@pytest.mark.parametrize(
    ("slug", "check", "question", "field"),
    [
        ("sibaifen", "trick", {"cards": ["S5", "SK", "H2", "S3", "S4"], "trump": "H"}, "cards"),
        ("sibaifen", "points", {"cards": ["S5", "S5"]}, "cards"),
        ("sibaifen", "points", {"cards": ["DW"]}, "cards"),
        ("sibaifen", "points", {"cards": ["S5"] * 5000}, "cards"),
        ("sibaifen", "settle", {"contract": 123456, "declarer_points": 0}, "contract"),
        ("sibaifen", "settle", {"contract": 300}, "declarer_points"),
        ("sibaifen", "auction", {"dealer": 0, "bids": [[0, 200], [2, 205]]}, "bids[1][0]"),
        ("sibaifen", "points", {"cards": ["S5"], "options": {"x": "y"}}, "options.x"),
        ("sibaifen", "points", "not json", "in"),
    ],
)
def test_a_link_beyond_the_limits_is_refused(
    page: Page, site_url: str, slug: str, check: str, question: object, field: str
) -> None:
    page.goto(site_url + check_address(slug, check, question))
    line = shown_refusal(page)
    text = question if isinstance(question, str) else json.dumps(question)
    refused = json.loads(api.dispatch(json.dumps({
        "op": "ask", "args": {"slug": slug, "name": check, "question": text}
    })))["refused"]  # fmt: skip
    assert line == refused["text"]
    assert refused["field"] == field
    assert hand_check(page).locator("output[data-answer]").count() == 0
    if field.split("[")[0] in ("cards", "contract", "declarer_points", "bids"):
        expect(hand_check(page).locator(".field .field-fault:not(:empty)")).to_be_visible()
        expect(hand_check(page).locator("[aria-invalid=true]")).to_have_count(1)


# What is kept


def test_the_form_is_kept_when_the_script_is_switched(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K 红心Q")
    ask(page)
    assert shown_answer(page) == {"points": 45}
    page.locator("a[data-script-switch][hreflang=zh-Hant]").first.click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/**")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    assert shown_answer(page) == {"points": 45}
    assert chosen(page) == ["SK", "HQ"]


def test_the_form_is_kept_when_the_scheme_is_switched(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K 红心Q")
    page.locator("label.md-header__button[for^=__palette]:visible").first.click()
    assert chosen(page) == ["SK", "HQ"]


def test_the_form_is_kept_on_reload_and_going_back(page: Page, site_url: str) -> None:
    open_points(page, site_url, "黑桃K 红心Q")
    page.wait_for_url(re.compile("in=.*HQ"))
    page.reload()
    expect(hand_check(page).locator(".chosen .card")).to_have_count(2)
    page.locator("a.md-logo, a.md-header__button.md-logo").first.click()
    expect(page.locator("hand-check")).to_have_count(0)
    page.go_back()
    expect(hand_check(page).locator(".chosen .card")).to_have_count(2)
    assert chosen(page) == ["SK", "HQ"]


def test_back_goes_from_one_example_to_the_one_before(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen"))
    expect(hand_check(page).locator("form")).to_be_visible()
    for example in ("points-in-hand", "ruff"):
        page.locator(f"#sibaifen-example-{example} .example-open a").click()
        shown_answer(page)
    page.go_back()
    expect(hand_check(page).locator("output")).to_have_attribute("data-answer", '{"points":70}')


def test_the_link_is_copied(new_page: NewPage, site_url: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_points(page, site_url, "黑桃K")
    hand_check(page).get_by_role("button", name="复制链接").click()
    expect(hand_check(page).locator(".shared")).to_contain_text("已复制")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(link)
    assert shown_answer(page) == {"points": 25}


def test_the_reader_chooses_what_suits_are_called(page: Page, site_url: str) -> None:
    page.goto(site_url + check_address("sibaifen", "points", {"cards": ["HQ"]}))
    shown_answer(page)
    hand_check(page).locator(".suit-choice summary").click()
    hand_check(page).locator(".suit-choice select").first.select_option(label="红桃")
    open_grid(page)
    expect(pick(page, "红桃Q")).to_be_visible()
    expect(hand_check(page).locator("output .suit-word").first).to_have_text("红桃")
    assert page.locator(".example .suit-word[data-suit=H]", has_text="红心").count() == 0
    page.goto(site_url + game_address("sibaifen", "zh-Hant"))
    expect(page.locator("deal-player .card .suit-word[data-suit=H]").first).to_have_text("紅桃")


def test_a_question_from_a_link_shows_its_answer_at_once(phone_page: Page, site_url: str) -> None:
    page = phone_page
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    shown_answer(page)
    expect(hand_check(page).locator("output .said")).to_be_in_viewport()
    assert hand_check(page).locator(".picker").count() == 0
    open_grid(page)
    expect(pick(page, "黑桃K")).to_have_attribute("aria-pressed", "true")
    # Without cards in it there is something to pick first; and so there is for another question.
    page.goto(site_url + check_address("sibaifen", "points", {"cards": []}))
    expect(pick(page, "黑桃K")).to_be_visible()
    page.goto(site_url + check_address("sibaifen", "trick", TRICK))
    shown_answer(page)
    hand_check(page).locator(".check-pick", has_text="数一数分").tap()
    expect(pick(page, "黑桃K")).to_be_visible()


def test_the_rules_in_force_are_said(page: Page, site_url: str) -> None:
    question = {"rule_set": "two-packs", "cards": ["S5", "H5"]}
    page.goto(site_url + check_address("wushik", "classify", question))
    shown_answer(page)
    expect(hand_check(page).locator(".rules-in-force")).to_contain_text(
        rulebook("wushik").rule_set["two-packs"].title
    )


def test_storage_denied_is_no_fault(page: Page, site_url: str) -> None:
    page.add_init_script("""
        for (const name of ["getItem", "setItem", "removeItem"]) {
            const real = Storage.prototype[name];
            Storage.prototype[name] = function (key, ...rest) {
                if (/^(play|suit)/.test(key)) throw new DOMException("denied", "SecurityError");
                return real.call(this, key, ...rest);
            };
        }
    """)
    page.goto(site_url + check_address("sibaifen", "points", {"cards": ["HQ"]}))
    assert shown_answer(page) == {"points": 20}
    hand_check(page).locator(".suit-choice summary").click()
    hand_check(page).locator(".suit-choice select").first.select_option(label="红桃")
    assert shown_answer(page) == {"points": 20}
