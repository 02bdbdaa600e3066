"""The chain of 74HC165 shift registers: what its bytes mean, and whether it is whole.

The register nearest the Pico comes first; its input D0 is place 0. A hall switch (open drain) pulls
its input low, so a 0 is a magnet; where a board has switches of the other kind, the host says so.
The serial input (SER) of the last register is tied to ground: one more byte is clocked out than
there are inputs, and it reads 0 only while the whole chain is in order.
"""

# A loose cable shakes; the chain is called broken when no reading has been good for so long.
BROKEN_AFTER_US = 100_000


def registers(places: "list[int]") -> int:
    """How many registers the chain has when these are the places of its switches."""
    return (max(places) >> 3) + 1 if places else 0


def magnets(wire: bytearray, high: int) -> "bytes | None":
    """The reading of a whole chain, one bit a place, 1 for a magnet; None where it is not sound.

    `wire` is a byte a register, then the tail; `high` where a magnet reads 1. Where it reads 0, all
    inputs of two registers or more low is no board that anybody plays on, but a line that touches
    ground: not sound either.
    """
    count = len(wire) - 1
    if wire[count] or (count > 1 and not high and not any(wire)):
        return None
    return bytes(wire[:count]) if high else bytes([byte ^ 0xFF for byte in wire[:count]])
