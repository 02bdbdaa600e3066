"""Where the board lies in the picture, from frame to frame.

A view that the corner tags tell well enough is taken; while tags are covered it is carried on as
long as one of them confirms it; it is dropped, and that is said, when camera or board has moved.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from tableref_hardware import Board, CornerTag
from tableref_vision.opencv import Points, np
from tableref_vision.tags import Found
from tableref_vision.view import Lens, View, fit_view, tag_corners

# Pixels are those of a 1280 x 720 picture; larger pictures allow more.
DIAGONAL = 1469.0
FIT_ERROR = 1.0  # px
MOVED = 5.0  # px: more than this, and camera or board was bumped
STEADY = 0.4  # px: a view that fits this well is kept as it is, and all that was made from it
CONFIRMED = 3.0  # px: one or two tags this close to where they must be confirm a carried view
DOUBT = 5.0  # mm that the board's rim may be off for a view to be taken
# Two tags bend with a lens that is not known well, and then the far side of the board is off.
FOCAL_KNOWN, DOUBT_OF_TWO = 0.03, 4.0
# What earlier frames of the same camera told about its lens is never believed beyond this.
FOCAL_FLOOR, K1_FLOOR = 0.01, 0.01


class BoardTracker:
    """Follows one board through the frames of one camera."""

    def __init__(self, board: Board, lens: Lens | None = None) -> None:
        """`lens`: what a calibration says; it is kept, where else frames teach what they can."""
        self._tags = {tag.id: tag for tag in board.corner_tags}
        x, y = board.plate.width / 2, board.plate.depth / 2
        self._rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
        self._calibrated = lens
        self._lens: Lens | None = lens
        self._view: View | None = None
        self._told_by = 0  # tags, the view

    def follow(self, width: int, height: int, found: Found) -> tuple[str, View | None]:
        """The code of `Observation.pose` for a picture of this size with these tags, and the
        view, where the code is "ok"."""
        lens = self._lens_for(width, height)
        if lens is None:
            return "other-camera", None
        scale = max(1.0, float(np.hypot(width, height)) / DIAGONAL)
        tags = {tag: found.tags[i] for i, tag in self._tags.items() if i in found.tags}
        if not tags:
            return ("same-tag-twice" if self._is_double(found) else "no-board"), None
        drift = self._drift(tags) / scale
        if drift > MOVED:
            self._view = None
            return "bumped", None
        if self._view is not None and drift < STEADY and len(tags) <= self._told_by:
            return "ok", self._view
        if len(tags) < 3 and self._view is not None:
            return ("ok", self._view) if drift < CONFIRMED else ("few-corners", None)
        if len(tags) == 1 or (len(tags) == 2 and lens.focal_spread > FOCAL_KNOWN):
            return ("same-tag-twice" if self._is_double(found) else "few-corners"), None
        view = self._fit(tags, lens, FIT_ERROR * scale)
        if view is None:
            return "bad-fit", None
        if view.doubt > (DOUBT if len(tags) > 2 else DOUBT_OF_TWO):
            return ("same-tag-twice" if self._is_double(found) else "few-corners"), None
        self._view, self._told_by = view, len(tags)
        self._learn(view.lens)
        return "ok", view

    def _is_double(self, found: Found) -> bool:
        return not found.twice.isdisjoint(self._tags)

    def _lens_for(self, width: int, height: int) -> Lens | None:
        """What is known of the lens, for pictures of this size; None where it is another's."""
        if self._lens is None or (not self._calibrated and self._lens.size != (width, height)):
            self._lens, self._view = Lens.unknown(width, height), None
        return self._lens.resized(width, height)

    def _drift(self, tags: dict[CornerTag, Points]) -> float:
        """Median distance in px of the tags' corners from where the carried view has them."""
        if self._view is None:
            return 0.0
        corners = [tag_corners(tag, self._view.bleed) for tag in tags]
        expected = self._view.pixels(np.concatenate(corners))
        return float(np.median(np.linalg.norm(np.concatenate([*tags.values()]) - expected, axis=1)))

    def _fit(self, tags: dict[CornerTag, Points], lens: Lens, limit: float) -> View | None:
        """The view of all tags, or of three of the four where one of them is not where it must be,
        as with a finger on its edge."""
        view = fit_view(tags, lens, self._rim)
        if (view is None or view.error > limit) and len(tags) > 3:
            fits = [
                fit_view({t: tags[t] for t in some}, lens, self._rim)
                for some in combinations(tags, 3)
            ]
            view = min((fit for fit in fits if fit), key=lambda fit: fit.error, default=None)
        return view if view is not None and view.error <= limit else None

    def _learn(self, lens: Lens) -> None:
        if self._calibrated is None:
            self._lens = replace(
                lens,
                focal_spread=max(lens.focal_spread, FOCAL_FLOOR),
                k1_spread=max(lens.k1_spread, K1_FLOOR),
            )
