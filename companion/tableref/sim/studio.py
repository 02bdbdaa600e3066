"""What every virtual table has: lamps, surfaces seen by the camera, and the picture's faults."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref.sim import draw
from tableref.sim.camera import Camera, Canvas, Floats
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
