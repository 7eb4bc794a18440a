"""Answers and tables in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

from ._pessoi import Answer, Table

# More rows are cut.
MOST_ROWS = 60
# More solutions are not drawn.
MOST_PICTURES = 6
# Larger pictures are not shown.
MOST_BYTES = 1 << 20


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return f"{value[0] + 1},{value[1] + 1}"
    return escape(str(value))


def _rows(head: list[str], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{top}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


def table(shown: Table) -> str:
    """A table, with the words that people use for its columns."""
    rows = shown.rows
    body = [[_shown(value) for value in row] for row in rows[:MOST_ROWS]]
    more = len(rows) - MOST_ROWS
    rest = f"<p>… and {more:,} more rows</p>" if more > 0 else ""
    title = f"<p><b>{escape(shown.title)}</b></p>"
    return title + _rows([escape(heading) for heading in shown.headings], body) + rest


def answer(shown: Answer) -> str:
    """An answer: what is known, how, the facts, the tables and the pictures."""
    parts = [f"<p>{escape(repr(shown)[len('<pessoi.Answer: ') : -1])}</p>"]
    cost = f"{shown.cost['seconds']:.3g} s"
    parts.append(f"<p><small>by {escape(shown.method)} in {cost}</small></p>")
    parts.extend(f"<p>{escape(note)}</p>" for note in shown.notes)
    if shown.facts:
        named = {fact["id"]: fact["text"] for fact in shown.to_dict()["facts"]}
        parts.append(_rows([], [[escape(named[k]), _shown(v)] for k, v in shown.facts.items()]))
    parts.extend(table(each) for each in shown.tables.values())
    solutions = shown.solutions
    drawn = [solution._repr_svg_() for solution in solutions[:MOST_PICTURES]]
    pictures = [picture for picture in drawn if picture]
    if not solutions:
        whole = shown.svg()
        pictures = [whole] if whole and len(whole) <= MOST_BYTES else []
    parts.extend(pictures)
    if len(solutions) > len(drawn):
        parts.append(f"<p>… and {len(solutions) - len(drawn):,} more solutions</p>")
    return "".join(parts)
