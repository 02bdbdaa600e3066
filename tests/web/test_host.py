"""The host's pages: with the host's role alone, behind the code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tableref.devices.buttons import Button
from tableref.devices.oled import Screen
from tableref.referee.inputs import Seen
from tableref.referee.pictures import Pictures
from tableref.web.host import IDLE
from tests.web.conftest import CODE, Table

Lay = Callable[..., Table]
PATHS = ("/host/display.png", "/host/camera.jpg", "/host/health", "/host/games", "/host/events")


@pytest.mark.parametrize("path", [*PATHS, "/host/games/0/record"])
def test_only_the_host_sees_it(laid: Lay, path: str) -> None:
    table = laid("skorpion-deep")
    for phone in (table.phone(), table.phone(seat=0)):
        assert phone.client.get(path).status_code == 403
    assert "Be host" in table.phone().page("/host")


def test_nobody_else_presses_a_button(laid: Lay) -> None:
    table = laid("skorpion-deep")
    for phone in (table.phone(), table.phone(seat=0)):
        assert phone.post("/host/press", button="ok").status_code == 403
    assert table.pressed == []


def test_the_host_wants_the_code(laid: Lay) -> None:
    phone = laid("skorpion-deep").phone()
    assert phone.post("/host/enter", code="9999").status_code == 403
    assert phone.client.get("/host/games").status_code == 403
    phone.be_host()
    assert phone.client.get("/host/games").status_code == 200


def test_there_is_one_host_until_he_leaves_or_sleeps(laid: Lay) -> None:
    table = laid("skorpion-deep")
    one, two = table.phone().be_host(), table.phone("10.0.0.2")
    assert two.post("/host/enter", code=CODE).status_code == 409
    one.post("/host/leave", page="/host")
    two.be_host()
    assert one.client.get("/host/games").status_code == 403
    table.now = IDLE + 1.0
    one.be_host()
    assert two.client.get("/host/games").status_code == 403


def test_the_host_has_the_display_and_the_buttons_of_the_case(laid: Lay) -> None:
    table = laid("skorpion-deep")
    phone = table.phone().be_host()
    table.host.shown(Screen("New game", ("Squod", "Scorpion")))
    page = phone.page("/host")
    assert "New game" in page
    assert "Scorpion" in page
    assert phone.client.get("/host/display.png").content.startswith(b"\x89PNG")
    phone.post("/host/press", page="/host", button="ok")
    phone.post("/host/press", page="/host", button="back", held="yes")
    assert [(press.button, press.long) for press in table.pressed] == [
        (Button.OK, False),
        (Button.BACK, True),
    ]
    assert phone.post("/host/press", page="/host", button="fire").status_code == 400


def test_a_press_from_another_site_does_nothing(laid: Lay) -> None:
    table = laid("skorpion-deep")
    phone = table.phone().be_host()
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}, {}):
        told = {"button": "ok", "sign": ""}
        assert phone.client.post("/host/press", data=told, headers=headers).status_code == 403
    assert table.pressed == []


def test_the_host_sees_what_the_camera_sees_with_what_was_read(laid: Lay) -> None:
    cv2: Any = pytest.importorskip("cv2")
    np: Any = pytest.importorskip("numpy")
    from tableref_vision.camera import Frame
    from tableref_vision.observation import Observation

    table = laid("skorpion-deep")
    phone, pictures = table.phone().be_host(), Pictures()
    assert phone.client.get("/host/camera.jpg").status_code == 404
    table.host.looks(table.evening.board, lambda: pictures)
    assert phone.client.get("/host/camera.jpg").status_code == 404
    dark = np.zeros((480, 640, 3), np.uint8)
    seen = Observation(1.0, "one", "few-tags", (), ("skorpion",), frozenset(), True, False)
    pictures.looked("board", Frame(dark, 1.0, "one"), None, Seen(seen))
    answer = phone.client.get("/host/camera.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    drawn = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert drawn.shape == dark.shape
    assert drawn.max() > 200  # words about the pose
    assert dark.max() == 0  # on a copy
    table.host.looks_no_more()
    assert phone.client.get("/host/camera.jpg").status_code == 404


def test_the_host_reads_what_is_wrong_and_its_cure(laid: Lay) -> None:
    page = laid("skorpion-deep").phone().be_host().page("/host/health")
    assert "brltty: it takes the port" in page
    assert "Take it off." in page


def test_the_host_takes_a_game_along(laid: Lay) -> None:
    table = laid("skorpion-deep")
    phone = table.phone().be_host()
    name = Path(table.album.folder).parent.name
    assert f"/host/games/{name}/record" in phone.page("/host/games")
    record = phone.client.get(f"/host/games/{name}/record")
    assert json.loads(record.text)["game"] == "skorpion-deep"
    assert "attachment" in record.headers["content-disposition"]
    assert "red" in phone.client.get(f"/host/games/{name}/sheet").text


def test_a_game_with_hidden_pieces_is_not_taken_along_before_it_is_over(laid: Lay) -> None:
    table = laid(
        "squod", placement=[["rock", "rock", "paper", "paper", "scissors", "scissors"]] * 2
    )
    phone = table.phone().be_host()
    name = Path(table.album.folder).parent.name
    answer = phone.client.get(f"/host/games/{name}/record")
    assert answer.status_code == 409
    assert "rock" not in answer.text


@pytest.mark.parametrize(
    "path",
    ["/host/games/none/record", "/host/games/0/journal.sqlite3", "/host/games/..%2f..%2fetc/record",
     "/host/games/%00/sheet", "/host/nothing"],
)  # fmt: skip
def test_nothing_but_games_is_taken_along(laid: Lay, path: str) -> None:
    answer = laid("skorpion-deep").phone().be_host().client.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
