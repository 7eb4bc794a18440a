"""Reads what Pessoi writes with the libraries that others use, and compares the contents.

    python read.py PESSOI [NAME …]

PESSOI is the command. It is asked some 230 questions: every game and every verb. Each answer is
saved as JSON, converted into every format that its game offers for the verb, and read again: the
numbers, paths, tables and graphs must be those of the JSON. Then come the checks of formats that
other programs use: solids by trimesh, problems solved by LKH and by a SAT solver, and games of Go
written by sgfmill. NAMEs choose some of the checks by their names.

It ends with 1 if anything differs, and says what.
"""

import csv
import io
import itertools
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import igraph
import jsonschema
import networkx
import pandas
import pydot
import pypdf
import trimesh
from lxml import etree
from pysat.formula import CNF
from pysat.solvers import Glucose4
from sgfmill import boards, sgf

PESSOI = str(Path(sys.argv[1]).resolve())
FOLDER = Path(tempfile.mkdtemp(prefix="pessoi-formats-"))
read = Counter()


def pessoi(*words, stdin=None, codes=(0,)):
    """What the command prints, as bytes. It must end with one of the codes."""
    done = subprocess.run([PESSOI, *words], input=stdin, capture_output=True, cwd=FOLDER)
    said = done.stderr.decode()
    assert done.returncode in codes, f"exit {done.returncode}: {said}"
    if done.returncode == 2:
        assert said.startswith("error: ") and said.rstrip().endswith((".", "?")), said
    return done.stdout


def saved(words, name="answer.json"):
    """Asks, keeps the JSON in a file, and gives the answer with its solutions."""
    text = pessoi(*words, "--format", "json", "--time", "60s", codes=(0, 1))
    (FOLDER / name).write_bytes(text)
    return answer_of(text)


def answer_of(text):
    if b"\n{" not in text.rstrip():
        return {"solutions": [], **json.loads(text)}
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    return {**lines[-1], "solutions": lines[:-1]}


def convert(form, *options, codes=(0,), name="answer.json"):
    return pessoi("convert", name, "--format", form, *options, codes=codes)


def cells(solution):
    return [tuple(map(int, cell.split(","))) for cell in solution["cells"]]


# --- every question in every format -----------------------------------------------------------

TOURS = {
    "diplomatico": ("5x5", "4x4"),
    "hopido": ("5x5", "4x5"),
    "knight-tours": ("5x5", "3x4"),
    "king-tours": ("4x4", "3x3"),
    "wazir-tours": ("4x4", "3x3"),
    "camel-tours": ("5x6", "4x4"),
    "zebra-tours": ("4x5", "3x4"),
    "giraffe-tours": ("4x5", "3x5"),
    "hidato": ("4x4", "3x3"),
    "numbrix": ("4x4", "3x3"),
}
# The beginning of a board whose numbers are wanted.
BEGUN = "\n".join(["1" + " 0" * 4] + ["0" + " 0" * 4] * 4) + "\n"
LOOPS = {
    "knight-loops": 8,
    "wazir-loops": 8,
    "king-loops": 5,
    "camel-loops": 6,
    "zebra-loops": 6,
    "giraffe-loops": 6,
    "diplomatico-loops": 6,
}


