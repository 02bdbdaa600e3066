"""The look-up knows when no paragraph covers a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.rulebook.covering import Signs, balance, everyday_phrases, uncovered
from tableref.rulebook.life import likeness
from tableref.rulebook.lookup import Lookup
from tableref.rulebook.terms import Analyser
from tableref.rulebook.text import LANGUAGES
from tests.bench.covering import SETS, cases, left_out
from tests.bench.lookup import OWN, asked, counted, read

SURE = Signs(score=1.0, rival=0.3, held=1.0, unknown=0, everyday=0, words=4, house=False)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "cache" / "tableref"


@pytest.fixture(scope="module")
def lookups(cache: Path) -> dict[str, Lookup]:
    return {lang: Lookup(lang, cache) for lang in LANGUAGES}


@pytest.mark.parametrize("known", [True, False], ids=["game known", "game not known"])
def test_everyday_questions_are_covered_by_nothing(lookups: dict[str, Lookup], known: bool) -> None:
    questions = list(read(OWN / "everyday_questions.jsonl"))
    assert {lang: sum(q["lang"] == lang for q in questions) for lang in LANGUAGES} == {
        "en": 20, "fr": 20, "de": 20,
    }  # fmt: skip
    count = counted((question, asked(lookups, question, known)) for question in questions)
    assert count["rightly"] >= 0.9 * count["uncovered"]


def test_what_is_said_in_the_kitchen_is_covered_by_nothing(lookups: dict[str, Lookup]) -> None:
    """Nothing was learned from these."""
    count = counted((each, asked(lookups, each, True)) for each in read(OWN / "kitchen.jsonl"))
    assert count["rightly"] >= 0.9 * count["uncovered"]


@pytest.mark.parametrize("known", [True, False], ids=["game known", "game not known"])
def test_few_covered_questions_are_lost(lookups: dict[str, Lookup], known: bool) -> None:
    questions = [question for name in SETS for question in read(OWN / f"{name}.jsonl")]
    count = counted((question, asked(lookups, question, known)) for question in questions)
    assert count["covered"] > 500
    assert count["wrongly"] <= 0.03 * count["covered"]


def test_weights_fitted_without_a_language_serve_it_too(cache: Path) -> None:
    """So the weights say something about questions, not about these ones."""
    found = list(cases(cache))
    said = left_out(found, lambda case: case.lang)
    everyday = [s for case, s in zip(found, said, strict=True) if case.source == SETS[2]]
    covered = [s for case, s in zip(found, said, strict=True) if not case.none]
    assert sum(everyday) >= 0.88 * len(everyday)
    assert sum(covered) <= 0.03 * len(covered)


@pytest.mark.parametrize(
    "worse",
    [
        {"score": 0.5},
        {"rival": 0.6},
        {"held": 0.5},
        {"unknown": 2},
        {"everyday": 1},
        {"words": 2},
        {"life": 1.0},
        {"rival": 1.0},
    ],
    ids=[
        "score",
        "rival",
        "rare words missing",
        "unknown words",
        "everyday words",
        "few words",
        "made like a sentence of life",
        "a rival that leads",
    ],
)
def test_what_speaks_for_none(worse: dict[str, float]) -> None:
    so_so = SURE._replace(score=0.8, held=0.8)
    assert not uncovered(SURE)
    assert balance(so_so._replace(**worse)) > balance(so_so) + 0.5


@pytest.mark.parametrize(
    ("lang", "life", "rule"),
    [
        ("en", "did your uncle ever mend that zweeble", "may a car stop behind another car"),
        ("fr", "tu as encore ton vieux zwibli", "une voiture peut s'arrêter derrière une autre"),
        ("de", "hast du noch deinen alten zwiebler", "darf ein auto hinter einem anderen halten"),
    ],
)
def test_how_a_sentence_is_made_tells_what_it_is_about(lang: str, life: str, rule: str) -> None:
    assert likeness(Analyser(lang), life) > 0.5
    assert likeness(Analyser(lang), rule) < 0


def test_where_the_toilet_is_no_paragraph_tells_but_what_happens_meanwhile(
    lookups: dict[str, Lookup],
) -> None:
    for lang, where, away in (
        ("en", "where is the toilet", "I have to go to the toilet"),
        ("fr", "où sont les toilettes", "je dois aller aux toilettes"),
        ("de", "wo ist die toilette", "ich muss aufs klo"),
    ):
        assert lookups[lang].ask(where, "squod").none
        answer = lookups[lang].ask(away, "squod")
        assert not answer.none
        assert answer.results[0].id == "HR-1.2"


def test_a_short_question_is_answered_where_the_paragraph_has_all_of_it(
    lookups: dict[str, Lookup],
) -> None:
    for lang, question in (("en", "how do I win"), ("fr", "comment on gagne")):
        answer = lookups[lang].ask(question, "skorpion-deep")
        assert not answer.none
        assert answer.results[0].id == "SD-5.1"


def test_misspelt_everyday_words_are_everyday_words(lookups: dict[str, Lookup]) -> None:
    plain = lookups["en"].signs("is it raining", "squod")
    misspelt = lookups["en"].signs("is it raning", "squod")
    assert plain is None or plain.everyday == 1
    assert (misspelt is None) == (plain is None)
    assert misspelt is None or misspelt.everyday == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everyday_words_are_none_of_the_rules(lookups: dict[str, Lookup], lang: str) -> None:
    phrases = list(everyday_phrases(lang))
    assert len(phrases) > 250
    nose = {"en": "nose", "fr": "nez", "de": "nase"}[lang]
    for game, question in (("squod", "ring"), ("autoscooter", nose)):
        signs = lookups[lang].signs(question, game)
        assert signs is not None
        assert signs.everyday == 0


def test_the_games_own_word_comes_before_the_houses(lookups: dict[str, Lookup]) -> None:
    """Both speak of a draw as well: SD-5.3 of one by the position, HR-1.3 of one by agreement."""
    assert lookups["en"].ask("is it a draw", "skorpion-deep").results[0].id == "SD-5.3"
    assert lookups["en"].ask("is it a draw", "autoscooter").results[0].id == "HR-1.3"
