"""The driver: it carries rows from round to round, keeps some, and puts the answer together."""

from __future__ import annotations

import atexit
import builtins
import json
import math
import os
import re
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
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
# Rounds are kept no more often than this, in seconds: keeping them takes about one.
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
    every: Any = 60.0,
    resume: bool = False,
    ship: bool = False,
    watch: Watch | None = None,
) -> _pessoi.Answer:
    """Answers a question in JSON."""
    limits = {} if memory is None else {"memory": memory}
    _pessoi.cluster_limits(limits)
    if resume and folder is None:
        raise InputError("resume needs a folder.", "conflict", "options.resume")
    kept = Kept(spark, folder, resume)
    if isinstance(every, bool) or not isinstance(every, (int, float)) or not 0 < every < math.inf:
        raise InputError(
            f"every={every!r} is not accepted: give seconds, more than 0.",
            "bad-value",
            "options.every",
        )
    by_value()
    if ship:
        shipped(spark)
    try:
        rounds = _rounds(spark, question, places)
        if isinstance(rounds, int):
            kept.refuse("it is asked in parts")
            return _in_parts(spark, question, rounds, limits, watch)
        if rounds is None:
            kept.refuse("it is answered at once")
            return _pessoi.read(_pessoi.cluster_part(question, limits))
        with _settings(spark):
            return Carrier(spark, question, rounds, limits, kept, float(every), watch).carry()
    except Error:
        raise
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        raise told from error
    finally:
        kept.close()
        close = getattr(watch, "close", None)
        if close is not None:
            close()


def _rounds(spark: Any, question: str, places: Any) -> _pessoi.Rounds | int | None:
    """A question in rounds; or the number of parts that it is asked in; or None for neither."""
    number = _places(spark, places)
    while True:
        try:
            return _pessoi.cluster_rounds(question, number)
        except InputError as error:
            if error.field == "rounds":
                return number
            # A default is cut to what is of use; what was given is refused.
            if error.field != "options.places" or places is not None or number == 1:
                raise
            number //= 2


# What Spark is told while rows are read: one of them may have megabytes, so a batch has but a few.
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "32",
    "spark.sql.parquet.columnarReaderBatchSize": "32",
    "spark.sql.parquet.enableVectorizedReader": "false",
}


@contextmanager
def _settings(spark: Any) -> Generator[None]:
    before: dict[str, Any] = {}
    for name, value in SETTINGS.items():
        try:
            before[name] = spark.conf.get(name)
            spark.conf.set(name, value)
        except Exception:  # Another engine may not know it.
            before.pop(name, None)
    try:
        yield
    finally:
        for name, value in before.items():
            try:
                spark.conf.set(name, value)
            except Exception:  # The session may be gone.
                pass


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
    if isinstance(places, bool) or not isinstance(places, int) or not 1 <= places <= 10_000:
        raise InputError(
            f"places={places!r} is not accepted: give a whole number from 1 to 10000.",
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
    """Sends this package to all workers, as an archive that each of them unpacks.

    Once a session. The archive stays until the program ends: workers that come later fetch it then.
    """
    if getattr(spark, _SHIPPED, False):
        return
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    root = os.path.join(folder, "root")
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, os.path.join(root, "pessoi"), ignore=unwanted)
    # A native module cannot be imported from an archive, so it must be one that is unpacked.
    archive = shutil.make_archive(os.path.join(folder, _worker.SHIPPED), "gztar", root)
    try:
        spark.addArtifacts(f"{archive}#{_worker.SHIPPED}", archive=True)
    except Exception as error:
        if "artifact" not in str(error).lower():
            raise
        raise InputError(
            "This engine takes no files from a driver: install pessoi where its workers are.",
            "unsupported",
            "options.ship",
        ) from error
    setattr(spark, _SHIPPED, True)


# Marks a session that has the package.
_SHIPPED = "_pessoi_shipped"


