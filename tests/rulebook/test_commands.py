"""`tableref rules` and `tableref lookup` in the terminal."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.rulebook import Rulebook
from tests.conftest import heed_permissions


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    return capsys.readouterr().err


def test_a_game_is_printed_whole_and_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = output(capsys, "rules", "autoscooter", "--lang", "de")
    for id in Rulebook("de").ids("autoscooter"):
        assert f"{id} " in text
    assert all(len(line) <= 60 or "`" in line for line in text.splitlines())


@pytest.mark.parametrize("typed", ["AS-5.4", "as 5.4", "5.4"])
def test_one_paragraph_is_printed_with_the_other_reading_and_its_option(
    capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    text = output(capsys, "rules", "autoscooter", typed)
    assert text.startswith("AS-5.4 Side\n")
    assert "Our ruling:" in text
    assert "Other reading: the nose always turns away" in text
    assert 'side_turn = "nose-away"' in text
    assert "See also: AS-5.0, AS-4.7" in text


def test_a_paragraph_is_printed_with_what_happens_in_its_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = output(capsys, "rules", "autoscooter", "5.4", "--lang", "de")
    assert "Zum Beispiel:" in text
    assert "Rot rammt Orange in die Seite: die Tempos sind zusammen 3. (AS-5.4)" in text


def test_an_example_is_drawn_before_and_after_around_where_it_happens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = output(capsys, "rules", "autoscooter", "5.4").splitlines()
    (row,) = (line for line in lines if "[rE]" in line)
    assert row.split() == ["a4", "[rE]", "[oNE]", "d4", "a4", "[rE]", "[oNW]", "d4"]
    assert not any("a1" in line or "[w" in line for line in lines)


def test_two_drawings_that_do_not_fit_side_by_side_stand_one_below_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = output(capsys, "rules", "autoscooter", "5.4").splitlines()
    assert all(len(line) <= 40 or "`" in line for line in lines)
    assert sum("[rE]" in line for line in lines) == 2


def test_a_long_example_shows_how_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "rules", "skorpion-deep", "5.3")
    assert "- ...\n" in text
    assert "for the third time: the game is drawn. (SD-5.3)" in " ".join(text.split())


def test_what_is_unconfirmed_says_where_to_correct_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "rules", "scorpion", "1.1", "--lang", "fr")
    assert "À confirmer\u00a0:" in text
    assert "boards/scorpion.toml" in text


def test_an_unknown_game_or_paragraph_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no game 'chess'" in refusal(capsys, "rules", "chess")
    assert "no game 'chess'" in refusal(capsys, "rules", "chess", "1.1")
    assert "no paragraph 'SQ-9.9'" in refusal(capsys, "rules", "squod", "9.9")
    assert "'ring' is no id of a paragraph" in refusal(capsys, "rules", "squod", "ring")


def test_the_id_that_a_ruling_names_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    for typed in ("AS-5.2", "as 5.2"):
        text = output(capsys, "rules", typed, "--lang", "de")
        assert text == output(capsys, "rules", "autoscooter", "5.2", "--lang", "de")
    assert "no paragraph 'SQ-9.9'" in refusal(capsys, "rules", "SQ-9.9")
    assert "no game 'XX-1.1'" in refusal(capsys, "rules", "XX-1.1")


def test_a_part_of_a_game_is_shown_by_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    for typed in (["SQ-4"], ["squod", "SQ-4"], ["squod", "4"]):
        heads = re.findall(r"^[A-Z]{2}-[0-9.]+", output(capsys, "rules", *typed), re.M)
        assert heads[0] == "SQ-4.1"
        assert all(head.startswith("SQ-4.") for head in heads)
    assert "'SQ-9' is no id of a paragraph" in refusal(capsys, "rules", "squod", "SQ-9")


def test_a_question_is_answered_with_the_sentence_marked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = output(capsys, "lookup", "--game", "autoscooter", "who", "gets", "the", "sum of speeds")
    assert text.startswith("AS-5.4 Side\n")
    assert ">The rammer's player gets the sum of both speeds.<" in " ".join(text.split())


def test_a_question_outside_the_rules_is_answered_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "lookup", "--lang", "de", "wer hat das spiel erfunden")
    assert text.startswith("Dazu sagt kein Paragraph etwas.")


def test_an_answer_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "lookup", "--json", "as 4.5"))
    assert answer["none"] is False
    (result,) = answer["results"]
    assert result["id"] == "AS-4.5"
    assert set(result) == {"id", "score", "text"}


def test_a_file_of_questions_is_answered_line_by_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        '{"lang": "fr", "game": "autoscooter", "q": "choc frontal"}\n\n'
        '{"q": "der geist fährt", "lang": "de"}\n'
        '{"q": "who invented this"}\n',
        encoding="utf-8",
    )
    answers = [
        json.loads(line) for line in output(capsys, "lookup", "--batch", str(file)).splitlines()
    ]
    assert [answer["results"][0]["id"] for answer in answers[:2]] == ["AS-5.1", "AS-7.1"]
    assert answers[2]["none"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 1: not readable as JSON"),
        ("[]", "line 1: expected a JSON object"),
        ('{"lang": "en"}', "line 1: expected a question as text in 'q'"),
        ('{"q": "x", "lang": "xx"}', "line 1: no language 'xx'"),
        ('{"q": "x", "game": "chess"}', "line 1: there is no game 'chess'"),
    ],
)
def test_a_bad_line_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((line + "\n").encode())))
    assert words in refusal(capsys, "lookup", "--batch", "-")


def test_questions_that_are_no_utf_8_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    latin = '{"q": "wer fährt zuerst"}\n'.encode("latin-1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(latin), encoding="utf-8"))
    assert "standard input: line 1: is no text in UTF-8" in refusal(
        capsys, "lookup", "--batch", "-"
    )
    file = tmp_path / "questions.jsonl"
    file.write_bytes(latin)
    assert "questions.jsonl: line 1: is no text" in refusal(capsys, "lookup", "--batch", str(file))


def test_nothing_to_ask_or_no_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "ask something" in refusal(capsys, "lookup")
    assert "cannot be read" in refusal(capsys, "lookup", "--batch", str(tmp_path / "none"))
    assert "cannot be read" in refusal(capsys, "lookup", "--batch", str(tmp_path))


@pytest.mark.parametrize("line", [["ghost car"], ["--json", "ghost car"], ["--batch", "asked"]])
def test_the_look_up_answers_where_nothing_may_be_written(tmp_path: Path, line: list[str]) -> None:
    (tmp_path / "asked").write_text('{"q": "ghost car"}\n')
    tmp_path.chmod(0o500)
    command = [sys.executable, "-m", "tableref", "lookup", *line]
    own = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "LANG": "en_GB.UTF-8"}
    try:
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, **own}, preexec_fn=heed_permissions,
            capture_output=True, text=True,
        )  # fmt: skip
    finally:
        tmp_path.chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")
    assert "AS-7.1" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["asked"]
