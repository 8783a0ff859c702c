"""A certificate: what a system is, what must stay constant, and what was shown to.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from . import native
from .background import interruptible
from .errors import ArgumentError, ModelError
from .method import method_of
from .native import ffi, lib
from .words import number, word

if TYPE_CHECKING:
    from .system import System

__all__ = ["Certificate"]


class Certificate:
    """What ``System.check`` found.

    >>> import noether
    >>> spring = noether.System("coordinate x\\nkinetic x'^2/2\\npotential x^2/2\\nstart x = 1")
    >>> shown = spring.check("simpson", step=0.1)
    >>> shown.holds, shown.laws["symplectic"]["verdict"]
    (True, 'holds')
    """

    def __init__(self, facts: Dict[str, Any], text: str):
        self._facts, self._text = facts, text
        #: Every law that is promised holds, and none was left out.
        self.holds: bool = bool(facts["holds"])
        #: The laws by name: value, bound, verdict, what.
        self.laws: Dict[str, Dict[str, Any]] = {law["name"]: law for law in facts["laws"]}
        #: The symmetries by name: momentum, what, verdict, residual, strict, declared.
        self.symmetries: Dict[str, Dict[str, Any]] = {s["name"]: s for s in facts.get("symmetries", ())}
        #: What the Lagrangian is, as the command's JSON has it.
        self.structure: Dict[str, Any] = facts.get("structure", facts.get("modes", {}))

    @property
    def json(self) -> Dict[str, Any]:
        """All of it, as ``noether check --json`` writes it (doc/certificate.md)."""
        return dict(self._facts)

    def to_pandas(self) -> Any:
        """The laws as a pandas DataFrame."""
        import pandas
        return pandas.DataFrame(self._facts["laws"]).set_index("name")

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<noether.Certificate: {len(self.laws)} laws, {'all that is promised holds' if self.holds else 'NOT all holds'}>"

    def _repr_html_(self) -> str:
        from .notebook import certificate_html
        return certificate_html(self)


@contextlib.contextmanager
def job(system: "System", **words: Any) -> Iterator[Tuple[Any, Dict[str, Any]]]:
    """A job of the command, of this system, with these words; what it points to lives as long."""
    keep: List[Any] = []

    def c(text: Any) -> Any:
        if text is None:
            return ffi.NULL
        keep.append(ffi.new("char[]", text if isinstance(text, bytes) else native.encode(text)))
        return keep[-1]

    import tempfile
    if system._reduce is not None:
        raise ArgumentError("this works for models; a system of matrices has none")
    with tempfile.TemporaryDirectory(prefix="noether-") as folder:
        if system._is_text:
            path = os.path.join(folder, "model")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(system._source)
        else:
            path = system._source
        lets = [c(f"{name}={value}") for name, value in system._changes]
        array = ffi.new("char *[]", lets)
        own = ffi.new("noe_py_job *")
        own.model, own.let, own.lets, own.every = c(os.fsencode(path)), array, len(lets), 1
        for name, value in words.items():
            setattr(own, name, c(value) if value is None or isinstance(value, (str, bytes)) else value)
        yield own, {"folder": folder, "path": path, "keep": [keep, lets, array]}


def check_system(system: "System", method: Any, step: Any, within: float) -> Certificate:
    """System.check."""
    import json
    if number(within, "within") < 0:
        raise ArgumentError(f"within is {within}: expected seconds")
    name = None if method is None else method_of(method).name
    if system._reduce is not None:
        return _check_matrices(system, name, step)
    found: List[str] = []
    for form in (1, 0):
        with job(system, method=name, step=None if step is None else word(step, "step"), within=float(within)) as (own, about):
            status = ffi.new("int *")

            def call(flag: Any, status: Any = status, own: Any = own, form: int = form, keep: Any = about["keep"]) -> str:
                own.interrupted = flag
                pointer = lib.noe_py_check(own, form, status)
                try:
                    return native.text(pointer) or ""
                finally:
                    lib.noe_py_free(pointer)

            text, said = interruptible(call, waits=False)
            if status[0] == 2:
                said = (said or "the certificate could not be made").replace(about["path"], system.source)
                raise ModelError(said) if said.rstrip().endswith("^") else ArgumentError(said)
            found.append(text.replace(about["path"], system.source))
    return Certificate(json.loads(found[0]), found[1].rstrip("\n"))


def _check_matrices(system: "System", name: Optional[str], step: Any) -> Certificate:
    if name is None or step is None:
        raise ArgumentError("check: a system of matrices needs a method and a step")
    h = number(step, "step")
    method = method_of(name)
    table, said = interruptible(lambda flag: lib.noe_check(system._c, method._c, h))
    if not table:
        raise ArgumentError(said or "the certificate could not be made")
    try:
        rows = lib.noe_table_rows(table)
        value, bound, holds = (lib.noe_table_column(table, n) for n in (b"value", b"bound", b"holds"))
        laws = [{"name": native.text(lib.noe_table_label(table, i)), "value": float(value[i]),
                 "bound": None if bound[i] != bound[i] else float(bound[i]),
                 "verdict": "holds" if holds[i] == 1 else "FAILS" if holds[i] == 0 else "told"} for i in range(rows)]
    finally:
        lib.noe_table_free(table)
    text = "\n".join(f"  {law['verdict']:8} {law['name']:28} {law['value']:9.2e}" for law in laws)
    return Certificate({"laws": laws, "holds": all(law["verdict"] != "FAILS" for law in laws)}, text)
