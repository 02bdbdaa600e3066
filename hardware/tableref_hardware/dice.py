"""How large dice are, in mm of their edge."""

from __future__ import annotations

USUAL = 16.0
"""Until it is measured or told."""
SMALLEST, LARGEST = 12.0, 25.0
"""What the reader of dice knows."""
