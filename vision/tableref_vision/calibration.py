"""What is known of a camera's lens beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from tableref_vision.view import Lens


@dataclass(frozen=True, slots=True)
class Calibration:
    """The lens of one camera."""

    lens: Lens
