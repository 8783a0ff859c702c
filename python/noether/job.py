"""System.run: the job of ``noether run``, with its rows in memory.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import native
from .assignments import start_values
from .background import interruptible
from .errors import ArgumentError, Interrupted, RunWarning, StepError
from .events import Events
from .integrator import Integrator, _Call
from .method import method_of
from .native import ffi, lib
from .note import Note
from .rows import Rows, StateRows, table_columns
from .run import Run
from .words import columns_word, digits_of, number, one_of_rows, times_of, vector, whole, word

if TYPE_CHECKING:
    from .arrays import Array
    from .system import System

#: What System.run takes beside method, step and until.
ARGUMENTS = ("every", "rows", "times", "tolerance", "columns", "t0", "q0", "v0", "p0", "options", "observer", "section", "stop", "monitor",
             "animate", "digits")


#: Why a system of matrices cannot take some of them.
NO_MODEL = {"tolerance": "of a model alone: a system of matrices needs method= and step=",
            "monitor": "of a model alone: steps of a system of matrices have one length",
            "section": "a system of matrices has no events", "stop": "a system of matrices has no events"}


def run_system(system: "System", method: Any, step: Any, until: Any, *, every: Optional[int] = None,
               rows: Optional[int] = None, times: Any = None, tolerance: Optional[float] = None, columns: Any = None,
               t0: Optional[float] = None, q0: Any = None, v0: Any = None, p0: Any = None,
               options: Optional[Mapping[str, float]] = None, observer: Optional[Callable[[Integrator], Any]] = None,
               section: Optional[str] = None, stop: Optional[str] = None, monitor: Optional[str] = None,
               animate: Union[str, "os.PathLike[str]", None] = None, digits: int = 15) -> Run:
    """System.run: the job of ``noether run``, with its rows in memory."""
    asked = columns_word(columns)
    one_of_rows(every, rows, times)
    if tolerance is not None and (method is not None or step is not None):
        raise ArgumentError("tolerance chooses method and step: leave them out")
    if observer is not None and not callable(observer):
        raise TypeError(f"observer: expected a function, not {type(observer).__name__}")
    digits = digits_of(digits)
    t0 = None if t0 is None else number(t0, "t0")
    for name, said in (("tolerance", tolerance), ("monitor", monitor), ("section", section), ("stop", stop)):
        if said is not None and system._reduce is not None:
            raise ArgumentError(f"{name}: {NO_MODEL[name]}")
    if monitor is not None:
        system = system.let(monitor=monitor)
    started = q0 is not None or v0 is not None or p0 is not None
    if started and tolerance is not None or t0 is not None and not started and system._reduce is None:
        system, started = system.let(start_values(system, t0, q0, v0, p0)), False
    started = started or t0 is not None and system._reduce is not None
    suggested = system.suggested
    for what, said in () if tolerance is not None else (("method", method), ("step", step)):
        if said is None and what not in suggested:
            raise ArgumentError(f"no {what}: the model suggests none")
    if until is None and times is None and "until" not in suggested:
        raise ArgumentError("no end: give until=..., the model suggests none")
    if until is not None and not isinstance(until, str):
        number(until, "until")
    if asked is not None and ")/d(" in asked:
        system = _differentiated(system, asked)
    elif asked is None and system.by:
        asked = _usual_columns(system)
    by = None if tolerance is not None else method_of(suggested["method"] if method is None else method)
    words: Dict[str, Any] = dict(
        method=None if by is None else by.name, step=None if step is None else word(step, "step"),
        until=None if until is None else word(until, "until"), columns=asked, section=section, stop=stop,
        tolerance=None if tolerance is None else word(tolerance, "tolerance"),
        animate=None if animate is None else os.fsdecode(animate))
    own, given, result = ffi.new("noe_py_job *"), ffi.new("noe_py_given *"), ffi.new("noe_py_result *")
    keep: List[Any] = [system, by]
    given.method = ffi.NULL if by is None else by._c
    for name, text in words.items():
        if text is not None:
            keep.append(ffi.new("char[]", native.encode(text, name)))
            setattr(own, name, keep[-1])
    own.every, own.digits = 1 if every is None else whole(every, "every"), digits
    own.rows = 0 if rows is None else whole(rows, "rows", 2)
    given.system, given.momenta, given.later = system._c, system._momenta(own), system._keep is None
    if times is not None:
        at = times_of(times)
        keep.append(ffi.from_buffer("double[]", at))
        given.time, given.times = keep[-1], len(at)
    if started:
        _give_start(system, given, keep, t0, q0, v0, p0)
    _give_options(given, keep, options or {})
    call = _Call(system, observer) if observer is not None else None
    if call is not None:
        keep.append(ffi.new_handle(call))
        given.observer, given.ctx = lib.noe_py_observe, keep[-1]
    try:
        status, said, stopped = _go(own, given, result, call)
        if call is not None:
            call.over(result)
            call.broken_off(bool(given.stopped))
        stopped = _raise_of_callbacks(system, call) or stopped
        run = _made(system, given.momenta, result)
        if stopped:
            if run is not None:
                run.ended = run.ended or "interrupted"
            raise Interrupted(f"interrupted: the {len(run) if run else 0} rows so far are in .run", run)
        if status in (2, 3):
            raise _failure(status, said, result, run)
        assert run is not None
        run._every = 0 if times is not None or rows is not None else own.every
        run._no_gradient = "its start was given to run: give it to let" if started else \
            "its rows are those of a section" if section is not None else \
            "its steps are counted in more digits" if digits != 15 else ""
        return run
    finally:
        if call is not None:
            call.over(result)
        lib.noe_py_run_drop(result)


def _differentiated(system: "System", columns: str) -> "System":
    """The system with the derivatives that the columns ask for, too."""
    job, text = ffi.new("noe_py_job *"), ffi.new("char[]", native.encode(columns, "columns"))
    job.columns = text
    found = lib.noe_py_by(job, system._c)
    if not found:
        raise native.failure()
    by = (native.text(ffi.gc(found, lib.noe_py_free)) or "").split(",")
    return system.differentiated(*by) if any(name not in system.by for name in by) else system


def _usual_columns(system: "System") -> str:
    """t, positions, momenta, energy, observables, and the derivatives of positions and momenta."""
    state = [*system.coordinates, *(f"p({name})" for name in system.coordinates)]
    shown: List[str] = []
    while (name := native.text(lib.noe_py_observable(system._c, len(shown)))) is not None:
        shown.append(name)
    return ",".join(["t", *state, "energy", *shown, *(f"d({name})/d({c})" for name in state for c in system.by)])


def _go(own: Any, given: Any, result: Any, call: Optional["_Call"]) -> Tuple[int, Optional[str], bool]:
    """(status, message, was it interrupted).  Calls into Python happen in the caller's thread."""
    def work(flag: Any) -> int:
        own.interrupted = flag
        return int(lib.noe_py_run(own, given, result))

    native.message()
    if call is not None:
        stopped = False
        try:
            status = work(ffi.new("int *"))
        except KeyboardInterrupt:  # seen when C has returned
            status, stopped = 0, True
        said = native.message()
    else:
        try:
            (status, said), stopped = interruptible(work), False
        except Interrupted:
            status, said, stopped = 0, None, True
    return status, said, stopped


