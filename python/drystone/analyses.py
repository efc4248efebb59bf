"""The analyses: each a function that takes a model and the keys of the analysis, and returns a result.

``limit(model, direction=[1, 0, 0])`` is the same as an ``[[analysis]]`` with ``kind = "limit"`` in the model file; keys that are not arguments
of their own are passed on as they are. The model itself stays as it is.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from . import _engine
from ._cli import program
from ._progress import Bar, Progress, wanted
from ._sources import Folder, Memory, Source
from .errors import ComputationError, InputError, Note
from .results import (
    AssessmentResult,
    EquilibriumResult,
    FailureDomainResult,
    FragilityResult,
    LimitResult,
    PushoverResult,
    Result,
    RockingResult,
    SweepResult,
    TimeHistoryResult,
    result_of,
)

if TYPE_CHECKING:
    from .model import Model

#: Kinds that consist of many runs.
CAMPAIGNS = ("sweep", "failure_domain", "fragility")

#: Everything that says how an analysis is run, not what is asked.
_HOW = ("name", "out", "existing", "progress", "threads", "slurm")


def answer(
    model: Model,
    analysis: str,
    *,
    out: str | os.PathLike[str] | None = None,
    existing: str | None = None,
    progress: bool | Progress | None = None,
    threads: int | None = None,
    slurm: dict[str, Any] | None = None,
) -> Result:
    """Runs one analysis of a model; :meth:`Model.run` with the options of campaigns."""
    compiled = model.compile()
    kinds = dict(compiled.analyses)
    if analysis not in kinds:
        raise InputError(f"the model has no analysis {analysis!r}; it has: {', '.join(kinds) or 'none'}")
    campaign = kinds[analysis] in CAMPAIGNS
    if threads is not None and not 1 <= threads <= 1024:
        raise InputError(f"threads: {threads} is not between 1 and 1024")
    if not campaign and (threads is not None or slurm is not None):
        raise InputError(f"{analysis}: threads and slurm are for campaigns; set_threads says how many threads an analysis has")
    if existing is not None and out is None and not campaign:
        raise InputError(f"{analysis}: existing says what becomes of results in a folder; name it with out=")
    if slurm is not None and out is None:
        raise InputError(f"{analysis}: say out, a folder that all nodes of the cluster see")
    if campaign:
        return _campaign(compiled, analysis, kinds[analysis], out, existing, progress, threads, slurm)
    with Bar(analysis) as bar:
        show = _shown(bar, progress)
        if out is None:
            found = _engine.ask(compiled, analysis, show)
            source: Source = Memory(found)
        else:
            folder = Path(out) / analysis
            found = _engine.execute(compiled, analysis, folder, existing or "refuse", show)
            source = Folder(folder)
    if found.failure is not None:
        place = f"; results up to there are in {folder}" if out is not None else ""
        raise ComputationError(f"{analysis}: {found.failure}{place}")
    return result_of(kinds[analysis], source, json.loads(found.summary), found.headline, compiled)


def _campaign(
    compiled: _engine.Compiled,
    analysis: str,
    kind: str,
    out: str | os.PathLike[str] | None,
    existing: str | None,
    progress: bool | Progress | None,
    threads: int | None,
    slurm: dict[str, Any] | None,
) -> Result:
    """Runs a campaign in a folder, which goes away with the result if nobody named one."""
    scratch = _Scratch() if out is None else None
    folder = (scratch.path if scratch is not None else Path(cast(str, out))) / analysis
    with Bar(analysis) as bar:
        show = _shown(bar, progress)
        summary, headline, failed, damaged = _engine.campaign(compiled, analysis, folder, existing or "resume", threads, show, _slurm(slurm))
    found = json.loads(summary)
    # Those of the model were warned of when it was compiled.
    notes = [note for note in found["notes"] if note not in compiled.notes]
    if failed:
        notes.append(f"{failed} {'run has' if failed == 1 else 'runs have'} no answer; result.runs says why")
    if damaged:
        notes.append(f"{damaged} {'file was' if damaged == 1 else 'files were'} damaged, and repeated")
    for note in notes:
        warnings.warn(f"{analysis}: {note}", Note, stacklevel=4)
    return result_of(kind, Folder(folder, scratch), found, headline, compiled)


def _shown(bar: Bar, progress: bool | Progress | None) -> Progress | None:
    shown = wanted(progress)
    return bar if shown is True else shown or None


class _Scratch:
    """A folder that goes away with whoever holds it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="drystone-"))
        # A campaign that was left behind may still be writing: what it leaves is not worth an exception.
        weakref.finalize(self, shutil.rmtree, self.path, True)


def _slurm(options: dict[str, Any] | None) -> dict[str, Any] | None:
    if options is None:
        return None
    defaults: dict[str, Any] = {"partition": None, "group": None, "time": None, "sbatch": [], "poll": 5.0, "attempts": 3}
    unknown = sorted(set(options) - set(defaults) - {"program"})
    if unknown:
        raise InputError(f"slurm: no option {', '.join(unknown)}; there are: {', '.join(defaults)}")
    full = {**defaults, "program": program(), **options}
    if full["program"] is None:
        raise InputError("slurm: the command drystone is not found; name it with program=")
    return full


