"""Solutions as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import InputError
from ._pessoi import Solution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Points of Go: empty, black, white; points that are not on the board are -1.
POINTS = {".": 0, "X": 1, "O": 2, "#": -1}


def _number(word: str) -> int:
    if word in POINTS:
        return POINTS[word]
    try:
        return int(word)
    except ValueError:
        sentence = f"{word!r} in a position stands for no number."
        raise InputError(sentence, "unsupported", "verb") from None


def _position(drawing: str) -> list[list[int]]:
    rows = drawing.strip("\n").replace("/", "\n").split("\n")
    is_spaced = any(" " in row.strip() for row in rows)
    words = [row.split() if is_spaced else [*row.strip()] for row in rows]
    width = max(len(row) for row in words)
    # Rows of a hexagonal board can be shorter.
    return [[*map(_number, row), *[-1] * (width - len(row))] for row in words]


def solution(found: Solution) -> npt.NDArray[np.int64]:
    """The cells of a path, or its positions: tiles by number, holes and empty points as 0."""
    import numpy as np

    items: Any = found.cells
    if not items:
        items = [_position(drawing) for drawing in found.positions]
    array: npt.NDArray[np.int64] = np.array(items, dtype=np.int64)
    return array
