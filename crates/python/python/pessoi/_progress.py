"""Progress: a bar by tqdm if it is there, or else a line of text."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Union

# Is called with the stage, the steps done and their number, what was handled and the bytes in use.
Watch = Callable[[str, Union[int, None], Union[int, None], int, int], Any]


class _Bar:
    """A bar by tqdm."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(bar_format="{desc}", leave=False)
        self._began = time.monotonic()

    def __call__(
        self, stage: str, done: int | None, total: int | None, handled: int, size: int
    ) -> None:
        if total:
            self._bar.bar_format = None
            self._bar.total, self._bar.n = total, done
            self._bar.set_description_str(stage)
        else:
            seconds = time.monotonic() - self._began
            self._bar.set_description_str(f"{stage or 'working'}: {handled:,} in {seconds:.0f} s")

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line of text on standard error."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._width = 0

    def __call__(
        self, stage: str, done: int | None, total: int | None, handled: int, size: int
    ) -> None:
        now = time.monotonic()
        if now - self._shown < 0.5:
            return
        self._shown = now
        steps = f" {done} of {total}" if total else ""
        line = f"{stage or 'working'}{steps}, {handled:,} handled"
        print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = max(self._width, len(line))

    def close(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)


def watcher(progress: Any) -> Watch | None:
    """What is called with the progress: nothing, a bar for ``True``, or a function that is given."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            tqdm: Any = import_module("tqdm.auto")
        except ImportError:
            return _Line()
        return _Bar(tqdm.tqdm)
    if not callable(progress):
        from ._errors import InputError

        raise InputError(
            f"progress={progress!r} is not accepted: give True, False or a function.",
            "bad-value",
            "options.progress",
        )
    watch: Watch = progress
    return watch
