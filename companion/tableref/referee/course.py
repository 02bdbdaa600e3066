"""A step under way: rows are noted, and what was found leads to a phase and to what is told."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tableref.referee.reopening import ask_record, keep_beside, keep_blinded, trouble_record
from tableref.referee.table import (
    Ask,
    Finding,
    Phase,
    Row,
    TableState,
    Told,
    Trouble,
)
from tableref.referee.verdict import Verdict
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put
from tableref.rules.house import HouseAction, Redo, TakeBack
from tableref.rules.log import House, Table
from tableref.rules.pieces import Stack
from tableref.rules.surface import Action, Fact


class Step(NamedTuple):
    """What a step leads to: the state, the journal's rows, and what the devices are told."""

    state: TableState
    rows: tuple[Row, ...] = ()
    told: Told = Told()


class Course(NamedTuple):
    """A step under way: the state so far, the rows and facts so far."""

    state: TableState
    rows: tuple[Row, ...] = ()
    facts: tuple[Fact, ...] = ()


class Clerk:
    """Notes what happens at the table of one game. It keeps no state of its own."""

    def __init__(self, game: TableGame[Any]) -> None:
        self.game, self.house = game, House(game)

    # -- rows -------------------------------------------------------------------------------------

    def note(self, course: Course, row: Row, facts: tuple[Fact, ...] = ()) -> Course:
        """The course with one more row."""
        row.data["frame"] = course.state.frame
        state = course.state._replace(rows=course.state.rows + 1)
        return Course(state, (*course.rows, row), (*course.facts, *facts))

    def notice(self, state: TableState, key: str, values: Mapping[str, str] | None = None) -> Step:
        """Says something that changes nothing, as why what was entered does not; what was asked
        stays asked."""
        data = {"notice": key, **({"values": dict(values)} if values else {})}
        course = self.note(Course(state), Row("notice", data))
        return Step(course.state, course.rows, Told((), state.trouble, state.ask))

    def carry_out(
        self,
        course: Course,
        action: Action | HouseAction,
        player: int | None = None,
        followed: bool = False,
    ) -> Course:
        """Applies an action and notes it; a round and the game may end by it. `followed`: it came
        by itself. Refused"""
        state, before = course.state, course.state.table
        table, facts = self.house.apply(before, action, player, followed)
        data = {
            "action": action.record(),
            "player": player,
            "facts": [fact._asdict() for fact in facts],
            "plots_left": len(state.coming),
            "followed": followed,
        }
        left_over = self.left_over(before, action)
        state = state._replace(
            table=table,
            told="",
            trouble=None,
            ask=None,
            looked=-1.0,
            left_over=left_over,
            supposed=(),
        )
        if self.house.due(before).kind == "throw" and not isinstance(action, HouseAction):
            state = state._replace(tray="")
        if state.switches is not None:
            state = state._replace(switches=state.switches.accounted())
        course = self.note(course._replace(state=state), Row("action", data), facts)
        for row in self._milestones(before, table):
            course = self.note(course, row)
        if self.house.outcome(table):
            course = course._replace(state=course.state._replace(phase=Phase.OVER))
        elif state.phase is Phase.OVER:  # taken back, or taken up again
            course = course._replace(state=course.state._replace(phase=Phase.WAITING))
        return course

    def left_over(self, before: Table, action: Action | HouseAction) -> Mapping[str, Stack] | None:
        """What stands on the board until hands have put it as it is after a take back or a redo;
        as long as it does, nobody has done that again."""
        return self.game.board(before.state) if isinstance(action, TakeBack | Redo) else None

    def carry_out_all(self, course: Course, answer: Answer) -> Course:
        """All actions of an answer, and what follows each by itself. Refused"""
        for action in answer.actions:
            course = self.go_on(self.carry_out(course, action))
        return course

    def carry_out_found(self, course: Course, found: Verdict) -> Course:
        """What was found to be done; with a word, where it was taken for the fewest moves."""
        course = self.carry_out_all(course, found.answers[0])
        return self.note(course, Row("notice", {"notice": "fewest"})) if found.fewest else course

    def led(self, state: TableState, actions: tuple[Action, ...]) -> Any:
        """The game's state after these actions, and what follows each by itself."""
        return self.carry_out_all(Course(state), Answer(actions, None)).state.table.state

    def thrown_after(self, state: TableState, unseen: Iterable[Answer]) -> tuple[Answer, ...]:
        """Of what may be done unseen, the end of a turn after which the next player throws what was
        handed over; it is said by nobody, and follows from his move."""
        ended = [one for one in unseen if self.game.throws(one.state) is not None]
        led = (Answer(one.actions, self.led(state, one.actions)) for one in ended)
        return tuple(one for one in led if self.game.throws(one.state) is None)

    def _milestones(self, before: Table, after: Table) -> list[Row]:
        told = self.game.milestones(before.state, after.state)
        rows = [Row(milestone.kind, dict(milestone.data)) for milestone in told]
        outcome = self.house.outcome(after)
        if outcome and not self.house.outcome(before):
            score = self.game.score(after.state)
            counted = {score.unit: list(score.of)} if score else {}
            winners = list(outcome.winners)
            rows.append(Row("end", {**counted, "winners": winners, "paragraph": outcome.paragraph}))
        return rows

    def go_on(self, course: Course) -> Course:
        """What follows by itself: plots and throws at hand are entered, moves that change nothing
        on the board are ruled, for nobody could be seen making them."""
        while True:
            state = course.state
            due = self.house.due(state.table)
            if due.kind == "plot" and state.coming:
                course = self._plot(course)
                continue
            if due.kind == "throw" and (throw := self._coming_throw(state)) is not None:
                action = self.house.read(throw)
                ruling = self.house.judge(state.table, action)
                if ruling.broken:
                    data = {"action": dict(throw), "paragraphs": list(ruling.paragraphs)}
                    return self.note(course, Row("refused", data), ruling.broken)
                course = self.carry_out(course, action, followed=True)
                continue
            unseen = self.game.unseen_move(state.table.state) if due.kind != "over" else None
            if unseen is None:
                return course
            course = self.carry_out(course, unseen, followed=True)

    def _coming_throw(self, state: TableState) -> Mapping[str, Any] | None:
        """The next throw that was handed over; one that was taken back is at hand again."""
        if not state.throws:
            return None
        used = sum(
            self.game.due(before.state).kind == "throw" and not isinstance(done.action, HouseAction)
            for done, before in state.table.past
        )
        return state.throws[used] if used < len(state.throws) else None

    def _plot(self, course: Course) -> Course:
        """Enters the plots of the next round; nobody may plot any more, so they are announced."""
        state = course.state
        course = course._replace(state=state.with_entered(state.table.now.entered + 1))
        for record in state.coming[0]:
            action = self.house.read(record)
            ruling = self.house.judge(course.state.table, action)
            if ruling.broken:
                data = {"action": dict(record), "paragraphs": list(ruling.paragraphs)}
                course = self.note(course, Row("refused", data), ruling.broken)
                continue
            course = self.carry_out(course, action, followed=True)
        closing = self.game.forced(course.state.table.state, closing=True)
        if closing is not None and self.house.due(course.state.table).kind == "plot":
            course = self.carry_out(course, closing, followed=True)
        return course

    # -- findings ---------------------------------------------------------------------------------

    def clear(self, course: Course) -> Course:
        """The board is as it was: what was told before no longer holds."""
        state = course.state
        if state.told:
            course = self.note(course, Row("cleared", {}))
        return course._replace(state=course.state._replace(told="", trouble=None, ask=None))

    def suppose(self, course: Course, ways: Iterable[Answer]) -> Course:
        """One of these may have been done, and nobody has told which: later pictures may."""
        state = course.state
        supposed = tuple(Answer(way.actions, self.led(state, way.actions)) for way in ways)
        if supposed == state.supposed:
            return course
        records = [[action.record() for action in way.actions] for way in supposed]
        course = course._replace(state=state._replace(supposed=supposed))
        return self.note(course, Row("supposed", {"ways": records}))

    def found(self, course: Course, finding: Finding) -> Step:
        """Where this finding leads."""
        state = course.state
        if state.phase is not Phase.OVER:
            state = state.after(finding)
        return Step(state, course.rows, Told(course.facts, state.trouble, state.ask))

    def ask(self, course: Course, finding: Finding, ask: Ask, beside: bool = False) -> Step:
        """Asks, once for as long as it is the same question. `beside`: of something beside the
        board, of dice or of what was entered; a board that is as it was does not answer it."""
        state = course.state._replace(ask=ask, trouble=None)
        key = f"{ask.key} {sorted(ask.values.items())} {ask.about} {self._told(state, ask)}"
        if key != state.told:
            data = {"key": key, "question": ask.key, **ask.values, **ask_record(self.game, state)}
            keep_blinded(data, state, finding)
            keep_beside(data, beside)
            course = self.note(course._replace(state=state), Row("question", data))
            state = course.state._replace(told=key, asked=course.state.rows)
        state = state._replace(ask=ask._replace(number=state.asked))
        state = state.open_is_beside() if beside else state
        return self.found(course._replace(state=state), finding)

    def awaiting(self, course: Course, ask: Ask | None, finding: Finding) -> Step:
        """Waits for this. It has no row of its own, so its number is that of the last one, and it
        keeps it for as long as the same is awaited."""
        state, before = course.state, course.state.ask
        if ask is not None:
            same = before is not None and before._replace(number=0) == ask
            ask = ask._replace(number=before.number if same and before else state.rows)
        return self.found(course._replace(state=state._replace(ask=ask)), finding)

    def _told(self, state: TableState, ask: Ask) -> int:
        """A number that is another for other answers."""
        inner = state.table.state
        texts = [self.game.text(inner, one) for answer in ask.answers for one in answer.actions]
        return zlib.crc32(";".join(texts).encode())

    def trouble(self, course: Course, trouble: Trouble, beside: bool = False) -> Step:
        """Says what does not fit, once for as long as it is the same; `beside` as of a question."""
        key = f"{trouble.piece} {[f.paragraph for f in trouble.reasons]} {_put_key(trouble.put)}"
        state = course.state._replace(trouble=trouble, ask=None)
        if key != state.told:
            data = {
                "key": key,
                "piece": trouble.piece,
                "paragraphs": list(dict.fromkeys(f.paragraph for f in trouble.reasons)),
                "facts": [fact._asdict() for fact in trouble.reasons],
                "put": put_records(trouble.put),
                "expected": put_records(trouble.expected),
                "stands": list(trouble.stands),
                **trouble_record(trouble),
            }
            keep_blinded(data, state)
            keep_beside(data, beside)
            course = self.note(course._replace(state=state), Row("trouble", data))
            state = course.state._replace(told=key, asked=course.state.rows)
        state = state._replace(trouble=trouble._replace(number=state.asked))
        state = state.open_is_beside() if beside else state
        return self.found(course._replace(state=state), Finding.WRONG)


def name_of(put: Put) -> str:
    """What the piece of a put is called; where nobody knows it, the cell that it stands on."""
    return put.piece.called if put.piece else put.start


def put_words(put: Put) -> dict[str, str]:
    """What fills in a sentence about a put."""
    return {"who": name_of(put), "to": put.to, "other": put.piece.facing if put.piece else ""}


def put_records(puts: tuple[Put, ...]) -> list[dict[str, str]]:
    """Puts as events have them: piece, where it goes (empty: off the board), how it points there,
    and where it stands now (empty: unseen)."""
    return [
        {
            "id": name_of(put),
            "cell": put.to,
            "heading": put.piece.facing if put.piece else "",
            "from": put.start,
        }
        for put in puts
    ]


def _put_key(puts: tuple[Put, ...]) -> str:
    return "; ".join(f"{put.piece.text if put.piece else ''} {put.start}>{put.to}" for put in puts)
