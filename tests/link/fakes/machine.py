"""Stands in for MicroPython's `machine` on a Pico: the wires are files in the folder TABLEREF_RIG.

`chain` holds the 8 bytes of eight shift registers and the tail; `lights` takes what is shown;
`scratch` keeps the watchdog's scratch register over a reset; a file `escape` joins that pin to
ground. A reset ends the process, and the rig starts it again.
"""

import os
import sys

_RIG = os.getenv("TABLEREF_RIG")
RESET_CODE = 75

PWRON_RESET = 1
WDT_RESET = 3


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number

    def __call__(self, value):
        pass

    def value(self):
        try:
            os.stat(_RIG + "/escape")
            return 0
        except OSError:
            return 1


class SPI:
    def __init__(self, bus, *, baudrate, polarity, phase, sck, mosi, miso):
        self._chain = open(_RIG + "/chain", "rb")
        self._all = bytearray(9)

    def readinto(self, buffer):
        self._chain.seek(0)
        if self._chain.readinto(self._all) == 9:
            last = len(buffer) - 1
            buffer[:last] = self._all[:last]
            buffer[last] = self._all[8]


class WDT:
    def __init__(self, *, timeout):
        pass

    def feed(self):
        pass


class _Registers:
    def __getitem__(self, address):
        try:
            with open(_RIG + "/scratch") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def __setitem__(self, address, value):
        with open(_RIG + "/scratch", "w") as file:
            file.write(str(value))


mem32 = _Registers()


def reset():
    sys.exit(RESET_CODE)


def reset_cause():
    return PWRON_RESET


def unique_id():
    return b"rig-unit"
