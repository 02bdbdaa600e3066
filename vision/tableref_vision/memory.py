"""Memory that is free again, handed back to the system, of which a Pi has little."""

from __future__ import annotations

import ctypes
import gc

LARGE = 2_500_000
"""Bytes from which on a block is taken from the system by itself: a camera's picture is larger, a
board laid flat is not. To be given a page anew costs the system 2 us, 10 ms a picture in all."""
AT_HAND = 12_000_000
"""Bytes at the end of what is taken that are kept for the next picture."""
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # mallopt(3)


def give_back() -> None:
    """Hand back what is free between things still in use.

    The C library keeps it, and the large pictures that come next do not fit into it. Only glibc,
    which Raspberry Pi OS has, can be asked; elsewhere nothing happens.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def let_go() -> None:
    """Free what is used no more but refers to itself in circles, and hand it back: for the moment
    when a game has ended, which else leaves some MB behind each time."""
    gc.collect()
    give_back()


def give_back_large() -> None:
    """Hand back `LARGE` blocks as soon as they are free, from now on.

    Else glibc raises its limit up to 32 MB once such a block was free, and keeps the places of
    pictures between small things that stay: a third more than is ever in use.
    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit is not None:
        limit(_M_MMAP_THRESHOLD, LARGE)
        limit(_M_TRIM_THRESHOLD, AT_HAND)
