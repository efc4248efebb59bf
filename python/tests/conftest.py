"""Small structures that the tests share."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import drystone

#: The examples of the repository.
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def block() -> drystone.Model:
    """A block of 1 x 1 x 2 m on the ground: it turns over at 0.5 g and slides at 0.7 g."""
    model = drystone.Model("block").material("stone", density=2000.0).interface(friction=0.7)
    model.box("ground", size=(4, 4, 1), centre=(0, 0, -0.5), support=True)
    return model.box("stone", size=(1, 1, 2), centre=(0, 0, 1))


@pytest.fixture
def command() -> list[str]:
    """The command that the package has installed."""
    script = Path(sys.executable).parent / "drystone"
    assert script.exists() or shutil.which("drystone"), "the wheel did not install the command"
    return [str(script)] if script.exists() else ["drystone"]


def call(command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command and gives what it printed."""
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
