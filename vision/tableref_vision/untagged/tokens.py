"""Finds tokens: oblong pieces told by their tone, the form of one end, and the picture on top.

A token's tone is learnt where tokens stand out most. Every pixel then speaks for the tone or for
the empty board, and an oblong box is laid where most of it speaks for the tone and its surroundings
speak for the board. Only then are the ends looked at, and the picture between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tableref_hardware import HIDDEN, Board, Cell, Look, Shown
from tableref_vision.opencv import Mask, Values, cv2, np
from tableref_vision.untagged.change import difference
from tableref_vision.untagged.discs import belongs
from tableref_vision.untagged.ends import Ends
from tableref_vision.untagged.ground import FINE, patch
from tableref_vision.untagged.scene import Found, Scene
from tableref_vision.untagged.signs import Signs

SHAPES = ("token", "box")
REACH = 8.0  # mm from a cell's middle within which a token is looked for
BORDER = 3.5  # mm around it that must not look like it
ACROSS = 50.0  # degrees between boxes that lie another way
TURN, STEP = 15.0, 2.0  # degrees and mm between boxes that are tried first
CAPPED = 40.0  # grey levels, more of which says no more
CAPS, LEAST = 1.5, 12.0  # times what is between tone and board, and at least, says no more either
BEST = 3  # examples that stand out most, whose tone is learnt
NEAREST = 26.0  # grey levels: farther than this, and it is no tone that was learnt
LEAD = 0.55  # of the next tone's distance: nearer is told apart
FILLED, SPILT = 0.6, 0.65  # of a box that must speak for the tone, and of its border that may
AROUND = [
    np.array([(x, y, turn) for x in (-s, 0, s) for y in (-s, 0, s) for turn in (-t, 0, t)])
    for s, t in ((1.0, 7.5), (0.5, 3.5))
]
"""Steps in mm and degrees by which a box is laid better, coarse and fine."""
FACE = 7.5  # mm around a token's middle in which its picture lies


class Box(NamedTuple):
    """Where an oblong lies: how much speaks for it, x, y in mm off the cell's middle, and degrees
    anticlockwise from east, of a half turn."""

    score: float
    x: float
    y: float
    turn: float


class Boxes:
    """Boxes of one size at all places and turns within reach of a patch's middle."""

    def __init__(self, look: Look) -> None:
        self.length, self.width = look.length, look.width
        self.reach = int(np.ceil(look.length / 2 + REACH + BORDER))
        axis = np.arange(-self.reach, self.reach + 1, dtype=float)
        self._x, self._y = np.meshgrid(axis, -axis)
        steps = np.arange(-REACH, REACH + 1.0, STEP)
        self._tried = np.array(
            [
                (x, y, turn)
                for x in steps
                for y in steps
                if np.hypot(x, y) <= REACH
                for turn in np.arange(0.0, 180.0, TURN)
            ]
        )
        self._masks = self._weights(self._tried).astype(np.float32)

    def inside(self, boxes: Values, grown: float = 0.0) -> Values:
        """How much of each pixel (n, size, size) boxes (n, 3) of x, y, turn cover, `grown` mm
        larger all around."""
        x, y, turn = (boxes[:, axis, None, None] for axis in range(3))
        along, across = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        east, north = self._x - x, self._y - y
        length = np.abs(east * along + north * across) - self.length / 2 - grown
        width = np.abs(north * along - east * across) - self.width / 2 - grown
        return np.asarray(np.clip(0.5 - length, 0.0, 1.0) * np.clip(0.5 - width, 0.0, 1.0))

    def parts(self, box: Box) -> tuple[Mask, Mask]:
        """The pixels inside a box, and those of its border."""
        one = np.array([[box.x, box.y, box.turn]])
        inside = self.inside(one)[0] > 0.5
        return inside, (self.inside(one, BORDER)[0] > 0.5) & ~inside

    def _weights(self, boxes: Values) -> Values:
        """The mean inside boxes (n, 3) less the mean of their borders, as weights (n, pixels)."""
        inside = self.inside(boxes)
        border = self.inside(boxes, BORDER) - inside
        inside /= inside.sum(axis=(1, 2), keepdims=True)
        border /= border.sum(axis=(1, 2), keepdims=True)
        return np.asarray((inside - border).reshape(len(boxes), -1))

    def near(self, speaks: Values) -> list[Box]:
        """About where a box holds most of what speaks for it (size, size), its border least; and
        where one does that lies across."""
        scores = self._masks @ speaks.ravel().astype(np.float32)
        best = int(np.argmax(scores))
        turned = np.abs((self._tried[:, 2] - self._tried[best, 2] + 90.0) % 180.0 - 90.0)
        across = int(np.argmax(np.where(turned > ACROSS, scores, -np.inf)))
        return [Box(float(scores[one]), *self._tried[one].tolist()) for one in (best, across)]

    def place(self, speaks: Values, box: Box | None = None) -> Box:
        """The same, to half a millimetre and a few degrees; from `box` on, where it is given."""
        box = self.near(speaks)[0] if box is None else box
        for steps in AROUND:
            tried = np.array([box.x, box.y, box.turn]) + steps
            scores = self._weights(tried) @ speaks.ravel()
            best = int(np.argmax(scores))
            if scores[best] > box.score:
                box = Box(float(scores[best]), *tried[best].tolist())
        return box._replace(turn=box.turn % 180.0)


