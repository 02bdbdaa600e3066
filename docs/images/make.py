"""Makes the pictures of the documentation out of a demo: `python docs/images/make.py`."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path

from PIL import Image

from tableref.cli import main

HERE = Path(__file__).parent


def demo_picture() -> Image.Image:
    """The first mistake of the demo: what the camera saw, what the board and the display showed."""
    with tempfile.TemporaryDirectory() as scratch:
        out, lines = Path(scratch) / "demo", io.StringIO()
        with contextlib.redirect_stdout(lines):
            main(["demo", "--out", str(out), "--rounds", "3", "--json"])
        events = [json.loads(line) for line in lines.getvalue().splitlines()]
        trouble = next(event for event in events if event["event"] == "trouble")
        camera = Image.open(out / "camera" / f"{trouble['frame']}.jpg").convert("RGB")
        lights, screen = _shown_with(out)
        sheet = Image.new("RGB", (1240, 560), "white")
        sheet.paste(camera.resize((640, 360)), (20, 0))
        sheet.paste(screen.convert("RGB").resize((384, 192), Image.Resampling.NEAREST), (148, 366))
        sheet.paste(lights.resize((540, 540)), (680, 10))
        return sheet


def _shown_with(
    out: Path,
) -> tuple[Image.Image, Image.Image]:
    """The lights and the screen of the first trouble in a journal."""
    from tableref.devices.lights import draw_board
    from tableref.devices.oled import draw
    from tableref.referee.resuming import viewed_evening
    from tableref.referee.step import Step
    from tableref.referee.table import Told

    evening = viewed_evening(out)
    rows = list(evening.journal.rows())
    number = next(i for i, row in enumerate(rows) if row.kind == "trouble")
    first = evening.state._replace(
        table=evening.referee.house.start(evening.head["setup"]),
        plots=tuple(map(tuple, evening.head["plots"])),
    )
    state = evening.referee.replayed(first, rows[: number + 1])
    step = Step(state, (), Told((), state.trouble))
    teller = evening.teller()
    lights = draw_board(evening.board, teller.lights(state, step), teller.standing(state))
    return lights, draw(teller.screens(state, step)[-1])


if __name__ == "__main__":
    demo_picture().save(HERE / "demo.png", optimize=True)
