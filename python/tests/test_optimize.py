"""Controls of least cost: System.optimize.

SPDX-License-Identifier: BSD-3-Clause
"""
import pickle

import numpy as np
import pytest

import noether

MOVE = """
coordinate x
control    u
kinetic    x'^2/2
force      x = u
cost       u^2
start      x = 0
final      x = 1, x' = 0"""


@pytest.fixture(autouse=True)
def library():
    try:
        noether.System(MOVE).optimize(steps=2, until=1)
    except noether.ArgumentError as error:
        if "Ipopt" in str(error):
            pytest.skip("this build is without Ipopt")
        raise


def test_a_block_is_moved(tmp_path):
    found = noether.System(MOVE).optimize(steps=8, until=1)
    assert abs(found.cost - 12) < 1e-11 and found.end == 1 and found.violation < 1e-11 and found.steps == 8
    assert np.abs(found["u"] - (6 - 12*found.t)).max() < 1e-10
    assert found.columns == ("t", "x", "x.v", "x.p", "u", "x.multiplier") and found["x'"] is found["x.v"]
    assert pickle.loads(pickle.dumps(found)).cost == found.cost


def test_the_controls_repeat_the_motion(tmp_path):
    found = noether.System(MOVE).optimize("lobatto 3", 5, until=1)
    np.savetxt(tmp_path / "u.csv", np.column_stack([found.t, found["u"]]), delimiter=",", header="t,u", comments="", fmt="%.17g")
    path = tmp_path / "u.csv"
    run = noether.System(MOVE).let(u=f'table("{path}", t, "u", hold)').run("lobatto 3", "1/5", 1)
    assert abs(run["x"][-1] - 1) < 1e-13 and abs(run["p(x)"][-1]) < 1e-13


def test_what_has_no_optimum():
    with pytest.raises(noether.ArgumentError, match="no end of time"):
        noether.System(MOVE).optimize()
    with pytest.raises(noether.ArgumentError, match="nothing can be chosen"):
        noether.System("coordinate x\nkinetic x'^2/2").optimize(until=1)
    with pytest.raises(noether.OptimumError, match="widen the bounds") as caught:
        noether.System(MOVE.replace("control    u", "control    u in -1..1")).optimize(until=1)
    assert abs(caught.value.best["u"]).max() <= 1 and caught.value.best.violation > 0.01
    assert isinstance(pickle.loads(pickle.dumps(caught.value)).best, noether.Optimum)
