"""Counts on a real Spark cluster, whose address is in PESSOI_TEST_SPARK (crates/cluster/check).

A session has all cores of its cluster, and takes some seconds to begin. So tests that use the same
session stand together, and those that start drivers of their own come last.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pessoi

MASTER = os.environ.get("PESSOI_TEST_SPARK")
# A cluster whose workers do not have the package.
BARE = os.environ.get("PESSOI_TEST_SPARK_BARE")
# Disks that can be filled up: for a folder, and that of the second cluster's shuffles.
KEPT = os.environ.get("PESSOI_TEST_DISK_KEPT")
SHUFFLED = os.environ.get("PESSOI_TEST_DISK_SHUFFLED")
FOLDER = os.environ.get("PESSOI_TEST_SPARK_FOLDER")
SCRIPT = os.environ.get("PESSOI_TEST_SPARK_SCRIPT")

if MASTER is None and os.environ.get("PESSOI_TEST_SPARK_REQUIRED"):
    raise RuntimeError("PESSOI_TEST_SPARK is not set")

pytestmark = pytest.mark.skipif(
    MASTER is None, reason="crates/cluster/check runs these on a Spark cluster"
)

cluster = pytest.importorskip("pessoi.cluster")


def made(master: str) -> Any:
    """The session of a cluster; the last one is used again if it is the same."""
    from pyspark.sql import SparkSession

    last = SparkSession.getActiveSession()
    if last is not None and last.sparkContext.master == master:
        return last
    stop()
    session = (
        SparkSession.builder.master(master)
        .appName("pessoi tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "512m")
        .config("spark.executor.memory", "600m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session


def stop() -> None:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is not None:
        session.stop()


@pytest.fixture
def spark() -> Any:
    """A session of the cluster whose workers have the package."""
    assert MASTER is not None
    return made(MASTER)


@pytest.fixture
def bare() -> Any:
    """A session of the cluster whose workers lack it."""
    if BARE is None:
        pytest.skip("needs a cluster whose workers lack the package")
    return made(BARE)


@pytest.fixture
def alone() -> None:
    """For tests that start drivers of their own: a session has all cores of the cluster."""
    stop()


@pytest.fixture(scope="module", autouse=True)
def stopped() -> Iterator[None]:
    yield
    if MASTER is not None:
        stop()


@pytest.mark.parametrize(
    ("game", "place", "options"),
    [
        ("knight-tours", "6x6", {"closed": True}),
        ("diplomatico", "5x6", {}),
        ("wazir-tours", "4x5", {"method": "plain-sweep"}),
        ("go", "6x6", {}),
        ("go", "5x6", {"mod": 1000003}),
        # Answered by the driver, and by parts.
        ("go", "2x3", {}),
        ("knight-loops", 10, {}),
        ("knight-tours", "5x5", {"method": "branch"}),
    ],
)
def test_the_answer_is_that_of_one_machine(
    spark: Any, game: str, place: Any, options: dict[str, Any]
) -> None:
    whole = pessoi.count(game, place, **options)
    found = cluster.count(spark, game, place, **options)
    assert found.value == whole.value
    assert found.residue == whole.residue
    assert found.subject == whole.subject
    assert found.facts == whole.facts
    # What is not true raises an exception; not everything can be tried in this time.
    pessoi.verify(found, time=20)


def test_lists_come_in_parts(spark: Any) -> None:
    found = cluster.list(spark, "knight-tours", "5x5", places=3)
    assert [tour.cells for tour in found.solutions] == [
        tour.cells for tour in pessoi.list("knight-tours", "5x5")
    ]


def test_numbers_beyond_a_word_have_residues(spark: Any) -> None:
    options: dict[str, Any] = {"closed": True, "method": "pairings"}
    whole = pessoi.count("king-tours", "3x28", **options)
    found = cluster.count(spark, "king-tours", "3x28", places=2, **options)
    assert found.value == whole.value > 2**64
    assert '"residues"' in found.to_json()


def test_progress_is_shown(spark: Any) -> None:
    seen: list[tuple[Any, ...]] = []
    cluster.count(
        spark, "knight-tours", "5x6", closed=True, places=2, progress=lambda *at: seen.append(at)
    )
    rounds = [at[1] for at in seen]
    assert rounds == sorted(rounds) and rounds[-1] == seen[-1][2]
    assert seen[-1][3] > 0 and seen[-1][4] > 0


class Stopped(Exception):
    """Raised in the middle of a count."""


def stopping(after: int) -> Any:
    def watch(*at: Any) -> None:
        if at[1] >= after:
            raise Stopped

    return watch


def test_a_count_goes_on_from_its_folder(spark: Any, tmp_path: Path) -> None:
    whole = pessoi.count("knight-tours", "5x6")
    options: dict[str, Any] = {"places": 3, "folder": tmp_path, "every": 0.001}
    with pytest.raises(Stopped):
        cluster.count(spark, "knight-tours", "5x6", progress=stopping(6), **options)
    with pytest.raises(pessoi.InputError, match="holds a count already"):
        cluster.count(spark, "knight-tours", "5x6", **options)
    with pytest.raises(pessoi.InputError, match="belongs to another question"):
        cluster.count(spark, "knight-tours", "5x6", closed=True, resume=True, **options)
    with pytest.raises(pessoi.InputError, match="in 3 places, and not in 2"):
        cluster.count(spark, "knight-tours", "5x6", resume=True, **{**options, "places": 2})
    # If no number of places is given, it is that of the folder.
    del options["places"]
    # The slot that was written last is damaged: the one before it is whole.
    rounds: list[int] = []
    slots = sorted(tmp_path.iterdir(), key=lambda slot: slot.stat().st_mtime)
    assert len(slots) == 2
    parcels = max(slots[-1].glob("*.parquet"), key=lambda file: file.stat().st_size)
    parcels.unlink()
    found = cluster.count(
        spark,
        "knight-tours",
        "5x6",
        resume=True,
        progress=lambda *at: rounds.append(at[1]),
        **options,
    )
    assert found.value == whole.value
    assert rounds[0] > 1, "it did not begin anew"
    assert "in 3 places" in found.to_json()
    # What is complete is answered again.
    again = cluster.count(spark, "knight-tours", "5x6", resume=True, **options)
    assert again.value == whole.value


def test_a_folder_without_a_count_is_not_resumed(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(pessoi.InputError, match="holds no count"):
        cluster.count(spark, "knight-tours", "5x6", folder=tmp_path, resume=True)
    with pytest.raises(pessoi.InputError, match="resume needs a folder"):
        cluster.count(spark, "knight-tours", "5x6", resume=True)
    with pytest.raises(pessoi.InputError, match="asked in parts"):
        cluster.count(spark, "knight-loops", 8, folder=tmp_path, places=2)
    with pytest.raises(pessoi.InputError, match="answered at once"):
        cluster.count(spark, "go", "2x3", folder=tmp_path)
    file = tmp_path / "file"
    file.write_text("not a folder")
    for folder in (file, "nowhere://else/kept"):
        with pytest.raises(pessoi.FileError, match="cannot be used"):
            cluster.count(spark, "knight-tours", "5x6", folder=folder, places=2)
    assert file.read_text() == "not a folder"


def test_a_flipped_bit_is_refused(spark: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    options: dict[str, Any] = {"places": 2, "folder": tmp_path, "every": 0.001}
    with pytest.raises(Stopped):
        cluster.count(spark, "knight-tours", "5x6", progress=stopping(8), **options)
    for slot in tmp_path.iterdir():
        for file in slot.glob("*.parquet"):
            table = pq.read_table(file)
            held = table.column("bytes").to_pylist()
            logs = table.column("log").to_pylist()
            changed = [
                held[k] if logs[k] else held[k][:-3] + bytes([held[k][-3] ^ 8]) + held[k][-2:]
                for k in range(len(held))
            ]
            at = table.schema.get_field_index("bytes")
            table = table.set_column(at, "bytes", pa.array(changed, pa.binary()))
            pq.write_table(table, file)
            for crc in slot.glob(f".{file.name}.crc"):
                crc.unlink()
    with pytest.raises(pessoi.FileError, match="A parcel for place .* is damaged") as told:
        cluster.count(spark, "knight-tours", "5x6", resume=True, **options)
    # The rounds before are named; here they are damaged too.
    newer = told.value.args[0].rpartition("Remove '")[2].partition("'")[0]
    assert Path(newer) in tmp_path.iterdir()


def test_rounds_are_kept_about_as_often_as_asked() -> None:
    """Layers that grow fourfold a round, a second of the engine and a microsecond a border."""
    from pessoi.cluster._driver import next_hop

    hops = [4]
    borders: list[int] = []
    while len(borders) < 14:
        before = sum(borders)
        borders += [4 ** (len(borders) + k) for k in range(hops[-1])]
        seconds = hops[-1] + 1e-6 * (sum(borders) - before)
        assert hops[-1] == 1 or seconds < 40, "the growth was foreseen"
        hops.append(next_hop(hops[-1], seconds, borders, before, 30.0))
    assert max(hops) > 4, "small rounds go together"
    assert hops[-1] == 1, "large ones alone"
    assert next_hop(1, 0.01, [1], 0, 0.001) == 1


def test_bad_input_is_refused_before_anything_is_sent(spark: Any) -> None:
    for options in ({"places": 0}, {"places": True}, {"places": "many"}):
        with pytest.raises(pessoi.InputError, match="places"):
            cluster.count(spark, "knight-tours", "5x6", **options)
    with pytest.raises(pessoi.InputError, match="at least 1M is needed"):
        cluster.count(spark, "knight-tours", "5x6", memory="40K")
    for name in ("time", "threads", "disk", "checkpoint"):
        with pytest.raises(pessoi.InputError, match=f"On a cluster there is no {name}"):
            cluster.count(spark, "knight-tours", "5x6", **{name: 1})
    for options in (
        {"every": 0},
        {"every": "soon"},
        {"folder": 5},
        {"folder": ""},
        {"folder": "/tmp/kept-[12]"},
    ):
        with pytest.raises(pessoi.InputError, match="is not accepted"):
            cluster.count(spark, "knight-tours", "5x6", **options)
    with pytest.raises(pessoi.InputError, match="takes no --closd"):
        cluster.count(spark, "knight-tours", "5x6", closd=True)
    with pytest.raises(pessoi.InputError, match="neither into rounds nor into parts"):
        cluster.ask(spark, "explore", "hex-slide", "T3")
    with pytest.raises(pessoi.InputError, match="too many"):
        cluster.count(spark, "go", "4x4", places=1000)


def test_a_task_that_fails_says_why(spark: Any) -> None:
    with pytest.raises(pessoi.GaveUp, match="memory limit") as raised:
        cluster.count(spark, "knight-tours", "6x6", places=2, memory="1M")
    assert raised.value.field == "memory"
    assert "The place" in str(raised.value)


def breaking(times: int, marks: Path, how: Callable[[], None]) -> Any:
    """Rounds whose tasks break so many times, on whatever worker, and then go well."""
    from pessoi.cluster import _worker

    whole, folder = _worker.round_of, str(marks)

    def round_of(*given: Any) -> Any:
        step = whole(*given)

        def broken(batches: Iterable[Any]) -> Iterator[Any]:
            import os
            import uuid

            if len(os.listdir(folder)) < times:
                open(os.path.join(folder, uuid.uuid4().hex), "x").close()
                how()
            yield from step(batches)

        return broken

    return round_of


def test_a_task_that_fails_again_and_again_is_given_up(
    spark: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pessoi.cluster import _driver

    def ends() -> None:
        import os

        # As a system ends a process if there is no memory left.
        os.kill(os.getpid(), 9)

    def fails() -> None:
        raise OSError("a network that is down")

    def counted(times: int, how: Callable[[], None]) -> Any:
        marks = tmp_path / how.__name__ / str(times)
        marks.mkdir(parents=True)
        monkeypatch.setattr(_driver._worker, "round_of", breaking(times, marks, how))
        try:
            return cluster.count(spark, "knight-tours", "5x6", closed=True, places=1).value
        finally:
            # Spark tries a task four times.
            assert len(list(marks.iterdir())) == min(times, 4)

    assert counted(3, ends) == 8
    with pytest.raises(pessoi.GaveUp, match="A task was ended from outside"):
        counted(9, ends)
    # What is no error of ours is shown as it is.
    with pytest.raises(Exception, match="a network that is down"):
        counted(9, fails)


def test_a_key_that_nearly_everything_has(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pessoi.cluster import _driver

    # So narrow a board has but a few types of borders, and some places have none of them.
    found = cluster.count(spark, "king-tours", "3x5", places=8)
    assert found.value == pessoi.count("king-tours", "3x5").value
    # Spark puts what has the same key into one partition: here nearly all places are in one task.
    monkeypatch.setattr(_driver, "_keys", lambda spark, places: [7] * (places - 1) + [8])
    for game, place in [("diplomatico", "4x5"), ("go", "5x5")]:
        found = cluster.count(spark, game, place, places=4)
        assert found.value == pessoi.count(game, place).value
    # What all places of a task hold is counted together.
    with pytest.raises(pessoi.GaveUp, match="memory limit"):
        cluster.count(spark, "knight-tours", "6x6", places=4, memory="1M")


def test_counts_in_one_session_at_the_same_time(spark: Any) -> None:
    from pessoi.cluster import _driver

    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(name)
    found: dict[str, Any] = {}

    def count(game: str, place: str) -> None:
        found[game] = cluster.count(spark, game, place, places=2).value

    asked = [("knight-tours", "5x6"), ("go", "5x6"), ("diplomatico", "5x5")]
    threads = [threading.Thread(target=count, args=words) for words in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {game: pessoi.count(game, place).value for game, place in asked}
    # The first that came back has not put back what the others need, and the last has.
    assert spark.conf.get(name) == before != _driver.SETTINGS[name]


def test_ctrl_c_leaves_a_session_that_can_be_used(spark: Any) -> None:
    begun: list[threading.Timer] = []

    def watch(*at: Any) -> None:
        if not begun:
            begun.append(threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)))
            begun[0].start()

    with pytest.raises(KeyboardInterrupt):
        cluster.count(spark, "knight-tours", "7x8", closed=True, places=3, progress=watch)
    # Spark ends a job when its tasks have seen it.
    tracker, waited = spark.sparkContext.statusTracker(), time.monotonic() + 60
    while tracker.getActiveJobsIds() and time.monotonic() < waited:
        time.sleep(0.1)
    assert tracker.getActiveJobsIds() == []
    assert cluster.count(spark, "knight-tours", "5x6", closed=True, places=2).value == 8


def test_what_is_no_session_is_refused() -> None:
    for spark in (None, "spark://host:7077", 5):
        with pytest.raises(pessoi.InputError, match="is no Spark session"):
            cluster.count(spark, "knight-tours", "5x6")


def filled(disk: str) -> Path:
    """Fills up a small disk; returns the file that does so."""
    assert shutil.disk_usage(disk).total < 1 << 27, "a disk that is large, or another one"
    filler = Path(disk) / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError as error:
            assert error.errno == errno.ENOSPC
    return filler


@pytest.mark.skipif(KEPT is None, reason="needs a disk of its own, which only root can mount")
def test_a_folder_on_a_full_disk(spark: Any) -> None:
    assert KEPT is not None
    filler: list[Path] = []

    def watch(*at: Any) -> None:
        if at[1] >= 6 and not filler:
            filler.append(filled(KEPT))

    options: dict[str, Any] = {"folder": Path(KEPT) / "rounds", "every": 0.001}
    with pytest.raises(pessoi.FileError, match="A disk of the cluster is full"):
        cluster.count(spark, "knight-tours", "5x6", places=3, progress=watch, **options)
    filler[0].unlink()
    rounds: list[int] = []
    found = cluster.count(
        spark,
        "knight-tours",
        "5x6",
        resume=True,
        progress=lambda *at: rounds.append(at[1]),
        **options,
    )
    assert found.value == pessoi.count("knight-tours", "5x6").value
    assert rounds[0] > 6, "it did not begin anew"


# What a task takes, in a process of its own. Rows come one after the other from a file, and those
# that are sent are forgotten, as on a worker; the rest of the memory is what the task took.
TASK = """
import pickle, sys
import pyarrow as pa
from pessoi import _pessoi
from pessoi.cluster import _worker

