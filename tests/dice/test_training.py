"""What training rests on: drawings that come again, truths that fit, figures that are honest."""

from __future__ import annotations

import json
import re

import cv2
import numpy as np
import pytest

from tableref_vision.dice.crops import STEP
from tableref_vision.dice.locate import Spot
from tableref_vision.dice.reader import Reading
from tableref_vision.dice.runtime import WEIGHTS
from training import augment, clutter, drawings, scenery
from training.measure import (
    Outcome,
    Tally,
    confidence,
    fit_confidence,
    outcomes,
    threshold,
    wilson,
)
from training.reliability import bins, plot
from training.sources import SOURCES, Die, Scene
from training.threshold import left_out, stored


def outcome(right, sign=0.0, die=True):
    return Outcome("here", "picture", right, die, (1.0, sign, 0.0, 0.0))


def test_the_data_card_tells_the_licence_of_every_source_beside_the_nets():
    card = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in card.splitlines() if "|" in line]
    licences = {row[1]: row[4] for row in rows if len(row) == 7}
    for source in SOURCES:
        assert re.match(r"\[.+\]\(https://\S+\)$", licences[source])


def test_a_seed_draws_the_same_dice_again():
    first, second = (drawings.draw_sprite(np.random.default_rng(5), 0.9) for _ in range(2))
    assert (first.colour == second.colour).all()
    assert (first.kind, first.face, first.box) == (second.kind, second.face, second.box)


def test_the_top_face_of_a_drawn_die_lies_on_it():
    random = np.random.default_rng(2)
    for _ in range(10):
        sprite = drawings.draw_sprite(random, drawings.camera_height(random, True), "die")
        x, y = map(round, sprite.face)
        assert sprite.alpha[y, x] > 100
        assert 1 <= sprite.kind <= 6


def test_from_above_a_drawn_one_has_its_pip_in_the_middle():
    random, tried = np.random.default_rng(11), 0
    for style in range(60):
        sprite = drawings.draw_sprite(random, 1.0, "die", style)
        x, y = map(round, sprite.face)
        face = sprite.colour[y - 14 : y + 15, x - 14 : x + 15].astype(float)
        if sprite.kind == 1:
            ring = np.concatenate([face[0], face[-1]])
            tried += bool(np.abs(face[14, 14] - ring.mean(0)).max() > 2 * ring.std(0).max())
    assert tried >= 5


def test_a_cube_with_a_logo_on_top_is_no_die_whether_or_not_its_sides_carry_pips(monkeypatch):
    marked = []
    monkeypatch.setattr(drawings, "_marks", lambda _, uv, body, ink: marked.append(uv) or body)
    faces = set()
    for seed in range(20):
        marked.clear()
        sprite = drawings.draw_sprite(np.random.default_rng(seed), 0.7, "blank")
        assert sprite.kind == drawings.NOTHING
        faces.add(len(marked))
    assert faces == {1, 6}


def test_from_a_side_that_was_marked_the_top_is_up_in_the_crop(monkeypatch):
    monkeypatch.setattr(scenery, "ASIDE", 1.0)
    monkeypatch.setattr(scenery, "_roll", lambda random: 0.0)
    monkeypatch.setattr(drawings, "camera_height", lambda random, steep: 0.6)
    random, ups = np.random.default_rng(3), []
    while len(ups) < 20:
        patch = scenery.drawn_patch(random, "die")
        _crop, _slant, (kind, _flat, _x, y, *_rest) = scenery.reader_sample(patch, random, False)
        assert kind == patch.kind
        ups.append(-y * STEP)
    assert np.mean(ups) > 10.0  # px, where the die's longer side has 36


def test_a_token_of_a_board_may_tell_its_luck_by_dots_in_a_row(monkeypatch):
    monkeypatch.setattr(clutter, "_paint", lambda random: (255.0, 255.0, 255.0))
    counts = set()
    for seed in range(30):
        ground = np.zeros((200, 200, 3), np.uint8)
        clutter._dots(np.random.default_rng(seed), ground, 100.0, 100.0, 150.0)
        dots = cv2.connectedComponentsWithStats(ground[..., 0])[3][1:]
        assert dots[:, 1] == pytest.approx(np.full(len(dots), 100.0), abs=0.6)
        counts.add(len(dots))
    assert counts == {1, 2, 3, 4, 5}


def test_what_lamps_and_motion_do_to_a_picture_leaves_its_size_and_is_seen():
    plain = np.full((48, 48, 3), 90.0, np.float32)
    plain[20:28, 20:28] = 200.0
    brighter = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        for change in (augment._light, augment._smear):
            changed = change(plain, random)
            assert changed.shape == plain.shape
            assert np.isfinite(changed).all()
            assert np.abs(changed - plain).max() > 1.0
        brighter += bool((augment._light(plain, random) - plain).max() > 30.0)
    assert 6 <= brighter <= 18  # glare; else a shadow


def test_filters_of_chance_change_what_a_surface_looks_like_and_keep_its_edges():
    halves = np.full((64, 64, 3), 60.0, np.float32)
    halves[:, 32:] = (200.0, 170.0, 90.0)
    for seed in range(20):
        changed = augment._retextured(halves, np.random.default_rng(seed))
        assert changed.shape == halves.shape
        assert np.abs(changed - halves).max() > 1.0
        assert np.ptp(changed[8:-8, 8:26], axis=(0, 1)).max() < 1.0
        assert np.ptp(changed[8:-8, 38:-8], axis=(0, 1)).max() < 1.0


