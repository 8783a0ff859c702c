"""Pictures by Matplotlib: columns against time, phase portraits, ensembles.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .run import Run

MAP = 16  # coordinates from which on a picture is a map


def axes(ax: Any, **size: Any) -> Any:
    """The axes given, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots(**size)[1]


def label(run: "Run", name: str) -> str:
    """The name of a column, and its unit where the model states one."""
    unit = run.system.unit(name)
    return f"{name} / {unit}" if unit else name


def common(run: "Run", names: Sequence[str]) -> str:
    """The unit of all of these, or ""."""
    units = {run.system.unit(name) for name in names}
    return (units.pop() or "") if len(units) == 1 else ""


def plot_run(run: "Run", what: Sequence[str], ax: Any) -> Any:
    """Run.plot: nothing named, coordinates and the energy error; one name, against time; two, one against the other."""
    if what:
        ax = axes(ax, layout="constrained")
        if len(what) == 2:
            ax.plot(run[what[0]], run[what[1]], linewidth=0.9)
            ax.set(xlabel=label(run, what[0]), ylabel=label(run, what[1]))
        else:
            for name in what:
                ax.plot(run.t, run[name], linewidth=0.9, label=label(run, name))
            ax.set(xlabel=label(run, "t"), ylabel=label(run, what[0]) if len(what) == 1 else common(run, what))
            if len(what) > 1:
                ax.legend()
        return ax
    if ax is not None:
        _coordinates(run, ax)
        return ax
    import matplotlib.pyplot as plt
    both = "energy" in run
    figure, found = plt.subplots(1 + both, sharex=True, layout="constrained", squeeze=False,
                                 gridspec_kw={"height_ratios": [2, 1][:1 + both]})
    _coordinates(run, found[0, 0])
    if both:
        H = run.energy
        found[1, 0].plot(run.t, H - H[0], linewidth=0.9, color="C3")
        unit = run.system.unit("energy")
        found[1, 0].set(xlabel=label(run, "t"), ylabel="energy - energy(0)" + (f" / {unit}" if unit else ""))
    else:
        found[0, 0].set(xlabel=label(run, "t"))
    return found[:, 0]


def _coordinates(run: "Run", ax: Any) -> None:
    names = [name for name in run.system.coordinates if name in run]
    if len(names) > MAP:
        drawn = ax.pcolormesh(run.t, np.arange(len(names)), np.array([run[n] for n in names]), shading="nearest",
                              cmap="RdBu_r")
        ax.figure.colorbar(drawn, ax=ax)
        ax.set(ylabel=f"{names[0]} .. {names[-1]}")
        return
    for name in names or [n for n in run.columns if n not in ("t", "energy")]:
        ax.plot(run.t, run[name], linewidth=0.9, label=name if common(run, names) else label(run, name))
    ax.legend(fontsize="small")
    ax.set(ylabel=common(run, names), title=f"{run.method.name}, step {run.step:.6g}")


def plot_ensemble(ensemble: "Ensemble", name: str, ax: Any) -> Any:
    """Ensemble.plot."""
    ax = axes(ax, layout="constrained")
    x = ensemble[name]
    if len(x) <= 40:
        ax.plot(ensemble.t, x.T, linewidth=0.7)
        ax.set(xlabel="t", ylabel=name)
    else:
        drawn = ax.pcolormesh(ensemble.t, np.arange(len(x)), x, shading="nearest", cmap="RdBu_r")
        ax.figure.colorbar(drawn, ax=ax, label=name)
        ax.set(xlabel="t", ylabel="member")
    return ax
