"""The driver: it carries rows from round to round, keeps some, and puts the answer together."""

from __future__ import annotations

import atexit
import builtins
import json
import math
import operator
import os
import re
import shutil
import tempfile
import threading
import time
import uuid
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
# What a round without any borders takes, in seconds, at the most.
EMPTY = 1.0


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
    _check_session(spark)
    limits = {} if memory is None else {"memory": memory}
    _pessoi.cluster_limits(limits)
    if resume and folder is None:
        raise InputError("resume needs a folder.", "conflict", "options.resume")
    places = None if places is None else places_of(places)
    kept = Kept(spark, folder, resume)
    if isinstance(every, bool) or not isinstance(every, (int, float)) or not 0 < every < math.inf:
        raise InputError(
            f"every={every!r} is not accepted: give seconds, more than 0.",
            "bad-value",
            "options.every",
        )
    by_value()
    try:
        if ship:
            shipped(spark)
        with _interruptible(spark):
            if places is None and resume:
                # The driver before this one may have seen fewer cores, or more.
                places = kept.places()
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
        told = _told(error, folder)
        if told is None:
            raise
        raise kept.remedied(told) from error
    finally:
        kept.close()
        close = getattr(watch, "close", None)
        if close is not None:
            close()


def _rounds(spark: Any, question: str, places: int | None) -> _pessoi.Rounds | int | None:
    """A question in rounds; or the number of parts that it is asked in; or None for neither."""
    number = _default_places(spark) if places is None else places
    while True:
        try:
            # What a task may take is no limit of the driver.
            return _pessoi.cluster_rounds(question, number, {})
        except InputError as error:
            if error.field == "rounds":
                return number
            # A default is cut to what is of use; what was given is refused.
            if error.field != "options.places" or places is not None or number == 1:
                raise
            number //= 2


def _check_session(spark: Any) -> None:
    """Refuses what is no session, and one that has ended."""
    if not hasattr(spark, "createDataFrame"):
        raise InputError(
            f"{spark!r} is no Spark session: give what SparkSession.builder … .getOrCreate() gives.",
            "bad-value",
            "spark",
        )
    context = getattr(spark, "_sc", None)
    if context is not None and getattr(context, "_jsc", context) is None:
        raise InputError(STOPPED, "bad-value", "spark")


STOPPED = "The Spark session has ended: make a new one."


@contextmanager
def _interruptible(spark: Any) -> Generator[None]:
    """Ends what the engine does for a count that is given up, as by Ctrl-C: a server would go on."""
    tag = f"pessoi-{uuid.uuid4()}"
    try:
        spark.addTag(tag)
    except Exception:  # Another engine may not have tags.
        yield
        return
    try:
        yield
    except Exception:
        raise
    except BaseException:
        # The connection may have been broken off in the middle; or the session may be gone.
        for _ in range(3):
            try:
                spark.interruptTag(tag)
                break
            except Exception:
                time.sleep(0.2)
        raise
    finally:
        try:
            spark.removeTag(tag)
        except Exception:
            pass


# What Spark is told while rows are read: one of them may have megabytes, so a batch has but a few.
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "32",
    "spark.sql.parquet.columnarReaderBatchSize": "32",
    "spark.sql.parquet.enableVectorizedReader": "false",
    # Rows that cannot be read must be an error: without them the number would be another.
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
}
# A session may have several counts at a time: the first sets them, the last puts back what was.
_SET = "_pessoi_settings"
_SETTING = threading.Lock()


@contextmanager
def _settings(spark: Any) -> Generator[None]:
    with _SETTING:
        others: tuple[int, dict[str, Any]] | None = getattr(spark, _SET, None)
        counts, before = others or (0, _set(spark))
        setattr(spark, _SET, (counts + 1, before))
    try:
        yield
    finally:
        with _SETTING:
            counts, before = getattr(spark, _SET)
            setattr(spark, _SET, (counts - 1, before) if counts > 1 else None)
            if counts == 1:
                _put_back(spark, before)


def _set(spark: Any) -> dict[str, Any]:
    before: dict[str, Any] = {}
    for name, value in SETTINGS.items():
        try:
            before[name] = spark.conf.get(name)
            spark.conf.set(name, value)
        except Exception:  # Another engine may not know it.
            before.pop(name, None)
    return before


def _put_back(spark: Any, before: dict[str, Any]) -> None:
    for name, value in before.items():
        try:
            spark.conf.set(name, value)
        except Exception:  # The session may be gone.
            pass


