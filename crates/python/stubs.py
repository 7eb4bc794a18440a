"""Writes ``_verbs.pyi`` from the cards of the games: ``python crates/python/stubs.py``.

Games that take the same for a verb share a signature. The last signature of each verb is for a game
whose name is not known before the program runs: it takes what any game takes. A test compares the
file with what this writes, so that it cannot go stale.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pessoi import _pessoi

PATH = Path(__file__).parent / "python" / "pessoi" / "_verbs.pyi"

HEAD = '''\
# Made from the cards by crates/python/stubs.py: do not edit.
import os
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal, TypedDict, overload

from typing_extensions import Unpack

from ._pessoi import Answer, Board, Stream, Watch

Cell = str | tuple[int, int]
Part = str | tuple[int, int]
Path = str | os.PathLike[str]
# A shape, a drawing, the path of one, a board, cells, or a mask of numpy.
Place = str | os.PathLike[str] | Board | Sequence[tuple[int, int]] | Any

class Lists(TypedDict, total=False):
    time: float | str | timedelta | None
    memory: int | str | None
    threads: int | None
    seed: int | None
    progress: bool | Watch | None

class Limits(Lists, total=False):
    disk: Path | None
    share: Path | None
    checkpoint: Path | None
    checkpoint_every: float | str | None
    resume: bool | None
'''


def kind(schema: dict[str, Any]) -> str:
    """The type of an option."""
    if "enum" in schema:
        return f"Literal[{quoted(schema['enum'])}]"
    if "anyOf" in schema:
        # Large whole numbers may be text in JSON; in Python they need not.
        kinds = [kind(one) for one in schema["anyOf"] if "^[0-9]{" not in one.get("pattern", "")]
        return " | ".join(kinds)
    if schema.get("pattern", "").startswith("^[0-9]+/"):
        return "Part"
    if schema.get("pattern", "").startswith("^[0-9]+,"):
        return "Cell"
    return {"boolean": "bool", "integer": "int"}.get(schema["type"], "Path")


def quoted(words: Iterable[str]) -> str:
    """Words as a type lists them."""
    return ", ".join(f'"{word}"' for word in words)


def merged(kinds: set[str]) -> str:
    """One type for all of these: words are put together."""
    parts = {part for each in kinds for part in each.split(" | ")}
    words = {word for part in parts for word in re.findall(r'"([^"]*)"', part)}
    others = sorted(part for part in parts if '"' not in part)
    return " | ".join([*others, *([f"Literal[{quoted(sorted(words))}]"] if words else [])])


def option(name: str, type_: str) -> str:
    """An option as a parameter."""
    name = name.replace("-", "_")
    name = name + "_" if keyword.iskeyword(name) else name
    return f"    {name}: {type_} | None = None,"


def parameter(name: str, schema: dict[str, Any]) -> str:
    """An option of a card as a parameter."""
    return option(name, kind(schema))


def place(schema: dict[str, Any] | None, is_required: bool) -> str:
    """The place as a parameter."""
    if schema is None:
        return "    place: None = None,"
    kinds = {one["type"] for one in schema.get("anyOf", [schema])}
    names = [{"string": "Place", "integer": "int"}[each] for each in sorted(kinds, reverse=True)]
    names += [] if is_required else ["None"]
    return f"    place: {' | '.join(names)}{'' if is_required else ' = None'},"


def text() -> str:
    """The whole file."""
    cards = _pessoi.cards()
    verbs = list(dict.fromkeys(verb for card in cards for verb in card["verbs"]))
    out = [HEAD]
    for verb in sorted(verbs):
        signatures: dict[tuple[str, ...], list[str]] = {}
        of_any: dict[str, set[str]] = {}
        for card in cards:
            if verb not in card["verbs"]:
                continue
            question = card["verbs"][verb]["question"]
            fields = question["properties"]
            options = fields.get("options", {}).get("properties", {})
            at = place(fields.get("place"), "place" in question["required"])
            named = [parameter(name, schema) for name, schema in sorted(options.items())]
            star = ["    *,"] if named else []
            signatures.setdefault((at, *star, *named), []).append(card["name"])
            for name, schema in options.items():
                of_any.setdefault(name, set()).add(kind(schema))
        streams = verb in ("list", "classify")
        limits, result = ("Lists", "Stream") if streams else ("Limits", "Answer")
        any_place = "    place: Place | int | None = None,"
        named = [option(name, merged(kinds)) for name, kinds in sorted(of_any.items())]
        star = ["    *,"] if named else []
        typed = [(f"Literal[{quoted(games)}]", lines) for lines, games in signatures.items()]
        for game, lines in [*typed, ("str", (any_place, *star, *named))]:
            out.append("@overload")
            out.append(f"def {verb}(")
            out.append(f"    game: {game},")
            out.extend(lines)
            out.append(f"    **limits: Unpack[{limits}],")
            out.append(f") -> {result}: ...")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
