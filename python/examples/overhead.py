"""What calls from Python cost: the table on the book's page "Python"."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import drystone


def best(call: Callable[[], Any], times: int, calls: int = 1) -> float:
    """The shortest time of a call, in microseconds: what others do on the machine only adds to it."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return 1e6 * min(taken) / calls


def main() -> None:
    """Prints the table."""
    model = drystone.Model("block").material("stone", density=2000.0).interface(friction=0.7)
    model.box("ground", size=(4, 4, 1), centre=(0, 0, -0.5), support=True).box("stone", size=(1, 1, 2), centre=(0, 0, 1))
    sim = drystone.Simulation(model, dt=0.001)
    sim.step(1000)
    count = 2000
    bulk = best(lambda: sim.step(count), 10, count)
    single = best(lambda: [sim.step() for _ in range(count)], 10, count)
    forces = np.zeros((2, 3))

    def controlled() -> None:
        for _ in range(count):
            sim.forces = forces
            sim.step()
            _ = sim.velocities

    steered = best(controlled, 10, count)
    matrices = (2.0 * np.eye(3), np.eye(3), np.array([-2.0, 6.0, 0.0]), np.zeros(3), 0.5)
    rows = {
        "a step of one block, 2000 in a call": bulk,
        "added by a call of its own per step": single - bulk,
        "added by setting forces and reading velocities": steered - single,
        "a model of two blocks, compiled": best(lambda: model.copy().compile(), 30),
        "its limit analysis, from the call to the result": best(lambda: drystone.limit(model, direction=[1, 0, 0]), 30),
        "a contact problem of one point": best(lambda: drystone.solve_contact_problem(*matrices), 100),
    }
    for what, microseconds in rows.items():
        print(f"{what:50s} {microseconds:10.1f} µs")


if __name__ == "__main__":
    main()