def _ask(model: Model, kind: str, keys: dict[str, Any]) -> Result:
    if not hasattr(model, "tree"):
        raise InputError(f"{kind}: the first argument is a drystone.Model, not {type(model).__name__}")
    how = {key: keys.pop(key) for key in _HOW if key in keys}
    asked = model.copy()
    taken = {item.get("name") for item in model.tree.get("analysis", [])}
    name = how.pop("name", None)
    if name is None:
        name = next(word for word in names(kind) if word not in taken)
    elif name in taken:
        raise InputError(f"name {name!r}: the model has an analysis of that name; model.run({name!r}) answers it")
    asked.analysis(name, kind, **keys)
    return answer(asked, name, **how)


def names(kind: str) -> Iterator[str]:
    """Names for a question that nobody named."""
    yield kind
    number = 2
    while True:
        yield f"{kind}-{number}"
        number += 1


def equilibrium(model: Model, **keys: Any) -> EquilibriumResult:
    """Whether the structure stands under dead loads, and where the forces flow.

    :param joints: ``"elastic"`` shares forces by the stiffness of joints
    :param multiplier: of live loads
    :param thrust_line: a path of joints along which the thrust is drawn

    ``name``, ``out``, ``existing`` and ``progress`` are those of :meth:`Model.run`.
    """
    return cast(EquilibriumResult, _ask(model, "equilibrium", keys))


def limit(model: Model, **keys: Any) -> LimitResult:
    """How far the structure is from collapse: the collapse multiplier, its bounds, and the mechanism.

    :param direction: body force proportional to weight in this direction; or
    :param loads: ``"live"``: live loads grow
    """
    return cast(LimitResult, _ask(model, "limit", keys))


def time_history(model: Model, *, dt: float, duration: float, **keys: Any) -> TimeHistoryResult:
    """How the structure moves in time, by non-smooth contact dynamics.

    :param dt: step, s
    :param duration: s
    :param motion: name of a motion of the model; or ``motions``, a list of names
    :param output_every: s between frames
    :param forces_every: s between outputs of contact forces
    :param monitors: ``[{"name": ..., "block": ..., "point": [x, y, z]}]``
    :param scheme: ``"leapfrog"`` (second order) or ``"euler"``
    :param friction_law: ``"associated"`` or ``"coulomb"``
    """
    return cast(TimeHistoryResult, _ask(model, "time_history", {"dt": dt, "duration": duration, **keys}))


def pushover(model: Model, **keys: Any) -> PushoverResult:
    """The capacity curve with large displacements: multiplier against displacement of a control point.

    :param direction: body force proportional to weight in this direction; or ``loads="live"``
    :param control: ``{"block": ..., "point": [x, y, z]}``
    :param joints: ``"elastic"`` begins with the elastic branch
    :param d_ultimate: displacement at which the structure is lost whatever its multiplier, m, such as the seat of a beam
    """
    return cast(PushoverResult, _ask(model, "pushover", keys))


def assess(model: Model, **keys: Any) -> AssessmentResult:
    """The verdict of a code on a mechanism: NTC 2018 or Eurocode 8.

    :param pushover: name of a pushover of the model that gives the capacity; or
    :param capacity: the capacity itself: alpha_0, d_y, d_0, participation, gamma, ...
    :param code: whose spectra
    :param damage: demand at the limit state of damage
    :param life_safety: demand at the limit state of life safety
    """
    return cast(AssessmentResult, _ask(model, "assessment", keys))


def rocking(model: Model, **keys: Any) -> RockingResult:
    """The rocking of one block on its base by the exact equation of motion, a reference for time histories."""
    return cast(RockingResult, _ask(model, "rocking", keys))


def sweep(model: Model, **keys: Any) -> SweepResult:
    """An analysis for many values of the model's numbers.

    :param of: name of the analysis that is run
    :param vary: ``[{"key": "interface.friction", "values": [...]}, ...]``

    Campaigns also take ``threads`` and ``slurm`` (a dictionary: partition, group, time, sbatch, poll, attempts). With ``out`` they go on where they
    were stopped.
    """
    return cast(SweepResult, _ask(model, "sweep", keys))


def failure_domain(model: Model, **keys: Any) -> FailureDomainResult:
    """Which pulses a structure survives, over their length and amplitude or any two numbers of the model. Options as for :func:`sweep`."""
    return cast(FailureDomainResult, _ask(model, "failure_domain", keys))


def fragility(model: Model, **keys: Any) -> FragilityResult:
    """The probability of collapse against the intensity of motions. Options as for :func:`sweep`."""
    return cast(FragilityResult, _ask(model, "fragility", keys))
