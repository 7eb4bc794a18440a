#!/usr/bin/env python3
"""Every comparison in one run: Pessoi's engines beside each other and beside their peers.

Builds the release binary, installs the peers from PyPI (ortools, graphillion, elkai,
networkx) into a virtual environment, runs every comparison on the same inputs, checks that
the answers agree, and writes table.md, table.json and one picture (SVG) of cost against
size for each game.

    bench/all.py [--out FOLDER] [--limit SECONDS] [--only TEXT] [--quick]

PESSOI=path      use this binary instead of building one
BENCH_VENV=path  keep the virtual environment here (otherwise a temporary one)
"""
import argparse
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tours  # the same folder: running programs under limits, and the peers of tours

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5  # of runs under a second; longer ones three times, above FAST seconds once
FAST = 20.0


# ---------------------------------------------------------------- what is compared

def ask(words):
    """An entrant: a question to Pessoi, as typed."""
    return {"ask": words}


def peer(name, size):
    """An entrant: one of the functions below, run by the virtual environment's Python."""
    return {"peer": name, "size": size}


def comparisons():
    """Name, why it is fair, and the entrants; ratios are to the first one."""
    for n in (8, 9, 10):
        entrants = {e: ask(f"count go {n}x{n} --method {e} --threads 1") for e in ("matrix", "table")}
        if n < 10:
            entrants["sweep"] = ask(f"count go {n}x{n} --method sweep --threads 1")
        yield (f"legal Go positions, {n}×{n}", "The same exact number on one thread each, by all the "
               "primes it takes, set-up included; no program on PyPI counts them.", entrants)
    for k in (10, 12):
        methods = ("orderly", "doubling", "algorithm-2", "algorithm-1")
        yield (f"closed knight's paths of length {k}", "The same number of classes on one thread each; "
               "algorithms 1 and 2 are the paper's, in the same language and compiler.",
               {m: ask(f"count knight-loops {k} --method {m} --threads 1") for m in methods})
    yield ("closed knight's paths of length 6, translations only", "networkx lists the cycles on a "
           "board that holds every one of them, of which those at its upper left corner are counted; "
           "only its search is timed, not Python's start.",
           {"orderly": ask("count knight-loops 6 --symmetry fixed --threads 1"), "networkx": peer("cycles", 6)})
    for board, holes in (("T4", 3), ("P3x3", 3)):
        yield (f"God's number of {board}, {holes} holes", "The same number on one thread each: the plain "
               "explorer keeps every configuration, the fast one two bits of each.",
               {m: ask(f"explore hex-slide {board} --holes {holes} --method {m} --threads 1")
                for m in ("fast", "plain")})
    yield ("God's number of F2, 3 holes", "networkx gets the puzzle's graph ready made and takes the "
           "diameters of its components; making it is not timed.",
           {"fast": ask("explore hex-slide F2 --holes 3 --threads 1"), "networkx": peer("diameter", 3)})
    yield ("Diplomatico 6×6, all paths", "The same number on one thread each, by three methods.",
           {m: ask(f"count diplomatico 6x6 --method {m} --threads 1")
            for m in ("branch", "pairings", "search")})
    yield ("closed knight's tours, 6×6", "The same number on one thread each.",
           {m: ask(f"count knight-tours 6x6 --closed --method {m} --threads 1")
            for m in ("pairings", "branch")})
    for what in ("count diplomatico 6x6 --method branch", "count go 11x11", "count knight-loops 14 --method orderly",
                 "explore square-slide 2x5"):
        yield (f"{what}: threads", "The same question on all cores and on one.",
               {"all cores": ask(what), "one": ask(what + " --threads 1")})


def series():
    """For the pictures: title, what grows, the sizes, and a question for each engine."""
    yield ("tours", "Diplomatico paths on 4×n", "n", range(5, 15),
           {m: f"count diplomatico 4x{{}} --method {m}" for m in ("sweep", "plain-sweep", "branch", "search")})
    yield ("loops", "Closed knight's paths of length k", "k", range(4, 19, 2),
           {m: f"count knight-loops {{}} --method {m}" for m in ("doubling", "orderly", "algorithm-2", "algorithm-1")})
    yield ("slides", "God's number of P(3,4)", "tiles", range(2, 9),
           {m: f"explore hex-slide P3x4 --holes {{12-}} --method {m}" for m in ("fast", "plain")})
    yield ("go", "Legal Go positions on n×n", "n", range(4, 13),
           {m: f"count go {{}}x{{}} --method {m}" for m in ("matrix", "table", "sweep")})


