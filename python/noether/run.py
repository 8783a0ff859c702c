"""A run: what came out, as arrays that own their memory.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import native
from .errors import ArgumentError, Error, Interrupted, RunWarning, StepError
from .integrator import Integrator
from .native import ffi, lib
from .words import columns_word, number, whole, word

if TYPE_CHECKING:
    from .arrays import Array
    from .system import Method, System

__all__ = ["Run"]

FOUND = re.compile(r"\b(translation_|boost_|rotation_|generator_)")


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
                 data: Dict[str, Array], warnings: Tuple[str, ...] = (), choice: Optional[Dict[str, Any]] = None,
                 ended: Optional[str] = None):
        #: The system, the method, the step, and the end that was asked for.
        self.system = system
        self.method = method
        self.step: float = _end(system._c, step)
        self._words = step
        self.until = until
        self._data = data
        #: What the library warned of.
        self.warnings = warnings
        #: What a tolerance chose: method, step, error, reached, why; else None.
        self.choice = choice
        #: Why the run ended before its end; else None.
        self.ended = ended
        self._made: Dict[str, Array] = {}

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
        plain = _plain(name)
        for known in self._data:
            if _plain(known) == plain:
                return known
        return None

    def __getitem__(self, name: str) -> Array:
        """A column; of a family, ``run["x"]``, its members side by side, [rows, members]."""
        if not isinstance(name, str):
            raise TypeError(f"a column: expected its name, not {type(name).__name__}; rows: run['q1'][3]")
        known = self._find(name)
        if known is not None:
            return self._data[known]
        family = [k for k in self._data if _plain(k).startswith(_plain(name) + ".")
                  and re.fullmatch(r"[\d.]+", _plain(k)[len(_plain(name)) + 1:])]
        if family:
            return np.column_stack([self._data[k] for k in family])
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
        if end not in self._made:
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
            if all(name + ".v" in self for name in self.system.coordinates):
                return self._stack(".v")
            g = Integrator(self.system, self.method, self._words)
            v = np.empty_like(self.q)
            for i, (t, q, p) in enumerate(zip(self.t, self.q, self.p)):
                g.start(t, q, p=p)
                v[i] = g.v
            self._made[".v"] = v
        return self._made[".v"]

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
        names = [ffi.new("char[]", name.encode()) for name in self._data]
        table = native.made(lib.noe_py_table(len(names), ffi.new("char *[]", names)), lib.noe_table_free)
        rows = np.ascontiguousarray(np.array(list(self._data.values())).T)
        t = self.t if "t" in self and len(self) else np.array([0.0, self.until])
        native.checked(lib.noe_py_fill(
            table, self.system._c, native.encode(self.method.name), native.encode(self._words), self.until,
            native.encode(self.ended) if self.ended else ffi.NULL, t[0], t[-1], ffi.from_buffer("double[]", rows), len(rows)))
        native.checked(lib.noe_table_write(table, os.fsencode(path)))

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


def _plain(name: str) -> str:
    """One spelling for x[3]', p(x[3]), x.3.v."""
    name = name.replace(" ", "")
    name = re.sub(r"^p\((.*)\)", r"\1.p", name)
    name = name.replace("'", ".v")
    return re.sub(r"\[([^\]]*)\]", lambda m: "." + m.group(1).replace(",", "."), name)


class _Rows:
    """Rows in pieces."""

    def __init__(self) -> None:
        self.names: List[str] = []
        self.pieces: List[List[Array]] = []

    def add(self, table: Any, skip: int) -> None:
        """The rows of a table of C, copied, without the first `skip`."""
        rows, columns = lib.noe_table_rows(table), lib.noe_table_columns(table)
        if not self.names:
            self.names = [native.text(lib.noe_table_name(table, j)) or "" for j in range(columns)]
        self.pieces.append([np.array(np.frombuffer(ffi.buffer(lib.noe_py_column(table, j), 8 * rows),
                                                   dtype=np.float64)[skip:]) for j in range(columns)])

    def data(self) -> Dict[str, Array]:
        """The columns."""
        if len(self.pieces) == 1:
            return dict(zip(self.names, self.pieces[0]))
        return {name: np.concatenate([piece[j] for piece in self.pieces]) for j, name in enumerate(self.names)}


