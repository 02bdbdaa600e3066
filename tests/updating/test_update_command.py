"""`tableref update`: takes a release, goes back, and says why it did not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.updating.versions import Maker

from tableref.cli import main
from tableref.updating import building, stick
from tableref.updating.slots import Installed, Slots, UpdateError

ROOT = Path(__file__).parents[2]


class Table:
    """Where Tableref is installed, and whose releases it takes."""

    def __init__(self, folder: Path) -> None:
        self.place, self.keys = folder / "opt", folder / "release-keys"
        self.maker = Maker(folder)
        self.keys.write_text(self.maker.trusted)
        self.slots = Slots(self.place)

    def holds(self, version: str) -> None:
        """This version runs here, as far as anybody can tell."""
        self.place.mkdir(exist_ok=True)
        place = self.slots.cleared()
        (place / "bin").mkdir(parents=True)
        program = place / "bin" / "tableref"
        program.write_text(f"#!/bin/sh\necho tableref {version}\n")
        program.chmod(0o755)
        self.slots.take(Installed(version, f"sum of {version}"))

    def update(self, *words: str | Path) -> int:
        options = ["--place", str(self.place), "--keys", str(self.keys), "--no-restart"]
        return main(["update", *map(str, words), *options])

    def runs(self) -> str:
        """What the link leads to says of itself."""
        words = [self.place / "current" / "bin" / "tableref", "--version"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Environments are made without pip: a link to what a wheel would bring."""
    called: list[list[str]] = []

    def run(words: Sequence[str | Path]) -> str:
        called.append(list(map(str, words)))
        if "venv" in words:
            place = Path(words[-1])
            (place / "bin").mkdir(parents=True)
        elif "install" in words:
            version = str(words[-1]).partition("==")[2]
            program = Path(words[0]).with_name("tableref")
            program.write_text(f"#!/bin/sh\necho tableref {version}\n")
            program.chmod(0o755)
        else:
            return building.run(words)
        return ""

    for name in ("from_wheels", "from_source"):
        real = getattr(building, name)
        monkeypatch.setattr(building, name, lambda *args, real=real: real(*args, call=run))
    return called


