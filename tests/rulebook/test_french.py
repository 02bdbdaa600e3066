"""French by its own rules: small letters for colours, `d'` before a vowel, a space before `:`."""

from __future__ import annotations

import re

import pytest

from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages, texts
from tableref.rulebook.text import GAMES, flowing, typeset
from tableref.rules.surface import Fact

BOOK = Rulebook("fr")
MARK = "\u00a0"


@pytest.mark.parametrize(
    ("plain", "set_right"),
    [
        ("Squod : égalité", f"Squod{MARK}: égalité"),
        ("lequel était-ce : a ?", f"lequel était-ce{MARK}: a{MARK}?"),
        ("dit « Squod » ; puis", f"dit «{MARK}Squod{MARK}»{MARK}; puis"),
        ("a1:b2 or 3 :4", "a1:b2 or 3 :4"),
        ("Red: nothing changes.", "Red: nothing changes."),
    ],
)
def test_a_space_before_a_mark_does_not_break(plain: str, set_right: str) -> None:
    assert typeset(plain) == set_right


@pytest.mark.parametrize(
    ("plain", "flows"),
    [
        ("pierre de Ouest bat", "Pierre d'Ouest bat"),
        ("la voiture de orange", "La voiture d'orange"),
        ("un pas de a1 en b2. bleu gagne", "Un pas de a1 en b2. Bleu gagne"),
        ("de onze jetons", "De onze jetons"),
        ("c'est joué. a1 est libre", "C'est joué. a1 est libre"),
    ],
)
def test_names_are_put_into_a_sentence_as_french_wants(plain: str, flows: str) -> None:
    assert flowing(plain) == flows


def test_colours_are_small_inside_a_sentence_and_have_a_capital_at_its_beginning() -> None:
    said = BOOK.sentence(Fact("SD-2.2", "not-your-turn", "red", other="blue"))
    assert "bleu" in said or said.startswith("Bleu")
    assert not re.search(r"(?<![.!?] )(?<!^)\b(Rouge|Bleu)\b", said)
    moved = Messages(BOOK).sentence("next", {"who": "red"})
    assert moved == "C'est au tour de rouge."


@pytest.mark.parametrize("game", GAMES.values())
def test_no_mark_of_a_sentence_stands_behind_a_space_that_breaks(game: str) -> None:
    for id in BOOK.ids(game):
        for name, _ in BOOK.paragraph(id).cases:
            said = BOOK.sentence(Fact(id, name, "red", "blue", "a1", "b2", 2, "orange"))
            assert not re.search(r" [:;?!»]|« ", said), said
            assert not re.search(r"(?<=[a-zé,] )(Rouge|Bleu|Orange)\b", said), said
            assert not re.search(r"\bde (orange|Ouest|Est)\b", said), said


@pytest.mark.parametrize("game", GAMES.values())
def test_a_line_of_the_display_has_its_space_before_a_mark(game: str) -> None:
    for id in BOOK.ids(game):
        for name, _ in BOOK.paragraph(id).cases:
            lines = BOOK.screen(Fact(id, name, "red", "blue", "a1", "b2", 2, "orange"))
            text = "\n".join(lines)
            assert not re.search(r" [:;?!»]|« |[^\s:;?!\u00a0][:;?!](\s|$)", text), text


def test_so_has_every_message_of_the_table() -> None:
    for key in texts("fr"):
        for line in Messages(BOOK).screen(key, dict.fromkeys(("who", "what", "to", "other"), "x")):
            assert not re.search(r" [:;?!»]|« |[^\s:;?!\u00a0][:;?!](\s|$)", line), (key, line)
