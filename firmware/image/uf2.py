"""UF2, the format that a Pico's BOOTSEL drive takes.

Microsoft's UF2 specification: blocks of 512 bytes, 256 of them payload, each with its address.
"""

from __future__ import annotations

import struct

FLASH = 0x10000000
_RP2040 = 0xE48BFF56
_MAGIC = (0x0A324655, 0x9E5D5157)
_END = 0x0AB16F30
_HAS_FAMILY = 0x2000
_PAYLOAD = 256


def encode(binary: bytes, address: int = FLASH) -> bytes:
    """A program for the RP2040 that begins at `address`."""
    pieces = [binary[at : at + _PAYLOAD] for at in range(0, len(binary), _PAYLOAD)]
    return b"".join(
        struct.pack(
            "<8I476sI",
            *_MAGIC,
            _HAS_FAMILY,
            address + number * _PAYLOAD,
            _PAYLOAD,
            number,
            len(pieces),
            _RP2040,
            piece,
            _END,
        )
        for number, piece in enumerate(pieces)
    )
