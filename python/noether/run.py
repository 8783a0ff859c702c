"""A run: what came out, as arrays that own their memory.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, Tuple, Union

import numpy as np

from . import native
from .events import Events
from .integrator import Integrator
from .native import ffi, lib
from .note import Note
from .rows import Rows, StateRows
from .words import members_of, plain_name

if TYPE_CHECKING:
    from .arrays import Array
    from .method import Method
    from .system import System

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
        #: What a tolerance chose: method, step (a text, with all its digits), error, reached, why; else None.
        self.choice = choice
        #: Why the run ended before its end; else None.
        self.ended = ended
        #: The largest error of a step, relative; NaN where it is not measured.
        self.local_error = local_error
        #: The error of the energy, and what errors of all steps add up to; relative, NaN where they are not measured.
        self.energy_error, self.accumulated_error = energy_error, accumulated_error
        #: The events of the model, in the order of their times.
        self.events = Events(np.empty(0, dtype=np.str_), {"t": np.empty(0)}, system.events) if events is None else events
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
            self._made[end] = self._data.stack(end == ".p")
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
        """What need not be wrong, or "".  It is found when it is read for the first time: a run of at most 100,000 steps
        times coordinates, of 400,000 where its errors may add up, is made once more with half the step.

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
