"""What the firmware promises in figures, measured in emulated time.

The emulator counts the processor's cycles but knows no flash that lets it wait, so that a Pico is
somewhat slower; and every figure is of the image, where the firmware is machine code. The emulator
waits for the host, so that each run gives the very same figures.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.emulator.rig import Pico, SteppedPico
from tests.emulator.test_game import BOOT_S
from tests.link.conftest import Table

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import LinkItem, Snapshot, SwitchEvent, flash
from tableref_firmware.framing import Decoder
from tableref_firmware.lights import Lights
from tableref_firmware.protocol import CELL_MASK, EVENTS, GATHER_MS, LAST_PART, OCCUPIED, SHOW
from tableref_hardware.board import Board

DEBOUNCE_S = 0.005
EVENTS_A_S = 100
CELLS = 60  # a chain with a magnet at every input is not believed
PICTURES_A_S = 30
GAP_S = 0.005
EVENT_S = 0.010
GATHERED_S = EVENT_S + GATHER_MS / 1000
PICTURE_S = 0.010


def started(pico: Pico, board: Board) -> Table:
    """A board that has just been plugged in, and has told its switches."""
    random.seed(1)  # from which the host draws its numbers
    table, end = Table(board, SteppedPico(pico)), BOOT_S
    while not any(isinstance(item, Snapshot) for item in table.wait(0.01)):
        assert (end := end - 0.01) > 0, f"no snapshot in {BOOT_S} s"
    return table


def colours(board: Board, rng: random.Random) -> dict[str, Light]:
    """A picture on all cells: six colours, as players have."""
    palette = [(200, 0, 0), (0, 180, 0), (0, 0, 160), (120, 120, 0), (90, 0, 90), (1, 2, 3)]
    return {cell: Light(rng.choice(palette), Pattern.STEADY) for cell in board.cells}


def wire_words(board: Board, picture: dict[str, Light]) -> list[int]:
    """The words that the strip must get, dimmed to the limit on the current as the board does."""
    lights = Lights(64, 500)
    for cell, light in picture.items():
        place = board.cells[cell].light
        assert place is not None
        lights.put(place, *light.colour, 0)
    lights.show()
    lights.render(0)
    return list(lights.words)


def test_the_switches_are_read_and_told_in_time_under_full_load(
    full_pico: Pico, full_board: Board, full: bool
) -> None:
    pico, rng = full_pico, random.Random(1)
    seconds = 20.0 if full else 0.4
    table = started(pico, full_board)
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
    end = table.clock.now + seconds + 0.1
    # At any moment of the board's turns, and of what it tells of the switches.
    pauses = [(0.8 + 0.4 * rng.random()) / PICTURES_A_S for _ in range(int(seconds * PICTURES_A_S))]
    items: list[LinkItem] = []
    pictures: list[list[int]] = []
    for pause in pauses:
        picture = colours(full_board, rng)
        table.link.show(picture)
        pictures.append(wire_words(full_board, picture))
        items += table.wait(pause)
    items += table.wait(max(0.1, end - table.clock.now))
    events = [item for item in items if isinstance(item, SwitchEvent)]
    look = pico.tell("look")
    kept = pico.tell("keep", on=False)
    gaps = {int(ms): number for ms, number in sorted(look["gaps"].items())}
    print(f"\n{look['scans']} readings, at most {look['gap'] / 1e6:.2f} ms apart (by ms: {gaps})")
    late = lateness(kept)
    print(f"{len(late)} events told at most {max(late) / 1e6:.2f} ms after the debounce time,")
    print(f"the first of them, after a pause, {late[0] / 1e6:.2f} ms")
    dark = darkness(kept)
    print(f"{len(dark)} pictures of 64 lights shone at most {max(dark) / 1e6:.2f} ms later")
    print(f"{look['bits']} bits, mean pulses in ns: {look['means']}")
    assert [(event.cell, event.occupied) for event in events] == [
        (f"s{place}", bool(magnet)) for _at, place, magnet in kept["played"]
    ]
    assert look["wrong"] == []
    assert look["gap"] < GAP_S * 1e9
    assert late[0] < EVENT_S * 1e9  # so it is after a pause; so many changes a second are gathered
    assert max(late) < GATHERED_S * 1e9
    assert max(dark) < PICTURE_S * 1e9
    assert [words for _at, words in kept["pictures"]] == pictures


def lateness(kept: dict[str, Any]) -> list[float]:
    """For each movement, ns from the end of its debounce time to the last byte that tells it."""
    told = dict[tuple[int, int], float]()
    for at, kind, said in frames(kept["said"]):
        if kind == EVENTS:
            for start in range(2, len(said), 5):
                told.setdefault((said[start] & CELL_MASK, said[start] & OCCUPIED), at)
    return [
        told[place, OCCUPIED if magnet else 0] - at - DEBOUNCE_S * 1e9
        for at, place, magnet in kept["played"]
    ]


def darkness(kept: dict[str, Any]) -> list[float]:
    """For each picture, ns from its command on USB to the last edge of its last light."""
    commands = [
        at for at, kind, said in frames(kept["heard"]) if kind == SHOW and said[1] & LAST_PART
    ]
    pictured = [at for at, _words in kept["pictures"]]
    return [next(end for end in pictured if end > at) - at for at in commands]


def frames(line: list[tuple[float, str]]) -> Iterator[tuple[float, int, bytes]]:
    """When each frame had come, its kind and its payload, of bytes (hex) with their times (ns)."""
    decoder = Decoder()
    for at, data in line:
        for kind, payload in decoder.feed(bytes.fromhex(data)):
            yield at, kind, payload


def test_a_few_lights_shine_at_once(full_pico: Pico, full_board: Board) -> None:
    pico, cells = full_pico, list(full_board.cells)
    table = started(pico, full_board)
    pico.tell("keep", on=True)
    for number in range(6):
        table.link.show({cell: Light((200, 0, 9), Pattern.STEADY) for cell in cells[number::16]})
        assert table.wait(0.0233) == []
    kept = pico.tell("keep", on=False)
    assert pico.tell("look")["wrong"] == []
    dark = darkness(kept)
    print(f"\n{len(dark)} pictures of 4 lights shone at most {max(dark) / 1e6:.2f} ms later")
    assert len(dark) == 6
    assert max(dark) < PICTURE_S * 1e9


def test_no_light_bit_is_wrong_in_many_pictures(pico: Pico, full: bool) -> None:
    """The strip's driver by itself, from the prompt, with garbage about, picture after picture."""
    count = 10_000 if full else 200
    device = pico.plug(escape=True)
    pico.tell("keep", on=True)
    flash.mpremote(device, "exec", PICTURES.replace("COUNT", str(count)), seconds=count * 1.0 + 600)
    look = pico.tell("look")
    kept = pico.tell("keep", on=False)
    table, rng = [], 1
    for _ in range(1024):
        rng = rng * 1103515245 + 12345 & 0x3FFFFFFF
        table.append(rng >> 6)
    expected = []
    for number in range(count):
        start = number * 37 % 960
        expected.append(table[start : start + (4 if number % 20 else 64)])
    print(f"\n{len(kept['pictures'])} pictures, {look['bits']} bits, each as it should be")
    assert [words for _at, words in kept["pictures"]] == expected
    assert look["wrong"] == []


# Most pictures are of four lights, as a game's are; each twentieth is of 64.
PICTURES = """
import gc, time
from array import array
from tableref_firmware import pins
from tableref_firmware.ws2812 import Strip
strip, table, rng = Strip(pins.LIGHTS), array('I'), 1
for place in range(1024):
    rng = rng * 1103515245 + 12345 & 0x3fffffff
    table.append(rng >> 6)
for number in range(COUNT):
    start = number * 37 % 960
    strip.show(table[start:start + (4 if number % 20 else 64)])
    if number % 50 == 0: gc.collect()
time.sleep_ms(5)
"""
