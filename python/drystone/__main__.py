"""`python -m drystone` is the command `drystone`."""

import sys

from ._cli import main

sys.exit(main())
