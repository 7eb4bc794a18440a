"""``python -m pessoi`` is the command ``pessoi``."""

import sys

from ._pessoi import command


def main() -> int:
    """Carries out the command line and returns the exit code."""
    return command(["pessoi", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
