#!/usr/bin/env python3
"""Tours by Pessoi and by its peers, side by side, in one run.

Finds and counts Diplomatico paths (moves (3,0)+(2,2)) with the release binary and with
ortools (CP-SAT), graphillion and elkai (LKH), which are installed from PyPI into a
virtual environment. All get the same boards; paths are checked here, counts must equal
the known numbers, and no program may find a path where another proved that there is none.

    bench/tours.py [--limit SECONDS] [--json FILE] [--only TEXT]

PESSOI=path      use this binary instead of building one
BENCH_VENV=path  keep the virtual environment here (otherwise a temporary one)
"""
import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ["ortools", "graphillion", "elkai"]
MOVES = [(3, 0), (0, 3), (2, 2), (2, -2)]
KNOWN = {"4x7": 36, "5x5": 6200, "5x6": 56728, "6x6": 4125136}  # undirected open paths
MEMORY = 6 << 30  # address space allowed to each program
FAST = 5.0  # runs shorter than this are done three times,
FASTEST = 0.3  # and those shorter than this nine times


# ---------------------------------------------------------------- boards

def board(name, rows, columns, blocked=(), ends=None):
    """A board as every program gets it: cells numbered row by row, joined by moves."""
    cells = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in blocked]
    number = {cell: i for i, cell in enumerate(cells)}
    edges = [(i, number[r + a, c + b]) for (r, c), i in number.items()
             for a, b in MOVES if (r + a, c + b) in number]
    drawing = "\n".join("".join("." if (r, c) in number else "#" for c in range(columns))
                        for r in range(rows)) if blocked else None
    return {"name": name, "place": f"{rows}x{columns}", "cells": cells, "edges": edges,
            "ends": [number[e] for e in ends] if ends else None, "drawing": drawing}


