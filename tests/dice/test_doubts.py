"""The net that doubts: what is no die is not sure by it, dice stay sure."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import pytest
from tests.dice import faces

from tableref_vision.dice import doubts
from tableref_vision.dice.doubts import Doubter
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.runtime import WEIGHTS, WeightsError
from training import strange
from training.strange import DRAWN, drawing, spotted


def test_coins_that_the_reader_takes_for_dice_are_doubted(monkeypatch):
    pictures = [faces.drawn("coin", seed) for seed in (201, 204, 208, 210)]
    with_it = [any(d.sure for d in DiceReader().read(one, alone=True)) for one in pictures]
    monkeypatch.setattr(Doubter, "doubts", lambda *told: False)
    without = [any(d.sure for d in DiceReader().read(one, alone=True)) for one in pictures]
    assert sum(without) >= 3 > 1 >= sum(with_it)


def test_a_doubt_is_of_one_value():
    row = np.zeros(6 + len(doubts.KINDS), np.float32)
    row[3], row[6] = 9.0, 6.0
    assert (doubts.kinds(row, 4) < doubts.LIMITS).all()
    assert doubts.kinds(row, 5)[0] > doubts.LIMITS[0]


def test_weights_without_that_net_are_doubted_by_the_one_that_ships(tmp_path):
    for name in ("locator.onnx", "reader.onnx", "confidence.json"):
        shutil.copy(WEIGHTS / name, tmp_path)
    DiceReader(weights=tmp_path)
    (tmp_path / "doubter.onnx").write_bytes(b"rubbish")
    with pytest.raises(WeightsError, match=r"doubter\.onnx"):
        DiceReader(weights=tmp_path)


def test_drawings_come_again_and_say_what_they_show():
    seen = set()
    for seed in range(60):
        one, label = drawing(np.random.default_rng(seed), seed % 2 == 0, [])
        assert one.shape == (DRAWN, DRAWN, 3)
        assert (label < 6) == (seed % 2 == 0)
        seen.add(label)
    assert seen == set(range(6 + len(doubts.KINDS)))
    again, same = drawing(np.random.default_rng(seed), seed % 2 == 0, [])
    assert (one == again).all()
    assert label == same


def test_what_lies_on_no_places_of_a_value_is_none_however_it_is_turned():
    random = np.random.default_rng(3)
    three = {(-1, -1), (0, 0), (1, 1)}
    for _ in range(50):
        places = set(strange._off_places(random))
        assert places != three
        assert {(y, x) for x, y in places} != three


def test_further_spots_are_drawn_beside_a_photographed_die_s_pips():
    crop = np.full((DRAWN, DRAWN, 3), 220, np.uint8)
    for x, y in ((-6, -6), (0, 0), (6, 6)):
        cv2.circle(crop, (DRAWN // 2 + x, DRAWN // 2 + y), 2, (20, 20, 20), -1)
    more = spotted(np.random.default_rng(1), crop, 3)
    assert more is not None
    assert (more < 120).sum() > (crop < 120).sum() + 20
    assert spotted(np.random.default_rng(1), crop, 2) is None
