"""Trains the net that doubts, and finds from where on it does.

    python -m training.doubt PHOTOS --out vision/tableref_vision/dice/weights

It goes on from the reader's first layers, which stay as they are, so that what these say of every
drawing is made once. It learns from drawings (`training.strange`), from the dice of photographs
that the reader reads right, and from these with further spots. byler and the odd minutes of n3pxl
are left out, to be measured on. Of all dice that are right and sure each of its kinds may doubt a
share of `LOST`: that gives `doubts.LIMITS`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnx
import torch
from onnx import TensorProto, compose, helper, numpy_helper
from onnx.utils import extract_model
from torch import Tensor, nn

from tableref_vision.dice import doubts
from tableref_vision.dice.confidence import Confidence
from tableref_vision.dice.inputs import FAINT, GLARING, UNKNOWN, Floats, Levels, near
from tableref_vision.dice.reader import CLEAR, DiceReader
from tableref_vision.dice.runtime import WEIGHTS, Net
from training.drawings import Random
from training.nets import Doubter
from training.shrink import shrink
from training.sources import SOURCES, Picture, Scene, cleaned, even_minute, load_photos
from training.strange import DRAWN, drawing, spotted

STEM = "/body/body.5/body.5.0/Conv_output_0"
"""The reader's layer that the net goes on from."""
STEPS, BATCH = 10000, (56, 32, 8)  # drawings, photographs, and these with further spots
RATE, AVERAGE = 3e-3, 0.998
DRAWINGS, TURNS = 23000, (2, 5, 3)  # times that one of each of these is turned and spoilt
LOST = 0.003  # of what is right and sure, that may be doubted
GROUNDS = 3  # parts of a photograph without a die, that are grounds of drawings
TYPICAL = 16  # batches that tell how large the numbers in the net are


class Photographed(NamedTuple):
    """A die of a photograph that the reader reads right; `crop` (DRAWN, DRAWN, 3) shows it."""

    source: str
    image: str
    value: int
    sure: bool
    crop: Picture

    @property
    def left_out(self) -> bool:
        """Whether the net must not learn it, so that it may be measured on it."""
        odd = self.source == "n3pxl" and not even_minute(self.image)
        return self.source == "byler" or odd


class Learnt(NamedTuple):
    """What the reader's first layers say (n, 64, 16, 16), and what each shows (n,)."""

    said: np.ndarray
    shows: np.ndarray


def photographed(photos: Path, random: Random) -> tuple[list[Photographed], list[Picture]]:
    """All dice of all sources that are read right, surely or not; and grounds without a die."""
    reader, limits = DiceReader(), Confidence.load()
    found: list[Photographed] = []
    grounds: list[Picture] = []
    for source in (*SOURCES, "n3pxl"):
        labels = json.loads((photos / source / "labels.json").read_text(encoding="utf-8"))
        for scene in load_photos(photos, (source,)):
            boxes = cleaned(source, scene.name, labels[scene.name])
            levels, here = Levels(scene.image), []
            for one in reader.readings(scene.image):
                spot, value = one.spot, one.value
                if value is None or not any(
                    box["value"] == value and _holds(box["box"], spot.x, spot.y) for box in boxes
                ):
                    continue
                sure = limits.of(one.signs) >= limits.sure and one.chance >= CLEAR
                crop = doubts.crop(levels, spot.x, spot.y, spot.size, DRAWN)
                here.append(Photographed(source, scene.name, value, sure, crop))
            found += here
            if not any(one.left_out for one in here):
                grounds += _grounds(scene, random)
    return found, grounds


def _holds(box: Sequence[float], x: float, y: float) -> bool:
    left, top, wide, high = box
    return left <= x <= left + wide and top <= y <= top + high


def _grounds(scene: Scene, random: Random) -> list[Picture]:
    found = []
    high, wide = scene.image.shape[:2]
    for _ in range(GROUNDS):
        side = int(random.uniform(0.12, 0.3) * min(high, wide))
        x, y = int(random.integers(wide - side)), int(random.integers(high - side))
        if not any(
            max(abs(die.x - x - side / 2), abs(die.y - y - side / 2)) < (side + die.size) / 2
            for die in scene.dice
        ):
            part = scene.image[y : y + side, x : x + side]
            found.append(np.asarray(cv2.resize(part, (2 * DRAWN, 2 * DRAWN)), np.uint8))
    return found


