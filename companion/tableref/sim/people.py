"""Virtual people: they play any game by its rules, move pieces, throw dice, plot, answer what the
referee asks, now and then go wrong, and put it right as they are told.

All they know of the referee is what it tells (`tell`). They know what they have really done, and
hold what is ruled against it: `slips` are rulings of what nobody did, and there must be none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from tableref.referee.asking import choices
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Act, Choose
from tableref.referee.lessons import lesson
from tableref.referee.lying import LET_LIE, may_lie
from tableref.referee.page import labels
from tableref.referee.senses.eye import STRANGE
from tableref.referee.setting_up import IS_EMPTY
from tableref.referee.table import Ask, Phase, TableState
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put
from tableref.rules.house import Resign
from tableref.rules.log import House
from tableref.rules.pieces import EMPTY, Piece, Stack, spelled
from tableref.rules.surface import Action
from tableref.sim import mishaps
from tableref.sim.moves import Lift, steps
from tableref.sim.room import Room
from tableref.sim.setting_up import every_piece
from tableref.sim.throwing import PERIOD, Dice

STRAIGHTENED = (2, 5, 8, 11)
"""Looks after which they set pieces straight that are not known for what they are."""
PATIENCE = 14
"""Looks at the table after which people who have heard nothing do something else."""
REST = 1.3
"""Seconds that people wait after a move, with their hands off the board."""
AT_WORK = 0.3
"""Seconds between two things that hands do."""
CARELESS = 0.02
"""How often people note something and leave a part of it open."""
HASTY = 6
"""Throws in a row that need not count before people throw with care."""
SHOWN = ("show-empty", "show-looks", "show-again", "show-start", "show-position", "show-bare")
"""What people are asked to show, as keys among the messages."""
SLIPS = ("hand", "wrong")
"""What goes wrong while something is shown: a hand stays, a piece lies elsewhere."""
PRESUMED = ("was-thrown", "left-alone")
"""What people say of dice that they threw and that nobody touched."""


Slipped = Literal["thrown", "shown", "dice", "mishap", "start", "again", "end", "righted", "action"]
"""What a slip is about: `slip-...` among the words of `tableref journal`."""


class Slip(NamedTuple):
    """Something was ruled or told otherwise than it was done: when, what it is about, and how the
    referee has the game then."""

    time: float
    key: Slipped
    what: str
    state: str
    asked: str

    def text(self, lang: str = LANGUAGES[0]) -> str:
        """It in a language; the game as its facts are called."""
        words = labels(lang)
        told = words[f"slip-{self.key}"].format(what=Rulebook(lang).done(self.what))
        return words["slip"].format(
            seconds=f"{self.time:.0f}", told=told, state=self.state, asked=self.asked
        )


class People:
    """The players of one evening; the seed decides all of it but what the referee says.

    `mishaps` in 1: how often a turn goes wrong first. After `length` actions, or so many
    `rounds` of a game that has rounds, they have had enough and resign.
    """

    def __init__(
        self,
        game: TableGame[Any],
        setup: Mapping[str, Any],
        seed: int = 0,
        mishaps: float = 0.12,
        length: int = 10_000,
        rounds: int | None = None,
        begun: TableState | None = None,
    ) -> None:
        """`begun`: the game as a referee has it, to go on with where it is set up already."""
        self.game, self.house = game, House(game)
        self.table = self.house.start(setup)
        self._start = self.table.state
        self._again = begun is not None and begun.phase is not Phase.SETTING_UP
        if begun is not None and self._again:
            self.table = begun.table
        self.slips: list[Slip] = []
        self.mishaps: Counter[str] = Counter()
        """What went wrong, by kind."""
        self._seed, self._chance = seed, random.Random(seed)
        self._share, self._length, self._rounds = mishaps, length, rounds
        self._told: TableState | None = None
        self._answered: set[int] = set()
        self._by_mat = False
        self._asked_for = ""
        self._once_more: dict[str, Stack] = {}
        self._throws: Counter[int] = Counter()
        """Actions so far -> how often dice were thrown that did not count."""

    @property
    def made(self) -> int:
        """Actions so far."""
        return sum(not done.followed for done, _ in self.table.past)

    def _by_chance(self, what: str, ahead: int = 0) -> None:
        """What comes by chance from here on hangs on the seed and on how far the game is, or will
        be so many actions `ahead`: a game that is taken up again goes on as it would have."""
        self._chance.seed(f"{self._seed} {len(self.table.past) + ahead} {what}")

    def _by_die(self, number: int) -> None:
        """How a die lands hangs on which throw it will be, be it thrown alone or with another."""
        self._by_chance(f"die, throw {self._throws[len(self.table.past)]}", number)

    # -- what they hear ---------------------------------------------------------------------------

    def tell(self, feedback: Feedback) -> None:
        """What the referee tells. Of throws they follow what is ruled: how dice lie, they see."""
        self._told = feedback.table
        for event in feedback.events:
            if event["event"] != "ruling" or "action" not in event or not self._by_mat:
                continue
            owed = self.game.throws(self.table.state)
            action = self.house.read(event["action"])
            if owed is not None and isinstance(action, type(self.game.thrown(owed.trays[0], 1))):
                self._throw_ruled(action)

    def _throw_ruled(self, action: Action) -> None:
        if not self._dice.ruled(self.game, action):
            self._slip("thrown", str(action.record()))
            return
        self._done(action)

    def _agreed(self) -> bool:
        """Whether the referee has the game as it is, and nothing is open."""
        told = self._told
        return (
            told is not None
            and told.phase is not Phase.SETTING_UP
            and told.trouble is None
            and (told.ask is None or told.ask.awaited or told.ask.key == "which-move")
            and self._same(told.table.state)
        )

    def _same(self, state: Any) -> bool:
        """Whether this is the game as they have played it, as far as anybody may see it."""
        return self.game.view(state, None) == self.game.view(self.table.state, None)

    # -- the evening ------------------------------------------------------------------------------

    def play(self, room: Room) -> None:
        """Plays in this room until the game is over, or something was ruled that nobody did."""
        self._room = room
        self._dice = Dice(room, self._chance, self._share, self._by_die)
        self._by_mat = "mat" in room.senses
        self._follow()
        if self._again:
            self._sit_down_again()
        else:
            self._set_up()
        while not self.slips and self.house.outcome(self.table) is None:
            if self._had_enough():
                self._give_up()
                break
            self._turn()
        if not self.slips:
            self._settle("end")
            room.passes(REST)

    def _had_enough(self) -> bool:
        begun = self.game.facts(self.table.state).get("round", 0)
        return self.made >= self._length or begun > (self._rounds or begun)

    def _set_up(self) -> None:
        """They show what an eye that has to learn asks for, and set the pieces up."""
        room, start = self._room, self.game.board(self.table.state)
        room.stage.beside = list(every_piece(room.stage.board, self.game, self._start).elements())
        if self._chance.random() < self._share:  # the pieces stand there since last time
            self._put(start)
        self._show()
        self._hands(start)
        self._settle("start")

    def _sit_down_again(self) -> None:
        """The pieces stand as they were left; dice are taken off the mat. An eye that has forgotten
        what it learnt is shown it again."""
        self._put(self.game.board(self.table.state))
        self._show()
        self._settle("again")

    def _show(self) -> None:
        """Whatever an eye that has to learn asks to be shown, until it has seen it; now and then
        something is amiss first."""
        room, stage = self._room, self._room.stage
        room.passes(REST)
        room.passes(REST)
        for _ in range(4 * PATIENCE):
            told = self._told
            ask = told.ask if told is not None else None
            if told is None or ask is None or not ask.key.startswith("show-"):
                return
            if IS_EMPTY not in ask.options or not self._answer():
                wanted = self._wanted(told, ask)
                slip = self._chance.choice(SLIPS) if self._chance.random() < self._share else ""
                if slip == "hand":
                    room.passes(REST, hands=[stage.hand_at(0.0, 0.0)])
                elif slip == "wrong" and wanted:
                    cell = self._chance.choice(sorted(wanted))
                    free = sorted(stage.board.cells.keys() - wanted.keys())
                    wrong = {c: stack for c, stack in wanted.items() if c != cell}
                    self._hands(wrong | {self._chance.choice(free): wanted[cell]})
                    for _ in range(4):
                        room.passes(REST)
                self._hands(wanted)
                self._set_straight()
            room.passes(REST)
            room.passes(REST)
        self._slip("shown")

    def _wanted(self, told: TableState, ask: Ask) -> dict[str, Stack]:
        """The board that is asked for."""
        if ask.key in SHOWN:
            self._asked_for = ask.key
        if ask.key == "show-again":
            known = spelled(self.game.stacks)
            laid = (one.split(" ", 1) for one in ask.values["lay"].split("; "))
            self._once_more = {cell: known[text] for cell, text in laid}
        match self._asked_for:
            case "show-again":
                return self._once_more
            case "show-looks":
                return lesson(self._room.stage.board, self.game, told.table.state)
            case "show-start" | "show-position":
                return self.game.board(told.table.state)
        return {}

    def _put(self, board: Mapping[str, Stack]) -> None:
        """This board, set up while nobody looks; all other pieces are beside it."""
        stage = self._room.stage
        stage.show(board)
        stage.beside = list(every_piece(stage.board, self.game, self._start).elements())
        for stack in board.values():
            for piece in stack:
                self._off_the_side(piece)

    def _turn(self) -> None:
        """One action: thrown, said, or done by hand."""
        self._by_chance("turn")
        if self.house.due(self.table).kind == "throw" and self._by_mat:
            self._throw()
            return
        if self._chance.random() < self._share:
            self._mishap(self._chance.choice(mishaps.KINDS))
        if self.slips:
            return
        self._by_chance("choice")
        action = self._choice()
        before = self.game.board(self.table.state)
        due = self.house.due(self.table)
        self._done(action)
        after = self.game.board(self.table.state)
        if before == after or not self._room.senses & {"board", "switches"}:
            player = due.players[0] if len(due.players) == 1 else None
            self._say(action, player)
        if before != after:
            self._hands(after)
        self._settle("action", self.game.text(self.table.past[-1][1].state, action), action)

    def _choice(self) -> Action:
        """Any legal action: first what is to be noted in secret, then one that moves a piece rather
        than one that is only said."""
        state = self.table.state
        legal = list(self.game.legal(state))
        by_kind: dict[str, list[Action]] = {}
        for action in [action for action in legal if self.game.secret(action)] or legal:
            by_kind.setdefault(next(iter(action.record())), []).append(action)
        picked = [self._chance.choice(self._noted(by_kind[kind])) for kind in sorted(by_kind)]
        board = self.game.board(state)
        weights = [
            1 if self.game.board(self.game.apply(state, action)[0]) == board else 6
            for action in picked
        ]
        return self._chance.choices(picked, weights)[0]

    def _noted(self, actions: list[Action]) -> list[Action]:
        """Those of one kind among which people choose: mostly what leaves nothing open."""
        if self._chance.random() < CARELESS:
            return actions
        return [action for action in actions if not _leaves_open(action)] or actions

    def _done(self, action: Action) -> None:
        """An action has been done, and what follows by itself with it."""
        self.table = self.house.apply(self.table, action)[0]
        self._follow()

    def _follow(self) -> None:
        while (unseen := self.game.unseen_move(self.table.state)) is not None:
            self.table = self.house.apply(self.table, unseen, None, True)[0]

    def _give_up(self) -> None:
        """They have had enough: one after the other resigns, until the game is over."""
        for player in range(len(self.game.players(self.table.state)) - 1):
            if self.house.outcome(self.table) is not None:
                return
            if player in self.table.now.gone:
                continue
            action = Resign(player)
            self.table = self.house.apply(self.table, action)[0]
            self._follow()
            self._room.give(Act(self._room.now, action.record(), player))

    # -- hands ------------------------------------------------------------------------------------

    def _hands(self, board: Mapping[str, Stack]) -> None:
        """Hands make the board on the table this one."""
        room, stage = self._room, self._room.stage
        lifted: dict[Lift, float] = {}
        for step in steps(stage.stacks(), board, self._chance):
            where = stage.board.cells[step.cell]
            if isinstance(step, Lift):
                lifted[step] = stage.take(step.cell, step.piece).yaw
                stage.beside.append(step.piece)
            else:
                self._off_the_side(step.piece if step.was is None else step.was.piece)
                held = self._way(step.piece) if step.was is None else lifted[step.was]
                stage.stand(step.piece, step.cell, yaw=held)
            if self._chance.random() < 0.7:
                room.now = round(room.now + AT_WORK, 3)
                room.feel()
            if self._chance.random() < 0.15:
                room.passes(AT_WORK, hands=[stage.hand_at(where.x, where.y)])

    def _way(self, piece: Piece) -> float | None:
        """How a piece that comes to the board is held: those with faces as their side's lay at the
        start."""
        if not piece.face:
            return None
        start = self.game.board(self._start)
        ways = (
            self._room.stage.inward(c) for c, (one, *_) in start.items() if one.side == piece.side
        )
        return next(ways, None)

    def _off_the_side(self, piece: Piece) -> None:
        """A piece that was beside the board, or in a hand, is there no more."""
        beside = self._room.stage.beside
        for number, other in enumerate(beside):
            if other.same(piece):
                del beside[number]
                return

    def _say(self, action: Any, player: int | None) -> None:
        self._room.give(Act(self._room.now, action.record(), player))

    # -- until the referee has it -----------------------------------------------------------------

    def _settle(self, key: Slipped, what: str = "", action: Action | None = None) -> None:
        """Waits until the referee has the game as it is, answering what it asks; where it never
        has, that is a slip of this key."""
        said = action is None
        for wait in range(2 * PATIENCE):
            if self.slips:
                return
            if self._agreed():
                # What a piece shows that was put back hidden, nobody said: it is open to them, too.
                if self._told is not None:
                    self.table = self._told.table
                return
            self._room.passes(PERIOD if self._by_mat else REST)
            answered = self._answer(tried=wait > STRAIGHTENED[-1])
            if wait % PATIENCE in STRAIGHTENED:
                self._set_straight()
            if not answered and wait > PATIENCE and not said and action is not None:
                said = True
                self._say(action, None)
        self._slip(key, what)

    def _answer(self, tried: bool = False) -> bool:
        """Answers what is asked, once; False where nothing is, or the truth is no choice. `tried`:
        all that may be told wrong was set straight, and what is still strange to the eye may lie
        there if nothing does that is no piece."""
        told = self._told
        ask = told.ask if told is not None else None
        if told is None or ask is None or ask.number in self._answered:
            return False
        number = self._truth(told, ask)
        if number is None and tried and may_lie(ask) and self._nothing_odd():
            number = ask.options.index(LET_LIE)
        if number is None:
            return False
        self._answered.add(ask.number)
        self._room.give(Choose(self._room.now, number, ask.number))
        return True

    def _truth(self, told: TableState, ask: Ask) -> int | None:
        """The number of the choice that is true."""
        said = (*PRESUMED, "on-another" if self._dice.piled else "each-alone")
        if IS_EMPTY in ask.options:
            return None if self._room.stage.pieces else 0
        for number, option in enumerate(ask.options):
            if option in said and self._dice.pending:
                return number
        if ask.die is not None:
            shown = self._dice.shows(self.game, ask.die.middle)
            fits = [answer.actions == (shown,) for answer in ask.answers]
            return fits.index(True) if True in fits else None
        for number, choice in enumerate(choices(self.game, told.table.state, ask)):
            if any(self._leads_here(answer) for answer in choice.answers):
                return number
        return None

    def _set_straight(self) -> None:
        """Pieces that the referee takes for something else are taken up and set down again."""
        ask = self._told.ask if self._told is not None else None
        if ask is None or ask.key not in (STRANGE, "show-other"):
            return
        stage = self._room.stage
        stands = stage.stacks()
        for cell in ask.values.get("who", "").split(", "):
            if stack := stands.get(cell):
                stage.take(cell, stack[-1])
                stage.stand(stack[-1], cell, yaw=self._way(stack[-1]))

    def _nothing_odd(self) -> bool:
        """Whether nothing but pieces lies on the board, and those on cells."""
        stage = self._room.stage
        return not stage.coins and all(placed.cell for placed in stage.pieces.values())

    def _leads_here(self, answer: Answer) -> bool:
        state = answer.state
        while (unseen := self.game.unseen_move(state)) is not None:
            state = self.game.apply(state, unseen)[0]
        return self._same(state)

    def _slip(self, key: Slipped, what: str = "") -> None:
        told = self._told
        state = self.game.view(told.table.state, None) if told else None
        asked = (told.ask, told.trouble) if told else None
        self.slips.append(Slip(self._room.now, key, what, f"{state}", f"{asked}"))

    # -- dice -------------------------------------------------------------------------------------

    def _throw(self) -> None:
        """One die or both are taken up and thrown, again until they count."""
        owed = self.game.throws(self.table.state)
        assert owed is not None
        hand = self._dice.take_up(owed.owed)
        for tried in range(PATIENCE):
            self._dice.throw(hand, owed.trays, with_care=tried >= HASTY)
            for _ in range(PATIENCE):
                self._room.passes(PERIOD)
                if not self._dice.pending or self.slips:
                    return
                self._answer()
            self._throws[len(self.table.past)] += 1
            hand = self._dice.again()
        self._slip("dice")

    # -- mishaps ----------------------------------------------------------------------------------

    def _mishap(self, kind: str) -> None:
        """Something goes wrong; the referee rules nothing by it, and people put it right."""
        room, stage, chance = self._room, self._room.stage, self._chance
        board = self.game.board(self.table.state)
        seen = "board" in room.senses and not room.dark
        if not board or not (seen or ("switches" in room.senses and not room.cut)):
            return
        cell = chance.choice(sorted(board))
        where = stage.board.cells[cell]
        if kind == "hand":
            for _ in range(3):
                room.passes(REST, hands=[stage.hand_at(where.x, where.y)])
        elif kind == "put-back":
            piece = board[cell][-1]
            yaw = stage.take(cell, piece).yaw
            room.passes(AT_WORK, hands=[stage.hand_at(where.x, where.y)])
            stage.stand(piece, cell, yaw=yaw)
        elif kind == "coin":
            free = [name for name in stage.board.cells if name not in board]
            if not free:
                return
            on = stage.board.cells[chance.choice(free)]
            stage.coins.append((on.x, on.y))
            room.passes(REST)
            room.passes(REST)
            stage.coins.clear()
        elif kind == "between":
            self._between(cell, board)
        else:
            wrong = mishaps.wrong_board(
                kind, self.game, self.table.state, stage.board, seen, chance
            )
            if wrong is None:
                return
            self._hands(wrong)
            self._objected(kind)
        self.mishaps[kind] += 1
        if not self.slips:
            self._put_right(board, seen)
            self._settle("righted", kind)

    def _between(self, cell: str, board: Mapping[str, Stack]) -> None:
        """A piece is left between its cell and the next."""
        stage = self._room.stage
        here = stage.board.cells[cell]
        near = sorted(
            (other for other in stage.board.cells.values() if other.name not in board),
            key=lambda other: (other.x - here.x) ** 2 + (other.y - here.y) ** 2,
        )
        if not near:
            return
        placed = stage.take(cell, board[cell][-1])
        stage.put_at(placed.piece, (here.x + near[0].x) / 2, (here.y + near[0].y) / 2, placed.yaw)
        self._objected("between")

    def _objected(self, kind: str) -> None:
        """The referee says that something is wrong; it does not rule a move that nobody made."""
        for _ in range(PATIENCE):
            self._room.passes(REST)
            told = self._told
            if told is not None and not self._same(told.table.state):
                self._slip("mishap", kind)
                return
            if told is not None and (told.trouble or (told.ask and not told.ask.awaited)):
                return

    def _put_right(self, board: Mapping[str, Stack], seen: bool) -> None:
        """The pieces are put as the referee says; what is left, as people remember it."""
        told, stage = self._told, self._room.stage
        trouble = told.trouble if told is not None else None
        if trouble is not None and seen and all(put.piece for put in trouble.put):
            self._hands(_as_told(stage.stacks(), trouble.put))
        for name, placed in list(stage.pieces.items()):
            if not placed.cell:  # it lies anyhow
                stage.lift(name)
                stage.beside.append(placed.piece)
        self._hands(board)


def _as_told(stands: Mapping[str, Stack], puts: tuple[Put, ...]) -> dict[str, Stack]:
    """The board once these puts are done."""
    board = {cell: list(stack) for cell, stack in stands.items()}
    for put in puts:
        there = board.get(put.start, [])
        for piece in there:
            if put.piece is not None and piece.same(put.piece):
                there.remove(piece)
                break
    for put in puts:
        if put.piece is not None and put.to:
            board.setdefault(put.to, []).append(put.piece)
    return {cell: tuple(stack) for cell, stack in board.items() if tuple(stack) != EMPTY}


def _leaves_open(action: Action) -> bool:
    """Whether a part of what may be noted is not."""
    return any(
        isinstance(noted, Mapping) and None in noted.values() for noted in action.record().values()
    )
