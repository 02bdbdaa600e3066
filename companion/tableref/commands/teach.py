"""`tableref teach`: which switch is under which cell, where a board is wired in another order."""

from __future__ import annotations

import argparse

from tableref.commands import words
from tableref.commands.board import find
from tableref.commands.board_guided import Hand, Person, Readings, VirtualHand
from tableref.devices.config import load_config, remember
from tableref.devices.lights import Light, Pattern
from tableref.devices.link import AUTO, BoardLink, VirtualPort, port_named
from tableref.devices.taught import Lesson, order_of, taught
from tableref.errors import UserError
from tableref_hardware import BoardFileError, load_board
from tableref_hardware.board import Board

TRIES = 2
_HERE = Light((255, 255, 255), Pattern.PULSE)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which board, through which port."""
    words.board_argument(parser)
    words.port_argument(parser)


def run(args: argparse.Namespace) -> int:
    """0 where every cell was learnt, and written into the configuration; else 1, and nothing is
    written. UserError"""
    try:
        board = load_board(args.board)
    except BoardFileError as error:
        raise UserError(str(error)) from error
    config = load_config()  # one that cannot be read is told before the walk
    port = port_named(args.port, board)
    cells = [cell.name for cell in board.cells.values() if cell.switch is not None]
    if not cells:
        raise UserError(f"{board.title} has no switches: nothing to teach")
    with BoardLink(board, port) as link:
        find(link, look_around=args.port == AUTO)
        hand: Hand = VirtualHand(port) if isinstance(port, VirtualPort) else Person()
        lesson = _taught(link, board, hand, cells)
    if lesson.troubles:
        print(*lesson.troubles, "Nothing was changed.", sep="\n")
        return 1
    order = lesson.order()
    if order == order_of(taught(board, config)):
        print(f"{len(cells)} cells: as it was known already")
        return 0
    path = remember("wiring", {board.game: order})
    print(f"{len(cells)} cells learnt; {path}: wiring.{board.game}, for all games on this board")
    return 0


def _taught(link: BoardLink, board: Board, hand: Hand, cells: list[str]) -> Lesson:
    """A walk from cell to cell. LinkError"""
    hand.clear()
    readings = Readings(link, board, hand)
    lesson = Lesson(readings.now()[1])
    for number, cell in enumerate(cells, 1):
        link.show({cell: _HERE})
        for _ in range(TRIES):
            hand.put(cell, f"{number} of {len(cells)}")
            closed = readings.settled(lambda reading: len(reading - lesson.rest) == 1)
            trouble = lesson.learn(cell, readings.now()[1] if closed is None else closed)
            hand.lift(cell)
            readings.settled(lambda reading: not reading - lesson.rest)
            if not trouble:
                break
            print(f"  {trouble}", flush=True)
    link.show({})
    return lesson
