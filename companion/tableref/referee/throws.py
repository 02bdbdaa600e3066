"""Dice on the mat: what rests there becomes throws, or is thrown again and why, or is asked about.

A throw is carried out once its dice rest, where the game says that dice are owed. Whatever is not
certain is asked.
"""

from __future__ import annotations

from tableref.referee.asking import unreadable
from tableref.referee.course import Clerk, Course, Step
from tableref.referee.table import Ask, Finding, Row, TableState, Trouble
from tableref.rules.explain import Answer
from tableref.rules.house import HouseAction
from tableref.rules.surface import Action, Fact, UnreadableAction
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import DIGITS, Lying, Mat, Rest, rest, void_reason

THROWN, NOT_THROWN = "was-thrown", "not-thrown"
LEFT_ALONE, TOUCHED = "left-alone", "was-touched"
EACH_ALONE, ON_ANOTHER = "each-alone", "on-another"
PRESUMED = {
    "thrown": (THROWN, NOT_THROWN),
    "reached": (LEFT_ALONE, TOUCHED),
    "fewer": (EACH_ALONE, ON_ANOTHER),
}
"""Questions about dice that were not seen all the time, and their answers: the throw counts, or
it does not."""
VOID_BY = {TOUCHED: "touched", ON_ANOTHER: "cocked"}
"""Answers by which dice are thrown again, and why; without one they were no throw."""

OUT_OF_TURN, TOO_MANY = "out-of-turn", "too-many"
"""Why dice do not count that lie as they should."""

NO_MAT = "no-mat"
"""What is said of a mat that is out of view, as a key among the messages."""

TRAY = "tray-"
"""Beginning of the options by which a tray is chosen."""


