"""Whatever is typed in a game of a language is answered in it, also what makes no sense: sentences
are held against those that the same lines get in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.referee.answers import Misunderstood, answer, reply
from tableref.rulebook.typed import command, typed
from tableref.rules.surface import RulesError
from tests.referee.test_told_evenings import GAMES, Evening

_SENTENCE = re.compile(r"[^.!?:()\n]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FILE = re.compile(r"`[^`]*`")
LONG = 3
"""Words that sentences of two languages may have in common."""
ODD = ("zz9", "99999", "7", "y", "-", "red", "red blue", "k9", "S21-x9", "d3..a1", "red>b9NE")


def sentences(text: str) -> set[str]:
    text = _FILE.sub("", text)
    found = (" ".join(sentence.split()) for sentence in _SENTENCE.findall(text))
    return {sentence for sentence in found if len(_WORD.findall(sentence)) > LONG}


def lines(evening: Evening) -> Iterator[str]:
    """Commands with and without more, a legal move that is damaged, positions put right."""
    lang, cell = evening.lang, next(iter(evening.evening.board.cells))
    shown = evening.asked().words.book.notation.shown
    move = evening.game.text(evening.state, next(iter(evening.game.legal(evening.state))))
    yield from map(shown, ODD)
    yield from map(shown, (move[:-1], f"{move}{move}", f"e{move}", re.sub(r"\d", "7", move)))
    yield from (f"{cell} {typed(lang)['says']['is']} {what}" for what in ("zebra", "NE", "red NE"))
    for key in typed(lang)["typed"]:
        if key != "quit":
            yield from (f"{command(key, lang)} {more}".strip() for more in ("", "qwzx"))


def replies(folder: Path, game: str, lang: str) -> list[tuple[str, str]]:
    """Each line, and what terminal and display say to it."""
    evening = Evening(folder / lang, game, lang)
    for _ in range(5):
        evening.move()
    told = []
    for line in list(lines(evening)):
        evening.stream.seek(0)
        evening.stream.truncate()
        shown = len(evening.shown.screens)
        try:
            evening.type(line)
        except Misunderstood as error:
            evening.reply([str(error)])
        except RulesError as why:
            try:
                evening.reply(reply(evening.asked(), line, why))
            except RulesError as error:
                evening.reply([str(error)])
        pages = (" ".join((page.title, *page.lines)) for page in evening.shown.screens[shown:])
        told.append((line, evening.stream.getvalue() + "\n".join(pages)))
    evening.close()
    return told


@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_answered_in_another_language(tmp_path: Path, game: str) -> None:
    english = replies(tmp_path, game, "en")
    for lang in ("de", "fr"):
        for (_, first), (line, second) in zip(english, replies(tmp_path, game, lang), strict=True):
            assert not sentences(first) & sentences(second), (lang, line)


@pytest.mark.parametrize("lang", ["de", "fr"])
def test_what_cannot_be_let_stand_is_said_with_the_reason(tmp_path: Path, lang: str) -> None:
    evening = Evening(tmp_path, "skorpion-deep", lang)
    for move in ("s3", "n3", "s3"):
        evening.type(move)
    evening.stream.truncate(0)
    evening.type(command("let-stand", lang))
    told = evening.stream.getvalue()
    evening.close()
    assert {"de": "s3 ist besetzt", "fr": "s3 est occupée"}[lang] in told


def test_what_is_amiss_is_told_as_the_terminal_writes(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "autoscooter", "de")
    with pytest.raises(RulesError) as raised:
        answer(evening.evening.referee, evening.desk.state, "rot>b9NO", 1.0, "de")
    with pytest.raises(RulesError, match="ein Feld „b9“ gibt es auf diesem Brett nicht"):
        reply(evening.asked(), "rot>b9NO", raised.value)
    evening.close()
