"""Nothing that Python can say brings the engine down."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import _engine

NASTY: list[Any] = [
    None, True, -1, 0, 1e308, -1e308, 5e-324, 2**63, 2**200, "", "x" * 10000, "\x00", "../../etc", [], [[]], {}, {"a": 1}, [None], [1, "a"],
    np.zeros(0), np.zeros((0, 3)), np.zeros((3, 3, 3)), np.ones((4, 3), dtype=np.int8), np.array(["a"]), np.float32(1.5), np.int64(7), b"bytes", 1j, object(),
]  # fmt: skip


def attempt(function: Any, *arguments: Any, **keys: Any) -> None:
    """It works, or it is an ordinary exception that is not the engine's own fault."""
    try:
        function(*arguments, **keys)
    except (drystone.InputError, TypeError, ValueError, OverflowError, KeyError) as error:
        assert "report it" not in str(error)
    except drystone.ComputationError as error:
        assert "report it" not in str(error)


def test_keys_of_every_section(block: drystone.Model) -> None:
    generator = random.Random(7)
    sections: dict[str, list[str]] = {
        "material": ["name", "density"],
        "interface": ["between", "friction", "normal_stiffness", "joints"],
        "block": ["name", "material", "vertices", "faces", "support", "velocity", "mass"],
        "load": ["block", "force", "point", "live"],
        "tie": ["blocks", "points", "stiffness", "yield", "max_elongation"],
        "motion": ["name", "kind", "amplitude", "half_period", "direction", "path"],
        "generate": ["kind", "radius", "thickness", "voussoirs", "material", "length"],
        "import": ["path", "material"],
        "analysis": ["name", "kind", "dt", "duration", "direction", "motion", "monitors"],
    }
    for _ in range(400):
        model = block.copy()
        section = generator.choice(sorted(sections))
        keys = {key: generator.choice(NASTY) for key in sections[section] if generator.random() < 0.7}

        def compiled(model: drystone.Model = model, section: str = section, keys: dict[str, Any] = keys) -> None:
            model._add(section, keys)
            model.compile()

        attempt(compiled)


@pytest.mark.parametrize("index", range(len(NASTY)))
def test_functions(block: drystone.Model, index: int) -> None:
    nasty = NASTY[index]
    sim = drystone.Simulation(block, dt=0.01)
    rest = drystone.equilibrium(block)
    for function in (
        lambda: drystone.Model.from_file(nasty),
        lambda: drystone.Model.from_text(nasty),
        lambda: drystone.Model.from_meshes(nasty),
        lambda: drystone.Model.from_meshes([nasty], [nasty]),
        lambda: drystone.Model.from_meshes([np.eye(3)], names=nasty, supports=nasty),
        lambda: block.run(nasty),
        lambda: block.mesh(nasty),
        lambda: drystone.limit(block, direction=nasty),
        lambda: drystone.limit(block, direction=[1, 0, 0], name=nasty),
        lambda: drystone.limit(block, direction=[1, 0, 0], existing=nasty),
        lambda: drystone.time_history(block, dt=nasty, duration=0.01),
        lambda: drystone.Simulation(block, dt=nasty),
        lambda: drystone.open_result(nasty),
        lambda: drystone.solve_contact_problem(nasty, nasty, nasty, nasty, nasty),
        lambda: drystone.solve_local_problem(nasty, nasty, nasty, friction_law="coulomb"),
        lambda: drystone.solve_contact_problem(np.eye(3), np.eye(3), np.ones(3), None, 0.5, tolerance=nasty),
        lambda: drystone.solve_contact_problem(np.eye(3), np.eye(3), np.ones(3), None, 0.5, friction_law=nasty, route=nasty),
        lambda: drystone.sweep(block, of=nasty, vary=nasty, threads=nasty),
        lambda: drystone.sweep(block, of="x", vary=[], slurm=nasty),
        lambda: setattr(sim, "ground_acceleration", nasty),
        lambda: setattr(sim, "velocities", nasty),
        lambda: setattr(sim, "couples", nasty),
        lambda: sim.move_support(nasty),
        lambda: sim.move_support("ground", nasty),
        lambda: sim.load(nasty),
        lambda: setattr(sim, "forces", nasty),
        lambda: _engine.Compiled(nasty, "toml", "model.toml"),
        lambda: _engine.Compiled("", nasty, "model.toml"),
        lambda: _engine.read_motion(nasty),
        lambda: _engine.ask(block.compile(), nasty),
        lambda: rest.table(nasty),
        lambda: block.compile().mesh(nasty),
    ):
        attempt(function)
    sim.step(1)


@pytest.mark.parametrize("number", [1e300, -1e300, 1e154, 5e-324, 1e17])
@pytest.mark.parametrize("name", ["forces", "couples", "velocities", "angular_velocities", "ground_acceleration"])
def test_extreme_numbers(block: drystone.Model, name: str, number: float) -> None:
    sim = drystone.Simulation(block, dt=0.01)
    sim.step(2)
    attempt(setattr, sim, name, np.full(3, number) if name == "ground_acceleration" else np.full((2, 3), number))
    attempt(sim.step, 3)
    for ask in (lambda: sim.contacts, lambda: sim.energy, lambda: sim.summary, lambda: sim.velocities, lambda: sim.note):
        attempt(ask)
