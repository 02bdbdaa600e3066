"""Dice are read on the mat and without it; what lies badly has no value, and a code says why."""

from __future__ import annotations

import json
import subprocess
import sys

import cv2
import numpy as np
import pytest
from tests.dice import mats

from tableref.cli import main
from tableref_hardware.dice import USUAL
from tableref_vision.dice import crops
from tableref_vision.dice.confidence import MOST, SIGNS, Confidence, mean_chance, signs
from tableref_vision.dice.inputs import Levels, reader_input
from tableref_vision.dice.locate import CELL, LIKED, Locator, Spot, is_side
from tableref_vision.dice.mat import FLOOR, MatTracker, top, tray_at
from tableref_vision.dice.reader import DiceReader, Reading
from tableref_vision.dice.runtime import WEIGHTS, Net, WeightsError
from tableref_vision.dice.seen import WHY_WORDS

BODIES = {"white": (235, 235, 235), "red": (45, 40, 205), "blue": (190, 80, 40)}


@pytest.fixture(scope="module")
def reader():
    return DiceReader()


def table(*dice, view=None, cover=()):
    """A picture of the mat with dice: (value, x, y, keywords)."""
    view = view or mats.view()
    picture = mats.mat_picture(view, cover)
    for value, x, y, more in dice:
        mats.put_die(picture, view, value, x, y, **more)
    return mats.soften(picture)


def read(reader, picture):
    return [(die.tray, die.value) for die in reader.read(picture, alone=True) if die.sure]


