"""A board that is wired in another order is taught by display and buttons alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.appliance.table import Table
from tests.link.test_teach import wired_otherwise

from tableref.appliance.steps import wiring
from tableref.devices import font
from tableref.devices.buttons import Button
from tableref.devices.config import load_config
from tableref.devices.link import VirtualPico, VirtualPort
from tableref.devices.oled import COLUMNS, ROWS, draw
from tableref.devices.taught import order_of, taught
from tableref.hosting.config import Config, GameOptions, load
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import LANGUAGES, title
from tableref_hardware import load_board

GAME = "skorpion-deep"
BOARD = load_board(GAME)
REALLY = wired_otherwise(BOARD)
CELLS = [cell.name for cell in BOARD.cells.values() if cell.switch is not None]


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Table]:
    """The table in this step, its board wired otherwise, and cleared."""
    monkeypatch.setenv("TABLEREF_CONFIG", str(tmp_path / "tableref.toml"))
    monkeypatch.setattr(wiring, "SETTLED", 0.05)

    def begin(lang: str) -> Table:
        table, words = Table(tmp_path, Config(game=GameOptions(lang)), monkeypatch), MenuWords(lang)

        def plugged(text: str, board: Any) -> VirtualPort:
            table.port = VirtualPort(VirtualPico(REALLY))
            return table.port

        monkeypatch.setattr("tableref.devices.link.port_named", plugged)
        table.power()
        table.choose(words.label("set-up"), f"· {words.label('step-wiring')}")
        table.choose(title(lang, GAME))
        table.panel.see(words.text("teach-clear")[:8])
        table.reads_on("OK")
        table.press(Button.OK)
        return table

    return begin


def walk(table: Table, words: MenuWords, cells: list[str]) -> None:
    """A magnet goes from one cell to the next, as they light up."""
    for cell in cells:
        table.panel.see(f"{cell}", words.text("put-magnet", cell, 1, 1).split()[1])
        table.panel.mark()
        table.put(cell)
        table.panel.see(f"{cell}", words.text("teach-lift", cell).split()[-1])
        table.panel.mark()
        table.lift(cell)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_is_taught_by_buttons(
    begun: Callable[[str], Table], golden: Any, lang: str
) -> None:
    table, words, failed = begun(lang), MenuWords(lang), list[str]()
    table.panel.see(CELLS[0], "(1")
    try:
        golden(draw(table.panel.last), f"teach-put-{lang}")
    except pytest.fail.Exception as error:
        failed.append(str(error))
    walk(table, words, CELLS)
    table.panel.see(words.text("teach-learnt")[:12])
    table.press(Button.OK)
    table.panel.see("✓")
    table.stop()
    assert order_of(taught(BOARD, load_config())) == order_of(REALLY)
    assert load().done["wiring"] == wiring.VERSION
    assert not failed, failed


def test_a_second_magnet_is_told_and_the_cell_tried_once_more(
    begun: Callable[[str], Table],
) -> None:
    table, words = begun("en"), MenuWords("en")
    table.panel.see(CELLS[0], "(1")
    table.put(CELLS[0], CELLS[5])
    table.panel.see("take it off")
    table.lift(CELLS[0], CELLS[5])
    table.panel.see("closes several")
    table.put(CELLS[0])
    table.panel.see("take it off")
    table.lift(CELLS[0])
    walk(table, words, CELLS[1:])
    table.panel.see(words.text("teach-learnt")[:12])
    table.stop()
    assert order_of(taught(BOARD, load_config())) == order_of(REALLY)


def test_where_a_cell_feels_nothing_nothing_is_changed(
    begun: Callable[[str], Table], tmp_path: Path
) -> None:
    table, words = begun("en"), MenuWords("en")
    table.panel.see(CELLS[0], "(1")
    table.press(Button.DOWN)
    walk(table, words, CELLS[1:])
    table.panel.see("Nothing was changed", CELLS[0])
    table.stop()
    assert not (tmp_path / "tableref.toml").exists()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_said_at_a_cell_is_on_the_display_as_a_whole(lang: str) -> None:
    words = MenuWords(lang)
    for key, values in (
        ("put-magnet", ("gate", 45, 45)), ("teach-lift", ("gate",)),
        ("teach-several", ("gate",)), ("teach-taken", ("gate", "se3")),
    ):  # fmt: skip
        assert len(font.wrap(words.text(key, *values), COLUMNS, ROWS + 1)) <= ROWS, key