# ---------------------------------------------------------------- peers in networkx

def cycles(k):
    """Closed knight's paths of length k up to translation: those that touch the upper and the
    left side of a board that is large enough for each of them."""
    import networkx as nx
    side = k + 1  # k moves there and back: half of them, two steps each, span at most k
    cells = [(r, c) for r in range(side) for c in range(side)]
    graph = nx.Graph()
    for r, c in cells:
        for a, b in ((1, 2), (2, 1), (1, -2), (2, -1)):
            if 0 <= r + a < side and 0 <= c + b < side:
                graph.add_edge((r, c), (r + a, c + b))
    began = time.perf_counter()
    found = sum(1 for cycle in nx.simple_cycles(graph, length_bound=k)
                if len(cycle) == k and min(r for r, _ in cycle) == 0 == min(c for _, c in cycle))
    return found, time.perf_counter() - began


def diameter(holes):
    """The largest diameter of a component of the puzzle graph of the flower of seven cells."""
    import itertools
    import networkx as nx
    cells = [(0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
    near = {a: [b for b in cells if (b[0] - a[0], b[1] - a[1]) in cells[1:]] for a in cells}
    tiles = len(cells) - holes
    graph = nx.Graph()
    for places in itertools.permutations(cells, tiles):
        empty = set(cells) - set(places)
        for i, here in enumerate(places):
            for hole in near[here]:
                if hole in empty and any(h in empty for h in near[here] if h in near[hole]):
                    graph.add_edge(places, places[:i] + (hole,) + places[i + 1:])
    began = time.perf_counter()
    most = max(nx.diameter(graph.subgraph(part)) for part in nx.connected_components(graph))
    return most, time.perf_counter() - began


PEERS = {"cycles": cycles, "diameter": diameter}


# ---------------------------------------------------------------- running

def once(entrant, binary, python, limit):
    """One run: the answer, seconds of solving, seconds of the whole process, peak MB."""
    if "ask" in entrant:
        command = [binary, *shlex.split(entrant["ask"]), "--time", f"{limit:g}s", "--format", "json"]
        out, code, wall, mb = tours.run(command, "", limit + 5)
        if code not in (0, 1):
            return {"late" if code in (None, 3) else "failed": True, "wall": wall, "mb": mb}
        answer = json.loads(out)
        return {"answer": answer["value"].get("number", "0"), "seconds": answer["cost"]["seconds"],
                "wall": wall, "mb": mb}
    command = [python, __file__, "--peer", entrant["peer"], str(entrant["size"])]
    out, code, wall, mb = tours.run(command, "", limit + 5)
    if code != 0:
        return {"late" if code is None else "failed": True, "wall": wall, "mb": mb}
    answer, seconds = json.loads(out)
    return {"answer": str(answer), "seconds": seconds, "wall": wall, "mb": mb}


def measure(entrant, binary, python, limit, repeats=REPEATS):
    """Once, and more often when that was fast: medians, and the spread of the seconds."""
    runs = [once(entrant, binary, python, limit)]
    if "answer" in runs[0]:
        more = repeats if runs[0]["wall"] < 1 else 3 if runs[0]["wall"] < FAST else 1
        runs += [once(entrant, binary, python, limit) for _ in range(more - 1)]
    runs = [run for run in runs if "answer" in run] or runs
    if len({run.get("answer") for run in runs}) > 1:
        raise SystemExit(f"{entrant}: answers change from run to run")
    settled = dict(runs[0], runs=len(runs))
    if "answer" in settled:
        for key in ("seconds", "wall", "mb"):
            settled[key] = statistics.median(run[key] for run in runs)
        settled["spread"] = [min(run["seconds"] for run in runs), max(run["seconds"] for run in runs)]
    return settled


def compare(binary, python, limit, only):
    rows = []
    for name, why, entrants in comparisons():
        if only not in name:
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        results = {who: measure(entrant, binary, python, limit) for who, entrant in entrants.items()}
        answers = {result["answer"] for result in results.values() if "answer" in result}
        if len(answers) != 1:
            raise SystemExit(f"{name}: the answers are {answers or 'missing'}: {results}")
        base = next(iter(results.values()))
        for result in results.values():
            if "answer" in result and "answer" in base:
                result["ratio"] = result["seconds"] / base["seconds"]
        rows.append({"name": name, "why": why, "answer": answers.pop(), "results": results,
                     "asks": {who: e.get("ask") or f"networkx: {e['peer']}" for who, e in entrants.items()}})
    return rows


def from_tours(binary, folder, limit, only, quick):
    """The comparisons of tours.py, as rows like the others."""
    report = Path(folder) / "tours.json"
    command = [sys.executable, str(ROOT / "bench/tours.py"), "--json", str(report), "--limit", f"{limit:g}"]
    if quick or only:
        command += ["--only", only or "count 4x7"]
    env = {**os.environ, "PESSOI": binary, "BENCH_VENV": str(Path(folder) / "venv")}
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    rows = []
    for row in json.loads(report.read_text())["rows"]:
        results = {}
        for who, entry in {"pessoi": row["pessoi"], **row["peers"]}.items():
            if entry.keys() & {"late", "failed", "gave_up"}:
                results[who] = {"late" if "late" in entry else "failed": True, "mb": entry["mb"]}
            else:
                results[who] = {"answer": row["answer"], "seconds": entry["solve"], "mb": entry["mb"],
                                "runs": entry["runs"]}
        mine = results["pessoi"].get("seconds")
        for result in results.values():
            if mine and "seconds" in result:
                result["ratio"] = result["seconds"] / mine
        rows.append({"name": f"{row['verb']} Diplomatico {row['board']}", "answer": row["answer"],
                     "why": "The same board for all; only solving is timed, not starting Python nor "
                            "building the model; see tours.py for the rest.", "results": results, "asks": {}})
    return rows


# ---------------------------------------------------------------- how the cost grows

def grow(binary, limit, quick):
    """Seconds of each engine against size, until a run is late."""
    pictures = []
    for name, title, what, sizes, engines in series():
        lines = {}
        for engine, question in engines.items():
            points = []
            for size in list(sizes)[: 3 if quick else None]:
                words = question.replace("{12-}", str(12 - size)).replace("{}", str(size))
                result = measure(ask(words), binary, None, limit, repeats=3)
                if "answer" not in result:
                    break
                points.append((size, result["seconds"], result["answer"]))
            lines[engine] = points
            print(f"{name} {engine}: {len(points)} sizes", file=sys.stderr, flush=True)
        for size in sizes:
            answers = {point[2] for points in lines.values() for point in points if point[0] == size}
            if len(answers) > 1:
                raise SystemExit(f"{title}, {size}: the engines disagree: {answers}")
        pictures.append({"name": name, "title": title, "what": what, "lines": lines})
    return pictures


COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2"]


def plot(picture):
    """Seconds on a logarithmic scale against size, as SVG."""
    points = [p for line in picture["lines"].values() for p in line]
    xs = [p[0] for p in points]
    low = math.floor(math.log10(max(1e-4, min(p[1] for p in points))))
    high = math.ceil(math.log10(max(p[1] for p in points) * 1.01))
    width, height, left, top = 560, 340, 70, 40

    def place(size, seconds):
        x = left + (size - min(xs)) / max(1, max(xs) - min(xs)) * (width - left - 130)
        y = top + (high - math.log10(max(seconds, 10.0 ** low))) / (high - low) * (height - top - 50)
        return f"{x:.1f}", f"{y:.1f}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="14">{picture["title"]}: seconds</text>']
    for power in range(low, high + 1):
        x, y = place(min(xs), 10.0 ** power)
        out.append(f'<path d="M{left} {y}H{width - 130}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y}" text-anchor="end" dominant-baseline="middle">{10.0 ** power:g}</text>')
    for size in sorted(set(xs)):
        x, _ = place(size, 1)
        out.append(f'<text x="{x}" y="{height - 30}" text-anchor="middle">{size}</text>')
    out.append(f'<text x="{(left + width - 130) / 2}" y="{height - 10}" text-anchor="middle">{picture["what"]}</text>')
    for at, (colour, (engine, line)) in enumerate(zip(COLOURS, picture["lines"].items())):
        places = [place(size, seconds) for size, seconds, _ in line]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                   + " ".join(",".join(p) for p in places) + '"/>')
        out += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in places]
        out.append(f'<text x="{width - 120}" y="{top + 10 + 18 * at}" fill="{colour}">{engine}</text>')
    return "\n".join(out) + "\n</svg>\n"