def questions():
    for game, (board, small) in TOURS.items():
        for closed in ([], ["--closed"]):
            yield ["find", game, board, *closed]
            yield ["count", game, board, *closed]
            yield ["export", game, small, *closed]
        yield ["list", game, small]
        yield ["classify", game, small]
        yield ["estimate", game, board, "--samples", "200"]
        yield ["sample", game, small]
        yield ["explore", game, small]
        rows = "2" if game in ("king-tours", "hidato") else "3"
        yield ["recurrence", game, rows, "--terms", "12"]
        yield ["analyze", game, small]
        yield ["analyze", game, small, "--solutions", "--profile"]
        yield ["trace", game, small]
        yield ["check", game, BEGUN]
        yield ["hint", game, BEGUN]
        if game not in ("camel-tours", "zebra-tours", "giraffe-tours"):
            yield ["generate", game, board]
    yield ["count", "knight-tours", "5x5", "--part", "1/3"]
    yield ["count", "knight-tours", "4x5", "--classes"]
    yield ["find", "knight-tours", "5x5", "--limit", "3"]
    yield ["find", "knight-tours", "3x4", "--all"]
    yield ["recurrence", "knight-tours", "3", "--closed", "--terms", "20"]
    yield ["recurrence", "knight-tours", "2", "--moves", "(0,1)+(1,1)", "--terms", "10"]
    for game, length in LOOPS.items():
        yield ["find", game, str(length)]
        yield ["count", game, str(length)]
        yield ["count", game, str(length), "--sequence"]
        yield ["list", game, str(length)]
        yield ["classify", game, str(length)]
        yield ["estimate", game, str(length), "--samples", "200"]
        yield ["sample", game, str(length), "--samples", "3"]
        yield ["analyze", game, str(length)]
    yield ["find", "knight-loops", "5x5", "--longest"]
    yield ["list", "knight-loops", "8", "--limit", "7"]
    yield ["list", "knight-loops", "8", "--part", "2/3"]
    for game, board, more in (
        ("square-slide", "2x3", []),
        ("square-slide", "3x3", ["--holes", "5"]),
        ("hex-slide", "P3x3", ["--holes", "5"]),
        ("hex-slide", "T3", ["--holes", "4"]),
    ):
        yield ["count", game, board, *more]
        yield ["explore", game, board, *more]
        yield ["analyze", game, board]
        yield ["sample", game, board, *more]
        yield ["export", game, board, "--pieces", *more]
    yield ["export", "square-slide", "2x2"]
    yield ["export", "square-slide", "2x3"]
    yield ["export", "hex-slide", "T3", "--holes", "4"]
    yield ["find", "square-slide", "3x3", "--from", "1 2 3/4 5 6/7 . 8"]
    yield ["find", "square-slide", "3x3", "--from", "1 2 3/4 5 6/8 7 ."]
    for game, board, start in (
        ("square-slide", "3x3", "1 2 3/5 4 6/8 7 ."),
        ("hex-slide", "P3x3", "2 1 3/4 5 6/7 . ."),
    ):
        for verb in ("trace", "check", "hint"):
            yield [verb, game, board, "--from", start]
    yield ["find", "hex-slide", "P3x3", "--from", "1 2 3/4 5 6/. . .", "--to", "1 2 3/4 . 6/5 . ."]
    yield ["sample", "square-slide", "3x3", "--distance", "5", "--holes", "1"]
    for board in ("1x5", "2x2", "3x3"):
        yield ["count", "go", board]
        yield ["estimate", "go", board, "--samples", "200"]
        yield ["sample", "go", board, "--samples", "3"]
        yield ["list", "go", board]
        yield ["classify", "go", board]
    yield ["count", "go", "5x5", "--mod", "1000003"]
    yield ["count", "go", "4x4", "--classes"]
    yield ["count", "go", "1..3x1..3"]
    yield ["count", "knight-tours", "1..5xn", "--closed"]
    yield ["count", "go", "1x3", "--games"]
    yield ["estimate", "go", "30x30", "--samples", "50"]
    yield ["find", "go", "1x4"]
    yield ["find", "go", "1x3", "--symmetric"]
    yield ["explore", "go", "1x4"]
    yield ["explore", "go", "2x2"]
    yield ["export", "go", "1x3"]
    yield ["export", "go", "2x2"]
    yield ["recurrence", "go", "1", "--terms", "15"]
    yield ["recurrence", "go", "2", "--terms", "15"]
    yield ["analyze", "go", "--borders", "5"]
    yield ["analyze", "go", "--formula", "4"]


def offered():
    """The formats of each game and verb, by id."""
    cards = json.loads(pessoi("games", "--format", "json"))
    return {
        (card["name"], verb): [form["id"] for form in about["formats"]]
        for card in cards
        for verb, about in card["verbs"].items()
    }


def is_sequence(words):
    return "--sequence" in words or ".." in words[2]


def is_plot(words):
    """Whether a picture of an answer is a plot of its numbers."""
    has_numbers = words[0] in ("count", "estimate", "explore", "recurrence")
    return has_numbers or (words[0] == "analyze" and words[1].endswith(("-slide", "go")))


def may_be_refused(words, form):
    """Formats that hold some answers to a verb, and not others."""
    pieces = "--pieces" in words
    return (
        (form == "svg" and is_plot(words))
        or form == "jsonl"
        or (form in ("bfile", "oeis") and words[0] == "count" and not is_sequence(words))
        or (form in ("svg", "pdf", "stl") and words[0] == "export" and not pieces)
        or (form in ("dot", "graphml") and pieces)
        or (form == "tsplib" and words[1] == "go" and words[2] == "2x2")
    )


