"""A game with dice and trays: dice that were seen to be thrown, moves that the switches felt.

The camera looks at the dice mat, so the board is known by its switches, or by what the players
enter where there are none. A throw is carried out once its dice rest; a move once the pieces do.
Whatever is not certain is asked.
"""

from __future__ import annotations

from typing import Any

from tableref.referee import felt
from tableref.referee.inputs import Input, LinkGone, MatSeen, Seen, TrayChosen
from tableref.referee.step import Course, Referee, Step
from tableref.referee.table import Ask, Finding, Phase, Row, TableState, Told, Trouble
from tableref.rules.explain import Answer, Put, Sighting
from tableref.rules.house import HouseAction, HouseRuling
from tableref.rules.pieces import EMPTY
from tableref.rules.surface import Action, Fact, Refused, UnreadableAction
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import Lying, Mat, Rest, follow, rest, void_reason

AT_REST = 1.0
"""Seconds without a word of the switches after which a move counts as made: people touch cells as
they count."""

THROWN, NOT_THROWN = "was-thrown", "not-thrown"
LEFT_ALONE, TOUCHED = "left-alone", "was-touched"
PRESUMED = {"thrown": (THROWN, NOT_THROWN), "reached": (LEFT_ALONE, TOUCHED)}
"""Questions about dice that were not seen all the time, and their answers: the throw counts, or
it does not."""

OUT_OF_TURN, TOO_MANY = "out-of-turn", "too-many"
"""Why dice do not count that lie as they should."""

TRAYS = ("yellow", "black")
CHOICES = tuple(f"tray-{tray}" for tray in TRAYS)


