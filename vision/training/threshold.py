"""From which confidence on a value may be sure, chosen on sources left out in turn.

    python -m training.threshold PHOTOS --stored build/training/read.json

What the nets that ship read on every source is stored once, and needs no nets after that. For each
source the threshold comes from what was read on the others: the lowest from which on at most 0.3 %
are wrong. The last line says which one all sources together would choose. Nets know the sources
that they learnt from (`sources.SOURCES`): of these the figures flatter; n3pxl they have not seen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from tableref_vision.dice.confidence import Confidence
from tableref_vision.dice.reader import DiceReader
from training.measure import HEAD, WRONG, Floats, Outcome, Tally, threshold
from training.sources import SOURCES
from training.unseen import read


def stored(path: Path, photos: Path, sources: Sequence[str]) -> list[Outcome]:
    """What was read on these sources, from the file; read and written to it where it is missing."""
    if not path.exists():
        rows = [row for source in sources for row in read(photos, source, DiceReader())]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")
    told = json.loads(path.read_text(encoding="utf-8"))
    return [Outcome(**{**row, "signs": tuple(row["signs"])}) for row in told]


def left_out(rows: Sequence[Outcome], weights: Floats) -> list[tuple[str, float, Tally]]:
    """Each source, the threshold that the others choose, and its counts with that one."""
    found = []
    for source in dict.fromkeys(row.source for row in rows):
        own = [row for row in rows if row.source == source]
        sure = threshold([row for row in rows if row.source != source], weights, WRONG)
        found.append((source, sure, Tally.of(own, weights, sure)))
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.threshold",
        description="Choose the threshold on sources left out in turn.",
    )
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("--stored", type=Path, default=Path("build/training/read.json"))
    args = parser.parse_args()
    limits = Confidence.load()
    weights: Floats = np.array(limits.weights)
    rows = stored(args.stored, args.photos, (*SOURCES, "n3pxl"))
    print(HEAD)
    total = Tally(0, 0, 0, 0, 0)
    for source, sure, tally in left_out(rows, weights):
        print(tally.row(f"{source}, from {sure:.4f}"))
        total += tally
    print(total.row("all, each by its own"))
    for name, sure in (
        ("all, as shipped", limits.sure),
        ("all, chosen on all", threshold(rows, weights, WRONG)),
    ):
        print(Tally.of(rows, weights, sure).row(f"{name}, from {sure:.4f}"))


if __name__ == "__main__":
    main()