def drawn(size, percent, seed):
    places = [(r, c) for r in range(size) for c in range(size)]
    blocked = set(random.Random(seed).sample(places, size * size * percent // 100))
    return board(f"{size}x{size}, {percent} % blocked, drawing {seed}", size, size, blocked)


def questions():
    for n in (10, 20, 50, 100):
        yield "find", board(f"{n}x{n}, free ends", n, n), ["cp-sat", "elkai", "lkh"] + ["graphillion"] * (n == 10)
    for n in (10, 20, 50):
        yield "find", board(f"{n}x{n}, corner to corner", n, n, ends=[(0, 0), (n - 1, n - 1)]), ["cp-sat", "elkai", "lkh"]
    for percent, seeds in ((10, (1, 2, 3)), (20, (1, 2, 3, 4, 7))):
        for seed in seeds:
            yield "find", drawn(20, percent, seed), ["cp-sat", "elkai", "lkh"]
    for rows, columns in ((4, 7), (5, 5), (5, 6), (6, 6)):
        yield "count", board(f"{rows}x{columns}", rows, columns), ["cp-sat", "graphillion", "graphillion-dfs"]


def is_path(b, path):
    joined = {frozenset(e) for e in b["edges"]}
    return (sorted(path) == list(range(len(b["cells"])))
            and all(frozenset(e) in joined for e in zip(path, path[1:]))
            and (not b["ends"] or [path[0], path[-1]] == b["ends"] or [path[-1], path[0]] == b["ends"]))


# ------------------------------------------------- peers (each in its own process)

def cp_sat(verb, b, limit, clock):
    """One circuit through a dummy city that stands before the first and after the last cell."""
    from ortools.sat.python import cp_model
    clock("import")
    n, model, arcs = len(b["cells"]), cp_model.CpModel(), []
    for u, v in b["edges"]:
        arcs += [(u, v, model.new_bool_var("")), (v, u, model.new_bool_var(""))]
    first, last = ([b["ends"][0]], [b["ends"][1]]) if b["ends"] else (range(n), range(n))
    arcs += [(n, v, model.new_bool_var("")) for v in first]
    arcs += [(v, n, model.new_bool_var("")) for v in last]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    clock("build")
    if verb == "count":  # breaking the symmetry of the two directions made it slower
        class Tally(cp_model.CpSolverSolutionCallback):
            directed = 0

            def on_solution_callback(self):
                self.directed += 1
        tally = Tally()
        solver.parameters.num_workers = 1  # enumeration is sequential
        solver.parameters.enumerate_all_solutions = True
        status = solver.solve(model, tally)
        clock("solve")
        return {"count": tally.directed // 2} if status == cp_model.OPTIMAL else {"late": True}
    solver.parameters.num_workers = os.cpu_count()
    status = solver.solve(model)
    clock("solve")
    if status == cp_model.INFEASIBLE:
        return {"none": True}
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return {"late": True}
    after = {u: v for u, v, taken in arcs if solver.value(taken)}
    path = [after[n]]
    while after[path[-1]] != n:
        path.append(after[path[-1]])
    return {"path": path}


def graphillion(verb, b, limit, clock, order="bfs"):
    from graphillion import GraphSet
    clock("import")
    if {v for e in b["edges"] for v in e} != set(range(len(b["cells"]))):
        return {"none": True}  # a cell without moves, which a set of edges cannot show
    edges = [(u + 1, v + 1) for u, v in b["edges"]]
    GraphSet.set_universe(edges, traversal=order)
    clock("build")
    ends = [v + 1 for v in b["ends"]] if b["ends"] else []
    paths = GraphSet.paths(*ends, is_hamilton=True)
    if verb == "count":
        answer = {"count": paths.len()}
        clock("solve")
        return answer
    found = next(iter(paths), None)
    clock("solve")
    if found is None:
        return {"none": True}
    near = {}
    for u, v in found:
        near.setdefault(u - 1, []).append(v - 1)
        near.setdefault(v - 1, []).append(u - 1)
    path, before = [min(v for v in near if len(near[v]) == 1)], None
    while following := [v for v in near[path[-1]] if v != before]:
        before = path[-1]
        path.append(following[0])
    return {"path": path}


def elkai(verb, b, limit, clock, tuned=False):
    """A shortest tour through a dummy city, where a move costs 0 and anything else 1."""
    import elkai as library
    from elkai import _elkai
    clock("import")
    n = len(b["cells"])
    cost = [[1] * (n + 1) for _ in range(n + 1)]
    for u, v in b["edges"] + [(v, n) for v in b["ends"] or range(n)]:
        cost[u][v] = cost[v][u] = 0
    for v in range(n + 1):
        cost[v][v] = 0
    if tuned:  # LKH by its own parameters: stop at the first perfect tour, no ascent before
        problem = (f"TYPE : TSP\nDIMENSION : {n + 1}\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
                   "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n"
                   + "".join(" ".join(map(str, row)) + "\n" for row in cost))
        clock("build")
        parameters = "RUNS = 10\nOPTIMUM = 0\nSUBGRADIENT = NO\nPROBLEM_FILE = :stdin:\n"
        tour = [v - 1 for v in _elkai.solve_problem(parameters, problem)]
    else:
        clock("build")
        tour = library.DistanceMatrix(cost).solve_tsp(runs=1)[:-1]
    clock("solve")
    if any(cost[u][v] for u, v in zip(tour, tour[1:] + tour[:1])):
        return {"gave_up": True}  # not a proof
    at = tour.index(n)
    return {"path": tour[at + 1:] + tour[:at]}


SOLVERS = {
    "cp-sat": cp_sat,
    "graphillion": graphillion,
    "graphillion-dfs": lambda *a: graphillion(*a, order="dfs"),
    "elkai": elkai,
    "lkh": lambda *a: elkai(*a, tuned=True),
}


def act_as_peer(name, limit):
    """Reads a question from standard input, writes the answer with its times as JSON."""
    verb, b = json.load(sys.stdin)
    times, mark = {}, [time.perf_counter()]

    def clock(what):
        now = time.perf_counter()
        times[what] = now - mark[0]
        mark[0] = now
    sys.stdout.flush()
    out = os.dup(1)  # libraries may write to standard output
    os.dup2(2, 1)
    answer = SOLVERS[name](verb, b, limit, clock)
    os.write(out, json.dumps({**answer, **times}).encode())


# ---------------------------------------------------------------- running

def run(command, text, limit, env=None):
    """Runs one program: its output, exit code (None when late), wall seconds and peak MB."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(text.encode())
        given.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=given, stdout=out, stderr=subprocess.DEVNULL, env=env)
        resource.prlimit(child.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        killed = []
        timer = threading.Timer(limit, lambda: (killed.append(True), os.kill(child.pid, 9)))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read().decode(), None if killed else child.returncode, wall, usage.ru_maxrss / 1024


def floor_mb():
    """A child's peak starts at what this script itself occupies; less cannot be seen."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ask_pessoi(binary, verb, b, limit):
    command = [binary, verb, "diplomatico", "-" if b["drawing"] else b["place"],
               "--time", f"{limit:g}s", "--format", "json"]
    for option, end in zip(("--from", "--to"), b["ends"] or ()):
        command += [option, "{},{}".format(*(x + 1 for x in b["cells"][end]))]
    out, code, wall, mb = run(command, b["drawing"] or "", limit + 5)
    entry = {"wall": wall, "mb": mb}
    if code not in (0, 1):
        return {**entry, "late" if code in (None, 3) else "failed": True}
    answer = json.loads(out)
    entry |= {"solve": answer["cost"]["seconds"], "method": answer["method"]}
    if code == 1:
        return {**entry, "none": True}
    if verb == "count":
        return {**entry, "count": int(answer["value"]["number"])}
    number = {cell: i for i, cell in enumerate(b["cells"])}
    return {**entry, "path": [number[tuple(int(x) - 1 for x in cell.split(","))]
                              for cell in answer["solutions"][0]["cells"]]}


def ask_peer(python, name, verb, b, limit):
    text = json.dumps([verb, b])
    env = {**os.environ, "OMP_NUM_THREADS": "1"}  # two threads made graphillion slower
    # The limit is for building and solving; starting Python and importing is not counted.
    out, code, wall, mb = run([python, __file__, "--peer", name, "--limit", str(limit)], text, limit + 5, env)
    entry = {"wall": wall, "mb": mb}
    if code is None:
        return {**entry, "late": True}
    if code != 0:
        return {**entry, "failed": True}  # most often: out of memory
    answer = json.loads(out)
    if answer.get("build", 0) + answer.get("solve", 0) > limit + 1:
        return {**entry, **answer, "late": True}
    return {**entry, **answer}


def check(verb, b, who, entry):
    if "path" in entry and not is_path(b, entry.pop("path")):
        raise SystemExit(f"{who} on {b['name']}: not a path of the asked kind")
    elif verb == "find" and not entry.keys() & {"none", "late", "gave_up", "failed"}:
        entry["found"] = True
    if "count" in entry and entry["count"] != KNOWN[b["place"]]:
        raise SystemExit(f"{who} on {b['name']}: {entry['count']}, should be {KNOWN[b['place']]}")


def measure(ask, verb, b, who):
    """Once, and more often when that was fast; the medians."""
    runs = [ask()]
    if not runs[0].keys() & {"late", "failed"}:
        runs += [ask() for _ in range(8 if runs[0]["wall"] < FASTEST else 2 if runs[0]["wall"] < FAST else 0)]
    for entry in runs:
        check(verb, b, who, entry)
    settled = runs[0]
    for key in ("wall", "mb", "import", "build", "solve"):
        values = [entry[key] for entry in runs if key in entry]
        if values:
            settled[key] = statistics.median(values)
    settled["peak"] = f"{settled['mb']:.0f} MB" if settled["mb"] > floor_mb() + 1 else f"< {floor_mb() + 1:.0f} MB"
    settled["runs"] = len(runs)
    return settled


# ---------------------------------------------------------------- the table

def seconds(t):
    return f"{t * 1e3:.2g} ms" if t < 0.01 else f"{t * 1e3:.0f} ms" if t < 1 else f"{t:.1f} s"


def said(entry):
    return ("none" if "none" in entry else "found" if "found" in entry
            else str(entry["count"]) if "count" in entry else "?")


def cell(entry, limit):
    if entry is None:
        return "–"
    if "late" in entry:
        return f"> {limit:g} s"
    if "failed" in entry:
        return f"failed after {seconds(entry['wall'])}, {entry['peak']}"
    text = f"{seconds(entry.get('build', 0))} + {seconds(entry.get('solve', 0))}, {entry['peak']}"
    return f"*gave up* ({text})" if "gave_up" in entry else text


def ratios(row, limit):
    """The best peer's solving over Pessoi's: like for like, and over Pessoi's whole process."""
    mine = row["pessoi"]
    if "late" in mine or "failed" in mine:
        return None, None, None, False
    peers = {who: e for who, e in row["peers"].items() if e}
    done = {who: e.get("solve", 0) for who, e in peers.items()
            if e.keys() & {"found", "none", "count"} and "late" not in e}
    if not done:
        return None, limit / mine["solve"], limit / mine["wall"], True
    best = min(done, key=done.get)
    return best, done[best] / mine["solve"], done[best] / mine["wall"], False


def line(row, limit):
    mine = row["pessoi"]
    own = cell(mine, limit) if mine.keys() & {"late", "failed"} else f"{seconds(mine['solve'])} | {seconds(mine['wall'])} | {mine['peak']}"
    own = own if "|" in own else f"{own} | – | –"
    best, like, strict, bound = ratios(row, limit)
    ratio = "– | –" if like is None else "{0}{1:.3g}{3} | {0}{2:.3g}".format("> " if bound else "", like, strict, f" ({best})" if best else "")
    peers = " | ".join(cell(row["peers"].get(who), limit) for who in SHOWN[row["verb"]])
    return f"| {row['board']} | {row['answer']} | {own} | {peers} | {ratio} |"


SHOWN = {"find": ["cp-sat", "lkh", "elkai", "graphillion"],
         "count": ["cp-sat", "graphillion", "graphillion-dfs"]}
TITLES = {"cp-sat": "CP-SAT", "lkh": "LKH tuned", "elkai": "elkai", "graphillion": "graphillion bfs",
          "graphillion-dfs": "graphillion dfs"}
FAIRNESS = """
- Peers: *building + solving, peak memory*. Starting Python and importing the library (CP-SAT: most of a second) is left out; building is not in the ratios.
- First ratio: the best peer's solving over Pessoi's own `cost.seconds`. Second, the hardest on Pessoi: the same over Pessoi's whole process with its start, reading and printing. Only peers that answered are compared; "gave up" is no answer.
- CP-SAT finds with a worker a core; it enumerates with one, since enumeration is sequential, and counts both directions, since forbidding one made it slower. Pessoi uses a thread a core.
- elkai is its public `solve_tsp(runs=1)`; "LKH tuned" is the same LKH set to stop at the first perfect tour and to skip the ascent, which elkai's public interface cannot say. Both search heuristically and never prove that there is no path.
- graphillion makes the set of all paths even to find one, so it finds on the smallest board only; it counts with its edges in breadth-first and in depth-first order, the better of which is compared, on one thread, since two were slower, on a busy machine many times.
- A run shorter than {fast:g} s is done three times, one shorter than {fastest:g} s nine times (median); {memory} GB of address space each; building and solving together are stopped after about {limit:g} s, and ">" in a ratio counts all of that as solving.
"""


def print_table(rows, limit):
    for verb in ("find", "count"):
        of_verb = [row for row in rows if row["verb"] == verb]
        if not of_verb:
            continue
        titles = [verb, "answer", "Pessoi solving", "whole process", "peak"]
        titles += [TITLES[who] for who in SHOWN[verb]] + ["× solving", "× whole process"]
        print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
        for row in of_verb:
            print(line(row, limit))
        print()
    print(FAIRNESS.strip().format(fast=FAST, fastest=FASTEST, memory=MEMORY >> 30, limit=limit))


def prepare(folder):
    """The virtual environment's Python, with the peers installed."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS],
                   check=True, stdout=sys.stderr)
    return str(python)


def versions(python):
    code = "from importlib.metadata import version as v; print(', '.join(f'{p} {v(p)}' for p in %r))" % PEERS
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--limit", type=float, default=60, help="seconds a run may take (60)")
    options.add_argument("--json", metavar="FILE", help="write all figures here")
    options.add_argument("--only", default="", help="only questions whose text has this, such as 'count 5x'")
    options.add_argument("--peer", choices=SOLVERS, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.peer:
        return act_as_peer(given.peer, given.limit)
    binary = os.environ.get("PESSOI")
    if not binary:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
        binary = str(ROOT / "target" / "release" / "pessoi")
    with tempfile.TemporaryDirectory() as temporary:
        python = prepare(os.environ.get("BENCH_VENV") or temporary)
        rows = []
        for verb, b, peers in questions():
            if given.only not in f"{verb} {b['name']}":
                continue
            print(f"{verb} {b['name']} …", file=sys.stderr, flush=True)
            row = {"verb": verb, "board": b["name"], "peers": {}}
            row["pessoi"] = measure(lambda: ask_pessoi(binary, verb, b, given.limit), verb, b, "pessoi")
            for who in peers:
                row["peers"][who] = measure(lambda: ask_peer(python, who, verb, b, given.limit), verb, b, who)
            answers = {said(e) for e in [row["pessoi"], *row["peers"].values()]} - {"?"}
            if len(answers) > 1:
                raise SystemExit(f"{verb} {b['name']}: the programs disagree: {answers}")
            row["answer"] = answers.pop() if answers else "?"
            rows.append(row)
        print(f"Peers: {versions(python)}; {os.cpu_count()} cores.\n")
        print_table(rows, given.limit)
        if given.json:
            Path(given.json).write_text(json.dumps({"limit": given.limit, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
