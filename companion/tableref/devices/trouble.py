"""Errors of devices: what happened, and what to do about it."""

from __future__ import annotations

from tableref.errors import UserError


class DeviceError(UserError):
    """A device cannot be used: `what` happened, and the `advice` that cures it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}. {advice}")
        self.what, self.advice = what, advice