@pytest.fixture
def borrowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Environments are real, but for their pip, which is ours: to install it takes most of the
    time. The roots of Debian in tests/appliance have their own."""
    import pip

    def run(words: Sequence[str | Path]) -> str:
        if "venv" not in words:
            return building.run(words)
        *before, place = words
        building.run([*before, "--without-pip", place])
        [packages] = Path(place).glob("lib/python*/site-packages")
        (packages / "pip").symlink_to(Path(pip.__path__[0]))
        return ""

    real = building.from_wheels
    monkeypatch.setattr(building, "from_wheels", lambda *args: real(*args, call=run))


def test_a_release_is_installed_by_pip_and_the_one_before_stays(
    table: Table, capsys: pytest.CaptureFixture[str], borrowed: None
) -> None:
    """With a virtual environment and pip, and without any network."""
    table.holds("1.0.0")
    assert table.update(table.maker.release("1.1.0")) == 0
    assert capsys.readouterr().out == "Tableref 1.1.0 is installed\n"
    assert table.runs() == "tableref 1.1.0"
    assert (table.place / "trial").read_text() == "a\n"
    assert table.update("--back") == 0
    assert table.runs() == "tableref 1.0.0"
    told = table.slots.told()
    assert told is not None
    assert (told.code, told.values) == ("back", ("1.0.0",))
    assert not list(table.place.glob(".wheels-*"))


def test_a_version_that_needs_what_the_release_lacks_is_not_installed(
    table: Table, capsys: pytest.CaptureFixture[str], borrowed: None
) -> None:
    """With pip, which must not look into the network for it."""
    table.holds("1.0.0")
    assert table.update(table.maker.release("1.1.0", needs="no-such-package-at-all")) == 2
    assert "no-such-package-at-all" in capsys.readouterr().err
    assert table.runs() == "tableref 1.0.0"


@pytest.mark.parametrize("says", ["", "tableref 1.0.9", "Traceback"])
def test_a_version_that_does_not_say_its_name_is_not_taken(
    table: Table, capsys: pytest.CaptureFixture[str], says: str,
    quick: list[list[str]], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table.holds("1.0.0")
    real = Path.write_text

    def other(path: Path, text: str, **words: str) -> int:
        made = path.name == "tableref" and "1.1.0" in text
        return real(path, f"#!/bin/sh\necho {says}\n" if made else text, **words)

    monkeypatch.setattr(Path, "write_text", other)
    assert table.update(table.maker.release("1.1.0")) == 2
    assert "--version" in capsys.readouterr().err
    assert table.runs() == "tableref 1.0.0"
    told = table.slots.told()
    assert told is not None
    assert told.code == "not-built"


@pytest.mark.parametrize("version", ["1.0.0", "0.9.9", "1.0"])
def test_an_older_version_is_taken_only_when_that_is_said(
    table: Table, capsys: pytest.CaptureFixture[str], quick: list[list[str]], version: str
) -> None:
    table.holds("1.0.0")
    release = table.maker.release(version)
    assert table.update(release) == 2
    assert "--older" in capsys.readouterr().err
    assert table.runs() == "tableref 1.0.0"
    assert table.update(release, "--older") == 0
    assert table.runs() == f"tableref {version}"


def test_the_same_release_again_changes_nothing(
    table: Table, capsys: pytest.CaptureFixture[str], quick: list[list[str]]
) -> None:
    table.holds("1.0.0")
    release = table.maker.release("1.1.0")
    assert table.update(release) == 0
    before = {path: path.stat().st_mtime_ns for path in table.place.rglob("*")}
    quick.clear()
    assert table.update(release) == 0
    assert "runs already" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in table.place.rglob("*")} == before
    assert not quick


@pytest.mark.parametrize("key", ["system", "machine", "python"])
def test_a_release_for_another_computer_is_refused(
    table: Table, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    table.holds("1.0.0")
    assert table.update(table.maker.release("1.1.0", {key: "other"})) == 2
    assert "this computer is" in capsys.readouterr().err


def test_where_there_is_no_room_nothing_is_begun(
    table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.holds("1.0.0")
    monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=100))
    assert table.update(table.maker.release("1.1.0")) == 2
    assert "sudo apt clean" in capsys.readouterr().err
    assert table.slots.holds("b") is None


def test_a_disk_that_fails_on_the_way_leaves_what_runs(
    table: Table, capsys: pytest.CaptureFixture[str], quick: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table.holds("1.0.0")

    def fails() -> None:
        raise OSError(28, "No space left on device", "/opt")

    monkeypatch.setattr(os, "sync", fails)
    assert table.update(table.maker.release("1.1.0")) == 2
    assert "No space left" in capsys.readouterr().err
    assert table.runs() == "tableref 1.0.0"


def test_who_may_not_change_it_is_told_how(
    table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    table.holds("1.0.0")
    monkeypatch.setattr(os, "open", forbidden)
    assert table.update("--back") == 2
    assert "sudo tableref update" in capsys.readouterr().err


# -- sticks ----------------------------------------------------------------------------------------


def plugged(root: Path, *mounted: Path) -> None:
    """These folders are mounted sticks."""
    (root / "proc").mkdir(parents=True, exist_ok=True)
    lines = [f"/dev/sd{'abc'[n]}1 {str(m).replace(' ', chr(92) + '040')} vfat rw 0 0"
             for n, m in enumerate(mounted)]  # fmt: skip
    (root / "proc/mounts").write_text("\n".join(["/dev/root / ext4 rw 0 0", *lines]) + "\n")


def test_the_newest_on_a_stick_that_is_for_this_computer_is_taken(
    table: Table, tmp_path: Path, quick: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.holds("1.0.0")
    place = tmp_path / "media" / "MY STICK"
    (place / "new").mkdir(parents=True)
    for version, folder in (("1.1.0", place), ("1.10.0", place / "new"), ("1.9.0", place)):
        table.maker.release(version).rename(folder / f"{version}.release")
    table.maker.release("2.0.0", {"system": "other"}).rename(place / "other.release")
    (place / "bad.release").write_bytes(b"bad")
    plugged(tmp_path, place)
    real = stick.found
    monkeypatch.setattr(stick, "found", lambda: real(tmp_path))
    assert table.update("--stick") == 0
    assert table.runs() == "tableref 1.10.0"


@pytest.fixture
def plug(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stick, for releases."""
    place = tmp_path / "media" / "STICK"
    place.mkdir(parents=True)
    plugged(tmp_path, place)
    real = stick.found
    monkeypatch.setattr(stick, "found", lambda: real(tmp_path))
    table.holds("1.0.0")
    return place


def put(table: Table, place: Path, version: str, spoilt: str = "") -> None:
    """A release on a stick, and what happened to it there."""
    path = place / f"{version}.release"
    table.maker.release(version).rename(path)
    data = bytearray(path.read_bytes())
    if spoilt == "wheel":
        data[data.index(b"PK") + 40] ^= 1
    elif spoilt == "list":
        data[data.index(b"sha256") + 12] ^= 1
    elif spoilt == "cut":
        del data[len(data.rstrip(b"\0")) - 40 :]
    elif spoilt == "empty":
        data.clear()
    path.write_bytes(data)


