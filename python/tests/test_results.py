"""Results are those of the command line, to the last bit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES, call

import drystone


def same_files(ours: Path, theirs: Path) -> None:
    """Every table and motion has the same bytes; summaries differ in seconds alone."""
    names = sorted(path.name for path in theirs.iterdir() if path.is_file())
    assert sorted(path.name for path in ours.iterdir() if path.is_file()) == names
    for name in names:
        a, b = (ours / name).read_bytes(), (theirs / name).read_bytes()
        if name == "summary.json":
            mine, other = json.loads(a), json.loads(b)
            for summary in (mine, other):
                summary.pop("seconds", None)
            assert mine == other
        elif name not in ("report.html", "timings.csv"):
            assert a == b, name


@pytest.mark.parametrize(
    ("example", "analysis"),
    [
        ("housner-block/model.toml", "free-rocking"),
        ("housner-block/model.toml", "equation-of-motion"),
        ("facade-tie/pushover-tie.toml", "push"),
        ("oppenheim-arch/model.toml", None),
        ("strengthening/no-tie.toml", "code"),
        ("dry-panels/panel-4-smooth-heads.toml", "limit"),
    ],
)
def test_same_bits_as_the_command_line(example: str, analysis: str | None, tmp_path: Path, command: list[str]) -> None:
    path = EXAMPLES / example
    model = drystone.Model.from_file(path)
    names = [analysis] if analysis else [name for name, _ in model.compile().analyses][:1]
    for name in names:
        told = call(command, "run", str(path), "--only", name, "--out", str(tmp_path / "theirs"))
        assert told.returncode == 0, told.stderr
        result = model.run(name, out=tmp_path / "ours", progress=False)
        same_files(result.folder, tmp_path / "theirs" / name)


def test_campaigns_have_the_same_bits(tmp_path: Path, command: list[str]) -> None:
    path = EXAMPLES / "fragility" / "model.toml"
    told = call(command, "campaign", str(path), "--only", "stripes", "--out", str(tmp_path / "theirs"))
    assert told.returncode == 0, told.stderr
    result = drystone.Model.from_file(path).run("stripes", out=tmp_path / "ours", progress=False)
    assert (result.folder / "runs.parquet").read_bytes() == (tmp_path / "theirs" / "stripes" / "runs.parquet").read_bytes()
    assert result.table("runs")["collapsed"].sum() > 0
    runs = result.table("runs")
    assert len(pd.read_parquet(result.folder / "runs.parquet")) == len(runs)
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(result.folder / "runs.parquet")["collapsed"].sum() == runs["collapsed"].sum()


def test_an_assessment_runs_its_pushover(block: drystone.Model, tmp_path: Path) -> None:
    block.tree["interface"][0]["normal_stiffness"] = 1e9
    control = {"block": "stone", "point": [0.5, 0.0, 2.0]}
    block.analysis("push", "pushover", direction=[1, 0, 0], joints="elastic", control=control)
    demand = {"ag": 2.0, "f0": 2.4, "tc_star": 0.35}
    keys = {"pushover": "push", "code": "ntc2018", "site": {"soil": "A"}, "life_safety": demand}
    one = drystone.assess(block, out=tmp_path, **keys)
    again = drystone.assess(block, out=tmp_path, existing="replace", **keys)
    kept = drystone.assess(block, **keys)
    for result in (again, kept):
        assert result.text == one.text and len(result.spectra) > 10
    assert not (tmp_path / "push").exists(), "a pushover that was not asked for leaves no results, as from the command"


def test_an_assessment_uses_the_pushover_that_is_there(block: drystone.Model, tmp_path: Path) -> None:
    control = {"block": "stone", "point": [0.5, 0.0, 2.0]}
    block.analysis("push", "pushover", direction=[1, 0, 0], control=control)
    push = block.run("push", out=tmp_path)
    summary = push.folder / "summary.json"
    there = summary.read_bytes()
    demand = {"ag": 2.0, "f0": 2.4, "tc_star": 0.35}
    keys = {"pushover": "push", "code": "ntc2018", "site": {"soil": "A"}, "life_safety": demand}
    one = drystone.assess(block, out=tmp_path, name="one", **keys)
    assert summary.read_bytes() == there, "asking one more question makes no other pushover of it"
    # As Ctrl-C leaves it: no answer to rest on.
    summary.write_text(json.dumps({**push.summary, "status": "interrupted", "d_0": None}))
    two = drystone.assess(block, out=tmp_path, name="two", existing="resume", **keys)
    assert two["index"] == one["index"]


def test_a_pushover_without_an_onset(block: drystone.Model) -> None:
    # Its centroid is beyond the edge of the ground.
    block.box("loose", size=(1, 1, 1), centre=(2.2, 0, 0.5))
    push = drystone.pushover(block, direction=[1, 0, 0], control={"block": "stone"})
    assert push.status == "unstable" and push.alpha_0 is None and push.d_0 is None


def test_one_failure_leaves_the_other_results(block: drystone.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    block.analysis("rest", "equilibrium").analysis("push", "limit", direction=[1, 0, 0]).analysis("again", "equilibrium")
    answer = drystone.analyses.answer
    fault: type[drystone.DrystoneError] = drystone.ComputationError

    def failing(model: drystone.Model, analysis: str, **keys: object) -> drystone.Result:
        if analysis == "push":
            raise fault("push: no answer")
        return answer(model, analysis, **keys)  # type: ignore[arg-type]

    monkeypatch.setattr(drystone.analyses, "answer", failing)
    with pytest.raises(drystone.ComputationError, match="push: no answer") as raised:
        block.run_all()
    assert raised.value.results is not None and list(raised.value.results) == ["rest", "again"]
    assert raised.value.results["rest"].status == "stable"
    fault = drystone.InputError
    with pytest.raises(drystone.InputError) as wrong:
        block.run_all()
    assert wrong.value.results is not None and list(wrong.value.results) == ["rest"]


def test_equilibrium(block: drystone.Model) -> None:
    result = drystone.equilibrium(block)
    assert result.stable and result.status == "stable"
    assert result.forces["normal"].sum() == pytest.approx(block.weight, rel=1e-9)
    assert result["reaction"][2] == pytest.approx(block.weight, rel=1e-9)
    with pytest.raises(KeyError, match="reaction"):
        result["reactoin"]


def test_limit_is_that_of_the_block(block: drystone.Model) -> None:
    result = drystone.limit(block, direction=[1, 0, 0])
    # b / h; bounds meet to 1e-9 and the solver's tolerance is 1e-8.
    assert result.multiplier == pytest.approx(0.5, rel=1e-7)
    mechanism = result.mechanism.set_index("block")
    assert mechanism.loc["stone", "wy"] > 0
    assert "analysis" not in block.tree, "the model of the caller stays as it is"


def test_time_history_and_its_arrays(block: drystone.Model) -> None:
    block.motion("pulse", "one_sine", amplitude=9.0, half_period=0.3, direction=[1, 0, 0])
    top = [{"name": "top", "block": "stone", "point": [0, 0, 2]}]
    result = drystone.time_history(
        block, dt=0.005, duration=1.0, motion="pulse", output_every=0.05, forces_every=0.25, monitors=top
    )
    motion = result.motion
    assert motion.positions.shape == (len(motion.times), 2, 3)
    assert motion.rotations.shape == (len(motion.times), 2, 4)
    assert np.allclose(np.linalg.norm(motion.rotations, axis=2), 1.0, atol=1e-12)
    history = result.history
    assert history["time"].to_numpy() == pytest.approx(motion.times, abs=1e-15)
    assert history["top.ux"].abs().max() > 0.01
    assert set(result.forces["b"]) == {"stone"} or set(result.forces["a"]) == {"ground"}
    assert result.table("diagnostics")["residual"].max() < 1e-5


def test_a_result_is_found_again(block: drystone.Model, tmp_path: Path) -> None:
    result = drystone.limit(block, direction=[1, 0, 0], out=tmp_path, name="push-x")
    again = drystone.open_result(tmp_path / "push-x")
    assert type(again) is type(result) and again.summary == result.summary
    with pytest.raises(drystone.InputError, match="exist|overwrite"):
        drystone.limit(block, direction=[1, 0, 0], out=tmp_path, name="push-x")
    with pytest.raises(drystone.InputError, match="no summary.json"):
        drystone.open_result(tmp_path)


@pytest.mark.filterwarnings("ignore:a friction of")
def test_what_failed_fails_again_when_it_is_resumed(block: drystone.Model, tmp_path: Path) -> None:
    # More than the limit program can tell from numbers of the order of one.
    block.tree["interface"][0]["friction"] = 1e12
    for existing in (None, "resume"):
        with pytest.raises(drystone.ComputationError, match="missed its tolerance"):
            drystone.limit(block, direction=[1, 0, 0], out=tmp_path, existing=existing)


def test_report_and_display(block: drystone.Model, tmp_path: Path) -> None:
    result = drystone.limit(block, direction=[1, 0, 0])
    page = result.report(tmp_path / "out.html").read_text()
    assert "<html" in page
    shown = result._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "http" not in shown.split("srcdoc=")[0]
    with pytest.raises(drystone.InputError, match="overwrite"):
        result.report(tmp_path / "out.html")


def test_faults(block: drystone.Model) -> None:
    with pytest.raises(drystone.InputError, match="direction"):
        drystone.limit(block, direction=[0, 0, 0])
    with pytest.raises(drystone.InputError, match="direction"):
        drystone.limit(block, directoin=[1, 0, 0])
    with pytest.raises(drystone.InputError, match="no analysis"):
        block.run("limit")
    with pytest.raises(TypeError):
        drystone.time_history(block)  # type: ignore[call-arg]


def test_progress_is_told(block: drystone.Model) -> None:
    told: list[tuple[int, int]] = []
    drystone.time_history(block, dt=0.001, duration=0.2, progress=lambda done, total, message: told.append((done, total)))
    assert told[-1] == (200, 200)

    def broken(done: int, total: int, message: str) -> None:
        raise LookupError("nobody looks")

    with pytest.raises(LookupError):
        drystone.time_history(block, dt=0.001, duration=0.2, progress=broken)


def threads() -> list[str]:
    """Names of the threads of this process."""
    return [path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm")]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux tells them")
def test_what_was_left_behind_writes_nothing(block: drystone.Model, tmp_path: Path) -> None:
    # Its limit takes many times the 50 ms after which progress is first shown.
    block.generate("wall", material="stone", thickness=0.3, block=[0.2, 0.1], courses=25, length=6.0, at=[10.0, 0.0, 0.0])
    block.generate("ground", material="stone")

    def broken(done: int, total: int, message: str) -> None:
        raise LookupError("nobody looks")

    with pytest.raises(LookupError):
        drystone.limit(block, direction=[1, 0, 0], out=tmp_path, name="push", progress=broken)
    assert "drystone" in threads(), "it was not left behind"
    for _ in range(3000):
        if "drystone" not in threads():
            break
        time.sleep(0.02)
    assert "drystone" not in threads() and not list((tmp_path / "push").iterdir())


INTERRUPTED = """
    import sys, drystone
    model = drystone.Model.from_file(sys.argv[1])
    print("begun", flush=True)
    try:
        model.run("long", out=sys.argv[2], progress=False)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(7)
