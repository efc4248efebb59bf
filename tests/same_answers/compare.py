#!/usr/bin/env python3
"""Runs every example with two builds of Drystone and compares every file of their results.

    tests/same_answers/compare.py BEFORE AFTER [--only PART ...] [--full] [--reasons FILE] [--jobs N]

BEFORE and AFTER are two `drystone` programs. Long examples run in a short form (`short.toml` beside this script); `--full` runs them
as they are. Files are compared byte for byte, after what depends on the clock has been taken out (`seconds` in summaries and pages,
`timings.csv`). Where they differ, the largest difference of a number is reported. A difference is allowed only if the reasons file
names it: a line `PATTERN: reason` for each, where the pattern is matched against `EXAMPLE/MODEL/ANALYSIS/FILE`, optionally followed by `#KEY` for
one key of a JSON file. Exit code 0: everything is the same or has its reason.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"

#: Keys of a summary that differ from run to run.
CLOCK = {"seconds"}
#: Files that hold nothing but times.
IGNORED = {"timings.csv"}
#: Times in sentences, e.g. "8000 steps in 0.5 s" or "(0.02 s, residual".
SPOKEN = [
    (re.compile(r"\bin \d+(\.\d+)? s\b"), "in _ s"),
    (re.compile(r"\((\d+(\.\d+)?) s\b"), "(_ s"),
    (re.compile(r'"(total|detect|assemble|solve|integrate|output)":[0-9.e+-]+'), r'"\1":_'),
    (re.compile(r"<tr><td>seconds\.[a-z]+<td>[0-9.e+-]+"), "<tr><td>seconds<td>_"),
]


@dataclass
class Outcome:
    """What a comparison of one model came to."""

    name: str
    files: int = 0
    differences: list[tuple[str, str]] = field(default_factory=list)


def short_forms() -> dict[str, dict]:
    with open(HERE / "short.toml", "rb") as file:
        return tomllib.load(file)


def shortened(text: str, form: dict) -> str:
    """The text of a model with its long analyses cut short."""
    for key in ("duration", "max_displacement"):
        most = form.get(key)
        if most is None:
            continue

        def cut(found: re.Match[str], most: float = most) -> str:
            return f"{found[1]}{min(float(found[2]), most)}"

        at = text.find("[[analysis]]")
        head, tail = (text[:at], text[at:]) if at >= 0 else (text, "")
        text = head + re.sub(rf"(?m)^({key}\s*=\s*)([0-9.e+-]+)", cut, tail)
    for old, new in form.get("replace", {}).items():
        if old not in text:
            raise SystemExit(f"short.toml: {old!r} is not in the model")
        text = text.replace(old, new)
    return text


def run(program: Path, model: Path, out: Path, only: list[str], threads: int) -> str:
    """Runs a model and gives what went wrong, if anything did."""
    command = [str(program), "run", str(model), "--out", str(out), "--threads", str(threads)]
    for name in only:
        command += ["--only", name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=model.parent)
    (out.parent / f"{out.name}.txt").write_text(done.stderr.replace(str(out), "OUT"))
    return "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()[-400:]}"


def without_clock(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_clock(item) for key, item in value.items() if key not in CLOCK}
    if isinstance(value, list):
        return [without_clock(item) for item in value]
    return value


def spoken(text: str) -> str:
    for pattern, replacement in SPOKEN:
        text = pattern.sub(replacement, text)
    return text


def numbers_apart(a: str, b: str) -> str:
    """The largest difference of two tables, by column."""
    rows = [list(csv.reader(text.splitlines())) for text in (a, b)]
    if len(rows[0]) != len(rows[1]):
        return f"{len(rows[0]) - 1} rows, then {len(rows[1]) - 1}"
    if rows[0][:1] != rows[1][:1]:
        return f"columns {rows[0][0]}, then {rows[1][0]}"
    worst = (0.0, "")
    for line, (one, other) in enumerate(zip(*rows)):
        for column, (x, y) in enumerate(zip(one, other)):
            if x == y:
                continue
            name = rows[0][0][column]
            try:
                apart = abs(float(x) - float(y))
            except ValueError:
                return f"{name} in row {line}: {x!r}, then {y!r}"
            if apart >= worst[0]:
                worst = (apart, f"{name} in row {line}: {x}, then {y}")
    return f"largest difference {worst[0]:.3g}: {worst[1]}"


def keys_apart(a: object, b: object, path: str = "") -> list[tuple[str, str]]:
    """Where two JSON values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        found = []
        for key in sorted(a.keys() | b.keys()):
            place = f"{path}.{key}" if path else key
            if key not in a:
                found.append((place, f"new: {json.dumps(b[key])[:120]}"))
            elif key not in b:
                found.append((place, f"gone: {json.dumps(a[key])[:120]}"))
            else:
                found += keys_apart(a[key], b[key], place)
        return found
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [difference for k, pair in enumerate(zip(a, b)) for difference in keys_apart(*pair, f"{path}[{k}]")]
    return [] if a == b else [(path, f"{json.dumps(a)[:120]}, then {json.dumps(b)[:120]}")]


