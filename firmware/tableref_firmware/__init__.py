"""Firmware of the board: runs on MicroPython 1.25 or newer, and its pure modules on CPython.

Only `hal` and `ws2812` know the hardware; everything else is handed bytes and ticks.
"""

VERSION = (0, 1, 0)
