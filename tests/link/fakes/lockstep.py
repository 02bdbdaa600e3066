"""Runs the firmware under MicroPython in virtual time: one turn for each record on stdin.

In: ticks, flags (1: give up the events that wait, 2: collect garbage), the chain with its tail as
first read in this turn, as read again, length of the host's bytes, those bytes. Out: length of the
board's bytes, flags (1: wants its next turn soon, 2: has ended for the prompt), free memory or 0,
number of lights shown anew, the bytes, the lights. Once, first: boot, cause, whether there are
lights.
"""

import gc
import struct
import sys

from tableref_firmware.app import App

_IN = "<IB9s9sH"
_RECORD = struct.calcsize(_IN)
_OUT = "<HBIB"
_read = sys.stdin.buffer.read
_write = sys.stdout.buffer.write


class Hardware:
    unit = b"virtual\0"

    def __init__(self):
        self.boot, self.cause, self.has_lights = struct.unpack("<IBB", _read(6))
        self.now = 0
        self.chain = self.chain_again = b"\xff" * 8 + b"\0"
        self.input = self.output = b""
        self.words = []
        self.ended = False

    def ticks(self):
        return self.now

    def feed(self):
        pass

    def read(self):
        data, self.input = self.input, b""
        return data

    def write(self, data):
        self.output += data

    def read_switches(self, wire):
        last = len(wire) - 1
        wire[:last] = self.chain[:last]
        wire[last] = self.chain[8]
        self.chain = self.chain_again

    def show(self, words):
        self.words = list(words)

    def collect(self):
        gc.collect()

    def free(self):
        gc.collect()
        return gc.mem_free()

    def last_words(self):
        return ()

    def restart(self, prompt):
        self.ended = True


def run():
    hardware = Hardware()
    app = None
    while True:
        record = _read(_RECORD)
        if len(record) < _RECORD:
            return
        hardware.now, flags, hardware.chain, hardware.chain_again, length = struct.unpack(
            _IN, record
        )
        if length:
            hardware.input += _read(length)
        if app is None:
            app = App(hardware)
        if flags & 1:
            app.outbox.overflow()
        app.turn()
        free = hardware.free() if flags & 2 else 0
        out, hardware.output = hardware.output, b""
        words, hardware.words = hardware.words, []
        state = (1 if app.busy() else 0) | (2 if hardware.ended else 0)
        _write(
            struct.pack(_OUT, len(out), state, free, len(words))
            + out
            + b"".join([struct.pack("<I", word) for word in words])
        )


run()
