"""The terms of a game, explained where they first stand on its page."""

import re
from dataclasses import dataclass, field

from markupsafe import Markup

from engine.rulebook import Rulebook, words
from engine.texts import Lang, translate
from macros.cards import tokens_html


@dataclass(frozen=True)
class Term:
    """A term with its explanation, in the page's script. `anchor` is where it is explained."""

    word: str
    meaning: str
    anchor: str


def terms_of(book: Rulebook, lang: Lang) -> tuple[Term, ...]:
    """The game's own terms, then those that all games share."""
    glossary = {**words().glossary, **book.glossary}
    own = sorted(glossary, key=lambda word: word not in book.glossary)
    return tuple(
        Term(translate(word, lang), translate(glossary[word], lang), f"{book.slug}-term-{number}")
        for number, word in enumerate(own, 1)
    )


@dataclass
class TermMarker:
    """Marks terms in the texts of one page, in the order in which a reader meets them.

    The first time a term is met it is set as defined here, and `take_new` gives it, so that its
    explanation can stand below the text. After that, once a section, it links there.
    """

    book: Rulebook
    lang: Lang
    met: list[Term] = field(default_factory=list)
    _new: list[Term] = field(default_factory=list)
    _in_section: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.terms = {term.word: term for term in terms_of(self.book, self.lang)}
        longest_first = sorted(self.terms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def new_section(self) -> None:
        """From here on, a known term links to its explanation once more."""
        self._in_section.clear()

    def html(self, text: str, *, defining: bool = True) -> Markup:
        """A text with its cards as tokens and its terms marked.

        Without `defining`, terms not met before are left as plain words.
        """
        parts: list[Markup] = []
        at = 0
        for found in self._pattern.finditer(text):
            parts += [tokens_html(text[at : found.start()], self.lang),
                      self._marked(self.terms[found[0]], defining=defining)]  # fmt: skip
            at = found.end()
        return Markup("").join([*parts, tokens_html(text[at:], self.lang)])

    def _marked(self, term: Term, *, defining: bool) -> Markup:
        if term not in self.met:
            if not defining:
                return Markup.escape(term.word)
            self.met.append(term)
            self._new.append(term)
            self._in_section.add(term.word)
            return Markup("<dfn>{}</dfn>").format(term.word)
        if term.word in self._in_section:
            return Markup.escape(term.word)
        if defining:
            self._in_section.add(term.word)
        return Markup('<a class="term" href="#{}">{}</a>').format(term.anchor, term.word)

    def take_new(self) -> tuple[Term, ...]:
        """The terms met since the last call."""
        new, self._new = tuple(self._new), []
        return new
