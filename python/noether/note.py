"""The note of a run, which is found when it is read: it may take the run once more, with half the step.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import threading
from typing import Any, Optional, Tuple

from . import native
from .background import interruptible
from .native import ffi, lib


class Note:
    """A text, or what it is found from: the integrator at the end of the run, and its method."""

    def __init__(self, text: str, of: Optional[Tuple[Any, Any]] = None):
        self._text, self._of = text, of
        self._lock = threading.Lock()

    def _find(self) -> None:
        with self._lock:
            if self._of is None:
                return
            g, method = self._of
            found = lib.noe_py_note(g, method._c)
            if not found:
                raise MemoryError("the note of a run")
            self._text, self._of = native.text(ffi.gc(found, lib.noe_py_free)) or "", None

    @property
    def text(self) -> str:
        """The text; after Ctrl-C the search goes on by itself, and the next reader waits for it."""
        if self._of is not None:
            interruptible(lambda _: self._find(), waits=False)
        return self._text

    def __reduce__(self) -> Any:
        return Note, (self.text,)
