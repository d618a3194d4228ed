"""The built pages say everything that the rule data holds, in both scripts, and lead somewhere."""

import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from engine.rulebook import Clause, Rulebook, rulebook, slugs, words
from engine.texts import LANGS, Lang, translate
from macros.site import FOLDERS
from tests.site.pages import BuiltPage, Element

Pages = dict[str, BuiltPage]
BOOKS = [rulebook(slug) for slug in slugs()]
BY_SLUG = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.slug)
IN_SCRIPTS = pytest.mark.parametrize("lang", LANGS)


def game_page(pages: Pages, book: Rulebook, lang: Lang) -> BuiltPage:
    return pages[f"{FOLDERS[lang]}games/{book.slug}/index.html"]


def by_id(page: BuiltPage, anchor: str) -> Element:
    (found,) = page.root.find(id=anchor)
    return found


def flat(text: str) -> str:
    """A text without its spaces and without the suit signs that a page draws."""
    return "".join(text.split())


@IN_SCRIPTS
@BY_SLUG
def test_every_clause_is_an_anchor_with_its_text_mark_and_note(
    pages: Pages, book: Rulebook, lang: Lang
) -> None:
    page = game_page(pages, book, lang)
    rules = book.rules()
    for clause in book.clause:
        element = by_id(page, clause.id)
        marks = [m.text() for m in element.find("span", class_="mark")]
        assert marks == [translate(words().mark[clause.mark], lang)], clause.id
        read = flat(element.text())
        assert _without_cards(rules.clause_text(clause.id, lang)) in _without_cards(read), clause.id
        if clause.note:
            note = _without_cards(rules.text(clause.note, lang))
            assert note in _without_cards(read), clause.id
        for reading in clause.readings:
            assert _without_cards(rules.text(reading, lang)) in _without_cards(read), clause.id


def _without_cards(text: str) -> str:
    """A text as it compares: a page draws ♠7 as a shape with the suit's name in words."""
    for sign, *names in (
        ("♠", "黑桃"),
        ("♥", "红心", "紅心"),
        ("♦", "方块", "方塊"),
        ("♣", "梅花"),
    ):
        for name in names:
            text = text.replace(name, sign)
    return flat(text)


@BY_SLUG
def test_clauses_stand_in_the_order_of_sections_and_numbers(pages: Pages, book: Rulebook) -> None:
    page = game_page(pages, book, "zh-Hans")
    shown = [e.attributes["id"] for e in page.root.find("div", class_="clause")]
    sections = list(words().section)

    def place(clause: Clause) -> tuple[int, int]:
        return sections.index(clause.section), book.clause.index(clause)

    assert shown == [clause.id for clause in sorted(book.clause, key=place)]


@IN_SCRIPTS
@BY_SLUG
def test_every_example_and_deal_is_on_the_page_once(
    pages: Pages, book: Rulebook, lang: Lang
) -> None:
    page = game_page(pages, book, lang)
    for example in book.example:
        element = by_id(page, f"{book.slug}-example-{example.id}")
        caption = book.rules().text(example.caption, lang)
        assert _without_cards(caption) in _without_cards(element.text()), example.id
        links = [a.attributes["href"] for a in element.find("a")]
        wanted = f"deal={example.deal}" if example.deal else f"check={example.check}"
        assert any(wanted in link for link in links), example.id
    players = [e.attributes["deal"] for e in page.root.find("deal-player")]
    assert players == [deal.id for deal in book.deal]


@BY_SLUG
def test_an_example_stands_at_its_first_clause_and_the_others_link_to_it(
    pages: Pages, book: Rulebook
) -> None:
    page = game_page(pages, book, "zh-Hans")
    for example in book.example:
        anchor = f"{book.slug}-example-{example.id}"
        first, *others = example.clauses
        assert by_id(page, first).find(id=anchor), example.id
        for clause in others:
            links = [a.attributes.get("href") for a in by_id(page, clause).find("a")]
            assert f"#{anchor}" in links, f"{clause} does not lead to {example.id}"


@IN_SCRIPTS
@BY_SLUG
def test_an_example_cites_every_clause_it_shows(pages: Pages, book: Rulebook, lang: Lang) -> None:
    page = game_page(pages, book, lang)
    for example in book.example:
        element = by_id(page, f"{book.slug}-example-{example.id}")
        cited = {a.attributes["href"] for a in element.find("a", class_="clause-link")}
        missing = {clause for clause in example.clauses if f"#{clause}" not in cited}
        assert not missing, example.id


@BY_SLUG
def test_the_page_says_how_many_rules_are_shown_working(pages: Pages, book: Rulebook) -> None:
    rules = {c.id for c in book.clause if c.kind == "rule"}
    shown = rules & {clause for e in book.example for clause in e.clauses}
    (line,) = game_page(pages, book, "zh-Hans").root.find("p", class_="shown")
    assert line.text().startswith(f"{len(rules)}条规则里，有{len(shown)}条")


