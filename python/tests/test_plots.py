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
