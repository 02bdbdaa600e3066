"""Chips: who has how many, of which colours, and how a payment is made (AS-2.1, AS-5.7, AS-7.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tableref.rules.autoscooter.layout import Layout
from tableref.rules.autoscooter.state import ALL_CHIPS, BANK, COLOUR_CHIPS, NOBODY, Setup, State
from tableref.rules.plain import only_known, table, whole
from tableref.rules.surface import SetupError


def purse_of(setup: Setup, owners: Sequence[int], car: int) -> int:
    """Index of the purse that pays for a car; the last is the bank's (AS-7.1, AS-7.5)."""
    if owners[car] in (BANK, NOBODY):
        return -1
    return car if setup.best_car else owners[car]


def first_purses(
    setup: Setup, owners: Sequence[int], chips_each: int
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Purses and their colours at set-up. The bank has what the players have not (AS-2.1)."""
    if not setup.colour_scoring:
        players = (chips_each,) * setup.players
        return (*players, ALL_CHIPS - sum(players)), ()
    cars = len(owners)
    holders = [
        car if setup.best_car else owner
        for car, owner in enumerate(owners)
        if owner >= 0 and (setup.best_car or owners.index(owner) == car)
    ]
    count = cars if setup.best_car else setup.players
    colours = [[0] * cars for _ in range(count)] + [[COLOUR_CHIPS] * cars]
    for purse in holders:
        colour = purse if setup.best_car else owners.index(purse)
        colours[purse][colour], colours[-1][colour] = COLOUR_CHIPS, 0
    return tuple(map(sum, colours)), tuple(map(tuple, colours))


class Money:
    """The purses while a turn is settled."""

    def __init__(self, layout: Layout, state: State) -> None:
        self._layout, self._state = layout, state
        self.purses = list(state.purses)
        self._colours: list[list[int]] | None = None

    def frozen_colours(self) -> tuple[tuple[int, ...], ...]:
        """The colours in each purse now; empty without AS-7.4."""
        return self._state.colours if self._colours is None else tuple(map(tuple, self._colours))

    def pay(self, payer: int, payee: int | None, amount: int) -> int:
        """Moves chips from a car's purse to another's or the bank's; returns how many (AS-5.7)."""
        setup, owners = self._state.setup, self._state.owners
        source = purse_of(setup, owners, payer)
        target = -1 if payee is None else purse_of(setup, owners, payee)
        paid = min(amount, self.purses[source])
        self.purses[source] -= paid
        self.purses[target] += paid
        if setup.colour_scoring and paid:
            if self._colours is None:
                self._colours = [list(purse) for purse in self._state.colours]
            order = self._tie_order(source, payer)
            for _ in range(paid):
                held = self._colours[source]
                colour = max(order, key=held.__getitem__)
                held[colour] -= 1
                self._colours[target][colour] += 1
        return paid

    def _tie_order(self, source: int, payer: int) -> Iterable[int]:
        """Colours in the order in which equally held ones are given away (AS-7.4)."""
        owner = self._state.owners[payer]
        told = self._state.preferred[owner] if owner >= 0 else None
        own = payer if self._state.setup.best_car or owner < 0 else self._state.dealt.index(owner)
        first = [own] if told is None else [told, own]
        return dict.fromkeys([*first, *range(len(self._layout.cars))])


def scores(state: State) -> tuple[int, ...]:
    """Score by player: chips (AS-6.1), chips x colours (AS-7.4), of his best car (AS-7.5)."""
    setup = state.setup
    if not setup.colour_scoring:
        return state.purses[:-1]
    worth = [
        chips * sum(count > 0 for count in colours)
        for chips, colours in zip(state.purses, state.colours, strict=True)
    ]
    if not setup.best_car:
        return tuple(worth[:-1])
    return tuple(
        max(worth[car] for car, owner in enumerate(state.dealt) if owner == player)
        for player in range(setup.players)
    )


def chips(state: State) -> tuple[int, ...]:
    """Chips of each player, over all his purses."""
    if not state.setup.best_car:
        return state.purses[:-1]
    return tuple(
        sum(state.purses[car] for car, owner in enumerate(state.dealt) if owner == player)
        for player in range(state.setup.players)
    )


def with_chips(state: State, told: object) -> State:
    """The purses set to these chips by player, a list or an object by index (HR-2.2).

    What the players gain or lose comes from the bank. SetupError
    """
    players, wanted = state.setup.players, list(chips(state))
    for key, count in told.items() if isinstance(told, dict) else enumerate(_list(told)):
        player = whole(_index(key), "chips: player", 0, players - 1)
        wanted[player] = whole(count, f"chips.{player}", 0, ALL_CHIPS)
    if state.setup.colour_scoring:
        if tuple(wanted) != chips(state):
            raise SetupError("chips: with colour scoring give `colours`, chips by colour (AS-7.4)")
        return state
    bank = sum(state.purses) - sum(wanted)
    if bank < 0:
        raise SetupError(f"chips: there are only {sum(state.purses)} in the game (AS-2.1)")
    return state._replace(purses=(*wanted, bank))


def told_colours(layout: Layout, state: State) -> dict[str, dict[str, int]]:
    """Chips by colour, of every player (by index), or with AS-7.5 of every car dealt."""
    return {
        key: {c: n for c, n in zip(layout.cars, state.colours[purse], strict=True) if n}
        for key, purse in _purse_keys(layout, state).items()
    }


def with_colours(layout: Layout, state: State, told: object) -> State:
    """The purses set to these chips, in the form of `told_colours`; the bank has the rest (HR-2.2).

    SetupError
    """
    keys = _purse_keys(layout, state) if state.setup.colour_scoring else {}
    if not isinstance(told, dict) or not set(told) <= set(keys):
        raise SetupError(f"colours: expected an object by {', '.join(keys) or 'nobody'} (AS-7.4)")
    colours = [list(purse) for purse in state.colours]
    for key, counts in told.items():
        only_known(table(told, key, "colours"), f"colours.{key}", layout.cars)
        colours[keys[key]] = [
            whole(counts.get(colour, 0), f"colours.{key}.{colour}", 0, COLOUR_CHIPS)
            for colour in layout.cars
        ]
    colours[-1] = [COLOUR_CHIPS - sum(column) for column in zip(*colours[:-1], strict=True)]
    if min(colours[-1]) < 0:
        raise SetupError(f"colours: there are {COLOUR_CHIPS} chips of a colour (AS-2.1)")
    return state._replace(colours=tuple(map(tuple, colours)), purses=tuple(map(sum, colours)))


def _purse_keys(layout: Layout, state: State) -> dict[str, int]:
    """What purses are called -> their index; the bank's is not among them."""
    if state.setup.best_car:
        return {layout.cars[car]: car for car, owner in enumerate(state.dealt) if owner >= 0}
    return {str(player): player for player in range(state.setup.players)}


def _index(key: object) -> object:
    """The number that a JSON object's key stands for; other things as they are."""
    return int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 3 else key


def _list(told: object) -> list[Any]:
    if not isinstance(told, list):
        raise SetupError(f"chips: expected a list by player, found {told!r}")
    return told


def forfeited(state: State, player: int) -> State:
    """All chips of a player who gave up go to the bank (HR-1.1)."""
    setup, purses_now = state.setup, list(state.purses)
    colours = [list(purse) for purse in state.colours]
    for purse in range(len(purses_now) - 1):
        if (state.dealt[purse] if setup.best_car else purse) != player:
            continue
        purses_now[-1] += purses_now[purse]
        purses_now[purse] = 0
        if colours:
            colours[-1] = [a + b for a, b in zip(colours[-1], colours[purse], strict=True)]
            colours[purse] = [0] * len(colours[purse])
    return state._replace(purses=tuple(purses_now), colours=tuple(map(tuple, colours)))
