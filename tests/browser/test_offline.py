"""Keeping the site for offline, in a browser whose network is really cut: kept whole or not at all."""

import base64
import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from macros import RUNTIME, SITE
from macros.offline import MANIFEST, write_worker
from macros.serve import SiteHandler, SiteServer
from macros.site import FOLDERS
from macros.snapshot import ENGINE_MANIFEST, SNAPSHOT
from tests.browser.conftest import NewPage
from tests.browser.test_pages import find
from tests.browser.widgets import check_address, game_address, hand_check, shown_answer

TRICK = {"cards": ["S5", "SK", "H2", "S3"], "trump": "H"}
CSS = "assets/page.css"
HOME = "index.html"
AT_REST_MS = 5000
"""A page that has been open so long does not change to another build by itself."""
WORKER_SCRIPT = "assets/engine-worker.js"


class Host(SiteServer):
    """Serves a copy of the site that can be changed, lose files, and be cut off."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, prefix="/sub/")
        self.RequestHandlerClass = partial(HostHandler, directory=str(folder), prefix=self.prefix)
        self.folder = folder
        self.sockets: list[Any] = []
        self.asked: list[str] = []
        """The files asked for, in order."""
        self.broken: set[str] = set()
        """Files whose sending ends half way."""
        self.down = False

    def verify_request(self, request: Any, client_address: Any) -> bool:
        self.sockets.append(request)
        return not self.down

    def cut(self) -> None:
        """Answer nothing any more, on open connections neither."""
        self.down = True
        for socket in self.sockets:
            # Also one that is closed already.
            try:
                socket.shutdown(2)
            except OSError:
                continue

    def put(self, name: str, text: str) -> None:
        """Put other text into a file of the copy (which shares its files with the site)."""
        (self.folder / name).unlink(missing_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def publish(self, **texts: str) -> str:
        """Make another build of the site, and give its id: a mark goes into some files of each kind."""
        for name in (HOME, "zh-Hant/index.html", CSS):
            text = (self.folder / name).read_text(encoding="utf-8")
            mark = "/* second build */" if name == CSS else "<p>second build</p></body>"
            self.put(name, text + mark if name == CSS else text.replace("</body>", mark))
        worker = self.folder / WORKER_SCRIPT
        self.put(WORKER_SCRIPT, worker.read_text(encoding="utf-8") + "// second build\n")
        for name, text in texts.items():
            self.put(name, text)
        self.asked.clear()
        return write_worker(self.folder)

    def hashes(self) -> dict[str, str]:
        """The hashes of the build, by file."""
        return {name: hash_ for name, (hash_, _) in self._build()["files"].items()}

    def cache_name(self) -> str:
        """What the browser calls the cache of the build."""
        return f"card-rules {self.prefix} {self._build()['id']}"

    def _build(self) -> dict[str, Any]:
        first = (self.folder / "sw.js").read_text(encoding="utf-8").partition(";\n")[0]
        build: dict[str, Any] = json.loads(first.removeprefix("self.BUILD = "))
        return build


class HostHandler(SiteHandler):
    """Keeps a list of what was asked for, and breaks off where the host says so."""

    server: Host

    def do_GET(self) -> None:  # noqa: N802  (the base class has it so)
        name = self.path.partition("?")[0].removeprefix(self.prefix)
        name = name + HOME if name.endswith("/") or not name else name
        self.server.asked.append(name)
        if name in self.server.broken:
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
            return
        super().do_GET()


def copy_of_site(folder: Path, wanted: Callable[[str], bool]) -> Path:
    """The wanted files of the built site in a folder of their own, with a worker that keeps these."""
    if not (SITE / "sw.js").is_file():
        pytest.fail("site/ is missing: run ./site-build.sh build first", pytrace=False)

    # The copy shares its files with the site, so what is written into it must be new.
    made = {"sw.js", "offline.json"}

    def unwanted(at: str, names: list[str]) -> list[str]:
        paths = {name: Path(at, name) for name in names}
        return [
            name
            for name, path in paths.items()
            if path.is_file() and (name in made or not wanted(path.relative_to(SITE).as_posix()))
        ]

    shutil.copytree(
        SITE, folder, ignore=unwanted, copy_function=lambda a, b: Path(b).hardlink_to(a)
    )
    write_worker(folder)
    return folder


def serve(folder: Path) -> Iterator[Host]:
    with Host(folder) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield host
        host.shutdown()


@pytest.fixture
def whole_host(tmp_path: Path) -> Iterator[Host]:
    """Serve all of the site."""
    yield from serve(copy_of_site(tmp_path / "site", lambda _: True))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Serve a smaller site, with one game and no Python."""

    def wanted(name: str) -> bool:
        if "pyodide/" in name or name.startswith("data/"):
            return False
        return "sibaifen" in name or not ("games/" in name or "widgets/" in name)

    yield from serve(copy_of_site(tmp_path / "site", wanted))


