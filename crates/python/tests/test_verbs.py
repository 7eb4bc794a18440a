"""Verbs, answers, boards, tables and saved answers."""

import copy
import json
import pickle
import subprocess
import sys
from itertools import permutations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pessoi

KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
STEPS = {"wazir-tours": [(0, 1), (1, 0), (0, -1), (-1, 0)], "knight-tours": KNIGHT}


def hamiltonian_paths(graph: nx.Graph) -> int:
    """Undirected Hamiltonian paths, by walking all of them."""

    def walk(at, seen):
        if len(seen) == len(graph):
            return 1
        return sum(walk(to, seen | {to}) for to in graph[at] if to not in seen)

    directed = sum(walk(node, {node}) for node in graph)
    return directed if len(graph) == 1 else directed // 2


def moves_graph(cells, steps) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    there = set(cells)
    for row, col in cells:
        graph.add_edges_from(
            ((row, col), (row + r, col + c)) for r, c in steps if (row + r, col + c) in there
        )
    return graph


boards = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12)


@settings(max_examples=40, deadline=None)
@given(cells=boards, game=st.sampled_from(sorted(STEPS)))
def test_counts_and_lists_agree_with_brute_force(cells, game):
    board = pessoi.Board(sorted(cells))
    graph = moves_graph(board.cells, STEPS[game])
    number = hamiltonian_paths(graph)
    assert int(pessoi.count(game, board)) == number
    tours = [tour.cells for tour in pessoi.list(game, board)]
    assert len(tours) == len({tuple(tour) for tour in tours}) == number
    for tour in tours:
        assert sorted(tour) == board.cells
        assert all(graph.has_edge(a, b) for a, b in zip(tour, tour[1:]))
    exported = pessoi.export(game, board).graph.to_networkx()
    assert set(exported) == set(graph)
    assert set(map(frozenset, exported.edges)) == set(map(frozenset, graph.edges))


@settings(max_examples=30, deadline=None)
@given(mask=st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=4))
def test_masks_cells_and_drawings_are_one_board(mask):
    array = np.array(mask)
    if not array.any():
        with pytest.raises(pessoi.InputError, match="at least one cell"):
            pessoi.Board(array)
        return
    board = pessoi.Board(array)
    assert board.cells == [tuple(cell) for cell in np.argwhere(array).tolist()]
    assert (np.array(board.mask) == array).all()
    assert pessoi.Board(str(board)) == board == pickle.loads(pickle.dumps(board))
    assert hash(pessoi.Board(str(board))) == hash(board)
    grid = nx.grid_2d_graph(*array.shape).subgraph(board.cells)
    for cell in board:
        assert sorted(board.neighbours(cell)) == sorted(grid[cell])
    for symmetry in board.symmetries:
        assert sorted(symmetry.permutation) == list(range(len(board)))
        for a, b in grid.edges:
            assert grid.has_edge(symmetry(a), symmetry(b))


@pytest.mark.parametrize("mask", [[[True, False], [True, True]], [[True, True]], [[True], [True]]])
def test_masks_of_two_columns_are_no_cells(mask):
    board = pessoi.Board(np.array(mask))
    assert pessoi.Board(mask) == board == pessoi.Board(board.mask)
    with pytest.raises(pessoi.InputError, match="astype"):
        pessoi.Board(np.array(mask, dtype=object))
    with pytest.raises(pessoi.InputError):
        pessoi.find("knight-tours", "5x5", from_=(True, False))


def test_masks_that_are_too_large_are_not_unrolled():
    with pytest.raises(pessoi.InputError, match="too large"):
        pessoi.Board(np.broadcast_to(True, (200_000, 200_000)))