def spoilt(pictures: np.ndarray) -> Floats:
    """Pictures (n, DRAWN, DRAWN, 3), turned and in other light, as the nets take them. A cheap kin
    of `augment.spoil`, for many at once."""
    n, side = len(pictures), doubts.SIDE
    x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float()
    turn, size = torch.rand(n) * 2 * np.pi, torch.exp(torch.randn(n) * 0.07) * side / DRAWN
    off, flip = torch.randn(n, 2) * 0.03, torch.where(torch.rand(n) < 0.5, -1.0, 1.0)
    c, s = turn.cos() * size, turn.sin() * size
    rows = [torch.stack([c * flip, -s, off[:, 0]], 1), torch.stack([s * flip, c, off[:, 1]], 1)]
    grid = nn.functional.affine_grid(torch.stack(rows, 1), [n, 3, side, side], align_corners=False)
    x = nn.functional.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    middle = x.mean((2, 3), keepdim=True)
    mixing = torch.eye(3) + torch.randn(n, 3, 3) * 0.4
    mixing = mixing / mixing.abs().sum(2, keepdim=True) * 1.2
    x = _some(0.36, x, (mixing @ (x - middle).flatten(2)).reshape(x.shape) + middle)
    x = _some(0.18, x, x.mean(1, keepdim=True).expand_as(x))
    x = _some(0.09, x, 255 - x)
    x = (x - middle) * torch.exp(torch.randn(n, 1, 1, 1) * 0.3) + middle
    x = x + torch.randn(n, 1, 1, 1) * 15
    cells = torch.randn(n, 3, 8, 8) * torch.rand(n, 1, 1, 1) * 25
    clouds = nn.functional.interpolate(cells, size=side, mode="bicubic", align_corners=False)
    x = _some(0.27, x, x + clouds)
    soft = _soft(x)
    x = _some(0.32, x, _some(0.45, soft, _soft(soft)))
    x = _some(0.54, x, x + torch.randn_like(x) * torch.rand(n, 1, 1, 1) * 10)
    return _inputs(x.clamp(0, 255))


def _some(often: float, before: Tensor, after: Tensor) -> Tensor:
    """So many of those after, the others as before."""
    return torch.where(torch.rand(len(before), 1, 1, 1) < often, after, before)


def _soft(x: Tensor) -> Tensor:
    row = torch.tensor([0.25, 0.5, 0.25])
    kernel = (row[:, None] * row).expand(3, 1, 3, 3)
    return nn.functional.conv2d(nn.functional.pad(x, (1, 1, 1, 1), "reflect"), kernel, groups=3)


def _inputs(x: Tensor) -> Floats:
    """`inputs.reader_input` of many at once (n, 3, side, side)."""
    weight = torch.from_numpy(near(*x.shape[2:]).copy())
    colours = x.flatten(2)
    colours = colours - (colours * weight).sum(2, keepdim=True)
    spread, axes = torch.linalg.eigh((colours * weight) @ colours.transpose(1, 2))
    spread, axes = spread.flip(-1), axes.flip(-1).transpose(1, 2)  # an axis a row, widest first
    axes = axes * torch.where(axes.sum(-1, keepdim=True) < 0, -1.0, 1.0)
    axes = axes / (spread.clamp_min(0).sqrt() + FAINT).unsqueeze(-1)
    planes = (axes @ colours).clamp(-GLARING, GLARING).reshape(x.shape)
    flat = torch.full((len(x), 1, *x.shape[2:]), UNKNOWN)
    return np.asarray(torch.cat([planes, flat], 1).numpy(), np.float32)


def stem(folder: Path) -> tuple[Path, float]:
    """The reader's first layers as a net of their own in this folder, whose numbers are bytes; and
    what one of these stands for."""
    whole, path = folder / "reader.onnx", folder / "stem.onnx"
    onnx.save(onnx.shape_inference.infer_shapes(onnx.load(str(WEIGHTS / "reader.onnx"))), whole)
    extract_model(str(whole), str(path), ["x"], [f"{STEM}_quantized"], check_model=False)
    told = {one.name: one for one in onnx.load(str(path)).graph.initializer}
    return path, float(numpy_helper.to_array(told[f"{STEM}_scale"]))


def learn(sets: Sequence[Learnt], scale: float, steps: int, random: Random) -> nn.Module:
    """The layers after the reader's first ones."""
    net = Doubter().train()
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGE), use_buffers=True
    )
    tuner = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(tuner, RATE, total_steps=steps, pct_start=0.1)
    shown = 0.0
    for step in range(1, steps + 1):
        rows = [random.integers(len(one.shows), size=n) for one, n in zip(sets, BATCH, strict=True)]
        said = np.concatenate([one.said[np.sort(i)] for one, i in zip(sets, rows, strict=True)])
        shows = np.concatenate([one.shows[np.sort(i)] for one, i in zip(sets, rows, strict=True)])
        out = net(torch.from_numpy(said).float() * scale)
        loss = nn.functional.cross_entropy(out, torch.from_numpy(shows), label_smoothing=0.01)
        tuner.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        plan.step()
        average.update_parameters(net)
        shown += float(loss.detach())
        if step % 100 == 0:
            print(f"doubter {step}/{steps} loss {shown / 100:.3f}", flush=True)
            shown = 0.0
    net.load_state_dict(average.module.state_dict())
    return net.eval()


