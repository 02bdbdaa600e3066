"""Practises the reader that ships on a kind of photographs that it reads badly.

    python -m training.practise PHOTOS SCENES --out FOLDER

It goes on with the pictures of even minutes of n3pxl, byler, damian and epanemu, and with drawings.
Of mats, and of faces that are none of a die's, it is taught what it said of them before (Li and
Hoiem 2016, "Learning without forgetting"), for a mat's limits are fine. Its first layers, which
the net that doubts begins with, stay as they are, and so does its normalisation. What is written
lies between the weights of before and after. n3pxl's odd minutes, penlington and piechowiak are
left out, to be measured on.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from tableref_vision.dice.crops import CROP, SHARE
from tableref_vision.dice.doubts import PX
from tableref_vision.dice.inputs import Floats, reader_input
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.runtime import WEIGHTS, Net
from training import laid, scenery
from training.augment import spoil
from training.drawings import Random
from training.fit import Batch, fit
from training.laid import Seen
from training.nets import Reader
from training.resume import blend, resume, written_layers
from training.scenery import Patch
from training.shrink import shrink
from training.sources import Picture, Scene, even_minute, load_photos
from training.strange import drawing
from training.train import EVEN, MILD, TYPICAL, export, reader_loss

PRACTISED, SOURCES = "n3pxl", ("byler", "damian", "epanemu")
STEM = 6  # of the reader's layers that stay as they are
STEPS, PACE = 900, 1 / 3  # of the usual pace of learning
MOVED = 0.6  # of the way from the weights of before to those of after
SHOWN = {"photographs": 44, "drawings": 12, "mats": 26, "traced": 8, "tabled": 8, "strange": 8}
"""Crops of a batch; of the photographs half are of those that are practised on."""
MATS, SEED = 400, 100_000  # virtual mats, from this seed on
DRAWN, ROUND, CLUTTER, TABLED, STRANGE = 1250, 250, 200, 1200, 1200  # drawings of each kind
KEEP, STANDS, MIDDLE, SIZE = 2.0, 0.8, 0.5, 2.0  # how much weighs what must stay, and its parts
FINE = 0.1  # of a size's logarithm, that is much
NEAR = 0.35  # of its box, that a die is found from its middle at most
TAUGHT = -2.0  # in place of the value of what is to stay as it was


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What is practised on, what is known by its labels, and what is to be told as before."""

    own: list[Patch]
    photographs: dict[str, list[Patch]]
    drawings: list[Patch]
    mats: Seen
    traced: Seen
    tabled: list[Patch]
    strange: list[Picture]


