"""solve(L, (0, 10), q0, v0): the habits of scipy.integrate.solve_ivp.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import difflib
import inspect
import os
import threading
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import native
from .assignments import start_values
from .background import interruptible
from .errors import ArgumentError, StepError
from .integrator import Integrator
from .job import NO_MODEL, run_system
from .method import Method
from .native import ffi, lib
from .run import Run
from .system import System
from .words import number, plain_name, vector

if TYPE_CHECKING:
    from .arrays import Array
__all__ = ["Solution", "solve"]

#: Least number of steps of a tolerance, as of run().
LEAST = 200


class Dense:
    """The motion at any time of the run: a fractional step from the grid point before it.

    ``sol(t)`` is an array [2n], positions and velocities, and of times [m] an array [2n, m].
    """

    def __init__(self, system: System, method: Method, step: str, t: Array, q: Array, p: Array):
        self._t, self._q, self._p = t, q, p
        self._of = (system, method, step)
        self._part = Integrator(system, method, step)
        self._sign = -1.0 if len(t) > 1 and t[-1] < t[0] else 1.0
        self._h = abs(self._part["step"])
        self._lock = threading.Lock()
        self.t_min, self.t_max = float(t.min()), float(t.max())

    def _one(self, t: float) -> Array:
        slack = 1e-9 * self._h
        if not self.t_min - slack <= t <= self.t_max + slack:
            raise ArgumentError(f"sol({t:g}): the run has times from {self.t_min:g} to {self.t_max:g}")
        k = max(0, int(np.searchsorted(self._sign * self._t, self._sign * t + slack, "right")) - 1)
        g, left = self._part, t - self._t[k]
        g.start(self._t[k], self._q[k], p=self._p[k])
        if abs(left) > slack:
            q, p = g.at(t)
            g.start(t, q, p=p)
        return np.concatenate([g.q, g.v])

    def __reduce__(self) -> Any:
        """Without the integrator and the lock, which a copy makes anew."""
        return Dense, (*self._of, self._t, self._q, self._p), {"t_min": self.t_min, "t_max": self.t_max}

    def __call__(self, t: Any) -> Array:
        times = np.asarray(t, dtype=np.float64)
        with self._lock:
            if times.ndim == 0:
                return self._one(float(times))
            if times.ndim != 1:
                raise ArgumentError("sol(t): expected a time or a list of them")
            return np.array([self._one(float(x)) for x in times]).reshape(-1, 2 * self._q.shape[1]).T


class Solution:
    """What ``solve`` returns: t, y, sol, status, message, success; and q, v, p, energy, run.

    y is [2n, rows]: positions, then velocities.
    """

    def __init__(self, t: Array, y: Array, sol: Optional[Dense], status: int, message: str, run: Optional[Run],
                 system: System, method: str, step: float):
        self.t, self.y, self.sol = t, y, sol
        #: 0: it came to the end; -1: it did not, and `message` says why.
        self.status, self.message, self.success = status, message, status >= 0
        #: The run on its grid, the system, the method and the step.
        self.run, self.system, self.method, self.step = run, system, method, step

    @property
    def q(self) -> Array:
        """Positions, [n, rows]."""
        return self.y[:len(self.y) // 2]

    @property
    def v(self) -> Array:
        """Velocities, [n, rows]."""
        return self.y[len(self.y) // 2:]

    def __repr__(self) -> str:
        return (f"  message: {self.message}\n  success: {self.success}\n   status: {self.status}\n"
                f"        t: {len(self.t)} times\n        y: {self.y.shape}\n   method: {self.method}, step {self.step:.6g}")


#: What solve_ivp takes and solve does not, and what to give.
SCIPY = {"rtol": "tolerance=1e-9, the error of the result relative to each coordinate's size",
         "atol": "tolerance=1e-9, the error of the result relative to each coordinate's size",
         "events": "`event` statements in the model; they are found in .run.events",
         "max_step": "method= and step=, or tolerance=", "first_step": "method= and step=, or tolerance=",
         "jac": "nothing: derivatives are made from L", "vectorized": "nothing: L is called once, with symbols"}


def _refuse(others: Mapping[str, Any]) -> None:
    """Arguments that solve does not have."""
    known = [*inspect.signature(solve).parameters][:-1]
    for name in others:
        near = difflib.get_close_matches(name, known, 1)
        raise TypeError(f"solve: there is no {name}=: " + (
            f"give {SCIPY[name]}" if name in SCIPY else f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"))


def _named(L: Any, args: Any) -> Optional[Mapping[str, Any]]:
    """args as solve_ivp takes them, (9.81,), by the names of the parameters of L; a mapping as it is."""
    if args is None or isinstance(args, Mapping):
        return args
    if not isinstance(args, (tuple, list)):
        raise TypeError(f'args: expected a dictionary, {{"g": 9.81}}, or the values in the order of L\'s parameters, (9.81,), not {args!r}')
    if isinstance(L, (System, str, os.PathLike)) or not callable(L):
        raise TypeError('args: the parameters of a model have no order: expected a dictionary, {"g": 9.81}')
    names = [p.name for p in inspect.signature(L).parameters.values()
             if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    places = 3 if names and names[0] in ("t", "time") else 2
    if len(names) != places + len(args):
        raise TypeError(f"args: {len(args)} values, and L({', '.join(names)}) has {max(0, len(names) - places)} parameters after "
                        f"{'t, q, v' if places == 3 else 'q, v'}: expected one for each, or a dictionary")
    return dict(zip(names[places:], args))


def system_of(L: Any, q0: Array, args: Optional[Mapping[str, Any]]) -> System:
    """A System from all that solve takes."""
    if isinstance(L, System):
        return L.let(args) if args else L
    if isinstance(L, (str, os.PathLike)):
        return System(L, args)
    if callable(L):
        return System.from_function(L, len(q0), args)
    raise TypeError(f"solve: expected a System, a model, or a function L(t, q, v), not {type(L).__name__}")


def solve(L: Any, t_span: Tuple[float, float], q0: Any, v0: Any = None, *, p0: Any = None, t_eval: Any = None,
          method: Union[str, Method, None] = None, step: Union[float, str, None] = None,
          tolerance: Optional[float] = None, args: Union[Mapping[str, Any], Sequence[Any], None] = None,
          dense_output: bool = True, **others: Any) -> Solution:
    """Integrates L(t, q, v) from t_span[0] to t_span[1], as solve_ivp does f(t, y).

    L            a System, a model (file or text), or a function with NumPy, L(q, v) or L(t, q, v)
    q0, v0       the start; p0 for momenta in place of velocities
    t_eval       times of the rows; default: the grid of the steps
    method, step how to step; without them tolerance, 1e-8 where nothing is said
    args         values of parameters by name, or for a function L in their order, (9.81,)

    >>> import numpy as np, noether
    >>> found = noether.solve(lambda q, v: v[0]**2/2 - (1 - np.cos(q[0])), (0, 10), [1.0], [0.0], tolerance=1e-9)
    >>> found.success, found.y.shape[0]
    (True, 2)
    >>> bool(np.abs(found.sol(10.0) - found.y[:, -1]).max() < 1e-12)
    True
    """
    _refuse(others)
    if np.shape(t_span) != (2,):
        raise TypeError(f"t_span: expected two times, (0, 10), not {t_span!r}")
    begin, end = (float(x) for x in t_span)
    start = np.atleast_1d(np.asarray(q0, dtype=np.float64))
    system = system_of(L, start, _named(L, args))
    n = system.dim
    q = vector(start, n, "q0")
    v = None if v0 is None else vector(np.atleast_1d(np.asarray(v0, dtype=np.float64)), n, "v0")
    p = None if p0 is None else vector(np.atleast_1d(np.asarray(p0, dtype=np.float64)), n, "p0")
    at = None if t_eval is None else np.atleast_1d(np.asarray(t_eval, dtype=np.float64))
    low, high = min(begin, end), max(begin, end)
    if at is not None and (at.ndim != 1 or not np.all((at >= low) & (at <= high))):
        raise ArgumentError("t_eval: expected times within t_span")
    chosen: Optional[Mapping[str, Any]] = None
    if method is None or step is None:
        if method is not None or step is not None:
            raise ArgumentError("method and step go together; else give a tolerance")
        chosen = _choice(system, begin, end, q, v, p, 1e-8 if tolerance is None else tolerance)
        method, step = chosen["method"], chosen["step"]
    elif tolerance is not None:
        raise ArgumentError("tolerance chooses method and step: leave them out")
    h = Integrator(system, method, step)["step"]
    names = ["t"] + [f"{name}{tail}" for tail in ("", ".v", ".p") for name in map(plain_name, system.coordinates)] + ["energy"]
    status, message = 0, "the end was reached"
    run: Optional[Run] = None
    try:
        run = run_system(system, method, step, end, columns=names, t0=begin, q0=q, v0=v, p0=p)
    except StepError as error:
        run, status, message = error.run, -1, str(error)
        if run is None:
            raise
    assert run is not None and isinstance(method, (str, Method))
    dense = Dense(system, Method(method) if isinstance(method, str) else method, str(step), run.t, run.q, run.p)
    # Where the end is no whole number of steps away, a fractional step leads there.
    if status == 0 and abs(run.t[-1] - end) > 1e-9 * abs(h):
        dense.t_min, dense.t_max = min(dense.t_min, end), max(dense.t_max, end)
        last = dense(end)
        times = np.append(run.t, end)
        y = np.column_stack([np.vstack([run.q.T, run.v.T]), last])
    else:
        times, y = run.t, np.vstack([run.q.T, run.v.T])
    if at is not None:
        at = at[(at >= dense.t_min - 1e-9 * abs(h)) & (at <= dense.t_max + 1e-9 * abs(h))]
        times, y = at, dense(at)
    return Solution(times, y, dense if dense_output else None, status, message, run, system, run.method.name, float(h))


def _choice(system: System, begin: float, end: float, q: Array, v: Optional[Array], p: Optional[Array],
            tolerance: float) -> Mapping[str, Any]:
    """Method and step for a tolerance, from this start."""
    if end < begin:
        raise ArgumentError("a tolerance goes forward only; back in time go method and a negative step")
    if system._reduce is not None:
        raise ArgumentError(f"tolerance: {NO_MODEL['tolerance']}")
    started = system.let(start_values(system, begin, q, np.zeros(len(q)) if v is None and p is None else v, p))
    return choose(started._c, end, tolerance, 15, LEAST)


def choose(c: Any, end: float, tolerance: float, digits: int, least: int) -> Dict[str, Any]:
    """Method and step for a tolerance, in a thread of its own so that Ctrl-C is seen."""
    tolerance = number(tolerance, "tolerance")
    if not 1e-30 <= tolerance <= 0.01:
        raise ArgumentError(f"tolerance is {tolerance}: expected an error relative to each coordinate's size, "
                            "from 1e-30 to 0.01")
    pick = ffi.new("noe_py_choice *")
    status, said = interruptible(lambda flag: lib.noe_py_choose(c, end, tolerance, digits, float(least), flag, pick))
    if status:
        if status == lib.NOE_NOT_CONVERGED:
            raise StepError(native.plain(said or "the tolerance cannot be reached"), "tolerance", float(pick.reached))
        raise ArgumentError(native.plain(said or "the tolerance cannot be reached"))
    return {"method": native.text(pick.method), "step": native.text(pick.step), "error": float(pick.error),
            "reached": float(pick.reached), "why": native.text(pick.why)}
