"""Beside COMPAS: assemblies of ``compas_assembly`` and block models of ``compas_dem`` go in, displacements and forces come back onto them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import InputError, Note
from .model import Model, _chosen
from .results import Result, StaticResult, TimeHistoryResult

Array = npt.NDArray[np.float64]


def model_of(
    assembly: Any,
    *,
    supports: Iterable[Any] | None = None,
    material: str = "stone",
    density: float = 2000.0,
    friction: float = 0.7,
    **general: Any,
) -> Model:
    """A model of the blocks of an assembly; a block is named by its key in the graph.

    :param assembly: a ``compas_assembly`` Assembly, a ``compas_dem`` BlockModel, or meshes of COMPAS
    :param supports: keys of the blocks that follow the ground; those that the assembly has marked unless said
    :param density: kg/m³
    :param friction: coefficient of all joints
    """
    parts = list(_parts(assembly))
    if not parts:
        raise InputError("from_compas: the assembly has no blocks")
    keys = [key for key, _, _ in parts]
    fixed = {key for key, _, support in parts if support} if supports is None else {_key(keys, item) for item in _chosen(supports, len(keys))}
    unknown = sorted(map(str, fixed - set(keys)))
    if unknown:
        raise InputError(f"supports: the assembly has no block {', '.join(unknown)}")
    meshes = [mesh.to_vertices_and_faces() for _, mesh, _ in parts]
    general.setdefault("name", getattr(assembly, "name", None))
    return Model.from_meshes(
        [vertices for vertices, _ in meshes],
        [faces for _, faces in meshes],
        names=[str(key) for key in keys],
        supports=[str(key) for key in fixed],
        material=material,
        density=density,
        friction=friction,
        **general,
    )


def _key(keys: list[Any], item: Any) -> Any:
    """A block by its key in the graph."""
    return item if item in keys else next((key for key in keys if str(key) == str(item)), item)


def put_back(result: Result, assembly: Any) -> None:
    """Puts a result onto the assembly that its model was made of.

    Displacements, m and rad, become the attribute ``displacement`` of the nodes of the graph: those of the last frame of a time history, or the
    velocities of a mechanism. Forces of equilibrium and limit analyses, N, become interfaces (``compas_assembly``) or contacts
    (``compas_dem``) on the edges, in place of those that were there; their frames have the normal from the edge's first block to its second, and forces
    act on the second.
    """
    nodes = {str(key): key for key, _, _ in _parts(assembly)}
    if not hasattr(assembly, "graph"):
        raise InputError(f"put_back: {type(assembly).__name__} has no graph for forces and displacements")
    graph = assembly.graph
    for block, displacement in _displacements(result):
        if block not in nodes:
            raise InputError(f"the assembly has no block {block!r}: it is not the one that the model was made of")
        graph.node_attribute(nodes[block], "displacement", displacement)
    if isinstance(result, StaticResult):
        name, make = _contact_maker(assembly)
        for a, b in list(graph.edges()):
            graph.edge_attribute((a, b), name, [])
        table = result.forces
        lost = 0.0
        for (first, second), points in table.groupby(["a", "b"], sort=False):
            if str(first) not in nodes or str(second) not in nodes:
                raise InputError(f"the assembly has no block {first!r} or {second!r}: it is not the one that the model was made of")
            a, b = nodes[str(first)], nodes[str(second)]
            turned = graph.has_edge((b, a)) and not graph.has_edge((a, b))
            edge = (b, a) if turned else (a, b)
            if not graph.has_edge(edge):
                graph.add_edge(*edge)
            there = list(graph.edge_attribute(edge, name) or [])
            planes = list(_planes(points))
            made = [make(*_contact(part, -1.0 if turned else 1.0)) for part in planes if len(part) >= 3]
            lost += sum(float(part["normal"].sum()) for part in planes if len(part) < 3)
            graph.edge_attribute(edge, name, there + made)
        if lost > 0.0:
            warnings.warn(f"put_back: contacts along edges and at corners have no polygon; {lost:.4g} N of normal forces are left out", Note, stacklevel=2)


def moved(result: TimeHistoryResult, assembly: Any, frame: int = -1) -> Any:
    """A copy of the assembly with its blocks where a frame of a time history has them."""
    from compas.geometry import Transformation

    motion = result.motion
    twin = assembly.copy()
    rows = {name: index for index, name in enumerate(motion.blocks)}
    for key, part, _ in _parts(twin, elements=True):
        index = rows[str(key)]
        start, now = motion.positions[0, index], motion.positions[frame, index]
        matrix = np.eye(4)
        matrix[:3, :3] = _turn(motion.rotations[frame, index]) @ _turn(motion.rotations[0, index]).T
        matrix[:3, 3] = now - matrix[:3, :3] @ start
        change = Transformation.from_matrix(matrix.tolist())
        if hasattr(part, "modelgeometry"):
            part.transformation = change * part.transformation if part.transformation else change
        else:
            part.transform(change)
    return twin


def _parts(assembly: Any, *, elements: bool = False) -> Iterator[tuple[Any, Any, bool]]:
    """Key, mesh and whether it is a support, for every block."""
    if hasattr(assembly, "node_block"):
        for node in assembly.nodes():
            yield node, assembly.node_block(node), bool(assembly.graph.node_attribute(node, "is_support"))
    elif hasattr(assembly, "elements"):
        for element in assembly.elements():
            part = element if elements else element.modelgeometry
            yield element.graphnode, part, bool(getattr(element, "is_support", False))
    elif isinstance(assembly, Iterable):
        for index, mesh in enumerate(assembly):
            if not hasattr(mesh, "to_vertices_and_faces"):
                raise InputError(f"from_compas: {type(mesh).__name__} is no mesh of COMPAS")
            yield index, mesh, False
    else:
        raise InputError(
            f"from_compas: {type(assembly).__name__} is neither an assembly of compas_assembly, nor a block model of compas_dem, nor a list of meshes"
        )


def _displacements(result: Result) -> Iterator[tuple[str, list[float]]]:
    if isinstance(result, TimeHistoryResult):
        motion = result.motion
        for index, block in enumerate(motion.blocks):
            turn = _turn(motion.rotations[-1, index]) @ _turn(motion.rotations[0, index]).T
            moved = motion.positions[-1, index] - motion.positions[0, index]
            yield block, [*moved.tolist(), *_axis(turn).tolist()]
    elif isinstance(result, StaticResult) and "mechanism" in result.tables:
        mechanism = result.mechanism
        columns = ["vx", "vy", "vz", "wx", "wy", "wz"]
        for block, velocity in zip(mechanism["block"], mechanism[columns].to_numpy(), strict=True):
            yield str(block), velocity.tolist()


def _contact_maker(assembly: Any) -> tuple[str, Any]:
    from compas.geometry import Frame, Point

    if hasattr(assembly, "node_block"):
        from compas_assembly.datastructures import Interface

        def interface(points: Array, frame: tuple[Array, Array, Array], forces: list[dict[str, float]]) -> Any:
            corners = [Point(*point) for point in points.tolist()]
            return Interface(points=corners, frame=Frame(*(axis.tolist() for axis in frame)), forces=forces)

        return "interfaces", interface
    from compas_dem.interactions import FrictionContact

    def contact(points: Array, frame: tuple[Array, Array, Array], forces: list[dict[str, float]]) -> Any:
        corners = [Point(*point) for point in points.tolist()]
        return FrictionContact(points=corners, frame=Frame(*(axis.tolist() for axis in frame)), forces=forces)

    return "contacts", contact


def _planes(points: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The contact points of two blocks, by the plane they lie in."""
    normals = points[["nx", "ny", "nz"]].to_numpy()
    position = points[["x", "y", "z"]].to_numpy()
    size = float(np.ptp(position, axis=0).max(initial=0.0)) + 1e-12
    left = np.arange(len(points))
    while len(left):
        first = left[0]
        apart = np.abs((position[left] - position[first]) @ normals[first])
        same = (normals[left] @ normals[first] > 1.0 - 1e-6) & (apart < 1e-3 * size)
        yield points.iloc[left[same]]
        left = left[~same]


