"""Two environments side by side: a power cut between any two steps leaves one that runs, and a
version that does not come up gives way to the one before."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tableref.updating import slots as module
from tableref.updating.slots import Installed, Outcome, Slots, UpdateError

TRIAL = Path(__file__).parents[2] / "companion" / "install" / "tableref-trial"


@pytest.fixture(autouse=True)
def alone_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others write is not waited for, as it is by a `sync` of the whole computer."""
    monkeypatch.setattr(os, "sync", lambda: None)


class PowerCut(BaseException):
    """Nothing of the process goes on."""


def filled(place: Path, version: str) -> Slots:
    """A table that has just taken this version."""
    slots = Slots(place)
    place.mkdir(exist_ok=True)
    (slots.cleared() / "bin").mkdir(parents=True)
    slots.take(Installed(version, f"sum of {version}"))
    return slots


def systemd(place: Path, word: str) -> None:
    """What the unit calls before a start, and once the service is up."""
    environment = {**os.environ, "TABLEREF_PLACE": str(place)}
    subprocess.run([TRIAL, word], check=True, env=environment)


def version(slots: Slots) -> str:
    """What runs when the service starts now."""
    held = slots.holds(slots.running)
    return held.version if held else ""


def test_the_first_is_no_trial_for_there_is_none_to_go_back_to(tmp_path: Path) -> None:
    slots = filled(tmp_path, "1.0")
    assert version(slots) == "1.0"
    assert not (tmp_path / "trial").exists()


def test_the_next_takes_the_other_place_and_runs(tmp_path: Path) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    assert (slots.running, version(slots)) == ("b", "2.0")
    held = slots.holds("a")
    assert held is not None
    assert held.version == "1.0"


def test_a_version_that_is_up_is_on_trial_no_longer(tmp_path: Path) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    systemd(tmp_path, "begin")
    systemd(tmp_path, "up")
    for _ in range(9):  # whatever comes later is not for lack of a start
        systemd(tmp_path, "begin")
    assert version(slots) == "2.0"
    assert not (tmp_path / "tries").exists()


def test_a_version_that_is_not_up_after_three_starts_gives_way(tmp_path: Path) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    seen = []
    for _ in range(4):
        systemd(tmp_path, "begin")
        seen.append(version(slots))
    assert seen == ["2.0", "2.0", "2.0", "1.0"]
    told = slots.told()
    assert told == Outcome("not-up", "2.0 did not start, so 1.0 runs again", ("2.0", "1.0"))
    systemd(tmp_path, "up")
    systemd(tmp_path, "begin")
    assert version(slots) == "1.0"


@pytest.mark.parametrize("tries", ["", "x", "\0", "-1", "2 3"])
def test_a_count_that_a_power_cut_has_spoilt_begins_anew(tmp_path: Path, tries: str) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    (tmp_path / "tries").write_text(tries)
    systemd(tmp_path, "begin")
    assert version(slots) == "2.0"
    assert (tmp_path / "tries").read_text() == "1\n"


@pytest.mark.parametrize("before", ["", "../../etc", "c", "\0"])
def test_a_trial_that_names_no_version_leads_nowhere(tmp_path: Path, before: str) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    (tmp_path / "trial").write_text(before)
    (tmp_path / "tries").write_text("3\n")
    systemd(tmp_path, "begin")
    assert version(slots) == "2.0"
    assert not (tmp_path / "trial").exists()


def test_back_and_back_again(tmp_path: Path) -> None:
    filled(tmp_path, "1.0")
    slots = filled(tmp_path, "2.0")
    assert slots.back().version == version(slots) == "1.0"
    assert slots.back().version == version(slots) == "2.0"


def test_without_another_version_there_is_no_way_back(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="no other version"):
        filled(tmp_path, "1.0").back()


def test_what_was_cut_off_half_made_is_not_gone_back_to(tmp_path: Path) -> None:
    slots = filled(tmp_path, "1.0")
    (slots.cleared() / "bin").mkdir(parents=True)
    with pytest.raises(UpdateError, match="no other version"):
        slots.back()


CALLS = ("replace", "symlink", "fsync", "sync", "unlink")
"""Steps on the disk: between any two of them the power may go."""


def cut(monkeypatch: pytest.MonkeyPatch, after: int) -> list[str]:
    """The power goes after so many steps on the disk."""
    made: list[str] = []

    def cutting(name: str, real):  # type: ignore[no-untyped-def]
        def call(*args, **words):  # type: ignore[no-untyped-def]
            if len(made) == after:
                raise PowerCut
            made.append(name)
            return real(*args, **words)

        return call

    for name in CALLS:
        monkeypatch.setattr(module.os, name, cutting(name, getattr(os, name)))
    return made


@pytest.mark.parametrize("how", ["take", "back"])
def test_a_power_cut_between_any_two_steps_leaves_one_that_runs(tmp_path: Path, how: str) -> None:
    for after in range(99):
        place = tmp_path / str(after)
        slots = filled(place, "1.0")
        if how == "back":
            slots = filled(place, "2.0")
            systemd(place, "up")
        else:
            (slots.cleared() / "bin").mkdir(parents=True)
        before = version(slots)
        with pytest.MonkeyPatch.context() as patch:
            cut(patch, after)
            try:
                slots.take(Installed("2.0", "")) if how == "take" else slots.back()
                whole = True
            except PowerCut:
                whole = False
        other = {"take": "2.0", "back": "1.0"}[how]
        assert version(slots) in (before, other)
        assert not whole or version(slots) == other
        # Neither of them starts: three starts later it is the one before, whatever was cut off.
        for _ in range(4):
            systemd(place, "begin")
        assert version(slots) == before
        # And an update after that goes through.
        filled(place, "3.0")
        assert version(slots) == "3.0"
        if whole:
            assert after > 5
            return
    pytest.fail("it never ends")


def test_two_updates_at_once_are_one(tmp_path: Path) -> None:
    with (
        Slots(tmp_path).alone(),
        pytest.raises(UpdateError, match="under way"),
        Slots(tmp_path).alone(),
    ):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"code": 1}', "\0"])
def test_what_is_kept_and_cannot_be_read_is_as_if_it_were_not_there(
    tmp_path: Path, text: str
) -> None:
    slots = filled(tmp_path, "1.0")
    (tmp_path / "outcome").write_text(text)
    (tmp_path / "a" / "installed.json").write_text(text)
    assert slots.told() is None
    assert slots.holds("a") is None
