"""The virtual camera: one pinhole with a lens for everything that is drawn, whatever its height.

Board frame: millimetres, x east, y north, z up from the table top, origin under the middle of the
plate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

SIZE = (1280, 720)


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera is and looks (mm), its horizontal field of view (degrees) and its faults.

    `up` need not be square to the view. `k1` is the first radial coefficient of the usual lens
    model, x' = x (1 + k1 r^2), negative for barrels. `noise` is a share of full white, `blur` the
    sigma in pixels.
    """

    origin: Vector
    target: Vector = (0.0, 0.0, 20.0)
    up: Vector = (0.0, 1.0, 0.0)
    fov: float = 58.0
    k1: float = 0.0
    noise: float = 0.01
    blur: float = 0.7
    size: tuple[int, int] = SIZE

    @classmethod
    def above(
        cls,
        height: float = 680.0,
        tilt: float = 10.0,
        side: float = -90.0,
        turn: float = 0.0,
        *,
        half: float = 185.0,
        deep: float | None = None,
        k1: float = -0.03,
        noise: float = 0.01,
        blur: float = 0.7,
    ) -> Camera:
        """A camera that sees the whole plate of half-width `half` and half-depth `deep` (as wide).

        It hangs `height` mm above the table, `tilt` degrees off the vertical towards `side`
        (degrees anticlockwise from east: -90 is south), its picture turned by `turn` degrees.
        """
        reach, across = height * math.tan(math.radians(tilt)), math.radians(side)
        around = math.radians(90.0 + turn)
        camera = cls(
            origin=(reach * math.cos(across), reach * math.sin(across), height),
            up=(math.cos(around), math.sin(around), 0.0),
            k1=k1,
            noise=noise,
            blur=blur,
        )
        deep = half if deep is None else deep
        corners = np.array([(x, y, 20.0) for x in (-half, half) for y in (-deep, deep)])
        # Widen the view until all corners lie inside 93 % of the picture; the lens only helps.
        off = np.abs(camera._view(corners))
        tangent = max(off[:, 0].max(), off[:, 1].max() * SIZE[0] / SIZE[1]) / 0.93
        return replace(camera, fov=2 * math.degrees(math.atan(tangent)))

    @classmethod
    def somewhere(cls, rng: np.random.Generator) -> Camera:
        """Any camera that the table allows: 600 to 750 mm up, to 30 degrees off, any way round."""
        return cls.above(
            height=rng.uniform(600.0, 750.0),
            tilt=rng.uniform(0.0, 30.0),
            side=rng.uniform(-180.0, 180.0),
            turn=rng.uniform(-180.0, 180.0),
            k1=rng.uniform(-0.06, 0.02),
            noise=rng.uniform(0.004, 0.018),
            blur=rng.uniform(0.5, 0.9),
        )

    def bumped(self, x: float, y: float, turn: float = 0.0) -> Camera:
        """This camera after a knock: shifted over the table by (x, y) mm, turned by degrees."""
        angle = math.radians(turn)
        a, b, c = self.up
        return replace(
            self,
            origin=(self.origin[0] + x, self.origin[1] + y, self.origin[2]),
            target=(self.target[0] + x, self.target[1] + y, self.target[2]),
            up=(
                a * math.cos(angle) - b * math.sin(angle),
                a * math.sin(angle) + b * math.cos(angle),
                c,
            ),
        )

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.size[0] / 2 / math.tan(math.radians(self.fov / 2))

    def rotation(self) -> Floats:
        """Rows: right, down and forward of the camera in the board frame."""
        return _rotation(self)

    def depth(self, points: Floats) -> Floats:
        """Distance along the view of points (N, 3), in mm."""
        depth: Floats = self._seen(points)[:, 2]
        return depth

    def _seen(self, points: Floats) -> Floats:
        """Points (N, 3) right of, below and in front of the camera, in mm."""
        seen: Floats = (np.asarray(points) - np.asarray(self.origin)) @ self.rotation().T
        return seen

    def _view(self, points: Floats) -> Floats:
        """Points (N, 3) in mm as (N, 2) without lens, in focal lengths off the middle."""
        seen = self._seen(points)
        view: Floats = seen[:, :2] / seen[:, 2:]
        return view

    def project(self, points: Floats) -> Floats:
        """Points (N, 3) in mm as pixels (N, 2), lens included."""
        view = self._view(points)
        view = view * (1 + self.k1 * (view**2).sum(axis=1, keepdims=True))
        pixels: Floats = view * self.focal + self._middle
        return pixels

    @property
    def _middle(self) -> Floats:
        return (np.asarray(self.size, dtype=float) - 1) / 2


class Canvas:
    """What the camera sees without its lens, finer by `FINE`: everything is drawn on this."""

    FINE = 1.5

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        x, y = np.meshgrid(*(np.arange(n, dtype=float) for n in camera.size))
        seen = np.stack((x, y), axis=-1) - camera._middle
        radius = np.hypot(seen[..., 0], seen[..., 1]) / camera.focal
        free = np.linspace(0.0, 1.25, 400)  # radius before the lens; it grows with that after it
        before = np.interp(radius, free * (1 + camera.k1 * free**2), free)
        stretch = np.divide(before, radius, out=np.ones_like(radius), where=radius > 0)
        places = seen * stretch[..., None] * self.FINE
        self.focal = camera.focal * self.FINE
        self.size = (
            2 * math.ceil(np.abs(places[..., 0]).max() + 2),
            2 * math.ceil(np.abs(places[..., 1]).max() + 2),
        )
        self._middle = (np.asarray(self.size, dtype=float) - 1) / 2
        lens = (places + self._middle).astype(np.float32)
        # For each pixel of the picture its place here, as two maps for `cv2.remap`.
        self.lens = cv2.convertMaps(lens[..., 0], lens[..., 1], cv2.CV_16SC2)

    def project(self, points: Floats) -> Floats:
        """Points (N, 3) in mm as places (N, 2) on the canvas."""
        return self.camera._view(points) * self.focal + self._middle

    def scale(self, point: Floats) -> float:
        """Pixels a millimetre at this point (3,)."""
        return self.focal / float(self.camera.depth(point[None])[0])

    def homography(self, height: float) -> Floats:
        """(3, 3): from (x, y) mm in the plane `height` mm above the table to the canvas."""
        rotation = self.camera.rotation()
        shift = rotation @ (np.array([0.0, 0.0, height]) - np.asarray(self.camera.origin))
        plane = np.column_stack((rotation[:, 0], rotation[:, 1], shift))
        lens = np.array(
            [[self.focal, 0, self._middle[0]], [0, self.focal, self._middle[1]], [0, 0, 1]]
        )
        matrix: Floats = lens @ plane
        return matrix


@lru_cache(maxsize=8)
def _rotation(camera: Camera) -> Floats:
    forward = _unit(np.subtract(camera.target, camera.origin))
    right = _unit(np.cross(forward, camera.up))
    return np.stack((right, np.cross(forward, right), forward))


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / np.linalg.norm(vector)
    return unit
