"""What the eye for pieces without tags makes of sets, boards and light that nobody chose for it.

Each seed draws a table of its own: wood or paint of the plate, colours, sizes and signs of the set,
lamps, a camera 600 to 750 mm up and up to 35 degrees off. The eye is set up on it as people do,
and reads positions of pieces, two on one cell, a coin, and one between two cells.

`python -m tests.vision.other_sets` counts what is told; `--scaled` does so for each threshold at
0.7 and 1.3 times its value, for the table in docs/seeing.md; `--game`, `--seeds A B` choose.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from types import ModuleType
from typing import NamedTuple

import cv2
import numpy as np
from tests.vision.disturbed import shadow

from tableref.referee.games import load_game
from tableref.referee.lessons import lesson
from tableref.rules.pieces import Piece, Stack, text_of, texts
from tableref.sim import plates
from tableref.sim.bodies import Body
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import Board, load_board
from tableref_hardware.looks import Look, Paint
from tableref_vision.camera import Frame
from tableref_vision.opencv import Picture
from tableref_vision.untagged import ends, shade, signs, stacked, tokens
from tableref_vision.untagged.reader import Reading, UntaggedReader

GAMES = ("arrows-and-stars", "scorpion", "skorpion-deep", "squod")
SETUPS = {"scorpion": {"players": 4}, "squod": {"players": 2}}
POSITIONS = 5
WOODS = (
    (118, 172, 222),
    (165, 203, 228),
    (52, 74, 104),
    (222, 226, 230),
    (66, 64, 62),
    (76, 112, 66),
    (58, 66, 128),
    (150, 160, 168),
)
"""Beech, maple, walnut, white and dark paint, green felt, mahogany, grey card; blue, green, red."""
STYLES = ("any", "pale", "dark", "like the board")
APART = 30.0
"""Between the colours of a set, in CIE L*a*b*: less, and people would not play with it."""


class Threshold(NamedTuple):
    """One number of the eye, and the games in which it counts."""

    module: ModuleType
    name: str
    games: tuple[str, ...]
    shaded: bool = False


THRESHOLDS = (
    Threshold(tokens, "POOR", ("squod",)),
    Threshold(tokens, "BETTER", ("squod",)),
    Threshold(ends, "PLAIN", ("squod",)),
    Threshold(ends, "PLAINER", ("squod",)),
    Threshold(signs, "PLAIN", ("squod", "arrows-and-stars")),
    Threshold(stacked, "APART", ("scorpion", "arrows-and-stars")),
    Threshold(shade, "STEEP", GAMES, shaded=True),
)


@dataclass
class Counts:
    """Cells: pieces and empty ones, and how many are told for sure; `wrong` ones by name."""

    pieces: int = 0
    sure: int = 0
    empty: int = 0
    empty_sure: int = 0
    faces: int = 0
    faces_read: int = 0
    wrong: list[str] = field(default_factory=list)

    def merge(self, other: Counts) -> None:
        """Count the other's cells, too."""
        for name in ("pieces", "sure", "empty", "empty_sure", "faces", "faces_read"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong

    def __str__(self) -> str:
        told = f"{_share(self.sure, self.pieces)} of {self.pieces} pieces, "
        told += f"{_share(self.empty_sure, self.empty)} of {self.empty} empty cells"
        if self.faces:
            told += f", {self.faces_read} of {self.faces} faces"
        return f"{told}, {len(self.wrong)} wrong"


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.1%}"


class OwnStage(Stage):
    """A stage whose signs are painted in colours of their own."""

    def __init__(
        self, board: Board, seed: int, camera: Camera, plate: Picture, inks: Mapping[str, str]
    ) -> None:
        super().__init__(board, seed, camera, plate)
        self._inks = inks

    def _body(self, piece: Piece) -> Body:
        body = super()._body(piece)
        red, green, blue = bytes.fromhex(self._inks[piece.side].removeprefix("#"))
        return replace(body, ink=(blue, green, red))


@dataclass(frozen=True)
class Shot:
    """One picture and what stands in it; `odd`: cells by which something lies that is no piece
    there, of which nothing need be told."""

    image: Picture
    stands: Mapping[str, Stack]
    odd: frozenset[str] = frozenset()