def test_to_the_reader_dice_are_alike_whose_colours_are_swapped():
    random = np.random.default_rng(4)
    for _ in range(5):
        spots = random.integers(0, 256, (7, 7, 3), np.uint8)
        crop = cv2.resize(spots, (48, 48), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
        assert np.abs(reader_input(crop) - reader_input(crop[..., [2, 0, 1]])).max() < 1e-4


def test_to_the_reader_what_is_brighter_stays_brighter():
    crop = np.full((48, 48, 3), (40, 30, 120), np.uint8)
    crop[20:28, 20:28] = (200, 180, 220)
    assert reader_input(crop)[0, 24, 24] > 1 > reader_input(crop)[0, 4, 4]


def test_a_crop_of_one_colour_shows_the_reader_nothing():
    assert np.abs(reader_input(np.full((48, 48, 3), 90, np.uint8))[:3]).max() < 1e-4


def red_on_black(desk):
    """A crop of a glossy black die with four dark red pips on a desk, where the pips are, and where
    the die shows neither pip nor lamp."""
    crop, pips = np.full((64, 64, 3), desk, np.uint8), np.zeros((64, 64), np.uint8)
    cv2.rectangle(crop, (12, 12), (51, 51), (38, 36, 40), -1)
    for x, y in ((22, 22), (42, 22), (22, 42), (42, 42)):
        cv2.circle(pips, (x, y), 4, 1, -1)
    lamp = cv2.circle(np.zeros_like(pips), (32, 32), 9, 1, 2)
    crop[pips > 0], crop[lamp > 0] = (44, 38, 88), (245, 245, 245)
    body = np.zeros_like(pips)
    body[14:50, 14:50] = 1
    return cv2.GaussianBlur(crop, (0, 0), 1.0), pips > 0, body - pips * body - lamp > 0


@pytest.mark.parametrize("desk", [(205, 210, 215), (25, 30, 35)], ids=["white", "dark"])
def test_dark_red_pips_on_black_are_seen_beside_a_mirrored_lamp_on_any_desk(desk):
    crop, pips, body = red_on_black(desk)
    planes = reader_input(crop)[:3]
    apart = [abs(plane[pips].mean() - plane[body].mean()) for plane in planes]
    assert max(apart) > 1.0


def test_noise_is_not_made_as_strong_as_pips():
    noise = np.random.default_rng(4).normal(90, 2.5, (64, 64, 3)).astype(np.uint8)
    assert reader_input(noise)[:3].std() < 0.35


@pytest.mark.parametrize("body", BODIES)
def test_no_value_is_wrong_and_the_nets_see_what_is_there(reader, body):
    """Whether a value is sure is the confidence's word; what the nets see is measured beside it."""
    seen_right = 0
    for value in range(1, 7):
        colour = {"body": BODIES[body]}
        truth = {("yellow", value), ("black", 7 - value)}
        picture = table(
            (value, -95.0, 15.0, colour), (7 - value, 70.0, -20.0, colour | {"yaw": 55.0})
        )
        dice = reader.read(picture, alone=True)
        assert {(die.tray, die.value) for die in dice if die.sure} <= truth
        seen_right += len({(die.tray, die.value) for die in dice} & truth)
    assert seen_right >= 7


def test_an_empty_mat_holds_no_die(reader):
    assert reader.read(table(), alone=True) == ()


def test_a_die_outside_the_trays_has_no_value(reader):
    seen = reader.read(table((5, 0.0, 60.0, {"up": 0.0})), alone=True)
    assert [(die.value, die.why, die.tray) for die in seen] == [(None, "off-tray", None)]


def test_a_die_on_the_rim_has_no_value(reader):
    seen = reader.read(table((4, -24.0, 10.0, {"tilt": 25.0})), alone=True)
    assert seen
    assert not any(die.sure for die in seen)
    assert seen[0].why == "rim"


def test_a_die_that_is_tilted_has_no_value(reader):
    for tilt in (25.0, 35.0, 45.0):
        seen = reader.read(table((2, 85.0, 0.0, {"tilt": tilt, "yaw": 10.0})), alone=True)
        assert not any(die.sure for die in seen)


def test_a_tower_has_no_value(reader):
    view = mats.view(tilt=28.0)
    tower = table((3, 80.0, 0.0, {}), (5, 81.0, 1.0, {"up": FLOOR + 16.0, "yaw": 50.0}), view=view)
    assert not any(die.sure for die in reader.read(tower, alone=True))


def test_a_bead_is_no_die(reader):
    view = mats.view()
    picture = mats.mat_picture(view)
    for x, y in view.pixels(np.array([(-80.0, 0.0, 9.0), (80.0, 0.0, 9.0)])):
        cv2.circle(picture, (round(x), round(y)), 11, (40, 40, 200), -1, cv2.LINE_AA)
    assert not any(die.sure for die in reader.read(mats.soften(picture), alone=True))


def test_a_one_on_the_mat_must_lie_flat_more_surely_than_other_values(reader):
    def sure(value, flat):
        spot = Spot(400.0, 300.0, 40.0, 0.7)
        signs = np.array([1.0, 3.0, 0.85, 0.0, 3.0], np.float32)  # a chance of 0.95
        place = np.array([-82.0, 0.0])
        return reader._seen(Reading(spot, value, signs, place, flat), (1280, 720)).sure

    assert sure(1, 0.97)
    assert sure(2, 0.85)
    assert not sure(1, 0.85)  # a bead, perhaps


def test_a_die_that_lay_elsewhere_in_the_frame_before_is_moving():
    reader = DiceReader()
    (first,) = reader.read(table((4, 62.0, -24.0, {})))
    (second,) = reader.read(table((4, 80.0, -24.0, {})))
    (third,) = reader.read(table((4, 80.0, -24.0, {})))
    assert [first.value, second.value, third.value] == [4, None, 4]
    assert second.why == "moving"


def test_the_slant_of_a_crop_is_that_of_the_line_of_sight():
    view = mats.view(tilt=20.0, height=620.0)
    below = np.array(view.eye[:2])
    assert crops.slant(view, below, top(USUAL)) == pytest.approx(0.0, abs=1e-6)
    assert crops.slant(
        view, below + np.array([0.0, view.eye[2] - top(USUAL)]), top(USUAL)
    ) == pytest.approx(1.0)


def test_the_middle_of_a_die_is_told_in_millimetres(reader):
    (die,) = reader.read(table((6, 62.0, -24.0, {})), alone=True)
    assert np.hypot(die.place[0] - 62.0, die.place[1] + 24.0) < 2.5


def test_without_tags_dice_are_read_all_the_same_and_have_no_tray(reader):
    seen = reader.read(table((5, -80.0, 0.0, {}), cover=(44, 45, 46, 47)), alone=True)
    assert [(die.value, die.tray, die.place) for die in seen] == [(5, None, None)]


@pytest.mark.parametrize(
    ("x", "y", "side"), [(3, 24, True), (3, -24, False), (24, 20, False), (0, 34, False)]
)
def test_what_lies_close_below_a_value_is_the_side_of_that_die(x, y, side):
    top = Spot(100.0, 100.0, 40.0, 0.9)
    assert is_side(Spot(100.0 + x, 100.0 + y, 36.0, 0.5), [top]) is side
    assert not is_side(top, [top])


def looks_at_one_die(monkeypatch, *, five):
    """Where a reader without a mat looks for one die, (x, y, size) each, if every look tells the
    net by this logit that it shows a five."""
    looks = []

    def around(levels, x, y, size, *more, cut=crops.around):
        looks.append((x, y, size))
        return cut(levels, x, y, size, *more)

    monkeypatch.setattr(crops, "around", around)
    reader = DiceReader()
    reader._locator.find = lambda levels: [Spot(150.0, 120.0, 40.0, 0.9)]
    reader._reader = lambda inputs: np.eye(11, dtype=np.float32)[[5] * len(inputs)] * five
    (reading,) = reader.readings(np.zeros((240, 320, 3), np.uint8))
    assert reading.value == (5 if five > 0 else None)
    return looks


@pytest.mark.parametrize("five", [9.0, 99.0], ids=["likely", "certain"])
def test_without_a_mat_the_second_look_at_a_die_is_from_higher_up(monkeypatch, five):
    (x, y, size), (again_x, again_y, again_size) = looks_at_one_die(monkeypatch, five=five)
    assert (again_x, again_size) == pytest.approx((x, size))
    assert again_y == pytest.approx(y - size / 4)


def test_a_die_in_doubt_is_looked_at_twice_more_from_farther_away(monkeypatch):
    (x, y, size), _, *further = looks_at_one_die(monkeypatch, five=3.0)  # a chance of 0.77
    assert [(look[0], look[1]) for look in further] == [(x, y)] * 2
    assert [look[2] / size for look in further] == pytest.approx([1.18, 1.35])


@pytest.mark.parametrize(("five", "looks"), [(-3.0, 1), (1.5, 2)], ids=["hopeless", "unclear"])
def test_what_further_looks_cannot_make_sure_is_not_given_them(monkeypatch, five, looks):
    assert len(looks_at_one_die(monkeypatch, five=five)) == looks


@pytest.mark.parametrize("place", [None, (-95.0, 15.0)], ids=["anywhere", "on the mat"])
def test_looks_that_disagree_are_not_sure_however_hot_the_place(reader, place):
    five, one = np.eye(7, dtype=np.float32)[[5, 1]] * 12.0
    spot = Spot(150.0, 120.0, 40.0, 0.9)
    for second, sure in ((five, True), (one, False)):
        told = signs(mean_chance(np.stack([five, second]), 5), spot, [spot], [])
        die = reader._seen(Reading(spot, 5, told, place), (320, 240))
        assert (die.value, die.sure, die.why) == (5, sure, None if sure else "unclear")


def test_among_clear_values_a_value_is_surer_than_among_doubtful_ones():
    spot = Spot(150.0, 120.0, 40.0, 0.6)
    told = [signs(2.2, spot, [spot], others) for others in ([6.0, 5.0], [], [-1.0, 0.0])]
    clear, alone, doubtful = map(Confidence.load().of, told)
    assert clear > alone > doubtful


def test_what_is_no_die_says_nothing_about_the_other_values():
    reader = DiceReader()
    spots = [Spot(x, 120.0, 40.0, 0.9) for x in (60.0, 150.0, 240.0)]
    reader._locator.find = lambda levels: spots
    shown = np.eye(11, dtype=np.float32)[[5, 2, 0]] * 9.0
    reader._reader = lambda inputs: shown[: len(inputs)]
    five, two, nothing = reader.readings(np.zeros((240, 320, 3), np.uint8))
    assert [five.value, two.value, nothing.value] == [5, 2, None]
    others = SIGNS.index("others' chance")
    assert five.signs[others] == two.signs[others] == MOST  # two clear values, one of the other


def looked_at(across, size=(1280, 960)):
    """Spots in a picture of this size with one die so many px `across`, found by a net that misses
    none, and the areas of the pictures that the net was shown."""
    areas = []

    def net(pictures):
        _, _, high, wide = pictures.shape
        areas.append(high * wide)
        maps = np.full((1, 4, high // CELL, wide // CELL), -9.0, np.float32)
        maps[0, 1] = np.log(across * (high * wide / (size[0] * size[1])) ** 0.5)
        maps[0, 2:] = 0.0
        if across:
            maps[0, 0, high // CELL // 2, wide // CELL // 2] = 2.0
        return maps

    picture = np.zeros((size[1], size[0], 3), np.uint8)
    with np.errstate(divide="ignore"):
        return Locator(net).find(Levels(picture)), areas


def test_small_dice_are_looked_at_again_in_a_larger_picture():
    spots, (first, second) = looked_at(100)
    assert second > 1.5 * first
    assert 100 * (second / (1280 * 960)) ** 0.5 == pytest.approx(LIKED, rel=0.1)
    assert [spot.size for spot in spots] == pytest.approx([100], rel=0.01)


@pytest.mark.parametrize(
    ("across", "size"), [(190, (1280, 960)), (400, (1280, 960)), (9, (320, 240))]
)
def test_one_look_is_enough_at_large_dice_and_at_small_pictures(across, size):
    spots, areas = looked_at(across, size)
    assert len(areas) == 1
    assert [spot.size for spot in spots] == pytest.approx([across], rel=0.01)


def test_a_bag_of_dice_in_one_picture_is_found_to_the_last():
    def net(pictures):
        _, _, high, wide = pictures.shape
        maps = np.full((1, 4, high // CELL, wide // CELL), -9.0, np.float32)
        maps[0, 1], maps[0, 2:] = np.log(20.0), 0.0
        maps[0, 0, 3::6, 3::6] = 2.0
        return maps

    spots = Locator(net).find(Levels(np.zeros((224, 256, 3), np.uint8)))
    assert len(spots) == 9 * 11


def test_the_mat_whose_scale_is_known_takes_one_look(monkeypatch):
    reader, shown = DiceReader(), []
    net = reader._locator._net
    monkeypatch.setattr(reader._locator, "_net", lambda x: shown.append(x.shape) or net(x))
    reader.read(table((6, 62.0, -24.0, {})), alone=True)
    assert shown == [(1, 3, 224, 416)]


def test_what_is_too_small_to_be_seen_at_first_is_looked_for_in_a_larger_picture():
    spots, (first, second) = looked_at(0)
    assert second > 2 * first
    assert not spots


def test_the_mat_is_found_with_a_hidden_tag_and_followed_with_two():
    tracker, view = MatTracker(), mats.view()
    whole = tracker.find(table(view=view))
    assert tracker.find(table(view=view, cover=(44,))) is whole
    assert tracker.find(table(view=view, cover=(44, 46))) is whole
    assert tracker.find(table(view=view, cover=(44, 45, 46, 47))) is None
    assert tracker.find(table(view=view, cover=(44, 46))) is None
    assert tracker.find(table(view=view, cover=(44,))) is not None


def test_the_mat_is_seen_to_move():
    tracker = MatTracker()
    first, second = (tracker.find(table(view=mats.view(tilt=t))) for t in (10.0, 24.0))
    assert np.linalg.norm(first.eye - second.eye) > 100.0


def test_the_mat_is_kept_when_the_light_changes_and_not_when_it_is_nudged():
    tracker, picture = MatTracker(), table()
    first = tracker.find(picture)
    dim = (picture * 0.4 + 10).astype(np.uint8)
    assert tracker.find(dim) is first
    nudged = np.roll(picture, 5, axis=1)
    (shift,) = tracker.find(nudged).pixels(np.zeros((1, 3))) - first.pixels(np.zeros((1, 3)))
    assert shift == pytest.approx([5.0, 0.0], abs=0.3)


@pytest.mark.parametrize(
    ("x", "y", "margin", "tray"),
    [(-80, 0, 0, "yellow"), (139, 59, 0, "black"), (139, 0, 8, None), (0, 0, 0, None)],
)
def test_trays_are_where_the_mat_has_them(x, y, margin, tray):
    assert tray_at(x, y, margin) == tray


def test_path_traced_tables_are_read(reader, shared):
    count = right = 0
    for kind in ("dice", "dice-odd"):
        for path in sorted((shared / "scenes" / kind).glob("*.jpg"))[:8]:
            truth = json.loads(path.with_suffix(".json").read_text())["dice"]
            values = {(d["tray"], d["value"]) for d in truth if d["value"]}
            seen = set(read(reader, cv2.imread(str(path))))
            assert seen <= values
            count, right = count + len(values), right + len(seen)
    assert right >= 0.85 * count


def test_photographs_are_read(reader, shared):
    right = wrong = dice = 0
    for source in ("byler", "damian", "penlington"):
        folder = shared / "photos" / source
        labels = json.loads((folder / "labels.json").read_text())
        for name in sorted(labels)[:2]:
            seen = sorted(
                d.value for d in reader.read(cv2.imread(str(folder / name)), alone=True) if d.sure
            )
            truth = sorted(d["value"] for d in labels[name])
            dice += len(truth)
            right += sum(min(seen.count(v), truth.count(v)) for v in range(1, 7))
            wrong += len(seen) - sum(min(seen.count(v), truth.count(v)) for v in range(1, 7))
    assert right >= 0.6 * dice
    assert wrong <= 0.03 * dice


def test_the_command_tells_dice_without_a_board(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "mat.png"), table((5, -80.0, 0.0, {}), (2, 0.0, 60.0, {"up": 0.0})))
    path, drawn = str(tmp_path / "mat.png"), tmp_path / "drawn"
    assert main(["see", "--dice", path, "--json", "--draw", str(drawn)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line.keys() == {"image", "dice"}
    keys = ["value", "sure", "confidence", "box", "tray", "why"]
    assert all(list(die) == keys for die in line["dice"])
    told = {
        (die["value"], die["tray"], die["sure"] == (die["why"] is None)) for die in line["dice"]
    }
    assert told == {(5, "yellow", True), (None, None, True)}
    assert (cv2.imread(str(drawn / "mat.png")) != cv2.imread(path)).any()
    assert main(["see", "--dice", path]) == 0
    words = capsys.readouterr().out
    assert "die in the yellow tray" in words
    assert WHY_WORDS["off-tray"] in words


def test_with_a_board_both_are_told(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "mat.png"), table())
    path = str(tmp_path / "mat.png")
    assert main(["see", "--dice", "--board", "autoscooter", path, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["dice"], line["pose"]) == ([], "no-board")


def test_that_there_are_no_dice_is_said(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "mat.png"), table())
    assert main(["see", "--dice", str(tmp_path / "mat.png")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  no dice"


def test_without_the_runtime_vision_works_and_dice_say_what_to_install(tmp_path):
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('no such module')")
    picture = tmp_path / "mat.png"
    cv2.imwrite(str(picture), table())
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import tableref_vision.reader; "
        f"from tableref.cli import main; sys.exit(main(['see', '--dice', {str(picture)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'onnxruntime" in done.stderr


def test_a_damaged_weight_file_is_one_clear_error(tmp_path):
    (tmp_path / "net.onnx").write_bytes(b"rubbish")
    with pytest.raises(WeightsError, match=r"net\.onnx"):
        Net(tmp_path / "net.onnx")


def test_the_reader_that_ships_is_in_whole_numbers():
    assert b"QLinearConv" in (WEIGHTS / "reader.onnx").read_bytes()


def test_weight_files_are_small():
    assert sum(file.stat().st_size for file in WEIGHTS.glob("*.onnx")) < 2_000_000
