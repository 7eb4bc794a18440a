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

@overload
def analyze(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    bounds: bool | None = None,
    closed: bool | None = None,
    from_: Cell | None = None,
    model: Path | None = None,
    moves: Path | None = None,
    pieces: int | None = None,
    predict: bool | None = None,
    profile: bool | None = None,
    solutions: bool | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def analyze(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int,
    *,
    board: Path | None = None,
    cells: bool | None = None,
    congruent: bool | None = None,
    method: Literal["auto", "orderly", "doubling", "algorithm-1", "algorithm-2"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def analyze(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    holes: int | Literal["auto"] | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def analyze(
    game: Literal["go"],
    place: Place | None = None,
    *,
    borders: int | None = None,
    formula: int | None = None,
    position: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def analyze(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    borders: int | None = None,
    bounds: bool | None = None,
    cells: bool | None = None,
    closed: bool | None = None,
    congruent: bool | None = None,
    formula: int | None = None,
    from_: Cell | None = None,
    holes: int | Literal["auto"] | None = None,
    method: Literal["algorithm-1", "algorithm-2", "auto", "doubling", "orderly"] | None = None,
    model: Path | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    pieces: int | None = None,
    position: Path | None = None,
    predict: bool | None = None,
    profile: bool | None = None,
    solutions: bool | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def check(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    moves: Path | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def check(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    from_: Path | None = None,
    holes: int | None = None,
    to: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def check(
    game: str,
    place: Place | int | None = None,
    *,
    closed: bool | None = None,
    from_: Cell | Path | None = None,
    holes: int | None = None,
    moves: Path | None = None,
    to: Cell | Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def classify(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    moves: Path | None = None,
    part: Part | None = None,
    to: Cell | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def classify(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int | None = None,
    *,
    board: Path | None = None,
    congruent: bool | None = None,
    limit: int | None = None,
    method: Literal["auto", "orderly", "algorithm-1", "algorithm-2"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    page: int | None = None,
    part: Part | None = None,
    path: Path | None = None,
    symmetry: Literal["free", "one-sided", "fixed"] | None = None,
    width: int | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def classify(
    game: Literal["go"],
    place: Place,
    *,
    limit: int | None = None,
    part: Part | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def classify(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    closed: bool | None = None,
    congruent: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    method: Literal["algorithm-1", "algorithm-2", "auto", "orderly"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    page: int | None = None,
    part: Part | None = None,
    path: Path | None = None,
    symmetry: Literal["fixed", "free", "one-sided"] | None = None,
    to: Cell | None = None,
    width: int | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def count(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    classes: bool | None = None,
    closed: bool | None = None,
    directed: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    method: Literal["auto", "branch", "pairings", "plain-sweep", "search"] | None = None,
    moves: Path | None = None,
    part: Part | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def count(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int,
    *,
    board: Path | None = None,
    congruent: bool | None = None,
    method: Literal["auto", "orderly", "doubling", "transfer", "algorithm-1", "algorithm-2"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    part: Part | None = None,
    sequence: bool | None = None,
    symmetry: Literal["free", "one-sided", "fixed"] | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def count(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    holes: int | Literal["auto"] | None = None,
    method: Literal["auto", "plain"] | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def count(
    game: Literal["go"],
    place: Place,
    *,
    classes: bool | None = None,
    cycles: bool | None = None,
    games: bool | None = None,
    method: Literal["auto", "sweep", "table", "matrix", "search", "memo"] | None = None,
    mod: int | None = None,
    over: Literal["moduli", "blocks"] | None = None,
    part: Part | None = None,
    superko: Literal["positional", "situational"] | None = None,
    symmetric: bool | None = None,
    ternary: bool | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def count(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    classes: bool | None = None,
    closed: bool | None = None,
    congruent: bool | None = None,
    cycles: bool | None = None,
    directed: bool | None = None,
    from_: Cell | None = None,
    games: bool | None = None,
    holes: int | Literal["auto"] | None = None,
    limit: int | None = None,
    method: Literal["algorithm-1", "algorithm-2", "auto", "branch", "doubling", "matrix", "memo", "orderly", "pairings", "plain", "plain-sweep", "search", "sweep", "table", "transfer"] | None = None,
    mod: int | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    over: Literal["blocks", "moduli"] | None = None,
    part: Part | None = None,
    sequence: bool | None = None,
    superko: Literal["positional", "situational"] | None = None,
    symmetric: bool | None = None,
    symmetry: Literal["fixed", "free", "one-sided"] | None = None,
    ternary: bool | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def estimate(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    directed: bool | None = None,
    from_: Cell | None = None,
    method: Literal["auto", "chen", "knuth"] | None = None,
    moves: Path | None = None,
    samples: int | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def estimate(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int,
    *,
    board: Path | None = None,
    method: Literal["auto", "chen", "knuth"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    samples: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def estimate(
    game: Literal["go"],
    place: Place,
    *,
    games: bool | None = None,
    samples: int | None = None,
    superko: Literal["positional", "situational"] | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def estimate(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    closed: bool | None = None,
    directed: bool | None = None,
    from_: Cell | None = None,
    games: bool | None = None,
    method: Literal["auto", "chen", "knuth"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    samples: int | None = None,
    superko: Literal["positional", "situational"] | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def explore(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    from_: Cell | None = None,
    moves: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def explore(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    from_: Path | None = None,
    holes: int | Literal["auto"] | None = None,
    method: Literal["auto", "fast", "plain"] | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def explore(
    game: Literal["go"],
    place: Place,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def explore(
    game: str,
    place: Place | int | None = None,
    *,
    from_: Cell | Path | None = None,
    holes: int | Literal["auto"] | None = None,
    method: Literal["auto", "fast", "plain"] | None = None,
    moves: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def export(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    moves: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def export(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    all: bool | None = None,
    from_: Path | None = None,
    holes: int | None = None,
    pieces: bool | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def export(
    game: Literal["go"],
    place: Place,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def export(
    game: str,
    place: Place | int | None = None,
    *,
    all: bool | None = None,
    closed: bool | None = None,
    from_: Path | None = None,
    holes: int | None = None,
    moves: Path | None = None,
    pieces: bool | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def find(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    all: bool | None = None,
    closed: bool | None = None,
    few_crossings: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    magic: Literal["semi", "full"] | None = None,
    method: Literal["auto", "rotations", "tiling", "patches", "sat", "warnsdorff", "backtrack", "learned", "supply"] | None = None,
    model: Path | None = None,
    moves: Path | None = None,
    symmetric: Literal["rotation", "half-turn", "mirror"] | None = None,
    to: Cell | None = None,
    tour: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def find(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: Place | int,
    *,
    board: Path | None = None,
    limit: int | None = None,
    longest: bool | None = None,
    method: Literal["auto", "orderly", "algorithm-1", "algorithm-2"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    open: bool | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def find(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    from_: Path | None = None,
    holes: int | None = None,
    method: Literal["auto", "meet", "lookup", "peel", "group"] | None = None,
    to: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def find(
    game: Literal["go"],
    place: Place,
    *,
    symmetric: bool | None = None,
    tour: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def find(
    game: str,
    place: Place | int | None = None,
    *,
    all: bool | None = None,
    board: Path | None = None,
    closed: bool | None = None,
    few_crossings: bool | None = None,
    from_: Cell | Path | None = None,
    holes: int | None = None,
    limit: int | None = None,
    longest: bool | None = None,
    magic: Literal["full", "semi"] | None = None,
    method: Literal["algorithm-1", "algorithm-2", "auto", "backtrack", "group", "learned", "lookup", "meet", "orderly", "patches", "peel", "rotations", "sat", "supply", "tiling", "warnsdorff"] | None = None,
    model: Path | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    open: bool | None = None,
    symmetric: bool | Literal["half-turn", "mirror", "rotation"] | None = None,
    to: Cell | Path | None = None,
    tour: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def generate(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    clues: int | None = None,
    difficulty: Literal["easy", "medium", "hard"] | None = None,
    from_: Cell | None = None,
    moves: Path | None = None,
    number: int | None = None,
    symmetric: bool | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def generate(
    game: str,
    place: Place | int | None = None,
    *,
    closed: bool | None = None,
    clues: int | None = None,
    difficulty: Literal["easy", "hard", "medium"] | None = None,
    from_: Cell | None = None,
    moves: Path | None = None,
    number: int | None = None,
    symmetric: bool | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def hint(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    moves: Path | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def hint(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    from_: Path | None = None,
    holes: int | None = None,
    method: Literal["auto", "meet", "lookup", "peel", "group"] | None = None,
    to: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def hint(
    game: str,
    place: Place | int | None = None,
    *,
    closed: bool | None = None,
    from_: Cell | Path | None = None,
    holes: int | None = None,
    method: Literal["auto", "group", "lookup", "meet", "peel"] | None = None,
    moves: Path | None = None,
    to: Cell | Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def list(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    moves: Path | None = None,
    part: Part | None = None,
    to: Cell | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def list(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int,
    *,
    board: Path | None = None,
    congruent: bool | None = None,
    limit: int | None = None,
    method: Literal["auto", "orderly", "algorithm-1", "algorithm-2"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    page: int | None = None,
    part: Part | None = None,
    symmetry: Literal["free", "one-sided", "fixed"] | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def list(
    game: Literal["go"],
    place: Place,
    *,
    limit: int | None = None,
    part: Part | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def list(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    closed: bool | None = None,
    congruent: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    method: Literal["algorithm-1", "algorithm-2", "auto", "orderly"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    page: int | None = None,
    part: Part | None = None,
    symmetry: Literal["fixed", "free", "one-sided"] | None = None,
    to: Cell | None = None,
    **limits: Unpack[Lists],
) -> Stream: ...
@overload
def recurrence(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: int,
    *,
    closed: bool | None = None,
    directed: bool | None = None,
    moves: Path | None = None,
    terms: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def recurrence(
    game: Literal["go"],
    place: int,
    *,
    terms: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def recurrence(
    game: str,
    place: Place | int | None = None,
    *,
    closed: bool | None = None,
    directed: bool | None = None,
    moves: Path | None = None,
    terms: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def sample(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    method: Literal["auto", "rotations", "uniform"] | None = None,
    moves: Path | None = None,
    samples: int | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def sample(
    game: Literal["knight-loops", "wazir-loops", "king-loops", "camel-loops", "zebra-loops", "giraffe-loops", "diplomatico-loops"],
    place: int,
    *,
    board: Path | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    samples: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def sample(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    distance: int | Literal["god"] | None = None,
    holes: int | None = None,
    samples: int | None = None,
    to: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def sample(
    game: Literal["go"],
    place: Place,
    *,
    samples: int | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def sample(
    game: str,
    place: Place | int | None = None,
    *,
    board: Path | None = None,
    closed: bool | None = None,
    distance: int | Literal["god"] | None = None,
    from_: Cell | None = None,
    holes: int | None = None,
    method: Literal["auto", "rotations", "uniform"] | None = None,
    moves: Path | None = None,
    non_crossing: bool | None = None,
    samples: int | None = None,
    to: Cell | Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def trace(
    game: Literal["diplomatico", "hopido", "knight-tours", "king-tours", "wazir-tours", "hidato", "numbrix", "camel-tours", "zebra-tours", "giraffe-tours"],
    place: Place,
    *,
    closed: bool | None = None,
    from_: Cell | None = None,
    limit: int | None = None,
    method: Literal["auto", "warnsdorff", "backtrack", "rules"] | None = None,
    moves: Path | None = None,
    to: Cell | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def trace(
    game: Literal["hex-slide", "square-slide"],
    place: Place,
    *,
    from_: Path | None = None,
    holes: int | None = None,
    limit: int | None = None,
    method: Literal["auto", "meet"] | None = None,
    to: Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
@overload
def trace(
    game: str,
    place: Place | int | None = None,
    *,
    closed: bool | None = None,
    from_: Cell | Path | None = None,
    holes: int | None = None,
    limit: int | None = None,
    method: Literal["auto", "backtrack", "meet", "rules", "warnsdorff"] | None = None,
    moves: Path | None = None,
    to: Cell | Path | None = None,
    **limits: Unpack[Limits],
) -> Answer: ...