def test_boards():
    board = pessoi.Board("3x4")
    assert (len(board), board.rows, board.columns, board.lattice, board.shape) == (
        12, 3, 4, "square", "3x4",
    )
    assert board[0] == (0, 0) and board[-1] == (2, 3) and (2, 3) in board
    assert (9, 9) not in board and "x" not in board
    assert len(board.symmetries) == 4 and board.symmetries[0].name == "identity"
    assert board.symmetries[1]((0, 0)) == (2, 3)
    assert repr(board) == 'Board("3x4")' and board._repr_svg_().startswith("<svg")
    assert len(pessoi.Board("P3x4").symmetries) == 2
    assert pessoi.Board("P2x2") != pessoi.Board("2x2")
    assert pessoi.Board([(0, 0), (0, 1)], lattice="hex").lattice == "hex"
    assert pessoi.Board("1 0\n0 .").clues == {(0, 0): 1}
    assert int(pessoi.count("wazir-tours", np.ones((2, 3), dtype=bool))) == 8
    assert int(pessoi.count("wazir-tours", [(0, 0), (0, 1), (1, 0), (1, 1)])) == 4
    with pytest.raises(KeyError):
        board.neighbours((7, 7))
    with pytest.raises(IndexError):
        board[12]


def test_answers():
    answer = pessoi.count("diplomatico", "5x5")
    assert int(answer) == answer.value == 6200 and float(answer) == 6200.0
    assert range(7000)[answer] == 6200
    assert (answer.standing, answer.game, answer.verb, answer.stop) == (
        "exact", "diplomatico", "count", None,
    )
    assert answer.question == "count diplomatico 5x5"
    assert answer.cost["seconds"] > 0
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert "6200 undirected open paths, exactly" in repr(answer)
    assert "6200" in str(answer) and "6200" in answer._repr_html_()
    # A single number is no plot.
    assert answer.svg() is None
    none = pessoi.find("knight-tours", "3x3")
    assert (none.standing, none.value, int(none)) == ("none", 0, 0)


def test_large_numbers():
    answer = pessoi.count("go", "7x7")
    assert int(answer) == 83677847847984287628595
    residue = pessoi.count("go", "4x4", mod=1000)
    assert residue.residue == (24318165 % 1000, 1000) and residue.value is None
    with pytest.raises(TypeError, match="not an exact number"):
        int(residue)


def test_numbers_with_more_digits_than_python_reads():
    class Digits(pessoi.Sweep):
        sites = 5000

        def start(self):
            return 0

        def choose(self, site, border):
            return [(digit, 0) for digit in range(10)]

    assert Digits().count() == 10**5000


def test_an_option_is_given_once():
    with pytest.raises(pessoi.InputError, match="given twice"):
        pessoi.find("knight-tours", "5x5", from_=(0, 0), **{"from": "5,5"})
    assert pessoi.count("knight-tours", "9x9", method="search", time=1e-5).stop


def test_options():
    assert int(pessoi.count("knight-tours", "5x5", from_=(0, 0))) == 304
    assert int(pessoi.count("knight-tours", "5x5", from_="1,1")) == 304
    assert int(pessoi.count("knight-tours", "5x5", from_=np.array([0, 0]))) == 304
    assert int(pessoi.count("knight-tours", "5x6", closed=True)) == 8
    assert int(pessoi.count("knight-tours", "5x5", closed=False, method=None)) == 864
    assert int(pessoi.count("knight-loops", np.int64(4))) == 3
    parts = [pessoi.count("diplomatico", "5x5", part=(i, 3)) for i in (3, 1, 2)]
    assert int(pessoi.merge(parts)) == 6200
    assert int(pessoi.merge(part.to_json().encode() for part in parts)) == 6200


def test_estimates():
    answer = pessoi.estimate("diplomatico", "5x5", seed=1)
    low, high = answer.interval
    assert answer.standing == "estimated" and low < answer.value < high
    assert float(answer) == answer.value and answer.seed == 1
    assert pessoi.estimate("diplomatico", "5x5", seed=1).value == answer.value


