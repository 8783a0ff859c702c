"""Many rows: energies, velocities and observables that are computed when they are read have the bits of columns of the run.

SPDX-License-Identifier: BSD-3-Clause
"""
import pickle
import threading

import numpy as np
import pytest

import noether
from noether.rows import StateRows

from conftest import ROOT

STEPS = 9000
CASES = [("double_pendulum", "simpson", 1), ("double_pendulum", "gauss 4", 3), ("kepler", "verlet", 1), ("pendulum", "rk4", 1),
         ("henon_heiles", "lobatto 3", 2), ("lagrange_top", "compose 6 simpson", 1), ("moving_pivot", "gauss 2", 1)]


def late(name, method, every):
    system = noether.System(ROOT / "systems" / f"{name}.lag")
    step = system.integrator(method)["step"]
    until = system.integrator(method).time + STEPS * every * step
    run = system.run(method, until=until, every=every)
    assert isinstance(run._data, StateRows) and len(run) == STEPS + 1
    return system, run, until


@pytest.mark.filterwarnings("ignore::noether.RunWarning")
@pytest.mark.parametrize("name, method, every", CASES)
def test_same_bits(name, method, every):
    system, run, until = late(name, method, every)
    columns = ["t", *(q + end for end in ("", ".v", ".p") for q in system.coordinates), "energy",
               *run.columns[2 + 2 * system.dim:]]
    at_once = system.run(method, until=until, every=every, columns=columns)
    assert not isinstance(at_once._data, StateRows)
    order = list(run.columns)
    np.random.default_rng().shuffle(order)  # in whatever order they are read
    for column in order:
        assert np.array_equal(run[column], at_once[column]), column
        assert run[column].flags.owndata and run[column] is run[column]
    for end, x in (("", run.q), (".p", run.p), (".v", run.v)):
        assert np.array_equal(x, np.column_stack([at_once[q + end] for q in system.coordinates]))
        assert x.flags.owndata and x.flags.c_contiguous
    assert (run.warnings, run.local_error, run.energy_error) == (at_once.warnings, at_once.local_error, at_once.energy_error)


def test_copies():
    _, run, _ = late("double_pendulum", "simpson", 1)
    copied = pickle.loads(pickle.dumps(run._data))
    assert type(copied) is dict and list(copied) == list(run.columns)
    assert all(np.array_equal(copied[name], run[name]) for name in run.columns)
    run["q1"][:] = 0  # a column that was read is the user's
    assert not run["q1"].any() and run.q[:, 0].any()


def test_threads():
    _, run, _ = late("double_pendulum", "gauss 4", 1)
    found = []
    many = [threading.Thread(target=lambda: found.append((run.energy.copy(), run.v))) for _ in range(8)]
    for one in many:
        one.start()
    for one in many:
        one.join()
    assert len(found) == 8
    assert all(np.array_equal(energy, run.energy) and np.array_equal(v, run.v) for energy, v in found)


def test_a_run_that_fails():
    """It has the rows that it has with all columns asked for."""
    failed = []
    for columns in (None, "t,x,x.p,energy"):
        with pytest.raises(noether.StepError) as error:
            noether.System("coordinate x\nkinetic x'^2/2\npotential sqrt(x)\nstart x = 40").run("gauss 2", 0.001, 100, columns=columns)
        failed.append(error.value)
    assert str(failed[0]) == str(failed[1]) and len(failed[0].run) == len(failed[1].run) > 8192
    assert np.array_equal(failed[0].run.energy, failed[1].run.energy)
