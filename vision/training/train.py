"""Trains the two nets and writes them as ONNX.

    python -m training.train PHOTOS SCENES --out vision/tableref_vision/dice/weights

First both learn from drawings alone; then photographs and path-traced tables join. Every draw of
chance follows from `--seed`; one core works about an hour on each net, if it has units for numbers
of 16 bits, and before that Blender for 40 minutes on tables (`training.traced`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tableref_vision.dice.crops import CROP
from tableref_vision.dice.inputs import locator_input, reader_input
from training import scenery
from training.augment import spoil
from training.drawings import Random, Sprite, camera_height, draw_sprite
from training.fit import Batch, fit
from training.nets import Locator, Reader
from training.resume import Layers, blend, resume, written_layers
from training.scenery import Patch
from training.shrink import shrink
from training.sources import SOURCES, Scene, load_boards, load_photos, load_tables, load_traced

DRAWN, ROUND, CLUTTER, TABLED, SPRITES = 6000, 700, 700, 6000, 1500
READER_BATCH, LOCATOR_BATCH = 64, 12
DRAWN_STEPS = {"reader": 1000, "locator": 900}
REAL_STEPS = {"reader": 12000, "locator": 10500}
ON = 1 / 3  # of the usual pace of learning, for nets that go on
STANDS = 0.8  # how much lying flat weighs in the reader's loss
SHARE = 0.3  # of drawings among the pictures
OVER = 0.2  # of the reader's crops that show drawn dice on tables: whether these lie flat
MILD = 0.7  # of what spoils drawings, for photographs: lenses have spoilt them before
EVEN = 0.6  # a source of n pictures is shown as often as n ** EVEN says
TIMES = {"traced": 0.4, "mat": 3.0}  # and the reader so many times that: the mats are few
BOARD_PLACES = 12  # of each picture of a board, shown to the reader as no die
TYPICAL = 16  # batches that tell how large the numbers in a net are
CELL = 4  # px of a cell of the locator's maps

ALL = slice(None)

Drawn = tuple[list[Patch], list[Patch], list[Sprite]]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What is learnt from: drawn patches, some of them of tables, and sprites; and pictures."""

    drawn: list[Patch]
    tabled: list[Patch]
    sprites: list[Sprite]
    scenes: list[Scene]
    patches: dict[str, list[Patch]]  # of each source; all mats are one, and all boards

    def odds(self) -> NDArray[np.float64]:
        """How often the locator sees each scene: small sources more often than their share."""
        many = Counter(scene.source for scene in self.scenes)
        odds = np.array([many[scene.source] ** (EVEN - 1) for scene in self.scenes])
        return odds / odds.sum()

    def shares(self) -> NDArray[np.float64]:
        """How often the reader sees each source of `patches`."""
        times = [TIMES.get(name, 1.0) for name in self.patches]
        shares = np.array([len(patches) ** EVEN for patches in self.patches.values()]) * times
        return shares / shares.sum()


def drawings(seed: int, cache: Path | None = None) -> Drawn:
    """Drawn patches, those of tables, and sprites; `cache` keeps them in a file between runs."""
    if cache and cache.exists():
        kept: Drawn = torch.load(cache, weights_only=False)
        return kept
    random = np.random.default_rng(seed)
    made = (
        [
            scenery.drawn_patch(random, "" if i < DRAWN else ("bead", "bead", "coin")[i % 3])
            for i in range(DRAWN + ROUND)
        ]
        + [scenery.clutter_patch(random) for _ in range(CLUTTER)],
        [scenery.drawn_patch(random, tabled=True) for _ in range(TABLED)],
        [draw_sprite(random, camera_height(random, bool(i % 3))) for i in range(SPRITES)],
    )
    if cache:
        torch.save(made, cache)
    return made


def material(
    photos: list[Scene],
    tables: list[Scene],
    boards: list[Scene],
    drawn: Drawn,
    seed: int,
) -> Material:
    """These pictures and drawings, cut into patches."""
    random = np.random.default_rng(seed)
    by_source = {
        source: scenery.photo_patches([scene for scene in photos if scene.source == source], random)
        for source in sorted({scene.source for scene in photos})
    }
    if tables:
        by_source["mat"] = scenery.table_patches(tables)
    if boards:
        empty = [scenery.nothing_patches(board, random, BOARD_PLACES) for board in boards]
        by_source["board"] = [patch for patches in empty for patch in patches]
    return Material(*drawn, [*photos, *tables, *boards], by_source)


