"""The table as the referee holds it, and the one table of what a look at the board leads to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from tableref.referee.senses.switches import Switches
from tableref.rules.explain import Answer, Put
from tableref.rules.log import Table
from tableref.rules.pieces import Stack
from tableref.rules.surface import Action, Fact
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import Mat


class Phase(Enum):
    """What the players can see of the referee's state."""

    SETTING_UP = "setting up"
    WAITING = "waiting"
    HAND = "hand"
    MOVED = "moved"
    ASKING = "asking"
    REFUSED = "refused"
    DISAGREEING = "disagreeing"
    OVER = "over"


class Finding(Enum):
    """What a look at the board, or an input, comes to."""

    NOT_IN_VIEW = "not in view"  # no pose, or the camera is away
    COVERED = "covered"  # a hand, or something moves
    UNCLEAR = "unclear"  # a piece that must be seen is not, or stands oddly
    AS_IT_WAS = "as it was"
    RULED = "ruled"
    UNFINISHED = "unfinished"  # a part of the move that is due
    SEVERAL = "several"  # more than one move leads there
    WRONG = "wrong"
    SENSORS = "sensors"  # switches and camera disagree
    ENDED = "ended"


PHASE_AFTER: Mapping[Finding, Phase] = {
    Finding.NOT_IN_VIEW: Phase.ASKING,
    Finding.COVERED: Phase.HAND,
    Finding.UNCLEAR: Phase.ASKING,
    Finding.AS_IT_WAS: Phase.WAITING,
    Finding.RULED: Phase.WAITING,
    Finding.UNFINISHED: Phase.MOVED,
    Finding.SEVERAL: Phase.ASKING,
    Finding.WRONG: Phase.REFUSED,
    Finding.SENSORS: Phase.DISAGREEING,
    Finding.ENDED: Phase.OVER,
}
"""Where every finding leads. Two rules stand above it: OVER is left by nothing but taking back,
and SETTING_UP only by a board that stands as the game starts."""

BLINDING = frozenset({Finding.NOT_IN_VIEW})
"""Findings of looks at which something may have happened unseen. What is unclear on one cell is
supposed; a hand that is in view is seen to do what it does, but not two, one after the other."""

SETTLING = frozenset({Finding.AS_IT_WAS, Finding.RULED, Finding.ENDED})
"""Findings by which the board is as it is by the rules: what was not seen before is over."""


def phase_after(phase: Phase, finding: Finding) -> Phase:
    """The phase that a finding leads to."""
    if phase is Phase.SETTING_UP and finding is not Finding.RULED:
        return phase
    return PHASE_AFTER[finding]


class Trouble(NamedTuple):
    """What does not fit: the piece or the player, the reasons with the deciding one first, the way
    back, where the piece should go instead (empty: its player chooses), how the pieces stand now,
    the action that was refused where it is plain which one it was, and its number as a question has
    one."""

    piece: str
    reasons: tuple[Fact, ...]
    put: tuple[Put, ...]
    expected: tuple[Put, ...] = ()
    stands: tuple[str, ...] = ()
    refused: Action | None = None
    number: int = 0


class Ask(NamedTuple):
    """A question to the table: its key among the messages, what fills it in, and the answers.

    Answers are ways that the game may have gone; where they are not, `options` are their keys among
    the messages. `about`: what they are told apart by, a cell, or "from" where a piece moves from;
    empty where each is a choice of its own. `die` is the die that a question about dice is about.
    What is `AWAITED` is no question: the table waits, by its `paragraph` where it has one.

    `number` is the number of the journal's row by which it was asked, or of the last row before it
    where it has none. An answer names it, so that it answers no other question.
    """

    key: str
    values: Mapping[str, str]
    answers: tuple[Answer, ...] = ()
    options: tuple[str, ...] = ()
    die: SeenDie | None = None
    number: int = 0
    about: str = ""
    paragraph: str = ""

    @property
    def awaited(self) -> bool:
        """Whether the table waits for this, and nothing is asked."""
        return self.key in AWAITED


class LetLie(NamedTuple):
    """A cell on which something strange may lie, and the text of what stands there by the rules."""

    cell: str
    stands: str


AWAITED = frozenset({"throw", "throw-on", "throw-extra", "move", "moves", "next"})
"""What the table waits for, as keys among the messages."""

