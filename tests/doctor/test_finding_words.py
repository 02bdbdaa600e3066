"""What the doctor finds, in the languages of menu and page: every sentence of every check."""

from __future__ import annotations

import ast
import errno
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tableref.devices
import tableref.doctor
from tableref.devices.trouble import not_written
from tableref.rulebook.findings import GAP, FindingWords
from tableref.rulebook.text import FOLDER, LANGUAGES
from tableref_vision import backends

DOCTOR, DEVICES = (Path(package.__path__[0]) for package in (tableref.doctor, tableref.devices))
SAY_SO = (DEVICES, DEVICES.parent / "referee", DEVICES.parent / "hosting",
          DEVICES.parent / "appliance", Path(backends.__path__[0]))  # fmt: skip
"""Where what the menu could not do is said."""
SQLITE = {
    "database or disk is full", "disk I/O error", "attempt to write a readonly database",
    "unable to open database file", "file is not a database", "database disk image is malformed",
}  # fmt: skip
"""What SQLite says."""
TELLS = {"issue", "warning"}
RAISES = {"PortBusy", "PortForbidden", "PortGone", "PortNotFound", "BoardSilent", "SeveralBoards"}


def sentences(folder: Path) -> Iterator[str]:
    """Each text in the code of a folder, with `x` in its gaps."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (text := filled(node)) is not None:
                yield text


def filled(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and (left := filled(node.left)) is not None:
        return left + (filled(node.right) or " (x)")
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "x" for part in node.values
        )
    return None


def told(path: Path, calls: set[str]) -> Iterator[str]:
    """The sentences that these calls tell in a file, with `x` in their gaps."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {
        target.id: text
        for node in tree.body
        if isinstance(node, ast.Assign) and (text := filled(node.value)) is not None
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
            for given in node.args[:2]:
                text = named.get(given.id) if isinstance(given, ast.Name) else filled(given)
                if text is not None and " " in text:
                    yield text


def words(lang: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((FOLDER / lang / "doctor.toml").read_text(encoding="utf-8"))


COMMANDS = ("x install ", "x; x", "x --reinstall", "tableref board flash", "unset ")
"""Cures that are only to be typed."""


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_sentence_of_a_check_is_told_in_every_language(lang: str) -> None:
    said = FindingWords(lang)
    texts = {text for path in (DOCTOR / "checks").glob("*.py") for text in told(path, TELLS)}
    texts |= {text for path in DOCTOR.glob("*.py") for text in told(path, RAISES | {"Result"})}
    link = DEVICES / "link"
    texts |= {t for name in ("errors", "ports", "board_link")
              for t in told(link / f"{name}.py", RAISES | {"Advice"})}  # fmt: skip
    assert len(texts) > 60
    english = {t for t in texts if said.said(t) == t and not t.startswith(COMMANDS)}
    assert english == set()


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_no_sentence_is_of_a_check_that_says_otherwise_now(lang: str) -> None:
    patterns = [
        re.compile(re.escape(text).replace("x", ".+"), re.DOTALL)
        for folder in (DOCTOR, *SAY_SO)
        for text in sentences(folder)
        if len(text) > 5
    ]
    system = {*map(os.strerror, errno.errorcode), *SQLITE}
    stale = {
        english
        for english in words(lang)["said"]
        if english not in system
        and not any(pattern.fullmatch(GAP.sub("x", english)) for pattern in patterns)
    }
    assert stale == set()


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_translation_has_the_gaps_of_the_english(lang: str) -> None:
    for english, other in words(lang)["said"].items():
        assert sorted(GAP.findall(english)) == sorted(GAP.findall(other)), english


def test_all_languages_have_the_same_sentences_and_the_titles_of_all_checks() -> None:
    first, *others = (words(lang) for lang in LANGUAGES[1:])
    titles = {
        ast.literal_eval(line.partition(" = ")[2])
        for path in (DOCTOR / "checks").glob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("TITLE = ")
    }
    assert first["titles"].keys() == titles
    for other in others:
        assert other["titles"].keys() == titles
        assert other["said"].keys() == first["said"].keys()


def test_facts_and_commands_stay_as_they_were_found() -> None:
    said = FindingWords("de")
    assert said.found("disk: 300 MB are free", "Delete old games and pictures, or: apt clean") == (
        "Speicher: 300 MB sind frei",
        "Lösche alte Spiele und Bilder, oder: apt clean",
    )
    port = "/dev/ttyACM0 is in use by another program"
    assert said.said(f"{port}; the board cannot read them") == (
        "/dev/ttyACM0 wird von einem anderen Programm benutzt; die Platine kann sie nicht lesen"
    )


def test_a_sentence_that_nobody_knows_stays_english() -> None:
    assert FindingWords("fr").found("odd: what is this", "try") == ("odd: what is this", "try")


@pytest.mark.parametrize("lang", LANGUAGES[1:])
@pytest.mark.parametrize(
    "number", [errno.ENOTDIR, errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO]
)
def test_what_keeps_a_file_from_being_written_is_told_in_every_language(
    lang: str, number: int, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    error = not_written(tmp_path / "file" / "picture", OSError(number, os.strerror(number)))
    told = FindingWords(lang).said(str(error))
    left = {error.what, error.advice.rstrip("."), os.strerror(number)}
    assert not [one for one in left if one in told], told


def test_a_game_of_another_version_is_told_in_the_language() -> None:
    text = (
        "a/journal.sqlite3: does not replay: it was played by version 1 of the rules, these are"
        " version 2; finish it with Tableref 0.1.0"
    )
    assert FindingWords("de").said(text) == (
        "a/journal.sqlite3: lässt sich nicht nachspielen: es wurde nach Fassung 1 der Regeln"
        " gespielt, diese sind Fassung 2; beende es mit Tableref 0.1.0"
    )


def test_a_short_sentence_does_not_swallow_what_comes_behind_it() -> None:
    said = FindingWords("de")
    assert said.said("there is no fault 'x'; name another") == (
        "fault 'x' gibt es nicht; name another"
    )
    lost = "camera usb: /dev/video0: gives no pictures; does another program hold it?"
    assert said.said(lost) == (
        "Kamera usb: /dev/video0: gibt keine Bilder; hat sie ein anderes Programm?"
    )
