"""How soon a table answers, and what a camera at 30 frames a second costs: by the real loop, with
people in virtual time.

Times are virtual up to what decides (the switch, the frame), and CPU time from there to the
display; a machine that is busy with something else does not change them.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles

from tableref.devices.lights import Light
from tableref.devices.oled import Screen, draw
from tableref.devices.panel import Panel
from tableref.hosting.opening import Game, Watching
from tableref.referee.desk import Feedback
from tableref.referee.evening import new_evening
from tableref.referee.games import load_game
from tableref.referee.inputs import Input, Switched, Tick
from tableref.referee.step import AT_REST
from tableref.referee.table import Phase
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.materials import Picture
from tableref.sim.people import People
from tableref.sim.playing import Cable, Playing
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
BY_CAMERA = {"autoscooter": 60, "squod": 24}
"""Actions of an evening that is filmed; plots, which nobody sees, are some."""
AT_WORK = 8
"""Frames in which the hand is seen that has moved something."""
DRAWN = 2
"""Pictures that are drawn of a table at rest, each with a noise of its own; then they come again.
"""


def run() -> Iterator[str]:
    """Lines for people."""
    for name in BY_SWITCHES:
        watched = _evening(name, "switches", FELT)
        yield f"{name} by switches: {watched.of_switches()}"
    for name, length in BY_CAMERA.items():
        watched = _evening(name, "board", length)
        yield f"{name} by camera alone: {watched.of_frames()}"
        yield f"{name}: {watched.share()}"


class TimedCable(Cable):
    """A cable that tells when lights went through it."""

    lit = 0.0
    """Process time at which they last did, s."""

    def show(self, lights: Mapping[str, Light]) -> None:
        super().show(lights)
        self.lit = time.process_time()


class Watched(Playing):
    """Playing that is watched at RATE frames a second, with a clock in the hand."""

    def __init__(self, people: People, stage: Stage, senses: str, seed: int) -> None:
        super().__init__(people, stage, frozenset((senses,)), seed, lambda name, picture: None)
        self.timed = TimedCable(self._begun, stage)
        if self.cable is not None:
            self.cable = self.timed
        self._at = self._left = self._felt = 0.0
        """Time (s, of the people) of the last frame, of the last hand, of the last switch."""
        self._handed = self._waited = self._looked = 0.0
        """Process time of the last input, s; how long before a ruling the last switch changed and
        the last hand left, s of the people."""
        self._marked = self._moved = self._awaited = False
        """A switch's change is to be shown; something was moved since the last ruling; a ruling was
        told and is not shown yet."""
        self._stood: object = None
        self._shots: list[Picture] = []
        self.marks: list[float] = []
        """ms of CPU time from the change of a switch until lights and display show it."""
        self.cpu: list[float] = []
        """ms of CPU time from what decided to the display."""
        self.waits: list[float] = []
        """s from the last change of a switch until what decided."""
        self.seen: list[float] = []
        """ms from the hand's leaving to the display."""
        self._own: Callable[[], float] = lambda: 0.0
        """CPU time by now that was not the people's, s: the table's."""
        self._begun_at = self._began = self.played = 0.0
        """When play began, in the people's time and in the table's CPU time; what it took then."""

    def give(self, given: Input) -> None:
        self._handed = time.process_time()
        if isinstance(given, Switched):
            self._marked = self._moved = True
            self._felt = given.time
        elif not isinstance(given, Tick):
            self._moved = False  # what is said is no hand's doing
        super().give(given)

    def look(self, place: str, now: float, hands: tuple[Hand, ...]) -> bool:
        """As many frames as fit in until now. Whatever was moved was moved by a hand, which is in
        the first of them."""
        stage = self._room.stage
        stands = (dict(stage.pieces), dict(stage.lights), hands)
        moved = dict(stage.pieces).items() ^ self._stood[0].items() if self._stood else ()
        # Setting up is for another bench: it is looked at only as often as must be.
        frames = max(1, round((now - self._at) * RATE)) if self._begun_at else 1
        at_work: list[Picture] = []
        if moved and not hands:
            _, placed = next(iter(moved))
            hand = stage.hand_at(placed.x, placed.y)
            at_work = [stage.picture(hands=(hand,))] * min(AT_WORK, frames - 1)
        if stands != self._stood:
            self._stood, self._shots = stands, []
        if len(self._shots) < DRAWN:
            self._shots.append(stage.picture(hands=hands))
        shown = (*at_work, *islice(cycle(self._shots), frames - len(at_work)))
        first = max(self._at, now - frames / RATE)
        for number, picture in enumerate(shown, 1):
            at = first + (now - first) * number / frames
            if hands or number <= len(at_work):
                self._left = at + 1 / RATE  # it is gone by the frame after the last with it
                self._moved = True
            self._handed = time.process_time()
            self._at = at
            self._number += 1
            self.cameras[place].show(Frame(picture, at, f"{self._number:05d}"))
            self.queue.rest()
        return False

    def tell(self, feedback: Feedback) -> None:
        super().tell(feedback)
        if not self._begun_at and feedback.phase is not Phase.SETTING_UP:
            self._begun_at, self._began = self._room.now, self._own()
        if any(event["event"] == "ruling" for event in feedback.events) and self._moved:
            self._awaited, self._moved = True, False
            self._waited = self._room.now - self._felt
            self._looked = self._at - self._left

    def shown(self) -> None:
        """The display shows something."""
        spent = (time.process_time() - self._handed) * 1000
        if self._marked:
            self._marked = False
            self.marks.append(max(spent, (self.timed.lit - self._handed) * 1000))
        if self._awaited:
            self._awaited = False
            self.cpu.append(spent)
            self.waits.append(self._waited)
            self.seen.append(self._looked * 1000 + spent)

    def _play(self) -> None:
        clock = time.pthread_getcpuclockid(threading.get_ident())
        self._own = lambda: time.process_time() - time.clock_gettime(clock)
        super()._play()
        self.played = self._own() - self._began

    # -- lines ------------------------------------------------------------------------------------

    def of_switches(self) -> str:
        at_once = [ms for ms, wait in zip(self.cpu, self.waits, strict=True) if wait < AT_REST]
        rested = [ms for ms, wait in zip(self.cpu, self.waits, strict=True) if wait >= AT_REST]
        told = [f"shown as felt in {_middle(self.marks)}, {_holds(_p95(self.marks), LIMIT_MS)}"]
        if at_once:
            told.append(f"{len(at_once)} moves without a choice ruled in {_middle(at_once)}")
        if rested:
            told.append(f"{len(rested)} ruled in {_middle(rested)} after {AT_REST:g} s of rest")
        return "; ".join(told)

    def of_frames(self) -> str:
        return (
            f"from the hand's leaving to the display {_middle(self.seen)} of {len(self.seen)}"
            f" rulings, of it {max(self.cpu):.0f} ms CPU at most;"
            f" {_holds(_p95(self.seen), LIMIT_SEEN_MS)}"
        )

    def share(self) -> str:
        seconds = self.seconds - self._begun_at
        share = self.played / seconds
        verdict = "holds" if share < LIMIT_SHARE else "does not hold"
        return (
            f"{self._number} frames in {seconds:.0f} s, {RATE} a second: {share:.0%} of a"
            f" core; under {LIMIT_SHARE:.0%} {verdict}"
        )


def _p95(times: list[float]) -> float:
    return quantiles(times, n=20)[18] if len(times) > 1 else times[0]


def _middle(times: list[float]) -> str:
    return f"{median(times):.1f} ms median, {_p95(times):.1f} p95"


def _holds(value: float, limit: float) -> str:
    return f"under {limit:g} ms {'holds' if value < limit else 'does not hold'}"


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
            game.play([people, playing, front], Watching(evidence=0, looks=Path(scratch)))
        finally:
            playing.leave()
            front.close()
        if playing.error is not None:
            raise playing.error
    return playing
