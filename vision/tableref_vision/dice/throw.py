"""Which dice on the mat have been thrown: from frames to dice that rest, have moved, have gone.

A throw is a die that comes to rest after it was seen to be thrown, and it counts once. So the mat
is remembered: a die that lies on is no throw, nor is one that was nudged or turned; where a die
might have been thrown or only moved, nothing is concluded, and people are asked.

Everything is a value, and time is the frames' own, so that films, recordings and tests need no
waiting. Needs neither OpenCV nor ONNX Runtime.

>>> mat = follow(Mat(), MatLook(0.0, "0001", dice))
>>> rest(mat).new if mat.settled else ()
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from tableref_hardware.reading import Section
from tableref_vision.dice.seen import STILL, SeenDie

FRAMES = 3  # still frames that must agree
ENDLESS = 8.0  # s after which dice of which no three frames agree are given up
BLIND = 3.0  # s without the mat in view after which dice may have been thrown unseen
LIES_ON = 4.0  # mm that a die which nobody touches may seem to have moved after minutes
GHOSTS = 2  # dice that were taken away, of which the places are remembered
NUDGED = 8.0  # mm, half a die: so far it slides, but it cannot have turned over
MOST_ASKED = 0.9999
"""Confidence above which no die is asked about, whatever people said of others before."""
DIGITS = 6  # of a confidence that is kept
VOID = ("touched", "moving", "off-tray", "rim", "cocked")
"""What makes a die that was thrown void; it is thrown again, alone (HR-3.2)."""


class MatLook(NamedTuple):
    """One frame of the mat at `time` in seconds; `image` is its name.

    `still`: nothing moves on the mat. `hand`: something reaches over its edge. `die`: how large the
    dice are in mm, once that was measured or told.
    """

    time: float
    image: str
    dice: tuple[SeenDie, ...] = ()
    in_view: bool = True
    still: bool = True
    hand: bool = False
    die: float | None = None

    def record(self) -> dict[str, Any]:
        """A JSON object from which `from_record` makes this look again."""
        record = self._asdict() | {"dice": [asdict(die) for die in self.dice]}
        if self.die is None:
            del record["die"]
        return record

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> MatLook:
        """The look of this record. ValueError where it is none."""
        return MatLook.read(Section("look at the mat", "", record))

    @staticmethod
    def read(told: Section) -> MatLook:
        """The same, of a section of a file."""
        return MatLook(
            told.number("time"),
            told.text("image"),
            tuple(map(_die, told.sections("dice"))),
            told.flag("in_view"),
            told.flag("still"),
            told.flag("hand"),
            told.number("die") if "die" in told else None,
        )


class Lying(NamedTuple):
    """A die that was judged when it came to rest at `place` (mm on the mat, or px without one).

    `value` and `tray` are what it showed last. `void` says why it does not count, empty where it
    does. `away`: it was since seen not to lie there. `read`: the confidence, 0 to 1, by which its
    value was ruled; 0 where people told it.
    """

    place: tuple[float, float]
    tray: str | None
    value: int | None
    void: str = ""
    away: bool = False
    read: float = 0.0

    @classmethod
    def of(cls, die: SeenDie, void: str = "") -> Lying:
        """This die, judged."""
        return cls(die.middle, die.tray, die.value, void)

    @classmethod
    def from_record(cls, record: list[Any]) -> Lying:
        """The die of a journal's row."""
        place, *rest = record
        return cls((float(place[0]), float(place[1])), *rest)

    def record(self) -> list[Any]:
        """As in the journal."""
        place = [round(self.place[0], 1), round(self.place[1], 1)]
        record = [place, self.tray, self.value, self.void, self.away]
        return [*record, self.read] if self.read else record


