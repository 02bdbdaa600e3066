"""`tableref parts`: what to buy for a table, computed from board files and wiring."""

from __future__ import annotations

import argparse
import csv
import sys

from tableref.commands import words
from tableref.errors import UserError
from tableref_hardware import BoardFileError, board_names, load_board
from tableref_hardware.electronics import Front, Pico, circuit
from tableref_hardware.electronics.shopping import (
    Item,
    by_camera,
    electronics,
    for_all,
    magnets,
    merged,
)

HEAD = (
    "quantity",
    "value or size",
    "package or material",
    "description",
    "where",
    "grams",
    "price",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """For which games, with or without electronics, as a table or CSV."""
    parser.add_argument(
        "games",
        nargs="*",
        type=words.board,
        metavar="GAME",
        help=f"{', '.join(board_names())} (default: all five)",
    )
    parser.add_argument(
        "--camera-only",
        action="store_true",
        help="a table that only a camera watches: nothing to solder",
    )
    parser.add_argument(
        "--csv", action="store_true", help="as CSV, with an empty column for prices"
    )


def reference() -> tuple[Pico, Front]:
    """The pins of the firmware, and of the front as it is wired unless a configuration differs."""
    from tableref.devices.config import DeviceConfig
    from tableref_firmware import pins

    config = DeviceConfig()
    status = config.status.numbers() if config.status else {}
    front = Front(
        {button.value: pin for button, pin in config.buttons.items()},
        status,
        config.buzzer.pin if config.buzzer else None,
        bool(config.displays),
    )
    return Pico(pins.CLOCK, pins.DATA, pins.LATCH, pins.LIGHTS), front


def run(args: argparse.Namespace) -> int:
    """0 once the list is written."""
    try:
        boards = [load_board(name) for name in args.games or board_names()]
    except BoardFileError as error:
        raise UserError(str(error)) from error
    items = [*by_camera(boards)]
    if not args.camera_only:
        pico, front = reference()
        tables = [electronics(circuit(board, pico, front)) for board in boards]
        items += [*for_all(tables), *(item for board in boards for item in magnets(board))]
    lines = merged(items)
    if args.csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(HEAD)
        writer.writerows((*line, "") for line in lines)
    else:
        _print(lines)
    return 0


def _print(lines: tuple[Item, ...]) -> None:
    for line in lines:
        text = f"{line.text}, {line.package}" if line.package else line.text
        print(f"{line.quantity:4}  {line.value:24} {text}")
    grams = sum(line.mass for line in lines)
    print(
        f"\n{len(lines)} lines. What is weighed comes to {grams:.0f} g. Prices: --csv has a column."
    )
