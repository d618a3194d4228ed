"""The whole site: two runs of MkDocs over one configuration, one for each script.

The simplified pages stand at the top, the traditional ones in `zh-Hant/`. Both use the same assets. No
address is absolute, so the site works from any host and any folder.
"""

import gc
import logging
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext, script_tag_filter, url_filter
from mkdocs.utils.yaml import yaml_load

from engine.rulebook import Rulebook, rulebook, slugs, words
from engine.texts import LANGS, Lang, catalogue, translate
from engine.validate import validate
from macros import ROOT, RUNTIME, BuildError, offline, search
from macros.bundle import bundle
from macros.pages import GamePage, InScript, index_order, parts, vocabulary
from macros.policy import add_policy
from macros.published import publish
from macros.scripts import in_script, refresh_catalogues
from macros.snapshot import ENGINE_MANIFEST
from macros.widgets import write_data

FOLDERS: Mapping[Lang, str] = {"zh-Hans": "", "zh-Hant": "zh-Hant/"}
"""Where the pages of a script stand."""
LANGUAGE_NAMES: Mapping[Lang, str] = {"zh-Hans": "简体", "zh-Hant": "繁體"}
UNUSED = ("assets/javascripts/lunr", "assets/javascripts/workers")
"""Parts of the theme that our own search makes needless."""
SEARCH_WORKER = re.compile(r"assets/javascripts/workers/search\.\w+\.min\.js")
UNNAMED = {
    'data-md-component="search" role="dialog"': (
        'data-md-component="search" role="dialog" aria-label="搜索"'
    ),
    'role="progressbar"': 'role="progressbar" aria-hidden="true"',
}
"""Parts of the theme that a screen reader would meet without a name."""
LINE_END = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")
"""The end of a line between two Chinese characters, which a browser would show as a space."""
CALL = re.compile(r"<p>\{\{ (\w+) \}\}</p>")


@contextmanager
def _nothing_thrown_away() -> Iterator[None]:
    """A build keeps nearly all that it makes to its end: looking through it for what is of no more use
    only takes time, and the more of it the more pages there are."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # Nor is it looked through when Python ends.
        gc.freeze()
        if was_on:
            gc.enable()


@_nothing_thrown_away()
def build_site(out: Path) -> None:
    """Build the site in both scripts into `out`, from the rule data and `docs/`.

    :raises RuleDataError: at the first rule, text or example that does not hold.
    :raises BuildError: when a page cannot be made.
    """
    refresh_catalogues()
    books = [rulebook(slug) for slug in slugs()]
    for book in books:
        validate(book)
    for lang in LANGS:
        _build_pages(out, lang, books)
    # One page for unknown addresses says it in both scripts: many hosts have but one.
    shutil.copyfile(out / "404.html", out / FOLDERS["zh-Hant"] / "404.html")
    _fit_theme(out / "assets" / "javascripts")
    manifest = RUNTIME / ENGINE_MANIFEST
    bundle(out / "assets", manifest.read_text(encoding="utf-8") if manifest.is_file() else "null")
    publish(out / "data", books)
    write_data(out)
    if RUNTIME.is_dir():
        # These two are in the scripts.
        unused = shutil.ignore_patterns("pyodide.mjs", ENGINE_MANIFEST)
        shutil.copytree(RUNTIME, out / "assets" / "pyodide", ignore=unused)
    add_policy(out)
    offline.write_worker(out)


def _build_pages(out: Path, lang: Lang, books: Sequence[Rulebook]) -> None:
    """One run of MkDocs."""
    site = out / FOLDERS[lang]
    heard = _Warnings()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(heard)
    try:
        config = load_config(str(ROOT / "mkdocs.yml"), **_settings(lang), site_dir=str(site))
        config.plugins["cards"] = CardPages(lang, books)
        build_with_mkdocs(config)
    except Abort as error:
        raise BuildError(heard.first or str(error)) from error
    finally:
        logger.removeHandler(heard)
    pairs = ((s, t) for s, t in catalogue("zh-Hant").items())
    to_root = "../" if FOLDERS[lang] else ""
    name, about = config.site_name, config.site_description or ""
    offline.write_manifest(site, lang, to_root, name, about)
    settings = {"fold": search.fold(pairs), "suggestions": list(vocabulary(books, lang))}
    search.finish_index(site, FOLDERS[lang], settings)


class _Warnings(logging.Handler):
    """Keeps what MkDocs warns of: the first is why a strict build stops."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.first = self.first or " ".join(record.getMessage().split())


def _settings(lang: Lang) -> dict[str, Any]:
    """The settings of `mkdocs.yml` with their texts in the reader's script."""
    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        settings = yaml_load(file)
    settings["theme"]["language"] = lang
    found: dict[str, Any] = _texts_in_script(settings, lang)
    return found


def _texts_in_script(node: Any, lang: Lang) -> Any:
    if isinstance(node, str):
        return in_script(node, lang)
    if isinstance(node, dict):
        return {key: _texts_in_script(inner, lang) for key, inner in node.items()}
    if isinstance(node, list):
        return [_texts_in_script(inner, lang) for inner in node]
    return node


