"""Which car-moves lead to what is seen, and what is wrong where none do (AS-4, AS-5).

With the plots known every drive is forced, so only restarts branch, and up to three moves may have
been missed. With plots on paper one move is read off the board, its gear judged by AS-3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from tableref.rules.autoscooter import judging, rounds
from tableref.rules.autoscooter.actions import Drive, Restart
from tableref.rules.autoscooter.game import AutoscooterRules
from tableref.rules.autoscooter.layout import HEADINGS, SIDES, Layout
from tableref.rules.autoscooter.state import NOBODY, State
from tableref.rules.autoscooter.turn import Turn
from tableref.rules.explain import Nearest, SearchCut, Sighting
from tableref.rules.pieces import EMPTY
from tableref.rules.surface import Action, Fact, Ruling

MOST_UNSEEN = 4
"""Cars that may have crashed unseen before a move that is seen."""

MOST_LEFT = 3
"""Cars that may have crashed unseen at a round's end, at times that nobody can tell any more."""

MOST_MISSED = 3
"""Car-moves that may have happened between two looks at the board."""


Way = tuple[tuple[Action, ...], State]


class _Seen(NamedTuple):
    """A sighting by car: bit 6 * cell + heading is set where the car may stand so.

    `held` are cells on which certainly something stands.
    """

    poses: tuple[int, ...]
    held: frozenset[int]

    def allows(self, state: State | Turn) -> bool:
        for may, cell, nose in zip(self.poses, state.cells, state.headings, strict=True):
            if not may >> (cell * SIDES + nose) & 1:
                return False
        return self.held.issubset(state.cells)

    def moved(self, state: State) -> set[int]:
        """The cars that are not seen as they stand."""
        poses = zip(self.poses, state.cells, state.headings, strict=True)
        return {
            car
            for car, (may, cell, nose) in enumerate(poses)
            if not may >> (cell * SIDES + nose) & 1
        }

    def stands(self, state: State, car: int) -> bool:
        """Whether a car is seen to stand as it does, and in no other way."""
        return self.where(car) == (state.cells[car], state.headings[car])

    def where(self, car: int) -> tuple[int, int] | None:
        """Cell and heading of a car that can stand in one way only."""
        may = self.poses[car]
        if may and not may & (may - 1):
            return divmod(may.bit_length() - 1, SIDES)
        return None


class _Crash(NamedTuple):
    """A drive by which nothing on the board changes, what happens by it, and the state after it."""

    drive: Drive
    facts: tuple[Fact, ...]
    after: State


_Later = dict[tuple[Drive, ...], State | None]
"""Crashes -> the state after a move and these."""


def _alike(after: State, ended: State) -> bool:
    """Whether all that people count is the same."""
    return (after.speeds, after.purses, after.round) == (ended.speeds, ended.purses, ended.round)


class _Entered:
    """Plots at hand for the next round, and the states, but for where cars stand, in which they
    were entered already -> the state after it."""

    def __init__(self, coming: Sequence[Action]) -> None:
        self.coming = coming
        self.found: dict[State, State] = {}


def _reach(layout: Layout, push: bool) -> tuple[tuple[int, ...], ...]:
    """Hits -> pose (6 * cell + heading) -> bits of the poses in which up to so many hits leave a
    car; a rear hit with projection (`push`) moves it the way it points."""
    poses = [(cell, nose) for cell in range(len(layout.cells)) for nose in range(SIDES)]
    once = []
    for cell, nose in poses:
        found = [(cell, nose), (cell, (nose + 1) % SIDES), (cell, (nose - 1) % SIDES)]
        if push and layout.neighbours[cell][nose] >= 0:
            found.append((layout.neighbours[cell][nose], nose))
        once.append([c * SIDES + n for c, n in found])
    levels = [[1 << pose for pose in range(len(poses))]]
    for _ in range(MOST_MISSED):
        last = levels[-1]
        levels.append([reduce(or_, (last[pose] for pose in after)) for after in once])
    return tuple(map(tuple, levels))


