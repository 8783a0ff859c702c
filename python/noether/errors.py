"""What can go wrong: a message of the C library as an exception.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .run import Run

__all__ = ["Error", "ModelError", "ArgumentError", "StepError", "OptimumError", "Interrupted", "ModelWarning", "RunWarning"]


class Error(Exception):
    """The base of all exceptions of noether."""


class ModelError(Error, ValueError):
    """The text of a model, or of a value given to it, is wrong.

    >>> import noether
    >>> try:
    ...     noether.System('''coordinate x
    ... kinetic x'^2/2
    ... potential sinn(x)''')
    ... except noether.ModelError as error:
    ...     print(error.line, error.column, error.text)
    ...     print(error)
    3 11 potential sinn(x)
    model:3:11: unknown name 'sinn'; did you mean 'sin'?
        potential sinn(x)
                  ^
    """

    def __init__(self, message: str):
        super().__init__(message)
        first, _, rest = message.partition("\n")
        place = re.match(r"(.*?):(\d+):(\d+): (.*)", first)
        lines = rest.split("\n")
        #: The file, or what the text was: "model", "assignment", "step".
        self.file: Optional[str] = place.group(1) if place else None
        #: Line and column in it, counted from 1; None where the message has no place.
        self.line: Optional[int] = int(place.group(2)) if place else None
        self.column: Optional[int] = int(place.group(3)) if place else None
        #: The message without its place.
        self.reason: str = place.group(4) if place else first
        #: The line of the text, and the caret below its column.
        self.text: Optional[str] = lines[0][4:] if len(lines) > 1 else None
        self.caret: Optional[str] = lines[1][4:] if len(lines) > 1 else None

    def __reduce__(self) -> Any:
        return type(self), (str(self),)


class ArgumentError(Error, ValueError):
    """An argument is out of range or unknown: a method, a column, a step of 0."""


class StepError(Error, ArithmeticError):
    """A run could not go on.  Its rows so far are there: ``error.run``.

    >>> import noether
    >>> wall = noether.System('''coordinate x
    ... kinetic x^2*x'^2/2
    ... start x = 1, x' = -1''')
    >>> try:
    ...     wall.run("simpson", step=0.1, until=10)
    ... except noether.StepError as error:
    ...     print(error.cause, error.step, len(error.run))
    singular 6 6
    """

    def __init__(self, message: str, cause: str = "", time: float = float("nan"), step: int = 0,
                 run: Optional["Run"] = None):
        super().__init__(message)
        #: "singular", "not converged" or "not finite".
        self.cause = cause
        #: The time of the last good state, and the number of the step from there.
        self.time = time
        self.step = step
        #: The rows up to there.
        self.run = run

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.cause, self.time, self.step, self.run)


class OptimumError(Error, ArithmeticError):
    """No optimum was found; ``best`` is the best point of the search, an Optimum."""

    def __init__(self, message: str, best: Any = None):
        super().__init__(message)
        self.best = best

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.best)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run; ``run`` has its rows so far, ``best`` the best point of a search.  A KeyboardInterrupt."""

    def __init__(self, message: str = "", run: Any = None, best: Any = None):
        super().__init__(message)
        self.run, self.best = run, best


class ModelWarning(UserWarning):
    """What the text of a model says and hardly means."""


class RunWarning(UserWarning):
    """A run whose steps do not resolve its motion, or that ends before its end."""