class Kept:
    """Where rows lie between two hops: in a folder, by turns in two slots, or with the workers.

    A slot is written while the other one is whole. Whether one is whole, its logs say: there is one
    of each place, and they say how many parcels there are.
    """

    def __init__(self, spark: Any, folder: Any, resume: bool) -> None:
        path: Any = folder
        if path is not None and (not isinstance(folder, (str, os.PathLike)) or not str(path)):
            raise InputError(
                f"folder={folder!r} is not accepted: give the path of a folder.",
                "bad-value",
                "options.folder",
            )
        self._spark = spark
        self._folder: str | None = None if path is None else str(path).rstrip("/")
        self._turn = 0
        self._cached: Any = None
        self._resume = resume

    def refuse(self, why: str) -> None:
        """Refuses a folder that would not be used."""
        if self._folder is not None:
            raise InputError(
                f"Only counts in rounds are kept in a folder, and {why}: leave out the folder.",
                "unsupported",
                "options.folder",
            )

    def _slot(self, turn: int) -> str:
        return f"{self._folder}/slot-{turn % 2}"

    def _read(self, turn: int) -> tuple[Any, list_of[bytes]] | None:
        try:
            frame = self._spark.read.schema(_worker.ROWS).parquet(self._slot(turn))
            return frame, [bytes(row["bytes"]) for row in frame.where("log").collect()]
        except Exception as error:
            text = str(error)
            if "PATH_NOT_FOUND" in text or "No such file" in text or "Object at location" in text:
                return None
            raise

    def resumed(self, rounds: _pessoi.Rounds) -> tuple[Any, _pessoi.Logs] | None:
        """The newest rows that are whole; None if there are none and none are asked for."""
        if self._folder is None:
            return None
        there = False
        whole: list_of[tuple[tuple[int, int], int, Any, _pessoi.Logs]] = []
        refused: Exception | None = None
        for turn in (0, 1):
            try:
                found = self._read(turn)
                # One that was begun and has no rows yet is as good as none.
                if found is None or not found[1]:
                    continue
                there = True
                frame, logs = found
                far = rounds.look(logs)
                if rounds.is_over(far) or frame.where("not log").count() == far.parcels:
                    whole.append(((far.passes, far.rounds), turn, frame, far))
            except Exception as error:
                # The other slot may be whole.
                there = True
                refused = error
        if there and not self._resume:
            raise InputError(
                f"The folder {self._folder!r} holds a count already: add resume to go on from it, "
                "or name another folder.",
                "bad-value",
                "options.folder",
            )
        if self._resume and not there:
            raise InputError(
                f"The folder {self._folder!r} holds no count: leave out resume to begin anew.",
                "bad-value",
                "options.folder",
            )
        if not whole:
            if refused is not None:
                raise refused
            if there:
                raise InputError(
                    f"The folder {self._folder!r} holds no round that is whole: remove it, and "
                    "begin anew.",
                    "bad-value",
                    "options.folder",
                )
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
            self._collect()
            frame = self._spark.read.schema(_worker.ROWS).parquet(slot)
            return frame, [bytes(row["bytes"]) for row in frame.where("log").collect()]
        frame = frame.persist()
        logs = [bytes(row["bytes"]) for row in frame.where("log").collect()]
        if self._cached is not None:
            self._cached.unpersist()
        self._cached = frame
        return frame, logs

    def _collect(self) -> None:
        """Lets Spark remove shuffled rows that are kept now: it does so when Java collects."""
        try:
            self._spark.sparkContext._jvm.System.gc()
        except Exception:  # On Spark Connect the Java is elsewhere.
            pass

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
        # What is gone on with may be large; what begins is small.
        hop = 4 if far is None else 1
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
        # As many as are done in the time between two rounds that are kept.
        fits = int(hop * max(self._every, SHORT) / max(seconds, 0.001))
        return max(1, min(2 * hop, fits, MOST_ROUNDS))

    def _show(self, far: _pessoi.Logs) -> None:
        if self._watch is None:
            return
        total = self._rounds.rounds
        name = f"pass {far.passes + 1}, {far.borders[-1]:,} borders"
        self._watch(name, far.rounds, total, sum(far.borders), far.shuffled)


def _in_parts(
    spark: Any, question: str, number: int, limits: dict[str, Any], watch: Watch | None
) -> _pessoi.Answer:
    questions = _pessoi.cluster_parts(question, number)
    step = _worker.part_of(questions, _pessoi.__version__, limits)
    numbers = spark.createDataFrame([(k,) for k in range(number)], "part int")
    rows = numbers.repartition(number, "part").mapInArrow(step, _worker.PARTS).collect()
    if watch is not None:
        watch("parts", number, number, number, sum(len(row["bytes"]) for row in rows))
    answers = {row["part"]: bytes(row["bytes"]) for row in rows}
    if len(answers) != number:
        raise InternalError(f"{len(answers)} of {number} parts came back.")
    return merge(answers[k] for k in range(number))


def _told(error: Exception) -> Error | None:
    """What is said of an error of Spark: the sentence of the task that failed, if one did."""
    text = str(error)
    for found in reversed(re.findall(re.escape(_worker.MARK) + r"(\{.*\})", text)):
        try:
            told = json.loads(found)
        except ValueError:  # A line of the source.
            continue
        kinds: dict[str, type[Error]] = {
            "forged": ForgedError,
            "io": FileError,
            "stopped": GaveUp,
            "internal": InternalError,
        }
        kind = kinds.get(told["code"], InputError)
        return kind(told["sentence"], told["code"], told["field"])
    if "No module named 'pyarrow'" in text:
        return InputError(
            "A worker does not have pyarrow, which Spark's functions on Arrow data need: install "
            "it there.",
            "unsupported",
            "workers",
        )
    if "No space left on device" in text:
        return FileError(
            "A disk of the cluster is full: the folders of Spark (spark.local.dir) need room for "
            "what is shuffled, and the folder of the count for two layers.",
            "io",
            "folder",
        )
    return None
