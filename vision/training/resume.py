"""Going on from nets that were written as ONNX, where normalisation is folded into the weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Layers: TypeAlias = dict[str, tuple[np.ndarray, np.ndarray]]
"""Name of a layer, as PyTorch has it -> its weights and biases."""


def resume(net: nn.Module, layers: Layers, sample: Tensor) -> nn.Module:
    """The net with the weights that were written (`written_layers`).

    Each normalisation gets the statistics of `sample`, a batch of inputs, and what undoes them, so
    that training goes on from the very function that was written.
    """
    names = {layer: name for name, layer in net.named_modules()}
    norms = _norms(net)
    hooks = []

    def fill(layer: Any, inputs: Any) -> None:
        weight, bias = layers[names[layer]]
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


def blend(before: Layers, path: Path, moved: float = 0.5) -> None:
    """Gives the net in this file weights so far on the way to its own from those before.

    What both can do the mean does better than either (Wortsman et al. 2022, "Robust fine-tuning of
    zero-shot models"); that holds only where one went on from the other.
    """
    net = onnx.load(path)
    kept = {item.name: item for item in net.graph.initializer}
    for node in net.graph.node:
        if node.op_type not in ("Conv", "Gemm"):
            continue
        for name, weights in zip(node.input[1:], before[_layer(node.name)], strict=True):
            mean = weights + moved * (numpy_helper.to_array(kept[name]) - weights)
            kept[name].CopyFrom(numpy_helper.from_array(mean.astype(np.float32), name))
    onnx.save(net, path)


def written_layers(path: Path) -> Layers:
    """Weights and biases of a net as fractions, be they written so or in whole numbers."""
    graph = onnx.load(path).graph
    kept = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    layers: Layers = {}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            layers[_layer(node.name)] = kept[node.input[1]], kept[node.input[2]]
        elif node.op_type == "QLinearConv":
            _, step, _, weights, steps, zero, _, _, bias = (kept.get(name) for name in node.input)
            shape = -1, 1, 1, 1
            fractions = (weights - zero.reshape(shape).astype(np.float32)) * steps.reshape(shape)
            layers[_layer(node.name)] = (
                fractions.astype(np.float32),
                (bias * step * steps).astype(np.float32),
            )
    return layers


def _layer(node: str) -> str:
    """`down8.1.first.0` for `/down8/down8.1/first/first.0/Conv_quant`: a layer's name of that of
    its node, where every list of layers stands before the one of them that it is."""
    parts = node.split("/")[1:-1]
    ends = [*parts[1:], ""]
    return ".".join(
        part for part, after in zip(parts, ends, strict=True) if not after.startswith(f"{part}.")
    )


def _norms(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Layer -> the normalisation that follows it."""
    return {
        block[0]: block[1]
        for block in net.modules()
        if isinstance(block, nn.Sequential)
        and len(block) > 1
        and isinstance(block[1], nn.BatchNorm2d)
    }