def status(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))

question, places, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]

def batches():
    with open(path, "rb") as file:
        while True:
            try:
                rows = pickle.load(file)
            except EOFError:
                return
            yield _worker.batch_of(pa, list(range(places)), rows)

step = _worker.round_of(question, list(range(places)), _pessoi.__version__, {})
# What Python and its libraries take has nothing to do with the count.
_worker.batch_of(pa, [0], [(0, True, b"")]).to_pylist()
before = status("VmRSS")
for batch in step(batches()):
    pass
print(status("VmHWM") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the system's account of a process")
@pytest.mark.parametrize(
    ("game", "place", "options"),
    [("knight-tours", "7x8", {"closed": True, "method": "pairings"}), ("go", "11x11", {})],
)
def test_a_task_takes_no_more_than_the_plan_says(
    tmp_path: Path, game: str, place: str, options: dict[str, Any]
) -> None:
    import pickle

    from pessoi import _pessoi

    places = 2
    question = _pessoi.cluster_question("count", game, place, options)
    rounds = _pessoi.cluster_rounds(question, places, {})
    assert rounds is not None
    rows = rounds.begin()
    assert rows is not None
    most, largest = 0, tmp_path / "rows"
    for _ in range(rounds.rounds):
        sent = []
        for place_number in range(places):
            came = [row for row in rows if row[0] == place_number]
            made = rounds.round(came)
            sent += made
            size = sum(len(row[2]) for row in [*came, *made])
            if size > most:
                most = size
                with open(largest, "wb") as file:
                    for row in came:
                        pickle.dump([row], file)
        rows = sent
    task = [sys.executable, "-c", TASK, question, str(places), str(largest)]
    done = subprocess.run(task, stdout=subprocess.PIPE, text=True, check=True)
    if game == "go":
        said = cluster.plan("count", game, place, places=places).bytes or 0.0
    else:
        # A plan multiplies what it predicts for one machine; here this is known.
        one = pessoi.count(game, place, threads=1, **options)
        said = 4 * one.cost["peak_bytes"] / places
    # Beside it there are batches of rows, and what the system keeps of what was given back.
    assert most < int(done.stdout) <= said + (64 << 20)


def test_another_version_is_refused(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pessoi import _pessoi

    monkeypatch.setattr(_pessoi, "__version__", "0.0.1")
    with pytest.raises(pessoi.InputError, match="The driver has pessoi 0.0.1, and a worker has"):
        cluster.count(spark, "knight-tours", "5x6", places=2)


def test_the_plan_names_the_engine_of_the_answer(spark: Any) -> None:
    for game, place, options in [
        ("knight-tours", "6x6", {"closed": True}),
        ("go", "5x6", {}),
        ("knight-loops", 8, {}),
    ]:
        plan = cluster.plan("count", game, place, places=2, **options)
        found = cluster.count(spark, game, place, places=2, **options)
        assert plan.method == found.method
        assert any("2 places" in note or "2 parts" in note for note in plan.notes)


def test_workers_without_the_package(bare: Any) -> None:
    with pytest.raises(pessoi.InputError, match="A worker does not have the package pessoi"):
        cluster.count(bare, "knight-tours", "5x6", closed=True, places=2)
    found = cluster.count(bare, "knight-tours", "5x6", closed=True, places=2, ship=True)
    assert found.value == 8


@pytest.mark.skipif(SHUFFLED is None, reason="needs a disk of its own, which only root can mount")
def test_shuffles_on_a_full_disk(bare: Any) -> None:
    assert SHUFFLED is not None
    options: dict[str, Any] = {"places": 2, "ship": True}
    # The package is there, and all that Spark itself writes.
    assert cluster.count(bare, "knight-tours", "5x6", closed=True, **options).value == 8
    filler = filled(SHUFFLED)
    with pytest.raises(pessoi.FileError, match="A disk of the cluster is full"):
        cluster.count(bare, "knight-tours", "5x6", **options)
    filler.unlink()
    assert cluster.count(bare, "knight-tours", "5x6", **options).value == 18784


# Driven by a program of its own, which is killed.
DRIVER = """
import sys
import pessoi.cluster
from pyspark.sql import SparkSession

spark = (SparkSession.builder.master(sys.argv[1]).config("spark.ui.enabled", "false")
    .config("spark.driver.memory", "512m").config("spark.executor.memory", "600m").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
watch = lambda *at: print("round", at[1], flush=True)
answer = pessoi.cluster.count(spark, "knight-tours", "5x6", places=3, folder=sys.argv[2],
    every=0.001, resume=len(sys.argv) > 3, progress=watch)
print("answer", int(answer))
"""


def test_the_command_plans_without_a_cluster(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pessoi", "cluster"]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *words], capture_output=True, text=True)

    question = ["plan", "count", "go", "9x9"]
    done = run(*question, "--places", "16")
    assert done.returncode == 0 and done.stdout.startswith("count go 9x9 would be answered by matrix")
    plan = cluster.plan("count", "go", "9x9", places=16)
    assert all(note in done.stdout for note in plan.notes)
    saved = tmp_path / "plan.json"
    assert run("--places", "16", *question, "--format", "json", "-o", str(saved)).returncode == 0
    assert json.loads(saved.read_text())["bytes"] == plan.bytes
    for bad, sentence in [
        ([*question, "--master", "spark://host:7077"], "leave out --master"),
        ([*question, "--every", "0"], "leave out --every"),
        ([*question, "--places", "0"], "places=0 is not accepted"),
        ([*question, "--format", "csv"], "text or json"),
        (["plan"], "begins with a verb and a game"),
        (["plan", "explore", "hex-slide", "T3"], "neither into rounds nor into parts"),
    ]:
        done = run(*bad)
        assert done.returncode == 2 and sentence in done.stderr and not done.stdout


def test_the_driver_is_killed_and_started_again(alone: None, tmp_path: Path) -> None:
    assert MASTER is not None
    program = [sys.executable, "-c", textwrap.dedent(DRIVER), MASTER, str(tmp_path / "kept")]
    first = subprocess.Popen(
        program, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert first.stdout is not None
    seen = 0
    for line in first.stdout:
        if line.startswith("round"):
            seen = int(line.split()[1])
            if seen >= 8:
                break
    # The driver, and the Java that it drives.
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    second = subprocess.run([*program, "resume"], stdout=subprocess.PIPE, text=True, check=True, timeout=400)
    rounds = [int(line.split()[1]) for line in second.stdout.splitlines() if "round" in line]
    assert rounds[0] > 4, "it did not begin anew"
    assert "answer 18784" in second.stdout


def test_a_worker_is_killed_in_the_middle(alone: None, tmp_path: Path) -> None:
    assert MASTER is not None and SCRIPT is not None and FOLDER is not None
    program = [sys.executable, "-c", textwrap.dedent(DRIVER), MASTER, str(tmp_path / "kept")]
    first = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    output: list[str] = []
    killed = False
    for line in first.stdout:
        output.append(line)
        if line.startswith("round") and int(line.split()[1]) >= 6 and not killed:
            env = (Path(FOLDER) / "env").read_text()
            pids = env.split('WORKER_PIDS="')[1].split('"')[0].split()
            os.kill(int(pids[0]), signal.SIGKILL)
            killed = True
    assert first.wait() == 0
    assert killed and "answer 18784\n" in output
    subprocess.run([SCRIPT, "worker", FOLDER], check=True)


def test_the_command(alone: None, tmp_path: Path) -> None:
    assert MASTER is not None
    command = [sys.executable, "-m", "pessoi", "cluster", "--master", MASTER]
    saved = tmp_path / "tours.json"
    question = ["count", "knight-tours", "5x6", "--closed"]
    done = subprocess.run(
        [*command, "--places", "2", *question], stdout=subprocess.PIPE, text=True, timeout=400
    )
    assert done.returncode == 0
    assert "8 undirected closed paths, exactly" in done.stdout
    assert "on a cluster, in 2 places" in done.stdout
    # The options of the cluster may stand behind the question too.
    done = subprocess.run([*command, *question, "--places", "2", "-o", str(saved)], timeout=400)
    assert done.returncode == 0 and pessoi.read(saved).value == 8
    done = subprocess.run([*command[:4], *question], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and "a cluster is needed: --master URL" in done.stderr
    for bad, sentence in [
        (["count", "knight-tours", "5x6", "--closd"], "did you mean --closed?"),
        (["count"], "begins with a verb and a game"),
        ([*question, "-o", str(tmp_path / "no" / "where.json")], "cannot be written"),
        ([*question, "--format", "nonsense"], "nonsense"),
        ([*question, "--places", "0"], "places=0 is not accepted"),
    ]:
        done = subprocess.run([*command, *bad], stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2 and sentence in done.stderr


def test_ctrl_c_ends_the_command(alone: None, tmp_path: Path) -> None:
    assert MASTER is not None
    options = ["--places", "2", "--folder", str(tmp_path / "kept"), "--every", "0.001"]
    question = ["count", "knight-tours", "7x8", "--closed"]
    command = [sys.executable, "-m", "pessoi", "cluster", "--master", MASTER, *options, *question]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    # It is at work when it has kept a round.
    while not (tmp_path / "kept" / "slot-0" / "_SUCCESS").exists():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=120) == 130
    assert running.stdout is not None and running.stdout.read() == ""


@pytest.fixture
def remote(alone: None) -> Iterator[str]:
    """The address of a Spark Connect server that has the cluster's workers."""
    assert SCRIPT is not None and FOLDER is not None
    subprocess.run([SCRIPT, "connect", FOLDER], check=True)
    env = (Path(FOLDER) / "env").read_text()
    yield env.split("PESSOI_TEST_CONNECT=")[1].split()[0]
    subprocess.run([SCRIPT, "disconnect", FOLDER], check=True)


# A session is of one kind in a process: this one needs its own.
REMOTE = """
import os, signal, sys, threading
import pessoi, pessoi.cluster
from pyspark.sql import SparkSession

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
count = pessoi.cluster.count
print(int(count(spark, "knight-tours", "6x6", closed=True, places=3)))
print(int(count(spark, "go", "6x6", places=3)))
print(int(count(spark, "knight-loops", 8, places=3)))
print(int(count(spark, "knight-tours", "5x6", places=2, folder=sys.argv[2], every=0.001)))
try:
    count(spark, "knight-tours", "6x6", places=2, memory="1M")
except pessoi.GaveUp as error:
    print("gave up:", error)

# Ctrl-C in the middle: the server does not go on with it.
begun = []
def watch(*at):
    if not begun:
        begun.append(threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)))
        begun[0].start()
try:
    count(spark, "knight-tours", "7x8", closed=True, places=3, progress=watch)
except KeyboardInterrupt:
    print("interrupted", count(spark, "knight-tours", "5x6", closed=True, places=2).value)
"""


def test_spark_connect(remote: str, tmp_path: Path) -> None:
    program = [sys.executable, "-c", REMOTE, remote, str(tmp_path / "kept")]
    done = subprocess.run(program, stdout=subprocess.PIPE, text=True, timeout=600)
    lines = done.stdout.splitlines()
    assert lines[:4] == ["9862", "62567386502084877", "480", "18784"]
    assert "memory limit" in lines[4]
    assert lines[5] == "interrupted 8"
    # The command has a session there too.
    command = [sys.executable, "-m", "pessoi", "cluster", "--remote", remote, "--places", "2"]
    question = ["count", "knight-tours", "5x6", "--closed"]
    done = subprocess.run([*command, *question], stdout=subprocess.PIPE, text=True, timeout=400)
    assert done.returncode == 0 and "8 undirected closed paths, exactly" in done.stdout
