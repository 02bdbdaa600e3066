"""What terminal and display say during one evening of each game, in each language, as goldens:
moves, a refusal, a hand that puts the position right, taking back, somebody who leaves, the end."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tableref.devices.oled import Screen, draw
from tableref.referee.answers import Asked, answer, board_of, help_of
from tableref.referee.correcting import example
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import new_evening
from tableref.referee.inputs import Act, Begin, Tick
from tableref.referee.outlets import EventLines
from tableref.rulebook.text import LANGUAGES
from tableref.rulebook.typed import command
from tableref.rules.opponent import Dealt
from tests.referee.test_every_game import SETUPS

FOLDER = Path(__file__).parent.parent / "golden" / "evenings"
GAMES = ("autoscooter", "scorpion", "skorpion-deep", "arrows-and-stars", "squod")
MOVES = 34
MOST_SEEN = 64
"""Distinct screens on the sheet of an evening."""
ACROSS = 8


class Shown:
    """Keeps what the display shows."""

    def __init__(self) -> None:
        self.screens: list[Screen] = []

    def tell(self, feedback: Feedback) -> None:
        self.screens += feedback.screens


class Evening:
    """An evening at a table that feels and sees nothing: everything is entered."""

    def __init__(self, folder: Path, game: str, lang: str) -> None:
        self.rng, self.lang, self.time = random.Random(game), lang, 0.0
        setup: dict[str, Any] = dict(SETUPS.get(game, [{}])[-1])
        first = new_evening(folder / "first", game, setup, [], "", lang=lang)
        rules = first.referee.game
        if isinstance(rules, Dealt):
            setup = rules.dealt(setup, random.Random(game))
        first.journal.close()
        self.evening = new_evening(folder / "evening", game, setup, [], "", lang=lang)
        self.game, self.shown, self.stream = rules, Shown(), StringIO()
        self.lines = EventLines(self.stream, as_json=False)
        self.desk = Desk(
            self.evening.referee, self.evening.state, self.evening.journal,
            self.evening.teller(), [self.lines, self.shown],
        )  # fmt: skip
        self.desk.begin()
        self.desk.take(Begin(0.0, ()))

    @property
    def state(self) -> Any:
        return self.desk.state.table.state

    def asked(self) -> Asked:
        evening = self.evening
        return Asked(evening.referee, evening.board, self.desk.state, (), self.lang, 78)

    def type(self, line: str) -> None:
        """Somebody types a line."""
        self.time += 1.0
        self.stream.write(f"{line}\n")
        self.desk.take(answer(self.evening.referee, self.desk.state, line, self.time, self.lang))

    def reply(self, lines: Iterable[str]) -> None:
        self.lines.reply(lines, misunderstood=False)

    def move(self) -> bool:
        """The next action; False where none is due."""
        actions = list(islice(self.game.legal(self.state), 200))
        if not actions or self.game.outcome(self.state):
            return False
        self.time += 1.0
        action = self.rng.choice(actions)
        self.desk.take(Act(self.time, action.record()))
        self.desk.take(Tick(self.time + 0.5))
        return True

    def refused(self) -> None:
        """Somebody does what was done before, where it may not be done again."""
        for done, _ in self.desk.state.table.past[::-1]:
            action: Any = done.action
            if self.game.judge(self.state, action).broken and not self.game.secret(action):
                self.time += 1.0
                self.desk.take(Act(self.time, action.record()))
                return
        raise AssertionError("nothing is refused")

    def play(self) -> None:
        """The whole evening."""
        lang = self.lang
        for number in range(MOVES):
            if not self.move():
                break
            if number == MOVES // 2:
                self.reply(help_of(self.asked()))
                self.reply(board_of(self.asked()))
        self.refused()
        self.type(command("let-stand", lang))
        self.type(command("take-back", lang))
        self.type(command("redo", lang))
        words = self.asked().words
        self.type(example(words, self.state))
        last = words.player(len(words.names) - 1)
        self.type(f"{command('leave', lang)} {last}")
        self.type(f"{command('return', lang)} {last}")
        for player in range(len(words.names) - 1):
            self.type(f"{command('resign', lang)} {words.player(player)}")

    def close(self) -> None:
        self.evening.journal.close()


def told(evening: Evening) -> str:
    """The terminal's lines, then every page of the display as text."""
    pages = [
        " | ".join((p.title + p.marker.value, *p.lines, p.paragraph, p.hint, "+" * bool(p.board)))
        for p in evening.shown.screens
    ]
    return evening.stream.getvalue() + "\n-- the display\n" + "\n".join(pages) + "\n"


def sheet(screens: Iterable[Screen]) -> Image.Image:
    """Distinct screens as they are drawn, side by side."""
    pictures = {draw(screen).tobytes(): draw(screen) for screen in screens}
    shown = list(pictures.values())[:MOST_SEEN]
    rows = -(-len(shown) // ACROSS)
    whole = Image.new("1", (ACROSS * 132, rows * 68), 0)
    for number, picture in enumerate(shown):
        whole.paste(picture, (number % ACROSS * 132 + 2, number // ACROSS * 68 + 2))
    return whole


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_an_evening_is_told_as_its_golden(
    tmp_path: Path, golden: Callable[[Image.Image, str], None], game: str, lang: str
) -> None:
    evening = Evening(tmp_path, game, lang)
    evening.play()
    evening.close()
    text, path = told(evening), FOLDER / f"{game}-{lang}.txt"
    if os.environ.get("REMAKE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    for screen in evening.shown.screens:
        draw(screen, (128, 32))  # a smaller display shows them, too
    golden(sheet(evening.shown.screens), f"evenings/{game}-{lang}")
