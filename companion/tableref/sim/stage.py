"""The virtual table of any game: pieces that are set down as people do it, and pictures of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from tableref.devices.lights import Light
from tableref.errors import UserError
from tableref.rules.pieces import HIDDEN, Piece, Stack
from tableref.sim import bodies, draw, materials, plates
from tableref.sim.bodies import Body
from tableref.sim.camera import Camera, Canvas, Floats
from tableref.sim.draw import Hand
from tableref.sim.materials import Picture
from tableref.sim.studio import Scene, laid
from tableref_hardware.board import Board

JITTER = (6.0, 12.0)  # mm and degrees that people are off, and no more
SHARE = 0.4  # of what the board takes for a cell's: people are off by no more than that
REACH = 11.0  # mm within which a cell's switch feels a magnet
ASIDE = 9.0  # mm between the plate and pieces beside it, and between those


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece on the table: middle in mm, yaw in degrees anticlockwise from east, markers on it.

    `cell` is where whoever set it down meant it to stand; empty where it lies anyhow.
    """

    piece: Piece
    x: float
    y: float
    yaw: float
    markers: int = 0
    cell: str = ""


class Stage(Scene):
    """A table with a board that can be played on by hand and looked at.

    `seed` decides wood, lamps, noise and how exactly pieces are set down; the same calls give the
    same pictures. `pieces` has what is on the table by a name: a tagged piece's own, another's with
    a number. `beside` lies next to the board; `coins` lie at places on it (x, y in mm) and are no
    pieces. `lights` are the cells lit just now. `plate` is the plate's top, north up, where it is
    not the wooden one: a printed overlay.
    """

    def __init__(
        self,
        board: Board,
        seed: int = 0,
        camera: Camera | None = None,
        plate: Picture | None = None,
    ) -> None:
        super().__init__(seed, camera or Camera.above())
        self.board = board
        self.pieces: dict[str, Placed] = {}
        self.beside: list[Piece] = []
        self.coins: list[tuple[float, float]] = []
        self.lights: Mapping[str, Light] = {}
        self.FLOOR = board.plate.top
        self._printed = plate
        self._made = 0
        self._bodies: dict[tuple[str, str, str, str], Body] = {}

    # -- what hands do ----------------------------------------------------------------------------

    def set_up(self, names: Iterable[str] | None = None) -> None:
        """Put these pieces of the board file (all, unless told) where they start."""
        for piece in self.board.pieces:
            if piece.start and (names is None or piece.id in names):
                self.put(piece.id, piece.start, piece.heading, markers=0)

    def show(self, board: Mapping[str, Stack]) -> None:
        """Put down the pieces of a whole board, and no others."""
        self.pieces.clear()
        for cell, stack in board.items():
            for piece in stack:
                self.stand(piece, cell)

    def stand(self, piece: Piece, cell: str, markers: int = 0, yaw: float | None = None) -> str:
        """Set a piece down on a cell, on top of what is there, a little off as people do; returns
        its name on the table. `yaw`: how it is held, where nothing says how it has to point."""
        self._check_cell(cell)
        where = self.board.cells[cell]
        name = self._name(piece)
        exact = Placed(piece, where.x, where.y, self._yaw(piece, cell, yaw), markers, cell)
        tries = (self._nudged(exact) for _ in range(40))
        self.pieces[name] = next((p for p in tries if self._is_free(p)), exact)
        return name

    def put(self, name: str, cell: str, heading: str, markers: int | None = None) -> None:
        """Move a tagged piece to a cell; its markers stay unless told. UserError where the table
        has no such piece, cell or heading."""
        piece = self._tagged(name)
        self._check_cell(cell)
        if heading not in self.board.headings:
            raise UserError(f"the board has no heading {heading!r}")
        old = self.pieces.pop(name, None)
        if markers is None:
            markers = old.markers if old else 0
        self.stand(piece._replace(facing=heading), cell, markers)

    def put_at(self, piece: str | Piece, x: float, y: float, yaw: float, markers: int = 0) -> str:
        """Leave a piece anywhere: between cells, askew. mm, degrees anticlockwise from east."""
        if isinstance(piece, str):
            piece = self._tagged(piece)
            self.pieces.pop(piece.called, None)
        name = self._name(piece)
        self.pieces[name] = Placed(piece, x, y, yaw, markers)
        return name

    def lift(self, name: str) -> Placed:
        """Take a piece off the table. UserError where it is not on it."""
        if name not in self.pieces:
            raise UserError(f"{name} is not on the table")
        return self.pieces.pop(name)

    def take(self, cell: str, piece: Piece) -> Placed:
        """Take such a piece off a cell, the topmost one. UserError where there is none."""
        for name, placed in reversed(self.pieces.items()):
            if placed.cell == cell and placed.piece == piece:
                return self.lift(name)
        raise UserError(f"no {piece.text} stands on {cell}")

    def mark(self, name: str, markers: int) -> None:
        """Put this many markers on a piece's pin. UserError where it is not on the table."""
        if name not in self.pieces:
            raise UserError(f"{name} is not on the table")
        self.pieces[name] = replace(self.pieces[name], markers=markers)

    def move(
        self, name: str, cell: str, heading: str, markers: int | None = None, *, hands: bool = True
    ) -> Iterator[Picture]:
        """Move a tagged piece by hand: pictures of the hand, then one of the table at rest.

        Without `hands` only the last. The table changes as the pictures are taken.
        """
        if hands and name in self.pieces:
            yield self.picture(hands=(self.hand_at(self.pieces[name].x, self.pieces[name].y),))
        if markers is None:
            markers = self.pieces[name].markers if name in self.pieces else 0
        self.pieces.pop(name, None)
        if hands:
            end = self.board.cells[cell]
            yield self.picture(hands=(self.hand_at(end.x, end.y, 95.0),))
        self.put(name, cell, heading, markers)
        yield self.picture()

    def hand_at(self, x: float, y: float, z: float = 75.0) -> Hand:
        """A hand over this place, its arm from the nearest side of the table, about."""
        sides = {0.0: x, 90.0: y, 180.0: -x, -90.0: -y}
        side = max(sides, key=lambda side: sides[side]) + float(self._rng.uniform(-20, 20))
        return Hand(x, y, side, z)

    def inward(self, cell: str) -> float:
        """How a piece lies on this cell whose face is hidden: its end to the middle, degrees."""
        x, y = self.board.cells[cell].x, self.board.cells[cell].y
        return 90.0 * round(math.degrees(math.atan2(-y, -x)) / 90.0)

    # -- what is there ----------------------------------------------------------------------------

    def stacks(self) -> dict[str, Stack]:
        """Cell -> what stands on it, as whoever set it down meant it."""
        found: dict[str, Stack] = {}
        for placed in self.pieces.values():
            if placed.cell:
                found[placed.cell] = (*found.get(placed.cell, ()), placed.piece)
        return found

    def occupied(self) -> frozenset[str]:
        """Cells whose switch feels a magnet, that is, a piece's middle within REACH."""
        return frozenset(
            cell.name
            for cell in self.board.cells.values()
            if any(math.hypot(p.x - cell.x, p.y - cell.y) <= REACH for p in self.pieces.values())
        )

    def write(self, folder: Path, pictures: Iterable[Picture]) -> list[Path]:
        """Write pictures as 0000.jpg and so on; returns the paths. UserError where it cannot."""
        paths = []
        for number, picture in enumerate(pictures):
            path = folder / f"{number:04d}.jpg"
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data.tobytes())
            except OSError as error:
                raise UserError(f"{path}: cannot be written ({error})") from error
            paths.append(path)
        return paths

    # -- setting down -----------------------------------------------------------------------------

    def _tagged(self, name: str) -> Piece:
        """The piece of the board file with this name."""
        for piece in self.board.pieces:
            if piece.id == name and piece.tag is not None:
                return Piece(piece.kind, name, name=name)
        tagged = (piece.id for piece in self.board.pieces if piece.tag is not None)
        raise UserError(f"there is no piece {name!r}; there are {', '.join(tagged)}")

    def _check_cell(self, cell: str) -> None:
        if cell not in self.board.cells:
            raise UserError(f"the board has no cell {cell!r}")

    def _name(self, piece: Piece) -> str:
        """What it is called on the table: of pieces without tags there are many alike."""
        if piece.kind not in self.board.looks:
            raise UserError(f"{self.board.source}: [looks] does not say how a {piece.kind} looks")
        if self.board.looks[piece.kind].told == "tag":
            return piece.called
        self._made += 1
        return f"{piece.called} {self._made}"

    def _body(self, piece: Piece) -> Body:
        key = piece.kind, piece.side, piece.called, piece.face
        if key not in self._bodies:
            self._bodies[key] = bodies.body_of(self.board, piece)
        return self._bodies[key]

    def _yaw(self, piece: Piece, cell: str, held: float | None) -> float:
        """Where a piece points: along its heading, to the middle where its face is hidden, else as
        it is held."""
        look = self.board.looks[piece.kind]
        if piece.facing in look.facings:
            return self.board.headings[piece.facing]
        if piece.face == HIDDEN or look.hides(cell):
            return self.inward(cell)
        return float(self._rng.uniform(-180.0, 180.0)) if held is None else held

    def _nudged(self, placed: Placed) -> Placed:
        most = min(JITTER[0], SHARE * self.board.near)
        if self.board.looks[placed.piece.kind].shape == "ball":
            most = min(most, 1.0)  # it rolls into its dimple
        off = most * math.sqrt(self._rng.random())
        way = self._rng.uniform(0, 2 * math.pi)
        return replace(
            placed,
            x=placed.x + off * math.cos(way),
            y=placed.y + off * math.sin(way),
            yaw=placed.yaw + self._rng.uniform(-JITTER[1], JITTER[1]),
        )

    def _is_free(self, placed: Placed) -> bool:
        """True where its body touches no other but those on its own cell."""
        own = self._footprint(placed)
        return all(
            cv2.rotatedRectangleIntersection(own, self._footprint(there))[0] == cv2.INTERSECT_NONE
            for there in self.pieces.values()
            if there.cell != placed.cell or not there.cell
        )

    def _footprint(self, placed: Placed) -> tuple[tuple[float, float], tuple[float, float], float]:
        pose = np.array([placed.x, placed.y, placed.yaw, 0.0])
        return bodies.footprint(self._body(placed.piece), pose)

    # -- drawing ----------------------------------------------------------------------------------

    def _standing(self) -> Iterator[tuple[Body, Floats, int, float, tuple[float, float]]]:
        """Each piece with its pose, its markers, the height of what its shadow falls on, and x, y
        of the lowest in its stack: those on one cell on top of one another, balls side by side, and
        what lies beside the board."""
        floor = self.board.plate.top
        under: dict[str, list[Body]] = {}
        lowest: dict[str, tuple[float, float]] = {}
        pairs = [(placed, self._body(placed.piece)) for placed in self.pieces.values()]
        # Of balls the largest lies in the dimple, whichever came first.
        pairs.sort(key=lambda pair: -pair[1].height if pair[1].look.shape == "ball" else 0.0)
        for placed, body in pairs:
            below = under.setdefault(placed.cell, []) if placed.cell else []
            x, z = placed.x, floor
            if body.look.shape == "ball":
                x += sum(math.sqrt(body.height * other.height) for other in below[-1:])  # touching
            else:
                z += sum(other.height for other in below)
            below.append(body)
            place = x, placed.y
            if placed.cell and body.look.shape != "ball":
                place = lowest.setdefault(placed.cell, place)
            yield body, np.array([x, placed.y, placed.yaw, z]), placed.markers, floor, place
        room = ASIDE + max((look.length for look in self.board.looks.values()), default=0.0)
        for number, piece in enumerate(self.beside):
            row, column = divmod(number // 2, 2)
            x = self.board.plate.width / 2 + ASIDE + room * (column + 0.5)
            y = self.board.plate.depth / 2 - room * (row + 0.5)
            way = -1.0 if number % 2 else 1.0
            pose = np.array([way * x, y, 37.0 * number, 0.0])
            yield self._body(piece), pose, 0, 0.0, (way * x, y)

    def _draw(self, canvas: Canvas, picture: Picture) -> None:
        self._glow(canvas, picture, 0.8)
        for x, y in self.coins:
            bodies.coin(canvas, picture, np.array([x, y, self.board.plate.top]))
        eye = np.asarray(canvas.camera.origin)
        far_first = sorted(
            self._standing(),
            key=lambda one: (-math.hypot(one[4][0] - eye[0], one[4][1] - eye[1]), one[1][3]),
        )
        for body, pose, markers, *_ in far_first:
            bodies.piece(canvas, picture, body, pose, markers)
        self._glow(canvas, picture, 0.2)  # and on the sides of what stands there

    def _shading(self) -> Iterator[tuple[Floats, float]]:
        for body, pose, _, floor, _ in self._standing():
            yield bodies.corners(body, pose), floor

    @cached_property
    def _wood(self) -> Picture:
        """The plate's top."""
        if self._printed is not None:
            return self._printed
        return plates.plate(self.board, np.random.default_rng(self._seed))

    def _draw_empty(self, canvas: Canvas) -> Picture:
        """Table and plate without anything on it."""
        picture = self._table(canvas, np.random.default_rng(self._seed))
        width, depth, top = self.board.plate.width, self.board.plate.depth, self.board.plate.top
        x, y = width / 2, depth / 2
        corners = np.array([(-x, -y, top), (x, -y, top), (x, y, top), (-x, y, top)])
        feet = corners * (1, 1, 0)
        self._shaded(canvas, picture, [np.concatenate((corners, feet))])
        eye = np.asarray(canvas.camera.origin)
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
            face = np.stack((feet[a], feet[b], corners[b], corners[a]))
            if np.cross(face[1] - face[0], face[3] - face[0]) @ (eye - face[0]) > 0:
                draw.fill(picture, canvas.project(face), draw.shade(materials.BEECH, 0.7))
        plate = laid(canvas, self._wood, top, (-x, y), self._wood.shape[1] / width)
        mask = np.zeros(picture.shape[:2], np.uint8)
        draw.fill(mask, canvas.project(corners), 255)
        return draw.blend(picture, plate, mask)

    def _glow(self, canvas: Canvas, picture: Picture, share: float) -> None:
        """The lit cells' lights, shining up through the plate."""
        angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        for name, light in self.lights.items():
            cell = self.board.cells[name]
            x, y = cell.x + 12 * np.cos(angles), cell.y + 12 * np.sin(angles)
            spot = np.stack((x, y, np.full(24, self.board.plate.top)), axis=1)
            red, green, blue = light.colour
            draw.glow(canvas, picture, spot, (blue, green, red), share)
