"""A Pi on which all is well, made of a folder; tests spoil one thing at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tableref.devices.config import DeviceConfig
from tableref.devices.link import Ports
from tableref.devices.link.flash import own_version
from tableref.doctor import CHECKS, Finding, Host, Level, Result, examine
from tableref.doctor.board import BoardAnswer
from tableref.doctor.host import Said
from tableref.rulebook.findings import FindingWords
from tableref.rulebook.text import LANGUAGES

MADE_UP = ("no display answers", "i2cdetect -y 1", "silent", "Unplug it", "held", "Stop that")


def is_command(cure: str) -> bool:
    """Whether a cure is only to be typed: that is the same in every language."""
    words = cure.removeprefix("sudo ").split()
    return words[0] in ("python", "apt", "tableref", "usermod", "unset") and ", " not in cure


GOOD_BOARD = BoardAnswer(own_version(), True, frozenset(), True, True)


class Panel:
    """A display that takes everything."""

    def show(self, screen) -> None:
        pass

    def close(self) -> None:
        pass


class Pi:
    """A Pi 4 with trixie; `tell`, `take` and `spoil` change it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.commands = {"timedatectl": Said(0, "yes", ""), "python": Said(0, "", "")}
        for name, text in {
            "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
            "proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
            "etc/os-release": 'NAME="Debian"\nVERSION_CODENAME=trixie\n',
            "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
            "sys/class/thermal/thermal_zone0/temp": "48300\n",
            "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
            "sys/block/mmcblk0/device/life_time": "0x02 0x01\n",
            "dev/gpiochip0": "",
            "dev/i2c-1": "",
            "dev/ttyACM0": "",
        }.items():
            self.tell(name, text)
        (root / "dev/ttyACM0").chmod(0o660)
        self.host = Host(
            root=root,
            run=self.run,
            installed=lambda: [("numpy", "2.2.4"), ("opencv-python-headless", "4.13.0.92")],
            environ={},
            working_folder=root,
            state=root / "state",
            python="python",
            prefix=root / "venv",
            bits=64,
            now=lambda: 1_800_000_000.0,
            free=lambda path: 8_000_000_000,
            label_of=lambda device: "pinctrl-bcm2711",
            holder=lambda pin, device: "",
            open_display=lambda options: Panel(),
            ports=Ports(root),
            ask_board=lambda: GOOD_BOARD,
            may_write=lambda folder: True,
            is_root=False,
        )
        self.config = DeviceConfig()

    def run(self, words) -> Said:
        return self.commands.get(words[0], Said(127, "", "no such program"))

    def tell(self, name: str, text: str) -> None:
        """What a file says."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def take(self, name: str) -> None:
        """A file is not there."""
        (self.root / name).unlink()

    def spoil(self, **changes) -> None:
        """What is no file is otherwise."""
        self.host = replace(self.host, **changes)

    def look(self) -> dict[str, Result]:
        """What each check says."""
        return {finding.name: finding.result for finding in self.findings()}

    def findings(self) -> list[Finding]:
        return list(examine(self.host, self.config))

    def only(self, check: str, level: Level) -> Result:
        """The result of this check, which alone has anything against this Pi."""
        results = self.look()
        assert tuple(results) == CHECKS
        assert results[check].level == level, results[check]
        against = {name for name, result in results.items() if result.level >= Level.WARNING}
        assert against <= {check}
        for lang in LANGUAGES[1:]:
            self.is_told_in(lang, check)
        return results[check]

    def is_told_in(self, lang: str, check: str) -> None:
        """Menu and page say it in this language, but for what this test has made up."""
        words = FindingWords(lang)
        for finding in self.findings():
            what, cure = finding.result.what, finding.result.cure
            if finding.name == check and finding.result.level >= Level.WARNING:
                told = words.found(f"{finding.title}: {what}", cure)
                assert what in MADE_UP or not told[0].endswith(what), told
                assert cure in MADE_UP or is_command(cure) or told[1] != cure, told


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)
