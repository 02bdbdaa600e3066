"""Comparing pictures with `tests/golden`, whose README tells how to remake them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def golden() -> Callable[[Image.Image, str], None]:
    def compare(picture: Image.Image, name: str) -> None:
        path = GOLDEN / f"{name}.png"
        if os.environ.get("REMAKE_GOLDEN"):
            picture.save(path)
            pytest.fail(f"{path.name} was remade: look at it, then run without REMAKE_GOLDEN")
        with Image.open(path) as reference:
            reference.load()
        assert (picture.mode, picture.size) == (reference.mode, reference.size)
        box = ImageChops.difference(picture, reference).getbbox()
        assert box is None, f"{name} differs from its reference within {box}"

    return compare
