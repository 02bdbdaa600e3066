"""What path-traced tables are made of, by chance: plastics, grounds, lamps; Blender's nodes."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from training import drawings
from training.drawings import Random

Colour = NDArray[Any]  # red, green, blue, from 0 to 1


def plastic(random: Random) -> Any:
    """Of one die: plain or marbled, at times clear, milky or of metal; pips of another colour."""
    made = bpy.data.materials.new("plastic")
    tree, new = _cleared(made)
    body, dye = new("ShaderNodeBsdfPrincipled"), new("ShaderNodeBsdfPrincipled")
    own = drawings._colour(random)
    colour = own[::-1]
    rough = random.uniform(0.03, 0.2) if random.random() < 0.5 else random.uniform(0.2, 0.6)
    body.inputs["Roughness"].default_value = rough
    if random.random() < 0.5:
        kin = colour * random.uniform(0.3, 0.8) + drawings._colour(random)[::-1] * 0.35
        other = drawings._colour(random)[::-1] if random.random() < 0.6 else kin
        place = new("ShaderNodeTexCoord").outputs["Object"]
        stirred = _stirred(tree, random, colour, other, place, (0.3, 3.0))
        tree.links.new(stirred, body.inputs["Base Color"])
    else:
        body.inputs["Base Color"].default_value = _opaque(colour)
    roll = random.random()
    if roll < 0.15:
        body.inputs["Transmission Weight"].default_value = random.uniform(0.3, 0.95)
        body.inputs["Roughness"].default_value = random.uniform(0.05, 0.4)
    elif roll < 0.27:
        body.inputs["Metallic"].default_value = random.uniform(0.3, 1)
    elif roll < 0.45:
        body.inputs["Subsurface Weight"].default_value = random.uniform(0.1, 0.6)
        body.inputs["Subsurface Radius"].default_value = (0.6, 0.4, 0.3)
    if random.random() < 0.3:
        body.inputs["Coat Weight"].default_value = random.uniform(0.3, 1)
    ink = drawings._ink(random, own)[::-1]
    red = np.array([0.7, 0.05, 0.05]) if random.random() < 0.15 else ink
    dye.inputs["Roughness"].default_value = random.uniform(0.05, 0.8)
    tree.links.new(_mixed(tree, ink, red, _share(new, "ace")), dye.inputs["Base Color"])
    both = new("ShaderNodeMixShader")
    for shader, socket in ((_share(new, "pip"), 0), (body.outputs[0], 1), (dye.outputs[0], 2)):
        tree.links.new(shader, both.inputs[socket])
    tree.links.new(both.outputs[0], new("ShaderNodeOutputMaterial").inputs["Surface"])
    return made


def ground(random: Random) -> Any:
    """Of a table: plain, blotched, grained like wood or chequered; smooth or rough."""
    made = bpy.data.materials.new("ground")
    tree, new = _cleared(made)
    board = new("ShaderNodeBsdfPrincipled")
    tree.links.new(board.outputs[0], new("ShaderNodeOutputMaterial").inputs["Surface"])
    place = new("ShaderNodeTexCoord").outputs["Object"]
    colour = drawings._colour(random)[::-1] * random.uniform(0.3, 1)
    other = colour * random.uniform(0.6, 1.4) + random.normal(0, 0.04, 3)
    roll = random.random()
    if roll < 0.3:
        board.inputs["Base Color"].default_value = _opaque(colour)
    elif roll < 0.7:
        stirred = _stirred(tree, random, colour, other, place, (0.05, 4.0))
        tree.links.new(stirred, board.inputs["Base Color"])
    elif roll < 0.85:
        grain = new("ShaderNodeTexWave")
        grain.inputs["Scale"].default_value = random.uniform(0.05, 0.8)
        grain.inputs["Distortion"].default_value = random.uniform(2, 12)
        grain.inputs["Detail"].default_value = 3
        tree.links.new(place, grain.inputs["Vector"])
        mixed = _mixed(tree, colour, other, grain.outputs["Fac"])
        tree.links.new(mixed, board.inputs["Base Color"])
    else:
        squares = new("ShaderNodeTexChecker")
        squares.inputs["Scale"].default_value = random.uniform(0.1, 0.6)
        squares.inputs["Color1"].default_value = _opaque(colour)
        strange = random.random() < 0.5
        squares.inputs["Color2"].default_value = _opaque(
            drawings._colour(random)[::-1] if strange else other
        )
        tree.links.new(place, squares.inputs["Vector"])
        tree.links.new(squares.outputs["Color"], board.inputs["Base Color"])
    board.inputs["Roughness"].default_value = random.uniform(
        0.1 if random.random() < 0.4 else 0.5, 1
    )
    if random.random() < 0.5:
        uneven, bump = new("ShaderNodeTexNoise"), new("ShaderNodeBump")
        uneven.inputs["Scale"].default_value = random.uniform(2, 14)
        uneven.inputs["Detail"].default_value = 4
        bump.inputs["Strength"].default_value = random.uniform(0.1, 0.8)
        bump.inputs["Distance"].default_value = 0.2
        tree.links.new(place, uneven.inputs["Vector"])
        tree.links.new(uneven.outputs["Fac"], bump.inputs["Height"])
        tree.links.new(bump.outputs[0], board.inputs["Normal"])
    return made


def glow(random: Random, strength: float) -> Any:
    """Of a lamp: whitish light."""
    made = bpy.data.materials.new("glow")
    tree, new = _cleared(made)
    light = new("ShaderNodeEmission")
    light.inputs[0].default_value = _opaque(1 - random.uniform(0, 0.3, 3) * np.array([0, 0.5, 1]))
    light.inputs[1].default_value = strength
    tree.links.new(light.outputs[0], new("ShaderNodeOutputMaterial").inputs["Surface"])
    return made


def room(random: Random) -> Any:
    """The light that comes from all around: of one tint, here brighter and there darker."""
    made = bpy.data.worlds.new("room")
    made.use_nodes = True
    tree = made.node_tree
    back = tree.nodes["Background"]
    back.inputs["Strength"].default_value = random.uniform(0.15, 0.9)
    tint = 1 - random.uniform(0, 0.25, 3)
    place = tree.nodes.new("ShaderNodeTexCoord").outputs["Generated"]
    dark, bright = tint * random.uniform(0.05, 0.6), tint * random.uniform(0.5, 1.5)
    tree.links.new(_stirred(tree, random, dark, bright, place, (1.0, 6.0)), back.inputs["Color"])
    made.cycles.sampling_method = "NONE"  # to weigh its parts takes longer than it saves
    return made


def _cleared(made: Any) -> tuple[Any, Any]:
    """A material's tree, without its nodes, and what makes new ones."""
    made.use_nodes = True
    made.node_tree.nodes.clear()
    return made.node_tree, made.node_tree.nodes.new


