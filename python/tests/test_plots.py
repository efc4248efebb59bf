"""Plots show what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import EXAMPLES
from test_campaigns import column

import drystone

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def test_every_kind_has_a_plot(block: drystone.Model, tmp_path: Path) -> None:
    block.motion("pulse", "one_sine", amplitude=9.0, half_period=0.3, direction=[1, 0, 0])
    top = [{"name": "top", "block": "stone", "point": [0, 0, 2]}]
    fragility = drystone.Model.from_file(EXAMPLES / "fragility" / "model.toml")
    facade = drystone.Model.from_file(EXAMPLES / "facade-tie" / "pushover.toml")
    results = [
        drystone.equilibrium(block),
        drystone.limit(block, direction=[1, 0, 0]),
        drystone.time_history(block, dt=0.01, duration=0.5, motion="pulse", monitors=top),
        column().run("column"),
        facade.run("push"),
        drystone.Model.from_file(EXAMPLES / "strengthening" / "no-tie.toml").run("code"),
        fragility.run("stripes", progress=False),
        drystone.sweep(column(), of="column", vary=[{"key": "motion.pulse.amplitude", "values": [1.0, 5.0]}], progress=False),
    ]
    for result in results:
        ax = result.plot()
        assert ax.lines or ax.collections, result.kind
        assert ax.get_xlabel() and ax.get_title(loc="left").split()[0] == result.headline.split()[0]
        file = tmp_path / f"{result.kind}.png"
        ax.figure.savefig(file)
        assert file.stat().st_size > 5000
    with pytest.raises(drystone.InputError, match="view"):
        results[0].plot(view="zz")


def test_curves_compare(block: drystone.Model) -> None:
    paths = [EXAMPLES / "facade-tie" / name for name in ("pushover.toml", "pushover-tie.toml")]
    ax = None
    for path in paths:
        ax = drystone.Model.from_file(path).run("push").plot(ax, label=path.stem)
    assert ax is not None
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [path.stem for path in paths]


def test_domains_are_drawn_over_their_own_axes() -> None:
    half_widths = {"key": "analysis.column.half_width", "values": [0.2, 0.3]}
    plane = {
        "x": {"key": "motion.pulse.half_period", "values": [0.2, 0.5, 0.8]},
        "y": {"key": "motion.pulse.amplitude", "values": [1.0, 3.0, 5.0, 7.0, 9.0]},
    }
    result = drystone.failure_domain(
        column(), of="column", rocking="column", vary=[half_widths], both_directions=True, progress=False, **plane
    )
    for curve in (None, 0, 3):
        ax = result.plot(curve=curve)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("motion.pulse.half_period", "motion.pulse.amplitude")
    # Each of the 15 points of one curve once, with the sign of its direction turned.
    points = [tuple(point) for group in ax.collections for point in group.get_offsets()]
    assert len(points) == len(set(points)) == 15 and min(y for _, y in points) == 1.0
    labels = {text.get_text() for text in ax.get_legend().get_texts()}
    assert {"boundary", "hull of collapses", "rocking equation"} <= labels
    with pytest.raises(drystone.InputError, match="curve 4"):
        result.plot(curve=4)


def test_sweeps_of_several_keys_are_bars() -> None:
    vary = [
        {"key": "motion.pulse.amplitude", "values": [1.0, 2.5]},
        {"key": "analysis.column.half_width", "values": [0.2, 0.3]},
    ]
    result = drystone.sweep(column(), of="column", vary=vary, progress=False)
    ax = result.plot(measure="max_angle")
    assert len(ax.patches) == 2 and ax.get_xlabel() == "mean of max_angle"
