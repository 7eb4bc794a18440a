"""Streams, threads, Ctrl-C, limits and progress."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque

import numpy as np
import pytest

import pessoi

# Work that takes far longer than any test.
LONG = ("knight-tours", "8x8")


def test_a_stream_is_lazy_and_ends_by_break():
    stream = pessoi.list(*LONG)
    seen = []
    for tour in stream:
        seen.append(tour.cells)
        if len(seen) == 1000:
            break
    assert len({tuple(tour) for tour in seen}) == 1000
    assert stream.answer is None
    stream.close()
    assert list(stream) == []
    with pytest.raises(RuntimeError, match="has been read from"):
        stream.to_numpy()


def test_a_stream_that_is_dropped_ends_its_thread():
    before = threads()
    for _ in range(20):
        next(pessoi.list(*LONG))
    gc.collect()
    waited = time.monotonic() + 20
    while threads() > before + 2 and time.monotonic() < waited:
        time.sleep(0.05)
    assert threads() <= before + 2


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def test_the_end_of_a_stream_says_how_it_was_made():
    stream = pessoi.list("knight-loops", 8)
    assert len(list(stream)) == 480
    assert int(stream.answer) == 480 and stream.answer.standing == "exact"
    few = pessoi.list("knight-loops", 8, limit=5)
    assert len(list(few)) == 5 and few.answer.standing == "at-least"
    with pessoi.list("knight-loops", 8) as stream:
        next(stream)


def test_arrays_hold_what_streams_give():
    for game, place in [("knight-loops", 10), ("diplomatico", "5x5")]:
        array = pessoi.list(game, place).to_numpy()
        cells = [tour.cells for tour in pessoi.list(game, place)]
        assert array.dtype == np.uint8 and array.tolist() == [[[*c] for c in t] for t in cells]
    wide = pessoi.list("wazir-tours", "1x300").to_numpy()
    assert wide.dtype == np.uint16 and wide[0, -1].tolist() == [0, 299]


def test_an_array_outlives_its_stream():
    array = pessoi.list("knight-loops", 10).to_numpy()
    total = int(array.sum())
    gc.collect()
    [bytearray(1 << 20) for _ in range(50)]
    assert int(array.sum()) == total


def test_methods_are_compared():
    answer = pessoi.compare("count", "knight-tours", "5x5", time=20)
    assert int(answer) == 864
    methods = answer.tables["methods"]
    assert len(set(methods["method"])) == len(methods["method"]) > 2
    assert {methods["agrees"][k] for k, how in enumerate(methods["standing"]) if how == "exact"} == {True}
    table = pessoi.compare("count", "king-tours", "2..3x3").tables["costs"]
    assert table["board"] == ["2x3", "3x3"]
    for wrong in ({"method": "search"}, {"part": (1, 2)}, {"checkpoint": "kept"}, {"nonsense": 1}):
        with pytest.raises(pessoi.InputError):
            pessoi.compare("count", "knight-tours", "5x5", **wrong)


def test_answers_are_cited():
    answer = pessoi.count("king-tours", pessoi.Board("..#\n..."))
    assert "printf '%s\\n' '..#' ... | pessoi count king-tours -" in pessoi.cite(answer)
    with pytest.raises(pessoi.FileError):
        pessoi.cite("no such file")


def test_limits_are_never_silent():
    answer = pessoi.count("knight-tours", "9x9", time=0.2, method="search")
    assert answer.standing in ("at-least", "gave-up") and "0.2 s" in answer.stop
    with pytest.raises(pessoi.GaveUp) as error:
        int(answer)
    assert error.value.answer is answer and error.value.code == "stopped"
    assert pickle.loads(pickle.dumps(error.value)).answer == answer
    with pytest.raises(pessoi.GaveUp) as error:
        for _ in pessoi.list("knight-tours", "9x9", time=0.2):
            pass
    assert error.value.answer.stop
    with pytest.raises(pessoi.GaveUp) as error:
        pessoi.list("knight-loops", 20, memory="20M").to_numpy()
    assert len(error.value.found) == 0 and error.value.answer.value is None
    with pytest.raises(pessoi.GaveUp) as error:
        pessoi.list("knight-tours", "8x8", memory="20M").to_numpy()
    # What was found until then is there.
    found = error.value.found
    assert found.shape[1:] == (64, 2) and found.shape[0] == error.value.answer.value > 0
    again = pickle.loads(pickle.dumps(error.value))
    assert again.answer == error.value.answer and (again.found == found).all()
    assert pessoi.count("go", "13x13", memory="2M").standing == "gave-up"


def interrupt(*_: object) -> None:
    """Presses Ctrl-C: given as progress, while the work is under way."""
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    "work",
    [
        lambda: pessoi.count("knight-tours", "9x9", method="search", progress=interrupt),
        lambda: pessoi.count("go", "12x12", progress=interrupt),
        lambda: pessoi.count("diplomatico", "9x9", progress=interrupt),
        lambda: pessoi.explore("square-slide", "3x4", progress=interrupt),
        lambda: pessoi.estimate("knight-tours", "20x20", samples=10**7, progress=interrupt),
        lambda: pessoi.list("knight-loops", 22, progress=interrupt).to_numpy(),
        # C code reads what is always there.
        lambda: deque(pessoi.list("knight-loops", 20, progress=interrupt), maxlen=0),
        # No tour is found before the end of time.
        lambda: next(pessoi.list("knight-tours", "12x12", closed=True, progress=interrupt)),
    ],
)
def test_ctrl_c(work):
    with pytest.raises(KeyboardInterrupt):
        work()


def test_ctrl_c_leaves_what_was_found():
    with pytest.raises(KeyboardInterrupt) as error:
        pessoi.count("knight-tours", "9x9", method="search", progress=interrupt)
    answer = error.value.answer
    assert isinstance(answer, pessoi.Answer) and "interrupted" in answer.stop


def test_ctrl_c_leaves_what_was_listed():
    stream = pessoi.list("knight-loops", 20, progress=interrupt)
    with pytest.raises(KeyboardInterrupt) as error:
        deque(stream, maxlen=0)
    assert error.value.answer == stream.answer and "interrupted" in stream.answer.stop
    # It is not taken for the whole afterwards either.
    with pytest.raises(pessoi.GaveUp, match="interrupted"):
        next(stream)
    with pytest.raises(KeyboardInterrupt) as error:
        pessoi.list("knight-loops", 22, progress=interrupt).to_numpy()
    assert len(error.value.found) == (error.value.answer.value or 0)


def test_what_is_cut_short_is_written_beside(tmp_path):
    path = tmp_path / "list.json"
    path.write_text("before")
    with pytest.raises(pessoi.GaveUp) as error:
        pessoi.list("knight-tours", "9x9", time=0.2).save(path)
    beside = tmp_path / "list.json.partial"
    assert path.read_text() == "before" and error.value.answer.stop
    assert pessoi.read(beside).stop == error.value.answer.stop
    with pytest.raises(KeyboardInterrupt) as error:
        pessoi.list("knight-tours", "9x9", progress=interrupt).save(path)
    assert path.read_text() == "before" and "interrupted" in error.value.answer.stop
    answer = pessoi.count("knight-tours", "9x9", time=0.2, method="search")
    assert answer.save(tmp_path / "count.json") == tmp_path / "count.json.partial"
    assert pessoi.read(tmp_path / "count.json.partial") == answer
    assert not (tmp_path / "count.json").exists()
    # An estimate from fewer samples is an answer all the same, and so is a part that was asked for.
    few = pessoi.list("knight-loops", 8, limit=5).save(tmp_path / "few.json")
    assert few.standing == "at-least" and (tmp_path / "few.json").exists()
    about = pessoi.estimate("knight-tours", "8x8", samples=10**12, time=0.3)
    assert about.standing == "estimated" and about.stop
    assert about.save(str(tmp_path / "about.json")) == tmp_path / "about.json"


def test_several_threads_read_one_stream():
    """It used to be refused as already borrowed."""
    stream = pessoi.list("knight-loops", 12)
    taken, failed = [], []

    def work():
        try:
            taken.append([tuple(loop.cells) for loop in stream])
        except BaseException as error:
            failed.append(error)

    jobs = [threading.Thread(target=work) for _ in range(4)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    loops = [loop for some in taken for loop in some]
    assert not failed and len(loops) == len(set(loops)) == int(stream.answer)


def test_readers_of_a_stream_that_is_cut_short_all_hear_of_it():
    stream = pessoi.list("knight-tours", "9x9", time=0.5)
    heard = []

    def work():
        try:
            deque(stream, maxlen=0)
        except pessoi.GaveUp as error:
            heard.append(error.answer)

    jobs = [threading.Thread(target=work) for _ in range(3)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert heard == [stream.answer] * 3


def test_ctrl_c_ends_a_reader_while_another_one_waits():
    """No tour is found before the end of time; only the main thread hears of signals."""
    stream = pessoi.list("knight-tours", "12x12", closed=True)
    began = threading.Event()

    def work():
        began.set()
        deque(stream, maxlen=0)

    def quiet():
        try:
            work()
        except pessoi.GaveUp:
            pass

    job = threading.Thread(target=quiet)
    job.start()
    began.wait()
    main = threading.main_thread().ident
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        next(stream)
        # It may be found after all; then the signal comes here.
        time.sleep(60)
    job.join()
    timer.join()


def test_a_stream_is_closed_while_it_is_read():
    stream = pessoi.list("knight-tours", "12x12", closed=True)
    began = threading.Event()

    def work():
        began.set()
        deque(stream, maxlen=0)

    job = threading.Thread(target=work)
    job.start()
    began.wait()
    stream.close()
    job.join()
    assert list(stream) == [] and stream.answer is None


def test_the_end_of_a_list_can_be_printed():
    stream = pessoi.list("knight-loops", 8)
    deque(stream, maxlen=0)
    assert "480" in str(stream.answer)
    assert str(pessoi.find("knight-tours", "3x3")).strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_processes():
    """A stream of the parent is refused in the child and not waited for; jobs work there."""
    begun = pessoi.list("knight-loops", 12)
    fresh = pessoi.list("knight-loops", 8)
    first = next(begun)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        # Whatever hangs here is ended.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(120)
        said = []
        try:
            try:
                next(begun)
            except RuntimeError as error:
                said.append(str(error))
            begun.close()
            said.append(sum(1 for _ in fresh))
            said.append(int(pessoi.count("knight-tours", "6x6", closed=True, threads=2)))
            said.append(len(pessoi.list("knight-loops", 8).to_numpy()))
            del begun
            gc.collect()
        except BaseException as error:
            said.append(repr(error))
        os.write(write, repr(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = eval(pipe.read())
    assert os.waitpid(child, 0)[1] == 0
    assert "before the process was forked" in said[0] and said[1:] == [480, 9862, 480]
    # The parent goes on as if nothing had been.
    assert 1 + sum(1 for _ in begun) == int(begun.answer) and first.cells


def test_jobs_run_in_threads():
    results = {}

    def work(name):
        results[name] = int(pessoi.count("knight-tours", "6x6", closed=True, threads=1))

    jobs = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert results == dict.fromkeys(range(4), 9862)


def test_python_goes_on_while_a_job_works():
    """The job ends when this thread says so, which it can do only if it runs meanwhile."""
    began, enough, ended = threading.Event(), threading.Event(), []

    def watch(*_):
        began.set()
        if enough.is_set():
            raise ZeroDivisionError

    def work():
        try:
            pessoi.count("knight-tours", "9x9", method="search", progress=watch)
        except ZeroDivisionError:
            ended.append(True)

    job = threading.Thread(target=work)
    job.start()
    began.wait()
    assert sum(range(10**6)) and not ended
    enough.set()
    job.join()
    assert ended


def test_progress(capsys):
    seen = []

    def watch(*now):
        seen.append(now)
        if len(seen) == 3:
            raise ZeroDivisionError("no more")

    with pytest.raises(ZeroDivisionError, match="no more") as error:
        pessoi.count("knight-tours", "9x9", method="search", progress=watch)
    assert error.value.answer.stop
    assert len(seen) == 3 and all(len(now) == 5 for now in seen) and seen[-1][3] > 0
    pessoi.count("knight-tours", "9x9", method="search", time=0.3, progress=True)


@pytest.mark.parametrize(
    "work",
    [
        lambda watch: pessoi.count("diplomatico", "5x5", progress=watch),
        lambda watch: pessoi.list("knight-loops", 10, progress=watch).to_numpy(),
        lambda watch: deque(pessoi.list("knight-loops", 10, progress=watch), maxlen=0),
    ],
)
def test_progress_is_closed(work):
    class Watch:
        is_closed = False

        def __call__(self, *now):
            assert not self.is_closed

        def close(self):
            self.is_closed = True

    watch = Watch()
    work(watch)
    assert watch.is_closed


def test_progress_without_tqdm(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    from pessoi._progress import watcher

    watch = watcher(True)
    watch("searching", 1, 2, 1000, 0)
    watch.close()
    assert "searching 1 of 2, 1,000 handled" in capsys.readouterr().err


def test_a_program_ends_while_a_stream_is_open():
    code = "import pessoi; s = pessoi.list('knight-tours', '8x8'); next(s); print('done')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


DAEMON = """
import threading, pessoi

began = threading.Event()

class Endless(pessoi.Sweep):
    sites = 3

    def start(self):
        began.set()
        while True:
            pass

def watch(*_):
    began.set()

work = {work}
threading.Thread(target=work, daemon=True).start()
began.wait()
print("done")
"""


@pytest.mark.parametrize(
    "work",
    [
        "lambda: Endless().count()",
        "lambda: pessoi.count('knight-tours', '9x9', method='search', progress=watch)",
    ],
)
def test_a_program_ends_while_a_daemon_asks(work):
    """The interpreter ends such threads where they are; that was a crash inside an own game."""
    code = DAEMON.replace("{work}", work)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n")
