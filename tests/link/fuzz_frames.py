"""Noise and mutated frames against the decoder, on CPython and on MicroPython alike.

    python -m tests.link.fuzz_frames 1000000
    micropython tests/link/fuzz_frames.py 1000000

Every frame carries its own number, from which its content follows, so that what is delivered can
be judged: it was sent, it is the next one or a later one, and a frame sent whole is never missed.
"""

import random
import sys

from tableref_firmware.framing import Decoder, encode

_MUTATIONS = 7


def content(number):
    """Type and payload of the frame with this number, zeros among them."""
    size = number * 7919 % 61
    return 1 + number % 100, number.to_bytes(4, "little") + bytes(
        [(number >> (i & 15)) & 0xFF if i % 3 else 0 for i in range(size)]
    )


def frame(number):
    kind, payload = content(number)
    return encode(kind, number & 0xFF, payload)


def mutated(data, last):
    """One frame after something happened to it on its way; `last` is the frame before it."""
    how = random.getrandbits(8) % _MUTATIONS
    at = random.getrandbits(16) % len(data)
    if how == 0:  # a bit flips
        return data[:at] + bytes([data[at] ^ 1 << random.getrandbits(3)]) + data[at + 1 :]
    if how == 1:  # a byte vanishes
        return data[:at] + data[at + 1 :]
    if how == 2:  # a byte comes twice
        return data[: at + 1] + data[at:]
    if how == 3:  # it breaks off
        return data[:at]
    if how == 4:  # a burst
        return data[:at] + noise(1 + random.getrandbits(3)) + data[at + 1 + random.getrandbits(3) :]
    if how == 5:  # its middle is another frame's
        return data[:at] + last[at:]
    return noise(1 + random.getrandbits(6))  # nothing of it comes through


def noise(size):
    return bytes([random.getrandbits(8) for _ in range(size)])


def fuzz(frames, seed):
    """Sends so many frames, half of them mutated; returns how many were delivered.

    AssertionError where one is delivered that was not sent, or twice, or out of order, or where a
    whole frame is missed.
    """
    random.seed(seed)
    decoder = Decoder()
    sent, newest, delivered = 0, -1, 0
    last = frame(0)
    while sent < frames:
        number, sent = sent, sent + 1
        whole = frame(number)
        intact = random.getrandbits(1)
        data = whole if intact else mutated(whole, last)
        last = whole
        cut = random.getrandbits(5)
        got = decoder.feed(data[:cut]) + decoder.feed(data[cut:])
        for kind, payload in got:
            told = int.from_bytes(payload[:4], "little")
            assert newest < told <= number, (seed, number, told)
            assert content(told) == (kind, payload), (seed, number, payload)
            newest = told
            delivered += 1
        assert newest == number or not intact, (seed, number, "missed")
    return delivered


if __name__ == "__main__":
    count = int(sys.argv[1])
    print(count, "frames,", fuzz(count, int(sys.argv[2]) if len(sys.argv) > 2 else 1), "delivered")
