"""Answers in words: nothing of the engine's own keys is left in what a reader sees."""

import re

import pytest

from engine import api
from engine.answers import say_answer
from engine.rulebook import rulebook, slugs
from engine.texts import LANGS

OWN_WORDS = re.compile(r"[a-z_]{3,}")


@pytest.mark.parametrize("slug", slugs())
def test_answers_are_said_in_the_readers_words(slug: str) -> None:
    book = rulebook(slug)
    left = {}
    for example in book.example:
        if not example.check:
            continue
        found = api.check(slug, example.check, example.question)
        rules = book.rules(found["rule_set"], found["options"])
        for lang in LANGS:
            for line in say_answer(rules, example.check, found["answer"], lang):
                if OWN_WORDS.search(line):
                    left[example.id] = line
    assert left == {}
