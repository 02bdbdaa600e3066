"""What the firmware promises in figures, measured in emulated time.

The emulator counts the processor's cycles but knows no flash that lets it wait, so that a Pico is
somewhat slower; and every figure is of the image, where the firmware is machine code.
"""

from __future__ import annotations

import random

from tests.emulator.rig import Pico
from tests.emulator.test_game import BOOT_S, is_snapshot

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import SwitchEvent
from tableref_hardware.board import Board

DEBOUNCE_S = 0.005
EVENTS_A_S = 100
CELLS = 60  # a chain with a magnet at every input is not believed
PICTURES_A_S = 30
GAP_S = 0.005
EVENT_S = 0.010
PICTURE_S = 0.010


def colours(board: Board, rng: random.Random) -> dict[str, Light]:
    """A picture on all cells: six colours, as players have."""
    palette = [(200, 0, 0), (0, 180, 0), (0, 0, 160), (120, 120, 0), (90, 0, 90), (1, 2, 3)]
    return {cell: Light(rng.choice(palette), Pattern.STEADY) for cell in board.cells}


def test_the_switches_are_read_and_told_in_time_under_full_load(
    full_pico: Pico, full_board: Board, full: bool
) -> None:
    pico, rng = full_pico, random.Random(1)
    seconds = 20.0 if full else 0.4
    pico.plug()
    with pico.link() as link:
        pico.items(link, is_snapshot, BOOT_S)
        pico.wait(0.1)
        pico.tell("keep", on=True)
        count = int(seconds * EVENTS_A_S)
        movements = [
            (
                number * 1e9 / EVENTS_A_S + rng.random() * 5e6,
                number % CELLS,
                number // CELLS % 2 == 0,
            )
            for number in range(count)
        ]
        pico.tell("play", moves=movements)
        end, shown = pico.now() + seconds, 0
        events: list[SwitchEvent] = []
        due = pico.now()
        while pico.now() < end or len(events) < count:
            assert pico.now() < end + 3.0, f"{len(events)} of {count} events"
            if due <= pico.now() < end:
                link.show(colours(full_board, rng))
                shown += 1
                due += 1 / PICTURES_A_S
            item = link.next(0.005)
            if isinstance(item, SwitchEvent):
                events.append(item)
        look = pico.tell("look")
        kept = pico.tell("keep", on=False)
    print(f"gap {look['gap'] / 1e6:.2f} ms, of {look['scans']} readings: {look['gaps']} a ms")
    said = [at for at, _ in kept["said"]]
    late = [_after(said, at + DEBOUNCE_S * 1e9) for at, _place, _magnet in kept["played"]]
    pictured = [at for at, _words in kept["pictures"]]
    commands = [at for at, size in kept["heard"] if size > 100]
    dark = [_after(pictured, at) for at in commands[:-1]]
    print(f"events told at most {max(late) / 1e6:.2f} ms after the debounce time")
    print(f"{shown} pictures sent, {len(pictured)} seen, at most {max(dark) / 1e6:.2f} ms later")
    print(f"mean pulses in ns: {look['means']}")
    print(f"{look['bits']} bits, {look['wrong_pulses']} wrong, rest {look['rest'] / 1e6:.2f} ms")
    assert [(event.cell, event.occupied) for event in events] == [
        (f"s{place}", bool(magnet)) for _at, place, magnet in kept["played"]
    ]
    assert look["wrong"] == []
    assert look["gap"] < GAP_S * 1e9
    assert max(late) < EVENT_S * 1e9
    assert max(dark) < PICTURE_S * 1e9


def _after(moments: list[float], at: float) -> float:
    """Nanoseconds from `at` to the first moment after it."""
    return next(moment for moment in moments if moment >= at) - at
