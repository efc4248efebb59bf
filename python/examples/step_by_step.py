"""A rocking block with a damper that a program controls: what only a simulation step by step can do."""

import numpy as np

import drystone


def model() -> drystone.Model:
    """A slender block on the ground under one sine."""
    made = drystone.Model("controlled block").material("stone", density=2000.0).interface(friction=0.8)
    made.box("ground", size=(6, 4, 1), centre=(0, 0, -0.5), support=True)
    made.box("block", size=(0.5, 0.5, 2.0), centre=(0, 0, 1))
    return made.motion("pulse", "one_sine", amplitude=4.0, half_period=0.4, direction=[1, 0, 0])


def largest_angle(damping: float, duration: float = 3.0, dt: float = 0.002) -> float:
    """The largest angle, rad, with a couple of so many N m s/rad against the rotation."""
    sim = drystone.Simulation(model(), dt=dt, motion="pulse")
    largest = 0.0
    for _ in range(round(duration / dt)):
        sim.couples = -damping * sim.angular_velocities
        sim.step()
        largest = max(largest, 2.0 * float(np.arcsin(np.abs(sim.rotations[1, 1]))))
    return largest


if __name__ == "__main__":
    for damping in (0.0, 500.0, 2000.0):
        print(f"{damping:6.0f} N m s/rad: largest angle {np.degrees(largest_angle(damping)):.2f} degrees")
