"""The loop of learning: batches in, a net out."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

import torch
from torch import Tensor, nn

Batch: TypeAlias = tuple[Tensor, Tensor]

FILTER_RATE, OTHER_RATE = 0.03, 3e-3  # of learning, at its most
WARM_UP = 0.15  # of the steps until then
AVERAGE = 0.995  # of the weights kept at each step by what is shipped


def fit(
    net: nn.Module,
    batches: Iterator[Batch],
    loss_of: Callable[[Tensor, Tensor], Tensor],
    steps: int,
    pace: float,
    name: str,
) -> nn.Module:
    """The net after this many steps, its weights averaged over the last of them.

    `pace`: share of the usual rates of learning.
    """
    net.train().to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGE), use_buffers=True
    )
    filters = [weight for weight in net.parameters() if _hidden(weight)]
    others = [weight for weight in net.parameters() if not _hidden(weight)]
    matrices = [_matrix(weight) for weight in filters]
    tuners: list[torch.optim.Optimizer] = [
        torch.optim.Muon(matrices, FILTER_RATE * pace, momentum=0.9),
        torch.optim.AdamW(others, OTHER_RATE * pace, weight_decay=0.02),
    ]
    plans = [
        torch.optim.lr_scheduler.OneCycleLR(
            tuner, tuner.defaults["lr"], total_steps=steps, pct_start=WARM_UP, cycle_momentum=False
        )
        for tuner in tuners
    ]
    began, shown = time.monotonic(), 0.0
    for step, (inputs, truth) in enumerate(_ahead(batches, steps), 1):
        # In 16 bits, which the matrix units of today's processors add up twice as fast.
        with torch.autocast("cpu", torch.bfloat16):
            out = net(inputs.contiguous(memory_format=torch.channels_last))
        loss = loss_of(out.float(), truth)
        net.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        for matrix, weight in zip(matrices, filters, strict=True):
            assert weight.grad is not None
            matrix.grad = _rows(weight.grad)
        for tuner, plan in zip(tuners, plans, strict=True):
            tuner.step()
            plan.step()
        average.update_parameters(net)
        shown += float(loss.detach())
        if step % 50 == 0:
            print(
                f"{name} {step}/{steps} loss {shown / 50:.3f} {time.monotonic() - began:.0f} s",
                flush=True,
            )
            shown = 0.0
    net.load_state_dict(average.module.state_dict())
    return net.eval()


def _hidden(weight: nn.Parameter) -> bool:
    """Whether these are filters of a layer within a net: only its last one has so few."""
    return weight.ndim == 4 and len(weight) > 4


def _matrix(filters: nn.Parameter) -> nn.Parameter:
    """A layer's filters as a matrix, a row each, in the very same memory.

    Muon (Jordan et al. 2024, "Muon: an optimizer for hidden layers") turns steps into ones that
    stretch nothing, and PyTorch's takes matrices alone. A net learns in 1500 such steps what takes
    Adam 3000.
    """
    matrix = nn.Parameter(_rows(filters.detach()))
    assert matrix.data_ptr() == filters.data_ptr(), "the filters are not in channels-last order"
    return matrix


def _rows(filters: Tensor) -> Tensor:
    return filters.permute(0, 2, 3, 1).flatten(1)


def _ahead(batches: Iterator[Batch], steps: int) -> Iterator[Batch]:
    """The first batches, made ready in a thread."""
    ready: queue.Queue[Batch] = queue.Queue(4)

    def fill() -> None:
        for _ in range(steps):
            ready.put(next(batches))

    threading.Thread(target=fill, daemon=True).start()
    for _ in range(steps):
        yield ready.get()