@IN_SCRIPTS
@BY_SLUG
def test_every_term_is_explained_once_and_where_it_first_stands(
    pages: Pages, book: Rulebook, lang: Lang
) -> None:
    page = game_page(pages, book, lang)
    explained = Counter(
        dt.text() for box in page.root.find(class_="terms") for dt in box.find("dt")
    )
    assert set(explained.values()) <= {1}
    used = [dfn.text() for dfn in page.root.find("dfn")]
    assert used == list(explained)
    meanings = flat("".join(box.text() for box in page.root.find(class_="terms")))
    for term in used:
        simplified = {translate(t, lang): t for t in (*book.glossary, *words().glossary)}[term]
        meaning = book.glossary.get(simplified) or words().glossary[simplified]
        assert _without_cards(translate(meaning, lang)) in _without_cards(meanings)


@BY_SLUG
def test_tables_show_what_the_facts_say(pages: Pages, book: Rulebook) -> None:
    from engine.validate import table_rows

    page = game_page(pages, book, "zh-Hans")
    for table in book.table:
        element = by_id(page, f"{book.slug}-table-{table.id}")
        (body,) = [b for b in element.find("tbody") if "data-default" in b.attributes] or [
            element.find("tbody")[0]
        ]
        shown = [[_without_cards(cell.text()) for cell in row.children if isinstance(cell, Element)]
                 for row in body.find("tr")]  # fmt: skip
        wanted = [
            [_without_cards(cell) for cell in row] for row in table_rows(book.rules(), table.id)
        ]
        assert shown == wanted, table.id


@BY_SLUG
def test_both_scripts_have_the_same_structure(pages: Pages, book: Rulebook) -> None:
    simplified = game_page(pages, book, "zh-Hans").article
    traditional = game_page(pages, book, "zh-Hant").article
    shapes = [
        [(e.tag, e.attributes.get("id"), e.attributes.get("class")) for e in page.all()]
        for page in (simplified, traditional)
    ]
    assert shapes[0] == shapes[1]


def test_every_page_is_there_in_both_scripts(pages: Pages) -> None:
    traditional = {path.removeprefix("zh-Hant/") for path in pages if path.startswith("zh-Hant/")}
    simplified = {path for path in pages if not path.startswith("zh-Hant/")}
    assert traditional == simplified
    assert {f"games/{slug}/index.html" for slug in slugs()} <= simplified


def test_pages_say_their_language_and_link_the_other(pages: Pages) -> None:
    for path, page in pages.items():
        if path.endswith("404.html"):
            continue
        assert page.lang == ("zh-Hant" if path.startswith("zh-Hant/") else "zh-Hans"), path
        plain = path.removeprefix("zh-Hant/")
        there = {
            e.attributes["hreflang"]: _target(path, e.attributes["href"])[0]
            for e in page.root.find("link", rel="alternate")
        }
        assert there == {"zh-Hans": plain, "zh-Hant": f"zh-Hant/{plain}"}, path
        (switch,) = [a for a in page.root.find("a") if "data-script-switch" in a.attributes]
        other = "zh-Hans" if page.lang == "zh-Hant" else "zh-Hant"
        assert switch.attributes["lang"] == other
        assert _target(path, switch.attributes["href"])[0] == there[other]


def test_ids_are_unique(pages: Pages) -> None:
    for path, page in pages.items():
        doubled = [name for name, count in Counter(page.ids()).items() if count > 1]
        assert not doubled, path


def _target(path: str, href: str) -> tuple[str, str]:
    """The file in the site that a link leads to, and the place in it."""
    url = urlsplit(urljoin(f"https://example.org/sub/{path.removesuffix('index.html')}", href))
    assert url.netloc == "example.org", f"{path}: {href} leads to another site"
    assert url.path.startswith("/sub/"), f"{path}: {href} leaves the site's folder"
    file = unquote(url.path.removeprefix("/sub/"))
    return f"{file}index.html" if file.endswith("/") or not file else file, unquote(url.fragment)


def test_links_and_assets_lead_somewhere_in_any_folder(pages: Pages, site_dir: Path) -> None:
    anchors = {path: set(page.ids()) for path, page in pages.items()}
    for path, page in pages.items():
        if path.endswith("404.html"):
            continue
        for element in page.root.all():
            for name in ("href", "src"):
                link = element.attributes.get(name)
                if not link or (element.tag == "use" and link.startswith("#")):
                    continue
                file, anchor = _target(path, link)
                assert (site_dir / file).is_file(), f"{path}: {link}"
                if anchor and file in anchors:
                    assert anchor in anchors[file], f"{path}: {link} has no such place"


def test_the_page_for_unknown_addresses_needs_nothing(pages: Pages) -> None:
    for path in ("404.html", "zh-Hant/404.html"):
        root = pages[path].root
        assert all(e.attributes["href"] == "data:," for e in root.find("link"))
        assert not [s for s in root.find("script") if "src" in s.attributes]
        assert {e.attributes["lang"] for e in root.find("main")} == set(LANGS)


