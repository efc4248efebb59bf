"""Processes made by fork have no threads of the engine, and would wait for them for ever."""

import os

from .errors import ComputationError

_forked = False


def _tell() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tell)


def check() -> None:
    """Raises in a process that was forked after this package was imported."""
    if _forked:
        raise ComputationError(
            "this process was forked from one that had imported drystone, whose threads it does not have; start processes with "
            'multiprocessing.get_context("spawn"), or let a campaign divide the work'
        )
