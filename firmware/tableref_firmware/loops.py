"""The loops over every byte of a frame, and over every light of a picture.

The image has them in C as well (`image/board/loops.c`), under the same names and with the same
results; a test on the emulated board compares the two.
"""

import binascii
import struct

from tableref_firmware.protocol import NOWHERE

CRC_BYTES = 4
_WHOLE = 0x2144DF1C  # the CRC-32 of anything with its own CRC-32 behind it

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array


def wrap(body: bytes) -> bytes:
    """A frame: zero, then `body` and its CRC-32 with COBS, then zero."""
    frame = bytearray(b"\0\0" + body + binascii.crc32(body).to_bytes(4, "little") + b"\0")
    # Each zero, the one before the body first, gives its place to the distance to the next one.
    zero, last = 1, len(frame) - 1
    while zero < last:
        following = frame.find(b"\0", zero + 1)
        frame[zero] = following - zero
        zero = following
    return bytes(frame)


def unwrap(stuffed: bytes) -> "bytes | None":
    """The body of a frame without its two zeros, or None where it is damaged."""
    end = len(stuffed)
    if end < 1 + CRC_BYTES:
        return None
    at = stuffed[0]
    if at < end:  # few frames have zeros in them
        frame = bytearray(stuffed)
        while at < end:
            # A distance stands where a zero was: it goes back there.
            step = frame[at]
            frame[at] = 0
            at += step
        stuffed = bytes(frame)
    if at > end or binascii.crc32(stuffed[1:]) != _WHOLE:
        return None
    return stuffed[1:-CRC_BYTES]


def sketch(entries: bytes, strip: bytes, picture: "array[int]", patterns: int) -> bool:
    """Puts lights, five bytes each as SHOW has them, to the places that `strip` has for cells.

    False, with the lights before it in place, at the first whose pattern is not below `patterns`.
    """
    for at in range(0, len(entries), 5):
        cell, light = struct.unpack_from("<BI", entries, at)
        if light >> 24 >= patterns:
            return False
        if strip[cell] != NOWHERE:
            picture[strip[cell]] = light
    return True


def tally(picture: "array[int]") -> "tuple[int, int]":
    """All colours of a picture added up, and its patterns, one bit each."""
    kinds: dict[int, int] = {}  # a picture has few
    for light in picture:
        if light:
            kinds[light] = kinds.get(light, 0) + 1
    colours = patterns = 0
    for light, number in kinds.items():
        colours += number * ((light & 255) + (light >> 8 & 255) + (light >> 16 & 255))
        patterns |= 1 << (light >> 24)
    return colours, patterns


def shine(picture: "array[int]", levels: bytes, scale: int, words: "array[int]") -> None:
    """Fills `words` with green << 16 | red << 8 | blue of each light, at the level of 255 that its
    pattern has, and at `scale` of 256."""
    known = {0: 0}
    for place in range(len(picture)):
        light = picture[place]
        if light not in known:
            dim = levels[light >> 24] * scale
            red, green, blue = light & 255, light >> 8 & 255, light >> 16 & 255
            word = (green * dim // 65280) << 16 | (red * dim // 65280) << 8
            known[light] = word | blue * dim // 65280
        words[place] = known[light]


def raise_words(words: "array[int]", raised: "array[int]") -> None:
    """Each word eight bits higher, for a PIO that shifts out of the top of 32 bits."""
    for place in range(len(words)):
        raised[place] = words[place] << 8
