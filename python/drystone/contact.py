"""The solver on its own, for general contact problems."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine, _fork
from .errors import InputError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ContactSolution:
    """The answer to a contact problem; three components per contact, normal first."""

    #: Velocities; empty for a problem in local form.
    v: Array
    #: Reactions.
    r: Array
    #: Relative velocities ``D'v + w`` or ``W r + q``.
    u: Array
    #: How far it is from the optimality conditions, recomputed from the numbers of the problem, without unit:
    #: ``equilibrium``, ``primal``, ``dual``, ``complementarity``.
    residual: dict[str, float]
    #: Iterations of interior-point methods over all convex problems, and steps of Newton's method.
    iterations: int
    #: Convex problems: one under the associated law.
    outer: int
    #: ``solved``, ``infeasible`` or ``inaccurate``.
    status: str
    #: ``rigid`` if the problem was recognised as one of rigid bodies, else ``general``.
    route: str
    #: In local form: what was added to the diagonal of ``W``, which rounding had left with a negative eigenvalue; zero if nothing was.
    shifted_by: float = 0.0

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know."""
        if self.shifted_by == 0.0:
            return []
        return [
            f"W is not positive semidefinite, by so little that it is taken for rounding: {self.shifted_by:.1e} was added to its diagonal to find the answer; "
            "the residual is that of W as given"
        ]


def solve_contact_problem(
    M: Any,
    D: Any,
    f: npt.ArrayLike,
    w: npt.ArrayLike | None,
    mu: npt.ArrayLike,
    *,
    friction_law: str = "associated",
    tolerance: float = 1e-8,
    max_iterations: int = 200,
    route: str | None = None,
) -> ContactSolution:
    """Minimises ``1/2 v'Mv - f'v`` subject to ``D'v + w`` in the dual Coulomb cones ``mu |u_T| <= u_N``.

    The reactions ``r`` are the multipliers: ``M v - f = D r``, with ``r`` in the Coulomb cones ``|r_T| <= mu r_N`` and orthogonal to ``u = D'v + w``.

    :param M: symmetric positive definite (n, n), a scipy sparse matrix or an array
    :param D: (n, 3 m): three columns per contact, the normal one first
    :param f: (n,)
    :param w: (3 m,), or None for zero
    :param mu: a coefficient for all contacts, or (m,)
    :param friction_law: ``"associated"``, or ``"coulomb"``: ``u + mu |u_T| n`` in place of ``u`` in the conditions
    :param tolerance: of every residual; their scales are those of the problem (the book's formulation has them), so that badly conditioned problems deserve a smaller one
    :param route: ``"rigid"`` or ``"general"`` to insist on one; by default problems of rigid bodies are recognised and solved as such
    """
    _fork.check()
    d = _columns(D, "D")
    rows = d[0][1]
    offset = np.zeros(rows) if w is None else _vector(w, "w")
    found = _engine.contact_problem(
        _columns(M, "M"), d, _vector(f, "f"), offset, _friction(mu, rows), friction_law, float(tolerance), _count(max_iterations), route
    )
    return ContactSolution(**found)


def solve_local_problem(
    W: Any,
    q: npt.ArrayLike,
    mu: npt.ArrayLike,
    *,
    friction_law: str,
    tolerance: float = 1e-8,
    max_iterations: int = 200,
) -> ContactSolution:
    """Solves a problem in the local form of FCLIB: ``u = W r + q`` in the dual cones (with the addition of Coulomb's law), orthogonal to ``r`` in the cones.

    :param W: symmetric positive semidefinite (3 m, 3 m), the normal first; negative eigenvalues down to -1e-6 of the greatest count as rounding: the answer then tells ``shifted_by`` and ``notes``
    :param q: (3 m,)
    :param mu: a coefficient for all contacts, or (m,)
    :param friction_law: ``"coulomb"``, as in FCLIB, or ``"associated"``
    """
    _fork.check()
    matrix = _columns(W, "W")
    found = _engine.local_problem(
        matrix, _vector(q, "q"), _friction(mu, matrix[0][0]), friction_law, float(tolerance), _count(max_iterations)
    )
    return ContactSolution(**found)