def _contact(points: pd.DataFrame, sign: float) -> tuple[Array, tuple[Array, Array, Array], list[dict[str, float]]]:
    """Corners in order, origin and axes of the frame, and forces in it."""
    position = points[["x", "y", "z"]].to_numpy()
    normal = sign * points[["nx", "ny", "nz"]].to_numpy()[0]
    origin = position.mean(axis=0)
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    u = np.cross(helper, normal)
    u /= np.linalg.norm(u)
    v = np.cross(normal, u)
    offset = position - origin
    order = np.argsort(np.arctan2(offset @ v, offset @ u))
    shear = sign * points[["shear_x", "shear_y", "shear_z"]].to_numpy()
    forces = [
        {"c_np": float(points["normal"].iloc[k]), "c_nn": 0.0, "c_u": float(shear[k] @ u), "c_v": float(shear[k] @ v)}
        for k in order
    ]
    return position[order], (origin, u, v), forces


def _turn(quaternion: Array) -> Array:
    """The rotation matrix of a unit quaternion x y z w."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _axis(turn: Array) -> Array:
    """The rotation vector of a rotation matrix, rad."""
    off = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine, cosine = 0.5 * float(np.linalg.norm(off)), 0.5 * (float(np.trace(turn)) - 1.0)
    angle = float(np.arctan2(sine, cosine))
    if sine > 1e-8:
        return off * (angle / (2.0 * sine))
    if cosine > 0.0:
        return 0.5 * off
    # Half a turn: the axis is the column of the largest diagonal entry of (turn + 1) / 2.
    half = 0.5 * (turn + np.eye(3))
    column: Array = half[:, int(np.argmax(np.diag(half)))]
    return column / np.linalg.norm(column) * angle
