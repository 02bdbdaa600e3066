"""Frames that survive noise: a zero byte on either side, COBS between, a CRC-32 at the end.

Zero stands nowhere inside a frame (Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1999),
so the first good frame after any noise is read, whatever the noise was. Inside:
type, sequence number, length of the payload, payload, CRC-32 of all before it (little-endian).
"""

from tableref_firmware.protocol import MAX_PAYLOAD
from tableref_firmware.quick import unwrap, wrap

_HEAD = 3  # type, sequence, length
_AROUND = _HEAD + 4  # and the CRC-32
_LONGEST = MAX_PAYLOAD + _AROUND + 1
FRAME_OVERHEAD = _AROUND + 3  # the bytes that a frame adds to its payload on the wire


def encode(kind: int, sequence: int, payload: bytes) -> bytes:
    """One frame as bytes for the wire."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("%d bytes do not fit into a frame" % len(payload))
    return wrap(bytes((kind, sequence, len(payload))) + payload)


class Decoder:
    """Finds the frames in a stream of bytes, and counts what it could not read.

    `good` frames came through; `bad` pieces between two zeros did not; `lost` frames are missing
    in the sequence; `repeated` frames came twice in a row byte for byte and were given out once.
    """

    def __init__(self) -> None:
        self._tail = b""
        self._last = b""
        self.good = self.bad = self.lost = self.repeated = 0

    def feed(self, data: bytes) -> "list[tuple[int, bytes]]":
        """Takes what has arrived; returns the (type, payload) of the frames it completes."""
        pieces = (self._tail + data).split(b"\0")
        self._tail = pieces.pop()[: _LONGEST + 1]  # too long is too long: more need not be kept
        frames: list[tuple[int, bytes]] = []
        for stuffed in pieces:
            if not stuffed:
                continue
            body = unwrap(stuffed) if len(stuffed) <= _LONGEST else None
            if body is None or len(body) < _HEAD or body[2] != len(body) - _HEAD:
                self.bad += 1
            elif body == self._last:
                self.repeated += 1
            else:
                if self._last:
                    self.lost += (body[1] - self._last[1] - 1) & 0xFF
                self._last = body
                self.good += 1
                frames.append((body[0], body[_HEAD:]))
        return frames
