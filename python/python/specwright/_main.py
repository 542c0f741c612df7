"""The console script: the whole command line, inside of the wheel."""

from __future__ import annotations

import signal
import sys

from . import _specwright


def main() -> int:
    """Runs the command line and returns the exit code."""
    # The program has its own way to end at Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _specwright.main(["specwright", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
