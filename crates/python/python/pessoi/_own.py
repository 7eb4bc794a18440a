"""Own games: classes that describe a sweep, a search or a state space, for teaching.

They run on the engines of Pessoi, which call Python at every step: slow, but exact. What must be
the same each time is asked twice, and a game that contradicts itself raises :class:`InputError`
with what it said. Exceptions of a game come out as they are.

The methods of a game are called on a thread of their own, one at a time: what is local to a thread
is not that of the caller. ``time`` is given as to the verbs. When it has passed, and when Ctrl-C is
pressed, a method that does not return is ended by an exception that ``except Exception`` does not
catch; one that waits outside Python, as in ``time.sleep``, ends when it is back. A game may ask
other own games, 16 deep; they end with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar, Union

from . import _pessoi

# Seconds, text such as "5m", or a timedelta.
Time = Union[float, str, timedelta, None]

Border = TypeVar("Border", bound=Hashable)
Choice = TypeVar("Choice")
Step = TypeVar("Step", bound=Hashable)
Found = TypeVar("Found")
State = TypeVar("State", bound=Hashable)


class Sweep(Generic[Border, Choice]):
    """A thing read site by site, with one choice at each.

    The border is all that the choices so far can still mean for those to come.

    >>> import pessoi
    >>> class Words(pessoi.Sweep[int, str]):
    ...     "Words of a and b without two b in a row."
    ...     sites = 10
    ...     def start(self):
    ...         return "a"
    ...     def choose(self, site, border):
    ...         yield "a", "a"
    ...         if border == "a":
    ...             yield "b", "b"
    >>> Words().count()
    144
    >>> "bb" in "".join(Words().sample(seed=1)[0])
    False
    """

    sites: int

    def start(self) -> Border:
        """The border before the first site."""
        raise NotImplementedError("an own sweep says where it starts: define start()")

    def choose(self, site: int, border: Border) -> Iterable[tuple[Choice, Border]]:
        """Every choice at a site, counted from 0, with the border that it leads to; 256 at most."""
        raise NotImplementedError("an own sweep says what can be chosen: define choose()")

    def accepts(self, border: Border) -> bool:
        """Whether a border after the last site is that of a complete thing."""
        return True

    def count(self, *, time: Time = None) -> int:
        """The exact number of complete things."""
        return _pessoi.sweep_count(self, time)[0]

    def layers(self, *, time: Time = None) -> list[int]:
        """How many borders there are after each site."""
        return _pessoi.sweep_count(self, time)[1]

    def sample(
        self, number: int = 1, *, seed: int = 1, time: Time = None
    ) -> list[list[Choice]]:
        """Complete things drawn uniformly, each as the list of its choices; none if none is."""
        return _pessoi.sweep_sample(self, number, seed, time)


class Search(Generic[Step, Found]):
    """A tree walked by taking and undoing steps.

    >>> import pessoi
    >>> class Queens(pessoi.Search[int, tuple]):
    ...     def __init__(self, n):
    ...         self.n, self.columns = n, []
    ...     def look(self):
    ...         row = len(self.columns)
    ...         return row == self.n or [
    ...             c for c in range(self.n)
    ...             if all(c != d and abs(c - d) != row - r for r, d in enumerate(self.columns))
    ...         ]
    ...     def take(self, step):
    ...         self.columns.append(step)
    ...     def undo(self):
    ...         self.columns.pop()
    ...     def solution(self):
    ...         return tuple(self.columns)
    >>> Queens(6).count()
    4
    >>> Queens(6).find()
    [(1, 3, 5, 0, 2, 4)]
    """

    def look(self) -> bool | Iterable[Step]:
        """True at a solution; or else the steps that lead on, or none."""
        raise NotImplementedError("an own search says what it sees: define look()")

    def take(self, step: Step) -> None:
        """Goes down one step."""
        raise NotImplementedError("an own search takes steps: define take()")

    def undo(self) -> None:
        """Goes back up one step."""
        raise NotImplementedError("an own search takes steps back: define undo()")

    def solution(self) -> Found:
        """The solution at a node that was said to be one."""
        raise NotImplementedError("an own search says what it found: define solution()")

    def find(self, limit: int | None = 1, *, time: Time = None) -> list[Found]:
        """The first solutions, or all of them with ``limit=None``.

        If a limit is reached, those until then are the attribute ``found`` of :class:`GaveUp`.
        """
        return _pessoi.search_find(self, limit, time)

    def count(self, *, time: Time = None) -> int:
        """The number of solutions."""
        return _pessoi.search_count(self, time)

    def estimate(
        self, samples: int = 1000, *, seed: int = 1, time: Time = None
    ) -> tuple[float, tuple[float, float] | None]:
        """About how many solutions there are, with an interval, by Knuth's probes."""
        return _pessoi.search_estimate(self, samples, seed, time)


@dataclass(frozen=True)
class Layers(Generic[State]):
    """All states by their distance from the nearest start."""

    states: list[list[State]]

    @property
    def sizes(self) -> list[int]:
        """How many states there are at each distance."""
        return [len(layer) for layer in self.states]

    @property
    def total(self) -> int:
        """How many states there are."""
        return sum(self.sizes)

    @property
    def farthest(self) -> State:
        """A state at the greatest distance."""
        return self.states[-1][0]


class StateSpace(Generic[State]):
    """States joined by moves.

    >>> import pessoi
    >>> class Clock(pessoi.StateSpace[int]):
    ...     "A hand that moves one hour either way."
    ...     def starts(self):
    ...         return [0]
    ...     def moves(self, state):
    ...         return [(state + 1) % 12, (state - 1) % 12]
    >>> Clock().layers().sizes
    [1, 2, 2, 2, 2, 2, 1]
    >>> Clock().diameter()[2]
    6
    >>> Clock().path(1, 11)
    [1, 0, 11]
    """

    def starts(self) -> Iterable[State]:
        """Where the space is explored from."""
        raise NotImplementedError("an own space says where it starts: define starts()")

    def moves(self, state: State) -> Iterable[State]:
        """The states one move away."""
        raise NotImplementedError("an own space says where moves lead: define moves()")

    def layers(self, *, time: Time = None) -> Layers[State]:
        """All states by their distance from the starts."""
        found: list[list[Any]] = _pessoi.space_layers(self, time)
        return Layers(found)

    def diameter(self, *, time: Time = None) -> tuple[State, State, int] | None:
        """Two states that are farthest apart, of all that can be reached, and their distance."""
        return _pessoi.space_diameter(self, time)

    def components(self, *, time: Time = None) -> list[list[State]]:
        """The states of each component. Moves must be such that they can be undone."""
        return _pessoi.space_components(self, time)

    def path(
        self, start: State, goal: State, *, time: Time = None
    ) -> list[State] | None:
        """A shortest way from one state to another; None if there is none."""
        return _pessoi.space_path(self, start, goal, time)
