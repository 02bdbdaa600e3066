"""The look-up finds the paragraph that a player asks for in his own words."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref.rulebook import Rulebook, UnknownParagraph
from tableref.rulebook.lookup import Answer, Lookup, distance
from tableref.rulebook.terms import Analyser, fold, parts
from tableref.rulebook.text import FOLDER, GAMES, LANGUAGES
from tests.bench.lookup import OWN, Question, asked, counted, read

LOOKUPS: dict[str, Lookup] = {}


@pytest.fixture(scope="module", autouse=True)
def _lookups(tmp_path_factory: pytest.TempPathFactory) -> None:
    cache = tmp_path_factory.getbasetemp() / "cache" / "tableref"
    LOOKUPS.update({lang: Lookup(lang, cache) for lang in LANGUAGES})


@cache
def answers(lang: str) -> list[tuple[Question, Answer]]:
    """Our own questions of a language and what the look-up says."""
    questions = [question for question in read(OWN / "questions.jsonl") if question["lang"] == lang]
    return [
        (question, LOOKUPS[lang].ask(question["q"], question["game"])) for question in questions
    ]


def first(lang: str, question: str, game: str | None = "autoscooter") -> str:
    return LOOKUPS[lang].ask(question, game).results[0].id


@pytest.mark.parametrize("known", [True, False], ids=["game known", "game not known"])
def test_stored_questions_are_answered(shared: Path, known: bool) -> None:
    questions = list(read(shared / "questions" / "questions.jsonl"))
    count = counted((question, asked(LOOKUPS, question, known)) for question in questions)
    assert count["first"] >= (0.9 if known else 0.7) * count["covered"]
    assert count["three"] >= (0.98 if known else 0.9) * count["covered"]
    assert count["wrongly"] <= 0.03 * count["covered"]
    assert count["rightly"] >= 0.8 * count["uncovered"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_own_questions_are_answered(lang: str) -> None:
    count = counted(answers(lang))
    assert count["first"] >= 0.9 * count["covered"]
    assert count["three"] >= 0.98 * count["covered"]
    assert count["wrongly"] <= 0.03 * count["covered"]
    assert count["rightly"] >= 0.8 * count["uncovered"]


def test_own_questions_are_answered_without_the_game() -> None:
    questions = list(read(OWN / "questions.jsonl"))
    count = counted((question, asked(LOOKUPS, question, False)) for question in questions)
    assert count["wrongly"] <= 0.03 * count["covered"]
    assert count["rightly"] >= 0.8 * count["uncovered"]


@pytest.mark.parametrize("typed", ["AS-4.5", "as 4.5", " as4,5 ", "As-4.5", "as.4.5"])
def test_an_id_is_answered_by_its_paragraph(typed: str) -> None:
    answer = LOOKUPS["en"].ask(typed)
    assert [result.id for result in answer.results] == ["AS-4.5"]
    assert not answer.none


def test_an_id_that_there_is_none_of_has_no_answer() -> None:
    assert LOOKUPS["en"].ask("as 9.9", "autoscooter") == Answer((), none=True)


def test_of_an_id_the_numbers_do_where_the_game_is_known() -> None:
    answer = LOOKUPS["en"].ask("4.5", "autoscooter")
    assert [result.id for result in answer.results] == ["AS-4.5"]


def test_of_a_very_long_question_the_first_words_count() -> None:
    assert first("en", "ghost car " * 20_000) == "AS-7.1"


def test_accents_do_not_matter() -> None:
    assert (
        first("fr", "je percute la barriere") == first("fr", "je percute la barrière") == "AS-5.5"
    )
    assert first("de", "wuerfel liegt schraeg", "scorpion") == "SC-2.8"


def test_plurals_do_not_matter() -> None:
    assert first("en", "ghost cars") == first("en", "ghost car") == "AS-7.1"


@pytest.mark.parametrize("misspelt", ["frontl colision", "head-on colission", "fronatl collision"])
def test_misspelt_words_are_understood(misspelt: str) -> None:
    assert first("en", misspelt) == "AS-5.1"


def test_a_german_compound_is_understood_by_its_parts() -> None:
    assert first("de", "Geisterautobuchstabe") == "AS-7.1"


def test_other_words_for_the_same_idea_are_understood() -> None:
    assert first("en", "what do I earn for colliding with an immobile vehicle") == "AS-5.2"
    assert first("de", "mit einem geparkten Wagen zusammengestoßen") == "AS-5.2"


def test_a_question_outside_the_rules_is_covered_by_no_paragraph() -> None:
    assert LOOKUPS["en"].ask("who invented this game", "squod").none
    assert LOOKUPS["fr"].ask("xyzzy plugh", "squod").none


@pytest.mark.parametrize("lang", LANGUAGES)
def test_paragraphs_of_other_games_stay_out_when_the_game_is_known(lang: str) -> None:
    for question, answer in answers(lang):
        games = {GAMES[result.id[:2]] for result in answer.results}
        assert games <= {question["game"], "house"}


@pytest.mark.parametrize(
    ("question", "game", "own", "of_the_house"),
    [
        ("how does the game end", "scorpion", "SC-5.2", "HR-1.3"),
        ("how does the game end", "skorpion-deep", "SD-5.3", "HR-1.3"),
        ("the die fell off the tray", "scorpion", "SC-2.8", "HR-3.2"),
    ],
)
def test_the_game_s_own_word_on_a_matter_goes_before_that_of_the_house(
    question: str, game: str, own: str, of_the_house: str
) -> None:
    found = [result.id for result in LOOKUPS["en"].ask(question, game).results]
    assert found[:2] == [own, of_the_house]


def test_the_sentence_that_answers_is_marked() -> None:
    result = (
        LOOKUPS["en"].ask("side hit: who gets the sum of both speeds?", "autoscooter").results[0]
    )
    assert result.id == "AS-5.4"
    assert result.text == "The rammer's player gets the sum of both speeds."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sentence_is_one_of_the_paragraph(lang: str) -> None:
    book = Rulebook(lang)
    for _, answer in answers(lang):
        for result in answer.results:
            flat = " ".join(book.paragraph(result.id).text.replace("* ", "").split())
            assert result.text in flat


@given(question=st.text(max_size=60), lang=st.sampled_from(LANGUAGES))
def test_any_text_is_answered_without_an_error(question: str, lang: str) -> None:
    answer = LOOKUPS[lang].ask(question, "scorpion")
    assert answer.none or answer.results


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownParagraph, match="chess"):
        LOOKUPS["en"].ask("how do I win", "chess")


def test_misspelling_counts_letters() -> None:
    assert distance("ram", "ram") == 0
    assert distance("form", "from") == 1
    assert distance("colision", "collision") == 1
    assert distance("", "abc") == 3


def test_words_are_folded_to_plain_letters() -> None:
    assert fold("Würfel", "de") == fold("Wuerfel", "de") == "wurfel"
    assert fold("Œuvré", "fr") == "oeuvre"
    assert fold("don't", "en") == "dont"


def test_a_compound_is_split_where_its_shorter_part_is_longest() -> None:
    assert parts("spielfeldrand", {"spiel", "feldrand", "spielfeld", "rand"}) == (
        "spiel",
        "feldrand",
    )
    assert parts("startsfeld", {"start", "feld"}) == ("start", "feld")
    assert parts("xyz", {"x", "yz"}) == ()


def test_ideas_are_found_in_phrases_too() -> None:
    analyser = Analyser("en")

    def ideas_in(text: str) -> list[str]:
        return analyser.ideas(analyser.stems(analyser.words(text)))

    assert "_headon" in ideas_in("they hit head-on")
    assert "_headon" not in ideas_in("my head is on fire")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_phrase_of_an_idea_is_found(lang: str) -> None:
    analyser = Analyser(lang)
    with (FOLDER / lang / "synonyms.toml").open("rb") as file:
        ideas = tomllib.load(file)["ideas"]
    for name, phrases in ideas.items():
        for phrase in phrases.split(","):
            words = analyser.words(phrase)
            assert f"_{name}" in analyser.ideas(analyser.stems(words)), phrase
