"""What a step of the referee's loop costs in CPU time, and the memory of `tableref referee`.

Hands play at every table by the rules; the camera sees and the switches feel without a fault. For
the memory the films beside the project are refereed, and pictures that are drawn before.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from tableref.referee.course import Step
from tableref.referee.games import GAMES
from tableref.referee.inputs import Act, Input
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tests.conftest import shared_folder
from tests.referee.hands import SETUPS, Table

SENSES = {"board": "camera", "switches": "switches"}
EVENINGS = 20
TURNS = 40
FILMED = 12
"""Turns of which pictures are refereed for the memory."""
LIMIT_MS, LIMIT_MB = 10, 160
COUNTED = 200_000
"""To so many is counted to tell how fast this machine was meanwhile."""
PROGRAM = """
import sys
from pathlib import Path
from tableref.cli import main
code = main(sys.argv[2:])
# What getrusage tells of a child is at least what its parent took before it forked.
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
Path(sys.argv[1]).write_text(peak)
sys.exit(code)
"""


class TimedTable(Table):
    """A table that knows how long each step took, in ms of CPU time, and each that
    tells something, which are few among the looks at an unchanged board."""

    def __init__(self, name: str, senses: str, seed: int) -> None:
        self.spent: list[float] = []
        self.telling: list[float] = []
        super().__init__(name, senses, seed)

    def give(self, given: Input) -> Step:
        began = time.process_time()
        step = super().give(given)
        self.spent.append((time.process_time() - began) * 1000)
        if step.rows:
            self.telling.append(self.spent[-1])
        return step

    def turn(self) -> None:
        """One legal action, chosen at random, by hand; where the board shows nothing, entered."""
        game, state = self.game, self.inner
        action = self.random.choice(list(game.legal(state)))
        truth = game.apply(state, action)[0]
        if game.due(state).kind == "throw" or game.board(truth) == game.board(state):
            self.give(Act(self.time, action.record()))
        else:
            self.move(game.board(truth))
        self.rest()
        self.answer(truth)
        if self.inner == state:
            # A piece that was only turned is not felt.
            self.give(Act(self.time, action.record()))
        self.move(game.board(self.inner))
        self.rest()


def run() -> list[str]:
    """Lines with figures."""
    paces, lines = [pace()], []
    for name in GAMES:
        for senses, word in SENSES.items():
            lines.append(f"{name} by {word}: {_steps(name, senses)}")
            paces.append(pace())
    lines += [f"{name}: {_memory(name)}" for name in GAMES]
    told = f"median {median(paces):.1f} ms, {min(paces):.1f} to {max(paces):.1f} ms"
    return [f"pace: counting to {COUNTED:,}, before and after each game: {told}", *lines]


def pace() -> float:
    """ms of CPU time for counting: how fast this machine was meanwhile."""
    began = time.process_time()
    for _ in range(COUNTED):
        pass
    return (time.process_time() - began) * 1000


def _steps(name: str, senses: str) -> str:
    spent: list[float] = []
    telling: list[float] = []
    for seed in range(EVENINGS):
        table = TimedTable(name, senses, seed)
        for _ in range(TURNS):
            if table.game.outcome(table.inner):
                break
            table.turn()
        spent += table.spent
        telling += table.telling
    cuts, told = quantiles(spent, n=100), quantiles(telling, n=100)
    verdict = "" if cuts[98] < LIMIT_MS else f", MORE than {LIMIT_MS} ms"
    return (
        f"a step {cuts[49]:.2f} ms median, {cuts[98]:.2f} ms p99{verdict}, "
        f"{max(spent):.1f} ms at most, of {len(spent):,}; "
        f"the {len(telling):,} that tell something {told[49]:.2f} and {told[98]:.2f} ms"
    )


def _memory(name: str) -> str:
    """The most resident memory of the command that referees pictures of an evening."""
    film = (shared_folder() or Path()) / "scenes" / f"film-{name}-1"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        words = ["referee", "--game", name, "--json", "--out", str(folder / "out")]
        if load_board(name).senses.board == "tags":
            film = filmed(name, folder)
            words += [f"--setup={key}={json.dumps(value)}" for key, value in SETUPS[name].items()]
        elif film.exists():
            words += ["--plots", str(film / "given.json")]
        else:
            return "memory not measured, there is no film beside the project"
        peak = folder / "peak"
        words += ["--camera", f"folder:{film}"]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(peak), *words],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
        megabytes = int(peak.read_text()) / 1024
    verdict = "" if megabytes < LIMIT_MB else f", MORE than {LIMIT_MB} MB"
    return (
        f"{megabytes:.0f} MB resident at most{verdict}: tableref referee on pictures, "
        f"{events.count('ruling')} rulings"
    )


def filmed(name: str, folder: Path) -> Path:
    """Pictures of the start and some turns, two of each, of a game with tags."""
    table = Table(name, "board", seed=0)
    stage = Stage(table.board_file, 1, Camera.above(tilt=15.0))
    pictures = []
    for _ in range(FILMED):
        stage.show(table.stands)
        pictures += [stage.picture()] * 2
        table.give(
            Act(table.time, table.random.choice(list(table.game.legal(table.inner))).record())
        )
        table.move(table.game.board(table.inner))
        table.rest()
    stage.write(folder / "film", pictures)
    return folder / "film"


if __name__ == "__main__":
    print("\n".join(run()))
