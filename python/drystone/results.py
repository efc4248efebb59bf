"""Results: what an analysis came to, as numpy arrays and pandas frames."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _engine
from ._sources import Folder, Source
from .errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Motion:
    """How all blocks moved."""

    #: Names of the blocks.
    blocks: list[str]
    #: Times of the frames, s.
    times: Array
    #: Centroids, m, relative to the ground: (frame, block, xyz).
    positions: Array
    #: Rotations since the start, unit quaternions: (frame, block, xyzw).
    rotations: Array

    @property
    def displacements(self) -> Array:
        """Displacements of the centroids since the first frame, m."""
        moved: Array = self.positions - self.positions[0]
        return moved


class Result:
    """What an analysis came to.

    ``result["key"]`` is a value of ``summary.json``; tables are made when they are asked for, from the answer in memory or from the files of ``out``.
    """

    def __init__(
        self,
        kind: str,
        source: Source,
        summary: dict[str, Any],
        headline: str,
        compiled: _engine.Compiled | None = None,
    ) -> None:
        self.kind = kind
        #: What `summary.json` says.
        self.summary = summary
        #: The verdict in one line.
        self.headline = headline
        self._source = source
        self._compiled = compiled

    @property
    def folder(self) -> Path:
        """Where the files of the result are, with ``out`` or from :func:`open_result`; campaigns always have one."""
        return self._source.folder

    @property
    def status(self) -> str:
        """One word: ``stable``, ``stood``, ``collapsed``, ``optimal``, ..."""
        return str(self.summary["status"])

    @property
    def notes(self) -> list[str]:
        """What whoever relies on the result should know, a sentence each: first of the model, then of the answer itself."""
        return [str(note) for note in self.summary.get("notes", [])]

    def __getitem__(self, key: str) -> Any:
        if key not in self.summary:
            raise KeyError(f"{key}; the summary has: {', '.join(self.summary)}")
        return self.summary[key]

    @property
    def verdict(self) -> str:
        """What the answer means for the structure: ``stands``, ``falls`` or ``undecided``. Of answers in memory, without ``out``."""
        return self._source.answer.verdict

    @property
    def measures(self) -> pd.DataFrame:
        """The numbers that are worth comparing: key, label, value, unit, and whether they come first. Of answers in memory, without ``out``."""
        return pd.DataFrame(self._source.answer.measures, columns=["key", "label", "value", "unit", "important"])

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return self._source.tables

    def table(self, name: str) -> pd.DataFrame:
        """A table of the result by the name of its file, such as ``"forces"`` for ``forces.csv``."""
        if name not in self.tables:
            raise InputError(f"{self._called} has no table {name!r}; it has: {', '.join(self.tables)}")
        return self._source.table(name)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes the report, one page for the browser with everything in it."""
        path = Path(path)
        if path.exists() and not overwrite:
            raise InputError(f"{path}: it exists; overwrite=True replaces it")
        page = self._source.page()
        if page is None:
            raise InputError(f"{self._called} has no report")
        path.write_bytes(page.encode())
        return path

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Writes all files of the result into a new folder, those of ``drystone run``."""
        folder = Path(folder)
        if folder.exists():
            raise InputError(f"{folder}: it exists; name another one")
        self._source.save(folder)
        return folder

    @property
    def _called(self) -> str:
        return f"{self.kind} {self._source.name!r}"

    def plot(self, ax: Axes | None = None, **keys: Any) -> Axes:
        """Draws the result with matplotlib, in the look of the report."""
        from .plots import plot

        return plot(self, ax, **keys)

    def _repr_html_(self) -> str:
        """The report with its 3D viewer inside a notebook; nothing is loaded from elsewhere."""
        try:
            page = self._source.page()
        except OSError:
            page = None
        if page is None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return (
            f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-downloads" '
            'style="width:100%;height:640px;border:1px solid #8886" title="report"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._source.name!r}: {self.headline}>"


class StaticResult(Result):
    """Of equilibrium and limit analyses."""

    @cached_property
    def forces(self) -> pd.DataFrame:
        """Contact points with normal and shear force, N."""
        return self.table("forces")

    @cached_property
    def joints(self) -> pd.DataFrame:
        """What each joint carries: resultant, eccentricity, friction used, opening and sliding."""
        return self.table("joints")

    @cached_property
    def reactions(self) -> pd.DataFrame:
        """Force of each support on the structure, N."""
        return self.table("reactions")

    @cached_property
    def mechanism(self) -> pd.DataFrame:
        """Velocity per block as it begins to fall: ``vx vy vz wx wy wz``."""
        return self.table("mechanism")

    @cached_property
    def thrust_line(self) -> pd.DataFrame:
        """Thrust lines along the path that was asked for."""
        return self.table("thrust_line")


class EquilibriumResult(StaticResult):
    """Whether a structure stands."""

    @property
    def stable(self) -> bool:
        """It stands."""
        return self.status == "stable"


class LimitResult(StaticResult):
    """How far a structure is from falling."""

    @property
    def multiplier(self) -> float | None:
        """The collapse multiplier; none if there is no finite one, as :attr:`status` says."""
        value = self.summary.get("multiplier")
        return None if value is None else float(value)

    @cached_property
    def polar(self) -> pd.DataFrame:
        """Multiplier by direction, if directions were asked for."""
        return self.table("polar")


class TimeHistoryResult(Result):
    """How a structure moved."""

    @property
    def collapsed(self) -> bool:
        """It fell."""
        return self.status == "collapsed"

    @property
    def collapse_time(self) -> float | None:
        """When it fell, s."""
        value = self.summary.get("collapse_time")
        return None if value is None else float(value)

    @cached_property
    def history(self) -> pd.DataFrame:
        """Energies in J and monitors in m and rad against time in s."""
        return self.table("history")

    @cached_property
    def forces(self) -> pd.DataFrame:
        """Contact points with their forces at the times of ``forces_every``, N."""
        return self.table("forces")

    @cached_property
    def ties(self) -> pd.DataFrame:
        """Force and elongation of ties against time."""
        return self.table("ties")

    @cached_property
    def diagnostics(self) -> pd.DataFrame:
        """How well steps were solved."""
        return self.table("diagnostics")

    @cached_property
    def motion(self) -> Motion:
        """How all blocks moved, as arrays."""
        found = self._source.motion()
        if found is None:
            raise InputError(f"{self._called} has no motion")
        return Motion(*found)


class PushoverResult(Result):
    """A capacity curve."""

    @cached_property
    def curve(self) -> pd.DataFrame:
        """``branch``, multiplier ``alpha`` and displacement ``d`` in m."""
        return self.table("curve")

    @property
    def alpha_0(self) -> float | None:
        """Multiplier at which the mechanism begins; none if there is no finite one, as :attr:`status` says."""
        value = self.summary.get("alpha_0")
        return None if value is None else float(value)

    @property
    def d_0(self) -> float | None:
        """Displacement at which the multiplier is zero, m; none if the curve ends before."""
        value = self.summary.get("d_0")
        return None if value is None else float(value)

    @property
    def d_ultimate(self) -> float | None:
        """Displacement capacity, m: the last one in equilibrium; none if the curve was not followed to its end."""
        value = self.summary.get("d_ultimate")
        return None if value is None else float(value)

    @property
    def ending(self) -> dict[str, Any]:
        """Why the curve ends: ``cause`` in a word and ``blocks``, those that it is due to."""
        return dict(self.summary["ending"])


class AssessmentResult(Result):
    """The verdict of a code."""

    @cached_property
    def text(self) -> str:
        """Every step with formula, numbers and clause, to be put into a report."""
        text = self._source.text()
        if text is None:
            raise InputError(f"{self._called} has no text")
        return text

    @cached_property
    def spectra(self) -> pd.DataFrame:
        """Capacity and demand as acceleration against displacement."""
        return self.table("spectra")


class RockingResult(Result):
    """The motion of a rocking block."""

    @cached_property
    def history(self) -> pd.DataFrame:
        """Rotation against time."""
        return self.table("history")

    @property
    def overturned(self) -> bool:
        """It fell over."""
        return self.status == "overturned"


class CampaignResult(Result):
    """What many runs say together."""

    @cached_property
    def runs(self) -> pd.DataFrame:
        """A row per run: what was varied, status, measures. ``runs.parquet`` in :attr:`folder` is the same for polars and others."""
        return self.table("runs")

    @cached_property
    def timings(self) -> pd.DataFrame:
        """Seconds per run."""
        return self.table("timings")


class SweepResult(CampaignResult):
    """An analysis for many values."""


class FailureDomainResult(CampaignResult):
    """Which pulses are survived."""


class FragilityResult(CampaignResult):
    """Probability of collapse against intensity."""


_CLASSES: dict[str, type[Result]] = {
    "equilibrium": EquilibriumResult,
    "limit": LimitResult,
    "time_history": TimeHistoryResult,
    "pushover": PushoverResult,
    "assessment": AssessmentResult,
    "rocking": RockingResult,
    "sweep": SweepResult,
    "failure_domain": FailureDomainResult,
    "fragility": FragilityResult,
}


def result_of(
    kind: str,
    source: Source,
    summary: dict[str, Any],
    headline: str,
    compiled: _engine.Compiled | None = None,
) -> Result:
    """The result of an analysis of this kind."""
    return _CLASSES.get(kind, Result)(kind, source, summary, headline, compiled)


def open_result(folder: str | os.PathLike[str]) -> Result:
    """A result that is on disk, as ``drystone run`` or ``out=`` left it."""
    folder = Path(folder)
    path = folder / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: it is no folder of results: it has no summary.json") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: it can't be read: {error}") from None
    if not isinstance(summary, dict):
        raise InputError(f"{path}: it is no summary")
    return result_of(str(summary.get("kind")), Folder(folder), summary, str(summary.get("headline", summary.get("status"))))
