"""The index of the look-up is made once, kept, and made anew where it is not as it should be."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tableref.rulebook import index
from tableref.rulebook.lookup import Lookup

_ASK = """
import sys
from pathlib import Path
from tableref.rulebook.lookup import Lookup
print(Lookup("en", Path(sys.argv[1])).ask("ghost car").results[0].id)
"""


def answers(cache: Path) -> bool:
    """Whether a look-up with this cache answers as it should."""
    return Lookup("en", cache).ask("ghost car").results[0].id == "AS-7.1"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of an index that was made before."""
    Lookup("en", tmp_path)
    (file,) = tmp_path.iterdir()
    return file


def test_it_is_kept(kept: Path) -> None:
    made = kept.stat().st_mtime_ns
    assert answers(kept.parent)
    assert kept.stat().st_mtime_ns == made


def test_it_is_made_anew_when_a_text_changes(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "VERSION", "another")
    assert answers(kept.parent)
    (anew,) = kept.parent.iterdir()
    assert anew != kept


def test_two_of_the_same_texts_are_the_same(tmp_path: Path) -> None:
    dumps = []
    for folder in ("one", "two"):
        with contextlib.closing(index.open_index("fr", tmp_path / folder)) as connection:
            dumps.append(list(connection.iterdump()))
    assert dumps[0] == dumps[1]


@pytest.mark.parametrize("damage", ["empty", "short", "one bit", "another file"])
def test_a_damaged_one_is_made_anew(kept: Path, damage: str) -> None:
    good = kept.read_bytes()
    flipped = bytearray(good)
    flipped[len(good) // 3] ^= 4
    kept.write_bytes(
        {
            "empty": b"",
            "short": good[: len(good) // 2],
            "one bit": bytes(flipped),
            "another file": b"no database",
        }[damage]
    )
    assert answers(kept.parent)
    assert kept.read_bytes() == good


def test_one_that_cannot_be_read_does_not_matter(kept: Path) -> None:
    kept.unlink()
    kept.mkdir()
    assert answers(kept.parent)
    assert list(kept.parent.iterdir()) == [kept]


def test_without_a_folder_for_it_each_process_makes_its_own(tmp_path: Path) -> None:
    file = tmp_path / "no-folder"
    file.write_text("")
    assert answers(file)


def test_a_folder_that_takes_no_file_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert answers(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_user_without_a_home_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert Lookup("en").ask("ghost car").results[0].id == "AS-7.1"


def test_processes_that_make_it_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _ASK, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in both] == ["AS-7.1", "AS-7.1"]
    (kept,) = tmp_path.iterdir()
    assert index.read_kept(kept)