class Mat(NamedTuple):
    """What is known of the mat after a frame.

    `lying`: dice that were judged. `last`: the dice of the last frame, of which `agreed` still
    frames in a row say the same. `seen`: the time of that frame. `since`, `unseen`: when the dice
    began not to agree, when the mat was lost from view. `watched`: all that happened since the
    last judged look was seen. `rolled`: how many dice at most, that are not judged, were seen at
    once without a hand;
    `reached`: then a hand came, before they had come to rest. `judged`: the dice as they lie now
    have been judged. `die`: how large dice are in mm, once that is known. `asks`: a die that is
    read with this confidence or less is asked about, for one that was so read showed another value.
    """

    lying: tuple[Lying, ...] = ()
    last: tuple[SeenDie, ...] = ()
    agreed: int = 0
    seen: float | None = None
    since: float | None = None
    unseen: float | None = None
    watched: bool = False
    rolled: int = 0
    reached: bool = False
    judged: bool = False
    die: float | None = None
    asks: float = 0.0

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> Mat:
        """The mat of a journal's row."""
        die, lying = record.get("die"), tuple(map(Lying.from_record, record["lying"]))
        return Mat(lying, die=die and float(die), asks=float(record.get("asks", 0.0)))

    def record(self) -> dict[str, Any]:
        """As in the journal: what is to be known of the mat after a power cut."""
        record: dict[str, Any] = {"lying": [die.record() for die in self.lying]}
        record |= {"die": round(self.die, 1)} if self.die else {}
        return record | ({"asks": self.asks} if self.asks else {})

    def is_sure(self, die: SeenDie) -> bool:
        """Whether what this die shows may be used without asking."""
        return die.sure and die.tray is not None and die.confidence > self.asks

    def misread(self, confidence: float) -> Mat:
        """The mat on which a value that was read with this confidence was wrong: never is less
        asked about than before, and never all."""
        return self._replace(asks=max(self.asks, min(round(confidence, DIGITS), MOST_ASKED)))

    @property
    def settled(self) -> bool:
        """Whether enough still frames in a row say the same."""
        return self.agreed >= FRAMES

    def restless(self, time: float) -> bool:
        """Whether no three frames have agreed for too long."""
        return self.since is not None and time - self.since > ENDLESS

    def gone(self, time: float) -> bool:
        """Whether the mat has been out of view so long that anything may have happened."""
        return self.unseen is not None and time - self.unseen > BLIND

    def remember(self, lying: tuple[Lying, ...]) -> Mat:
        """The mat with these dice judged. What was taken away last is not forgotten: a die that a
        hand or the nets hid for a while is no throw when it is seen again."""
        here = [die for die in lying if not die.away]
        gone = [die for die in lying if die.away][-GHOSTS:]
        return self._replace(
            lying=(*gone, *here), watched=True, rolled=0, reached=False, judged=True
        )


def follow(mat: Mat, look: MatLook) -> Mat:
    """The mat after one more frame."""
    if mat.seen is not None and look.time - mat.seen > BLIND:  # the camera was away
        mat = mat._replace(agreed=0, watched=False, judged=False)
    mat = mat._replace(seen=look.time, die=look.die or mat.die)
    if not look.in_view:
        unseen = look.time if mat.unseen is None else mat.unseen
        watched = mat.watched and look.time - unseen <= BLIND
        return mat._replace(
            last=(), agreed=0, since=None, unseen=unseen, watched=watched, judged=False
        )
    dice = tuple(sorted((d for d in look.dice if d.why != "not-a-die"), key=lambda d: d.middle))
    since = look.time if mat.since is None else mat.since
    if look.hand:
        # A hand may hold still for long; only dice can be restless.
        reached = mat.reached or mat.rolled > 0
        return mat._replace(
            last=dice, agreed=0, since=None, unseen=None, reached=reached, judged=False
        )
    if look.still and mat.agreed and alike(mat.last, dice):
        agreed = mat.agreed + 1
        return mat._replace(last=dice, agreed=agreed, since=None if agreed >= FRAMES else since)
    return mat._replace(
        last=dice,
        agreed=int(look.still),
        since=since,
        unseen=None,
        rolled=max(mat.rolled, len(dice) - sum(not die.away for die in mat.lying)),
        judged=False,
    )


