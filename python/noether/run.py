"""A run: what came out, as arrays that own their memory.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import native
from .background import interruptible
from .errors import ArgumentError, Interrupted, RunWarning, StepError
from .events import Events
from .integrator import Integrator, _Call, vector
from .native import ffi, lib
from .note import Note
from .rows import Rows, StateRows, column_views
from .words import columns_word, members_of, number, one_of_rows, plain_name, times_of, whole, word

if TYPE_CHECKING:
    from .arrays import Array
    from .system import Method, System

__all__ = ["Run"]

class Run:
    """The rows of a run, by columns: ``run.t``, ``run["q1"]``, ``run.q``, ``run.p``, ``run.energy``.

    >>> import noether
    >>> run = noether.System("coordinate x\\nkinetic x'^2/2\\npotential x^2/2\\nstart x = 1").run("gauss 2", 0.1, 1)
    >>> run.columns
    ('t', 'x', 'p(x)', 'energy')
    >>> len(run), run["x"].shape, run.q.shape
    (11, (11,), (11, 1))
    """

    def __init__(self, system: "System", method: "Method", step: str, until: float,
                 data: Mapping[str, Array], warnings: Tuple[str, ...] = (), choice: Optional[Dict[str, Any]] = None,
                 ended: Optional[str] = None, local_error: float = float("nan"), events: Optional[Events] = None,
                 energy_error: float = float("nan"), accumulated_error: float = float("nan"),
                 note: Union[str, Note] = ""):
        #: The system, the method, the step, and the end that was asked for.
        self.system = system
        self.method = method
        self.step = float(step)
        self._step_word = step
        self.until = until
        self._data = data
        #: What the library warned of.
        self.warnings = tuple(map(native.plain, warnings))
        self._told = warnings, note if isinstance(note, Note) else Note(note)
        #: What a tolerance chose: method, step, error, reached, why; else None.
        self.choice = choice
        #: Why the run ended before its end; else None.
        self.ended = ended
        #: The largest error of a step, relative; NaN where it is not measured.
        self.local_error = local_error
        #: The error of the energy, and what errors of all steps add up to; relative, NaN where they are not measured.
        self.energy_error, self.accumulated_error = energy_error, accumulated_error
        #: The events of the model, in the order of their times.
        self.events = Events(np.empty(0, dtype=np.str_), {"t": np.empty(0)}) if events is None else events
        self._made: Dict[str, Array] = {}
        #: How the rows were asked for: every so many steps, or 0; why there is no gradient, or "".
        self._every, self._no_gradient = 0, "it was not made by System.run"

    # ---- columns --------------------------------------------------------------------------------------------

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._data)

    def __len__(self) -> int:
        return len(next(iter(self._data.values())))

    def _find(self, name: str) -> Optional[str]:
        if name in self._data:
            return name
        plain = plain_name(name)
        for known in self._data:
            if plain_name(known) == plain:
                return known
        return None

    def __getitem__(self, name: str) -> Array:
        """A column; of a family its members side by side, [rows, members]; of a vector [rows, 3]."""
        if not isinstance(name, str):
            raise TypeError(f"a column: expected its name, not {type(name).__name__}; rows: run['q1'][3]")
        known = self._find(name)
        if known is not None:
            return self._data[known]
        family, shape = members_of(name, self._data)
        if family:
            return np.column_stack([self._data[k] for k in family]).reshape(-1, *shape)
        raise KeyError(f"no column {name!r}: the run has {', '.join(list(self._data)[:20])}; "
                       f"run(columns=\"t,{name}\") asks for it")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def keys(self) -> Tuple[str, ...]:
        """The names of the columns: dict(run) is a dictionary of arrays."""
        return self.columns

    @property
    def t(self) -> Array:
        """The times of the rows."""
        return self["t"]

    @property
    def energy(self) -> Array:
        """v.L_v - L at the rows."""
        return self["energy"]

    def _stack(self, end: str) -> Array:
        if end not in self._made and isinstance(self._data, StateRows):
            self._made[end] = self._data.stack(2 if end == "" else 2 + self.system.dim)
        elif end not in self._made:
            self._made[end] = np.array([self[name + end] for name in self.system.coordinates]).T.copy()
        return self._made[end]

    @property
    def q(self) -> Array:
        """The positions, [rows, coordinates]."""
        return self._stack("")

    @property
    def p(self) -> Array:
        """The momenta, [rows, coordinates]."""
        return self._stack(".p")

    @property
    def v(self) -> Array:
        """The velocities, [rows, coordinates]; where they are no columns, from L_v(t, q, v) = p."""
        if ".v" not in self._made:
            if isinstance(self._data, Rows):
                self._made[".v"] = np.array(self._data.velocities).T.copy()
                return self._made[".v"]
            if all(name + ".v" in self for name in self.system.coordinates):
                return self._stack(".v")
            g = Integrator(self.system, self.method, self._step_word)
            v = np.empty_like(self.q)
            for i, (t, q, p) in enumerate(zip(self.t, self.q, self.p)):
                g.start(t, q, p=p)
                v[i] = g.v
            self._made[".v"] = v
        return self._made[".v"]

    def __getstate__(self) -> Dict[str, Any]:
        if isinstance(self._data, Rows):  # which a copy does not have
            self.v
        return dict(self.__dict__)

    @property
    def note(self) -> str:
        """What need not be wrong, or "".  It is found when it is read for the first time: a run of at most 20,000 steps
        times coordinates, of 400,000 where its errors add up, is made once more with half the step.

        >>> import noether
        >>> saddle = noether.System("coordinate x\\nkinetic x'^2/2\\npotential x^4/4 - x^2/2\\nstart x = 1e-7")
        >>> saddle.run("simpson", 0.25, 60).note  # doctest: +ELLIPSIS
        'the same run with half the step has another x at t = ..., by ... % of its range: ...'
        """
        return native.plain(self._told[1].text)

    @property
    def sensitivity(self) -> Array:
        """d(q, p)/dc at the rows, [rows, 2 coordinates, c], c = ``run.system.by``; of ``system.differentiated(c)``."""
        if not self.system.by:
            raise KeyError('no derivatives: system.differentiated("m", "l").run(..) has them')
        of = [name + kind for kind in ("", ".p") for name in self.system.coordinates]
        return np.array([[self[f"d({name})/d({c})"] for c in self.system.by] for name in of]).transpose(2, 0, 1).copy()

    def gradient(self, weights: Mapping[str, Any], memory: float = 0) -> Dict[str, float]:
        """dJ/dc by all parameters and starts c at once, of a J of which ``weights`` has the derivatives by the rows.

        weights  by column, coordinates, velocities, momenta, the energy, observables: dJ/d(run[column])
        memory   bytes for what the way back needs; beyond, steps are made twice; 0: 256 MB

        The motion is made once more, and followed back by the adjoint equations of its steps: exact to rounding, at a
        cost that does not depend on the number of parameters.

        >>> import numpy as np, noether
        >>> spring = noether.System("coordinate x\\nparameter k = 1\\nkinetic x'^2/2\\npotential k*x^2/2\\nstart x = 1")
        >>> run = spring.run("gauss 4", 0.1, 1)
        >>> {name: round(g, 6) for name, g in run.gradient({"x": 2*(run["x"] - 0.8)}).items()}
        {'k': 0.350514, 'x': 1.138693, "x'": -0.510445}
        """
        from .gradient import gradient_of
        return gradient_of(self, weights, memory)

    # ---- to others ------------------------------------------------------------------------------------------

    def to_dict(self) -> Dict[str, Array]:
        """A dictionary of copies."""
        return {name: x.copy() for name, x in self._data.items()}

    def to_pandas(self) -> Any:
        """A pandas DataFrame, its index the time."""
        import pandas
        frame = pandas.DataFrame(self.to_dict())
        return frame.set_index("t") if "t" in self._data else frame

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the rows: .csv, .json or .h5 by the ending, as the command does."""
        file = ffi.new("noe_py_file *")
        names = [ffi.new("char[]", name.encode()) for name in self._data]
        columns = ffi.new("char *[]", names)
        rows = np.ascontiguousarray(np.array(list(self._data.values())).T)
        texts = {name: ffi.new("char[]", text) for name, text in (
            ("path", os.fsencode(path)), ("method", self.method.name.encode()), ("step", self._step_word.encode()),
            ("warning", "; ".join(self._told[0]).encode()), ("note", self._told[1].text.encode()), ("ended", (self.ended or "").encode()))}
        for name, text in texts.items():
            setattr(file, name, text if name != "ended" or self.ended else ffi.NULL)
        t = self.t if "t" in self and len(self) else np.array([0.0, self.until])
        file.until, file.t0, file.last, file.local_error = self.until, t[0], t[-1], self.local_error
        file.energy_error, file.accumulated_error = self.energy_error, self.accumulated_error
        file.columns, file.name, file.row, file.rows = len(names), columns, ffi.from_buffer("double[]", rows), len(rows)
        known = list(self.system.events)
        if known:
            events = [ffi.new("char[]", name.encode()) for name in ("event", *self.events.columns)]
            heads = ffi.new("char *[]", events)
            which = np.array([known.index(name) + 1.0 for name in self.events.name], dtype=np.float64)
            table = np.ascontiguousarray(np.array([which, *(self.events[n] for n in self.events.columns)]).T)
            file.event_columns, file.event_name, file.events = len(events), heads, len(table)
            file.event = ffi.from_buffer("double[]", table)
        native.checked(lib.noe_py_write(self.system._c, file))

    def plot(self, *what: str, ax: Any = None) -> Any:
        """Draws columns against time, or ``plot("q1", "q1.p")`` one against the other; Matplotlib's axes."""
        from .plot import plot_run
        return plot_run(self, what, ax)

    def __repr__(self) -> str:
        end = f", ended: {self.ended}" if self.ended else ""
        return f"<noether.Run {self.method.name}, step {self.step:.6g}: {len(self)} rows of {', '.join(self.columns[:8])}" \
               f"{', ..' if len(self.columns) > 8 else ''}{end}>"

    def _repr_html_(self) -> str:
        from .notebook import run_html
        return run_html(self)


