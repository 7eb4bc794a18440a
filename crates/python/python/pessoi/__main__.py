"""``python -m pessoi`` is the command ``pessoi``; ``pessoi cluster`` is written in Python."""

import sys

from ._pessoi import command


def main() -> int:
    """Carries out the command line and returns the exit code."""
    if sys.argv[1:2] == ["cluster"]:
        from .cluster._command import main as on_a_cluster

        return on_a_cluster(sys.argv[2:])
    return command(["pessoi", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
