"""Renders every model as STL and PNG, and checks that they can be printed and go together.

    python -m models --out FOLDER [GAME ...]

Needs OpenSCAD, and xvfb-run for the pictures (Debian: openscad xvfb). 1 where a model is not right,
2 where a tool is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from models.build import Model, models, render
from models.solids import fit_faults, fits, load, solid_faults


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    for tool in ("openscad", "xvfb-run"):
        if shutil.which(tool) is None:
            print(f"{tool} is missing: apt install openscad xvfb", file=sys.stderr)
            return 2
    args.out.mkdir(parents=True, exist_ok=True)
    wrong: list[str] = []
    made: dict[str, Model] = {}
    for model in models(tuple(args.games)):
        print(render(model, args.out), flush=True)
        made[model.name] = model
        wrong += solid_faults(load(args.out, model.name), model.name)
    for fit in fits(made):
        wrong += fit_faults(args.out, fit)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