@IN_SCRIPTS
def test_the_editorial_page_lists_every_clause_that_is_not_the_source_s(
    pages: Pages, lang: Lang
) -> None:
    page = pages[f"{FOLDERS[lang]}editorial/index.html"]
    links = [
        a.attributes["href"] for box in page.root.find(class_="editorial") for a in box.find("a")
    ]
    read = _without_cards(page.root.text())
    for book in BOOKS:
        for clause in book.clause:
            assert (f"../games/{book.slug}/#{clause.id}" in links) == (clause.mark != "source")
            if clause.mark != "source":
                assert _without_cards(book.rules().text(clause.note, lang)) in read, clause.id
        for option in book.option:
            if book.clause_of(option.clause).mark != "source":
                assert f"../games/{book.slug}/#{book.slug}-option-{option.id}" in links


@IN_SCRIPTS
def test_the_first_page_lists_every_game_with_what_the_filter_asks(
    pages: Pages, lang: Lang
) -> None:
    page = pages[f"{FOLDERS[lang]}index.html"]
    (box,) = page.root.find("games-filter")
    (body,) = box.find("tbody")
    rows = {row.find("a")[0].attributes["href"]: row for row in body.find("tr")}
    assert set(rows) == {f"games/{slug}/" for slug in slugs()}
    for book in BOOKS:
        row = rows[f"games/{book.slug}/"]
        least, most = book.game.players
        assert row.attributes["data-players"] == " ".join(map(str, range(least, most + 1)))
        assert row.attributes["data-packs"] == str(book.game.packs)
        assert row.attributes["data-family"] == book.game.family
        assert row.attributes["data-minutes"] == str(book.game.minutes[1])
        assert translate(book.game.title, lang) in row.text()
    (form,) = box.find("form")
    assert "hidden" in form.attributes, "without a script there is nothing to choose"


@IN_SCRIPTS
@BY_SLUG
def test_options_and_rule_sets_are_said_in_words(pages: Pages, book: Rulebook, lang: Lang) -> None:
    page = game_page(pages, book, lang)
    rules = book.rules()
    boxes = {e.attributes["data-switch"]: e for e in page.root.find("fieldset")}
    wanted = {option.id for option in book.option}
    assert set(boxes) == wanted | ({"rule_set"} if len(book.rule_set) > 1 else set())
    for option in book.option:
        read = _without_cards(boxes[option.id].text())
        for value in option.values:
            assert _without_cards(rules.text(value.label, lang)) in read, option.id
            assert _without_cards(rules.text(value.effect, lang)) in read, option.id


@BY_SLUG
def test_a_notice_stands_above_the_rules(pages: Pages, book: Rulebook) -> None:
    page = game_page(pages, book, "zh-Hans")
    notices = page.root.find("p", class_="notice")
    assert len(notices) == bool(book.game.notice)
    if notices:
        order = page.article.all()
        assert order.index(notices[0]) < order.index(by_id(page, "rules"))
        text = _without_cards(book.rules().text(book.game.notice))
        assert text in _without_cards(notices[0].text())


def test_nothing_is_loaded_from_elsewhere(site_dir: Path) -> None:
    for file in [*site_dir.rglob("*.css"), *site_dir.glob("assets/*.js")]:
        text = file.read_text(encoding="utf-8")
        for way in ("url(http", "url(//", 'url("http', "@import", 'from "http', 'import("http'):
            assert way not in text, f"{file.name}: {way}"


def test_the_sitemaps_hold_relative_addresses_of_every_page(pages: Pages, site_dir: Path) -> None:
    import xml.etree.ElementTree as ElementTree

    for lang in LANGS:
        folder = FOLDERS[lang]
        root = ElementTree.parse(site_dir / folder / "sitemap.xml").getroot()
        listed = {
            "" if (e.text or "") in (".", "./") else e.text or ""
            for e in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
        }
        wanted = {
            path.removeprefix(folder).removesuffix("index.html")
            for path in pages
            if path.startswith("zh-Hant/") == bool(folder) and not path.endswith("404.html")
        }
        assert listed == wanted


def test_the_theme_s_script_is_fitted_to_any_folder(site_dir: Path) -> None:
    (bundle,) = (site_dir / "assets" / "javascripts").glob("bundle.*.js")
    text = bundle.read_text(encoding="utf-8")
    assert "link[rel=alternate][data-top]" in text
    assert not (site_dir / "zh-Hant" / "assets").exists(), "both scripts share the assets"


BROKEN = re.compile(r"[\u3001-\u9fff\uff01-\uffee]\s*\n\s*[\u3001-\u9fff\uff01-\uffee]")
"""A line that ends between two Chinese characters: browsers may show a space there."""


def test_no_text_has_a_space_where_a_line_of_its_source_ends(pages: Pages) -> None:
    for path, page in pages.items():
        for element in page.article.all():
            texts = [part for part in element.children if isinstance(part, str)]
            assert not [text for text in texts if BROKEN.search(text)], path


@BY_SLUG
def test_readings_under_other_rules_carry_choices_that_exist(pages: Pages, book: Rulebook) -> None:
    known = {option.id: set(option.names) for option in book.option}
    known["rule_set"] = set(book.rule_set)
    page = game_page(pages, book, "zh-Hans")
    for element in page.root.all():
        if "data-when" not in element.attributes:
            continue
        assert "hidden" in element.attributes
        for name, value in json.loads(element.attributes["data-when"]).items():
            assert value in known[name]
