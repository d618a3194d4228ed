"""A real Chromium, the built site under a sub-path, and pages that fail the test on any fault."""

import threading
from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from macros import SITE
from macros.serve import SiteServer
from macros.tasks import chromium_path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
TIMEOUT_MS = 60_000
"""Patience of a page: the engine starts slowly where two browsers share two cores."""


class NewPage(Protocol):
    """Opens an empty page in a context of its own; every fault in it fails the test at its end."""

    def __call__(self, *, phone: bool = False, dark: bool = False, **options: Any) -> Page:
        """Give a page: ``phone`` 390x844 with touch, ``dark`` scheme; ``options`` as Playwright's
        ``new_context`` takes them."""


@pytest.fixture(scope="session")
def site_url() -> Iterator[str]:
    """Serve the built site under a sub-path, as many static hosts do; give its address."""
    if not (SITE / "index.html").is_file():
        pytest.fail("site/ is missing: run ./site-build.sh build first", pytrace=False)
    with SiteServer(SITE, prefix="/sub/") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.url
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium; where there is none, the tests fail."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser, site_url: str, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Give a function that opens watched pages (see `NewPage`).

    A script error, an error in the console or a request to another origin fails the test. A test
    that breaks something on purpose is marked ``page_errors_expected``; other origins stay barred.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []
    strangers: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"console: {message.text} ({message.location.get('url', '')})")

    def asked(url: str) -> None:
        if not is_same_origin(url, site_url):
            strangers.append(url)

    def open_page(*, phone: bool = False, dark: bool = False, **options: Any) -> Page:
        settings: dict[str, Any] = {"locale": "zh-CN", "viewport": {"width": 1280, "height": 900}}
        if phone:
            settings |= {
                "viewport": {"width": 390, "height": 844},
                "is_mobile": True,
                "has_touch": True,
            }
        if dark:
            settings["color_scheme"] = "dark"
        context = browser.new_context(**(settings | options))
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        context.on("weberror", lambda fault: errors.append(f"script: {fault.error}"))
        context.on("console", heard)
        context.on("request", lambda sent: asked(sent.url))
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    if request.node.get_closest_marker("page_errors_expected"):
        errors.clear()
    faults = [*errors, *(f"request to another origin: {url}" for url in strangers)]
    if faults:
        pytest.fail("the page had faults:\n" + "\n".join(faults), pytrace=False)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """Give one watched page at desktop width."""
    return new_page()


@pytest.fixture
def phone_page(new_page: NewPage) -> Page:
    """Give one watched page at phone width, with touch."""
    return new_page(phone=True)


def is_same_origin(url: str, site: str) -> bool:
    """Tell whether ``url`` is on the site's origin, or is no network address at all."""
    parts, home = urlsplit(url), urlsplit(site)
    if parts.scheme in {"data", "blob", "about"}:
        return True
    return (parts.scheme, parts.netloc) == (home.scheme, home.netloc)
