"""The referee's step: table state and input -> table state and what to write and tell. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tableref.referee import fusion
from tableref.referee.inputs import (
    Act,
    CameraEnded,
    CameraTrouble,
    Choose,
    Input,
    LetStand,
    LinkGone,
    MatSeen,
    Occupied,
    Seen,
    Switched,
    TrayChosen,
    Unsteady,
)
from tableref.referee.reopening import ask_record, reopened, trouble_record
from tableref.referee.switches import felt
from tableref.referee.table import (
    BLINDING,
    Ask,
    Finding,
    Phase,
    Row,
    TableState,
    Told,
    Trouble,
    phase_after,
)
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put, explain, put_back
from tableref.rules.house import Correct, HouseAction, Redo, TakeBack
from tableref.rules.log import House, Table
from tableref.rules.pieces import EMPTY, Stack, spelled, text_of
from tableref.rules.surface import Action, Fact, Refused, RulesError
from tableref_hardware import Board
from tableref_vision.observation import Observation

SETUP_PARAGRAPHS = {"autoscooter": "AS-1.5"}
"""Game -> the paragraph that says how the pieces stand at the start."""

MOST_DISPLACED = 3
"""Pieces that may stand wrong before the referee asks instead of blaming one of them."""


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


class Referee:
    """Judges one game on one board. It keeps no state of its own."""

    def __init__(self, game: TableGame[Any], board: Board) -> None:
        self.game, self.board, self.house = game, board, House(game)

    def step(self, state: TableState, given: Input) -> Step:
        """The state after this input. The rows belong in the journal before anything is told."""
        match given:
            case Seen(observation):
                return self._seen(state, observation)
            case MatSeen() | TrayChosen():
                return Step(state)  # of a game without dice
            case Act(_, record, player):
                return self._act(state, dict(record), player)
            case LetStand(_, agreed, question):
                return self._let_stand(state, agreed, question)
            case Choose(_, choice, question):
                if not _is_open(state.ask, question):
                    return self._notice(state, "question-over")
                return self._choose(state, choice)
            case Switched() | Occupied() | Unsteady():
                return self._felt(state._replace(switches=felt(state.switches, given)))
            case LinkGone(_, message):
                course = Course(state._replace(switches=None))
                return self._ask(course, Finding.UNCLEAR, Ask("link", {"what": message}))
            case CameraTrouble(_, message):
                course = Course(state._replace(dark=True))
                return self._ask(course, Finding.NOT_IN_VIEW, Ask("camera", {"what": message}))
            case CameraEnded():
                if state.phase is Phase.OVER:
                    return Step(state)
                if state.phase is Phase.MOVED and state.unfinished is not None:
                    return self._trouble(Course(state), state.unfinished)
                return self._ask(Course(state), Finding.NOT_IN_VIEW, Ask("camera-ended", {}))

    def standing(self, state: TableState) -> Step:
        """What is told of a game that is taken up again: what is open, or what is awaited."""
        return Step(state, (), Told((), state.trouble, state.ask))

    def replayed(self, state: TableState, rows: Iterable[Row]) -> TableState:
        """The state after these rows of a journal: only what they say is needed."""
        for row in rows:
            state = self._after_row(state, row)
        return state

    def _after_row(self, state: TableState, row: Row) -> TableState:
        state = state._replace(frame=row.data.get("frame", state.frame), rows=state.rows + 1)
        match row.kind:
            case "action":
                action = self.house.read(row.data["action"])
                left = row.data.get("plots_left", len(state.coming))
                table = state.with_entered(len(state.plots) - left).table
                player, followed = row.data.get("player"), row.data.get("followed", False)
                after = self.house.apply(table, action, player, followed)[0]
                left_over = self._left_over(table, action)
                state = state._replace(table=after, told="", phase=Phase.WAITING, blinded=False)
                state = state._replace(left_over=left_over, trouble=None, ask=None)
            case "trouble" | "question" | "unfinished":
                state = reopened(self.game, state, row)
            case "set-up":
                state = state._replace(phase=Phase.WAITING, told="")
            case "cleared" | "distrusted":
                told = "" if row.kind == "cleared" else state.told
                state = state._replace(told=told, trouble=None, ask=None, blinded=False)
                state = state._replace(phase=phase_after(state.phase, Finding.AS_IT_WAS))
            case "answered":
                state = state._replace(told="", ask=None)
            case "end":
                state = state._replace(phase=Phase.OVER)
        return state

    # -- a look at the board ----------------------------------------------------------------------

    def _seen(self, state: TableState, observation: Observation) -> Step:
        state = state._replace(frame=observation.image, dark=False)
        course = Course(state)
        if state.phase is Phase.OVER:
            return Step(state)
        if observation.pose != "ok":
            ask = Ask("pose", {"code": observation.pose})
            return self._ask(course, Finding.NOT_IN_VIEW, ask)
        if observation.hand or not observation.still:
            return self._found(course, Finding.COVERED)
        switches = state.switches
        if switches is not None and observation.time < switches.changed:
            return Step(state)  # the picture is older than the last lift or put
        look = fusion.look(self.board, self.game.stacks, observation, switches)
        if state.phase is Phase.SETTING_UP:
            return self._set_up(course, look)
        return self._look(course, look)

    def _felt(self, state: TableState) -> Step:
        """The switches have told something. With the camera away they are looked at alone."""
        course, switches = Course(state), state.switches
        if switches is None or state.phase in (Phase.OVER, Phase.SETTING_UP):
            return Step(state)
        in_the_air = len(self.game.board(state.table.state)) - len(switches.occupied)
        if in_the_air > 0 and not switches.silent:
            return self._found(course, Finding.COVERED)
        if not state.dark:
            return Step(state)
        return self._look(course, fusion.look_blind(self.board, self.game.stacks, switches))

    def _set_up(self, course: Course, look: fusion.Look) -> Step:
        """The game begins once every piece is seen where it starts."""
        board = self.game.board(course.state.table.state)
        if look.doubts:
            return self._unclear(course, look)
        if not look.sighting.allows(board):
            puts = put_back(board, look.sighting)
            fact = Fact(SETUP_PARAGRAPHS[self.game.name], "set-up", _name(puts[0]), to=puts[0].to)
            return self._trouble(course, Trouble(_name(puts[0]), (fact,), puts))
        course = self._note(course, Row("set-up", {}))
        course = course._replace(state=course.state._replace(phase=Phase.WAITING))
        return self._found(self._go_on(course), Finding.RULED)

    def _look(self, course: Course, look: fusion.Look) -> Step:
        """Rules what the board shows to have happened, or says what does not fit."""
        state = course.state.table.state
        if any(doubt.kind in fusion.SENSOR_DOUBTS for doubt in look.doubts):
            return self._unclear(course, look)
        if look.sighting.allows(self.game.board(state)):
            # Unseen pieces may still stand where they stood; the others surely do.
            if look.doubts:
                return self._unclear(course, look)
            course = course._replace(state=course.state._replace(left_over=None))
            return self._found(self._clear(course), Finding.AS_IT_WAS)
        left_over = course.state.left_over
        if left_over is not None and look.sighting.allows(left_over):
            puts = put_back(self.game.board(state), look.sighting)
            return self._trouble(course, self._not_put_back(puts))
        coming = [self.house.read(r) for r in next(iter(course.state.coming), ())]
        explanation = explain(self.game, state, look.sighting, coming, course.state.blinded)
        sure = tuple(a for a in explanation.answers if self._changes_seen(state, a, look))
        if len(sure) == len(explanation.answers) == 1:
            for action in sure[0].actions:
                course = self._go_on(self._carry_out(course, action, None))
            board = self.game.board(course.state.table.state)
            if look.doubts and look.sighting.allows(board):
                return self._unclear(course, look)
            return self._found(course, Finding.RULED)
        if look.doubts:
            return self._unclear(course, look)
        if look.blind and not explanation.answers:
            return self._found(course, Finding.UNFINISHED)
        if explanation.answers:
            texts = [self._text(state, answer) for answer in explanation.answers]
            ask = Ask("several", {"what": "; ".join(texts)}, explanation.answers)
            return self._ask(course, Finding.SEVERAL, ask)
        after = self._unfinished(state, look)
        if after is not None:
            return self._rest_of_move(course, look, after)
        if len(explanation.put_back) > MOST_DISPLACED:
            return self._lost(course, explanation.put_back)
        return self._trouble(course, self._wrong(state, look, explanation.put_back))

    def _changes_seen(self, state: Any, answer: Answer, look: fusion.Look) -> bool:
        """Whether every piece that the answer moves is seen where the answer puts it; by switches
        alone, whether each has left its cell for another that it is felt on."""
        before, board = self.game.board(state), self.game.board(answer.state)
        changed = [(cell, text) for cell, text in board.items() if before.get(cell) != text]
        if look.blind:
            nothing = frozenset((EMPTY,))
            left = [cell for cell in before if cell not in board]
            return all(look.sighting.cells.get(cell) == nothing for cell in left) and all(
                cell not in before and EMPTY not in look.sighting.cells.get(cell, nothing)
                for cell, _ in changed
            )
        return all(look.sighting.certain(cell, text) for cell, text in changed)

    def _unfinished(self, state: Any, look: fusion.Look) -> Any:
        unfinished = getattr(self.game, "unfinished", None)
        return unfinished(state, look.sighting) if unfinished else None

    def _rest_of_move(self, course: Course, look: fusion.Look, after: Any) -> Step:
        """A part of the move is done; says what is still to be put where."""
        puts = put_back(self.game.board(after), look.sighting)
        key = f"unfinished {puts}"
        before = course.state.table.state
        drive = self.game.forced(before)
        assert drive is not None
        reasons = tuple(f for f in self.game.apply(before, drive)[1] if f.who == _name(puts[0]))
        back = put_back(self.game.board(before), look.sighting)
        state = course.state._replace(
            trouble=None,
            ask=Ask("unfinished", _put_words(puts[0])),
            unfinished=Trouble(self.game.due(before).piece, reasons, back, puts),
        )
        if state.told != key:
            assert state.unfinished is not None
            data = {"key": key, "put": _put_records(puts), **trouble_record(state.unfinished)}
            data["facts"] = [fact._asdict() for fact in reasons]
            course = self._note(course, Row("unfinished", data))
            state = state._replace(told=key, asked=course.state.rows, rows=course.state.rows)
        assert state.ask is not None
        state = state._replace(ask=state.ask._replace(number=state.asked))
        return self._found(course._replace(state=state), Finding.UNFINISHED)

    def _lost(self, course: Course, puts: tuple[Put, ...]) -> Step:
        """Too much has changed to say who did what: the players put it back, or correct it."""
        who = ", ".join(sorted({_name(put) for put in puts}))
        return self._ask(course, Finding.UNCLEAR, Ask("lost", {"who": who}))

    def _left_over(self, before: Table, action: Action | HouseAction) -> Mapping[str, Stack] | None:
        """What stands on the board until hands have put it as it is after a take back or a redo;
        as long as it does, nobody has done that again."""
        return self.game.board(before.state) if isinstance(action, TakeBack | Redo) else None

    def _not_put_back(self, puts: tuple[Put, ...]) -> Trouble:
        return Trouble(_name(puts[0]), (Fact("HR-2.1", "not-put-back"),), puts)

    def _wrong(self, state: Any, look: fusion.Look, puts: tuple[Put, ...]) -> Trouble:
        nearest = self.game.nearest(state, look.sighting)
        # Where nothing resembles it, the board is simply not as it was.
        reasons = nearest.ruling.broken or (Fact("HR-3.1", "board"),)
        piece = reasons[0].who or _name(puts[0])
        stands = tuple(
            f"{put.start} {text_of(stack)}"
            for put in puts
            for stack in look.sighting.cells.get(put.start, ())
        )
        return Trouble(piece, reasons, puts, self._expected(state), stands)

    def _expected(self, state: Any) -> tuple[Put, ...]:
        """Where the pieces go by the move that is forced now; empty where there is a choice."""
        action = self.game.forced(state)
        if action is None:
            return ()
        before, after = self.game.board(state), self.game.board(self.game.apply(state, action)[0])
        starts = {stack[0].called: cell for cell, stack in before.items()}
        return tuple(
            Put(stack[0], starts.get(stack[0].called, ""), cell)
            for cell, stack in sorted(after.items())
            if before.get(cell) != stack
        )

    # -- actions ----------------------------------------------------------------------------------

    def _act(self, state: TableState, record: dict[str, Any], player: int | None) -> Step:
        course = Course(state)
        try:
            action = self.house.read(record)
            course = self._carry_out(course, action, player)
        except Refused as refused:
            for shown in self.house.learned(state.table, action):
                course = self._carry_out(course, shown, None)
            trouble = Trouble(refused.ruling.broken[0].who, refused.ruling.broken, ())
            return self._trouble(course, trouble)
        except RulesError as error:
            return self._ask(course, Finding.UNCLEAR, Ask("unreadable", {"what": str(error)}))
        return self._ruled(course)

    def _ruled(self, course: Course) -> Step:
        """Something was entered, answered or let stand: what follows by itself follows."""
        return self._found(self._go_on(course), Finding.RULED)

    def _let_stand(self, state: TableState, agreed: tuple[int, ...], question: int | None) -> Step:
        """The refused move stands (HR-2.3): it is the turn's move, and the position follows."""
        course, trouble = Course(state), state.trouble
        if trouble is None or not _is_open(trouble, question):
            return self._notice(state, "question-over" if question else "nothing-refused")
        seen = {}
        stands = (stand.partition(" ") for stand in trouble.stands)
        for cell, [piece] in ((cell, spelled(self.game.stacks)[text]) for cell, _, text in stands):
            seen[piece.name] = {"cell": cell, "heading": piece.facing}
        correct = Correct(json.dumps({"cars": seen}, sort_keys=True), agreed)
        try:
            forced = self.game.forced(state.table.state)
            if forced is not None:
                course = self._carry_out(course, forced, None)
            # Both are one thing that people did.
            course = self._carry_out(course, correct, None, followed=forced is not None)
        except Refused as refused:
            return self._trouble(Course(state), trouble._replace(reasons=refused.ruling.broken))
        fact = Fact("HR-2.3", "let-stand", what=trouble.reasons[0].paragraph)
        course = self._note(course, Row("let-stand", {"paragraph": fact.what}), (fact,))
        return self._ruled(course)

    def _choose(self, state: TableState, choice: int) -> Step:
        """The players have told which of several moves it was, or that a switch is wrong."""
        ask, switches = state.ask, state.switches
        if ask is not None and ask.key in fusion.SENSOR_DOUBTS and switches and choice == 0:
            wrong = switches.distrusted | set(ask.values["who"].split(", "))
            distrusting = state._replace(switches=switches._replace(distrusted=wrong), ask=None)
            note = Row("distrusted", {"cells": sorted(wrong)})
            return self._found(self._note(Course(distrusting), note), Finding.AS_IT_WAS)
        answers = state.ask.answers if state.ask else ()
        if not 0 <= choice < len(answers):
            return self._notice(state, "no-such-choice")
        course = Course(state)
        for action in answers[choice].actions:
            course = self._go_on(self._carry_out(course, action, None))
        return self._ruled(course)

    def _go_on(self, course: Course) -> Course:
        """What follows by itself: plots at hand are entered, moves that change nothing on the
        board are ruled, for nobody could be seen making them."""
        while True:
            state = course.state
            due = self.house.due(state.table)
            if due.kind == "plot" and state.coming:
                course = self._plot(course)
                continue
            unseen = self.game.unseen_move(state.table.state) if due.kind != "over" else None
            if unseen is None:
                return course
            course = self._carry_out(course, unseen, None, followed=True)

    def _plot(self, course: Course) -> Course:
        """Enters the plots of the next round; nobody may plot any more, so they are announced."""
        state = course.state
        course = course._replace(state=state.with_entered(state.table.now.entered + 1))
        for record in state.coming[0]:
            action = self.house.read(record)
            ruling = self.house.judge(course.state.table, action)
            if ruling.broken:
                data = {"action": dict(record), "paragraphs": list(ruling.paragraphs)}
                course = self._note(course, Row("refused", data), ruling.broken)
                continue
            course = self._carry_out(course, action, None, followed=True)
        closing = self.game.forced(course.state.table.state, closing=True)
        if closing is not None and self.house.due(course.state.table).kind == "plot":
            course = self._carry_out(course, closing, None, followed=True)
        return course

    def _carry_out(
        self,
        course: Course,
        action: Action | HouseAction,
        player: int | None,
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
        left_over = self._left_over(before, action)
        state = state._replace(table=table, told="", trouble=None, ask=None, left_over=left_over)
        course = course._replace(state=state)
        course = self._note(course, Row("action", data), facts)
        for row in self._milestones(before, table):
            course = self._note(course, row)
        if self.house.outcome(table):
            course = course._replace(state=course.state._replace(phase=Phase.OVER))
        elif state.phase is Phase.OVER:  # taken back, or taken up again
            course = course._replace(state=course.state._replace(phase=Phase.WAITING))
        return course

    def _milestones(self, before: Table, after: Table) -> list[Row]:
        rows = []
        was, now = self.game.facts(before.state), self.game.facts(after.state)
        outcome = self.house.outcome(after)
        if "round" in now and (now["round"] > was["round"] or (outcome and not was["winners"])):
            told = {key: now[key] for key in ("cars", "chips")}
            rows.append(Row("round", {"round": was["round"], **told}))
        if outcome and not self.house.outcome(before):
            told = {key: now[key] for key in ("chips",) if key in now}
            winners = list(outcome.winners)
            rows.append(Row("end", {**told, "winners": winners, "paragraph": outcome.paragraph}))
        return rows

    # -- findings ---------------------------------------------------------------------------------

    def _note(self, course: Course, row: Row, facts: tuple[Fact, ...] = ()) -> Course:
        row.data["frame"] = course.state.frame
        state = course.state._replace(rows=course.state.rows + 1)
        return Course(state, (*course.rows, row), (*course.facts, *facts))

    def _notice(self, state: TableState, key: str) -> Step:
        """Says why what was entered changes nothing; what was asked stays asked."""
        course = self._note(Course(state), Row("notice", {"notice": key}))
        return Step(course.state, course.rows, Told((), state.trouble, state.ask))

    def _clear(self, course: Course) -> Course:
        """The board is as it was: what was told before no longer holds."""
        state = course.state
        if state.told:
            course = self._note(course, Row("cleared", {}))
        return course._replace(state=state._replace(told="", trouble=None, ask=None))

    def _found(self, course: Course, finding: Finding) -> Step:
        state = course.state
        if state.phase is not Phase.OVER:
            phase = phase_after(state.phase, finding)
            state = state._replace(phase=phase, blinded=finding in BLINDING)
        return Step(state, course.rows, Told(course.facts, state.trouble, state.ask))

    def _unclear(self, course: Course, look: fusion.Look) -> Step:
        sensors = [doubt for doubt in look.doubts if doubt.kind in fusion.SENSOR_DOUBTS]
        doubt = (sensors or look.doubts)[0]
        ask = Ask(
            doubt.kind, {"who": ", ".join(d.piece for d in look.doubts if d.kind == doubt.kind)}
        )
        return self._ask(course, Finding.SENSORS if sensors else Finding.UNCLEAR, ask)

    def _ask(self, course: Course, finding: Finding, ask: Ask) -> Step:
        key = f"{ask.key} {sorted(ask.values.items())}"
        state = course.state._replace(ask=ask, trouble=None)
        if key != state.told:
            data = {"key": key, "question": ask.key, **ask.values, **ask_record(ask)}
            course = self._note(course._replace(state=state), Row("question", data))
            state = course.state._replace(told=key, asked=course.state.rows)
        state = state._replace(ask=ask._replace(number=state.asked))
        return self._found(course._replace(state=state), finding)

    def _trouble(self, course: Course, trouble: Trouble) -> Step:
        key = f"{trouble.piece} {[f.paragraph for f in trouble.reasons]} {trouble.put}"
        state = course.state._replace(trouble=trouble, ask=None)
        if key != state.told:
            data = {
                "key": key,
                "car": trouble.piece,
                "paragraphs": list(dict.fromkeys(f.paragraph for f in trouble.reasons)),
                "facts": [fact._asdict() for fact in trouble.reasons],
                "put": _put_records(trouble.put),
                "expected": _put_records(trouble.expected),
                "stands": list(trouble.stands),
                **trouble_record(trouble),
            }
            course = self._note(course._replace(state=state), Row("trouble", data))
            state = course.state._replace(told=key, asked=course.state.rows)
        state = state._replace(trouble=trouble._replace(number=state.asked))
        return self._found(course._replace(state=state), Finding.WRONG)

    def _text(self, state: Any, answer: Answer) -> str:
        return ", ".join(self.game.text(state, action) for action in answer.actions)


def _is_open(asked: Ask | Trouble | None, question: int | None) -> bool:
    """Whether an answer to this question is one to what is asked now. None names whatever is."""
    return asked is not None and question in (None, asked.number)


def _name(put: Put) -> str:
    return put.piece.called if put.piece else put.start


def _put_words(put: Put) -> dict[str, str]:
    return {"who": _name(put), "to": put.to, "other": put.piece.facing if put.piece else ""}


def _put_records(puts: tuple[Put, ...]) -> list[dict[str, str]]:
    return [
        {"id": _name(put), "cell": put.to, "heading": put.piece.facing if put.piece else ""}
        for put in puts
    ]
