"""Plots with matplotlib, in the look of the reports."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._look import LIGHT, SERIES, SIZE, STONE_LIGHT
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
INK, SOFT, LINE = LIGHT["ink"], LIGHT["soft"], LIGHT["line"]
ACCENT, GOOD, BAD, WARN = LIGHT["accent"], LIGHT["good"], LIGHT["bad"], LIGHT["warn"]
STONE = STONE_LIGHT["free"]
#: Of curves, in order.
COLOURS = SERIES
#: Size of notes beside points; matplotlib counts in points, pages in px.
NOTE = 0.75 * SIZE["note"]


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


def _named(values: dict[str, Any]) -> str:
    """What distinguishes a combination from others, by the last words of its keys where they differ."""
    last = [key.rsplit(".", 1)[-1] for key in values]
    words = [short if last.count(short) == 1 else key for key, short in zip(values, last, strict=True)]
    return ", ".join(f"{word} {value}" for word, value in zip(words, values.values(), strict=True))


def _picked(items: list[Any], index: int | None, what: str) -> list[Any]:
    """One of the items, or all."""
    if index is None:
        return items
    if not 0 <= index < len(items):
        raise InputError(f"{what} {index}: there are {len(items)}, counted from 0")
    return [items[index]]


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def _fragility(result: FragilityResult, ax: Axes, *, combination: int | None = None) -> Axes:
    """Fitted curves with bands of 95 %, and the observed fractions, with n of N for collapse where there is one combination.

    :param combination: only this one, in the order of ``result["fragility"]``
    """
    groups = _picked(result["fragility"], combination, "combination")
    label = "intensity"
    drawn = 0
    for group in groups:
        label = str(group["intensity"])
        values = _named(group["values"])
        for position, curve in enumerate(group["curves"]):
            colour = COLOURS[drawn % len(COLOURS)]
            drawn += 1
            name = ", ".join(part for part in (curve["state"], values) if part)
            stripes = [stripe for stripe in curve.get("stripes", []) if stripe["runs"]]
            theta, beta = curve.get("theta"), curve.get("beta")
            if theta is not None and beta is not None:
                highest = 1.1 * max([stripe["intensity"] for stripe in stripes] or [2.0 * theta])
                x = np.linspace(1e-3 * highest, highest, 300)
                centre = np.log(x / theta) / beta
                ax.plot(x, [_normal(one) for one in centre], color=colour, label=f"{name}: median {theta:.3g}, spread {beta:.3g}", linewidth=1.6)
                if "covariance" in curve:
                    aa, ab, bb = curve["covariance"]
                    spread = 1.96 * np.sqrt(np.maximum(aa + 2.0 * ab * np.log(x) + bb * np.log(x) ** 2, 0.0))
                    low, high = ([_normal(one) for one in centre + side * spread] for side in (-1.0, 1.0))
                    ax.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0)
            parts = [stripe["reached"] / stripe["runs"] for stripe in stripes]
            ax.plot([stripe["intensity"] for stripe in stripes], parts, "o", color=colour, markersize=5)
            if position == 0 and len(groups) == 1:
                for stripe, part in zip(stripes, parts, strict=True):
                    if stripe["runs"] > 1:
                        ax.annotate(
                            f"{stripe['reached']:.0f}/{stripe['runs']:.0f}", (stripe["intensity"], part), (5, 4), textcoords="offset points", fontsize=NOTE, color=INK
                        )
    ax.set_ylim(-0.03, 1.08)
    return _labelled(ax, label, "probability", result.headline)


def _boundary(brackets: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Half-way between what stands and what collapses."""
    found = []
    for bracket in brackets:
        low, high = bracket["stands"], bracket["collapses"]
        if high is not None:
            found.append((bracket["x"], high if low is None else 0.5 * (low + high)))
    return found


