"""A game as a log: its actions and the house's (HR), in order. The state is a replay of the log.

`Table` is a game's state with what the house paragraphs add: who is away, how it was ended, and
the way back. It is immutable; `House` judges and carries out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tableref.rules.house import (
    BreakOff,
    Correct,
    Draw,
    HouseAction,
    HouseRuling,
    Leave,
    Redo,
    Resign,
    Return,
    TakeBack,
    read_house,
)
from tableref.rules.surface import (
    Action,
    Due,
    Fact,
    Game,
    Outcome,
    Record,
    Refused,
    RulesError,
    Ruling,
)


class Done(NamedTuple):
    """One entry that can be taken back: the action, who did it, whether it showed something."""

    action: Action | HouseAction
    by: tuple[int, ...]
    revealed: bool


class Moment(NamedTuple):
    """A state of a game, who is away, and how the game was ended by agreement."""

    state: Any
    away: frozenset[int] = frozenset()
    result: Outcome | None = None


class Table(NamedTuple):
    """A game on the table now. `past` pairs each entry with the moment before it, oldest first;
    `future` each entry that was taken back with the moment after it, the next first."""

    now: Moment
    past: tuple[tuple[Done, Moment], ...] = ()
    future: tuple[tuple[Done, Moment], ...] = ()

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.now.state

    @property
    def away(self) -> frozenset[int]:
        """Players who left for a while (HR-1.2)."""
        return self.now.away


class House:
    """The house paragraphs (HR) around the rules of a game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def start(self, setup: Record, position: Record | None = None) -> Table:
        """A new game. SetupError"""
        if position is None:
            return Table(Moment(self.game.start(setup)))
        return Table(Moment(self.game.from_position(setup, position)))

    def read(self, record: Record) -> Action | HouseAction:
        """The action of a record, the game's or the house's. UnreadableAction"""
        return read_house(record, self.game) or self.game.read(record)

    def due(self, table: Table) -> Due:
        """What is awaited; nothing where the game is over, drawn or broken off."""
        return Due("over") if self.outcome(table) else self.game.due(table.state)

    def outcome(self, table: Table) -> Outcome | None:
        """How it ended, by the game's rules or by agreement (HR-1.3, HR-1.4)."""
        return table.now.result or self.game.outcome(table.state)

    def judge(
        self, table: Table, action: Action | HouseAction, player: int | None = None
    ) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        if isinstance(action, HouseAction):
            return Ruling(self._against(table, action))
        if table.now.result:
            return Ruling((Fact(table.now.result.paragraph, "ended"),))
        absent = [p for p in self.game.due(table.state).players if p in table.away]
        ruling = self.game.judge(table.state, action, player)
        if ruling.allowed and absent and len(absent) == len(self.game.due(table.state).players):
            return Ruling((Fact("HR-1.2", "away", self._name(table, absent[0])),))
        return ruling

    def apply(
        self, table: Table, action: Action | HouseAction, player: int | None = None
    ) -> tuple[Table, tuple[Fact, ...]]:
        """The next table and what happened. Refused where the action is not legal."""
        ruling = self.judge(table, action, player)
        if ruling.broken:
            raise Refused(ruling)
        if isinstance(action, TakeBack):
            done, before = table.past[-1]
            back = Table(before, table.past[:-1], ((done, table.now), *table.future))
            return back, (Fact("HR-2.1", "taken-back", self._told(table, done)),)
        if isinstance(action, Redo):
            done, later = table.future[0]
            again = Table(later, (*table.past, (done, table.now)), table.future[1:])
            return again, (Fact("HR-2.1", "redone", self._told(table, done)),)
        due = self.game.due(table.state)
        revealed = not isinstance(action, HouseAction) and self.game.reveals(table.state, action)
        done = Done(action, (player,) if player is not None else due.players, revealed)
        after, facts = self._carry_out(table, action)
        return Table(after, (*table.past, (done, table.now))), facts

    def _carry_out(
        self, table: Table, action: Action | HouseAction
    ) -> tuple[Moment, tuple[Fact, ...]]:
        now = table.now
        match action:
            case Resign(player):
                state, facts = self.game.resign(table.state, player)
                return now._replace(state=state), facts
            case Leave(player):
                fact = Fact("HR-1.2", "leaves", self._name(table, player))
                return now._replace(away=table.away | {player}), (fact,)
            case Return(player):
                fact = Fact("HR-1.2", "returns", self._name(table, player))
                return now._replace(away=table.away - {player}), (fact,)
            case Draw():
                players = tuple(range(len(self.game.players(table.state))))
                return now._replace(result=Outcome(players, "HR-1.3")), (Fact("HR-1.3", "drawn"),)
            case BreakOff():
                return now._replace(result=Outcome((), "HR-1.4")), (Fact("HR-1.4", "broken-off"),)
            case Correct():
                state = self.game.corrected(table.state, action.told())
                return now._replace(state=state), (Fact("HR-2.2", "corrected"),)
            case HouseRuling(let_stand):
                paragraph = self.game.judge(table.state, let_stand).paragraphs[0]
                state, facts = self.game.force(table.state, let_stand)
                return now._replace(state=state), (
                    Fact("HR-2.3", "let-stand", what=paragraph),
                    *facts,
                )
            case TakeBack() | Redo():
                raise RulesError("taking back is no step of its own")
            case _:
                state, facts = self.game.apply(table.state, action)
                return now._replace(state=state), facts

    # -- reasons ----------------------------------------------------------------------------------

    def _against(self, table: Table, action: HouseAction) -> tuple[Fact, ...]:
        match action:
            case TakeBack(player, agreed):
                return self._against_take_back(table, player, agreed)
            case Redo(agreed):
                if not table.future:
                    return (Fact("HR-2.1", "nothing-to-redo"),)
                return self._need_all(table, agreed, "HR-2.1")
            case BreakOff():
                return self._need_running(table)
            case Return(player):
                if player not in table.away:
                    return (Fact("HR-1.2", "not-away", self._name(table, player)),)
                return ()
            case Leave(player):
                if player in table.away:
                    return (Fact("HR-1.2", "away", self._name(table, player)),)
                return self._need_running(table)
            case Resign():
                return self._need_running(table)
            case Draw(agreed):
                return self._need_running(table) or self._need_all(table, agreed, "HR-1.3")
            case Correct(agreed=agreed):
                return self._need_all(table, agreed, "HR-2.2")
            case HouseRuling(let_stand, agreed):
                if self.game.judge(table.state, let_stand).allowed:
                    return (Fact("HR-2.3", "not-refused"),)
                return self._need_all(table, agreed, "HR-2.3")
        raise RulesError(f"{action!r} is no action of the house")

    def _against_take_back(
        self, table: Table, player: int, agreed: tuple[int, ...]
    ) -> tuple[Fact, ...]:
        """The last action by who made it; across a throw or a reveal only if all agree."""
        if not table.past:
            return (Fact("HR-2.1", "nothing-to-take-back"),)
        done = table.past[-1][0]
        if (done.revealed or player not in done.by) and (short := self._short(table, agreed)):
            case = "shown-since" if done.revealed else "not-yours"
            return (Fact("HR-2.1", case, self._name(table, player), other=short),)
        return ()

    def _need_running(self, table: Table) -> tuple[Fact, ...]:
        outcome = self.outcome(table)
        return (Fact(outcome.paragraph, "ended"),) if outcome else ()

    def _need_all(self, table: Table, agreed: tuple[int, ...], paragraph: str) -> tuple[Fact, ...]:
        short = self._short(table, agreed)
        return (Fact(paragraph, "not-all-agree", other=short),) if short else ()

    def _short(self, table: Table, agreed: tuple[int, ...]) -> str:
        """Names of the players who have not agreed; empty where all have."""
        names = self.game.players(table.state)
        return ", ".join(name for player, name in enumerate(names) if player not in agreed)

    def _name(self, table: Table, player: int) -> str:
        return self.game.players(table.state)[player]

    def _told(self, table: Table, done: Done) -> str:
        if isinstance(done.action, HouseAction):
            return next(iter(done.action.record()))
        return self.game.text(table.state, done.action)
