"""Counts on a real Spark cluster, whose address is in PESSOI_TEST_SPARK (crates/cluster/check)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pessoi

MASTER = os.environ.get("PESSOI_TEST_SPARK")
REMOTE = os.environ.get("PESSOI_TEST_CONNECT")
# A cluster whose workers do not have the package.
BARE = os.environ.get("PESSOI_TEST_SPARK_BARE")
FOLDER = os.environ.get("PESSOI_TEST_SPARK_FOLDER")
SCRIPT = os.environ.get("PESSOI_TEST_SPARK_SCRIPT")

if MASTER is None and os.environ.get("PESSOI_TEST_SPARK_REQUIRED"):
    raise RuntimeError("PESSOI_TEST_SPARK is not set")

pytestmark = pytest.mark.skipif(
    MASTER is None, reason="crates/cluster/check runs these on a Spark cluster"
)

cluster = pytest.importorskip("pessoi.cluster")


def made(master: str) -> Any:
    from pyspark.sql import SparkSession

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
    """The session of all tests here; one that is there is used again."""
    assert MASTER is not None
    return made(MASTER)


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
    with pytest.raises(pessoi.FileError, match="A parcel for place .* is damaged"):
        cluster.count(spark, "knight-tours", "5x6", resume=True, **options)


def test_bad_input_is_refused_before_anything_is_sent(spark: Any) -> None:
    for options in ({"places": 0}, {"places": True}, {"places": "many"}):
        with pytest.raises(pessoi.InputError, match="places"):
            cluster.count(spark, "knight-tours", "5x6", **options)
    with pytest.raises(pessoi.InputError, match="at least 1M is needed"):
        cluster.count(spark, "knight-tours", "5x6", memory="40K")
    for name in ("time", "threads", "disk", "checkpoint"):
        with pytest.raises(pessoi.InputError, match=f"On a cluster there is no {name}"):
            cluster.count(spark, "knight-tours", "5x6", **{name: 1})
    for options in ({"every": 0}, {"every": "soon"}, {"folder": 5}, {"folder": ""}):
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
    for bad, sentence in [
        (["count", "knight-tours", "5x6", "--closd"], "did you mean --closed?"),
        (["count"], "begins with a verb and a game"),
        ([*question, "-o", str(tmp_path / "no" / "where.json")], "cannot be written"),
        ([*question, "--format", "nonsense"], "nonsense"),
        ([*question, "--places", "0"], "places=0 is not accepted"),
    ]:
        done = subprocess.run([*command, *bad], stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2 and sentence in done.stderr


@pytest.mark.skipif(BARE is None, reason="needs a cluster whose workers lack the package")
def test_workers_without_the_package(alone: None) -> None:
    assert BARE is not None
    program = """
        import sys
        import pessoi, pessoi.cluster
        from pyspark.sql import SparkSession

        spark = (SparkSession.builder.master(sys.argv[1]).config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "512m").config("spark.executor.memory", "600m")
            .getOrCreate())
        spark.sparkContext.setLogLevel("OFF")
        try:
            pessoi.cluster.count(spark, "knight-tours", "5x6", closed=True, places=2)
        except pessoi.InputError as error:
            print("refused:", error)
        print(int(pessoi.cluster.count(
            spark, "knight-tours", "5x6", closed=True, places=2, ship=True)))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), BARE], stdout=subprocess.PIPE, text=True
    )
    assert "refused: A worker does not have the package pessoi" in done.stdout
    assert done.stdout.splitlines()[-1] == "8"


@pytest.mark.skipif(REMOTE is None, reason="needs a server that speaks Spark Connect")
def test_another_engine_that_speaks_the_api(alone: None, tmp_path: Path) -> None:
    assert REMOTE is not None
    program = """
        import sys
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
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), REMOTE, str(tmp_path / "kept")],
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert lines[:3] == ["9862", "62567386502084877", "480"]
    assert int(lines[3]) == pessoi.count("knight-tours", "5x6").value
    assert "memory limit" in lines[4]


