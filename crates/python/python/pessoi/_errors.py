"""Errors: a code for programs, the field that is wrong, and a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._pessoi import Answer


class Error(Exception):
    """Whatever Pessoi raises. ``code`` says what kind of error it is, ``field`` what is wrong."""

    code: str
    field: str | None

    def __init__(self, sentence: str, code: str = "internal", field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.field)


class InputError(Error, ValueError):
    """The question is not accepted: the sentence says what is.

    >>> import pessoi
    >>> try:
    ...     pessoi.count("diplomatico", "5x5", closd=True)
    ... except pessoi.InputError as error:
    ...     print(error.code, error.field, error, sep="; ")
    unknown; options.closd; count diplomatico takes no --closd (did you mean --closed?).
    """


class ForgedError(Error):
    """A saved answer is not true: ``field`` does not hold."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class GaveUp(Error):
    """A limit was reached. ``answer`` is what was known by then.

    ``found`` is what was found by then and would have been returned: the list of
    :meth:`Search.find`, the array of :meth:`Stream.to_numpy`. It is None where there is none.
    """

    answer: Answer | None
    found: Any

    def __init__(
        self,
        sentence: str,
        code: str = "stopped",
        field: str | None = None,
        answer: Answer | None = None,
        found: Any = None,
    ) -> None:
        super().__init__(sentence, code, field)
        self.answer = answer
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.field, self.answer, self.found)


class InternalError(Error):
    """Pessoi contradicted itself: please report it."""


class Ended(BaseException):
    """Raised inside the methods of an own game that has been cancelled or is out of time.

    It is no :class:`Exception`, so that ``except Exception`` does not catch it. Outside it becomes
    ``KeyboardInterrupt`` or :class:`GaveUp`.
    """
