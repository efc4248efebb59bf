"""Simulations step by step."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import drystone


def shaken(block: drystone.Model) -> drystone.Model:
    return block.motion("pulse", "one_sine", amplitude=9.0, half_period=0.3, direction=[1, 0, 0])


def test_untouched_it_is_the_time_history(block: drystone.Model) -> None:
    model = shaken(block)
    result = drystone.time_history(model, dt=0.005, duration=0.5, settle=0.0, motion="pulse", output_every=0.5)
    sim = drystone.Simulation(model, dt=0.005, motion="pulse")
    sim.step(100)
    assert sim.time == 0.5 and sim.steps == 100
    assert np.array_equal(sim.positions, result.motion.positions[-1])
    assert np.array_equal(sim.rotations, result.motion.rotations[-1])
    one_by_one = drystone.Simulation(model, dt=0.005, motion="pulse")
    seen: list[float] = []
    one_by_one.step(100, callback=lambda s: seen.append(s.time))
    assert len(seen) == 100 and np.array_equal(one_by_one.positions, sim.positions)


def test_a_named_analysis(block: drystone.Model) -> None:
    model = shaken(block).analysis("shake", "time_history", motion="pulse", dt=0.01, duration=0.05)
    sim = drystone.Simulation(model, analysis="shake")
    assert not sim.finished
    sim.step(5)
    assert sim.finished
    with pytest.raises(drystone.InputError, match="change the model"):
        drystone.Simulation(model, analysis="shake", scheme="euler")
    with pytest.raises(drystone.InputError, match="either dt or"):
        drystone.Simulation(model)


def flying() -> drystone.Model:
    model = drystone.Model("stone in the air", gravity=0.0, floating=True).material("stone", density=1000.0).interface(friction=0.5)
    return model.box("stone", size=(1, 1, 1), centre=(0, 0, 0))


def test_forces_and_couples_accelerate() -> None:
    sim = drystone.Simulation(flying(), dt=0.01, scheme="leapfrog")
    sim.forces = [[500.0, 0, 0]]
    sim.couples = [[0, 0, 1000.0 / 6.0]]
    sim.step(100)
    # a = 0.5 m/s²; I = m/6, alpha = 1 rad/s²: exact up to rounding in a scheme of second order.
    assert sim.positions[0, 0] == pytest.approx(0.25, rel=1e-12)
    assert 2 * np.arctan2(sim.rotations[0, 2], sim.rotations[0, 3]) == pytest.approx(0.5, rel=1e-9)
    assert sim.forces[0, 0] == 500.0 and sim.couples[0, 2] == pytest.approx(1000 / 6)
    energy = sim.energy
    # Energies are those of the velocities half a step ago.
    assert energy["harvested"] == pytest.approx(energy["kinetic"], rel=1e-9)


def test_velocities_can_be_set_and_their_energy_is_accounted_for() -> None:
    sim = drystone.Simulation(flying(), dt=0.01)
    sim.velocities = [[0, 2.0, 0]]
    sim.angular_velocities = [[0, 0, 1.0]]
    sim.step(50)
    assert sim.positions[0, 1] == pytest.approx(1.0, rel=1e-12)
    energy = sim.energy
    assert energy["harvested"] == pytest.approx(0.5 * 1000 * 4 + 0.5 * 1000 / 6, rel=1e-12)
    assert energy["dissipated"] == pytest.approx(0.0, abs=1e-9)


def test_a_controller_stops_a_swinging_block(block: drystone.Model) -> None:
    free, held = (drystone.Simulation(shaken(block.copy()), dt=0.005, motion="pulse") for _ in range(2))
    free.step(160)

    def damp(sim: drystone.Simulation) -> None:
        sim.couples = -2e4 * sim.angular_velocities

    held.step(160, callback=damp)
    assert abs(held.rotations[1, 1]) < 0.9 * abs(free.rotations[1, 1])
    assert held.energy["harvested"] < free.energy["harvested"]


@pytest.mark.parametrize("ground", ["inertia", "supports"])
def test_the_ground_accelerates(block: drystone.Model, ground: str) -> None:
    # Below b/h nothing happens; above mu the block slides with (a - mu g) if it can't turn over.
    flat = drystone.Model("slab").material("stone", density=2000.0).interface(friction=0.3)
    flat.box("ground", size=(20, 4, 1), centre=(0, 0, -0.5), support=True).box("slab", size=(2, 2, 0.2), centre=(0, 0, 0.1))
    sim = drystone.Simulation(flat, dt=0.001, ground=ground, friction_law="coulomb", scheme="euler")
    sim.step(50)
    sim.ground_acceleration = [5.0, 0, 0]
    sim.step(500)
    sim.ground_acceleration = [0, 0, 0]
    assert sim.positions[0] == pytest.approx([0, 0, -0.5], abs=1e-12), "positions are relative to the ground"
    relative = sim.positions[1, 0]
    # Half a second at 5 - 0.3 g; the scheme of first order errs by a step in 500.
    assert relative == pytest.approx(-0.5 * (5.0 - 0.3 * 9.81) * 0.5**2, rel=0.004)
    assert sim.ground[0] == pytest.approx(0.5 * 5.0 * 0.5**2, rel=1e-9)
    contacts = sim.contacts
    assert np.abs(contacts[["x", "y"]].to_numpy() - sim.positions[1, :2]).max() < 1.1, "so are contact points"


def test_a_force_that_is_set_in_mid_run_acts_from_then_on() -> None:
    # A force from 0.1 s on: second order, and here exact, because it is held over whole steps.
    sim = drystone.Simulation(flying(), dt=0.01, scheme="leapfrog")
    sim.step(10)
    sim.forces = [[500.0, 0, 0]]
    sim.step(50)
    sim.forces = [[0.0, 0, 0]]
    sim.step(40)
    # 0.5 m/s² for 0.5 s, then 0.25 m/s for 0.4 s.
    assert sim.positions[0, 0] == pytest.approx(0.0625 + 0.1, rel=1e-12)


def test_a_steered_sine_is_the_same_as_a_motion(block: drystone.Model) -> None:
    slender = drystone.Model("block", plane="xz").material("stone", density=2000.0).interface(friction=2.0)
    slender.box("ground", size=(6, 4, 1), centre=(0, 0, -0.5), support=True).box("block", size=(0.5, 0.5, 2.0), centre=(0, 0, 1))
    slender.motion("sine", "sine", amplitude=4.0, frequency=1.0, duration=10.0, direction=[1, 0, 0])
    errors = []
    for dt in (0.004, 0.002, 0.001):
        motion = drystone.Simulation(slender, dt=dt, motion="sine")
        steered = drystone.Simulation(slender, dt=dt)
        for k in range(round(0.6 / dt)):
            # The mean of the sine over the step.
            steered.ground_acceleration = [4.0 * np.sin(2.0 * np.pi * (k + 0.5) * dt), 0.0, 0.0]
            steered.step()
            motion.step()
        assert 0.01 < abs(motion.rotations[1, 1]), "it rocks"
        errors.append(abs(motion.rotations[1, 1] - steered.rotations[1, 1]))
    # Held values are good to second order: a quarter per halving, with room for the instant of lift-off.
    assert errors[2] < errors[0] / 6.0 + 1e-9 and errors[2] < 1e-4


def test_velocities_set_under_gravity_leave_the_balance_of_energy() -> None:
    model = drystone.Model("stone in the air", floating=True).material("stone", density=1000.0).interface(friction=0.5)
    sim = drystone.Simulation(model.box("stone", size=(1, 1, 1), centre=(0, 0, 100.0)), dt=0.01)
    sim.step(10)
    before = sim.energy["dissipated"]
    sim.velocities = [[0, 0, 5.0]]
    sim.step(20)
    energy = sim.energy
    # The potential energy is of the order of 1e6 J: rounding is 1e-9 of it.
    assert energy["dissipated"] == pytest.approx(before, abs=1e-3)
    with pytest.raises(drystone.InputError, match="finite"):
        sim.velocities = [[1e200, 0, 0]]
    assert sim.energy == energy


def test_arrays_are_not_changed_in_place(block: drystone.Model) -> None:
    sim = drystone.Simulation(block, dt=0.005)
    with pytest.raises(ValueError, match="read-only"):
        sim.forces[1, 0] = 5.0
    sim.step(5, callback=lambda s: s.positions[1, 2] < 0.0)
    assert sim.steps == 1, "numpy's False ends the steps too"


def test_after_a_step_that_fails_everything_can_still_be_read(block: drystone.Model) -> None:
    sim = drystone.Simulation(block, dt=0.005)
    sim.forces = np.full((2, 3), 1e308)
    with pytest.raises(drystone.DrystoneError) as fault:
        sim.step(3)
    assert "report it" not in str(fault.value)
    assert len(sim.contacts) in (0, 4) and np.isfinite(sim.positions).all()


def test_a_support_lifts_what_stands_on_it(block: drystone.Model, tmp_path: Path) -> None:
    sim = drystone.Simulation(block, dt=0.005)
    sim.step(10)
    sim.move_support("ground", velocity=[0, 0, 0.1])
    sim.step(100)
    assert sim.velocities[0] == pytest.approx([0, 0, 0.1], abs=1e-12)
    sim.save(tmp_path / "lifting")
    again = drystone.Simulation(block, dt=0.005)
    again.load(tmp_path / "lifting")
    assert (again.velocities[0] == 0).all(), "there is no last step to take the mean of"
    again.step()
    assert again.velocities[0] == pytest.approx([0, 0, 0.1], abs=1e-12)
    sim.move_support("ground")
    sim.step(100)
    assert sim.positions[0, 2] == pytest.approx(-0.5 + 0.05, abs=1e-12)
    # It was lifted off for a moment when the support stopped, and is down again within the tolerance of an overlap.
    assert sim.positions[1, 2] == pytest.approx(1.05, abs=1e-5)
    with pytest.raises(drystone.InputError, match="not a support"):
        sim.move_support("stone", velocity=[0, 0, 1])


def test_contacts_carry_the_weight(block: drystone.Model) -> None:
    sim = drystone.Simulation(block, dt=0.005)
    sim.step(20)
    contacts = sim.contacts
    assert list(contacts["a"].unique()) == ["ground"] and len(contacts) == 4
    assert contacts["normal"].sum() == pytest.approx(block.weight, rel=1e-6)
    assert sim.note["contacts"] == 4 and sim.note["residual"] < 1e-6
    assert sim.summary["steps"] == 20


def test_checkpoints_keep_every_bit(block: drystone.Model, tmp_path: Path) -> None:
    model = shaken(block)
    sim = drystone.Simulation(model, dt=0.005, motion="pulse")
    sim.forces = np.array([[0, 0, 0], [100.0, 0, 0]])
    sim.ground_acceleration = [0.3, 0, 0]
    sim.step(40)
    sim.save(tmp_path / "state")
    sim.step(40)
    again = drystone.Simulation(model, dt=0.005, motion="pulse")
    again.ground_acceleration = [7.0, 0, 0]
    again.step(3)
    again.load(tmp_path / "state")
    assert again.ground_acceleration == pytest.approx([0.3, 0, 0])
    assert len(again.contacts) == 0 and again.forces[1, 0] == 100.0
    assert again.time == 0.2
    again.step(40)
    assert np.array_equal(again.positions, sim.positions)
    assert np.array_equal(again.velocities, sim.velocities)
    (tmp_path / "state").write_bytes(b"drystone no more")
    with pytest.raises(drystone.InputError):
        again.load(tmp_path / "state")


def test_threads_do_not_step_at_once(block: drystone.Model) -> None:
    sim = drystone.Simulation(shaken(block), dt=1e-4, motion="pulse")
    faults: list[BaseException] = []

    def go() -> None:
        try:
            sim.step(3000)
        except drystone.ComputationError as error:
            faults.append(error)

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.steps == 3000 * (2 - len(faults))


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((1, 3)), np.zeros(6), np.full((2, 3), np.nan), np.full((2, 3), np.inf), np.zeros((2, 3, 1)), "forces", None, np.zeros((2, 3), dtype=complex)],
)
def test_wrong_arrays_are_refused(block: drystone.Model, wrong: object) -> None:
    sim = drystone.Simulation(block, dt=0.005)
    for name in ("forces", "couples", "velocities", "angular_velocities"):
        with pytest.raises((drystone.InputError, TypeError)):
            setattr(sim, name, wrong)
    sim.step(1)
    for value in ([1, 2], [1, 2, float("nan")], "x", [[1, 2, 3]]):
        with pytest.raises((drystone.InputError, TypeError)):
            sim.ground_acceleration = value  # type: ignore[assignment]
    with pytest.raises(drystone.InputError):
        sim.step(-1)
    with pytest.raises((OverflowError, drystone.InputError)):
        sim.step(2**70)
