"""Everything of a table in one file, and back again; nothing is lost, nothing strange gets in."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.errors import UserError
from tableref.hosting.backup import FORMAT, back_up, restore
from tableref.hosting.opening import new_game
from tableref.hosting.shelf import Shelf
from tableref.referee.desk import Desk
from tableref.referee.evening import JOURNAL
from tableref.referee.inputs import Begin


def played(root: Path, name: str, game: str = "squod") -> Path:
    folder = root / "games" / name
    with new_game(folder, game) as opened:
        evening = opened.evening
        evening.journal.begin()
        desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
        desk.take(Begin(0.0, ()))
    (folder / "evidence").mkdir()
    (folder / "evidence" / "000001.json").write_text("{}")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A table with two games, a calibration and a configuration."""
    root = tmp_path / "table"
    played(root, "2026-11-01-squod")
    played(root, "2026-11-02-scorpion", "scorpion")
    (root / "lens.json").write_text("{}")
    (root / "tableref.toml").write_text('[game]\nlang = "de"\n')
    (root / "playing").write_text("2026-11-01-squod\n")
    return root


def names(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_what_was_backed_up_comes_back_on_an_empty_card(root: Path, tmp_path: Path) -> None:
    file, there = tmp_path / "b.tar.gz", tmp_path / "new"
    assert back_up(root, root / "tableref.toml", file) == 2
    found = restore(file, there, there / "tableref.toml")
    assert set(found.written) == {
        "lens.json", "tableref.toml", "2026-11-01-squod", "2026-11-02-scorpion",
    }  # fmt: skip
    assert not found.stayed
    assert [(g.game, g.trouble) for g in Shelf(there / "games").games()] == [
        (g.game, "") for g in Shelf(root / "games").games()
    ]
    left_out = (".lock", ".told", "-journal", "playing")
    assert {name for name in names(root) if not name.endswith(left_out)} == names(there)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_backup_is_made_while_a_game_is_played(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    with new_game(root / "games" / "now", "squod") as game:
        game.evening.journal.begin()
        assert back_up(root, None, file) == 3
    restore(file, tmp_path / "new", None)
    assert not [g for g in Shelf(tmp_path / "new" / "games").games() if g.trouble]


def test_what_is_there_already_stays(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    back_up(root, root / "tableref.toml", file)
    (root / "tableref.toml").write_text('[game]\nlang = "fr"\n')
    before = (root / "games" / "2026-11-01-squod" / JOURNAL).read_bytes()
    found = restore(file, root, root / "tableref.toml")
    assert not found.written
    assert len(found.stayed) == 4
    assert "fr" in (root / "tableref.toml").read_text()
    assert (root / "games" / "2026-11-01-squod" / JOURNAL).read_bytes() == before


def test_another_game_of_the_same_name_comes_back_beside_it(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    back_up(root, None, file)
    shutil.rmtree(root / "games" / "2026-11-01-squod")
    played(root, "2026-11-01-squod", "arrows-and-stars")
    found = restore(file, root, None)
    assert found.written == ("2026-11-01-squod-restored-2",)
    assert {g.game for g in Shelf(root / "games").games()} == {
        "squod", "scorpion", "arrows-and-stars",
    }  # fmt: skip


def test_a_journal_that_cannot_be_read_is_backed_up_as_it_is(root: Path, tmp_path: Path) -> None:
    damaged = root / "games" / "2026-11-01-squod" / JOURNAL
    damaged.write_bytes(b"no database")
    back_up(root, None, tmp_path / "b.tar.gz")
    restore(tmp_path / "b.tar.gz", tmp_path / "new", None)
    assert (
        tmp_path / "new" / "games" / "2026-11-01-squod" / JOURNAL
    ).read_bytes() == b"no database"


def test_a_file_that_was_cut_off_or_changed_restores_nothing(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    back_up(root, None, file)
    whole = file.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) * 9 // 10):
        file.write_bytes(whole[:cut])
        with pytest.raises(UserError, match=r"b\.tar\.gz"):
            restore(file, tmp_path / "new", None)
        assert not names(tmp_path / "new")


def archive(path: Path, files: dict[str, bytes], told: Any = None, **more: Any) -> None:
    import hashlib

    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    text = json.dumps(told if told is not None else {"format": FORMAT, "files": sums}).encode()
    with tarfile.open(path, "w:gz") as made:
        for name, data in {"backup.json": text, **files}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            for key, value in more.items():
                if name != "backup.json":
                    setattr(entry, key, value)
            made.addfile(entry, io.BytesIO(data))


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "games/../../evil", "games/x", "other.txt", "games/a/../../../b"],
)
def test_nothing_is_written_outside_of_the_table(tmp_path: Path, name: str) -> None:
    file = tmp_path / "b.tar.gz"
    archive(file, {name: b"x"})
    with pytest.raises(UserError, match="no file of a table"):
        restore(file, tmp_path / "deep" / "new", None)
    assert names(tmp_path) == {"b.tar.gz"}


@pytest.mark.parametrize(
    ("files", "told", "more"),
    [
        ({"games/a/x": b"1"}, {"format": FORMAT, "files": {}}, {}),
        ({"games/a/x": b"1"}, {"format": FORMAT, "files": {"games/a/x": "0"}}, {}),
        ({}, {"format": FORMAT, "files": {"games/a/x": "0"}}, {}),
        ({"games/a/x": b"1"}, {"format": "table-backup/9", "files": {}}, {}),
        ({"games/a/x": b"1"}, [1], {}),
        ({"games/a/x": b"1"}, {"format": FORMAT, "files": {"games/a/x": 3}}, {}),
        ({"games/a/x": b""}, None, {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}),
        ({"games/a/x": b""}, None, {"type": tarfile.DIRTYPE}),
    ],
)
def test_what_its_list_does_not_say_is_refused(
    tmp_path: Path, files: dict[str, bytes], told: Any, more: dict[str, Any]
) -> None:
    file = tmp_path / "b.tar.gz"
    archive(file, files, told, **more)
    with pytest.raises(UserError, match=r"b\.tar\.gz"):
        restore(file, tmp_path / "new", None)
    assert not names(tmp_path / "new")


def test_the_commands_say_what_they_have_done(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEREF_CONFIG", str(root / "tableref.toml"))
    file, there = str(tmp_path / "b.tar.gz"), tmp_path / "new"
    assert main(["backup", file, "--state", str(root)]) == 0
    assert "2 games" in capsys.readouterr().out
    monkeypatch.setenv("TABLEREF_CONFIG", str(there / "tableref.toml"))
    assert main(["restore", file, "--state", str(there)]) == 0
    assert "2026-11-01-squod: restored" in capsys.readouterr().out
    assert main(["restore", file, "--state", str(there)]) == 0
    assert "stays" in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "gone"), "--state", str(there)]) == 2
    assert main(["backup", str(tmp_path / "no" / "b"), "--state", str(root)]) == 2


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_backup_without_a_name_is_refused_in_a_sentence(
    root: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", name, "--state", str(root)]) == 2
    assert "name the file that the backup goes into" in capsys.readouterr().err


def test_a_folder_is_no_name_for_a_backup(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="name the file that the backup goes into"):
        back_up(root, None, tmp_path)


def test_where_no_games_were_kept_nothing_is_backed_up_and_the_place_of_a_service_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.tar.gz"
    assert main(["backup", str(file), "--state", str(tmp_path / "nowhere")]) == 2
    assert "say --state /var/lib/tableref" in capsys.readouterr().err
    assert not file.exists()


def test_games_that_may_not_be_looked_into_are_not_left_out_in_silence(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    def guarded(path: Path) -> Any:
        if str(path) == str(root / "games" / "2026-11-01-squod"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(UserError, match=r"2026-11-01-squod: cannot be backed up .*say sudo"):
        back_up(root, None, tmp_path / "b.tar.gz")
    assert not list(tmp_path.glob("b.tar.gz*"))


def test_a_place_that_cannot_be_written_is_told_by_the_name_that_was_given(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file: is a file, where Tableref needs a folder"):
        back_up(root, None, tmp_path / "file" / "b.tar.gz")
    with pytest.raises(UserError, match=r"gone/b\.tar\.gz: cannot be written .*unplugged"):
        back_up(root, None, tmp_path / "gone" / "b.tar.gz")


def test_a_file_where_games_are_to_come_back_is_told(root: Path, tmp_path: Path) -> None:
    file, there = tmp_path / "b.tar.gz", tmp_path / "there"
    back_up(root, None, file)
    there.write_text("")
    with pytest.raises(UserError, match="there: is a file, where Tableref needs a folder"):
        restore(file, there, None)
    with pytest.raises(UserError, match=r"none\.tar\.gz: cannot be read"):
        restore(tmp_path / "none.tar.gz", tmp_path / "new", None)
