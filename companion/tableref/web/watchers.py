"""Who wants to know when something that a page shows has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Watchers:
    """They come and go, and are called, from any thread."""

    def __init__(self) -> None:
        self._all: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def add(self, changed: Callable[[], object]) -> Callable[[], None]:
        """Calls `changed` after each change, until what is returned is called."""
        with self._lock:
            self._all.append(changed)

        def stop() -> None:
            with self._lock:
                self._all.remove(changed)

        return stop

    def call(self) -> None:
        """Something has changed. Nobody is called under a lock."""
        with self._lock:
            watchers = tuple(self._all)
        for watcher in watchers:
            watcher()
