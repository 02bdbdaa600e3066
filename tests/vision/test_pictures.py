"""Picture files: what is read, how it is turned, laid and scaled, and what is refused in words."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from tableref_vision.backends.folder import name_order
from tableref_vision.camera import open_camera
from tableref_vision.errors import PictureError
from tableref_vision.pictures import read_picture

FAULTS = Path(__file__).parents[2].parent / "shared" / "faults"
COLOURS = np.random.default_rng(0).integers(0, 255, (5, 7, 3), np.uint8)


ADAM7 = (
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
)  # fmt: skip
"""Where the seven passes of an interlaced PNG begin, and their steps. Source: PNG, 8.2."""


def written(folder, picture, name="a.png", kind="PNG", **options):
    path = folder / name
    picture.save(path, kind, **options)
    return path


def fault(name):
    path = FAULTS / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return path


def png(width, height, depth=8, colour=2, more=(), interlaced=False):
    """A PNG of zeros that takes few bytes whatever its size, with `more` chunks."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    packing = zlib.compressobj(9)
    body = b""
    for left, top, across, down in ADAM7 if interlaced else ((0, 0, 1, 1),):
        columns, rows = -(-(width - left) // across), -(-(height - top) // down)
        row = b"\0" * (1 + (columns * samples * depth + 7) // 8)
        body += b"".join(packing.compress(row) for _ in range(rows))
    body += packing.flush()
    palette = [(b"PLTE", b"\1\2\3" * 256), (b"tRNS", b"\x80" * 256)] if colour == 3 else []
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)),
        *palette,
        *more,
        (b"IDAT", body),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def jpeg(width, height, **options):
    """A JPEG that claims to be of this size and ends early."""
    stream = io.BytesIO()
    Image.new("RGB", (640, 480)).save(stream, "JPEG", **options)
    data = bytearray(stream.getvalue()[:700])
    frame = next(data.find(mark) for mark in (b"\xff\xc0", b"\xff\xc2") if mark in data)
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


# What is read


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_is_turned_as_the_camera_was_held(tmp_path, orientation, kind):
    picture = Image.fromarray(COLOURS)
    exif = picture.getexif()
    exif[0x0112] = orientation
    path = written(tmp_path, picture, kind=kind, exif=exif, lossless=True)
    with Image.open(path) as saved:
        upright = np.asarray(ImageOps.exif_transpose(saved).convert("RGB"))
    assert (read_picture(path)[:, :, ::-1] == upright).all()


def exif(entries, order="<"):
    """EXIF whose first directory has these entries: tag, kind, count, four bytes."""
    head = {"<": b"II*\0", ">": b"MM\0*"}[order] + struct.pack(order + "I", 8)
    body = b"".join(struct.pack(order + "HHI", *entry[:3]) + entry[3] for entry in entries)
    return b"Exif\0\0" + head + struct.pack(order + "H", len(entries)) + body


@pytest.mark.parametrize(
    "data",
    [
        exif([(0x0112, 3, 1, b"\6\0\0\0")])[:-5],
        exif([(0x0112, 3, 1, b"\x09\0\0\0")]),
        exif([(0x0112, 5, 1, b"\xff\xff\xff\xff")]),
        exif([(0x011A, 5, 1, b"\xff\xff\xff\xff"), (0x0128, 3, 1, b"\2\0\0\0")]),
        exif([(0x9003, 10, 1, b"\x08\0\0\0")], ">"),
        b"Exif\0\0II*\0\xff\xff\xff\xff",
        b"Exif\0\0",
        b"Exif\0\0rubbish",
    ],
)
def test_exif_that_cannot_be_read_leaves_the_picture_as_it_is_without_a_word(tmp_path, data):
    path = written(tmp_path, Image.fromarray(COLOURS), "a.jpg", "JPEG", exif=data)
    plain = written(tmp_path, Image.fromarray(COLOURS), "b.jpg", "JPEG")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (read_picture(path) == read_picture(plain)).all()


