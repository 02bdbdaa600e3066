"""Pieces on the canvas, as a board file's looks say it: boxes with tags, discs, balls, tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from tableref.printing.pieces import ink_of, outline_of
from tableref.printing.signs import SIGNS, rgb
from tableref.rules.pieces import Piece
from tableref.sim import draw
from tableref.sim.camera import Canvas, Floats, Vector
from tableref.sim.draw import Paint, fill, picture_of, shade, turned
from tableref.sim.materials import PAPER, Picture, tag
from tableref_hardware.board import Board
from tableref_hardware.looks import Look

TAG_SIDE = 48
MARKER: Paint = (120, 178, 220)
BRASS: Paint = (70, 170, 205)
COIN = 10.5  # mm, its radius


@dataclass(frozen=True, slots=True)
class Sticker:
    """The tag on a piece's roof: lengths in mm, `top` above what the piece stands on."""

    tag: int
    dictionary: str
    square: float
    quiet: float
    ahead: float
    top: float


@dataclass(frozen=True, slots=True)
class Body:
    """What one piece is drawn by: its look and paint, the sign on its top and its ink; where it has
    them, a tag, and a pin for markers so many mm ahead of its middle."""

    look: Look
    paint: Paint
    outline: Floats
    sign: str = ""
    ink: Paint = (0.0, 0.0, 0.0)
    sticker: Sticker | None = None
    pin: float | None = None

    @property
    def height(self) -> float:
        """Of its top, above what it stands on, in mm."""
        return self.look.height


def body_of(board: Board, piece: Piece) -> Body:
    """How this piece is drawn. KeyError where the board's looks do not know it."""
    look = board.looks[piece.kind]
    side = piece.side if piece.side in look.sides else ""
    paint = look.sides[side]
    face = piece.face if piece.face in look.faces else ""
    sign = face or (look.kind if not look.faces else "")
    pin = board.data.get("body", {}).get("pin") if look.shape == "box" else None
    return Body(
        look,
        _bgr(rgb(paint.colour)),
        np.array(outline_of(look, paint.end)),
        sign if sign in SIGNS and look.sign else "",
        _bgr(ink_of(look, side, rgb(paint.colour))),
        _sticker_of(board, piece.called) if look.told == "tag" else None,
        pin,
    )


def _bgr(colour: tuple[float, float, float]) -> Paint:
    red, green, blue = colour
    return 255 * blue, 255 * green, 255 * red


def _sticker_of(board: Board, name: str) -> Sticker | None:
    number = next((p.tag for p in board.pieces if p.id == name), None)
    measures = board.piece_tag
    if number is None or measures is None:
        return None
    return Sticker(
        number,
        board.dictionary,
        measures.square,
        measures.quiet,
        measures.ahead,
        measures.height,
    )