def test_tables_by_arrow():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    (table,) = pessoi.explore("square-slide", "2x3").tables.values()
    assert table.id == "distances" and table.columns == ["slides", "configurations"]
    assert len(table) == 22 and sum(table["configurations"]) == 360
    frame = pl.DataFrame(table)
    assert frame["configurations"].to_list() == table["configurations"]
    assert frame.rows() == table.rows
    assert pd.DataFrame.from_arrow(table)["slides"].tolist() == table["slides"]
    assert pa.table(table).to_pydict() == table.to_dict()
    assert "configurations" in table._repr_html_() and "slides" in str(table)
    assert "slides" in table and "x" not in table
    with pytest.raises(KeyError, match="there are slides, configurations"):
        table["x"]
    # Numbers that fit into no 64 bits are decimals.
    terms = pessoi.recurrence("go", 2, terms=60)
    large = [table for table in terms.tables.values() if len(table)]
    for table in large:
        assert pa.table(table).num_rows == len(table)


def test_all_tables_are_read_by_arrow():
    import pyarrow as pa

    asked = [
        pessoi.analyze("diplomatico", "5x5", profile=True, solutions=True),
        pessoi.analyze("go", borders=4),
        pessoi.explore("diplomatico", "4x4"),
        pessoi.explore("go", "1x4"),
        pessoi.analyze("hex-slide", "P3x3"),
        pessoi.count("knight-loops", 8),
    ]
    tables = [table for answer in asked for table in answer.tables.values()]
    assert tables
    for table in tables:
        read = pa.table(table)
        assert read.column_names == table.columns and read.num_rows == len(table)


def test_slides():
    answer = pessoi.find("square-slide", "2x3", from_="2 1 3/4 5 .", to="1 2 3/5 4 .")
    (way,) = answer.solutions
    assert len(way.moves) == answer.value == len(way) - 1
    positions = way.to_numpy()
    assert positions.shape == (len(way), 2, 3)
    assert positions[0].tolist() == [[2, 1, 3], [4, 5, 0]]
    for move, before, after in zip(way.moves, positions, positions[1:]):
        tile = int(move.piece)
        assert before[move.source] == tile == after[move.target]
        assert before[move.target] == 0 == after[move.source]
    assert way._repr_svg_().startswith("<svg")


def test_go_positions():
    positions = pessoi.sample("go", "4x4", samples=20, seed=1).solutions
    arrays = np.array([position.to_numpy()[0] for position in positions])
    assert arrays.shape == (20, 4, 4) and set(np.unique(arrays)) <= {0, 1, 2}
    for array in arrays:
        # Each chain of a colour has an empty point beside it.
        for colour in (1, 2):
            grid = nx.grid_2d_graph(4, 4)
            stones = [tuple(point) for point in np.argwhere(array == colour).tolist()]
            for chain in nx.connected_components(grid.subgraph(stones)):
                beside = {near for stone in chain for near in grid[stone]}
                assert any(array[point] == 0 for point in beside)


def is_legal(position) -> bool:
    """Whether each chain of stones has an empty point beside it; a dict from points to colours."""
    grid = nx.grid_2d_graph(5, 5).subgraph(position)
    return all(
        any(position[near] == 0 for stone in chain for near in grid[stone])
        for colour in (1, 2)
        for chain in nx.connected_components(
            grid.subgraph([point for point in position if position[point] == colour])
        )
    )


@settings(max_examples=25, deadline=None)
@given(
    points=st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=7),
    method=st.sampled_from(["auto", "sweep"]),
)
def test_go_counts_agree_with_brute_force(points, method):
    board = pessoi.Board(sorted(points))
    positions = (dict(zip(board, colours)) for colours in product(range(3), repeat=len(board)))
    assert int(pessoi.count("go", board, method=method)) == sum(map(is_legal, positions))


def test_go_positions_are_drawn():
    position, *_ = pessoi.sample("go", "9x9", samples=2, seed=3).solutions
    stones = np.count_nonzero(position.to_numpy() > 0)
    svg = position._repr_svg_()
    assert svg.startswith("<svg") and svg.count("<circle") == stones > 0
    answer = pessoi.sample("go", "5x5", samples=3)
    assert answer._repr_html_().count("<svg") == 3 and answer.svg().count("<g transform") == 3


