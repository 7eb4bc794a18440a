"""The verbs. What each game takes for each of them is in ``_verbs.pyi``, made from the cards."""

from __future__ import annotations

from typing import Any

from . import _pessoi
from ._progress import watcher


def _ask(verb: str, game: str, place: Any, options: dict[str, Any]) -> _pessoi.Answer:
    watch = watcher(options.pop("progress", None))
    return _pessoi.ask(verb, game, place, options, watch)


def _stream(verb: str, game: str, place: Any, options: dict[str, Any]) -> _pessoi.Stream:
    watch = watcher(options.pop("progress", None))
    return _pessoi.stream(verb, game, place, options, watch)


def find(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Finds a solution, or proves that there is none.

    >>> import pessoi
    >>> answer = pessoi.find("knight-tours", "5x5")
    >>> len(answer.solutions[0])
    25
    >>> pessoi.find("knight-tours", "3x3").standing
    'none'
    """
    return _ask("find", game, place, options)


def count(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Counts all solutions exactly.

    >>> import pessoi
    >>> int(pessoi.count("knight-tours", "6x6", closed=True))
    9862
    """
    return _ask("count", game, place, options)


def list(game: str, place: Any = None, **options: Any) -> _pessoi.Stream:
    """Lists all solutions, one by one, as they are read.

    >>> import pessoi
    >>> tours = pessoi.list("king-tours", "3x3")
    >>> next(tours).cells[:3]
    [(0, 0), (0, 1), (0, 2)]
    >>> tours.close()

    As one array for numpy:

    >>> pessoi.list("knight-loops", 8).to_numpy().shape
    (480, 8, 2)
    """
    return _stream("list", game, place, options)


def classify(game: str, place: Any = None, **options: Any) -> _pessoi.Stream:
    """Lists one solution of each class up to symmetry.

    >>> import pessoi
    >>> [loop.orbit for loop in pessoi.classify("knight-loops", 4)]
    [2, 2, 2]
    """
    return _stream("classify", game, place, options)


def estimate(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Estimates the number of solutions, with an interval.

    >>> import pessoi
    >>> answer = pessoi.estimate("diplomatico", "5x5", seed=7)
    >>> low, high = answer.interval
    >>> low < 6200 < high
    True
    """
    return _ask("estimate", game, place, options)


def sample(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Draws random solutions.

    >>> import pessoi
    >>> positions = pessoi.sample("go", "3x3", samples=2, seed=1).solutions
    >>> positions[0].to_numpy().shape
    (1, 3, 3)
    """
    return _ask("sample", game, place, options)


def generate(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Makes a puzzle with exactly one solution.

    >>> import pessoi
    >>> puzzle = pessoi.generate("hopido", "5x5", seed=3).puzzle
    >>> len(puzzle), len(puzzle.clues) > 0
    (25, True)
    """
    return _ask("generate", game, place, options)


def hint(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Gives the next number or move of a half-filled board, with the reason.

    >>> import pessoi
    >>> answer = pessoi.hint("numbrix", "1 . 3\\n. . .\\n. . 9")
    >>> answer.facts["number"], answer.facts["rule"]
    (2, 'beside')
    """
    return _ask("hint", game, place, options)


def check(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Says whether a half-filled board is right so far, or which clues contradict each other.

    >>> import pessoi
    >>> pessoi.check("numbrix", "1 2 3\\n6 5 4\\n7 8 9").facts["unique"]
    True
    """
    return _ask("check", game, place, options)


def trace(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Shows how a solution is found, step by step.

    >>> import pessoi
    >>> answer = pessoi.trace("numbrix", "1 . 3\\n. . .\\n. . 9")
    >>> answer.facts["solved"], answer.solutions[0].cells[-1]
    (True, (2, 2))
    """
    return _ask("trace", game, place, options)


def explore(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Explores the graph of states: layers, components, diameter.

    >>> import pessoi
    >>> answer = pessoi.explore("square-slide", "2x3")
    >>> sum(answer.tables["distances"]["configurations"])
    360
    """
    return _ask("explore", game, place, options)


def recurrence(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Finds how the number grows with the length of a strip.

    >>> import pessoi
    >>> answer = pessoi.recurrence("go", 1, terms=5)
    >>> answer.terms
    [(1, 1), (2, 5), (3, 15), (4, 41), (5, 113)]
    """
    return _ask("recurrence", game, place, options)


def analyze(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Shows what can be said of a board without solving it.

    >>> import pessoi
    >>> pessoi.analyze("diplomatico", "5x5").standing
    'described'
    """
    return _ask("analyze", game, place, options)


def export(game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Gives the graph of a board, or of the positions of a game.

    >>> import pessoi
    >>> pessoi.export("knight-tours", "3x3").graph
    <pessoi.Graph "knight-tours on 3x3": 9 nodes, 8 edges>
    """
    return _ask("export", game, place, options)