class Table:
    """A drawn table of one game with a set of its own, and pictures of it."""

    def __init__(self, name: str, seed: int, positions: int = POSITIONS) -> None:
        self.rng = rng = np.random.default_rng(1000 + seed)
        self.style = STYLES[seed % len(STYLES)]
        self.wood = WOODS[int(rng.integers(len(WOODS)))]
        usual = load_board(name)
        self.board = replace(usual, looks=self._looks(usual))
        self.game = load_game(name, usual)
        plate = plates.plate(self.board, rng, self.wood, float(rng.uniform(0.015, 0.08)))
        self.camera = Camera.above(
            height=rng.uniform(600.0, 750.0),
            tilt=rng.uniform(0.0, 35.0),
            side=rng.uniform(-180.0, 180.0),
            turn=rng.uniform(-180.0, 180.0),
            k1=rng.uniform(-0.06, 0.02),
            noise=rng.uniform(0.004, 0.018),
            blur=rng.uniform(0.5, 0.9),
        )
        self.stage = OwnStage(self.board, seed, self.camera, plate, self._inks())
        state = self.game.start(SETUPS.get(name, {}))
        self.start, self.taught = self.game.board(state), lesson(self.board, self.game, state)
        self.ways = {s[0].side: self.stage.inward(c) for c, s in self.start.items()}
        self.empty = self.stage.picture()
        self._stand(self.taught, lying=False)
        self.lesson = self.stage.picture()
        self._stand(self.start, lying=False)
        self.begins = self.stage.picture()
        self.shots = [*islice(self._shots(), positions)]

    def told(self) -> str:
        """What table this is."""
        sides = ", ".join(
            f"{one.kind} {side} {paint.colour}"
            for one in self.board.looks.values()
            for side, paint in one.sides.items()
        )
        sizes = ", ".join(f"{one.length:.1f}" for one in self.board.looks.values())
        eye = np.array(self.camera.origin)
        tilt = math.degrees(math.atan2(float(np.hypot(eye[0], eye[1])), float(eye[2])))
        return f"{self.style}, wood {self.wood}, {sizes} mm, {tilt:.0f} degrees: {sides}"

    def reader(self) -> UntaggedReader:
        """One that has been shown this set."""
        reader = UntaggedReader(self.board, Frame(self.empty, 0.0, "empty"))
        if self.taught:
            reader.learn(Frame(self.lesson, 0.0, "teach"), texts(self.taught))
        if self.start:
            reader.learn(Frame(self.begins, 0.0, "start"), texts(self.start))
        return reader

    # -- the set ----------------------------------------------------------------------------------

    def _looks(self, board: Board) -> dict[str, Look]:
        looks, colours = {}, self._colours()
        size = float(self.rng.uniform(0.72, 1.02 if board.game == "scorpion" else 1.12))
        painted: dict[str, str] = {}
        for kind, look in board.looks.items():
            sides = {}
            for side, paint in look.sides.items():
                if paint.colour not in painted:
                    painted[paint.colour] = next(colours)
                sides[side] = Paint(painted[paint.colour], paint.end)
            thick = float(self.rng.uniform(0.6, 1.1))
            height = look.height * (size if look.shape == "ball" else thick)
            sign = look.sign * size * float(self.rng.uniform(0.8, 1.1))
            looks[kind] = replace(
                look, length=look.length * size, width=look.width * size, height=height,
                sign=sign, sides=sides,
            )  # fmt: skip
        return looks

    def _colours(self) -> Iterator[str]:
        """Colours of a set, all plainly apart; of the style that this table has."""
        chosen: list[np.ndarray] = []
        wood = _lab(np.array(self.wood, float))
        while True:
            if self.style == "like the board" and not chosen:
                colour = np.clip(np.array(self.wood) + self.rng.normal(0.0, 8.0, 3), 20.0, 245.0)
            else:
                least, most = {"pale": (150.0, 250.0), "dark": (20.0, 115.0)}.get(
                    self.style, (25.0, 245.0)
                )
                colour = self.rng.uniform(least, most, 3)
            lab = _lab(colour)
            apart = APART if self.style in ("any", "like the board") else APART / 2
            near = chosen if self.style == "like the board" else [*chosen, wood]
            if all(float(np.linalg.norm(lab - other)) > apart for other in near):
                chosen.append(lab)
                blue, green, red = (round(float(part)) for part in colour)
                yield f"#{red:02x}{green:02x}{blue:02x}"

    def _inks(self) -> dict[str, str]:
        """Side -> what its signs are painted with: the other side's colour, black, white or any."""
        inks = {}
        for look in self.board.looks.values():
            for side, paint in look.sides.items():
                own = _lab(np.array(paint.rgb[::-1], float))
                others = [one.colour for one in look.sides.values() if one.colour != paint.colour]
                tried = [*others, "#181818", "#f2f2f2"]
                self.rng.shuffle(tried)
                far = (c for c in tried if float(np.linalg.norm(own - _lab(_bgr(c)))) > APART)
                inks[side] = next(far, "#181818" if own[0] > 50.0 else "#f2f2f2")
        return inks

    # -- positions --------------------------------------------------------------------------------

    def _stand(self, stands: Mapping[str, Stack], lying: bool = True) -> None:
        """Only these pieces; `lying`: tokens lie any way round, else as people set them up."""
        self.stage.pieces.clear()
        for cell, stack in stands.items():
            for piece in stack:
                turns = 90.0 * int(self.rng.integers(4)) if lying else 0.0
                yaw = self.ways.get(piece.side, 0.0) + turns
                tokens_only = self.board.looks[piece.kind].shape == "token"
                self.stage.stand(piece, cell, yaw=yaw if tokens_only else None)

    def _shots(self) -> Iterator[Shot]:
        for number in range(POSITIONS):
            stands = self._position()
            self._stand(stands)
            odd: set[str] = set()
            free = [c for c in self.board.cells.values() if c.name not in stands]
            self.stage.coins = []
            if number == 1 and free:
                cell = free[int(self.rng.integers(len(free)))]
                self.stage.coins = [(cell.x, cell.y)]
                odd = {cell.name}
            if number == 2 and len(free) > 1:
                cell = free[int(self.rng.integers(len(free)))]
                other = min(
                    (c for c in free if c is not cell),
                    key=lambda c: math.hypot(c.x - cell.x, c.y - cell.y),
                )
                between = (cell.x + other.x) / 2, (cell.y + other.y) / 2
                nearest = sorted(
                    self.board.cells.values(), key=lambda c: math.dist((c.x, c.y), between)
                )
                if not {c.name for c in nearest[:4]} & stands.keys():
                    piece = next(iter(stands.values()))[0]
                    self.stage.put_at(piece, *between, 0.0)
                    odd = {c.name for c in nearest[:2]}
            yield Shot(self.stage.picture(), stands, frozenset(odd))
        self.stage.coins = []

    def _position(self) -> dict[str, Stack]:
        """Any position of such pieces."""
        cells = [*self.board.cells]
        self.rng.shuffle(cells)
        if self.board.game == "scorpion":
            pieces = [stack[0] for stack in self.taught.values()]
            stands: dict[str, Stack] = {
                cell: (pieces[number % len(pieces)],) for number, cell in enumerate(cells[:14])
            }
            lower, upper = (pieces[int(n)] for n in self.rng.integers(len(pieces), size=2))
            return stands | {cells[14]: (lower, upper)}
        if self.board.game == "skorpion-deep":
            single = [stack[0] for stack in self.taught.values() if len(stack) == 1]
            beads = [piece for piece in single if piece.kind == "bead"]
            big = [piece for piece in single if piece.kind != "bead"]
            stands = {cell: (beads[n % len(beads)],) for n, cell in enumerate(cells[:9])}
            apart = {cells[9 + n]: (piece,) for n, piece in enumerate(big)}
            return stands | (apart if self.rng.random() < 0.5 else {cells[9]: tuple(big)})
        stands = dict(self.start)
        free = [cell for cell in cells if cell not in stands]
        if self.board.game == "squod":
            ring = [cell for cell in free if not self._hides(cell)]
            movers = [cell for cell in cells if cell in stands]
            for to, cell in zip(ring[:5], movers, strict=False):
                [piece] = stands.pop(cell)
                faces = self.board.looks[piece.kind].faces
                stands[to] = (piece._replace(face=faces[int(self.rng.integers(len(faces)))]),)
            return stands
        for to, cell in zip(free[:8], [cell for cell in cells if cell in stands], strict=False):
            [piece] = stands.pop(cell)
            way = ("up", "down")[int(self.rng.integers(2))] if piece.kind == "arrow" else None
            stands[to] = (piece._replace(facing=way) if way else piece,)
        return stands

    def _hides(self, cell: str) -> bool:
        return any(look.hides(cell) for look in self.board.looks.values())


