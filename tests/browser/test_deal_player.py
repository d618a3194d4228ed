"""The deal player: steps by button, key, scrubber and link; views that hide; and playing on."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from engine import api
from engine.rulebook import rulebook, slugs
from engine.texts import LANGS
from tests.browser.conftest import NewPage
from tests.browser.widgets import Json, ask_engine, game_address, request

MADE = "made"
"""An example deal of 四百分: a contract that is made."""


def player(page: Page, deal: str = MADE) -> Locator:
    return page.locator(f"deal-player[deal={deal}]")


def open_deal(page: Page, site_url: str, slug: str = "sibaifen", deal: str = MADE) -> Locator:
    page.goto(site_url + game_address(slug))
    shown = player(page, deal)
    shown.scroll_into_view_if_needed()
    expect(shown.locator(".movers")).to_be_visible()
    return shown


def press(shown: Locator, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def at_step(shown: Locator, step: int) -> None:
    """Waits until that step is shown."""
    expect(shown.locator(".step-count")).to_contain_text(f"第{step}步")


def faces(part: Locator) -> set[str]:
    """The cards whose faces are in this part of the document."""
    found = part.locator("[data-card]").evaluate_all("cards => cards.map((c) => c.dataset.card)")
    return set(found)


def replayed(page: Page, site_url: str, slug: str, deal: str) -> Json:
    """The deal's data, as the page fetches it."""
    answer = page.request.get(f"{site_url}assets/widgets/{slug}-{deal}.zh-Hans.json")
    return json.loads(answer.text())


def test_buttons_scrubber_and_keys_move_through_the_deal(page: Page, site_url: str) -> None:
    shown = open_deal(page, site_url)
    steps = replayed(page, site_url, "sibaifen", MADE)["steps"]
    last = len(steps) - 1
    at_step(shown, 0)
    press(shown, "下一步")
    press(shown, "下一步")
    at_step(shown, 2)
    expect(shown.locator(".step-words")).to_contain_text("乙叫205分")
    press(shown, "上一步")
    at_step(shown, 1)
    press(shown, "看结尾")
    at_step(shown, last)
    expect(shown.locator(".step-words .result")).to_be_visible()
    expect(shown.get_by_role("button", name="下一步")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    at_step(shown, last)
    press(shown, "从头看")
    at_step(shown, 0)
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)]:
        page.keyboard.press(key)
        at_step(shown, step)
    page.keyboard.press("Home")
    at_step(shown, 0)
    shown.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    at_step(shown, 1)
    page.keyboard.press("End")
    at_step(shown, last)


def test_every_step_shows_its_table_and_its_words(page: Page, site_url: str) -> None:
    shown = open_deal(page, site_url)
    steps = replayed(page, site_url, "sibaifen", MADE)["steps"]
    for number, step in enumerate(steps):
        at_step(shown, number)
        table = step["table"]
        cards = [card for zone in [*table["hands"], *table["zones"]] for card in zone["cards"]]
        expect(shown.locator(".stage .card")).to_have_count(len(cards))
        assert faces(shown.locator(".stage")) == set(cards)
        turn = shown.locator(".stage .on-turn b").first
        if table["turn"] is not None:
            expect(turn).to_have_text("甲乙丙丁"[table["turn"]])
        words = shown.locator(".step-words")
        for reason in step["why"]:
            link = words.locator(f"a[href$='#{reason['clause']}']").first
            expect(link).to_be_visible()
        if number < len(steps) - 1:
            press(shown, "下一步")


