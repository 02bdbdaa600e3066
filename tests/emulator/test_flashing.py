"""mpremote and `tableref board flash` against the image on the emulated Pico."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from tests.emulator.rig import REAL_S, Pico
from tests.emulator.test_game import BOOT_S, is_snapshot

from tableref.commands import board_flash
from tableref.devices.link import Ports, flash
from tableref.devices.link.escape import await_prompt, send_to_prompt
from tableref.devices.link.serial_port import SerialPort

MPREMOTE_S = 90.0  # for two small files, which take 10 s here


def to_prompt(device: str) -> None:
    port = SerialPort(device)
    send_to_prompt(port, REAL_S)
    port.close()
    await_prompt(lambda: SerialPort(device), REAL_S)


def copy(pico: Pico, device: str, folder: Path) -> str:
    """Copies files; the port where the board is then.

    On a pseudo-terminal mpremote waits for ever where it would give up on a port: seen once in some
    sixty runs, and not explained. What helps then is what the message tells people to do.
    """
    try:
        flash.copy_files(device, folder)
    except flash.ToolFailed as failed:
        print(f"{failed}; resets until then: {pico.tell('look')['resets']}")
        pico.unplug()
        device = pico.plug(escape=True)
        await_prompt(lambda: SerialPort(device), REAL_S)
        pico.tell("escape", joined=False)
        flash.copy_files(device, folder)
    return device


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch, full: bool) -> None:
    """An emulated board is slow, and slower still where others use the machine, too."""
    for name in ("MPREMOTE_S", "COPY_S"):
        monkeypatch.setattr(flash, name, 3600.0 if full else MPREMOTE_S)


def test_files_hide_the_image_until_they_are_cleared(pico: Pico, tmp_path: Path) -> None:
    (tmp_path / "tableref_firmware").mkdir()
    (tmp_path / "tableref_firmware/__init__.py").write_text("VERSION = (9, 9, 9)\n")
    (tmp_path / "main.py").write_text("")
    device = pico.plug()
    to_prompt(device)
    device = copy(pico, device, tmp_path)
    pico.until(lambda: pico.tell("look")["resets"] == 2, 2.0, "second reset")
    await_prompt(lambda: SerialPort(device), REAL_S)
    # Half a firmware cannot run; what is left is the prompt, and there mpremote clears it away.
    flash.clear_files(device)
    flash.restart(device)
    with pico.link() as link:
        pico.items(link, is_snapshot, BOOT_S)
        assert link.hello is not None
        assert link.hello.firmware == flash.own_version()


def test_all_files_are_copied_and_the_version_is_told_before_and_after(
    pico: Pico, full: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not full:
        pytest.skip("mpremote copies for minutes on an emulated board: TABLEREF_FULL=1")
    for name in ("_LOOK_S", "_BACK_S"):
        monkeypatch.setattr(board_flash, name, REAL_S)
    pico.plug()
    parser = argparse.ArgumentParser()
    board_flash.arguments(parser)
    assert board_flash.run(parser.parse_args([]), Ports(pico.root)) == 0
    version = flash.own_version()
    assert capsys.readouterr().out.split() == ["before:", version, "after:", version]
