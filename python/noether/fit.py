"""Parameters and starts from measurements, as ``noether fit`` finds them.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import native
from .background import interruptible
from .errors import ArgumentError
from .method import method_of
from .native import ffi, lib
from .words import whole, word

if TYPE_CHECKING:
    from .system import System

__all__ = ["Fit"]


class Fit:
    """What ``System.fit`` found.

    >>> import numpy as np, noether
    >>> spring = noether.System("coordinate x\\nparameter k = 1\\nkinetic x'^2/2\\npotential k*x^2/2\\nstart x = 1")
    >>> t = np.linspace(0.1, 6, 60)
    >>> found = spring.fit({"t": t, "x": 0.8*np.cos(1.5*t)}, "k, x(0)", "gauss 4", 0.05)
    >>> round(found["k"], 6), round(found["x(0)"], 6)
    (2.25, 0.8)
    """

    def __init__(self, system: "System", names: List[str], rows: Any, note: Optional[str], fitted: Optional["System"]):
        #: The system that was fitted, with the values that it had.
        self.system = system
        #: The same with the estimates; None where files have values of their own.
        self.fitted = fitted
        #: What the data cannot tell apart; None: nothing.
        self.undetermined: Optional[str] = note
        #: The estimates by name.
        self.values: Dict[str, float] = dict(zip(names, rows[:, 0].tolist()))
        #: Their standard errors; nan at a bound, or where they are not determined.
        self.errors: Dict[str, float] = dict(zip(names, rows[:, 1].tolist()))
        #: The intervals that hold the truth with 95 %.
        self.intervals: Dict[str, Any] = {name: (float(row[2]), float(row[3])) for name, row in zip(names, rows)}
        #: Their correlations, [i, j] in the order of ``values``.
        self.correlations = rows[:, 4:]

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def __repr__(self) -> str:
        return "<noether.Fit: " + ", ".join(f"{name} = {x:.8g} +- {self.errors[name]:.2g}" for name, x in self.values.items()) + ">"


def _frame(data: Any) -> Dict[Any, Any]:
    """The columns of a DataFrame of pandas by name; an index called t is the time where no column is."""
    if len(set(data.columns)) < len(data.columns):
        raise ArgumentError("data: expected a DataFrame whose columns have different names")
    time = {"t": data.index} if data.index.name == "t" and "t" not in data.columns else {}
    return {**time, **{name: data[name] for name in data.columns}}


def _numbers(name: Any, column: Any) -> Any:
    """A column as floats, missing ones as nan."""
    kind = getattr(getattr(column, "dtype", None), "kind", "f")
    try:
        if kind in "mMc":
            raise TypeError(f"it has the type {column.dtype}")
        return column.to_numpy(dtype=float, na_value=np.nan) if hasattr(column, "isna") else np.asarray(column, dtype=float)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"data: column {name!r}: expected numbers: {error}") from None


def _file(data: Any, folder: str, i: int) -> str:
    """The path of a file with the data."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if hasattr(data, "columns") and hasattr(data, "index"):
        data = _frame(data)
    if not isinstance(data, Mapping) or not data:
        raise TypeError("data: expected the path of a file, a mapping of names to arrays, {'t': .., 'q': ..}, or a DataFrame")
    arrays = [_numbers(name, column) for name, column in data.items()]
    if any(a.ndim != 1 or len(a) != len(arrays[0]) for a in arrays):
        raise ArgumentError("data: expected arrays of one dimension and of one length")
    for name in data:
        if not isinstance(name, str) or any(c in name for c in ',;"\n'):
            raise ArgumentError(f"data: {name!r} is no name of a column")
    path = os.path.join(folder, f"data{i}.csv")
    with open(path, "w", encoding="utf-8") as file:
        print(*data, sep=",", file=file)
        for row in zip(*(a.tolist() for a in arrays)):
            print(*("" if x != x else repr(x) for x in row), sep=",", file=file)
    return path


def fit_system(system: "System", data: Any, vary: Union[str, Sequence[str]], method: Any, step: Any, *,
               columns: Optional[str] = None, weights: Union[str, float, None] = None, starts: int = 1, seed: int = 1,
               segments: int = 1) -> Fit:
    """System.fit."""
    suggested = system.suggested
    method = suggested.get("method") if method is None else method
    step = suggested.get("step") if step is None else step
    if method is None or step is None:
        raise ArgumentError(f"no {'method' if method is None else 'step'}: the model suggests none")
    scheme = method_of(method)
    h = lib.noe_py_value(system._c, b"step", word(step, "step").encode())
    if h != h:
        raise ArgumentError(native.message() or "step")
    if not isinstance(vary, str) and not (isinstance(vary, (list, tuple)) and all(isinstance(one, str) for one in vary)):
        raise TypeError(f'vary: expected names, "l in 0.1..2, c", not {vary!r}')
    listed = vary if isinstance(vary, str) else ", ".join(vary)
    several = list(data) if isinstance(data, (list, tuple)) else [data]
    if not several:
        raise ArgumentError("data: there are none")
    with tempfile.TemporaryDirectory(prefix="noether-") as folder:
        keep = [ffi.new("char[]", os.fsencode(_file(d, folder, i))) for i, d in enumerate(several)]

        def c(text: Any) -> Any:
            if text is None:
                return ffi.NULL
            keep.append(ffi.new("char[]", native.encode(text)))
            return keep[-1]

        files = ffi.new("char *[]", keep[:len(several)])
        to = ffi.new("noe_measured *")
        to.data, to.files, to.vary, to.columns = files, len(several), c(listed), c(columns)
        to.weights = c(weights if weights is None or isinstance(weights, str) else word(weights, "weights"))
        to.starts, to.seed = whole(starts, "starts", 1, 100000), whole(seed, "seed", 0)
        to.segments = whole(segments, "segments", 1, 1000)

        def call(_: Any, keep: Any = (keep, files)) -> Any:  # which goes on by itself after Ctrl-C, with what it reads
            return lib.noe_estimate(system._c, scheme._c, h, to)

        table, said = interruptible(call, waits=False)
        if not table:
            raise ArgumentError(native.plain((said or "the fit failed").replace(folder + os.sep, "")))
    try:
        count, width = int(lib.noe_table_rows(table)), int(lib.noe_table_columns(table))
        names = [(native.text(lib.noe_table_label(table, i)) or "").replace(folder + os.sep, "") for i in range(count)]
        rows = np.array([[lib.noe_py_column(table, k)[i] for k in range(width)] for i in range(count)])
    finally:
        lib.noe_table_free(table)
    own = any(" of " in name for name in names)
    fitted = None if own else system.let({name.replace("(0)", ""): float(row[0]) for name, row in zip(names, rows)})
    return Fit(system, names, rows, said, fitted)
