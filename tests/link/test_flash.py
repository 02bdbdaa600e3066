"""`tableref board flash`, on a folder that stands for a BOOTSEL drive, and on a virtual board."""

from __future__ import annotations

import argparse
import struct
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tableref.commands import board_flash
from tableref.devices.link import LinkError, Ports, VirtualPort, flash
from tableref.devices.link.errors import BoardSilent
from tableref_hardware.board import Board

INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"


def uf2(blocks: int = 3, family: int = 0xE48BFF56) -> bytes:
    head = (0x0A324655, 0x9E5D5157, 0x2000)
    return b"".join(
        struct.pack(
            "<8I476sI", *head, 0x10000000 + 256 * n, 256, n, blocks, family, b"", 0x0AB16F30
        )
        for n in range(blocks)
    )


@pytest.fixture
def image(tmp_path: Path) -> Path:
    file = tmp_path / "board.uf2"
    file.write_bytes(uf2())
    return file


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    (folder / flash.DRIVE_SIGN).write_text(INFO)
    return folder


class Answering:
    """Ports of which one is a virtual board with our firmware."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def candidates(self) -> list[str]:
        return ["/dev/ttyACM0"]

    def open(self, _name: str) -> VirtualPort:
        return VirtualPort(flash_pico(self._board))


def flash_pico(board: Board):  # type: ignore[no-untyped-def]  # its type is the link's affair
    from tableref.devices.link import VirtualPico

    return VirtualPico(board)


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    board_flash.arguments(parser)
    return parser.parse_args(words)


def test_an_image_goes_onto_the_drive_whole_and_the_version_is_told_before_and_after(
    image: Path, drive: Path, board: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = Answering(board)
    code = board_flash.run(arguments(str(image)), ports, lambda: [drive])  # type: ignore[arg-type]
    assert code == 0
    assert (drive / "tableref-board.uf2").read_bytes() == uf2()
    version = flash.own_version()
    assert capsys.readouterr().out.split() == ["before:", version, "after:", version]


def test_another_version_after_flashing_is_told_and_is_not_success(
    image: Path,
    drive: Path,
    board: Board,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(flash, "own_version", lambda: "9.9.9")
    ports = Answering(board)
    assert board_flash.run(arguments(str(image)), ports, lambda: [drive]) == 1  # type: ignore[arg-type]
    assert "files on the board hide it" in capsys.readouterr().out


def test_a_board_that_stays_silent_after_flashing_is_an_error(
    image: Path, drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_flash, "_BACK_S", 0.1)
    with pytest.raises(BoardSilent):
        board_flash.run(arguments(str(image)), Ports(tmp_path), lambda: [drive])


def test_without_a_drive_it_says_how_to_get_one(image: Path, tmp_path: Path) -> None:
    with pytest.raises(flash.NoDrive, match="BOOTSEL") as caught:
        board_flash.run(arguments(str(image)), Ports(tmp_path), list)
    assert "--drive" in caught.value.advice


def test_the_drive_of_another_chip_is_left_alone(image: Path, drive: Path, tmp_path: Path) -> None:
    (drive / flash.DRIVE_SIGN).write_text(INFO.replace("RPI-RP2", "RP2350"))
    with pytest.raises(flash.NoDrive):
        board_flash.run(arguments(str(image), "--drive", str(drive)), Ports(tmp_path), list)
    assert not (drive / "tableref-board.uf2").exists()


def test_two_drives_are_not_chosen_between(drive: Path, tmp_path: Path) -> None:
    other = tmp_path / "RPI-RP21"
    other.mkdir()
    (other / flash.DRIVE_SIGN).write_text(INFO)
    with pytest.raises(flash.NoDrive, match="several"):
        flash.find_drive([drive, other])


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "no whole"),
        (uf2()[:-1], "no whole"),
        (uf2()[:512], "not whole"),
        (b"x" + uf2()[1:], "damaged"),
        (uf2(family=0xE48BFF59), "another chip"),
    ],
)
def test_what_is_no_image_for_this_chip_is_refused(image: Path, content: bytes, word: str) -> None:
    image.write_bytes(content)
    with pytest.raises(flash.NotAnImage, match=word):
        flash.check_image(image)


def release(folder: Path, image: bytes, sums: str | None = None) -> Path:
    """A release file as `make image` packs it."""
    file = folder / "tableref-board.zip"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("tableref-board.uf2", image)
        packed.writestr("LICENCES.txt", "whose it is")
        packed.writestr("SHA256SUMS", sums or f"{sha256(image).hexdigest()}  tableref-board.uf2\n")
    return file


def test_the_image_in_a_release_file_is_taken(tmp_path: Path) -> None:
    assert flash.check_image(release(tmp_path, uf2())) == uf2()


def test_an_image_whose_checksum_differs_is_refused(image: Path, tmp_path: Path) -> None:
    wrong = f"{sha256(b'another').hexdigest()}  "
    with pytest.raises(flash.NotAnImage, match="checksum"):
        flash.check_image(release(tmp_path, uf2(), wrong + "tableref-board.uf2"))
    (tmp_path / "SHA256SUMS").write_text(wrong + image.name)
    with pytest.raises(flash.NotAnImage, match="checksum"):
        flash.check_image(image)


def test_a_damaged_release_file_is_refused_whatever_bit_it_is(tmp_path: Path) -> None:
    whole = release(tmp_path, uf2()).read_bytes()
    for at in range(0, len(whole), 7):
        flipped = bytearray(whole)
        flipped[at] ^= 0x10
        (tmp_path / "flipped.zip").write_bytes(flipped)
        try:
            assert flash.check_image(tmp_path / "flipped.zip") == uf2()
        except flash.NotAnImage:
            continue


def test_a_zip_of_something_else_is_no_release(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "else.zip", "w") as packed:
        packed.writestr("readme.txt", "hello")
    with pytest.raises(flash.NotAnImage, match="no release"):
        flash.check_image(tmp_path / "else.zip")


def test_a_missing_image_is_named(tmp_path: Path) -> None:
    with pytest.raises(flash.NotAnImage, match="cannot be read"):
        flash.check_image(tmp_path / "none.uf2")


def test_files_need_a_port(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="there is no port"):
        board_flash.run(arguments(), Ports(tmp_path), list)


def test_what_is_copied_is_the_firmware_and_its_start(tmp_path: Path) -> None:
    flash.stage(tmp_path)
    names = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.py")}
    assert {"main.py", "tableref_firmware/app.py", "tableref_firmware/hal.py"} <= names
    assert "tableref_firmware/hardware.py" not in names


def test_mpremote_that_fails_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(flash.ToolFailed, match="no-such-port") as caught:
        flash.mpremote(str(tmp_path / "no-such-port"), "exec", "1")
    assert "GP22" in caught.value.advice
