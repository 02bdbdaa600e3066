"""Another version by buttons: from a stick, back again, and what came of it after the start."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.appliance.table import Table

from tableref.appliance.updates import Updates
from tableref.devices.buttons import Button
from tableref.devices.oled import Marker
from tableref.hosting.config import Config, PictureOptions
from tableref.updating.slots import Installed, Outcome, Slots

CONFIG = Config(pictures=PictureOptions(0))


class Systemd:
    """What starts the units; `does` is what the update comes to."""

    def __init__(self, slots: Slots) -> None:
        self.slots, self.asked = slots, list[str]()
        self.outcome: Outcome | None = None
        self.says = "true"

    def start(self, words: object) -> subprocess.Popen[bytes]:
        assert isinstance(words, tuple)
        self.asked.append(" ".join(words))
        if self.outcome is not None:
            self.slots.tell(self.outcome)
        return subprocess.Popen(["sh", "-c", self.says], stderr=subprocess.PIPE)


@pytest.fixture
def systemd(tmp_path: Path) -> Systemd:
    slots = Slots(tmp_path / "opt")
    for version in ("1.0", "1.1"):
        slots.cleared().mkdir(parents=True)
        slots.take(Installed(version, version))
    return Systemd(slots)


def powered(tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(tmp_path, CONFIG, monkeypatch)
    table.updates = Updates(tmp_path, systemd.slots, systemd.start)
    table.power()
    return table


def update_from_a_stick(table: Table) -> None:
    """What is to happen is read to its end, and agreed to."""
    table.choose("Update", "From a USB stick")
    table.reads_on("again.")
    table.press(Button.OK)


def test_a_stick_without_a_version_says_so_in_words(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = powered(tmp_path, systemd, monkeypatch)
    systemd.outcome = Outcome("no-stick", "no stick")
    update_from_a_stick(table)
    assert table.panel.see("No USB stick").marker is Marker.TROUBLE
    assert systemd.asked == ["systemctl start tableref-update@stick.service"]
    table.stop()


def test_one_is_asked_whether_one_is_sure_to_go_back(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = powered(tmp_path, systemd, monkeypatch)
    systemd.outcome = Outcome("back", "", ("1.0",))
    table.choose("Update", "Back to 1.0", "No")
    assert not systemd.asked
    table.choose("Back to 1.0", "Yes")
    table.panel.see("Tableref 1.0 runs again")
    assert systemd.asked == ["systemctl start tableref-update@back.service"]
    table.stop()


def test_nothing_newer_is_no_trouble(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = powered(tmp_path, systemd, monkeypatch)
    update_from_a_stick(table)
    assert table.panel.see("There is nothing newer: Tableref 1.1").marker is Marker.NONE
    table.stop()


def test_what_systemd_says_is_shown_where_it_does_nothing(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = powered(tmp_path, systemd, monkeypatch)
    systemd.says = "echo Access denied >&2; exit 4"
    update_from_a_stick(table)
    assert table.panel.see("Access denied").marker is Marker.TROUBLE
    table.stop()


def test_the_service_can_be_ended_while_it_is_updated(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is, for the new version to start."""
    table = powered(tmp_path, systemd, monkeypatch)
    systemd.says = "exec sleep 600"
    update_from_a_stick(table)
    table.panel.see("some minutes")
    table.stop()


def test_what_came_of_it_is_told_once_after_the_start(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemd.slots.tell(Outcome("not-up", "", ("1.2", "1.1")))
    table = powered(tmp_path, systemd, monkeypatch)
    assert table.panel.see("1.2 did not start").marker is Marker.TROUBLE
    table.stop()
    again = powered(tmp_path, systemd, monkeypatch)
    assert "New game" in " ".join(again.panel.shown[0].lines)
    again.stop()


def test_what_cannot_be_noted_as_told_is_told_again(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemd.slots.tell(Outcome("not-up", "", ("1.2", "1.1")))
    (tmp_path / "outcome-told").write_bytes(b"\xff\xfe")
    write = Path.write_text

    def full(path: Path, *words: object, **more: object) -> int:
        if path.name == "outcome-told":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    for _ in range(2):
        powered(tmp_path, systemd, monkeypatch).panel.see("1.2 did not start")


@pytest.mark.parametrize("text", ["", "{", json.dumps({"code": "done"}), "\0"])
def test_an_outcome_that_cannot_be_read_is_none(
    tmp_path: Path, systemd: Systemd, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (systemd.slots.place / "outcome").write_text(text)
    table = powered(tmp_path, systemd, monkeypatch)
    assert "New game" in " ".join(table.panel.shown[0].lines)
    table.stop()


def test_where_nothing_can_be_changed_the_menu_has_no_word_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = powered(tmp_path, Systemd(Slots(tmp_path / "nowhere")), monkeypatch)
    for _ in range(8):
        assert "Update" not in " ".join(table.panel.last.lines)
        table.press(Button.DOWN)
        table.panel.see("▶")
    table.stop()
