"""A broker that wants TLS and a password: a table tells it, and says why where it may not."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.errors import UserError
from tableref.hosting.mqtt import AUTHORITY, PASSWORD, Broker, Publisher
from tableref.referee.evening import Evening
from tests.hosting.real_broker import MOSQUITTO, RealBroker, play, told, until

pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")
OPENSSL, PASSWD = shutil.which("openssl"), shutil.which("mosquitto_passwd")
pytestmark = pytest.mark.skipif(
    None in (MOSQUITTO, OPENSSL, PASSWD), reason="needs Debian's mosquitto and openssl"
)


class SafeBroker(RealBroker):
    """Mosquitto with a certificate of its own authority, and one user, desk."""

    def __init__(self, folder: Path) -> None:
        self.authority = folder / "authority.pem"
        subprocess.run(
            [str(OPENSSL), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(folder / "key.pem"),
             "-out", str(self.authority)],
            check=True, capture_output=True,
        )  # fmt: skip
        users = folder / "users"
        subprocess.run(
            [str(PASSWD), "-b", "-c", str(users), "desk", "s3cret"], check=True, capture_output=True
        )
        self.more = (
            f"cafile {self.authority}\ncertfile {self.authority}\nkeyfile {folder / 'key.pem'}\n"
            f"allow_anonymous false\npassword_file {users}\n"
            "user root\n"  # where it is started by root it may read what root alone may
        )
        super().__init__(folder)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[SafeBroker]:
    made = SafeBroker(tmp_path)
    yield made
    made.kill()


def test_a_table_tells_by_tls_with_its_password(
    broker: SafeBroker, evening: Evening, tmp_path: Path
) -> None:
    told_ = {PASSWORD: "s3cret", AUTHORITY: str(broker.authority)}
    url = f"mqtts://desk@localhost:{broker.port}/corner"
    with Publisher(Broker.of(url, told_), evening, tmp_path / "game") as out:
        play(evening, out, 4)
        until(lambda: out.acknowledged == told(evening)[-1])


# The client leaves the socket of a broker that it does not believe to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("wrong", ["password", "authority"])
def test_a_table_that_is_not_let_in_tells_nothing_and_plays_on(
    broker: SafeBroker, evening: Evening, tmp_path: Path, wrong: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    told_ = {PASSWORD: "guessed"} | (
        {AUTHORITY: str(broker.authority)} if wrong == "password" else {}
    )
    url = f"mqtts://desk@localhost:{broker.port}/corner"
    with caplog.at_level(logging.WARNING):
        with Publisher(Broker.of(url, told_), evening, tmp_path / "game") as out:
            play(evening, out, 4)
            until(lambda: "mqtt" in caplog.text)
        assert out.acknowledged == 0
    assert len(told(evening)) >= 4
    assert "guessed" not in caplog.text


def test_a_file_of_an_authority_that_is_not_there_is_named(
    evening: Evening, tmp_path: Path
) -> None:
    told_ = {AUTHORITY: str(tmp_path / "none.pem")}
    with pytest.raises(UserError, match=r"none\.pem"):
        Publisher(Broker.of("mqtts://localhost/corner", told_), evening, tmp_path / "game")
