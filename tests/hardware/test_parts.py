"""`tableref parts`: what to buy."""

from __future__ import annotations

import csv
import io

import pytest

from tableref.cli import main
from tableref_hardware import board_names, load_board


def lines(capsys: pytest.CaptureFixture[str], *words: str) -> dict[tuple[str, str], int]:
    assert main(["parts", "--csv", *words]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return {(row["value or size"], row["description"]): int(row["quantity"]) for row in rows}


def test_a_table_that_only_a_camera_watches_has_nothing_to_solder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = {value for value, _ in lines(capsys, "--camera-only", "scorpion")}
    assert "camera" in values
    assert not {"74HC165", "WS2812B", "8 x 3 mm"} & values


def test_all_five_share_a_pico_and_have_switches_for_every_cell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = lines(capsys)
    cells = sum(len(load_board(name).cells) for name in board_names())
    assert sum(n for (value, _), n in found.items() if value == "Raspberry Pi Pico") == 1
    assert sum(n for (value, _), n in found.items() if value == "DRV5033") == cells
    assert sum(n for (value, _), n in found.items() if value == "330 Ω") == 4


def test_a_game_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parts", "chess"]) == 2
    assert "chess" in capsys.readouterr().err