class TrayReferee(Referee):
    """Judges a game whose players throw dice on trays. It keeps no state of its own."""

    def step(self, state: TableState, given: Input) -> Step:
        """The state after this input. The rows belong in the journal before anything is told."""
        match given:
            case MatSeen(look):
                state = state._replace(frame=look.image, dark=False, mat=follow(state.mat, look))
                return self._mat_seen(state, look.time, look.in_view)
            case TrayChosen(_, tray, question):
                if question is not None and question != state.open:
                    return self._notice(state, "question-over")
                return self._tray_chosen(state, tray)
            case Seen():
                return Step(state)  # the camera is not on the board
            case LinkGone(_, message):
                mat = state.mat._replace(judged=False)
                course = Course(state._replace(switches=None, mat=mat))
                ask = Ask("link-moves", {"what": message})
                return self._ask(course, Finding.UNCLEAR, ask)
        return super().step(state, given)

    def _after_row(self, state: TableState, row: Row) -> TableState:
        state = super()._after_row(state, row)
        if row.kind == "dice":
            return state._replace(mat=Mat.from_record(row.data))
        if row.kind == "tray":
            return state._replace(tray=row.data["tray"])
        if row.kind == "action" and "throw" in row.data["action"]:
            return state._replace(tray="")
        return state

    # -- a look at the mat, a word of the switches ------------------------------------------------

    def _mat_seen(self, state: TableState, time: float, in_view: bool) -> Step:
        mat, switches = state.mat, state.switches
        if state.phase is Phase.OVER:
            return Step(state)
        if mat.gone(time):
            return self._ask(Course(state), Finding.NOT_IN_VIEW, Ask("no-mat", {}))
        if not in_view:
            return Step(state)
        at_rest = switches is None or state.looked == switches.changed
        if mat.judged and at_rest and state.phase is not Phase.HAND:
            return Step(state)  # all is as it was when it was last judged
        course = Course(state)
        if state.phase is Phase.SETTING_UP:
            if (wrong := self._set_up_wrong(state)) is not None:
                return self._trouble(course, wrong)
            course = self._note(course, Row("set-up", {}))
            course = course._replace(state=course.state._replace(phase=Phase.WAITING))
        if mat.settled and not mat.judged and not (found := rest(mat)).new:
            course = self._lie_on(course, found)  # also while somebody moves a piece
        after = self._moved(course, time)
        if isinstance(after, Step):
            return after
        mat = after.state.mat
        if mat.settled:
            return self._rested(after)
        if mat.restless(time):
            ask = Ask("restless", {"who": self._who(after.state)}, self._throws(after.state))
            return self._ask(after, Finding.UNCLEAR, ask)
        if any(row.kind in ("action", "set-up") for row in after.rows):
            return self._await(after, Finding.RULED)
        if mat.agreed:
            told = Told(after.facts, after.state.trouble, after.state.ask)
            return Step(after.state, after.rows, told)
        return self._covered(after)

    def _covered(self, course: Course) -> Step:
        """A hand is at work, or dice roll. What was asked or refused stays on the display."""
        state = course.state
        if state.phase in (Phase.ASKING, Phase.REFUSED):
            return Step(state, course.rows, Told(course.facts, state.trouble, state.ask))
        return self._found(course, Finding.COVERED)

    def _set_up_wrong(self, state: TableState) -> Trouble | None:
        """All pieces begin in the hand, so no switch may feel any."""
        if state.switches is None:
            return None
        cells = sorted(state.switches.occupied - state.switches.silent)
        puts = tuple(Put(None, cell, "") for cell in cells)
        return Trouble(cells[0], (Fact("HR-3.1", "board"),), puts) if puts else None

    def _felt(self, state: TableState) -> Step:
        """The switches have told something: until they are at rest again, somebody moves."""
        switches = state.switches
        if switches is None or state.phase in (Phase.OVER, Phase.SETTING_UP):
            return Step(state)
        if state.looked == switches.changed:
            return Step(state)
        return self._covered(Course(state))

    def _moved(self, course: Course, time: float) -> Course | Step:
        """What the pieces on the board have done; a Step where nothing else is looked at yet."""
        state, switches = course.state, course.state.switches
        if switches is None:
            return course
        if time - switches.changed < AT_REST:
            return self._covered(course)
        found = felt.read(self.game, state.table.state, switches)
        if found.kind == "same":
            state = state._replace(left_over=None)
            course = course._replace(state=state)
        elif state.left_over is not None and felt.feels(switches, state.left_over):
            puts = felt.way_back(self.game, state.table.state, switches)
            return self._trouble(course, self._not_put_back(puts))
        match found.kind:
            case "half":
                return self._covered(course)
            case "several":
                texts = [self._text(state.table.state, answer) for answer in found.answers]
                key = "several" if len(texts) > 1 else "confirm"
                ask = Ask(key, {"what": "; ".join(texts)}, found.answers)
                return self._ask(course, Finding.SEVERAL, ask)
            case "wrong":
                return self._trouble(course, self._wrong_move(state.table.state, found))
            case "moved":
                for action in found.answers[0].actions:
                    course = self._go_on(self._carry_out(course, action, None))
        return course._replace(state=course.state._replace(looked=switches.changed))

    def _wrong_move(self, state: Any, found: felt.Felt) -> Trouble:
        """Why the pieces may not stand so: by the move that it was meant to be where that is
        plain, for of a piece that came from the hand no switch tells the colour."""
        start, came = found.tried
        board = self.game.board(state)
        if start and len(board[start]) == 1:
            looks = {cell: frozenset((stack,)) for cell, stack in board.items()}
            looks |= {start: frozenset((EMPTY,)), came: frozenset((board[start],))}
            nearest = self.game.nearest(state, Sighting(looks))
            if nearest.action is not None and nearest.ruling.broken:
                broken = nearest.ruling.broken
                who = board[start][0].called
                return Trouble(who, broken, found.puts, refused=nearest.action)
        moved = found.puts[0] if found.puts else None
        piece = (moved.piece.called if moved.piece else moved.start) if moved else ""
        return Trouble(piece, (Fact("HR-3.1", "board"),), found.puts)

    # -- dice that rest ---------------------------------------------------------------------------

    def _rested(self, course: Course) -> Step:
        """The dice lie still: rules what was thrown, or asks."""
        state = course.state
        mat, found = state.mat, rest(state.mat)
        due = self.house.due(state.table).kind
        unsure = found.unexplained or not mat.watched
        moved = bool(found.new) and unsure and due != "throw"
        if not found.new or moved:
            found = found._replace(
                lying=(*found.lying, *map(Lying.of, found.new)),
                touched=found.touched or (moved and bool(mat.lying)),
            )
            return self._shown(self._lie_on(course, found))
        if found.touched:
            course = self._note(course, Row("notice", {"notice": "die-touched"}))
        if due != "throw":
            return self._out_of_turn(course, found.lying, found.new)
        who = {"who": self._who(state)}
        for key, presumed in (("thrown", unsure), ("reached", mat.reached)):
            if presumed:
                return self._ask(course, Finding.UNCLEAR, Ask(key, who, options=PRESUMED[key]))
        return self._thrown(course, found.lying, found.new)

    def _lie_on(self, course: Course, found: Rest) -> Course:
        """No die was thrown; one that had been read may have been moved."""
        if found.touched:
            course = self._note(course, Row("notice", {"notice": "die-touched"}))
        return self._remember(course, found.lying)

    def _thrown(self, course: Course, lying: tuple[Lying, ...], new: tuple[SeenDie, ...]) -> Step:
        """These dice were thrown, and the others lie there since before."""
        if len(new) > self._owed(course.state):
            void = (Lying.of(die, TOO_MANY) for die in new)
            return self._shown(self._remember(course, (*lying, *void)))
        chosen, unread = course.state.tray, []
        for die in new:
            why = void_reason(die)
            if not why and chosen and die.tray not in (None, chosen):
                why = "other-tray"
            if not why and die.tray is not None and self._against(course.state, die):
                why = "refused"
            if not why and not (die.sure and die.tray):
                unread.append(die)
                continue
            if not why:
                course = self._carry_out(course, self._throw(die), None)
            lying = (*lying, Lying.of(die, why))
        course = self._remember(course, lying)
        if unread:
            return self._unread(course, unread[0])
        return self._shown(course)

    def _unread(self, course: Course, die: SeenDie) -> Step:
        """The players tell what a die shows."""
        mat = course.state.mat._replace(judged=False)  # it is still to be judged
        course = course._replace(state=course.state._replace(mat=mat))
        values = {"who": self._who(course.state), "what": die.tray or ""}
        ask = Ask("die", values, self._throws(course.state, die.tray), die=die)
        return self._ask(course, Finding.UNCLEAR, ask)

    def _out_of_turn(
        self, course: Course, lying: tuple[Lying, ...], new: tuple[SeenDie, ...]
    ) -> Step:
        """Dice were thrown while none was due."""
        facts = self._against(course.state, new[0])
        void = (Lying.of(die, OUT_OF_TURN) for die in new)
        course = self._remember(course, (*lying, *void))
        return self._trouble(course, Trouble(self._who(course.state), facts, ()))

    def _shown(self, course: Course) -> Step:
        """The dice have been judged: what is to be thrown again is told, or what is awaited."""
        ruled = any(row.kind == "action" for row in course.rows)
        course = self._go_on(course)
        state = course.state
        void = [die for die in state.mat.lying if die.void and not die.away]
        if self.house.due(state.table).kind == "throw" and void:
            if any(die.void == TOO_MANY for die in void):
                ask = Ask("too-many", {"who": self._who(state)})
                return self._ask(course, Finding.UNCLEAR, ask)
            facts = tuple(fact for die in void for fact in self._against_void(state, die))
            if facts:
                return self._trouble(course, Trouble(self._who(state), facts, ()))
        return self._await(course, Finding.RULED if ruled else Finding.AS_IT_WAS)

    def _against_void(self, state: TableState, die: Lying) -> tuple[Fact, ...]:
        """The paragraphs by which a die is thrown again; none where it only came too early."""
        if die.void == "refused":
            return self._against(state, die)
        if die.void == OUT_OF_TURN:
            return ()
        return (Fact("HR-3.2", die.void, self._who(state), die.tray or ""),)

    def _remember(self, course: Course, lying: tuple[Lying, ...]) -> Course:
        """The dice have been judged; a new row where that is not as it was known."""
        state = course.state
        if lying != state.mat.lying or not state.mat.watched:
            course = self._note(course, Row("dice", state.mat.remember(lying).record()))
        return course._replace(state=course.state._replace(mat=state.mat.remember(lying)))

    # -- what the players enter -------------------------------------------------------------------

    def _tray_chosen(self, state: TableState, tray: str) -> Step:
        """The tray of the next throw is said before it is thrown (SC-2.2)."""
        course = Course(state)
        if tray not in TRAYS:
            text = f"tray: expected {' or '.join(TRAYS)}, found {tray!r}"
            return self._ask(course, Finding.UNCLEAR, Ask("unreadable", {"what": text}))
        broken = self._against(state, Lying((0.0, 0.0), tray, None))
        if broken:
            return self._trouble(course, Trouble(self._who(state), broken, ()))
        course = course._replace(state=state._replace(tray=tray))
        return self._shown(self._note(course, Row("tray", {"tray": tray})))

    def _choose(self, state: TableState, choice: int) -> Step:
        ask = state.ask
        if ask is None or not 0 <= choice < max(len(ask.options), len(ask.answers)):
            return super()._choose(state, choice)
        if ask.options == CHOICES:
            return self._tray_chosen(state, TRAYS[choice])
        if ask.options:
            return self._presumed(Course(state), ask.options[choice])
        course = Course(state)
        if ask.die is not None:
            course = self._take(course, ask.die)
        for action in ask.answers[choice].actions:
            if "throw" in action.record() and ask.die is None:
                course = self._take(course, self._fitting(course.state, action))
            course = self._carry_out(course, action, None)
        return self._ruled(course)

    def _presumed(self, course: Course, answer: str) -> Step:
        """The players say whether dice count that were not seen all the time."""
        course = self._note(course, Row("answered", {"answer": answer}))
        mat = course.state.mat
        if not mat.settled:
            # The dice that were asked about lie there no more; the next look says what is.
            return Step(course.state._replace(told="", ask=None), course.rows)
        found = rest(mat)
        course = course._replace(state=course.state._replace(told="", ask=None))
        if answer in (THROWN, LEFT_ALONE):
            return self._thrown(course, found.lying, found.new)
        void = "touched" if answer == TOUCHED else ""
        new = (Lying.of(die, void) for die in found.new)
        return self._shown(self._remember(course, (*found.lying, *new)))

    def _carry_out(
        self,
        course: Course,
        action: Action | HouseAction,
        player: int | None,
        followed: bool = False,
    ) -> Course:
        course = super()._carry_out(course, action, player, followed)
        state = course.state._replace(looked=-1.0)
        if not isinstance(action, HouseAction) and "throw" in action.record():
            state = state._replace(tray="")
        return course._replace(state=state)

    def _act(self, state: TableState, record: dict[str, Any], player: int | None) -> Step:
        if "throw" not in record:
            return super()._act(state, record, player)
        step = super()._act(state, record, player)
        if not any(row.kind == "action" for row in step.rows):
            return step
        # The die that was entered may lie there, or come to rest later: it must not count twice.
        course = Course(step.state, step.rows, step.told.facts)
        thrown = self.house.read(record)
        assert not isinstance(thrown, HouseAction)
        return self._ruled(self._take(course, self._fitting(state, thrown)))

    def _let_stand(self, state: TableState, agreed: tuple[int, ...], question: int | None) -> Step:
        """The refused move stands (HR-2.3)."""
        trouble, course = state.trouble, Course(state)
        if trouble is None or question not in (None, trouble.number):
            return self._notice(state, "question-over" if question else "nothing-refused")
        if trouble.refused is None:
            return self._notice(state, "nothing-refused")
        try:
            course = self._carry_out(course, HouseRuling(trouble.refused, agreed), None)
        except Refused as refused:
            return self._trouble(course, trouble._replace(reasons=refused.ruling.broken))
        except UnreadableAction as error:
            return self._ask(course, Finding.UNCLEAR, Ask("unreadable", {"what": str(error)}))
        return self._ruled(course)

    def _ruled(self, course: Course) -> Step:
        return self._await(self._go_on(course), Finding.RULED)

    def _take(self, course: Course, die: SeenDie | None) -> Course:
        """Somebody has said what this die shows, so it is judged. None: he said so of one that is
        not seen at rest, so what comes to rest next is asked about."""
        mat = course.state.mat
        if die is None:
            mat = mat._replace(watched=False, judged=False)
            return course._replace(state=course.state._replace(mat=mat))
        lying = rest(mat).lying if mat.settled else mat.lying
        course = self._remember(course, (*lying, Lying.of(die)))
        mat = course.state.mat._replace(judged=False)  # another may lie there
        return course._replace(state=course.state._replace(mat=mat))

    def _fitting(self, state: TableState, action: Action) -> SeenDie | None:
        """The die that is not judged and may be this throw, the likeliest first."""
        told = action.record()["throw"]

        def unlike(die: SeenDie) -> tuple[bool, bool]:
            return die.tray != told["tray"], die.value != told["value"]

        return min(rest(state.mat).new, key=unlike, default=None)

    # -- what is awaited --------------------------------------------------------------------------

    def _await(self, course: Course, finding: Finding) -> Step:
        """Nothing is wrong: says what the table waits for."""
        if finding is Finding.AS_IT_WAS:
            course = self._clear(course)
        state = course.state._replace(trouble=None)
        if state.phase is Phase.OVER:
            return self._found(course._replace(state=state), finding)
        due, who = self.house.due(state.table), {"who": self._who(state)}
        if due.kind == "throw":
            trays = sorted(
                {answer.actions[0].record()["throw"]["tray"] for answer in self._throws(state)}
            )
            if state.tray or len(trays) == 1:
                key = "throw-on" if state.tray else "throw-extra"
                ask = Ask(key, who | {"what": state.tray or trays[0]})
            else:
                ask = Ask("throw", who, options=CHOICES)
            return self._awaiting(course._replace(state=state), ask, finding)
        if state.switches is None:
            every = tuple(
                self._answer(state, action) for action in self.game.legal(state.table.state)
            )
            texts = [self._text(state.table.state, answer) for answer in every]
            ask = Ask("which-move", who | {"what": "; ".join(texts)}, every)
            return self._ask(course._replace(state=state), Finding.SEVERAL, ask)
        dice = self.game.facts(state.table.state)["dice"]
        shown = ", ".join(f"{die['tray']} {die['value']}" for die in dice)
        ask = Ask("move", who | {"what": shown}, self._unfelt(state))
        return self._awaiting(course._replace(state=state), ask, finding)

    def _awaiting(self, course: Course, ask: Ask, finding: Finding) -> Step:
        """Waits for this. It has no row of its own, so its number is that of the last one, and it
        keeps it for as long as the same is awaited."""
        state, before = course.state, course.state.ask
        number = state.rows
        if before is not None and before._replace(number=0) == ask:
            number = before.number
        ask = ask._replace(number=number)
        return self._found(course._replace(state=state._replace(ask=ask)), finding)

    def _unfelt(self, state: TableState) -> tuple[Answer, ...]:
        """What may be done though no switch feels it: the end of the turn, moves onto cells that
        are taken from the hand or from a cell that stays taken."""
        inner, board = state.table.state, frozenset(self.game.board(state.table.state))
        answers = (self._answer(state, action) for action in self.game.legal(inner))
        return tuple(each for each in answers if frozenset(self.game.board(each.state)) == board)

    def _answer(self, state: TableState, action: Action) -> Answer:
        return Answer((action,), self.game.apply(state.table.state, action)[0])

    def _who(self, state: TableState) -> str:
        """Names of those whose action is due."""
        names = self.game.players(state.table.state)
        return ", ".join(names[player] for player in self.game.due(state.table.state).players)

    def _owed(self, state: TableState) -> int:
        """Dice that are to be thrown now: those of a turn, or one extra die (SC-3.4)."""
        return int(self.game.facts(state.table.state)["throws"]) or 1

    def _throws(self, state: TableState, tray: str | None = None) -> tuple[Answer, ...]:
        """The throws that may be made now, on this tray or on any."""
        if self.house.due(state.table).kind != "throw":
            return ()
        actions = self.game.legal(state.table.state)
        return tuple(
            self._answer(state, action)
            for action in actions
            if tray in (None, action.record()["throw"]["tray"])
        )

    def _throw(self, die: SeenDie | Lying) -> Action:
        return self.game.read({"throw": {"tray": die.tray, "value": die.value or 1}})

    def _against(self, state: TableState, die: SeenDie | Lying) -> tuple[Fact, ...]:
        """Why no die may be thrown where this one lies."""
        return self.house.judge(state.table, self._throw(die)).broken