@pytest.fixture
def site_url(request: pytest.FixtureRequest) -> str:
    """The address of the host that the test works with (see `new_page`)."""
    name = "whole_host" if "whole_host" in request.fixturenames else "host"
    url: str = request.getfixturevalue(name).url
    return url


def switch(page: Page) -> Locator:
    """The opened switch at the foot of the page."""
    found = page.locator("offline-keep")
    if not found.locator("details[open]").count():
        found.locator("summary").click()
    return found


def press(page: Page, label: str) -> None:
    switch(page).get_by_role("button", name=label, exact=True).click()


def expect_state(page: Page, state: str) -> None:
    expect(page.locator("offline-keep")).to_have_attribute("data-state", state)


def keep(page: Page, host: Host) -> None:
    """Open the first page and keep the site."""
    page.goto(host.url)
    press(page, "存下来")
    expect_state(page, "kept")


def cut(page: Page, host: Host) -> None:
    page.context.set_offline(True)
    host.cut()


def ask_page(page: Page, script: str, value: Any = None) -> Any:
    """What a script answers in the page; asked again where the page loads itself anew meanwhile."""
    for _ in range(10):
        try:
            return page.evaluate(script, value)
        except PlaywrightError as error:
            if "Execution context was destroyed" not in str(error):
                raise
            page.wait_for_load_state()
    raise AssertionError("the page does not come to rest")


def reload(page: Page) -> None:
    """Load the page anew; it may be doing that itself just now, for a new build."""
    try:
        page.reload()
    except PlaywrightError as error:
        if "ERR_ABORTED" not in str(error):
            raise
        page.wait_for_load_state()


def stored(page: Page) -> dict[str, Any]:
    """What the browser holds for the site."""
    found: dict[str, Any] = ask_page(
        page,
        """async () => ({
            workers: (await navigator.serviceWorker.getRegistrations()).length,
            caches: await caches.keys(),
            storage: Object.keys(localStorage).filter((key) => key.includes("offline")),
        })""",
    )
    return found


def expect_caches(page: Page, *names: str) -> None:
    """Only these are there, once a worker has taken over and tidied up."""
    found: list[str] = []
    for _ in range(100):
        found = stored(page)["caches"]
        if found == list(names):
            return
        page.wait_for_timeout(100)
    assert found == list(names)


def served(page: Page, host: Host, names: list[str]) -> dict[str, str]:
    """The hashes of files as the page gets them."""
    found: dict[str, str] = ask_page(
        page,
        """async ([root, names]) => {
            const hash = async (name) => {
                const path = name.replace(/(^|\\/)index\\.html$/, "$1");
                const response = await fetch(new URL(path, root)).catch((error) => [name, error]);
                if (Array.isArray(response)) return response.map(String);
                const bytes = await response.arrayBuffer();
                const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
                return [name, `sha256-${btoa(String.fromCharCode(...digest))}`];
            };
            return Object.fromEntries(await Promise.all(names.map(hash)));
        }""",
        [host.url, names],
    )
    return found


