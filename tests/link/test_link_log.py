"""The link's own log, as a game keeps it."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.devices.link import keep_log
from tableref.devices.link.health import Health

REPORT = re.compile(r"INFO link: \d+ events, \d+ frames good, 0 bad")


class DarkUntilReported:
    """A camera without a picture, which ends when the log has two reports."""

    waits = False

    def __init__(self, log: Path) -> None:
        self.log = log

    def frames(self, after: str = "") -> Iterator[object]:
        end = time.monotonic() + 20.0
        while len(REPORT.findall(self.log.read_text(encoding="utf-8"))) < 2:
            assert time.monotonic() < end
            time.sleep(0.02)
        yield from ()

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("own_log")
def test_s13_a_game_keeps_the_counters_of_its_link_at_a_fixed_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tableref.devices.link.health.REPORT_S", 0.3)
    log = tmp_path / "link.log"
    monkeypatch.setattr("tableref.hosting.cameras.opened", lambda _: DarkUntilReported(log))
    words = ["--game", "autoscooter", "--camera", "folder:none", "--out", str(tmp_path)]
    assert main(["referee", *words, "--link", "virtual"]) == 0
    told = log.read_text(encoding="utf-8")
    assert "INFO the board answers on virtual" in told
    assert "INFO board: {'good': " in told
    assert "INFO link closed: " in told
    assert "frames good" not in capsys.readouterr().err


@pytest.mark.usefixtures("own_log")
def test_the_log_of_a_game_ends_where_that_of_the_next_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("first.log", "second.log", "second.log")]
    for file in files:
        keep_log(file)
        Health(0.0).dump(f"seen by {file.name}")
    first, second = (file.read_text(encoding="utf-8") for file in files[:2])
    assert first.count("link failed") == first.count("seen by first.log") == 1
    assert second.count("link failed") == second.count("seen by second.log") == 2
    assert capsys.readouterr().err.count("link failed") == 3
