"""Labels of photographs that were found wrong are put right, and nothing else is."""

from __future__ import annotations

import json

from training.sources import RELABELLED, cleaned


def test_a_wrong_label_is_put_right_and_a_die_without_one_gets_it():
    name = "PXL_20240219_192231792_j.jpg"
    assert len(RELABELLED["n3pxl", name]) == 2
    boxes = [{"value": 6, "box": [281, 160, 44, 40]}, {"value": 2, "box": [10, 10, 40, 40]}]
    found = cleaned("n3pxl", name, boxes)
    assert [die["value"] for die in found] == [1, 2, 1]
    assert boxes[0]["value"] == 6
    assert cleaned("byler", name, boxes) == boxes


def test_every_correction_is_one(shared):
    labels = json.loads((shared / "photos" / "n3pxl" / "labels.json").read_text())
    changed = added = 0
    for source, name in RELABELLED:
        before, after = labels[name], cleaned(source, name, labels[name])
        added += len(after) - len(before)
        changed += sum(a["value"] != b["value"] for a, b in zip(before, after, strict=False))
    assert (changed, added) == (8, 2)
