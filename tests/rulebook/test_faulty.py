"""What a command cannot do is said in the language of its reader."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import tableref.commands
import tableref.printing
import tableref_vision
from tableref.cli import main
from tableref.rulebook.faulty import faults, in_language

COMMANDS, PRINTING, VISION = (
    Path(each.__file__ or "").parent
    for each in (tableref.commands, tableref.printing, tableref_vision)
)
SOURCES = (
    *(COMMANDS / name for name in ("see.py", "print_.py")),
    *PRINTING.glob("*.py"),
    VISION / "pictures.py",
    VISION / "drawing.py",
)
other_languages = pytest.mark.parametrize("lang", ["fr", "de"])


def template(text: ast.expr) -> str:
    """The text with `{}` for each gap; empty where it is no text, but what another one said."""
    if isinstance(text, ast.Constant):
        return str(text.value)
    parts = text.values if isinstance(text, ast.JoinedStr) else []
    return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in parts)


def raised() -> set[str]:
    calls = (
        node
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
    )
    named = (call.args[0] for call in calls if call.func.id in ("UserError", "PictureError"))  # type: ignore[attr-defined]
    return {told for each in named if (told := template(each)) not in ("", "{}: {}")}


@other_languages
def test_all_that_see_and_print_cannot_do_has_words(lang: str) -> None:
    assert len(raised()) > 15
    assert raised() <= faults(lang).keys()
    for english, said in faults(lang).items():
        numbers = {int(name) for _, name, *_ in Formatter().parse(said) if name}
        assert numbers == set(range(english.count("{}"))), english


def test_what_fills_a_gap_is_said_in_the_language_too() -> None:
    message = "a.jpg: cannot be read (No such file or directory)"
    assert in_language(message, "de") == "a.jpg: ist nicht zu lesen (gibt es nicht)"
    assert in_language(message, "en") == message
    assert in_language("of something else", "de") == "of something else"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["see", "--lang", "de"], "entweder Bilder angeben"),
        (["see", "--lang", "fr", "none.png"], "none.png : ne peut être lu (n'existe pas)"),
        (["print", "mat", "squod", "--lang", "de"], "ist für alle Spiele gleich"),
        (["print", "log-sheet", "squod", "--lang", "fr"], "n'a pas de feuille"),
    ],
)
def test_commands_say_it_so(
    command: list[str], said: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    assert said in capsys.readouterr().err
