"""Memory that is free again, handed back to the system, of which a Pi has little."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Hand back what is free between things still in use.

    The C library keeps it, and the large pictures that come next do not fit into it. Only glibc,
    which Raspberry Pi OS has, can be asked; elsewhere nothing happens.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
