"""Path-traced tables: the mesh of a die, where it is in the picture, and what is learnt of it."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from tableref_vision.dice.cube import SIDES
from training import traced
from training.drawings import COCKED
from training.solid import solid
from training.sources import load_traced

FORMS = [np.random.default_rng(seed) for seed in range(12)]
CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def above(height=40.0):
    """A camera straight above the table, 10 px a unit at the height of its middle."""
    return traced.Camera(np.array([0.0, 0.0, height]), np.eye(3), 10 * height)


@pytest.mark.parametrize("random", FORMS)
def test_a_die_is_closed_and_looks_outward(random):
    die = solid(random)
    ends = np.stack([die.quads, np.roll(die.quads, -1, axis=1)], axis=-1).reshape(-1, 2)
    once = {tuple(edge) for edge in ends.tolist()}
    assert len(once) == len(ends)
    assert {(b, a) for a, b in once} == once
    a, b, c, _ = (die.points[die.quads[:, i]] for i in range(4))
    assert (a * np.cross(b, c)).sum() > 0


@pytest.mark.parametrize("random", FORMS)
def test_each_face_has_as_many_pips_as_its_value_says(random):
    die = solid(random)
    inked = {}
    for value, outward in SIDES.items():
        on = die.points @ np.array(outward) > 0.6
        on &= np.abs(die.points).argmax(axis=1) == np.abs(outward).argmax()
        inked[value] = die.pip[on].sum()
        assert (die.ace[on].max() == 1) == (value == 1)
    for value in (3, 4, 5, 6):
        assert inked[value] / inked[2] == pytest.approx(value / 2, rel=0.15)


def test_dimples_lie_below_the_face():
    for random in FORMS:
        assert np.abs(solid(random).points).max() <= 1


def test_dice_on_a_table_do_not_touch_and_most_are_in_view():
    random, inside = np.random.default_rng(3), []
    for _ in range(20):
        camera, _ = traced.aimed(random)
        places = [die.place for die in traced.scattered(random, camera)]
        gaps = [np.linalg.norm(a - b) for i, a in enumerate(places) for b in places[:i]]
        assert min(gaps) > 2 * np.sqrt(2)
        pixels = camera.pixels(np.array([[*place, 1.0] for place in places]))
        size = traced.WIDTH, traced.HEIGHT
        inside += ((pixels > 0) & (pixels < size)).all(axis=1).tolist()
    assert np.mean(inside) > 0.8


def test_the_value_that_is_told_lies_on_top():
    random, top = np.random.default_rng(4), np.array([0, 0, 1])
    for die in traced.scattered(random, traced.aimed(random)[0]):
        assert die.turn @ np.array(SIDES[die.value]) == pytest.approx(top, abs=1e-6)


def test_a_die_is_told_where_its_top_is_seen():
    die = traced.Thrown(5, np.eye(3), np.array([3.0, 2.0]))
    told = traced.truth(above(), die, CUBE, 9)
    # The top face is 2 units nearer to the camera than the table.
    assert (told["x"], told["y"]) == pytest.approx(
        ((traced.WIDTH - 1) / 2 + 30 * 40 / 38, (traced.HEIGHT - 1) / 2 - 20 * 40 / 38), abs=0.01
    )
    assert told["value"] == 5
    assert told["size"] == pytest.approx(20 * 40 / 38, abs=1.5)


def test_what_is_hidden_or_cut_off_has_no_value_to_learn():
    inside, outside = np.zeros(2), np.array([traced.WIDTH / 20, 0.0])
    hidden = traced.truth(above(), traced.Thrown(2, np.eye(3), inside), CUBE, traced.SEEN - 1)
    cut = traced.truth(above(), traced.Thrown(2, np.eye(3), outside), CUBE, 9)
    assert hidden["value"] is None
    assert cut["value"] is None


def test_of_a_hidden_die_only_the_place_is_learnt(tmp_path):
    dice = [
        {"value": 4, "x": 20.0, "y": 30.0, "size": 12.0},
        {"value": None, "x": 50.0, "y": 30.0, "size": 12.0},
    ]
    cv2.imwrite(str(tmp_path / "0000.png"), np.zeros((60, 80, 3), np.uint8))
    (tmp_path / "0000.json").write_text(json.dumps({"dice": dice}), encoding="utf-8")
    (scene,) = load_traced(tmp_path)
    assert [(die.kind, die.x, die.face) for die in scene.dice] == [
        (4, 20.0, True),
        (COCKED, 50.0, True),
    ]


def test_without_blender_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(traced.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"\[train\]"):
        traced.trace_all(tmp_path, 1, 1)


def test_blender_shows_dice_where_they_are_told(tmp_path):
    pytest.importorskip("bpy", reason="Blender's module is not here (the extra `train`)")
    traced.trace(tmp_path, 1, 2)
    (scene,) = load_traced(tmp_path)
    ground = np.median(scene.image.reshape(-1, 3), axis=0)
    told = [die for die in scene.dice if die.kind != COCKED]
    assert len(told) > 10
    for die in told:
        x, y, half = round(die.x), round(die.y), round(die.size / 5)
        top = scene.image[y - half : y + half + 1, x - half : x + half + 1]
        assert np.abs(top - ground).max() > 15
