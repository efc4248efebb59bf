"""Campaigns from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import drystone


def column() -> drystone.Model:
    """A rocking column, by the equation of motion: a run takes a millisecond."""
    model = drystone.Model("column").motion("pulse", "one_sine", amplitude=3.0, half_period=0.4, direction=[1, 0, 0])
    return model.analysis("column", "rocking", half_width=0.25, half_height=1.5, motion="pulse", duration=4.0)


def test_a_sweep(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    values = [1.0, 2.0, 4.0, 8.0]
    result = drystone.sweep(
        column(),
        of="column",
        vary=[{"key": "motion.pulse.amplitude", "values": values}],
        out=tmp_path,
        threads=2,
        progress=lambda done, total, _: told.append((done, total)),
    )
    runs = result.runs
    assert runs["motion.pulse.amplitude"].tolist() == values
    # Below b/h g nothing moves; what is far above turns over.
    assert runs["collapsed"].tolist()[0] == 0 and runs["max_angle"].tolist()[0] == 0.0
    assert told[-1] == (4, 4)
    stamp = (result.folder / "runs.parquet").read_bytes()
    again = drystone.sweep(
        column(), of="column", vary=[{"key": "motion.pulse.amplitude", "values": values}], out=tmp_path, progress=False
    )
    assert (again.folder / "runs.parquet").read_bytes() == stamp
    assert len(again.timings) == 4
    with pytest.raises(drystone.InputError, match="exist|overwrite"):
        drystone.sweep(column(), of="column", vary=[{"key": "motion.pulse.amplitude", "values": values}], out=tmp_path, existing="refuse")
    fresh = drystone.sweep(
        column(), of="column", vary=[{"key": "motion.pulse.amplitude", "values": values}], out=tmp_path, existing="replace", progress=False
    )
    assert (fresh.folder / "runs.parquet").read_bytes() == stamp


def test_faults_of_campaigns() -> None:
    with pytest.raises(drystone.InputError, match="colum"):
        drystone.sweep(column(), of="colum", vary=[{"key": "motion.pulse.amplitude", "values": [1.0]}])
    with pytest.raises(drystone.InputError, match="amplitud"):
        drystone.sweep(column(), of="column", vary=[{"key": "motion.pulse.amplitud", "values": [1.0]}])
    vary = [{"key": "motion.pulse.amplitude", "values": [1.0]}]
    with pytest.raises(drystone.InputError, match="no option"):
        drystone.sweep(column(), of="column", vary=vary, out="nowhere", slurm={"queue": "all"})
    with pytest.raises(drystone.InputError, match="say out"):
        drystone.sweep(column(), of="column", vary=vary, slurm={})
    with pytest.raises(drystone.InputError, match="threads"):
        drystone.sweep(column(), of="column", vary=vary, threads=0)
    with pytest.raises(drystone.InputError, match="for campaigns"):
        drystone.rocking(column(), half_width=0.2, half_height=1.0, duration=1.0, threads=2)