def test_solutions_of_streams_are_drawn():
    for stream in (
        pessoi.list("knight-tours", "5x5"),
        pessoi.classify("wazir-tours", "3x3"),
        pessoi.list("knight-loops", 6),
    ):
        assert next(stream)._repr_svg_().startswith("<svg")


def test_very_large_things_are_not_drawn():
    small, large = pessoi.Board("30x30"), pessoi.Board("300x300")
    assert small._repr_svg_() and large._repr_svg_() is None
    (tour,) = pessoi.find("wazir-tours", "1x60").solutions
    (long,) = pessoi.find("wazir-tours", "2x9000").solutions
    assert tour._repr_svg_() and long._repr_svg_() is None
    answer = pessoi.find("wazir-tours", "2x9000")
    assert len(answer._repr_html_()) < 1 << 20 and answer.svg()


def test_go_positions_of_a_board_with_absent_points():
    (position,) = pessoi.sample("go", "..#\n...", seed=1).solutions
    assert position.to_numpy()[0].shape == (2, 3) and position.to_numpy()[0][0, 2] == -1


def test_graphs():
    graph = pessoi.export("knight-tours", "4x4").graph
    assert len(graph) == 16 and not graph.directed
    made = graph.to_networkx()
    expected = moves_graph([(r, c) for r in range(4) for c in range(4)], KNIGHT)
    assert set(made) == set(expected)
    assert set(map(frozenset, made.edges)) == set(map(frozenset, expected.edges))
    other = graph.to_igraph()
    assert other.vcount() == 16 and other.ecount() == made.number_of_edges()
    matrix = graph.to_scipy()
    assert matrix.shape == (16, 16) and (matrix != matrix.T).nnz == 0
    assert matrix.sum() == 2 * made.number_of_edges()
    assert np.asarray(graph.edges).tolist() == [list(pair) for pair in graph.pairs()]
    directed = pessoi.export("go", "1x2").graph
    assert directed.directed and directed.to_networkx().is_directed()
    assert directed.to_scipy().sum() == len(directed.pairs())


def things():
    """One of each kind, with what can be compared of it."""
    answer = pessoi.explore("square-slide", "2x2")
    graph = pessoi.export("go", "1x2").graph
    (way,) = pessoi.find("square-slide", "2x3", from_="1 2 3/. 4 5").solutions
    loop = next(pessoi.classify("knight-loops", 6))
    puzzle = pessoi.generate("hopido", "5x5", seed=3).puzzle
    return [
        (answer, lambda it: it.to_json()),
        (next(iter(answer.tables.values())), lambda it: (it.id, it.rows)),
        (graph, lambda it: (it.name, it.nodes, it.pairs(), it.labels, it.directed)),
        (way, lambda it: (it, it.moves, it._repr_svg_())),
        (loop, lambda it: (it, it.orbit, it.symmetries)),
        (way.moves[0], lambda it: (it, hash(it))),
        (puzzle, lambda it: (it, it.clues)),
        (pessoi.Board("P3x4"), lambda it: (it, it.shape, it.lattice)),
        (pessoi.Board("..#\n..."), lambda it: (it, it.shape)),
        (pessoi.Board("3x4").symmetries[1], lambda it: (it, hash(it), it.name, it((0, 0)))),
        (pessoi.games("go"), lambda it: it),
        (pessoi.plan("count", "go", "9x9"), lambda it: it),
        (pessoi.verify(pessoi.find("knight-tours", "5x5")), lambda it: it),
    ]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_things_can_be_pickled_and_copied(protocol):
    for thing, same in things():
        again = pickle.loads(pickle.dumps(thing, protocol))
        assert type(again) is type(thing) and same(again) == same(thing)
        for copied in (copy.copy(thing), copy.deepcopy(thing), copy.deepcopy([thing])[0]):
            assert same(copied) == same(thing)
            # What cannot be changed is its own copy.
            assert copied is thing or type(thing).__module__ != "pessoi"


