"""The virtual table: cars that are set down as people do it, and the camera's pictures of them."""

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
from tableref.sim import draw, materials, studio
from tableref.sim.camera import Camera, Canvas
from tableref.sim.draw import Body, Hand, Paint
from tableref.sim.materials import Picture
from tableref_hardware.board import Board

PAINTS: Mapping[str, Paint] = {
    "red": (40, 38, 205),
    "orange": (30, 125, 240),
    "yellow": (30, 215, 250),
    "green": (62, 145, 40),
    "blue": (185, 78, 38),
    "purple": (145, 40, 115),
    "white": (238, 240, 242),
    "black": (48, 44, 42),
}
JITTER = (6.0, 12.0)  # mm and degrees that people are off, and no more
REACH = 11.0  # mm within which a cell's switch feels a car's magnet


@dataclass(frozen=True, slots=True)
class Car:
    """A car on the table: middle in mm, yaw in degrees anticlockwise from east, speed beads.

    `cell` and `heading` are what whoever set it down meant; empty where it lies anyhow.
    """

    x: float
    y: float
    yaw: float
    beads: int = 0
    cell: str = ""
    heading: str = ""


class VirtualTable:
    """An Autoscooter table that can be played by hand and looked at.

    `seed` decides wood, lamps, noise and how exactly pieces are set down; the same calls give the
    same pictures. `lights` are the cells lit just now. `plate` is the plate's top, north up,
    where it is not the wooden one: a printed overlay.
    """

    def __init__(
        self,
        board: Board,
        seed: int = 0,
        camera: Camera | None = None,
        plate: Picture | None = None,
    ) -> None:
        self.board = board
        self.camera = camera or Camera.above()
        self.cars: dict[str, Car] = {}
        self.lights: Mapping[str, Light] = {}
        self._seed, self._printed = seed, plate
        self._rng = np.random.default_rng(seed)
        self._lamps = studio.hang_lamps(self._rng)
        self._bodies = {piece.id: _body(board, piece.id) for piece in board.pieces}
        self._empty: tuple[Camera, Picture] | None = None

    def set_up(self, cars: Iterable[str] | None = None) -> None:
        """Put these cars (all, unless told) on their start cells at speed 0."""
        for piece in self.board.pieces:
            if cars is None or piece.id in cars:
                self.put(piece.id, piece.start, piece.heading, beads=0)

    def put(self, car: str, cell: str, heading: str, beads: int | None = None) -> None:
        """Set a car down on a cell, a little off as people do; its beads stay unless told.

        UserError where the table has no such car, cell or heading.
        """
        self._check(car)
        if cell not in self.board.cells or heading not in self.board.headings:
            raise UserError(f"the board has no cell {cell!r} or no heading {heading!r}")
        old = self.cars.pop(car, None)
        where = self.board.cells[cell]
        exact = Car(
            where.x,
            where.y,
            self.board.headings[heading],
            beads if beads is not None else old.beads if old else 0,
            cell,
            heading,
        )
        tries = (self._nudged(exact) for _ in range(40))
        self.cars[car] = next((c for c in tries if self._is_free(car, c)), exact)

    def put_at(self, car: str, x: float, y: float, yaw: float, beads: int = 0) -> None:
        """Leave a car anywhere: between cells, askew. mm, degrees anticlockwise from east."""
        self._check(car)
        self.cars[car] = Car(x, y, yaw, beads)

    def lift(self, car: str) -> None:
        """Take a car off the table. UserError where it is not on it."""
        self._check(car)
        if car not in self.cars:
            raise UserError(f"{car} is not on the table")
        del self.cars[car]

    def set_beads(self, car: str, beads: int) -> None:
        """Put this many speed markers on a car's pin."""
        self._check(car)
        self.cars[car] = replace(self.cars[car], beads=beads)

    def occupied(self) -> frozenset[str]:
        """Cells whose switch feels a magnet, that is, a car's middle within REACH."""
        return frozenset(
            cell.name
            for cell in self.board.cells.values()
            if any(math.hypot(c.x - cell.x, c.y - cell.y) <= REACH for c in self.cars.values())
        )

    def move(
        self, car: str, cell: str, heading: str, beads: int | None = None, *, hands: bool = True
    ) -> Iterator[Picture]:
        """Move a car by hand: pictures of the hand, then one of the table at rest.

        Without `hands` only the last. The table changes as the pictures are taken.
        """
        if hands and car in self.cars:
            start = self.cars[car]
            side = self._nearest_side(start.x, start.y)
            yield self.picture(hands=(Hand(start.x, start.y, side),))
        if beads is None:
            beads = self.cars[car].beads if car in self.cars else 0
        if car in self.cars:
            self.lift(car)
        if hands:
            end = self.board.cells[cell]
            side = self._nearest_side(end.x, end.y)
            yield self.picture(hands=(Hand(end.x, end.y, side, z=95.0),))
        self.put(car, cell, heading, beads)
        yield self.picture()

    def picture(self, camera: Camera | None = None, hands: Iterable[Hand] = ()) -> Picture:
        """What the camera sees now: (720, 1280, 3), blue, green, red."""
        camera = camera or self.camera
        canvas = studio.canvas_of(camera)
        if self._empty is None or self._empty[0] != camera:
            self._empty = (camera, self._draw_empty(canvas))
        picture = self._empty[1].copy()
        hands = tuple(hands)
        self._shade(canvas, picture, hands)
        self._glow(canvas, picture, 0.8)
        floor = self.board.plate.top
        eye = np.asarray(camera.origin)
        far_first = sorted(
            self.cars.items(),
            key=lambda item: -math.hypot(item[1].x - eye[0], item[1].y - eye[1]),
        )
        for name, car in far_first:
            pose = np.array([car.x, car.y, car.yaw, floor])
            draw.car(canvas, picture, self._bodies[name], pose, car.beads)
        self._glow(canvas, picture, 0.2)  # and on the sides of what stands there
        for hand in hands:
            draw.hand_picture(canvas, picture, hand)
        return studio.expose(canvas, picture, self._rng, self._seed)

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

    def _check(self, car: str) -> None:
        if car not in self._bodies:
            raise UserError(f"there is no car {car!r}; there are {', '.join(self._bodies)}")

    def _nudged(self, car: Car) -> Car:
        off = JITTER[0] * math.sqrt(self._rng.random())
        way = self._rng.uniform(0, 2 * math.pi)
        return replace(
            car,
            x=car.x + off * math.cos(way),
            y=car.y + off * math.sin(way),
            yaw=car.yaw + self._rng.uniform(-JITTER[1], JITTER[1]),
        )

    def _is_free(self, name: str, car: Car) -> bool:
        """True where the car's body touches no other."""
        own = _footprint(self._bodies[name], car)
        return all(
            cv2.rotatedRectangleIntersection(own, _footprint(self._bodies[other], there))[0]
            == cv2.INTERSECT_NONE
            for other, there in self.cars.items()
        )

    def _nearest_side(self, x: float, y: float) -> float:
        """The side of the table (degrees) from which an arm reaches this place, about."""
        sides = {0.0: x, 90.0: y, 180.0: -x, -90.0: -y}
        return max(sides, key=lambda side: sides[side]) + float(self._rng.uniform(-20, 20))

    @cached_property
    def _wood(self) -> tuple[Picture, Picture]:
        """The table's wood and the plate's top."""
        rng = np.random.default_rng(self._seed)
        side = round(2 * materials.TABLE_REACH * materials.TABLE_SCALE)
        colour = materials.TABLES[rng.integers(len(materials.TABLES))]
        table = materials.wood(rng, (side, side), colour, 0.05)
        return table, materials.plate(self.board, rng) if self._printed is None else self._printed

    def _draw_empty(self, canvas: Canvas) -> Picture:
        """Table and plate without anything on it."""
        table, plate = self._wood
        reach, scale = materials.TABLE_REACH, materials.TABLE_SCALE
        picture = studio.laid(canvas, table, 0.0, (-reach, reach), scale)
        width, depth, top = self.board.plate.width, self.board.plate.depth, self.board.plate.top
        x, y = width / 2, depth / 2
        corners = np.array([(-x, -y, top), (x, -y, top), (x, y, top), (-x, y, top)])
        feet = corners * (1, 1, 0)
        light = np.full((picture.shape[0] // 2, picture.shape[1] // 2), 255.0, np.float32)
        for lamp, strength, soft in self._lamps:
            mask = np.zeros(light.shape, np.uint8)
            draw.shadow(canvas, mask, np.concatenate((corners, feet)), lamp, 0.0)
            light *= 1 - strength / 255 * cv2.GaussianBlur(mask, (0, 0), 2 * soft)
        studio.darken(picture, light)
        eye = np.asarray(canvas.camera.origin)
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
            face = np.stack((feet[a], feet[b], corners[b], corners[a]))
            if np.cross(face[1] - face[0], face[3] - face[0]) @ (eye - face[0]) > 0:
                draw.fill(picture, canvas.project(face), draw.shade(materials.BEECH, 0.7))
        board = studio.laid(canvas, plate, top, (-x, y), plate.shape[1] / width)
        mask = np.zeros(picture.shape[:2], np.uint8)
        draw.fill(mask, canvas.project(corners), 255)
        return draw.blend(picture, board, mask)

    def _shade(self, canvas: Canvas, picture: Picture, hands: tuple[Hand, ...]) -> None:
        """Soft shadows of cars and hands on the plate."""
        floor = self.board.plate.top
        size = (picture.shape[0] // 2, picture.shape[1] // 2)
        light = np.full(size, 255.0, np.float32)
        for lamp, strength, soft in self._lamps:
            mask = np.zeros(size, np.uint8)
            for name, car in self.cars.items():
                body = self._bodies[name]
                corners = [
                    (x, y, z)
                    for x in (-body.length / 2, body.length / 2)
                    for y in (-body.width / 2, body.width / 2)
                    for z in (0.0, body.height)
                ]
                points = draw.turned(corners, car.x, car.y, car.yaw, floor)
                draw.shadow(canvas, mask, points, lamp, floor)
            for hand in hands:
                draw.hand_shadow(canvas, mask, hand, lamp, floor)
            light *= 1 - strength / 255 * cv2.GaussianBlur(mask, (0, 0), soft)
        studio.darken(picture, light)

    def _glow(self, canvas: Canvas, picture: Picture, share: float) -> None:
        """The lit cells' lights, shining up through the plate."""
        angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        for name, light in self.lights.items():
            cell = self.board.cells[name]
            x, y = cell.x + 12 * np.cos(angles), cell.y + 12 * np.sin(angles)
            spot = np.stack((x, y, np.full(24, self.board.plate.top)), axis=1)
            red, green, blue = light.colour
            draw.glow(canvas, picture, spot, (blue, green, red), share)


def _body(board: Board, car: str) -> Body:
    piece = next(p for p in board.pieces if p.id == car)
    look, tag = board.looks["car"], board.piece_tag
    if tag is None or piece.tag is None:
        raise UserError(f"{board.source}: {car} has no tag, so it cannot be drawn")
    return Body(
        length=look.length,
        width=look.width,
        height=look.height,
        pin=board.data["body"]["pin"],
        tag=piece.tag,
        dictionary=board.dictionary,
        square=tag.square,
        quiet=tag.quiet,
        ahead=tag.ahead,
        top=tag.height,
        paint=PAINTS[car],
    )


def _footprint(body: Body, car: Car) -> tuple[tuple[float, float], tuple[float, float], float]:
    return ((car.x, car.y), (body.length, body.width), car.yaw)
