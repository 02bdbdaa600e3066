"""Virtual players of Scorpion: they throw dice on a virtual mat, move scorpions on switches, and
answer what the referee asks. Now and then a die leans or flies off, or a scorpion goes wrong.

They are played with as people are: all they know of the referee is what it tells (`tell`).

evening = VirtualScorpion(board, {"players": 3}, seed=3)
for frame in evening.frames(): ...
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from tableref.devices.oled import Screen
from tableref.referee.desk import Feedback
from tableref.referee.games import load_game
from tableref.referee.inputs import Choose, Input
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rules.pieces import Stack
from tableref.rules.surface import Action
from tableref.sim.draw import Hand, Paint
from tableref.sim.mat import IVORY, Die, VirtualMat
from tableref.sim.materials import Picture
from tableref.sim.players import Switches
from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.dice import mat

PERIOD = 0.2
"""Seconds of virtual time between two pictures."""
PATIENCE = 14
"""Pictures after which players who have heard nothing do something else."""
PAINTS: tuple[Paint, ...] = (IVORY, (48, 40, 205))
APART = 26.0  # mm between the middles of dice that do not touch
FREE = mat.INSIDE - 14.0  # mm off a tray's middle at which a die touches no rim, however turned


class DiceMat(Protocol):
    """A mat on which dice are laid, and the picture of it."""

    dice: list[Die]

    def picture(self, hands: Iterable[Hand] = ()) -> Picture:
        """What the camera sees now."""
        ...


class Slip(NamedTuple):
    """Something went otherwise than the rules have it: what was thrown and what was ruled."""

    frame: str
    text: str


class VirtualScorpion:
    """A whole evening; the seed decides all of it but what the referee says.

    `mishaps` in 1: how often a throw or a move goes wrong first. `slips` are rulings of throws
    that nobody has made: there must be none.
    """

    waits = True

    def __init__(
        self,
        board: Board,
        setup: dict[str, Any],
        seed: int = 0,
        mishaps: float = 0.12,
        lang: str = "en",
        dice_mat: DiceMat | None = None,
    ) -> None:
        self.board = board
        self.slips: list[Slip] = []
        self.picture: Any = None
        """The picture that was shown last,"""
        self.shown = ""
        """and the name of its frame."""
        messages = Messages(Rulebook(lang))
        self._teller = Teller(load_game("scorpion", board), board, lang)
        self._tray_pages = {tray: " ".join(messages.screen(f"tray-{tray}")) for tray in mat.TRAYS}
        self._game = load_game("scorpion", board)
        self._state = self._game.start(setup)
        self._random, self._mishaps = random.Random(seed), mishaps
        self._mat = dice_mat or VirtualMat(seed)
        self._pieces: Counter[str] = Counter()
        self._number = 0
        self._give: Callable[[Input], object] = lambda _: None
        self._rested: Callable[[], None] = lambda: None
        self._switches: Switches | None = None
        self._pages: list[Screen] = []
        self._question = 0
        self._heard: list[str] = []  # events since somebody last listened
        self._pending: list[Die] = []  # thrown and not yet ruled
        self._over = False

    def camera(
        self, give: Callable[[Input], object], rested: Callable[[], None]
    ) -> VirtualScorpion:
        """The evening as a camera. `give` gets what switches and buttons say; `rested` returns when
        all that was given has been told."""
        self._give, self._rested = give, rested
        self._switches = Switches(self, give)
        return self

    def occupied(self) -> frozenset[str]:
        """Cells on which a scorpion stands."""
        return frozenset(cell for cell, count in self._pieces.items() if count > 0)

    def close(self) -> None:
        """Nothing to let go."""

    # -- what the players hear --------------------------------------------------------------------

    def tell(self, feedback: Feedback) -> None:
        """What the referee tells: the players follow the game by it."""
        self._pages = [page for page in feedback.screens if page.hint == "OK"]
        self._question = feedback.question
        for event in feedback.events:
            self._heard.append(str(event.get("question", event["event"])))
            if event["event"] == "ruling":
                action = self._game.read(event["action"])
                if "throw" in event["action"]:
                    self._ruled(event["action"]["throw"], str(event["frame"]))
                self._state = self._game.apply(self._state, action)[0]
            self._over |= event["event"] == "end"

    def _ruled(self, throw: dict[str, Any], frame: str) -> None:
        """A throw was ruled: it must be one that was made, and not yet ruled."""
        for die in self._pending:
            if (_tray(die), die.value) == (throw["tray"], throw["value"]):
                self._pending.remove(die)
                return
        text = f"ruled {throw}, thrown {[(_tray(die), die.value) for die in self._pending]}"
        self.slips.append(Slip(frame, text))

    # -- what the camera sees ---------------------------------------------------------------------

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Pictures until the game is over, from its first on: nobody takes it up again."""
        yield from self._watch(6)
        while not self._over:
            if self._game.due(self._state).kind == "throw":
                yield from self._turn_to_throw()
            else:
                yield from self._move()
        yield from self._watch(2)

    def _show(self, *hands: Hand) -> Iterator[Frame]:
        """One more picture; when it is over all has been told that comes of it."""
        time = self._number * PERIOD
        if self._switches is not None:
            self._switches.feel(time)
        self._number += 1
        self.picture = self._mat.picture(hands=hands)
        self.shown = f"{self._number - 1:05d}"
        yield Frame(self.picture, time, self.shown)
        self._rested()

    def _watch(self, most: int) -> Iterator[Frame]:
        """Pictures until the referee has something to say."""
        self._heard.clear()
        for _ in range(most):
            yield from self._show()
            if self._heard:
                return

    def _press(self, choice: int) -> None:
        """OK on a page."""
        self._give(Choose(self._number * PERIOD, choice, self._question))
        self._rested()

    def _page(self, text: str) -> int | None:
        """The number of the page that says this."""
        for number, page in enumerate(self._pages):
            said = " ".join(page.lines)
            if said == text or said.startswith(f"{text},"):
                return number
        return None

    # -- throwing ---------------------------------------------------------------------------------

    def _turn_to_throw(self) -> Iterator[Frame]:
        """One die or both are taken up and thrown, again until they count."""
        owed = int(self._game.facts(self._state)["throws"]) or 1
        in_hand = [paint for paint in PAINTS if paint not in {die.paint for die in self._mat.dice}]
        if owed == 2:
            yield from self._pick_up(list(PAINTS))
            hand = list(PAINTS) if self._random.random() < 0.7 else [PAINTS[0]]
        else:
            hand = in_hand[:1] or [self._random.choice(PAINTS)]
            yield from self._pick_up(hand)
        tray = self._tray_to_throw_on()
        page = self._page(self._tray_pages[tray])
        if page is not None and self._random.random() < 0.15:
            self._press(page)
        self._pending = []
        while hand:
            for paint in hand:
                self._pending.append(self._lands(paint, tray))
            yield from self._roll(self._pending)
            yield from self._until_ruled()
            if not self._pending:
                return
            hand = [die.paint for die in self._pending]
            self._pending = []
            yield from self._pick_up(hand)

    def _tray_to_throw_on(self) -> str:
        """A tray on which a die is of use, if there is one."""
        trays = sorted({a.record()["throw"]["tray"] for a in self._game.legal(self._state)})
        facts = self._game.facts(self._state)
        track = self._state.track
        own = [
            name for name, colour in track.colours.items() if track.owner[colour] == facts["turn"]
        ]
        cells = [cell for name in own for cell in facts["scorpions"][name]]
        useful = {"black" if cell[0] == "K" else "yellow" for cell in cells if cell != "out"}
        if not facts["opened"][facts["turn"]]:
            useful = {"yellow"}
        tray: str = self._random.choice([tray for tray in trays if tray in useful] or trays)
        return tray

    def _pick_up(self, paints: list[Paint]) -> Iterator[Frame]:
        """A hand takes dice off the mat, and the mat is seen without them."""
        taken = [die for die in self._mat.dice if die.paint in paints]
        if taken:
            self._mat.dice = [die for die in self._mat.dice if die.paint not in paints]
            yield from self._show(Hand(taken[0].x, taken[0].y - 10.0))
            for _ in range(6):
                yield from self._show()

    def _lands(self, paint: Paint, tray: str) -> Die:
        """How a die comes to lie: mostly flat and apart from the others, sometimes badly."""
        rng, (x, y) = self._random, mat.TRAYS[tray]
        value, yaw = rng.randint(1, 6), rng.uniform(0, 360)
        lying = (*self._mat.dice, *self._pending)
        others = [die for die in lying if die.paint != paint and die.up == mat.FLOOR]
        if rng.random() < self._mishaps:
            if rng.random() < 0.5:  # it leans on the eastern rim
                spot = x + mat.INSIDE - 5.0, y + rng.uniform(-40, 40)
                return Die(value, *spot, 0.0, rng.uniform(18, 30), 90.0, mat.FLOOR + 4.0, paint)
            if others and rng.random() < 0.5:  # it lies on another
                under = rng.choice(others)
                return Die(
                    value, under.x + 2.0, under.y - 2.0, yaw, up=mat.top(under.size), paint=paint
                )
            return Die(value, rng.uniform(-6, 6), rng.uniform(-80, 80), yaw, up=0.0, paint=paint)
        while True:
            spot = x + rng.uniform(-FREE, FREE), y + rng.uniform(-FREE, FREE)
            if all(math.dist(spot, (d.x, d.y)) > APART for d in lying if d.paint != paint):
                return Die(value, *spot, yaw, paint=paint)

    def _roll(self, dice: list[Die]) -> Iterator[Frame]:
        """Dice fly over the mat and come to rest."""
        lying = list(self._mat.dice)
        for share in (0.5, 0.15):
            rolling = [
                replace(
                    die,
                    x=die.x + share * 50.0,
                    y=die.y - share * 40.0,
                    tilt=share * 200.0,
                    up=mat.FLOOR + share * 40.0,
                )
                for die in dice
            ]
            self._mat.dice = [*lying, *rolling]
            yield from self._show()
        self._mat.dice = [*lying, *dice]

    def _until_ruled(self) -> Iterator[Frame]:
        """The players wait, and answer what they are asked about the dice."""
        for _ in range(4):
            yield from self._watch(PATIENCE)
            heard = list(self._heard)
            if not self._pending or "trouble" in heard or not heard:
                return
            if {"thrown", "reached"} & set(heard):
                self._press(0)
            elif {"die", "restless"} & set(heard):
                self._answer_value()
            if not self._pending:
                return

    def _answer_value(self) -> None:
        """Somebody bends over the mat and says what a die shows."""
        for die in self._pending:
            tray = _tray(die)
            if tray is None or die.up != mat.FLOOR:
                continue
            throw = self._game.thrown(tray, die.value)
            page = self._page(self._teller.words(self._state, throw))
            if page is not None:
                self._press(page)
                return

    # -- moving -----------------------------------------------------------------------------------

    def _move(self) -> Iterator[Frame]:
        """A scorpion is moved, and its player waits until that is ruled."""
        actions = list(self._game.legal(self._state))
        moves = [action for action in actions if "move" in action.record()]
        action = self._random.choice(moves or actions)
        if moves and self._random.random() < self._mishaps:
            state = self._state
            yield from self._wrong_move(action)
            if self._state is not state:
                return
        before = self._game.board(self._state)
        after = self._game.board(self._game.apply(self._state, action)[0])
        stood, stands = _counted(before), _counted(after)
        for cell in (stood - stands).elements():
            self._pieces[cell] -= 1
            yield from self._show()
        for cell in (stands - stood).elements():
            self._pieces[cell] += 1
            yield from self._show()
        yield from self._until_moved(action)

    def _until_moved(self, action: Action) -> Iterator[Frame]:
        text, state = self._teller.words(self._state, action), self._state
        for _ in range(4):
            if self._state is not state:
                return
            yield from self._watch(PATIENCE)
            if self._state is not state:
                return
            page = self._page(text)
            if page is not None:
                self._press(page)

    def _wrong_move(self, action: Action) -> Iterator[Frame]:
        """A scorpion from the track goes to a wrong free cell; then it is put back."""
        move = action.record()["move"]
        free = [cell for cell in self._state.track.cells[1:-1] if not self._pieces[cell]]
        if move["from"] == "hand" or self._pieces[move["from"]] != 1:
            return
        wrong = self._random.choice(free)
        for start, to in ((move["from"], wrong), (wrong, move["from"])):
            self._pieces[start] -= 1
            yield from self._show()
            self._pieces[to] += 1
            state = self._state
            yield from self._watch(PATIENCE)
            if self._state is not state:  # it was a move that may be made, and it stands
                return


def _counted(board: dict[str, Stack]) -> Counter[str]:
    """Cell -> how many stand on it."""
    return Counter({cell: len(stack) for cell, stack in board.items()})


def _tray(die: Die) -> str | None:
    return mat.tray_at(die.x, die.y)