"""


def test_ctrl_c_saves_and_the_run_goes_on_with_the_same_bits(block: drystone.Model, tmp_path: Path) -> None:
    block.motion("shake", "sine", amplitude=6.0, frequency=2.0, duration=60.0, direction=[1, 0, 0])
    # About four seconds, of which the first is enough.
    block.analysis("long", "time_history", motion="shake", dt=2e-5, duration=6.0, output_every=0.1)
    path = block.to_file(tmp_path / "model.json")
    script = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(path), str(tmp_path / "out")]
    running = subprocess.Popen(script, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "begun\n"
    checkpoint = tmp_path / "out" / "long"
    for _ in range(600):
        if checkpoint.exists() and any(checkpoint.iterdir()):
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    told, _ = running.communicate(timeout=60)
    assert running.returncode == 7 and told == "interrupted\n"
    assert json.loads((checkpoint / "summary.json").read_text())["status"] == "interrupted"
    model = drystone.Model.from_file(path)
    resumed = model.run("long", out=tmp_path / "out", existing="resume", progress=False)
    whole = model.run("long", progress=False)
    assert resumed.table("history").equals(whole.table("history"))


def test_the_command_of_python_ends_at_ctrl_c(block: drystone.Model, tmp_path: Path, command: list[str]) -> None:
    block.generate("wall", material="stone", thickness=0.3, block=[0.1, 0.05], courses=60, length=8.0, at=[10.0, 0.0, 0.0])
    # A limit of these 4830 blocks takes seconds, and the search some twenty of them.
    block.generate("ground", material="stone").analysis("push", "limit", direction=[1, 0, 0])
    path = block.to_file(tmp_path / "large.json")
    search = ["critical", str(path), "--friction", "--from", "0.05", "--to", "2.0", "--analysis", "push", "--multiplier", "0.2"]
    running = subprocess.Popen([*command, *search], stderr=subprocess.PIPE, text=True)
    time.sleep(2.0)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=20)
    assert running.returncode in (-signal.SIGINT, 130), told


def test_notebooks_of_the_command_line_and_python_share_the_version(command: list[str]) -> None:
    assert call(command, "--version").stdout.split()[-1] == drystone.__version__
    assert call([sys.executable, "-m", "drystone"], "--version").stdout.split()[-1] == drystone.__version__
    told = call(command, "run", "nowhere.toml")
    assert told.returncode == 2 and "nowhere.toml" in told.stderr
