"""Vectors, constraints, bodies, monitors and events by the names that models give them.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import noether
from conftest import ROOT, SEED

CHARGE = """
parameter  B = (0, 0, 2)
coordinate vector r
A = cross(B, r)/2
kinetic    dot(r', r')/2
lagrangian dot(A, r')
potential  (norm(r) - 1)^2
observe    L = cross(r, p(r))
start      r = (1, 0, 0.2), r' = (0, 1, 0)
suggest    method = "simpson", step = 0.02, until = 2
"""
BALLS = """
coordinate vector r[1..3]
kinetic    sum(i in 1..3) dot(r[i]', r[i]')/2
potential  sum(i in 1..3) (i*dot(r[i], r[i]) + r[i].z)
suggest    method = "gauss 2", step = 0.05, until = 1
"""
PENDULUM = """
parameter  l = 2
coordinate vector r
kinetic    dot(r', r')/2
potential  9.81*r.z
constraint rod: norm(r) = l
start      r = (l, 0, 0)
suggest    method = "simpson", step = 0.01, until = 1
"""


def test_vectors_are_given_as_lists_and_arrays():
    q, v = np.random.default_rng(SEED).uniform(-1, 1, (2, 3))
    by_words = noether.System(CHARGE, {"r.x": q[0], "r.y": q[1], "r.z": q[2], "r.x.v": v[0], "r.y.v": v[1], "r.z.v": v[2]})
    run = by_words.run()
    for given in (noether.System(CHARGE, {"r": list(q), "r.v": tuple(v)}), noether.System(CHARGE, {"r'": v}, r=q),
                  noether.System(CHARGE).let({"r": q, "r.v": v})):
        assert given.run().q.tobytes() == run.q.tobytes()
    turned = noether.System(CHARGE, B=[0, 0, "1 + 2"])
    assert turned["B.z"] == 3
    p = run.p[0]
    assert np.allclose(noether.System(CHARGE, {"p(r)": p}, r=q).run().q[1], run.q[1], rtol=0, atol=1e-14)


def test_columns_of_vectors():
    system = noether.System(CHARGE)
    run = system.run()
    for name, parts in (("r", ("r.x", "r.y", "r.z")), ("r.p", ("p(r.x)", "r.y.p", "p(r.z)")), ("p(r)", ("r.x.p", "r.y.p", "r.z.p")),
                        ("L", ("L.x", "L.y", "L.z"))):
        assert name in run.keys() or run[name].shape == (len(run), 3)
        assert np.array_equal(run[name], np.column_stack([run[part] for part in parts]))
    assert np.allclose(np.cross(run["r"], run["r.p"]), run["L"], rtol=0, atol=1e-15 * 50)
    asked = system.run(columns="t,r',energy")
    assert asked["r.v"].shape == (len(run), 3) and asked["r'"].tobytes() == asked["r.v"].tobytes()
    many = system.sweep({"r.z": [0.1, 0.2]})
    assert many["r"].shape == (2, len(run), 3) and np.array_equal(many["r"][1][:, 2], many["r.z"][1])
    with pytest.raises(KeyError):
        run["r.w"]


def test_families_of_vectors():
    start = np.random.default_rng(SEED).uniform(-1, 1, (3, 3))
    system = noether.System(BALLS, {"r.v": start[::-1]}, r=start)
    run = system.run()
    assert run["r"].shape == (len(run), 3, 3) and np.array_equal(run["r"][0], start)
    assert np.array_equal(run["r.2"], run["r"][:, 1]) and np.array_equal(run["r.x"], run["r"][:, :, 0])
    assert np.array_equal(run["r.p"][0], start[::-1])
    for k in range(3):  # each is an oscillator of its own
        w = np.sqrt(2 * (k + 1))
        x = start[k, 0] * np.cos(w * run.t) + start[::-1][k, 0] / w * np.sin(w * run.t)
        assert np.abs(run["r.x"][:, k] - x).max() < 1e-4


@pytest.mark.parametrize("values", [{"r": [1, 2]}, {"r": [1, 2, 3, 4]}, {"r": [[1, 2, 3]]}, {"r": 1}, {"r": [1, "x y", 3]},
                                    {"r": [1, None, 3]}, {"r": [1, np.nan, 3]}, {"B": [1, 2]}, {"nothing": [1, 2, 3]}],
                         ids=str)
def test_wrong_vectors(values):
    with pytest.raises((TypeError, ValueError)):
        noether.System(CHARGE, values)
    with pytest.raises((TypeError, ValueError)):
        noether.System(BALLS, r=[[1, 2, 3], [4, 5, 6]])


def test_constraints():
    system = noether.System(PENDULUM)
    assert system.constraints == ("rod",) and noether.System(CHARGE).constraints == ()
    run = system.run(columns="t,r,r',rod.force,rod.error,energy")
    assert np.abs(run["rod.error"]).max() < 1e-14 and np.ptp(run.energy) < 1e-6
    r, v = run["r"], run["r'"]
    # the rod carries the radial part of weight and the centripetal force: T = m (v^2 - g z)/l, a pull is negative
    assert np.allclose(run["rod.force"], -((v**2).sum(axis=1) - 9.81 * r[:, 2]) / 2, rtol=0, atol=1e-5)
    with pytest.raises(ValueError, match="rod"):
        system.let(r=[1, 0, 0])
        system.let(r=[1, 0, 0]).run()


def test_bodies():
    system = noether.System("""
body       wing: mass = 0.1, inertia = (1e-4, 2e-4, 2.8e-4)
observe    L = wing.L
suggest    method = "simpson", step = 0.01, until = 3""", {"wing.omega": [0.01, 10, 0.01], "wing.r'": (0, 0, 0.5)})
    run = system.run(columns="t,wing.r,L,energy")
    assert np.allclose(run["wing.r"][:, 2], 0.5 * run.t, rtol=0, atol=1e-13)
    assert run["L"].shape == (301, 3) and np.ptp(run["L"], axis=0).max() < 1e-15
    assert np.allclose(run["L"][0], [1e-6, 2e-3, 2.8e-6], rtol=1e-12)


def test_monitors():
    kepler = noether.System(ROOT / "systems" / "kepler.lag", e=0.8)
    words = dict(method="gauss 3", step=0.02, until=20)
    run = kepler.run(monitor="sqrt(x^2 + y^2)", **words)
    assert np.array_equal(run.q, kepler.let(monitor="sqrt(x^2 + y^2)").run(**words).q)
    r, h = np.hypot(run["x"], run["y"]), np.diff(run.t)
    assert np.all(h > 0) and abs(h[r[1:].argmin()] / h[r[1:].argmax()]) < 0.3
    assert np.array_equal(kepler.run(monitor="none", **words).q, kepler.run(**words).q)
    rod = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\nmonitor 1 + y^2\nstart x = 1, y' = 1"
    with pytest.raises(noether.ModelError, match="leave out 'monitor'"):
        noether.System(rod)
    free = noether.System(rod, monitor="none", y=0.0)
    assert free.run("simpson", 0.01, 1).q.shape == (101, 2) and free.let(y=0).run("simpson", 0.01, 1).q.shape == (101, 2)


BALL = """
parameter  e = 1
coordinate y
kinetic    y'^2/2
potential  9.81*y
start      y = 1
event      floor: y = 0 falling then bounce e
event      top: y' = 0 falling
suggest    method = "verlet", step = 0.01, until = 3
"""


def test_sweeps_with_events():
    """A member has the events of a run of its own; NaN behind its last one."""
    y = np.random.default_rng(SEED).uniform(0.5, 4, 7)
    ball = noether.System(BALL, e=0.9)
    fallen = ball.sweep(y=y, stop="floor")
    assert np.allclose(fallen.passages["floor"], np.sqrt(2 * y / 9.81), rtol=1e-13)
    assert all(np.isnan(fallen.passages["top"])) and fallen.message is None
    tops = ball.sweep(y=y, section="top", columns="t,y,event")
    for k in range(7):
        one = ball.let(y=y[k]).run(section="top", columns="t,y,event")
        n = len(one)
        assert tops.rows[k] == n > 0 and tops["y"][k, :n].tobytes() == one["y"].tobytes()
        assert np.all(np.isnan(tops["t"][k, n:]))
    with pytest.raises(ValueError, match="section ceiling: no event"):
        ball.sweep(y=y, section="ceiling")


def test_messages_name_arguments():
    with pytest.raises(noether.StepError, match="infinitely often") as caught:
        noether.System(BALL, e=0.5).run()
    assert "until" in str(caught.value) and "--" not in str(caught.value)


def test_sweeps_at_times():
    swing = noether.System("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nsuggest method = \"gauss 2\", step = 0.1, until = 5")
    times = [0, 0.33, 1.25, 5]
    many = swing.sweep(q=[0.5, 1, 2], times=times)
    even = swing.sweep(q=[0.5, 1, 2], rows=11)
    assert many["q"].shape == (3, 4) and np.array_equal(many.t, times) and even["q"].shape == (3, 11)
    for k, q in enumerate((0.5, 1, 2)):
        assert many["q"][k].tobytes() == swing.let(q=q).run(times=times)["q"].tobytes()
        assert even["q"][k].tobytes() == swing.let(q=q).run(rows=11)["q"].tobytes()
    with pytest.raises(ValueError, match="one of them"):
        swing.sweep(q=[1, 2], times=times, rows=3)


def test_sweeps_leave_no_files(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    monkeypatch.chdir(tmp_path)
    assert noether.System(BALL).sweep(e=np.linspace(0, 1, 20))["y"].shape[0] == 20
    assert list(tmp_path.iterdir()) == []


def test_warnings_of_sweeps():
    kepler = noether.System(ROOT / "systems" / "kepler.lag")
    with pytest.warns(noether.RunWarning, match="members"):
        coarse = kepler.sweep(e=[0.1, 0.9], method="gauss 2", step=0.6, until=20)
    assert coarse.warnings
