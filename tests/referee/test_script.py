"""Lines from a pipe count, and an answer in it waits for its question."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

PICTURES = 24
"""Pictures of the game of four in which a move of it, on paper, may have been one of several."""


def test_an_answer_from_a_pipe_waits_until_it_is_asked(shared: Path, tmp_path: Path) -> None:
    scene, pictures = shared / "scenes" / "game-4p", tmp_path / "pictures"
    pictures.mkdir()
    for frame in json.loads((scene / "frames.json").read_text())["frames"][:PICTURES]:
        shutil.copy(scene / frame["image"], pictures)
    plots = json.loads((scene / "plots.json").read_text())
    del plots["rounds"]
    plots["setup"]["paper"] = True
    (tmp_path / "plots.json").write_text(json.dumps(plots))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tableref", "referee", "--game", "autoscooter", "--json"),
            *("--camera", f"folder:{pictures}", "--plots", str(tmp_path / "plots.json")),
            *("--evidence", "off", "--out", str(tmp_path / "out")),
        ],
        input="1\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    events = [event for event in events if event["event"] != "awaits"]
    kinds = [event["event"] for event in events]
    asked = kinds.index("question")
    assert events[asked]["choices"]
    assert kinds[asked + 1] in ("answered", "ruling")
    assert not [event for event in events if event.get("notice") == "question-over"]
