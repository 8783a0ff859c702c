"""The columns of a run by name; observables are evaluated when one is read for the first time.

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
        count = len(states[0])
        values = [np.empty(count) for _ in self._later]
        columns, out = ffi.new("double *[]", len(states)), ffi.new("double *[]", len(values))
        keep = [ffi.from_buffer("double[]", x) for x in states]
        into = [ffi.from_buffer("double[]", x) for x in values]
        for first in range(0, count, ROWS):
            for k, x in enumerate(keep):
                columns[k] = x + first
            for k, x in enumerate(into):
                out[k] = x + first
            native.checked(lib.noe_py_observables(system._c, momenta, columns, min(ROWS, count - first), out))
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
