"""The image's loops in C give what the same loops in Python give, on the emulated Pico."""

from __future__ import annotations

from tests.emulator.rig import Pico

from tableref.devices.link import flash


def test_the_loops_in_c_do_what_those_in_python_do(pico: Pico, full: bool) -> None:
    rounds = 2000 if full else 30
    device = pico.plug(escape=True)
    # What goes wrong on the board is an error of mpremote, with the assertion's text.
    flash.mpremote(
        device, "exec", COMPARE.replace("ROUNDS", str(rounds)), seconds=600 + 10 * rounds
    )


# MicroPython's own generator, from one seed; lengths around those where a distance of COBS is full.
COMPARE = """
import random
from array import array
import tableref_loops as c
from tableref_firmware import loops as python
random.seed(5)
LENGTHS = (0, 1, 2, 3, 4, 5, 6, 60, 240, 247, 248)
def noise(length, zeros):
    return bytes([0 if random.randrange(4) < zeros else random.randrange(256)
                  for _ in range(length)])
def number(most):
    return random.randrange(most)
for turn in range(ROUNDS):
    body = noise(LENGTHS[number(len(LENGTHS))], turn % 4)
    frame = python.wrap(body)
    assert c.wrap(body) == frame, ('wrap', body)
    stuffed = frame[1:-1]
    assert c.unwrap(stuffed) == body == python.unwrap(stuffed), ('unwrap', stuffed)
    damaged = bytearray(stuffed)
    damaged[number(len(damaged))] ^= 1 << number(8)
    for piece in (bytes(damaged), stuffed[number(len(stuffed)):], stuffed[:number(len(stuffed))]):
        if 0 not in piece:  # which the decoder has taken for the end
            assert c.unwrap(piece) == python.unwrap(piece), ('damage', piece)
    cells = 1 + number(64)
    strip = bytes([number(cells) if number(4) else 255 for _ in range(256)])
    entries = b''.join([bytes((number(256), number(256), number(256), number(256),
                               0 if number(20) else number(6))) for _ in range(number(48))])
    pictures = array('I', [0] * cells), array('I', [0] * cells)
    said = [side.sketch(entries, strip, picture, 4)
            for side, picture in zip((c, python), pictures)]
    assert said[0] is said[1] and pictures[0] == pictures[1], ('sketch', strip, entries)
    picture = pictures[0]
    assert c.tally(picture) == python.tally(picture), ('tally', picture)
    words = array('I', [0] * cells), array('I', [0] * cells)
    levels, scale = noise(4, 1), number(257)
    for side, out in zip((c, python), words):
        side.shine(picture, levels, scale, out)
    assert words[0] == words[1], ('shine', picture, levels, scale)
    raised = array('I', [0] * cells), array('I', [0] * cells)
    for side, out in zip((c, python), raised):
        side.raise_words(words[0], out)
    assert raised[0] == raised[1], ('raise', words[0])
"""
