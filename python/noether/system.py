"""A system: what moves.  L(q, q') from a file, a text, a Python function or SymPy; immutable.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import difflib
import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from . import native
from .assignments import assignments_of
from .described import Described
from .errors import ArgumentError, ModelWarning
from .method import Method
from .native import ffi, lib

if TYPE_CHECKING:
    from .fit import Fit
    from .optimum import Optimum
    from .certificate import Certificate
    from .ensemble import Ensemble
    from .integrator import Integrator
    from .run import Run

__all__ = ["System"]

Source = Union[str, "os.PathLike[str]"]


class System(Described):
    """What moves: a Lagrangian, as a model file or its text, with values for parameters and starts.

    The names of starts that Python cannot write go into a dictionary: ``System(path, {"q1'": 2})``.

    >>> import noether
    >>> swing = noether.System('''
    ... parameter  g = 9.81, l = 1
    ... coordinate q
    ... kinetic    l^2*q'^2/2
    ... potential  -g*l*cos(q)
    ... suggest    method = "simpson", step = 0.01, until = 2''', l=0.5, q=1)
    >>> swing.coordinates, swing["l"]
    (('q',), 0.5)
    >>> swing.run().energy.shape
    (201,)
    """

    __slots__ = ("_c", "_source", "_is_text", "_changes", "_observing", "_keep", "_reduce", "_coordinates", "_by",
                 "__weakref__")

    def __init__(self, source: Source, values: Optional[Mapping[str, Any]] = None, /, **assignments: Any):
        if isinstance(source, System):
            raise TypeError("a System: expected a file or a text; system.let(l1=0.5) changes values")
        if callable(source):
            raise TypeError("a Python function: noether.System.from_function(L, q=...) traces it")
        given = os.fspath(source)
        if not isinstance(given, str):
            raise TypeError(f"a System: expected a file name or the text of a model, not {type(source).__name__}")
        self._is_text = isinstance(source, str) and ("\n" in given or re.match(r"\s*(#|\w+ |$)", given) is not None
                                                     and not os.path.exists(given) and not given.endswith(".lag"))
        given = given if self._is_text else native.found(given)
        self._source = given if self._is_text else os.path.abspath(given)
        values = {**dict(values or {}), **assignments}
        # It may replace a monitor that the model cannot have: it is made before the text is judged.
        monitor = values.pop("monitor") if isinstance(values.get("monitor"), str) else None
        self._changes: Tuple[Tuple[str, str], ...] = () if monitor is None else (("monitor", monitor),)
        first = ffi.NULL if monitor is None else native.encode(f"monitor = {monitor}")
        self._observing: Dict[int, Any] = {}
        self._keep: Any = None
        self._reduce: Any = None
        self._by: Tuple[str, ...] = ()
        if self._is_text:
            made = lib.noe_py_parsed(native.encode(given), first)
        else:
            native.readable(given)
            made = lib.noe_py_loaded(os.fsencode(given), first)
        self._c = native.made(made, lib.noe_system_free)
        self._assign(values)
        self._finish()
        for line in self.warnings:
            warnings.warn(line, ModelWarning, stacklevel=2)

    def _finish(self) -> None:
        self._coordinates = tuple(native.text(lib.noe_system_name(self._c, i)) or ""
                                  for i in range(lib.noe_system_dim(self._c)))

    def _assign(self, values: Mapping[str, Any]) -> None:
        changes = assignments_of(self._c, values)
        for name, value in changes:
            self._c = native.made(lib.noe_system_let(self._c, native.encode(f"{name} = {value}")),
                                  lib.noe_system_free)
        self._changes += tuple(changes)

    def let(self, values: Optional[Mapping[str, Any]] = None, /, **assignments: Any) -> "System":
        """A new system with other values; what depends on a parameter follows it.

        >>> import noether
        >>> a = noether.System("coordinate x\\nparameter m = 1, k = 2*m\\nkinetic m*x'^2/2\\npotential k*x^2/2")
        >>> a.let(m=3)["k"], a["k"]
        (6.0, 2.0)
        """
        if self._reduce is not None:
            raise ArgumentError("let: a system of matrices has no parameters and no starts by name: give other matrices to "
                                "from_matrices, and q0=, v0=, t0= to run")
        new = self._alike()
        new._assign({**dict(values or {}), **assignments})
        new._finish()
        return new

    def _alike(self) -> "System":
        new = object.__new__(System)
        for name in ("_c", "_source", "_is_text", "_changes", "_keep", "_reduce", "_by"):
            setattr(new, name, getattr(self, name))
        new._observing = {}
        return new

    def differentiated(self, *by: str) -> "System":
        """A new system whose motions have derivatives by parameters and starts: ``"l1"``, ``"q1"``, ``"q1'"``, ``"p(q1)"``.

        They are columns ``d(q1)/d(l1)`` of its runs, ``run.sensitivity`` and ``integrator.sensitivity``: those of the
        computed motion, exact to rounding.

        >>> import noether
        >>> spring = noether.System("coordinate x\\nparameter k = 1\\nkinetic x'^2/2\\npotential k*x^2/2\\nstart x = 1")
        >>> run = spring.differentiated("k", "x").run("gauss 4", 0.1, 1)
        >>> run.sensitivity.shape, float(run["d(x)/d(k)"][-1].round(6)), float(run["d(x)/d(x)"][-1].round(6))
        ((11, 2, 2), -0.420735, 0.540302)
        """
        names = [name.strip() for words in by for name in native.encode(words, "by").decode().split(",")]
        if not names or not all(names):
            raise ArgumentError('differentiated: by what?  differentiated("l1", "q1")')
        new = self._alike()
        new._c = native.made(lib.noe_system_differentiated(self._c, ",".join(names).encode()), lib.noe_system_free)
        new._by = tuple(names)
        new._finish()
        return new

    # ---- where it comes from --------------------------------------------------------------------------------

    @classmethod
    def _made(cls, c: Any, keep: Any, reduce: Any, source: str) -> "System":
        self = object.__new__(cls)
        self._c, self._keep, self._reduce = c, keep, reduce
        self._source, self._is_text, self._changes, self._observing, self._by = source, True, (), {}, ()
        self._finish()
        return self

    @classmethod
    def from_function(cls, L: Callable[..., Any], q: Union[int, str, Sequence[str]],
                      params: Optional[Mapping[str, Any]] = None, /, *, force: Optional[Callable[..., Any]] = None,
                      constraint: Optional[Callable[..., Any]] = None,
                      values: Optional[Mapping[str, Any]] = None, **assignments: Any) -> "System":
        """A Lagrangian written with NumPy: ``L(q, v)``, ``L(t, q, v)``, and parameters by their names.

        The function is called once, with symbols; what it computes becomes the expression of a model.  ``force`` is a
        function as L is, one number for each coordinate; ``constraint(q)`` or ``constraint(t, q)`` what stays 0: a number,
        an array of them, or a dictionary by their names.

        >>> import numpy as np, noether
        >>> def L(q, v, g, l):
        ...     return l**2*v[0]**2/2 + g*l*np.cos(q[0])
        >>> swing = noether.System.from_function(L, "theta", dict(g=9.81, l=1), theta=0.5)
        >>> print(swing.text)
        parameter  g = 9.81, l = 1
        coordinate theta
        lagrangian l^2*theta'^2/2 + g*l*cos(theta)
        <BLANKLINE>
        """
        from .trace import trace_model
        return cls(trace_model(L, q, params or {}, force, constraint), {**dict(values or {}), **assignments})

    @classmethod
    def from_sympy(cls, L: Any, q: Sequence[Any], params: Optional[Mapping[Any, Any]] = None, /, *,
                   t: Any = None, forces: Optional[Mapping[Any, Any]] = None, constraints: Any = (),
                   values: Optional[Mapping[str, Any]] = None, **assignments: Any) -> "System":
        """A Lagrangian of SymPy, in functions of time (``dynamicsymbols``) and their derivatives.

        ``params`` has a value for each other symbol; ``forces`` has generalized forces by coordinate;
        ``constraints`` what stays 0, a list as hol_coneqs of LagrangesMethod, or a dictionary by their names.

        >>> import sympy, noether
        >>> from sympy.physics.mechanics import dynamicsymbols
        >>> x, (m, k) = dynamicsymbols("x"), sympy.symbols("m k")
        >>> spring = noether.System.from_sympy(m*x.diff()**2/2 - k*x**2/2, [x], {m: 1, k: 4}, x=1)
        >>> spring.coordinates, spring["k"]
        (('x',), 4.0)
        """
        from .from_sympy import sympy_model
        return cls(sympy_model(L, q, params or {}, t, forces or {}, constraints), {**dict(values or {}), **assignments})

    @classmethod
    def from_matrices(cls, M: Any, K: Any, C: Any = None, load: Optional[Callable[[float], Any]] = None) -> "System":
        """A structure ``M q'' + C q' + K q = load(t)``, from dense arrays or SciPy's sparse matrices.

        M and K are symmetric, and given with both triangles; C is any matrix, taken as it stands.  load returns n numbers.

        >>> import numpy as np, noether
        >>> frame = noether.System.from_matrices(np.eye(2), [[2, -1], [-1, 2]])
        >>> run = frame.run("simpson", step=0.1, until=1, q0=[1, 0])
        >>> run["x.1"].shape
        (11,)
        """
        from .structure import structure_system
        return structure_system(cls, M, K, C, load)

    # ---- what it does ---------------------------------------------------------------------------------------

    def _momenta(self, job: Any) -> Any:
        """Its symmetries, with their momenta as columns, all of them where the job asks for them."""
        if self._reduce is not None:
            return ffi.NULL
        every = int(lib.noe_py_searches(job, self._c))
        if every not in self._observing:
            self._observing[every] = native.made(lib.noe_py_momenta_find(self._c, every), lib.noe_py_momenta_free)
        return self._observing[every]

    def integrator(self, method: Union[str, Method, None] = None, step: Union[float, str, None] = None, *,
                   digits: int = 15) -> "Integrator":
        """Where a run is: ``step()`` by ``step()``, for one thread."""
        from .integrator import Integrator
        return Integrator(self, method, step, digits=digits)

    def run(self, method: Union[str, Method, None] = None, step: Union[float, str, None] = None,
            until: Union[float, str, None] = None, **options: Any) -> "Run":
        """Integrates and returns the rows as arrays; what is not said is as the model suggests.

        every        keep every n-th step (the first and the last always); default 1
        rows         so many rows at equal distances instead, from the start to the end
        times        rows at these times instead
        tolerance    the error allowed, which chooses method and step
        columns      "t,q1,energy" or a list; default: time, positions, momenta, energy, observables
        t0, q0, v0   start from these values; p0 for momenta in place of velocities
        options      numbers of ``noether show options``, {"solver": 3}
        observer     called with the Integrator after every step; true stops the run
        section      rows at this event of the model alone; stop: the run ends at the first time of this event
        monitor      steps in proportion to this expression, "r^2", "r reversible"; "none": all of one length
        animate      writes the motion to this page, "page.html", which plays it in any browser
        digits       15 (double), 33 (binary128) or more, up to 1000

        >>> import noether
        >>> ball = noether.System("coordinate y\\nkinetic y'^2/2\\npotential 9.81*y")
        >>> run = ball.run("verlet", step=0.5, until=1)
        >>> run.t
        array([0. , 0.5, 1. ])
        """
        from .job import ARGUMENTS, run_system
        for name in options:
            if name not in ARGUMENTS:
                near = difflib.get_close_matches(name, ("method", "step", "until", *ARGUMENTS), 1)
                raise TypeError(f"run: unknown argument {name!r}; " + (
                    f"did you mean {near[0]!r}?" if near else "values of parameters and starts go to System(..) or system.let(..)"))
        return run_system(self, method, step, until, **options)

    def fit(self, data: Any, vary: Union[str, Sequence[str]], method: Union[str, Method, None] = None,
            step: Union[float, str, None] = None, **options: Any) -> "Fit":
        """Parameters and starts for which the motion is nearest to measurements, with their errors.

        data         a mapping of names to arrays, {"t": .., "q": ..}, nan where one is missing, a DataFrame, or the path of a file;
                     a list of these for several runs of the same thing
        vary         "l in 0.1..2, c, q(0)", "each q(0)" for a value of each run
        columns      what is compared, "q = angle"; default: all that the model has
        weights      standard deviations of the data, "q = 0.01" or one number; default: estimated
        starts, seed the best of so many fits from random starts within the bounds
        segments     multiple shooting, for chaotic motions and many periods

        >>> import noether
        >>> spring = noether.System("coordinate x\\nparameter k = 1\\nkinetic x'^2/2\\npotential k*x^2/2\\nstart x = 1")
        >>> round(spring.fit({"t": [1, 2, 3], "x": [0.5, -0.5, -1]}, "k in 0.5..2", "gauss 4", 0.1)["k"], 4)
        1.0966
        """
        from .fit import fit_system
        return fit_system(self, data, vary, method, step, **options)

    def optimize(self, method: Union[str, Method, None] = None, steps: int = 40, until: Union[float, str, None] = None,
                 iterations: int = 1000) -> "Optimum":
        """The controls of least cost of a model with ``control``, ``cost`` and ``final``.

        method      a Galerkin method; default: as the model suggests, or simpson
        until       the end of time, where the model has no ``final t``; default: as the model suggests
        iterations  of the search, at most

        >>> import noether
        >>> move = noether.System("coordinate x\\ncontrol u\\nkinetic x'^2/2\\nforce x = u\\ncost u^2\\nfinal x = 1, x' = 0")
        >>> found = move.optimize(steps=4, until=1)
        >>> round(found.cost, 9), found["u"][[0, 1, -1]].round(6)
        (12.0, array([ 6. ,  4.5, -6. ]))
        """
        from .optimum import optimize_system
        return optimize_system(self, method, steps, until, iterations)

    def check(self, method: Union[str, Method, None] = None, step: Union[float, str, None] = None, *,
              within: float = 45) -> "Certificate":
        """The certificate: structure, symmetries, and the laws that a method must keep, measured."""
        from .certificate import check_system
        return check_system(self, method, step, within)

    def sweep(self, values: Optional[Mapping[str, Any]] = None, /, *, method: Union[str, Method, None] = None,
              step: Union[float, str, None] = None, until: Union[float, str, None] = None, every: int = 1,
              rows: Optional[int] = None, times: Any = None, columns: Any = None, section: Optional[str] = None,
              stop: Optional[str] = None, threads: int = 0, **arrays: Any) -> "Ensemble":
        """Runs a member for each element of the arrays, in lanes and threads; arrays [member, row].

        every, rows, times, columns, section, stop   as of run(); the rows at a section are as many as
                                                     the member has events, and NaN after them
        threads                                      0: one for each processor it may use

        >>> import numpy as np, noether
        >>> ball = noether.System('''
        ... coordinate y
        ... kinetic    y'^2/2
        ... potential  9.81*y
        ... event      floor: y = 0 falling''')
        >>> fallen = ball.sweep(y=[1, 2, 5], method="verlet", step=0.01, until=2, stop="floor")
        >>> fallen.passages["floor"].round(6)
        array([0.451524, 0.638551, 1.009638])
        """
        from .ensemble import sweep_system
        return sweep_system(self, {**dict(values or {}), **arrays}, method, step, until, every, columns, threads,
                            rows, times, section, stop)

    # ---- habits ---------------------------------------------------------------------------------------------

    def __reduce__(self) -> Any:
        if self._reduce is not None:
            return self._reduce
        source: Any = self._source if self._is_text else _Path(self._source)
        return _rebuild, (source, self._changes, self._by)

    def __copy__(self) -> "System":
        return self

    def __deepcopy__(self, memo: Any) -> "System":
        return self


class _Path(str):
    """A file name in a pickle."""


def _rebuild(source: str, changes: Tuple[Tuple[str, str], ...], by: Tuple[str, ...] = ()) -> System:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        system = System(os.path.abspath(source) if isinstance(source, _Path) else source + "\n" * ("\n" not in source))
    system = system.let(dict(changes)) if changes else system
    return system.differentiated(*by) if by else system