def corners(body: Body, pose: Floats) -> Floats:
    """Points whose hull is the piece, standing at pose (x, y, yaw in degrees, z)."""
    x, y, yaw, floor = pose
    if body.look.shape == "ball":
        middle = (x, y, floor + body.height / 2)
        return np.asarray(middle) + body.height / 2 * _SPHERE
    flat = body.outline[:: max(1, len(body.outline) // 16)]
    return turned([(a, b, z) for z in (0.0, body.height) for a, b in flat], x, y, yaw, floor)


def footprint(body: Body, pose: Floats) -> tuple[tuple[float, float], tuple[float, float], float]:
    """The rotated rectangle in which it stands, as OpenCV has it."""
    x, y, yaw, _ = pose
    return ((float(x), float(y)), (body.look.length, body.look.width), float(yaw))


def piece(canvas: Canvas, picture: Picture, body: Body, pose: Floats, markers: int = 0) -> None:
    """A piece at pose (x, y, yaw in degrees, z of the surface that it stands on in mm)."""
    x, y, yaw, floor = pose
    if body.look.shape == "ball":
        radius = body.height / 2
        draw.ball(canvas, picture, np.array([x, y, floor + radius]), radius, body.paint)
        return
    if body.pin is not None:
        _bow(canvas, picture, body, pose)
    _sides(canvas, picture, body, pose)
    top = turned([(a, b, body.height) for a, b in body.outline], x, y, yaw, floor)
    _polygon(picture, canvas.project(top), body.paint)
    if body.sign:
        _sign(canvas, picture, body, pose)
    if body.sticker is not None:
        _sticker(canvas, picture, body.sticker, pose)
    if body.pin is not None:
        pin = [(body.pin, 0.0, body.height), (body.pin, 0.0, body.height + 21.0)]
        _pin(canvas, picture, turned(pin, x, y, yaw, floor), markers)


def coin(canvas: Canvas, picture: Picture, place: Floats) -> None:
    """A coin that lies on the board, which is no piece."""
    angles = np.linspace(0.0, math.tau, 40, endpoint=False)
    for radius, paint in ((COIN, shade(BRASS, 0.7)), (0.85 * COIN, BRASS)):
        edge = np.stack((radius * np.cos(angles), radius * np.sin(angles), 0 * angles), axis=1)
        _polygon(picture, canvas.project(place + np.array([0.0, 0.0, 1.8]) + edge), paint)


def _polygon(picture: Picture, places: Floats, paint: Paint) -> None:
    """Fill any polygon of places (N, 2)."""
    cv2.fillPoly(picture, [draw.fixed(places)], paint, cv2.LINE_AA, draw.SHIFT)


def _sides(canvas: Canvas, picture: Picture, body: Body, pose: Floats) -> None:
    """The side walls that the camera sees."""
    x, y, yaw, floor = pose
    low = turned([(a, b, 0.0) for a, b in body.outline], x, y, yaw, floor)
    high = low + np.array([0.0, 0.0, body.height])
    if body.look.shape == "disc":
        hull = cv2.convexHull(canvas.project(np.concatenate((low, high))).astype(np.float32))
        fill(picture, hull.reshape(-1, 2).astype(float), shade(body.paint, 0.68))
        return
    eye = np.asarray(canvas.camera.origin)
    for a in range(len(low)):
        b = (a + 1) % len(low)
        face = np.stack((low[a], low[b], high[b], high[a]))
        normal = np.cross(face[1] - face[0], face[3] - face[0])
        if normal @ (eye - face[0]) > 0:
            normal /= np.linalg.norm(normal)
            fill(picture, canvas.project(face), shade(body.paint, 0.62 + 0.15 * float(normal[1])))


def _sign(canvas: Canvas, picture: Picture, body: Body, pose: Floats) -> None:
    """What is engraved or printed on top: a disc's sign points where the disc does, a token's is
    read across it."""
    x, y, yaw, floor = pose
    radius = body.look.sign / 2
    turn = float(yaw) - (0.0 if body.look.faces else 90.0)
    for number, outline in enumerate(SIGNS[body.sign]):
        points = [(radius * a, radius * b, body.height) for a, b in outline]
        places = canvas.project(turned(points, x, y, turn, floor))
        _polygon(picture, places, shade(body.ink, 1.0 if number % 2 == 0 else 0.85))


def _bow(canvas: Canvas, picture: Picture, body: Body, pose: Floats) -> None:
    """What juts out ahead of a piece with a pin."""
    x, y, yaw, floor = pose
    nose = body.look.length / 2
    bow = [(nose - 3 + 7.5 * np.cos(a), 8 * np.sin(a), 5.0) for a in np.linspace(-1.5, 1.5, 9)]
    places = canvas.project(turned(bow, x, y, yaw, floor))
    thick = max(1, round(2.2 * canvas.scale(np.array([x, y, floor + body.height]))))
    paint = shade(body.paint, 0.55)
    cv2.polylines(picture, [draw.fixed(places)], False, paint, thick, cv2.LINE_AA, draw.SHIFT)


def _sticker(canvas: Canvas, picture: Picture, sticker: Sticker, pose: Floats) -> None:
    """The roof tag, its top edge to the nose, white around it."""
    x, y, yaw, floor = pose
    angle = np.radians(yaw)
    cos, sin = np.cos(angle), np.sin(angle)
    step = sticker.square / TAG_SIDE
    middle = (TAG_SIDE - 1) / 2
    # Picture rows run from nose to tail, columns from left (port) to right.
    to_piece = np.array(
        [[0, -step, sticker.ahead + step * middle], [-step, 0, step * middle], [0, 0, 1]]
    )
    to_board = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
    matrix = canvas.homography(floor + sticker.top) @ to_board @ to_piece
    half = sticker.quiet / 2
    edge = turned(
        [
            (sticker.ahead + a * half, b * half, sticker.top)
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ],
        x,
        y,
        yaw,
        floor,
    )
    places = canvas.project(edge)
    left, top = np.floor(places.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(places.max(axis=0)).astype(int) + 2
    if left < 0 or top < 0 or right > picture.shape[1] or bottom > picture.shape[0]:
        return  # half a sticker is not worth drawing: the car is leaving the picture
    into = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], dtype=float)
    size = (int(right - left), int(bottom - top))
    printed = picture_of(
        cv2.warpPerspective(
            tag(sticker.dictionary, sticker.tag, TAG_SIDE),
            into @ matrix,
            size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(PAPER, PAPER, PAPER),
        )
    )
    alpha = np.zeros(size[::-1], np.uint8)
    fill(alpha, places - (left, top), 255)
    part = picture[top:bottom, left:right]
    part[:] = draw.blend(part, printed, alpha)


def _pin(canvas: Canvas, picture: Picture, pin: Floats, markers: int) -> None:
    places = draw.fixed(canvas.project(pin))
    scale = canvas.scale(pin[1])
    cv2.line(
        picture,
        places[0].tolist(),
        places[1].tolist(),
        (190, 195, 200),
        max(1, round(1.6 * scale)),
        cv2.LINE_AA,
        draw.SHIFT,
    )
    for number in range(markers):
        draw.ball(canvas, picture, pin[0] + (0, 0, 3.4 + 6.2 * number), 3.4, MARKER)
    cv2.circle(
        picture,
        places[1].tolist(),
        round(0.9 * scale * 16),
        (40, 40, 45),
        -1,
        cv2.LINE_AA,
        draw.SHIFT,
    )


def _sphere(rings: int = 4, points: int = 10) -> Floats:
    """Points all over a sphere of radius 1 (n, 3)."""
    found: list[Vector] = []
    for up in np.linspace(-1.0, 1.0, rings + 1):
        wide = math.sqrt(1.0 - float(up) ** 2)
        for angle in np.linspace(0.0, math.tau, points, endpoint=False):
            found.append((wide * math.cos(angle), wide * math.sin(angle), float(up)))
    return np.array(found)


_SPHERE = _sphere()