def test_of_exif_nothing_but_the_orientation_is_looked_at(tmp_path, monkeypatch):
    data = exif([(0x0112, 3, 1, b"\6\0\0\0"), (0x011A, 5, 1, b"\xff\xff\xff\xff")])
    path = written(tmp_path, Image.fromarray(COLOURS), "a.jpg", "JPEG", exif=data)

    def looked_at(self):
        raise RuntimeError("read by Pillow")

    monkeypatch.setattr(Image.Image, "getexif", looked_at)
    assert read_picture(path).shape == (COLOURS.shape[1], COLOURS.shape[0], 3)


def test_the_orientation_is_found_behind_an_odd_date():
    assert read_picture(fault("odd-exif.jpg")).shape == (720, 1280, 3)


def test_sixteen_bits_of_grey_are_scaled(tmp_path):
    ramp = np.linspace(0, 65535, 256 * 4).astype(np.uint16).reshape(4, 256)
    seen = read_picture(written(tmp_path, Image.fromarray(ramp)))
    assert (seen == (ramp >> 8).astype(np.uint8)[:, :, None]).all()
    levels = read_picture(fault("grey16.png"))
    assert levels.min() < 40
    assert 60 < levels.mean() < 220


def test_what_is_see_through_is_laid_on_white(tmp_path):
    clear = np.zeros((2, 2, 4), np.uint8)
    clear[0, 0] = 10, 20, 30, 255
    clear[1, 1] = 0, 0, 0, 128
    seen = read_picture(written(tmp_path, Image.fromarray(clear)))
    assert seen.tolist() == [[[30, 20, 10], [255] * 3], [[255] * 3, [127] * 3]]
    assert read_picture(fault("see-through.png"))[:8, :8].min() > 0


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "RGB"])
def test_every_kind_of_png_is_read(tmp_path, mode):
    picture = Image.new("RGB", (20, 10), "white").convert(mode)
    picture.paste(0 if mode in ("1", "L", "P") else "black", (0, 0, 10, 10))
    seen = read_picture(written(tmp_path, picture))
    assert seen.shape == (10, 20, 3)
    assert (seen[:, :10].max(), seen[:, 10:].min()) == (0, 255)


@pytest.mark.parametrize(("kind", "name"), [("BMP", "a.png"), ("WEBP", "a.jpg"), ("JPEG", "a.bmp")])
def test_a_picture_is_known_by_its_content_and_not_by_its_name(tmp_path, kind, name):
    picture = Image.new("RGB", (20, 10), (200, 200, 200))
    assert read_picture(written(tmp_path, picture, name, kind)).shape == (10, 20, 3)


def test_a_large_photograph_is_reduced_and_none_is_larger_than_twelve_megapixels(tmp_path):
    sides = np.zeros((4000, 6000), np.uint8)
    sides[:, 3000:] = 200
    for kind in ("JPEG", "PNG"):
        seen = read_picture(written(tmp_path, Image.fromarray(sides), kind=kind))
        assert seen.shape == (2000, 3000, 3)
        assert abs(int(seen[1000, 1400, 0]) - 0) < 3
        assert abs(int(seen[1000, 1600, 0]) - 200) < 3


# What is refused


@pytest.mark.parametrize(
    ("kind", "words"), [("TIFF", "TIFF"), ("GIF", "GIF"), ("EPS", "PostScript"), ("PPM", "no such")]
)
def test_other_formats_are_refused_in_words_whatever_their_name(tmp_path, kind, words):
    path = written(tmp_path, Image.new("RGB", (20, 10)), kind=kind)
    with pytest.raises(PictureError, match=rf"a\.png: is .*{words}.*PNG, BMP and WEBP are read"):
        read_picture(path)


def test_a_float_tiff_is_refused_in_words(tmp_path):
    path = written(tmp_path, Image.new("F", (20, 10), 0.5), kind="TIFF")
    with pytest.raises(PictureError, match="TIFF"):
        read_picture(path)


