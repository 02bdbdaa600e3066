"""Release files: only what a trusted key has signed, whole and for this computer, is used."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from tests.updating.versions import Maker, members, write

import tableref
from tableref.updating import release
from tableref.updating.release import LIST, SIGNATURE, code_name, numbers, read, unpack
from tableref.updating.slots import UpdateError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


@pytest.fixture
def keys(tmp_path: Path, maker: Maker) -> Path:
    path = tmp_path / "release-keys"
    path.write_text("# whose releases\n\n" + maker.trusted)
    return path


def refused(path: Path, keys: Path, folder: Path) -> UpdateError:
    """Why this file is not used; nothing of it may be installed."""
    with pytest.raises(UpdateError) as caught:
        unpack(read(path, keys), folder)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


def test_a_whole_release_is_read_and_its_wheels_are_unpacked(
    maker: Maker, keys: Path, empty: Path
) -> None:
    found = read(maker.release("1.2.0"), keys)
    unpack(found, empty)
    assert found.version == "1.2.0"
    [wheel] = empty.iterdir()
    assert wheel.stat().st_size == found.size


def test_a_release_of_somebody_else_is_refused(maker: Maker, keys: Path, empty: Path) -> None:
    stranger = Maker(empty, "stranger")
    error = refused(stranger.release("1.2.0"), keys, empty)
    assert error.code == "not-signed"


def test_a_signature_for_something_else_is_none(
    maker: Maker, keys: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The maker's key may sign letters, too."""
    path = maker.release("1.2.0")
    inside = members(path)
    inside[SIGNATURE] = maker.sign(inside[LIST], "file")
    write(path, inside)
    assert refused(path, keys, empty).code == "not-signed"


@pytest.mark.parametrize("text", ["", "# nobody\n"])
def test_a_table_that_trusts_nobody_takes_nothing(maker: Maker, empty: Path, text: str) -> None:
    keys = empty / "keys"
    keys.write_text(text)
    error = refused(maker.release("1.2.0"), keys, empty)
    assert error.code == "no-keys"
    assert str(keys) in str(error)


def test_a_list_that_was_changed_after_it_was_signed_is_refused(
    maker: Maker, keys: Path, empty: Path
) -> None:
    path = maker.release("1.2.0")
    inside = members(path)
    inside[LIST] = inside[LIST].replace(b"1.2.0", b"9.2.0")
    write(path, inside)
    assert refused(path, keys, empty).code == "not-signed"


def test_a_wheel_that_was_changed_is_found_out(maker: Maker, keys: Path, empty: Path) -> None:
    path = maker.release("1.2.0")
    inside = members(path)
    name = list(inside)[-1]
    inside[name] = inside[name][:-1] + b"?"
    write(path, inside)
    error = refused(path, keys, empty)
    assert error.code == "damaged"
    assert name in str(error)


def test_a_wheel_that_nobody_has_signed_is_found_out(maker: Maker, keys: Path, empty: Path) -> None:
    path = maker.release("1.2.0")
    write(path, {**members(path), "other-1.0-py3-none-any.whl": b"bad"})
    assert refused(path, keys, empty).code == "damaged"


def test_a_wheel_that_is_missing_is_found_out(maker: Maker, keys: Path, empty: Path) -> None:
    path = maker.release("1.2.0")
    inside = members(path)
    write(path, {LIST: inside[LIST], SIGNATURE: inside[SIGNATURE]})
    assert refused(path, keys, empty).code == "damaged"


def test_a_wheel_that_is_there_twice_is_found_out(maker: Maker, keys: Path, empty: Path) -> None:
    import tarfile

    path = maker.release("1.2.0")
    with tarfile.open(path) as archive:
        last = archive.getmembers()[-1]
        data = archive.extractfile(last)
        assert data is not None
        with tarfile.open(empty.parent / "twice.release", "w") as out:
            for entry in archive:
                out.addfile(entry, archive.extractfile(entry))
            data.seek(0)
            out.addfile(last, data)
    assert refused(empty.parent / "twice.release", keys, empty).code == "damaged"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.8, 0.97])
def test_a_file_that_was_cut_off_is_refused(
    maker: Maker, keys: Path, empty: Path, share: float
) -> None:
    path = maker.release("1.2.0")
    data = path.read_bytes()
    # What an archive ends with says nothing.
    path.write_bytes(data[: int(len(data.rstrip(b"\0")) * share)])
    assert refused(path, keys, empty).code in ("damaged", "no-release", "not-signed")


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\3\4" + bytes(600), bytes(10240)])
def test_any_other_file_is_no_release(keys: Path, empty: Path, data: bytes) -> None:
    path = empty / "picture.release"
    path.write_bytes(data)
    assert refused(path, keys, empty).code == "no-release"


def test_a_file_that_is_not_there_or_a_folder_is_said_so(keys: Path, empty: Path) -> None:
    assert "No such file" in str(refused(empty / "gone.release", keys, empty))
    assert refused(empty, keys, empty).code == "unreadable"


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "table-release/2"},
        {"version": "newest"},
        {"version": "1.0; rm -rf /"},
        {"version": 1},
        {"system": None},
        {"files": {}},
        {"files": []},
        {"files": {"../../etc/passwd.whl": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"a/b-1.0-py3-none-any.whl": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"b.tar.gz": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"b-1.0-py3-none-any.whl": {"sha256": "0", "size": 1}}},
        {"files": {"b-1.0-py3-none-any.whl": {"sha256": "0" * 64, "size": -1}}},
        {"files": {"b-1.0-py3-none-any.whl": {"sha256": "0" * 64, "size": "1"}}},
        {"files": {"b-1.0-py3-none-any.whl": {"sha256": "0" * 64, "size": 10**12}}},
        {"files": {"b-1.0-py3-none-any.whl": "0"}},
    ],
    ids=str,
)
def test_a_signed_list_may_still_say_what_it_must_not(
    maker: Maker, keys: Path, empty: Path, changes: dict[str, object]
) -> None:
    assert refused(maker.release("1.2.0", changes), keys, empty).code == "no-release"


def test_a_list_that_is_no_json_is_no_release(maker: Maker, keys: Path, empty: Path) -> None:
    path = empty / "x.release"
    for told in (b"{", b"[]", b"\xff", b"[" * 50_000, json.dumps("x").encode()):
        write(path, {LIST: told, SIGNATURE: maker.sign(told)})
        assert refused(path, keys, empty).code == "no-release"


def test_without_ssh_keygen_nothing_is_trusted(
    maker: Maker, keys: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = maker.release("1.2.0")
    monkeypatch.setenv("PATH", "/nowhere")
    error = refused(path, keys, empty)
    assert error.code == "not-signed"
    assert "sudo apt install openssh-client" in str(error)


def test_a_version_is_said_in_one_place() -> None:
    """Said in two, a release would name one version and hold a wheel of the other."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert built["project"]["dynamic"] == ["version"]
    told = ROOT / built["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{tableref.__version__}"' in told.read_text(encoding="utf-8")


def test_versions_are_numbers() -> None:
    assert numbers("0.10.0") > numbers("0.9.9")
    assert numbers("1.0") == numbers("1.0.0") == numbers("1")
    assert numbers("1.0.1") > numbers("1.0")


def test_the_systems_code_name_is_read(tmp_path: Path) -> None:
    path = tmp_path / "os-release"
    path.write_text('NAME="Debian"\nVERSION_CODENAME="trixie"\n')
    assert code_name(path) == "trixie"
    assert code_name(tmp_path / "gone") == "unknown"
    assert release.this_target(path).system == "trixie"