def _raise_of_callbacks(system: "System", call: Optional["_Call"]) -> bool:
    """What a load or an observer raised; was it Ctrl-C?"""
    load = system._keep[0] if system._keep else None
    stopped = False
    for source in (load, call):
        if source is None or source.error is None:
            continue
        raised, source.error = source.error, None
        if not isinstance(raised, KeyboardInterrupt):
            raise raised
        stopped = True
    return stopped


def _made(system: "System", momenta: Any, result: Any) -> Optional[Run]:
    """The run of what came out; None where it did not begin."""
    count = result.states or (lib.noe_table_rows(result.rows) if result.rows else 0)
    g = None
    if result.g and result.unfinished:
        g, result.g = native.owned(result.g, lib.noe_integrator_free, (system, momenta)), ffi.NULL
    if not count:
        return None
    method, step = method_of(native.text(result.method) or ""), native.text(result.step_text) or ""
    data: Mapping[str, Array]
    if result.states:
        data = StateRows(result, system, momenta, method, step)
    else:
        data = table_columns(result.rows)
    if result.left:
        data = _left(system, momenta, list(data.items()))
    pick = result.choice
    choice = {"method": native.text(pick.method), "step": native.text(pick.step), "error": float(pick.error),
              "reached": float(pick.reached), "why": native.text(pick.why)} if pick.method[0] != b"\0" else None
    told = tuple((native.text(result.warning) or "").splitlines())
    note = Note("", (g, method)) if g else Note(native.text(result.note) or "")
    for line in told:
        warnings.warn(native.plain(line), RunWarning, stacklevel=4)
    return Run(system, method, step, float(result.until), data,
               told, choice, native.text(result.ended), float(result.local_error), _events(system, result),
               float(result.energy_error), float(result.accumulated_error), note)


def _left(system: "System", momenta: Any, columns: List[Tuple[str, Array]]) -> Rows:
    """The default columns, of the columns t, positions, velocities, momenta, energy."""
    n = system.dim
    made = dict(columns[:1 + n] + columns[1 + 2 * n:])
    return Rows(made, system, momenta, [x for _, x in columns])


def _events(system: "System", result: Any) -> Optional[Events]:
    if not result.events:
        return None
    data = table_columns(result.events)
    known = system.events
    return Events(np.array([known[int(k) - 1] for k in data.pop("event")], dtype=np.str_), data, known)


def _failure(status: int, said: Optional[str], result: Any, run: Optional[Run]) -> Exception:
    """The exception for a run that could not begin or go on."""
    text = native.plain(said or "the run could not begin")
    cause = native.CAUSE.get(result.status)
    if status == 3 and not run:
        return StepError(text, "tolerance", float(result.choice.reached))
    if cause or status == 3:
        return StepError(text, cause or "not finite", float(result.time), int(result.steps) + 1, run)
    return native.as_exception(result.status, text)


def _give_start(system: "System", given: Any, keep: List[Any], t0: Optional[float], q0: Any, v0: Any, p0: Any) -> None:
    if v0 is not None and p0 is not None:
        raise ArgumentError("start: both velocities and momenta are given")
    n = system.dim
    other = p0 if p0 is not None else v0
    given.t0 = float("nan") if t0 is None else t0
    for name, x in (("q", q0), ("v" if p0 is None else "p", other)):
        keep.append(ffi.from_buffer("double[]", vector(np.zeros(n) if x is None else x, n, name)))
        setattr(given, name, keep[-1])


def _give_options(given: Any, keep: List[Any], options: Mapping[str, float]) -> None:
    names = [ffi.new("char[]", native.encode(name, "the name of an option")) for name in options]
    values = np.array([number(value, name) for name, value in options.items()], dtype=np.float64)
    keep += [names, ffi.new("char *[]", names), ffi.from_buffer("double[]", values)]
    given.option, given.value, given.options = keep[-2], keep[-1], len(names)