#: What System.run takes beside method, step and until.
ARGUMENTS = ("every", "rows", "times", "tolerance", "columns", "t0", "q0", "v0", "p0", "options", "observer", "section", "stop", "monitor",
             "animate", "digits")


def run_system(system: "System", method: Any, step: Any, until: Any, *, every: Optional[int] = None,
               rows: Optional[int] = None, times: Any = None, tolerance: Optional[float] = None, columns: Any = None,
               t0: float = 0.0, q0: Any = None, v0: Any = None, p0: Any = None,
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
    if digits != 15 and not (isinstance(digits, int) and 33 <= digits <= 1000):
        raise ArgumentError(f"digits is {digits}: expected 15 (double), 33 (binary128) or more, up to 1000")
    if monitor is not None:
        system = system.let(monitor=monitor)
    started = q0 is not None or v0 is not None or p0 is not None
    if started and tolerance is not None:
        system, started = system.let(start_values(system, t0, q0, v0, p0)), False
    from .system import method_of
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
        _raise_of_callbacks(system, call)
        run = _made(system, given.momenta, result)
        if status in (2, 3):
            raise _failure(status, said, result, run)
        if stopped:
            raise Interrupted(f"interrupted: the {len(run) if run else 0} rows so far are in .run", run)
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
        status = work(ffi.new("int *"))
        said, stopped = native.message(), isinstance(call.error, KeyboardInterrupt)
    else:
        try:
            (status, said), stopped = interruptible(work), False
        except Interrupted:
            status, said, stopped = 0, None, True
    return status, said, stopped


def _raise_of_callbacks(system: "System", call: Optional["_Call"]) -> None:
    """What a load or an observer raised."""
    load = system._keep[0] if system._keep else None
    if load is not None and load.error is not None:
        raised, load.error = load.error, None
        raise raised
    if call is not None and call.error is not None and not isinstance(call.error, KeyboardInterrupt):
        raise call.error


def _made(system: "System", momenta: Any, result: Any) -> Optional[Run]:
    """The run of what came out; None where it did not begin."""
    from .system import method_of
    count = lib.noe_table_rows(result.rows) if result.rows else 0
    g = None
    if result.g and result.unfinished:
        g, result.g = native.owned(result.g, lib.noe_integrator_free, (system, momenta)), ffi.NULL
    if not count:
        return None
    method, step = method_of(native.text(result.method) or ""), native.text(result.step_text) or ""
    data: Mapping[str, Array]
    if result.states:
        first = np.array([result.first[j] for j in range(1 + system.dim)])
        table = native.owned(lib.noe_py_rows_take(result), lib.noe_table_free, (system, momenta))
        data = StateRows(table, first, system, momenta, method, step)
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


def table_columns(table: Any) -> Dict[str, Array]:
    """The columns of a table of C, copied."""
    return {native.text(lib.noe_table_name(table, j)) or "": np.array(x) for j, x in enumerate(column_views(table))}


def _events(system: "System", result: Any) -> Optional[Events]:
    if not result.events:
        return None
    data = table_columns(result.events)
    known = system.events
    return Events(np.array([known[int(k) - 1] for k in data.pop("event")], dtype=np.str_), data)


def _failure(status: int, said: Optional[str], result: Any, run: Optional[Run]) -> Exception:
    """The exception for a run that could not begin or go on."""
    text = native.plain(said or "the run could not begin")
    cause = native.CAUSE.get(result.status)
    if status == 3 and not run:
        return StepError(text, "tolerance", float(result.choice.reached))
    if cause or status == 3:
        return StepError(text, cause or "not finite", float(result.time), int(result.steps) + 1, run)
    return native.as_exception(result.status, text)


def start_values(system: "System", t0: float, q0: Any, v0: Any, p0: Any) -> Dict[str, float]:
    """A start as assignments to the names of a model."""
    names = [name.replace("[", ".").replace(",", ".").replace("]", "").replace(" ", "") for name in system.coordinates]
    values: Dict[str, float] = {"t": float(t0)}
    for end, x in (("", q0), (".v", v0), (".p", p0)):
        if x is not None:
            values.update({name + end: float(y) for name, y in zip(names, vector(x, len(names), "start"))})
    return values


def _give_start(system: "System", given: Any, keep: List[Any], t0: float, q0: Any, v0: Any, p0: Any) -> None:
    if v0 is not None and p0 is not None:
        raise ArgumentError("start: both velocities and momenta are given")
    n = system.dim
    other = p0 if p0 is not None else v0
    given.t0 = number(t0, "t0")
    for name, x in (("q", q0), ("v" if p0 is None else "p", other)):
        keep.append(ffi.from_buffer("double[]", vector(np.zeros(n) if x is None else x, n, name)))
        setattr(given, name, keep[-1])


def _give_options(given: Any, keep: List[Any], options: Mapping[str, float]) -> None:
    names = [ffi.new("char[]", native.encode(name, "the name of an option")) for name in options]
    values = np.array([number(value, name) for name, value in options.items()], dtype=np.float64)
    keep += [names, ffi.new("char *[]", names), ffi.from_buffer("double[]", values)]
    given.option, given.value, given.options = keep[-2], keep[-1], len(names)
