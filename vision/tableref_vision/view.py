"""How the camera sees the board: lens and pose, fitted to the board's own corner tags.

The model is a pinhole with one term of radial distortion (Brown 1966), fitted by Gauss-Newton on
the tags' corners (Triggs et al. 2000, "Bundle adjustment - a modern synthesis"). A board seen
from straight above says little about focal length and lens, so both have a prior: where nothing
is known that of cameras one can buy, later what earlier frames or a calibration have told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tableref_hardware import CornerTag
from tableref_vision.opencv import Points, cv2, np

SQUARE = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
"""Corners of a square of side 2 in the order of a tag's corners: x east, y north."""

FOCAL = 0.755  # of the picture's diagonal: 60 degrees across at 16:9
FOCAL_SPREAD = 0.12  # of the focal length: 54 to 68 degrees are within one spread
K1_SPREAD = 0.1
CORNER_SPREAD = 0.3  # px
BLEED_SPREAD = 0.6  # mm
STEPS = 12


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's inside: picture size in px, focal length in px, radial distortion k1 and k2.

    `focal_spread` (of the focal length) and `k1_spread` say how well the two are known, as one
    standard deviation. The optical axis goes through the picture's middle unless a calibration
    says otherwise (`shift_x`, `shift_y` in px).
    """

    width: int
    height: int
    focal: float
    k1: float
    focal_spread: float
    k1_spread: float
    k2: float = 0.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    @staticmethod
    def unknown(width: int, height: int) -> Lens:
        """What is known of a camera about which nothing is known."""
        return Lens(
            width, height, FOCAL * float(np.hypot(width, height)), 0.0, FOCAL_SPREAD, K1_SPREAD
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.width, self.height

    def resized(self, width: int, height: int) -> Lens | None:
        """The same lens for pictures of this size; None where their shape is another."""
        scale = width / self.width
        if abs(self.height * scale - height) > 1.0:
            return None
        return replace(
            self,
            width=width,
            height=height,
            focal=self.focal * scale,
            shift_x=self.shift_x * scale,
            shift_y=self.shift_y * scale,
        )

    @property
    def matrix(self) -> Points:
        """The camera matrix (3, 3)."""
        x = (self.width - 1) / 2 + self.shift_x
        y = (self.height - 1) / 2 + self.shift_y
        return np.array([[self.focal, 0.0, x], [0.0, self.focal, y], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> Points:
        """OpenCV's k1, k2, p1, p2."""
        return np.array([self.k1, self.k2, 0.0, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A lens, and how the board lies before it.

    `turn` (3,) is the rotation vector and `shift` (3,) the translation in mm from the board's
    frame to the camera's. Blur and overexposure let white eat `bleed` mm into each side of a
    black square. `error` is the root mean square distance in px between fit and corners, `doubt`
    how far in mm (one standard deviation) the farthest point of the board may be off.
    """

    lens: Lens
    turn: Points
    shift: Points
    bleed: float
    error: float
    doubt: float

    def pixels(self, points: Points) -> Points:
        """Board points (n, 3) in mm -> pixels (n, 2)."""
        seen = points @ cv2.Rodrigues(self.turn)[0].T + self.shift
        plain = seen[:, :2] / seen[:, 2:]
        square = np.sum(plain**2, axis=1, keepdims=True)
        bent = plain * (1.0 + square * (self.lens.k1 + square * self.lens.k2))
        matrix = self.lens.matrix
        return np.asarray(bent * self.lens.focal + matrix[:2, 2], np.float64)

    @property
    def eye(self) -> Points:
        """Where the camera is (3,) in mm in the board's frame."""
        return np.asarray(-cv2.Rodrigues(self.turn)[0].T @ self.shift, np.float64)

    def on_plane(self, pixels: Points, height: float) -> Points:
        """Pixels (n, 2) -> x, y (n, 2) in mm where their rays meet the plane at this height."""
        plain = cv2.undistortPoints(
            np.asarray(pixels, np.float64).reshape(-1, 1, 2), self.lens.matrix, self.lens.distortion
        ).reshape(-1, 2)
        rotation = cv2.Rodrigues(self.turn)[0]
        eye = self.eye
        rays = np.column_stack([plain, np.ones(len(plain))]) @ rotation
        along = (height - eye[2]) / rays[:, 2:]
        return np.asarray(eye[:2] + rays[:, :2] * along, np.float64)


def fit_view(tags: Mapping[CornerTag, Points], lens: Lens, rim: Points) -> View | None:
    """The view in which these corner tags, each with its corners (4, 2) in px, lie on the board.

    `rim` (n, 3) are the outermost points of the board in mm, for which `View.doubt` is told.
    None where no view fits at all: OpenCV finds no pose, or only one from below the board.
    """
    corners = np.concatenate([tag_corners(tag) for tag in tags])
    outward = np.tile(np.column_stack([SQUARE, np.zeros(4)]), (len(tags), 1))
    pixels = np.concatenate(list(tags.values()))
    found, turn, shift = cv2.solvePnP(
        corners, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return None
    state, spread = _refined(corners, outward, pixels, lens, np.ravel(turn), np.ravel(shift))
    if not np.isfinite(state).all():
        return None
    turn, shift, bleed = state[:3], state[3:6], float(state[8])
    fitted = _lens(lens, state, float(np.sqrt(spread[6, 6])), float(np.sqrt(spread[7, 7])))
    points, _ = _project(fitted, turn, shift, corners - outward * bleed)
    error = float(np.sqrt(np.mean(np.sum((pixels - points) ** 2, axis=1))))
    if (-cv2.Rodrigues(turn)[0].T @ shift)[2] <= 0:
        return None
    return View(fitted, turn, shift, bleed, error, _doubt(fitted, state, spread, rim))


def _doubt(lens: Lens, state: Points, spread: Points, rim: Points) -> float:
    """The largest standard deviation in mm of the rim's points, from that of the state."""
    points, slope = _slope(lens, state, rim, np.zeros_like(rim))
    pixels = np.sqrt(np.einsum("ij,jk,ik->i", slope, spread, slope).reshape(-1, 2).sum(axis=1))
    scale = np.linalg.norm(np.roll(points, 1, 0) - points) / np.linalg.norm(
        np.roll(rim, 1, 0) - rim
    )
    return float(pixels.max() / scale)


def tag_corners(tag: CornerTag, bleed: float = 0.0) -> Points:
    """The corners (4, 3) of this tag's black square in mm, in the order of `Found.tags`, as they
    are left by `View.bleed`."""
    return np.column_stack([SQUARE * (tag.square / 2 - bleed) + (tag.x, tag.y), np.zeros(4)])


def _refined(
    corners: Points, outward: Points, pixels: Points, lens: Lens, turn: Points, shift: Points
) -> tuple[Points, Points]:
    """Gauss-Newton over turn, shift, log focal length, k1 and bleed, the last three with priors.

    The state (9,) and its covariance (9, 9); not finite where the steps ran away.
    """
    believed = np.array([np.log(lens.focal), lens.k1, 0.0])
    weight = 1.0 / np.array([lens.focal_spread, lens.k1_spread, BLEED_SPREAD])
    priors = np.hstack([np.zeros((3, 6)), np.diag(weight)])
    state = np.concatenate([turn, shift, believed])
    for _ in range(STEPS):
        points, slope = _slope(lens, state, corners, outward)
        rows = np.vstack([slope / CORNER_SPREAD, priors])
        wrong = np.concatenate(
            [(pixels - points).ravel() / CORNER_SPREAD, weight * (believed - state[6:])]
        )
        if not np.isfinite(rows).all() or not np.isfinite(wrong).all():
            return np.full(9, np.nan), np.full((9, 9), np.nan)
        step = np.linalg.lstsq(rows, wrong, rcond=None)[0]
        state = state + step
        if np.abs(step).max() < 1e-6:
            break
    return state, np.linalg.pinv(rows.T @ rows)


def _lens(lens: Lens, state: Points, focal_spread: float, k1_spread: float) -> Lens:
    return replace(
        lens,
        focal=float(np.exp(state[6])),
        k1=float(state[7]),
        focal_spread=focal_spread,
        k1_spread=k1_spread,
    )


def _slope(lens: Lens, state: Points, corners: Points, outward: Points) -> tuple[Points, Points]:
    """Pixels (n, 2) of the corners in this state, and their slope (2n, 9)."""
    now = _lens(lens, state, lens.focal_spread, lens.k1_spread)
    turn, shift, bleed = state[:3], state[3:6], state[8]
    points, slope = _project(now, turn, shift, corners - outward * bleed)
    nudge = 0.01  # mm
    bled, _ = _project(now, turn, shift, corners - outward * (bleed + nudge))
    by_focal = slope[:, 6:8].sum(axis=1, keepdims=True) * now.focal  # per log focal length
    by_bleed = ((bled - points) / nudge).reshape(-1, 1)
    return points, np.hstack([slope[:, :6], by_focal, slope[:, 10:11], by_bleed])


def _project(lens: Lens, turn: Points, shift: Points, points: Points) -> tuple[Points, Points]:
    """Pixels (n, 2), and OpenCV's slope of them: 3 turn, 3 shift, 2 focal, 2 middle, 4 lens."""
    pixels, slope = cv2.projectPoints(
        np.ascontiguousarray(points, np.float64), turn, shift, lens.matrix, lens.distortion
    )
    return np.asarray(pixels, np.float64).reshape(-1, 2), np.asarray(slope, np.float64)
