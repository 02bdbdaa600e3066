"""Finds tokens: oblong pieces told by their tone, the form of one end, and the picture on top.

A token's tone is learnt where tokens stand out most. Every pixel then speaks for the tone or for
the empty board, and an oblong box is laid where most of it speaks for the tone and its surroundings
speak for the board. Only then are the ends looked at, and the picture between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tableref_hardware import HIDDEN, Board, Cell, Look, Shown
from tableref_vision.opencv import Values, np
from tableref_vision.untagged.boxes import REACH, Box, Boxes, turned
from tableref_vision.untagged.change import middle, product
from tableref_vision.untagged.discs import belongs
from tableref_vision.untagged.ends import FORMS, Ends
from tableref_vision.untagged.ground import FINE, patch
from tableref_vision.untagged.light import BURNT
from tableref_vision.untagged.scene import Found, Scene
from tableref_vision.untagged.signs import Signs

SHAPES = ("token", "box")
CAPPED = 40.0  # grey levels, more of which says no more
CAPS, LEAST = 1.5, 12.0  # times what is between tone and board, and at least, says no more either
BEST = 3  # examples that stand out most, whose tone is learnt
AGREES = 20.0  # grey levels from the middle of all examples: what is farther shows something else
NEAREST = 26.0  # grey levels: farther than this, and it is no tone that was learnt
LEAD = 0.55  # of the next tone's distance: nearer is told apart
FAINT = 8.5  # grey levels between a tone and the board: less may be a light told amiss
FILLED, SPILT = 0.6, 0.65  # of a box that must speak for the tone, and of its border that may
ALIKE = 30.0  # degrees between tokens that lie alike
SAID = 0.06  # of likeness: the board file says whose end is round, but sets differ
USUAL = 0.3  # of likeness, of 2: a token lies rather as they lay at the start than across
POOR = 1.55  # of likeness, of 2: less, and a box may lie askew on its token
VAGUE = 1.32  # of likeness, of 2: less, and whose end it is cannot be told
BETTER = 0.1  # of likeness, of 2: so much more, and a box did lie askew
TURNED = tuple((0.0, 0.0, turn) for turn in (-15.0, -7.5, 0.0, 7.5, 15.0))
MOVED = tuple((x, y, 0.0) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5))
"""Ways to lay a box anew: mm to the east and north, degrees."""
ASKEW = 5.0  # degrees by which a picture may lie on a token, and a token other than its box
FACE = 7.5  # mm around a token's middle in which its picture lies


class Tone(NamedTuple):
    """A colour that was learnt, the light it lay in, and how much it stood out."""

    colour: Values
    light: Values
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A token laid flat: its box in `around` (what speaks for its tone around the cell, 2 px a
    mm); what speaks for its tone and how far each pixel is from it; how far its foot lies from its
    top there (px to the east and south)."""

    around: Values
    box: Box
    speaks: Values
    apart: Values
    smear: tuple[float, float]