# ---------------------------------------------------------------- the table

def table(rows, limit, versions):
    lines = [f"Peers: {versions}; {os.cpu_count()} cores. Seconds are of solving, medians, with the least "
             "and the most; memory is the whole process at its peak; times are to the first line.", "",
             "| question | answer | by | seconds | least – most | peak MB | times |",
             "|---|---|---|---|---|---|---|"]
    for row in rows:
        answer = row["answer"] if len(row["answer"]) < 16 else f"{len(row['answer'])} digits"
        for at, (who, result) in enumerate(row["results"].items()):
            head = f"{row['name']} | {answer}" if at == 0 else " | "
            if "late" in result:
                figures = f"> {limit:g} | | {result['mb']:.0f} | "
            elif "failed" in result:
                figures = f"gave up | | {result['mb']:.0f} | "
            else:
                spread = "{:.3g} – {:.3g}".format(*result["spread"]) if "spread" in result else ""
                ratio = f"{result['ratio']:.3g}" if "ratio" in result else ""
                figures = f"{result['seconds']:.3g} | {spread} | {result['mb']:.0f} | {ratio}"
            lines.append(f"| {head} | {who} | {figures} |")
    lines += ["", f"A peak below {tours.floor_mb() + 1:.0f} MB cannot be seen: a process starts with what the "
              "script occupies.", "", "Why each is fair:", ""]
    reasons = {}
    for row in rows:
        reasons.setdefault(row["why"], []).append(row["name"])
    lines += [f"- {'; '.join(names)}: {why}" for why, names in reasons.items()]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", default=str(ROOT / "target/bench"), help="folder to write to (target/bench)")
    options.add_argument("--limit", type=float, default=60, help="seconds a run may take (60)")
    options.add_argument("--only", default="", help="only comparisons whose name has this; no pictures")
    options.add_argument("--quick", action="store_true", help="the fewest of each kind, to see that all works")
    options.add_argument("--peer", nargs=2, metavar=("NAME", "SIZE"), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.peer:
        print(json.dumps(PEERS[given.peer[0]](int(given.peer[1]))))
        return
    binary = os.environ.get("PESSOI")
    if not binary:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
        binary = str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/pessoi")
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        venv = os.environ.get("BENCH_VENV") or str(Path(folder) / "venv")
        tours.PEERS = ["ortools", "graphillion", "elkai", "networkx"]
        python = tours.prepare(venv)
        os.environ["BENCH_VENV"] = venv
        only = "length 6" if given.quick and not given.only else given.only
        rows = compare(binary, python, given.limit, only)
        if not given.only or "Diplomatico" in given.only:
            if not (Path(folder) / "venv").exists():
                (Path(folder) / "venv").symlink_to(Path(venv).resolve())
            rows += from_tours(binary, folder, given.limit, given.only.replace("Diplomatico ", ""), given.quick)
        versions = tours.versions(python)
    pictures = [] if given.only else grow(binary, min(given.limit, 3 if given.quick else 20), given.quick)
    for picture in pictures:
        (out / f"{picture['name']}.svg").write_text(plot(picture))
    text = table(rows, given.limit, versions)
    (out / "table.md").write_text(text)
    (out / "table.json").write_text(json.dumps({"peers": versions, "cores": os.cpu_count(), "limit": given.limit,
                                                "rows": rows, "pictures": pictures}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
