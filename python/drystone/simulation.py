"""Time histories step by step: for control, coupling and research."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _engine, _fork
from .analyses import names
from .errors import InputError

if TYPE_CHECKING:
    from .model import Model, Vector

Array = npt.NDArray[np.float64]


class Simulation:
    """A model in motion, advanced by its owner.

    Between steps, velocities, forces, the ground and supports can be read and changed. What is not touched goes exactly as in
    :func:`drystone.time_history`, to the last bit.

    >>> sim = Simulation(model, dt=0.001, motion="pulse")   # doctest: +SKIP
    >>> while sim.time < 2.0:                               # doctest: +SKIP
    ...     sim.forces = -100.0 * sim.velocities
    ...     sim.step()
    """

    def __init__(self, model: Model, *, dt: float | None = None, analysis: str | None = None, **keys: Any) -> None:
        """The start of a time history.

        :param dt: step, s, with the other keys of a time history (``motion``, ``scheme``, ``friction_law``, ...); or
        :param analysis: the name of a time history of the model
        """
        if (dt is None) == (analysis is None):
            raise InputError("Simulation: say either dt or the name of an analysis of the model")
        if analysis is None:
            # It ends when its owner stops; only the table of output times needs an end.
            keys = {"duration": 1e6 * float(dt or 0), **keys}
            taken = {item.get("name") for item in model.tree.get("analysis", [])}
            analysis = str(keys.pop("name", next(name for name in names("simulation") if name not in taken)))
            model = model.copy().analysis(analysis, "time_history", dt=dt, **keys)
        elif keys:
            raise InputError(f"Simulation: {', '.join(keys)} cannot be given together with the analysis {analysis!r}; change the model")
        self._compiled = model.compile()
        self._engine = _engine.Simulation(self._compiled, analysis)
        #: Names of the blocks.
        self.names: list[str] = self._compiled.names
        #: Which blocks follow the ground.
        self.supports: npt.NDArray[np.bool_] = self._compiled.supports
        #: Mass per block, kg.
        self.masses: Array = self._compiled.masses

    def step(self, steps: int = 1, *, callback: Callable[[Simulation], Any] | None = None) -> None:
        """Takes steps; ``callback(simulation)`` is called after each, and ends them early by returning False."""
        _fork.check()
        steps = operator.index(steps)
        if steps < 0:
            raise InputError(f"step: {steps} steps can't be taken")
        if callback is None:
            self._engine.step(steps)
            return
        for _ in range(steps):
            self._engine.step(1)
            answer = callback(self)
            if answer is not None and not answer:
                break

    @property
    def time(self) -> float:
        """s."""
        return self._engine.time

    @property
    def steps(self) -> int:
        """Steps taken."""
        return self._engine.steps

    @property
    def finished(self) -> bool:
        """The duration of the analysis is over, or it was to stop at a collapse that happened."""
        return self._engine.finished

    @property
    def positions(self) -> Array:
        """Centroids, m, relative to the ground, a row per block."""
        return _fixed(self._engine.positions)

    @property
    def rotations(self) -> Array:
        """Rotations since the start, unit quaternions x y z w."""
        return _fixed(self._engine.rotations)

    @property
    def velocities(self) -> Array:
        """Velocities of centroids relative to the ground, m/s, with ``scheme="leapfrog"`` those of half a step ago (:attr:`lag`).

        Set them, as a whole, to change those of free blocks; rows of supports are left out. The velocity of a support
        is the mean of the last step; before the first one, and after :meth:`load` until the next one, it is zero.
        """
        return _fixed(self._engine.velocities)

    @velocities.setter
    def velocities(self, values: npt.ArrayLike) -> None:
        self._engine.set_velocities(_table(values, "velocities"), self._engine.angular_velocities)

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities, rad/s in world axes; otherwise as :attr:`velocities`."""
        return _fixed(self._engine.angular_velocities)

    @angular_velocities.setter
    def angular_velocities(self, values: npt.ArrayLike) -> None:
        self._engine.set_velocities(self._engine.velocities, _table(values, "angular_velocities"))

    @property
    def lag(self) -> float:
        """How long before :attr:`time` velocities hold, s."""
        return self._engine.lag

    @property
    def forces(self) -> Array:
        """Forces at the centroids of free blocks in addition to the loads of the model, N, a row per block.

        Set them as a whole; they act from now until they are set again. Rows of supports are left out.
        """
        return _fixed(self._engine.forces)

    @forces.setter
    def forces(self, values: npt.ArrayLike) -> None:
        self._engine.set_forces(_table(values, "forces"), self._engine.couples)

    @property
    def couples(self) -> Array:
        """Couples on free blocks, N m, a row per block."""
        return _fixed(self._engine.couples)

    @couples.setter
    def couples(self, values: npt.ArrayLike) -> None:
        self._engine.set_forces(self._engine.forces, _table(values, "couples"))

    @property
    def ground_acceleration(self) -> Array:
        """Ground acceleration in addition to the motions of the model, m/s². Set it to change it from now on."""
        return _fixed(self._engine.ground_acceleration)

    @ground_acceleration.setter
    def ground_acceleration(self, value: Vector) -> None:
        vector = _vector(value, "ground_acceleration")
        self._engine.set_ground_acceleration(vector.tolist())

    @property
    def ground(self) -> Array:
        """Displacement of the ground, m."""
        return self._engine.ground

    def move_support(self, block: str | int, velocity: Vector = (0, 0, 0), angular_velocity: Vector = (0, 0, 0)) -> None:
        """Lets a support move, m/s, and turn about its centroid, rad/s, relative to the ground, from now on."""
        v, w = _vector(velocity, "velocity"), _vector(angular_velocity, "angular_velocity")
        self._engine.set_support_velocity(self.index(block), v.tolist(), w.tolist())

    def index(self, block: str | int) -> int:
        """Index of a block by its name."""
        if isinstance(block, str):
            if block not in self.names:
                raise InputError(f"the model has no block {block!r}")
            return self.names.index(block)
        if not 0 <= block < len(self.names):
            raise InputError(f"block {block}: there are {len(self.names)}")
        return block

    @property
    def energy(self) -> dict[str, float]:
        """Kinetic, potential, harvested, dissipated and elastic energy, J, at the time of the velocities (:attr:`lag`)."""
        return self._engine.energy

    @property
    def note(self) -> dict[str, float]:
        """How well the last step was solved: residual, iterations, contacts, penetration, natural map of the friction law."""
        return self._engine.note

    @property
    def contacts(self) -> pd.DataFrame:
        """Contact points of the last step, with the columns of ``forces.csv``: blocks ``a`` and ``b``, point relative to the ground at the beginning of the step,
        normal from a to b, forces on b in N; and the gap there in m.
        """
        blocks, points, normals, normal, shear, gap = self._engine.contacts()
        names = np.asarray(self.names, dtype=object)
        pairs = np.asarray(blocks, dtype=np.intp).reshape(-1, 2)
        columns: dict[str, Any] = {"a": names[pairs[:, 0]], "b": names[pairs[:, 1]]}
        for prefix, values in (("", points), ("n", normals)):
            for axis, letter in enumerate("xyz"):
                columns[prefix + letter] = values[:, axis]
        columns["normal"] = normal
        for axis, letter in enumerate("xyz"):
            columns[f"shear_{letter}"] = shear[:, axis]
        columns["gap"] = gap
        return pd.DataFrame(columns)

    @property
    def summary(self) -> dict[str, Any]:
        """The results so far, as ``summary.json`` of a time history has them."""
        found: dict[str, Any] = json.loads(self._engine.summary())
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves a checkpoint: everything whose loss would change a bit of what follows."""
        self._engine.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a checkpoint of the same model and analysis.

        What a step leaves behind for reading alone (:attr:`contacts`, :attr:`note`, the velocities of supports) is empty or zero until the next one.
        """
        self._engine.load(path)

    def __repr__(self) -> str:
        return f"<drystone.Simulation of {self._compiled.name!r} at {self.time:g} s, {self.steps} steps>"


def _fixed(array: Array) -> Array:
    """An array that can't be changed: changing a copy would have no effect on the simulation."""
    array.flags.writeable = False
    return array


def _rows(values: npt.ArrayLike, what: str) -> Array:
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: no array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"{what}: an array of {array.dtype}, but real numbers are needed")
    return np.ascontiguousarray(array, dtype=np.float64)


def _table(values: npt.ArrayLike, what: str) -> Array:
    table = _rows(values, what)
    if table.ndim != 2:
        raise InputError(f"{what}: the shape is {table.shape}, but a row of three numbers per block is needed")
    return table


def _vector(values: Vector, what: str) -> Array:
    vector = _rows(values, what)
    if vector.shape != (3,):
        raise InputError(f"{what}: the shape is {vector.shape}, but three numbers are needed")
    return vector
