"""Practice of a reader: what stays as it was. Only with the extra `train`."""

from __future__ import annotations

import numpy as np
import pytest

REASON = "training nets needs: pip install -e '.[train]'"
torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("onnx", reason=REASON)

from tableref_vision.dice.crops import CROP  # noqa: E402
from tableref_vision.dice.runtime import Net  # noqa: E402
from training.laid import drawn, laid  # noqa: E402
from training.nets import Reader  # noqa: E402
from training.practise import TAUGHT, Rest, loss  # noqa: E402
from training.resume import blend, written_layers  # noqa: E402
from training.sources import even_minute  # noqa: E402
from training.train import export  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_normalisation_stays_while_the_later_layers_practise():
    torch.manual_seed(1)
    reader = Reader().eval()
    before = {name: value.clone() for name, value in reader.state_dict().items()}
    rest = Rest(reader).train()
    tuner = torch.optim.SGD(rest.parameters(), 0.1)
    rest(torch.rand(4, 64, 16, 16)).square().sum().backward()
    tuner.step()
    moved = {n for n, value in reader.state_dict().items() if not torch.equal(value, before[n])}
    assert moved
    assert all(int(name.split(".")[1]) >= 6 for name in moved if name.startswith("body"))
    assert not any("running" in name for name in moved)


def test_what_is_taught_draws_to_what_was_said():
    said = torch.randn(6, 11)
    truth = torch.zeros(7, 18)
    truth[:6, 0], truth[:6, 7:] = TAUGHT, said
    truth[6, [0, 5, 6]] = 1.0
    known = torch.zeros(1, 11)
    same, off = (loss(torch.cat([now, known]), truth) for now in (said, said + torch.randn(6, 11)))
    assert same < off


def test_a_blend_moves_as_far_as_it_is_told(tmp_path):
    torch.manual_seed(2)
    paths = [tmp_path / name for name in ("before.onnx", "after.onnx")]
    for path in paths:
        reader = Reader()
        for layer in reader.modules():
            if isinstance(layer, torch.nn.BatchNorm2d):  # as if it had learnt: no two layers alike
                torch.nn.init.normal_(layer.bias)
        export(reader, path)
    crops = np.random.default_rng(1).standard_normal((2, 4, CROP, CROP), np.float32)
    before, after = Net(paths[0])(crops), Net(paths[1])(crops)
    blend(written_layers(paths[0]), paths[1], moved=0.0)
    assert np.abs(before - after).max() > 1e-3
    assert np.abs(Net(paths[1])(crops) - before).max() < 1e-5


def test_a_laid_mat_comes_again_and_shows_its_crops():
    assert laid(4)[0].dice == laid(4)[0].dice
    seen = drawn(4, 1)
    assert len(seen.crops) == len(seen.slants) >= len(laid(4)[0].dice)
    assert seen.crops.shape[1:] == (CROP, CROP, 3)


def test_odd_minutes_are_kept_to_measure_on():
    names = "PXL_20240219_191021760_j.jpg", "PXL_20240219_191138425_j.jpg"
    assert [even_minute(name) for name in names] == [True, False]
