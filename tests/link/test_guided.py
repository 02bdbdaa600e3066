"""The guided self-test: each wiring fault is found, and its unit and input are named."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.commands.board_guided import VirtualHand, Walk
from tableref.devices.link import BoardLink, Faults, Snapshot, SwitchEvent, VirtualPico, VirtualPort
from tableref_hardware import load_board
from tableref_hardware.board import Board

FAULTS = {
    "": ["all switches are where they belong"],
    "swapped=a1+b2": ["a1 (unit 1, input A) and b2 (unit 1, input G) are exchanged"],
    "swapped=a1+c4": ["a1 (unit 1, input A) and c4 (unit 3, input C) are exchanged"],
    "missing=c4": [
        "c4 (unit 3, input C) feels no magnet: no switch, a broken wire, or no supply",
    ],
    "inverted=c4": [
        "c4 (unit 3, input C) is inverted: its switch is of the other kind (NPN, PNP)",
    ],
    "inverted=all": [
        "all switches are of the other kind (NPN, PNP): they read a magnet where none is; "
        'write magnet = "high" under [wiring] in the board file'
    ],
    "face-down=c4": [
        "c4 (unit 3, input C) feels only the other pole: its switch lies on its face",
    ],
    "face-down=all": [
        "the magnets are upside down for these switches: the other pole must point down in all "
        "pieces (or all switches lie on their face)"
    ],
    "grounded=c4": [
        "c4 (unit 3, input C) always reads as with a magnet: its input touches ground, or is "
        "shorted"
    ],
    "bridged=c4+d4": [
        "c4 (unit 3, input C) and d4 (unit 3, input D) are read together: their inputs touch",
    ],
    "reversed=3": ["unit 3: its inputs are wired the wrong way round, H to A"],
    "units=2+4": [
        "units 2 and 4 are exchanged in the chain: look at the wires from QH to DATA IN between "
        "them"
    ],
    "turned=1": [
        "the switches are wired as if the board were turned by half: what is wired as its south "
        "edge (a1 b1 c1 d1 e1) lies north; turn the frame, or the order in [wiring]"
    ],
    "open=2": [
        "the chain is open between unit 2 and unit 3: look at the wire from QH of unit 3 to "
        "DATA IN of unit 2, and at the clock behind"
    ],
    "open=5": ["the chain's end is open: DATA IN of unit 5 belongs at ground"],
    "weak=c4": [
        "c4 (unit 3, input C): a piece is felt only right over the switch (north 0 mm, east 0 mm, "
        "south 0 mm, west 0 mm): set the switch higher or take a stronger magnet"
    ],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_wiring_fault_is_found_and_its_place_is_named(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.txt"
    words = ["--guided", "--margin", "c4", "--report", str(report), "--port", f"virtual:{fault}"]
    assert main(["board", "selftest", *words]) == int(bool(fault))
    assert report.read_text(encoding="utf-8").splitlines()[2:] == FAULTS[fault]
    assert "south edge: a1 b1 c1 d1 e1" in capsys.readouterr().out


def test_several_faults_are_all_found(board: Board) -> None:
    faults = Faults.parse("missing=a1,inverted=c4,reversed=2")
    found = walked(board, faults)
    assert len(found) == 3
    assert found[0].startswith("unit 2")
    assert found[1].startswith("a1 (unit 1, input A) feels no magnet")
    assert found[2].startswith("c4 (unit 3, input C) is inverted")


def walked(
    board: Board, faults: Faults, hand: Callable[[VirtualPort], VirtualHand] = VirtualHand
) -> list[str]:
    port = VirtualPort(VirtualPico(board, faults))
    with BoardLink(board, port) as link:
        while not isinstance(link.next(10.0), Snapshot):
            pass
        return Walk(link, board, hand(port)).run(())


def test_a_hand_whose_computer_was_away_gives_up_on_no_switch(board: Board) -> None:
    class Away(VirtualHand):
        PATIENCE_S = 0.0  # all of it has passed before the first reading

    assert walked(board, Faults(), Away) == []


def test_a_light_that_shines_elsewhere_or_not_at_all_is_told(board: Board) -> None:
    class Telling(VirtualHand):
        said = ("", "")

        def put(self, cell: str, place: str) -> None:
            self.said = (cell, {"b1": "dark", "c4": "d4"}.get(cell, ""))
            time.sleep(0.002)

        def given_up(self) -> str | None:
            cell, word = self.said
            if not cell:
                return super().given_up()
            self.said = ("", "")
            super().put(cell, "")
            return word or None

    port = VirtualPort(VirtualPico(board))
    with BoardLink(board, port) as link:
        while not isinstance(link.next(10.0), Snapshot):
            pass
        found = Walk(link, board, Telling(port)).run(())
    assert [line.partition(":")[0] for line in found] == [
        "the light of b1, light 2 of the strip, stays dark",
        "the light of c4, light 20 of the strip, shines under d4",
    ]


@pytest.fixture
def high(tmp_path: Path, board: Board) -> Board:
    """The board with switches of the other kind."""
    from importlib import resources

    text = (resources.files("tableref_hardware") / "boards/autoscooter.toml").read_text("utf-8")
    path = tmp_path / "high.toml"
    path.write_text(text.replace("[wiring]", '[wiring]\nmagnet = "high"'), encoding="utf-8")
    return load_board(str(path))


def test_switches_of_the_other_kind_work_once_the_board_file_says_so(high: Board) -> None:
    assert walked(high, Faults()) == []
    port = VirtualPort(VirtualPico(high))
    with BoardLink(high, port) as link:
        items = iter(link)
        first = next(item for item in items if isinstance(item, Snapshot))
        assert (first.occupancy, first.unsteady) == (frozenset(), frozenset())
        port.put("c4")
        event = next(item for item in items if isinstance(item, SwitchEvent))
        assert (event.cell, event.occupied) == ("c4", True)


def test_a_board_file_that_is_wrong_about_their_kind_is_told_the_other_way_too(
    high: Board,
) -> None:
    [found] = walked(high, Faults.parse("inverted=all"))
    assert 'magnet = "low"' in found


@pytest.mark.parametrize(
    "fault", ["swapped=a1", "missing=z9", "reversed=9", "units=1", "bridged=a1+z9", "open=x"]
)
def test_a_wiring_fault_that_cannot_be_is_refused(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "status", "--port", f"virtual:{fault}"]) == 2
    assert capsys.readouterr().err


def test_report_and_margin_go_with_the_guided_walk_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["board", "selftest", "--margin", "a1", "--port", "virtual"]) == 2
    assert "--guided" in capsys.readouterr().err