def look_for_update(page: Page) -> None:
    """Have the browser look for a new build, as it also does when a page is loaded, and try it."""
    ask_page(
        page,
        """async () => {
            const registration = await navigator.serviceWorker.ready;
            await registration.update().catch(() => {});
            while (registration.installing) await new Promise((go) => setTimeout(go, 50));
        }""",
    )


def test_nothing_is_kept_before_the_reader_chooses(page: Page, host: Host) -> None:
    page.goto(host.url)
    page.goto(host.url + game_address("sibaifen"))
    page.wait_for_load_state("networkidle")
    expect_state(page, "none")
    assert stored(page) == {"workers": 0, "caches": [], "storage": []}
    assert not {"sw.js", "offline.json"} & set(host.asked)


def test_after_keeping_all_works_without_a_network(page: Page, whole_host: Host) -> None:
    host = whole_host
    page.goto(host.url)
    size = sum((host.folder / name).stat().st_size for name in host.hashes())
    expect(switch(page).get_by_role("status")).to_contain_text(f"大约{-(-size // 10**6)} MB")
    press(page, "存下来")
    expect_state(page, "kept")
    cut(page, host)
    pages = sorted(f.relative_to(host.folder).as_posix() for f in host.folder.rglob(HOME))
    assert len(pages) > 30
    for name in pages:
        answer = page.goto(host.url + name.removesuffix(HOME), wait_until="domcontentloaded")
        assert answer, name
        assert answer.ok, name
        expect(page.locator("h1")).to_be_visible()
    for lang, folder in FOLDERS.items():
        page.goto(host.url + check_address("sibaifen", "trick", TRICK, lang))
        assert shown_answer(page) == {"winner": 2, "points": 55}
        page.goto(host.url + folder)
        assert f"{host.url}{folder}games/sibaifen/" in find(page, "四百分")[0]
    page.goto(host.url + game_address("sibaifen", deal="made", step="2"))
    player = page.locator("deal-player[deal=made]")
    expect(player.locator(".step-count")).to_contain_text("第2步")
    player.get_by_role("button", name="下一步").click()
    expect(player.locator(".step-count")).to_contain_text("第3步")
    # Also as one comes from elsewhere: without the slash at the end.
    page.goto(f"{host.url}games/sibaifen?deal=made")
    expect(page.locator("h1")).to_have_text("四百分")
    assert page.url.startswith(f"{host.url}games/sibaifen/?deal=made")


@pytest.mark.page_errors_expected
def test_an_unknown_address_is_said_to_be_one_offline_too(page: Page, host: Host) -> None:
    keep(page, host)
    cut(page, host)
    answer = page.goto(f"{host.url}games/none/")
    assert answer
    assert answer.status == 404
    assert page.locator("a:visible").evaluate("a => a.href") == host.url


def test_the_page_that_is_open_goes_on_without_a_network(page: Page, host: Host) -> None:
    keep(page, host)
    cut(page, host)
    page.evaluate("window.samePage = true")
    page.locator(".md-nav a", has_text="怎么读").first.click()
    expect(page.locator("h1")).to_contain_text("怎么读")
    assert page.evaluate("window.samePage"), "the navigation was not instant"
    expect_state(page, "kept")