@pytest.mark.usefixtures("soon")
def test_only_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "zero.png").symlink_to("/dev/zero")
    (tmp_path / "folder.png").mkdir()
    for name in ("pipe.png", "zero.png", "folder.png"):
        with pytest.raises(PictureError, match="no file"):
            read_picture(tmp_path / name)


@pytest.mark.parametrize(
    "data",
    [
        jpeg(13000, 13000),
        jpeg(65000, 100),
        jpeg(8000, 6000, progressive=True),
        png(3, 100_000, 1, 0),
        png(19_000, 6_000, 16, 0)[:4000],
        png(8000, 6000)[:4000],
    ],
    ids=["square", "wide", "progressive", "tall", "deep", "colours"],
)
def test_a_picture_that_would_take_too_much_is_too_large_and_not_damaged(tmp_path, data):
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(PictureError, match="too large"):
        read_picture(tmp_path / "a.png")


@pytest.mark.parametrize("size", [(1, 9000), (9000, 3)])
def test_a_strip_that_shows_no_table_is_refused(tmp_path, size):
    Image.new("RGB", size).save(tmp_path / "a.jpg")
    with pytest.raises(PictureError, match="is no picture of a table"):
        read_picture(tmp_path / "a.jpg")


def test_a_file_that_is_too_long_is_not_read_at_all(tmp_path):
    with (tmp_path / "a.bmp").open("wb") as file:
        file.write(b"BM")
        file.truncate(10**10)
    with pytest.raises(PictureError, match="too large"):
        read_picture(tmp_path / "a.bmp")


def scans(width, height):
    """A JPEG each of whose colours comes in a scan of its own, so that all must be kept."""
    data = jpeg(width, height, quality=90)
    at = data.find(b"\xff\xda")
    return data[:at] + b"\xff\xda" + struct.pack(">HB", 8, 1) + b"\1\0\0\x3f\0" + b"\0" * 500


def saved(kind, mode, width, height, **options):
    """A picture as Pillow writes it."""
    stream = io.BytesIO()
    Image.new(mode, (width, height)).save(stream, kind, **options)
    return stream.getvalue()


def turned():
    """EXIF of a camera that was held upright."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def text(letters):
    """A chunk of a PNG that is short on disk, and in memory four times as long as it says."""
    words = "a" * (letters - 1) + "\N{GAME DIE}"
    return b"iTXt", b"a\0\1\0\0\0" + zlib.compress(words.encode())


LOSSLESS = {"lossless": True, "quality": 0, "method": 0}
HEAVIEST = {
    "photograph": lambda: saved("JPEG", "RGB", 12000, 9000),
    "photograph that is turned": lambda: saved("JPEG", "RGB", 4000, 3000, exif=turned()),
    "progressive": lambda: saved("JPEG", "RGB", 6000, 4000, progressive=True),
    "large and progressive": lambda: saved("JPEG", "RGB", 6000, 6000, progressive=True),
    "progressive, no colour halved": lambda: saved(
        "JPEG", "RGB", 4000, 3000, progressive=True, subsampling=0
    ),
    "progressive for print": lambda: saved("JPEG", "CMYK", 4000, 3000, progressive=True),
    "for print": lambda: saved("JPEG", "CMYK", 5000, 4000),
    "long profile": lambda: saved("JPEG", "RGB", 4000, 3000, icc_profile=b"x" * 15_000_000),
    "scans": lambda: scans(9000, 9000),
    "bomb": lambda: jpeg(13000, 13000),
    "png": lambda: png(5000, 4700),
    "alpha": lambda: png(5000, 4700, 8, 6),
    "16 bits": lambda: png(5000, 4700, 16, 6),
    "interlaced": lambda: png(4000, 3000, 8, 6, interlaced=True),
    "palette": lambda: png(20000, 5000, 8, 3),
    "grey": lambda: png(10000, 10000, 8, 0),
    "16 bits of grey": lambda: png(7000, 6000, 16, 0),
    "much text": lambda: png(5000, 4000, more=[text(999_999)] * 60),
    "some text": lambda: png(4000, 3000, more=[text(999_999)] * 3),
    "webp": lambda: saved("WEBP", "RGB", 3800, 2000, quality=80, method=0),
    "webp of a camera": lambda: saved("WEBP", "RGB", 4000, 3000, quality=80, method=0),
    "lossless webp with alpha": lambda: saved("WEBP", "RGBA", 3700, 2000, **LOSSLESS),
    "webp that is turned": lambda: saved("WEBP", "RGB", 3700, 2000, exif=turned(), **LOSSLESS),
    "bmp": lambda: saved("BMP", "RGB", 5000, 4000),
}
"""The heaviest file of each kind that is read, or just no longer read."""
MOST = 140_000
"""KB that reading one takes beside what the program takes: 250 MB in all, where dice are read."""
GROWTH = """
import sys
from pathlib import Path
from tableref_vision.errors import PictureError
from tableref_vision.pictures import read_picture

