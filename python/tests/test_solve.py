"""solve, a structure from matrices, pandas, the integrator: against what is known otherwise.

SPDX-License-Identifier: BSD-3-Clause
"""
import warnings

import numpy as np
import pytest

import noether

SPRING = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1"


def test_solve_is_the_motion():
    times = np.linspace(0, 20, 41)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a tolerance that is kept warns of no step
        found = noether.solve(SPRING, (0, 20), [1.0], [0.5], t_eval=times, tolerance=1e-10)
    assert found.success and found.status == 0 and found.message
    exact = np.array([np.cos(times) + 0.5 * np.sin(times), -np.sin(times) + 0.5 * np.cos(times)])
    assert np.abs(found.y - exact).max() < 2e-10 * 1.2
    assert np.array_equal(found.t, times) and found.y.shape == (2, 41) and found.q.shape == found.v.shape == (1, 41)
    assert np.abs(found.sol(7.123) - [np.cos(7.123) + 0.5 * np.sin(7.123), -np.sin(7.123) + 0.5 * np.cos(7.123)]).max() < 1e-9


def test_dense_output_has_the_order_of_the_method(chance):
    """At random times between the steps the error falls as at the steps: by 2^4 with half the step."""
    L = "parameter k = 1\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 2*y^2)/2 + k*x^2*y - y^3/3"
    at = np.array(sorted(chance.uniform(0, 5) for _ in range(30)))
    sol = [noether.solve(L, (0, 5), [0.1, 0.2], [0.3, -0.1], method="simpson", step=h).sol for h in (0.05, 0.025, 0.0125 / 8)]
    e = [np.abs(s(at) - sol[2](at)).max() for s in sol[:2]]
    assert 3.6 < np.log2(e[0] / e[1]) < 4.4
    H = lambda y: (y[2]**2 + y[3]**2) / 2 + (y[0]**2 + 2 * y[1]**2) / 2 + y[0]**2 * y[1] - y[1]**3 / 3
    assert np.abs(H(sol[1](at)) - H(sol[1](0.0))).max() < 2e-7
    with pytest.raises(ValueError, match="the run has times"):
        sol[0](5.1)


def test_solve_takes_what_scipy_takes(pendulum):
    a = noether.solve(pendulum, (0, 1.003), [1, 1], [0, 0], method="gauss 3", step=0.01, args={"l1": 0.5})
    assert a.t[-1] == 1.003 and abs(a.t[-2] - 1) < 1e-12 and len(a.t) == 102
    b = pendulum.let(l1=0.5, q1=1, q2=1).run("gauss 3", 0.01, 1)
    assert np.array_equal(a.q[:, :-1], b.q.T)
    back = noether.solve(pendulum, (1, 0), [1, 1], p0=[0.1, 0], method="gauss 3", step=-0.01)
    assert back.t[0] == 1 and back.t[-1] == 0
    failed = noether.solve("coordinate x\nkinetic x^2*x'^2/2", (0, 9), [1.0], [-1.0], method="simpson", step=0.1)
    assert not failed.success and failed.status == -1 and "singular" in failed.message and len(failed.t) == 6


def test_against_scipy():
    """The same pendulum by solve_ivp with a tolerance of 1e-12."""
    scipy = pytest.importorskip("scipy.integrate")
    found = noether.solve(lambda q, v: v[0]**2 / 2 + np.cos(q[0]), (0, 10), [2.0], [0.0], tolerance=1e-11)
    other = scipy.solve_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 10), [2.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-13)
    assert np.abs(found.y[:, -1] - other.y[:, -1]).max() < 1e-10