class Autoscooter(AutoscooterRules):
    """The rules, and what was done going by what is seen."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._reach = {push: _reach(layout, push) for push in (False, True)}
        self._bits = {
            stack: (car, nose)
            for car, poses in enumerate(self.layout.poses)
            for nose, stack in enumerate(poses)
        }

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[Way]:
        """Car-moves after which the board may look like that; unless blinded, the fewest only."""
        seen, entered = self._seen(sighting), _Entered(coming)
        if state.setup.paper:
            yield from self._paper_ways(state, seen)
            return
        level: list[Way] = [((), state)]
        for missed in range(MOST_MISSED):
            later = MOST_MISSED - 1 - missed
            fits, following = False, list[tuple[tuple[Action, ...], Drive | Restart, Turn]]()
            for actions, before in level:
                if not self._hopeful(before, seen, later + 1, coming):
                    continue
                for action in self._next(before, seen, later, coming):
                    # All that is looked at is where the cars stand: purses and queue, and what
                    # follows by itself, are worked out only where that is what is seen.
                    turn = self._run(before, action)
                    if seen.allows(turn):
                        fits = True
                        after = self._turn_over(turn, action)[0]
                        yield (*actions, action), self._settled(after, entered)
                    if missed + 1 < MOST_MISSED and self._needed(turn, seen, later) <= later:
                        following.append((actions, action, turn))
            if fits and not blinded:
                return
            level = [
                ((*actions, action), self._settled(self._turn_over(turn, action)[0], entered))
                for actions, action, turn in following
            ]

    def _paper_ways(self, state: State, seen: _Seen) -> Iterator[Way]:
        """Plots on paper: one move that is seen, in this round or, where all cars that are left are
        blocked, in the next; and crashes before it that nobody saw."""
        fits = False
        for drives, begun in (((), state), *self._next_round(state)):
            found: list[State] = []
            for action, after in self._last_moves(begun, seen):
                found.append(after)
                yield (*drives, action), self.settled(after, ())
            for actions, after in self._after_crashes(begun, seen, found):
                fits = True
                yield (*drives, *actions), self.settled(after, ())
            fits = fits or bool(found)
        if not fits and self._round_may_be_over(state, seen):
            raise SearchCut

    def _round_may_be_over(self, state: State, seen: _Seen) -> bool:
        """Whether a car that has moved in this round has left its place, and the few that have not
        may have crashed at a time when that could not be seen: then it is not out of turn for
        sure."""
        if rounds.order_known(state):
            return False
        if not 0 < len(state.queue) <= MOST_LEFT or not all(state.speeds[c] for c in state.queue):
            return False
        stands = zip(seen.poses, state.cells, state.headings, strict=True)
        return any(
            car not in state.queue and not may >> (cell * SIDES + nose) & 1
            for car, (may, cell, nose) in enumerate(stands)
        )

    def _after_crashes(self, state: State, seen: _Seen, found: Sequence[State]) -> Iterator[Way]:
        """Plots on paper: cars that are blocked may have driven into what blocks them before the
        move that is seen, without anybody seeing it (AS-4.3). Those count whose crash would come
        out otherwise later, or after which the move is another: all others may wait. Where the
        order is known they have crashed indeed."""
        instead: list[_Later] = [{(): after} for after in found]
        for crashes, before in self._unseen_crashes(state, MOST_UNSEEN):
            if before.round != state.round:
                continue
            for action, ended in self._last_moves(before, seen):
                later = (self._crashed_later(known, crashes) for known in instead)
                if not any(after and _alike(after, ended) for after in later):
                    yield (*(each.drive for each in crashes), action), ended

    def _unseen_crashes(
        self, state: State, most: int
    ) -> Iterator[tuple[tuple[_Crash, ...], State]]:
        """So many crashes at most by which nothing on the board changes, in this round, and the
        state after them: of those that lead to the same one row."""
        level: list[tuple[tuple[_Crash, ...], State]] = [((), state)]
        known = set[State]()
        for _ in range(most):
            following = []
            for crashes, before in level:
                if before.round != state.round:
                    continue
                for car in rounds.next_cars(before):
                    crash = self._crash(before, car)
                    if crash is not None and (alike := crash.after._replace(order=())) not in known:
                        known.add(alike)
                        following.append(((*crashes, crash), crash.after))
            yield from following
            level = following

    def _last_moves(self, state: State, seen: _Seen) -> Iterator[tuple[Drive | Restart, State]]:
        """Moves after which the board may look like that, and the states after them. A car that is
        blocked does the same by every letter, so the first one tells."""
        moved, over = seen.moved(state), set[str]()
        for action in self._next(state, seen, 0):
            if action.car in over:
                continue
            car = self.layout.car(action.car)
            blocked = isinstance(action, Drive) and self._blocked(state, car)
            # A car that is not blocked leaves its place; one that is moves what stands before it.
            if moved - self._row(state, car) if blocked else seen.stands(state, car):
                over.add(action.car)
                continue
            turn = self._run(state, action)
            if seen.allows(turn):
                yield action, self._turn_over(turn, action)[0]
            elif blocked:
                over.add(action.car)

    def _row(self, state: State, car: int) -> set[int]:
        """The cars in a row before one that is blocked, up to one that is parked (AS-5.2): it moves
        no other."""
        row, at = set[int](), car
        while state.speeds[at]:
            ahead = self.layout.neighbours[state.cells[at]][state.headings[car]]
            if ahead not in state.cells:
                break
            at = state.cells.index(ahead)
            row.add(at)
        return row

    def _crashed_later(self, known: _Later, crashes: tuple[_Crash, ...]) -> State | None:
        """The state after the same crashes made after a move; None where one comes out otherwise.
        `known`: what was found of those that begin alike."""
        drives = tuple(crash.drive for crash in crashes)
        if drives not in known:
            *earlier, last = crashes
            after = self._crashed_later(known, tuple(earlier))
            later = after and self._crash(after, self.layout.car(last.drive.car))
            known[drives] = later.after if later and later.facts == last.facts else None
        return known[drives]

    def _crash(self, state: State, car: int) -> _Crash | None:
        """What happens when this car drives into what blocks it, or is stuck, by which nothing on
        the board changes; None where something does. Every letter comes to the same, so it is the
        straight one."""
        if not self._blocked(state, car):
            return None
        letter = self.layout.straight.get(state.speeds[car])
        drive = Drive(self.layout.cars[car], letter)
        if not self.judge(state, drive).allowed:
            return None
        after, facts = self._turn(state, drive)
        same = (after.cells, after.headings) == (state.cells, state.headings)
        return _Crash(drive, facts, after) if same else None

    def _blocked(self, state: State, car: int) -> bool:
        """Whether the hex before a car is taken, or none; around one that restarts, all of them."""
        if not state.speeds[car]:
            return not rounds.can_restart(self.layout, state, car)
        ahead = self.layout.neighbours[state.cells[car]][state.headings[car]]
        return ahead < 0 or ahead in state.cells

    def _next_round(self, state: State) -> Iterator[Way]:
        """The next round, where the cars that are left can all have driven into what blocks them
        without anybody seeing it (AS-4.3), in each order that comes to something else."""
        if not all(self._blocked(state, car) for car in state.queue):
            return
        for crashes, begun in self._unseen_crashes(state, len(state.queue)):
            if begun.round != state.round and not begun.ended:
                yield tuple(crash.drive for crash in crashes), begun

    def offered(self, state: State) -> tuple[Action, ...]:
        """On paper: the numbers of the first car of which none was told, and the crashes of cars
        that are blocked. Whatever letter such a car drives, it comes to the same."""
        if not state.setup.paper or not state.queue:
            return ()
        actions: list[Action] = []
        for car in rounds.awaited_numbers(state)[:1]:
            actions += judging.numbers(self.layout, state, car)
        crashes = (self._crash(state, car) for car in rounds.next_cars(state))
        actions += [crash.drive for crash in crashes if crash is not None]
        return tuple(actions)

    def as_if_turn(self, state: State, car: str) -> State:
        """The state were it this car's turn, free to drive any letter or to restart: what if?"""
        index = self.layout.car(car)
        setup = state.setup._replace(paper=True)
        return state._replace(setup=setup, queue=(index,), order=(index,))

    def unseen_move(self, state: State) -> Action | None:
        """The forced drive that comes next, where nothing on the board changes by it."""
        move = self.forced(state)
        return move if move is not None and self._after_unseen(state, move) else None

    def _after_unseen(self, state: State, move: Action) -> State | None:
        """The state after this legal move, where nothing on the board changes by it; else None."""
        if not isinstance(move, Drive | Restart):
            return self.apply(state, move)[0]
        turn = self._run(state, move)
        if (*turn.cells, *turn.headings) != (*state.cells, *state.headings):
            return None
        return self._turn_over(turn, move)[0]

    def settled(self, state: State, coming: Sequence[Action]) -> State:
        """The state after all that follows by itself, with these plots at hand."""
        return self._settled(state, _Entered(coming))

    def _settled(self, state: State, entered: _Entered) -> State:
        """The state after all that follows by itself: plots at hand, drives that show nothing."""
        while True:
            if not state.queue and not state.ended and not state.setup.paper:
                before, state = state, self._with_plots(state, entered)
                if state == before:
                    return state
            move = self.forced(state)
            after = None if move is None else self._after_unseen(state, move)
            if after is None:
                return state
            state = after

    def _with_plots(self, state: State, entered: _Entered) -> State:
        """The state once the plots at hand are entered. Nothing of it hangs on where cars stand."""
        key = state._replace(cells=(), headings=())
        after = entered.found.get(key)
        if after is None:
            after = state
            for plot in entered.coming:
                if not after.queue and self.judge(after, plot).allowed:
                    after = self.apply(after, plot)[0]
            closing = self.forced(after, closing=True)
            if closing is not None and not after.queue:
                after = self.apply(after, closing)[0]
            entered.found[key] = after
        return after._replace(cells=state.cells, headings=state.headings)

    def _next(
        self, state: State, seen: _Seen, later: int, coming: Sequence[Action] = ()
    ) -> Iterator[Drive | Restart]:
        """Moves that may come next; `later` more moves may still change what they leave."""
        known = self._moves_no_more(state, later + 1, coming)
        for car in rounds.next_cars(state):
            if self._needed(state, seen, later + 1, but=car) > later:
                continue  # more others have to move than can
            # Where a car goes matters if it cannot move again, for others still have to.
            fixed = known or self._needed(state, seen, later, but=car) >= later
            for action in judging.car_actions(self.layout, state, car):
                if fixed and isinstance(action, Restart):
                    cell, nose = self.layout.cell_index[action.to], HEADINGS.index(action.heading)
                    if not self._possible(state, seen, car, cell * SIDES + nose, later):
                        continue
                yield action

    def _hopeful(self, state: State, seen: _Seen, moves: int, coming: Sequence[Action]) -> bool:
        """Whether the cars that have moved in this round may still come to stand as they are
        seen, within so many moves of others."""
        if not self._moves_no_more(state, moves, coming):
            return True
        return all(
            car in state.queue or self._possible(state, seen, car, cell * SIDES + nose, moves)
            for car, (cell, nose) in enumerate(zip(state.cells, state.headings, strict=True))
        )

    def _needed(self, state: State | Turn, seen: _Seen, moves: int, but: int = -1) -> int:
        """How many cars have to move themselves, hits of so many moves not sufficing."""
        reach, needed = self._reach[state.setup.projection][moves], 0
        for car, may in enumerate(seen.poses):
            pose = state.cells[car] * SIDES + state.headings[car]
            if not may & reach[pose] and car != but:
                needed += 1
        return needed

    def _moves_no_more(self, state: State, moves: int, coming: Sequence[Action]) -> bool:
        """Whether a car that has moved cannot move again within so many moves."""
        return not coming or len(state.queue) > moves

    def _possible(self, state: State, seen: _Seen, car: int, pose: int, hits: int) -> bool:
        """Whether a car that does not move itself can come to stand as it is seen when it is hit
        so often: each hit turns it a side (AS-5.4), or with projection pushes it on (AS-7.2)."""
        return bool(seen.poses[car] & self._reach[state.setup.projection][hits][pose])

    def _seen(self, sighting: Sighting) -> _Seen:
        poses, held = [0] * len(self.layout.cars), []
        every = (1 << SIDES) - 1
        for cell, name in enumerate(self.layout.cells):
            may = sighting.cells.get(name)
            if may is None:
                for car in range(len(poses)):
                    poses[car] |= every << cell * SIDES
                continue
            if EMPTY not in may:
                held.append(cell)
            for stack in may:
                if stack in self._bits:
                    car, nose = self._bits[stack]
                    poses[car] |= 1 << (cell * SIDES + nose)
        return _Seen(tuple(poses), frozenset(held))

    def unfinished(self, state: State, sighting: Sighting) -> State | None:
        """The state that the forced car-move leads to, where only a part of it is done yet: one
        car moved, and one that it struck not yet, or the other way round. None: it is not that."""
        drive = self.forced(state)
        if drive is None:
            return None
        seen, after = self._seen(sighting), self.apply(state, drive)[0]
        done = 0
        for may, *poses in zip(
            seen.poses, state.cells, state.headings, after.cells, after.headings, strict=True
        ):
            was, will = (may >> (cell * SIDES + nose) & 1 for cell, nose in (poses[:2], poses[2:]))
            if not was and not will:
                return None
            done += will and not was
        return after if done and seen.held <= {*state.cells, *after.cells} else None

    # -- what is wrong ----------------------------------------------------------------------------

    def nearest(self, state: State, sighting: Sighting) -> Nearest:
        """The car that is not where it may be, and why: the one in turn first."""
        seen = self._seen(sighting)
        if not state.queue:
            return self._out_of_turn(state, seen)
        car = state.queue[0]
        if state.setup.paper:
            return self._paper(state, seen)
        if self.due(state).kind == "restart":
            where = seen.where(car)
            if where is not None and where != (state.cells[car], state.headings[car]):
                action = Restart(
                    self.layout.cars[car], self.layout.cells[where[0]], HEADINGS[where[1]]
                )
                ruling = self.judge(state, action)
                return Nearest(action, ruling if ruling.broken else self._beside(state, seen, car))
            return self._out_of_turn(state, seen)
        if self._drove_otherwise(state, seen, car):
            return Nearest(Drive(self.layout.cars[car]), Ruling((self._not_as_noted(state, car),)))
        return self._out_of_turn(state, seen)

    def _drove_otherwise(self, state: State, seen: _Seen, car: int) -> bool:
        """Whether the car in turn left its place, or the board looks as if it drove by another
        letter (and others, rightly, after it)."""
        if not seen.poses[car] >> (state.cells[car] * SIDES + state.headings[car]) & 1:
            return True
        for letter in self.layout.by_speed.get(state.speeds[car], ()):
            level = [self.force(self._noting(state, car, letter), Drive(self.layout.cars[car]))[0]]
            for later in range(MOST_MISSED):
                if any(seen.allows(after) for after in level):
                    return True
                level = [
                    self.apply(after, action)[0]
                    for after in level
                    for action in self._next(after, seen, MOST_MISSED - 1 - later)
                ]
        return False

    def _noting(self, state: State, car: int, letter: str) -> State:
        """The state had this letter been noted for the car in turn."""
        if state.plots[car] is None:  # the ghost moves by a player's letter (AS-7.1)
            ghost_plots = list(state.ghost_plots)
            player = rounds.ghost_driver(state)
            plot = ghost_plots[player]
            if plot is not None:
                ghost_plots[player] = plot._replace(letter=letter)
            return state._replace(ghost_plots=tuple(ghost_plots))
        plots = list(state.plots)
        own = plots[car]
        assert own is not None
        plots[car] = own._replace(letter=letter)
        return state._replace(plots=tuple(plots))

    def _not_as_noted(self, state: State, car: int) -> Fact:
        """Where the car in turn must go, by the paragraph that sends it there."""
        facts = self.apply(state, Drive(self.layout.cars[car]))[1]
        moved = next(f for f in facts if f.paragraph in ("AS-4.2", "AS-4.3", "AS-4.4", "AS-4.6"))
        after = self.apply(state, Drive(self.layout.cars[car]))[0]
        cell, heading = after.pose(car, self.layout.cells)
        start = self.layout.cells[state.cells[car]]
        letter = rounds.noted_letter(state, car) or ""
        return Fact(
            moved.paragraph, "goes-elsewhere", self.layout.cars[car], letter, start, cell,
            after.speeds[car], heading,
        )  # fmt: skip

    def _beside(self, state: State, seen: _Seen, car: int) -> Ruling:
        """The car in turn did right; somebody else did not."""
        where = seen.where(car)
        assert where is not None
        restart = Restart(self.layout.cars[car], self.layout.cells[where[0]], HEADINGS[where[1]])
        return self._out_of_turn(self.apply(state, restart)[0], seen).ruling

    def _out_of_turn(self, state: State, seen: _Seen) -> Nearest:
        """The first car, in log-sheet order, that is seen elsewhere than it stood."""
        for car, name in enumerate(self.layout.cars):
            if seen.poses[car] >> (state.cells[car] * SIDES + state.headings[car]) & 1:
                continue
            if not seen.poses[car]:
                continue
            action = Drive(name)
            broken = judging.reasons(self.layout, state, action, None)
            turn = tuple(f for f in broken if f.paragraph in ("AS-2.2", "AS-4.1"))
            if turn:
                return Nearest(action, Ruling(turn))
            start = self.layout.cells[state.cells[car]]
            return Nearest(None, Ruling((Fact("HR-3.1", "moved", name, start=start),)))
        return Nearest(None, Ruling((Fact("HR-3.1", "board"),)))

    def _paper(self, state: State, seen: _Seen) -> Nearest:
        """Plots on paper: the car that moved, by a letter its speed does not allow if one fits."""
        for car in state.queue:
            if not state.speeds[car] or state.owners[car] == NOBODY:
                continue
            for letter in self.layout.letters:
                drive = Drive(self.layout.cars[car], letter)
                ruling = self.judge(state, drive)
                if not ruling.allowed and seen.allows(self.force(state, drive)[0]):
                    return Nearest(drive, ruling)
        for car in state.queue:
            where = seen.where(car)
            if where is None or where == (state.cells[car], state.headings[car]):
                continue
            name, cell = self.layout.cars[car], self.layout.cells[where[0]]
            if not state.speeds[car]:
                action = Restart(name, cell, HEADINGS[where[1]])
                return Nearest(action, self.judge(state, action))
            start = self.layout.cells[state.cells[car]]
            speed = state.speeds[car]
            fact = Fact("AS-3.3", "no-manoeuvre", name, HEADINGS[where[1]], start, cell, speed)
            return Nearest(None, Ruling((fact,)))
        return self._out_of_turn(state, seen)