def most():
    # What getrusage tells is at least what the parent took before it forked.
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])

before = most()
try:
    shape = read_picture(Path(sys.argv[1])).shape
except PictureError as error:
    shape = error
print(shape)
print(most() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc tells the memory taken")
@pytest.mark.parametrize("kind", HEAVIEST)
def test_no_picture_takes_more_memory_than_a_pi_has_to_spare(tmp_path, kind):
    path = tmp_path / "a.png"
    path.write_bytes(HEAVIEST[kind]())
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", GROWTH, str(path)],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    *said, kilobytes = done.stdout.splitlines()
    assert int(kilobytes) < MOST, said
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("photograph", (2250, 3000, 3)),
        ("progressive", (2000, 3000, 3)),
        ("large and progressive", (1500, 1500, 3)),
        ("progressive, no colour halved", (3000, 4000, 3)),
        ("progressive for print", (1500, 2000, 3)),
        ("interlaced", (3000, 4000, 3)),
        ("webp", (2000, 3800, 3)),
        ("bmp", (2000, 2500, 3)),
    ],
)
def test_what_would_take_too_much_is_decoded_smaller_where_that_can_be(tmp_path, kind, shape):
    (tmp_path / "a.png").write_bytes(HEAVIEST[kind]())
    assert read_picture(tmp_path / "a.png").shape == shape


@pytest.mark.parametrize("kind", ["webp of a camera", "scans", "bomb"])
def test_otherwise_it_is_refused_before_it_is_decoded(tmp_path, kind):
    (tmp_path / "a.png").write_bytes(HEAVIEST[kind]())
    with pytest.raises(PictureError, match=r"is too large .*; make it smaller"):
        read_picture(tmp_path / "a.png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "WEBP"])
def test_no_damage_ends_in_anything_but_a_sentence(tmp_path, kind):
    whole = written(tmp_path, Image.fromarray(COLOURS).resize((40, 30)), kind=kind).read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(150):
        data = bytearray(whole[: rng.integers(4, len(whole) + 1)])
        for place in rng.integers(0, len(data), rng.integers(1, 9)):
            data[place] = rng.integers(256)
        (tmp_path / "a.png").write_bytes(data)
        with contextlib.suppress(PictureError):
            assert read_picture(tmp_path / "a.png").ndim == 3


# Folders


def test_numbers_in_names_count_as_numbers():
    names = [f"photo{number}.jpg" for number in range(1, 15)]
    assert sorted(sorted(names), key=name_order) == names
    mixed = ["2.png", "10.png", "a2b10.png", "a2b9.png", "a.png", "02.png", "é1.png", "1²3.png"]
    assert sorted(mixed, key=name_order)[:4] == ["1²3.png", "02.png", "2.png", "10.png"]


def test_what_macos_leaves_beside_pictures_is_passed_over(tmp_path):
    written(tmp_path, Image.fromarray(COLOURS), "a.png")
    (tmp_path / "._a.png").write_bytes(b"\0\5\x16\7")
    assert [frame.name for frame in open_camera(f"folder:{tmp_path}").frames()] == ["a.png"]
