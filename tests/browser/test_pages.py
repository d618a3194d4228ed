"""The pages in a real browser: search, the other script, house rules, the list of games."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.rulebook import rulebook, slugs
from macros import ROOT
from tests.browser.conftest import NewPage

WITH_OPTIONS = [slug for slug in slugs() if rulebook(slug).option]
WITH_RULE_SETS = [slug for slug in slugs() if len(rulebook(slug).rule_set) > 1]


def find(page: Page, query: str) -> list[str]:
    """The addresses that the search gives, best first."""
    page.keyboard.press("/")
    box = page.locator(".md-search__input")
    box.fill(query)
    box.press("End")
    results = page.locator(".md-search-result__link")
    results.first.wait_for(state="attached")
    return [re.sub(r"\?.*?(?=#|$)", "", a.get_attribute("href") or "") for a in results.all()]


@pytest.mark.parametrize("folder", ["", "zh-Hant/"])
@pytest.mark.parametrize(
    ("query", "page_of"),
    [
        ("四百分", "games/sibaifen/"),
        ("底牌", "games/sibaifen/"),
        ("定约", "games/sibaifen/"),
        ("定約", "games/sibaifen/"),
        ("五十K", "games/wushik/"),
        ("五十k", "games/wushik/"),
        ("憋7", "games/bieqi/"),
        ("憋７", "games/bieqi/"),
        ("青龙", "games/gonglei/"),
        ("青龍", "games/gonglei/"),
        ("攻擂", "games/gonglei/"),
        ("三带", "games/wushik/"),
        ("三帶", "games/wushik/"),
        ("捉黑A", "games/zhuoheia/"),
        ("捉黑", "games/zhuoheia/"),
        ("皮诺克", "games/pinuoke/"),
        ("皮諾克", "games/pinuoke/"),
        ("黑夫人 换牌", "games/heifuren/"),
        ("校勘", "editorial/"),
    ],
)
def test_search_finds_words_in_either_script(
    page: Page, site_url: str, folder: str, query: str, page_of: str
) -> None:
    page.goto(site_url + folder)
    found = find(page, query)
    assert any(f"/sub/{folder}{page_of}" in link for link in found), found


def test_the_search_says_so_when_it_finds_nothing(page: Page, site_url: str) -> None:
    page.goto(site_url)
    page.keyboard.press("/")
    page.locator(".md-search__input").fill("麻将桌布")
    page.locator(".md-search__input").press("End")
    expect(page.locator(".md-search-result__meta")).to_have_text("没有找到")


def test_a_title_comes_before_a_mention(page: Page, site_url: str) -> None:
    page.goto(site_url)
    assert find(page, "黑夫人")[0].endswith("/games/heifuren/")


def test_a_find_leads_to_the_clause_and_marks_the_words(page: Page, site_url: str) -> None:
    page.goto(site_url + "zh-Hant/")
    assert find(page, "扣出去")
    clause = page.locator('.md-search-result__link[href*="#sibaifen-0"]').first
    expect(clause.locator("mark").first).to_have_text("扣出去")
    clause.click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/?h=*#sibaifen-0*", wait_until="commit")
    expect(page.locator(".clause mark").first).to_have_text("扣出去")


def test_the_script_switch_keeps_page_clause_and_question(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}games/sibaifen/?deal=made&step=2#sibaifen-08")
    page.locator("[data-script-switch]").click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/?deal=made&step=2#sibaifen-08")
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    page.locator("[data-script-switch]").click()
    page.wait_for_url("**/sub/games/sibaifen/?deal=made&step=2#sibaifen-08")


def test_the_script_switch_finds_the_clause_being_read(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}games/sibaifen/")
    page.evaluate("document.getElementById('sibaifen-08').scrollIntoView()")
    page.locator("[data-script-switch]").click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/*#sibaifen-08")


def test_instant_navigation_works_in_a_subfolder_and_the_switch_follows(
    page: Page, site_url: str
) -> None:
    page.goto(site_url)
    page.evaluate("window.sameDocument = true")
    page.locator(".games a", has_text="四百分").click()
    page.wait_for_url("**/games/sibaifen/")
    expect(page.locator("h1")).to_have_text("四百分")
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    page.locator("[data-script-switch]").click()
    page.wait_for_url("**/zh-Hant/games/sibaifen/")


def test_the_colour_scheme_is_kept_in_the_other_script(page: Page, site_url: str) -> None:
    page.goto(site_url)
    body = page.locator("body")
    for _ in range(2):
        page.locator("form[data-md-component=palette] label:not([hidden])").click()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("[data-script-switch]").click()
    page.wait_for_url("**/zh-Hant/")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


@pytest.mark.parametrize("slug", WITH_RULE_SETS)
def test_a_rule_set_changes_what_it_says_and_back(page: Page, site_url: str, slug: str) -> None:
    page.goto(f"{site_url}games/{slug}/")
    other = list(rulebook(slug).rule_set)[1]
    page.locator(f"input[name=rule_set][value={other}]").check()
    assert f"rule_set%3A{other}" in page.url
    changed = page.locator("[data-changed]")
    assert changed.count()
    for part in changed.all()[:8]:
        assert part.locator("[data-when]:not([hidden])").count() == 1
        assert part.locator("[data-default][hidden]").count() == 1
    page.reload()
    assert page.locator(f"input[name=rule_set][value={other}]").is_checked()
    page.locator(".in-force button").click()
    expect(changed).to_have_count(0)
    assert "rules=" not in page.url
    expect(page.locator(".in-force")).to_be_hidden()


@pytest.mark.parametrize("slug", WITH_OPTIONS)
def test_a_house_rule_changes_the_clauses_it_names(page: Page, site_url: str, slug: str) -> None:
    page.goto(f"{site_url}games/{slug}/")
    for option in rulebook(slug).option:
        page.locator(f"input[name={option.id}][value='{option.names[1]}']").check()
        expect(page.locator(".in-force [role=status]")).not_to_be_empty()
        page.locator(f"input[name={option.id}][value='{option.names[0]}']").check()
        expect(page.locator("[data-changed]")).to_have_count(0)


def test_house_rules_are_kept_in_the_other_script(page: Page, site_url: str) -> None:
    slug = WITH_RULE_SETS[0]
    other = list(rulebook(slug).rule_set)[1]
    page.goto(f"{site_url}games/{slug}/?rules=rule_set:{other}")
    page.locator("[data-script-switch]").click()
    page.wait_for_url(f"**/zh-Hant/games/{slug}/?rules=*")
    assert page.locator(f"input[name=rule_set][value={other}]").is_checked()


def test_unknown_house_rules_in_a_link_are_passed_over(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}games/sibaifen/?rules=rule_set:none,__proto__:x,:,a:b:c,,%00")
    expect(page.locator("h1")).to_have_text("四百分")
    expect(page.locator("[data-changed]")).to_have_count(0)


def test_the_list_of_games_narrows_down(page: Page, site_url: str) -> None:
    page.goto(site_url)
    rows = page.locator("games-filter tbody tr:visible")
    everything = rows.count()
    assert everything == len(slugs())
    page.locator("select[name=players]").select_option("6")
    for_six = [
        s for s in slugs() if rulebook(s).game.players[0] <= 6 <= rulebook(s).game.players[1]
    ]
    expect(rows).to_have_count(len(for_six))
    assert "players=6" in page.url
    page.locator("select[name=minutes]").select_option("20")
    page.locator("select[name=family]").select_option("arranging")
    expect(rows).to_have_count(0)
    expect(page.locator("games-filter [role=status]")).to_contain_text("没有合适的游戏")
    page.goto(f"{site_url}?players=6")
    expect(rows).to_have_count(len(for_six))


def test_without_a_script_everything_is_there(new_page: NewPage, site_url: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(site_url)
    assert page.locator("games-filter tbody tr:visible").count() == len(slugs())
    expect(page.locator("games-filter form")).to_be_hidden()
    page.goto(f"{site_url}games/sibaifen/")
    for clause in rulebook("sibaifen").clause:
        expect(page.locator(f"#{clause.id}")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "home", "lang"),
    [
        ("games/none/", "", "zh-Hans"),
        ("none", "", "zh-Hans"),
        ("zh-Hant/games/none/", "zh-Hant/", "zh-Hant"),
        ("zh-Hant/none/", "zh-Hant/", "zh-Hant"),
    ],
)
@pytest.mark.page_errors_expected
def test_an_unknown_address_leads_home(
    page: Page, site_url: str, path: str, home: str, lang: str
) -> None:
    answer = page.goto(site_url + path)
    assert answer
    assert answer.status == 404
    link = page.locator("a:visible")
    assert link.evaluate("a => a.href") == site_url + home
    assert page.locator("html").get_attribute("lang") == lang


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    "path",
    ["", "zh-Hant/", "games/wushik/", "zh-Hant/games/wushik/?rules=rule_set:two-packs",
     "editorial/", "zh-Hant/data/", "reading/", "404.html"],
)  # fmt: skip
def test_axe_finds_no_fault(
    new_page: NewPage, site_url: str, path: str, phone: bool, dark: bool
) -> None:
    page = new_page(phone=phone, dark=dark)
    page.goto(site_url + path)
    page.wait_for_timeout(500)
    page.evaluate((ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert not [(v["id"], [n["target"] for n in v["nodes"]]) for v in found]


@pytest.mark.parametrize("path", ["", "games/sibaifen/", "zh-Hant/editorial/", "reading/"])
def test_a_phone_shows_no_sideways_scroll(new_page: NewPage, site_url: str, path: str) -> None:
    page = new_page(phone=True)
    page.goto(site_url + path)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", ["", "games/sibaifen/", "zh-Hant/games/sibaifen/"])
def test_on_paper_the_rules_stand_without_the_screen_s_furniture(
    page: Page, site_url: str, path: str
) -> None:
    page.goto(site_url + path)
    page.emulate_media(media="print")
    expect(page.locator(".md-header")).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
