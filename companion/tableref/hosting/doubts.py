"""What a table has learnt of dice that were misread stays for its next game."""

from __future__ import annotations

from tableref.referee.desk import Feedback


class DiceDoubts:
    """An outlet that writes into the configuration up to which confidence dice are asked about."""

    def __init__(self, asks: float) -> None:
        """`asks`: what stands there now."""
        self._asks = asks

    def tell(self, feedback: Feedback) -> None:
        """Writes it where it has changed. ConfigError"""
        if feedback.table is None or feedback.table.mat.asks == self._asks:
            return
        from tableref.devices.config import remember

        remember("dice", {"asks": feedback.table.mat.asks})
        self._asks = feedback.table.mat.asks