def write(net: nn.Module, typical: Sequence[Floats], first: Path, out: Path) -> None:
    """The reader's first layers and these as one net in whole numbers."""
    head = first.with_name("head.onnx")
    sample, free = torch.zeros(1, 64, 16, 16), {0: "n"}
    torch.onnx.export(
        net, (sample,), str(head), input_names=["x"], output_names=["y"], opset_version=17,
        dynamic_axes={"x": free, "y": free}, dynamo=False,
    )  # fmt: skip
    shrink(head, typical)
    begin, end = onnx.load(str(first)), compose.add_prefix(onnx.load(str(head)), "doubt/")
    parts = [f"{STEM}_quantized", f"{STEM}_scale", f"{STEM}_zero_point"]
    begin.graph.node.append(helper.make_node("DequantizeLinear", parts, ["shown"]))
    del begin.graph.output[:]
    begin.graph.output.append(
        helper.make_tensor_value_info("shown", TensorProto.FLOAT, ["n", 64, 16, 16])
    )
    end.ir_version = begin.ir_version
    del begin.opset_import[:], begin.graph.value_info[:], end.graph.value_info[:]
    begin.opset_import.extend(end.opset_import)
    whole = compose.merge_models(begin, end, [("shown", "doubt/x")])
    for node in whole.graph.node:
        node.output[:] = ["y" if name == "doubt/y" else name for name in node.output]
    whole.graph.output[0].name = "y"
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(whole, str(out / "doubter.onnx"))


def kinds(weights: Path, dice: Sequence[Photographed]) -> Floats:
    """What the net says of each of these, as `doubts.kinds`: (n, kinds)."""
    net = Net(weights / "doubter.onnx")
    edge = (DRAWN - doubts.SIDE) // 2
    told = []
    for one in dice:
        part = torch.from_numpy(one.crop[edge:-edge, edge:-edge].copy()).permute(2, 0, 1)
        told.append(doubts.kinds(net(_inputs(part[None].float()))[0], one.value))
    return np.stack(told)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.doubt", description="Train the net that doubts."
    )
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("--out", type=Path, required=True, help="where doubter.onnx goes")
    parser.add_argument("--effort", type=float, default=1.0, help="share of drawings and steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    dice, grounds = photographed(args.photos, random)
    known = [one for one in dice if not one.left_out]
    with tempfile.TemporaryDirectory() as folder:
        first, scale = stem(Path(folder))
        net = Net(first)
        drawn = [drawing(random, i % 2 == 0, grounds) for i in range(round(DRAWINGS * args.effort))]
        further = [spotted(random, one.crop, one.value) for one in known]
        more = [(crop, 6) for crop in further if crop is not None]
        sets = [
            _learnt(net, pictures, turns, Path(folder) / f"{turns}.npy")
            for pictures, turns in zip(
                (drawn, [(one.crop, one.value - 1) for one in known], more), TURNS, strict=True
            )
        ]
        head = learn(sets, scale, round(STEPS * args.effort), random)
        rows = [random.integers(len(sets[0].shows), size=64) for _ in range(TYPICAL)]
        typical = [sets[0].said[np.sort(i)].astype(np.float32) * np.float32(scale) for i in rows]
        write(head, typical, first, args.out)
    sure = [one for one in dice if one.sure]
    told = kinds(args.out, sure)
    limits = np.quantile(told, 1 - LOST / len(doubts.KINDS), axis=0)
    held = told[[one.left_out for one in sure]]
    print("limits", limits.round(2), "for", doubts.KINDS)
    print(f"of {len(held)} dice left out {(held > limits).any(axis=1).sum()} are lost")


def _learnt(net: Net, pictures: Sequence[tuple[Picture, int]], turns: int, path: Path) -> Learnt:
    """What the reader's first layers say of each, turned and spoilt so many times; in a file."""
    count = len(pictures) * turns
    said = np.lib.format.open_memmap(path, "w+", np.uint8, (count, 64, 16, 16))
    shows = np.tile(np.array([shown for _, shown in pictures]), turns)
    for start in range(0, count, 128):
        rows = range(start, min(start + 128, count))
        part = np.stack([pictures[i % len(pictures)][0] for i in rows])
        said[start : start + len(rows)] = net(spoilt(part)).astype(np.uint8)
    return Learnt(said, shows)


if __name__ == "__main__":
    main()
