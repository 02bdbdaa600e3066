"""How the nets that ship do on photographs of a source that they have not learnt from.

    python -m training.unseen PHOTOS n3pxl

The labels are taken as `sources.cleaned` makes them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from tableref_vision.dice.confidence import Confidence
from tableref_vision.dice.reader import DiceReader
from training.measure import HEAD, Floats, Outcome, Tally, outcomes
from training.sources import cleaned, load_photos


def read(photos: Path, source: str, reader: DiceReader) -> list[Outcome]:
    """What is read on every photograph of this source."""
    labels = json.loads((photos / source / "labels.json").read_text(encoding="utf-8"))
    rows = []
    for scene in load_photos(photos, (source,)):
        boxes = cleaned(source, scene.name, labels[scene.name])
        rows += outcomes(scene, boxes, reader)
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.unseen", description=__doc__)
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    limits = Confidence.load()
    weights: Floats = np.array(limits.weights)
    print(HEAD)
    for source in args.sources:
        rows = read(args.photos, source, DiceReader())
        print(Tally.of(rows, weights, limits.sure).row(source))


if __name__ == "__main__":
    main()
