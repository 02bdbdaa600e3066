"""Setting up: what an eye that goes by looks asks to be shown, and whether all stands as the game
starts. The eye tells what it waits for (`Wanted`); here it becomes what people are asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tableref.referee import evidence, verdict
from tableref.referee.course import Clerk, Course, Step, name_of
from tableref.referee.evidence import Evidence
from tableref.referee.lying import LET_LIE, open_doubts
from tableref.referee.senses.eye import STRANGE
from tableref.referee.table import Ask, Finding, Phase, Row, TableState, Trouble
from tableref.rules.explain import Sighting
from tableref_hardware import Board
from tableref_vision.wanted import AGAIN, EMPTY, KNOWN, LEARNT, MISFIT, TEACH, Wanted

IS_EMPTY, ANEW = "board-empty", "learn-anew"
SHOWING = {IS_EMPTY: EMPTY, ANEW: ANEW}
"""What people may say while they show something, as keys among the messages -> what the eye is
told."""

LAY = ("show-looks", "show-again", "show-missing", "show-position")
ODD = ("show-other", "show-strange", "show-empty-sure")
"""Questions that name cells on which something is to be laid, or on which something odd lies."""

MOST_NAMED = 6
"""Cells that are named of many."""
MORE = ", …"


class SettingUp:
    """What is asked until a game can begin."""

    def __init__(self, clerk: Clerk, board: Board) -> None:
        self._clerk, self._game, self._board = clerk, clerk.game, board

    def wanted(self, state: TableState, wanted: Wanted) -> Step:
        """The eye has still to be shown something, or just knows the pieces."""
        state = state._replace(frame=wanted.image, dark=False, eye=True, teachable=True)
        if state.phase is Phase.OVER:
            return Step(state)
        if wanted.pose != "ok":
            return self.no_view(Course(state), wanted.pose)
        if wanted.hand:
            return self._clerk.found(Course(state), Finding.COVERED)
        if wanted.stage in (LEARNT, KNOWN, MISFIT):
            key, values = f"looks-{wanted.stage}", None
            if wanted.unsure:
                key, values = "looks-unsure", {"looks": "; ".join(wanted.unsure)}
            return self._clerk.notice(state._replace(ask=None, told=""), key, values)
        # Nothing is seen of the game meanwhile.
        ask = self._asked(state, wanted)
        return self._clerk.ask(Course(state), Finding.NOT_IN_VIEW, ask)

    def no_view(self, course: Course, code: str) -> Step:
        """Nothing can be told of the board, for the reason with this code."""
        anew = code in ("uneven", "bright") and course.state.teachable
        ask = Ask("pose", {"code": code}, options=(ANEW,) if anew else ())
        return self._clerk.ask(course, Finding.NOT_IN_VIEW, ask)

    def _asked(self, state: TableState, wanted: Wanted) -> Ask:
        """What people are asked to show, or what is amiss with what they do."""
        if wanted.uneven:
            return Ask("show-uneven", {}, options=(ANEW,))
        if wanted.strange:
            sure = wanted.stage != EMPTY
            key, option = ("show-strange", ANEW) if sure else ("show-empty-sure", IS_EMPTY)
            return Ask(key, {"who": _named(wanted.strange)}, options=(option,))
        for key, cells in (("show-missing", wanted.missing), ("show-other", wanted.other)):
            if cells:
                lay = _lay(wanted.cells, cells[:MOST_NAMED])
                return Ask(key, {"lay": lay, "who": _named(cells)}, options=(ANEW,))
        if wanted.stage == EMPTY:
            return Ask("show-empty", {})
        if wanted.stage in (TEACH, AGAIN):
            cells = tuple(wanted.cells)
            key = "show-looks" if wanted.stage == TEACH else "show-again"
            return Ask(key, {"lay": _lay(wanted.cells, cells), "who": ", ".join(cells)})
        if not wanted.cells:
            return Ask("show-bare", {})
        if state.phase is Phase.SETTING_UP:
            return Ask("show-start", {})
        return Ask("show-position", {"lay": _lay(wanted.cells, wanted.cells)})

    # -- the start --------------------------------------------------------------------------------

    def seen(self, course: Course, look: Evidence) -> Course | Step:
        """The game begins once every piece is seen where it starts."""
        if open_doubts(course.state, look.doubts):
            return self.unclear(course, look)
        if not look.sighting.allows(self._game.board(course.state.table.state)):
            return self._wrong(course, look.sighting)
        return self.done(course)

    def felt(self, course: Course) -> Course | Step:
        """The game begins once every piece is felt where it starts."""
        state = course.state
        assert state.switches is not None
        board = self._game.board(state.table.state)
        look = evidence.by_switches(self._board, self._game.stacks, board, state.switches)
        if not look.sighting.allows(board):
            return self._wrong(course, look.sighting)
        accounted = state.switches.accounted()
        return self.done(course._replace(state=state._replace(switches=accounted)))

    def done(self, course: Course) -> Course:
        """Nothing stands otherwise than the game starts."""
        course = self._clerk.note(course, Row("set-up", {}))
        course = course._replace(state=course.state._replace(phase=Phase.WAITING, trouble=None))
        return self._clerk.go_on(course)

    def _wrong(self, course: Course, sighting: Sighting) -> Step:
        """What still stands elsewhere than the game starts."""
        puts = verdict.way_back(self._game, course.state.table.state, sighting)
        piece = name_of(puts[0])
        fact = self._game.set_up_fact(piece, puts[0].to)
        return self._clerk.trouble(course, Trouble(piece, (fact,), puts))

    def unclear(self, course: Course, look: Evidence) -> Step:
        """Something on the board is doubted: it is said."""
        doubts = open_doubts(course.state, look.doubts)
        sensors = [doubt for doubt in doubts if doubt.kind in evidence.SENSOR_DOUBTS]
        doubt = (sensors or doubts)[0]
        who = ", ".join(d.piece for d in doubts if d.kind == doubt.kind)
        finding = Finding.SENSORS if sensors else Finding.UNCLEAR
        state = course.state
        # Before the game begins another set of pieces may have been taken.
        unknown = doubt.kind == STRANGE and state.phase is Phase.SETTING_UP and state.teachable
        options = (ANEW,) if unknown else ()
        if doubt.kind == STRANGE:
            options = (*options, LET_LIE)
        return self._clerk.ask(course, finding, Ask(doubt.kind, {"who": who}, options=options))


def shown(clerk: Clerk, state: TableState, option: str) -> Step:
    """People have said what the eye cannot see by itself."""
    times = state.showing[0] + 1
    state = state._replace(showing=(times, SHOWING[option]), ask=None, told="")
    course = clerk.note(Course(state), Row("answered", {"answer": option}))
    return clerk.found(course, Finding.NOT_IN_VIEW)


def to_lay(ask: Ask, stands: Iterable[str]) -> list[str]:
    """The cells on which people are asked to lay something; `stands`: those of the start."""
    if ask.key == "show-start":
        return [*stands]
    return [one.split(" ", 1)[0] for one in ask.values["lay"].split("; ")] if ask.key in LAY else []


def odd_ones(ask: Ask) -> list[str]:
    """The cells on which something seems to lie that is not to."""
    return ask.values["who"].removesuffix(MORE).split(", ") if ask.key in ODD else []


def _lay(cells: Mapping[str, str], named: Iterable[str]) -> str:
    """What lies where, as the row of a question has it."""
    return "; ".join(f"{cell} {cells[cell]}" for cell in named)


def _named(cells: tuple[str, ...]) -> str:
    return ", ".join(cells[:MOST_NAMED]) + (MORE if len(cells) > MOST_NAMED else "")
