"""What the tests of the widgets share: addresses, the engine as the page has it, and what it says."""

import json
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from engine import api
from engine.rulebook import rulebook, slugs
from engine.texts import Lang

Json = Any

# As patient as the pages' own actions: two browsers and two engines share two cores.
expect.set_options(timeout=30_000)


def game_address(slug: str, lang: Lang = "zh-Hans", **query: str) -> str:
    """The address of a game's page below the site's first page; a name such as ``in_`` is ``in``."""
    query = {name.rstrip("_"): value for name, value in query.items()}
    folder = "zh-Hant/" if lang == "zh-Hant" else ""
    return f"{folder}games/{slug}/" + (f"?{urlencode(query)}" if query else "")


def check_address(slug: str, check: str, question: Json, lang: Lang = "zh-Hans") -> str:
    """The address that asks a question."""
    text = question if isinstance(question, str) else api.to_json(question)
    return game_address(slug, lang, check=check, in_=text)


def hand_check(page: Page) -> Locator:
    """The page's hand checker."""
    return page.locator("hand-check")


def shown_answer(page: Page) -> Json:
    """The answer that the hand checker shows, once it does."""
    output = hand_check(page).locator("output[data-answer]")
    expect(output).to_be_visible()
    return json.loads(output.get_attribute("data-answer") or "null")


def shown_refusal(page: Page) -> str:
    """The engine's line of refusal that the hand checker shows, once it does."""
    output = hand_check(page).locator("output[data-refused]")
    expect(output).to_be_visible()
    return output.get_attribute("data-refused") or ""


def asked_in_address(page: Page) -> Json:
    """The question that stands in the page's address."""
    return json.loads(page.evaluate("new URL(location.href).searchParams.get('in')"))


def ask_engine(page: Page, site_url: str, requests: list[str]) -> list[str]:
    """The bare answers of the page's own engine to requests, in order. None of them needed anything that
    the build left out."""
    found: list[str] = page.evaluate(
        """async ([module, requests]) => {
            const { engine } = await import(module);
            const answers = [];
            for (const request of requests) answers.push(await engine.askText(request));
            return answers;
        }""",
        [f"{site_url}assets/engine-client.js", requests],
    )
    assert engine_way(page, site_url) == "snapshot"
    return found


def engine_way(page: Page, site_url: str) -> str:
    """How the page's engine was started: from the "snapshot", or the "plain" and slow way."""
    way: str = page.evaluate(
        "async (module) => (await import(module)).engine.way", f"{site_url}assets/engine-client.js"
    )
    return way


def request(op: str, lang: Lang = "zh-Hans", **args: Json) -> str:
    """A request to the engine as the page sends it."""
    return api.to_json({"op": op, "args": args, "lang": lang})


def all_deals() -> list[tuple[str, str]]:
    """Every example deal, as slug and id."""
    return [(slug, deal.id) for slug in slugs() for deal in rulebook(slug).deal]


def in_order(text: str, *parts: str) -> bool:
    """Whether the parts stand in the text one after the other."""
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
