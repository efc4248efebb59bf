#!/usr/bin/env python3
"""Runs the time histories of the examples under both laws of friction and prints what differs as a table of Markdown.

    tests/both_laws/compare.py PROGRAM [--only PART ...] [--most SECONDS] [--patience SECONDS]

PROGRAM is a release build of `drystone`. Of every model file each time history is run with `friction_law` set to either law, on one
thread, for at most `--most` seconds of motion (0.5 by default). A run that takes longer than `--patience` seconds (600 by default) is
left out and named. Exit code 1 if a step missed its tolerance under either law.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
LAWS = ("associated", "coulomb")


def under(text: str, law: str, most: float) -> str:
    """The model with one law in all of its time histories, and none longer than `most`."""
    parts = re.split(r"(?m)^(?=\[)", text)
    for k, part in enumerate(parts):
        if not re.search(r'(?m)^kind = "time_history"', part):
            continue
        part = re.sub(r"(?m)^friction_law.*\n", "", part)
        part = re.sub(r'(?m)^(kind = "time_history".*)$', rf'\1\nfriction_law = "{law}"', part)
        shorter = lambda m: f"duration = {min(float(m.group(1)), most):g}"  # noqa: E731
        parts[k] = re.sub(r"(?m)^duration = ([0-9.]+)", shorter, part)
    return "".join(parts)


def run(program: str, model: Path, name: str, patience: float) -> tuple[dict, float] | None:
    """The summary of a time history and its processor time; none if it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [program, "run", str(model), "--only", name, "--threads", "1", "--out", str(model.parent / "out")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return json.loads((model.parent / "out" / name / "summary.json").read_text()), spent


def length(metres: float) -> str:
    return "0" if metres == 0 else f"{1e3 * metres:.3g}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--most", type=float, default=0.5)
    parser.add_argument("--patience", type=float, default=600.0)
    asked = parser.parse_args()
    print("| example, time history | steps | largest displacement, associated [mm] | Coulomb [mm] | iterations per step | processor time, s | times |")
    print("|---|---|---|---|---|---|---|", flush=True)
    steps, missed, left_out = 0, 0, []
    for source in sorted(EXAMPLES.glob("*/*.toml")):
        label = f"{source.parent.name}/{source.stem}"
        if not any(part in label for part in asked.only):
            continue
        text = source.read_text()
        analyses = tomllib.loads(text).get("analysis", [])
        for name in (a["name"] for a in analyses if a["kind"] == "time_history"):
            found = {}
            for law in LAWS:
                with tempfile.TemporaryDirectory() as folder:
                    shutil.copytree(source.parent, folder, dirs_exist_ok=True)
                    model = Path(folder) / source.name
                    model.write_text(under(text, law, asked.most))
                    if (answer := run(asked.program, model, name, asked.patience)) is not None:
                        found[law] = answer
            if len(found) < len(LAWS):
                left_out.append(f"{label} {name}")
                continue
            (a, a_time), (c, c_time) = (found[law] for law in LAWS)
            missed += sum(s["troubles"]["inaccurate_steps"] for s in (a, c))
            steps += c["steps"]
            moved = (length(s["largest_displacement"]["displacement"]) for s in (a, c))
            iterations = (f"{s['troubles']['iterations'] / max(1, s['steps']):.1f}" for s in (a, c))
            # Below some hundredths of a second the clock counts in steps of its own.
            times = f"{c_time / a_time:.1f}" if a_time > 0.05 else ""
            cells = [f"{label}, {name}", str(c["steps"]), *moved, ", ".join(iterations), f"{a_time:.2f}, {c_time:.2f}", times]
            print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{steps} steps under Coulomb's law; {missed} steps missed their tolerance under either law.")
    if left_out:
        print(f"Took longer than {asked.patience:g} s: {', '.join(left_out)}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
