"""An answer in memory and a folder of results hold the same."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from test_campaigns import column
from test_results import same_files

import drystone

DEMAND = {"code": "ntc2018", "site": {"soil": "A"}, "life_safety": {"ag": 2.0, "f0": 2.4, "tc_star": 0.35}}
KINDS = ["equilibrium", "limit", "directions", "time_history", "pushover", "assessment", "rocking"]


def structure() -> drystone.Model:
    """An arch that is tied, with a question of every kind. Some of its blocks have names that look like something else."""
    model = drystone.Model("arch").material("stone", density=2000.0).interface(friction=0.7)
    model.generate("arch", name="arch", radius=4.6, thickness=0.8, depth=1.0, voussoirs=9, material="stone")
    model.box("001", size=(8, 4, 1), centre=(20, 0, -0.5), support=True).box("NA", size=(1, 1, 2), centre=(20, 0, 1))
    model.tie(["001", "NA"], [(20.6, 0, 0), (20.5, 0, 2)], stiffness=1e6, yield_force=500.0)
    model.motion("pulse", "one_sine", amplitude=9.0, half_period=0.3, direction=[1, 0, 0])
    path = {"from": "arch.voussoir1", "to": "arch.voussoir9"}
    model.analysis("equilibrium", "equilibrium", thrust_line=path).analysis("limit", "limit", direction=[1, 0, 0])
    model.analysis("directions", "limit", directions=4)
    top = [{"name": "top", "block": "NA", "point": [20, 0, 2]}]
    model.analysis(
        "time_history", "time_history", dt=0.005, duration=0.5, motion="pulse", output_every=0.05, forces_every=0.25, monitors=top
    )
    control = {"block": "arch.voussoir5", "point": [0, 0, 5.4]}
    model.analysis("pushover", "pushover", direction=[1, 0, 0], control=control)
    model.analysis("assessment", "assessment", pushover="pushover", **DEMAND)
    return model.analysis("rocking", "rocking", half_width=0.25, half_height=1.5, motion="pulse", duration=1.0)


@pytest.mark.parametrize("name", KINDS)
def test_memory_and_folder(name: str, tmp_path: Path) -> None:
    model = structure()
    stored, held = model.run(name, out=tmp_path), model.run(name)
    assert type(held) is type(stored) and repr(held).split(" (")[0] == repr(stored).split(" (")[0]
    timeless = [{key: value for key, value in result.summary.items() if key != "seconds"} for result in (held, stored)]
    assert timeless[0] == timeless[1]
    assert held.tables == stored.tables == drystone.open_result(tmp_path / name).tables and held.tables
    for table in held.tables:
        pd.testing.assert_frame_equal(held.table(table), stored.table(table), check_exact=True)
    for result in (held, stored):
        with pytest.raises(drystone.InputError, match=f"has no table 'x'; it has: {held.tables[0]}"):
            result.table("x")
    if isinstance(held, drystone.results.TimeHistoryResult):
        assert isinstance(stored, drystone.results.TimeHistoryResult)
        assert held.motion.blocks == stored.motion.blocks
        for part in ("times", "positions", "rotations"):
            assert np.array_equal(getattr(held.motion, part), getattr(stored.motion, part))
    if isinstance(held, drystone.results.AssessmentResult):
        assert isinstance(stored, drystone.results.AssessmentResult) and held.text == stored.text
    saved = held.save(tmp_path / "saved")
    same_files(saved, stored.folder)
    assert len(held.report(tmp_path / "held.html").read_text()) == pytest.approx(len((saved / "report.html").read_text()), abs=100)


def test_names_remain_words_and_numbers_numbers(tmp_path: Path) -> None:
    model = structure()
    for result in (model.run("equilibrium"), model.run("equilibrium", out=tmp_path)):
        joints = result.table("joints")
        assert {"001", "NA"} <= {*joints["a"], *joints["b"]}
        assert joints["movement"].isna().all() and joints["opening"].isna().all()
        words = {"a", "b", "movement"}
        assert all(joints[name].dtype == np.float64 for name in joints if name not in words)


def test_what_memory_alone_has(block: drystone.Model, tmp_path: Path) -> None:
    result = drystone.limit(block, direction=[1, 0, 0])
    assert result.verdict == "stands"
    measures = result.measures.set_index("key")
    assert measures.loc["multiplier", "value"] == result.multiplier and measures.loc["multiplier", "important"]
    with pytest.raises(drystone.InputError, match="out=.*save"):
        _ = result.folder
    again = drystone.open_result(result.save(tmp_path / "kept"))
    assert again.folder == tmp_path / "kept" and again["multiplier"] == result.multiplier
    for name in ("measures", "verdict"):
        with pytest.raises(drystone.InputError, match="without out="):
            getattr(again, name)
    with pytest.raises(drystone.InputError, match="name another"):
        result.save(tmp_path / "kept")


def test_a_campaign_has_a_folder_while_it_lives() -> None:
    result = drystone.sweep(column(), of="column", vary=[{"key": "motion.pulse.amplitude", "values": [1.0, 5.0]}], progress=False)
    folder = result.folder
    assert (folder / "runs.parquet").exists() and result.tables == ["runs", "timings"]
    del result
    assert not folder.exists()


INTERRUPTED = """
    import sys, drystone
    model = drystone.Model.from_file(sys.argv[1])
    begun = lambda done, total, message: done and print("begun", flush=True)
    try:
        model.run(sys.argv[2], progress=begun)
    except KeyboardInterrupt:
        sys.exit(7)
"""


def test_ctrl_c_is_raised_from_what_is_in_memory(block: drystone.Model, tmp_path: Path) -> None:
    # Hours.
    block.analysis("long", "time_history", dt=1e-6, duration=600.0, output_every=1.0)
    path = block.to_file(tmp_path / "model.json")
    script = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(path), "long"]
    running = subprocess.Popen(script, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "begun\n"
    running.send_signal(signal.SIGINT)
    begin = time.monotonic()
    running.communicate(timeout=60)
    assert running.returncode == 7 and time.monotonic() - begin < 30.0
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
