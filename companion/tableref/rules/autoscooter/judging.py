"""What may be done, and why not: listing and judging by one set of reasons (AS-3, AS-4)."""

from __future__ import annotations

from collections.abc import Iterator

from tableref.rules.autoscooter import rounds
from tableref.rules.autoscooter.actions import (
    Announce,
    Drive,
    Number,
    Plot,
    PlotGhost,
    Prefer,
    Restart,
)
from tableref.rules.autoscooter.layout import LARGEST_TURN, SIDES, Layout, heading
from tableref.rules.autoscooter.state import BANK, NOBODY, State
from tableref.rules.autoscooter.turn import player_name
from tableref.rules.surface import Action, Fact, SetupError, UnreadableAction


def reasons(layout: Layout, state: State, action: Action, player: int | None) -> tuple[Fact, ...]:
    """The paragraphs that an action breaks, the deciding one first; empty where it is legal."""
    if state.ended:
        return (Fact("AS-6.1", "game-over"),)
    match action:
        case Drive():
            return _against_drive(layout, state, action)
        case Restart():
            return _against_restart(layout, state, action, player)
        case Plot():
            return _against_plot(layout, state, action, player)
        case PlotGhost():
            return _against_ghost_plot(state, action, player)
        case Announce():
            return _against_planning(state)
        case Number():
            return _against_number(layout, state, action, player)
        case Prefer():
            return _against_prefer(state, action, player)
    raise UnreadableAction(f"{action!r} is no action of Autoscooter")


def legal(layout: Layout, state: State) -> Iterator[Action]:
    """All legal actions, lazily: on a car's turn what it may do, else the plots not ruled out."""
    if state.ended:
        return
    if state.queue:
        for car in rounds.next_cars(state):
            yield from car_actions(layout, state, car)
        for car in rounds.awaited_numbers(state):
            yield from numbers(layout, state, car)
    else:
        yield from _plots(layout, state)
    if state.setup.colour_scoring:
        for player in rounds.active_players(state):
            for colour in layout.cars:
                yield Prefer(player, colour)


def numbers(layout: Layout, state: State, car: int) -> Iterator[Number]:
    """The numbers that may be announced for this car, of plots on paper."""
    for number in rounds.free_numbers(layout, state, car):
        yield Number(layout.cars[car], number)


def _plots(layout: Layout, state: State) -> Iterator[Action]:
    """Every plot that may be written down now; any letter may be (AS-3.5, AS-3.6)."""
    cars, players = rounds.awaited_plots(state)
    for car in cars:
        for plots in layout.plots[car]:
            if not _against_plot(layout, state, plots[-1], None):
                yield from plots
    for player in players:
        for letter in (*layout.writable, None):
            yield PlotGhost(player, letter)
    yield Announce()


def car_actions(layout: Layout, state: State, car: int) -> tuple[Drive | Restart, ...]:
    """What a car may do on its turn: restarts, its plot, or on paper any allowed letter."""
    speed = state.speeds[car]
    if speed:
        if not state.setup.paper:
            return (Drive(layout.cars[car]),)
        return layout.drives[car][speed]
    occupied = state.cells
    restarts: list[Restart] = []
    for to, ways in layout.restarts(car, occupied[car]):
        if to not in occupied:
            restarts += ways
    return tuple(restarts) or (Drive(layout.cars[car]),)


# -- reasons, one function an action -----------------------------------------------------------


def _against_planning(state: State) -> tuple[Fact, ...]:
    """Plots may be noted only until they are announced (AS-4.1)."""
    if state.queue or state.setup.paper:
        return (Fact("AS-4.1", "plots-closed"),)
    return ()


def _against_number(
    layout: Layout, state: State, action: Number, player: int | None
) -> tuple[Fact, ...]:
    """On paper the numbers are announced before the first car of a round has moved (AS-4.1)."""
    broken = []
    if not state.setup.paper:
        broken.append(Fact("AS-3.1", "number-in-plot", action.car))
    elif state.order:
        broken.append(Fact("AS-4.1", "plots-closed"))
    plot = Plot(action.car, action.number, None)
    return _against_noting(layout, state, plot, player, broken)


def _against_plot(layout: Layout, state: State, plot: Plot, player: int | None) -> tuple[Fact, ...]:
    return _against_noting(layout, state, plot, player, list(_against_planning(state)))


def _against_noting(
    layout: Layout, state: State, plot: Plot, player: int | None, broken: list[Fact]
) -> tuple[Fact, ...]:
    """Why this may not be noted for a car, besides what is `broken` already."""
    car = layout.car_index[plot.car]
    owner = state.owners[car]
    if owner == NOBODY:
        return (*broken, Fact("AS-2.2", "plot-ownerless", plot.car))
    if owner == BANK:
        return (*broken, Fact("AS-7.1", "plot-for-ghost", plot.car))
    if owner in state.absent:
        return (*broken, _not_playing(state, owner))
    if player is not None and player != owner:
        broken.append(Fact("AS-3.1", "not-your-car", plot.car, other=player_name(state, owner)))
    if state.plots[car] is not None:
        broken.append(Fact("AS-3.1", "plotted-already", plot.car))
    if plot.number is not None:
        if plot.number not in layout.numbers[car]:
            broken.append(Fact("AS-3.1", "number-of-another", plot.car, amount=plot.number))
        elif plot.number not in rounds.free_numbers(layout, state, car):
            broken.append(Fact("AS-3.1", "number-used", plot.car, amount=plot.number))
    return tuple(broken)