def count(table: Table, shaded: bool = False, numbers: Collection[int] | None = None) -> Counts:
    """What is told of all pictures of a table, or of those with these numbers; with `shaded`, in a
    hard shadow that stays."""
    reader, counts = table.reader(), Counts()
    for number, shot in enumerate(table.shots):
        if numbers is not None and number not in numbers:
            continue
        frame = Frame(shadow(shot.image) if shaded else shot.image, 0.0, f"{number}")
        if shaded:
            reader.relight(frame)
        _add(counts, table, shot, reader.read(frame), number)
    return counts


def _add(counts: Counts, table: Table, shot: Shot, reading: Reading, number: int) -> None:
    faced = {kind for kind, look in table.board.looks.items() if look.faces}
    for cell, may in reading.cells.items():
        stack = shot.stands.get(cell, ())
        wanted = _allowed(table.board, stack)
        side = {text.split()[0] for text in may if text}
        sure = len(may) == 1 or (bool(stack) and stack[0].kind in faced and len(side) == 1)
        sure = sure and not ("" in may and len(may) > 1)
        if not wanted & may and not (cell in shot.odd and may == {""}):
            counts.wrong.append(f"{number}: {cell} is {sorted(wanted)}, read {sorted(may)}")
        elif cell in shot.odd:
            continue
        elif not stack:
            counts.empty += 1
            counts.empty_sure += sure
        else:
            counts.pieces += 1
            counts.sure += sure
            if stack[0].face and not table._hides(cell):
                counts.faces += 1
                counts.faces_read += len(may) == 1


