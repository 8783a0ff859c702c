"""Derivatives of motions by parameters and starts: columns, run.sensitivity, integrator.sensitivity.

SPDX-License-Identifier: BSD-3-Clause
"""
import csv
import io
import pickle

import numpy as np
import pytest

import noether

PAIR = """
parameter  g = 9.81, m = 0.7, l = 0.9
coordinate a, b
lagrangian (1 + m)/2*l^2*a'^2 + m/2*l^2*b'^2 + m*l^2*a'*b'*cos(a - b)
lagrangian (1 + m)*g*l*cos(a) + m*g*l*cos(b)
start      a = 1, b = -0.4, p(a) = 0.2, p(b) = -0.1
observe    height = -l*cos(a) - l*cos(b)
suggest    method = "simpson", step = 0.05, until = 1"""


def test_columns_are_the_commands(command, tmp_path):
    file = tmp_path / "pair.lag"
    file.write_text(PAIR)
    asked = "t,a,d(a)/d(m),d(p(b))/d(l),d(energy)/d(b'),d(height)/d(a(0))"
    lines = list(csv.reader(io.StringIO(command("run", file, "--columns", asked, "--quiet"))))
    run = noether.System(PAIR).run(columns=asked)
    assert list(run.columns) == lines[0] == asked.split(",")
    for name, column in zip(run.columns, zip(*lines[1:])):
        assert run[name].tobytes() == np.array([float(x) for x in column]).tobytes(), name
    for other in ("d(b.p)/d(l)", "d( p(b) ) / d(l)"):
        assert run[other] is run["d(p(b))/d(l)"]
    assert run["d(height)/d(a)"] is run["d(height)/d(a(0))"]


@pytest.mark.parametrize("method", ["simpson", "gauss 4", "rk4", "compose 6 simpson"])
def test_sensitivity_is_the_slope_between_neighbours(method, chance):
    """A central difference of two motions errs by h^2 f'''/6 and by the steps' rounding over h."""
    values = {"m": 0.5 + chance.random(), "l": 0.5 + chance.random(), "a": chance.random(), "p(b)": chance.random() - 0.5}
    pair, h = noether.System(PAIR).let(values), 1e-5
    run = pair.differentiated("m, l", "a", "p(b)").run(method, 0.02, 0.6)
    assert run.system.by == tuple(values) and run.sensitivity.shape == (31, 4, 4)
    for k, (name, x) in enumerate(values.items()):
        plus, minus = (pair.let({name: x + d}).run(method, 0.02, 0.6) for d in (h, -h))
        slope = np.hstack([plus.q - minus.q, plus.p - minus.p]) / (2 * h)
        assert np.abs(run.sensitivity[:, :, k] - slope).max() < 1e-7 * max(1, np.abs(slope).max()), name


def test_integrator_and_run_agree():
    by = noether.System(PAIR).differentiated("a", "b", "p(a)", "p(b)")
    g, run = by.integrator(), by.run()
    for k in range(len(run)):
        assert g.sensitivity.tobytes() == run.sensitivity[k].tobytes()
        if k + 1 < len(run):
            g.step()
    S, J = g.sensitivity, np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    assert np.abs(S.T @ J @ S - J).max() < 1e-12 * np.abs(S).max()**2, "by all of the start it is symplectic"
    assert np.array_equal(run.q, noether.System(PAIR).run().q), "the steps stay as they are"


def test_wherever_a_system_goes():
    by = noether.System(PAIR, l=0.8).differentiated("m", "l")
    said = by.run().sensitivity
    assert pickle.loads(pickle.dumps(by)).run().sensitivity.tobytes() == said.tobytes()
    assert noether.System(PAIR).differentiated("m", "l").let(l=0.8).run().sensitivity.tobytes() == said.tobytes()
    assert by.run(rows=7).sensitivity.shape == (7, 4, 2) and by.sweep(m=[0.5, 0.7])["a"].shape == (2, 21)
    assert by.run(digits=33).sensitivity == pytest.approx(said, abs=1e-12)


def test_refusals():
    pair = noether.System(PAIR)
    for call, error, words in (
            (lambda: pair.differentiated(), noether.ArgumentError, "by what"),
            (lambda: pair.differentiated("m,,l"), noether.ArgumentError, "by what"),
            (lambda: pair.differentiated(3), TypeError, "expected a string"),
            (lambda: pair.differentiated("nothing"), noether.ArgumentError, "neither a parameter nor the start"),
            (lambda: pair.run(columns="d(a)/d(n)"), noether.ArgumentError, "neither a parameter nor the start"),
            (lambda: pair.run().sensitivity, KeyError, "differentiated"),
            (lambda: pair.integrator().sensitivity, noether.ArgumentError, "differentiated"),
            (lambda: pair.sweep(m=[1, 2], columns="t,d(a)/d(m)"), noether.ArgumentError, "no derivatives"),
            (lambda: pair.differentiated("m").integrator("rk4-v", 0.1), noether.ArgumentError, "rk4-v"),
            (lambda: noether.System.from_matrices(np.eye(2), np.eye(2)).differentiated("m"), noether.ArgumentError, "in C")):
        with pytest.raises(error, match=words):
            call()


def test_gradient_is_the_sum_of_sensitivities(chance):
    """Weights times the forward derivatives, by parameters and starts; every row, every third, at times."""
    pair = noether.System(PAIR)
    names = ("g", "m", "l", "a", "b", "p(a)", "p(b)")
    for rows in (dict(), dict(every=3), dict(times=[0, 0.11, 0.3, 0.777])):
        forward = pair.differentiated(*names).run("simpson", 0.05, 0.8, **rows)
        run = pair.run("simpson", 0.05, 0.8 if "times" not in rows else 0.777, **rows)
        weights = {name: np.array([chance.gauss(0, 1) for _ in range(len(run))]) for name in ("a", "p(b)", "b'", "energy", "height") if name in run}
        shown = [*weights]
        slopes = pair.run("simpson", 0.05, run.until, columns=["t", *(f"d({w})/d({c})" for w in shown for c in names)], **rows)
        found = run.gradient(weights)
        assert tuple(found) == names and len(forward) >= len(run)
        for c in names:
            exact = sum((weights[w] * slopes[f"d({w})/d({c})"]).sum() for w in shown)
            assert abs(found[c] - exact) < 1e-11 * (1 + abs(exact)), (rows, c)
        small = run.gradient(weights, memory=20000)
        assert all(abs(small[c] - found[c]) < 1e-11 * (1 + abs(found[c])) for c in names)


def test_gradients_refused():
    run = noether.System(PAIR).run()
    with pytest.raises(noether.ArgumentError, match="no column 'c'"):
        run.gradient({"c": run["a"]})
    with pytest.raises(noether.ArgumentError, match="shape"):
        run.gradient({"a": run["a"][1:]})
    with pytest.raises(noether.ArgumentError, match="finite"):
        run.gradient({"a": run["a"] * np.nan})
    with pytest.raises(TypeError):
        run.gradient({})
    with pytest.raises(noether.ArgumentError, match="bytes of memory"):
        run.gradient({"a": run["a"]}, memory=10)
    with pytest.raises(noether.ArgumentError, match="start was given to run"):
        noether.System(PAIR).run(q0=[1, 1]).gradient({"a": run["a"]})
