"""Examples are twins of the model files, and notebooks run from top to bottom."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import pytest
from conftest import EXAMPLES

import drystone

PYTHON = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((PYTHON / "notebooks").glob("*.ipynb"))


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PYTHON / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("housner_block", "housner-block/model.toml"),
        ("oppenheim_arch", "oppenheim-arch/model.toml"),
        ("facade_tie", "facade-tie/pushover-tie.toml"),
        ("fragility", "fragility/model.toml"),
    ],
)
def test_twins(name: str, file: str) -> None:
    twin = example(name).model()
    assert twin.tree == drystone.Model.from_file(EXAMPLES / file).tree
    twin.compile()


def test_the_damper_damps() -> None:
    largest = example("step_by_step").largest_angle
    free, damped = largest(0.0, duration=1.0, dt=0.005), largest(2000.0, duration=1.0, dt=0.005)
    assert 0.0 < damped < 0.9 * free < math.pi


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without their outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


def test_there_are_four_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["arch", "fragility", "strengthening", "wall"]
