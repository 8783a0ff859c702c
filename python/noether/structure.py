"""A structure from matrices: M q'' + C q' + K q = load(t).

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import threading
from typing import Any, Callable, List, Optional

import numpy as np

from . import native
from .errors import ArgumentError
from .native import ffi, lib


class _Load:
    """The function of the forces, for C."""

    def __init__(self, function: Callable[[float], Any], n: int):
        self.function, self.n = function, n
        self.error: Optional[BaseException] = None
        self.thread = 0

    def raised(self, error: BaseException) -> None:
        """Keeps what the call of C in this thread has to raise."""
        self.error, self.thread = error, threading.get_ident()

    def stopped(self) -> bool:
        """Has Ctrl-C ended the call of C that this thread is in?  Its loads are NaN from there, until it returns."""
        return isinstance(self.error, KeyboardInterrupt) and self.thread == threading.get_ident()

    def at(self, t: float) -> Any:
        """Its n numbers; one number alone is taken where n is 1."""
        f = self.function(t)
        if f is None:
            raise TypeError(f"load returned None, expected {self.n} numbers: is a return missing?")
        try:
            x = np.asarray(f)
            if x.dtype.kind not in "fiub":
                if x.dtype.kind == "c":
                    raise TypeError("not complex ones")
                x = x.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"load: expected {self.n} numbers: {error}") from None
        if x.shape != (self.n,) and not (self.n == 1 and x.shape == ()):
            raise ArgumentError(f"load: expected {self.n} numbers, one for each coordinate, not the shape {x.shape}")
        return x


def _raised_outside(kind: Any, error: BaseException, traceback: Any) -> None:
    """Ctrl-C at the entry of noe_py_load, before its try, or after it."""
    place = traceback.tb_frame.f_locals if traceback is not None else {}
    if "ctx" in place:
        load = ffi.from_handle(place["ctx"])
        load.raised(error)
        np.frombuffer(ffi.buffer(place["f"], 8 * load.n), dtype=np.float64)[:] = np.nan


@ffi.def_extern(onerror=_raised_outside)  # type: ignore[untyped-decorator]
def noe_py_load(t: float, f: Any, ctx: Any) -> None:
    """Writes load(t) into f; what is raised makes it NaN, which stops the run and is raised there."""
    load = ffi.from_handle(ctx)
    out = np.frombuffer(ffi.buffer(f, 8 * load.n), dtype=np.float64)
    out[:] = np.nan
    try:
        if load.error is None or not load.stopped():
            out[:] = load.at(t)
    except BaseException as error:
        load.raised(error)
        out[:] = np.nan


def _two_sided(start: Any, row: Any, value: Any, what: str) -> Any:
    """The columns of a matrix, which C takes for one triangle of a symmetric one where a side of the diagonal is empty:
    there a damping gets zeros on the empty side, so that it stands as it is, and M and K, which are symmetric, are refused."""
    column = np.repeat(np.arange(len(start) - 1), np.diff(start.astype(np.int64)))
    below, above = (value != 0) & (row > column), (value != 0) & (row < column)
    if below.any() == above.any():
        return start, row, value
    if what != "C":
        raise ArgumentError(f"{what}: it has entries on one side of the diagonal alone, and must be symmetric: give both "
                            f"triangles, A + A.T - diag(A) of a triangle A")
    side = below | above
    i, j, x = (np.concatenate([one, other]) for one, other in
               ((row, column[side]), (column, row[side]), (value, np.zeros(np.count_nonzero(side)))))
    order = np.lexsort((i, j))
    return np.concatenate([[0], np.cumsum(np.bincount(j, minlength=len(start) - 1))]), i[order], x[order]


def _columns(A: Any, what: str, n: Optional[int], keep: List[Any]) -> Any:
    """A matrix by columns, as noe_csc; its arrays are kept."""
    sparse = hasattr(A, "tocsc")
    if np.issubdtype(A.dtype, np.complexfloating) if sparse else np.iscomplexobj(A):
        raise TypeError(f"{what}: expected real numbers")
    if not sparse:
        A = np.asarray(A, dtype=np.float64)
    if len(A.shape) != 2 or A.shape[0] != A.shape[1] or (n is not None and A.shape[0] != n):
        raise ArgumentError(f"{what}: expected a square matrix{f' of {n} rows' if n else ''}, not the shape {A.shape}")
    if sparse:
        A = A.tocsc(copy=True)  # the caller's stays as it is
        A.sum_duplicates()
        if what == "C":
            A.eliminate_zeros()
        A.sort_indices()
        start, row, value = A.indptr, A.indices, A.data
    else:
        i, j = np.nonzero(A.T)
        start = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=len(A)))])
        row, value = j, A.T[i, j]
    start, row, value = _two_sided(start, row, value, what)
    arrays = (np.ascontiguousarray(start, dtype=np.uintp), np.ascontiguousarray(row, dtype=np.intc),
              np.ascontiguousarray(value, dtype=np.float64))
    if not np.all(np.isfinite(arrays[2])):
        raise ArgumentError(f"{what}: expected finite numbers")
    c = ffi.new("noe_csc *")
    c.start, c.row, c.value = (ffi.from_buffer(kind, x) for kind, x in
                               zip(("size_t[]", "int[]", "double[]"), arrays))
    keep += [arrays, c]
    return c


def structure_system(cls: Any, M: Any, K: Any, C: Any, load: Optional[Callable[[float], Any]]) -> Any:
    """System.from_matrices."""
    if load is not None and not callable(load):
        raise TypeError(f"load: expected a function of time, not {type(load).__name__}")
    n = int(np.shape(M)[0]) if len(np.shape(M)) == 2 else 0
    scratch: List[Any] = []
    mass, stiffness = _columns(M, "M", None, scratch), _columns(K, "K", n, scratch)
    damping = ffi.NULL if C is None else _columns(C, "C", n, scratch)
    pushing = None if load is None else _Load(load, n)
    handle = ffi.NULL if pushing is None else ffi.new_handle(pushing)
    call = ffi.NULL if load is None else lib.noe_py_load
    made = native.made(lib.noe_system_structure(n, mass, damping, stiffness, call, handle), lib.noe_system_free)
    return cls._made(made, (pushing, handle), (structure_system, (cls, M, K, C, load)), "a structure from matrices")
