"""Reading built pages: what stands in them, without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "path",
        "source",
        "track",
        "wbr",
    )
)
UNREAD = frozenset(("script", "style", "template"))


@dataclass
class Element:
    """One element with what is in it."""

    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    def all(self) -> "list[Element]":
        """This element and everything below it, in order."""
        found = [self]
        for child in self.children:
            if isinstance(child, Element):
                found += child.all()
        return found

    def find(self, tag: str = "", **attributes: str) -> "list[Element]":
        """Elements of a tag whose attributes hold these words (`class_` for `class`)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.all()
            if tag in ("", element.tag)
            and all(v in element.attributes.get(n, "").split() for n, v in wanted.items())
        ]

    def text(self, foreign: bool = True) -> str:
        """What a reader sees of it; without `foreign`, parts in another language are left out."""
        if self.tag in UNREAD:
            return ""
        parts = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            elif foreign or "lang" not in child.attributes:
                parts.append(child.text(foreign))
        return "".join(parts)


@dataclass
class BuiltPage:
    """A page of the site."""

    file: Path
    root: Element

    @property
    def lang(self) -> str:
        return self.root.find("html")[0].attributes["lang"]

    @property
    def article(self) -> Element:
        """What is the page's own; the whole page where it is of no theme."""
        return (self.root.find("article") or [self.root])[0]

    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.root.all() if e.attributes.get("id")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self.open) - 1, 0, -1):
            if self.open[at].tag == tag:
                del self.open[at:]
                return

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(file: Path) -> BuiltPage:
    """The page in a file."""
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    reader.close()
    return BuiltPage(file, reader.root)
