"""Progress bars, in terminals and notebooks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

#: Called with what is done, what there is in all, and a word about the present state.
Progress = Callable[[int, int, str], None]


class Bar:
    """A bar that the engine moves; shown by tqdm, so that it fits a terminal or a notebook."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, done: int, total: int, message: str) -> None:
        if total == 0:
            return
        if self._bar is None:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, desc=self._name, leave=False)
        self._bar.total = total
        if message:
            self._bar.set_postfix_str(message, refresh=False)
        self._bar.update(done - self._bar.n)


def wanted(progress: bool | Progress | None) -> bool | Progress:
    """Nobody said: show a bar where somebody looks, in a terminal or a notebook."""
    if progress is not None:
        return progress
    return bool(sys.stderr.isatty() or "ipykernel" in sys.modules)