def test_two_tabs_change_to_a_new_build_whole_and_together(page: Page, host: Host) -> None:
    keep(page, host)
    other = page.context.new_page()
    other.goto(host.url + check_address("sibaifen", "trick", TRICK))
    old, old_cache = host.hashes(), host.cache_name()
    host.publish()
    new, new_cache = host.hashes(), host.cache_name()
    changed = {name for name in new if new[name] != old[name]}
    assert 3 <= len(changed) < len(new) / 2
    look_for_update(page)
    expect_state(page, "new")
    # Only what is new was fetched, and while both tabs are open both have the old build.
    assert {name for name in host.asked if name in new} == changed
    for tab in (page, other):
        reload(tab)
        assert served(tab, host, list(old)) == old
        expect_state(tab, "new")
    press(page, "现在换上")
    for tab in (page, other):
        expect_state(tab, "kept")
        tab.wait_for_load_state()
        assert served(tab, host, list(new)) == new
    assert old_cache != new_cache
    expect_caches(page, new_cache)
    assert hand_check(other).locator(".chosen .card").count() == 4


def test_reloading_the_only_tab_brings_the_new_build(page: Page, host: Host) -> None:
    keep(page, host)
    page.goto(f"{host.url}?players=4#games")
    page.wait_for_timeout(AT_REST_MS)
    host.publish()
    new = host.hashes()
    look_for_update(page)
    expect_state(page, "new")
    cut(page, host)
    reload(page)
    expect_state(page, "kept")
    assert page.url == f"{host.url}?players=4#games"
    expect(page.get_by_text("second build")).to_be_visible()
    assert served(page, host, list(new)) == new
    expect_caches(page, host.cache_name())


def test_closing_the_last_tab_brings_the_new_build(page: Page, host: Host) -> None:
    keep(page, host)
    host.publish()
    look_for_update(page)
    expect_state(page, "new")
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(host.url)
    expect_state(page, "kept")
    assert served(page, host, list(host.hashes())) == host.hashes()


def lose(host: Host) -> None:
    (host.folder / CSS).unlink()


def alter(host: Host) -> None:
    host.put(CSS, "body { color: red }")


def break_off(host: Host) -> None:
    host.broken.add(CSS)


@pytest.mark.page_errors_expected
@pytest.mark.parametrize(
    ("spoil", "said"),
    [(lose, "对不上"), (alter, "对不上"), (break_off, "网断了")],
)
def test_a_spoilt_update_leaves_the_old_build_whole(
    page: Page, host: Host, spoil: Callable[[Host], None], said: str
) -> None:
    keep(page, host)
    old, old_cache = host.hashes(), host.cache_name()
    host.publish()
    css = (host.folder / CSS).read_text(encoding="utf-8")
    spoil(host)
    look_for_update(page)
    expect_state(page, "fault")
    status = switch(page).get_by_role("status")
    expect(status).to_contain_text(said)
    expect(status).to_contain_text("以前存好的那一版没有动")
    reload(page)
    assert served(page, host, list(old)) == old
    assert old_cache in stored(page)["caches"]
    # Once all is there, the update comes through. The look that the browser took by itself after the
    # page was loaded may still have met the fault, so there are two.
    host.broken.clear()
    host.put(CSS, css)
    look_for_update(page)
    look_for_update(page)
    reload(page)
    expect_caches(page, host.cache_name())
    assert served(page, host, list(host.hashes())) == host.hashes()


@pytest.mark.page_errors_expected
def test_keeping_that_is_cut_off_goes_on_where_it_was(page: Page, host: Host) -> None:
    host.broken.add(CSS)
    page.goto(host.url)
    press(page, "存下来")
    expect_state(page, "fault")
    status = switch(page).get_by_role("status")
    expect(status).to_contain_text("网断了")
    expect(status).not_to_contain_text("以前存好的")
    assert stored(page)["workers"] == 0
    reload(page)
    expect_state(page, "none")
    taken = set(host.asked)
    host.broken.clear()
    host.asked.clear()
    press(page, "存下来")
    expect_state(page, "kept")
    # Files that were on their way when it was cut off may be asked for again.
    again = set(host.asked) & set(host.hashes()) & taken
    assert len(again) < len(host.hashes()) / 2
    cut(page, host)
    assert served(page, host, list(host.hashes())) == host.hashes()


