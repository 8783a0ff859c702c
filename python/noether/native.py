"""The C library: its functions, its strings, its messages as exceptions.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import errno
import os
import re
import sys
from typing import Any, Optional

from ._noether import ffi, lib

from .errors import ArgumentError, ModelError, StepError

OK, STOPPED, INVALID, SYNTAX = lib.NOE_OK, lib.NOE_STOPPED, lib.NOE_INVALID, lib.NOE_SYNTAX
CAUSE = {lib.NOE_SINGULAR: "singular", lib.NOE_NOT_CONVERGED: "not converged", lib.NOE_NOT_FINITE: "not finite"}

version: str = ffi.string(lib.NOE_VERSION).decode()


def text(pointer: Any) -> Optional[str]:
    """A C string, or None."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else None


def text_of(pointer: Any) -> str:
    """A text that C has allocated, which is freed."""
    if not pointer:
        raise failure()
    try:
        return text(pointer) or ""
    finally:
        lib.noe_py_free(pointer)


def plain(said: str) -> str:
    """What the command says, in Python: --tolerance is tolerance; --force, that it has not, is left out."""
    said = re.sub(r"; --force (goes on all the same|runs with the best there is)", "", said)
    return re.sub(r"(^|[\s(])--(?=[a-z])", r"\1", said)


def encode(words: str, what: str = "text") -> bytes:
    """A Python string for C."""
    if not isinstance(words, str):
        raise TypeError(f"{what}: expected a string, not {type(words).__name__}")
    if "\0" in words:
        raise ArgumentError(f"{what}: a character 0 stands in it")
    return words.encode()


def message() -> Optional[str]:
    """The first cause since the last call, which clears it."""
    said = text(lib.noe_error())
    lib.noe_error_clear()
    return said


def failure(status: Optional[int] = None, otherwise: str = "failed") -> Exception:
    """The exception for what the library has just said."""
    return as_exception(status, message() or otherwise)


def as_exception(status: Optional[int], said: str) -> Exception:
    """The exception for a status and a message."""
    if status == lib.NOE_NO_MEMORY or said.startswith("out of memory"):
        return MemoryError(said)
    if status == lib.NOE_IO:
        return OSError(said)
    if status in CAUSE:
        return StepError(plain(said), CAUSE[status])
    if "\n" in said and said.rstrip().endswith("^"):
        return ModelError(said)
    return ArgumentError(plain(said))


def checked(status: int) -> None:
    """Raises what a status says."""
    if status:
        raise failure(status)


class _Free:
    """Frees an object while those that it refers to are still there, in whatever order Python drops its own."""

    __slots__ = ("_free", "_of")

    def __init__(self, free: Any, of: Any):
        self._free, self._of = free, of

    def __call__(self, pointer: Any) -> None:
        self._free(pointer)


def owned(pointer: Any, free: Any, of: Any) -> Any:
    """An object of the library, freed when nobody refers to it, and before `of`, to which it refers."""
    return ffi.gc(pointer, _Free(free, of))


def made(pointer: Any, free: Any, of: Any = None) -> Any:
    """A new object of the library, as `owned`; raises where there is none."""
    if not pointer:
        raise failure()
    lib.noe_error_clear()
    return ffi.gc(pointer, free) if of is None else owned(pointer, free, of)


def found(path: str) -> str:
    """The file of this name; a bare NAME.lag that is not here may be an installed model."""
    if os.path.dirname(path) or os.path.exists(path) or not path.endswith(".lag"):
        return path
    for prefix in (sys.prefix, "/usr/local", "/usr"):
        installed = os.path.join(prefix, "share", "noether", "systems", path)
        if os.path.exists(installed):
            return installed
    return path


def readable(path: str) -> None:
    """Raises the usual exception where a file cannot be read."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    with open(path, "rb"):
        pass
