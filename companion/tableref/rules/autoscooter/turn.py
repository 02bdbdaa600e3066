"""One car's turn: moving (AS-4), crashes (AS-5), projection (AS-7.2, AS-7.3).

`Turn` is a working copy of a state for the length of one turn; nothing outside sees it change.
"""

from __future__ import annotations

from tableref.rules.autoscooter import purses
from tableref.rules.autoscooter.actions import Restart
from tableref.rules.autoscooter.layout import BARRIER, HEADINGS, SIDES, Layout
from tableref.rules.autoscooter.state import BANK, NOBODY, State
from tableref.rules.surface import Fact


class Turn:
    """A working copy of a state, of which `rounds.turn_over` makes the next one; `facts` is what
    happened."""

    __slots__ = ("cells", "facts", "headings", "layout", "money", "setup", "speeds", "state")

    def __init__(self, layout: Layout, state: State) -> None:
        self.layout, self.state, self.setup = layout, state, state.setup
        self.cells = list(state.cells)
        self.headings = list(state.headings)
        self.speeds = list(state.speeds)
        self.money: purses.Money | None = None
        self.facts: list[Fact] = []

    # -- moving -----------------------------------------------------------------------------------

    def drive(self, car: int, noted: str | None, any_gear: bool = False) -> None:
        """A car with speed moves by its letter, or straight ahead (AS-3.6, AS-4.2 to AS-4.4).

        `any_gear`: the letter holds though AS-3.4 forbids it (HR-2.3).
        """
        layout, present = self.layout, self.speeds[car]
        letter = noted
        if not any_gear and (noted is None or noted not in layout.by_speed[present]):
            letter = layout.straight[present]
            self._note("AS-3.6", "straight", car, what=noted or "", amount=present)
        assert letter is not None
        start = self.cells[car]
        run = layout.runs[letter][start * SIDES + self.headings[car]]
        place = start
        for cell, way in run.steps:
            if cell == BARRIER or cell in self.cells:
                self._blocked(car, start, place, (cell, way), run.speed)
                return
            place = cell
            # The car itself must not block its own way, should a manoeuvre ever lead round.
            self.cells[car] = cell
        self.headings[car], self.speeds[car] = run.heading, run.speed
        self._note("AS-4.2", "drives", car, letter, start, place, run.speed, HEADINGS[run.heading])

    def _blocked(
        self, car: int, start: int, place: int, blocked: tuple[int, int], speed: int
    ) -> None:
        cell, way = blocked
        if place == start:
            self._note(
                "AS-4.3", "stays", car, start=start, to=cell, amount=self.speeds[car],
                other=self._standing(cell),
            )  # fmt: skip
        else:
            self.headings[car], self.speeds[car] = way, speed
            self._note(
                "AS-4.4", "stops", car, HEADINGS[way], start, place, speed, self._standing(cell)
            )
        self._crash(car, cell, way)

    def restart(self, action: Restart) -> None:
        """A car at speed 0 goes to a neighbouring hex (AS-4.5)."""
        car, to = self.layout.car_index[action.car], self.layout.cell_index[action.to]
        start, self.cells[car] = self.cells[car], to
        self.headings[car], self.speeds[car] = HEADINGS.index(action.heading), 1
        self._note("AS-4.5", "restarts", car, start=start, to=to, amount=1, other=action.heading)

    def stay(self, car: int) -> None:
        """A car at speed 0 with no free neighbour stays (AS-4.6)."""
        self._note("AS-4.6", "stuck", car, start=self.cells[car])

    # -- crashes ----------------------------------------------------------------------------------

    def _crash(self, car: int, cell: int, push: int) -> None:
        """`car` rams whatever holds `cell`, pushing towards `push` (AS-5.0)."""
        struck = self._car_on(cell)
        if struck is None or self.state.owners[struck] == NOBODY:
            self._barrier(car, struck)
        else:
            self._ram(car, struck, push)

    def _barrier(self, car: int, struck: int | None) -> None:
        speed, self.speeds[car] = self.speeds[car], 0
        case = "barrier" if struck is None else "ownerless"
        self._note("AS-5.5", case, car, amount=speed, other=self._name(struck))
        if self.state.owners[car] != BANK:  # AS-7.1: against a barrier the ghost only stops
            self._pay("AS-5.5", car, None, speed)

    def _ram(self, car: int, struck: int, push: int) -> None:
        """The crash table between the rammer and the car that the push reaches."""
        speed, other_speed = self.speeds[car], self.speeds[struck]
        side = (self.headings[struck] - push) % SIDES
        if other_speed == 0:
            self._note("AS-5.2", "parked", car, amount=speed, other=self._name(struck))
            self._pay("AS-5.2", struck, car, speed)
            self.speeds[car] = 0
        elif side == 3:
            amount = abs(speed - other_speed)
            self._note("AS-5.1", "head-on", car, amount=amount, other=self._name(struck))
            slower, faster = (car, struck) if speed < other_speed else (struck, car)
            self._pay("AS-5.1", slower, faster, amount)
            self.speeds[car] = self.speeds[struck] = 0
        elif side == 0:
            self._rear(car, struck, push)
        else:
            amount = speed + other_speed
            self._note("AS-5.4", "side", car, amount=amount, other=self._name(struck))
            self._pay("AS-5.4", struck, car, amount)
            self._turn_struck(struck, side)

    def _turn_struck(self, struck: int, side: int) -> None:
        """AS-5.4. `side` is the struck car's heading clockwise off the push: 1 rear right,
        2 front right, 4 front left, 5 rear left."""
        clockwise = {"pivot": (1, 4), "nose-away": (4, 5)}[self.setup.side_turn]
        turn = 1 if side in clockwise else -1
        self.headings[struck] = (self.headings[struck] + turn) % SIDES
        word = "clockwise" if turn == 1 else "anticlockwise"
        self._note("AS-5.4", "turned", struck, word, other=HEADINGS[self.headings[struck]])

    def _rear(self, car: int, struck: int, push: int) -> None:
        """AS-5.3; with projection the struck car is pushed on, or passes the push on (AS-7.2)."""
        speed = self.speeds[car]
        if not self.setup.projection:
            self._note("AS-5.3", "rear", car, amount=speed, other=self._name(struck))
            self._pay("AS-5.3", struck, car, speed)
            return
        ahead = self.layout.neighbours[self.cells[struck]][push]
        next_car = None if ahead == BARRIER else self._car_on(ahead)
        if next_car is not None and self.state.owners[next_car] != NOBODY:
            self._note("AS-7.2", "passes-on", struck, other=self._name(next_car))
            self._ram(car, next_car, push)
            return
        self._note("AS-5.3", "rear", car, amount=speed, other=self._name(struck))
        if ahead != BARRIER and next_car is None:
            self._pay("AS-5.3", struck, car, speed)
            start, self.cells[struck] = self.cells[struck], ahead
            self._note("AS-7.2", "pushed", struck, start=start, to=ahead)
            return
        own = self.speeds[struck]
        self._note(
            "AS-7.3", "crushed", struck, amount=own, what=str(speed), other=self._name(next_car)
        )
        self._pay("AS-7.3", struck, car, speed)
        if self.state.owners[struck] != BANK:
            self._pay("AS-7.3", struck, None, own)
        self.speeds[struck] = 0

    # -- money ------------------------------------------------------------------------------------

    def _pay(self, paragraph: str, payer: int, payee: int | None, amount: int) -> None:
        """The payer's player pays the payee's player, or the bank (AS-5.6, AS-5.7)."""
        owners = self.state.owners
        if not amount:
            return
        if payee is not None and owners[payer] == owners[payee]:
            self._note("AS-5.6", "own", payer, amount=amount, other=self._name(payee))
            payee = None
        if self.money is None:
            self.money = purses.Money(self.layout, self.state)
        paid = self.money.pay(payer, payee, amount)
        who = self._player(payer)
        whom = self._player(payee) if payee is not None else "bank"
        if paid:
            self._fact(Fact(paragraph, "pays", who, amount=paid, other=whom))
        if paid < amount:
            self._fact(Fact("AS-5.7", "short", who, amount=amount - paid, other=whom))

    # -- words ------------------------------------------------------------------------------------

    def _car_on(self, cell: int) -> int | None:
        return self.cells.index(cell) if cell in self.cells else None

    def _standing(self, cell: int) -> str:
        return self._name(None if cell == BARRIER else self._car_on(cell))

    def _name(self, car: int | None) -> str:
        return "barrier" if car is None else self.layout.cars[car]

    def _player(self, car: int) -> str:
        owner = self.state.owners[car]
        return "bank" if owner == BANK else player_name(self.state, owner)

    def _fact(self, fact: Fact) -> None:
        self.facts.append(fact)

    def _note(
        self,
        paragraph: str,
        case: str,
        car: int,
        what: str = "",
        start: int = BARRIER,
        to: int = BARRIER,
        amount: int = 0,
        other: str = "",
    ) -> None:
        names = self.layout.cells
        self.facts.append(
            Fact(
                paragraph,
                case,
                self.layout.cars[car],
                what,
                names[start] if start >= 0 else "",
                names[to] if to >= 0 else "",
                amount,
                other,
            )
        )


def player_name(state: State, player: int) -> str:
    """The name that the table gave this player, or `player 1` and so on."""
    names = state.setup.names
    return names[player] if names else f"player {player + 1}"