class Throws:
    """Rules what dice show. It keeps no state of its own."""

    def __init__(self, clerk: Clerk) -> None:
        self._clerk, self._game, self._house = clerk, clerk.game, clerk.house

    def _ask(self, course: Course, ask: Ask, finding: Finding = Finding.UNCLEAR) -> Step:
        return self._clerk.ask(course, finding, ask, beside=True)

    def _trouble(self, course: Course, trouble: Trouble) -> Step:
        return self._clerk.trouble(course, trouble, beside=True)

    # -- dice that rest ---------------------------------------------------------------------------

    def rested(self, course: Course) -> Course | Step:
        """The dice lie still: rules what was thrown, or asks. The course where nothing is open."""
        state = course.state
        mat, found = state.mat, rest(state.mat)
        due = self._house.due(state.table).kind
        unsure = found.unexplained or not mat.watched
        moved = bool(found.new) and unsure and due != "throw"
        if not found.new or moved:
            found = found._replace(
                lying=(*found.lying, *map(Lying.of, found.new)),
                touched=found.touched or (moved and bool(mat.lying)),
            )
            return self.shown(self.lie_on(course, found))
        if found.touched:
            course = self._clerk.note(course, Row("notice", {"notice": "die-touched"}))
        if due != "throw":
            ended = self._ended(state)
            if ended is None:
                return self._out_of_turn(course, found.lying, found.new)
            course = self._clerk.go_on(self._clerk.carry_out(course, ended))
        for key, presumed in (("thrown", unsure), ("reached", mat.reached)):
            if presumed:
                return self._presume(course, key)
        return self._all_thrown(course, found)

    def _ended(self, state: TableState) -> Action | None:
        """The action by which a player who has moved ends his turn, where the next one throws then;
        he need not say so. Before he has moved anything dice are no sign of that."""
        done = state.table.past[-1][0].action if state.table.past else None
        inner = state.table.state
        if done is None or isinstance(done, HouseAction) or self._was_throw(state):
            return None
        board = self._game.board(inner)
        for action in self._game.legal(inner):
            after = self._game.apply(inner, action)[0]
            if self._game.board(after) == board and self._game.throws(after) is not None:
                return action
        return None

    def _was_throw(self, state: TableState) -> bool:
        return self._game.throws(state.table.past[-1][1].state) is not None

    def lie_on(self, course: Course, found: Rest) -> Course:
        """No die was thrown; one that had been read may have been moved."""
        if found.touched:
            course = self._clerk.note(course, Row("notice", {"notice": "die-touched"}))
        return self._remember(course, found.lying)

    def out_of_view(self, course: Course) -> Step:
        """Nobody sees the mat."""
        return self._ask(course, Ask(NO_MAT, {}), Finding.NOT_IN_VIEW)

    def restless(self, course: Course) -> Step:
        """No three frames agree on the dice."""
        state = course.state
        ask = Ask("restless", {"who": self.who(state)}, self.answers(state))
        return self._ask(course, ask)

    def _presume(self, course: Course, key: str) -> Step:
        ask = Ask(key, {"who": self.who(course.state)}, options=PRESUMED[key])
        return self._ask(course, ask)

    def _all_thrown(self, course: Course, found: Rest) -> Course | Step:
        """These dice were thrown. Where more were seen to roll, and none is seen to lie on another,
        one may do so all the same, and shows a value: people say."""
        piled = any(void_reason(die) == "cocked" for die in found.new)
        if course.state.mat.rolled > len(found.new) and not piled:
            return self._presume(course, "fewer")
        return self._thrown(course, found.lying, found.new)

    def _thrown(
        self, course: Course, lying: tuple[Lying, ...], new: tuple[SeenDie, ...]
    ) -> Course | Step:
        """These dice were thrown, and the others lie there since before."""
        if len(new) > self._owed(course.state):
            void = (Lying.of(die, TOO_MANY) for die in new)
            return self.shown(self._remember(course, (*lying, *void)))
        chosen, unread = course.state.tray, []
        for die in new:
            why = void_reason(die)
            if not why and chosen and die.tray not in (None, chosen):
                why = "other-tray"
            if not why and die.tray is not None and self.against(course.state, die):
                why = "refused"
            if not why and not course.state.mat.is_sure(die):
                unread.append(die)
                continue
            read = 0.0
            if not why:
                course = self._clerk.carry_out(course, self._throw(die))
                read = round(die.confidence, DIGITS)
            lying = (*lying, Lying.of(die, why)._replace(read=read))
        course = self._remember(course, lying)
        if unread:
            return self._unread(course, unread[0])
        return self.shown(course)

    def _unread(self, course: Course, die: SeenDie) -> Step:
        """The players tell what a die shows."""
        mat = course.state.mat._replace(judged=False)  # it is still to be judged
        course = course._replace(state=course.state._replace(mat=mat))
        values = {"who": self.who(course.state), "what": die.tray or ""}
        ask = Ask("die", values, self.answers(course.state, die.tray), die=die)
        return self._ask(course, ask)

    def _out_of_turn(
        self, course: Course, lying: tuple[Lying, ...], new: tuple[SeenDie, ...]
    ) -> Step:
        """Dice were thrown while none was due."""
        facts = self.against(course.state, new[0])
        void = (Lying.of(die, OUT_OF_TURN) for die in new)
        course = self._remember(course, (*lying, *void))
        return self._trouble(course, Trouble(self.who(course.state), facts, ()))

    def shown(self, course: Course) -> Course | Step:
        """The dice have been judged: what is to be thrown again is told."""
        course = self._clerk.go_on(course)
        state = course.state
        void = [die for die in state.mat.lying if die.void and not die.away]
        if self._house.due(state.table).kind == "throw" and void:
            if any(die.void == TOO_MANY for die in void):
                ask = Ask("too-many", {"who": self.who(state)})
                return self._ask(course, ask)
            facts = tuple(fact for die in void for fact in self._against_void(state, die))
            if facts:
                return self._trouble(course, Trouble(self.who(state), facts, ()))
        return course

    def _against_void(self, state: TableState, die: Lying) -> tuple[Fact, ...]:
        """The paragraphs by which a die is thrown again; none where it only came too early."""
        if die.void == "refused":
            return self.against(state, die)
        if die.void == OUT_OF_TURN:
            return ()
        return (Fact("HR-3.2", die.void, self.who(state), die.tray or ""),)

    def _remember(self, course: Course, lying: tuple[Lying, ...]) -> Course:
        """The dice have been judged; a new row where that is not as it was known."""
        state = course.state
        if lying != state.mat.lying or not state.mat.watched:
            course = self._clerk.note(course, Row("dice", state.mat.remember(lying).record()))
        return course._replace(state=course.state._replace(mat=state.mat.remember(lying)))

    # -- what the players say of dice -------------------------------------------------------------

    def tray_chosen(self, state: TableState, tray: str) -> Course | Step:
        """The tray of the next throw is said before it is thrown."""
        course = Course(state)
        throws = self._game.throws(state.table.state)
        if throws is not None and tray not in self.trays(state):
            trays = ", ".join(self.trays(state))
            why = UnreadableAction(
                "{field}: {what!r} is none of {to}", field="tray", what=tray, to=trays
            )
            return self._ask(course, unreadable(why))
        broken = self.against(state, Lying((0.0, 0.0), tray, None))
        if broken:
            return self._trouble(course, Trouble(self.who(state), broken, ()))
        course = course._replace(state=state._replace(tray=tray))
        return self.shown(self._clerk.note(course, Row("tray", {"tray": tray})))

    def presumed(self, course: Course, answer: str) -> Course | Step:
        """The players say whether dice count that were not seen all the time."""
        course = self._clerk.note(course, Row("answered", {"answer": answer}))
        mat = course.state.mat
        course = course._replace(state=course.state._replace(told="", ask=None))
        if not mat.settled:
            # The dice that were asked about lie there no more; the next look says what is.
            return Step(course.state, course.rows)
        found = rest(mat)
        if answer in (THROWN, LEFT_ALONE):
            return self._all_thrown(course, found)
        if answer == EACH_ALONE:
            return self._thrown(course, found.lying, found.new)
        void = VOID_BY.get(answer, "")
        new = (Lying.of(die, void) for die in found.new)
        return self.shown(self._remember(course, (*found.lying, *new)))

    def take(self, course: Course, die: SeenDie | None) -> Course:
        """Somebody has said what this die shows, so it is judged. None: he said so of one that is
        not seen at rest, so what comes to rest next is asked about."""
        mat = course.state.mat
        if mat.seen is None:
            return course  # nobody looks at a mat
        if die is None:
            mat = mat._replace(watched=False, judged=False)
            return course._replace(state=course.state._replace(mat=mat))
        lying = rest(mat).lying if mat.settled else mat.lying
        course = self._remember(course, (*lying, Lying.of(die)))
        mat = course.state.mat._replace(judged=False)  # another may lie there
        return course._replace(state=course.state._replace(mat=mat))

    def misread(self, state: TableState, die: SeenDie | None, action: Action) -> float:
        """The confidence with which something else was read than this throw, which people enter:
        of this die that lay there unjudged, else of the throw that was taken back to be entered
        otherwise. 0 where nothing was."""
        tray = self._tray_of(state, action)
        if tray is None:
            return 0.0
        if die is not None and die.value is not None and die.tray == tray:
            return die.confidence if action != self._throw(die) else 0.0
        before = state.table.future[0][0].action if state.table.future else action
        ruled = [one for one in state.mat.lying if one.tray == tray and self._throw(one) == before]
        return max((one.read for one in ruled if before != action), default=0.0)

    def learn(self, course: Course, confidence: float) -> Course:
        """What was read with this confidence was wrong: this table asks more from now on."""
        mat = course.state.mat.misread(confidence)
        return course if mat == course.state.mat else self._asks(course, mat, "asks-more")

    def trusted(self, state: TableState) -> Course:
        """What was learnt of dice that were misread is forgotten."""
        return self._asks(Course(state), state.mat._replace(asks=0.0), "asks-as-usual")

    def _asks(self, course: Course, mat: Mat, notice: str) -> Course:
        course = course._replace(state=course.state._replace(mat=mat))
        course = self._clerk.note(course, Row("dice", mat.record()))
        return self._clerk.note(course, Row("notice", {"notice": notice}))

    def _tray_of(self, state: TableState, action: Action) -> str | None:
        """The tray of a throw; None of any other action."""
        for tray in self.trays(state):
            if any(action == self._game.thrown(tray, value) for value in range(1, 7)):
                return tray
        return None

    def fitting(self, state: TableState, action: Action) -> SeenDie | None:
        """The die that is not judged and may be this throw, the likeliest first."""

        def unlike(die: SeenDie) -> tuple[bool, bool]:
            same_tray = die.tray is not None and action in (
                self._game.thrown(die.tray, value) for value in range(1, 7)
            )
            return not same_tray, not same_tray or action != self._throw(die)

        return min(rest(state.mat).new, key=unlike, default=None)

    # -- what is awaited --------------------------------------------------------------------------

    def awaited(self, state: TableState) -> Ask:
        """The throw that is due."""
        throws = self._game.throws(state.table.state)
        assert throws is not None
        paragraph = self._game.awaits(state.table.state).paragraph
        who = {"who": self.who(state)}
        if state.tray or len(throws.trays) == 1:
            key = "throw-on" if state.tray else "throw-extra"
            values = who | {"what": state.tray or throws.trays[0]}
            return Ask(key, values, paragraph=paragraph)
        options = tuple(f"{TRAY}{tray}" for tray in throws.trays)
        return Ask("throw", who, options=options, paragraph=paragraph)

    def trays(self, state: TableState) -> tuple[str, ...]:
        """The trays on which dice may be thrown now."""
        throws = self._game.throws(state.table.state)
        return throws.trays if throws else ()

    def answers(self, state: TableState, tray: str | None = None) -> tuple[Answer, ...]:
        """The throws that may be made now, on this tray or on any."""
        found = []
        for one in self.trays(state):
            if tray not in (None, one):
                continue
            for value in range(1, 7):
                action = self._game.thrown(one, value)
                found.append(Answer((action,), self._game.apply(state.table.state, action)[0]))
        return tuple(found)

    def who(self, state: TableState) -> str:
        """Names of those whose action is due."""
        names = self._game.players(state.table.state)
        return ", ".join(names[player] for player in self._game.due(state.table.state).players)

    def against(self, state: TableState, die: SeenDie | Lying) -> tuple[Fact, ...]:
        """Why no die may be thrown where this one lies."""
        return self._house.judge(state.table, self._throw(die)).broken

    def _owed(self, state: TableState) -> int:
        throws = self._game.throws(state.table.state)
        return throws.owed if throws else 0

    def _throw(self, die: SeenDie | Lying) -> Action:
        return self._game.thrown(die.tray or "", die.value or 1)
