"""Outlets of the desk: terminal, display, lights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO

from tableref.devices.lights import Lights, PngLights
from tableref.devices.oled import Display
from tableref.devices.trouble import DeviceError
from tableref.referee.desk import Feedback


class EventLines:
    """Events on a stream: a line of JSON each, or sentences."""

    def __init__(self, stream: TextIO, as_json: bool) -> None:
        self._stream, self._json = stream, as_json
        self._gone = False

    def tell(self, feedback: Feedback) -> None:
        """Writes the events at once, so that a reader sees them as they happen."""
        for event in feedback.events:
            self.write(event)

    def write(self, event: Mapping[str, Any]) -> None:
        """Writes one event. DeviceError, once, where nobody reads any more (`| head`)."""
        if self._gone:
            return
        lines = _sentences(dict(event))
        if self._json:
            lines = [json.dumps(event, ensure_ascii=False)]
        try:
            self._stream.writelines(line + "\n" for line in lines)
            self._stream.flush()
        except BrokenPipeError as error:
            self._gone = True
            raise DeviceError("Nobody reads the terminal any more", "The game goes on") from error


_MARKS = {"trouble": "! ", "question": "? ", "round": "= "}
"""Event -> what its lines begin with."""


def _sentences(event: dict[str, object]) -> list[str]:
    text = event.get("text")
    if isinstance(text, list):
        mark = _MARKS.get(str(event["event"]), "  ")
        return [mark + line for line in text]
    return []


class ScreenOutlet:
    """A display: shows the pages of a step one after the other."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def tell(self, feedback: Feedback) -> None:
        """Shows every page; a display that keeps only the newest ends on what is awaited."""
        for screen in feedback.screens:
            self._display.show(screen)


class LightOutlet:
    """Lights under the cells, or the picture of a board that shows them."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights

    def tell(self, feedback: Feedback) -> None:
        """Lights what the step says."""
        if isinstance(self._lights, PngLights):
            self._lights.pieces = feedback.standing
        self._lights.show(feedback.lights)