def test_structures_from_matrices():
    n = 6
    M, K = np.eye(n) * 2, 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    frame = noether.System.from_matrices(M, K)
    assert frame.dim == n and frame.coordinates[0] == "x.1"
    x0 = np.linalg.eigh(K)[1][:, 0]
    omega = np.sqrt(np.linalg.eigh(K)[0][0] / 2)
    run = frame.run("gauss 4", 0.1, 5, q0=x0)
    assert np.abs(run.q[-1] - x0 * np.cos(omega * 5)).max() < 1e-9
    shown = frame.check("simpson", 0.1)
    assert shown.holds and "Laws" not in repr(shown)
    pushed = noether.System.from_matrices(np.eye(1), [[4.0]], load=lambda t: [np.cos(t)])
    run = pushed.run("gauss 4", 0.05, 3)
    assert abs(run["x.1"][-1] - (np.cos(3) - np.cos(6)) / 3) < 1e-9
    damped = noether.System.from_matrices(np.eye(1), [[1.0]], C=[[0.2]]).run("gauss 4", 0.05, 3, q0=[1])
    w = np.sqrt(1 - 0.01)
    assert abs(damped["x.1"][-1] - np.exp(-0.3) * (np.cos(3 * w) + 0.1 / w * np.sin(3 * w))) < 1e-9
    with pytest.raises(ZeroDivisionError):
        noether.System.from_matrices(np.eye(1), [[1.0]], load=lambda t: 1 / 0).run("gauss 2", 0.1, 1)
    with pytest.raises(ZeroDivisionError):
        noether.System.from_matrices(np.eye(1), [[1.0]], load=lambda t: 1 / 0).integrator("gauss 2", 0.1).step()


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    n = 300
    K = sparse.diags([2 * np.ones(n), -np.ones(n - 1), -np.ones(n - 1)], [0, 1, -1]).tocsr()
    dense = noether.System.from_matrices(np.eye(n), K.toarray())
    thin = noether.System.from_matrices(sparse.identity(n), K)
    x = np.sin(np.arange(n))
    a, b = (s.run("simpson", 0.2, 2, q0=x, columns=["t"] + list(s.coordinates))["x"] for s in (dense, thin))
    assert np.array_equal(a, b) and a.shape == (11, n)


def test_pandas_and_dictionaries(pendulum):
    pandas = pytest.importorskip("pandas")
    run = pendulum.run(until=1)
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert np.array_equal(frame["q1"].to_numpy(), run["q1"]) and dict(run).keys() == run.to_dict().keys() == set(run.keys())
    many = pendulum.sweep(q1=[0.1, 0.2], until=1)
    assert np.array_equal(many.to_pandas().loc[1]["q1"].to_numpy(), many["q1"][1])
    laws = noether.System(SPRING).check("simpson", 0.1)
    assert (laws.to_pandas()["verdict"] != "FAILS").all() and laws.json["holds"]


def test_the_integrator_is_the_run(pendulum):
    run, g = pendulum.run(until=0.2), pendulum.integrator()
    assert isinstance(g, noether.Integrator)
    for k in range(20):
        assert np.array_equal(g.q, run.q[k]) and np.array_equal(g.p, run.p[k]) and g.energy == run.energy[k]
        g.step()
    q, p = g.at(0.2 + 0.004)
    assert np.abs(q - g.q).max() > 1e-6 and np.array_equal(g.q, run.q[-1])
    with pytest.raises(ValueError):
        g.at(0.3)
    g["solver"] = 3
    assert g["solver"] == 3
    v = g.v.copy()
    g.start(1, [0.1, 0.2], [0.3, 0.4])
    assert g.time == 1 and np.abs(g.v - [0.3, 0.4]).max() < 1e-15 and v.shape == (2,)


def test_the_jacobian_is_symplectic(pendulum):
    g = pendulum.integrator("gauss 3", 0.05)
    M = np.eye(4)
    for _ in range(5):
        M = g.jacobian() @ M
    O = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    assert np.abs(M.T @ O @ M - O).max() < 1e-13 * np.abs(M).max()**2


def test_certificates(pendulum):
    shown = pendulum.check("simpson", 0.01)
    assert isinstance(shown, noether.Certificate) and shown and shown.holds
    assert shown.laws["symplectic"]["value"] < shown.laws["symplectic"]["bound"]
    assert set(shown.symmetries) == {"energy"} and shown.structure and "All that is promised holds." in str(shown)
    broken = pendulum.check("rk4", 0.05)
    assert broken.laws["symplectic"]["verdict"] != "holds"


