"""The course of a round: plots, announcement, turns in rising order, end (AS-3, AS-4.1, AS-6)."""

from __future__ import annotations

from tableref.rules.autoscooter import purses
from tableref.rules.autoscooter.actions import Plot, PlotGhost
from tableref.rules.autoscooter.layout import BARRIER, Layout
from tableref.rules.autoscooter.state import BANK, State
from tableref.rules.autoscooter.turn import Turn, player_name
from tableref.rules.surface import Fact


def driven_cars(state: State) -> tuple[int, ...]:
    """Cars that players at the table drive, in log-sheet order; the ghost is none of them."""
    return tuple(
        car for car, owner in enumerate(state.owners) if owner >= 0 and owner not in state.absent
    )


def ghost_car(state: State) -> int | None:
    """The car that all drive (AS-7.1), or None."""
    return state.owners.index(BANK) if BANK in state.owners else None


def remaining_players(state: State) -> tuple[int, ...]:
    """Players who have not given up, by index."""
    return tuple(sorted({owner for owner in state.owners if owner >= 0}))


def active_players(state: State) -> tuple[int, ...]:
    """Players who are not passed over either (HR-1.2), by index."""
    return tuple(player for player in remaining_players(state) if player not in state.absent)


def awaited_plots(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cars without a plot, and players who noted no letter for the ghost."""
    cars = tuple(car for car in driven_cars(state) if state.plots[car] is None)
    if ghost_car(state) is None:
        return cars, ()
    players = tuple(p for p in active_players(state) if state.ghost_plots[p] is None)
    return cars, players


def order_known(state: State) -> bool:
    """Whether it is known in which order the cars move: on paper once all numbers were told."""
    if not state.setup.paper:
        return True
    return all(state.plots[car] is not None for car in driven_cars(state))


def awaited_numbers(state: State) -> tuple[int, ...]:
    """Cars whose numbers may be told, of plots on paper: until one has moved (AS-4.1)."""
    if not state.setup.paper or state.order or not state.queue:
        return ()
    return tuple(car for car in driven_cars(state) if state.plots[car] is None)


def may_move(state: State, car: int) -> bool:
    """Whether this car may move next: the first of the order; where nobody told that any, but the
    ghost only when all others have moved (AS-7.1)."""
    queue = state.queue
    if order_known(state):
        return bool(queue) and queue[0] == car
    return car in queue and (state.owners[car] != BANK or len(queue) == 1)


def next_cars(state: State) -> tuple[int, ...]:
    """Cars of which one moves next."""
    if order_known(state):
        return state.queue[:1]
    return tuple([car for car in state.queue if may_move(state, car)])


def free_numbers(layout: Layout, state: State, car: int) -> tuple[int, ...]:
    """Numbers of the car's column that are not crossed out, from the top (AS-3.1)."""
    used = state.used[car]
    return tuple(n for row, n in enumerate(layout.numbers[car]) if not used >> row & 1)


def announce(layout: Layout, state: State) -> tuple[State, tuple[Fact, ...]]:
    """Fixes the order of the round; a missing number is the highest free one (AS-3.7, AS-4.1)."""
    facts: list[Fact] = []
    plots = list(state.plots)
    numbers: dict[int, int] = {}
    for car in driven_cars(state):
        name = layout.cars[car]
        plot = plots[car] or Plot(name, None, None)
        number = plot.number
        if number is None:
            number = max(free_numbers(layout, state, car))
            facts.append(Fact("AS-3.7", "no-number", name, amount=number))
        plots[car], numbers[car] = plot._replace(number=number), number
    order = tuple(sorted(numbers, key=numbers.__getitem__))
    facts.append(Fact("AS-4.1", "order", what=", ".join(layout.cars[car] for car in order)))
    return begin(state._replace(plots=tuple(plots)), order), tuple(facts)


def numbered(layout: Layout, state: State, plot: Plot) -> tuple[State, tuple[Fact, ...]]:
    """On paper a car's number is told; with the last of them the order is known (AS-4.1)."""
    plots = list(state.plots)
    plots[layout.car_index[plot.car]] = plot
    after = state._replace(plots=tuple(plots))
    facts = [Fact("AS-4.1", "number", plot.car, amount=plot.number or 0)]
    if order_known(after):
        told = {car: plots[car] for car in driven_cars(after)}
        order = sorted(told, key=lambda car: (told[car] or plot).number or 0)
        ghost = [car for car in state.queue if car not in told]
        facts.append(Fact("AS-4.1", "order", what=", ".join(layout.cars[car] for car in order)))
        after = after._replace(queue=(*order, *ghost))
    return after, tuple(facts)


def begin(state: State, order: tuple[int, ...]) -> State:
    """The round in which these cars move, and the ghost right after the last (AS-7.1)."""
    ghost = ghost_car(state)
    queue = order if ghost is None or not order else (*order, ghost)
    return state._replace(order=order, queue=queue)


def ghost_driver(state: State) -> int:
    """The player whose car has the round's highest number (AS-7.1), of those who still play."""
    active = active_players(state)
    drivers = [state.owners[car] for car in state.order if state.owners[car] in active]
    return drivers[-1] if drivers else active[0]


def movers_of(state: State, car: int) -> tuple[int, ...]:
    """Who acts for a car in this round; on paper nobody tells whose letter moves the ghost."""
    owner = state.owners[car]
    if owner == BANK:
        return active_players(state) if state.setup.paper else (ghost_driver(state),)
    return (owner,)


def noted_letter(state: State, car: int) -> str | None:
    """The letter that holds for a car in this round, as noted; None where there is none."""
    if state.owners[car] == BANK:
        ghost_plot: PlotGhost | None = state.ghost_plots[ghost_driver(state)]
        return ghost_plot.letter if ghost_plot else None
    plot = state.plots[car]
    return plot.letter if plot else None


def can_restart(layout: Layout, state: State, car: int) -> bool:
    """Whether a car at speed 0 has a free neighbouring hex (AS-4.5, AS-4.6)."""
    return any(
        cell != BARRIER and cell not in state.cells for cell in layout.neighbours[state.cells[car]]
    )


def turn_over(layout: Layout, turn: Turn, car: int) -> tuple[State, tuple[Fact, ...]]:
    """The state after a car's turn: its number is crossed out, and the next car, the next round
    or the end has come."""
    state, money = turn.state, turn.money
    used, order = state.used, state.order
    plot = state.plots[car]
    number = plot.number if plot else None
    # A house ruling may have let a number of another column stand: nothing to cross out (HR-2.3).
    if number is not None and number in layout.numbers[car]:
        crossed = used[car] | 1 << layout.numbers[car].index(number)
        used = (*used[:car], crossed, *used[car + 1 :])
    if state.setup.paper:
        # Nobody announced the order: it is what was seen.
        order = (*order, car)
    # Written out, because `_replace` takes twice as long and this is done for every car-move.
    after = State(
        setup=state.setup,
        owners=state.owners,
        cells=tuple(turn.cells),
        headings=tuple(turn.headings),
        speeds=tuple(turn.speeds),
        purses=tuple(money.purses) if money else state.purses,
        colours=money.frozen_colours() if money else state.colours,
        used=used,
        plots=state.plots,
        ghost_plots=state.ghost_plots,
        dealt=state.dealt,
        preferred=state.preferred,
        round=state.round,
        queue=tuple([other for other in state.queue if other != car]),
        order=order,
        absent=state.absent,
        ended=state.ended,
    )
    return (after, ()) if after.queue else round_over(layout, after)


def as_driven(layout: Layout, state: State) -> State:
    """The state when the next plots are awaited, with this round's numbers crossed out (AS-3.1) and
    no car moved. A car that noted no number loses the highest (AS-3.7); what a car will note that
    has noted nothing yet is not known."""
    used = list(state.used)
    for car, plot in enumerate(state.plots):
        if plot is not None:
            number = plot.number
            if number is None:
                number = max(free_numbers(layout, state, car))
            used[car] |= 1 << layout.numbers[car].index(number)
    return round_over(layout, state._replace(used=tuple(used)))[0]


def round_over(layout: Layout, state: State) -> tuple[State, tuple[Fact, ...]]:
    """The next round, or the end of the game after the last (AS-6.1)."""
    cars = len(state.owners)
    state = state._replace(
        queue=(),
        round=state.round + 1,
        plots=(None,) * cars,
        ghost_plots=(None,) * state.setup.players,
    )
    if state.round > layout.rounds:
        return ended(state, "AS-6.1")
    return (open_round(state) if state.setup.paper else state), ()


def open_round(state: State) -> State:
    """With plots on paper: any car may be the next."""
    ghost = ghost_car(state)
    queue = driven_cars(state) if ghost is None else (*driven_cars(state), ghost)
    return state._replace(queue=queue, order=())


def ended(state: State, paragraph: str) -> tuple[State, tuple[Fact, ...]]:
    """The game is over by this paragraph (AS-6.1, HR-1.1)."""
    state = state._replace(queue=(), ended=paragraph)
    won = winners(state)
    case = "wins" if len(won) == 1 else "shares"
    score = purses.scores(state)
    return state, tuple(
        Fact(paragraph, case, player_name(state, player), amount=score[player]) for player in won
    )


def winners(state: State) -> tuple[int, ...]:
    """Who has most; equal scores share the win (AS-6.1). Who gave up does not win (HR-1.1)."""
    score = purses.scores(state)
    players = remaining_players(state)
    best = max((score[player] for player in players), default=0)
    return tuple(player for player in players if score[player] == best)
