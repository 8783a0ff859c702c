"""Many members of one system, in lanes and threads: arrays [member, row].

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import native
from .background import interruptible
from .certificate import job
from .errors import ArgumentError, Interrupted, ModelError, StepError
from .native import lib
from .words import columns_word, plain_name, whole, word

if TYPE_CHECKING:
    from .arrays import Array, Integers
    from .system import System

__all__ = ["Ensemble"]


class Ensemble:
    """The rows of all members: ``ensemble["q1"]`` is an array [member, row], NaN where a member has no row.

    >>> import numpy as np, noether
    >>> swing = noether.System("coordinate q\\nkinetic q'^2/2\\npotential -cos(q)")
    >>> many = swing.sweep(q=np.linspace(0.1, 3, 8), method="simpson", step=0.1, until=1)
    >>> many["q"].shape, len(many)
    ((8, 11), 8)
    """

    def __init__(self, values: Dict[str, Array], t: Array, data: Dict[str, Array], rows: Integers,
                 message: Optional[str]):
        #: What the members were given, by name.
        self.values = values
        #: The times, [row]; the columns, [member, row]; the number of rows of each member.
        self.t = t
        self._data = data
        self.rows = rows
        #: Why some members stopped; None: all came to the end.
        self.message = message

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._data)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Array:
        for known, x in self._data.items():
            if known == name or plain_name(known) == plain_name(name):
                return x
        raise KeyError(f"no column {name!r}: the ensemble has {', '.join(self._data)}")

    @property
    def energy(self) -> Array:
        """v.L_v - L, [member, row]."""
        return self["energy"]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the index (member, t)."""
        import pandas
        index = pandas.MultiIndex.from_product([range(len(self)), self.t], names=["member", "t"])
        return pandas.DataFrame({n: x.ravel() for n, x in self._data.items() if n != "t"}, index=index)

    def plot(self, name: str, ax: Any = None) -> Any:
        """A column of all members against time."""
        from .plot import plot_ensemble
        return plot_ensemble(self, name, ax)

    def __repr__(self) -> str:
        return f"<noether.Ensemble: {len(self)} members, {len(self.t)} rows of {', '.join(self.columns[:8])}>"


def sweep_system(system: "System", arrays: Mapping[str, Any], method: Any, step: Any, until: Any, every: int,
                 columns: Any, threads: int) -> Ensemble:
    """System.sweep."""
    from .system import method_of
    if not arrays:
        raise ArgumentError("sweep: of what?  sweep(q1=np.linspace(0, 1, 100))")
    try:
        spread = np.broadcast_arrays(*[np.asarray(v, dtype=np.float64) for v in arrays.values()])
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"sweep: expected arrays of one shape, or that broadcast to one: {error}") from None
    values = {name: np.array(x).ravel() for name, x in zip(arrays, spread)}
    count = len(next(iter(values.values())))
    if count == 0:
        raise ArgumentError("sweep: expected one member at least")
    for known, x in values.items():
        if not np.all(np.isfinite(x)):
            raise ArgumentError(f"{known}: expected finite numbers")
    asked = columns_word(columns)
    name = None if method is None else method_of(method).name
    with job(system, method=name, step=None if step is None else word(step, "step"),
             until=None if until is None else word(until, "until"), columns=asked, every=whole(every, "every"),
             threads=whole(threads, "threads", 0, 64)) as (own, about):
        if until is None and "until" not in system.suggested:
            raise ArgumentError("no end: give until=..., the model suggests none")
        members, everything, means = (os.path.join(about["folder"], n) for n in ("members.csv", "all.csv", "means.csv"))
        with open(members, "w") as file:
            file.write(",".join(values) + "\n")
            file.writelines(",".join(map(repr, map(float, row))) + "\n" for row in zip(*values.values()))
        keep = [native.ffi.new("char[]", os.fsencode(p)) for p in (members, everything, means)]
        own.members, own.all, own.statistics = keep

        def call(flag: Any) -> int:
            own.interrupted = flag
            return int(lib.noe_py_ensemble(own))

        interrupted = False
        try:
            status, message = interruptible(call)
        except Interrupted:
            status, message, interrupted = 130, None, True
        said = (message or "").replace(members, "members").replace(about["path"], system.source) or None
        if not os.path.exists(everything):
            if interrupted:
                raise Interrupted("interrupted")
            if status == 2 and said:
                raise ModelError(said) if said.rstrip().endswith("^") else ArgumentError(said)
            raise StepError(said or "no member came to a row", "not converged")
        with open(everything) as file:
            names = _names(file.readline())
            rows = np.loadtxt(file, delimiter=",", ndmin=2)
    result = _arrange(values, count, names, rows, said)
    if interrupted:
        raise Interrupted("interrupted: the rows so far are in .run", result)
    return result


def _names(line: str) -> List[str]:
    """The names of a head of a CSV, where a name may have commas in quotes."""
    import csv
    return next(csv.reader([line]))


def _arrange(values: Dict[str, Array], count: int, names: List[str], rows: Array, said: Optional[str]) -> Ensemble:
    member = rows[:, 0].astype(np.int64) - 1
    many = np.bincount(member, minlength=count)
    start = np.concatenate([[0], np.cumsum(many)])[:-1]
    place = np.arange(len(rows)) - start[member]
    longest = int(many.max()) if len(many) else 0
    data: Dict[str, Array] = {}
    for j in range(1 + len(values), len(names)):
        x = np.full((count, longest), np.nan)
        x[member, place] = rows[:, j]
        data[names[j]] = x
    t = data["t"][int(np.argmax(many))].copy() if "t" in data else np.full(longest, np.nan)
    return Ensemble(values, t, data, many, said)
