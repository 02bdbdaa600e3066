"""Outlets of the desk: terminal, display, lights."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from tableref.devices.lights import Lights, PngLights
from tableref.devices.oled import Display
from tableref.devices.trouble import DeviceError
from tableref.referee.desk import Feedback


class EventLines:
    """Events on a stream: a line of JSON each, or sentences. What is replied to people and is no
    event goes to `aside` where the stream is for a machine."""

    def __init__(self, stream: TextIO, as_json: bool, aside: TextIO | None = None) -> None:
        self._stream, self._json = stream, as_json
        self._aside = aside or stream
        self._gone = False

    @property
    def columns(self) -> int:
        """How wide a reply may be laid out."""
        return min(USUAL, columns_of(self._aside)) - len(PLAIN)

    def tell(self, feedback: Feedback) -> None:
        """Writes the events at once, so that a reader sees them as they happen."""
        for event in feedback.events:
            self.write(event)

    def write(self, event: Mapping[str, Any]) -> None:
        """Writes one event. DeviceError, once, where nobody reads any more (`| head`)."""
        if self._json:
            self._put(self._stream, [json.dumps(event, ensure_ascii=False)])
            return
        mark = MARKS.get(str(event["event"]), PLAIN)
        lines = [mark + line for line in event.get("text", ())]
        self._put(self._stream, folded(lines, columns_of(self._stream)))

    def reply(self, lines: Iterable[str], misunderstood: bool = False) -> None:
        """Writes what is replied to a line. DeviceError, as above."""
        mark = MARKS["question"] if misunderstood else PLAIN
        told = [mark + line for line in lines]
        self._put(self._aside, folded(told, columns_of(self._aside)))

    def _put(self, stream: TextIO, lines: Iterable[str]) -> None:
        if self._gone:
            return
        try:
            stream.writelines(line + "\n" for line in lines)
            stream.flush()
        except BrokenPipeError as error:
            self._gone = True
            raise DeviceError("Nobody reads the terminal any more", "The game goes on") from error


MARKS = {"trouble": "! ", "question": "? ", "round": "= ", "end": "= ", "awaits": "> "}
"""Event -> what its lines begin with."""
PLAIN = "  "
"""What all other lines begin with."""
NARROWEST, USUAL, ENDLESS = 20, 80, 100_000
"""Columns: as narrow as any terminal is taken to be; of what is laid out for a pipe or a file; in
which no line is broken."""


def columns_of(stream: TextIO) -> int:
    """How many columns a line may have; in a pipe as many as it wants."""
    if not stream.isatty():
        return ENDLESS
    return max(NARROWEST, shutil.get_terminal_size().columns - 1)


def folded(lines: Iterable[str], columns: int) -> Iterator[str]:
    """The lines broken between words where they are too long."""
    for line in lines:
        if len(line) <= columns:
            yield line
            continue
        yield from textwrap.wrap(line, columns, subsequent_indent=PLAIN * 2, break_on_hyphens=False)


class ScreenOutlet:
    """A display: shows the pages of a step one after the other."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def tell(self, feedback: Feedback) -> None:
        """Shows every page; a display that keeps only the newest ends on what is awaited. Where
        nothing is new but what was felt, that is all."""
        for screen in feedback.screens if feedback.news else feedback.screens[-1:]:
            self._display.show(screen.marked(feedback.felt))


class LightOutlet:
    """Lights under the cells, or the picture of a board that shows them."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights

    def tell(self, feedback: Feedback) -> None:
        """Lights what the step says."""
        if isinstance(self._lights, PngLights):
            self._lights.pieces = feedback.standing
        self._lights.show(feedback.lights)
