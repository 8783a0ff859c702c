"""A long call of C in a thread of its own, so that Ctrl-C is seen while it lasts.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import signal
import threading
from typing import Any, Callable, List, Optional, Tuple

from . import native
from .errors import Interrupted
from .native import ffi


def interruptible(call: Callable[[Any], Any], waits: bool = True) -> Tuple[Any, Optional[str]]:
    """(what call(flag) returns, the library's message); Ctrl-C sets the flag, which the call looks at.

    waits=False: a call that does not look at the flag is left to itself.
    """
    flag = ffi.new("int *")
    result: List[Any] = []

    def work() -> None:
        try:
            native.message()
            result.append(call(flag))
        except BaseException as error:
            result.append(error)
        result.append(native.message())

    if threading.current_thread() is not threading.main_thread():
        work()
    else:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.05)
        except KeyboardInterrupt:
            flag[0] = signal.SIGINT
            if waits:
                thread.join()
            raise Interrupted("interrupted") from None
    value, said = result[0], result[1]
    if isinstance(value, BaseException):
        raise value
    return value, said
