"""Values as words of the model language: 0.1 -> "0.1".

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import math
import numbers
import re
from typing import Any, Optional

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


def plain_name(name: str) -> str:
    """One spelling for x[3]', p(x[3]), x.3.v."""
    name = name.replace(" ", "")
    name = re.sub(r"^p\((.*)\)", r"\1.p", name)
    name = name.replace("'", ".v")
    return re.sub(r"\[([^\]]*)\]", lambda m: "." + m.group(1).replace(",", "."), name)
