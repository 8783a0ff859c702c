"""The gradient of a function of the rows of a run by all parameters and starts, by the adjoint equations.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping

import numpy as np

from . import native
from .background import interruptible
from .errors import ArgumentError
from .native import ffi, lib
from .words import members_of, number

if TYPE_CHECKING:
    from .run import Run


def _columns(run: "Run", weights: Mapping[str, Any]) -> Dict[str, Any]:
    """The weights of each column, [rows]; families and vectors written out."""
    if not isinstance(weights, Mapping) or not weights:
        raise TypeError("weights: expected a mapping of columns to arrays, {'q1': dJ/d(run['q1'])}")
    made: Dict[str, Any] = {}
    for name, given in weights.items():
        value = np.asarray(given, dtype=np.float64)
        known = run._find(name) if isinstance(name, str) else None
        family = [known] if known else list(members_of(name, {k: 0 for k in run})[0]) if isinstance(name, str) else []
        if not family:
            raise ArgumentError(f"weights: the run has no column {name!r}")
        shape = (len(run),) if known else run[name].shape
        if value.shape != shape:
            raise ArgumentError(f"weights of {name!r}: expected an array of the shape {shape}, not {value.shape}")
        if not np.all(np.isfinite(value)):
            raise ArgumentError(f"weights of {name!r}: expected finite numbers")
        for k, column in zip(family, value.reshape(len(run), -1).T):
            made[k] = made.get(k, 0) + column
    return made


def gradient_of(run: "Run", weights: Mapping[str, Any], memory: float = 0) -> Dict[str, float]:
    """Run.gradient."""
    if run._no_gradient:
        raise ArgumentError(f"the run has no gradient: {run._no_gradient}")
    if run.ended:
        raise ArgumentError(f"the run has no gradient: it ended before its end, {run.ended}")
    columns = _columns(run, weights)
    rows, weight = ffi.new("noe_gradient_rows *"), np.ascontiguousarray(np.array(list(columns.values())).T)
    text, step = ffi.new("char[]", ",".join(columns).encode()), ffi.new("char[]", run._step_word.encode())
    at = np.ascontiguousarray(run.t)
    rows.columns, rows.memory, rows.until = text, number(memory, "memory"), run.until
    rows.every = run._every
    if not run._every:
        rows.time, rows.times = ffi.from_buffer("double[]", at), len(at)
    table, said = interruptible(lambda flag: lib.noe_py_gradient(
        run.system._c, run.method._c, step, rows, ffi.from_buffer("double[]", weight), weight.size, len(run), flag))
    if not table:
        raise ArgumentError(said or "the gradient failed")
    try:
        count = int(lib.noe_table_rows(table))
        return {native.text(lib.noe_table_label(table, i)) or "": float(lib.noe_py_column(table, 1)[i]) for i in range(count)}
    finally:
        lib.noe_table_free(table)
