"""``pessoi cluster``: the command line of :mod:`pessoi.cluster`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from typing import Any

from .. import _pessoi
from .._errors import Error, FileError, ForgedError, GaveUp, InternalError
from .._progress import watcher
from .._saved import convert
from ._driver import answered, places_of

EXAMPLE = """The session is that of a Spark master, or of a Spark Connect server:

  pessoi cluster --master spark://host:7077 count knight-tours 7x8 --closed
  pessoi cluster --remote sc://host:15002 count go 13x13 --folder hdfs:///go13

All other words are the question, as it is typed on one machine: verb, game, board and options.
With plan before it, it is not answered: it shows how it would be, and no cluster is needed.

  pessoi cluster plan count go 13x13 --places 64
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pessoi cluster",
        usage="pessoi cluster (--master URL | --remote URL | plan) [OPTIONS] VERB GAME [BOARD] "
        "[OPTIONS]",
        description="Answer a question on a cluster that speaks Spark's API",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--master", metavar="URL", help="a Spark master, such as spark://host:7077")
    where.add_argument("--remote", metavar="URL", help="a Spark Connect server, such as sc://host")
    parser.add_argument("--places", type=int, metavar="N", help="places, or parts, of the work (default: 2 a core; 8 with plan)")
    parser.add_argument("--memory", metavar="SIZE", help="what a task may take, such as 2G")
    parser.add_argument("--folder", metavar="DIR", help="keep rounds here, for all to reach")
    parser.add_argument(
        "--every",
        type=float,
        metavar="SECONDS",
        help="time between two rounds that are kept, about (default: 60)",
    )
    parser.add_argument("--resume", action="store_true", help="go on from what the folder holds")
    parser.add_argument("--ship", action="store_true", help="send this package to the workers")
    parser.add_argument("--format", help="how the answer is written (default: text, or by --output)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the answer to this file")
    return parser


def main(args: list[str]) -> int:
    """Carries out the command line and returns the exit code."""
    given, words = _parser().parse_known_args(args)
    if words[:1] == ["plan"]:
        return _plan(given, words[1:])
    if given.master is None and given.remote is None:
        return _said("a cluster is needed: --master URL or --remote URL.")
    try:
        question = _pessoi.cluster_words(words)
        _pessoi.cluster_format(question, given.format, given.output)
        _writable(given.output)
        sessions: Any = import_module("pyspark.sql").SparkSession
    except Error as error:
        return _said(error)
    except ImportError:
        return _said("pessoi cluster needs PySpark: pip install '.[cluster]' in a clone.")
    session: Any = None
    try:
        builder = sessions.builder.appName("pessoi")
        if given.master is not None:
            session = builder.master(given.master).getOrCreate()
            # Spark warns when no worker can take a task; without that it would only seem slow.
            session.sparkContext.setLogLevel("WARN")
        else:
            session = builder.remote(given.remote).getOrCreate()
        answer = answered(
            session,
            question,
            places=given.places,
            memory=given.memory,
            folder=given.folder,
            every=60.0 if given.every is None else given.every,
            resume=given.resume,
            ship=given.ship,
            watch=watcher(sys.stderr.isatty()),
        )
        return _write(answer, given.format, given.output)
    except Error as error:
        return _said(error)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        return _said(f"Spark could not do it: {type(error).__name__}: {lines[0]}")
    finally:
        if session is not None:
            session.stop()


def _plan(given: argparse.Namespace, words: list[str]) -> int:
    """Shows how a question would be answered."""
    for name in ("master", "remote", "memory", "folder", "every", "resume", "ship"):
        if getattr(given, name) is not (False if name in ("resume", "ship") else None):
            return _said(f"a plan needs no cluster: leave out --{name}.")
    if given.format not in (None, "text", "json"):
        return _said(f"a plan is written as text or json, not as {given.format}.")
    try:
        question = _pessoi.cluster_words(words)
        places = places_of(8 if given.places is None else given.places)
        _writable(given.output)
        if given.format == "json":
            text = json.dumps(_pessoi.cluster_plan(question, places), indent=2) + "\n"
        else:
            text = _pessoi.cluster_plan_text(question, places)
    except Error as error:
        return _said(error)
    except KeyboardInterrupt:
        return 130
    if given.output is not None and given.output != "-":
        with open(given.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0


def _writable(output: str | None) -> None:
    """Refuses a file that could not be written when the count is done."""
    if output is None or output == "-":
        return
    folder = os.path.dirname(os.path.abspath(output))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK) or os.path.isdir(output):
        raise FileError(f"The file {output!r} cannot be written.", "io", "output")


def _said(error: Error | str) -> int:
    """Prints what is wrong; the exit code."""
    print(f"error: {error}", file=sys.stderr)
    return _exit_code(error) if isinstance(error, Error) else 2


def _write(answer: _pessoi.Answer, format: str | None, output: str | None) -> int:
    if output is not None and output != "-":
        answer.save(output, format=format)
    else:
        sys.stdout.buffer.write(convert(answer, format or "text"))
        sys.stdout.flush()
    return 1 if answer.standing == "none" else 0


def _exit_code(error: Error) -> int:
    if isinstance(error, GaveUp):
        return 3
    if isinstance(error, ForgedError):
        return 1
    return 70 if isinstance(error, InternalError) and not isinstance(error, FileError) else 2
