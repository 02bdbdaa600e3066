"""Frames that survive noise: a zero byte on either side, COBS between, a CRC-32 at the end.

Zero stands nowhere inside a frame (Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1999),
so the first good frame after any noise is read, whatever the noise was. Inside:
type, sequence number, length of the payload, payload, CRC-32 of all before it (little-endian).
"""

import binascii

from tableref_firmware.protocol import MAX_PAYLOAD

_AROUND = 7  # type, sequence, length, CRC-32
_LONGEST = MAX_PAYLOAD + _AROUND + 1
FRAME_OVERHEAD = _AROUND + 3  # the bytes that a frame adds to its payload on the wire


def encode(kind: int, sequence: int, payload: bytes) -> bytes:
    """One frame as bytes for the wire."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("%d bytes do not fit into a frame" % len(payload))
    body = bytes((kind, sequence, len(payload))) + payload
    frame = bytearray(b"\0\0" + body + binascii.crc32(body).to_bytes(4, "little") + b"\0")
    # Each zero, the one before the body first, gives its place to the distance to the next one.
    zero, last = 1, len(frame) - 1
    while zero < last:
        following = frame.find(b"\0", zero + 1)
        frame[zero] = following - zero
        zero = following
    return bytes(frame)


def _decode(stuffed: bytes) -> "bytes | None":
    """Type, sequence, length, payload of one frame without its zeros, or None if it is damaged."""
    frame = bytearray(stuffed)
    at, end = 0, len(frame)
    while at < end:
        # A distance stands where a zero was: it goes back there.
        step = frame[at]
        frame[at] = 0
        at += step
    if at > end:
        return None
    body = bytes(frame[1:])
    if len(body) < _AROUND or body[2] != len(body) - _AROUND:
        return None
    if binascii.crc32(body[:-4]) != int.from_bytes(body[-4:], "little"):
        return None
    return body[:-4]


class Decoder:
    """Finds the frames in a stream of bytes, and counts what it could not read.

    `good` frames came through; `bad` pieces between two zeros did not; `lost` frames are missing
    in the sequence; `repeated` frames came twice in a row byte for byte and were given out once.
    """

    def __init__(self) -> None:
        self._tail = b""
        self._overlong = False
        self._last = b""
        self.good = self.bad = self.lost = self.repeated = 0

    def feed(self, data: bytes) -> "list[tuple[int, bytes]]":
        """Takes what has arrived; returns the (type, payload) of the frames it completes."""
        frames: list[tuple[int, bytes]] = []
        start = 0
        while True:
            end = data.find(b"\0", start)
            if end < 0:
                self._keep(data[start:])
                return frames
            self._finish(self._tail + data[start:end], frames)
            self._tail = b""
            start = end + 1

    def _keep(self, rest: bytes) -> None:
        """Waits for the end of a frame, but never holds more than a frame can be long."""
        if len(self._tail) + len(rest) > _LONGEST:
            self._overlong = True
        if self._overlong:
            self._tail = b""
        elif rest:
            self._tail += rest

    def _finish(self, stuffed: bytes, frames: "list[tuple[int, bytes]]") -> None:
        overlong, self._overlong = self._overlong, False
        if not stuffed and not overlong:
            return
        body = None if overlong or len(stuffed) > _LONGEST else _decode(stuffed)
        if body is None:
            self.bad += 1
        elif body == self._last:
            self.repeated += 1
        else:
            if self._last:
                self.lost += (body[1] - self._last[1] - 1) & 0xFF
            self._last = body
            self.good += 1
            frames.append((body[0], body[3:]))