class TokenFinder:
    """Finds the oblong pieces of a board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        looks = [look for look in board.looks.values() if look.shape in SHAPES]
        self._boxes = {look.kind: Boxes(look) for look in looks if look.told == "side"}
        self._given: list[tuple[Scene, Cell, Shown]] = []
        self._seen: dict[str, list[Tone]] = {}
        self._tones: dict[str, list[Tone]] = {}
        self._looks: dict[str, Look] = {}
        self._ends: dict[str, Ends] = {}
        self._lying: dict[str, tuple[str, float]] = {}
        self._faces: dict[str, Signs] = {}
        self._wording: dict[str, tuple[Shown, str]] = {}
        self._shown: dict[tuple[str, str], str] = {}

    @property
    def unlearnt(self) -> frozenset[str]:
        """Texts of tokens that were shown, and whose picture was not learnt from them."""
        return frozenset(
            text
            for (tone, face), text in self._shown.items()
            if tone not in self._faces or face not in self._faces[tone].names
        )

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
        self._given.append((scene, cell, piece))
        self._wording.setdefault(piece.side, (piece, text))
        self._looks[_tone(piece)] = piece.look
        if piece.face and piece.face not in HIDDEN:
            self._shown.setdefault((_tone(piece), piece.face), text)

    def settle(self, again: bool) -> None:
        """Learn tones of the examples that stand out most, then ends and pictures of all; where an
        end is known, a token that is not plainly one teaches nothing: it may lie elsewhere."""
        given, self._given = self._given, []
        if not again:
            self._learn_tones(given)
        faced = [one for one in given if one[2].face and one[2].face not in HIDDEN]
        known = [one for one in faced if one[2].side in self._lying]
        taught = [one for one in known if self._learn_face(*one)]
        given = [one for one in given if one not in known or one in taught]
        for side in {piece.side for _, _, piece in given}:
            self._learn_ends([one for one in given if one[2].side == side])
        for one in faced:
            if one not in known:
                self._learn_face(*one)

    def forget_forms(self) -> None:
        """Know no more than the tones: all pictures come again."""
        self._ends, self._lying, self._faces = {}, {}, {}

    def _learn_tones(self, given: list[tuple[Scene, Cell, Shown]]) -> None:
        for scene, cell, piece in given:
            boxes = self._boxes[piece.look.kind]
            now, _, change = scene.around(cell, boxes.reach)
            box, _, inside = boxes.near(np.minimum(change, CAPPED)[None])[0]
            colour = middle(now.reshape(-1, 3)[inside])
            tone = Tone(colour, scene.light.at(cell.x, cell.y), box.score)
            self._seen.setdefault(_tone(piece), []).append(tone)
        for name, seen in self._seen.items():
            own = np.array([one.colour / one.light for one in seen])
            apart = _size(own - np.median(own, axis=0))
            agreed = [one for one, off in zip(seen, apart, strict=True) if off <= AGREES] or seen
            self._tones[name] = sorted(agreed, key=lambda one: -one.score)[:BEST]

    def _learn_ends(self, given: list[tuple[Scene, Cell, Shown]]) -> None:
        """Learn the ends of one side's tokens. People set them down alike: the way in which most
        of them lie settles it for those that a shadow makes as wide as they are long."""
        piece = given[0][2]
        tone, said = _tone(piece), piece.look.sides[piece.side].end
        ends = self._ends.setdefault(tone, Ends(piece.look))
        laid = [self._laid(scene, cell, tone, None) for scene, cell, _ in given]
        known = self._lying.get(piece.side)
        found = []
        for form in (known[0],) if known else FORMS:
            ranked = [
                sorted(
                    ((ends.outlined(form, one.speaks, one.smear), one) for one in ways),
                    key=lambda pair: -pair[0],
                )
                for ways in laid
            ]
            turns = [one.box.turn for ways in laid for one in ways]
            for turn in (known[1],) if known else turns:
                likeness = sum(_likest(ways, turn)[0] for ways in ranked) / len(ranked)
                found.append((likeness + SAID * (form == said), form, turn, ranked))
        _, form, way, ranked = max(found, key=lambda one: one[0])
        self._lying.setdefault(piece.side, (form, way))
        for ways in ranked:
            _, one = _likest(ways, way)
            if one is not None:
                ends.learn(piece.side, form, one.speaks, one.smear)

    def _learn_face(self, scene: Scene, cell: Cell, piece: Shown) -> bool:
        """Learn the picture on this token, if it is plain where and which way round it lies."""
        tone = _tone(piece)
        ends, one = self._ends[tone], self._best(tone, self._laid(scene, cell, tone, None))
        signs = self._faces.setdefault(tone, Signs(FACE))
        east = ends.surely_east(piece.side, one.speaks, one.smear)
        if east is None:
            return False
        signs.learn(piece.face, self._picture(scene, cell, one.box, east, signs.patch))
        return True

    def _best(self, tone: str, laid: Sequence[Laid]) -> Laid:
        """What is the most like a token of this tone, of what may lie near a cell."""
        ends = self._ends[tone]
        return max(
            laid,
            key=lambda one: (
                ends.likeness(one.speaks, one.smear) + USUAL * self._as_usual(tone, one)
            ),
        )

    def _as_usual(self, tone: str, one: Laid) -> bool:
        """Whether this lies as tokens of this tone did at the start."""
        return any(_lies(one.box.turn, self._lying[side][1]) for side in self._ends[tone].sides)

    def _laid(
        self, scene: Scene, cell: Cell, tone: str, near: tuple[Box, ...] | None
    ) -> list[Laid]:
        """What may lie near this cell, laid flat: one way, and across; from these boxes on."""
        boxes = self._boxes[self._looks[tone].kind]
        if near is None:
            speaks, _ = self._speaks(scene, cell, boxes.reach, (tone,))[tone]
            near = boxes.near(speaks[None])[0][:2]
        fine = np.stack(self._speaks(scene, cell, boxes.wide, (tone,), FINE)[tone], axis=-1)
        speaks = np.ascontiguousarray(fine[..., 0])
        foot = scene.foot(cell, self._looks[tone].height)
        found = []
        for box in (boxes.place(speaks, one, foot) for one in near):
            flat = boxes.flat(fine, box, box.turn)
            smear = _smear(foot, box.turn)
            found.append(Laid(speaks, box, flat[..., 0], flat[..., 1], smear))
        return found

    def _refitted(self, scene: Scene, cell: Cell, one: Laid, tone: str) -> Laid:
        """The same token, its box laid where it is most like a token of this tone: turned first,
        then moved."""
        ends, boxes = self._ends[tone], self._boxes[self._looks[tone].kind]
        foot = scene.foot(cell, self._looks[tone].height)
        for moves in (TURNED, MOVED, TURNED, MOVED):
            tried = []
            for east, north, turn in moves:
                x, y, way = one.box.x + east, one.box.y + north, one.box.turn + turn
                box = one.box._replace(x=x, y=y, turn=way)
                flat = boxes.flat(one.around, box, way)
                tried.append(Laid(one.around, box, flat, one.apart, _smear(foot, way)))
            one = max(tried, key=lambda each: ends.likeness(each.speaks, each.smear))
        return one

    def _speaks(
        self, scene: Scene, cell: Cell, reach: int, tones: Sequence[str], scale: int = 1
    ) -> dict[str, tuple[Values, Values]]:
        """Tone -> how much each pixel speaks for it rather than for the empty board, and how far
        it is from the tone; grey levels."""
        flats = (scene.top, scene.bare.top) if scale == 1 else (scene.fine, scene.bare.fine)
        seen, board = (patch(flat, cell.x, cell.y, reach, scale) for flat in flats)
        now, empty = seen.astype(np.float32), board.astype(np.float32)
        light = scene.light.at(cell.x, cell.y).astype(np.float32)
        expected = np.minimum(empty * light, 255.0)
        off = now - expected
        off[(empty > BURNT) & (off > 0.0) & (light < 1.0)] = 0.0
        changed = _size(off) / max(float(light.max()), 1.0)
        plain = np.minimum(scene.bare.plain(cell, reach, scale) * light, 255.0)
        found = {}
        for name in tones:
            apart = np.min([_apart(now, one, light) for one in self._tones[name]], axis=0)
            # Where tone and board are much alike, a line that is hidden must not outweigh the rest.
            between = float(_apart(plain[None], self._tones[name][0], light)[0])
            most = min(max(CAPS * between, LEAST), CAPPED)
            found[name] = np.minimum(changed, most) - np.minimum(apart, most), apart
        return found

    def _picture(self, scene: Scene, cell: Cell, box: Box, east: bool, reach: int) -> Values:
        """What is seen on a token, its end to the east; `east` where it lies so."""
        fine = patch(scene.fine, cell.x, cell.y, reach + round((REACH + 2.0) * FINE), FINE)
        turn = box.turn if east else box.turn + 180.0
        return turned(np.asarray(fine, np.float32), box, turn, reach)

    def colours(self, lights: Values) -> Values:
        """What colours (n, k, 3) the middles of cells in these lights (n, 3) might have under a
        piece."""
        known = [one for tones in self._tones.values() for one in tones]
        ratios = np.array([one.colour / one.light for one in known]).reshape(-1, 3)
        return np.minimum(ratios * lights[:, None], 255.0)

    def find(self, scene: Scene, cells: Sequence[Cell]) -> list[Found]:
        """What lies near these cells."""
        ranks: list[list[tuple[float, float, str, tuple[Box, ...]]]] = [[] for _ in cells]
        for kind, boxes in self._boxes.items():
            tones = [tone for tone, look in self._looks.items() if look.kind == kind]
            around = [self._speaks(scene, cell, boxes.reach, tones) for cell in cells]
            for tone in tones:
                near = boxes.near(np.array([each[tone][0] for each in around]))
                for rank, each, (one, other, inside) in zip(ranks, around, near, strict=True):
                    apart = float(np.median(each[tone][1].ravel()[inside]))
                    rank.append((apart, -one.score, tone, (one, other)))
        return [
            self._found(scene, cell, sorted(rank)) for cell, rank in zip(cells, ranks, strict=True)
        ]

    def _found(
        self,
        scene: Scene,
        cell: Cell,
        ranks: list[tuple[float, float, str, tuple[Box, ...]]],
    ) -> Found:
        _, _, tone, near = ranks[0]
        look = self._looks[tone]
        boxes = self._boxes[look.kind]
        laid = self._laid(scene, cell, tone, near)
        one = self._best(tone, laid)
        box = one.box
        distance = float(np.median(one.apart[boxes.inside]))
        filled, spilt = (
            float(np.mean(one.speaks[part] > 0.0)) for part in (boxes.inside, boxes.border)
        )
        doubt, texts = "", frozenset[str]()
        if distance > NEAREST or filled < FILLED or spilt > SPILT or not self._is_here(cell, box):
            doubt = "something"
        elif any(distance > LEAD * rank[0] for rank in ranks[1:]) or self._is_faint(
            scene, cell, tone
        ):
            doubt = "alike"
        else:
            texts = self._told(scene, cell, one, laid, tone)
            doubt = "" if texts else "something"
        x, y = cell.x + box.x, cell.y + box.y
        half, turn = (look.length - look.width) / 2, np.radians(box.turn)
        east, north = float(half * np.cos(turn)), float(half * np.sin(turn))
        spine = (x - east, y - north), (x + east, y + north)
        return Found(doubt, texts, distance, x, y, spine, look.width, look.height)

    def _is_faint(self, scene: Scene, cell: Cell, tone: str) -> bool:
        """Whether a token of this tone would look as the empty board does in this light, as where
        both are burnt out."""
        light = scene.light.at(cell.x, cell.y).astype(np.float32)
        plain = scene.bare.plain(cell, self._boxes[self._looks[tone].kind].reach, 1)
        board = np.minimum(plain * light, 255.0)
        return all(float(_apart(board, one, light)) < FAINT for one in self._tones[tone])

    def _is_here(self, cell: Cell, box: Box) -> bool:
        """Whether a token there would stand on this cell; at the rim of what is looked at, it may
        be the end of one that stands farther off."""
        x, y = cell.x + box.x, cell.y + box.y
        return float(np.hypot(box.x, box.y)) < REACH - 0.5 and belongs(self._board, cell, x, y)

    def _told(
        self, scene: Scene, cell: Cell, one: Laid, laid: Sequence[Laid], tone: str
    ) -> frozenset[str]:
        """The texts that this token may have; none where it is no token."""
        ends = self._ends[tone]
        if ends.is_round(one.speaks, one.smear):
            return frozenset()
        ways = ends.read(one.speaks, one.smear)
        sides, likeness = {side for side, _ in ways}, ends.likeness(one.speaks, one.smear)
        if likeness < POOR:
            other = self._best(tone, [self._refitted(scene, cell, each, tone) for each in laid])
            found = ends.read(other.speaks, other.smear)
            better = ends.likeness(other.speaks, other.smear) > max(likeness + BETTER, POOR)
            # In shade that lies across the board its edges are too faint to rule out what was told.
            lit = scene.light.shade is None
            if better and lit and self._as_usual(tone, other):
                one, ways, sides = other, found, set()
                likeness = ends.likeness(one.speaks, one.smear)
            sides |= {side for side, _ in found}
        if likeness < VAGUE:
            sides = set(ends.sides)
        easts = {east for _, east in ways}
        texts: set[str] = set()
        for side in sides:
            piece, text = self._wording[side]
            if piece.look.hides(cell.name):
                texts |= set(self._hidden(side))
                continue
            faces = frozenset(piece.look.faces)
            if tone in self._faces and len(easts) == 1:
                signs, east = self._faces[tone], min(easts)
                pictures = [
                    self._picture(scene, cell, one.box._replace(turn=turn), east, signs.patch)
                    for turn in (one.box.turn, one.box.turn - ASKEW, one.box.turn + ASKEW)
                ]
                read = signs.read(*pictures)
                # What was never learnt may look like anything that was.
                faces = read | (faces - signs.names) if read else faces
            texts |= {_faced(piece, text, face) for face in faces} or {text}
            if len(faces) > 1:
                texts |= set(self._hidden(side))  # it may lie there face down
        return frozenset(texts)


def _apart(now: Values, tone: Tone, light: Values) -> Values:
    """How far pixels (..., 3) are from a tone in that light, in grey levels of the darker one's."""
    ratio = light / tone.light
    off = now - np.minimum(tone.colour * ratio, 255.0).astype(np.float32)
    for colour in np.flatnonzero((tone.colour > BURNT) & (ratio < 1.0)):
        np.minimum(off[..., colour], 0.0, out=off[..., colour])
    return np.asarray(_size(off) / max(float(ratio.max()), 1.0))


