"""The solver by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import drystone
from drystone.contact import read_fclib

sparse = pytest.importorskip("scipy.sparse")


def conditions(M: Any, D: Any, f: Any, w: Any, mu: Any, answer: drystone.ContactSolution, law: str) -> float:
    """The worst residual, computed here from the numbers of the problem."""
    M, D = sparse.csc_matrix(M).toarray(), sparse.csc_matrix(D).toarray()
    u = (D.T @ answer.v + w).reshape(-1, 3)
    r = answer.r.reshape(-1, 3)
    mu = np.broadcast_to(mu, len(u))
    tangent = np.linalg.norm(u[:, 1:], axis=1)
    normal = u[:, 0] + (mu * tangent if law == "coulomb" else 0.0)
    scale, force = np.abs(u).max(initial=1e-12), np.abs(r).max(initial=1e-12)
    balance = np.abs(M @ answer.v - f - D @ answer.r).max(initial=0.0) / max(np.abs(f).max(initial=0.0), force)
    inside = np.maximum(mu * tangent - normal, 0.0).max(initial=0.0) / scale
    cone = np.maximum(np.linalg.norm(r[:, 1:], axis=1) - mu * r[:, 0], 0.0).max(initial=0.0) / force
    work = np.abs(normal * r[:, 0] + (u[:, 1:] * r[:, 1:]).sum(axis=1)).max(initial=0.0) / (scale * force)
    return float(max(balance, inside, cone, work))


def point(velocity: list[float], mu: float) -> tuple[Any, ...]:
    """A mass of 2 kg that strikes the ground."""
    M = 2.0 * sparse.identity(3)
    return M, sparse.identity(3), 2.0 * np.array(velocity), np.zeros(3), mu


def test_a_sliding_point_lifts_under_the_associated_law_alone() -> None:
    problem = point([-1.0, 3.0, 0.0], 0.5)
    lifted = drystone.solve_contact_problem(*problem)
    # The projection of (-1, 3) onto 0.5 |u_T| <= u_N.
    assert lifted.v == pytest.approx([1.0, 2.0, 0.0], abs=1e-7)
    flat = drystone.solve_contact_problem(*problem, friction_law="coulomb")
    assert flat.v == pytest.approx([0.0, 2.5, 0.0], abs=1e-7)
    assert flat.r == pytest.approx([2.0, -1.0, 0.0], abs=1e-6)
    for answer, law in ((lifted, "associated"), (flat, "coulomb")):
        assert answer.status == "solved" and max(answer.residual.values()) < 1e-8
        assert conditions(*problem, answer, law) < 1e-7


def random_problem(seed: int, bodies: int = 12, contacts: int = 8) -> tuple[Any, ...]:
    generator = np.random.default_rng(seed)
    n = 3 * bodies
    root = sparse.random(n, n, density=0.1, random_state=generator) + 3.0 * sparse.identity(n)
    D = sparse.random(n, 3 * contacts, density=0.15, random_state=generator)
    # Some velocity satisfies all contacts strictly: at it, all separate at 0.1.
    offset = -(D.T @ generator.normal(size=n)) + np.tile([0.1, 0.0, 0.0], contacts)
    return (root @ root.T).tocsc(), D.tocsc(), 10.0 * generator.normal(size=n), offset, generator.uniform(0.0, 1.0, size=contacts)


@pytest.mark.parametrize("law", ["associated", "coulomb"])
@pytest.mark.parametrize("seed", range(8))
def test_random_problems_meet_the_conditions(seed: int, law: str) -> None:
    M, D, f, w, mu = random_problem(seed)
    answer = drystone.solve_contact_problem(M, D, f, w, mu, friction_law=law)
    assert answer.status == "solved" and answer.route == "general"
    assert conditions(M, D, f, w, mu, answer, law) < 1e-6, "well-conditioned: the scales of the problem are those of its answer"
    dense = drystone.solve_contact_problem(M.toarray(), D.toarray(), list(f), w, mu, friction_law=law)
    assert np.array_equal(dense.v, answer.v)


def test_local_and_global_form_agree() -> None:
    M, D, f, w, mu = random_problem(1)
    inverse = np.linalg.inv(M.toarray())
    W, q = D.T @ inverse @ D, D.T @ (inverse @ f) + w
    for law in ("associated", "coulomb"):
        # Where a contact barely touches, answers differ by the square root of the tolerance.
        whole = drystone.solve_contact_problem(M, D, f, w, mu, friction_law=law, tolerance=1e-12)
        local = drystone.solve_local_problem(W, q, mu, friction_law=law, tolerance=1e-12)
        assert local.status == whole.status
        assert local.u == pytest.approx(whole.u, abs=1e-6)
        assert local.v.size == 0


def test_rigid_bodies_are_recognised() -> None:
    # A box of 1 m on four corners, falling at 1 m/s: six degrees of freedom, arms (±0.5, ±0.5, -0.5).
    mass, inertia = 10.0, 10.0 / 6.0
    M = sparse.diags([mass] * 3 + [inertia] * 3)
    columns = []
    frame = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            arm = np.array([x, y, -0.5])
            columns += [np.concatenate([axis, np.cross(arm, axis)]) for axis in frame]
    D = np.array(columns).T
    f = np.array([0, 0, -mass, 0, 0, 0])
    answer = drystone.solve_contact_problem(M, D, f, None, 0.6)
    assert answer.route == "rigid"
    assert answer.v == pytest.approx(np.zeros(6), abs=1e-8)
    assert answer.r[::3].sum() == pytest.approx(mass, rel=1e-8)
    general = drystone.solve_contact_problem(M, D, f, None, 0.6, route="general")
    assert general.route == "general" and general.v == pytest.approx(answer.v, abs=1e-7)


def test_no_contacts_and_nothing_at_all() -> None:
    M = np.diag([2.0, 4.0])
    answer = drystone.solve_contact_problem(M, np.zeros((2, 0)), [2.0, 4.0], None, 0.5)
    assert answer.v == pytest.approx([1.0, 1.0]) and answer.r.size == 0
    empty = drystone.solve_contact_problem(np.zeros((0, 0)), np.zeros((0, 0)), [], [], [])
    assert empty.v.size == 0 and empty.status == "solved"


def test_what_can_t_be_satisfied_is_told() -> None:
    # A point between two walls that close.
    D = np.zeros((3, 6))
    D[0, 0], D[0, 3] = 1.0, -1.0
    answer = drystone.solve_contact_problem(np.eye(3), D, np.zeros(3), [-1.0, 0, 0, -1.0, 0, 0], 0.5)
    assert answer.status == "infeasible"


WRONG: list[tuple[Any, ...]] = [
    (np.eye(3), np.eye(3), [1.0, 2.0], None, 0.5),
    (np.eye(3), np.eye(4), [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3), np.eye(3)[:, :2], [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3), np.eye(3), [1.0, np.nan, 3.0], None, 0.5),
    (np.eye(3), np.eye(3), [1.0, np.inf, 3.0], None, 0.5),
    (np.eye(3), np.eye(3), [1.0, 2.0, 3.0], [0.0], 0.5),
    (np.eye(3), np.eye(3), [1.0, 2.0, 3.0], None, -0.5),
    (np.eye(3), np.eye(3), [1.0, 2.0, 3.0], None, [0.5, 0.5]),
    (np.eye(3), np.eye(3), [1.0, 2.0, 3.0], None, "rough"),
    (np.eye(3), np.eye(3), [[1.0, 2.0, 3.0]], None, 0.5),
    (-np.eye(3), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.triu(np.ones((3, 3))), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.zeros((3, 3)), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.full((3, 3), np.nan), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3) * 1j, np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    ("M", np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3), None, [1.0, 2.0, 3.0], None, 0.5),
    (np.ones(3), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3, dtype=object), np.eye(3), [1.0, 2.0, 3.0], None, 0.5),
    (np.eye(3), sparse.csc_matrix((2**40, 3)), [1.0, 2.0, 3.0], None, 0.5),
]


@pytest.mark.parametrize("problem", WRONG, ids=range(len(WRONG)))
def test_wrong_problems_are_refused_with_a_reason(problem: tuple[Any, ...]) -> None:
    with pytest.raises(drystone.InputError) as fault:
        drystone.solve_contact_problem(*problem)
    assert len(str(fault.value)) > 10 and "report it" not in str(fault.value)


def test_wrong_options_are_refused() -> None:
    good = (np.eye(3), np.eye(3), [1.0, 2.0, 3.0], None, 0.5)
    for options in ({"friction_law": "none"}, {"tolerance": 0.0}, {"tolerance": float("nan")}, {"route": "short"}, {"max_iterations": -1}):
        with pytest.raises(drystone.InputError):
            drystone.solve_contact_problem(*good, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [sparse.csc_matrix, sparse.csr_matrix])
def test_damaged_matrices_are_refused(form: Any) -> None:
    for part, bad in (("indices", [7, 7, 7]), ("indices", [0, -1, 2]), ("indptr", [0, 5, 2, 3]), ("indptr", [0, 2, 1, 3]), ("indptr", [3, 2, 1, 3]), ("indptr", [0, 1, 2, 9])):
        damaged = form(np.eye(3))
        getattr(damaged, part)[:] = bad
        with pytest.raises(drystone.InputError, match="damaged"):
            drystone.solve_contact_problem(damaged, np.eye(3), [1.0, 2.0, 3.0], None, 0.5)


def test_files_of_fclib(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    M, D, f, w, mu = random_problem(5)
    inverse = np.linalg.inv(M.toarray())
    W, q = sparse.csc_matrix(D.T @ inverse @ D), D.T @ (inverse @ f) + w
    path = tmp_path / "problem.hdf5"
    with h5py.File(path, "w") as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([3])
        stored = local.create_group("W")
        for key, value in {"m": W.shape[0], "n": W.shape[1], "nz": -1, "nzmax": W.nnz}.items():
            stored[key] = np.array([value])
        stored["i"], stored["p"], stored["x"] = W.indices, W.indptr, W.data
        vectors = local.create_group("vectors")
        vectors["q"], vectors["mu"] = q, mu
    matrix, offset, friction = read_fclib(path)
    assert abs(matrix - W).max() == 0 and np.array_equal(offset, q) and np.array_equal(friction, mu)
    assert drystone.solve_local_problem(matrix, offset, friction, friction_law="coulomb").status == "solved"
    path.write_bytes(b"not a file of HDF5")
    with pytest.raises(drystone.InputError, match="FCLIB"):
        read_fclib(path)


def plate() -> tuple[np.ndarray, np.ndarray, float]:
    """``(W, q, mu)`` of a plate that falls onto sixteen points: a matrix of rank six with 48 rows."""
    frame = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
    arms = [np.array([0.3 * x - 0.47, 0.37 * y - 0.51, -0.1]) for x in range(4) for y in range(4)]
    D = np.array([np.concatenate([axis, np.cross(arm, axis)]) for arm in arms for axis in frame]).T
    inverse = np.diag(1 / np.array([1, 1, 1, 0.3, 0.3, 0.6]))
    return D.T @ inverse @ D, D.T @ inverse @ np.array([0.5, 0, -1.0, 0, 0, 0]), 0.6


@pytest.mark.parametrize("law", ["associated", "coulomb"])
def test_a_matrix_that_is_indefinite_by_rounding_is_solved_and_told(law: str) -> None:
    W, q, mu = plate()
    exact = drystone.solve_local_problem(W, q, mu, friction_law=law)
    assert exact.shifted_by == 0.0 and exact.notes == []
    rounded = W.astype(np.float32).astype(float)
    least, greatest = np.linalg.eigvalsh(rounded)[[0, -1]]
    assert -1e-6 < least / greatest < -1e-9, "what this test is about"
    answer = drystone.solve_local_problem(rounded, q, mu, friction_law=law)
    assert answer.status == "solved"
    assert -least <= answer.shifted_by < -1.2 * least
    assert len(answer.notes) == 1 and "rounding" in answer.notes[0]
    assert answer.u == pytest.approx(rounded @ answer.r + q, abs=1e-12), "with the matrix as it was given"
    assert answer.u == pytest.approx(exact.u, abs=1e-5)


def test_a_matrix_that_is_indefinite_is_refused_with_its_eigenvalues() -> None:
    W, q, mu = plate()
    with pytest.raises(drystone.InputError, match=r"not positive semidefinite: its least eigenvalue is about -\S+ and its greatest \S+;"):
        drystone.solve_local_problem(W - 1e-3 * np.eye(len(q)), q, mu, friction_law="coulomb")
