"""A whole evening by buttons alone, on virtual devices and the real loop, in three languages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.appliance.table import Table

from tableref.devices.buttons import Button
from tableref.devices.oled import Marker, Screen, draw
from tableref.hosting.config import Config, GameOptions, LinkOptions, PictureOptions
from tableref.hosting.shelf import Shelf
from tableref.referee.games import load_game
from tableref.referee.resuming import viewed_evening
from tableref.rulebook import Rulebook
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import LANGUAGES, title

GAME = "arrows-and-stars"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_evening_by_buttons_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Any, lang: str
) -> None:
    words, book = MenuWords(lang), Rulebook(lang)
    says = Messages(book).screen
    failed: list[str] = []

    def looks(screen: Screen, name: str) -> None:
        """Compares what is shown with its reference picture; all are remade in one run."""
        try:
            golden(draw(screen), f"evening-{name}-{lang}")
        except pytest.fail.Exception as error:
            failed.append(str(error))

    config = Config(
        link=LinkOptions("virtual"),
        game=GameOptions(lang, ("Ada", "Ben")),
        pictures=PictureOptions(0),
    )
    table = Table(tmp_path / "state", config, monkeypatch)

    # Power on.
    panel = table.power()
    looks(panel.see(words.label("new")), "1-power-on")

    # A new game.
    table.choose(words.label("new"), title(lang, GAME))
    looks(panel.see(words.label("begin")), "2-new-game")
    table.choose(words.label("begin"))

    # Set up: it says what stands where, until all does.
    rules = load_game(GAME)
    looks(panel.see("AE-1.2"), "3-set-up")
    table.put(*rules.board(rules.start({})))
    looks(panel.see("AE-2.0"), "4-begun")

    # A move, and one that is refused; WHY, and back.
    table.move("a2", "a3")
    looks(panel.see("AE-2.1", "a3"), "5-moved")
    panel.see("AE-2.0")
    table.panel.mark()
    table.lift("a8")
    looks(panel.see(says("felt", {"what": "-a8"})[0]), "17-lifted")
    table.put("a5")
    looks(panel.see(says("felt", {"what": "-a8 +a5"})[0]), "18-felt")
    refused = panel.see("AE-2.1", "a5")
    assert refused.marker is Marker.REFUSED
    looks(refused, "6-refused")
    table.press(Button.WHY)
    looks(panel.see(book.paragraph("AE-2.1").title), "7-why")
    table.press(Button.BACK)
    panel.see("a8", "a5")
    table.move("a5", "a8")
    panel.see("AE-2.0")

    # Take back by hand: the move that was ruled is undone on the board; it is asked, and OK.
    table.move("a3", "a2")
    question = says("take-back", {"what": ""})[0]
    panel.see(question)
    looks(panel.see("OK 1/1"), "8-take-back")
    table.press(Button.OK)
    looks(panel.see("HR-2.1"), "9-taken-back")
    table.move("b2", "b3")
    panel.see("AE-2.1", "b3")

    # The power is cut: what is on the disk is all that is left. All was told, so none of it again.
    panel.see("AE-2.0")
    assert table.game is not None
    table.game.queue.rest()
    shutil.copytree(tmp_path / "state", tmp_path / "later")
    table.stop()
    later = Table(tmp_path / "later", config, monkeypatch)
    later.stands_as(table)
    panel = later.power()
    looks(panel.see(title(lang, GAME)), "10-power-again")
    later.reads_on(words.text("stopped").split()[-1].rstrip("."))
    panel.see("OK")
    later.press(Button.OK)
    looks(panel.see("AE-2.0"), "11-resumed")
    later.move("b8", "b7")
    # Nobody saw what happened while the power was away, so it is asked.
    looks(panel.see("OK 1/1", "b7"), "16-question")
    later.press(Button.OK)
    panel.see("AE-2.1", "b7")

    # The end: white gives up.
    panel.see("AE-2.0")
    later.menu()
    looks(panel.last, "12-menu")
    later.choose(words.label("to-game"))
    panel.see("AE-2")
    later.menu()
    resign = book.paragraph("HR-1.1").title
    later.choose(resign)
    white = book.value("white", name=True)
    later.choose(white[:1].upper() + white[1:], words.label("yes"))
    looks(panel.see("HR-1.1"), "13-over")
    later.menu()
    later.choose(words.label("over"))
    panel.see(words.label("new"))
    [game] = Shelf(tmp_path / "later" / "games").games()
    assert game.over
    assert not (tmp_path / "later" / "playing").exists()

    # Shut down.
    later.choose(words.label("off"))
    looks(panel.last, "14-sure")
    later.choose(words.label("yes"))
    looks(panel.see(words.text("off").split()[0]), "15-off")
    later.ended()
    assert later.off == ["off"]
    assert panel.closed
    assert not panel.dark  # it says so until the power goes

    # What was played is in the journal, and nothing else.
    evening = viewed_evening(game.folder)
    done = [r.data["action"] for r in evening.journal.rows() if r.kind == "action"]
    kinds = [next(iter(action)) for action in done]
    assert kinds.count("take_back") == 1
    assert kinds[-1] == "resign"
    board = evening.referee.game.board(evening.state.table.state)
    assert {"a2", "b3", "b7"} <= board.keys()
    assert not {"a3", "b2", "b8"} & board.keys()
    assert not failed, failed
