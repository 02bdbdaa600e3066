"""The page on the appliance says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from tableref.hosting.config import CameraOptions, read

PAGE = (Path(__file__).parents[2] / "docs" / "appliance.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_is_one() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    config = read(example, "appliance.md")
    assert config.camera == CameraOptions(("picamera:", "mat=usb:0"), "lens.json")
    assert config.game.names == ("Ada", "Ben", "Cleo")
