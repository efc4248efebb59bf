"""Drystone: whether historic dry masonry stands, how it moves in an earthquake, and what would strengthen it.

Masonry is rigid blocks in dry, unilateral, frictional contact. A :class:`Model` is built in Python or read from a file; each question is a
function that returns a result with numpy arrays and pandas frames:

>>> import drystone
>>> arch = drystone.Model("arch").material("stone", density=2000.0).interface(friction=0.8)
>>> _ = arch.generate("arch", radius=5.0, thickness=1.0, depth=1.0, voussoirs=15, material="stone")   # doctest: +SKIP
>>> drystone.limit(arch, direction=[1, 0, 0]).multiplier                                  # doctest: +SKIP

SI units everywhere (m, kg, s, N, Pa, rad), z up. The same engine is the command ``drystone``.
"""

from . import compas
from ._engine import set_threads, version
from .analyses import (
    assess,
    equilibrium,
    failure_domain,
    fragility,
    limit,
    pushover,
    rocking,
    sweep,
    time_history,
)
from .contact import ContactSolution, solve_contact_problem, solve_local_problem
from .errors import ComputationError, DrystoneError, InputError, Note
from .model import Model
from .results import Motion, Result, open_result
from .simulation import Simulation

__version__ = version()

__all__ = [
    "ComputationError",
    "ContactSolution",
    "DrystoneError",
    "InputError",
    "Model",
    "Motion",
    "Note",
    "Result",
    "Simulation",
    "assess",
    "compas",
    "equilibrium",
    "failure_domain",
    "fragility",
    "limit",
    "open_result",
    "pushover",
    "rocking",
    "set_threads",
    "solve_contact_problem",
    "solve_local_problem",
    "sweep",
    "time_history",
    "version",
]
