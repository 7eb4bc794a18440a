"""The games: what each of them is and can be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, overload

from . import _pessoi


@dataclass(frozen=True)
class Card:
    """What a game is. Printed, it shows what the command shows."""

    name: str
    title: str
    rules: str
    source: str
    verbs: dict[str, Any] = field(repr=False)

    def options(self, verb: str) -> dict[str, Any]:
        """The options that the game takes for a verb, as JSON Schema.

        >>> import pessoi
        >>> sorted(pessoi.games("go").options("sample"))
        ['samples']
        """
        question = self.verbs[verb]["question"]["properties"]
        options: dict[str, Any] = question.get("options", {}).get("properties", {})
        return options

    def __str__(self) -> str:
        return _pessoi.card_text(self.name)


def _card(data: dict[str, Any]) -> Card:
    return Card(data["name"], data["title"], data["rules"], data["source"], data["verbs"])


@overload
def games(name: str) -> Card: ...
@overload
def games(name: None = None) -> dict[str, Card]: ...
def games(name: str | None = None) -> Card | dict[str, Card]:
    """The card of a game, or all games by name.

    >>> import pessoi
    >>> pessoi.games("go").title
    'Go: legal positions and games'
    >>> "knight-loops" in pessoi.games()
    True
    """
    if name is not None:
        return _card(_pessoi.cards(name))
    return {data["name"]: _card(data) for data in _pessoi.cards()}


def schema(name: str | None = None) -> dict[str, Any]:
    """The JSON Schema of questions, answers, solutions, plans, verdicts or errors, or all.

    >>> import pessoi
    >>> sorted(pessoi.schema())
    ['answer', 'error', 'plan', 'question', 'solution', 'verdict']
    """
    return _pessoi.schema(name)
