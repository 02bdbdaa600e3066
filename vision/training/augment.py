"""What lamps, lenses, sensors and files do to a picture, by chance."""

from __future__ import annotations

import cv2
import numpy as np

from training.drawings import Random
from training.sources import Picture


def spoil(picture: Picture, random: Random, often: float = 1.0) -> Picture:
    """The picture (h, w, 3) in other light, of other colours, through a worse camera.

    `often`: how often each thing happens, of its usual share.
    """
    image = picture.astype(np.float32)
    if random.random() < 0.35 * often:
        image = image[..., random.permutation(3)]
    if random.random() < 0.12 * often:
        image = 255 - image
    if random.random() < 0.15 * often:
        image = image.mean(-1, keepdims=True) * random.uniform(0.5, 1, 1) + image * 0.3
    if random.random() < 0.3 * often:
        image = _recoloured(image, random)
    if random.random() < 0.2 * often:
        image = _clouded(image, random)
    if random.random() < 0.4 * often:
        image = _retextured(image, random)
    image = image * (1 + random.normal(0, 0.1, 3)).astype(np.float32)
    gain, lift = np.exp(random.normal(0, 0.25)), random.normal(0, 15)
    middle = float(image.mean())
    image = (image - middle) * float(np.exp(random.normal(-0.08, 0.33))) + middle
    image = image * gain + lift
    if random.random() < 0.25 * often:
        image = _light(image, random)
    if random.random() < 0.3 * often:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.4, 1.6))
    if random.random() < 0.15 * often:
        image = _smear(image, random)
    if random.random() < 0.3 * often:
        side = random.uniform(0.45, 0.9)
        h, w = image.shape[:2]
        small = cv2.resize(image, (int(w * side), int(h * side)), interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    if random.random() < 0.4 * often:
        noise = random.standard_normal(image.shape, np.float32)
        image = image + noise * np.float32(random.uniform(2, 14))
    out = np.clip(image, 0, 255).astype(np.uint8)
    if random.random() < 0.25 * often:
        speck = random.random(out.shape[:2])
        share = random.uniform(0.001, 0.03)
        out[speck < share / 2] = 0
        out[speck > 1 - share / 2] = 255
    if random.random() < 0.2 * often:
        quality = int(random.uniform(25, 85))
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR).astype(np.uint8)
    return out


def _recoloured(image: np.ndarray, random: Random) -> np.ndarray:
    """Each channel a mixture of all, as if die, pips and ground were of other colours."""
    mixed = np.eye(3) + random.normal(0, 0.6, (3, 3))
    mixed /= np.abs(mixed).sum(axis=1, keepdims=True)
    middle = image.mean((0, 1))
    return (image - middle) @ mixed.astype(np.float32) * 1.3 + middle @ np.abs(mixed)


def _retextured(image: np.ndarray, random: Random) -> np.ndarray:
    """Through filters of chance, which leave shapes and change what surfaces look like (Xu et al.
    2021, "Robust and generalizable visual representation learning via random convolutions")."""
    side = int(random.choice([1, 3, 5]))
    middle = image.mean((0, 1))
    planes = cv2.split((image - middle).astype(np.float32))
    mixed = np.zeros_like(image, np.float32)
    for out in range(3):
        for plane in planes:
            mixed[..., out] += cv2.filter2D(plane, -1, random.normal(0, 1, (side, side)))
    mixed *= np.std(planes) / (mixed.std() + 1e-3)
    share = np.float32(random.uniform(0, 1))
    return image * (1 - share) + (mixed + middle) * share


def _clouded(image: np.ndarray, random: Random) -> np.ndarray:
    """Soft blotches, as of marbled plastic or of what is mirrored in it."""
    h, w = image.shape[:2]
    cells = int(random.integers(3, 14))
    strong = random.uniform(5, 40)
    noise = random.normal(0, strong, (cells, cells, 3)).astype(np.float32)
    if random.random() < 0.5:
        noise = noise[..., :1].repeat(3, axis=2)
    return image + cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC)


def _light(image: np.ndarray, random: Random) -> np.ndarray:
    """A bright spot or ring (glare of a lamp), or the edge of a shadow."""
    h, w = image.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    cx, cy = random.uniform(0, w), random.uniform(0, h)
    if random.random() < 0.6:
        wide = random.uniform(0.05, 0.35) * w
        far = np.hypot(x - cx, (y - cy) * random.uniform(1, 1.6))
        if random.random() < 0.4:
            far, wide = np.abs(far - wide), wide * random.uniform(0.15, 0.5)
        spot = np.exp(-(far**2) / (2 * wide**2))
        return image + (spot * random.uniform(40, 180))[..., None]
    angle = random.uniform(0, 2 * np.pi)
    side = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    soft = 1 / (1 + np.exp(np.clip(-side / random.uniform(0.5, 8), -30, 30)))
    return image * (1 - soft * random.uniform(0.2, 0.6))[..., None]


def _smear(image: np.ndarray, random: Random) -> np.ndarray:
    """Motion blur."""
    length = int(random.integers(3, 12))
    kernel = np.zeros((length, length), np.float32)
    angle = random.uniform(0, np.pi)
    for step in np.linspace(-1, 1, 3 * length):
        at = (length - 1) / 2 * (1 + step * np.array([np.cos(angle), np.sin(angle)]))
        kernel[round(float(at[1])), round(float(at[0]))] = 1
    return cv2.filter2D(image, -1, kernel / kernel.sum())
