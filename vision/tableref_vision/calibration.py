"""A camera's lens, measured once from pictures of a printed sheet, and kept in a file.

The sheet is the ChArUco board of `tableref_hardware.chessboard`; the fit is OpenCV's (Zhang 2000,
"A flexible new technique for camera calibration"). The size of the sheet does not matter to a
lens, only its shape; still a sheet that came out of the printer at another size says that tags
printed the same day did too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tableref_hardware import chessboard
from tableref_hardware.files import FileError, read_json
from tableref_hardware.reading import Section
from tableref_vision.camera import Frame
from tableref_vision.errors import CalibrationError
from tableref_vision.opencv import Points, cv2, np
from tableref_vision.view import Lens

FORMAT = "table-calibration/1"
VIEWS = 8  # pictures of the sheet that are needed
CORNERS = 20  # inner corners of the sheet that a picture must show
MOVED = 0.04  # of the picture's width that the sheet must move for a picture to tell more
ERROR = 1.0  # px, root mean square, of a fit that can be used
FOCAL_UNSURE = 0.03  # of the focal length: more, and the sheet was not tilted enough
FOCAL_FLOOR, K1_FLOOR = 0.003, 0.005  # a lens warms up; it is never known better
LARGEST = 20_000  # px of a picture's side
LONGEST = 1e6  # px of a focal length
BENT = 100.0  # more than any lens's k1 and k2
SMALLEST_SPREAD = 1e-6
SHEET_SLACK = 0.01  # of its length that the sheet's ruler may be off


@dataclass(frozen=True, slots=True)
class Calibration:
    """The lens of the camera with this name, the fit's error in px, from how many pictures."""

    lens: Lens
    camera: str = ""
    error: float = 0.0
    pictures: int = 0

    def save(self, path: Path) -> None:
        """Write this calibration as JSON. CalibrationError"""
        record = {"format": FORMAT, **asdict(self)}
        try:
            path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise CalibrationError(
                f"{path}: cannot be written ({error.strerror or error})"
            ) from error

    @staticmethod
    def load(path: Path, camera: str | None = None) -> Calibration:
        """The calibration in this file, made with `camera` where that is told. CalibrationError"""
        try:
            record = read_json(path)
            if not isinstance(record, dict) or record.get("format") != FORMAT:
                raise FileError(f"{path}: is no calibration ({FORMAT})")
            told = Section(str(path), "", record)
            calibration = Calibration(
                lens=_lens(told.section("lens")),
                camera=told.text("camera", default=""),
                error=told.number("error", 0.0) if "error" in told else 0.0,
                pictures=told.integer("pictures", 0) if "pictures" in told else 0,
            )
        except FileError as error:
            raise CalibrationError(f"{error}; calibrate again") from error
        if camera is not None and calibration.camera != camera:
            raise CalibrationError(
                f"{path}: was made with camera {calibration.camera!r}, not with {camera!r}; "
                "calibrate this one"
            )
        return calibration


def _lens(section: Section) -> Lens:
    """The lens as it was written down. FileError where no camera has such a one."""

    def shift(key: str) -> float:
        return section.number(key, -LARGEST, LARGEST) if key in section else 0.0

    return Lens(
        width=section.integer("width", 1, LARGEST),
        height=section.integer("height", 1, LARGEST),
        focal=section.number("focal", 1.0, LONGEST),
        k1=section.number("k1", -BENT, BENT),
        focal_spread=section.number("focal_spread", SMALLEST_SPREAD, 1.0),
        k1_spread=section.number("k1_spread", SMALLEST_SPREAD, 1.0),
        k2=section.number("k2", -BENT, BENT) if "k2" in section else 0.0,
        shift_x=shift("shift_x"),
        shift_y=shift("shift_y"),
    )


def check_ruler(measured: float) -> None:
    """Raise CalibrationError where the sheet's ruler, printed as 100 mm, measures otherwise."""
    if not abs(measured / 100.0 - 1.0) <= SHEET_SLACK:
        raise CalibrationError(
            f"the sheet was printed at {measured:.0f} % of its size; print it again at 100 % "
            "(no 'fit to page'), and the tags that came from the same printer too"
        )