SPOILT = ("wheel", "list", "cut", "empty")


@pytest.mark.parametrize("how", SPOILT)
def test_where_the_newest_on_a_stick_is_damaged_the_one_before_it_is_taken_and_that_is_said(
    table: Table, plug: Path, capsys: pytest.CaptureFixture[str], quick: list[list[str]], how: str
) -> None:
    put(table, plug, "1.2.0", how)
    put(table, plug, "1.1.0")
    assert table.update("--stick") == 0
    assert table.runs() == "tableref 1.1.0"
    said = capsys.readouterr().out
    assert "Tableref 1.1.0 is installed; " in said
    assert "1.2.0.release: i" in said
    told = table.slots.told()
    assert told is not None
    assert (told.code, told.values) == ("done-but", ("1.1.0", "1.2.0.release"))


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("other", ["", "1.0.0", "0.9.0"])
def test_where_nothing_on_a_stick_is_newer_but_what_is_damaged_that_is_said(
    table: Table, plug: Path, capsys: pytest.CaptureFixture[str], quick: list[list[str]], how: str,
    other: str,
) -> None:  # fmt: skip
    put(table, plug, "1.2.0", how)
    if other:
        put(table, plug, other)
    assert table.update("--stick") == 2
    assert "1.2.0.release: i" in capsys.readouterr().err
    assert table.runs() == "tableref 1.0.0"
    told = table.slots.told()
    assert told is not None
    assert told.values == ("1.2.0.release",)


def test_a_stick_with_what_runs_and_a_newer_one_that_is_damaged_says_so_too(
    table: Table, plug: Path, capsys: pytest.CaptureFixture[str], quick: list[list[str]]
) -> None:
    put(table, plug, "1.1.0")
    assert table.update("--stick") == 0
    put(table, plug, "1.2.0", "wheel")
    assert table.update("--stick") == 2
    assert "1.2.0.release: is damaged" in capsys.readouterr().err
    assert table.runs() == "tableref 1.1.0"


def test_what_a_system_has_hidden_on_a_stick_is_no_release(
    table: Table, plug: Path, quick: list[list[str]]
) -> None:
    put(table, plug, "1.1.0")
    (plug / "._1.1.0.release").write_bytes(b"of a Mac")
    (plug / ".Trash-1000").mkdir()
    put(table, plug / ".Trash-1000", "1.2.0")
    assert table.update("--stick") == 0
    assert table.runs() == "tableref 1.1.0"
    told = table.slots.told()
    assert told is not None
    assert told.code == "done"