def read_fclib(path: str | os.PathLike[str]) -> tuple[Any, Array, Array]:
    """``(W, q, mu)`` of a local problem in a file of FCLIB (HDF5); ``h5py`` and ``scipy`` are needed.

    :returns: W as a scipy sparse matrix, q and mu
    """
    try:
        import h5py
        from scipy import sparse
    except ImportError as error:
        raise ImportError(f"files of FCLIB need h5py and scipy: pip install h5py scipy ({error})") from None
    try:
        with h5py.File(path, "r") as file:
            if "fclib_local" not in file:
                raise InputError(f"{os.fspath(path)}: no local problem of FCLIB: it has no group fclib_local")
            local = file["fclib_local"]
            if any(key in local and len(local[key]) for key in ("V", "R")):
                raise InputError(f"{os.fspath(path)}: its problem has equality constraints, which are not solved here")
            if int(local["spacedim"][()].item()) != 3:
                raise InputError(f"{os.fspath(path)}: its problem is planar; three rows per contact are needed")
            stored = local["W"]
            shape = (int(stored["m"][()].item()), int(stored["n"][()].item()))
            kind = int(stored["nz"][()].item())
            indices, pointers, values = stored["i"][()], stored["p"][()], stored["x"][()]
            # What FCLIB writes into nz: triplets by their number, compressed columns by -1, compressed rows by -2.
            if kind >= 0:
                matrix = sparse.coo_matrix((values[:kind], (indices[:kind], pointers[:kind])), shape=shape).tocsc()
            elif kind == -1:
                matrix = sparse.csc_matrix((values, indices, pointers), shape=shape)
            else:
                matrix = sparse.csr_matrix((values, indices, pointers), shape=shape).tocsc()
            vectors = local["vectors"]
            return matrix, np.asarray(vectors["q"][()], dtype=float), np.asarray(vectors["mu"][()], dtype=float)
    except (OSError, KeyError, ValueError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{os.fspath(path)}: no local problem of FCLIB: {error}") from None


def _intact(matrix: Any, name: str) -> None:
    """Refuses compressed matrices that point outside of their own numbers: scipy itself writes beyond its memory when it converts them."""
    if getattr(matrix, "format", None) not in ("csc", "csr"):
        return
    starts, indices, values = (np.asarray(part) for part in (matrix.indptr, matrix.indices, matrix.data))
    lines, across = matrix.shape if matrix.format == "csr" else matrix.shape[::-1]
    ordered = starts.shape == (lines + 1,) and starts[0] == 0 and not np.any(np.diff(starts) < 0) and starts[-1] <= min(indices.size, values.size)
    used = indices[: int(starts[-1])] if ordered else indices
    if not ordered or (used.size and (used.min() < 0 or used.max() >= across)):
        raise InputError(f"{name}: a damaged sparse matrix: its indptr and indices do not belong to its shape {matrix.shape}")


def _columns(matrix: Any, name: str) -> tuple[tuple[int, int], npt.NDArray[np.int64], npt.NDArray[np.int64], Array]:
    """A matrix in compressed columns, whatever it was."""
    if hasattr(matrix, "tocsc"):
        _intact(matrix, name)
        compressed = matrix.tocsc(copy=True)
        compressed.sum_duplicates()
        compressed.sort_indices()
        starts, indices, values = compressed.indptr, compressed.indices, compressed.data
        shape = compressed.shape
    else:
        try:
            full = np.asarray(matrix)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}: no matrix of numbers: {error}") from None
        if full.ndim != 2:
            raise InputError(f"{name}: the shape is {full.shape}, but a matrix is needed")
        rows, columns = full.T.nonzero()[::-1]
        starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=full.shape[1]))])
        indices, values, shape = rows, full[rows, columns], full.shape
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        raise InputError(f"{name}: numbers of the type {values.dtype}; real ones are needed")
    return (
        (int(shape[0]), int(shape[1])),
        np.ascontiguousarray(starts, dtype=np.int64),
        np.ascontiguousarray(indices, dtype=np.int64),
        np.ascontiguousarray(values, dtype=np.float64),
    )


def _vector(values: npt.ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise InputError(f"{name}: numbers of the type {array.dtype}; real ones are needed")
        vector = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: no vector of numbers: {error}") from None
    if vector.ndim != 1:
        raise InputError(f"{name}: the shape is {vector.shape}, but a vector is needed")
    return vector


def _friction(mu: npt.ArrayLike, rows: int) -> Array:
    array = np.asarray(mu)
    if array.ndim == 0:
        return _vector(np.full(rows // 3, mu), "mu")
    return _vector(mu, "mu")


def _count(value: int) -> int:
    if not 0 <= value < 2**32:
        raise InputError(f"max_iterations: {value} is not between 0 and 4294967295")
    return int(value)