def _against_ghost_plot(state: State, plot: PlotGhost, player: int | None) -> tuple[Fact, ...]:
    broken = list(_against_planning(state))
    who = _player(state, plot.player)
    if rounds.ghost_car(state) is None:
        broken.append(Fact("AS-7.1", "no-ghost", who))
    elif plot.player not in rounds.active_players(state):
        broken.append(_not_playing(state, plot.player))
    elif state.ghost_plots[plot.player] is not None:
        broken.append(Fact("AS-7.1", "ghost-plotted-already", who))
    if player is not None and player != plot.player:
        broken.append(Fact("AS-7.1", "not-your-letter", who))
    return tuple(broken)


def _against_prefer(state: State, action: Prefer, player: int | None) -> tuple[Fact, ...]:
    if not state.setup.colour_scoring:
        return (Fact("AS-7.4", "no-colour-scoring"),)
    if action.player not in rounds.active_players(state):
        return (_not_playing(state, action.player),)
    if player is not None and player != action.player:
        return (Fact("AS-7.4", "not-your-chips", _player(state, action.player)),)
    return ()


def _not_playing(state: State, player: int) -> Fact:
    """Why this player takes no part now."""
    who = _player(state, player)
    return (
        Fact("HR-1.2", "passed", who) if player in state.absent else Fact("HR-1.1", "given-up", who)
    )


def _against_turn(layout: Layout, state: State, car: int) -> tuple[Fact, ...]:
    """Cars move in rising order, after all numbers were announced (AS-4.1)."""
    queue = state.queue
    if rounds.may_move(state, car):
        return ()
    name = layout.cars[car]
    if state.owners[car] == NOBODY:
        return (Fact("AS-2.2", "ownerless-moves", name),)
    if not queue:
        return (Fact("AS-4.1", "not-announced", name),)
    if state.owners[car] in state.absent and state.plots[car] is None:
        return (_not_playing(state, state.owners[car]),)
    if car not in queue:
        return (Fact("AS-4.1", "moved-already", name, other=layout.cars[queue[0]]),)
    if not rounds.order_known(state):
        return (Fact("AS-7.1", "ghost-last", name),)
    return (Fact("AS-4.1", "not-its-turn", name, other=layout.cars[queue[0]]),)


def _against_drive(layout: Layout, state: State, drive: Drive) -> tuple[Fact, ...]:
    car = layout.car_index[drive.car]
    broken, speed = _against_turn(layout, state, car), state.speeds[car]
    if not speed:
        if drive.letter is not None:
            return (*broken, Fact("AS-4.5", "letter-void", drive.car, drive.letter))
        if rounds.can_restart(layout, state, car):
            return (*broken, Fact("AS-4.5", "must-restart", drive.car))
    elif state.setup.paper:
        if drive.letter is None:
            return (*broken, Fact("AS-3.2", "letter-needed", drive.car))
        if drive.letter not in layout.by_speed[speed]:
            return (*broken, Fact("AS-3.4", "gear", drive.car, drive.letter, amount=speed))
    elif drive.letter is not None:
        return (*broken, Fact("AS-4.1", "letter-noted", drive.car, drive.letter))
    return broken


def _against_restart(
    layout: Layout, state: State, action: Restart, player: int | None
) -> tuple[Fact, ...]:
    name = action.car
    car, to = layout.car_index[name], layout.cell_index[action.to]
    start = state.cells[car]
    broken = list(_against_turn(layout, state, car))
    if state.speeds[car]:
        at = layout.cells[start]
        return (*broken, Fact("AS-4.5", "moving", name, start=at, amount=state.speeds[car]))
    if player is not None and not broken and player not in rounds.movers_of(state, car):
        who = player_name(state, rounds.movers_of(state, car)[0])
        broken.append(Fact("AS-4.5", "not-your-car", name, other=who))
    if to not in layout.neighbours[start]:
        broken.append(Fact("AS-4.5", "not-beside", name, start=layout.cells[start], to=action.to))
        return tuple(broken)
    if to in state.cells:
        there = layout.cars[state.cells.index(to)]
        broken.append(Fact("AS-4.5", "occupied", name, to=action.to, other=there))
    way = layout.neighbours[start].index(to)
    turned = (heading(action.heading) - way + SIDES // 2) % SIDES - SIDES // 2
    if abs(turned) > LARGEST_TURN:
        broken.append(Fact("AS-4.5", "turned-too-far", name, action.heading, to=action.to))
    return tuple(broken)


def _player(state: State, player: int) -> str:
    if not 0 <= player < state.setup.players:
        raise SetupError(f"there is no player {player}; players are 0 to {state.setup.players - 1}")
    return player_name(state, player)