class CardPages(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Brings the game pages into MkDocs, and everything else into the script of the run."""

    def __init__(self, lang: Lang, books: Sequence[Rulebook]) -> None:
        self.lang = lang
        self.books = index_order(books)
        self.pages = {f"games/{book.slug}.md": GamePage(book, lang) for book in self.books}
        self.parts = parts(books, lang)

    @property
    def to_root(self) -> str:
        """From the first page of this script to the first page of the site."""
        return "../" if FOLDERS[self.lang] else ""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the games into the navigation, by family, after the first page."""
        families: dict[str, list[str]] = {}
        for source, page in self.pages.items():
            family = translate(words().family[page.book.game.family], self.lang)
            families.setdefault(family, []).append(source)
        first, *rest = config.nav or []
        config.nav = [first, *({family: list(pages)} for family, pages in families.items()), *rest]
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the game pages; the second script takes its assets from the first."""
        for source, page in self.pages.items():
            content = f"---\ntitle: {page.title}\n---\n"
            files.append(File.generated(config, source, content=content))
        for file in list(files):
            shared = self.to_root and not file.is_documentation_page()
            if shared or file.src_uri.startswith(UNUSED) or file.src_uri.endswith(".map"):
                files.remove(file)
        return files

    def on_env(
        self, env: jinja2.Environment, config: MkDocsConfig, files: Files
    ) -> jinja2.Environment:
        """Have the theme speak this script, and find the shared assets."""
        env.filters["in_script"] = in_script
        env.globals["offline_labels"] = offline.labels(self.lang)
        if self.lang == "zh-Hans" or env.loader is None:
            return env
        env.loader = InScript(env.loader, self.lang)

        @pass_context
        def url(context: Context, value: str) -> str:
            path = self._shared(str(value))
            if not path.startswith("../"):
                return url_filter(context, path)  # type: ignore[arg-type]
            top = url_filter(context, ".")  # type: ignore[arg-type]
            return path if top in (".", "./") else f"{top.rstrip('/')}/{path}"

        @pass_context
        def script_tag(context: Context, script: Any) -> str:
            tag = str(script_tag_filter(context, script))  # type: ignore[arg-type]
            path = url_filter(context, str(script))  # type: ignore[arg-type]
            return Markup(tag.replace(path, url(context, str(script)), 1))

        env.filters |= {"url": url, "script_tag": script_tag}
        return env

    def _shared(self, value: str) -> str:
        return f"{self.to_root}{value}" if value.startswith("assets/") else value

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Hand-written pages, front matter included, in the reader's script."""
        page.meta = _texts_in_script(page.meta, self.lang)
        return in_script(markdown, self.lang)

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """A game's page from its rule data; on others, what a paragraph `{{ name }}` calls in."""
        game = self.pages.get(page.file.src_uri)
        if game is None:
            joined = LINE_END.sub("", html)
            return CALL.sub(lambda found: self._part(found[1], page), joined)
        content = str(game.html)
        page.toc = get_toc(game.headings())  # type: ignore[arg-type]
        page.meta.update(description=game.description, search={"exclude": True})
        return content

    def _part(self, name: str, page: Page) -> str:
        if name not in self.parts:
            known = ", ".join(self.parts)
            raise BuildError(f"{page.file.src_uri}: no part {name!r}; there are {known}")
        return str(self.parts[name]())

    def on_page_context(
        self, context: TemplateContext, /, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Link the same page in both scripts, and index a game's rules one by one."""
        place = page.url.removeprefix("./")
        config.extra["alternate"] = [
            {
                "name": LANGUAGE_NAMES[lang],
                "lang": lang,
                "link": f"{self.to_root}{FOLDERS[lang]}{place}" if lang != self.lang else page.url,
            }
            for lang in LANGS
        ]
        # What a reader chose is kept for both scripts alike.
        config.extra["scope"] = f"{get_relative_url('.', page.url)}/{self.to_root}"
        if game := self.pages.get(page.file.src_uri):
            index = config.plugins["material/search"].search_index  # type: ignore[attr-defined]
            index.entries.extend(game.search_entries(page.url))
        return context

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Give the theme our own search, and names to what it leaves unnamed."""
        output = SEARCH_WORKER.sub("assets/search-worker.js", output)
        for theirs, ours in UNNAMED.items():
            output = output.replace(theirs, in_script(ours, self.lang))
        return output


def _fit_theme(folder: Path) -> None:
    """Mend two readings in the theme's script that keep it from working in any folder.

    Instant navigation wants absolute addresses in the sitemap: take them as relative to it. And it
    takes each alternate link for the top of another site, while ours lead to the page itself.

    :raises BuildError: when a new version of the theme reads otherwise.
    """
    (bundle,) = folder.glob("bundle.*.min.js")
    text = bundle.read_text(encoding="utf-8")
    for pattern, new in (
        (r"new URL\((\w+)\.textContent\),(\w+)\)", r"new URL(\1.textContent,\2),\2)"),
        (r"link\[rel=alternate\]", r"link[rel=alternate][data-top]"),
    ):
        text, count = re.subn(pattern, new, text)
        if count != 1:
            raise BuildError(f"{bundle.name}: {pattern} stands there {count} times, not once")
    bundle.write_text(re.sub(r"\n//# sourceMappingURL=.*", "", text), encoding="utf-8")
