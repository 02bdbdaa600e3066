"""What a screen, a picture of the virtual table and a printed board cost, in CPU time.

The fastest of several turns, for the rest is what other programs cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tableref.devices.lights import Meaning, draw_board
from tableref.devices.oled import Marker, Screen, draw
from tableref.printing.overlay import print_overlay
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.stage import Stage
from tableref_hardware import load_board

TURNS = 7


def run() -> list[str]:
    """Lines with figures."""
    board = load_board("autoscooter")
    screen = Screen.of("Blue: not allowed", "From speed 1 a car may take A to O.", Marker.REFUSED)
    table = Stage(board, 1, Camera.above(tilt=15.0))
    table.set_up()
    return [
        f"a screen drawn: {_cost(lambda: draw(screen)):.2f} ms",
        f"the lights drawn: {_cost(lambda: draw_board(board, {'c4': Meaning.DUE.value})):.0f} ms",
        f"a picture of the virtual table: {_cost(table.picture):.0f} ms",
        f"with a hand in it: {_cost(lambda: table.picture(hands=[Hand(0.0, 0.0)])):.0f} ms",
        f"a board for printing: {_cost(lambda: print_overlay(board, 'a4')):.0f} ms",
    ]


def _cost(action: Callable[[], object]) -> float:
    action()  # what is made once and kept is not counted
    times = []
    for _ in range(TURNS):
        began = time.process_time()
        action()
        times.append(time.process_time() - began)
    return 1000 * min(times)