def reader_batches(stuff: Material, random: Random, drawn: float, often: float) -> Iterator[Batch]:
    """Crops and truths without end; `drawn` is the share of drawings, `often` as in `spoil`."""
    sources, shares = list(stuff.patches.values()), stuff.shares()
    while True:
        crops, truths = [], []
        for _ in range(READER_BATCH):
            tabled = random.random() < OVER
            if tabled:
                patch = stuff.tabled[random.integers(len(stuff.tabled))]
            elif not stuff.patches or random.random() < drawn:
                patch = stuff.drawn[random.integers(len(stuff.drawn))]
            else:
                patches = sources[random.choice(len(sources), p=shares)]
                patch = patches[random.integers(len(patches))]
            known = bool(np.isfinite(patch.above).all())
            above = known and (tabled or random.random() < 0.75)
            crop, slant, truth = scenery.reader_sample(patch, random, above)
            crops.append(reader_input(spoil(crop, random, often), slant))
            truths.append(truth)
        yield torch.from_numpy(np.stack(crops)), torch.from_numpy(np.stack(truths))


def locator_batches(stuff: Material, random: Random, drawn: float, often: float) -> Iterator[Batch]:
    """Windows and their target maps without end."""
    odds = stuff.odds()
    while True:
        windows, targets = [], []
        for _ in range(LOCATOR_BATCH):
            scenes = [] if random.random() < drawn else stuff.scenes
            window, objects = scenery.locator_window(random, scenes, odds, stuff.sprites)
            windows.append(locator_input(spoil(window, random, often)))
            targets.append(target_maps(objects))
        yield torch.from_numpy(np.stack(windows)), torch.from_numpy(np.stack(targets))


def target_maps(objects: NDArray[np.float32]) -> NDArray[np.float32]:
    """Heat, log size, offset x and y, where they count, and where the size does: (6, n, n)."""
    side = scenery.WINDOW // CELL
    maps = np.zeros((6, side, side), np.float32)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    for px, py, size, sized, real in objects:
        if not real:
            continue
        cx, cy = (px + 0.5) / CELL - 0.5, (py + 0.5) / CELL - 0.5
        spread = max(0.55, 0.085 * size / CELL)
        near = (x - cx) ** 2 + (y - cy) ** 2
        heat = np.exp(-near / (2 * spread**2))
        peak = (round(cy), round(cx))
        own = (heat > 0.3) & (heat >= maps[0])
        maps[0] = np.maximum(maps[0], heat)
        if 0 <= peak[0] < side and 0 <= peak[1] < side:
            maps[0][peak] = 1.0
            own[peak] = True
        maps[1][own], maps[2][own], maps[3][own] = np.log(size), (cx - x)[own], (cy - y)[own]
        maps[4][own], maps[5][own] = 1.0, sized
    return maps


def reader_loss(out: Tensor, truth: Tensor) -> Tensor:
    """Cross entropy of the value, of lying flat, and what offsets and size are off."""
    kind, flat, known, sized = truth[:, 0].long(), truth[:, 1], truth[:, 5] > 0, truth[:, 6] > 0
    told = kind >= 0
    loss = nn.functional.cross_entropy(out[told, :7], kind[told], label_smoothing=0.02)
    stands = flat >= 0
    if stands.any():
        loss = loss + STANDS * nn.functional.binary_cross_entropy_with_logits(
            out[stands, 7], flat[stands]
        )
    loss = loss + 0.5 * nn.functional.smooth_l1_loss(out[known, 8:10], truth[known, 2:4])
    sized = sized & (kind != 0)
    return loss + 0.3 * nn.functional.smooth_l1_loss(out[sized, 10], truth[sized, 4])


def locator_loss(out: Tensor, truth: Tensor) -> Tensor:
    """Focal loss of the heat (Zhou et al. 2019, "Objects as points"), L1 of the rest."""
    heat, chance = truth[:, 0], torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat == 1.0
    count = peak.sum().clamp(min=1)
    hit = -((1 - chance) ** 2 * chance.log())[peak].sum()
    miss = -((1 - heat) ** 4 * chance**2 * (1 - chance).log())[~peak].sum()
    own, sized = truth[:, 4] > 0, truth[:, 5] > 0
    size = (out[:, 1] - truth[:, 1]).abs()[sized].sum() / sized.sum().clamp(min=1)
    off = (out[:, 2:4] - truth[:, 2:4]).abs().sum(1)[own].sum() / own.sum().clamp(min=1)
    return (hit + miss) / count + 0.5 * size + 0.3 * off


Kind: TypeAlias = tuple[
    type[nn.Module],
    Callable[[Material, Random, float, float], Iterator[Batch]],
    Callable[[Tensor, Tensor], Tensor],
]
KINDS: dict[str, Kind] = {
    "reader": (Reader, reader_batches, reader_loss),
    "locator": (Locator, locator_batches, locator_loss),
}
"""What a net of each name is, what it learns from, and how far off it is."""


