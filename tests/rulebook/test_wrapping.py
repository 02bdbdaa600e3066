"""What is said around a question asks nothing."""

from __future__ import annotations

import pytest

from tableref.rulebook.askingwords import around_of, words_of
from tableref.rulebook.wrapping import bare, parts


@pytest.mark.parametrize(
    ("lang", "said", "asked"),
    [
        ("en", "ok wait mum says that its her go right", "its her go"),
        ("en", "who says so", "who says so"),
        ("fr", "dis papa pense que rouge mène ou pas", "rouge mene"),
        ("de", "sag mal oma meint sie wär dran oder nicht", "sie war dran"),
        ("de", "du oder ich", "du oder ich"),
        ("en", "ok right", "ok right"),
    ],
)
def test_openers_thoughts_and_tags_are_left_out(lang: str, said: str, asked: str) -> None:
    assert " ".join(bare(words_of(said, lang), around_of(lang))) == asked


def test_a_question_is_cut_into_its_sentences() -> None:
    assert parts("ok im stuck, what moves are there?") == ["ok im stuck", "what moves are there?"]
    assert parts("red to b3?") == ["red to b3?"]