def _record(g: Integrator, end: float, every: int, columns: Any, rows: _Rows) -> None:
    """Rows of every n-th step until the end, in pieces that Ctrl-C can come between."""
    h = float(lib.noe_get(g._g, b"step"))
    since = 0  # steps since the last row

    def record(to: float, skip: int) -> None:
        table = lib.noe_record(g._g, to, every, columns)
        said = native.message()
        if table:
            try:
                rows.add(table, skip)
            finally:
                lib.noe_table_free(table)
        if said:
            raise _stopped(g, said)

    def walk(steps: int) -> None:
        """Steps between two rows; where one fails the last good state is a row, too."""
        nonlocal since
        try:
            g._walk(steps, end)
        except StepError:
            record(float(lib.noe_time(g._g)), 0)
            raise
        since += steps

    for steps in g._pieces(end):
        now = float(lib.noe_time(g._g))
        if every <= steps and not since:
            record(now + (steps // every * every + 0.25) * h, 1 if rows.pieces else 0)
            continue
        if not steps and not since:
            record(end, 1 if rows.pieces else 0)
            return
        if not rows.pieces:
            record(now, 0)
        left = steps or int(np.floor((end - now) / h + 1e-6))
        while left:
            part = min(left, every - since)
            walk(part)
            left -= part
            if since == every or not (steps or left):
                record(float(lib.noe_time(g._g)), 0)
                since = 0


def _stopped(g: Integrator, said: str) -> BaseException:
    """Why a run ended: what noe_step says when it is tried again, or the message as it is."""
    load = g.system._keep[0] if g.system._keep else None
    if load is not None and load.error is not None:
        return g._fail(native.INVALID)
    if re.match(r"step \d+ from", said):
        step = int(said.split()[1])
        status = lib.noe_step(g._g)
        native.message()
        return StepError(said, native.CAUSE.get(status, "not finite"), float(lib.noe_time(g._g)), step)
    if "singular" in said or "not finite" in said:
        return StepError(said, "singular" if "singular" in said else "not finite", float(lib.noe_time(g._g)), 1)
    if "\n" in said and said.endswith("^"):
        from .errors import ModelError
        return ModelError(said)
    return ArgumentError(said)


def _at_times(g: Integrator, times: Array, columns: Any, rows: _Rows) -> None:
    """Rows at any times, by fractional steps (noe_at); the run on the grid stays as it is."""
    part = Integrator(g.system, g.method, g._words, _c=g._system_c)
    h = g["step"]
    for t in map(float, times):
        g.run(max(t, g.time) if h > 0 else min(t, g.time))
        here = g
        if abs(t - g.time) > 1e-9 * abs(h):
            q, p = g.at(t)
            part.start(t, q, p=p)
            here = part
        table = lib.noe_record(here._g, here.time, 1, columns)
        if native.message() and not table:
            raise native.failure()
        try:
            rows.add(table, 0)
        finally:
            lib.noe_table_free(table)


def run_system(system: "System", method: Any, step: Any, until: Any, *, every: int = 1, rows: Optional[int] = None,
               times: Any = None, tolerance: Optional[float] = None, columns: Any = None, t0: float = 0.0,
               q0: Any = None, v0: Any = None, p0: Any = None, options: Optional[Mapping[str, float]] = None,
               observer: Optional[Callable[[Integrator], Any]] = None, digits: int = 15) -> Run:
    """System.run."""
    every = whole(every, "every")
    asked = columns_word(columns)
    if rows is not None and times is not None:
        raise ArgumentError("rows and times: expected one of them")
    if (rows is not None or times is not None) and every != 1:
        raise ArgumentError("every, rows and times: expected one of them")
    if tolerance is not None and (method is not None or step is not None):
        raise ArgumentError("tolerance chooses method and step: leave them out")
    if asked and FOUND.search(asked):
        c = system._observe_symmetries()
    else:
        c = system._c
    at: Optional[Array] = None
    if times is not None:
        at = np.array(times, dtype=np.float64).ravel()
        if at.size == 0 or not np.all(np.isfinite(at)):
            raise ArgumentError("times: expected finite times, at least one")
        until = float(at[-1]) if until is None else until
    if until is None:
        until = system.suggested.get("until")
        if until is None:
            raise ArgumentError("no end: give until=..., the model suggests none")
    choice = None
    end = _end(c, until)
    if tolerance is not None:
        choice = _choose(c, end, number(tolerance, "tolerance"), digits, rows or 200)
        method, step = choice["method"], choice["step"]
    g = Integrator(system, method, step, digits=digits, _c=c)
    for name, value in (options or {}).items():
        g[name] = value
    if q0 is not None or v0 is not None or p0 is not None:
        g.start(t0, q0, v0, p=p0)
    if rows is not None:
        at = np.linspace(g.time, end, whole(rows, "rows", 2))
    if at is not None:
        h = g["step"]
        if np.any(np.diff(at) * np.sign(h) < 0) or (at[0] - g.time) * np.sign(h) < 0:
            raise ArgumentError("times: expected them in the direction of the step, from the start on")
    got = _Rows()
    said = native.encode(asked) if asked else ffi.NULL
    ended: Optional[str] = None
    stop: Optional[BaseException] = None
    try:
        if observer is not None:
            _observed(g, end, every, said, got, observer)
        elif at is not None:
            _at_times(g, at, said, got)
        else:
            _record(g, end, every, said, got)
    except (StepError, KeyboardInterrupt) as error:
        stop, ended = error, "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        if not got.pieces and isinstance(error, StepError):
            raise
    native.message()
    told: Tuple[str, ...] = ()
    if not isinstance(stop, KeyboardInterrupt):
        text = ffi.new("char[900]")
        lib.noe_py_coarse(g._g, g.method._c, text, 900)
        native.message()
        told = tuple(filter(None, [native.text(text)]))
    run = Run(system, g.method, g._words, end, got.data() if got.pieces else {"t": np.empty(0)}, told, choice, ended)
    for line in told:
        warnings.warn(line, RunWarning, stacklevel=3)
    if isinstance(stop, StepError):
        stop.run = run
        raise stop
    if isinstance(stop, KeyboardInterrupt):
        raise Interrupted(f"interrupted: the {len(run)} rows so far are in .run", run) from None
    return run


def _observed(g: Integrator, end: float, every: int, columns: Any, rows: _Rows,
              observer: Callable[[Integrator], Any]) -> None:
    """Rows with an observer between the steps."""
    count = 0

    def look(now: Integrator) -> Any:
        nonlocal count
        stop = observer(now)
        count += 1
        if count % every == 0 or stop:
            _row(now, columns, rows)
        return stop

    _row(g, columns, rows)
    g.run(end, look)
    if count % every:
        _row(g, columns, rows)


def _row(g: Integrator, columns: Any, rows: _Rows) -> None:
    table = lib.noe_record(g._g, lib.noe_time(g._g), 1, columns)
    if not table:
        raise native.failure()
    rows.add(table, 0)
    lib.noe_table_free(table)


def _end(c: Any, until: Any) -> float:
    if not isinstance(until, str):
        return number(until, "until")
    try:
        return float(until)
    except ValueError:
        pass
    x = float(lib.noe_py_value(c, b"until", native.encode(word(until, "until"), "until")))
    if x != x:
        raise native.failure()
    return x


def _choose(c: Any, end: float, tolerance: float, digits: int, least: int) -> Dict[str, Any]:
    """Method and step for a tolerance, in a thread of its own so that Ctrl-C is seen."""
    from .background import interruptible
    if not 1e-30 <= tolerance <= 0.01:
        raise ArgumentError(f"tolerance is {tolerance}: expected an error relative to each coordinate's size, "
                            "from 1e-30 to 0.01")
    pick = ffi.new("noe_py_choice *")
    status, said = interruptible(lambda flag: lib.noe_py_choose(c, end, tolerance, digits, float(least), flag, pick))
    if status:
        if status == lib.NOE_NOT_CONVERGED:
            raise StepError(said or "the tolerance cannot be reached", "tolerance", float(pick.reached))
        raise ArgumentError(said or "the tolerance cannot be reached")
    return {"method": native.text(pick.method), "step": native.text(pick.step), "error": float(pick.error),
            "reached": float(pick.reached), "why": native.text(pick.why)}
