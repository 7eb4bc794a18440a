#!/usr/bin/env python3
"""Bounds of the number of tours beside exact numbers and estimates, as a table and a picture.

    bench/bounds.py [GAME] [--sizes 5-12] [--closed] [--pieces N] [--exact 7] [--out FOLDER]

Asks `pessoi analyze GAME NxN --bounds`, `estimate` and, up to the size of --exact, `count`, and
writes bounds.md and bounds.svg into FOLDER (target/bench). Every bound must hold: a lower one above
an upper one, or an exact number outside of them, ends the script. PESSOI names the binary; without
it the release binary is built.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Columns: the id of a fact, its heading, its colour.
FACTS = [
    ("log10-paths-paper-most", "paper, at most", "#8e5ea2"),
    ("log10-most-by-degrees", "degrees, at most", "#c0392b"),
    ("log10-most-by-reading", "reading, at most", "#e08e0b"),
    ("log10-least-by-pieces", "pieces, at least", "#2e8b57"),
    ("log10-paths-tiled", "paper's tiles, at least", "#777777"),
]
# The paper's bounds are of directed paths.
DIRECTED = {"log10-paths-paper-most", "log10-paths-tiled"}


def answer(binary, *words):
    done = subprocess.run([binary, *words, "--format", "json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"pessoi {' '.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def log10(decimal):
    """The logarithm of a whole number of any length."""
    return math.log10(int(decimal[:15])) + max(0, len(decimal) - 15) if int(decimal) else None


def row(binary, game, size, options):
    board = f"{size}x{size}"
    closed = ["--closed"] if options.closed else []
    found = answer(binary, "analyze", game, board, *closed, "--bounds", "--pieces", str(options.pieces))
    facts = {fact["id"]: fact["value"] for fact in found["facts"]}
    values = {}
    for name, _, _ in FACTS:
        if name in facts and not (options.closed and name in DIRECTED):
            values[name] = float(facts[name]) - (math.log10(2) if name in DIRECTED else 0)
    guess = answer(binary, "estimate", game, board, *closed, "--samples", "300")["value"]
    if guess["standing"] == "estimated":
        values["estimate"] = guess["log10_mean"]
    if size <= options.exact:
        counted = answer(binary, "count", game, board, *closed)["value"]
        if counted["standing"] == "exact":
            values["exact"] = log10(counted["number"])
    return values


def check(size, values):
    most = [v for k, v in values.items() if "most" in k]
    least = [v for k, v in values.items() if "least" in k or "tiled" in k]
    exact = [values["exact"]] if values.get("exact") is not None else []
    if max([*least, *exact], default=0) > min([*most, *exact], default=math.inf) + 1e-9:
        sys.exit(f"{size}x{size}: the bounds contradict each other: {values}")


def picture(title, rows):
    width, height, left, top, right = 640, 420, 60, 40, 190
    top_value = max(v for _, values in rows for v in values.values() if v is not None)
    sizes = [size for size, _ in rows]

    def place(size, value):
        x = left + (size - sizes[0]) / max(1, sizes[-1] - sizes[0]) * (width - left - right)
        return f"{x:.1f}", f"{top + (1 - value / top_value) * (height - top - 50):.1f}"

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="14">{title}: powers of ten</text>']
    for power in range(0, int(top_value) + 1, 10 if top_value > 40 else 5):
        _, y = place(sizes[0], power)
        out.append(f'<path d="M{left} {y}H{width - right}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y}" text-anchor="end" dominant-baseline="middle">{power}</text>')
    for size in sizes:
        x, _ = place(size, 0)
        out.append(f'<text x="{x}" y="{height - 30}" text-anchor="middle">{size}×{size}</text>')
    lines = [*FACTS[:3], ("estimate", "estimate", "#999999"), ("exact", "exact", "#000000"), *FACTS[3:]]
    shown = [line for line in lines if any(values.get(line[0]) is not None for _, values in rows)]
    for at, (name, heading, colour) in enumerate(shown):
        points = [place(size, values[name]) for size, values in rows if values.get(name) is not None]
        dash = ' stroke-dasharray="5 4"' if name == "estimate" else ""
        if name != "exact":
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="'
                       + " ".join(",".join(p) for p in points) + '"/>')
        out += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{width - right + 14}" y="{top + 14 + 20 * at}" fill="{colour}">{heading}</text>')
    return "\n".join(out) + "\n</svg>\n"


def shown(name, value):
    """Two places: a bound must hold as it is written."""
    up, down = "most" in name, "least" in name or "tiled" in name
    direction = math.ceil if up else math.floor if down else round
    return f"{direction(value * 100) / 100:.2f}"


def table(rows):
    names = [*FACTS[:3], ("estimate", "estimate", ""), ("exact", "exact", ""), *FACTS[3:]]
    lines = ["| board | " + " | ".join(heading for _, heading, _ in names) + " |", "|---" * (len(names) + 1) + "|"]
    for size, values in rows:
        cells = [shown(name, values[name]) if values.get(name) is not None else "" for name, _, _ in names]
        lines.append(f"| {size}×{size} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="diplomatico")
    parser.add_argument("--sizes", default="5-12")
    parser.add_argument("--closed", action="store_true")
    parser.add_argument("--pieces", type=int, default=36)
    parser.add_argument("--exact", type=int, default=7)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "bench")
    options = parser.parse_args()
    binary = os.environ.get("PESSOI")
    if binary is None:
        subprocess.run(["cargo", "build", "--release", "--locked", "-p", "pessoi-cli"], cwd=ROOT, check=True)
        binary = str(ROOT / "target" / "release" / "pessoi")
    first, last = map(int, options.sizes.split("-"))
    rows = []
    for size in range(first, last + 1):
        values = row(binary, options.game, size, options)
        check(size, values)
        rows.append((size, values))
        print(f"{size}x{size}", file=sys.stderr, flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    what = "closed tours" if options.closed else "open paths"
    (options.out / "bounds.md").write_text(table(rows))
    (options.out / "bounds.svg").write_text(picture(f"{options.game}, undirected {what}", rows))
    print(table(rows))


if __name__ == "__main__":
    main()