ROW_KINDS = frozenset(
    {
        "action", "answered", "camera", "cleared", "dice", "distrusted", "end", "let-stand",
        "notice", "question", "refused", "round", "said", "set-up", "supposed", "tray",
        "trouble", "unfinished",
    }
)  # fmt: skip
"""Kinds of rows. A journal that holds another was written by a newer Tableref, or is damaged."""


class Row(NamedTuple):
    """One row of the journal: its kind, one of ROW_KINDS, and its data."""

    kind: str
    data: dict[str, Any]


class Told(NamedTuple):
    """What the devices show now: see `telling`. `rulings` are the facts of this step."""

    facts: tuple[Fact, ...] = ()
    trouble: Trouble | None = None
    ask: Ask | None = None


class TableState(NamedTuple):
    """All that the referee knows.

    `plots` are all rounds' plots that were handed over, `throws` all throws, `said` what is said
    before which picture. `senses`: what watches this table, as far as it was told; `eye`: a camera
    over the board has been heard of. `told` is the last trouble or question, as text, so that it is
    told once. `frame` is the last frame that was looked at.
    `unfinished` is the trouble that a half-done move is, should it stay so.
    `switches` is what the board's switches say, None without a link; `dark`: the camera is away.
    `blinded`: since the board was last as it is by the rules something may have happened unseen;
    `hands` is how many were over it since then, `hand` whether one is. `mat` is what is known
    of the dice, `tray` the one that was chosen for the next throw; `looked`: the last change of
    the switches that is accounted for. `rows`: how many rows the journal has, `asked`: which of
    them said what is `told`. `left_over`: the board as it was when something was taken back or done
    again, until it was put so. `supposed`: what may have been done where pictures do not tell, each
    with the state that it and what follows lead to. `teachable`: the eye learns by being shown;
    `showing`: how often people have said something of that by now, and what last. `advice`: the
    number of the refusal that a judge says shall stand, and the judge's name. `let_lie`: what
    people let lie though the eye does not know it. `beside`: the number of the last question or
    refusal of something beside the board: of dice, of what was entered.
    """

    table: Table
    phase: Phase = Phase.SETTING_UP
    plots: tuple[tuple[Mapping[str, Any], ...], ...] = ()
    throws: tuple[Mapping[str, Any], ...] = ()
    said: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    senses: tuple[str, ...] = ()
    eye: bool = False
    told: str = ""
    trouble: Trouble | None = None
    ask: Ask | None = None
    frame: str = ""
    unfinished: Trouble | None = None
    switches: Switches | None = None
    dark: bool = False
    blinded: bool = False
    hands: int = 0
    hand: bool = False
    mat: Mat = Mat()
    tray: str = ""
    looked: float = -1.0
    rows: int = 0
    asked: int = 0
    left_over: Mapping[str, Stack] | None = None
    supposed: tuple[Answer, ...] = ()
    teachable: bool = False
    showing: tuple[int, str] = (0, "")
    advice: tuple[int, str] = (0, "")
    let_lie: frozenset[LetLie] = frozenset()
    beside: int = 0

    def after(self, finding: Finding) -> TableState:
        """The state after such a finding: its phase, and whether something was not seen."""
        blinded = self.blinded or finding in BLINDING or self.hands > 1
        state = self._replace(phase=phase_after(self.phase, finding), blinded=blinded)
        return state._replace(blinded=False, hands=0) if finding in SETTLING else state

    def with_hand(self, hand: bool) -> TableState:
        """The state with a hand over the board, or with none."""
        return self._replace(hand=hand, hands=self.hands + (hand and not self.hand))

    @property
    def coming(self) -> tuple[tuple[Mapping[str, Any], ...], ...]:
        """The rounds' plots that are still at hand; those that were taken back are so again."""
        return self.plots[self.table.now.entered :]

    def with_entered(self, rounds: int) -> TableState:
        """The state in which the plots of so many rounds are entered, or are being so."""
        return self._replace(table=self.table._replace(now=self.table.now._replace(entered=rounds)))

    @property
    def open_beside(self) -> bool:
        """Whether what is open is of something beside the board, so that no look at it answers."""
        return self.phase in (Phase.ASKING, Phase.REFUSED) and self.beside == self.open > 0

    def open_is_beside(self) -> TableState:
        """The state in which what is open is of something beside the board."""
        return self._replace(beside=self.open)

    @property
    def open(self) -> int:
        """Number of the question or refusal that stands open; 0 where there is none."""
        open_ = self.trouble or self.ask
        return open_.number if open_ else 0
