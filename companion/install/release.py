"""Makes a release file: the wheel of this source, the wheels that it needs, and a signature.

    python companion/install/release.py --key release-key --system trixie --out dist

`make release` calls it. The wheels come from the network, for the system that is named and not for
this one; a package of which there is no wheel for it ends it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "companion"))

from tableref import __version__  # noqa: E402
from tableref.updating.building import CONSTRAINTS, EXTRAS  # noqa: E402
from tableref.updating.release import ENDING, FORMAT, LIST, NAMESPACE, SIGNATURE  # noqa: E402

PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
GLIBC = {"bookworm": 36, "trixie": 41}
"""Minor version of the C library: what is built for an older one runs, too."""
OLDEST_GLIBC = 17


def main() -> int:
    """2 where a key or a wheel cannot be had."""
    parser = argparse.ArgumentParser(description="makes a release file")
    parser.add_argument("--key", type=Path, required=True, help="an SSH key, the secret half")
    parser.add_argument("--system", choices=sorted(PYTHONS), default="trixie")
    parser.add_argument("--machine", choices=("aarch64", "x86_64"), default="aarch64")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    args = parser.parse_args()
    if not args.key.is_file():
        print(f"{args.key}: there is no such key: ssh-keygen -t ed25519 -f {args.key}")
        return 2
    with tempfile.TemporaryDirectory(prefix="tableref-release-") as scratch:
        wheels = Path(scratch)
        try:
            _collect(wheels, args.system, args.machine)
            path = pack(wheels, args.key, args.system, args.machine, args.out)
        except subprocess.CalledProcessError as error:
            print(f"{' '.join(map(str, error.cmd[:4]))} ...: exit {error.returncode}")
            return 2
    print(f"{path}: {path.stat().st_size // 1_000_000} MB, for {args.system} on {args.machine}")
    return 0


def _collect(wheels: Path, system: str, machine: str) -> None:
    """The wheels of this source and of what it needs. CalledProcessError"""
    pip = [sys.executable, "-m", "pip"]
    run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, ROOT)
    [own] = wheels.glob("*.whl")
    platforms = [
        f"manylinux_2_{minor}_{machine}" for minor in range(OLDEST_GLIBC, GLIBC[system] + 1)
    ]
    chosen = [
        word for name in (*platforms, f"manylinux2014_{machine}") for word in ("--platform", name)
    ]
    constraints = ROOT / CONSTRAINTS.format(system)
    held = ["-c", constraints] if constraints.is_file() else []
    run(
        *pip, "download", "--quiet", "--only-binary", ":all:", "--dest", wheels, *chosen,
        "--python-version", PYTHONS[system], "--implementation", "cp", *held, f"{own}[{EXTRAS}]",
    )  # fmt: skip


def pack(wheels: Path, key: Path, system: str, machine: str, out: Path) -> Path:
    """The release file of these wheels, signed with this key. CalledProcessError, OSError"""
    paths = sorted(wheels.glob("*.whl"))
    files = {
        path.name: {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "size": path.stat().st_size,
        }
        for path in paths
    }
    listed = {
        "format": FORMAT, "version": __version__, "system": system, "machine": machine,
        "python": PYTHONS[system], "files": files,
    }  # fmt: skip
    told = wheels / LIST
    told.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, told)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"tableref-{__version__}-{system}-{machine}{ENDING}"
    with tarfile.open(path, "w") as archive:
        for member in (told, wheels / SIGNATURE, *paths):
            archive.add(member, member.name, filter=_bare)
    return path


def _bare(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without names and numbers of a user of this computer."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def run(*words: str | Path) -> None:
    """CalledProcessError"""
    subprocess.run(list(map(str, words)), check=True)


if __name__ == "__main__":
    sys.exit(main())
