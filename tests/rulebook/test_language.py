"""The language of a question is found from its words, then from the system's setting."""

from __future__ import annotations

import pytest

from tableref.cli import main
from tableref.rulebook.language import language_of, system_language
from tests.bench.lookup import OWN, read

FILES = ("questions", "hard_questions", "everyday_questions", "state_questions")


def test_our_own_questions_tell_their_language() -> None:
    questions = [question for name in FILES for question in read(OWN / f"{name}.jsonl")]
    right = [language_of(q["q"], "?") == q["lang"] for q in questions]
    assert sum(right) >= 0.98 * len(right)


@pytest.mark.parametrize("otherwise", ["en", "fr", "de"])
def test_words_of_no_language_leave_it_to_the_setting(otherwise: str) -> None:
    assert language_of("xyzzy 4.5", otherwise) == otherwise


@pytest.mark.parametrize(
    ("setting", "language"),
    [("fr_FR.UTF-8", "fr"), ("de", "de"), ("C", "en"), ("it_IT", "en"), ("", "en")],
)
def test_the_setting_is_read_from_lang(
    setting: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", setting)
    assert system_language() == language


def test_the_command_answers_in_the_language_of_the_question(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert main(["lookup", "--game", "squod", "was schlägt papier"]) == 0
    assert "Papier schlägt Stein" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["lookup", "xyzzy"]) == 0
    assert "Aucun paragraphe" in capsys.readouterr().out
    assert main(["lookup", "--lang", "de", "xyzzy"]) == 0
    assert "kein Paragraph" in capsys.readouterr().out