def _allowed(board: Board, stack: Stack) -> frozenset[str]:
    """Texts of which one must be among those told. Of two discs on one cell the upper one is; of
    two balls, the pair, or the larger one beside what it hides."""
    if len(stack) < 2:
        piece = stack[0] if stack else None
        hidden = piece is not None and piece.face and board.looks[piece.kind].hidden
        whole = text_of(stack)
        return frozenset({whole, f"{whole.split()[0]} ?"} if hidden else {whole})
    if board.looks[stack[0].kind].shape == "disc":
        return frozenset({text_of(stack[1:])})
    both = [text_of((one,)) for one in stack]
    return frozenset({" ".join(both), " ".join(reversed(both)), text_of(stack), "skorpion"})


@contextmanager
def scaled(threshold: Threshold, share: float) -> Iterator[None]:
    """The eye with one threshold so many times its value."""
    value = getattr(threshold.module, threshold.name)
    setattr(threshold.module, threshold.name, value * share)
    try:
        yield
    finally:
        setattr(threshold.module, threshold.name, value)


def _lab(bgr: np.ndarray) -> np.ndarray:
    pixel = np.asarray(bgr, np.float32).reshape(1, 1, 3) / 255.0
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB).reshape(3))


def _bgr(colour: str) -> np.ndarray:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return np.array([blue, green, red], float)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.vision.other_sets")
    parser.add_argument("--game", choices=GAMES, help="of this game alone")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 12), help="from, up to")
    parser.add_argument("--scaled", action="store_true", help="each threshold at 0.7, 1, 1.3")
    parser.add_argument("--shaded", action="store_true", help="in a hard shadow that stays")
    asked = parser.parse_args()
    total: dict[str, Counts] = {}
    for game in (asked.game,) if asked.game else GAMES:
        for seed in range(*asked.seeds):
            table = Table(game, seed)
            for name, counts in _rows(table, asked.scaled, asked.shaded):
                print(
                    f"{game} {seed} {name}: {counts}; {table.told()}", file=sys.stderr, flush=True
                )
                for wrong in counts.wrong:
                    print(f"    {wrong}", file=sys.stderr)
                total.setdefault(f"{game} {name}", Counts()).merge(counts)
    for name, counts in total.items():
        print(f"{name}: {counts}")


def _rows(table: Table, scale: bool, shaded: bool) -> Iterator[tuple[str, Counts]]:
    if not scale:
        yield "as it is", count(table, shaded)
        return
    for threshold in THRESHOLDS:
        if table.board.game in threshold.games:
            for share in (0.7, 1.0, 1.3):
                name = f"{threshold.module.__name__.rpartition('.')[2]}.{threshold.name} x {share}"
                with scaled(threshold, share):
                    yield name, count(table, threshold.shaded)


if __name__ == "__main__":
    main()
