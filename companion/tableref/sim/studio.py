"""What all virtual pictures have: a table under lamps, hands over it, and the camera's faults."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref.sim import draw, materials
from tableref.sim.camera import Camera, Canvas, Floats
from tableref.sim.draw import Hand
from tableref.sim.materials import Picture

NOISE, SPARE = 40.0, 160  # sigma of the noise that is cut from, pixels it is larger

Lamp = tuple[Floats, float, float]
"""Place in mm, how much light it takes away where it does not reach, softness of its shadows."""


def hang_lamps(rng: np.random.Generator) -> list[Lamp]:
    """Two lamps over the table, the brighter one first."""
    way = rng.uniform(0, 2 * math.pi)
    lamps = []
    for turn, strength, soft in ((0.0, 0.42, 3.5), (2.2, 0.16, 8.0)):
        reach = rng.uniform(300, 900)
        place = np.array([reach * math.cos(way + turn), reach * math.sin(way + turn), 1500.0])
        lamps.append((place, strength, soft))
    return lamps


class Scene(ABC):
    """Something on a table that can be looked at. `seed` decides table, lamps and noise; the same
    calls give the same pictures. `FLOOR`, in mm above the table, is where shadows of what lies
    there fall, `SOFT` how soft they are beside those of the table."""

    FLOOR = 0.0
    SOFT = 1.0

    def __init__(self, seed: int, camera: Camera) -> None:
        self.camera = camera
        self._seed, self._rng = seed, np.random.default_rng(seed)
        self._lamps = hang_lamps(self._rng)
        self._empty: tuple[Camera, Picture] | None = None

    def picture(self, camera: Camera | None = None, hands: Iterable[Hand] = ()) -> Picture:
        """What the camera sees now: (720, 1280, 3), blue, green, red."""
        camera, hands = camera or self.camera, tuple(hands)
        canvas = canvas_of(camera)
        return expose(canvas, self._drawn(canvas, hands), self._rng, self._seed)

    def _drawn(self, canvas: Canvas, hands: tuple[Hand, ...]) -> Picture:
        """The scene as it is, without the camera's faults."""
        if self._empty is None or self._empty[0] != canvas.camera:
            self._empty = (canvas.camera, self._draw_empty(canvas))
        picture = self._empty[1].copy()
        self._shade(canvas, picture, hands)
        self._draw(canvas, picture)
        for hand in hands:
            draw.hand_picture(canvas, picture, hand)
        return picture

    @abstractmethod
    def _draw_empty(self, canvas: Canvas) -> Picture:
        """What is always there."""

    @abstractmethod
    def _draw(self, canvas: Canvas, picture: Picture) -> None:
        """What is there now."""

    @abstractmethod
    def _shading(self) -> Iterable[tuple[Floats, float]]:
        """What shades: points whose hull it is, and the height of the plane that it shades."""

    def _table(self, canvas: Canvas, rng: np.random.Generator) -> Picture:
        """The table's wood, its colour and grain from `rng`."""
        reach, scale = materials.TABLE_REACH, materials.TABLE_SCALE
        side = round(2 * reach * scale)
        colour = materials.TABLES[rng.integers(len(materials.TABLES))]
        table = materials.wood(rng, (side, side), colour, 0.05)
        return laid(canvas, table, 0.0, (-reach, reach), scale)

    def _shaded(
        self, canvas: Canvas, picture: Picture, shapes: Iterable[Floats], soft: float = 2.0
    ) -> None:
        """Darkens the table where the hulls of these points shade it."""
        shading = [(points, 0.0) for points in shapes]
        self._darken(canvas, picture, shading, (), soft)

    def _shade(self, canvas: Canvas, picture: Picture, hands: tuple[Hand, ...]) -> None:
        self._darken(canvas, picture, self._shading(), hands, self.SOFT)

    def _darken(
        self,
        canvas: Canvas,
        picture: Picture,
        shading: Iterable[tuple[Floats, float]],
        hands: tuple[Hand, ...],
        soft: float,
    ) -> None:
        shading = tuple(shading)
        light = np.full((picture.shape[0] // 2, picture.shape[1] // 2), 255.0, np.float32)
        for lamp, strength, blur in self._lamps:
            mask = np.zeros(light.shape, np.uint8)
            for points, floor in shading:
                draw.shadow(canvas, mask, points, lamp, floor)
            for hand in hands:
                draw.hand_shadow(canvas, mask, hand, lamp, self.FLOOR)
            light *= 1 - strength / 255 * cv2.GaussianBlur(mask, (0, 0), soft * blur)
        darken(picture, light)


def expose(canvas: Canvas, drawn: Picture, rng: np.random.Generator, seed: int) -> Picture:
    """What the camera makes of what is drawn: lens, blur, vignette, flicker, noise, JPEG."""
    camera = canvas.camera
    x, y = canvas.lens
    picture = draw.picture_of(cv2.remap(drawn, x, y, cv2.INTER_LINEAR))
    soft = cv2.GaussianBlur(picture, (0, 0), camera.blur)
    bright = 1 + 0.02 * float(rng.standard_normal())
    soft = cv2.multiply(soft, _vignette(camera.size), None, bright / 255)
    y, x = rng.integers(0, SPARE, 2)
    noise = _noise(seed, camera.size)[y:, x:][: camera.size[1], : camera.size[0]]
    share = camera.noise * 255 / NOISE
    noisy = np.asarray(cv2.addWeighted(soft, 1.0, noise, share, 0, dtype=cv2.CV_16S))
    _, data = cv2.imencode(
        ".jpg", noisy.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90]
    )
    return draw.picture_of(cv2.imdecode(data, cv2.IMREAD_COLOR))


def laid(
    canvas: Canvas, texture: Picture, height: float, corner: tuple[float, float], scale: float
) -> Picture:
    """A texture lying north up in the plane `height`, its north-west corner at `corner` (mm)."""
    west, north = corner
    half = 0.5 / scale  # of a pixel, whose middle is what OpenCV counts from
    to_plane = np.array([[1 / scale, 0, west + half], [0, -1 / scale, north - half], [0, 0, 1]])
    return draw.picture_of(
        cv2.warpPerspective(
            texture,
            canvas.homography(height) @ to_plane,
            canvas.size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    )


def darken(picture: Picture, light: NDArray[np.float32]) -> None:
    """Multiply a picture by `light` (0 to 255, half its size)."""
    whole = cv2.resize(light, picture.shape[1::-1])
    cv2.multiply(picture, cv2.merge([whole] * 3), picture, 1 / 255, dtype=cv2.CV_8U)


@lru_cache(maxsize=4)
def canvas_of(camera: Camera) -> Canvas:
    """The canvas of this camera."""
    return Canvas(camera)


@lru_cache(maxsize=2)
def _vignette(size: tuple[int, int]) -> Picture:
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    fall = 255 * (1 - 0.16 * (0.7 * x**2 + 0.3 * y**2))
    return np.repeat(fall[..., None], 3, axis=2).astype(np.uint8)


@lru_cache(maxsize=2)
def _noise(seed: int, size: tuple[int, int]) -> NDArray[np.int16]:
    """Noise of sigma NOISE, larger than a picture, to take another piece of each time."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, NOISE, (size[1] + SPARE, size[0] + SPARE, 3)).astype(np.int16)
