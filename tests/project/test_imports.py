"""Who may import whom (docs/architecture.md)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {
    "tableref": ROOT / "companion" / "tableref",
    "tableref_vision": ROOT / "vision" / "tableref_vision",
    "tableref_hardware": ROOT / "hardware" / "tableref_hardware",
    "tableref_firmware": ROOT / "firmware" / "tableref_firmware",
}
EVERYTHING = {"rules", "rulebook", "devices", "referee", "sim", "web", "commands", "printing"}
EVERYTHING |= {"doctor", "hosting", "appliance", "updating", "hub"}
EVERYTHING |= {
    "cli",
    "durable",
    "errors",
    "",
    "tableref_vision",
    "tableref_hardware",
    "tableref_firmware",
}
ALLOWED = {
    "rules": set(),
    "tableref_hardware": set(),
    "tableref_firmware": set(),
    "tableref_vision": {"tableref_hardware"},
    "rulebook": {"rules"},
    "devices": {"tableref_hardware", "tableref_firmware", "durable", "errors", ""},
    "referee": {
        "rules", "rulebook", "devices", "tableref_vision", "tableref_hardware", "durable",
        "errors", "",
    },
    "hosting": {
        "rules", "rulebook", "devices", "referee", "tableref_vision", "tableref_hardware",
        "durable", "errors", "",
    },
    "appliance": {
        "rules", "rulebook", "devices", "referee", "hosting", "doctor", "updating",
        "tableref_vision", "tableref_hardware", "durable", "errors", "",
    },
    "updating": {"durable", "errors", ""},
    "doctor": {"devices", "tableref_hardware", "tableref_firmware", "errors", ""},
    "durable": set(),
    "errors": set(),
    "": set(),
    "cli": {"errors", "faults", ""},
    "faults": {""},
    "__main__": {"cli"},
    "hub": {"devices", "hosting", "rulebook", "web", "errors", ""},
    "sim": EVERYTHING,
    "web": EVERYTHING,
    "commands": EVERYTHING,
    "printing": EVERYTHING,
}  # fmt: skip
"""Layer -> layers that it may import besides itself; the layer "" is `tableref/__init__.py`."""


def modules() -> list[tuple[str, Path]]:
    """Every module of ours with its layer."""
    found = []
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            found.append((layer_of(package, path.relative_to(folder).with_suffix("").parts), path))
    return found


def layer_of(package: str, parts: tuple[str, ...]) -> str:
    """The layer of a module; of `tableref` it is the first folder or module below."""
    if package != "tableref":
        return package
    return "" if not parts or parts[0] == "__init__" else parts[0]


def imported(path: Path) -> set[str]:
    """Full names of the modules of ours that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.split(".")[0] in PACKAGES}


@pytest.mark.parametrize(("layer", "path"), modules(), ids=lambda x: getattr(x, "name", x))
def test_a_layer_imports_only_what_it_may(layer: str, path: Path) -> None:
    for name in imported(path):
        package, *parts = name.split(".")
        other = layer_of(package, tuple(parts))
        if package == "tableref" and len(parts) == 1 and parts[0].startswith("__"):
            other = ""
        assert other == layer or other in ALLOWED[layer], f"{path.name} imports {name}"


def named() -> dict[str, Path]:
    """Our modules by their full names."""
    names = {}
    for _, path in modules():
        package = next(part for part in path.parts[::-1] if part in PACKAGES)
        at = len(path.parts) - 1 - path.parts[::-1].index(package)
        parts = [*path.parts[at:-1], path.stem]
        names[".".join(parts if path.stem != "__init__" else parts[:-1])] = path
    return names


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not for the sake of types either: what two modules tell of each other belongs in one."""
    names = named()
    needs = {
        name: {
            other if other in names else other.rpartition(".")[0] for other in imported(path)
        } & names.keys() - {name}
        for name, path in names.items()
    }  # fmt: skip
    while free := [name for name, needed in needs.items() if not needed & needs.keys()]:
        for name in free:
            del needs[name]
    # What is left is in a circle, or needs one that is.
    while free := [n for n in needs if not any(n in needed for needed in needs.values())]:
        for name in free:
            del needs[name]
    assert not needs, sorted(needs)


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=lambda p: p.name)
def test_no_module_is_longer_than_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


def test_test_files_have_names_of_their_own() -> None:
    """Folders of tests are no packages: of two files of one name, one worker can load only one."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