class Rest(nn.Module):
    """The reader's layers after the first ones, which take what these say (n, 64, 16, 16)."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.body, self.drop, self.last = reader.body[STEM:], reader.drop, reader.last

    def forward(self, said: Tensor) -> Tensor:
        deep = self.body(said)
        pooled = torch.cat([deep.mean((2, 3)), deep.amax((2, 3))], 1)
        out: Tensor = self.last(self.drop(pooled))
        return out

    def train(self, mode: bool = True) -> Self:
        """Normalisation goes by what it knew: so little practice would only blur it."""
        super().train(mode)
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm2d):
                layer.eval()
        return self


def as_found(scenes: list[Scene]) -> list[Scene]:
    """These, their dice where and as large as the product finds them: boxes are drawn anyhow."""
    reader = DiceReader()
    found = []
    for scene in scenes:
        spots = [reading.spot for reading in reader.readings(scene.image)]
        for die in scene.dice:
            far = [float(np.hypot(s.x - die.x, s.y - die.y)) / die.size for s in spots]
            near = spots[int(np.argmin(far))] if min(far, default=1.0) < NEAR else None
            found.append((die, near))
    usual = float(np.median([spot.size / die.size for die, spot in found if spot]))
    moved = iter(
        replace(die, x=spot.x, y=spot.y, size=spot.size, sized=False)
        if spot
        else replace(die, size=die.size * usual, sized=False)
        for die, spot in found
    )
    return [replace(scene, dice=tuple(islice(moved, len(scene.dice)))) for scene in scenes]


def material(photos: Path, scenes: Path, seed: int) -> Material:
    """All of it, by chance as this seed has it."""
    random = np.random.default_rng(seed)
    own = [scene for scene in load_photos(photos, (PRACTISED,)) if even_minute(scene.name)]
    kinds = [""] * DRAWN + ["bead", "bead", "coin"] * (ROUND // 3)
    return Material(
        scenery.photo_patches(as_found(own), random),
        {one: scenery.photo_patches(load_photos(photos, (one,)), random) for one in SOURCES},
        [scenery.drawn_patch(random, kind) for kind in kinds]
        + [scenery.clutter_patch(random) for _ in range(CLUTTER)],
        laid.drawn(SEED, MATS),
        laid.traced(scenes),
        [scenery.drawn_patch(random, tabled=True) for _ in range(TABLED)],
        [drawing(random, False, [])[0] for _ in range(STRANGE)],
    )


def batches(stuff: Material, before: Net, random: Random) -> Iterator[Batch]:
    """Inputs and truths without end; a truth is that of `scenery.reader_sample`, and what the net
    `before` said of what is to stay."""
    while True:
        known = list(_labelled(stuff, random))
        kept = np.stack(list(_kept(stuff, random)))
        truths = np.zeros((len(known) + len(kept), 18), np.float32)
        truths[: len(known), :7] = [truth for _, truth in known]
        truths[len(known) :, 0] = TAUGHT
        truths[len(known) :, 7:] = before(kept)
        inputs = np.concatenate([np.stack([shown for shown, _ in known]), kept])
        yield torch.from_numpy(inputs), torch.from_numpy(truths)


def _labelled(stuff: Material, random: Random) -> Iterator[tuple[Floats, Floats]]:
    names = list(stuff.photographs)
    shares = np.array([len(stuff.photographs[name]) ** EVEN for name in names])
    for i in range(SHOWN["photographs"] + SHOWN["drawings"]):
        if i >= SHOWN["photographs"]:
            patches = stuff.drawings
        elif random.random() < 0.5:
            patches = stuff.own
        else:
            patches = stuff.photographs[names[random.choice(len(names), p=shares / shares.sum())]]
        patch = patches[random.integers(len(patches))]
        crop, slant, truth = scenery.reader_sample(patch, random, False)
        yield reader_input(spoil(crop, random, MILD), slant), truth


def _kept(stuff: Material, random: Random) -> Iterator[Floats]:
    for seen, count in ((stuff.mats, SHOWN["mats"]), (stuff.traced, SHOWN["traced"])):
        for i in random.integers(len(seen.crops), size=count):
            crop = seen.crops[i]
            if random.random() < 0.5:
                crop = spoil(crop, random, MILD)
            yield reader_input(crop, float(seen.slants[i]))
    for i in random.integers(len(stuff.tabled), size=SHOWN["tabled"]):
        patch = stuff.tabled[i]
        above = bool(np.isfinite(patch.above).all())
        crop, slant, _ = scenery.reader_sample(patch, random, above)
        yield reader_input(spoil(crop, random, MILD), slant)
    for i in random.integers(len(stuff.strange), size=SHOWN["strange"]):
        yield reader_input(_turned(stuff.strange[i], random))


def _turned(picture: Picture, random: Random) -> Picture:
    """A drawing for the net that doubts as the reader sees such things."""
    side = len(picture)
    zoom = CROP * SHARE / PX * float(np.exp(random.normal(0, 0.12)))
    move = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, random.uniform(0, 360), zoom)
    move[:, 2] += (CROP - side) / 2 + random.normal(0, 0.05, 2) * CROP
    crop = cv2.warpAffine(picture, move, (CROP, CROP), borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(crop, np.uint8)


def loss(out: Tensor, truth: Tensor) -> Tensor:
    """`train.reader_loss` of what has a label; of the rest, how far it is from what was said."""
    kept = truth[:, 0] == TAUGHT
    now, then, of = out[kept], truth[kept, 7:], nn.functional
    off = of.kl_div(
        of.log_softmax(now[:, :7], 1),
        of.log_softmax(then[:, :7], 1),
        reduction="batchmean",
        log_target=True,
    )
    stands = of.binary_cross_entropy_with_logits(now[:, 7], torch.sigmoid(then[:, 7]))
    off = off + STANDS * stands + MIDDLE * of.smooth_l1_loss(now[:, 8:10], then[:, 8:10])
    off = off + SIZE * of.smooth_l1_loss(now[:, 10], then[:, 10], beta=FINE)
    return reader_loss(out[~kept], truth[~kept, :7]) + KEEP * off


def practise(stuff: Material, out: Path, seed: int, effort: float = 1.0) -> None:
    """Write the nets that ship to this folder, the reader after practice."""
    torch.manual_seed(seed)
    random = np.random.default_rng([seed, 5])
    former = written_layers(WEIGHTS / "reader.onnx")
    endless = batches(stuff, Net(WEIGHTS / "reader.onnx"), random)
    reader = Reader()
    resume(reader, former, next(endless)[0])
    stem = reader.body[:STEM].eval()
    for weight in stem.parameters():
        weight.requires_grad = False
    through = ((stem(inputs), truths) for inputs, truths in endless)
    fit(Rest(reader), through, loss, round(STEPS * effort), PACE, "reader")
    shutil.copytree(WEIGHTS, out, dirs_exist_ok=True)
    export(reader, out / "reader.onnx")
    blend(former, out / "reader.onnx", MOVED)
    shrink(out / "reader.onnx", [inputs.numpy() for inputs, _ in islice(endless, TYPICAL)])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.practise", description="Practise the reader that ships."
    )
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("scenes", type=Path, help="folder with dice/ and dice-odd/")
    parser.add_argument("--out", type=Path, required=True, help="where the nets go")
    parser.add_argument("--effort", type=float, default=1.0, help="share of the steps to make")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    practise(material(args.photos, args.scenes, args.seed), args.out, args.seed, args.effort)


if __name__ == "__main__":
    main()
