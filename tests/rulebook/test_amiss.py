"""What is amiss with what was typed is said in the language of the game."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import tableref.rules
from tableref.rulebook import Rulebook
from tableref.rulebook.amiss import amiss, templates
from tableref.rules.surface import RulesError, UnreadableAction

RULES = Path(tableref.rules.__file__).parent
TYPED = {"no question has so many answers: {what}"}
"""What the terminal itself says."""
other_languages = pytest.mark.parametrize("lang", ["fr", "de"])


def raised() -> set[str]:
    """Messages of the rules that are templates; those made on the spot are of records."""
    calls = (
        node
        for path in RULES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )
    return {
        call.args[0].value
        for call in calls
        if call.func.id in ("UnreadableAction", "AmbiguousAction")  # type: ignore[attr-defined]
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def fields(template: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(template) if name}


OF_RECORDS = {"show: expected a kind"}


@other_languages
def test_every_message_of_the_rules_has_words(lang: str) -> None:
    assert templates(lang).keys() == (raised() | TYPED) - OF_RECORDS


@other_languages
def test_no_message_names_what_the_rules_do_not_tell(lang: str) -> None:
    for english, said in templates(lang).items():
        assert fields(said) <= fields(english), english


def test_words_of_pieces_are_those_of_the_language() -> None:
    error = UnreadableAction("{who} has no bead left to place", who="red")
    assert amiss(error, "de", Rulebook("de").notation) == "rot hat keine Perle mehr zum Setzen"
    assert amiss(error, "en", Rulebook("en").notation) == "red has no bead left to place"


def test_a_message_without_words_is_not_told_in_english() -> None:
    assert amiss(RulesError("no such thing {at all}"), "fr", Rulebook("fr").notation) == ""
