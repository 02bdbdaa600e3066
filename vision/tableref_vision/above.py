"""A board or a mat from straight above, as a picture of nothing else."""

from __future__ import annotations

from tableref_vision.errors import VisionError
from tableref_vision.opencv import Picture, cv2, np
from tableref_vision.view import View


def from_above(image: Picture, view: View, width: float, depth: float, scale: float) -> Picture:
    """The plate of this width and depth (mm) around the origin of the view's frame, north up, at
    `scale` px a mm; what the camera did not see is grey."""
    x, y = width / 2, depth / 2
    ring = np.array([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])
    wide, high = round(width * scale), round(depth * scale)
    frame = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(view.pixels(ring).astype(np.float32), frame)
    flat = cv2.warpPerspective(
        image, move, (wide, high), flags=cv2.INTER_LINEAR, borderValue=(128, 128, 128)
    )
    return np.asarray(flat, np.uint8)


def jpeg(picture: Picture, quality: int = 75) -> bytes:
    """The picture (h, w, 3) as a JPEG. VisionError where OpenCV makes none."""
    made, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not made:
        raise VisionError("OpenCV cannot write a JPEG")
    return bytes(data)