def test_what_a_system_says(pendulum):
    assert pendulum.dim == 2 and pendulum.coordinates == ("q1", "q2") and pendulum.suggested["method"] == "simpson"
    assert pendulum.let(l1=0.5).changes == {"l1": "0.5"} and pendulum.let(m1=3)["m1"] == 3
    assert "double_lagrangian" in pendulum.c_source("double")
    assert pendulum.latex().startswith("\\begin{aligned} L &= \\frac{m_{1}}{2} ")


def test_tests_name_all_results():
    """What runs give back is of the classes that the package names."""
    spring = noether.System(SPRING)
    assert isinstance(spring.run("gauss 2", 0.1, 1), noether.Run)
    assert isinstance(spring.sweep(x=[1, 2], method="gauss 2", step=0.1, until=1), noether.Ensemble)
    assert isinstance(noether.solve(spring, (0, 1), [1]), noether.Solution)
    assert issubclass(noether.Interrupted, KeyboardInterrupt) and issubclass(noether.ModelWarning, UserWarning)
    assert issubclass(noether.ArgumentError, (noether.Error, ValueError))


def test_matrices_with_one_triangle():
    """A damping stands as it is, dense or sparse; M and K need both triangles."""
    scipy, sparse = pytest.importorskip("scipy.integrate"), pytest.importorskip("scipy.sparse")
    full = np.array([[0.1, 0.8, 0.3], [0, 0.1, 0.4], [0, 0, 0.2]])
    holes = sparse.coo_matrix(([0.1, 0.8, 0.0, 0.1], ([0, 0, 1, 1], [0, 1, 0, 1])), shape=(2, 2))
    for C in (full, full.T, full - full.T, full[:2, :2], [[0, 0.5], [0, 0]], sparse.csr_matrix(full), sparse.csc_matrix(full.T),
              sparse.coo_matrix(full), holes):
        dense = C.toarray() if sparse.issparse(C) else np.array(C)
        n = len(dense)
        found = noether.System.from_matrices(np.eye(n), np.eye(n), C=C).run("gauss 4", 0.05, 5, q0=np.arange(1, n + 1)).q[-1]
        exact = scipy.solve_ivp(lambda t, y: np.r_[y[n:], -y[:n] - dense @ y[n:]], (0, 5), np.r_[np.arange(1, n + 1), np.zeros(n)],
                                rtol=1e-12, atol=1e-13).y[:n, -1]
        assert np.abs(found - exact).max() < 1e-9
    side = np.array([[1.0, 2], [0, 9]])
    for M, K, what in ((np.eye(2), side, "K"), (np.eye(2), side.T, "K"), (side, np.eye(2), "M"), (np.eye(2), sparse.csr_matrix(side), "K"),
                       (sparse.csc_matrix(side.T), np.eye(2), "M")):
        with pytest.raises(noether.ArgumentError, match=f"^{what}: .* both triangles"):
            noether.System.from_matrices(M, K)
    kept = sparse.csc_matrix(side)
    kept.has_sorted_indices, before = False, kept.nnz
    noether.System.from_matrices(np.eye(2), side + side.T, C=kept)
    assert kept.nnz == before


def test_real_matrices_and_loads_of_the_right_length():
    sparse = pytest.importorskip("scipy.sparse")
    for wrong in (np.eye(2) * 1j, [[1j, 0], [0, 1]], sparse.identity(2) * 1j):
        for matrices in ((wrong, np.eye(2)), (np.eye(2), wrong), (np.eye(2), np.eye(2), wrong)):
            with pytest.raises(TypeError, match="real numbers"):
                noether.System.from_matrices(*matrices)
    for value, kind, said in ((1.0, ValueError, "2 numbers"), ([1], ValueError, "2 numbers"), ([1, 2, 3], ValueError, "2 numbers"),
                              (None, TypeError, "is a return missing"), ([1j, 2], TypeError, "complex"), (["a", 1], TypeError, "2 numbers")):
        frame = noether.System.from_matrices(np.eye(2), np.eye(2), load=lambda t: value)
        for call in (lambda: frame.run("simpson", 0.1, 1), lambda: frame.integrator("simpson", 0.1).run(1)):
            with pytest.raises(kind, match=said):
                call()
    one = noether.System.from_matrices([[1]], [[1]], load=lambda t: 1).run("gauss 4", 0.1, 1)
    assert abs(one["x.1"][-1] - (1 - np.cos(1))) < 1e-9


