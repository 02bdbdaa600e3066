"""The referee's step: table state and input -> table state and what to write and tell. Pure.

A table has senses: an eye over the board, switches under it, an eye over the dice mat, people who
say something. Each input is folded into what its sense knows; what all say together is evidence,
and one verdict holds that against the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from tableref.referee import evidence, verdict
from tableref.referee.asking import asked_before, entered, offered, which
from tableref.referee.course import Clerk, Course, Step, name_of, put_records, put_words
from tableref.referee.evidence import SENSOR_DOUBTS, Evidence
from tableref.referee.inputs import (
    Act,
    Advised,
    Begin,
    Bell,
    CameraEnded,
    CameraTrouble,
    Choose,
    Input,
    Learning,
    LetStand,
    LinkGone,
    MatSeen,
    Occupied,
    PutRight,
    Seen,
    Switched,
    Tick,
    TrayChosen,
    TrustDice,
    Unsteady,
)
from tableref.referee.lying import open_doubts, still_lying
from tableref.referee.reopening import keep_blinded, trouble_record
from tableref.referee.replaying import after_row
from tableref.referee.said import Said
from tableref.referee.senses import eye, switches
from tableref.referee.setting_up import SettingUp
from tableref.referee.table import Ask, Finding, Phase, Row, TableState, Told, Trouble
from tableref.referee.taking_back import by_hand
from tableref.referee.throws import NO_MAT, Throws
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put, Sighting
from tableref.rules.pieces import text_of
from tableref.rules.surface import Fact
from tableref_hardware import Board
from tableref_vision.dice.throw import follow, rest
from tableref_vision.observation import Observation

MOST_DISPLACED = 3
"""Pieces that may stand wrong before the referee asks instead of blaming one of them."""

AT_REST = 1.0
"""Seconds without a word of the switches after which a move counts as made: people touch cells as
they count."""

HELD = 8.0
"""Seconds after which a piece in the air for which no move fits is no longer on its way."""

SLACK = 0.01  # s that a clock may be early

__all__ = ["AT_REST", "Referee", "Step"]


class Referee:
    """Judges one game on one board. It keeps no state of its own."""

    def __init__(self, game: TableGame[Any], board: Board) -> None:
        self.game, self.board = game, board
        self._clerk = Clerk(game)
        self.house = self._clerk.house
        self._throws = Throws(self._clerk)
        self._said = Said(self._clerk, self._throws)
        self._setting_up = SettingUp(self._clerk, board)

    def step(self, state: TableState, given: Input) -> Step:
        """The state after this input. The rows belong in the journal before anything is told."""
        match given:
            case Seen(observation):
                return self._seen(state, observation)
            case Learning(wanted):
                return self._setting_up.wanted(state, wanted)
            case MatSeen(look):
                if not self.board.senses.mat:
                    return Step(state)  # of a game without dice
                mat = follow(state.mat, look)
                dark = state.dark if "board" in state.senses else False
                state = state._replace(frame=look.image, dark=dark, mat=mat)
                return self._mat_seen(state, look.time, look.in_view)
            case Tick(time):
                return self._at_rest(state, time)
            case Bell(_, who, left):
                return self._bell(state, who, left)
            case Begin(_, senses, asks):
                mat = state.mat._replace(asks=max(state.mat.asks, asks))
                return self._begin(state._replace(mat=mat), senses)
            case Act(_, record, player):
                return self._ruled(self._said.act(state, record, player))
            case PutRight():
                return self._ruled(self._said.put_right(state, given))
            case LetStand(_, agreed, question):
                return self._ruled(self._said.let_stand(state, agreed, question))
            case Advised():
                return self._said.advised(state, given)
            case Choose(_, choice, question):
                return self._ruled(self._said.choose(state, choice, question))
            case TrayChosen(_, tray, question):
                if self.game.throws(state.table.state) is None and not state.mat.lying:
                    return Step(state)
                if question is not None and question != state.open:
                    return self._clerk.notice(state, "question-over")
                return self._ruled(self._said_tray(state, tray))
            case TrustDice():
                return self._ruled(self._throws.trusted(state))
            case Switched() | Occupied() | Unsteady():
                return self._felt(state._replace(switches=switches.take(state.switches, given)))
            case LinkGone(_, message):
                return self._link_gone(state, message)
            case CameraTrouble(_, message, picture) if picture:
                ask = Ask("picture", {"who": picture, "what": message})
                return self._clerk.ask(Course(state), Finding.NOT_IN_VIEW, ask)
            case CameraTrouble(_, message):
                state = state._replace(dark=True)
                ask = Ask("camera", {"what": message})
                return self._clerk.ask(Course(state), Finding.NOT_IN_VIEW, ask)
            case CameraEnded():
                return self._ended(state)

    def waits(self, state: TableState, now: float) -> float | None:
        """Seconds until the switches will be at rest, or a piece will have been held for long;
        None where time alone changes nothing."""
        feel = state.switches
        if feel is None or (state.eye and not state.dark) or state.looked == feel.changed:
            return None
        if state.phase is Phase.OVER:
            return None
        left = [feel.changed + wait - now for wait in (AT_REST, HELD)]
        return next((seconds + SLACK for seconds in left if seconds > -SLACK), None)

    def moving(self, state: TableState) -> frozenset[str]:
        """Cells that a hand is changing, where only switches tell; nothing of it is ruled yet."""
        if (
            state.switches is None
            or (state.eye and not state.dark)
            or state.phase is not Phase.HAND
        ):
            return frozenset()
        return state.switches.moved(self.game.board(state.table.state))

    def standing(self, state: TableState) -> Step:
        """What is told of a game that is taken up again: what is open, or what is awaited."""
        return Step(state, (), Told((), state.trouble, state.ask))

    def _said_tray(self, state: TableState, tray: str) -> Course | Step:
        return self._throws.tray_chosen(state, tray)

    def replayed(self, state: TableState, rows: Iterable[Row]) -> TableState:
        """The state after these rows of a journal: only what they say is needed."""
        for row in rows:
            state = after_row(self._clerk, state, row)
        return state

    # -- time -------------------------------------------------------------------------------------

    def _bell(self, state: TableState, who: tuple[int, ...], left: int) -> Step:
        if state.phase is Phase.OVER:
            return Step(state)
        players = self.game.players(state.table.state)
        values = {"who": ", ".join(players[player] for player in who), "to": str(left)}
        return self._clerk.notice(state, "bell" if left else "time-over", values)

    # -- beginning and ending ---------------------------------------------------------------------

    def _begin(self, state: TableState, senses: tuple[str, ...]) -> Step:
        """The senses of this table are known. Without any over or under the board nobody can see
        whether it is set up, so the game begins."""
        state = state._replace(senses=senses)
        if state.phase is Phase.SETTING_UP and not {"board", "switches"} & {*senses}:
            return self._begun(self._setting_up.done(Course(state)))
        if state.phase is Phase.SETTING_UP:
            return self._clerk.awaiting(Course(state), None, Finding.AS_IT_WAS)
        return Step(state, (), Told((), state.trouble, state.ask))

    def _ended(self, state: TableState) -> Step:
        """There are no more pictures."""
        if state.phase is Phase.OVER:
            return Step(state)
        if state.phase is Phase.MOVED and state.unfinished is not None:
            return self._clerk.trouble(Course(state), state.unfinished)
        return self._clerk.ask(Course(state), Finding.NOT_IN_VIEW, Ask("camera-ended", {}))

    def _link_gone(self, state: TableState, message: str) -> Step:
        """The camera over the board goes on alone; without one the players tell the moves."""
        mat = state.mat._replace(judged=False)
        course = Course(state._replace(switches=None, mat=mat))
        key = "link" if state.eye and not state.dark else "link-moves"
        return self._clerk.ask(course, Finding.UNCLEAR, Ask(key, {"what": message}))

    # -- the eye over the board -------------------------------------------------------------------

    def _seen(self, state: TableState, observation: Observation) -> Step:
        state = state._replace(frame=observation.image, dark=False, eye=True)
        if state.phase is Phase.OVER:
            return Step(state)
        course: Course | Step = self._said_before(Course(state), observation.image)
        if isinstance(course, Step):
            return course
        state = course.state
        if observation.pose != "ok":
            return self._setting_up.no_view(course, observation.pose)
        course = course._replace(state=(state := state.with_hand(observation.hand)))
        if observation.hand or not observation.still:
            return self._covered(course)
        if state.switches is not None and observation.time < state.switches.changed:
            return self._rest_of(course)  # the picture is older than the last lift or put
        course = course._replace(state=(state := still_lying(self.game, state)))
        before = self.game.board(state.table.state)
        seen = eye.seen(self.board, self.game.stacks, observation, before)
        look = evidence.by_eye(self.board, seen, self.game.stacks, state.switches)
        if state.phase is Phase.SETTING_UP:
            return self._begun(self._setting_up.seen(course, look))
        return self._look(course, look)

    def _said_before(self, course: Course, image: str) -> Course | Step:
        """What was handed over as said before this picture is entered before it is looked at."""
        while course.state.said and course.state.said[0][0] == image:
            [(_, record), *later] = course.state.said
            course = self._clerk.note(
                course._replace(state=course.state._replace(said=tuple(later))), Row("said", {})
            )
            done = self._said.act(course.state, record, None)
            if isinstance(done, Step):
                return done._replace(rows=(*course.rows, *done.rows))
            done = self._clerk.go_on(done)
            course = Course(done.state, (*course.rows, *done.rows), (*course.facts, *done.facts))
        return course

    def _begun(self, set_up: Course | Step) -> Step:
        """The game begins, where all stands as it starts."""
        return set_up if isinstance(set_up, Step) else self._await(set_up, Finding.RULED)

    def _look(self, course: Course, look: Evidence) -> Step:
        """Rules what the board shows to have happened, or says what does not fit."""
        state, doubts = course.state.table.state, open_doubts(course.state, look.doubts)
        if any(doubt.kind in SENSOR_DOUBTS for doubt in doubts):
            return self._setting_up.unclear(course, look)
        left_over = course.state.left_over
        allowed = look.sighting.allows(self.game.board(state))
        if not allowed and left_over is not None and look.sighting.allows(left_over):
            return self._not_put_back(course, look.sighting)
        coming = [self.house.read(r) for r in next(iter(course.state.coming), ())]
        found = self._judged(course.state, look, coming, course.state.supposed)
        if (
            found.kind == "wrong"
            and course.state.throws
            and self.house.due(course.state.table).kind == "act"
        ):
            ended = self._clerk.thrown_after(course.state, self._unseen(course.state))
            further = self._judged(course.state, look, coming, ended)
            found = further if further.answers else found
        if found.kind in ("several", "as-it-was"):
            course = self._clerk.suppose(course, found.answers)
        match found.kind:
            case "as-it-was":
                # Unseen pieces may still stand where they stood; the others surely do.
                if doubts:
                    return self._setting_up.unclear(course, look)
                course = course._replace(state=course.state._replace(left_over=None))
                if course.state.open_beside:
                    return self._rest_of(course)
                return self._as_it_was(course)
            case "done":
                course = self._clerk.carry_out_found(course, found)
                board = self.game.board(course.state.table.state)
                if doubts and look.sighting.allows(board):
                    return self._setting_up.unclear(course, look)
                return self._await(course, Finding.RULED)
        if doubts:
            return self._setting_up.unclear(course, look)
        if found.kind == "several":
            ask = asked_before(course.state) or which(self.game, found.answers)
            return self._clerk.ask(course, Finding.SEVERAL, ask)
        if (back := by_hand(self.house, course.state.table, look.sighting)) is not None:
            return self._clerk.ask(course, Finding.SEVERAL, back)
        if found.kind == "not-sure":
            return self._lost(course, "not-sure", found.puts)
        after = self.game.unfinished(state, look.sighting)
        if after is not None:
            return self._rest_of_move(course, look, after)
        if len(found.puts) > MOST_DISPLACED:
            return self._lost(course, "lost", found.puts)
        return self._clerk.trouble(course, self._wrong(state, look.sighting, found))

    def _judged(
        self, state: TableState, look: Evidence, coming: list[Any], supposed: tuple[Answer, ...]
    ) -> verdict.Verdict:
        inner, blinded = state.table.state, state.blinded
        lead = partial(self._clerk.led, state)
        return verdict.judged(self.game, inner, look, coming, blinded, supposed, lead)

    def _not_put_back(self, course: Course, sighting: Sighting) -> Step:
        """What was taken back, or done again, is still to be done on the board."""
        puts = verdict.way_back(self.game, course.state.table.state, sighting)
        who = name_of(puts[0]) if puts else ""
        trouble = Trouble(who, (Fact("HR-2.1", "not-put-back"),), puts)
        return self._clerk.trouble(course, trouble)

    def _rest_of_move(self, course: Course, look: Evidence, after: Any) -> Step:
        """A part of the move is done; says what is still to be put where."""
        puts = verdict.way_back(self.game, after, look.sighting)
        before = course.state.table.state
        drive = self.game.forced(before)
        assert drive is not None
        reasons = tuple(f for f in self.game.apply(before, drive)[1] if f.who == name_of(puts[0]))
        back = verdict.way_back(self.game, before, look.sighting)
        unfinished = Trouble(self.game.due(before).piece, reasons, back, puts)
        ask = Ask("unfinished", put_words(puts[0]))
        key = f"unfinished {puts}"
        state = course.state._replace(trouble=None, ask=ask, unfinished=unfinished)
        course = course._replace(state=state)
        if state.told != key:
            data = {"key": key, "put": put_records(puts), **trouble_record(unfinished)}
            data["facts"] = [fact._asdict() for fact in reasons]
            keep_blinded(data, state)
            course = self._clerk.note(course, Row("unfinished", data))
            state = course.state._replace(told=key, asked=course.state.rows)
        ask = ask._replace(number=state.asked)
        return self._clerk.found(course._replace(state=state._replace(ask=ask)), Finding.UNFINISHED)

    def _lost(self, course: Course, key: str, puts: tuple[Put, ...]) -> Step:
        """Too much has changed to say who did what: the players put it back, or correct it."""
        who = ", ".join(sorted({name_of(put) for put in puts}))
        return self._clerk.ask(course, Finding.UNCLEAR, Ask(key, {"who": who}))

    def _wrong(self, state: Any, sighting: Sighting, found: verdict.Verdict) -> Trouble:
        assert found.nearest is not None
        # Where nothing resembles it, the board is simply not as it was.
        reasons = found.nearest.ruling.broken or (Fact("HR-3.1", "board"),)
        piece = reasons[0].who or (name_of(found.puts[0]) if found.puts else "")
        stands = tuple(
            f"{put.start} {text_of(stack)}"
            for put in found.puts
            for stack in sighting.cells.get(put.start, ())
        )
        refused = None
        if self.game.seen_position(state, {}) is None and found.nearest.action is not None:
            refused = found.nearest.action
        return Trouble(piece, reasons, found.puts, self._expected(state), stands, refused)

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

    # -- switches, with or without an eye ---------------------------------------------------------

    def _felt(self, state: TableState) -> Step:
        """The switches have told something: until they are at rest, somebody moves."""
        feel = state.switches
        if feel is None or state.phase in (Phase.OVER, Phase.SETTING_UP):
            return Step(state)
        if state.eye and not state.dark:
            in_the_air = len(self.game.board(state.table.state)) - len(feel.occupied)
            if in_the_air > 0 and not feel.silent:
                return self._covered(Course(state))
            return Step(state)
        if state.looked == feel.changed:
            return Step(state)
        return self._at_rest(state, feel.changed)

    def _at_rest(self, state: TableState, time: float) -> Step:
        """Time has passed: what only switches feel is judged once they are at rest."""
        if state.phase is Phase.OVER or state.switches is None or (state.eye and not state.dark):
            return Step(state)
        course = Course(state)
        if state.phase is Phase.SETTING_UP:
            if time - state.switches.changed < AT_REST or (
                "board" in state.senses and not state.dark
            ):
                return Step(state)
            return self._begun(self._setting_up.felt(course))
        if state.looked == state.switches.changed:
            return Step(state)
        after = self._moved(course, time)
        if isinstance(after, Step):
            return after
        if any(row.kind == "action" for row in after.rows):
            return self._await(after, Finding.RULED)
        if state.mat.seen is not None and not state.mat.judged:
            return Step(after.state, after.rows, Told(after.facts, state.trouble, state.ask))
        return self._as_it_was(after)

    def _moved(self, course: Course, time: float) -> Course | Step:
        """What the pieces on the board have done, going by the switches; a Step where nothing else
        is looked at yet. Until they are at rest only a move that leaves nobody a choice is ruled:
        any other may be a step of the hand on its way."""
        state, feel = course.state, course.state.switches
        if feel is None or (state.eye and not state.dark):
            return course
        since, inner = time - feel.changed, state.table.state
        if since < AT_REST and self.game.forced(inner) is None:
            return self._covered(course)
        look = evidence.by_switches(self.board, self.game.stacks, self.game.board(inner), feel)
        left_over = state.left_over
        coming = [self.house.read(r) for r in next(iter(state.coming), ())]
        found = verdict.felt(self.game, inner, look, feel, since < HELD, coming)
        if since < AT_REST and found.kind != "done":
            return self._covered(course)
        allowed = look.sighting.allows(self.game.board(inner))
        if not allowed and left_over is not None and evidence.feels(feel, left_over):
            return self._not_put_back(course, look.sighting)
        back = None
        if found.kind in ("not-sure", "wrong"):
            back = by_hand(self.house, state.table, look.sighting)
        if back is not None:
            return self._clerk.ask(course, Finding.SEVERAL, back)
        match found.kind:
            case "half":
                return self._covered(course)
            case "several":
                ask = which(self.game, found.answers)
                return self._clerk.ask(course, Finding.SEVERAL, ask)
            case "not-sure":
                return self._lost(course, "not-sure", found.puts)
            case "wrong":
                trouble = self._wrong(inner, look.sighting, found)
                trouble = trouble._replace(stands=(), expected=())
                return self._clerk.trouble(course, trouble)
            case "as-it-was":
                course = course._replace(state=state._replace(left_over=None))
            case "done":
                course = self._clerk.carry_out_found(course, found)
        state = course.state
        assert state.switches is not None
        return course._replace(
            state=state._replace(looked=feel.changed, switches=state.switches.accounted())
        )

    def _covered(self, course: Course) -> Step:
        """A hand is at work, or dice roll. What was asked or refused stays on the display."""
        state = course.state
        if state.phase in (Phase.ASKING, Phase.REFUSED) and (state.mat.seen is not None):
            return Step(state, course.rows, Told(course.facts, state.trouble, state.ask))
        return self._clerk.found(course, Finding.COVERED)

    def _rest_of(self, course: Course) -> Step:
        state = course.state
        return Step(state, course.rows, Told(course.facts, state.trouble, state.ask))

    # -- the eye over the dice mat ----------------------------------------------------------------

    def _mat_seen(self, state: TableState, time: float, in_view: bool) -> Step:
        mat, feel = state.mat, state.switches
        if state.phase is Phase.OVER:
            return Step(state)
        if mat.gone(time):
            return self._throws.out_of_view(Course(state))
        if not in_view:
            return Step(state)
        if state.ask is not None and state.ask.key == NO_MAT:
            return self._as_it_was(Course(state))
        seeing = state.eye and not state.dark
        at_rest = feel is None or seeing or state.looked == feel.changed
        if mat.judged and at_rest and state.phase is not Phase.HAND:
            return Step(state)  # all is as it was when it was last judged
        course = Course(state)
        if state.phase is Phase.SETTING_UP:
            if seeing or {"board", "switches"} & {*state.senses}:
                return Step(state)  # they will tell
            if feel is not None:
                held = feel.occupied - feel.silent
                if held != self.game.board(state.table.state).keys() - feel.silent:
                    return self._begun(self._setting_up.felt(course))
            course = self._clerk.note(course, Row("set-up", {}))
            course = course._replace(state=course.state._replace(phase=Phase.WAITING))
        if mat.settled and not mat.judged and not (found := rest(mat)).new:
            course = self._throws.lie_on(course, found)  # also while somebody moves a piece
        after = self._moved(course, time)
        if isinstance(after, Step):
            return after
        mat = after.state.mat
        if mat.settled:
            return self._settled(after)
        if mat.restless(time):
            return self._throws.restless(after)
        if any(row.kind in ("action", "set-up") for row in after.rows):
            return self._await(after, Finding.RULED)
        if mat.agreed:
            return self._rest_of(after)
        return self._covered(after)

    def _settled(self, course: Course) -> Step:
        rested = self._throws.rested(course)
        if isinstance(rested, Step):
            return rested
        ruled = any(row.kind == "action" for row in rested.rows)
        return self._await(rested, Finding.RULED if ruled else Finding.AS_IT_WAS)

    # -- what is awaited --------------------------------------------------------------------------

    def _ruled(self, said: Course | Step) -> Step:
        """Something was entered, answered or let stand: what follows by itself follows."""
        if isinstance(said, Step):
            return said
        return self._await(self._clerk.go_on(said), Finding.RULED)

    def _as_it_was(self, course: Course) -> Step:
        return self._await(course, Finding.AS_IT_WAS)

    def _await(self, course: Course, finding: Finding) -> Step:
        """Nothing is wrong: says what the table waits for."""
        if finding is Finding.AS_IT_WAS:
            course = self._clerk.clear(course)
        state = course.state._replace(trouble=None)
        course = course._replace(state=state)
        due = self.house.due(state.table)
        if state.phase is Phase.OVER or due.kind == "over":
            return self._clerk.found(course, finding)
        if due.kind == "throw":
            return self._clerk.awaiting(course, self._throws.awaited(state), finding)
        inner, who = state.table.state, self._throws.who(state)
        if due.kind != "act":
            return self._clerk.awaiting(course, offered(self.game, inner), finding)
        if state.switches is None and not state.eye:
            return self._clerk.ask(course, Finding.SEVERAL, entered(self.game, inner, who))
        awaits, unseen = self.game.awaits(inner), self._unseen(state)
        if not awaits.note and not unseen:
            return self._clerk.awaiting(course, None, finding)
        key, values = ("move", {"what": awaits.note}) if awaits.note else ("moves", {})
        ask = Ask(key, {"who": who, **values}, unseen, paragraph=awaits.paragraph)
        return self._clerk.awaiting(course, ask, finding)

    def _unseen(self, state: TableState) -> tuple[Answer, ...]:
        """What may be done though nobody sees it: the end of the turn, a pass; and where only
        switches feel, moves onto cells that are taken from the hand or from a cell that stays so.
        """
        inner = state.table.state
        board = self.game.board(inner)
        everything = entered(self.game, inner, "").answers
        if state.eye and not state.dark:
            return tuple(each for each in everything if self.game.board(each.state) == board)
        held = board.keys()
        return tuple(each for each in everything if self.game.board(each.state).keys() == held)