def _size(off: Values) -> Values:
    """Root of the mean of the squares of three colours."""
    return np.asarray(np.sqrt(product(off, off) / 3.0))


def _likest(ways: list[tuple[float, Laid]], turn: float) -> tuple[float, Laid | None]:
    """The first of these that lies in about this way; a token on the ring may lie across."""
    for likeness, one in ways:
        if _lies(one.box.turn, turn):
            return likeness, one
    return 0.0, None


def _lies(turn: float, way: float) -> bool:
    """Whether a box lies about this way, either end first."""
    return abs((turn - way + 90.0) % 180.0 - 90.0) < ALIKE


def _smear(foot: tuple[float, float], turn: float) -> tuple[float, float]:
    """A way in mm to the east and north, in fine px to the east and south of a box laid flat."""
    along, across = np.cos(np.radians(turn)) * FINE, np.sin(np.radians(turn)) * FINE
    return float(foot[0] * along + foot[1] * across), float(foot[0] * across - foot[1] * along)


def _tone(piece: Shown) -> str:
    return piece.look.sides[piece.side].colour


def _faced(piece: Shown, text: str, face: str) -> str:
    """This piece's text with another face."""
    known = (*piece.look.faces, *HIDDEN)
    words = [face if word in known else word for word in text.split()]
    return " ".join(words)
