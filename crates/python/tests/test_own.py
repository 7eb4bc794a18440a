"""Own games: counted, sampled and explored as by brute force; inconsistent ones are refused."""

import itertools
import math
import os
import signal
import threading
import time
from collections import Counter
from datetime import timedelta

import networkx as nx
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import pessoi


class Apart(pessoi.Sweep):
    """Sets of the nodes of a path, no two of them next to each other; some are never taken."""

    def __init__(self, free):
        self.free, self.sites = free, len(free)

    def start(self):
        return False

    def choose(self, site, border):
        yield 0, False
        if self.free[site] and not border:
            yield 1, True


@settings(max_examples=40, deadline=None)
@given(free=st.lists(st.booleans(), min_size=0, max_size=9))
def test_sweeps_agree_with_brute_force(free):
    sets = [
        word
        for word in range(1 << len(free))
        if not word & word >> 1 and all(free[i] for i in range(len(free)) if word >> i & 1)
    ]
    assert Apart(free).count() == len(sets)
    drawn = Apart(free).sample(50, seed=3)
    assert len(drawn) == 50
    for word in drawn:
        assert sum(bit << i for i, bit in enumerate(word)) in sets


def test_samples_are_uniform():
    drawn = Counter(map(tuple, Apart([True] * 3).sample(5000, seed=5)))
    assert len(drawn) == 5
    # Five standard deviations.
    assert all(abs(number - 1000) < 5 * math.sqrt(800) for number in drawn.values())


def test_large_counts():
    numbers = [1, 2]
    while len(numbers) <= 500:
        numbers.append(numbers[-1] + numbers[-2])
    assert Apart([True] * 500).count() == numbers[500]
    assert max(Apart([True] * 20).layers()) == 2


class Paths(pessoi.Search):
    """Paths through all nodes of a graph."""

    def __init__(self, graph):
        self.graph, self.path = graph, []

    def look(self):
        if len(self.path) == len(self.graph):
            return True
        nodes = self.graph[self.path[-1]] if self.path else self.graph
        return [node for node in nodes if node not in self.path]

    def take(self, step):
        self.path.append(step)

    def undo(self):
        self.path.pop()

    def solution(self):
        return tuple(self.path)