def _domain(result: FailureDomainResult, ax: Axes, *, curve: int | None = None) -> Axes:
    """One domain with its runs, its boundary and the hull; of several the boundaries and the hull of all.

    :param curve: only this one, in the order of ``result["curves"]``: combinations, each in both directions if they were asked for
    """
    x, y = str(result["x"]["key"]), str(result["y"]["key"])
    curves = _picked(result["curves"], curve, "curve")

    def line(points: list[Any], colour: str, style: str, label: str) -> None:
        if points:
            ax.plot(*zip(*points, strict=True), style, color=colour, label=label, linewidth=1.4)

    single = len(curves) == 1
    if single:
        runs = result.runs
        chosen = curves[0]["direction"] * runs[y] > 0 if len(result["curves"]) > 1 else runs[y].notna()
        for key, value in curves[0]["values"].items():
            # Words and flags stand in the table as texts.
            same = runs[key] == value
            chosen &= same if same.any() else runs[key].astype(str).str.lower() == str(value).lower()
        part = runs[chosen]
        looks: tuple[tuple[Any, dict[str, Any], str], ...] = (
            (part["collapsed"] == 0, {"marker": "o", "facecolors": "none", "edgecolors": GOOD}, "stands"),
            (part["collapsed"] == 1, {"marker": "o", "color": BAD, "linewidths": 0}, "collapses"),
            (part["collapsed"].isna(), {"marker": "x", "color": WARN}, "no answer"),
        )
        for kind, mark, label in looks:
            if kind.any():
                ax.scatter(part[kind][x], curves[0]["direction"] * part[kind][y], s=18, label=label, **mark)
        hull = next(item["hull"] for item in result["hulls"] if item["values"] == curves[0]["values"])
    else:
        hull = result["hull"]
    for at, one in enumerate(curves):
        words = [_named(one["values"]), "opposite direction" if one["direction"] < 0 else ""]
        label = "boundary" if single else ", ".join(word for word in words if word) or "boundary"
        line(_boundary(one["boundary"]), COLOURS[at % len(COLOURS)], "--" if one["direction"] < 0 and not single else "-", label)
    if len(hull) > 2:
        line([*hull, hull[0]], BAD, ":", "hull of collapses")
    if all(one["values"] == curves[0]["values"] for one in curves):
        line(_boundary(curves[0].get("rocking", [])), COLOURS[3], "-", "rocking equation")
        ends = result["x"]["values"]
        drawn: set[float] = set()
        for one in curves:
            # A structure that is the same both ways has one.
            capacity = one.get("static_capacity")
            if capacity is not None and not np.isclose(capacity, list(drawn), rtol=1e-6, atol=0.0).any():
                label = "static capacity" + (", opposite direction" if one["direction"] < 0 and not single else "")
                line([(end, capacity) for end in (ends[0], ends[-1])], COLOURS[7], ":" if drawn else "--", label)
                drawn.add(capacity)
    _labelled(ax, x, y, result.headline)
    # Runs fill the plane: the legend stands beside it, as in the report.
    ax.legend(frameon=False, labelcolor=INK, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return ax


def _sweep(
    result: SweepResult, ax: Axes, *, x: str | None = None, y: str | None = None, measure: str | None = None
) -> Axes:
    """How far a measure goes with each key that varies; of one key, or if columns are named, one column of the runs against another.

    :param measure: of the bars; the first that changes unless said
    """
    effects = [effect for effect in result["effects"] if effect["greatest"]["mean"] > effect["least"]["mean"]]
    keys = {effect["key"] for effect in result["effects"]}
    if measure is not None and measure not in {effect["measure"] for effect in result["effects"]}:
        raise InputError(f"measure {measure!r}: there are {', '.join(sorted({str(effect['measure']) for effect in result['effects']}))}")
    if measure is not None or (x is None and y is None and len(keys) > 1 and effects):
        measure = measure or str(effects[0]["measure"])
        return _tornado(result, ax, measure)
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


def _tornado(result: SweepResult, ax: Axes, measure: str) -> Axes:
    bars = [effect for effect in result["effects"] if effect["measure"] == measure]
    for row, effect in enumerate(bars):
        low, high = effect["least"], effect["greatest"]
        ax.barh(row, high["mean"] - low["mean"], left=low["mean"], height=0.55, color=ACCENT, alpha=0.75)
        for end, side, align in ((low, -4, "right"), (high, 4, "left")):
            ax.annotate(end["at"], (end["mean"], row), (side, 0), textcoords="offset points", ha=align, va="center", fontsize=NOTE, color=INK)
    ax.axvline(bars[0]["mean"], color=INK, linewidth=1.0)
    ax.set_yticks(range(len(bars)), [effect["key"] for effect in bars])
    ax.invert_yaxis()
    # Bars that begin at zero would leave no room for the value at their end.
    ax.use_sticky_edges = False
    ax.margins(x=0.12)
    return _labelled(ax, f"mean of {measure}", "", result.headline)


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
    if "mechanism" in result.tables:
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
