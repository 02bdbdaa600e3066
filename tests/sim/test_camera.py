"""The virtual camera projects as a pinhole with a lens does, at every height."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref.sim.camera import Camera, Canvas


def straight(**faults):
    return Camera((0.0, 0.0, 700.0), (0.0, 0.0, 0.0), **faults)


def one(camera, x, y, z):
    return camera.project(np.array([(x, y, z)], dtype=float))[0]


def test_what_the_camera_looks_at_is_in_the_middle():
    assert one(straight(k1=-0.06), 0, 0, 0) == pytest.approx((639.5, 359.5))


def test_north_is_up_and_east_is_right_when_up_is_north():
    x, y = one(straight(), 100, 100, 0)
    assert x > 640
    assert y < 360


def test_what_stands_higher_is_farther_from_the_middle():
    low, high = (one(straight(), 150, 0, z)[0] - 639.5 for z in (20.0, 33.3))
    assert high / low == pytest.approx((700 - 20) / (700 - 33.3))


def test_a_barrel_draws_corners_in_by_the_cube_of_their_distance():
    free, barrel = (one(straight(k1=k1), 200, 0, 0)[0] - 639.5 for k1 in (0.0, -0.06))
    radius = free / straight().focal
    assert barrel == pytest.approx(free * (1 - 0.06 * radius**2))


cameras = st.builds(
    Camera.above,
    st.floats(600, 750),
    st.floats(0, 30),
    st.floats(-180, 180),
    st.floats(-180, 180),
    k1=st.floats(-0.06, 0.02),
)


@given(cameras)
def test_the_whole_plate_is_in_the_picture_from_everywhere(camera):
    corners = np.array([(x, y, 20.0) for x in (-185, 185) for y in (-185, 185)])
    pixels = camera.project(corners)
    assert (pixels > 0).all()
    assert (pixels < (1280, 720)).all()


@given(cameras, st.floats(0, 60))
def test_planes_are_laid_where_points_are_projected(camera, height):
    canvas = Canvas(replace(camera, size=(64, 36)))
    places = np.array([(-100.0, 60.0), (80.0, 10.0), (0.0, -150.0)])
    laid = canvas.homography(height) @ np.column_stack((places, np.ones(3))).T
    points = np.column_stack((places, np.full(3, height)))
    assert canvas.project(points) == pytest.approx((laid[:2] / laid[2]).T)


def test_a_tilt_lifts_the_camera_off_the_vertical_by_as_much():
    x, y, z = Camera.above(700, tilt=25, side=180).origin
    assert math.degrees(math.atan2(math.hypot(x, y), z)) == pytest.approx(25)
    assert x < 0
    assert y == pytest.approx(0)


def test_a_bump_moves_the_picture_the_other_way():
    before, after = (one(c, 0, 0, 20) for c in (straight(), straight().bumped(10, 0)))
    assert after[0] < before[0] - 5
    assert after[1] == pytest.approx(before[1])


@pytest.fixture(scope="module")
def canvas():
    return Canvas(straight(k1=-0.05))


def test_the_lens_map_takes_each_pixel_from_where_it_would_be_without_lens(canvas):
    point = np.array([(170.0, -120.0, 20.0)])
    x, y = np.round(canvas.camera.project(point)[0]).astype(int)
    assert canvas.lens[0][y, x] == pytest.approx(canvas.project(point)[0], abs=1.5)
