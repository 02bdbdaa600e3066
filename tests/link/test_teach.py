"""`tableref teach`: a board that is wired in another order is learnt, and played on."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.devices.config import ConfigError, DeviceConfig, read_config
from tableref.devices.link import BoardLink, Snapshot, SwitchEvent, VirtualPico, VirtualPort
from tableref.devices.taught import Lesson, order_of, taught
from tableref_hardware import load_board
from tableref_hardware.board import Board


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tableref.toml"
    path.touch()
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    return path


def wired_otherwise(board: Board, seed: int = 3) -> Board:
    """The same board, whose switches came into the chain in another order."""
    cells = [cell for cell in board.cells.values() if cell.switch is not None]
    places = [cell.switch for cell in cells]
    random.Random(seed).shuffle(places)
    moved = {
        cell.name: replace(cell, switch=place) for cell, place in zip(cells, places, strict=True)
    }
    return replace(board, cells={**board.cells, **moved})


def teach(board: Board, monkeypatch: pytest.MonkeyPatch, faults: str = "") -> tuple[int, Board]:
    """The command at a virtual board that is wired like this; its exit code."""
    from tableref.devices.link import Faults

    monkeypatch.setattr(
        "tableref.commands.teach.port_named",
        lambda text, named: VirtualPort(VirtualPico(board, Faults.parse(faults))),
    )
    monkeypatch.setattr("tableref.commands.board_guided.VirtualHand.PATIENCE_S", 0.05)
    return main(["teach", "--board", board.game, "--port", "virtual"]), load_board(board.game)


def felt(board: Board, really: Board, cell: str) -> str:
    """The cell that is told when a magnet is set on this one."""
    port = VirtualPort(VirtualPico(really))
    with BoardLink(taught(board), port) as link:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            item = link.next(1.0)
            if isinstance(item, Snapshot):
                port.put(cell)
            elif isinstance(item, SwitchEvent):
                return item.cell
    pytest.fail("nothing was felt")


@pytest.mark.parametrize("game", ["squod", "autoscooter"])
def test_what_was_learnt_names_the_cells_rightly_from_then_on(
    game: str, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really = wired_otherwise(load_board(game))
    named = load_board(game).cells
    cell = next(one.name for one in really.cells.values() if one.switch != named[one.name].switch)
    assert felt(load_board(game), really, cell) != cell
    code, board = teach(really, monkeypatch)
    assert code == 0
    assert f"{config}: wiring.{game}" in capsys.readouterr().out
    assert order_of(taught(board)) == order_of(really)
    assert felt(board, really, cell) == cell


def test_a_board_that_is_wired_as_its_file_says_needs_no_line(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = teach(load_board("squod"), monkeypatch)
    assert code == 0
    assert "as it was known already" in capsys.readouterr().out
    assert config.read_text() == ""


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("missing=b2", ["b2 closes no switch"]),
        ("bridged=a1+b1", ["a1 closes unit 1, input A; unit 1, input B", "b1 closes"]),
        ("grounded=b2", ["b2 closes no switch", "closed though the board was empty: stuck"]),
        ("face-down=c3", ["c3 closes no switch"]),
    ],
)
def test_what_is_wrong_with_the_switches_is_told_and_nothing_is_changed(
    fault: str, says: list[str], config: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    config.write_text('[game]\nlang = "de"\n')
    code, _ = teach(load_board("squod"), monkeypatch, fault)
    assert code == 1
    out = capsys.readouterr().out
    for words in (*says, "Nothing was changed."):
        assert words in out
    assert config.read_text() == '[game]\nlang = "de"\n'


def test_a_magnet_that_stayed_on_the_cell_before_is_two_cells_on_one_switch() -> None:
    lesson = Lesson(frozenset({9}))
    assert lesson.learn("a1", frozenset({3, 9})) == ""
    assert "as a1 does" in lesson.learn("b1", frozenset({3, 9}))
    assert len(lesson.troubles) == 2  # and that place 9 is stuck
    assert lesson.learn("b1", frozenset({4, 9})) == ""  # it was moved on
    assert lesson.troubles == []
    assert lesson.order() == ("", "", "", "a1", "b1")


def test_a_cell_that_is_tried_again_forgets_what_it_was() -> None:
    lesson = Lesson(frozenset())
    assert lesson.learn("a1", frozenset({3})) == ""
    assert "no switch" in lesson.learn("a1", None)
    assert lesson.learn("b1", frozenset({3})) == ""
    assert lesson.learn("a1", frozenset({1})) == ""
    assert lesson.order() == ("", "a1", "", "b1")


def test_a_place_may_stay_free(config: Path) -> None:
    board = load_board("squod")
    order = ("", *order_of(board)[:3], "", *order_of(board)[3:])
    again = taught(board, DeviceConfig(wiring={"squod": order}))
    assert order_of(again) == order
    assert taught(board, DeviceConfig()) is board


@pytest.mark.parametrize("order", [("a1",), ("z9",), ()])
def test_an_order_that_does_not_go_with_the_board_says_how_to_mend_it(
    order: tuple[str, ...],
) -> None:
    with pytest.raises(ConfigError, match="tableref teach --board squod"):
        taught(load_board("squod"), DeviceConfig(wiring={"squod": order}))


def test_a_cell_that_stands_twice_in_the_configuration_is_named() -> None:
    with pytest.raises(ConfigError, match=r"wiring\.squod.*'a1' stands there twice"):
        read_config('[wiring]\nsquod = ["a1", "", "", "a1"]\n', "tableref.toml")


def test_a_board_without_switches_has_nothing_to_teach(capsys: pytest.CaptureFixture[str]) -> None:
    boards = [name for name in ("scorpion", "arrows-and-stars", "skorpion-deep")
              if not load_board(name).senses.switches]  # fmt: skip
    for name in boards:
        assert main(["teach", "--board", name, "--port", "virtual"]) == 2
        assert "no switches" in capsys.readouterr().err
