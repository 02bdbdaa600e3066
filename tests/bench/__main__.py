"""Runs every module of this folder that has `run()`, which gives lines, one after the other.

Names on the command line choose some of them. What a module cannot measure here, it says itself;
a module whose imports are missing is skipped by name.
"""

from __future__ import annotations

import importlib
import pkgutil
import platform
import sys

from tests import bench


def main(names: list[str]) -> int:
    """Prints the lines of each module. 1 where a name is none of them, or one went wrong."""
    known = sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    known.remove("__main__")
    for name in names:
        if name not in known:
            print(f"there is no measurement {name!r}; there are {', '.join(known)}")
            return 1
    print(f"Python {platform.python_version()}, {platform.machine()}")
    failed = 0
    for name in names or known:
        try:
            run = getattr(importlib.import_module(f"tests.bench.{name}"), "run", None)
        except ModuleNotFoundError as error:
            print(f"\n{name}: skipped, {error.name} is not installed")
            continue
        if run is None:
            continue
        print(f"\n{name}")
        try:
            for line in run():
                print(f"  {line}", flush=True)
        except (OSError, RuntimeError, AssertionError) as error:
            print(f"  not measured: {error!r}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
