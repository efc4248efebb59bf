"""Plots with matplotlib, in the look of the reports."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError
from .results import (
    AssessmentResult,
    EquilibriumResult,
    FailureDomainResult,
    FragilityResult,
    LimitResult,
    PushoverResult,
    Result,
    RockingResult,
    StaticResult,
    SweepResult,
    TimeHistoryResult,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The colours of the reports.
INK, SOFT, LINE = "#23211d", "#6d675c", "#e4dfd3"
ACCENT, GOOD, BAD, WARN = "#1b6ca8", "#3d8b52", "#b5382a", "#b88a14"
STONE = "#d9d2c1"


def plot(result: Result, ax: Axes | None = None, **keys: Any) -> Axes:
    """Draws a result by its kind; ``keys`` are those of the function that draws it."""
    draw = _DRAWN.get(type(result))
    if draw is None:
        raise InputError(f"a {result.kind} has no plot")
    return draw(result, _axes(ax), **keys)


def _axes(ax: Axes | None) -> Axes:
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plots need matplotlib: pip install 'drystone[plot]'") from None
        _, ax = pyplot.subplots(figsize=(7.0, 4.2), layout="constrained")
    ax.set_axisbelow(True)
    ax.grid(True, color=LINE, linewidth=0.8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(SOFT)
    ax.tick_params(colors=SOFT, labelcolor=INK)
    return ax


def _labelled(ax: Axes, x: str, y: str, title: str) -> Axes:
    ax.set_xlabel(x, color=INK)
    ax.set_ylabel(y, color=INK)
    # What stands in parentheses is about the computation, not about the structure.
    ax.set_title(textwrap.fill(title.split(" (")[0], 70), color=INK, fontsize="medium", loc="left")
    handles, _ = ax.get_legend_handles_labels()
    if handles:
        ax.legend(frameon=False, labelcolor=INK)
    return ax


def _time_history(result: TimeHistoryResult, ax: Axes, *, columns: list[str] | None = None) -> Axes:
    """Displacements of monitors that move, or the columns of the history that are named; without monitors the kinetic energy."""
    history = result.history
    monitors = [
        name
        for name in history
        if str(name).endswith((".ux", ".uy", ".uz")) and not str(name).startswith("ground.") and history[name].abs().max() > 1e-9
    ]
    shown = columns if columns is not None else monitors or ["kinetic"]
    for name in shown:
        if name not in history:
            raise InputError(f"columns: the history has no {name!r}; it has: {', '.join(map(str, history))}")
        ax.plot(history["time"], history[name], label=str(name), linewidth=1.4)
    unit = "displacement, m" if shown == monitors else "kinetic energy, J" if shown == ["kinetic"] else ""
    return _labelled(ax, "time, s", unit, result.headline)


def _rocking(result: RockingResult, ax: Axes) -> Axes:
    history = result.history
    ax.plot(history["time"], history["angle"], color=ACCENT, linewidth=1.4)
    return _labelled(ax, "time, s", "angle, rad", result.headline)


def _pushover(result: PushoverResult, ax: Axes, *, label: str | None = None) -> Axes:
    """The curve; calls on the same axes with labels compare structures."""
    curve = result.curve
    colour = None
    for branch, part in curve.groupby("branch", sort=False):
        elastic = branch == "elastic"
        named = None if label and elastic else label or str(branch)
        colour = ax.plot(part["d"], part["alpha"], "--" if elastic else "-", color=colour, label=named, linewidth=1.6)[0].get_color()
    return _labelled(ax, "displacement of the control point, m", "multiplier", result.headline if not label else "")


def _assessment(result: AssessmentResult, ax: Axes) -> Axes:
    for name, part in result.spectra.groupby("curve", sort=False):
        ax.plot(part["displacement"], part["acceleration"], label=str(name), linewidth=1.4)
    return _labelled(ax, "spectral displacement, m", "spectral acceleration, m/s²", result.headline)


def _fragility(result: FragilityResult, ax: Axes) -> Axes:
    """Fitted curves with the observed fractions."""
    label = "intensity"
    for group in result["fragility"]:
        label = str(group["intensity"])
        values = ", ".join(f"{key} {value}" for key, value in group["values"].items())
        for curve in group["curves"]:
            name = " ".join(part for part in (curve["state"], values) if part)
            stripes = [stripe for stripe in curve.get("stripes", []) if stripe["runs"]]
            theta, beta = curve.get("theta"), curve.get("beta")
            colour = None
            if theta is not None and beta is not None:
                highest = max([stripe["intensity"] for stripe in stripes] or [2.0 * theta])
                x = np.linspace(1e-3 * highest, highest, 300)
                y = [0.5 * math.erfc(-math.log(one / theta) / (beta * math.sqrt(2.0))) for one in x]
                colour = ax.plot(x, y, label=f"{name}: median {theta:.3g}, spread {beta:.3g}", linewidth=1.6)[0].get_color()
            ax.plot(
                [stripe["intensity"] for stripe in stripes],
                [stripe["reached"] / stripe["runs"] for stripe in stripes],
                "o",
                color=colour,
                markersize=5,
            )
    ax.set_ylim(-0.03, 1.03)
    return _labelled(ax, label, "probability", result.headline)


def _domain(result: FailureDomainResult, ax: Axes) -> Axes:
    """Runs that stand and that collapse, over what was varied."""
    runs = result.runs
    x, y = [str(name) for name in runs.columns[1:3]]
    for collapsed, colour, label in ((0, GOOD, "stands"), (1, BAD, "collapses")):
        part = runs[runs["collapsed"] == collapsed]
        ax.scatter(part[x], part[y], s=14, color=colour, label=label, linewidths=0)
    return _labelled(ax, x, y, result.headline)


def _sweep(result: SweepResult, ax: Axes, *, x: str | None = None, y: str | None = None) -> Axes:
    """One column of the runs against another."""
    runs = result.runs
    names = [str(name) for name in runs.columns]
    x = x or names[1]
    after = names[names.index("status") + 1 :]
    numbers = [name for name in after if name != "collapsed" and runs[name].dtype.kind == "f" and runs[name].notna().any()]
    y = y or (numbers or ["collapsed"])[0]
    for name in (x, y):
        if name not in names:
            raise InputError(f"the runs have no column {name!r}; they have: {', '.join(names)}")
    ax.plot(runs[x], runs[y], "o", color=ACCENT, markersize=5)
    return _labelled(ax, x, y, result.headline)


def _static(result: StaticResult, ax: Axes, *, view: str | None = None, scale: float | None = None) -> Axes:
    """The structure from the side, with its mechanism if there is one.

    :param view: the axes of the picture, ``"xz"``, ``"yz"`` or ``"xy"``; those in which the structure is larger unless said
    :param scale: metres of displacement for the fastest block; a tenth of the structure unless said
    """
    from matplotlib.collections import PolyCollection

    compiled = result._compiled
    if compiled is None:
        raise InputError("the plot of a structure needs its model: this result was opened from disk, its report has the picture")
    meshes = [compiled.mesh(index) for index in range(len(compiled.names))]
    everything = np.concatenate([vertices for vertices, _ in meshes])
    free = [not support for support in compiled.supports]
    shown = np.concatenate([meshes[k][0] for k in range(len(meshes)) if free[k]] or [everything])
    extent = np.ptp(shown, axis=0)
    if view is not None and view not in ("xz", "yz", "xy"):
        raise InputError(f"view {view!r}: \"xz\", \"yz\" or \"xy\"")
    moves = np.zeros((len(meshes), 6))
    if (result.folder / "mechanism.csv").exists():
        rows = result.mechanism.set_index("block")
        for index, name in enumerate(compiled.names):
            if name in rows.index:
                moves[index] = rows.loc[name, ["vx", "vy", "vz", "wx", "wy", "wz"]].to_numpy(dtype=float)
    if view is None:
        # From where the motion is seen best, or else the structure.
        along = np.abs(moves[:, :2]).sum(axis=0) if moves.any() else extent[:2]
        view = "xz" if along[0] >= along[1] else "yz"
    plane = ["xyz".index(letter) for letter in view]
    depth = 3 - sum(plane)
    arms = [vertices - centre for (vertices, _), centre in zip(meshes, compiled.centroids, strict=True)]
    speeds = [move[:3] + np.cross(move[3:], arm) for move, arm in zip(moves, arms, strict=True)]
    fastest = max(float(np.linalg.norm(speed, axis=1).max()) for speed in speeds)
    factor = 0.0 if fastest == 0.0 else (0.1 * float(extent.max()) if scale is None else scale) / fastest
    polygons: list[tuple[float, Any, str]] = []
    for index, (vertices, faces) in enumerate(meshes):
        placed = vertices + factor * speeds[index]
        for face in faces:
            corners = placed[face]
            polygons.append((float(corners[:, depth].mean()), corners[:, plane], STONE if free[index] else SOFT))
    # From the far side to the near one: y and z grow away from the eye in a front view, towards it from above.
    polygons.sort(key=lambda item: item[0], reverse=view == "xz")
    collection = PolyCollection(
        [corners for _, corners, _ in polygons], facecolors=[colour for _, _, colour in polygons], edgecolors=INK, linewidths=0.5
    )
    ax.add_collection(collection)
    ax.autoscale_view()
    ax.set_aspect("equal")
    return _labelled(ax, f"{view[0]}, m", f"{view[1]}, m", result.headline)


_DRAWN: dict[type[Result], Callable[..., Axes]] = {
    TimeHistoryResult: _time_history,
    RockingResult: _rocking,
    PushoverResult: _pushover,
    AssessmentResult: _assessment,
    FragilityResult: _fragility,
    FailureDomainResult: _domain,
    SweepResult: _sweep,
    EquilibriumResult: _static,
    LimitResult: _static,
}
