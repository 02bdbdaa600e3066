"""The clock of a game: seconds that a player has, or those who play together, pure.

A time runs while the referee waits for him whose time it is, for his hand, or for him to put right
what was refused; it stands while the referee asks, while it cannot see, and while nobody is due. It
begins anew with each turn, or with each round. What it leads to is a bell and a word: what follows
is for the people at the table.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from tableref.referee.table import Phase, TableState
from tableref.rules.defaults import TableGame
from tableref.rules.log import House

RUNS = frozenset({Phase.WAITING, Phase.HAND, Phase.MOVED, Phase.REFUSED})
"""Phases in which the referee waits for something that is the player's; also where he is asked
which move he makes, since nothing sees it."""
PER = ("turn", "round")
"""After what the time begins anew."""


class Clock(NamedTuple):
    """How a game is timed: so many `seconds` for each `per`; a bell so many before their end, 0 for
    none; `shared` by those who play together."""

    seconds: int
    bell: int = 0
    per: str = "turn"
    shared: bool = False

    def record(self) -> dict[str, Any]:
        """As in a journal's head."""
        return self._asdict()

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Clock:
        """The clock of a journal's head. TypeError, ValueError"""
        clock = cls(**record)
        if not all(isinstance(n, int) and n >= 0 for n in clock[:2]) or clock.per not in PER:
            raise ValueError("it says of its clock what none can be")
        return clock


class Timer(NamedTuple):
    """Whose time it is (`who`), and of which turn or round (`span`); seconds that each player used
    up to `since`, from when on the time of all of `who` runs; None: it stands. `rung`: the bells
    that this time has had."""

    who: tuple[int, ...] = ()
    span: Hashable = None
    used: tuple[tuple[int, float], ...] = ()
    since: float | None = None
    rung: frozenset[int] = frozenset()

    def left(self, clock: Clock, now: float) -> float:
        """Seconds that are left to him whose time it is; to several, whoever has the least."""
        running = 0.0 if self.since is None else now - self.since
        used = dict(self.used)
        most = max((used.get(player, 0.0) for player in self.who), default=0.0)
        return clock.seconds - most - running


def followed(
    timer: Timer, clock: Clock, game: TableGame[Any], state: TableState, now: float
) -> Timer:
    """The timer once the table is in this state."""
    who, span = _whose(clock, game, state), _span(clock, game, state)
    entered = state.ask is not None and state.ask.key == "which-move"
    runs = bool(who) and (entered or state.phase in RUNS)
    used, rung = dict(timer.used), timer.rung
    if timer.since is not None:
        for player in timer.who:
            used[player] = used.get(player, 0.0) + now - timer.since
    if span != timer.span:
        used, rung = {}, frozenset()
    elif not set(who) <= set(timer.who):  # those who are left of several have heard it
        rung = frozenset()
    return Timer(who or timer.who, span, tuple(used.items()), now if runs else None, rung)


def due(timer: Timer, clock: Clock, now: float) -> tuple[Timer, int | None, float | None]:
    """The timer, the bell that rings now (the seconds that it says are left), and the seconds until
    the next one."""
    if timer.since is None:
        return timer, None, None
    left = timer.left(clock, now)
    for bell in sorted({clock.bell, 0} - timer.rung):
        if left <= bell < clock.seconds:
            # One that is past is said by this one.
            rung = timer.rung | {each for each in (clock.bell, 0) if each >= bell}
            return timer._replace(rung=rung), bell, 0.0
    coming = [left - bell for bell in {clock.bell, 0} - timer.rung if bell < left]
    return timer, None, min(coming, default=None)


def _span(clock: Clock, game: TableGame[Any], state: TableState) -> Hashable:
    """After what the time begins anew: by turn where there are no rounds."""
    number: Hashable = game.facts(state.table.state).get("round")
    return game.turn(state.table.state) if clock.per == "turn" or number is None else number


def _whose(clock: Clock, game: TableGame[Any], state: TableState) -> tuple[int, ...]:
    awaited = House(game).due(state.table)
    if awaited.kind == "over":
        return ()
    players = tuple(player for player in awaited.players if player not in state.table.away)
    if clock.shared and len(players) == 1:
        sides = game.sides(state.table.state)
        return next((side for side in sides if players[0] in side), players)
    return players