def plan(verb: str, game: str, place: Any = None, *, places: int = 8, **options: Any) -> Plan:
    """Says how a question would be answered in so many places. ``bytes`` are those of a task."""
    question = _pessoi.cluster_question(verb, game, place, options)
    return plan_of(_pessoi.cluster_plan(question, places_of(places)))


def _default_places(spark: Any) -> int:
    try:
        # A session that is new does not know its workers before they have done something.
        spark.range(1).collect()
        return 2 * int(spark.sparkContext.defaultParallelism)
    except AttributeError:  # There is no such thing on Spark Connect, and PySpark's error is one.
        return 8


def places_of(places: Any) -> int:
    """A number of places that was given."""
    try:
        number = operator.index(places)
    except TypeError:
        number = 0
    if isinstance(places, bool) or not 1 <= number <= 10_000:
        raise InputError(
            f"places={places!r} is not accepted: give a whole number from 1 to 10000.",
            "bad-value",
            "options.places",
        )
    return number


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
        # Spark takes these for patterns of several paths.
        if path is not None and re.search(r"[][*?{}\\]", str(path)):
            raise InputError(
                f"folder={str(path)!r} is not accepted: its path must be without any of [ ] {{ }} "
                "* ? and \\.",
                "bad-value",
                "options.folder",
            )
        self._spark = spark
        self._folder: str | None = None if path is None else str(path).rstrip("/")
        self._turn = 0
        self._cached: Any = None
        self._resume = resume
        # The slot that a count went on from, if the other one is whole too.
        self._newer: str | None = None

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

    def places(self) -> int | None:
        """In how many places the count in the folder is, as far as this can be seen."""
        for turn in (0, 1):
            try:
                found = self._read(turn)
                if found is not None and found[1]:
                    return _pessoi.cluster_places(found[1][0])
            except Exception:  # The other slot may be whole; if it is not, that is said later.
                pass
        return None

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
                if _is_unusable(error):
                    raise
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
            if isinstance(refused, Error):
                raise refused
            if refused is not None:
                raise FileError(
                    f"The folder {self._folder!r} cannot be read: {_first_line(refused)}",
                    "io",
                    "folder",
                ) from refused
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
        if len(whole) > 1:
            self._newer = self._slot(turn)
        return frame, far

    def remedied(self, told: Error) -> Error:
        """An error with what can be done about it here."""
        if told.field != "parcel" or self._newer is None:
            return told
        sentence = f"{told} Remove {self._newer!r} to go on from the rounds before."
        return type(told)(sentence, told.code, told.field)

    def keep(self, frame: Any) -> tuple[Any, Any]:
        """Computes rows and keeps them; returns them and their logs."""
        if self._folder is not None:
            slot = self._slot(self._turn)
            frame.write.mode("overwrite").parquet(slot)
            self._turn += 1
            self._newer = None
            self._collect()
            frame = self._spark.read.schema(_worker.ROWS).parquet(slot)
            logs = [bytes(row["bytes"]) for row in frame.where("log").collect()]
            if not logs:
                raise FileError(
                    f"Nothing is found of what the workers wrote into {self._folder!r}: the driver "
                    "and all workers must reach the same folder.",
                    "io",
                    "folder",
                )
            return frame, logs
        frame = frame.persist()
        try:
            logs = [bytes(row["bytes"]) for row in frame.where("log").collect()]
        except BaseException:
            frame.unpersist()
            raise
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
        borders = 0 if far is None else sum(far.borders)
        while True:
            if far is None or self._rounds.is_over(far):
                rows = self._rounds.begin(far)
                if rows is None:
                    break
                keyed = [(self._keys[place], place, log, held) for place, log, held in rows]
                frame = self._spark.createDataFrame(keyed, _worker.ROWS)
                done, borders = 0, 0
            else:
                done = far.rounds
            began = time.monotonic()
            rounds = min(hop, self._rounds.rounds - done)
            for _ in range(rounds):
                frame = frame.repartition(self._rounds.places, "key")
                frame = frame.mapInArrow(self._step, _worker.ROWS)
            frame, logs = self._kept.keep(frame)
            far = self._rounds.look(logs)
            seconds = time.monotonic() - began
            hop = next_hop(rounds, seconds, far.borders, borders, max(self._every, SHORT))
            borders = sum(far.borders)
            self._show(far)
        return self._rounds.conclude(far)

    def _show(self, far: _pessoi.Logs) -> None:
        if self._watch is None:
            return
        total = self._rounds.rounds
        sent = f"{far.shuffled / 1e6:,.1f} MB shuffled"
        name = f"pass {far.passes + 1}, {far.borders[-1]:,} borders, {sent}"
        self._watch(name, far.rounds, total, sum(far.borders), far.shuffled)


