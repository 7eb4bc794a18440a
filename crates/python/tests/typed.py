"""A program that uses the package, for mypy and pyright in strict mode; it is never run.

Each ``type: ignore`` stands where a mistake must be found: mypy warns of those that are not
needed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
from typing_extensions import assert_type

import pessoi

answer = pessoi.count("diplomatico", "6x6", closed=True, time=60, threads=2)
assert_type(answer, pessoi.Answer)
assert_type(int(answer), int)
assert_type(answer.tables["layers"], pessoi.Table)
assert_type(answer.standing, str)

for tour in pessoi.list("knight-tours", pessoi.Board("5x5"), from_=(0, 0), progress=True):
    assert_type(tour, pessoi.Solution)
    assert_type(tour.cells, list[tuple[int, int]])

pessoi.count("go", np.ones((3, 3), dtype=bool), mod=1000)
pessoi.list("knight-loops", 14).to_numpy().sum()
pessoi.count("diplomatico", "6x6", closd=True)  # type: ignore[call-overload]
pessoi.count("diplomatico", "6x6", method="swep")  # type: ignore[call-overload]
pessoi.count("knight-loops", 12, limit="many")  # type: ignore[call-overload]


def counted(game: str, size: int) -> int:
    """A game whose name is known when the program runs."""
    if game == "knight-loops":
        return int(pessoi.count(game, size, limit=5))
    for name in ("diplomatico", "king-tours"):
        pessoi.find(name, "6x6", closed=True, time=60)
    return int(pessoi.count(game, "6x6", closed=True, from_=(0, 0), time="5m"))


pessoi.count(str(answer), "6x6", closd=True)  # type: ignore[call-overload]
pessoi.count(str(answer), "6x6", method="swep")  # type: ignore[call-overload]

assert_type(pessoi.games("go"), pessoi.Card)
assert_type(pessoi.games(), dict[str, pessoi.Card])
assert_type(pessoi.verify(answer, again=True).holds, bool)
assert_type(pessoi.plan("count", "go", "9x9").seconds, float | None)


class Words(pessoi.Sweep[str, int]):
    sites = 10

    def start(self) -> str:
        return ""

    def choose(self, site: int, border: str) -> list[tuple[int, str]]:
        return [(site, border)]


assert_type(Words().sample(3, time="5m"), list[list[int]])
assert_type(Words().count(time=timedelta(minutes=5)), int)

try:
    int(answer)
except pessoi.GaveUp as error:
    assert_type(error.answer, pessoi.Answer | None)
    assert_type(error.code, str)
    assert_type(error.found, Any)
