#!/usr/bin/env python3
"""The three engines that count legal Go positions, side by side, in one run.

Prints nanoseconds of processor time for each class of borders, point and modulus, and the
ratios to the matrix engine. All engines count the same boards with one thread and must
agree. Setting up is part of the time, so small boards look more expensive than they are.

    bench/go.py [--repeats N] [--most SIDE]

PESSOI=path  use this binary instead of building one
"""
import argparse
import json
import os
import resource
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The largest square that each engine gets.
MOST = {"sweep": 9, "table": 10, "matrix": 12}


def binary():
    if "PESSOI" in os.environ:
        return os.environ["PESSOI"]
    subprocess.run(["cargo", "build", "--release", "-p", "pessoi-cli"], cwd=ROOT, check=True)
    return str(ROOT / "target/release/pessoi")


def count(pessoi, side, engine):
    """The number, and nanoseconds of processor time a class, point and modulus."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [pessoi, "count", "go", f"{side}x{side}", "--method", engine, "--threads", "1",
               "--format", "json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # Borders are counted over all layers and passes. The sweep takes two moduli in its first
    # pass and the rest in a second, the table four at a time, the matrix one.
    moduli = len(answer["certificate"]["residues"])
    passes = {"sweep": 1 if moduli <= 2 else 2, "table": -(-moduli // 4), "matrix": moduli}
    work = answer["cost"]["borders"] / passes[engine] * moduli
    return answer["value"]["number"], used * 1e9 / work, used


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most", type=int, default=11)
    arguments = parser.parse_args()
    pessoi = binary()
    print("| board | engine | ns a class, point and modulus | processor seconds | times matrix |")
    print("|---|---|---|---|---|")
    for side in range(7, arguments.most + 1):
        results = {}
        for engine, most in MOST.items():
            if side <= most:
                runs = [count(pessoi, side, engine) for _ in range(arguments.repeats)]
                assert len({run[0] for run in runs}) == 1
                results[engine] = min(runs, key=lambda run: run[1])
        assert len({result[0] for result in results.values()}) == 1, "the engines disagree"
        for engine, (_, cost, used) in results.items():
            ratio = cost / results["matrix"][1]
            print(f"| {side}×{side} | {engine} | {cost:.1f} | {used:.2f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
