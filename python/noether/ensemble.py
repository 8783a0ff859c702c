"""Many members of one system, in lanes and threads: arrays [member, row].

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import native
from .background import interruptible
from .errors import ArgumentError, Interrupted, ModelError, RunWarning, StepError
from .job import ARGUMENTS
from .method import method_of
from .native import ffi, lib
from .rows import table_columns
from .words import columns_word, members_of, one_of_rows, plain_name, times_of, whole, word

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
                 message: Optional[str], passages: Optional[Dict[str, Array]] = None, warnings: Tuple[str, ...] = (),
                 note: str = "", shape: Tuple[int, ...] = ()):
        #: What the members were given, by name.
        self.values = values
        #: The times, [row]: of the member with the most rows; the columns, [member, row]; the number of rows of each member.
        self.t = t
        self._data = data
        self.rows = rows
        #: Why some members stopped; None: all came to the end.
        self.message = message
        #: By the name of an event, the time of the first of them, [member]; NaN: it had none.
        self.passages = {} if passages is None else passages
        #: What the library warned of.
        self.warnings = tuple(map(native.plain, warnings))
        #: What need not be wrong, or "": members whose phase may run ahead.
        self.note = note
        #: The shape that the arrays had together: many["q1"].reshape(*many.shape, -1).
        self.shape = shape or (len(rows),)

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._data)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Array:
        """A column, [member, row]; of a family or a vector, one more axis after them."""
        for known, x in self._data.items():
            if known == name or plain_name(known) == plain_name(name):
                return x
        family, shape = members_of(name, self._data)
        if family:
            every = np.stack([self._data[k] for k in family], axis=-1)
            return every.reshape(*every.shape[:2], *shape)
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
                 columns: Any, threads: int, rows: Optional[int] = None, times: Any = None,
                 section: Optional[str] = None, stop: Optional[str] = None) -> Ensemble:
    """System.sweep."""
    _refuse(system, arrays)
    values, count, shape = _members(arrays)
    one_of_rows(every, rows, times)
    if system._reduce is not None:
        raise ArgumentError("this works for models; a system of matrices has none")
    if until is None and times is None and "until" not in system.suggested:
        raise ArgumentError("no end: give until=..., the model suggests none")
    words: Dict[str, Any] = dict(
        method=None if method is None else method_of(method).name, step=None if step is None else word(step, "step"),
        until=None if until is None else word(until, "until"), columns=columns_word(columns), section=section, stop=stop)
    own, given, result = ffi.new("noe_py_job *"), ffi.new("noe_py_members *"), ffi.new("noe_py_result *")
    keep: List[Any] = [system]
    for name, text in words.items():
        if text is not None:
            keep.append(ffi.new("char[]", native.encode(text, name)))
            setattr(own, name, keep[-1])
    own.every, own.threads = whole(every, "every"), whole(threads, "threads", 0, 64)
    own.rows = 0 if rows is None else whole(rows, "rows", 2)
    names = [ffi.new("char[]", native.encode(name)) for name in values]
    table = np.ascontiguousarray(np.array(list(values.values())).T)
    keep += [names, ffi.new("char *[]", names), table]
    given.system, given.name, given.names = system._c, keep[-2], len(names)
    given.value, given.members = ffi.from_buffer("double[]", table), count
    if times is not None:
        at = times_of(times)
        given.time, given.times = ffi.from_buffer("double[]", at), len(at)
        keep.append(at)

    def call(flag: Any) -> int:
        own.interrupted = flag
        return int(lib.noe_py_ensemble(own, given, result))

    interrupted = False
    try:
        try:
            status, said = interruptible(call)
        except Interrupted:
            status, said, interrupted = 130, None, True
        found = table_columns(result.rows) if result.rows else {}
        if not found or not len(found["member"]) and status == 2:
            raise Interrupted("interrupted") if interrupted else _failure(status, said)
        told = tuple((native.text(result.warning) or "").splitlines())
        made = _arrange(values, count, found, native.plain(said) if status == 3 and said else None,
                        table_columns(result.events) if result.events else {}, told,
                        native.text(result.note) or "", shape)
    finally:
        lib.noe_py_run_drop(result)
    if interrupted:
        raise Interrupted("interrupted: the rows so far are in .run", made)
    for line in told:
        warnings.warn(native.plain(line), RunWarning, stacklevel=3)
    return made


def _refuse(system: "System", arrays: Mapping[str, Any]) -> None:
    """Arguments of run that sweep does not have, unless the model has the name."""
    for name in arrays:
        if name not in ARGUMENTS or system._has(name):
            continue
        raise TypeError(f"sweep: there is no {name}=: " + (
            "all members go with one method and step; give method= and step=, which run(tolerance=..).choice finds for one"
            if name == "tolerance" else "members differ by values of parameters and starts, given by their names"
            if name in ("t0", "q0", "v0", "p0") else "run has it, for one motion"))


def _members(arrays: Mapping[str, Any]) -> Tuple[Dict[str, Array], int, Tuple[int, ...]]:
    """What each member gets, by name, how many there are, and the shape of the arrays."""
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
        if not isinstance(known, str):
            raise TypeError(f"the name of a value: expected a string, not {type(known).__name__}")
        if not np.all(np.isfinite(x)):
            raise ArgumentError(f"{known}: expected finite numbers")
    return values, count, spread[0].shape


def _failure(status: int, said: Optional[str]) -> Exception:
    said = native.plain(said or "")
    if status == 2 and said:
        return ModelError(said) if said.rstrip().endswith("^") else native.as_exception(None, said)
    return StepError(said or "no member came to a row", "not converged")


def _arrange(values: Dict[str, Array], count: int, found: Dict[str, Array], said: Optional[str],
             passages: Dict[str, Array], told: Tuple[str, ...], note: str, shape: Tuple[int, ...]) -> Ensemble:
    """The rows of the members, one below the other, as arrays [member, row]."""
    member = found["member"].astype(np.int64) - 1
    many = np.bincount(member, minlength=count)
    start = np.concatenate([[0], np.cumsum(many)])[:-1]
    place = np.arange(len(member)) - start[member]
    longest = int(many.max())
    data: Dict[str, Array] = {}
    for name in list(found)[1 + len(values):]:
        x = np.full((count, longest), np.nan)
        x[member, place] = found[name]
        data[name] = x
    t = data["t"][int(np.argmax(many))].copy() if "t" in data else np.full(longest, np.nan)
    return Ensemble(values, t, data, many, said, passages, told, note, shape)
