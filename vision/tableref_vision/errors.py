"""What can go wrong between a lens and an observation, as errors whose text is for people."""

from __future__ import annotations


class VisionError(Exception):
    """The eye cannot work; the message says what happened, where, and what to do."""


class MissingOpenCV(VisionError, ImportError):
    """OpenCV or NumPy is not installed, or does not fit this Python."""


class CalibrationError(VisionError, ValueError):
    """A calibration cannot be made, read, or used for this camera."""


class CameraError(VisionError, OSError):
    """A camera gives no pictures."""


class PictureError(CameraError, ValueError):
    """A picture file cannot be read."""


class CameraMissing(CameraError):
    """There is no such camera, or its driver is not installed."""


class CameraBusy(CameraError):
    """Another program holds the camera."""


class CameraLost(CameraError):
    """The camera went away while it was in use."""


class CameraBlack(CameraError):
    """The camera gives empty or black pictures."""


class CameraFormat(CameraError):
    """The camera gives pictures of a shape or type that is not B, G, R in bytes."""


class FrameMissing(CameraError):
    """The frame after which a source of pictures should go on is not among them."""


class UnknownCamera(CameraError):
    """A camera was asked for in words that name none."""
