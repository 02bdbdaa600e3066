"""The journal: nothing told is lost, whatever is cut off and whenever."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.errors import UserError
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import JOURNAL, new_evening_of
from tableref.referee.journal import Journal
from tableref.referee.resuming import resumed_evening
from tableref.referee.table import Row
from tests.referee.conftest import SceneGame, of_kind

PICTURES = 16
FULL = bool(os.environ.get("TABLEREF_FULL"))
KILLS = 60 if FULL else 4


def rows_of(path: Path) -> list[tuple[str, str]]:
    """Kind and data of every row; the columns of time are left out."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT kind, data FROM rows ORDER BY seq").fetchall()


@pytest.fixture(scope="module")
def few_pictures(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pictures of a game, in a folder of their own."""
    folder = tmp_path_factory.mktemp("pictures")
    source = shared / "scenes" / "game-4p"
    for picture in sorted(source.glob("*.jpg"))[:PICTURES]:
        (folder / picture.name).symlink_to(picture)
    shutil.copy(source / "plots.json", folder)
    return folder


def command(pictures: Path, out: Path) -> list[str]:
    """Begins the game, or goes on with it where it has begun."""
    words = [sys.executable, "-m", "tableref"]
    if (out / JOURNAL).exists():
        return [*words, "resume", str(out), "--json"]
    words += ["referee", "--game", "autoscooter", "--camera", f"folder:{pictures}"]
    return [*words, "--plots", str(pictures / "plots.json"), "--out", str(out), "--json"]


def test_killed_at_any_time_and_resumed_the_journal_ends_equal(
    few_pictures: Path, tmp_path: Path
) -> None:
    started = time.monotonic()
    subprocess.run(command(few_pictures, tmp_path / "whole"), check=True, capture_output=True)
    whole = time.monotonic() - started
    chance, killed = random.Random(11), tmp_path / "killed"
    for _ in range(KILLS):
        process = subprocess.Popen(command(few_pictures, killed), stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=whole * chance.uniform(0.1, 0.55))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        if not journal_begun(killed):  # killed before there was a whole head: begin again
            shutil.rmtree(killed, ignore_errors=True)
    subprocess.run(command(few_pictures, killed), check=True, capture_output=True)
    assert rows_of(killed / JOURNAL) == rows_of(tmp_path / "whole" / JOURNAL)


def journal_begun(folder: Path) -> bool:
    try:
        Journal.open(folder / JOURNAL).close()
    except UserError:
        return False
    return True


class Slate:
    """An outlet that keeps what was told, and how the file was just then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.told: list[tuple[int, bytes]] = []
        self._events = 0

    def tell(self, feedback: Feedback) -> None:
        self._events += sum("action" in event for event in feedback.events)
        self.told.append((self._events, self._path.read_bytes()))


def test_a_copy_of_the_one_file_holds_all_that_was_told_until_then(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    """Copied at every point at which something was told, as somebody does who keeps a backup."""
    evening = new_evening_of(tmp_path / "game", game_4p.head)
    slate = Slate(tmp_path / "game" / JOURNAL)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [slate])
    for given in game_4p.inputs[:40]:
        desk.take(given)
    evening.journal.close()
    assert len(slate.told) > 20
    for number, (events, main_file) in enumerate(slate.told):
        copy = tmp_path / f"cut-{number}" / JOURNAL
        copy.parent.mkdir()
        copy.write_bytes(main_file)
        found = [json.loads(data)["action"] for kind, data in rows_of(copy) if kind == "action"]
        assert sum("plot" not in action for action in found) >= events


def test_every_commit_is_synced_before_it_returns(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / JOURNAL, {})
    journal.begin()
    assert journal._connection is not None
    assert journal._connection.execute("PRAGMA synchronous").fetchall() == [(2,)]
    assert journal._connection.execute("PRAGMA journal_mode").fetchall() == [("truncate",)]
    journal.close()


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace to see what is synced")
def test_only_what_was_fsynced_counts_and_it_holds_all_that_was_told(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    """A disk that loses every write that was not synced, cut at each line that was printed."""
    recording = tmp_path / "inputs"
    head = {"format": "table-recording/1", "head": game_4p.head}
    inputs = [given.record() for given in game_4p.inputs[:20]]
    recording.write_text("\n".join(json.dumps(line) for line in [head, *inputs]))
    trace = tmp_path / "trace"
    calls = "trace=write,pwrite64,fsync,fdatasync,ftruncate,unlink,rename"
    strace = f"strace -f -y -xx -s 1000000 -o {trace} -e {calls}".split()
    replay = f"-m tableref replay {recording} --out {tmp_path}/game --json".split()
    subprocess.run([*strace, sys.executable, *replay], check=True, capture_output=True)
    printed = 0
    for events, files in synced_at_every_line(trace):
        printed += 1
        copy = tmp_path / f"disk-{printed}"
        copy.mkdir()
        for name, content in files.items():
            (copy / name).write_bytes(content)
        found = [
            json.loads(data)["action"] for kind, data in rows_of(copy / JOURNAL) if kind == "action"
        ]
        assert sum("plot" not in action for action in found) >= events
    assert printed > 15


CALL = re.compile(r"(?:\d+ +)?(\w+)\((\d+)<((?:\\x[0-9a-f]{2})*)>(?:, (.*))?\) += (-?\d+)")
RENAME = re.compile(r'(?:\d+ +)?rename\("((?:\\x[0-9a-f]{2})*)", "((?:\\x[0-9a-f]{2})*)"\) += 0')
UNLINK = re.compile(r'(?:\d+ +)?unlink\("((?:\\x[0-9a-f]{2})*)"\) += 0')


def synced_at_every_line(trace: Path) -> Iterator[tuple[int, dict[str, bytes]]]:
    """At every line of events that was printed: how many actions were told, and the files as a
    disk holds them that keeps only what was synced. A file that was removed comes back unless its
    folder was synced since, and a new name counts from then on."""
    written: dict[str, bytearray] = {}
    synced: dict[str, bytes] = {}
    removed: set[str] = set()
    renamed: list[tuple[str, str]] = []
    told = 0
    for line in trace.read_text().splitlines():
        if match := RENAME.match(line):
            old, new = (Path(unescaped(path).decode()).name for path in match.groups())
            if old.startswith(JOURNAL):
                written[new] = written.pop(old)
                renamed.append((old, new))
            continue
        if match := UNLINK.match(line):
            name = Path(unescaped(match[1]).decode()).name
            removed.add(name)
            written.pop(name, None)
            continue
        match = CALL.match(line)
        if match is None:
            continue
        call, number, path, arguments, _ = match.groups()
        name = Path(unescaped(path).decode(errors="replace")).name
        ours = name.startswith(JOURNAL)
        if call in ("fsync", "fdatasync"):
            if ours:
                synced[name] = bytes(written.get(name, b""))
            else:
                for gone in removed:
                    synced.pop(gone, None)
                for old, new in renamed:
                    synced[new] = synced.pop(old)
                renamed.clear()
        elif call == "ftruncate" and ours:
            del written.setdefault(name, bytearray())[int(arguments) :]
        elif call == "pwrite64" and ours:
            text, _, offset = arguments.rsplit(", ", 2)
            content, start = unescaped(text.strip('"')), int(offset)
            file = written.setdefault(name, bytearray())
            file.extend(bytes(max(0, start + len(content) - len(file))))
            file[start : start + len(content)] = content
        elif call == "write" and number == "1":
            text = unescaped(arguments.split('"')[1]).decode()
            told += sum('"action"' in event for event in text.splitlines())
            yield told, dict(synced)


def unescaped(text: str) -> bytes:
    """The bytes of strace's \\x notation."""
    return bytes.fromhex(text.replace("\\x", ""))


# -- files that are not as they should be ----------------------------------------------------------


def test_a_folder_with_a_game_in_it_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / JOURNAL).write_bytes(b"a game")
    words = ["referee", "--game", "autoscooter", "--camera", "folder:x", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "tableref resume" in capsys.readouterr().err
    assert (tmp_path / JOURNAL).read_bytes() == b"a game"


@pytest.mark.parametrize("content", [b"", b"nonsense" * 999, b"SQLite format 3\0" + b"\0" * 4000])
def test_a_damaged_journal_is_one_clear_line(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / JOURNAL).write_bytes(content)
    assert main(["resume", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tableref: ")
    assert error.count("\n") == 1


def test_no_journal_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", str(tmp_path / "nothing")]) == 2
    assert "there is no journal" in capsys.readouterr().err


def test_another_version_of_the_rules_is_named(game_4p: SceneGame, tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / JOURNAL, {**game_4p.head, "rules_version": "0"})
    journal.begin()
    journal.close()
    with pytest.raises(UserError, match="version 0 of the rules"):
        resumed_evening(tmp_path)


def test_a_full_disk_stops_before_anything_is_told(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / JOURNAL, {})
    journal.begin()
    assert journal._connection is not None
    journal._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(UserError, match="nothing of this move was told"):
        journal.write([Row("action", {"much": "x" * 100_000})], 0.0)
    journal.close()


def test_a_resumed_game_stands_where_it_stood(game_4p: SceneGame, tmp_path: Path) -> None:
    evening = new_evening_of(tmp_path, game_4p.head)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
    rows: list[Any] = []
    for given in game_4p.inputs[:50]:
        rows += desk.take(given).rows
    evening.journal.close()
    again = resumed_evening(tmp_path)
    assert again.state.table == desk.state.table
    assert again.state.plots == desk.state.plots
    assert len(of_kind(again.journal.rows(), "action")) == len(of_kind(rows, "action"))
