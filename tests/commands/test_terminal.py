"""What is typed to a command while it runs."""

import io

import pytest

from tableref.commands.terminal import typed


def test_nothing_is_typed_where_standard_input_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert not typed().isatty()
    assert list(typed()) == []


def test_what_is_no_text_does_not_end_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"one\n\xff\ntwo\n"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    assert list(typed()) == ["one\n", "\ufffd\n", "two\n"]
