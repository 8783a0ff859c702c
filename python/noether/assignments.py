"""Values of parameters and starts as assignments of the model language: x=[1, 2] -> x.1 = 1, x.2 = 2.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import native
from .errors import ArgumentError
from .native import lib
from .words import members_of, plain_name, vector, vector_word, word

if TYPE_CHECKING:
    from .system import System


def assignments_of(system: Any, values: Mapping[str, Any]) -> List[Tuple[str, str]]:
    """(name, word) for each value, families and vectors written out; `system` is one of C."""
    changes: List[Tuple[str, str]] = []
    for name, value in values.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of a value: expected a string, not {type(name).__name__}")
        if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) > 0:
            changes += _vectors(system, name, value) if np.ndim(value) > 1 else _members(system, name, list(value))
        else:
            changes.append((name, word(value, name)))
    return changes


def _members(system: Any, name: str, values: Sequence[Any]) -> List[Tuple[str, str]]:
    """x = [..] -> x[1] = .., x[2] = .., for a family of coordinates."""
    dot = re.match(r"(\w+)(|'|\.[vp])$", name)
    stem, end = (dot.group(1), dot.group(2)) if dot else (name, "")
    if name.startswith("p(") and name.endswith(")"):
        stem, end = name[2:-1], ".p"
    names = [native.text(lib.noe_system_name(system, i)) or "" for i in range(lib.noe_system_dim(system))]
    family = [n for n in names if n.startswith(stem + "[")]
    if not family and len(values) == 3:
        return [(name, vector_word(values, name))]
    if not family:
        raise TypeError(f"{name}: expected a number or an expression; a list is for a family of coordinates, "
                        "three numbers are for a vector")
    if len(family) != len(values):
        raise ArgumentError(f"{name}: expected {len(family)} values, one for each of {family[0]} .. {family[-1]}, "
                            f"not {len(values)}")
    tail = {"": "", "'": ".v", ".v": ".v", ".p": ".p"}[end]
    return [(plain_name(n) + tail, word(v, n)) for n, v in zip(family, values)]


def _vectors(system: Any, name: str, values: Any) -> List[Tuple[str, str]]:
    """r = [[..], [..]] -> r[1] = (..), r[2] = (..), for a family of vectors; [members, 3]."""
    if np.ndim(values) != 2 or np.shape(values)[1] != 3:
        raise TypeError(f"{name}: expected one value for each member of a family, or [members, 3] for vectors")
    names = [native.text(lib.noe_system_name(system, i)) or "" for i in range(lib.noe_system_dim(system))]
    stem, kind = (name[:-2], name[-2:]) if name[-2:] in (".v", ".p") else (name[:-1], ".v") if name[-1:] == "'" else (name, "")
    found, shape = members_of(stem, names)
    if len(shape) != 2:
        raise TypeError(f"{name}: expected a number or an expression; [members, 3] is for a family of vectors")
    if shape[0] != len(values):
        raise ArgumentError(f"{name}: expected {shape[0]} vectors, one for each of {found[0]} .. {found[-1]}, not {len(values)}")
    return [(plain_name(n).replace(".x", "", 1) + kind, vector_word(v, n)) for n, v in zip(found[::3], values)]


def start_values(system: "System", t0: Optional[float], q0: Any, v0: Any, p0: Any) -> Dict[str, float]:
    """A start as assignments to the names of a model; what is None stays as it is."""
    names = [plain_name(name) for name in system.coordinates]
    values: Dict[str, float] = {} if t0 is None else {"t": float(t0)}
    for end, x in (("", q0), (".v", v0), (".p", p0)):
        if x is not None:
            values.update({name + end: float(y) for name, y in zip(names, vector(x, len(names), "start"))})
    return values
