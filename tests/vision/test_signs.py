"""Signs on pieces, in grey levels that a camera leaves of them."""

from __future__ import annotations

import cv2
import numpy as np

from tableref_vision.opencv import Picture
from tableref_vision.untagged.signs import Signs

SIZE = 35
SHAPES = {
    "paper": [((11, 9), (23, 9)), ((23, 9), (23, 25)), ((23, 25), (11, 25)), ((11, 25), (11, 9))],
    "scissors": [((10, 10), (24, 24)), ((24, 10), (10, 24))],
}


def drawn(name: str, depth: float, turn: float = 0.0, seed: int = 0) -> Picture:
    """A sign so many grey levels deep on a piece that is burnt out, with a camera's noise."""
    deep = np.zeros((SIZE * 8, SIZE * 8), np.float32)
    for start, end in SHAPES.get(name, []):
        ends = [(8 * x + 4, 8 * y + 4) for x, y in (start, end)]
        cv2.line(deep, ends[0], ends[1], depth, 10)
    middle = SIZE * 4.0
    matrix = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
    deep = cv2.resize(
        cv2.warpAffine(deep, matrix, deep.shape), (SIZE, SIZE), interpolation=cv2.INTER_AREA
    )
    grey = 252.0 - deep[..., None] + np.random.default_rng(seed).normal(0.0, 2.0, (SIZE, SIZE, 3))
    return np.clip(grey, 0, 255).astype(np.uint8)


def taught(depth: float) -> Signs:
    signs = Signs((SIZE // 2 - 2) / 2)
    for number, name in enumerate(SHAPES):
        signs.learn(name, drawn(name, depth, seed=number))
    return signs


def test_a_sign_is_told_though_little_of_it_is_not_burnt_out() -> None:
    signs = taught(40.0)
    for number, name in enumerate(SHAPES):
        assert signs.read(drawn(name, 18.0, seed=10 + number)) == {name}


def test_no_sign_is_told_where_there_is_only_noise() -> None:
    signs = taught(40.0)
    assert not any(signs.read(drawn("", 0.0, seed=20 + number)) for number in range(20))


def test_a_sign_that_lies_a_little_askew_is_told_in_one_of_several_turns() -> None:
    signs = taught(40.0)
    askew = [drawn("paper", 18.0, turn, seed=40) for turn in (24.0, 12.0, 3.0)]
    assert signs.read(askew[0]) == frozenset()
    assert signs.read(*askew) == {"paper"}


def test_what_is_little_like_a_sign_may_be_the_next_too() -> None:
    """Simple signs are much alike: a plain lead tells nothing of one that is far from both."""
    rng = np.random.default_rng(5)
    first, second = (rng.uniform(0.0, 200.0, (SIZE, SIZE, 3)).astype(np.uint8) for _ in range(2))
    signs = Signs((SIZE // 2 - 2) / 2)
    base = drawn("paper", 80.0).astype(np.float32)
    for name, other in (("one", first), ("two", second)):
        signs.learn(name, base + other)
    assert signs.read(base + first) == {"one"}
    assert signs.read(base) in (frozenset(), {"one", "two"})


def coloured(name: str, ink: tuple[int, int, int], ground: tuple[int, int, int]) -> Picture:
    """A sign in one colour on another, with a camera's noise."""
    deep = (252.0 - drawn(name, 200.0).astype(np.float32)) / 200.0
    mixed = np.array(ground) + deep * (np.array(ink, float) - ground)
    mixed += np.random.default_rng(len(name)).normal(0.0, 2.0, mixed.shape)
    return np.clip(mixed, 0, 255).astype(np.uint8)


def test_a_sign_as_bright_as_its_ground_is_told_by_its_colour() -> None:
    violet, red = (129, 70, 141), (67, 87, 186)
    signs = Signs((SIZE // 2 - 2) / 2)
    for name in SHAPES:
        signs.learn(name, coloured(name, red, violet))
    for name in SHAPES:
        assert signs.read(coloured(name, red, violet)) == {name}


def test_a_sign_that_looks_the_same_turned_is_read_both_ways() -> None:
    signs = Signs((SIZE // 2 - 2) / 2)
    signs.learn("up", drawn("paper", 80.0), "down")
    assert signs.read(drawn("paper", 80.0, seed=3)) == {"up", "down"}
