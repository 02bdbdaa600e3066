"""Pictures of the dice mat for tests: tags, trays and cubes drawn by their geometry alone."""

from __future__ import annotations

import cv2
import numpy as np

from tableref_hardware.dice import USUAL
from tableref_vision.dice.cube import PIPS, SIDES
from tableref_vision.dice.mat import DEPTH, FLOOR, INSIDE, SQUARE, TAGS, TRAYS, WIDTH
from tableref_vision.view import Lens, View

SCALE = 3  # px a mm of the mat's drawing
FELT = {"yellow": (20, 190, 235), "black": (40, 36, 36)}


def view(tilt=20.0, height=620.0, size=(1280, 720)) -> View:
    """A camera this high over the mat's middle, this many degrees off the vertical, from south."""
    angle = np.radians(180.0 - tilt)
    turn = np.array([angle, 0.0, 0.0])
    eye = np.array([0.0, -np.sin(np.radians(tilt)), np.cos(np.radians(tilt))]) * height
    shift = -cv2.Rodrigues(turn)[0] @ eye
    return View(Lens(*size, 1050.0 * size[0] / 1280, 0.0, 0.01, 0.01), turn, shift, 0.0, 0.0, 0.0)


def mat_picture(seen: View, cover=()) -> np.ndarray:
    """The empty mat on a brown table; tags with ids in `cover` are hidden."""
    w, h = seen.lens.size
    flat = np.full((int(DEPTH * SCALE), int(WIDTH * SCALE), 3), (60, 62, 66), np.uint8)
    markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in TAGS.values():
        if tag.id in cover:
            continue
        quiet, side = 28 * SCALE, int(SQUARE * SCALE)
        x, y = int((tag.x + WIDTH / 2) * SCALE), int((DEPTH / 2 - tag.y) * SCALE)
        flat[y - quiet // 2 : y + quiet // 2, x - quiet // 2 : x + quiet // 2] = 255
        marker = cv2.aruco.generateImageMarker(markers, tag.id, side)[..., None]
        flat[y - side // 2 :, x - side // 2 :][:side, :side] = marker
    for name, (x, y) in TRAYS.items():
        for reach, colour in ((INSIDE + 6, (60, 90, 130)), (INSIDE, FELT[name])):
            corner = [
                (int((x + s * reach + WIDTH / 2) * SCALE), int((DEPTH / 2 - y + s * reach) * SCALE))
                for s in (-1, 1)
            ]
            cv2.rectangle(flat, *corner, colour, -1)
    x, y = WIDTH / 2, DEPTH / 2
    pixels = seen.pixels(np.array([(-x, y, 0), (x, y, 0), (x, -y, 0), (-x, -y, 0)], float))
    frame = np.array([(0, 0), (WIDTH, 0), (WIDTH, DEPTH), (0, DEPTH)], np.float32) * SCALE - 0.5
    move = cv2.getPerspectiveTransform(frame, pixels.astype(np.float32))
    picture = np.full((h, w, 3), (70, 100, 140), np.uint8)
    cv2.warpPerspective(
        flat, move, (w, h), picture, cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return picture


def put_die(picture, seen: View, value, x, y, yaw=20.0, tilt=0.0, up=FLOOR, body=(235, 235, 235)):
    """Draw a die with this value on top, its middle at x, y, on a floor `up` mm high."""
    top = np.array(SIDES[value], float)
    side = np.roll(np.abs(top), 1)
    basis = np.stack([side, np.cross(top, side), top])
    a, t = np.radians(yaw), np.radians(tilt)
    spin = np.array([(np.cos(a), -np.sin(a), 0), (np.sin(a), np.cos(a), 0), (0, 0, 1)])
    lean = np.array([(1, 0, 0), (0, np.cos(t), -np.sin(t)), (0, np.sin(t), np.cos(t))])
    turn = lean @ spin @ basis
    rise = USUAL / 2 * (abs(np.cos(t)) + abs(np.sin(t)))
    middle = np.array([x, y, up + rise])
    light = np.array([0.3, -0.2, 0.93])
    ink = (30, 30, 30) if sum(body) > 330 else (245, 245, 245)
    for pips, outward in SIDES.items():
        normal = turn @ np.array(outward, float)
        face = middle + normal * USUAL / 2
        if normal @ (seen.eye - face) <= 0:
            continue
        u = turn @ np.roll(np.abs(np.array(outward, float)), 1)
        v = np.cross(normal, u)
        ring = np.array(
            [face + (i * u + j * v) * USUAL / 2 for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        )
        shade = 0.5 + 0.5 * max(0.0, float(normal @ light))
        _fill(picture, seen, ring, [c * shade for c in body])
        for i, j in PIPS[pips]:
            angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            spot = face + (i * u + j * v) * USUAL * 0.26
            circle = spot + 1.6 * (np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v)
            _fill(picture, seen, circle, ink)


def _fill(picture, seen: View, ring, colour) -> None:
    pixels = np.round(seen.pixels(ring) * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, pixels, tuple(float(c) for c in colour), cv2.LINE_AA, 4)


def soften(picture) -> np.ndarray:
    """What a lens and a sensor make of it."""
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)
