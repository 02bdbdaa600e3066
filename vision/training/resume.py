"""Going on from nets that were written as ONNX, where normalisation is folded into the weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def resume(net: nn.Module, path: Path, sample: Tensor) -> nn.Module:
    """The net with the weights of this file.

    Each normalisation gets the statistics of `sample`, a batch of inputs, and what undoes them, so
    that training goes on from the very function that was written.
    """
    written = _layers(path)
    norms = _norms(net)
    hooks = []

    def fill(layer: Any, inputs: Any) -> None:
        weight, bias = written.pop(0)
        layer.weight.data = torch.from_numpy(weight.copy()).reshape(layer.weight.shape)
        if layer.bias is not None:
            layer.bias.data = torch.from_numpy(bias.copy())
        else:
            norms[layer].bias.data = torch.from_numpy(bias.copy())

    def settle(norm: Any, inputs: tuple[Tensor]) -> None:
        mean, spread = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.data = torch.sqrt(spread + norm.eps)
        norm.bias.data = norm.bias.data + mean

    for layer in net.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            hooks.append(layer.register_forward_pre_hook(fill))
        elif isinstance(layer, nn.BatchNorm2d):
            hooks.append(layer.register_forward_pre_hook(settle))
    with torch.no_grad():
        net.eval()(sample)
    for hook in hooks:
        hook.remove()
    return net


def blend(before: bytes, path: Path) -> None:
    """Gives the net in this file the mean of its weights and of those that it went on from.

    What both can do the mean does better than either (Wortsman et al. 2022, "Robust fine-tuning of
    zero-shot models"); that holds only where one went on from the other.
    """
    former, net = onnx.load_from_string(before), onnx.load(path)
    kept = {item.name: numpy_helper.to_array(item) for item in former.graph.initializer}
    for item in net.graph.initializer:
        weights = numpy_helper.to_array(item)
        if weights.dtype.kind == "f":
            mean = ((weights + kept[item.name]) / 2).astype(weights.dtype)
            item.CopyFrom(numpy_helper.from_array(mean, item.name))
    onnx.save(net, path)


def _layers(path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases in the order in which they are used."""
    graph = onnx.load(path).graph
    kept = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    return [
        (kept[node.input[1]], kept[node.input[2]])
        for node in graph.node
        if node.op_type in ("Conv", "Gemm")
    ]


def _norms(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Layer -> the normalisation that follows it."""
    return {
        block[0]: block[1]
        for block in net.modules()
        if isinstance(block, nn.Sequential)
        and len(block) > 1
        and isinstance(block[1], nn.BatchNorm2d)
    }
