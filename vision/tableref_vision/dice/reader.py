"""Reading dice off pictures: on the mat with its known pose, anywhere else without.

A locator net says where dice may be, a reader net what each shows, by two looks at each, and by
two more where these leave a doubt. On the mat everything is cut as seen from straight above the
plane of the dice's tops: there a die that stands flat is a square of known size, and all others can
be told from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tableref_hardware.dice import USUAL
from tableref_vision.dice import crops, face, mat, pips, towers
from tableref_vision.dice.chances import logistic, softmax
from tableref_vision.dice.confidence import Confidence, chance, mean_chance, signs
from tableref_vision.dice.crops import CROP, EDGE, STEP
from tableref_vision.dice.cube import PIPS
from tableref_vision.dice.doubts import Doubter
from tableref_vision.dice.inputs import Floats, Levels, reader_input, unflatten
from tableref_vision.dice.locate import Locator, Spot, apart, is_side
from tableref_vision.dice.outline import is_print
from tableref_vision.dice.runtime import WEIGHTS, Net
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.size import CLOSE, DieSize, corrected
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import Lens, View

FLAT = 0.5  # chance of standing flat, from which a die on the mat has a value
CUT = 0.3  # of its size that a die's top is at least from the picture's edge
DIE_HEAT = 0.3  # below, what the reader does not take for a die is not worth a word
WORTH = 0.5  # confidence below which a value is more likely wrong, and without a mat not told
CLEAR = 0.7  # mean chance of a value, below which looks disagree: it is not sure in any place
HOPELESS = 0.3  # chance of every value in the first look, that is not worth a second one
PLAIN = 0.95  # mean chance of a value after two looks, that further ones would hardly change
AWAY = 8.0  # px of a crop that the first look may move a die without a second one from there
IN_DOUBT = ("unclear", "cocked", "not-a-die")  # what may be words on the floor of a tray
APPROACHES = 2  # such second looks at most
ROW = 11  # numbers that the net says of a crop
FAR = 1.5  # of crops.STEP that the net may move a die's middle
SCALE = 1.0  # px a mm of the mat as the locator sees it
AROUND = (416.0, 224.0)  # mm of the mat and what lies beside it
MEASURES = 2  # times that a picture is read anew, with dice of the size that it showed
LARGER = 1.07  # times the size that was measured, that is tried, too
FLATTER = 0.9  # chance of standing flat that is asked for where the size is not known
SMALLER, STANDS = 0.93, 0.1  # of the measured size, and the chance of standing flat at that
ALONE = 2.2  # times a die's edge, within which another makes outlines run into each other
SHIFT = 5.0  # mm that a die may seem to move when it is taken to be of another size


@dataclass(frozen=True, slots=True)
class Look:
    """How a crop around a die is cut: turned by radians, mirrored, moved `up` by and as wide as
    these shares of what a first look's is."""

    turn: float = 0.0
    mirrored: bool = False
    up: float = 0.0
    wide: float = 1.0


