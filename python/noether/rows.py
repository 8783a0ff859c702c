"""The columns of a run by name; energies, velocities and observables are computed when one is read for the first time.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Sequence, Tuple

import numpy as np

from . import native
from .native import ffi, lib

if TYPE_CHECKING:
    from .arrays import Array

#: Rows that are evaluated by one call; Ctrl-C is seen between two.
ROWS = 20000
#: The same of energies.
ENERGIES = 200000


def column_views(table: Any) -> List["Array"]:
    """The columns of a table of C, in its memory."""
    count = lib.noe_table_rows(table)
    return [np.frombuffer(ffi.buffer(lib.noe_py_column(table, j), 8 * count), dtype=np.float64)
            for j in range(lib.noe_table_columns(table))]


def table_columns(table: Any) -> Dict[str, Array]:
    """The columns of a table of C, copied."""
    return {native.text(lib.noe_table_name(table, j)) or "": np.array(x) for j, x in enumerate(column_views(table))}


def in_parts(columns: Sequence["Array"], results: int, most: int, work: Any) -> List["Array"]:
    """Arrays that work(columns, rows, out) fills, of `most` rows at a time."""
    count = len(columns[0])
    values = [np.empty(count) for _ in range(results)]
    given, out = ffi.new("double *[]", len(columns)), ffi.new("double *[]", results)
    keep, into = [ffi.from_buffer("double[]", x) for x in columns], [ffi.from_buffer("double[]", x) for x in values]
    for first in range(0, count, most):
        for pointers, of in ((given, keep), (out, into)):
            for k, x in enumerate(of):
                pointers[k] = x + first
        native.checked(work(given, min(most, count - first), out))
    return values


class Rows(Mapping[str, "Array"]):
    """Columns, and observables o(t, q, v, p, H) that follow from them, in binary128 as in the command."""

    def __init__(self, made: Dict[str, "Array"], system: Any, momenta: Any, states: Sequence["Array"]):
        self._made = made
        self._of: Tuple[Any, Any, List["Array"]] = (system, momenta, list(states))
        names: List[str] = []
        while (name := native.text(lib.noe_py_observable(system._c, len(names)))) is not None:
            names.append(name)
        self._later: Tuple[str, ...] = tuple(names)
        self._names: Tuple[str, ...] = (*made, *names)

    @property
    def velocities(self) -> List["Array"]:
        """The velocities, a column for each coordinate."""
        system, _, states = self._of
        n: int = system.dim
        return states[1 + n:1 + 2 * n]

    def _observe(self) -> None:
        system, momenta, states = self._of
        values = in_parts(states, len(self._later), ROWS, lambda given, rows, out:
                          lib.noe_py_observables(system._c, momenta, given, rows, out))
        self._made = {**self._made, **dict(zip(self._later, values))}

    def __getitem__(self, name: str) -> "Array":
        if name not in self._made and name in self._later:
            self._observe()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class StateRows(Rows):
    """The same of many rows in one block of C: two times, positions, momenta, and what else energies follow from.

    Its columns are copied when they are read.
    """

    def __init__(self, result: Any, system: Any, momenta: Any, method: Any, step: str):
        super().__init__({}, system, momenta, ())
        n: int = system.dim
        count, numbers = result.states, 2 + 4 * n
        self._first = [result.first[j] for j in range(1 + n)]
        names = [native.text(lib.noe_table_name(result.rows, j)) or "" for j in range(1 + 2 * n)]
        self._block = ffi.gc(lib.noe_py_states_take(result), lib.noe_py_free, 8 * count * numbers)
        self._states: "Array" = np.frombuffer(ffi.buffer(self._block, 8 * count * numbers)).reshape(count, numbers)
        self._by = (method, step)
        self._stacks: Tuple["Array", ...] = ()
        self._places: Dict[str, int] = {"t": 0, **{name: 2 + j for j, name in enumerate(names[1:])}}
        self._names = (*self._places, "energy", *self._later)

    def _read(self) -> None:
        n: int = self._of[0].dim
        count = len(self._states)
        t, q, p = np.empty(count), np.empty((count, n)), np.empty((count, n))
        lib.noe_py_states_read(self._block, count, n, *(ffi.from_buffer("double[]", x) for x in (t, q, p)))
        self._stacks = q, p
        self._made = {**self._made, "t": t}

    def stack(self, momenta: bool) -> "Array":
        """Positions or momenta, [rows, coordinates]."""
        if not self._stacks:
            self._read()
        return self._stacks[momenta]

    def _compute(self) -> None:
        system, momenta, _ = self._of
        method, step = self._by
        n: int = system.dim
        word = ffi.new("char[]", step.encode())
        count, numbers = self._states.shape
        values = [np.empty(count) for _ in range(1 + n)]
        out, into = ffi.new("double *[]", 1 + n), [ffi.from_buffer("double[]", x) for x in values]
        for begin in range(0, count, ENERGIES):
            for k, x in enumerate(into):
                out[k] = x + begin
            native.checked(lib.noe_py_energies(system._c, method._c, word, self._block + begin * numbers,
                                               min(ENERGIES, count - begin), out))
        for x, value in zip(values, self._first):
            x[0] = value
        energy, *v = values
        q, p = ([np.array(self._states[:, first + j]) for j in range(n)] for first in (2, 2 + n))
        self._of = system, momenta, [np.array(self._states[:, 0]), *q, *v, *p, energy]
        self._made = {**self._made, "energy": energy}

    @property
    def velocities(self) -> List["Array"]:
        """The velocities, a column for each coordinate."""
        if "energy" not in self._made:
            self._compute()
        return super().velocities

    def __getitem__(self, name: str) -> "Array":
        if name == "t" and name not in self._made:
            self._read()
        elif name in self._places and name not in self._made:
            self._made = {**self._made, name: np.array(self._states[:, self._places[name]])}
        elif name not in self._made and name in self._names and "energy" not in self._made:
            self._compute()
        return super().__getitem__(name)
