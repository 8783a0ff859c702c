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
    done = threading.Lock()

    def work() -> None:
        try:
            native.message()
            result.append(call(flag))
        except BaseException as error:
            result.append(error)
        result.append(native.message())
        if done.locked():
            done.release()

    if threading.current_thread() is not threading.main_thread():
        work()
    else:
        # Not Thread.join: where Ctrl-C interrupts it, CPython 3.11 takes a thread that runs for one that has ended.
        stopped = False
        done.acquire()
        threading.Thread(target=work, daemon=True).start()
        while len(result) < 2:
            try:
                done.acquire(timeout=0.05)
            except KeyboardInterrupt:  # a second one, too: what the call writes to must stay until it has returned
                flag[0], stopped = signal.SIGINT, True
                if not waits:
                    raise Interrupted("interrupted") from None
        if stopped:
            raise Interrupted("interrupted") from None
    value, said = result[0], result[1]
    if isinstance(value, BaseException):
        raise value
    return value, said