def test_switched_off_nothing_is_left_and_it_can_be_kept_again(page: Page, host: Host) -> None:
    keep(page, host)
    press(page, "删掉存下的")
    expect_state(page, "none")
    expect(switch(page).get_by_role("status")).to_contain_text("删干净了")
    assert stored(page) == {"workers": 0, "caches": [], "storage": []}
    # The page that is open still has the worker, which must not bring anything back.
    page.locator(".md-nav a", has_text="怎么读").first.click()
    expect(page.locator("h1")).to_contain_text("怎么读")
    assert stored(page) == {"workers": 0, "caches": [], "storage": []}
    press(page, "存下来")
    expect_state(page, "kept")
    cut(page, host)
    assert served(page, host, list(host.hashes())) == host.hashes()
    page.goto(host.url)
    expect_state(page, "kept")


def test_what_the_browser_cleared_away_is_noticed_and_kept_again(page: Page, host: Host) -> None:
    keep(page, host)
    page.evaluate(
        "async ([cache, url]) => (await caches.open(cache)).delete(url)",
        [host.cache_name(), host.url + CSS],
    )
    reload(page)
    expect_state(page, "broken")
    press(page, "再存一次")
    expect_state(page, "kept")
    page.evaluate("async (cache) => caches.delete(cache)", host.cache_name())
    reload(page)
    expect_state(page, "broken")
    press(page, "再存一次")
    expect_state(page, "kept")
    cut(page, host)
    assert served(page, host, list(host.hashes())) == host.hashes()


def set_quota(page: Page, host: Host, size: int | None) -> None:
    """Give the site so many bytes; as many as usual for None."""
    cdp = page.context.new_cdp_session(page)
    limit = {} if size is None else {"quotaSize": size}
    origin = host.url.removesuffix(host.prefix)
    cdp.send("Storage.overrideQuotaForOrigin", {"origin": origin, **limit})


@pytest.mark.page_errors_expected
def test_when_the_room_gives_out_nothing_is_left_and_it_is_said(page: Page, host: Host) -> None:
    page.goto(host.url)
    set_quota(page, host, 500_000)
    press(page, "存下来")
    expect_state(page, "fault")
    expect(switch(page).get_by_role("status")).to_contain_text("空间不够")
    assert stored(page) == {"workers": 0, "caches": [], "storage": []}
    set_quota(page, host, None)
    press(page, "再存一次")
    expect_state(page, "kept")


def with_worker(host: Host, code: str) -> None:
    """Have the host's worker run in a browser with a fault, which the code makes."""
    worker = (host.folder / "sw.js").read_text(encoding="utf-8")
    host.put("sw.js", worker.replace(";\n", f";\n{code}", 1))


NO_ROOM = """
navigator.storage.estimate = async () => ({ quota: 500000, usage: 400000 });
"""


@pytest.mark.page_errors_expected
def test_too_little_room_is_said_before_anything_is_fetched(page: Page, host: Host) -> None:
    with_worker(host, NO_ROOM)
    page.goto(host.url)
    press(page, "存下来")
    expect_state(page, "fault")
    expect(switch(page).get_by_role("status")).to_contain_text("空间不够")
    assert host.asked[-1] == "sw.js"
    assert stored(page) == {"workers": 0, "caches": [], "storage": []}


FULL_AFTER = """
const { put } = Cache.prototype;
let room = 5;
Cache.prototype.put = function (...entry) {
  room -= 1;
  if (room < 0) return Promise.reject(new DOMException("full", "QuotaExceededError"));
  return put.apply(this, entry);
};
"""


@pytest.mark.page_errors_expected
def test_an_update_for_which_there_is_no_room_leaves_the_old_build_whole(
    page: Page, host: Host
) -> None:
    keep(page, host)
    old, old_cache = host.hashes(), host.cache_name()
    host.publish()
    with_worker(host, FULL_AFTER)
    look_for_update(page)
    expect_state(page, "fault")
    expect(switch(page).get_by_role("status")).to_contain_text("空间不够")
    expect_caches(page, old_cache)
    cut(page, host)
    reload(page)
    expect_state(page, "kept")
    assert served(page, host, list(old)) == old


