"""The events of a run: which, when, and the state there.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Dict, Iterator, NamedTuple, Sequence, Tuple

import numpy as np

from .words import members_of, plain_name

if TYPE_CHECKING:
    from .arrays import Array

__all__ = ["Event", "Events"]


class Event(NamedTuple):
    """One event: its name, its time, positions and momenta."""

    name: str
    t: float
    q: "Array"
    p: "Array"


class Events:
    """The events of a run in the order of their times: ``events.t``, ``events.name``, ``events["x"]``.

    >>> import noether
    >>> ball = noether.System('''
    ... coordinate y
    ... kinetic    y'^2/2
    ... potential  9.81*y
    ... start      y = 1
    ... event      floor: y = 0 falling then bounce 0.8''')
    >>> events = ball.run("verlet", 0.01, 1).events
    >>> events.t.round(6)
    array([0.451524])
    >>> [event.name for event in events], events["y"].shape
    (['floor'], (1,))
    """

    def __init__(self, name: "Array", data: Dict[str, "Array"], known: Sequence[str] = ()):
        #: The name of each event.
        self.name = name
        self._data, self._known = data, tuple(known)

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns: time, positions, momenta."""
        return tuple(self._data)

    @property
    def t(self) -> "Array":
        """The times."""
        return self._data["t"]

    def _half(self, momenta: bool) -> "Array":
        names = [n for n in list(self._data)[1:] if n.startswith("p(") == momenta]
        return np.array([self._data[n] for n in names]).T.copy() if names else np.empty((len(self), 0))

    @property
    def q(self) -> "Array":
        """The positions, [events, coordinates]."""
        return self._half(False)

    @property
    def p(self) -> "Array":
        """The momenta, [events, coordinates]."""
        return self._half(True)

    def of(self, *names: str) -> "Events":
        """The events with these names alone; none, of an event of the model that did not happen."""
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"the name of an event: expected a string, not {type(name).__name__}")
            if name not in self._known:
                near = difflib.get_close_matches(name, self._known, 1)
                raise KeyError(f"no event {name!r}: " + (f"did you mean {near[0]!r}? " if near else "") + (
                    f"the model has {', '.join(self._known)}" if self._known else "the model has no events"))
        chosen = np.isin(self.name, names)
        return Events(self.name[chosen], {column: x[chosen] for column, x in self._data.items()}, self._known)

    def __getitem__(self, key: Any) -> Any:
        """A column by its name, or an event by its number."""
        if not isinstance(key, str):
            return Event(str(self.name[key]), float(self.t[key]), self.q[key], self.p[key])
        for known, x in self._data.items():
            if plain_name(known) == plain_name(key):
                return x
        family, shape = members_of(key, self._data)
        if family:
            return np.column_stack([self._data[n] for n in family]).reshape(-1, *shape)
        raise KeyError(f"no column {key!r}: the events have {', '.join(self._data)}")

    def __len__(self) -> int:
        return len(self.name)

    def __iter__(self) -> Iterator[Event]:
        q, p = self.q, self.p
        return (Event(str(n), float(t), a, b) for n, t, a, b in zip(self.name, self.t, q, p))

    def to_pandas(self) -> Any:
        """A pandas DataFrame, its index the time."""
        import pandas
        return pandas.DataFrame({"event": self.name, **{n: x.copy() for n, x in self._data.items()}}).set_index("t")

    def __repr__(self) -> str:
        names, counts = np.unique(self.name, return_counts=True)
        found = ", ".join(f"{name} {count} times" for name, count in zip(names, counts))
        return f"<noether.Events: {found or 'none'}>"