def text_apart(a: str, b: str) -> str:
    at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    around = slice(max(0, at - 40), at + 60)
    return f"{len(a)} characters, then {len(b)}; first difference at {at}: {a[around]!r}, then {b[around]!r}"


def compare_file(name: str, a: Path, b: Path) -> list[tuple[str, str]]:
    one, other = a.read_bytes(), b.read_bytes()
    if one == other:
        return []
    if a.suffix == ".json":
        values = [without_clock(json.loads(data)) for data in (one, other)]
        return [(f"{name}#{key}", what) for key, what in keys_apart(*values)]
    if a.suffix in {".html", ".md", ".txt"}:
        texts = [spoken(data.decode()) for data in (one, other)]
        return [] if texts[0] == texts[1] else [(name, text_apart(*texts))]
    if a.suffix == ".csv":
        return [(name, numbers_apart(one.decode(), other.decode()))]
    return [(name, f"{len(one)} bytes, then {len(other)}")]


def compare_folders(name: str, before: Path, after: Path) -> Outcome:
    outcome = Outcome(name)
    files = {path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*") if path.is_file()}
    for file in sorted(files):
        if file.name in IGNORED or "runs" in file.parts:
            continue
        outcome.files += 1
        label = f"{name}/{file.as_posix()}"
        a, b = before / file, after / file
        if not a.exists() or not b.exists():
            outcome.differences.append((label, "new" if b.exists() else "gone"))
        else:
            outcome.differences += compare_file(label, a, b)
    return outcome


def compare_model(model: Path, programs: list[Path], form: dict, scratch: Path, threads: int) -> Outcome:
    name = model.relative_to(EXAMPLES).with_suffix("").as_posix()
    if form.get("skip"):
        print(f"  {name}: left out: {form['skip']}", file=sys.stderr)
        return Outcome(name)
    folder = scratch / name
    shutil.copytree(model.parent, folder / "model", dirs_exist_ok=True)
    copy = folder / "model" / model.name
    copy.write_text(shortened(model.read_text(), form))
    outs = [folder / "before", folder / "after"]
    faults = [run(program, copy, out, form.get("only", []), threads) for program, out in zip(programs, outs)]
    for out in outs:
        out.mkdir(exist_ok=True)
    outcome = compare_folders(name, *outs)
    if faults[0] != faults[1]:
        outcome.differences.append((name, f"{faults[0] or 'ran'}, then {faults[1] or 'ran'}"))
    spoken_lines = [spoken((folder / f"{out.name}.txt").read_text()) for out in outs]
    if spoken_lines[0] != spoken_lines[1]:
        outcome.differences.append((f"{name}/stderr", text_apart(*spoken_lines)))
    return outcome


def read_reasons(path: Path | None) -> list[tuple[str, str]]:
    if path is None:
        return []
    reasons = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("//"):
            continue
        pattern, colon, reason = line.partition(": ")
        if not colon or not reason.strip():
            raise SystemExit(f"{path}:{number}: a reason is missing; write `PATTERN: reason`")
        reasons.append((pattern, reason))
    return reasons


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="PART", help="models whose name contains one of these")
    parser.add_argument("--full", action="store_true", help="no short forms")
    parser.add_argument("--reasons", type=Path, help="file with the reasons of differences")
    parser.add_argument("--jobs", type=int, default=2, help="models at the same time")
    parser.add_argument("--keep", type=Path, help="folder in which results are kept")
    options = parser.parse_args()
    programs = [options.before.resolve(), options.after.resolve()]
    forms = {} if options.full else short_forms()
    models = sorted(path for path in EXAMPLES.glob("*/*.toml"))
    names = [model.relative_to(EXAMPLES).with_suffix("").as_posix() for model in models]
    unknown = forms.keys() - set(names)
    if unknown:
        raise SystemExit(f"short.toml: no such example: {', '.join(sorted(unknown))}")
    chosen = [
        (model, forms.get(name, {}))
        for model, name in zip(models, names)
        if not options.only or any(part in name for part in options.only)
    ]
    reasons = read_reasons(options.reasons)
    with tempfile.TemporaryDirectory() as folder:
        scratch = options.keep or Path(folder)
        with ThreadPoolExecutor(options.jobs) as pool:
            outcomes = list(pool.map(lambda one: compare_model(one[0], programs, one[1], scratch, 1), chosen))
    unexplained, explained = 0, {}
    for outcome in outcomes:
        for place, what in outcome.differences:
            reason = next((reason for pattern, reason in reasons if fnmatch.fnmatchcase(place, pattern)), None)
            if reason is None:
                unexplained += 1
                print(f"{place}: {what}")
            else:
                explained[reason] = explained.get(reason, 0) + 1
    for reason, count in explained.items():
        print(f"{count} differences: {reason}")
    files = sum(outcome.files for outcome in outcomes)
    print(f"{len(outcomes)} models, {files} files, {sum(explained.values())} differences with a reason, {unexplained} without")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
