"""How the nets do on photographs of sources that they have not seen, and how sure they may be.

    python -m training.leave_one_out PHOTOS SCENES

For each source in turn nets are trained without it, and without every second path-traced mat, and
read what they have not seen. The confidence and
its threshold for a source come from the readings of the others; `--write FOLDER` then fits both to
all readings and writes confidence.json there. `--plot FILE` draws the reliability of the
confidences as SVG. `--folds` leaves several out at once: quicker, and harder on the nets.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import torch

from tableref_vision.dice.confidence import SIGNS
from tableref_vision.dice.reader import DiceReader
from training.measure import (
    HEAD,
    WRONG,
    Floats,
    Outcome,
    Tally,
    confidence,
    fit_confidence,
    on_tables,
    outcomes,
    threshold,
)
from training.reliability import plot
from training.sources import SOURCES, load_photos, load_tables
from training.train import build

ON_MAT = {"sure_on_mat": 0.8, "one_on_mat": 0.85, "flat": 0.82}
LEARNT, LEFT = slice(0, None, 2), slice(1, None, 2)  # of the path-traced mats
PLAIN = {sign: float(sign == "mean chance") for sign in SIGNS}


def read_left_out(photos: Path, weights: Path, sources: tuple[str, ...]) -> list[Outcome]:
    """What the nets in this folder read on the photographs of these sources."""
    write_confidence(weights, PLAIN, 0.95)
    reader, rows = DiceReader(weights=weights), []
    for source in sources:
        labels = json.loads((photos / source / "labels.json").read_text(encoding="utf-8"))
        for scene in load_photos(photos, (source,)):
            rows += outcomes(scene, labels[scene.name], reader)
    return rows


def write_confidence(folder: Path, weights: dict[str, float], sure: float) -> None:
    """The file that `Confidence.load` reads."""
    record = {"weights": weights, "sure": round(sure, 4), **ON_MAT}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "confidence.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def table(rows: list[Outcome]) -> tuple[list[str], list[tuple[float, bool]]]:
    """Rows of a table, one a source, and (confidence, right) of each value; nested."""
    lines, pairs, total = [HEAD], [], Tally(0, 0, 0, 0, 0)
    for source in SOURCES:
        own = [row for row in rows if row.source == source]
        others = [row for row in rows if row.source != source]
        if not own or not others:
            continue
        weights = fit_confidence(others)
        tally = Tally.of(own, weights, threshold(others, weights, WRONG))
        total += tally
        lines.append(tally.row(source))
        pairs += [(confidence(row, weights), row.right) for row in own if row.signs]
    return [*lines, total.row("all")], pairs


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.leave_one_out",
        description="Measure on photographs of sources left out of training.",
    )
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("scenes", type=Path, help="folder with dice/ and dice-odd/")
    parser.add_argument("--folds", default=";".join(SOURCES), help="as 'byler;damian,piechowiak'")
    parser.add_argument("--cache", type=Path, default=Path("build/training"))
    parser.add_argument("--effort", type=float, default=0.08, help="share of the steps to make")
    parser.add_argument("--again", action="store_true", help="train even what is in the cache")
    parser.add_argument("--write", type=Path, help="folder for confidence.json")
    parser.add_argument("--plot", type=Path, help="SVG file for the reliability")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    rows: list[Outcome] = []
    folders: list[Path] = []
    for fold in args.folds.split(";"):
        left = tuple(fold.split(","))
        nets = args.cache / f"without-{'-'.join(left)}"
        wanted = tuple(
            which
            for which in ("reader", "locator")
            if args.again or not (nets / f"{which}.onnx").exists()
        )
        rest = tuple(source for source in SOURCES if source not in left)
        if wanted:
            build(
                (args.photos, args.scenes),
                nets,
                args.cache,
                wanted,
                rest,
                tables=LEARNT,
                effort=args.effort,
            )
        folders.append(nets)
        rows += read_left_out(args.photos, nets, left)
    args.cache.joinpath("outcomes.json").write_text(json.dumps([asdict(row) for row in rows]))
    lines, pairs = table(rows)
    print("\n".join(lines))
    if args.plot:
        args.plot.parent.mkdir(parents=True, exist_ok=True)
        args.plot.write_text(plot(pairs), encoding="utf-8")
    weights: Floats = fit_confidence(rows)
    named = {sign: round(float(w), 4) for sign, w in zip(SIGNS, weights, strict=True)}
    sure = threshold(rows, weights, WRONG)
    print("fitted to all:", json.dumps(named), f"sure from {sure:.4f}")
    tables = load_tables(args.scenes / "dice", args.scenes / "dice-odd")[LEFT]
    for folder in folders:
        write_confidence(folder, named, sure)
        count, right, wrong = on_tables(tables, DiceReader(weights=folder))
        print(
            f"tables, {folder.name}: {count} dice, {right} right and sure, {wrong} sure but wrong"
        )
    if args.write:
        write_confidence(args.write, named, sure)


if __name__ == "__main__":
    main()
