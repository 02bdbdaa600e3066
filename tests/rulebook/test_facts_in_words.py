"""Whatever the engine can state is said in a sentence and in short, in every language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref.rulebook import Rulebook
from tableref.rulebook.book import COLUMNS, LINES, TITLE_COLUMNS, gaps
from tableref.rulebook.text import GAMES, LANGUAGES
from tableref.rules.surface import Fact
from tests.rulebook.facts import Stated, stated

BOOKS = {lang: Rulebook(lang) for lang in LANGUAGES}
STATED = stated()
IN_ORDER = sorted(STATED)

texts = st.text(max_size=40)
facts = st.builds(
    lambda key, *values: Fact(*key, *values),
    *(st.sampled_from(IN_ORDER), texts, texts, texts, texts, st.integers(-9, 99), texts),
)


def written(lang: str) -> dict[Stated, tuple[str, str]]:
    book = BOOKS[lang]
    return {
        Stated(id, name): (case.sentence, case.screen)
        for game in GAMES.values()
        for id in book.ids(game)
        for name, case in book.paragraph(id).cases
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fact_has_its_words_and_no_words_are_for_a_fact_that_is_never_stated(
    lang: str,
) -> None:
    assert set(written(lang)) == set(STATED)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_use_only_what_the_fact_holds(lang: str) -> None:
    for key, templates in written(lang).items():
        held = set.intersection(*(gaps(meaning) for meaning in STATED[key]))
        for template in templates:
            assert gaps(template) <= held, f"{key.paragraph} {key.case}: {template}"


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_translation_says_all_that_the_english_says(lang: str) -> None:
    english = written("en")
    for key, (sentence, _) in written(lang).items():
        assert gaps(sentence) == gaps(english[key][0]), f"{key.paragraph} {key.case}"


@given(fact=facts, lang=st.sampled_from(LANGUAGES))
def test_the_display_is_never_overrun_whatever_the_names(fact: Fact, lang: str) -> None:
    lines = BOOKS[lang].screen(fact)
    assert 1 <= len(lines) <= LINES
    assert all(
        0 < len(line) <= COLUMNS and line.replace("\u00a0", " ").isprintable() for line in lines
    )
    assert len(lines[0]) <= TITLE_COLUMNS


@given(fact=facts, lang=st.sampled_from(LANGUAGES))
def test_a_sentence_is_one_line_whatever_the_names(fact: Fact, lang: str) -> None:
    sentence = BOOKS[lang].sentence(fact)
    assert sentence
    assert sentence.replace("\u00a0", " ").isprintable()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_short_forms_fit_with_cars_and_players_of_usual_length(lang: str) -> None:
    for key in IN_ORDER:
        fact = Fact(*key, who="orange", what="K", start="Y12", to="K14", amount=12, other="purple")
        assert not BOOKS[lang].screen(fact)[-1].endswith(".."), f"{key.paragraph} {key.case}"


def test_a_number_takes_the_singular_or_the_plural() -> None:
    def pays(lang: str, amount: int) -> str:
        return BOOKS[lang].sentence(Fact("AS-5.3", "pays", "Ann", amount=amount, other="bank"))

    assert pays("en", 1) == "Ann pays 1 chip to the bank."
    assert pays("en", 0) == "Ann pays 0 chips to the bank."
    assert pays("fr", 0) == "Ann paie 0 jeton à la banque."
    assert pays("de", 2) == "Ann zahlt 2 Chips an die Bank."


def test_values_are_said_in_the_language() -> None:
    turned = Fact("AS-5.4", "turned", "blue", "clockwise", other="E")
    assert BOOKS["en"].sentence(turned) == "Blue is turned clockwise and now points E."
    assert (
        BOOKS["de"].sentence(turned) == "Blau dreht sich im Uhrzeigersinn und zeigt jetzt nach O."
    )
    order = Fact("AS-4.1", "order", what="red, blue")
    assert BOOKS["fr"].sentence(order) == "Elles roulent dans cet ordre\u00a0: rouge, bleu."


def test_a_letter_that_is_also_a_heading_stays_a_letter() -> None:
    drives = Fact("AS-4.2", "drives", "red", "E", "a1", "b2", 1, "E")
    assert BOOKS["de"].sentence(drives) == "Rot fährt E von a1 nach b2, Richtung O, Tempo 1."


def test_a_numbered_piece_and_a_piece_of_a_side_are_named() -> None:
    assert BOOKS["de"].value("player 2") == "Spieler 2"
    assert BOOKS["fr"].value("red 1") == "rouge 1"
    assert BOOKS["fr"].value("S rock", name=True) == "pierre (Sud)"
    assert BOOKS["en"].value("blue and green", name=True) == "blue and green"
    assert BOOKS["de"].value("blue and green", name=True) == "Blau und Grün"
    assert BOOKS["de"].value("blue/green", name=True) == "Blau/Grün"


def test_a_name_that_looks_like_a_gap_is_left_alone() -> None:
    fact = Fact("HR-1.1", "gives-up", "{other}", other="X")
    assert BOOKS["en"].sentence(fact) == "{other} gives up."


def test_a_long_line_of_the_display_carries_over_into_the_next() -> None:
    lines = BOOKS["en"].screen(Fact("HR-1.1", "left-alone", "Charlotte"))
    assert lines == ("Only Charlotte is", "left and wins")


def test_what_the_language_calls_a_piece_is_not_shortened() -> None:
    taken = Fact("SQ-3.1", "place-taken", "N", start="N12", to="N22", other="N ?")
    assert BOOKS["de"].screen(taken) == ("N22 ist besetzt:", "verdeckte Figur", "(Nord)")


def test_a_long_name_is_shortened_on_the_display_only() -> None:
    fact = Fact("HR-1.1", "gives-up", "Bartholomew-Maximilian")
    assert BOOKS["en"].screen(fact) == ("Bartholomew-Ma..", "gives up")
    assert BOOKS["en"].sentence(fact) == "Bartholomew-Maximilian gives up."


@pytest.mark.parametrize(
    ("lang", "note"),
    [("en", "note for player 2"), ("fr", "note pour joueur 2"), ("de", "Notiz für Spieler 2")],
)
def test_a_note_that_is_taken_back_is_told_by_whom_it_is_for(lang: str, note: str) -> None:
    fact = Fact("HR-2.1", "taken-back", "player 2 ?")
    assert f"{note}." in BOOKS[lang].sentence(fact)
    assert note in BOOKS[lang].screen(fact)
    assert BOOKS[lang].done("S11=?") == "S11=?"
