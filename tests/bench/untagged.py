"""What reading pieces without tags costs in CPU time on one core, on films beside the project."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from tableref_vision.camera import Frame
from tableref_vision.untagged.reader import Memory, UntaggedReader
from tests.bench.steps import COUNTED, pace
from tests.conftest import shared_folder
from tests.vision.films import Film

GAMES = ("arrows-and-stars", "scorpion", "skorpion-deep", "squod")
CHANGED_MS, ALL_MS, MANY_MS = 40, 100, 120
MANY = "squod"
"""The game of which four players have so many pieces that it may take longer."""


def run() -> list[str]:
    """Lines with figures: pictures read by themselves, and after those before them."""
    scenes = (shared_folder() or Path()) / "scenes"
    films = [folder for game in GAMES for folder in sorted(scenes.glob(f"film-{game}-*"))]
    if not films:
        return ["not measured, there are no films beside the project"]
    lines, paces = [], [pace()]
    for folder in films:
        film = Film(folder)
        reader, memory = film.reader(), Memory()
        frames = [film.frame(frame["image"]) for frame in film.frames("start", "move")]
        alone = [_cost(reader, frame, None) for frame in frames]
        following, looked = [], []
        for frame in frames:
            before = dict(memory)
            following.append(_cost(reader, frame, memory))
            looked.append(
                sum(
                    cell not in before or seen.found is not before[cell].found
                    for cell, seen in memory.items()
                )
            )
        limit = MANY_MS if folder.name.startswith(f"film-{MANY}") else ALL_MS
        lines.append(
            f"{folder.name}: all cells new {median(alone):.1f} ms, {max(alone):.1f} at most"
            f"{_verdict(median(alone), limit)}; what changed {median(following[1:]):.1f} ms"
            f"{_verdict(median(following[1:]), CHANGED_MS)} ({median(looked[1:]):g} cells anew)"
        )
        paces.append(pace())
    told = f"median {median(paces):.1f} ms, {min(paces):.1f} to {max(paces):.1f} ms"
    return [f"pace: counting to {COUNTED:,}, before and after each film: {told}", *lines]


def _verdict(spent: float, limit: int) -> str:
    return "" if spent < limit else f", MORE than {limit} ms"


def _cost(reader: UntaggedReader, frame: Frame, memory: Memory | None) -> float:
    """CPU milliseconds."""
    began = time.process_time()
    reader.read(frame, memory)
    return 1000 * (time.process_time() - began)
