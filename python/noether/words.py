"""Values as words of the model language: 0.1 -> "0.1".

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import math
import numbers
import re
from typing import Any, Dict, Iterable, List, Optional, Tuple

import numpy as np

from .errors import ArgumentError


def number(value: Any, what: str) -> float:
    """A float that is finite."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__") or getattr(value, "shape", ()) != ():
        raise TypeError(f"{what}: expected a number, not {type(value).__name__}")
    x = float(value)
    if not math.isfinite(x):
        raise ArgumentError(f"{what} is {x}: expected a finite number")
    return x


def word(value: Any, what: str) -> str:
    """A number, in as many digits as it has, or an expression as it is."""
    if isinstance(value, str):
        if not value.strip():
            raise ArgumentError(f"{what} is empty: expected a number or an expression")
        return value
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return str(int(value))
    return repr(number(value, what))


def whole(value: Any, what: str, least: int = 1, most: int = 2000000000) -> int:
    """An integer from least to most."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: expected an integer, not {type(value).__name__}")
    n = value.__index__()
    if not least <= n <= most:
        raise ArgumentError(f"{what} is {n}: expected an integer from {least} to {most}")
    return int(n)


def digits_of(digits: Any) -> int:
    """The number of digits of a run."""
    if isinstance(digits, bool) or not hasattr(digits, "__index__"):
        raise TypeError(f"digits: expected an integer, not {type(digits).__name__}")
    n = int(digits.__index__())
    if n != 15 and not 33 <= n <= 1000:
        raise ArgumentError(f"digits is {n}: expected 15 (double), 33 (binary128) or more, up to 1000")
    return n


def vector(values: Any, n: int, what: str) -> Any:
    """n doubles for C, from anything that NumPy makes an array of."""
    try:
        x = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what}: expected {n} numbers: {error}") from None
    if np.iscomplexobj(values):
        raise TypeError(f"{what}: expected real numbers")
    if x.shape != (n,) and not (n == 1 and x.shape == ()):
        raise ArgumentError(f"{what}: expected {n} numbers, one for each coordinate, not the shape {x.shape}")
    if not np.all(np.isfinite(x)):
        raise ArgumentError(f"{what}: expected finite numbers")
    return x


def columns_word(columns: Any) -> Optional[str]:
    """A list of columns as a text with commas."""
    if columns is None:
        return None
    if isinstance(columns, str):
        return columns
    names = list(columns)
    if not names or not all(isinstance(n, str) for n in names):
        raise TypeError('columns: expected a text "t,q1,energy" or a list of names')
    return ",".join(names)


def times_of(times: Any) -> Any:
    """The times of rows."""
    try:
        if isinstance(times, (str, bytes)) or np.iscomplexobj(times):
            raise TypeError(f"not {times!r}")
        at = np.array(times, dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise TypeError(f"times: expected a list of numbers, [0.5, 1, 2]: {error}") from None
    if at.size == 0 or not np.all(np.isfinite(at)):
        raise ArgumentError("times: expected finite times, at least one")
    return at


def one_of_rows(every: Any, rows: Any, times: Any) -> None:
    """Refuses two ways to say which rows."""
    if (rows is not None) + (times is not None) + (every is not None and every != 1) > 1:
        raise ArgumentError("every, rows and times: expected one of them")


def vector_word(values: Any, what: str) -> str:
    """Three numbers as a vector of the model language: [1, 0, 0] -> "(1, 0, 0)"."""
    return "(" + ", ".join(word(v, f"{what}.{c}") for v, c in zip(values, "xyz")) + ")"


def _parts(plain: str) -> Tuple[str, str, str, str]:
    """"r.x.2.v" -> its stem "r", its component ".x", its indices ".2", its kind ".v"."""
    found = re.fullmatch(r"(.*?)(|\.[xyz])((?:\.\d+)*)(|\.[vp])", plain)
    assert found is not None
    return found[1], found[2], found[3], found[4]


def members_of(name: str, known: Iterable[str]) -> Tuple[List[str], Tuple[int, ...]]:
    """The columns that the name of a family or of a vector stands for, and the shape of a row of them.

    x[1..9] -> 9 columns (9,); vector r -> r.x, r.y, r.z (3,); vector r[1..4] -> 12 columns (4, 3).
    """
    stem, component, index, kind = _parts(plain_name(name))
    found: Dict[str, List[Tuple[str, str]]] = {}
    for column in known:
        parts = _parts(plain_name(column))
        if parts[0] == stem and parts[3] == kind and parts[1].startswith(component) and (parts[2] + ".").startswith(index + "."):
            found.setdefault(parts[2], []).append((parts[1], column))
    members = [[column for _, column in sorted(three)] for three in found.values()]
    vectors = not component and all(len(three) == 3 for three in members)
    if not vectors and any(len(one) != 1 for one in members):
        return [], ()
    flat = [column for one in members for column in one]
    return flat, ((3,) if list(found) == [index] else (len(members), 3)) if vectors and flat else (len(flat),)


def plain_name(name: str) -> str:
    """One spelling for x[3]', p(x[3]), x.3.v, d(x[3])/d(m)."""
    name = name.replace(" ", "")
    slope = re.fullmatch(r"d\((.*)\)/d\((.*)\)", name)
    if slope:
        return f"d({plain_name(slope[1])})/d({re.sub(r'[(]0[)]$', '', plain_name(slope[2]))})"
    name = re.sub(r"^p\((.*)\)", r"\1.p", name)
    name = name.replace("'", ".v")
    return re.sub(r"\[([^\]]*)\]", lambda m: "." + m.group(1).replace(",", "."), name)
