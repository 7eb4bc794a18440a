"""What runs on the workers.

These functions are sent to them by value, so this module may import nothing at its top that a
worker lacks: not this package either.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any

# Rows: a log of a place or a parcel for it, as the library seals them. Spark puts rows of the same
# key into one partition.
ROWS = "key int, place int, log boolean, bytes binary"
# Answers of parts.
PARTS = "part int, bytes binary"

# What begins the line of an exception that the driver looks for.
MARK = "pessoi-task-failed: "

# Where a shipped package lies: the name under which Spark unpacks it.
SHIPPED = "pessoi-shipped"


class TaskFailed(Exception):
    """Why a task failed, with the code and the field of the library."""

    def __init__(self, sentence: str, code: str, field: str | None) -> None:
        told = {"sentence": sentence, "code": code, "field": field}
        super().__init__(MARK + json.dumps(told))


def native(version: str) -> Any:
    """The native module of a worker, which must have the driver's version."""
    shipped = unpacked()
    if shipped is not None and shipped not in sys.path:
        # Before one that is installed there, perhaps in another version.
        sys.path.insert(0, shipped)
    try:
        library: Any = import_module("pessoi._pessoi")
    except ImportError as error:
        if shipped is None:
            raise TaskFailed(
                "A worker does not have the package pessoi: install it there, or let the driver "
                "ship its own with ship=True (--ship).",
                "unsupported",
                "ship",
            ) from error
        raise TaskFailed(
            f"The package that the driver shipped cannot be used by a worker: {error}. Both must "
            "have the same system and a Python that the package was built for.",
            "unsupported",
            "ship",
        ) from error
    if library.__version__ != version:
        raise TaskFailed(
            f"The driver has pessoi {version}, and a worker has {library.__version__}: install the "
            "same version on all machines.",
            "conflict",
            "version",
        )
    return library


def unpacked() -> str | None:
    """Where Spark has unpacked a shipped package; None if it has not."""
    path = os.path.abspath(SHIPPED)
    return path if os.path.isdir(path) else None


def said(work: Callable[[], Any]) -> Any:
    """Does work of the library; what it refuses becomes a failed task with its sentence."""
    try:
        return work()
    except Exception as error:
        code = getattr(error, "code", None)
        if isinstance(error, TaskFailed) or not isinstance(code, str):
            raise
        raise TaskFailed(str(error), code, getattr(error, "field", None)) from error


def round_of(
    question: str, keys: list[int], version: str, limits: dict[str, Any]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A round, for the rows of a partition: those of some places. Each place has its key."""

    def step(batches: Iterable[Any]) -> Iterator[Any]:
        pa = import_module("pyarrow")
        came = rows_of(batches)
        first = next(came, None)
        if first is None:
            return
        library = native(version)
        work = said(lambda: library.cluster_rounds(question, len(keys), limits))
        # The library has rows as soon as they come, and what is sent goes as soon as it is written.
        sent = said(lambda: work.round(chain([first], came)))
        # A batch has no more than some megabytes, or one row.
        batch_rows: list[tuple[int, bool, bytes]] = []
        size = 0
        while sent:
            row = sent.pop()
            if batch_rows and size + len(row[2]) > BATCH:
                yield batch_of(pa, keys, batch_rows)
                batch_rows, size = [], 0
            batch_rows.append(row)
            size += len(row[2])
        if batch_rows:
            yield batch_of(pa, keys, batch_rows)

    return step


def rows_of(batches: Iterable[Any]) -> Iterator[tuple[int, bool, bytes]]:
    """Rows as the library has them."""
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in ("place", "log", "bytes")]
        yield from zip(*columns)


# Bytes of a batch, about.
BATCH = 8 << 20


def batch_of(pa: Any, keys: list[int], rows: list[tuple[int, bool, bytes]]) -> Any:
    """Rows as Arrow has them."""
    places, logs, contents = zip(*rows)
    columns = [
        pa.array([keys[place] for place in places], pa.int32()),
        pa.array(places, pa.int32()),
        pa.array(logs, pa.bool_()),
        pa.array(contents, pa.binary()),
    ]
    return pa.RecordBatch.from_arrays(columns, names=["key", "place", "log", "bytes"])


def part_of(
    questions: list[str], version: str, limits: dict[str, Any]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Answers the parts whose numbers are in a partition."""

    def answer_of(number: int) -> bytes:
        answer: bytes = native(version).cluster_part(questions[number], limits)
        return answer

    def step(batches: Iterable[Any]) -> Iterator[Any]:
        pa = import_module("pyarrow")
        for batch in batches:
            for number in batch.column(0).to_pylist():
                answer = said(partial(answer_of, number))
                yield pa.RecordBatch.from_arrays(
                    [pa.array([number], pa.int32()), pa.array([answer], pa.binary())],
                    names=["part", "bytes"],
                )

    return step