@settings(max_examples=20, deadline=None)
@given(edges=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_searches_agree_with_networkx(edges):
    graph = nx.Graph()
    graph.add_nodes_from(range(6))
    graph.add_edges_from((a, b) for a, b in edges if a != b)
    paths = {
        tuple(path)
        for a in graph
        for b in graph
        if a != b
        for path in nx.all_simple_paths(graph, a, b)
        if len(path) == 6
    }
    assert Paths(graph).count() == len(paths)
    found = Paths(graph).find(None)
    assert set(found) == paths and len(found) == len(paths)
    assert Paths(graph).find(2) == found[:2]


def test_a_game_can_be_asked_again():
    """A search that ended inside the tree used to stay there, and was counted from there on."""
    game = Paths(nx.complete_graph(5))
    assert len(game.find(1)) == 1 and game.path == []
    assert game.count() == 120
    with pytest.raises(pessoi.GaveUp):
        Paths(nx.complete_graph(12)).count(time=0.05)
    large = Paths(nx.complete_graph(12))
    with pytest.raises(pessoi.GaveUp):
        large.find(None, time=0.05)
    assert large.path == []


def test_what_must_be_the_same_is_asked_twice():
    class Fickle(Apart):
        asked = 0

        def accepts(self, border):
            self.asked += 1
            return self.asked % 2 == 0

    with pytest.raises(pessoi.InputError, match=r"accepts\(border\) must give the same"):
        Fickle([True] * 3).count()

    class Twice(Paths):
        def look(self):
            said = super().look()
            return said if said is True else said * 2

    with pytest.raises(pessoi.InputError, match="every step once"):
        Twice(nx.complete_graph(3)).count()


def test_sites_without_end_are_given_up():
    """Room for all sites used to be asked for at once, and the interpreter ended."""

    class Endless(pessoi.Sweep):
        sites = 10**12

        def start(self):
            return 0

        def choose(self, site, border):
            return [(0, 0)]

    with pytest.raises(pessoi.GaveUp):
        Endless().sample(time=0.1)


def test_estimates_of_a_search():
    mean, interval = Paths(nx.grid_2d_graph(3, 3)).estimate(3000, seed=2)
    assert interval[0] < 40 < interval[1] and interval[0] < mean < interval[1]


class Space(pessoi.StateSpace):
    def __init__(self, graph, starts):
        self.graph, self.begin = graph, starts

    def starts(self):
        return self.begin

    def moves(self, state):
        return self.graph[state]


@settings(max_examples=30, deadline=None)
@given(edges=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_spaces_agree_with_networkx(edges):
    graph = nx.Graph()
    graph.add_nodes_from(range(10))
    graph.add_edges_from((a, b) for a, b in edges if a != b)
    found = Space(graph, [0]).layers()
    distances = nx.single_source_shortest_path_length(graph, 0)
    assert {state: n for n, layer in enumerate(found.states) for state in layer} == distances
    assert found.total == len(distances) and distances[found.farthest] == len(found.sizes) - 1
    parts = Space(graph, graph).components()
    assert sorted(map(sorted, parts)) == sorted(map(sorted, nx.connected_components(graph)))
    first, last, far = Space(graph, [0]).diameter()
    assert far == nx.diameter(graph.subgraph(distances)) == nx.shortest_path_length(graph, first, last)
    for goal in graph:
        path = Space(graph, [0]).path(0, goal)
        assert (path is None) == (goal not in distances)
        assert path is None or len(path) == distances[goal] + 1


def test_exceptions_come_out_as_they_are():
    class Angry(Apart):
        def choose(self, site, border):
            if site == 3:
                raise ZeroDivisionError("at three")
            return super().choose(site, border)

    for work in (Angry([True] * 5).count, Angry([True] * 5).sample):
        with pytest.raises(ZeroDivisionError, match="at three"):
            work()

    class Shy(Paths):
        def undo(self):
            raise KeyError("no way back")

    with pytest.raises(KeyError, match="no way back"):
        Shy(nx.path_graph(4)).count()

    class Lost(Space):
        def moves(self, state):
            raise StopIteration

    with pytest.raises((StopIteration, RuntimeError)):
        Lost(None, [0]).layers()
    for empty in (pessoi.Sweep(), pessoi.Search(), pessoi.StateSpace()):
        with pytest.raises((NotImplementedError, AttributeError)):
            getattr(empty, "layers", empty.count if hasattr(empty, "count") else None)()


def test_inconsistent_games_are_told_how():
    class Moody(Apart):
        calls = 0

        def choose(self, site, border):
            self.calls += 1
            yield self.calls, False

    with pytest.raises(pessoi.InputError, match="must give the same whenever it is asked") as error:
        Moody([True]).count()
    assert (error.value.code, error.value.field) == ("conflict", "choose")

    class Twice(Apart):
        def choose(self, site, border):
            return [(0, False), (0, True)]

    with pytest.raises(pessoi.InputError, match="gives the choice 0 twice"):
        Twice([True]).count()

    class Single(Apart):
        def choose(self, site, border):
            return [7]

    with pytest.raises(pessoi.InputError, match="no pair"):
        Single([True]).count()

    class Many(Apart):
        def choose(self, site, border):
            return [(k, False) for k in range(300)]

    with pytest.raises(pessoi.InputError, match="256 is the most"):
        Many([True]).count()

    class Loose(Apart):
        def start(self):
            return []

    with pytest.raises(TypeError, match="unhashable"):
        Loose([True]).count()

    class Forgetful(Paths):
        def undo(self):
            pass

    with pytest.raises(pessoi.InputError, match=r"After undo\(\), look\(\)") as error:
        Forgetful(nx.path_graph(3)).count()
    assert error.value.field == "undo"

    class Mute(Paths):
        def look(self):
            return None

    with pytest.raises(pessoi.InputError, match="it gave None"):
        Mute(nx.path_graph(3)).count()

    one_way = nx.DiGraph([(1, 0)])
    with pytest.raises(pessoi.InputError, match="none leads back") as error:
        Space(one_way, [0, 1]).components()
    assert error.value.field == "moves"


def test_own_games_end_at_their_limit():
    class Endless(pessoi.StateSpace):
        def starts(self):
            return [0]

        def moves(self, state):
            return [state + 1]

    with pytest.raises(pessoi.GaveUp):
        Endless().layers(time=0.2)
    with pytest.raises(pessoi.InputError):
        Endless().layers(time=-1)


class Steps(pessoi.Sweep):
    """Walks of some length in a graph, from one node to another."""

    def __init__(self, matrix, sites, first, last):
        self.matrix, self.sites, self.first, self.last = matrix, sites, first, last

    def start(self):
        return self.first

    def choose(self, site, border):
        for node, number in enumerate(self.matrix[border]):
            for way in range(number):
                yield (node, way), node

    def accepts(self, border):
        return border == self.last


@settings(max_examples=40, deadline=None)
@given(
    matrix=st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=n, max_size=n
        )
    ),
    sites=st.integers(0, 25),
    ends=st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_sweeps_agree_with_powers_of_matrices(matrix, sites, ends):
    first, last = (end % len(matrix) for end in ends)
    expected = sympy.Matrix(matrix) ** sites
    assert Steps(matrix, sites, first, last).count() == expected[first, last]


class Hanging(pessoi.Sweep):
    """One method hangs; ``hang`` says which and how."""

    sites = 3

    def __init__(self, method, hang):
        self.method, self.hang = method, hang

    def begin(self, method, value):
        return self.hang() if method == self.method else value

    def start(self):
        return self.begin("start", 0)

    def choose(self, site, border):
        return self.begin("choose", [(0, 0)])

    def accepts(self, border):
        return self.begin("accepts", True)


class HangingSearch(pessoi.Search):
    def __init__(self, method, hang):
        self.method, self.hang, self.depth = method, hang, 0

    def begin(self, method, value):
        return self.hang() if method == self.method else value

    def look(self):
        return self.begin("look", True if self.depth == 2 else [0])

    def take(self, step):
        self.begin("take", None)
        self.depth += 1

    def undo(self):
        self.begin("undo", None)
        self.depth -= 1

    def solution(self):
        return self.begin("solution", 1)


class HangingSpace(pessoi.StateSpace):
    def __init__(self, method, hang):
        self.method, self.hang = method, hang

    def begin(self, method, value):
        return self.hang() if method == self.method else value

    def starts(self):
        return self.begin("starts", [0])

    def moves(self, state):
        return self.begin("moves", [1 - state])


def for_ever():
    while True:
        pass


HANGING = [
    *((Hanging(method, for_ever).count, method) for method in ("start", "choose", "accepts")),
    *((HangingSearch(method, for_ever).find, method) for method in ("look", "take", "solution")),
    (HangingSearch("undo", for_ever).count, "undo"),
    *((HangingSpace(method, for_ever).layers, method) for method in ("starts", "moves")),
    (Hanging("choose", itertools.count).sample, "choose"),
    (HangingSpace("moves", lambda: itertools.repeat(0)).components, "moves"),
]


@pytest.mark.parametrize(("work", "method"), HANGING)
def test_a_method_that_does_not_return_ends_at_the_limit(work, method):
    # What gives without end is refused as such if it is fast enough.
    with pytest.raises((pessoi.GaveUp, pessoi.InputError)) as error:
        work(time=0.1)
    if isinstance(error.value, pessoi.GaveUp):
        assert "the time limit of 0.1 s passed" in str(error.value)
    else:
        assert "too much" in str(error.value)


def press_ctrl_c():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def pressed():
    press_ctrl_c()
    for_ever()


@pytest.mark.parametrize(
    "work",
    [
        *(Hanging(method, pressed).count for method in ("start", "choose", "accepts")),
        *(HangingSearch(method, pressed).find for method in ("look", "take", "solution", "undo")),
        *(HangingSpace(method, pressed).layers for method in ("starts", "moves")),
    ],
)
def test_ctrl_c_ends_a_method_that_does_not_return(work):
    with pytest.raises(KeyboardInterrupt):
        work()


def test_what_the_end_makes_of_a_game_is_not_its_error():
    def stubborn():
        try:
            work()
        except BaseException:
            raise ValueError("made by the end") from None

    work = for_ever
    with pytest.raises(pessoi.GaveUp, match="time limit"):
        Hanging("choose", stubborn).count(time=0.1)
    work = pressed
    with pytest.raises(KeyboardInterrupt):
        Hanging("choose", stubborn).count()


@pytest.mark.parametrize(
    ("work", "method"),
    [
        (Hanging("choose", lambda: ((k, 0) for k in itertools.count())).count, "choose"),
        (HangingSearch("look", itertools.count).count, "look"),
        (HangingSpace("starts", itertools.count).layers, "starts"),
        (HangingSpace("moves", itertools.count).layers, "moves"),
    ],
)
def test_what_is_given_without_end_is_refused(work, method):
    with pytest.raises(pessoi.InputError, match=rf"{method}\(.*\) gives too much") as error:
        work()
    assert (error.value.code, error.value.field) == ("conflict", method)


def test_a_game_that_asks_itself_is_refused():
    class Itself(Apart):
        depth = 0

        def choose(self, site, border):
            self.depth += 1
            return [(Itself.count(self), border)]

    game = Itself([True])
    with pytest.raises(pessoi.InputError, match="16 deep") as error:
        game.count()
    assert error.value.code == "conflict" and game.depth == 16


def test_games_within_games_and_verbs():
    class Outer(Apart):
        def choose(self, site, border):
            inside = Apart([True] * site).count()
            return [(int(pessoi.count("wazir-tours", "2x3")) + inside, border)]

    assert Outer([True] * 3).sample() == [[9, 10, 11]]


@pytest.mark.parametrize(
    "inside",
    [
        lambda: Hanging("choose", for_ever).count(),
        lambda: pessoi.count("knight-tours", "9x9", method="search"),
        lambda: next(pessoi.list("knight-tours", "12x12", closed=True)),
        lambda: Hanging("choose", lambda: Hanging("start", for_ever).count()).count(),
    ],
)
def test_what_is_asked_inside_ends_with_what_is_around_it(inside):
    before = len(os.listdir("/proc/self/task"))
    with pytest.raises(pessoi.GaveUp, match="the time limit of 0.1 s passed"):
        Hanging("choose", inside).count(time=0.1)
    with pytest.raises(KeyboardInterrupt):
        Hanging("accepts", lambda: press_ctrl_c() or inside()).count()
    # No thread goes on with it.
    waited = time.monotonic() + 60
    while (threads := len(os.listdir("/proc/self/task"))) > before and time.monotonic() < waited:
        time.sleep(0.05)
    assert threads <= before


def test_leaves_and_starts_are_asked_twice():
    class Moody(Paths):
        """Changes its mind where nothing is below."""

        asked = 0

        def look(self):
            said = super().look()
            self.asked += 1
            return said if isinstance(said, list) and said else self.asked % 2 == 0

    for graph in (nx.path_graph(3), nx.empty_graph(2)):
        with pytest.raises(pessoi.InputError, match=r"look\(\) must give the same") as error:
            Moody(graph).count()
        assert error.value.field == "look"

    class Wandering(pessoi.StateSpace):
        asked = 0

        def starts(self):
            self.asked += 1
            return [self.asked]

        def moves(self, state):
            return []

    with pytest.raises(pessoi.InputError, match=r"starts\(\) must give the same") as error:
        Wandering().layers()
    assert error.value.field == "starts"


ROW = Paths(nx.path_graph(3))


@pytest.mark.parametrize(
    ("work", "field"),
    [
        (lambda: ROW.estimate(0), "options.samples"),
        (lambda: ROW.estimate(-1), "options.samples"),
        (lambda: ROW.estimate(1.5), "options.samples"),
        (lambda: ROW.estimate(10**30), "options.samples"),
        (lambda: ROW.estimate(True), "options.samples"),
        (lambda: ROW.estimate(seed=-1), "options.seed"),
        (lambda: ROW.estimate(seed="x"), "options.seed"),
        (lambda: ROW.find(-1), "options.limit"),
        (lambda: ROW.find("all"), "options.limit"),
        (lambda: ROW.find(time="soon"), "options.time"),
        (lambda: ROW.count(time=0), "options.time"),
        (lambda: ROW.count(time=True), "options.time"),
        (lambda: ROW.count(time=[5]), "options.time"),
        (lambda: ROW.count(time=float("nan")), "options.time"),
        (lambda: ROW.count(time=timedelta(seconds=-1)), "options.time"),
        (lambda: Apart([True]).sample(-1), "options.number"),
        (lambda: Apart([True]).sample(2**64), "options.number"),
        (lambda: Apart([True]).sample(seed=2**64), "options.seed"),
        (lambda: Space(nx.path_graph(2), [0]).path(0, 1, time="x"), "options.time"),
    ],
)
def test_odd_numbers_and_times(work, field):
    with pytest.raises(pessoi.InputError) as error:
        work()
    assert error.value.field == field and str(error.value).endswith(".")


@pytest.mark.parametrize("sites", [-1, 1.5, "3", None, True, 2**64])
def test_odd_sites(sites):
    game = Apart([True])
    game.sites = sites
    with pytest.raises(pessoi.InputError) as error:
        game.count()
    assert error.value.field == "sites"


def test_times_are_given_as_to_the_verbs():
    for time_ in (60, 60.0, "1m", "90s", timedelta(minutes=1), None):
        assert ROW.count(time=time_) == 2
    assert ROW.find(0) == [] and Apart([True]).sample(0) == []


def test_what_was_found_until_the_limit_is_kept():
    class Slow(Paths):
        def solution(self):
            if len(seen) == 3:
                for_ever()
            seen.append(super().solution())
            return seen[-1]

    seen = []
    with pytest.raises(pessoi.GaveUp) as error:
        Slow(nx.complete_graph(4)).find(None, time=0.1)
    assert error.value.found == seen and len(seen) == 3 and error.value.answer is None
    with pytest.raises(pessoi.GaveUp) as error:
        Hanging("start", for_ever).count(time=0.1)
    assert error.value.found is None


def test_the_methods_have_a_thread_of_their_own():
    class Local(Apart):
        def choose(self, site, border):
            names.add(threading.get_ident())
            return [(0, border)]

    names = set()
    Local([True] * 5).count()
    assert names and threading.get_ident() not in names


def test_slow_methods_end_at_the_limit():
    """Engines look at the clock once in thousands of steps: that was minutes."""
    calls = []

    def slow(value):
        calls.append(time.sleep(0.01))
        return value

    class Chain(Apart):
        def choose(self, site, border):
            return slow([(0, border), (1, border + 1)])

    class Tree(pessoi.Search):
        depth = 0

        def look(self):
            return slow([0, 1])

        def take(self, step):
            self.depth += 1

        def undo(self):
            self.depth -= 1

    tree = Tree()
    for work in (Chain([True] * 10**6).count, Chain([True] * 10**6).sample, tree.count):
        calls.clear()
        with pytest.raises(pessoi.GaveUp, match="the time limit of 0.1 s passed"):
            work(time=0.1)
        assert len(calls) < 100
    # It is left where it began.
    assert tree.depth == 0
