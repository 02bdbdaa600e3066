"""A soak: one evening after the other in one process, by the real loop, in virtual time.

    python -m tests.referee.soaking 120     two hours of play, a line an evening

Virtual people play on a drawn board and an emulated one, some mishaps included; every frame, every
edge of a switch, every row and every screen goes the way it goes at a table.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tableref.devices.oled import Screen, draw
from tableref.devices.panel import Panel
from tableref.hosting.opening import Game, Watching
from tableref.referee.evening import new_evening
from tableref.referee.games import load_game
from tableref.referee.resuming import viewed_evening
from tableref.sim.camera import Camera
from tableref.sim.people import People
from tableref.sim.playing import Playing
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.memory import let_go

PLAYED = (
    ("autoscooter", "switches"), ("squod", "switches"), ("skorpion-deep", "switches"),
    ("arrows-and-stars", "switches"), ("scorpion", "mat+switches"), ("autoscooter", "board"),
    ("squod", "board"),
)  # fmt: skip
"""Game and senses of one evening after the other. Pictures have to be drawn, which takes most of
the time."""
LENGTH = 60
"""Actions after which the people have had enough."""


class Evening(NamedTuple):
    """An evening that was played: virtual and CPU seconds, actions that were made, what went wrong,
    what the process is like after it."""

    game: str
    senses: str
    seconds: float
    cpu: float
    actions: int
    wrong: tuple[str, ...]
    memory: float
    threads: int
    files: int


class DrawnPanel(Panel):
    """A panel whose screens are drawn, and seen by nobody."""

    def show(self, screen: Screen) -> None:
        draw(screen)


def growth(evenings: Sequence[Evening], kinds: int = len(PLAYED)) -> float:
    """MB that stay at the end and did not once every kind of evening was played twice. What a
    picture took is given back now and then, so what stays is the least that two of each leave."""
    settled, last = evenings[2 * kinds : 4 * kinds], evenings[-2 * kinds :]
    before, after = (min(one.memory for one in part) for part in (settled, last))
    return after - before


def soak(minutes: float, played: Sequence[tuple[str, str]] = PLAYED) -> Iterator[Evening]:
    """Evenings until so many virtual minutes were played."""
    left = minutes * 60
    for seed, (game, senses) in enumerate(itertools.cycle(played)):
        evening = _evening(game, senses, seed)
        yield evening
        left -= evening.seconds
        if left <= 0:
            return


def _evening(name: str, senses: str, seed: int) -> Evening:
    with tempfile.TemporaryDirectory(prefix="tableref-soak-") as scratch:
        folder = Path(scratch) / "evening"
        board, rules = load_board(name), load_game(name)
        setup = dict(rules.shown_setup)
        evening = new_evening(folder, name, setup, [], f"virtual:{seed}")
        people = People(evening.referee.game, setup, seed, 0.06, LENGTH)
        # Pieces without tags are told by small signs: the plate fills the picture.
        turn = 20.0 if board.senses.board == "tags" else 0.0
        stage = Stage(board, seed, Camera.above(tilt=12.0, turn=turn))
        playing = Playing(
            people, stage, frozenset(senses.split("+")), seed, lambda name, picture: None
        )
        playing.start()
        game = Game(folder, evening, dict(playing.cameras), playing.queue, playing.cable)
        front = game.front()
        front.start(DrawnPanel())
        began = time.process_time()
        try:
            game.play([people, playing, front], Watching(evidence=0, looks=Path(scratch)))
        finally:
            playing.leave()
            front.close()
        spent = time.process_time() - began
        wrong = [slip.text() for slip in people.slips]
        if playing.error is not None:
            wrong.append(repr(playing.error))
        made = [done.action.record() for done, _ in people.table.past]
        kept = [done.action.record() for done, _ in viewed_evening(folder).state.table.past]
        if made != kept:
            at = next((n for n, (a, b) in enumerate(zip(made, kept)) if a != b), len(kept))  # noqa: B905
            wrong.append(
                f"the journal differs from action {at} on: {made[at:][:1]} {kept[at:][:1]}"
            )
        seconds, actions = playing.seconds, people.made
        del game, evening, people, playing, front, stage
    let_go()
    return Evening(
        name, senses, seconds, spent, actions, tuple(wrong),
        _memory(), threading.active_count(), len(os.listdir("/proc/self/fd")),
    )  # fmt: skip


def _memory() -> float:
    """Resident MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


def main(minutes: float) -> int:
    """A line an evening; 1 where anything went wrong."""
    played = []
    for one in soak(minutes):
        played.append(one)
        print(
            f"{one.game} by {one.senses}: {one.seconds / 60:.1f} min, {one.actions} actions, CPU"
            f" {one.cpu:.1f} s ({one.seconds / one.cpu:.0f} times), {one.memory:.0f} MB,"
            f" {one.threads} threads, {one.files} files{''.join(f'; {w}' for w in one.wrong)}",
            flush=True,
        )
    seconds, cpu = sum(one.seconds for one in played), sum(one.cpu for one in played)
    print(f"{seconds / 60:.0f} virtual minutes in {cpu:.0f} s of CPU: {seconds / cpu:.0f} times")
    return int(any(one.wrong for one in played))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
