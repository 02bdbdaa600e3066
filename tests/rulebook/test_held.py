"""What pieces are called in a hand: with an article, in every language, for every piece."""

from __future__ import annotations

import pytest

from tableref.referee.games import GAMES, load_game
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES

ARTICLES = {
    "en": ("a ", "the "),
    "fr": ("un ", "une ", "le ", "la ", "les "),
    "de": ("einen ", "eine ", "ein ", "den ", "die ", "das "),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_piece_of_every_game_has_its_article(name: str, lang: str) -> None:
    book = Rulebook(lang)
    for stack in load_game(name).stacks:
        for piece in stack:
            called = book.held(piece)
            assert called, (piece, lang)
            assert called.startswith(ARTICLES[lang]), called


def test_a_piece_that_lies_under_a_face_is_told_with_whose_it_is() -> None:
    [stack] = [s for s in load_game("squod").stacks if (s[0].side, s[0].face) == ("0", "?")]
    assert Rulebook("en").held(stack[0], "S") == "a hidden piece (South)"
    assert Rulebook("de").held(stack[0], "S") == "eine verdeckte Figur (Süd)"


def test_a_piece_without_words_is_called_as_before() -> None:
    [stack] = [s for s in load_game("skorpion-deep").stacks if s[0].kind == "tail"][:1]
    assert Rulebook("en").held(stack[0]._replace(kind="pin")) is None
