"""Letters, cutting and wrapping for the small screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref.devices import font


@pytest.mark.parametrize("text", ["éèêëàâçîïôûùœæÉÀÇ", "äöüßÄÖÜẞ", "„“‚‘«»…–→✓✗★", "AS-4.3 §"])
def test_letters_of_the_three_languages_are_in_the_font(text):
    assert font.plain(text) == text


def test_no_two_letters_that_rules_tell_apart_look_alike():
    letters = [font.letters()[c] for c in "ABCDEFGHJKLMNOPabcdef0123456789"]
    assert len(set(letters)) == len(letters)


def test_an_accent_that_comes_by_itself_joins_its_letter():
    assert font.plain("e\u0301te\u0301") == "été"


def test_a_letter_without_a_drawing_loses_its_accent():
    assert font.plain("ṣ") == "s"


def test_a_letter_of_another_script_becomes_a_box():
    assert font.plain("漢") == font.UNKNOWN


def test_line_breaks_become_spaces_and_control_characters_vanish():
    assert font.plain("a\nb\x07\u200bc") == "a bc"


def test_what_fits_is_left_alone():
    assert font.fit("x" * 21, 21) == "x" * 21


def test_what_is_too_long_ends_in_an_ellipsis():
    assert font.fit("a car may not stop here", 10) == "a car may…"


def test_wrapping_breaks_between_words():
    assert font.wrap("The hex ahead is taken", 10, 4) == ("The hex", "ahead is", "taken")


def test_wrapping_breaks_a_word_longer_than_a_line():
    assert font.wrap("Donaudampfschiff ahoi", 10, 4) == ("Donaudampf", "schiff", "ahoi")


def test_wrapping_says_with_an_ellipsis_that_there_is_more():
    assert font.wrap("one two three four", 9, 1) == ("one two…",)


@given(st.text(), st.integers(2, 30), st.integers(1, 6))
def test_wrapped_text_never_overflows(text, columns, rows):
    lines = font.wrap(text, columns, rows)
    assert len(lines) <= rows
    assert all(0 < len(line) <= columns for line in lines)


@given(st.text(max_size=40))
def test_every_text_can_be_drawn_one_column_a_letter(text):
    plain = font.plain(text)
    assert font.plain(plain) == plain
    assert font.picture(text).size == (font.WIDTH * len(plain), font.HEIGHT)


def test_a_space_that_does_not_break_keeps_a_colon_with_its_word() -> None:
    assert font.wrap("il faut le savoir\u00a0: oui", 18, 4) == ("il faut le", "savoir\u00a0: oui")
