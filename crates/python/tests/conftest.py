"""What all tests need."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Ctrl-C is heard, also by a program that was started in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