class Rest(NamedTuple):
    """What a settled mat shows beside the dice that were judged before.

    `lying`: those, as they are now; what is not there is away. `new`: dice that were not judged.
    `touched`: one that counted was moved or turned. `unexplained`: not all dice that are missing
    were seen to go, so the new ones may be those, moved and not thrown.
    """

    lying: tuple[Lying, ...]
    new: tuple[SeenDie, ...] = ()
    touched: bool = False
    unexplained: bool = False


def rest(mat: Mat) -> Rest:
    """What the dice as they lie now are. Only for a settled mat."""
    left = list(mat.last)
    lying: list[Lying] = []
    onto: list[tuple[Lying, SeenDie]] = []  # another may lie on these
    under: list[SeenDie] = []  # shown, since what lay on them was taken
    missing: list[Lying] = []
    touched = False
    for die in mat.lying:
        here = _near(die, left, STILL if die.away else LIES_ON)
        if here is None or (die.away and not _may_be(die, here)):
            missing.append(die)
            continue
        left.remove(here)
        if mat.rolled and here.why == "cocked" and not die.void:
            onto.append((die, here))
            lying.append(die)
            continue
        if die.void == "cocked" and here.sure:
            under.append(here)
        turned = not _may_be(die, here)
        touched |= turned and not die.void
        value = here.value if here.sure else die.value
        lying.append(die._replace(value=value, tray=here.tray, away=False))
    gone: list[Lying] = []
    for die in missing:
        slid = None if die.away else _near(die, left, NUDGED)
        if slid is None or not (die.void or _may_be(die, slid)):
            gone.append(die)
            continue
        left.remove(slid)
        touched |= not die.void
        lying.append(die._replace(place=slid.middle, tray=slid.tray))
    if onto and not left:
        # One more die was seen to roll, and none lies anywhere else: it lies on this one.
        left.append(onto[0][1])
    elif left and under and all(die.away for die in gone):
        # It was thrown with the one that lay on it, which is thrown again, alone: it counts.
        lying = [die for die in lying if not (die.void == "cocked" and _near(die, under, LIES_ON))]
        left += under
    # Three frames without a hand do not show them: they were taken away.
    unexplained = bool(left) and any(not die.away for die in gone)
    lying = [*(die._replace(away=True) for die in gone), *lying]
    return Rest(tuple(lying), tuple(left), touched, unexplained)


def void_reason(die: SeenDie) -> str:
    """Why a die that was thrown is thrown again; empty where it counts, or must be asked about."""
    if die.why in VOID:
        return str(die.why)
    return "off-tray" if die.why == "cut-off" and die.place and die.tray is None else ""


def _die(told: Section) -> SeenDie:
    x, y, w, h = told.numbers("box", 4)
    place = told.perhaps(lambda key: told.numbers(key, 2), "place")
    return SeenDie(
        value=told.perhaps(lambda key: told.integer(key, 1, 6), "value"),
        sure=told.flag("sure"),
        confidence=told.number("confidence", 0.0, 1.0),
        box=(x, y, w, h),
        tray=told.perhaps(told.text, "tray"),
        why=told.perhaps(told.text, "why"),
        place=None if place is None else (place[0], place[1]),
    )


def _may_be(die: Lying, seen: SeenDie) -> bool:
    """Whether a die that is seen where this one lay may show what it showed."""
    return not seen.sure or die.value is None or (die.value, die.tray) == (seen.value, seen.tray)


def _near(die: Lying, seen: list[SeenDie], slack: float) -> SeenDie | None:
    near = [d for d in seen if math.dist(d.middle, die.place) <= slack]
    return min(near, key=lambda d: math.dist(d.middle, die.place), default=None)


def _word(die: SeenDie) -> tuple[int | None, bool, str | None, str | None]:
    return die.value, die.sure, die.why, die.tray


def alike(before: tuple[SeenDie, ...], now: tuple[SeenDie, ...]) -> bool:
    """Whether every die lies where one lay before that was read alike, and none is gone."""
    if len(before) != len(now):
        return False
    left = list(before)
    for die in now:
        lay = die.where_it_lay(left)
        if lay is None or _word(lay) != _word(die):
            return False
        left.remove(lay)
    return True