def test_what_cannot_be_pickled_says_so():
    stream = pessoi.list("knight-loops", 8)
    array = pessoi.export("go", "1x2").graph.edges
    for thing in (stream, array):
        for work in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be pickled or copied"):
                work(thing)
    # A pickle that was changed.
    for made, args in [
        ("solution_of", (b"[]",)),
        ("symmetry_of", (pessoi.Board("2x3"), [0, 0, 0, 0, 0, 0])),
    ]:
        with pytest.raises(pessoi.InputError):
            getattr(pessoi._pessoi, made)(*args)


def test_generate():
    answer = pessoi.generate("hopido", "5x5", seed=3)
    puzzle = answer.puzzle
    found = list(pessoi.list("hopido", puzzle))
    assert len(found) == 1
    for cell, number in puzzle.clues.items():
        assert found[0][number - 1] == cell


def test_plans_verdicts_and_formats(tmp_path):
    plan = pessoi.plan("count", "diplomatico", "6x6")
    assert plan.method and plan.why
    answer = pessoi.find("knight-tours", "5x5")
    verdict = pessoi.verify(answer)
    assert verdict and {finding.field for finding in verdict.findings} >= {"value", "solutions"}
    for name in ("tour.svg", "tour.json", "tour.csv", "tour.txt", "tour.pdf"):
        answer.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert pessoi.read(tmp_path / "tour.json") == answer
    assert pessoi.verify(str(tmp_path / "tour.json")).holds
    assert pessoi.convert(answer, "svg").startswith(b"<svg")
    assert answer.write("json") and answer.svg().startswith("<svg")
    forged = json.loads(answer.to_json())
    cells = forged["solutions"][0]["cells"]
    cells[0], cells[1] = cells[1], cells[0]
    with pytest.raises(pessoi.ForgedError) as error:
        pessoi.verify(json.dumps(forged).encode())
    assert error.value.code == "forged" and error.value.field
    saved = pessoi.list("knight-loops", 8).save(tmp_path / "loops.packed")
    assert pessoi.read(tmp_path / "loops.packed").value == saved.value == 480
    assert len(pessoi.read(tmp_path / "loops.packed").solutions) == 480


def test_games_and_schemas():
    games = pessoi.games()
    assert games["go"].title == pessoi.games("go").title
    assert "closed" in games["diplomatico"].options("count")
    assert "diplomatico" in str(games["diplomatico"])
    assert pessoi.schema("answer")["title"] == "Answer"


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (["count", "diplomatico", "5x5"], 0, "6200"),
        (["find", "knight-tours", "3x3"], 1, "there are no"),
        (["count", "chess"], 2, ""),
        (["--version"], 0, pessoi.__version__),
    ],
)
def test_the_command(args, code, text):
    done = subprocess.run(
        [sys.executable, "-m", "pessoi", *args], capture_output=True, text=True, check=False
    )
    assert done.returncode == code and text in done.stdout


def test_checkpoints(tmp_path):
    kept = tmp_path / "kept"
    answer = pessoi.count("knight-tours", "5x5", method="branch", checkpoint=kept)
    assert int(answer) == 864 and kept.exists()
    with pytest.raises(pessoi.InputError, match="is there already"):
        pessoi.count("knight-tours", "5x5", method="branch", checkpoint=kept)
    again = pessoi.count("knight-tours", "5x5", method="branch", checkpoint=kept, resume=True)
    assert int(again) == 864


def test_classes_of_small_boards_by_burnside():
    """One tour of each class, and the classes together are all tours."""
    for game, place in [("king-tours", "2x3"), ("wazir-tours", "3x3")]:
        classes = list(pessoi.classify(game, place))
        assert sum(tour.orbit for tour in classes) == int(pessoi.count(game, place))


def test_short_permutations_by_brute_force():
    cells = [(r, c) for r in range(2) for c in range(3)]
    graph = moves_graph(cells, STEPS["wazir-tours"])
    paths = {
        min(path, path[::-1])
        for path in permutations(cells)
        if all(graph.has_edge(a, b) for a, b in zip(path, path[1:]))
    }
    assert len(paths) == int(pessoi.count("wazir-tours", "2x3"))
