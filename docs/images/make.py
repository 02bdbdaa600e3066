"""Makes the pictures of the documentation: `python docs/images/make.py [dist/hardware]`.

Without a folder those of a demo; with the one that `make hardware` filled, those of the guide for
makers.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
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


MODELS = (
    "case-front",
    "case-back",
    "camera-clamp",
    "autoscooter-frame-sw",
    "autoscooter-car",
    "squod-piece-hollow",
)


def models_picture(models: Path) -> Image.Image:
    """Six of the models, three in a row."""
    sheet = Image.new("RGB", (960, 480), "white")
    for number, name in enumerate(MODELS):
        model = Image.open(models / f"{name}.png").convert("RGB").resize((320, 240))
        sheet.paste(model, (number % 3 * 320, number // 3 * 240))
    return sheet.quantize(32)


def guide_pictures(made: Path) -> None:
    """Models, the unit on stripboard, and the wires of the case's front."""
    models_picture(made / "models").save(HERE / "build-models.png", optimize=True)
    shutil.copy(made / "electronics" / "unit.svg", HERE / "build-unit.svg")
    shutil.copy(made / "electronics" / "squod-harness-front.svg", HERE / "build-front.svg")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        guide_pictures(Path(sys.argv[1]))
    else:
        demo_picture().save(HERE / "demo.png", optimize=True)
