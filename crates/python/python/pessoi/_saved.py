"""Plans, comparisons, and saved answers: read, checked, cited, converted, merged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

from . import _pessoi
from ._errors import FileError
from ._progress import watcher

# A saved answer: the answer itself, the bytes of a file, or its path.
Saved = Union[_pessoi.Answer, bytes, str, "os.PathLike[str]"]


def _bytes(saved: Saved) -> bytes:
    if isinstance(saved, _pessoi.Answer):
        return saved.to_json().encode()
    if isinstance(saved, bytes):
        return saved
    try:
        with open(saved, "rb") as file:
            return file.read()
    except OSError as error:
        why = error.strerror or str(error)
        raise FileError(f"The file {os.fspath(saved)!r} cannot be read: {why}.", "io") from error


@dataclass(frozen=True)
class Plan:
    """How a question would be answered, and at what cost. Costs are predicted, not promised."""

    method: str
    why: str
    seconds: float | None
    bytes: float | None
    nodes: float | None
    borders: float | None
    states: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """What checking found of one claim: it is checked, repeated or not checked."""

    field: str
    standing: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """What checking found of all claims of an answer; whether they all hold."""

    holds: bool
    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return self.holds


def plan(verb: str, game: str, place: Any = None, **options: Any) -> Plan:
    """Says how a question would be answered. It takes what the verb takes.

    >>> import pessoi
    >>> pessoi.plan("count", "go", "9x9").method
    'matrix'
    """
    watch = watcher(options.pop("progress", None))
    return plan_of(_pessoi.plan(verb, game, place, options, watch))


def plan_of(found: dict[str, Any]) -> Plan:
    """A plan as the library gives it."""
    costs = {name: found.get(name) for name in ("seconds", "bytes", "nodes", "borders", "states")}
    method = found["method"]
    name = "/".join(part for part in (method["id"], method.get("by")) if part)
    return Plan(name, found["why"], **costs, notes=tuple(found.get("notes", ())))


def compare(verb: str, game: str, place: Any = None, **options: Any) -> _pessoi.Answer:
    """Answers a question by every method that takes it, one after the other.

    It takes what the verb takes. ``time`` is how long each method may take on each board
    (default: 10 seconds). Numbers that differ raise :class:`InternalError`.

    >>> import pessoi
    >>> answer = pessoi.compare("count", "diplomatico", "4x5", time=5)
    >>> methods = answer.tables["methods"]
    >>> len(methods["method"]) > 2
    True
    >>> {n for n, how in zip(methods["number"], methods["standing"]) if how == "exact"}
    {72}
    """
    watch = watcher(options.pop("progress", None))
    return _pessoi.compare(verb, game, place, options, watch)


def cite(saved: Saved) -> str:
    """How an answer is cited: in plain text, and as an entry for BibTeX.

    >>> import pessoi
    >>> print(pessoi.cite(pessoi.count("diplomatico", "4x5")).splitlines()[0])
    diplomatico on 4x5: 72 undirected open paths, exactly.
    """
    return _pessoi.cite(_bytes(saved))


def read(saved: Saved) -> _pessoi.Answer:
    """Reads a saved answer: JSON, lines of JSON, or a packed list.

    >>> import pessoi
    >>> answer = pessoi.count("diplomatico", "4x5")
    >>> pessoi.read(answer.to_json().encode()) == answer
    True
    """
    return _pessoi.read(_bytes(saved))


def verify(saved: Saved, *, again: bool = False, **limits: Any) -> Verdict:
    """Checks a saved answer, claim by claim. What is not true raises :class:`ForgedError`.

    With ``again`` the number is computed again by an engine that has no component in common with
    the one that gave it.

    >>> import pessoi
    >>> bool(pessoi.verify(pessoi.find("knight-tours", "5x5")))
    True
    """
    found = _pessoi.verify(_bytes(saved), again, limits)
    return Verdict(found["holds"], tuple(Finding(**finding) for finding in found["findings"]))


def convert(saved: Saved, format: str, **options: Any) -> bytes:
    """A saved answer in another format.

    >>> import pessoi
    >>> pessoi.convert(pessoi.find("knight-tours", "5x5"), "svg")[:4]
    b'<svg'
    """
    return _pessoi.convert(_bytes(saved), format, options)


def merge(parts: Iterable[Saved]) -> _pessoi.Answer:
    """Merges the answers of all parts of a question into that of the whole.

    >>> import pessoi
    >>> parts = [pessoi.count("diplomatico", "5x5", part=(i, 3)) for i in (1, 2, 3)]
    >>> int(pessoi.merge(parts))
    6200
    """
    named: list[tuple[str, bytes]] = []
    for number, part in enumerate(parts, 1):
        is_path = not isinstance(part, (_pessoi.Answer, bytes))
        named.append((str(part) if is_path else f"part number {number}", _bytes(part)))
    return _pessoi.merge(named)