def test_what_matrices_do_not_have():
    frame = noether.System.from_matrices(np.eye(2), np.eye(2))
    for call, said in ((lambda: frame.run(tolerance=1e-6, until=1), "tolerance: of a model"), (lambda: frame.let(k=1), "q0="),
                       (lambda: noether.solve(frame, (0, 1), [1, 1]), "method= and step="), (lambda: frame.run("simpson", 0.1, 1, stop="a"), "no events"),
                       (lambda: frame.run("simpson", 0.1, 1, section="a"), "no events"),
                       (lambda: frame.run("simpson", 0.1, 1, monitor="x.1"), "monitor: of a model")):
        with pytest.raises(noether.ArgumentError, match=said):
            call()
    late = frame.run("simpson", 0.1, 2, t0=1)
    assert late.t[0] == 1 and late.t[-1] == 2 and not late.q.any()


def test_what_scipy_has_and_solve_has_not(pendulum):
    L = lambda q, v, g: v @ v / 2 - g * q[0]
    for given in ((9.81,), [9.81], {"g": 9.81}):
        assert abs(noether.solve(L, (0, 1), [0], args=given).y[0, -1] + 9.81 / 2) < 1e-8
    timed = noether.solve(lambda t, q, v, a, b: v @ v / 2 + (a + b*t) * q[0], (0, 1), [0], args=(2.0, 6.0))
    assert abs(timed.y[0, -1] - 2) < 1e-8
    for system, given, said in ((L, (1, 2), "2 values"), (lambda q, v, a, b: v @ v, (1,), "2 parameters"), (L, 9.81, r"\(9.81,\)"),
                                (pendulum, (9.81,), "no order")):
        with pytest.raises(TypeError, match=said):
            noether.solve(system, (0, 1), [0], args=given)
    for name, said in (("rtol", "tolerance=1e-9"), ("atol", "tolerance=1e-9"), ("events", "`event` statements"), ("tolerence", "'tolerance'"),
                       ("max_step", "step="), ("nothing", "t_eval")):
        with pytest.raises(TypeError, match=said):
            noether.solve(pendulum, (0, 1), [0, 0], **{name: 1e-6})
    for call in (lambda: noether.solve(pendulum, (0, 1), [1, 1], tolerance=1e-30), lambda: pendulum.run(tolerance=1e-30, until=1)):
        with pytest.raises(noether.StepError, match="tolerance 1e-30") as caught:
            call()
        assert "--" not in str(caught.value) and "force" not in str(caught.value)
    with pytest.raises(TypeError, match="tolerance: expected a number"):
        noether.solve(pendulum, (0, 1), [1, 1], tolerance="1e-9")


def test_a_start_at_another_time(chance):
    """t0 alone is `start t` of the model; with positions and without t0 the model's time stays."""
    scipy = pytest.importorskip("scipy.integrate")
    text = "coordinate x\nkinetic x'^2/2\npotential x^2/2 + x*sin(3*t)\nstart x = 1, x' = 0.5"
    system, t0 = noether.System(text), chance.uniform(-3, 7)
    exact = scipy.solve_ivp(lambda t, y: [y[1], -y[0] - np.sin(3 * t)], (t0, t0 + 2), [1, 0.5], rtol=1e-12, atol=1e-13).y[0, -1]
    for words in (dict(method="gauss 6", step=0.05), dict(tolerance=1e-10)):
        run = system.run(until=t0 + 2, t0=t0, times=[t0, t0 + 2], **words)
        assert run.t[0] == t0 and run["x"][0] == 1 and abs(run["x"][-1] - exact) < 1e-8
    assert np.array_equal(system.run("simpson", 0.1, 3, t0=1).q, noether.System(text + ", t = 1").run("simpson", 0.1, 3).q)
    late = noether.System(text + ", t = 2")
    for words in (dict(method="simpson", step=0.1), dict(tolerance=1e-6)):
        assert late.run(until=3, q0=[2], **words).t[0] == 2 and late.run(until=3, q0=[2], t0=0, **words).t[0] == 0
    assert late.run("simpson", 0.1, 3, t0=1).t[0] == 1 and late.run("simpson", 0.1, 3).t[0] == 2
