"""An integrator: where a run is.  (q, p)(t) -> (q, p)(t + h), for one thread.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Optional, Tuple, Union

import numpy as np

from . import native
from .errors import ArgumentError, Interrupted, StepError
from .method import Method, method_of
from .native import ffi, lib
from .words import digits_of, number, vector, word

if TYPE_CHECKING:
    from .arrays import Array
    from .system import System

__all__ = ["Integrator", "options"]


def options() -> Dict[str, str]:
    """The options and statistics of an integrator, and what they mean.

    >>> import noether
    >>> "solver" in noether.options()
    True
    """
    found: Dict[str, str] = {}
    meaning = ffi.new("const char **")
    while True:
        name = native.text(lib.noe_option_name(len(found), meaning, ffi.NULL))
        if name is None:
            return found
        found[name] = native.text(meaning[0]) or ""


class Integrator:
    """A system, a method, a step, and the state.  It belongs to one thread at a time.

    >>> import noether
    >>> spring = noether.System("coordinate x\\nkinetic x'^2/2\\npotential x^2/2\\nstart x = 1")
    >>> orbit = spring.integrator("gauss 2", 0.1)
    >>> orbit.step()
    >>> orbit.time, round(orbit["x"], 6)
    (0.1, 0.995004)
    >>> orbit.run(until=1)
    >>> round(float(orbit.q[0]), 6)
    0.540302
    """

    def __init__(self, system: "System", method: Union[str, "Method", None] = None,
                 step: Union[float, str, None] = None, *, digits: int = 15, _c: Any = None):
        from .system import System
        if not isinstance(system, System):
            raise TypeError(f"an Integrator: expected a System, not {type(system).__name__}")
        suggested = system.suggested if method is None or step is None else {}
        method = suggested.get("method") if method is None else method
        step = suggested.get("step") if step is None else step
        if method is None or step is None:
            raise ArgumentError(f"no {'method' if method is None else 'step'}: the model suggests none")
        digits = digits_of(digits)
        #: The system and the method.
        self.system = system
        self.method = method_of(method)
        self._system_c = _c if _c is not None else system._c
        self._words = word(step, "step")
        self._g = native.made(lib.noe_py_integrator(self._system_c, self.method._c, native.encode(self._words), digits),
                              lib.noe_integrator_free, (self._system_c, system))
        self._n = lib.noe_system_dim(self._system_c)
        self._ready(False)

    @classmethod
    def _lent(cls, system: "System", g: Any) -> "Integrator":
        """The integrator of a run that lasts, for its observer."""
        self = object.__new__(cls)
        self.system, self.method = system, Method(native.text(lib.noe_py_method(g)) or "")
        self._system_c = system._observing
        self._g, self._n = g, system.dim
        self._words = repr(float(lib.noe_get(g, b"step")))
        self._ready(True)
        return self

    def _ready(self, observed: bool) -> None:
        self._busy = threading.RLock()
        self._acquire, self._release = self._busy.acquire, self._busy.release
        self._step_c, self._load = lib.noe_step, self.system._keep[0] if self.system._keep else None
        self._observed_now = observed

    # ---- stepping -------------------------------------------------------------------------------------------

    def _enter(self) -> None:
        if not self._acquire(False) or self._observed_now:
            self._refuse()

    def _refuse(self) -> None:
        if self._busy._is_owned():  # type: ignore[attr-defined]
            self._release()
            raise RuntimeError("an observer can look at its integrator, not step it")
        raise RuntimeError("this integrator is stepping in another thread: it belongs to one at a time")

    def _fail(self, status: int) -> BaseException:
        error = native.failure(status)
        if self._load is not None and self._load.error is not None:  # of a structure whose load is a function of Python
            raised, self._load.error = self._load.error, None
            return raised
        if isinstance(error, StepError):
            error.time = lib.noe_time(self._g)
            error.step = int(lib.noe_get(self._g, b"steps")) + 1
            native.message()
        return error

    def _check(self, status: int) -> None:
        if status or self._load is not None and self._load.error is not None:
            raise self._fail(status)

    def step(self) -> None:
        """One step.  Where it cannot be made a StepError, and the state is that before it."""
        if not self._acquire(False) or self._observed_now:
            self._refuse()
        try:
            status = self._step_c(self._g)
            if status or self._load is not None and self._load.error is not None:
                raise self._fail(status)
        finally:
            self._release()

    def run(self, until: Union[float, str], observer: Optional[Callable[["Integrator"], Any]] = None) -> None:
        """Whole steps until a time.  The observer is called after every step; true stops.  Ctrl-C: Interrupted, and the
        state is that of a step on the way."""
        end = number(until, "until") if not isinstance(until, str) else self._value("until", until)
        if observer is not None and not callable(observer):
            raise TypeError(f"observer: expected a function, not {type(observer).__name__}")
        self._enter()
        try:
            if observer is not None:
                self._observed(end, observer)
                return
            for steps in self._pieces(end):
                self._walk(steps, end)
        except KeyboardInterrupt as stopped:
            raise Interrupted(f"interrupted at t = {self.time:g}: the integrator goes on from there") from stopped
        finally:
            self._busy.release()

    def _value(self, what: str, words: str) -> float:
        x = float(lib.noe_py_value(self._system_c, what.encode(), native.encode(words, what)))
        if x != x:
            raise native.failure()
        return x

    def _pieces(self, end: float) -> Iterator[int]:
        """Numbers of steps that lead to the end, each for some 0.03 s, so that Ctrl-C is seen between them; 0 at
        last: what is left.  One piece where the engine jumps to the end at once, and calls no load of Python."""
        import time
        if not np.isfinite(end):
            raise ArgumentError(f"until is {end}: expected a finite time")
        h = float(lib.noe_get(self._g, b"step"))
        many = 64.0
        while self._load is not None or not lib.noe_py_jumps(self._g):
            steps = (end - float(lib.noe_time(self._g))) / h
            if not steps > 1.5 * many:
                break
            began = time.perf_counter()
            yield int(many)
            spent = time.perf_counter() - began
            many = max(1.0, float(np.floor(many * min(8.0, 0.03 / max(spent, 1e-9)))))
        native.message()
        yield 0

    def _walk(self, steps: int, end: float) -> None:
        """So many steps, 0: to the end, without rows."""
        if steps:
            end = float(lib.noe_time(self._g)) + (steps + 0.25) * float(lib.noe_get(self._g, b"step"))
        status = lib.noe_run(self._g, end, ffi.NULL, ffi.NULL)
        self._check(status)

    def _observed(self, end: float, observer: Callable[["Integrator"], Any]) -> None:
        call = _Call(self.system, observer, self)
        handle = ffi.new_handle(call)
        self._observed_now = True
        try:
            status = lib.noe_run(self._g, end, lib.noe_py_observe, handle)
        finally:
            self._observed_now = False
        call.broken_off(status == native.STOPPED)
        if call.error is not None:
            native.message()
            raise call.error
        self._check(0 if status == native.STOPPED else status)
        native.message()

    def start(self, t: float = 0.0, q: Any = None, v: Any = None, *, p: Any = None) -> None:
        """Begins anew at time t from positions and velocities, or momenta; what is not given is 0."""
        n = self._n
        if v is not None and p is not None:
            raise ArgumentError("start: both velocities and momenta are given")
        x = vector(np.zeros(n) if q is None else q, n, "q")
        y = vector(np.zeros(n) if v is None and p is None else (v if p is None else p), n, "v" if p is None else "p")
        begin = lib.noe_start if p is None else lib.noe_start_momentum
        self._enter()
        try:
            status = begin(self._g, number(t, "t"), ffi.from_buffer("double[]", x), ffi.from_buffer("double[]", y))
            self._check(status)
        finally:
            self._busy.release()

    def jacobian(self) -> Array:
        """One step, and its derivative d(q, p)/d(q0, p0), [2n, 2n]."""
        n = 2 * self._n
        if self._n > 1000:
            raise ArgumentError(f"jacobian: of at most 1000 coordinates, not {self._n}")
        M = np.empty((n, n))
        self._enter()
        try:
            status = lib.noe_step_jacobian(self._g, ffi.from_buffer("double[]", M))
            self._check(status)
        finally:
            self._busy.release()
        return M

    def at(self, t: float) -> Tuple[Array, Array]:
        """(q, p) at a time within the next step, by a fractional step; the run stays as it is."""
        q, p = np.empty(self._n), np.empty(self._n)
        self._enter()
        try:
            status = lib.noe_at(self._g, number(t, "t"), ffi.from_buffer("double[]", q), ffi.from_buffer("double[]", p))
            self._check(status)
        finally:
            self._busy.release()
        return q, p

    # ---- the state ------------------------------------------------------------------------------------------

    def _copy(self, read: Callable[[Any], Any]) -> Array:
        if not self._busy.acquire(False):
            raise RuntimeError("this integrator is stepping in another thread: it belongs to one at a time")
        try:
            pointer = read(self._g)
            if not pointer:
                raise self._fail(native.INVALID)
            return np.array(np.frombuffer(ffi.buffer(pointer, 8 * self._n), dtype=np.float64))
        finally:
            self._busy.release()

    @property
    def time(self) -> float:
        """The time now."""
        return float(lib.noe_time(self._g))

    @property
    def q(self) -> Array:
        """The positions: a copy."""
        return self._copy(lib.noe_q)

    @property
    def v(self) -> Array:
        """The velocities, which solve L_v(t, q, v) = p: a copy."""
        return self._copy(lib.noe_v)

    @property
    def p(self) -> Array:
        """The momenta: a copy."""
        return self._copy(lib.noe_p)

    @property
    def sensitivity(self) -> Array:
        """d(q, p)/dc, [2n, c], c = ``system.by``; of ``system.differentiated(c)``."""
        if not self.system.by:
            raise ArgumentError('no derivatives: system.differentiated("m", "l").integrator(..) has them')
        S = np.empty((2 * self._n, len(self.system.by)))
        self._enter()
        try:
            status = lib.noe_sensitivity(self._g, ffi.from_buffer("double[]", S))
            self._check(status)
        finally:
            self._busy.release()
        return S

    @property
    def energy(self) -> float:
        """v.L_v - L."""
        return self["energy"]

    def __getitem__(self, name: str) -> float:
        """A column, an option or a statistic by its name."""
        words = native.encode(name, "the name of a column")
        if not self._busy.acquire(False):
            raise RuntimeError("this integrator is stepping in another thread: it belongs to one at a time")
        try:
            value = float(lib.noe_get(self._g, words))
        finally:
            self._busy.release()
        said = native.message()
        if said:
            raise KeyError(said)
        return value

    def __setitem__(self, name: str, value: float) -> None:
        """Sets an option."""
        self._enter()
        try:
            status = lib.noe_set(self._g, native.encode(name, "the name of an option"), number(value, name))
            if status:
                raise native.failure(status)
        finally:
            self._busy.release()

    def __repr__(self) -> str:
        return f"<noether.Integrator {self.method.name}, step {self._words}, t = {self.time:g}>"

    def __reduce__(self) -> Any:
        raise TypeError("an Integrator cannot be pickled or copied: it is the state of a run; pickle its System")


class _Call:
    """An observer while a run lasts."""

    def __init__(self, system: "System", observer: Callable[[Integrator], Any], integrator: Optional[Integrator] = None):
        self.system, self.observer, self.integrator = system, observer, integrator
        self.error: Optional[BaseException] = None
        self.stopped = False

    def look(self, g: Any) -> bool:
        """Calls the observer with the integrator, which in a job is made for it at the first step."""
        if self.integrator is None:
            self.integrator = Integrator._lent(self.system, ffi.cast("noe_integrator *", g))
        self.stopped = bool(self.observer(self.integrator))
        return self.stopped

    def broken_off(self, stopped: bool) -> None:
        """After the run: one that was stopped, though the observer neither said so nor raised, was broken off by Ctrl-C."""
        if stopped and not self.stopped and self.error is None:
            self.error = KeyboardInterrupt()

    def over(self, result: Any) -> None:
        """After the run of a job: the integrator, which the observer may have kept, owns its memory."""
        if not result.g:
            return
        g, result.g = native.owned(result.g, lib.noe_integrator_free, self.system), ffi.NULL
        if self.integrator is not None:
            self.integrator._g, self.integrator._observed_now = g, False


def _raised_outside(kind: Any, error: BaseException, traceback: Any) -> None:
    """Ctrl-C at the entry of noe_py_observe, before its try, or after it."""
    ctx = traceback.tb_frame.f_locals.get("ctx") if traceback is not None else None
    if ctx is not None:
        ffi.from_handle(ctx).error = error


@ffi.def_extern(error=1, onerror=_raised_outside)  # type: ignore[untyped-decorator]
def noe_py_observe(ctx: Any, g: Any) -> int:
    """Calls the observer of a run; what it raises stops the run."""
    call = ffi.from_handle(ctx)
    try:
        return 1 if call.look(g) else 0
    except BaseException as error:
        call.error = error
        return 1
