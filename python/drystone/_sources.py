"""Where the data of a result are: in memory, or in a folder of results. A frame is the same from both."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from . import _engine
from .errors import InputError


class Memory:
    """An answer in memory, with the same names as :class:`Folder`."""

    def __init__(self, answer: _engine.Answer) -> None:
        self.answer = answer
        self.name = answer.name
        self.tables = sorted(answer.tables)
        self.motion = answer.motion
        self.page = answer.page
        self.save = answer.save

    @property
    def folder(self) -> Path:
        raise InputError(f"{self.name!r} is in memory and has no folder: pass out= to the analysis, or call save(folder)")

    def table(self, name: str) -> pd.DataFrame:
        return pd.DataFrame({column: _values(values) for column, values in self.answer.table(name)})

    def text(self) -> str | None:
        return self.answer.text


def _values(values: Sequence[str] | np.ndarray[Any, Any]) -> Any:
    """A column as :func:`_read` makes it."""
    if isinstance(values, np.ndarray):
        return values
    return pd.Series([word or np.nan for word in values], dtype=str)


class Folder:
    """A folder of results."""

    def __init__(self, folder: Path, keep: Any = None) -> None:
        self.folder = folder.absolute()
        self.name = self.folder.name
        # What must live as long as the folder is read.
        self._keep = keep

    @property
    def tables(self) -> list[str]:
        return sorted(file.stem for file in self.folder.glob("*.csv"))

    def table(self, name: str) -> pd.DataFrame:
        return _read(self.folder / f"{name}.csv", infer=name in _CAMPAIGNS)

    def motion(self) -> _engine._Motion | None:
        path = self.folder / "motion.parquet"
        return _engine.read_motion(path) if path.exists() else None

    def text(self) -> str | None:
        return self._file("assessment.md")

    def page(self) -> str | None:
        return self._file("report.html")

    def _file(self, name: str) -> str | None:
        path = self.folder / name
        return path.read_bytes().decode() if path.exists() else None

    def save(self, folder: Path) -> None:
        shutil.copytree(self.folder, folder)

    @property
    def answer(self) -> _engine.Answer:
        raise InputError(f"{self.folder}: measures and verdict are known of answers in memory alone, those of an analysis that is run without out=")


Source = Memory | Folder

#: Columns of words. A block may be called "001" or "NA", which must not become numbers.
_WORDS = {
    "a", "b", "block", "branch", "curve", "failure", "from", "line", "motion", "movement", "name", "result", "state", "status", "support", "tie", "to",
}  # fmt: skip

#: Tables of campaigns. Their columns are keys of models, whose values may be of any type.
_CAMPAIGNS = {"runs", "timings"}


def _read(path: Path, infer: bool) -> pd.DataFrame:
    """A table, with words as they are and numbers to the last bit."""
    columns = [str(name) for name in pd.read_csv(path, nrows=0).columns]
    words = {name for name in columns if name in _WORDS}
    options: dict[str, Any] = {
        "dtype": {name: str if name in words else float for name in columns if name in words or not infer},
        "keep_default_na": False,
        "na_values": {name: [""] if name in words else ["", "NaN"] for name in columns},
    }
    # Numbers are written so that they can be read back to the last bit; pandas 3 does so by itself.
    if int(pd.__version__.split(".")[0]) < 3:
        options["float_precision"] = "round_trip"
    table: pd.DataFrame = pd.read_csv(path, **options)
    return table