class SheetViews:
    """Collects pictures of the sheet that tell something new."""

    def __init__(self) -> None:
        kind = cv2.aruco.getPredefinedDictionary(
            getattr(cv2.aruco, f"DICT_{chessboard.DICTIONARY}")
        )
        self._sheet = cv2.aruco.CharucoBoard(
            (chessboard.COLUMNS, chessboard.ROWS), chessboard.SQUARE, chessboard.MARKER, kind
        )
        self._detector = cv2.aruco.CharucoDetector(self._sheet)
        self._corners = np.asarray(self._sheet.getChessboardCorners(), np.float32).reshape(-1, 3)
        self._size: tuple[int, int] | None = None
        self._seen: list[dict[int, Points]] = []  # number of a corner -> px (2,)

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, frame: Frame) -> bool:
        """Whether this picture shows the sheet anew. CalibrationError where its size is another."""
        height, width = frame.image.shape[:2]
        if self._size not in (None, (width, height)):
            raise CalibrationError(
                f"{frame.name}: is {width} x {height}, other pictures are not; "
                "calibrate with pictures of one camera at one size"
            )
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        pixels, ids, _, _ = self._detector.detectBoard(grey)
        if ids is None or len(np.ravel(ids)) < CORNERS:
            return False
        places = np.asarray(pixels, np.float64).reshape(-1, 2)
        view = {int(i): place for i, place in zip(np.ravel(ids), places, strict=True)}
        for other in self._seen:
            moves = [np.linalg.norm(view[i] - other[i]) for i in view.keys() & other.keys()]
            if moves and max(moves) < MOVED * width:
                return False
        self._size = width, height
        self._seen.append(view)
        return True

    def calibrate(self, camera: str = "") -> Calibration:
        """The lens that fits all pictures. CalibrationError where they do not tell it."""
        if self._size is None or len(self._seen) < VIEWS:
            raise CalibrationError(
                f"{len(self._seen)} pictures show the sheet from places of their own; "
                f"{VIEWS} are needed, tilted to all sides and into the picture's corners"
            )
        width, height = self._size
        lens = Lens.unknown(width, height)
        error, matrix, distortion, _, _, spreads, *_ = cv2.calibrateCameraExtended(
            [self._corners[list(view)] for view in self._seen],
            [np.array([*view.values()], np.float32) for view in self._seen],
            self._size,
            lens.matrix,
            np.zeros(5),
            flags=cv2.CALIB_USE_INTRINSIC_GUESS
            | cv2.CALIB_FIX_ASPECT_RATIO
            | cv2.CALIB_ZERO_TANGENT_DIST
            | cv2.CALIB_FIX_K3,
        )
        focal, spread, bend = float(matrix[0, 0]), np.ravel(spreads), np.ravel(distortion)
        if not math.isfinite(error) or error > ERROR:
            raise CalibrationError(
                f"the pictures fit no lens (off by {error:.1f} px): lay the sheet flat on a board, "
                "hold it still, and see that the pictures are sharp"
            )
        if spread[0] / focal > FOCAL_UNSURE:
            raise CalibrationError(
                "the focal length stays unsure: tilt the sheet more, to all four sides"
            )
        return Calibration(
            Lens(
                width,
                height,
                focal,
                float(bend[0]),
                max(float(spread[0]) / focal, FOCAL_FLOOR),
                max(float(spread[4]), K1_FLOOR),
                k2=float(bend[1]),
                shift_x=float(matrix[0, 2]) - (width - 1) / 2,
                shift_y=float(matrix[1, 2]) - (height - 1) / 2,
            ),
            camera,
            round(float(error), 3),
            len(self._seen),
        )


def calibrate(frames: Iterable[Frame], camera: str = "") -> Calibration:
    """The lens of the camera that took these pictures of the sheet. CalibrationError"""
    views = SheetViews()
    for frame in frames:
        views.add(frame)
    return views.calibrate(camera)
