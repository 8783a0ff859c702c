"""Controls of least cost, as ``noether optimize`` finds them.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, Tuple, Union

from . import native
from .background import interruptible
from .errors import ArgumentError, Interrupted, OptimumError, RunWarning
from .method import method_of
from .native import ffi, lib
from .rows import table_columns
from .words import plain_name, whole, word

if TYPE_CHECKING:
    from .arrays import Array
    from .method import Method
    from .system import System

__all__ = ["Optimum"]


class Optimum:
    """The motion of least cost: ``found.cost``, ``found["u"]``, columns at the ends and the nodes of all steps."""

    def __init__(self, system: "System", method: "Method", steps: int, about: Any, data: Dict[str, Array]):
        self.system, self.method, self.steps = system, method, steps
        #: The cost, and its estimated error from two grids; nan: one grid alone was solved.
        self.cost, self.error = float(about.cost), float(about.error)
        #: The final time.
        self.end = float(about.end)
        #: By how much equations and conditions are missed, at most.
        self.violation = float(about.violation)
        self._data = data

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns: t, coordinates, q.v, q.p, controls, q.multiplier."""
        return tuple(self._data)

    def __getitem__(self, name: str) -> Array:
        for known, column in self._data.items():
            if plain_name(known) == plain_name(name):
                return column
        raise KeyError(f"no column {name!r}: there are {', '.join(self._data)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def keys(self) -> Tuple[str, ...]:
        """The names of the columns: dict(found) is a dictionary of arrays."""
        return self.columns

    @property
    def t(self) -> Array:
        """The times of the rows."""
        return self["t"]

    def __repr__(self) -> str:
        return f"<noether.Optimum {self.method.name}, {self.steps} steps: cost {self.cost:.8g}, {len(self.t)} rows>"


def _found(system: "System", method: "Method", about: Any, table: Any) -> Optimum:
    """What a table of C has, which is freed."""
    try:
        return Optimum(system, method, int(about.steps), about, table_columns(table))
    finally:
        lib.noe_table_free(table)


def optimize_system(system: "System", method: Any, steps: int, until: Union[float, str, None], iterations: int) -> Optimum:
    """System.optimize."""
    scheme = method_of(system.suggested.get("method", "simpson") if method is None else method)
    about = ffi.new("noe_optimum *")
    about.steps, about.iterations = whole(steps, "steps", 1, 1000000), whole(iterations, "iterations", 1, 1000000)
    about.until = float("nan")
    if until is not None:
        about.until = lib.noe_py_value(system._c, b"until", word(until, "until").encode())
        if about.until != about.until:
            raise ArgumentError(native.message() or "until")
    made = []

    def work(flag: Any) -> Any:
        made.append(lib.noe_py_optimize(system._c, scheme._c, about, flag))
        return made[0]

    try:
        table, said = interruptible(work)
    except Interrupted:
        if not made or not made[0]:
            raise
        raise Interrupted("interrupted: the best point of the search is in .best", best=_found(system, scheme, about, made[0])) from None
    if not table:
        raise ArgumentError(said or "the problem has no optimum")
    found = _found(system, scheme, about, table)
    if not about.found:
        raise OptimumError(said or "no optimum was found", found)
    if said:
        warnings.warn(native.plain(said), RunWarning, stacklevel=3)
    return found
