"""Lagrangians of SymPy: the accelerations of 20 systems against SymPy's own Lagrange equations.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
import pytest

import noether

sympy = pytest.importorskip("sympy")
from sympy import Max, Piecewise, Rational, atan2, cos, cosh, exp, log, pi, sin, sqrt, symbols, tan, tanh  # noqa: E402
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols  # noqa: E402

t = dynamicsymbols._t
x, y, z, a, b, c = dynamicsymbols("x y z theta_1 theta_2 phi")
m, g, l, k, w = symbols("m g l k omega")
VALUE = {m: 1.3, g: 9.81, l: 0.7, k: 2.5, w: 1.1}


def d(e):
    return e.diff(t)


def pendula(n, angles):
    X = Y = 0
    T = V = 0
    for q in angles[:n]:
        X, Y = X + l * sin(q), Y - l * cos(q)
        T, V = T + m * (d(X)**2 + d(Y)**2) / 2, V + m * g * Y
    return T - V


CASES = {
    "spring": (m * d(x)**2 / 2 - k * x**2 / 2, [x]),
    "pendulum": (pendula(1, [a]), [a]),
    "double pendulum": (pendula(2, [a, b]), [a, b]),
    "double pendulum, simplified": (sympy.simplify(pendula(2, [a, b])), [a, b]),
    "triple pendulum": (pendula(3, [a, b, c]), [a, b, c]),
    "kepler": (m * (d(x)**2 + d(y)**2) / 2 + k / sqrt(x**2 + y**2), [x, y]),
    "kepler, polar": (m * (d(x)**2 + x**2 * d(a)**2) / 2 + k / x, [x, a]),
    "spherical pendulum": (m * l**2 * (d(a)**2 + sin(a)**2 * d(c)**2) / 2 + m * g * l * cos(a), [a, c]),
    "elastic pendulum": (m * (d(x)**2 + x**2 * d(a)**2) / 2 + m * g * x * cos(a) - k * (x - l)**2 / 2, [x, a]),
    "cart and pendulum": (m * d(x)**2 / 2 + m * ((d(x) + l * cos(a) * d(a))**2 + (l * sin(a) * d(a))**2) / 2 + m * g * l * cos(a), [x, a]),
    "magnetic": (m * (d(x)**2 + d(y)**2) / 2 + k * (x * d(y) - y * d(x)) / 2 - x**4, [x, y]),
    "top": (m * (d(a)**2 + sin(a)**2 * d(c)**2) / 2 + k * (d(b) + d(c) * cos(a))**2 / 2 - g * cos(a), [a, b, c]),
    "relativistic": (-m * sqrt(1 - d(x)**2 / 100) * 100 - k * x**2 / 2, [x]),
    "driven": (m * d(x)**2 / 2 - k * x**2 / 2 + x * cos(w * t), [x]),
    "moving pivot": (m * (d(l * sin(a) + sin(w * t))**2 + d(-l * cos(a))**2) / 2 + m * g * l * cos(a), [a]),
    "wells": (m * d(x)**2 / 2 + exp(-x**2) + tanh(x) + log(1 + x**2) - cosh(x) / 7, [x]),
    "rationals": (Rational(1, 3) * m * d(x)**2 - Rational(2, 7) * x**Rational(4, 1) / pi + sympy.E * x / 3, [x]),
    "pieces": (m * d(x)**2 / 2 - Piecewise((k * x**2, x < 0), (x**2, x < 1), (2 * x - 1, True)) - Max(x, y)**3 + d(y)**2, [x, y]),
    "angles": (d(x)**2 + d(y)**2 + atan2(y, x) + tan(x / 9) + sqrt(x)**3, [x, y]),
    "Toda": ((d(x)**2 + d(y)**2 + d(z)**2) / 2 - exp(x - y) - exp(y - z) - exp(z - x), [x, y, z]),
}


@pytest.mark.parametrize("name", CASES)
def test_accelerations_are_those_of_sympys_equations(name, chance):
    """From an initial state (q, v): a = M^-1 F by SymPy, and by noether's motion, (v(h) - v(-h))/2h by steps that are exact
    to order 10."""
    L, q = CASES[name]
    state = {**{u: chance.uniform(0.4, 0.9) for u in q}, **{d(u): chance.uniform(-0.5, 0.5) for u in q}}
    method = LagrangesMethod(L, q)
    method.form_lagranges_equations()
    at = {**VALUE, t: 0}

    def number(e):
        e = e.subs({d(d(u)): 0 for u in q}).subs({d(u): state[d(u)] for u in q}).subs({u: state[u] for u in q}).subs(at)
        return np.array(e.evalf(20).tolist(), dtype=float)

    expected = np.linalg.solve(number(method.mass_matrix), number(method.forcing)).ravel()
    used = {s: VALUE[s] for s in VALUE if L.has(s)}
    system = noether.System.from_sympy(L, q, used)
    h = 1e-3
    v = []
    for step in (h, -h):
        orbit = system.integrator("gauss 5", step)
        orbit.start(0, [state[u] for u in q], [state[d(u)] for u in q])
        orbit.step()
        v.append(orbit.v)
    got = (v[0] - v[1]) / (2 * h)
    # The difference quotient is wrong by h^2/6 of a third derivative; Richardson's step with h/2 leaves h^4.
    w = []
    for step in (h / 2, -h / 2):
        orbit = system.integrator("gauss 5", step)
        orbit.start(0, [state[u] for u in q], [state[d(u)] for u in q])
        orbit.step()
        w.append(orbit.v)
    got = (4 * (w[0] - w[1]) / h - got) / 3
    assert np.abs(got - expected).max() <= 2e-9 * max(1, np.abs(expected).max()), (got, expected, system.text)


def test_names_and_forces():
    q = sympy.Function("energy")(t)
    alpha = sympy.Symbol("\\alpha")
    system = noether.System.from_sympy(d(q)**2 / 2 - alpha * q**2 / 2, [q], {alpha: 2}, forces={q: -0.3 * d(q)})
    assert system.coordinates == ("energy_",) and system["alpha"] == 2
    run = system.run("gauss 4", 0.05, 2, q0=[1])
    r = np.sqrt(2 - 0.15**2)
    assert abs(run.q[-1, 0] - np.exp(-0.3) * (np.cos(2 * r) + 0.15 / r * np.sin(2 * r))) < 1e-10


def test_constraints_are_those_of_lagranges_method(chance):
    """A double pendulum of rods and a bead on a helix: accelerations by LagrangesMethod with multipliers."""
    X, Y = dynamicsymbols("X Y")
    free = m * (d(x)**2 + d(y)**2) / 2 - m * g * y
    u, w, turn, other = (chance.uniform(0.3, 1) for _ in range(4))
    one, rate = 0.7 * np.array([np.sin(u), np.cos(u)]), 0.7 * turn * np.array([np.cos(u), -np.sin(u)])
    two, relative = 0.7 * np.array([np.sin(w), np.cos(w)]), 0.7 * other * np.array([np.cos(w), -np.sin(w)])
    cases = (
        (free + (d(X)**2 + d(Y)**2) / 2 - g * Y, [x, y, X, Y], [x**2 + y**2 - l**2, (X - x)**2 + (Y - y)**2 - l**2],
         [*one, *(one + two)], [*rate, *(rate + relative)]),
        (free + m * d(z)**2 / 2, [x, y, z], {"circle": x - l * cos(3 * z), "height": y - l * sin(3 * z)},
         [0.7 * np.cos(3 * u), 0.7 * np.sin(3 * u), u], [-2.1 * turn * np.sin(3 * u), 2.1 * turn * np.cos(3 * u), turn]))
    for L, q, held, at, rate in cases:
        method = LagrangesMethod(L, q, hol_coneqs=list(held.values() if isinstance(held, dict) else held))
        method.form_lagranges_equations()
        n = len(q)
        state = [*((d(a), r) for a, r in zip(q, rate)), *zip(q, at), *VALUE.items()]
        M, f = (np.array(e.subs(state).evalf(20).tolist(), dtype=float) for e in (method.mass_matrix_full, method.forcing_full))
        expected = np.linalg.solve(M, f).ravel()[n:2 * n]
        system = noether.System.from_sympy(L, q, {s: VALUE[s] for s in (m, g, l)}, constraints=held)
        assert system.constraints == (("circle", "height") if isinstance(held, dict) else ("constraint1", "constraint2"))
        slope = []
        for h in (2e-3, 1e-3):
            v = []
            for step in (h, -h):
                orbit = system.integrator("gauss 4", step)
                orbit.start(0, at, rate)
                orbit.step()
                v.append(orbit.v)
            slope.append((v[0] - v[1]) / (2 * h))
        got = (4 * slope[1] - slope[0]) / 3
        print(np.abs(got - expected).max() / np.abs(expected).max())
        assert np.abs(got - expected).max() <= 2e-9 * np.abs(expected).max(), (got, expected, system.text)
    with pytest.raises(noether.ModelError, match="velocities"):
        noether.System.from_sympy(free, [x, y], {m: 1, g: 1}, constraints=[d(x) - d(y)])


@pytest.mark.parametrize("L, q, params", [
    (d(x)**2 + k * x, [x], {}), (d(x)**2 + y, [x], {}), (d(d(x)), [x], {}), (d(x)**2, [], {}), (d(x)**2, [m], {}),
    (sympy.I * d(x)**2, [x], {}), (d(x)**2 + sympy.gamma(x), [x], {}), (d(x)**2 + sympy.oo * x, [x], {}),
    (d(x)**2 + Piecewise((x, x > 0)), [x], {})])
def test_what_cannot_be_taken_is_refused(L, q, params):
    with pytest.raises((noether.Error)):
        noether.System.from_sympy(L, q, params)


def test_asinh_far_below_zero():
    """Value and force of asinh(x), by SymPy and by NumPy, from -1e8 to 1e8; no kink at 0."""
    mp = pytest.importorskip("mpmath").mp.clone()
    mp.dps = 40
    x = dynamicsymbols("x")
    by_sympy = noether.System.from_sympy(x.diff()**2/2 - sympy.asinh(x), [x])
    by_numpy = noether.System.from_function(lambda q, v: v[0]**2/2 - np.arcsinh(q[0]), "x")
    assert by_sympy.text == by_numpy.text and by_numpy.check("simpson", 0.1).structure["kinks"] == ""
    g, h = by_sympy.integrator("verlet", 1e-9), 1e-9
    for size in (0, *(c * 10.0**k for k in range(-9, 9) for c in (1, 2.7, 6.1) if c * 10.0**k <= 1e8), 1e12, 1e100):
        for at in (size, -size):
            g.start(0, [at], [0.0])
            exact, force = mp.asinh(at), -1 / mp.sqrt(1 + mp.mpf(at)**2)
            assert abs(g.energy - exact) <= 1e-15 * max(1, abs(exact))
            g.step()
            assert abs(g.p[0] / h / force - 1) < 1e-14
