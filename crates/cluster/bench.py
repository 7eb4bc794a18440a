#!/usr/bin/env python3
"""What counts cost on a Spark cluster, beside one machine, in one run.

    crates/cluster/bench.py MASTER [--places N] [--executor-memory 3g] [QUESTION ...]

MASTER is the address of a Spark master with two workers of one core; a question is words as they are
typed, such as "count knight-tours 8x8 --closed". Each is counted by one machine on two threads, in
memory and with layers on disk in a quarter of that memory, and by the cluster in N places (default:
4), whose tasks claim no more than one machine did in memory; numbers must be equal. The time of the
cluster is that from the question to its answer, with all that the driver prepares. The first two lines
are a board so small that only the cluster engine's own time is seen; in the first of them its workers
begin.
"""

from __future__ import annotations

import argparse
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


def options_of(words: list[str]) -> dict[str, Any]:
    """Options as they are typed, as the verbs take them: a flag, or a name and its value."""
    given: dict[str, Any] = {}
    for k, word in enumerate(words):
        if word.startswith("--"):
            value = words[k + 1] if k + 1 < len(words) else "--"
            given[word[2:].replace("-", "_")] = True if value.startswith("--") else value
    return given


def main() -> None:
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser()
    parser.add_argument("master")
    parser.add_argument("--places", type=int, default=4)
    parser.add_argument("--executor-memory", default="3g")
    parser.add_argument("questions", nargs="*", default=USUAL)
    asked = parser.parse_args()
    spark = (
        SparkSession.builder.master(asked.master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        # It must fit into a worker, or none is ever started.
        .config("spark.executor.memory", asked.executor_memory)
        .getOrCreate()
    )
    print(
        "| question | borders | rounds | bytes a border | memory, s | disk, s | cluster, s "
        "| cluster/disk | a round, s |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for words in [SMALL, SMALL, *asked.questions]:
        verb, game, place, *options = words.split()
        given = options_of(options)
        if game != "go":
            given.setdefault("method", "pairings")
        if verb != "count":
            parser.error(f"only counts are compared, and not: {words}")
        memory, one = timed(lambda: pessoi.count(game, place, threads=2, **given))
        quarter = max(1 << 24, one.cost["peak_bytes"] // 4)
        with tempfile.TemporaryDirectory() as folder:
            spilled = dict(given, threads=2, memory=quarter, disk=folder)
            disk, two = timed(lambda: pessoi.count(game, place, **spilled))
        question = _pessoi.cluster_question("count", game, place, given)
        rounds = _pessoi.cluster_rounds(question, asked.places, {})
        if rounds is None:
            parser.error(f"this is answered at once: {words}")
        seen: list[Any] = []
        limits = {"memory": max(1 << 26, one.cost["peak_bytes"])}
        cluster, found = timed(
            lambda: answered(
                spark, question, places=asked.places, watch=lambda *at: seen.append(at), **limits
            )
        )
        assert found.value == one.value, words
        fits = two.standing == "exact"
        assert not fits or two.value == one.value, words
        on_disk = f"{disk:.1f}" if fits else "does not fit"
        ratio = f"{cluster / disk:.1f}" if fits else ""
        borders = found.cost["borders"]
        number = rounds.rounds * int(seen[-1][0].split()[1].rstrip(","))
        print(
            f"| {words} | {borders:,} | {number} | {seen[-1][4] / borders:.1f} | {memory:.1f} | "
            f"{on_disk} | {cluster:.1f} | {ratio} | {cluster / number:.2f} |",
            flush=True,
        )
    spark.stop()


if __name__ == "__main__":
    main()
