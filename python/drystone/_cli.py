"""The command `drystone`, the same as that of the Rust program."""

import os
import shutil
import signal
import sys
from pathlib import Path

from . import _engine


def program() -> Path | None:
    """The script that runs the command, for the nodes of a cluster: this interpreter's own, else one on the search path."""
    beside = Path(sys.executable).parent / "drystone"
    if beside.exists():
        return beside
    found = shutil.which("drystone")
    return Path(found) if found else None


def main() -> int:
    """Runs the command line of this process."""
    # What Python has buffered comes before what Rust prints.
    sys.stdout.flush()
    # Ctrl-C ends the command as it ends any program; what saves its work first says so itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _engine.command(["drystone", *sys.argv[1:]], program())
    if code != 0:
        # No interpreter to be torn down around threads that may still run.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
