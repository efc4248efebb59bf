"""Beside COMPAS, with the real packages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import drystone
from drystone import compas as bridge

compas = pytest.importorskip("compas")


def boxes() -> list[Any]:
    """A support and two blocks on it, one on the other."""
    from compas.geometry import Box, Frame

    sizes = [(4.0, 4.0, 1.0, -0.5), (1.0, 1.0, 1.0, 0.5), (1.0, 1.0, 1.0, 1.5)]
    return [Box(x, y, z, Frame([0, 0, height], [1, 0, 0], [0, 1, 0])) for x, y, z, height in sizes]


def assembly() -> Any:
    module = pytest.importorskip("compas_assembly.datastructures")
    made = module.Assembly()
    for box in boxes():
        made.add_block(module.Block.from_shape(box))
    made.set_boundary_conditions([0])
    return made


def block_model() -> Any:
    module = pytest.importorskip("compas_dem.models")
    made = module.BlockModel.from_boxes(boxes())
    made.add_support(0)
    return made


@pytest.mark.parametrize("make", [assembly, block_model])
def test_an_assembly_goes_in_and_forces_come_back(make: Any) -> None:
    structure = make()
    model = drystone.Model.from_compas(structure, density=1000.0, friction=0.6)
    assert model.supports.tolist() == [True, False, False]
    assert model.masses[1] == pytest.approx(1000.0)
    result = drystone.equilibrium(model)
    bridge.put_back(result, structure)
    graph = structure.graph
    weights: dict[tuple[int, int], float] = {}
    for edge in graph.edges():
        name = "interfaces" if hasattr(structure, "node_block") else "contacts"
        for contact in graph.edge_attribute(edge, name):
            assert len(contact.points) == len(contact.forces) == 4
            key = (min(edge), max(edge))
            weights[key] = weights.get(key, 0.0) + sum(force["c_np"] - force["c_nn"] for force in contact.forces)
    assert weights == {(0, 1): pytest.approx(2000 * 9.81, rel=1e-6), (1, 2): pytest.approx(1000 * 9.81, rel=1e-6)}


@pytest.mark.parametrize("make", [assembly, block_model])
def test_a_mechanism_and_a_motion_come_back(make: Any) -> None:
    structure = make()
    model = drystone.Model.from_compas(structure, density=1000.0, friction=0.6)
    bridge.put_back(drystone.limit(model, direction=[1, 0, 0]), structure)
    displaced = structure.graph.node_attribute(2, "displacement")
    assert displaced[0] > 0.0
    model.motion("pulse", "one_sine", amplitude=8.0, half_period=0.3, direction=[1, 0, 0])
    result = drystone.time_history(model, dt=0.01, duration=0.4, settle=0.0, motion="pulse")
    bridge.put_back(result, structure)
    expected = result.motion.displacements[-1, 2]
    assert structure.graph.node_attribute(2, "displacement")[:3] == pytest.approx(expected)
    assert np.linalg.norm(expected) > 1e-4
    twin = bridge.moved(result, structure)
    if hasattr(twin, "node_block"):
        mesh = twin.node_block(2)
    else:
        mesh = [element.modelgeometry for element in twin.elements() if element.graphnode == 2][0]
    centre = np.mean(mesh.to_vertices_and_faces()[0], axis=0)
    assert centre == pytest.approx(result.motion.positions[-1, 2], abs=1e-9)


def test_meshes_go_in() -> None:
    from compas.datastructures import Mesh

    model = drystone.Model.from_compas([Mesh.from_shape(box) for box in boxes()], supports=[0])
    assert model.names == ["0", "1", "2"] and drystone.equilibrium(model).stable
    with pytest.raises(drystone.InputError, match="neither"):
        drystone.Model.from_compas(7)
    with pytest.raises(drystone.InputError, match="no block"):
        drystone.Model.from_compas([Mesh.from_shape(box) for box in boxes()], supports=[9])