def export(net: nn.Module, path: Path) -> None:
    """Write the net as ONNX with free batch and picture sizes."""
    net = net.eval().to(memory_format=torch.contiguous_format)
    locator = isinstance(net, Locator)
    sample = torch.zeros(1, 3, 96, 96) if locator else torch.zeros(1, 4, CROP, CROP)
    free = {0: "n", 2: "h", 3: "w"} if locator else {0: "n"}
    torch.onnx.export(
        net,
        (sample,),
        str(path),
        input_names=["x"],
        output_names=["y"],
        opset_version=17,
        dynamic_axes={"x": free, "y": free},
        dynamo=False,
    )


def train(
    which: str,
    stuff: Material,
    seed: int,
    start: dict[str, Tensor] | None = None,
    real: bool = True,
    effort: float = 1.0,
    pace: float = 1.0,
) -> nn.Module:
    """One net, "reader" or "locator": from `start` with pictures, or from nothing with drawings."""
    torch.manual_seed(seed)
    random = np.random.default_rng([seed, int(real)])
    form, make, loss = KINDS[which]
    net = form()
    if start is not None:
        net.load_state_dict(start)
    steps = round(REAL_STEPS[which] * effort) if real else DRAWN_STEPS[which]
    share, often = (SHARE, MILD) if real else (1.0, 1.0)
    return fit(net, make(stuff, random, share, often), loss, steps, pace, which)


def build(
    folders: tuple[Path, Path],
    out: Path,
    cache: Path,
    nets: tuple[str, ...] = ("reader", "locator"),
    sources: tuple[str, ...] = SOURCES,
    tables: slice | None = ALL,
    seed: int = 1,
    effort: float = 1.0,
    start: Path | None = None,
) -> None:
    """Train from the folders of photographs and of tables, and write ONNX files to `out`.

    `tables` says which of the path-traced mats are learnt from. `effort` is the share of
    `REAL_STEPS` that is made. `cache` keeps drawings, path-traced tables, and the nets that saw
    drawings alone, which are the same whatever pictures follow; `start` is a folder of nets to go
    on from instead, and what is written then is midway between them and what they became.
    """
    out.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    drawn = drawings(seed, cache / "drawings.pt")
    traced = cache / "traced"
    # In a process of its own: Blender and PyTorch bring libraries that do not go together.
    asked = [sys.executable, "-m", "training.traced", str(traced), "--seed", str(seed)]
    if code := subprocess.run(asked).returncode:
        raise SystemExit(code)
    real: Material | None = None
    for which in nets:
        kept = cache / f"{which}.pt"
        if start is None and not kept.exists():
            torch.save(train(which, Material(*drawn, [], {}), seed, real=False).state_dict(), kept)
        if real is None:
            photos = load_photos(folders[0], sources) + load_traced(traced)
            rooms = [folders[1] / "dice", folders[1] / "dice-odd"]
            seen = load_tables(*rooms)[tables] if tables else []
            real = material(photos, seen, load_boards(folders[1]), drawn, seed)
        former = written_layers(start / f"{which}.onnx") if start else None
        begin = _go_on(which, former, real, seed) if former else torch.load(kept)
        pace = ON if former else 1.0
        net = train(which, real, seed, begin, effort=effort, pace=pace)
        export(net, out / f"{which}.onnx")
        if former:
            blend(former, out / f"{which}.onnx")
        typical = [inputs.numpy() for inputs in _inputs(which, real, seed, TYPICAL)]
        shrink(out / f"{which}.onnx", typical)


def _go_on(which: str, former: Layers, stuff: Material, seed: int) -> dict[str, Tensor]:
    """The weights of a net that was written before."""
    form, _, _ = KINDS[which]
    return resume(form(), former, _inputs(which, stuff, seed, 1)[0]).state_dict()


def _inputs(which: str, stuff: Material, seed: int, count: int) -> list[Tensor]:
    """What the net is shown in the first batches."""
    _, make, _ = KINDS[which]
    batches = make(stuff, np.random.default_rng(seed), SHARE, MILD)
    return [inputs for inputs, _ in islice(batches, count)]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.train", description="Train the nets that read dice."
    )
    parser.add_argument("photos", type=Path, help="folder with a folder for each source")
    parser.add_argument("scenes", type=Path, help="folder with dice/ and dice-odd/")
    parser.add_argument("--out", type=Path, required=True, help="where the ONNX files go")
    parser.add_argument("--cache", type=Path, default=Path("build/training"))
    parser.add_argument("--nets", default="reader,locator")
    parser.add_argument("--effort", type=float, default=1.0, help="share of the steps to make")
    parser.add_argument("--start", type=Path, help="folder of nets to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    build(
        (args.photos, args.scenes),
        args.out,
        args.cache,
        tuple(args.nets.split(",")),
        seed=args.seed,
        effort=args.effort,
        start=args.start,
    )


if __name__ == "__main__":
    main()