class Tone(NamedTuple):
    """A colour that was learnt, the light it lay in, and how much it stood out."""

    colour: Values
    light: Values
    score: float


class TokenFinder:
    """Finds the oblong pieces of a board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._looks = [look for look in board.looks.values() if look.shape in SHAPES]
        self._boxes = {look.kind: Boxes(look) for look in self._looks}
        self._given: list[tuple[Scene, Cell, Shown, str]] = []
        self._tones: dict[str, list[Tone]] = {}
        self._sides: dict[str, dict[str, Shown]] = {}
        self._ends: dict[str, Ends] = {}
        self._faces: dict[str, Signs] = {}
        self._wording: dict[str, tuple[Shown, str]] = {}

    @property
    def texts(self) -> frozenset[str]:
        """All that may be read, as far as was learnt."""
        return frozenset(
            text for side in self._wording for text in (*self._open(side), *self._hidden(side))
        )

    def _open(self, side: str) -> list[str]:
        piece, text = self._wording[side]
        return [_faced(piece, text, face) for face in piece.look.faces] or [text]

    def _hidden(self, side: str) -> list[str]:
        piece, text = self._wording[side]
        return [_faced(piece, text, "?")] if piece.look.hidden else []

    def learn(self, scene: Scene, cell: Cell, piece: Shown, text: str) -> None:
        """Take the piece on this cell for an example."""
        self._given.append((scene, cell, piece, text))
        self._wording.setdefault(piece.side, (piece, text))
        self._sides.setdefault(_tone(piece), {})[piece.side] = piece

    def settle(self) -> None:
        """Learn tones of the examples that stand out most, then ends and pictures of all."""
        for scene, cell, piece, _ in self._given:
            boxes = self._boxes[piece.look.kind]
            now, _, change = scene.around(cell, boxes.reach)
            box = boxes.place(np.minimum(change, CAPPED))
            inside, _ = boxes.parts(box)
            tone = Tone(np.median(now[inside], axis=0), scene.light.at(cell.x, cell.y), box.score)
            self._tones.setdefault(_tone(piece), []).append(tone)
        for name, samples in self._tones.items():
            self._tones[name] = sorted(samples, key=lambda one: -one.score)[:BEST]
        given, self._given = self._given, []
        for last in (False, True):
            for scene, cell, piece, _ in given:
                self._settle(scene, cell, piece, last)

    def _settle(self, scene: Scene, cell: Cell, piece: Shown, last: bool) -> None:
        """Learn the end of this example; when all ends are known, its picture."""
        tone, boxes = _tone(piece), self._boxes[piece.look.kind]
        speaks, _ = self._speaks(scene, cell, boxes.reach, tone)
        ends = self._ends.setdefault(tone, Ends(piece.look))
        box = boxes.place(speaks)
        if last:
            laid = [boxes.place(speaks, one) for one in boxes.near(speaks)]
            box = max(laid, key=lambda one: self._outlined(scene, cell, one, tone, piece.look))
        close = self._close(scene, cell, box, tone, ends.reach)
        smear = self._smear(scene, cell, box, piece.look)
        if not last:
            ends.learn(piece.side, piece.look.sides[piece.side].end, close, smear)
        elif piece.face and piece.face not in HIDDEN:
            turn = box.turn if ends.points_east(piece.side, close, smear) else box.turn + 180.0
            signs = self._faces.setdefault(tone, Signs(FACE))
            signs.learn(piece.face, self._picture(scene, cell, box, turn, signs.patch))

    def _outlined(self, scene: Scene, cell: Cell, box: Box, tone: str, look: Look) -> float:
        """How much like one of this tone's tokens what lies in this box is."""
        ends = self._ends[tone]
        close = self._close(scene, cell, box, tone, ends.reach)
        return ends.likeness(close, self._smear(scene, cell, box, look))

    def _smear(self, scene: Scene, cell: Cell, box: Box, look: Look) -> tuple[float, float]:
        """How far the foot of a token lies from its top in the picture, in fine px to the east and
        to the south as the token is laid."""
        eye = scene.eye
        east, north = (
            -(at - eye[axis]) * look.height / eye[2] * FINE
            for axis, at in enumerate((cell.x + box.x, cell.y + box.y))
        )
        along, across = np.cos(np.radians(box.turn)), np.sin(np.radians(box.turn))
        return float(east * along + north * across), float(east * across - north * along)

    def _speaks(
        self, scene: Scene, cell: Cell, reach: int, tone: str, scale: int = 1
    ) -> tuple[Values, Values]:
        """How much each pixel speaks for this tone rather than for the empty board, and how far it
        is from the tone; grey levels."""
        x, y = cell.x, cell.y
        now, empty = (
            patch(flat, x, y, reach, scale).astype(np.float32)
            for flat in ((scene.top, scene.empty) if scale == 1 else (scene.fine, scene.empty_fine))
        )
        light = scene.light.at(x, y)
        board = _apart(now, empty, light)
        apart = np.min([_apart(now, t.colour, light / t.light) for t in self._tones[tone]], axis=0)
        # Where tone and board are much alike, a line that is hidden must not outweigh the rest.
        best = self._tones[tone][0]
        between = float(np.median(_apart(empty * light, best.colour, light / best.light)))
        most = min(max(CAPS * between, LEAST), CAPPED)
        return np.minimum(board, most) - np.minimum(apart, most), apart

    def _close(self, scene: Scene, cell: Cell, box: Box, tone: str, reach: int) -> Values:
        """What speaks for the tone around a box, 2 px a mm, the box lying east and west."""
        size = reach + round(FINE * REACH)
        speaks, _ = self._speaks(scene, cell, size, tone, FINE)
        return _turned(speaks.astype(np.float32), box, box.turn, reach)

    def _picture(self, scene: Scene, cell: Cell, box: Box, turn: float, reach: int) -> Values:
        """What is seen around a box whose end points `turn`, its end to the east."""
        size = reach + round(FINE * REACH)
        fine = patch(scene.fine, cell.x, cell.y, size, FINE).astype(np.float32)
        return _turned(fine, box, turn, reach)

    def colours(self, scene: Scene, cell: Cell) -> list[Values]:
        """What colours (3,) the middle of this cell might have under a piece."""
        light = scene.light.at(cell.x, cell.y)
        return [
            np.minimum(one.colour * light / one.light, 255.0)
            for tones in self._tones.values()
            for one in tones
        ]

    def find(self, scene: Scene, cells: Sequence[Cell]) -> list[Found]:
        """What lies near these cells."""
        return [self._found(scene, cell) for cell in cells]

    def _found(self, scene: Scene, cell: Cell) -> Found:
        likely = []
        for tone, sides in self._sides.items():
            look = next(iter(sides.values())).look
            boxes = self._boxes[look.kind]
            speaks, apart = self._speaks(scene, cell, boxes.reach, tone)
            near = boxes.near(speaks)
            inside, _ = boxes.parts(near[0])
            rank = float(np.median(apart[inside])), -near[0].score
            likely.append((*rank, tone, speaks, apart, near))
        likely.sort(key=lambda one: one[:3])
        distance, _, tone, speaks, apart, near = likely[0]
        look = next(iter(self._sides[tone].values())).look
        boxes = self._boxes[look.kind]
        laid = [boxes.place(speaks, box) for box in near]
        box = max(laid, key=lambda one: self._outlined(scene, cell, one, tone, look))
        inside, border = boxes.parts(box)
        distance = float(np.median(apart[inside]))
        filled, spilt = (float(np.mean(speaks[part] > 0.0)) for part in (inside, border))
        doubt = ""
        if distance > NEAREST or filled < FILLED or spilt > SPILT or not self._is_here(cell, box):
            doubt = "something"
        elif any(distance > LEAD * other[0] for other in likely[1:]):
            doubt = "alike"
        texts = frozenset[str]()
        turn = box.turn
        if not doubt:
            texts, turn = self._told(scene, cell, box, tone)
            doubt = "" if texts else "something"
        x, y = cell.x + box.x, cell.y + box.y
        half = (look.length - look.width) / 2
        east, north = half * np.cos(np.radians(turn)), half * np.sin(np.radians(turn))
        spine = (float(x - east), float(y - north)), (float(x + east), float(y + north))
        return Found(doubt, texts, distance, x, y, spine, look.width, look.height)

    def _is_here(self, cell: Cell, box: Box) -> bool:
        """Whether a token there would stand on this cell; at the rim of what is looked at, it may
        be the end of one that stands farther off."""
        x, y = cell.x + box.x, cell.y + box.y
        return float(np.hypot(box.x, box.y)) < REACH - 0.5 and belongs(self._board, cell, x, y)

    def _told(self, scene: Scene, cell: Cell, box: Box, tone: str) -> tuple[frozenset[str], float]:
        """The texts that this token may have, and where its end points."""
        ends = self._ends[tone]
        look = next(iter(self._sides[tone].values())).look
        close = self._close(scene, cell, box, tone, ends.reach)
        smear = self._smear(scene, cell, box, look)
        if ends.is_round(close, smear):
            return frozenset(), box.turn
        ways = ends.read(close, smear)
        turns = {box.turn if east else box.turn + 180.0 for _, east in ways}
        texts: set[str] = set()
        for side in {side for side, _ in ways}:
            piece, text = self._wording[side]
            if piece.look.hides(cell.name):
                texts |= set(self._hidden(side))
                continue
            faces = frozenset(piece.look.faces)
            if tone in self._faces and len(turns) == 1:
                signs = self._faces[tone]
                read = signs.read(self._picture(scene, cell, box, min(turns), signs.patch))
                faces = read or faces
            texts |= {_faced(piece, text, face) for face in faces} or {text}
            if len(faces) > 1:
                texts |= set(self._hidden(side))  # it may lie there face down
        return frozenset(texts), box.turn


def _apart(now: Values, then: Values, ratio: Values) -> Values:
    off = difference(now, np.broadcast_to(then, now.shape), ratio)
    return np.asarray(np.sqrt(np.mean(off**2, axis=-1)))


def _turned(flat: Values, box: Box, turn: float, reach: int) -> Values:
    """The pixels (2 reach + 1, ...) around a box in a fine patch, `turn` laid to the east."""
    middle = (flat.shape[0] - 1) / 2
    centre = middle + box.x * FINE, middle - box.y * FINE
    matrix = cv2.getRotationMatrix2D(centre, -turn, 1.0)
    matrix[:, 2] += reach - np.array(centre)
    size = 2 * reach + 1
    turned = cv2.warpAffine(flat, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.float32)


def _tone(piece: Shown) -> str:
    return piece.look.sides[piece.side].colour


def _faced(piece: Shown, text: str, face: str) -> str:
    """This piece's text with another face."""
    known = (*piece.look.faces, "?", "hidden")
    words = [face if word in known else word for word in text.split()]
    return " ".join(words)
