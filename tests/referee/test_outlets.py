"""What goes to the terminal."""

from __future__ import annotations

import io

import pytest

from tableref.devices.trouble import DeviceError
from tableref.referee.outlets import EventLines


class Gone(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_terminal_that_nobody_reads_any_more_is_told_once() -> None:
    lines = EventLines(Gone(), as_json=True)
    with pytest.raises(DeviceError, match="Nobody reads the terminal any more"):
        lines.write({"event": "end"})
    lines.write({"event": "end"})


class Narrow(io.StringIO):
    def isatty(self) -> bool:
        return True


WIDE = {"event": "ruling", "text": ["Red drives K from b1 to d1, points E, speed 2. (AS-4.2)"]}


def test_a_narrow_terminal_gets_whole_words_and_what_follows_stands_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = Narrow()
    EventLines(stream, as_json=False).write(WIDE)
    first, *more = stream.getvalue().splitlines()
    assert max(map(len, (first, *more))) < 30
    assert all(line.startswith("    ") for line in more)
    assert " ".join(stream.getvalue().split()) == WIDE["text"][0]


def test_a_pipe_gets_each_sentence_as_one_line() -> None:
    stream = io.StringIO()
    EventLines(stream, as_json=False).write(WIDE)
    assert stream.getvalue() == f"  {WIDE['text'][0]}\n"


def test_replies_beside_json_go_elsewhere() -> None:
    stream, aside = io.StringIO(), io.StringIO()
    lines = EventLines(stream, as_json=True, aside=aside)
    lines.reply(["yes"])
    lines.reply(["what?"], misunderstood=True)
    assert stream.getvalue() == ""
    assert aside.getvalue() == "  yes\n? what?\n"