def _opaque(colour: Colour) -> tuple[float, ...]:
    return (*(float(share) for share in np.maximum(colour, 0)), 1.0)


def _share(new: Any, name: str) -> Any:
    """How much of a point of the mesh is this (`solid.Solid`)."""
    share = new("ShaderNodeAttribute")
    share.attribute_name = name
    return share.outputs["Fac"]


def _mixed(tree: Any, colour: Colour, other: Colour, share: Any) -> Any:
    mixed = tree.nodes.new("ShaderNodeMixRGB")
    mixed.inputs[1].default_value, mixed.inputs[2].default_value = _opaque(colour), _opaque(other)
    tree.links.new(share, mixed.inputs[0])
    return mixed.outputs[0]


def _stirred(
    tree: Any,
    random: Random,
    colour: Colour,
    other: Colour,
    place: Any,
    scale: tuple[float, float],
) -> Any:
    """Two colours stirred into each other, with soft or sharp limits."""
    new = tree.nodes.new
    moved, noise, ramp = (
        new("ShaderNodeMapping"),
        new("ShaderNodeTexNoise"),
        new("ShaderNodeValToRGB"),
    )
    moved.inputs["Location"].default_value = tuple(random.uniform(-50, 50, 3))
    moved.inputs["Scale"].default_value = tuple(np.exp(random.normal(0, 0.4, 3)))
    noise.inputs["Scale"].default_value = random.uniform(*scale)
    noise.inputs["Detail"].default_value = random.uniform(0, 4)
    noise.inputs["Distortion"].default_value = random.uniform(0, 4)
    middle, soft = random.uniform(0.42, 0.58), random.uniform(0.01, 0.3)
    ends = ramp.color_ramp.elements
    ends[0].position, ends[1].position = max(0.0, middle - soft), min(1.0, middle + soft)
    ends[0].color, ends[1].color = _opaque(colour), _opaque(other)
    tree.links.new(place, moved.inputs["Vector"])
    tree.links.new(moved.outputs["Vector"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    return ramp.outputs["Color"]