def test_the_threshold_is_the_lowest_that_keeps_its_promise():
    rows = [outcome(True, sign) for sign in np.linspace(2, 6, 200)]
    rows += [outcome(False, 1.9), outcome(False, 1.8)]
    weights = np.array([0.0, 1.0, 0.0, 0.0])
    sure = threshold(rows, weights, 0.0)
    assert sure == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert Tally.of(rows, weights, sure) == Tally(202, 202, 200, 0, 0)


def test_a_value_where_no_die_is_counts_as_invented():
    weights = np.array([0.0, 1.0, 0.0, 0.0])
    rows = [outcome(True, 5.0), outcome(False, 5.0, die=False)]
    assert Tally.of(rows, weights, 0.5) == Tally(1, 1, 1, 0, 1)


def reading(value, y, sign, x=50.0):
    return Reading(Spot(x, y, 40.0, 0.9), value, np.array([1, sign, 0, 0], np.float32))


def test_what_is_read_where_a_die_has_no_label_counts_neither_way():
    class Readings:
        def readings(self, picture):
            return [reading(6, 579.0, 4.0, x=115.0), reading(2, 300.0, 3.0, x=400.0)]

    picture = np.zeros((640, 640, 3), np.uint8)
    for source, values in (("byler", 1), ("elsewhere", 2)):
        rows = outcomes(Scene("0004.jpg", source, (picture,), ()), [], Readings())
        assert [(row.right, row.die) for row in rows] == [(False, False)] * values


def test_the_surest_value_in_a_box_is_that_dies_though_its_side_is_nearer_the_middle():
    class Readings:
        def readings(self, picture):
            return [reading(3, 66.0, -1.0), reading(6, 40.0, 4.0)]

    label = {"value": 6, "box": [30.0, 20.0, 40.0, 90.0]}
    die = Die(6, 50.0, 65.0, 90.0, False, True)
    scene = Scene("picture", "here", (np.zeros((200, 200, 3), np.uint8),), (die,))
    rows = outcomes(scene, [label], Readings())
    assert [(row.right, row.die) for row in rows] == [(True, True), (False, False)]
    assert rows[0].signs[1] == 4.0


def test_confidences_are_as_often_right_as_they_say():
    random = np.random.default_rng(3)
    signs = random.normal(1, 2, 4000)
    rows = [outcome(bool(random.random() < 1 / (1 + np.exp(-s / 2))), s) for s in signs]
    weights = fit_confidence(rows)
    pairs = [(confidence(row, weights), row.right) for row in rows]
    assert all(abs(mean - share) < 0.06 for count, mean, share in bins(pairs) if count > 200)
    assert plot(pairs).count("<circle") == len(bins(pairs))


def test_wilson_intervals_hold_the_share_and_narrow_with_more():
    few, many = wilson(95, 100), wilson(950, 1000)
    assert few[0] < many[0] < 0.95 < many[1] < few[1]
    assert wilson(0, 0) == (0.0, 1.0)


def test_no_die_without_a_label_lies_under_what_a_window_shows(monkeypatch):
    picture = np.zeros((240, 320, 3), np.uint8)
    levels = (picture, picture[::2, ::2], picture[::4, ::4])
    full = Scene("dice", "here", levels, (Die(3, 100.0, 100.0, 30.0, True),))
    empty = Scene("board", "board", levels, ())
    under, real = [], scenery._ground
    monkeypatch.setattr(scenery, "_ground", lambda *known: under.extend(known[1]) or real(*known))
    random = np.random.default_rng(8)
    for _ in range(100):
        scenery.locator_window(random, [full, empty], np.array([0.5, 0.5]), [])
    assert {scene.name for scene in under} == {"board"}


def read_on(source, right, wrong, sign):
    """So many values of a source, right with this sign and wrong with a smaller one."""
    signs = [(True, sign)] * right + [(False, sign - 1.0)] * wrong
    return [Outcome(source, "picture", ok, True, (1.0, one, 0.0, 0.0)) for ok, one in signs]


def test_a_source_is_judged_by_the_threshold_that_the_others_choose():
    rows = read_on("clear", 90, 10, 3.0) + read_on("dim", 90, 10, 1.0)
    told = {source: tally for source, _, tally in left_out(rows, np.array([0.0, 1.0, 0.0, 0.0]))}
    # By what was read on "dim" all from 1.0 on is sure: also what is wrong on "clear".
    assert (told["clear"].right, told["clear"].wrong) == (90, 10)
    # By "clear" it must be 3.0 at least, and nothing of "dim" is.
    assert (told["dim"].right, told["dim"].wrong) == (0, 0)


def test_what_was_read_once_is_not_read_again(tmp_path):
    kept = tmp_path / "read.json"
    row = {"source": "a", "image": "b", "right": True, "die": True, "signs": [1.0, 2.0, 0.0, 0.0]}
    kept.write_text(json.dumps([row]))
    (found,) = stored(kept, tmp_path / "no photographs", ("a",))
    assert found == Outcome("a", "b", True, True, (1.0, 2.0, 0.0, 0.0))
