"""What can go wrong, and what should be known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Result


class DrystoneError(Exception):
    """Every error of this package."""

    #: Of :meth:`Model.run_all`: the results of the other questions, by their names.
    results: dict[str, Result] | None = None


class InputError(DrystoneError, ValueError):
    """The model or an argument is wrong. The message gives the place and the remedy."""


class ComputationError(DrystoneError, RuntimeError):
    """A computation failed, or its results could not be written. What was computed until then is in the folder of results, if one was named."""


class Note(UserWarning):
    """A remark on a model: small overlaps, keys without effect, what was assumed of a record."""
