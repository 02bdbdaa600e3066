"""Small files are whole, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from tableref.durable import write_whole


def test_where_the_disk_is_full_the_old_file_stays_and_no_half_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_whole(tmp_path / "told", "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "told", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["told"]
    assert (tmp_path / "told").read_text() == "old"


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_nobody_else_may_ever_read_a_secret(
    tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", lambda old, new: modes.append(Path(old).stat().st_mode))
    modes: list[int] = []
    write_whole(tmp_path / "code", "0421", mode)
    assert [stat.S_IMODE(found) for found in modes] == [mode]


def test_a_link_where_the_half_file_goes_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "told.new").symlink_to(tmp_path / "mine")
    write_whole(tmp_path / "told", "new")
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (tmp_path / "told").is_symlink()
    assert (tmp_path / "told").read_text() == "new"