FIRST = Look()
# What was taken for the top may be a side, which in most pictures lies below the top: from higher
# up it is read otherwise then, while a top is read as before.
SECOND = Look(0.3, mirrored=True, up=0.25)
# In doubt, from farther away: there a net is as right, and wrong about other dice.
FARTHER = (Look(mirrored=True, wide=1.18), Look(-0.3, wide=1.35))


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What the nets say of one spot: the value or None, and the signs of how sure that is.

    On the mat also the place in mm, the chance, 0 to 1, that a die stands flat, the edge in mm that
    it was cut for, and what the net `says` of that.
    """

    spot: Spot
    value: int | None
    signs: Floats
    place: Points | None = None
    flat: float = 1.0
    edge: float = USUAL
    says: float = 0.0

    @property
    def chance(self) -> float:
        """Of this value, 0 to 1, as the looks say on average."""
        return chance(self.signs)


class DiceReader:
    """Reads the dice of one camera's pictures.

    >>> DiceReader().read(picture)[0].value
    5
    """

    def __init__(
        self, lens: Lens | None = None, weights: Path = WEIGHTS, die: float | None = None
    ) -> None:
        """`lens` is what a calibration says of the camera, `die` in mm how large its dice are.

        MissingRuntime, WeightsError
        """
        self.view: View | None = None
        """How the camera saw the mat in the last picture; None without one."""
        self._mat = mat.MatTracker(lens)
        self._locator = Locator(Net(weights / "locator.onnx"))
        self._reader = Net(weights / "reader.onnx")
        self._doubter = Doubter(weights)
        self._confidence = Confidence.load(weights)
        self._told = die
        self._size = DieSize(die)
        self._last: tuple[SeenDie, ...] | None = None

    @property
    def corners(self) -> frozenset[int]:
        """Ids of the mat's corner tags that were found in the last look for them."""
        return self._mat.corners

    @property
    def die(self) -> float | None:
        """How large the dice are in mm, once that is known."""
        return self._size.edge if self._size.settled else None

    def read(self, picture: Picture, alone: bool = False) -> tuple[SeenDie, ...]:
        """What is seen of each die in this picture (h, w, 3); `alone`: it follows no other."""
        if alone:
            self._mat.forget()
            self._size = DieSize(self._told)
            self._last = None
        levels = Levels(picture)
        self.view = self._mat.find(picture)
        if self.view is None:
            readings = self._anywhere(levels)
            told = [self._seen(reading, levels.size) for reading in readings]
        else:
            readings, told = self._measured(levels, self.view)
        seen = [
            self._looked_into(die, reading, levels)
            for die, reading in zip(told, readings, strict=True)
            if (reading.value is not None or reading.spot.heat > DIE_HEAT)
            and not self._is_print(die, levels)
        ]
        before, self._last = self._last, tuple(seen)
        if before is None:
            return self._last
        return tuple(
            die if die.why not in (None, "unclear") or die.where_it_lay(before) else _moving(die)
            for die in seen
        )

    def readings(self, picture: Picture) -> list[Reading]:
        """What the nets say, before anything is judged by it."""
        self.view = self._mat.find(picture)
        levels = Levels(picture)
        if self.view is not None:
            places = self._places(levels, self.view)
            return self._on_mat(levels, self.view, places, self._size.edge)
        return self._anywhere(levels)

    def _measured(self, levels: Levels, view: View) -> tuple[list[Reading], list[SeenDie]]:
        """The readings on the mat, and what is seen of each, of the size that dice have there."""
        size, places = self._size, self._places(levels, view)
        edge = size.edge
        readings = self._on_mat(levels, view, places, edge)
        told = [self._seen(reading, levels.size) for reading in readings]
        known = _telling(readings)
        measured = edge
        if known and not size.settled and size.is_new(told[i] for i in known):
            measured = corrected(edge, (readings[i].says for i in known))
            if not all(told[i].sure for i in known):
                for other in self._sizes(levels, view, places, edge, measured):
                    again = self._on_mat(levels, view, places, other)
                    anew = [self._seen(reading, levels.size, FLATTER) for reading in again]
                    if _read_better(anew, told):
                        readings, told, measured = again, anew, other
                        break
            size.measured(measured, tuple(told))
        size.gone(told)
        if new := size.unchecked(told):
            self._check(levels, view, [told[i] for i in new], told, measured)
        return readings, [size.as_checked(die) for die in told]

    def _sizes(
        self,
        levels: Levels,
        view: View,
        places: list[tuple[Points, float]],
        edge: float,
        measured: float,
    ) -> Iterator[float]:
        """Edges that the dice may have, the likeliest first, as the net says when they are cut for
        this one."""
        for _ in range(MEASURES):
            if abs(math.log(measured / edge)) < CLOSE:
                break
            edge = measured
            again = self._on_mat(levels, view, places, edge)
            if known := _telling(again):
                measured = corrected(edge, (again[i].says for i in known))
        yield measured
        yield measured * LARGER

    def _check(
        self, levels: Levels, view: View, dice: list[SeenDie], told: list[SeenDie], edge: float
    ) -> None:
        """Find out which of these dice, among all that are `told`, stand flat: also when they are
        cut for a smaller edge, for a tower and a die that leans seem flat only as larger ones; and
        by their outline on the floor, where no other lies close by."""
        at = [(np.array(die.place), 0.0) for die in dice]
        stands = logistic(self._from_above(levels, view, at, edge * SMALLER)[:, 7]) >= STANDS
        right: list[SeenDie] = []
        doubted: list[SeenDie] = []
        for die, (place, _), flat in zip(dice, at, stands, strict=True):
            alone = all(
                other is die or math.dist(other.middle, die.middle) > ALONE * edge for other in told
            )
            high = alone and towers.is_tower(levels, view, place, edge, self._size.settled)
            (right if flat and not high else doubted).append(die)
        self._size.checked(right, doubted)

    def _anywhere(self, levels: Levels) -> list[Reading]:
        spots = self._locator.find(levels)
        if not spots:
            return []
        first, cut = self._around(levels, [(spot, FIRST) for spot in spots])
        spots = [
            _centred(spot, back, row) for spot, back, row in zip(spots, cut, first, strict=True)
        ]
        kept = apart(spots)
        spots, first = [spots[i] for i in kept], first[kept]
        told = [spot for spot, row in zip(spots, first, strict=True) if row[:7].argmax() > 0]
        kept = [i for i, spot in enumerate(spots) if not is_side(spot, told)]
        spots, first = [spots[i] for i in kept], first[kept]
        looks = [row[None, :7] for row in first]
        self._look_again(levels, spots, looks, (SECOND,), (HOPELESS, math.inf))
        self._look_again(levels, spots, looks, FARTHER, (CLEAR, PLAIN))
        values = [_likeliest(look) for look in looks]
        means = [mean_chance(look, value) for look, value in zip(looks, values, strict=True)]
        readings = []
        for i, (spot, value, mean) in enumerate(zip(spots, values, means, strict=True)):
            others = [means[k] for k, other in enumerate(values) if other and k != i]
            readings.append(Reading(spot, value or None, signs(mean, spot, spots, others)))
        return readings

    def _look_again(
        self,
        levels: Levels,
        spots: list[Spot],
        looks: list[Floats],
        further: tuple[Look, ...],
        between: tuple[float, float],
    ) -> None:
        """Add rows to the `looks` at those spots where the likeliest value's mean chance is between
        these two."""
        low, high = between
        doubtful = [
            i for i, look in enumerate(looks) if low < softmax(look)[:, 1:].mean(0).max() < high
        ]
        if doubtful:
            rows, _ = self._around(levels, [(spots[i], look) for i in doubtful for look in further])
            for i, own in zip(doubtful, np.split(rows, len(doubtful)), strict=True):
                looks[i] = np.vstack([looks[i], own[:, :7]])

    def _around(
        self, levels: Levels, wanted: list[tuple[Spot, Look]]
    ) -> tuple[Floats, list[Points]]:
        """The net's rows for these looks at spots, and the matrices of the crops."""
        cut = [
            crops.around(
                levels, s.x, s.y - look.up * s.size, s.size * look.wide, look.turn, look.mirrored
            )
            for s, look in wanted
        ]
        rows = self._reader(np.stack([reader_input(crop) for crop, _ in cut]))
        return rows, [back for _, back in cut]

    def _on_mat(
        self, levels: Levels, view: View, places: list[tuple[Points, float]], edge: float
    ) -> list[Reading]:
        if not places:
            return []
        places = list(places)
        first = np.empty((len(places), ROW), np.float32)
        for away in _approach(first):
            rows = self._from_above(levels, view, [places[i] for i in away], edge)
            for i, row in zip(away, rows, strict=True):
                places[i], first[i] = (_shifted(places[i][0], view, row, edge), places[i][1]), row
        kept = apart([Spot(float(at[0]), float(at[1]), edge, heat) for at, heat in places])
        places, first = [places[i] for i in kept], first[kept]
        second = self._from_above(levels, view, places, edge, flip=True)
        readings = []
        for (place, heat), rows in zip(places, np.stack([first, second], 1), strict=True):
            spot = _spot_on_mat(view, place, heat, edge)
            flat = float(logistic(rows[:, 7].mean()))
            looks = rows[:, :7]
            value = _likeliest(looks)
            told = signs(mean_chance(looks, value), spot, [], [])
            says = float(rows[:, 10].mean())
            readings.append(Reading(spot, value or None, told, place, flat, edge, says))
        return readings

    def _from_above(
        self,
        levels: Levels,
        view: View,
        places: list[tuple[Points, float]],
        edge: float,
        flip: bool = False,
    ) -> Floats:
        cut = [self._cut(levels, view, at, edge, flip) for at, _ in places]
        return self._reader(np.stack([reader_input(crop, slant) for crop, slant in cut]))

    def _cut(
        self, levels: Levels, view: View, at: Points, edge: float, flip: bool
    ) -> tuple[Picture, float]:
        """A crop of a place on the mat from straight above, and its slant."""
        top = mat.top(edge)
        crop = crops.from_above(levels, view, at, _across(edge), CROP, top, flip)
        return crop, crops.slant(view, at, top)

    def _seen(self, reading: Reading, size: tuple[int, int], flat: float | None = None) -> SeenDie:
        """What is seen of it in a picture of this width and height; with less than this chance of
        lying flat it is not sure."""
        spot, place, limits = reading.spot, reading.place, self._confidence
        confidence, needed = limits.of(reading.signs), limits.sure
        tray = at = None
        if place is not None:
            at = float(place[0]), float(place[1])
            needed = limits.sure_on_mat
            tray = mat.tray_at(*at)
        why = no_value(reading, at, size)
        doubt = (
            confidence < needed or reading.flat < (flat or limits.flat) or reading.chance < CLEAR
        )
        if reading.value == 1 and at is not None:
            doubt = doubt or reading.chance * reading.flat < limits.one_on_mat
        if why is None and at is None and confidence < WORTH:
            why = "not-a-die"
        if why is None and doubt:
            why = "unclear"
        box = (spot.x - spot.size / 2, spot.y - spot.size / 2, spot.size, spot.size)
        # What does not count has no value; what is unclear has one to ask about.
        value = reading.value if why in (None, "unclear") else None
        return SeenDie(value, why is None, confidence, box, tray, why, at)

    def _is_print(self, die: SeenDie, levels: Levels) -> bool:
        """Whether this is printed on the floor of a tray: nothing lies there."""
        if die.sure or die.tray is None or self.view is None or die.why not in IN_DOUBT:
            return False
        return is_print(levels, self.view, np.array(die.place), self._size.edge)

    def _looked_into(self, die: SeenDie, reading: Reading, levels: Levels) -> SeenDie:
        """This die, that is not sure where more is seen than one die's face with that value."""
        if not die.sure or die.value is None:
            return die
        x, y, size = reading.spot.x, reading.spot.y, reading.spot.size
        if (
            face.goes_on(levels, x, y, size)
            or self._is_other(reading, levels)
            or self._doubter.doubts(levels, x, y, size, die.value, reading.place is not None)
        ):
            return replace(die, sure=False, why="unclear")
        return die

    def _is_other(self, reading: Reading, levels: Levels) -> bool:
        """Whether a six shows more pips, or on the mat a one's mark is no pip."""
        edge, place, view = reading.edge, reading.place, self.view
        if place is None or view is None:
            if reading.value != max(PIPS):
                return False
            crop, _ = crops.around(levels, reading.spot.x, reading.spot.y, reading.spot.size)
            looks = pips.too_many, pips.four_in_a_row, pips.run_together
            return any(look(crop, CROP * crops.SHARE) for look in looks)
        if reading.value == min(PIPS):
            # A smaller die than was thought must not be looked at beyond its face.
            own = min(edge, corrected(edge, (reading.says,)))
            return face.is_no_pip(levels, view, place, own, mat.top(edge))
        if reading.value != max(PIPS):
            return False
        crop = crops.from_above(levels, view, place, _across(edge), CROP, mat.top(edge))
        return pips.too_many(crop, EDGE)

    def _places(self, levels: Levels, view: View) -> list[tuple[Points, float]]:
        """Places (2,) in mm on the plane of the dice's tops that may hold one, and their heat."""
        x, y = AROUND[0] / 2, AROUND[1] / 2
        ring = np.array([(-x, y), (x, y), (x, -y), (-x, -y)])
        size = round(AROUND[0] * SCALE), round(AROUND[1] * SCALE)
        top = mat.top(USUAL)
        pixels = view.pixels(np.column_stack([ring, np.full(4, top)]))
        back = unflatten(pixels, size)
        # From the picture as it is: what is halved before is found less surely.
        found = self._locator.look(Levels(levels.warped(back, 1.0, size)))
        if not found:
            return []
        seen = cv2.perspectiveTransform(np.array([[(s.x, s.y) for s in found]], np.float64), back)
        places = view.on_plane(np.asarray(seen, np.float64).reshape(-1, 2), top)
        tags = np.array([(tag.x, tag.y) for tag in mat.TAGS.values()])
        return [
            (place, spot.heat)
            for place, spot in zip(places, found, strict=True)
            if np.abs(tags - place).max(axis=1).min() > mat.SQUARE
        ]


