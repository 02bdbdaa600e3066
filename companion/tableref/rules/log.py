"""A game as a log: its actions and the house's (HR), in order. The state is a replay of the log.

`Table` is a game's state with what the house paragraphs add: who is away, how it was ended, and
the way back. It is immutable; `House` judges and carries out.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

from tableref.rules.house import (
    BROKEN_OFF,
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
    TakeUp,
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
    UnreadableAction,
)


@runtime_checkable
class PassesOver(Protocol):
    """A game that can go on without a player who is away (HR-1.2)."""

    def passed_over(self, state: Any, absent: frozenset[int]) -> tuple[Any, tuple[Fact, ...]]:
        """The state in which these players, and no others, are passed over; what happened."""
        ...


@runtime_checkable
class Reveals(Protocol):
    """A game with hidden pieces, in which a refused action shows some (SQ-6.1)."""

    def learned(self, state: Any, action: Action) -> tuple[Action, ...]:
        """The pieces that a refused action has shown, as actions."""
        ...


@runtime_checkable
class Hides(Protocol):
    """A game in which the text of an action may tell what only its player knows."""

    def public_text(self, state: Any, action: Action) -> str:
        """The action in short notation, with `?` for what is hidden; of a note that nobody else may
        read only for whom it is, and `NOTE` behind it."""
        ...


class Done(NamedTuple):
    """One entry of the log: the action, who did it, whether it showed something, and whether it
    followed by itself what a person did before it: it is taken back together with that."""

    action: Action | HouseAction
    by: tuple[int, ...]
    revealed: bool
    followed: bool = False


class Moment(NamedTuple):
    """A state of a game, who is away, who of them is passed over, who has given up, and how the
    game was ended by agreement. `entered`: rounds whose plots the table had at hand and entered."""

    state: Any
    away: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    result: Outcome | None = None
    entered: int = 0


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
        of_house = read_house(record, self.game)
        # Not `or`: an action without fields is an empty tuple.
        return self.game.read(record) if of_house is None else of_house

    def due(self, table: Table) -> Due:
        """What is awaited; nothing where the game is over, drawn or broken off."""
        return Due("over") if self.outcome(table) else self.game.due(table.state)

    def outcome(self, table: Table) -> Outcome | None:
        """How it ended, by the game's rules or by agreement (HR-1.3, HR-1.4)."""
        return table.now.result or self.game.outcome(table.state)

    def facts(self, table: Table) -> dict[str, Any]:
        """The game's facts, and what the house adds to them where there is any: `away`, and
        `ended`, the paragraph of the agreement."""
        told = self.game.facts(table.state)
        if table.away:
            told["away"] = sorted(table.away)
        if table.now.result:
            told["ended"] = table.now.result.paragraph
        return told

    def judge(
        self, table: Table, action: Action | HouseAction, player: int | None = None
    ) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        if isinstance(action, HouseAction):
            return Ruling(self._against(table, action))
        if table.now.result:
            return Ruling((Fact(table.now.result.paragraph, "ended"),))
        ruling = self.game.judge(table.state, action, player)
        if ruling.broken or not table.away or action == self.game.forced(table.state):
            return ruling
        due = self.game.due(table.state).players
        missed = player if player is not None else next(iter(due), None)
        if missed in table.away and (player is not None or table.away.issuperset(due)):
            return Ruling((Fact("HR-1.2", "away", self._name(table, missed)),))
        return ruling

    def learned(self, table: Table, action: Action | HouseAction) -> tuple[Action, ...]:
        """What a refused action has shown all the same, as actions (SQ-6.1): who shows a hidden
        piece has shown it, though the move is taken back."""
        if isinstance(action, HouseAction) or not isinstance(self.game, Reveals):
            return ()
        return self.game.learned(table.state, action)

    def apply(
        self,
        table: Table,
        action: Action | HouseAction,
        player: int | None = None,
        followed: bool = False,
    ) -> tuple[Table, tuple[Fact, ...]]:
        """The next table and what happened; `followed`: it came by itself, nobody chose it.
        Refused where the action is not legal."""
        ruling = self.judge(table, action, player)
        if ruling.broken:
            raise Refused(ruling)
        if isinstance(action, TakeBack):
            return self._taken_back(table)
        if isinstance(action, Redo):
            return self._redone(table)
        revealed = self._reveals(table, action)
        done = Done(action, self._makers(table, action, player), revealed, followed)
        after, facts = self._carry_out(table, action)
        return Table(after, (*table.past, (done, table.now))), facts

    def _taken_back(self, table: Table) -> tuple[Table, tuple[Fact, ...]]:
        """Back to before the last thing that a person did, with all that followed it (HR-2.1)."""
        now, past, future = table
        while True:
            done, before = past[-1]
            past, future, now = past[:-1], ((done, now), *future), before
            if not done.followed:
                return Table(now, past, future), (self._told("taken-back", now, done),)

    def _redone(self, table: Table) -> tuple[Table, tuple[Fact, ...]]:
        """What was taken back last, and all that followed it (HR-2.1)."""
        now, past, future = table
        fact = self._told("redone", now, future[0][0])
        while True:
            done, later = future[0]
            past, future, now = (*past, (done, now)), future[1:], later
            if not future or not future[0][0].followed:
                return Table(now, past, future), (fact,)

    def _makers(
        self, table: Table, action: Action | HouseAction, player: int | None
    ) -> tuple[int, ...]:
        """Who makes an action, and so may take it back."""
        match action:
            case Resign(maker) | Leave(maker) | Return(maker):
                return (maker,)
            case Draw(agreed) | Correct(agreed=agreed) | HouseRuling(agreed=agreed):
                return agreed
        return (player,) if player is not None else self.game.due(table.state).players

    def _reveals(self, table: Table, action: Action | HouseAction) -> bool:
        if isinstance(action, HouseRuling):
            return self.game.reveals(table.state, action.action)
        return not isinstance(action, HouseAction) and self.game.reveals(table.state, action)

    def _carry_out(
        self, table: Table, action: Action | HouseAction
    ) -> tuple[Moment, tuple[Fact, ...]]:
        now = table.now
        match action:
            case Resign(player):
                state, facts = self.game.resign(now.state, player)
                return now._replace(
                    state=state,
                    away=now.away - {player},
                    passed=now.passed - {player},
                    gone=now.gone | {player},
                ), facts
            case Leave(player, agreed):
                after = now._replace(away=now.away | {player})
                if not agreed:
                    return after, (Fact("HR-1.2", "leaves", self._name(table, player)),)
                fact = Fact("HR-1.2", "passed-over", self._name(table, player))
                return self._passing_over(after, now.passed | {player}, fact)
            case Return(player):
                after = now._replace(away=now.away - {player})
                fact = Fact("HR-1.2", "returns", self._name(table, player))
                return self._passing_over(after, now.passed - {player}, fact)
            case Draw():
                players = tuple(self._playing(table))
                return now._replace(result=Outcome(players, "HR-1.3")), (Fact("HR-1.3", "drawn"),)
            case BreakOff():
                return now._replace(result=Outcome((), BROKEN_OFF)), (Fact("HR-1.4", "broken-off"),)
            case TakeUp():
                return now._replace(result=None), (Fact("HR-1.4", "taken-up"),)
            case Correct():
                state = self.game.corrected(now.state, action.told())
                return now._replace(state=state), (Fact("HR-2.2", "corrected"),)
            case HouseRuling(let_stand):
                paragraph = self.game.judge(now.state, let_stand).paragraphs[0]
                state, facts = self.game.force(now.state, let_stand)
                return now._replace(state=state), (
                    Fact("HR-2.3", "let-stand", what=paragraph),
                    *facts,
                )
            case TakeBack() | Redo():
                raise RulesError("taking back is no step of its own")
            case _:
                state, facts = self.game.apply(now.state, action)
                return now._replace(state=state), facts

    def _passing_over(
        self, after: Moment, passed: frozenset[int], fact: Fact
    ) -> tuple[Moment, tuple[Fact, ...]]:
        """The game goes on with these players passed over (HR-1.2)."""
        if passed == after.passed:
            return after, (fact,)
        assert isinstance(self.game, PassesOver)
        state, facts = self.game.passed_over(after.state, passed)
        return after._replace(state=state, passed=passed), (fact, *facts)

    # -- reasons ----------------------------------------------------------------------------------

    def _against(self, table: Table, action: HouseAction) -> tuple[Fact, ...]:
        match action:
            case TakeBack(player, agreed):
                self._check(table, player)
                return self._against_take_back(table, player, agreed)
            case Redo(agreed):
                if not table.future:
                    return (Fact("HR-2.1", "nothing-to-redo"),)
                return self._need_all(table, agreed, "HR-2.1")
            case Resign(player):
                return self._need_running(table, "HR-1.1") or self._gone(table, player)
            case Leave():
                return (
                    self._need_running(table, "HR-1.2")
                    or self._gone(table, action.player)
                    or self._against_leave(table, action)
                )
            case Return(player):
                self._check(table, player)
                if player not in table.away:
                    return (Fact("HR-1.2", "not-away", self._name(table, player)),)
                return ()
            case Draw(agreed):
                return self._need_running(table, "HR-1.3") or self._need_all(
                    table, agreed, "HR-1.3"
                )
            case BreakOff():
                return self._need_running(table, "HR-1.4")
            case TakeUp():
                broken_off = table.now.result and table.now.result.paragraph == "HR-1.4"
                return () if broken_off else (Fact("HR-1.4", "not-broken-off"),)
            case Correct(agreed=agreed):
                return self._need_all(table, agreed, "HR-2.2")
            case HouseRuling(let_stand, agreed):
                if over := self._need_running(table, "HR-2.3"):
                    return over
                if self.game.judge(table.state, let_stand).allowed:
                    return (Fact("HR-2.3", "not-refused"),)
                return self._need_all(table, agreed, "HR-2.3")
        raise RulesError(f"{action!r} is no action of the house")

    def _against_leave(self, table: Table, leave: Leave) -> tuple[Fact, ...]:
        """Who is away already may still be passed over, if all others agree now."""
        player, agreed = leave
        who = self._name(table, player)
        if player in table.now.passed:
            return (Fact("HR-1.2", "passed", who),)
        if not agreed:
            return (Fact("HR-1.2", "away", who),) if player in table.away else ()
        others = [p for p in self._playing(table) if p != player and p not in table.away]
        if not others or not isinstance(self.game, PassesOver):
            return (Fact("HR-1.2", "cannot-pass-over", who),)
        short = ", ".join(self._name(table, p) for p in others if p not in agreed)
        return (Fact("HR-1.2", "not-all-agree", who, other=short),) if short else ()

    def _against_take_back(
        self, table: Table, player: int, agreed: tuple[int, ...]
    ) -> tuple[Fact, ...]:
        """The last action by who made it; across a throw or a reveal only if all agree."""
        back: list[Done] = []
        for done, _ in reversed(table.past):
            back.append(done)
            if not done.followed:
                break
        else:  # at the start, whatever followed it by itself
            return (Fact("HR-2.1", "nothing-to-take-back"),)
        revealed = any(done.revealed for done in back)
        if (revealed or player not in back[-1].by) and (short := self._short(table, agreed)):
            case = "shown-since" if revealed else "not-yours"
            return (Fact("HR-2.1", case, self._name(table, player), other=short),)
        return ()

    def _need_running(self, table: Table, paragraph: str) -> tuple[Fact, ...]:
        if table.now.result:
            return (Fact(table.now.result.paragraph, "ended"),)
        return (Fact(paragraph, "over"),) if self.game.outcome(table.state) else ()

    def _gone(self, table: Table, player: int) -> tuple[Fact, ...]:
        self._check(table, player)
        if player in table.now.gone:
            return (Fact("HR-1.1", "given-up", self._name(table, player)),)
        return ()

    def _need_all(self, table: Table, agreed: tuple[int, ...], paragraph: str) -> tuple[Fact, ...]:
        short = self._short(table, agreed)
        return (Fact(paragraph, "not-all-agree", other=short),) if short else ()

    def _short(self, table: Table, agreed: tuple[int, ...]) -> str:
        """Names of the players who have not agreed; empty where all have. Those who are passed
        over are not asked."""
        asked = (p for p in self._playing(table) if p not in table.now.passed)
        return ", ".join(self._name(table, player) for player in asked if player not in agreed)

    def _playing(self, table: Table) -> list[int]:
        """Players who have not given up, by index."""
        everybody = range(len(self.game.players(table.state)))
        return [player for player in everybody if player not in table.now.gone]

    def _check(self, table: Table, player: int) -> None:
        if player >= len(self.game.players(table.state)):
            raise UnreadableAction("there is no player {who}; the first is 0", who=player)

    def _name(self, table: Table, player: int) -> str:
        return self.game.players(table.state)[player]

    def _told(self, case: str, before: Moment, done: Done) -> Fact:
        """What everybody may know of an entry: nothing that is hidden."""
        action = done.action
        if isinstance(action, HouseAction):
            text = next(iter(action.record()))
        elif isinstance(self.game, Hides):
            text = self.game.public_text(before.state, action)
        else:
            text = self.game.text(before.state, action)
        return Fact("HR-2.1", case, text)
