"""Pessoi finds, counts, lists, classifies, samples, estimates and maps the solutions of board
puzzles and games.

Every verb is a function of a game, a place and options:

>>> import pessoi
>>> answer = pessoi.count("diplomatico", "5x5")
>>> int(answer)
6200
>>> answer.standing, answer.subject
('exact', 'undirected open paths')

Lists are streams. They are made as they are read:

>>> for loop in pessoi.list("knight-loops", 4):
...     print(loop.cells)
[(2, 0), (3, 2), (1, 3), (0, 1)]
[(1, 0), (2, 2), (1, 4), (0, 2)]
[(2, 1), (3, 3), (1, 2), (0, 0)]

Cells are pairs (row, column), counted from 0 as the indexes of an array are. Cells in text, such
as ``from_="1,1"``, are counted from 1, as on the command line and in files.

Options have the names of the command line, with ``_`` for ``-``; ``from`` is a word of Python, so
that option is ``from_``. ``pessoi.games("diplomatico")`` shows what a game can be asked.

All verbs take the limits ``time`` (seconds, or text such as ``"5m"``), ``memory`` (bytes, or text
such as ``"4G"``), ``threads`` and ``seed``, and ``progress``. An answer that a limit cut short says
so in ``standing`` and ``stop``; ``int()`` of it raises :class:`GaveUp`.

Each job has a thread of its own, and Python goes on meanwhile. A stream may be read by several
threads, but not by a forked process if the parent has begun to read it.
"""

from ._errors import Error, FileError, ForgedError, GaveUp, InputError, InternalError
from ._own import Layers, Search, StateSpace, Sweep
from ._pessoi import (
    Answer,
    Board,
    Graph,
    Move,
    Solution,
    Stream,
    Symmetry,
    Table,
    __version__,
)
from ._saved import Finding, Plan, Verdict, cite, compare, convert, merge, plan, read, verify
from ._games import Card, games, schema
from ._verbs import (
    analyze,
    check,
    classify,
    count,
    estimate,
    explore,
    export,
    find,
    generate,
    hint,
    list as list,
    recurrence,
    sample,
    trace,
)

# Without ``list``: ``from pessoi import *`` must not hide Python's own.
__all__ = [
    "Answer",
    "Board",
    "Card",
    "Error",
    "FileError",
    "Finding",
    "ForgedError",
    "GaveUp",
    "Graph",
    "InputError",
    "InternalError",
    "Layers",
    "Move",
    "Plan",
    "Search",
    "Solution",
    "StateSpace",
    "Stream",
    "Sweep",
    "Symmetry",
    "Table",
    "Verdict",
    "__version__",
    "analyze",
    "check",
    "cite",
    "classify",
    "compare",
    "convert",
    "count",
    "estimate",
    "explore",
    "export",
    "find",
    "games",
    "generate",
    "hint",
    "merge",
    "plan",
    "read",
    "recurrence",
    "sample",
    "schema",
    "trace",
    "verify",
]
