"""What people type to a command while it runs."""

from __future__ import annotations

import io
import sys
from typing import TextIO


def typed() -> TextIO:
    """Standard input as lines: none where it was closed, and what is no text replaced."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or io.StringIO()
