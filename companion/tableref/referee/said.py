"""What people say: actions, answers, let stand, a tray. An answer names its question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableref.referee.asking import choices, is_ahead, narrowed, unreadable, which
from tableref.referee.correcting import position_of
from tableref.referee.course import Clerk, Course, Step
from tableref.referee.evidence import SENSOR_DOUBTS
from tableref.referee.inputs import Advised, PutRight
from tableref.referee.lying import LET_LIE, let_lie, may_lie
from tableref.referee.setting_up import SHOWING, shown
from tableref.referee.table import Ask, Finding, Row, TableState, Trouble
from tableref.referee.taking_back import YES, everybodys
from tableref.referee.throws import TRAY, Throws
from tableref.rules.explain import Answer
from tableref.rules.house import Correct, HouseAction, HouseRuling
from tableref.rules.pieces import spelled
from tableref.rules.surface import Action, Fact, Refused, RulesError, UnreadableAction


class Said:
    """Takes what people say. It keeps no state of its own. What comes out is a course that goes
    on, or a step where something is asked or refused."""

    def __init__(self, clerk: Clerk, throws: Throws) -> None:
        self._clerk, self._throws = clerk, throws
        self._game, self._house = clerk.game, clerk.house

    def act(
        self, state: TableState, record: Mapping[str, Any], player: int | None
    ) -> Course | Step:
        """Somebody enters an action."""
        course = Course(state)
        try:
            action = self._house.read(dict(record))
            course = self._clerk.carry_out(course, action, player)
        except Refused as refused:
            if (further := self._after_supposed(course, action)) is not None:
                return further
            for shown in self._house.learned(state.table, action):
                course = self._clerk.carry_out(course, shown)
            broken = refused.ruling.broken
            let_stand = None if isinstance(action, HouseAction) else action
            return self._refused(course, Trouble(broken[0].who, broken, (), refused=let_stand))
        except RulesError as error:
            return self._unreadable(course, error)
        if self._is_throw(state, action):
            # The die that was entered may lie there, or come to rest later: it counts once.
            assert not isinstance(action, HouseAction)
            die = self._throws.fitting(state, action)
            wrong = self._throws.misread(state, die, action)
            course = self._throws.learn(self._throws.take(course, die), wrong)
        return course

    def put_right(self, state: TableState, given: PutRight) -> Course | Step:
        """What stands on a cell is put right (HR-2.2); all else is as it is noted by now."""
        stack = spelled(self._game.stacks).get(given.stands)
        position = stack is not None and position_of(
            self._game, state.table.state, given.cell, stack
        )
        if not position:
            what = UnreadableAction(
                "the piece of {to} cannot be {what}", to=given.cell, what=given.stands
            )
            return self._unreadable(Course(state), what)
        return self.act(state, Correct.to(position, given.agreed).record(), None)

    def _refused(self, course: Course, trouble: Trouble) -> Step:
        return self._clerk.trouble(course, trouble, beside=True)

    def _unreadable(self, course: Course, why: RulesError) -> Step:
        return self._clerk.ask(course, Finding.UNCLEAR, unreadable(why), beside=True)

    def _after_supposed(self, course: Course, action: Action | HouseAction) -> Course | None:
        """The action after what may have been done before, where that makes it legal: one such way
        is ruled with it, several are kept in mind. None where it follows from none."""
        if isinstance(action, HouseAction):
            return None
        ways = [
            way for way in course.state.supposed if not self._game.judge(way.state, action).broken
        ]
        if len(ways) == 1:
            return self._clerk.carry_out(self._clerk.carry_out_all(course, ways[0]), action)
        further = [Answer((*way.actions, action), None) for way in ways]
        return self._clerk.suppose(course, further) if further else None

    def _is_throw(self, state: TableState, action: Action | HouseAction) -> bool:
        due = self._house.due(state.table).kind
        return due == "throw" and not isinstance(action, HouseAction)

    def let_stand(
        self, state: TableState, agreed: tuple[int, ...], question: int | None
    ) -> Course | Step:
        """What was refused stands (HR-2.3): the action where it is plain which one it was, else
        the turn's move is made and the position follows what is seen. Of something strange that the
        eye asks about: it may lie there."""
        course, trouble = Course(state), state.trouble
        if trouble is None and may_lie(state.ask) and question in (None, state.open):
            return let_lie(self._clerk, state)
        if trouble is None or question not in (None, trouble.number):
            return self._clerk.notice(state, "question-over" if question else "nothing-refused")
        try:
            if trouble.refused is not None:
                ruling = HouseRuling(trouble.refused, agreed)
                done: Course | Step = self._clerk.carry_out(course, ruling)
            else:
                done = self._as_it_stands(course, trouble, agreed)
            number, judge = state.advice
            if isinstance(done, Course) and number == trouble.number and judge:
                row = Row("notice", {"notice": "judge-ruled", "values": {"who": judge}})
                done = self._clerk.note(done, row)
            return done
        except Refused as refused:
            reasons = refused.ruling.broken
            return self._refused(Course(state), trouble._replace(reasons=reasons))
        except UnreadableAction as error:
            return self._unreadable(course, error)

    def advised(self, state: TableState, given: Advised) -> Step:
        """A judge has spoken; it is for the table to agree."""
        if state.trouble is None or state.trouble.number != given.question:
            return self._clerk.notice(state, "judge-late", {"who": given.judge})
        values = {"who": given.judge, "what": given.text}
        if not given.stands:
            return self._clerk.notice(state._replace(advice=(0, "")), "judge-refuses", values)
        advice = (given.question, given.judge)
        return self._clerk.notice(state._replace(advice=advice), "judge-stands", values)

    def _as_it_stands(
        self, course: Course, trouble: Trouble, agreed: tuple[int, ...]
    ) -> Course | Step:
        known = spelled(self._game.stacks)
        told = (stand.partition(" ") for stand in trouble.stands)
        stands = {cell: known[text] for cell, _, text in told if text in known}
        state = course.state.table.state
        position = self._game.seen_position(state, stands) if stands else None
        if position is None:
            return self._clerk.notice(course.state, "nothing-refused")
        forced = self._game.forced(state)
        if forced is not None:
            course = self._clerk.carry_out(course, forced)
        # Both are one thing that people did.
        correct = Correct.to(position, agreed)
        course = self._clerk.carry_out(course, correct, followed=forced is not None)
        fact = Fact("HR-2.3", "let-stand", what=trouble.reasons[0].paragraph)
        return self._clerk.note(course, Row("let-stand", {"paragraph": fact.what}), (fact,))

    def choose(self, state: TableState, choice: int, question: int | None) -> Course | Step:
        """The answer to a question."""
        ask = state.ask
        if ask is None or question not in (None, ask.number):
            return self._clerk.notice(state, "question-over")
        if ask.key in SENSOR_DOUBTS and state.switches and choice == 0:
            return self._distrusted(state, ask)
        if ask.options:
            if not 0 <= choice < len(ask.options):
                return self._clerk.notice(state, "no-such-choice")
            option = ask.options[choice]
            if option in SHOWING:
                return shown(self._clerk, state, option)
            if option == LET_LIE:
                return let_lie(self._clerk, state)
            if option == YES:
                back = everybodys(self._house, state.table)
                return self._clerk.carry_out(Course(state), back)
            if option.startswith(TRAY):
                return self._throws.tray_chosen(state, option.removeprefix(TRAY))
            return self._throws.presumed(Course(state), option)
        offered = choices(self._game, state.table.state, ask)
        if not 0 <= choice < len(offered):
            return self._clerk.notice(state, "no-such-choice")
        answers = offered[choice].answers
        if is_ahead(ask) and len(answers) == 1 and len(answers[0].actions) == 1:
            return self._as_offered(state, ask, answers[0])
        if len(answers) > 1:
            if ask.key == "which-move":
                narrower = narrowed(ask.key, ask.values, answers)
                narrower = narrower._replace(about="") if ask.about else narrower
            else:
                narrower = which(self._game, answers)
            return self._clerk.ask(Course(state), Finding.SEVERAL, narrower)
        return self._answered(state, ask, answers[0])

    def _as_offered(self, state: TableState, ask: Ask, answer: Answer) -> Course | Step:
        """What was offered, which may be more than the rules allow: what lies hidden, and the
        referee knows, decides that only now."""
        [action], inner = answer.actions, state.table.state
        if self._game.judge(inner, action).broken:
            legal = [one for one in self._game.legal(inner) if self._game.unnamed(one) == action]
            if len(legal) > 1 and self._game.reveals(inner, action):
                answers = tuple(Answer((one,), self._game.apply(inner, one)[0]) for one in legal)
                return self._clerk.ask(Course(state), Finding.SEVERAL, which(self._game, answers))
            if len(legal) != 1:
                return self.act(state, action.record(), None)
            answer = Answer((legal[0],), answer.state)
        return self._answered(state, ask, answer)

    def _answered(self, state: TableState, ask: Ask, answer: Answer) -> Course:
        """The players have told which it was."""
        course = Course(state)
        wrong = 0.0
        if ask.die is not None:
            course = self._throws.take(course, ask.die)
            wrong = self._throws.misread(state, ask.die, answer.actions[0])
        for action in answer.actions:
            before = course.state
            if self._is_throw(before, action) and ask.die is None:
                course = self._throws.take(course, self._throws.fitting(before, action))
            course = self._clerk.carry_out(course, action)
            if len(answer.actions) > 1:
                course = self._clerk.go_on(course)
        course = self._throws.learn(course, wrong)
        # What was seen after it goes on from it.
        count = len(answer.actions)
        later = [way for way in state.supposed if way.actions[:count] == answer.actions]
        rest = [Answer(way.actions[count:], None) for way in later if way.actions[count:]]
        return self._clerk.suppose(self._clerk.go_on(course), rest) if rest else course

    def _distrusted(self, state: TableState, ask: Ask) -> Step:
        """Where switches and camera disagree: the switches are wrong."""
        assert state.switches is not None
        wrong = state.switches.distrusted | set(ask.values["who"].split(", "))
        distrusting = state._replace(switches=state.switches._replace(distrusted=wrong), ask=None)
        course = self._clerk.note(Course(distrusting), Row("distrusted", {"cells": sorted(wrong)}))
        return self._clerk.found(course, Finding.AS_IT_WAS)