def test_a_release_can_be_checked_before_anything_is_changed(
    table: Table, plug: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(table, plug, "1.1.0")
    assert table.update(plug / "1.1.0.release", "--check") == 0
    assert "Tableref 1.1.0, whole and signed" in capsys.readouterr().out
    for how in SPOILT:
        put(table, plug, "1.2.0", how)
        assert table.update(plug / "1.2.0.release", "--check") == 2
        assert "1.2.0.release: i" in capsys.readouterr().err
    table.maker.release("1.3.0", {"machine": "other"}).rename(plug / "1.3.0.release")
    assert table.update(plug / "1.3.0.release", "--check") == 2
    assert table.slots.told() is None
    assert table.runs() == "tableref 1.0.0"


def test_without_a_stick_it_is_said_what_is_looked_for(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table.holds("1.0.0")
    real = stick.found
    monkeypatch.setattr(stick, "found", lambda: real(tmp_path))
    assert table.update("--stick") == 2
    assert "no USB stick" in capsys.readouterr().err
    told = table.slots.told()
    assert told is not None
    assert told.code == "no-stick"


def test_a_stick_with_nothing_that_fits_says_why(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table.holds("1.0.0")
    place = tmp_path / "media" / "STICK"
    place.mkdir(parents=True)
    table.maker.release("2.0.0", {"machine": "other"}).rename(place / "other.release")
    plugged(tmp_path, place)
    real = stick.found
    monkeypatch.setattr(stick, "found", lambda: real(tmp_path))
    assert table.update("--stick") == 2
    assert "this computer is" in capsys.readouterr().err


def test_a_stick_that_is_not_mounted_is_mounted_to_be_read_alone_and_let_go_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for disk, removable in (("sda", "1"), ("sdb", "0"), ("sdc", "1")):
        (tmp_path / f"sys/block/{disk}/{disk}1").mkdir(parents=True)
        (tmp_path / f"sys/block/{disk}/removable").write_text(removable)
    (tmp_path / "sys/block/sdd").mkdir()  # without partitions
    (tmp_path / "sys/block/sdd/removable").write_text("1\n")
    plugged(tmp_path)
    said = tmp_path / "said"
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, does in (("mount", 'touch "$4/tableref-1.release"; case $3 in *sdc1) exit 32;; esac'),
                       ("umount", 'rm "$2"/*')):  # fmt: skip
        program = programs / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >> {said}\n{does}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with stick.found(tmp_path) as paths:
        assert [path.name for path in paths] == ["tableref-1.release"] * 2
        assert all(path.exists() for path in paths)
    calls = [line.split() for line in said.read_text().splitlines()]
    assert [(c[0], Path(c[3]).name) for c in calls if c[0] == "mount"] == [
        ("mount", "sda1"), ("mount", "sdc1"), ("mount", "sdd"),
    ]  # fmt: skip
    assert all(set(c[2].split(",")) >= {"ro", "noexec"} for c in calls if c[0] == "mount")
    assert [c[0] for c in calls].count("umount") == 2  # sdc1 was never there


# -- from the source -------------------------------------------------------------------------------


def test_the_source_again_changes_nothing_and_a_changed_one_does(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], quick: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    import tableref

    folder = tmp_path / "source"
    for package in building.PACKAGES:
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("")
    (folder / "hardware/constraints").mkdir(parents=True)
    for name in building.BESIDE:
        (folder / name).write_text("")
    made: list[str] = []

    def from_source(slots: Slots, folder: Path, version: str, release: str) -> None:
        slots.cleared().mkdir()
        made.append(version)

    monkeypatch.setattr(building, "from_source", from_source)
    assert table.update("--source", folder) == 0
    assert table.update("--source", folder) == 0
    assert "runs already" in capsys.readouterr().out
    (folder / "companion/tableref/__pycache__").mkdir()
    (folder / "companion/tableref/__pycache__/x.pyc").write_text("news of Python alone")
    assert table.update("--source", folder) == 0
    assert made == [tableref.__version__]
    (folder / "companion/tableref/__init__.py").write_text("news")
    assert table.update("--source", folder) == 0
    assert made == [tableref.__version__] * 2


def test_a_folder_without_the_source_is_said_so(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table.update("--source", tmp_path) == 2
    assert "no folder with Tableref's source" in capsys.readouterr().err


def test_what_is_summed_is_what_the_wheel_is_made_of() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in building.PACKAGES:
        assert f'"{package}"' in text
    assert len(building.source_sum(ROOT)) == 64


def test_the_installer_needs_nothing_but_python() -> None:
    """It runs this before anything is installed."""
    code = (
        "import sys\nsys.path.insert(0, sys.argv.pop())\nfrom tableref.cli import main\n"
        "code = main(['update', '--back', '--place', '/proc/at/all'])\nassert code == 2, code\n"
        "print(json.dumps([m for m in sys.modules if 'site-packages' in "
        "str(getattr(sys.modules[m], '__file__', ''))]))"
    )
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-I", "-S", "-c", "import json\n" + code,
         str(ROOT / "companion")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("words", [[], ["--check"], ["a.release", "--back"], ["--stick", "--back"]])
def test_one_thing_at_a_time(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", *words]) == 2


def test_a_new_version_is_asked_its_name_away_from_the_installers_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installer reads its own from there, which may be another version."""
    (tmp_path / "of_the_installer.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UpdateError, match="of_the_installer"):
        building.run([sys.executable, "-c", "import of_the_installer"])


def test_a_program_that_fails_says_what_went_wrong() -> None:
    with pytest.raises(UpdateError, match="not there"):
        building.run(["sh", "-c", "echo some words; echo 'ERROR: subprocess-exited'>&2;"
                      " echo 'ERROR: not there' >&2; echo note >&2; exit 1"])  # fmt: skip
    with pytest.raises(UpdateError, match="no-such-program"):
        building.run(["no-such-program"])


def test_where_nothing_is_installed_nothing_is_left_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, junk = tmp_path / "opt", tmp_path / "tableref.release"
    assert main(["update", "--back", "--place", str(place)]) == 2
    assert "no other version here" in capsys.readouterr().err
    assert not place.exists()
    junk.write_text("junk")
    assert main(["update", str(junk), "--place", str(place)]) == 2
    assert not (place / "outcome").exists()  # no menu asked for it