DENIED = """
navigator.serviceWorker.register = () => Promise.reject(new DOMException("no", "SecurityError"));
"""
UNKNOWN = """
Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });
"""


def test_a_browser_that_denies_it_is_named_and_the_page_works(page: Page, host: Host) -> None:
    page.add_init_script(DENIED)
    page.goto(host.url)
    press(page, "存下来")
    expect_state(page, "fault")
    expect(switch(page).get_by_role("status")).to_contain_text("浏览器不让网站存东西")
    page.locator(".games a", has_text="四百分").click()
    expect(page.locator("h1")).to_have_text("四百分")


def test_a_browser_that_cannot_is_named(page: Page, host: Host) -> None:
    page.add_init_script(UNKNOWN)
    page.goto(f"{host.url}zh-Hant/")
    expect(switch(page).get_by_role("status")).to_contain_text("這個瀏覽器不能把網站存下來")
    expect(page.locator("offline-keep button")).to_have_count(0)


def test_without_a_script_there_is_no_dead_switch(new_page: NewPage, host: Host) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(host.url)
    expect(page.locator("offline-keep")).to_be_hidden()


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_the_site_can_be_installed(page: Page, host: Host, folder: str) -> None:
    page.goto(f"{host.url}{folder}reading/")
    cdp = page.context.new_cdp_session(page)
    found = cdp.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{host.url}{folder}{MANIFEST}"
    # Chromium installs nothing in the private windows that tests run in.
    faults = cdp.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults if fault["errorId"] != "in-incognito"] == []
    manifest = json.loads(found["data"])
    assert manifest["name"] == ("牌規" if folder else "牌规")
    assert found["manifest"]["startUrl"] == host.url + folder
    assert found["manifest"]["scope"] == host.url
    for icon in found["manifest"]["icons"]:
        width = page.evaluate(
            """async (src) => {
                const image = new Image();
                image.src = src;
                await image.decode();
                return [image.naturalWidth, image.naturalHeight].join("x");
            }""",
            icon["url"],
        )
        assert width == icon["sizes"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


def test_a_snapshot_never_meets_the_files_of_another_build(page: Page, whole_host: Host) -> None:
    host = whole_host
    keep(page, host)
    runtime = host.folder / "assets" / "pyodide"
    # What stands after the last frame is not unpacked.
    snapshot = (runtime / SNAPSHOT).read_bytes() + b"another build"
    (runtime / SNAPSHOT).unlink()
    (runtime / SNAPSHOT).write_bytes(snapshot)
    known = json.loads((RUNTIME / ENGINE_MANIFEST).read_text(encoding="utf-8"))["files"][SNAPSHOT]
    digest = base64.b64encode(hashlib.sha256(snapshot).digest()).decode()
    worker = (host.folder / WORKER_SCRIPT).read_text(encoding="utf-8")
    assert known in worker
    host.publish(**{WORKER_SCRIPT: worker.replace(known, f"sha256-{digest}")})
    other = page.context.new_page()
    other.goto(host.url)
    expect_state(other, "new")
    # What starts Python without a snapshot is not kept, so an answer can only come from one that fits.
    cut(page, host)
    page.goto(host.url + check_address("sibaifen", "trick", TRICK))
    assert shown_answer(page) == {"winner": 2, "points": 55}
    expect_state(page, "new")
    page.wait_for_timeout(AT_REST_MS)
    other.close()
    reload(page)
    expect_state(page, "kept")
    assert shown_answer(page) == {"winner": 2, "points": 55}
    page.goto(host.url + "reading/")
    assert served(page, host, list(host.hashes())) == host.hashes()
