"""What the door costs: ``python crates/python/bench.py PESSOI``, where PESSOI is the command.

Prints the time of a call beyond that of the library, of a streamed solution, of an array beside the
packed list of the command, and from Ctrl-C to the end of a job.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pessoi


def calls(number: int) -> tuple[float, float]:
    """Seconds of a call, and of those the library's own."""
    began, own = time.perf_counter(), 0.0
    for _ in range(number):
        own += pessoi.find("wazir-tours", "1x2").cost["seconds"]
    return (time.perf_counter() - began) / number, own / number


def streamed(length: int) -> tuple[int, float]:
    """Solutions of a stream, and seconds for each."""
    began, number = time.perf_counter(), 0
    for _ in pessoi.list("knight-loops", length):
        number += 1
    return number, (time.perf_counter() - began) / number


def interrupted() -> float:
    """Seconds from Ctrl-C to the exception: the worst of several jobs."""
    worst = 0.0
    for ask in (
        lambda watch: pessoi.count("knight-tours", "9x9", method="search", progress=watch),
        lambda watch: pessoi.count("go", "12x12", progress=watch),
        lambda watch: pessoi.count("diplomatico", "9x9", progress=watch),
        lambda watch: pessoi.explore("square-slide", "3x4", progress=watch),
        lambda watch: pessoi.list("knight-loops", 22, progress=watch).to_numpy(),
    ):
        pressed = []

        def watch(*_: object, pressed: list[float] = pressed) -> None:
            # When the work has gone on for a while.
            pressed.append(time.perf_counter())
            if len(pressed) == 40:
                signal.raise_signal(signal.SIGINT)

        try:
            ask(watch)
        except KeyboardInterrupt:
            took = time.perf_counter() - pressed[-1]
            worst = max(worst, took)
    return worst


def main() -> None:
    calls(200)
    whole, own = calls(5000)
    print(f"a call: {whole * 1e6:.0f} µs, the library's own {own * 1e6:.0f} µs")
    number, each = streamed(12)
    print(f"a streamed solution: {each * 1e9:.0f} ns ({number:,} loops of length 12)")
    for round in range(3):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            command = [sys.argv[1], "list", "knight-loops", "14", "--format", "packed"]
            subprocess.run([*command, "-o", str(Path(folder) / "loops")], check=True)
            packed = time.perf_counter() - began
        began = time.perf_counter()
        array = pessoi.list("knight-loops", 14).to_numpy()
        took = time.perf_counter() - began
        print(
            f"{len(array):,} loops of length 14: packed list {packed:.2f} s, array {took:.2f} s, "
            f"ratio {took / packed:.2f}"
        )
    print(f"Ctrl-C: {interrupted():.3f} s at worst")


if __name__ == "__main__":
    main()
