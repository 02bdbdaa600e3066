"""Frames and messages: whatever happens to bytes on the way, no damaged payload is delivered."""

import struct
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.link.fuzz_frames import fuzz
from tests.link.rigs import ROOT, environment, micropython

from tableref_firmware import protocol as p
from tableref_firmware.framing import Decoder, encode

TAIL = bytes(range(0, 250, 5))


def example(kind: int) -> bytes:
    """A payload of this type, with zeros and large values in it."""
    fmt = p.FORMATS[kind]
    payload = bytes(0xA5 * i & 0xFF if i % 2 else 0 for i in range(struct.calcsize(fmt)))
    has_tail = next(message for message in p.MESSAGES if message[0] == kind)[4]
    return payload + TAIL if has_tail else payload


def single_faults(frame: bytes) -> list[bytes]:
    """The frame with each bit flipped, each byte dropped, each byte doubled."""
    faults = []
    for at, byte in enumerate(frame):
        before, after = frame[:at], frame[at + 1 :]
        faults += [before + bytes((byte ^ 1 << bit,)) + after for bit in range(8)]
        faults += [before + after, before + bytes((byte, byte)) + after]
    return faults


@pytest.mark.parametrize("kind", p.NAMES, ids=p.NAMES.get)
def test_s3_a_single_fault_in_a_frame_delivers_no_damaged_payload(kind: int) -> None:
    sent = kind, example(kind)
    good = 9, b"after it"
    follower = encode(good[0], 8, good[1])
    for damaged in single_faults(encode(kind, 7, sent[1])):
        got = Decoder().feed(damaged + follower)
        assert got in ([good], [sent, good])


@given(st.integers(1, 255), st.integers(0, 255), st.binary(max_size=p.MAX_PAYLOAD))
def test_a_frame_comes_out_as_it_went_in(kind: int, sequence: int, payload: bytes) -> None:
    frame = encode(kind, sequence, payload)
    assert frame[0] == frame[-1] == 0
    assert 0 not in frame[1:-1]
    assert Decoder().feed(frame) == [(kind, payload)]


@given(st.binary(max_size=2000))
def test_after_any_noise_the_first_good_frame_is_read(noise: bytes) -> None:
    decoder = Decoder()
    decoder.feed(noise)
    assert decoder.feed(encode(5, 200, b"\0here\0"))[-1:] == [(5, b"\0here\0")]


@given(st.lists(st.integers(1, 40)))
def test_frames_are_read_however_they_are_cut(cuts: list[int]) -> None:
    sent = [(kind, bytes(kind)) for kind in range(1, 30)]
    stream = b"".join(encode(kind, kind, payload) for kind, payload in sent)
    decoder, got = Decoder(), []
    for cut in cuts:
        got += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert got + decoder.feed(stream) == sent


def test_a_frame_that_comes_twice_is_given_out_once() -> None:
    decoder = Decoder()
    frame = encode(3, 1, b"x")
    assert decoder.feed(frame + frame) == [(3, b"x")]
    assert decoder.repeated == 1


def test_missing_frames_are_counted_across_the_wrap_of_the_sequence() -> None:
    decoder = Decoder()
    decoder.feed(encode(1, 254, b"") + encode(1, 2, b""))
    assert decoder.lost == 3


def test_an_endless_frame_is_not_collected() -> None:
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"\x55" * 1000) == []
    assert len(decoder._tail) < p.MAX_PAYLOAD + 10
    assert decoder.feed(encode(1, 0, b"ok")) == [(1, b"ok")]
    assert decoder.bad == 1


def test_a_payload_that_is_too_long_is_not_encoded() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        encode(1, 0, bytes(p.MAX_PAYLOAD + 1))


def test_noise_and_mutated_frames_on_cpython() -> None:
    assert fuzz(60_000, seed=11) > 29_000


def test_noise_and_mutated_frames_on_micropython() -> None:
    script = ROOT / "tests/link/fuzz_frames.py"
    done = subprocess.run(
        [*micropython(), str(script), "30000", "12"],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("30000 frames")


@pytest.mark.parametrize("kind", p.NAMES, ids=p.NAMES.get)
def test_a_message_of_another_shape_is_malformed(kind: int) -> None:
    payload = example(kind)
    fields = p.unpack(kind, payload)
    assert p.pack(kind, *fields) == payload
    short = payload[: max(0, struct.calcsize(p.FORMATS[kind]) - 1)]
    wrong = short if short != payload else payload + b"x"
    with pytest.raises(p.Malformed):
        p.unpack(kind, wrong)


def test_the_hash_is_the_same_on_micropython() -> None:
    done = subprocess.run(
        [*micropython(), "-c", "from tableref_firmware.protocol import HASH; print(HASH)"],
        capture_output=True,
        text=True,
        timeout=20,
        env=environment(),
    )
    assert int(done.stdout) == p.HASH


def test_every_table_of_a_full_board_fits_into_one_frame() -> None:
    start = p.pack(p.START, 1, 2, 3, 5, 500, 0, bytes(2 * p.MAX_CELLS))
    assert len(start) <= p.MAX_PAYLOAD
    assert 2 + 5 * p.EVENTS_IN_FRAME <= p.MAX_PAYLOAD
