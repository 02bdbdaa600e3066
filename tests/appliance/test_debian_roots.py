"""The installer in fresh roots of both releases that Pi OS is made of. Takes some minutes, the
network and root: of `make test-full`."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = "/opt/src/companion/install/install.sh"
MIRROR = "http://deb.debian.org/debian"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PIP = "/opt/tableref/current/bin/python -m pip"
TRIAL = "/usr/local/lib/tableref/tableref-trial"
TRIES = 3

pytestmark = pytest.mark.skipif(
    not os.environ.get("TABLEREF_FULL"), reason="takes minutes: TABLEREF_FULL=1"
)
PLAIN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


class Root:
    """A Debian in a folder, in which no system runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        copied = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True,
        ).stdout.split(b"\0")  # fmt: skip
        for name in filter(None, copied):
            source, target = ROOT / os.fsdecode(name), folder / "opt/src" / os.fsdecode(name)
            if source.is_file() and source.parts[len(ROOT.parts)] != "tests":
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        if CERTIFICATES.is_file():  # of this computer's network
            shutil.copy(CERTIFICATES, folder / "mnt/ca.crt")

    def call(self, *words: str, code: int | None = 0, network: bool = True) -> str:
        """What a command in it says."""
        environment = {
            **PLAIN,
            "PIP_CERT": "/mnt/ca.crt",
            **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")},
        }
        done = subprocess.run(
            [*(() if network else ("unshare", "--net")), "chroot", self.folder, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=environment,
        )  # fmt: skip
        assert code is None or done.returncode == code, done.stdout
        return done.stdout

    def starts(self) -> bool:
        """Whether the service comes up, started as its unit does it."""
        self.call(TRIAL, "begin")
        state = "/var/lib/tableref"
        self.call("install", "-d", "-o", "tableref", state)
        told = self.folder / "run/told"
        told.unlink(missing_ok=True)
        words = ["setpriv", "--reuid=tableref", "--regid=tableref", "--init-groups"]
        words += ["/opt/tableref/current/bin/tableref", "serve"]
        environment = {
            **PLAIN,
            "HOME": state,
            "STATE_DIRECTORY": state,
            "NOTIFY_SOCKET": "/run/told",
        }
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(str(told))
            told.chmod(0o777)
            notified.settimeout(0.2)
            serve = subprocess.Popen(
                ["chroot", self.folder, *words],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
            )  # fmt: skip
            while serve.poll() is None:
                with contextlib.suppress(TimeoutError):
                    if b"READY=1" in notified.recv(4096):
                        self.call(TRIAL, "up")
                        serve.terminate()
                        assert serve.wait(20) == 143
                        return True
        return False

    def runs(self) -> str:
        return self.call("tableref", "--version").strip()

    def listing(self) -> dict[str, str]:
        """Every file with its kind, rights, owner and checksum."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            if Path(folder) == self.folder:
                folders.remove("proc")
            for name in (*folders, *files):
                path = Path(folder) / name
                status = path.lstat()
                told = f"{status.st_mode:o} {status.st_uid} {status.st_gid} "
                if stat.S_ISLNK(status.st_mode):
                    told += os.readlink(path)
                elif stat.S_ISREG(status.st_mode):
                    told += hashlib.sha256(path.read_bytes()).hexdigest()
                found[str(path.relative_to(self.folder))] = told
        return found


class Releases:
    """Somebody who makes them, by `make release`, for the system of a root."""

    def __init__(self, folder: Path, system: str) -> None:
        self.folder, self.system, self.key = folder, system, folder / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key], check=True)

    @property
    def trusted(self) -> str:
        return f'releases namespaces="tableref-release" {self.key.with_suffix(".pub").read_text()}'

    def make(self, root: Root, version: str, to: Path, starts: bool = True) -> str:
        """Puts the file of this source under another version there, which may be one that does not
        start; its name."""
        source = self.folder / version
        shutil.copytree(root.folder / "opt/src", source)
        package = source / "companion/tableref"
        (package / "__init__.py").write_text(f'"""Of a test."""\n\n__version__ = "{version}"\n')
        if not starts:
            (package / "commands/serve.py").write_text("raise RuntimeError\n")
        words = ["--system", self.system, "--machine", platform.machine(), "--out", self.folder]
        subprocess.run(
            [sys.executable, source / "companion/install/release.py", "--key", self.key, *words],
            check=True, capture_output=True,
        )  # fmt: skip
        [path] = self.folder.glob(f"tableref-{version}-*.release")
        shutil.copy(path, to)
        return path.name


@contextlib.contextmanager
def debian(release: str) -> Iterator[Root]:
    """A fresh one."""
    with tempfile.TemporaryDirectory(prefix="tableref-root-") as scratch:
        folder = Path(scratch) / release
        made = subprocess.run(
            ["debootstrap", release, folder, MIRROR], capture_output=True, text=True
        )
        if made.returncode:
            pytest.skip(f"no root of {release} can be made here: {made.stdout[-300:]}")
        subprocess.run(["mount", "-t", "proc", "proc", folder / "proc"], check=True)
        try:
            yield Root(folder)
        finally:
            subprocess.run(["umount", folder / "proc"], check=True)


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest) -> Iterator[Root]:
    if os.geteuid() or shutil.which("debootstrap") is None:
        pytest.skip("roots are made by root, with debootstrap")
    with debian(request.param) as made:
        yield made


def test_the_installer(root: Root) -> None:
    """One root, for it takes a minute to make: twice, the unit, the doctor, removed again."""
    first = root.call(SCRIPT)
    assert "Tableref" in first
    assert "at the boot the service starts" in first
    before = root.listing()

    second = root.call(SCRIPT)
    assert "Nothing had to be changed." in second
    assert "  done " not in second
    after = root.listing()
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == set()

    units = ("tableref.service", "tableref-update@stick.service")
    assert root.call("systemd-analyze", "verify", "--man=no", *units) == ""
    assert (
        root.folder / "etc/systemd/system/multi-user.target.wants/tableref.service"
    ).is_symlink()
    assert {"dialout", "gpio", "i2c", "video"} <= set(root.call("id", "-nG", "tableref").split())

    _what_is_missing_is_named_and_its_cure_cures(root)

    root.call(SCRIPT, "--remove")
    left = {name for name in root.listing() if re.search(r"tableref", name)}
    assert {name for name in left if not name.startswith(("opt/src", "etc/tableref"))} == set()


def _what_is_missing_is_named_and_its_cure_cures(root: Root) -> None:
    good = root.call("tableref", "doctor")
    assert "WARNING" not in good
    root.call(*PIP.split(), "uninstall", "--yes", "--quiet", "opencv-python-headless")
    told = root.call("tableref", "doctor", code=1)
    [cure] = re.findall(r"ISSUE +NumPy, OpenCV .*\n +-> (.*)", told)
    assert "sudo" not in cure  # there is none here
    root.call("sh", "-c", f"{cure} --quiet")
    # The same again, but for how much is free.
    assert re.sub(r"\d+ MB", "", root.call("tableref", "doctor")) == re.sub(r"\d+ MB", "", good)


def test_releases(root: Root, tmp_path: Path) -> None:
    """Installed from one without a network, another from a stick, back from one that is broken."""
    releases = Releases(tmp_path, root.folder.name)
    first = releases.make(root, "7.0.0", root.folder / "root")
    refused = root.call(SCRIPT, f"/root/{first}", code=1)  # but the packages are there now
    assert "trusts nobody's releases yet" in refused
    assert not (root.folder / "etc/tableref").exists()
    [named] = re.findall(r"goes into (/\S+)", refused)
    keys = root.folder / named[1:]
    keys.write_text(keys.read_text() + releases.trusted)

    data = bytearray((root.folder / "root" / first).read_bytes())
    data[len(data) // 2] ^= 1
    (root.folder / "root/damaged.release").write_bytes(data)
    before = root.listing()
    refused = root.call(SCRIPT, "/root/damaged.release", code=1, network=False)
    assert "is damaged" in refused
    assert "nothing of it was installed" in refused
    assert root.listing() == before
    assert "Tableref 7.0.0 is installed" in root.call(SCRIPT, f"/root/{first}", network=False)
    assert "Nothing had to be changed." in root.call(SCRIPT, f"/root/{first}", network=False)
    assert root.starts()

    stick = root.folder / "media/stick"
    stick.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", stick], check=True)
    try:
        releases.make(root, "7.1.0", stick)
        newer = releases.make(root, "7.1.1", stick)
        os.truncate(stick / newer, (stick / newer).stat().st_size // 2)
        told = root.call("tableref", "update", "--stick", network=False)
        assert f"{newer}: is damaged" in told
        assert root.runs() == "tableref 7.1.0"
        assert root.starts()

        broken = releases.make(root, "7.2.0", stick, starts=False)
        root.call("tableref", "update", f"/media/stick/{broken}", network=False)
        assert root.runs() == "tableref 7.2.0"
        assert [root.starts() for _ in range(TRIES + 1)] == [False] * TRIES + [True]
        assert root.runs() == "tableref 7.1.0"
        outcome = (root.folder / "opt/tableref/outcome").read_text()
        assert "7.2.0 did not start, so 7.1.0 runs again" in outcome
    finally:
        subprocess.run(["umount", stick], check=True)
