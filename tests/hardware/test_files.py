"""Files from outside: read at one edge, every error one sentence with file and place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tableref_hardware import files
from tableref_hardware.files import FileError, parse_json, parse_toml, read_lines, read_text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", r"x\.json: not readable as JSON: .*\(line 1, column 2\)"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1e999}', "too large a number"),
        ('{"a": 1%s}' % ("0" * 400), "a number of 401 digits"),
        ('{"a": 1%s}' % ("0" * 5000), "a number of 5001 digits"),
        ('{"a": [{"b": "\\ud800"}]}', r"x\.json: a\[0\]\.b: '\\ud800' has half a character"),
        ('{"\\ud800": 1}', "has half a character"),
        ("[" * 100 + "]" * 100, "nested deeper than 40"),
        ("[" * 100_000 + "]" * 100_000, "nested too deep"),
        ('{"a": 1, "a": 2}', "'a' stands there twice"),
    ],
)
def test_json_that_no_reader_should_have_to_expect_is_refused(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        parse_json(text, "x.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = = b", "not readable as TOML"),
        ("a = inf", "inf is no number"),
        ("a = nan", "nan is no number"),
        ("a = 1" + "0" * 400, "more than 15 digits"),
        ("a = " + "[" * 100 + "]" * 100, "nested deeper than 40"),
        ("a = " + "[" * 100_000 + "]" * 100_000, "nested too deep"),
    ],
)
def test_toml_that_no_reader_should_have_to_expect_is_refused(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        parse_toml(text, "x.toml")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf{}\n")
    assert parse_json(read_text(path), "a.json") == {}
    assert list(read_lines(path)) == [(1, "{}")]


def test_a_line_ends_with_a_line_feed_alone(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("a\u2028b\r\nc", encoding="utf-8", newline="")
    assert list(read_lines(path)) == [(1, "a\u2028b"), (2, "c")]


@pytest.mark.usefixtures("soon")
def test_another_encoding_a_folder_and_a_pipe_are_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    os.mkfifo(tmp_path / "pipe")
    for name, words in (
        ("latin", "no text in UTF-8"),
        ("pipe", "no regular file"),
        ("", "it is a folder"),
        ("none", "No such file"),
        ("\0", "no name of a file"),
    ):
        with pytest.raises(FileError, match=words):
            read_text(tmp_path / name)
    with pytest.raises(FileError, match="no regular file"):
        read_text("/dev/zero")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 10)
    (tmp_path / "long").write_text("x" * 11)
    with pytest.raises(FileError, match="is larger than"):
        read_text(tmp_path / "long")
    with pytest.raises(FileError, match="line 1: is longer than"):
        list(read_lines(tmp_path / "long"))
