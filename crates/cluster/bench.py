#!/usr/bin/env python3
"""What counts cost on a Spark cluster, beside one machine, in one run.

    crates/cluster/bench.py MASTER [QUESTION ...]

MASTER is the address of a Spark master; a question is words as they are typed, such as
"count knight-tours 8x8 --closed". Each is counted by one machine on two threads, in memory and with
layers on disk in a quarter of that memory, and by the cluster; numbers must be equal. The first two
lines are a board so small that only the cluster engine's own time is seen; in the first of them its
workers begin.
"""

from __future__ import annotations

import sys
import tempfile
import time
from typing import Any

import pessoi
from pessoi import _pessoi
from pessoi.cluster._driver import answered

SMALL = "count knight-tours 4x10"
USUAL = ["count knight-tours 7x8 --closed", "count diplomatico 6x6", "count go 10x10"]


def timed(work: Any) -> tuple[float, Any]:
    began = time.monotonic()
    done = work()
    return time.monotonic() - began, done


def main() -> None:
    from pyspark.sql import SparkSession

    master, *questions = sys.argv[1:]
    spark = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    print(
        "| question | borders | rounds | bytes a border | memory, s | disk, s | cluster, s "
        "| cluster/disk | a round, s |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for words in [SMALL, SMALL, *(questions or USUAL)]:
        verb, game, place, *options = words.split()
        given: dict[str, Any] = {name.lstrip("-"): True for name in options}
        if game != "go":
            given["method"] = "pairings"
        assert verb == "count"
        memory, one = timed(lambda: pessoi.count(game, place, threads=2, **given))
        quarter = max(1 << 24, one.cost["peak_bytes"] // 4)
        with tempfile.TemporaryDirectory() as folder:
            spilled = dict(given, threads=2, memory=quarter, disk=folder)
            disk, two = timed(lambda: pessoi.count(game, place, **spilled))
        question = _pessoi.cluster_question("count", game, place, given)
        rounds = _pessoi.cluster_rounds(question, 8, {})
        seen: list[Any] = []
        cluster, found = timed(
            lambda: answered(spark, question, places=8, watch=lambda *at: seen.append(at))
        )
        assert found.value == one.value
        fits = two.standing == "exact"
        on_disk = f"{disk:.1f}" if fits else "does not fit"
        ratio = f"{cluster / disk:.1f}" if fits else ""
        borders = found.cost["borders"]
        number = (rounds.rounds if rounds else 0) * int(seen[-1][0].split()[1].rstrip(","))
        print(
            f"| {words} | {borders:,} | {number} | {seen[-1][4] / borders:.1f} | {memory:.1f} | "
            f"{on_disk} | {cluster:.1f} | {ratio} | {cluster / number:.2f} |",
            flush=True,
        )
    spark.stop()


if __name__ == "__main__":
    main()
