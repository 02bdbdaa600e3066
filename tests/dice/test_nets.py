"""Nets as they are written: in whole numbers, and gone on from. Only with the extra `train`."""

from __future__ import annotations

import numpy as np
import pytest

REASON = "training nets needs: pip install -e '.[train]'"
torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("onnx", reason=REASON)

from tableref_vision.dice.confidence import Confidence  # noqa: E402
from tableref_vision.dice.crops import CROP  # noqa: E402
from tableref_vision.dice.runtime import Net  # noqa: E402
from training.leave_one_out import PLAIN, write_confidence  # noqa: E402
from training.nets import Locator, Reader  # noqa: E402
from training.resume import blend, resume, written_layers  # noqa: E402
from training.shrink import shrink  # noqa: E402
from training.train import Material, export  # noqa: E402

# Of the form in which PyTorch writes nets: its newer one needs one more package for the same file.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(params=[Locator, Reader])
def form(request):
    return request.param


@pytest.fixture
def pictures(form):
    shape = (2, 3, 96, 96) if form is Locator else (8, 4, CROP, CROP)
    return lambda seed: np.random.default_rng(seed).standard_normal(shape, np.float32)


@pytest.fixture
def written(form, tmp_path):
    torch.manual_seed(3)
    net = form()
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):  # as if it had learnt: no two layers alike
            torch.nn.init.normal_(layer.bias)
    path = tmp_path / "net.onnx"
    export(net, path)
    return path


@pytest.fixture
def whole(written, pictures, tmp_path):
    path = tmp_path / "whole.onnx"
    path.write_bytes(written.read_bytes())
    shrink(path, [pictures(1), pictures(2)])
    return path


def test_in_whole_numbers_a_net_says_nearly_the_same(written, whole, pictures):
    said, before = Net(whole)(pictures(4)), Net(written)(pictures(4))
    assert 0 < np.abs(said - before).max() < 0.1 * np.abs(before).max()


def test_in_whole_numbers_a_net_takes_less_than_a_third_of_the_bytes(written, whole):
    assert whole.stat().st_size * 3 < written.stat().st_size


def test_the_layers_of_a_net_in_whole_numbers_are_read_as_fractions(written, whole):
    exact, close = written_layers(written), written_layers(whole)
    assert exact.keys() == close.keys()
    for name in exact:
        for one, other in zip(exact[name], close[name], strict=True):
            assert np.abs(one - other).max() <= 0.02 * np.abs(one).max()


def test_training_goes_on_from_the_function_that_was_written(form, written, pictures, tmp_path):
    path = tmp_path / "again.onnx"
    export(resume(form(), written_layers(written), torch.from_numpy(pictures(5))), path)
    assert np.abs(Net(path)(pictures(6)) - Net(written)(pictures(6))).max() < 1e-4


def test_a_net_blended_with_itself_stays_as_it_is(written, pictures, tmp_path):
    path = tmp_path / "blended.onnx"
    path.write_bytes(written.read_bytes())
    blend(written_layers(written), path)
    assert np.abs(Net(path)(pictures(6)) - Net(written)(pictures(6))).max() < 1e-5


def test_the_reader_sees_few_mats_often_and_many_traced_tables_not_too_often():
    patches = {"byler": [None] * 1300, "traced": [None] * 18000, "mat": [None] * 150}
    shares = dict(zip(patches, Material([], [], [], [], patches).shares(), strict=True))
    assert shares["mat"] > 0.6 * shares["byler"]  # a ninth as many
    assert shares["traced"] < 3 * shares["byler"]  # fourteen times as many


def test_a_confidence_is_written_where_no_folder_was(tmp_path):
    write_confidence(tmp_path / "of" / "nets", PLAIN, 0.95)
    assert Confidence.load(tmp_path / "of" / "nets").sure == 0.95