def _approach(rows: Floats) -> Iterator[list[int]]:
    """Which dice to look at for the first time: all, then those that `rows`, filled in by the
    caller, have moved far: from afar the net tells only the direction well."""
    yield list(range(len(rows)))
    for _ in range(APPROACHES):
        moved = np.hypot(rows[:, 8], rows[:, 9]) * STEP
        away = [int(i) for i in np.flatnonzero(moved > AWAY)]
        if not away:
            return
        yield away


def _moving(die: SeenDie) -> SeenDie:
    return replace(die, value=None, sure=False, why="moving")


def no_value(reading: Reading, at: tuple[float, float] | None, size: tuple[int, int]) -> str | None:
    """The code for what has no value at this place in mm (None without a mat) in a picture of this
    width and height; None for what has one."""
    if reading.value is None:
        return "not-a-die"
    spot = reading.spot
    if min(spot.x, spot.y, size[0] - 1 - spot.x, size[1] - 1 - spot.y) < CUT * spot.size:
        return "cut-off"
    if at is None:
        return None
    if mat.tray_at(*at) is None:
        return "rim" if mat.tray_at(*at, -reading.edge) else "off-tray"
    if mat.tray_at(*at, reading.edge / 2) is None:
        return "rim"
    return "cocked" if reading.flat < FLAT else None