def next_hop(
    rounds: int, seconds: float, borders: list_of[int], before: int, every: float
) -> int:
    """As many rounds as will be done in the time between two rounds that are kept.

    ``rounds`` were done last, in so many seconds, and there had been so many borders ``before``
    them. Layers are taken to grow as they grew, and a round takes some time without any border.
    """
    empty = min(seconds / rounds, EMPTY)
    each = (seconds - rounds * empty) / max(sum(borders) - before, 1)
    last = borders[-rounds:]
    growth = (max(last[-1], 1) / max(last[0], 1)) ** (1 / max(rounds - 1, 1))
    hop, takes, size = 0, 0.0, float(last[-1])
    while hop < min(2 * rounds, MOST_ROUNDS):
        size *= max(growth, 1.0)
        takes += empty + each * size
        if takes > every:
            break
        hop += 1
    return max(hop, 1)


def _in_parts(
    spark: Any, question: str, number: int, limits: dict[str, Any], watch: Watch | None
) -> _pessoi.Answer:
    questions = _pessoi.cluster_parts(question, number)
    step = _worker.part_of(questions, _pessoi.__version__, limits)
    # A range has as many partitions as it is asked for, so each part is a task of its own; dealt out
    # by a hash, some tasks would have several and others none.
    numbers = spark.range(0, number, 1, number).selectExpr("cast(id as int) as part")
    rows = numbers.mapInArrow(step, _worker.PARTS).collect()
    if watch is not None:
        watch("parts", number, number, number, sum(len(row["bytes"]) for row in rows))
    answers = {row["part"]: bytes(row["bytes"]) for row in rows}
    if len(answers) != number:
        raise InternalError(f"{len(answers)} of {number} parts came back.")
    return merge(answers[k] for k in range(number))


# What an error of Spark holds, and what is said then.
SAID: list_of[tuple[str, type[Error], str, str, str]] = [
    (
        "No module named 'pyarrow'",
        InputError,
        "unsupported",
        "workers",
        "A worker does not have pyarrow, which Spark's functions on Arrow data need: install it "
        "there.",
    ),
    (
        "No space left on device",
        FileError,
        "io",
        "folder",
        "A disk of the cluster is full: the folders of Spark (spark.local.dir) need room for what "
        "is shuffled, and the folder of the count for two layers.",
    ),
    (
        "Python worker exited unexpectedly",
        GaveUp,
        "stopped",
        "memory",
        "A task was ended from outside, again and again, as a system does that runs out of memory. "
        "More places take less memory each; with memory a task says when it needs more.",
    ),
    (
        "ExecutorLostFailure",
        GaveUp,
        "stopped",
        "workers",
        "The workers that did a task were lost, again and again: look into their logs. If they ran "
        "out of memory, more places take less each.",
    ),
    (
        "spark.driver.maxResultSize",
        GaveUp,
        "stopped",
        "limits",
        "The answers of all parts are more than the driver takes: raise spark.driver.maxResultSize "
        "and spark.driver.memory.",
    ),
    ("stopped SparkContext", InputError, "bad-value", "spark", STOPPED),
    ("SparkContext was shut down", InputError, "bad-value", "spark", STOPPED),
]

# What it holds if a folder cannot be used.
UNUSABLE = (
    "Mkdirs failed",
    "ParentNotDirectory",
    "Parent path is not a directory",
    "FileAlreadyExists",
    "Permission denied",
    "AccessControlException",
    "No FileSystem for scheme",
    "UnknownHostException",
    "ClassNotFoundException: Class org.apache.hadoop.fs",
)


def _is_unusable(error: Exception) -> bool:
    return any(held in str(error) for held in UNUSABLE)


def _first_line(error: Exception) -> str:
    """What an error says first."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0]


def _told(error: Exception, folder: Any) -> Error | None:
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
    for held, kind, code, field, sentence in SAID:
        if held in text:
            return kind(sentence, code, field)
    if folder is not None and _is_unusable(error):
        why = _first_line(error)
        return FileError(f"The folder {str(folder)!r} cannot be used: {why}", "io", "folder")
    return None
