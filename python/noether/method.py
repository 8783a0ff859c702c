"""A method: how to step.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import functools
from typing import Any, Union

from . import native
from .native import lib

__all__ = ["Method"]


class Method:
    """How to step: "simpson", "gauss 4", "verlet", ...; immutable.

    >>> import noether
    >>> noether.Method("gauss 4").order
    8
    """

    __slots__ = ("_c", "name", "order", "__weakref__")

    def __init__(self, name: str):
        self._c = native.made(lib.noe_method_parse(native.encode(name, "method")), lib.noe_method_free)
        #: Its name in the library's spelling.
        self.name: str = native.text(lib.noe_method_name(self._c)) or ""
        #: Its order, computed from the coefficients.
        self.order: int = lib.noe_method_order(self._c)

    def __repr__(self) -> str:
        return f"noether.Method({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return Method, (self.name,)


def method_of(method: Union[str, Method]) -> Method:
    """The method, from its name or as it is."""
    return method if isinstance(method, Method) else _parsed(method)


@functools.lru_cache(64)
def _parsed(name: str) -> Method:
    """Methods are immutable, and the order of a composition takes 10 ms."""
    return Method(name)