def test_a_link_opens_its_step(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen", deal=MADE, step="5"))
    at_step(player(page), 5)
    expect(player(page)).to_be_in_viewport()
    press(player(page), "下一步")
    at_step(player(page), 6)
    assert page.evaluate("new URL(location.href).searchParams.get('step')") == "6"
    page.reload()
    at_step(player(page), 6)
    page.locator("a[data-script-switch][hreflang=zh-Hant]").first.click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/**")
    at_step(player(page), 6)
    expect(player(page).locator(".step-words")).to_contain_text("底牌")


@pytest.mark.parametrize("step", ["-3", "999999", "x", "1e3", "2.5", ""])
def test_a_link_to_no_step_shows_a_step(page: Page, site_url: str, step: str) -> None:
    page.goto(site_url + game_address("sibaifen", deal=MADE, step=step))
    expect(player(page).locator(".step-count")).to_contain_text(re.compile(r"第\d+步"))


@pytest.mark.parametrize("slug", slugs())
def test_examples_at_a_step_open_there(page: Page, site_url: str, slug: str) -> None:
    book = rulebook(slug)
    page.goto(site_url + game_address(slug))
    expect(page.locator("deal-player .movers").first).to_be_visible()
    for example in [e for e in book.example if e.deal][:6]:
        link = page.locator(f"#{slug}-example-{example.id} .example-open a").first
        link.evaluate("link => link.click()")
        at_step(player(page, example.deal), example.step)


def test_one_seats_view_holds_no_card_that_it_may_not_see(page: Page, site_url: str) -> None:
    shown = open_deal(page, site_url)
    steps = replayed(page, site_url, "sibaifen", MADE)["steps"]
    for number in (0, 6, 8, 20, len(steps) - 1):
        page.goto(site_url + game_address("sibaifen", deal=MADE, step=str(number)))
        at_step(shown, number)
        for seat in range(4):
            shown.locator("select").first.select_option(str(seat))
            table = steps[number]["table"]
            zones = [*table["hands"], *table["zones"]]
            seen = {
                card
                for zone in zones
                if seat in zone.get("seen_by", [seat])
                for card in zone["cards"]
            }
            assert faces(shown.locator(".stage")) == seen
            hidden = any(z["cards"] and seat not in z.get("seen_by", [seat]) for z in zones)
            assert (shown.locator(".stage .card-back").count() > 0) == hidden


def test_every_deal_is_gone_over_by_the_engine(page: Page, site_url: str) -> None:
    page.goto(site_url + game_address("sibaifen", check="points", in_='{"cards":["SK"]}'))
    expect(page.locator("output[data-answer]")).to_be_visible()
    for deal in rulebook("sibaifen").deal:
        player(page, deal.id).scroll_into_view_if_needed()
        expect(player(page, deal.id)).to_have_attribute("data-verified", "true")
        expect(player(page, deal.id)).to_have_attribute("data-state", "ready")


def test_a_deal_that_the_engine_plays_otherwise_is_an_error(page: Page, site_url: str) -> None:
    def tampered(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("丙", "丁", 1))

    page.route(f"**/widgets/sibaifen-{MADE}.*", tampered)
    page.goto(site_url + game_address("sibaifen", check="points", in_='{"cards":["SK"]}'))
    expect(page.locator("output[data-answer]")).to_be_visible()
    player(page).scroll_into_view_if_needed()
    expect(player(page)).to_have_attribute("data-state", "error")
    expect(player(page).locator(".deal-fault")).to_contain_text("不一样")


@pytest.mark.page_errors_expected
def test_a_deal_that_cannot_be_fetched_can_be_tried_again(page: Page, site_url: str) -> None:
    page.route(f"**/widgets/sibaifen-{MADE}.*", lambda route: route.abort())
    shown = open_deal(page, site_url)
    expect(shown.locator(".deal-fault")).to_contain_text("没有取到")
    press(shown, "下一步")
    expect(shown.locator(".step-words")).to_contain_text("甲叫200分")
    page.unroute_all()
    shown.locator(".deal-fault").get_by_role("button", name="再试一次").click()
    expect(shown.locator(".deal-fault")).to_be_empty()
    expect(shown.locator(".stage .card")).to_have_count(52)


# Playing on


def take_over(page: Page, site_url: str, step: int, seat: int, deal: str = MADE) -> Locator:
    page.goto(site_url + game_address("sibaifen", deal=deal, step=str(step)))
    shown = player(page, deal)
    at_step(shown, step)
    shown.locator(".play-offer select").select_option(str(seat))
    press(shown, "从这里接手")
    expect(shown.locator(".kinds, .result").first).to_be_visible()
    return shown


def known_to(record: Json, seat: int) -> set[str]:
    view = api.seat_view(record, seat)
    return {card for zone in [*view["hands"], *view["zones"]] for card in zone["cards"] if card}


def kept_record(page: Page) -> Json:
    return json.loads(page.evaluate("sessionStorage.getItem('play:sibaifen')"))["record"]


def test_taking_over_shows_only_what_the_seat_may_know(page: Page, site_url: str) -> None:
    shown = take_over(page, site_url, 5, 2)
    for _ in range(5):
        record = kept_record(page)
        known = known_to(record, 2)
        assert faces(shown.locator(".stage")) == known
        # Nor is an unknown card named in what is said: only what was played or taken in sight.
        said = shown.locator(".play-said").text_content() or ""
        names = {"S": "黑桃", "H": "红心", "D": "方块", "C": "梅花"}
        for card in api.replay({**record, "moves": []})["steps"][0]["table"]["hands"][3]["cards"]:
            if card not in known:
                assert not re.search(f"{names[card[0]]}{card[1:]}(?!\\d)", said), card
        before = len(record["moves"])
        shown.locator(".hints summary").click()
        shown.locator(".hints .button").first.click()
        page.wait_for_function(
            "n => JSON.parse(sessionStorage.getItem('play:sibaifen')).record.moves.length > n",
            arg=before,
        )
        expect(shown.locator(".kinds")).to_be_visible()


def test_buried_cards_of_others_are_not_told(page: Page, site_url: str) -> None:
    """Step 4 of the deal is the last pass: then 乙 takes the kitty and buries four cards."""
    shown = take_over(page, site_url, 5, 2)
    record = kept_record(page)
    buried = next(m for m in record["moves"] if m.startswith("bury")).split()[1:]
    text = shown.text_content() or ""
    assert "扣下四张牌" in text
    assert not faces(shown) & set(buried)


def test_an_illegal_move_is_answered_with_its_clause(page: Page, site_url: str) -> None:
    shown = take_over(page, site_url, 5, 2)
    record = kept_record(page)
    moves = api.seat_view(record, 2)["moves"]
    hand = api.seat_view(record, 2)["hands"][2]["cards"]
    forbidden = next(c for c in hand if f"play {c}" not in {m["move"] for m in moves})
    shown.locator(f".mine [data-card={forbidden}]").click()
    press(shown, "出牌")
    refused = api.play(record, f"play {forbidden}")
    assert not refused["legal"]
    expect(shown.locator(".play-said .refusal")).to_be_visible()
    clause = refused["reasons"][0]["clause"]
    expect(shown.locator(f".play-said a[href$='#{clause}']").first).to_be_visible()
    assert kept_record(page) == record
    # The card is still in hand and still chosen; another is taken instead.
    shown.locator(f".mine [data-card={forbidden}]").click()
    legal = moves[0]["cards"][0]
    shown.locator(f".mine [data-card={legal}]").click()
    press(shown, "出牌")
    expect(shown.locator(f".mine .hand-buttons [data-card={legal}]")).to_have_count(0)
    press(shown, "悔一步")
    expect(shown.locator(f".mine .hand-buttons [data-card={legal}]")).to_have_count(1)
    press(shown, "不玩了，回到例子")
    at_step(shown, 5)
    assert page.evaluate("sessionStorage.getItem('play:sibaifen')") is None


def test_a_game_goes_on_after_the_script_is_switched(page: Page, site_url: str) -> None:
    take_over(page, site_url, 5, 2)
    record = kept_record(page)
    page.locator("a[data-script-switch][hreflang=zh-Hant]").first.click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/**")
    shown = player(page)
    expect(shown.locator(".kinds")).to_be_visible()
    expect(shown.locator(".play-moves")).to_contain_text("輪到你")
    assert kept_record(page)["moves"] == record["moves"]


@pytest.mark.parametrize("slug", slugs())
def test_a_deal_of_ones_own_can_be_played_to_its_end(page: Page, site_url: str, slug: str) -> None:
    """Every move of the reader's by the engine's advice."""
    page.goto(site_url + game_address(slug))
    shown = page.locator("deal-player").first
    shown.scroll_into_view_if_needed()
    press(shown, "自己来一副")
    shown.get_by_label("种子").fill("7")
    press(shown, "开始")
    moves = shown.locator(".play-moves")
    for _ in range(120):
        expect(moves.locator(".kinds, .result").first).to_be_visible()
        if moves.locator(".result").count():
            break
        advise = moves.get_by_role("button", name="替我走一步")
        advise.evaluate("button => { button.dataset.used = 1; button.click(); }")
        expect(moves.locator("[data-used]")).to_have_count(0)
        assert shown.locator(".refusal").count() == 0, shown.locator(".play-said").text_content()
    else:
        pytest.fail("the deal did not end")
    expect(moves.locator(".result")).to_contain_text("这一副")


def test_cards_and_values_make_the_moves(page: Page, site_url: str) -> None:
    """A contract won, cards buried and the trump named by pressing cards and buttons."""
    page.goto(site_url + game_address("sibaifen"))
    shown = page.locator("deal-player").first
    shown.scroll_into_view_if_needed()
    press(shown, "自己来一副")
    shown.get_by_label("种子").fill("3")
    press(shown, "开始")
    expect(shown.locator(".kinds")).to_be_visible()
    shown.locator(".kind select").select_option(label="400")
    press(shown, "叫分")
    press(shown, "扣牌")
    expect(shown.locator(".play-said .refusal")).to_be_visible()
    for _ in range(4):
        shown.locator(".mine .hand-buttons [aria-pressed=false]").first.click()
    press(shown, "扣牌")
    shown.get_by_role("button", name=re.compile("定将.*红心")).click()
    expect(shown.locator(".common")).to_contain_text("红心")
    expect(shown.locator(".mine .hand-buttons .card")).to_have_count(12)


def test_playing_works_by_touch_and_keyboard(new_page: NewPage, site_url: str) -> None:
    page = new_page(phone=True)
    shown = take_over(page, site_url, 5, 2)
    legal = api.seat_view(kept_record(page), 2)["moves"][0]["cards"][0]
    card = shown.locator(f".mine .hand-buttons [data-card={legal}]")
    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    shown.get_by_role("button", name="出牌", exact=True).focus()
    page.keyboard.press("Enter")
    expect(card).to_have_count(0)


def test_robots_tell_no_seat_what_it_may_not_know(page: Page, site_url: str) -> None:
    """The same bytes as in CPython, where tests/engine looks at what they say."""
    asked = []
    for slug in slugs():
        players = rulebook(slug).game.players[1]
        record = api.deal(slug, players, "robots")["record"]
        asked += [request("robots", lang, record=record, seat=0) for lang in LANGS]
    page.goto(site_url)
    for question, answer in zip(asked, ask_engine(page, site_url, asked), strict=True):
        assert answer == api.dispatch(question)
