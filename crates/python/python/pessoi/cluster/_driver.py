"""The driver: it carries rows from round to round, keeps some, and puts the answer together."""

from __future__ import annotations

import builtins
import json
import os
import re
import shutil
import tempfile
import time
from importlib import import_module
from typing import Any

from .. import _pessoi
from .._errors import Error, FileError, ForgedError, GaveUp, InputError, InternalError
from .._progress import Watch, watcher
from .._saved import Plan, merge, plan_of
from . import _worker

# ``list`` is a verb here.
list_of = builtins.list

# A hop is some rounds that are done without looking at them in between: so many at the most, for
# Spark takes ever longer to plan more of them.
MOST_ROUNDS = 8
# A hop that takes fewer seconds is made longer.
SHORT = 2.0


def count(spark: Any, game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Counts all solutions exactly, on a cluster."""
    return ask(spark, "count", game, place, **options)


def list(spark: Any, game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Lists all solutions, on a cluster. The answer holds them all."""
    return ask(spark, "list", game, place, **options)


def classify(spark: Any, game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Lists one solution of each class up to symmetry, on a cluster. The answer holds them all."""
    return ask(spark, "classify", game, place, **options)


def ask(
    spark: Any,
    verb: str,
    game: str,
    place: Any = None,
    *,
    places: int | None = None,
    memory: Any = None,
    folder: str | os.PathLike[str] | None = None,
    every: float = 60.0,
    resume: bool = False,
    ship: bool = False,
    progress: Any = None,
    **options: Any,
) -> _pessoi.Answer:
    """Answers a question on a cluster."""
    question = _pessoi.cluster_question(verb, game, place, options)
    return answered(
        spark,
        question,
        places=places,
        memory=memory,
        folder=folder,
        every=every,
        resume=resume,
        ship=ship,
        watch=watcher(progress),
    )


def answered(
    spark: Any,
    question: str,
    *,
    places: int | None = None,
    memory: Any = None,
    folder: str | os.PathLike[str] | None = None,
    every: float = 60.0,
    resume: bool = False,
    ship: bool = False,
    watch: Watch | None = None,
) -> _pessoi.Answer:
    """Answers a question in JSON."""
    number = _places(spark, places)
    limits = {} if memory is None else {"memory": memory}
    _pessoi.cluster_limits(limits)
    if resume and folder is None:
        raise InputError("resume needs a folder.", "conflict", "options.resume")
    by_value()
    if ship:
        shipped(spark)
    try:
        rounds = _pessoi.cluster_rounds(question, number)
    except InputError as error:
        if error.field != "rounds":
            raise
        return _in_parts(spark, question, number, limits, folder, watch)
    if rounds is None:
        return _pessoi.read(_pessoi.cluster_part(question, limits))
    kept = Kept(spark, folder, number, resume)
    carrier = Carrier(spark, question, rounds, limits, kept, every, watch)
    try:
        return carrier.carry()
    except Error:
        raise
    except Exception as error:
        raise _told(error) from error
    finally:
        kept.close()
        close = getattr(watch, "close", None)
        if close is not None:
            close()


def plan(verb: str, game: str, place: Any = None, *, places: int = 8, **options: Any) -> Plan:
    """Says how a question would be answered in so many places. ``bytes`` are those of a task."""
    question = _pessoi.cluster_question(verb, game, place, options)
    return plan_of(_pessoi.cluster_plan(question, _places(None, places)))


def _places(spark: Any, places: Any) -> int:
    if places is None:
        try:
            return 2 * int(spark.sparkContext.defaultParallelism)
        except Exception:  # There is no such thing on Spark Connect.
            return 8
    if isinstance(places, bool) or not isinstance(places, int) or not 1 <= places <= 1_000_000:
        raise InputError(
            f"places={places!r} is not accepted: give a whole number from 1 to 1000000.",
            "bad-value",
            "options.places",
        )
    return places


def _keys(spark: Any, places: int) -> list_of[int]:
    """A key for each place, such that each place gets a partition of its own.

    Spark chooses the partition by a hash of the key; the numbers 0, 1, 2 … would share partitions
    and leave others empty. With another engine that hashes otherwise they may.
    """
    numbers = spark.range(0, 32 * places).selectExpr(
        "cast(id as int) as key", f"pmod(hash(cast(id as int)), {places}) as partition"
    )
    found: dict[int, int] = {}
    for row in numbers.collect():
        found.setdefault(int(row["partition"]), int(row["key"]))
    # So many numbers leave hardly any partition without one.
    if len(found) < places:
        return [*range(places)]
    return [found[place] for place in range(places)]


def by_value() -> None:
    """Functions of workers are sent as they are: workers may lack this package."""
    import_module("pyspark.cloudpickle").register_pickle_by_value(_worker)


def shipped(spark: Any) -> None:
    """Sends this package to all workers, as an archive that each of them unpacks."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "root")
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, os.path.join(root, "pessoi"), ignore=unwanted)
        # A native module cannot be imported from an archive, so it must be one that is unpacked.
        archive = shutil.make_archive(os.path.join(folder, _worker.SHIPPED), "gztar", root)
        try:
            spark.addArtifacts(f"{archive}#{_worker.SHIPPED}", archive=True)
        except Exception as error:
            raise InputError(
                f"This engine takes no files from a driver: install pessoi where its workers are. "
                f"({type(error).__name__})",
                "unsupported",
                "options.ship",
            ) from error


class Kept:
    """Where rows lie between two hops: in a folder, by turns in two slots, or with the workers.

    A slot is written while the other one is whole. Whether one is whole, its logs say: there is one
    of each place, and they say how many parcels there are.
    """

    def __init__(
        self, spark: Any, folder: str | os.PathLike[str] | None, places: int, resume: bool
    ) -> None:
        self._spark = spark
        self._folder = None if folder is None else os.fspath(folder).rstrip("/")
        self._turn = 0
        self._cached: Any = None
        self._places = places
        self._resume = resume

    def _slot(self, turn: int) -> str:
        return f"{self._folder}/slot-{turn % 2}"

    def _read(self, turn: int) -> Any:
        try:
            frame = self._spark.read.schema(_worker.ROWS).parquet(self._slot(turn))
            logs = [bytes(row["bytes"]) for row in frame.where("log").collect()]
        except Exception as error:
            if "PATH_NOT_FOUND" in str(error) or "not found" in str(error).lower():
                return None
            raise
        # One that was not written to its end has no rows, or lacks some.
        return (frame, logs) if logs else None

    def resumed(self, rounds: _pessoi.Rounds) -> tuple[Any, _pessoi.Logs] | None:
        """The newest rows that are whole; None if there are none."""
        if self._folder is None:
            return None
        slots = {turn: self._read(turn) for turn in (0, 1)}
        there = {turn: slot for turn, slot in slots.items() if slot is not None}
        if there and not self._resume:
            raise InputError(
                f"The folder {self._folder!r} holds a count already: add resume to go on from it.",
                "bad-value",
                "options.folder",
            )
        if self._resume and not there:
            raise InputError(
                f"The folder {self._folder!r} holds no count: leave out resume to begin anew.",
                "bad-value",
                "options.folder",
            )
        whole: list_of[tuple[tuple[int, int], int, Any, _pessoi.Logs]] = []
        refused: Error | None = None
        for turn, (frame, logs) in there.items():
            try:
                far = rounds.look(logs)
            except Error as error:
                refused = error
                continue
            if frame.where("not log").count() == far.parcels or rounds.is_over(far):
                whole.append(((far.passes, far.rounds), turn, frame, far))
        if not whole:
            if refused is not None:
                raise refused
            return None
        _, turn, frame, far = max(whole, key=lambda found: found[0])
        self._turn = turn + 1
        return frame, far

    def keep(self, frame: Any) -> tuple[Any, Any]:
        """Computes rows and keeps them; returns them and their logs."""
        if self._folder is not None:
            slot = self._slot(self._turn)
            frame.write.mode("overwrite").parquet(slot)
            self._turn += 1
            frame = self._spark.read.schema(_worker.ROWS).parquet(slot)
            return frame, [bytes(row["bytes"]) for row in frame.where("log").collect()]
        frame = frame.persist()
        logs = [bytes(row["bytes"]) for row in frame.where("log").collect()]
        if self._cached is not None:
            self._cached.unpersist()
        self._cached = frame
        return frame, logs

    def close(self) -> None:
        """Gives back what the workers hold."""
        if self._cached is not None:
            try:
                self._cached.unpersist()
            except Exception:  # The session may be gone, and its rows with it.
                pass


class Carrier:
    """A count in rounds on its way."""

    def __init__(
        self,
        spark: Any,
        question: str,
        rounds: _pessoi.Rounds,
        limits: dict[str, Any],
        kept: Kept,
        every: float,
        watch: Watch | None,
    ) -> None:
        self._spark = spark
        self._rounds = rounds
        self._kept = kept
        self._every = every
        self._watch = watch
        self._keys = _keys(spark, rounds.places)
        self._step = _worker.round_of(question, self._keys, _pessoi.__version__, limits)

    def carry(self) -> _pessoi.Answer:
        """Makes all passes."""
        found = self._kept.resumed(self._rounds)
        frame: Any = None
        far: _pessoi.Logs | None = None
        if found is not None:
            frame, far = found
        hop = 4
        while True:
            if far is None or self._rounds.is_over(far):
                rows = self._rounds.begin(far)
                if rows is None:
                    break
                keyed = [(self._keys[place], place, log, held) for place, log, held in rows]
                frame = self._spark.createDataFrame(keyed, _worker.ROWS)
                done = 0
            else:
                done = far.rounds
            began = time.monotonic()
            for _ in range(min(hop, self._rounds.rounds - done)):
                frame = frame.repartition(self._rounds.places, "key")
                frame = frame.mapInArrow(self._step, _worker.ROWS)
            frame, logs = self._kept.keep(frame)
            far = self._rounds.look(logs)
            hop = self._next_hop(hop, time.monotonic() - began)
            self._show(far)
        return self._rounds.conclude(far)

    def _next_hop(self, hop: int, seconds: float) -> int:
        if seconds < SHORT:
            return min(2 * hop, MOST_ROUNDS)
        # No longer than the time between two rounds that are kept.
        fits = int(hop * self._every / seconds)
        return max(1, min(hop, fits))

    def _show(self, far: _pessoi.Logs) -> None:
        if self._watch is None:
            return
        total = self._rounds.rounds
        name = f"pass {far.passes + 1}, {far.borders[-1]:,} borders"
        self._watch(name, far.rounds, total, sum(far.borders), far.shuffled)


def _in_parts(
    spark: Any,
    question: str,
    number: int,
    limits: dict[str, Any],
    folder: Any,
    watch: Watch | None,
) -> _pessoi.Answer:
    questions = _pessoi.cluster_parts(question, number)
    if folder is not None:
        raise InputError(
            "Only counts in rounds are kept in a folder, and this one is asked in parts: leave out "
            "the folder.",
            "unsupported",
            "options.folder",
        )
    step = _worker.part_of(questions, _pessoi.__version__, limits)
    numbers = spark.createDataFrame([(k,) for k in range(number)], "part int")
    parts = numbers.repartition(number, "part").mapInArrow(step, _worker.PARTS)
    try:
        rows = parts.collect()
    except Exception as error:
        raise _told(error) from error
    if watch is not None:
        watch("parts", number, number, number, sum(len(row["bytes"]) for row in rows))
    answers = {row["part"]: bytes(row["bytes"]) for row in rows}
    if len(answers) != number:
        raise InternalError(f"{len(answers)} of {number} parts came back.")
    return merge(answers[k] for k in range(number))


def _told(error: Exception) -> Exception:
    """What is said of an error of Spark: the sentence of the task that failed, if one did."""
    text = str(error)
    found = re.findall(re.escape(_worker.MARK) + r"(\{.*\})", text)
    if found:
        told = json.loads(found[-1])
        kinds: dict[str, type[Error]] = {
            "forged": ForgedError,
            "io": FileError,
            "stopped": GaveUp,
            "internal": InternalError,
        }
        kind = kinds.get(told["code"], InputError)
        return kind(told["sentence"], told["code"], told["field"])
    if "No space left on device" in text or "DISK_FULL" in text:
        return FileError(
            "A disk of the cluster is full: the folders of Spark (spark.local.dir) and the folder "
            "of the count need room for two layers.",
            "io",
            "folder",
        )
    return error