def _likeliest(looks: Floats) -> int:
    """The value that the looks, logits (n, 7), agree on most, or 0 for no die."""
    return int(looks.mean(0).argmax())


def _centred(spot: Spot, back: Points, row: Floats) -> Spot:
    """The spot, moved to where the net sees the top face's middle, of the size that it sees."""
    middle = (CROP - 1) / 2 + np.clip(row[8:10], -FAR, FAR) * STEP
    x, y = back[:2, :2] @ middle + back[:2, 2]
    size = spot.size * float(np.exp(np.clip(row[10], -0.25, 0.25)))
    return Spot(float(x), float(y), size, spot.heat)


def _shifted(place: Points, view: View, row: Floats, edge: float) -> Points:
    """The place in mm, moved to where the net sees the top face's middle."""
    away = place - view.eye[:2]
    away = away / max(float(np.linalg.norm(away)), 1e-6)
    off = np.clip(row[8:10], -FAR, FAR) * STEP * edge / EDGE
    return np.asarray(place + np.array([away[1], -away[0]]) * off[0] - away * off[1], np.float64)


def _across(edge: float) -> float:
    """Mm of a crop from straight above for dice with this edge."""
    return edge / EDGE * CROP


def _telling(readings: list[Reading]) -> list[int]:
    """Those that are dice in a tray: of these the net says whether they are of the right size."""
    return [
        i
        for i, reading in enumerate(readings)
        if reading.value is not None
        and reading.place is not None
        and mat.tray_at(*reading.place) is not None
        and reading.chance > CLEAR
    ]


def _read_better(anew: list[SeenDie], before: list[SeenDie]) -> bool:
    """Whether more is sure, and all that was sure still is."""
    now = [die for die in anew if die.sure]
    was = [die for die in before if die.sure]
    if len(now) <= len(was):
        return False
    return all(
        any(math.dist(die.middle, one.middle) < SHIFT and die.value == one.value for one in now)
        for die in was
    )


def _spot_on_mat(view: View, place: Points, heat: float, edge: float) -> Spot:
    half = edge / 2
    around = [(0.0, 0.0), (-half, -half), (-half, half), (half, -half), (half, half)]
    middle, *corners = view.pixels(np.array([(*(place + off), mat.top(edge)) for off in around]))
    size = float(np.max(np.ptp(corners, axis=0))) * 1.2
    return Spot(float(middle[0]), float(middle[1]), size, heat)
