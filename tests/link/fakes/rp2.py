"""Stands in for `rp2`: a state machine that leaves what it is given in the file `lights`."""

import os
import struct


class PIO:
    OUT_LOW = 0
    SHIFT_LEFT = 0
    JOIN_TX = 1


def asm_pio(**settings):
    return lambda program: program


class StateMachine:
    def __init__(self, number, program, *, freq, sideset_base):
        pass

    def active(self, on):
        pass


class DMA:
    def pack_ctrl(self, *, inc_write, treq_sel):
        return 0

    def config(self, *, read, write, count, ctrl, trigger):
        out = b"".join([struct.pack(">I", word) for word in read])
        with open(os.getenv("TABLEREF_RIG") + "/lights", "wb") as file:
            file.write(out)
