"""Autoscooter on the common surface of games."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from tableref.rules.autoscooter import judging, notation, purses, rounds, written
from tableref.rules.autoscooter import position as told
from tableref.rules.autoscooter.actions import (
    Announce,
    Drive,
    Number,
    Plot,
    PlotGhost,
    Prefer,
    Restart,
)
from tableref.rules.autoscooter.layout import Layout
from tableref.rules.autoscooter.state import (
    BANK,
    CARS_AND_CHIPS,
    COLOUR_CHIPS,
    NOBODY,
    State,
    read_setup,
)
from tableref.rules.autoscooter.turn import Turn, player_name
from tableref.rules.defaults import Awaited, Carried, Defaults, Markers, Milestone, Score
from tableref.rules.pieces import Stack
from tableref.rules.plotting import Written
from tableref.rules.surface import (
    ALLOWED,
    NOTE,
    Action,
    Due,
    Fact,
    Outcome,
    Record,
    Refused,
    Ruling,
    SetupError,
    UnreadableAction,
)


class AutoscooterRules(Defaults):
    """The game on one board. A round is: plots, `Announce` or the last plot, then car by car."""

    name = "autoscooter"
    unplotted = MappingProxyType({"paper": True})
    shown_setup = MappingProxyType({"players": 4, "projection": True})
    counted = "chips"
    beside = ("chips",)
    rules_version = "1"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.rounds = layout.rounds

    # -- starting ---------------------------------------------------------------------------------

    def start(self, setup: Record) -> State:
        """All cars on their start hexes at speed 0 (AS-1.5, AS-2). SetupError"""
        options, layout = read_setup(setup), self.layout
        cars = len(layout.cars)
        owned = options.players * options.cars_per_player
        owners = [car % options.players if car < owned else NOBODY for car in range(cars)]
        if options.ghost:
            owners[owned] = BANK
        each = COLOUR_CHIPS if options.colour_scoring else CARS_AND_CHIPS[options.players][1]
        chips, colours = purses.first_purses(options, owners, each)
        state = State(
            setup=options,
            owners=tuple(owners),
            cells=layout.start_cells,
            headings=layout.start_headings,
            speeds=(0,) * cars,
            purses=chips,
            colours=colours,
            used=(0,) * cars,
            plots=(None,) * cars,
            ghost_plots=(None,) * options.players,
            dealt=tuple(owners),
            preferred=(None,) * options.players,
        )
        return rounds.open_round(state) if options.paper else state

    def from_position(self, setup: Record, position: Record) -> State:
        """The start with this position (the keys of `facts`) laid over. SetupError"""
        return told.placed(self.layout, self.start(setup), position)

    def corrected(self, state: State, position: Record) -> State:
        """The state with what the position names set to what it says (HR-2.2). SetupError"""
        return told.corrected(self.layout, state, position)

    # -- whose turn -------------------------------------------------------------------------------

    def players(self, state: State) -> tuple[str, ...]:
        """Names of the players, by index."""
        return tuple(player_name(state, player) for player in range(state.setup.players))

    def due(self, state: State) -> Due:
        """Plots, then car by car: a drive, which is forced, or a restart, which is chosen."""
        if state.ended:
            return Due("over")
        if state.queue:
            if not rounds.order_known(state):
                movers = {rounds.movers_of(state, car) for car in rounds.next_cars(state)}
                return Due("drive", tuple(sorted({player for who in movers for player in who})))
            car = state.queue[0]
            who = rounds.movers_of(state, car)
            restart = not state.speeds[car] and rounds.can_restart(self.layout, state, car)
            return Due("restart" if restart else "drive", who, self.layout.cars[car])
        cars, players = rounds.awaited_plots(state)
        if not cars and not players:
            return Due("announce", rounds.active_players(state))
        return Due("plot", tuple(sorted({state.owners[car] for car in cars} | set(players))))

    def legal(self, state: State) -> Iterator[Action]:
        """All legal actions, lazily, in a fixed order."""
        return judging.legal(self.layout, state)

    def car_actions(self, state: State, car: str) -> tuple[Action, ...]:
        """What this car may do on its turn: restarts, its plot, or on paper any allowed letter."""
        return judging.car_actions(self.layout, state, self.layout.car(car))

    def judge(self, state: State, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        broken = judging.reasons(self.layout, state, action, player)
        return Ruling(broken) if broken else ALLOWED

    # -- acting -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        broken = judging.reasons(self.layout, state, action, None)
        if broken:
            raise Refused(Ruling(broken))
        return self._carry_out(state, action)

    def force(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """Lets a refused action stand (HR-2.3); UnreadableAction where the table cannot show it."""
        if not judging.reasons(self.layout, state, action, None):
            return self._carry_out(state, action)
        if state.ended:
            raise UnreadableAction("the game is over")
        match action:
            case Plot():
                return self._force_plot(state, action)
            case Drive() | Restart():
                return self._force_turn(state, action)
        raise UnreadableAction("only plots, drives and restarts can be let stand")

    def _force_plot(self, state: State, plot: Plot) -> tuple[State, tuple[Fact, ...]]:
        """A plot that is changed, or has a number that is used or another car's."""
        car = self.layout.car_index[plot.car]
        if state.setup.paper or state.owners[car] < 0:
            raise UnreadableAction("nobody tells the referee a plot for {who}", who=plot.car)
        if plot.number is not None and plot.number not in sum(self.layout.numbers, ()):
            raise UnreadableAction("{what} is on no log sheet", what=plot.number)
        if not state.queue:
            return self._carry_out(state, plot)
        plots, announced = list(state.plots), state.plots[car]
        if announced is None or plot.number not in (None, announced.number):
            raise UnreadableAction("the order is announced: only a letter can still be changed")
        plots[car] = announced._replace(letter=plot.letter)
        return state._replace(plots=tuple(plots)), ()

    def _force_turn(self, state: State, action: Drive | Restart) -> tuple[State, tuple[Fact, ...]]:
        """A car-move out of turn, by another letter, or to another hex."""
        car = self.layout.car_index[action.car]
        if not state.queue:
            raise UnreadableAction("the numbers are not announced, so no car moves")
        if state.owners[car] == NOBODY:
            raise UnreadableAction(
                "{who} belongs to nobody; correct the position instead", who=action.car
            )
        if isinstance(action, Restart):
            to = self.layout.cell_index[action.to]
            if to in state.cells and state.cells[car] != to:
                raise UnreadableAction("two cars cannot stand on {to}", to=action.to)
        elif not state.speeds[car]:
            raise UnreadableAction("{who} is at speed 0: only a restart moves it", who=action.car)
        elif state.setup.paper and action.letter not in self.layout.runs:
            raise UnreadableAction("say which letter {who} drove", who=action.car)
        return self._turn(state, action, any_gear=True)

    def _carry_out(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        layout = self.layout
        match action:
            case Drive() | Restart():
                return self._turn(state, action)
            case Plot():
                plots = list(state.plots)
                plots[layout.car_index[action.car]] = action
                return self._announced(state._replace(plots=tuple(plots)))
            case PlotGhost():
                ghost_plots = list(state.ghost_plots)
                ghost_plots[action.player] = action
                return self._announced(state._replace(ghost_plots=tuple(ghost_plots)))
            case Announce():
                return rounds.announce(layout, state)
            case Number(name, number):
                return rounds.numbered(layout, state, Plot(name, number, None))
            case Prefer():
                preferred = list(state.preferred)
                preferred[action.player] = layout.car_index[action.colour]
                return state._replace(preferred=tuple(preferred)), ()
        raise UnreadableAction(f"{action!r} is no action of Autoscooter")

    def written(self, round: Written) -> Iterator[Record]:
        """The plots of one round of a file (`PlotsAhead`)."""
        return written.plots(round)

    def as_driven(self, state: State) -> State:
        """The state in which the next plots are awaited, as if all had driven (`PlotsAhead`)."""
        return rounds.as_driven(self.layout, state)

    def _announced(self, state: State) -> tuple[State, tuple[Fact, ...]]:
        """All plotted: the numbers are announced at once (AS-4.1)."""
        cars, players = rounds.awaited_plots(state)
        return (state, ()) if cars or players else rounds.announce(self.layout, state)

    def _turn(
        self, state: State, action: Drive | Restart, any_gear: bool = False
    ) -> tuple[State, tuple[Fact, ...]]:
        turn = self._run(state, action, any_gear)
        after, facts = self._turn_over(turn, action)
        return after, (*turn.facts, *facts)

    def _run(self, state: State, action: Drive | Restart, any_gear: bool = False) -> Turn:
        """The car-move up to where all cars stand again."""
        car = self.layout.car_index[action.car]
        turn = Turn(self.layout, state)
        if isinstance(action, Restart):
            turn.restart(action)
        elif not state.speeds[car]:
            turn.stay(car)
        else:
            letter = action.letter or rounds.noted_letter(state, car)
            turn.drive(car, letter, any_gear and action.letter in self.layout.runs)
        return turn

    def _turn_over(self, turn: Turn, action: Drive | Restart) -> tuple[State, tuple[Fact, ...]]:
        return rounds.turn_over(self.layout, turn, self.layout.car_index[action.car])

    def alone(self, state: State, car: str) -> State:
        """A round in which only this car moves, by its plot (`run_only` of records). SetupError"""
        index = self.layout.car(car)
        if state.owners[index] == NOBODY:
            raise SetupError(f"{car} belongs to nobody and does not move (AS-2.2)")
        return state._replace(order=(index,), queue=(index,))

    def forced(self, state: State, closing: bool = False) -> Action | None:
        """The car-move that must come next and leaves no choice, or None.

        `closing`: nobody will note a letter for the ghost any more, so the plots are announced.
        """
        if state.ended:
            return None
        if not state.queue:
            cars, players = rounds.awaited_plots(state)
            return Announce() if not cars and (closing or not players) else None
        if state.setup.paper:
            # Nobody could be seen moving: all of which one may are stuck (AS-4.6).
            cars = state.queue[:1] if rounds.order_known(state) else state.queue
            free = any(
                state.speeds[car] or rounds.can_restart(self.layout, state, car) for car in cars
            )
            return None if free else Drive(self.layout.cars[rounds.next_cars(state)[0]])
        return Drive(self.layout.cars[state.queue[0]]) if self.due(state).kind == "drive" else None

    def reveals(self, state: State, action: Action) -> bool:
        """Announcing shows the numbers, a drive shows the letter (AS-4.1)."""
        if not isinstance(action, Plot | PlotGhost):
            return isinstance(action, Announce | Drive)
        cars, players = rounds.awaited_plots(state)
        if isinstance(action, Plot):
            return not players and cars == (self.layout.car_index[action.car],)
        return not cars and players == (action.player,)

    def resign(self, state: State, player: int) -> tuple[State, tuple[Fact, ...]]:
        """The cars of a player become barrier, his chips go to the bank (HR-1.1)."""
        state = purses.forfeited(state, player)
        given_up = (Fact("HR-1.1", "gives-up", player_name(state, player)),)
        owners = tuple(NOBODY if owner == player else owner for owner in state.owners)
        after = state._replace(owners=owners, absent=state.absent - {player})
        if len(rounds.remaining_players(after)) < 2:
            after, more = rounds.ended(after, "HR-1.1")
        else:
            after, more = self._without(
                after, {car for car in range(len(owners)) if owners[car] != state.owners[car]}
            )
        return after, (*given_up, *more)

    def passed_over(self, state: State, absent: frozenset[int]) -> tuple[State, tuple[Fact, ...]]:
        """These players are passed over until they are back (HR-1.2): their cars get no plot and
        stay where they are."""
        away = {car for car, owner in enumerate(state.owners) if owner in absent}
        return self._without(state._replace(absent=absent), away)

    def _without(self, state: State, cars: set[int]) -> tuple[State, tuple[Fact, ...]]:
        """The round goes on without these cars, whose plots are void if they have not moved."""
        queue = tuple(car for car in state.queue if car not in cars)
        waiting = cars if not state.queue else cars & set(state.queue)
        players = rounds.active_players(state)
        after = state._replace(
            queue=queue,
            plots=tuple(None if car in waiting else plot for car, plot in enumerate(state.plots)),
            ghost_plots=tuple(
                plot if player in players else None for player, plot in enumerate(state.ghost_plots)
            ),
        )
        return rounds.round_over(self.layout, after) if state.queue and not queue else (after, ())

    def outcome(self, state: State) -> Outcome | None:
        """Most chips after round 11 (AS-6.1), or who is left (HR-1.1)."""
        return Outcome(rounds.winners(state), state.ended) if state.ended else None

    # -- for who plays against a player -----------------------------------------------------------

    def guessed(self, state: State, player: int, rng: Random) -> State:
        """Other players' plots are not known until they are driven (AS-4.1): drawn, or missing
        while all still write (`Guesses`)."""
        plots, ghost_plots = list(state.plots), list(state.ghost_plots)
        for car, plot in enumerate(plots):
            if plot is None or state.owners[car] == player:
                continue
            if not state.queue:
                plots[car] = None
            elif car in state.queue and plot.letter is not None:
                letters = self.layout.by_speed.get(state.speeds[car]) or (plot.letter,)
                plots[car] = plot._replace(letter=rng.choice(letters))
        if not state.queue:
            ghost_plots = [plot if who == player else None for who, plot in enumerate(ghost_plots)]
        return state._replace(plots=tuple(plots), ghost_plots=tuple(ghost_plots))

    def standing(self, state: State) -> tuple[float, ...]:
        """The score of each player in the chips of a start (`Stands`)."""
        start = CARS_AND_CHIPS[state.setup.players][1]
        return tuple(score / start for score in purses.scores(state))

    # -- telling ----------------------------------------------------------------------------------

    def board(self, state: State) -> dict[str, Stack]:
        """Cell -> the car on it, told by its tag, and where it points: `red NE`."""
        layout = self.layout
        return {
            layout.cells[cell]: poses[nose]
            for poses, cell, nose in zip(layout.poses, state.cells, state.headings, strict=True)
        }

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """Every car, any way round."""
        return tuple(stack for poses in self.layout.poses for stack in poses)

    def set_up_fact(self, piece: str, to: str) -> Fact:
        """Cars stand on their start hexes (AS-1.5)."""
        return Fact("AS-1.5", "set-up", piece, to=to)

    def awaits(self, state: State) -> Awaited:
        """Plots, a restart, a drive."""
        by_kind = {"plot": "AS-3.1", "announce": "AS-4.1", "restart": "AS-4.5", "drive": "AS-4.1"}
        return Awaited(by_kind.get(self.due(state).kind, ""))

    def markers(self, before: State, after: State) -> Markers | None:
        """Speed markers on the cars' pins (AS-1.4)."""
        changed = [
            (car, speed)
            for car, was, speed in zip(self.layout.cars, before.speeds, after.speeds, strict=True)
            if was != speed
        ]
        return Markers("AS-1.4", tuple(changed)) if changed else None

    def lettered(self, side: str, letter: str) -> str:
        """A crash where the car stands, on paper."""
        return f"{side}!{letter}"

    def carried(self, state: State) -> Carried:
        """Speed markers on the pins of all cars (AS-1.4)."""
        speeds = zip(state.cells, state.speeds, strict=True)
        return Carried("speeds", {self.layout.cells[cell]: speed for cell, speed in speeds})

    def turn(self, state: State) -> Hashable:
        """All plot at once, then each car has its turn (AS-4.1), also a second one of a player."""
        return state.round, state.queue

    def milestones(self, before: State, after: State) -> tuple[Milestone, ...]:
        """A round that is over: the cars, and everybody's chips (AS-6.1)."""
        # Where all have given up, the round was not played to its end.
        if after.round == before.round and (before.ended or after.ended in ("", "HR-1.1")):
            return ()
        told = self.facts(after)
        data = {"round": before.round, "cars": told["cars"], "chips": told["chips"]}
        return (Milestone("round", data),)

    def last_round(self) -> int:
        """The round after which the game ends (AS-6.1)."""
        return self.layout.rounds

    def owned(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The cars of each player (AS-2.1)."""
        return tuple(
            tuple(
                car for car, owner in zip(self.layout.cars, state.owners, strict=True)
                if owner == player
            )
            for player in range(state.setup.players)
        )  # fmt: skip

    def numbers_left(self, state: State) -> dict[str, tuple[int, ...]]:
        """Numbers of each car's column that are not crossed out (AS-3.1); on paper the players
        themselves keep them."""
        if state.setup.paper:
            return {}
        return {
            name: rounds.free_numbers(self.layout, state, car)
            for car, name in enumerate(self.layout.cars)
            if state.owners[car] >= 0
        }

    def score(self, state: State) -> Score:
        """Chips of each player (AS-6.1)."""
        return Score(self.counted, purses.chips(state))

    def secret(self, action: Action) -> bool:
        """Plots, until they are used (AS-4.1)."""
        return isinstance(action, Plot | PlotGhost)

    def seen_position(self, state: State, stands: Mapping[str, Stack]) -> Record:
        """The cars as they are seen."""
        cars = {
            piece.name: {"cell": cell, "heading": piece.facing}
            for cell, stack in stands.items()
            for piece in stack
        }
        return {"cars": cars}

    def put_right(self, state: State, cell: str, stack: Stack) -> Record | None:
        """A car is somewhere, so a cell is emptied by saying where its car stands instead."""
        return self.seen_position(state, {cell: stack}) if stack else None

    def facts(self, state: State) -> dict[str, Any]:
        """Everything that lies open, in the keys of `expect`."""
        due = self.due(state)
        return told.facts(self.layout, state, None if due.kind == "over" else due.kind)

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """The facts, and of the plots only the player's own until they are used (AS-4.1)."""
        if player is not None and not 0 <= player < state.setup.players:
            raise SetupError(f"there is no player {player}")
        announced = bool(state.queue)
        plots: dict[str, Any] = {}
        for plot in state.plots:
            if plot is None:
                continue
            car = self.layout.car_index[plot.car]
            own = player is not None and state.owners[car] == player
            used = announced and car not in state.queue
            plots[plot.car] = {
                "number": plot.number if announced or own else None,
                "letter": plot.letter if own or used else None,
            }
        known = self.facts(state) | {"plots": plots}
        ghost_plot = None if player is None else state.ghost_plots[player]
        if ghost_plot is not None:
            known["ghost_letter"] = ghost_plot.letter
        return known

    def read(self, record: Record) -> Action:
        """The action of a record. UnreadableAction"""
        return notation.read(self.layout, record)

    def text(self, state: State, action: Action) -> str:
        """The action in short: `red 15K`, `ghost 1 P`, `red>b1NE`, `red!`."""
        return notation.text(action)

    def public_text(self, state: State, action: Action) -> str:
        """As `text`; of notes only for whom they are (AS-3.3, AS-7.1, AS-7.4)."""
        match action:
            case Plot(car):
                return f"{car}{NOTE}"
            case PlotGhost(player) | Prefer(player):
                return f"{self.players(state)[player]}{NOTE}"
        return notation.text(action)

    def parse(self, state: State, text: str) -> Action:
        """The action of this text. UnreadableAction"""
        return notation.parse(self.layout, text)
