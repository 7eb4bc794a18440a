"""Own games: counted, sampled and explored as by brute force; inconsistent ones are refused."""

import math
from collections import Counter

import networkx as nx
import pytest
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