def every_question_in_every_format():
    schema = json.loads(pessoi("schema", "answer"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    forms = offered()
    asked = set()
    for words in questions():
        try:
            answer = saved(words)
            asked.add((words[1], words[0]))
            whole = {**answer}
            if words[0] in ("list", "classify"):
                whole.pop("solutions", None)
            errors = [error.message for error in validator.iter_errors(whole)]
            assert not errors, errors[:3]
            for form in forms[words[1], words[0]]:
                refusable = may_be_refused(words, form)
                codes = (0, 2) if refusable else (0,)
                try:
                    bytes_ = convert(form, codes=codes)
                    if refusable and not bytes_:
                        continue
                    READERS[form](answer, bytes_, words)
                    read[form] += 1
                except Exception as error:
                    raise AssertionError(f"{form}: {error!r}") from error
        except Exception as error:
            yield f"{' '.join(words)}: {error}"
    read["questions"] = len(list(questions()))
    missing = set(forms) - asked
    if missing:
        # Puzzles of long leapers take long to make.
        missing -= {(game, "generate") for game in ("camel-tours", "zebra-tours", "giraffe-tours")}
    if missing:
        yield f"never asked: {sorted(missing)}"


def is_nothing(answer):
    return answer["value"]["standing"] in ("none", "gave-up")


def read_text(answer, text, words):
    text = text.decode()
    if words[0] == "generate" and not is_nothing(answer):
        # The puzzle can be solved again, and its solution is the only one.
        drawing = text.encode()
        count = json.loads(pessoi("count", words[1], "-", "--format", "json", stdin=drawing))
        assert count["value"]["number"] == "1", count["value"]
        found = json.loads(pessoi("find", words[1], "-", "--format", "json", stdin=drawing))
        assert found["solutions"][0]["cells"] == answer["solutions"][0]["cells"]
        assert "," not in text
        # The solution is added if it is asked for.
        more = convert("text", "--solution").decode()
        assert more.startswith(text) and len(more) > len(text)
    elif words[0] not in ("list", "classify") or answer["solutions"]:
        assert text.strip()


def read_json(answer, text, words):
    assert text == (FOLDER / "answer.json").read_bytes(), "JSON to JSON changes something"


def is_close(text, number):
    """Floats are written so that they are read as they were."""
    return float(text) == number


def table_of(text):
    """A CSV by pandas, twice: as text, and with the types that it finds."""
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    width = len(rows[0])
    assert all(len(row) == width for row in rows), "rows of several lengths"
    assert len(set(rows[0])) == width, "a column twice"
    assert all(re.fullmatch(r"[a-z0-9_]+(-[a-z0-9_]+)*", name) for name in rows[0]), rows[0]
    strings = pandas.read_csv(io.BytesIO(text), dtype=str, keep_default_na=False)
    typed = pandas.read_csv(io.BytesIO(text))
    assert strings.values.tolist() == rows[1:]
    assert len(typed) == len(rows) - 1
    assert list(typed.columns) == rows[0]
    return strings, typed


def is_whole(column):
    return pandas.api.types.is_integer_dtype(column)


def read_csv(answer, text, words):
    table_of(text)
    known = ["value"] + [table["id"] for table in answer.get("tables", [])]
    for name in ("facts", "solutions", "puzzle"):
        if answer.get(name):
            known.append(name)
    if "graph" in answer:
        known.append("edges")
    if "sequence" in answer:
        known.append("terms")
    for name in known:
        READ_TABLE.get(name, read_any_table)(answer, name, convert("csv", "--table", name))
        read["csv tables"] += 1
    refused = convert("csv", "--table", "nonsense", codes=(0, 2) if "solutions" in words else (2,))
    assert not refused


def read_value(answer, _, text):
    strings, typed = table_of(text)
    assert len(strings) == 1
    row, value = strings.iloc[0], answer["value"]
    assert row["verb"] == answer["question"]["verb"] and row["game"] == answer["question"]["game"]
    assert row["standing"] == value["standing"] and row["subject"] == answer["subject"]["id"]
    assert row["method"] == answer["method"]["id"]
    number = {"exact": "number", "at-least": "number", "residue": "residue", "estimated": "mean"}
    field = number.get(value["standing"])
    if value["standing"] == "estimated":
        for column, name in (("number", "mean"), ("low", "low"), ("high", "high")):
            holder = value if name == "mean" else value.get("interval") or {}
            expected = holder.get(name)
            assert (row[column] == "") == (expected is None), (column, row[column], expected)
            assert expected is None or is_close(row[column], expected)
        assert is_close(row["log10"], value["log10_mean"])
    elif field:
        assert row["number"] == value[field]
        if int(value[field]) < 2**63:
            assert is_whole(typed["number"]) and int(typed["number"][0]) == int(value[field])
    for name, setting in answer["question"].get("options", {}).items():
        setting = str(setting).lower() if isinstance(setting, bool) else setting
        assert f"{name}={setting}" in row["options"], row["options"]


def read_any_table(answer, name, text):
    strings, typed = table_of(text)
    table = next(table for table in answer["tables"] if table["id"] == name)
    names = [column["id"] for column in table["columns"]]
    assert list(strings.columns) == names + ["question"], (list(strings.columns), names)
    assert len(strings) == len(table["rows"])
    for k, column in enumerate(table["columns"]):
        values = [row[k] for row in table["rows"]]
        for written, value in zip(strings[column["id"]], values):
            if value is None:
                assert written == ""
            elif column["kind"] == "float":
                assert is_close(written, value), (written, value)
            elif column["kind"] == "boolean":
                assert written == str(value).lower()
            else:
                assert written == str(value), (written, value)
        full = values and None not in values
        if full and column["kind"] == "integer" and max(map(int, values)) < 2**63:
            assert is_whole(typed[column["id"]]), (column, typed[column["id"]].dtype)
        if full and column["kind"] == "float":
            assert pandas.api.types.is_numeric_dtype(typed[column["id"]])
        if full and column["kind"] == "boolean":
            assert pandas.api.types.is_bool_dtype(typed[column["id"]])


def read_facts(answer, _, text):
    strings, _ = table_of(text)
    assert list(strings["fact"]) == [fact["id"] for fact in answer["facts"]]
    for written, fact in zip(strings["value"], answer["facts"]):
        if fact["kind"] == "float" and fact["value"] is not None:
            assert is_close(written, fact["value"])
        elif fact["kind"] == "boolean":
            assert written == str(fact["value"]).lower()
        else:
            assert written == ("" if fact["value"] is None else str(fact["value"]))


def read_terms(answer, _, text):
    strings, typed = table_of(text)
    terms = answer["sequence"]["terms"]
    assert is_whole(typed["n"]) and list(typed["n"]) == [int(term["n"]) for term in terms]
    assert list(strings["value"]) == [term["value"] for term in terms]


def read_solutions(answer, _, text):
    strings, typed = table_of(text)
    found = answer["solutions"]
    assert is_whole(typed["solution"]) and is_whole(typed["number"])
    groups = [group for _, group in typed.groupby("solution", sort=False)]
    assert len(groups) == len(found)
    for group, solution in zip(groups, found):
        assert list(group["number"]) == list(range(1, len(group) + 1))
        if solution["figure"] == "path":
            assert list(zip(group["row"], group["column"])) == cells(solution)
        else:
            drawings = [drawing.rstrip() for drawing in solution["drawings"]]
            assert list(strings.loc[group.index, "position"]) == drawings
        if "class" in solution:
            assert set(group["orbit"]) == {int(solution["class"]["orbit"])}


def read_puzzle(answer, _, text):
    _, typed = table_of(text)
    clues = Counter(re.findall(r"\d+", answer["puzzle"]) if "\n" in answer["puzzle"] else [])
    clues.pop("0", None)
    assert list(zip(typed["row"], typed["column"])) == cells(answer["solutions"][0])
    shown = {str(number) for number in typed["number"][typed["clue"] == 1]}
    assert shown == set(clues), (shown, clues)


def edges_of(answer):
    graph = answer["graph"]
    return [(graph["nodes"][a], graph["nodes"][b]) for a, b in graph["edges"]]


def read_edges(answer, _, text):
    strings, typed = table_of(text)
    if "from_row" in strings:
        assert all(map(is_whole, (typed["from_row"], typed["to_column"])))
        one = [f"{r},{c}" for r, c in zip(strings["from_row"], strings["from_column"])]
        two = [f"{r},{c}" for r, c in zip(strings["to_row"], strings["to_column"])]
    else:
        one, two = strings["from"], strings["to"]
    assert list(zip(one, two)) == edges_of(answer)
    if answer["graph"].get("labels"):
        assert list(strings["label"]) == answer["graph"]["labels"]


READ_TABLE = {
    "value": read_value,
    "facts": read_facts,
    "terms": read_terms,
    "solutions": read_solutions,
    "puzzle": read_puzzle,
    "edges": read_edges,
}


def read_bfile(answer, text, words):
    lines = text.decode("ascii").splitlines()
    comments = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    terms = [tuple(map(int, line.split(" "))) for line in lines[len(comments) :]]
    expected = [(int(term["n"]), int(term["value"])) for term in answer["sequence"]["terms"]]
    assert terms == expected
    assert [n for n, _ in terms] == list(range(terms[0][0], terms[0][0] + len(terms)))
    said = "\n".join(comments)
    assert f"pessoi {' '.join(words[:3])}" in said, said
    assert answer["pessoi"] in said
    if "--moves" in words:
        assert words[words.index("--moves") + 1] in said
    assert all(len(line) > 2 and "?" not in line for line in comments), said


def read_oeis(answer, text, words):
    lines = text.decode("ascii").splitlines()
    # Pictures and tables stand to the right, in examples.
    assert all(re.match(r"%[NSOCFoYKE] \S|%e \s*\S", line) for line in lines), text
    data = [line[3:] for line in lines if line.startswith("%S")]
    terms = [int(term["value"]) for term in answer["sequence"]["terms"]]
    assert len(data) == 1 and len(data[0]) <= 260
    numbers = [int(number) for number in data[0].split(", ")] if data[0] else []
    assert numbers == terms[: len(numbers)]
    assert any(f"pessoi {' '.join(words[:3])}" in line for line in lines if line.startswith("%o"))


def graph_by_names(answer):
    return Counter(edges_of(answer))


def read_graphml(answer, text, words):
    graph = answer["graph"]
    tree = etree.fromstring(text)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    ids = [node.get("id") for node in tree.iter(space + "node", space + "graph", space + "key")]
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in ids) and len(set(ids)) == len(ids)
    path = FOLDER / "graph.graphml"
    path.write_bytes(text)
    one = networkx.read_graphml(path, force_multigraph=True)
    two = igraph.Graph.Read_GraphML(str(path))
    assert one.is_directed() == two.is_directed() == graph.get("directed", False)
    assert one.number_of_nodes() == two.vcount() == len(graph["nodes"])
    assert one.number_of_edges() == two.ecount() == len(graph["edges"])
    assert [name for _, name in one.nodes("name")] == two.vs["name"] == graph["nodes"]
    assert one.graph["name"] == graph["name"] and two["name"] == graph["name"]
    names = dict(one.nodes("name"))
    order = (lambda a, b: (a, b)) if one.is_directed() else (lambda a, b: tuple(sorted((a, b))))
    expected = Counter(order(a, b) for a, b in edges_of(answer))
    assert Counter(order(names[a], names[b]) for a, b, _ in one.edges(data=True)) == expected
    ends = [(two.vs[a]["name"], two.vs[b]["name"]) for a, b in two.get_edgelist()]
    assert Counter(order(a, b) for a, b in ends) == expected
    if graph.get("labels"):
        assert Counter(two.es["label"]) == Counter(graph["labels"])
        labels = [data["label"] for _, _, data in one.edges(data=True)]
        assert Counter(map(str, labels)) == Counter(graph["labels"])
    if words[1].endswith("-tours"):
        data = [(data["row"], data["column"]) for _, data in one.nodes(data=True)]
        assert [f"{row},{column}" for row, column in data] == graph["nodes"]


def read_dot(answer, text, words):
    (dot,) = pydot.graph_from_dot_data(text.decode())
    graph = answer["graph"]
    assert dot.get_type() == ("digraph" if graph.get("directed") else "graph")
    plain = lambda name: name.strip('"')
    assert [plain(node.get_name()) for node in dot.get_nodes()] == graph["nodes"]
    ends = [(plain(e.get_source()), plain(e.get_destination())) for e in dot.get_edges()]
    # Edges alike are kept together.
    assert Counter(ends) == graph_by_names(answer)


def problem_of(text):
    """A problem of TSPLIB: its keywords, and the numbers of its sections up to -1."""
    keywords, sections, section = {}, {}, None
    lines = text.splitlines()
    assert lines[-1] == "EOF"
    for line in lines[:-1]:
        if " : " in line:
            name, value = line.split(" : ", 1)
            keywords[name] = value
        elif line.endswith("_SECTION"):
            section = sections.setdefault(line, [])
        else:
            section.append(tuple(map(int, line.split())))
    for name, rows in sections.items():
        if name != "EDGE_WEIGHT_SECTION":
            assert rows.pop() == (-1,), name
    return keywords, sections


def read_tsplib(answer, text, words):
    keywords, sections = problem_of(text.decode("ascii"))
    size = int(keywords["DIMENSION"])
    if words[1] == "go":
        rows = sections["EDGE_WEIGHT_SECTION"]
        assert keywords["TYPE"] == "TSP" and len(rows) == size
        assert all(len(row) == size for row in rows)
        assert all(rows[a][b] == rows[b][a] for a in range(size) for b in range(a))
        return
    graph = answer["graph"]
    nodes, closed = len(graph["nodes"]), "--closed" in words
    assert keywords["TYPE"] == "HCP" and size == nodes + (not closed)
    expected = [(a + 1, b + 1) for a, b in graph["edges"]]
    expected += [] if closed else [(node + 1, nodes + 1) for node in range(nodes)]
    assert sections == {"EDGE_DATA_SECTION": expected}


def read_dimacs(answer, text, words):
    """Every tour is a solution, as often as the book says."""
    problem = CNF(from_string=text.decode())
    n = len(answer["graph"]["nodes"])
    count = json.loads(pessoi("count", *words[1:], "--format", "json", codes=(0, 1)))
    paths = int(count["value"].get("number", 0))
    each = 2 * n if "--closed" in words else 2
    assert models(problem) == each * paths, (models(problem), each, paths)


def models(problem):
    with Glucose4(bootstrap_with=problem) as solver:
        return sum(1 for _ in solver.enum_models())


def read_jsonl(answer, text, words):
    if not text:
        assert not answer.get("tables")
        return
    table = answer["tables"][0]
    names = [column["id"] for column in table["columns"]]
    rows = [json.loads(line) for line in text.decode().splitlines()]
    assert [[row[name] for name in names] for row in rows] == table["rows"]
    typed = pandas.read_json(io.BytesIO(text), lines=True, dtype=False)
    assert len(typed) == len(rows) and list(typed.columns) == list(rows[0])


def read_svg(answer, text, words):
    if not text:
        assert is_plot(words) or not answer.get("solutions") or is_nothing(answer)
        return
    tree = etree.fromstring(text)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    title = tree.find("{http://www.w3.org/2000/svg}title").text
    assert title, title
    if is_plot(words):
        # Nothing is drawn at a place that is no number.
        assert not re.search(rb'="[^"]*(NaN|inf)', text)
        return
    if words[0] == "trace":
        steps = [row for table in answer["tables"] if table["id"] == "steps" for row in table["rows"]]
        said = [text for text in tree.itertext() if re.match("Step [0-9]+ of", text)]
        assert len(said) == len(steps), (len(said), len(steps))
    if words[0] in ("list", "classify"):
        drawn = len(tree.findall("./{http://www.w3.org/2000/svg}g[@transform]"))
        wanted = min(len(answer["solutions"]), 60)
        assert drawn == (wanted if wanted > 1 else 0), (drawn, wanted)
    if words[1] == "go":
        stones = len(tree.findall(".//{http://www.w3.org/2000/svg}circle"))
        drawn = "".join(row for each in answer["solutions"][:60] for row in each["drawings"])
        assert stones == len(re.findall("[XO]", drawn)), (stones, drawn)
    if words[0] == "generate":
        # The puzzle, not its solution.
        labels = [label.text for label in tree.iter("{http://www.w3.org/2000/svg}text")]
        clues = [word for word in re.findall(r"\d+", answer["puzzle"]) if int(word)]
        assert sorted(labels) == sorted(clues), (labels, clues)


def read_pdf(answer, text, words):
    if not text:
        assert not answer.get("solutions")
        return
    document = pypdf.PdfReader(io.BytesIO(text), strict=True)
    several = words[0] in ("list", "classify", "generate") or words[1] == "go" or "-slide" in words[1]
    assert len(document.pages) == 1 or several
    said = document.pages[0].extract_text()
    assert words[1] in said or "--pieces" in words, said
    if words[0] == "generate":
        # All clues, and none of the other numbers of the solution.
        clues = {word for word in re.findall(r"\d+", answer["puzzle"]) if int(word)}
        numbers = lambda page: {
            number
            for line in page.extract_text().splitlines()
            if re.fullmatch(r"[\d ]+", line)
            for number in line.split()
        }
        assert numbers(document.pages[0]) == clues, said
        # The solution is on a page of its own.
        last = len(answer["solutions"][0]["cells"])
        assert numbers(document.pages[-1]) >= set(map(str, range(1, last + 1)))


def read_packed(answer, text, words):
    """As the book describes it."""
    first, head, rest = text.split(b"\n", 2)
    assert first == f"pessoi-packed 2 {words[1]}".encode()
    head = json.loads(head)
    length = int.from_bytes(rest[-8:], "little")
    tail = json.loads(rest[-8 - length : -8])
    assert tail["value"] == answer["value"]
    packed = rest[: -8 - length]
    size, bits = head["bytes"], head["bits"]
    loops = [packed[k : k + size] for k in range(0, len(packed), size)]
    assert len(loops) == len(answer["solutions"])
    for loop, solution in zip(loops, answer["solutions"]):
        number = int.from_bytes(loop, "little")
        path = cells(solution)
        for k, (a, b) in enumerate(zip(path, path[1:] + path[:1])):
            step = head["moves"][(number >> (k * bits)) & ((1 << bits) - 1)]
            assert (b[0] - a[0], b[1] - a[1]) == tuple(step)
    (FOLDER / "list.packed").write_bytes(text)
    assert convert("json", name="list.packed") == (FOLDER / "answer.json").read_bytes()
    assert convert("svg", name="list.packed") == convert("svg")


def read_stl(answer, text, words):
    tiles = next(int(fact["value"]) for fact in answer["facts"] if fact["id"] == "tiles")
    solids(text, tiles)


def solids(text, tiles):
    """Solids that a slicer takes as they are."""
    scene = trimesh.load(io.BytesIO(text), file_type="stl_ascii", force="scene")
    parts = scene.geometry
    assert set(parts) == {"board"} | {f"tile {k + 1}" for k in range(tiles)}, set(parts)
    for name, mesh in parts.items():
        assert mesh.is_watertight, f"{name} is not watertight"
        assert mesh.is_winding_consistent, f"{name} has faces inside out"
        assert mesh.is_volume and mesh.volume > 0, f"{name}: {mesh.volume}"
        faces = Counter(map(tuple, mesh.edges_sorted.tolist()))
        assert set(faces.values()) == {2}, f"{name}: edges with {set(faces.values())} faces"
        read["solids"] += 1
    return parts


READERS = {
    "text": read_text,
    "json": read_json,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "bfile": read_bfile,
    "oeis": read_oeis,
    "graphml": read_graphml,
    "dot": read_dot,
    "tsplib": read_tsplib,
    "dimacs": read_dimacs,
    "svg": read_svg,
    "pdf": read_pdf,
    "packed": read_packed,
    "stl": read_stl,
}


# --- what other programs make of it -----------------------------------------------------------


def random_board(dice, rows, cols, blocked):
    while True:
        drawing = [
            "".join("#" if dice.random() < blocked else "." for _ in range(cols)) for _ in range(rows)
        ]
        if sum(row.count(".") for row in drawing) >= 2:
            return drawing


def random_solids():
    """Boards of all shapes, cells that meet in corners only among them."""
    dice = random.Random(14)
    for k in range(60):
        hex_ = k % 3 == 0
        rows, cols = dice.randint(1, 6), dice.randint(2, 7)
        drawing = random_board(dice, rows, cols, dice.choice((0.0, 0.2, 0.5)))
        text = "\n".join(drawing) + "\n"
        if hex_:
            # Each row is shifted against the one above, to either side.
            shifts = list(itertools.accumulate(dice.choice((1, -1)) for _ in drawing))
            rows_ = (" " * (s - min(shifts)) + " ".join(row) for s, row in zip(shifts, drawing))
            text = "hex\n" + "\n".join(rows_) + "\n"
        game = "hex-slide" if hex_ else "square-slide"
        words = ["export", game, "-", "--pieces", "--holes", "1", "--format"]
        try:
            facts = json.loads(pessoi(*words, "json", stdin=text.encode()))["facts"]
            tiles = next(int(fact["value"]) for fact in facts if fact["id"] == "tiles")
            parts = solids(pessoi(*words, "stl", stdin=text.encode()), tiles)
            number = sum(row.count(".") for row in drawing)
            area = 24 * 24 * (math.sqrt(3) / 2 if hex_ else 1)
            board = parts["board"].volume
            # The plate, and walls on at most all sides of all cells.
            assert 2 * area * number < board < (2 * area + 6 * 6 * 2.4 * 30) * number, board
            if not hex_ and number == rows * cols:
                walls = 2 * 2.4 * 24 * (rows + cols) + 4 * 2.4**2
                assert abs(board - (2 * area * number + 6 * walls)) < 1e-3 * board
            tile = 4 * (0.95**2) * area
            for name, mesh in parts.items():
                if name != "board":
                    assert tile * 1.001 < mesh.volume < tile * 1.05, (name, mesh.volume, tile)
        except Exception as error:
            yield f"{game} {drawing}: {error}"


# It is in a process of its own: what LKH cannot read ends the process.
LKH = """
import elkai._elkai, sys
text = open(sys.argv[1]).read()
print(*elkai._elkai.solve_problem(f"RUNS = 10\\nPROBLEM_FILE = {sys.argv[1]}\\n", text))
"""


def lkh(problem):
    """A tour by LKH, as it is written to a file."""
    (FOLDER / "problem.tsp").write_text(problem)
    words = [sys.executable, "-c", LKH, "problem.tsp"]
    done = subprocess.run(words, capture_output=True, cwd=FOLDER, timeout=120)
    assert done.returncode == 0, f"LKH ended with {done.returncode}"
    nodes = done.stdout.decode().split()
    head = f"NAME : problem.tour\nTYPE : TOUR\nDIMENSION : {len(nodes)}\nTOUR_SECTION"
    return "\n".join([head, *nodes, "-1", "EOF", ""])


def clued(game, board, closed, dice):
    """A board with clues that follow each other, from a tour."""
    found = saved(["find", game, board, *closed, "--seed", str(dice.randint(1, 999))])
    path = cells(found["solutions"][0])
    n = len(path)
    size = dice.randint(1, 5)
    start = dice.randrange(n) if closed else dice.choice((0, n - size))
    numbers = {path[(start + k) % n]: (start + k) % n + 1 for k in range(size)}
    rows, cols = map(int, board.split("x"))
    text = "\n".join(
        " ".join(str(numbers.get((r + 1, c + 1), 0)) for c in range(cols)) for r in range(rows)
    )
    return text + "\n"


def tours_by_lkh():
    """LKH solves the problem, the command reads the tour back, and verify holds it."""
    dice = random.Random(5)
    cases = [
        ("knight-tours", "6x6", True, False),
        ("knight-tours", "5x6", False, False),
        ("diplomatico", "6x6", True, False),
        ("diplomatico", "5x5", False, False),
        ("king-tours", "5x5", True, True),
        ("wazir-tours", "4x5", True, True),
        ("wazir-tours", "4x5", False, True),
        ("knight-tours", "6x6", True, True),
        ("knight-tours", "5x6", False, True),
        ("knight-tours", "6x7", False, True),
        ("diplomatico", "6x6", True, True),
        ("diplomatico", "5x6", False, True),
    ]
    for game, board, is_closed, with_clues in cases:
        closed = ["--closed"] if is_closed else []
        try:
            place = board
            if with_clues:
                place = "clues.txt"
                (FOLDER / place).write_text(clued(game, board, closed, dice))
            problem = pessoi("export", game, place, *closed, "--format", "tsplib").decode()
            tour = lkh(problem)
            (FOLDER / "tour.txt").write_text(tour)
            found = saved(["find", game, place, *closed, "--tour", "tour.txt"])
            assert found["method"]["id"] == "tour" and len(found["solutions"]) == 1
            assert b"All claims hold." in pessoi("verify", "answer.json")
            if with_clues:
                fixed = problem_of(problem)[1].get("FIXED_EDGES_SECTION", [])
                nodes = [int(word) for word in tour.split("TOUR_SECTION")[1].split()[:-2]]
                joined = {frozenset(pair) for pair in zip(nodes, nodes[1:] + nodes[:1])}
                assert all(frozenset(edge) in joined for edge in fixed), fixed
                read["edges fixed by clues"] += len(fixed)
            read["tours by LKH"] += 1
        except Exception as error:
            yield f"{game} {board} {closed} {'with clues' if with_clues else ''}: {error}"
    # What cannot be expressed is refused.
    apart = (("1 0 0 0\n0 0 0 0\n0 0 0 5\n", []), ("1 0 0\n0 5 0\n0 0 0\n", ["--closed"]))
    for text, closed in apart:
        (FOLDER / "clues.txt").write_text(text)
        words = ["export", "knight-tours", "clues.txt", *closed, "--format", "tsplib"]
        if pessoi(*words, codes=(2,)):
            yield f"{text!r} is not refused"
    # A cycle of Go positions, as the paper found them.
    try:
        problem = pessoi("export", "go", "1x3", "--format", "tsplib").decode()
        (FOLDER / "tour.txt").write_text(lkh(problem))
        saved(["find", "go", "1x3", "--symmetric", "--tour", "tour.txt"])
        assert b"All claims hold." in pessoi("verify", "answer.json")
    except Exception as error:
        yield f"go 1x3: {error}"


def models_are_tours():
    """As many models as the book says, also with clues and on boards that have no tour."""
    cases = [
        (["wazir-tours", "1x2", "--closed"], None),
        (["wazir-tours", "1x2"], None),
        (["wazir-tours", "1x1"], None),
        (["wazir-tours", "2x2", "--closed"], None),
        (["wazir-tours", "2x3", "--closed"], None),
        (["wazir-tours", "3x3", "--closed"], None),
        (["wazir-tours", "4x4", "--closed"], None),
        (["king-tours", "3x3", "--closed"], None),
        (["king-tours", "3x3"], None),
        (["knight-tours", "3x4"], None),
        (["knight-tours", "5x5"], None),
        (["knight-tours", "4x4"], None),
        (["diplomatico", "4x4"], None),
        (["diplomatico", "4x6", "--closed"], None),
        (["king-tours", "-"], "1 0 0\n0 0 0\n0 0 9\n"),
        (["king-tours", "-"], "0 3 0\n0 0 0\n0 # 0\n"),
        (["king-tours", "-", "--closed"], "0 3 0\n0 0 0\n0 7 0\n"),
        (["wazir-tours", "-", "--closed"], "1 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 5 0\n"),
    ]
    for words, drawing in cases:
        try:
            stdin = drawing and drawing.encode()
            dimacs = pessoi("export", *words, "--format", "dimacs", stdin=stdin).decode()
            count = json.loads(pessoi("count", *words, "--format", "json", stdin=stdin, codes=(0, 1)))
            n = math.isqrt(int(re.search(r"p cnf (\d+)", dimacs)[1]))
            each = 1 if drawing or n == 1 else 2 * n if "--closed" in words else 2
            expected = each * int(count["value"].get("number", 0))
            assert models(CNF(from_string=dimacs)) == expected, (models(CNF(from_string=dimacs)), expected)
            if expected:
                assert f"gives {each} solution" in dimacs
            read["SAT problems"] += 1
        except Exception as error:
            yield f"{' '.join(words)} {drawing!r}: {error}"


def games_by_sgfmill():
    """Random games, in several character sets, with text before them."""
    dice = random.Random(9)
    sets = ["UTF-8", "ISO-8859-1", "Shift_JIS", "GBK", None]
    remarks = {"Shift_JIS": "囲碁", "GBK": "围棋", None: "Grüße"}
    for k in range(50):
        side = dice.choice((3, 5, 7, 9, 19))
        charset = sets[k % len(sets)]
        game = sgf.Sgf_game(size=side, encoding=charset or "ISO-8859-1")
        remark = remarks.get(charset, "Grüße an Tromp & Farnebäck [1\\]")
        game.get_root().set("C", remark)
        board = boards.Board(side)
        colour = "b"
        for _ in range(dice.randint(0, 2 * side * side)):
            row, col = dice.randrange(side), dice.randrange(side)
            if board.get(row, col) is None:
                board.play(row, col, colour)
                game.extend_main_sequence().set_move(colour, (row, col))
                colour = "w" if colour == "b" else "b"
        text = game.serialise()
        if charset is None:
            text = text.replace(b"CA[ISO-8859-1]", b"")
        if k % 4 == 1:
            text = "From: Jürgen\nSubject: a game (the last)\n\n".encode("latin-1") + text
        (FOLDER / "game.sgf").write_bytes(text)
        try:
            answer = saved(["analyze", "go", f"{side}x{side}", "--position", "game.sgf"])
            signs = {None: ".", "b": "X", "w": "O"}
            expected = "".join(
                "".join(signs[board.get(side - 1 - r, c)] for c in range(side)) + "\n" for r in range(side)
            )
            assert answer["solutions"][0]["drawings"] == [expected]
            if k % 4 != 1:
                assert remark.split(" ")[0] in answer["question"]["options"]["position"]
            pessoi("verify", "answer.json", codes=(0, 3))
            read["games in SGF"] += 1
        except Exception as error:
            yield f"game {k}, {charset}, {side}x{side}: {error}"


def converting_is_as_asking():
    """A saved answer is written as the command would have written it."""
    cases = [
        (["generate", "hopido", "5x5", "--seed", "5"], ["text", "svg", "pdf"], ["--solution"]),
        (["generate", "knight-tours", "5x5", "--seed", "2"], ["text", "svg", "pdf"], ["--solution"]),
        (["list", "knight-loops", "8"], ["svg", "packed", "text", "csv"], []),
        (["list", "wazir-loops", "10"], ["svg", "text", "csv"], []),
        (["classify", "knight-loops", "8"], ["svg", "text", "csv"], []),
        (["find", "square-slide", "3x3", "--from", "1 2 3/4 5 6/7 . 8"], ["svg"], ["--frames"]),
        (["export", "square-slide", "3x3", "--pieces", "--holes", "1"], ["svg", "stl"], []),
        (["export", "knight-tours", "4x4"], ["dot", "graphml", "tsplib", "dimacs", "csv"], []),
        (["recurrence", "knight-tours", "3", "--closed"], ["bfile", "csv"], []),
    ]
    # What differs from run to run is not compared.
    timeless = lambda text: re.sub(rb'"(seconds|peak_bytes)":[\d.e-]+', b"", text)
    for words, forms, options in cases:
        saved(words)
        for form in forms:
            for more in ([], options) if options else ([],):
                try:
                    one = convert(form, *more)
                    two = pessoi(*words, "--format", form, *more)
                    if form == "packed":
                        # The answer at the end has times.
                        assert one.split(b"{")[1] == two.split(b"{")[1]
                    else:
                        assert timeless(one) == timeless(two)
                    read["conversions"] += 1
                except Exception as error:
                    yield f"{' '.join(words)} as {form} {more}: {error!r}"


CHECKS = [
    every_question_in_every_format,
    random_solids,
    tours_by_lkh,
    models_are_tours,
    games_by_sgfmill,
    converting_is_as_asking,
]


def main():
    chosen = [check for check in CHECKS if not sys.argv[2:] or check.__name__ in sys.argv[2:]]
    wrong = 0
    for check in chosen:
        began = time.time()
        for problem in check():
            wrong += 1
            print(f"WRONG: {check.__name__}: {problem}", flush=True)
        print(f"{check.__name__}: {time.time() - began:.0f} s", flush=True)
    print("read:", ", ".join(f"{number} {what}" for what, number in sorted(read.items())))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
