"""What a system says of itself: its text, its names, its values, its L in LaTeX and in C.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

from . import native
from .errors import Error
from .native import ffi, lib


class Described:
    """The part of a System that looks at it and changes nothing."""

    __slots__ = ()

    _c: Any
    _source: str
    _is_text: bool
    _changes: Tuple[Tuple[str, str], ...]
    _coordinates: Tuple[str, ...]
    _by: Tuple[str, ...]
    _reduce: Any

    @property
    def source(self) -> str:
        """The model file, or "model" for a text."""
        return "model" if self._is_text else self._source

    @property
    def text(self) -> str:
        """The text of the model."""
        if self._is_text:
            return self._source
        with open(self._source, encoding="utf-8") as file:
            return file.read()

    @property
    def coordinates(self) -> Tuple[str, ...]:
        """The names of the coordinates."""
        return self._coordinates

    @property
    def dim(self) -> int:
        """The number of coordinates."""
        return len(self._coordinates)

    @property
    def by(self) -> Tuple[str, ...]:
        """What its motions are differentiated by."""
        return self._by

    @property
    def changes(self) -> Dict[str, str]:
        """The values that were given, as words of the model language."""
        return dict(self._changes)

    @property
    def events(self) -> Tuple[str, ...]:
        """The names of the events."""
        found: List[str] = []
        while (name := native.text(lib.noe_py_event(self._c, len(found)))) is not None:
            found.append(name)
        return tuple(found)

    @property
    def constraints(self) -> Tuple[str, ...]:
        """The names of the constraints; columns NAME.force and NAME.error."""
        found: List[str] = []
        while (name := native.text(lib.noe_py_constraint(self._c, len(found)))) is not None:
            found.append(name)
        return tuple(found)

    def unit(self, column: str) -> Optional[str]:
        """The unit of a coordinate, a parameter or a column, as the model states it; None: it states none.

        >>> import noether
        >>> fall = noether.System('''
        ... coordinate y
        ... kinetic    y'^2/2
        ... potential  9.81*y
        ... unit       y = "m", t = "s"''')
        >>> fall.unit("y"), fall.unit("y'"), fall.unit("energy")
        ('m', 'm/s', None)
        """
        out = ffi.new("char[64]")
        known = lib.noe_py_unit(self._c, native.encode(column, "the name of a column"), out, 64)
        return native.text(out) if known else None

    @property
    def suggested(self) -> Dict[str, str]:
        """What the model suggests: "method", "step", "until", as words."""
        found = {what: native.text(lib.noe_system_suggest(self._c, what.encode()))
                 for what in ("method", "step", "until")}
        return {what: said for what, said in found.items() if said is not None}

    @property
    def warnings(self) -> Tuple[str, ...]:
        """What the text says and hardly means."""
        return tuple((native.text(lib.noe_system_warning(self._c)) or "").splitlines())

    def __getitem__(self, name: str) -> float:
        """The value of a parameter."""
        value = lib.noe_system_get(self._c, native.encode(name, "the name of a parameter"))
        said = native.message()
        if said:
            raise KeyError(said)
        return float(value)

    def _has(self, name: str) -> bool:
        """Is it a coordinate or a parameter?"""
        lib.noe_system_get(self._c, native.encode(name, "the name of a parameter"))
        return name in self._coordinates or not native.message()

    def c_source(self, name: str = "model") -> str:
        """C99 source of its Lagrangian, gradient and Hessian."""
        return native.text_of(lib.noe_system_emit(self._c, native.encode(name, "name")))

    def latex(self) -> str:
        """L in LaTeX, as the model writes it, and the definitions that it uses; ``noether show MODEL --latex``.

        >>> import noether
        >>> print(noether.System("coordinate x\\nparameter k = 2\\nkinetic x'^2/2\\npotential k/2*x^2").latex())
        \\begin{aligned} L &= \\frac{\\dot{x}^{2}}{2} - \\frac{k}{2} x^{2} \\end{aligned}
        """
        return native.text_of(lib.noe_py_latex(self._c))

    def hamiltonian(self) -> str:
        """The text of the model with H(t, q, p) in place of L; ``noether show MODEL --hamiltonian``.

        >>> import noether
        >>> print(noether.System("coordinate x\\nparameter m = 2\\nkinetic m/2*x'^2\\npotential x^4").hamiltonian())
        coordinate x
        parameter m = 2
        hamiltonian x^4 + p(x)^2/(2*m)
        <BLANKLINE>
        """
        return native.text_of(lib.noe_py_hamiltonian(self._c))

    def __repr__(self) -> str:
        name = os.path.basename(self.source)
        return f"<noether.System {name}: {self.dim} coordinate{'s' if self.dim > 1 else ''}, " \
               f"{', '.join(self.coordinates[:6])}{', ..' if self.dim > 6 else ''}>"

    def _repr_latex_(self) -> Optional[str]:
        if self._reduce is not None or self.dim > 12:
            return None
        try:
            return "$\\displaystyle " + self.latex() + "$"
        except Error:  # rigid bodies have no such form
            return None
