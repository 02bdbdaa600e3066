"""How soon a table answers, and what a camera at 30 frames a second costs: by the real loop, with
people in virtual time.

Times are virtual up to what decides (the switch, the frame), and CPU time from there to the
display; a machine that is busy with something else does not change them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from tableref.devices.oled import Screen, draw
from tableref.devices.panel import Panel
from tableref.hosting.opening import Game, Watching
from tableref.referee.desk import Feedback
from tableref.referee.evening import new_evening
from tableref.referee.games import load_game
from tableref.referee.inputs import Input, Switched
from tableref.referee.step import AT_REST
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.people import People
from tableref.sim.playing import Playing
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame

LIMIT_MS, LIMIT_SEEN_MS, LIMIT_SHARE = 150, 600, 0.6
RATE = 30
FELT = 60
"""Actions of an evening by switches."""
BY_SWITCHES = ("autoscooter", "squod", "arrows-and-stars", "skorpion-deep")
FEW = {"autoscooter": {"players": 2}}
"""Who plots less moves more."""
BY_CAMERA = {"autoscooter": 24, "squod": 3}
"""Actions of an evening that is filmed; each frame has to be drawn."""


def run() -> Iterator[str]:
    """Lines for people."""
    for name in BY_SWITCHES:
        watched = _evening(name, "switches", FELT)
        yield f"{name} by switches: {watched.of_switches()}"
    for name, length in BY_CAMERA.items():
        watched = _evening(name, "board", length)
        yield f"{name} by camera alone: {watched.of_frames()}"
        yield f"{name}: {watched.share()}"


class Watched(Playing):
    """Playing that is watched at RATE frames a second, with a clock in the hand."""

    def __init__(self, people: People, stage: Stage, senses: str, seed: int) -> None:
        super().__init__(people, stage, frozenset((senses,)), seed, lambda name, picture: None)
        self._at = self._left = 0.0
        self._handed = 0.0
        self._moved = self._awaited = False
        """Something was moved since the last ruling; one was told and is not shown yet."""
        self.cpu: list[float] = []
        """ms of CPU time from what decided to the display."""
        self.seen: list[float] = []
        """ms from the hand's leaving to the display."""
        self.began = self.played = 0.0

    def give(self, given: Input) -> None:
        self._moved = self._moved or isinstance(given, Switched)
        self._handed = time.process_time()
        super().give(given)

    def look(self, place: str, now: float, hands: tuple[Hand, ...]) -> None:
        frames = max(1, round((now - self._at) * RATE))
        first = max(self._at, now - frames / RATE)
        for number in range(1, frames + 1):
            at = first + (now - first) * number / frames
            if hands:
                self._left = at + 1 / RATE  # it is gone by the frame after the last with it
                self._moved = True
            picture = self._room.stage.picture(hands=hands)
            self._handed = time.process_time()
            self._at = at
            self._number += 1
            self.cameras[place].show(Frame(picture, at, f"{self._number:05d}"))
            self.queue.rest()
        self._at = now

    def tell(self, feedback: Feedback) -> None:
        super().tell(feedback)
        ruled = any(event["event"] == "ruling" for event in feedback.events)
        self._awaited, self._moved = ruled and self._moved, self._moved and not ruled

    def shown(self) -> None:
        """The display shows something."""
        if self._awaited:
            self._awaited = False
            spent = (time.process_time() - self._handed) * 1000
            self.cpu.append(spent)
            self.seen.append((self._at - self._left) * 1000 + spent)

    def _play(self) -> None:
        self.began = time.process_time()
        super()._play()
        # What is not the people's own is the table's.
        self.played = time.process_time() - self.began - time.thread_time()

    # -- lines ------------------------------------------------------------------------------------

    def of_switches(self) -> str:
        p95 = quantiles(self.cpu, n=20)[18]
        verdict = "holds" if p95 < LIMIT_MS else "does not hold"
        return (
            f"{median(self.cpu):.1f} ms CPU median, {p95:.1f} p95 of {len(self.cpu)} rulings, to"
            f" light and display; under {LIMIT_MS} {verdict}, after the {AT_REST:g} s of rest that"
            " the referee waits for"
        )

    def of_frames(self) -> str:
        if len(self.seen) < 2:
            return f"{len(self.seen)} rulings after a hand was seen: too few to tell how soon"
        p95 = quantiles(self.seen, n=20)[18]
        verdict = "holds" if p95 < LIMIT_SEEN_MS else "does not hold"
        return (
            f"from the hand's leaving to the display {median(self.seen):.0f} ms median, {p95:.0f}"
            f" p95 of {len(self.seen)} rulings, of it {max(self.cpu):.0f} ms CPU at most; under"
            f" {LIMIT_SEEN_MS} {verdict}"
        )

    def share(self) -> str:
        share = self.played / self.seconds
        verdict = "holds" if share < LIMIT_SHARE else "does not hold"
        return (
            f"{self._number} frames in {self.seconds:.0f} s, {RATE} a second: {share:.0%} of a"
            f" core; under {LIMIT_SHARE:.0%} {verdict}"
        )


class TimedPanel(Panel):
    """A display that is drawn, and tells when."""

    def __init__(self, playing: Watched) -> None:
        super().__init__()
        self._playing = playing

    def show(self, screen: Screen) -> None:
        draw(screen)
        self._playing.shown()


def _evening(name: str, senses: str, length: int) -> Watched:
    board, rules = load_board(name), load_game(name)
    setup = {**rules.shown_setup, **FEW.get(name, {})}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "evening"
        evening = new_evening(folder, name, setup, [], "virtual:1")
        people = People(evening.referee.game, setup, 1, 0.0, length)
        turn = 20.0 if board.senses.board == "tags" else 0.0
        stage = Stage(board, 1, Camera.above(tilt=12.0, turn=turn))
        playing = Watched(people, stage, senses, 1)
        playing.start()
        game = Game(folder, evening, dict(playing.cameras), playing.queue, playing.cable)
        front = game.front()
        front.start(TimedPanel(playing))
        try:
            game.play([people, playing, front], Watching(evidence=0))
        finally:
            playing.leave()
            front.close()
        if playing.error is not None:
            raise playing.error
    return playing
