"""The nets: where dice are, what one die shows, what is none. Small enough for a Pi Zero 2 W."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def _conv(inward: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(True)
    )


class _Residual(nn.Module):
    """Two layers whose outcome is added to what came in (He et al. 2016)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = _conv(width, width)[:2]

    def forward(self, maps: Tensor) -> Tensor:
        return torch.relu(maps + self.second(self.first(maps)))


class Locator(nn.Module):
    """Pictures (n, 3, h, w), sides multiples of 32 -> maps (n, 4, h/4, w/4).

    Channels: logit of a die's middle, log of its size in px, offset of the middle in cells x, y.
    """

    def __init__(self) -> None:
        super().__init__()
        self.down4 = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2))
        self.down8 = nn.Sequential(_conv(32, 48, 2), _Residual(48))
        self.down16 = nn.Sequential(_conv(48, 96, 2), _Residual(96))
        self.down32 = nn.Sequential(_conv(96, 160, 2), _Residual(160))
        self.side = nn.ModuleList([nn.Conv2d(n, 32, 1) for n in (32, 48, 96, 160)])
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.head = nn.Sequential(_conv(32, 32), nn.Conv2d(32, 4, 1))
        self.mix = nn.ModuleList([nn.Conv2d(32, 32, 3, padding=1, groups=32) for _ in range(2)])
        last = self.head[1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias[0], -4.0)
        nn.init.constant_(last.bias[1], 3.3)

    def forward(self, pictures: Tensor) -> Tensor:
        four = self.down4(pictures)
        eight = self.down8(four)
        sixteen = self.down16(eight)
        deep = self.side[3](self.down32(sixteen))
        deep = self.mix[0](self.up(deep) + self.side[2](sixteen))
        deep = self.mix[1](self.up(deep) + self.side[1](eight))
        maps: Tensor = self.head(torch.relu(self.up(deep) + self.side[0](four)))
        return maps


class Reader(nn.Module):
    """Crops (n, 4, 64, 64) -> (n, 11): logits of not a die and 1 to 6, logit of lying flat,
    offset of the top face's middle x, y, log of the die's size over that of the crop's guess."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(4, 16),
            _conv(16, 32, 2),
            _conv(32, 32),
            _conv(32, 64, 2),
            _conv(64, 64),
            _conv(64, 64),
            _conv(64, 128, 2),
            _Residual(128),
            _Residual(128),
        )
        self.drop = nn.Dropout(0.15)
        self.last = nn.Linear(256, 11)

    def forward(self, crops: Tensor) -> Tensor:
        deep = self.body(crops)
        pooled = torch.cat([deep.mean((2, 3)), deep.amax((2, 3))], 1)
        out: Tensor = self.last(self.drop(pooled))
        return out


class Doubter(nn.Module):
    """What the reader's first layers say of crops (n, 64, 16, 16) -> (n, 10): logits of a die that
    shows 1 to 6, and of `doubts.KINDS`."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(64, 64, 2), _Residual(64))
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(128, 10)

    def forward(self, said: Tensor) -> Tensor:
        deep = self.body(said)
        pooled = torch.cat([deep.mean((2, 3)), deep.amax((2, 3))], 1)
        out: Tensor = self.last(self.drop(pooled))
        return out
