"""Lagrangians of Python and SymPy: the expression that is traced is the function that was written.

SPDX-License-Identifier: BSD-3-Clause
"""
import inspect
import math

import numpy as np
import pytest

import noether
from noether import expression


def random_expression(chance, leaves, depth):
    """A random term as a function of a list of numbers, smooth and finite on (0.5, 2)."""
    if depth == 0:
        k, c = chance.randrange(len(leaves)), round(chance.uniform(-3, 3), 3)
        return chance.choice([lambda x: x[k], lambda x: x[k], lambda x: c, lambda x: chance_int])
    a, b, c = (random_expression(chance, leaves, depth - 1) for _ in range(3))
    return chance.choice([
        lambda x: a(x) + b(x), lambda x: a(x) - b(x), lambda x: a(x) * b(x), lambda x: a(x) / (2.5 + np.sin(b(x))),
        lambda x: -a(x), lambda x: a(x) - (b(x) - c(x)), lambda x: a(x) * (b(x) + c(x)), lambda x: (-a(x)) ** 2,
        lambda x: np.sin(a(x)), lambda x: np.cos(a(x)) ** 3, lambda x: np.exp(np.tanh(a(x))), lambda x: np.sqrt(1 + a(x) ** 2),
        lambda x: np.hypot(a(x), 2), lambda x: np.arctan2(a(x), 1 + b(x) ** 2), lambda x: 2 ** np.tanh(a(x)),
        lambda x: np.where(a(x) < b(x), a(x), c(x)), lambda x: np.maximum(a(x), b(x)), lambda x: np.minimum(a(x), b(x)),
        lambda x: np.abs(a(x)), lambda x: np.square(a(x)), lambda x: (1 + b(x) ** 2) ** -1.5, lambda x: -a(x) ** 2 / -(2 + np.cos(b(x))),
        lambda x: np.where((a(x) < b(x)) & (b(x) <= c(x)), a(x), -b(x)), lambda x: np.floor(a(x)) + 0.25, lambda x: a(x) % 2.5])


chance_int = 2


def test_random_expressions_have_the_same_value(chance):
    """energy = -L where L has no velocities: the model's value of a random expression against NumPy's."""
    for _ in range(60):
        term = random_expression(chance, range(4), chance.randrange(1, 6))
        values = [chance.uniform(0.5, 2) for _ in range(4)]
        expected = float(term(values))
        system = noether.System.from_function(lambda q, v, a: term([q[0], q[1], q[2], a]) + v[0]**2 + v[1]**2 + v[2]**2, 3,
                                              {"a": values[3]}, q1=values[0], q2=values[1], q3=values[2])
        got = -system.integrator("gauss 1", 0.1)["energy"]
        assert abs(got - expected) <= 1e-12 * max(1, abs(expected)), system.text


def test_arrays_of_coordinates():
    def L(q, v, m, k):
        x = np.concatenate([[0.0], q, [0.0]])
        r = np.diff(x)
        return m.dot(v**2) / 2 - np.sum(k * r**2) / 2 - np.mean(q**4) - np.linalg.norm(q[:2]) + np.cross(q[:3], v[:3])[2]
    m = np.array([1.0, 2.0, 3.0, 4.0])
    system = noether.System.from_function(L, 4, {"m": m, "k": 2.5}, q1=0.1, q2=-0.2, q3=0.3, q4=0.5, values={"q1'": 1, "q2'": 0.7})
    q, v = np.array([0.1, -0.2, 0.3, 0.5]), np.array([1, 0.7, 0, 0])
    H = m.dot(v**2) / 2 + np.sum(2.5 * np.diff(np.concatenate([[0], q, [0]]))**2) / 2 + np.mean(q**4) + np.linalg.norm(q[:2])
    assert abs(system.integrator("gauss 2", 0.1)["energy"] - H) < 1e-14
    assert system["m_3"] == 3


@pytest.mark.parametrize("method, function", [
    (lambda q, v: (v**2).sum() / 2 - (q**4).sum(), lambda q, v: np.sum(v**2) / 2 - np.sum(q**4)),
    (lambda q, v: v.dot(v) / 2 - q.mean(), lambda q, v: np.dot(v, v) / 2 - np.mean(q)),
    (lambda q, v: (v * v).sum(axis=0) / 2 - (1 + q**2).prod(), lambda q, v: np.sum(v * v) / 2 - np.prod(1 + q**2)),
    (lambda q, v: v @ v / 2 - q.max()**2, lambda q, v: np.dot(v, v) / 2 - np.maximum(np.maximum(q[0], q[1]), q[2])**2)])
def test_methods_of_arrays_are_functions(method, function):
    assert noether.System.from_function(method, 3).text == noether.System.from_function(function, 3).text


def test_time_and_forces():
    system = noether.System.from_function(lambda t, q, v, w: v[0]**2 / 2 - q[0]**2 / 2 + q[0] * np.cos(w * t), 1, {"w": 2},
                                          force=lambda t, q, v: [-0.1 * v[0]])
    run = system.run("gauss 4", 0.02, 3)
    text = noether.System("parameter w = 2\ncoordinate q\nkinetic q'^2/2\npotential q^2/2 - q*cos(w*t)\nforce q = -0.1*q'")
    assert np.abs(run.q - text.run("gauss 4", 0.02, 3).q).max() < 1e-13


def branch(q, v):
    a = 1
    if q[0] < 1:
        a = 2
    return a * v[0]**2


def math_sine(q, v):
    return v[0]**2 - math.sin(q[0])


def loop(q, v):
    x = q[0]
    while x > 1:
        x = x / 2
    return v[0]**2 - x


def gamma(q, v):
    from numpy import spacing
    return v[0]**2 - spacing(q[0])


def nothing(q, v):
    v[0]**2


@pytest.mark.parametrize("L, line, reason", [
    (branch, "if q[0] < 1:", "np.where"), (math_sine, "return v[0]**2 - math.sin(q[0])", "np.sin"),
    (loop, "while x > 1:", "np.where"), (gamma, "return v[0]**2 - spacing(q[0])", "spacing"),
    (nothing, "", "is a return missing"), (lambda q, v: np.array([q[0], v[0]]), "", "np.sum"), (lambda q, v: q[0] == 1, "lambda", "=="),
    (lambda q, v: [x for x in q[0]], "lambda", "one number"), (lambda q, v: 1j * q[0], "lambda", "complex"),
    (lambda q, v: q[5], None, None), (lambda q, v: "x", "", "str")])
def test_what_cannot_be_traced_is_refused_with_the_line(L, line, reason):
    if line is None:
        with pytest.raises(IndexError):
            noether.System.from_function(L, 1)
        return
    with pytest.raises(TypeError) as caught:
        noether.System.from_function(L, 1)
    said = str(caught.value)
    assert reason in said and line in said and (not line or f"{__file__}:" in said)


@pytest.mark.parametrize("arguments", [
    (lambda q: q[0], 1), (lambda q, v, m: m, 1), (lambda q, v: v[0]**2, 0), (lambda q, v: v[0]**2, "t"),
    (lambda q, v: v[0]**2, "x x"), (lambda q, v: v[0]**2, "1x"), (lambda q, v, sin: v[0]**2, 1, {"sin": 1})])
def test_wrong_arguments(arguments):
    with pytest.raises(ValueError):
        noether.System.from_function(*arguments)


def test_deep_expressions_become_definitions():
    def L(q, v):
        x = q[0]
        for k in range(400):
            x = np.sin(x + k)
        return v[0]**2 / 2 + x
    system = noether.System.from_function(L, 1, q=0.3)
    x = 0.3
    for k in range(400):
        x = math.sin(x + k)
    assert abs(system.integrator("gauss 1", 0.1)["energy"] + x) < 1e-12 and "e1 = " in system.text


def test_constraints():
    """The text is that of the model written by hand; names, times and parameters as of L."""
    def L(q, v, m, g):
        return m * np.sum(v**2) / 2 - m * g * q[1]

    given = dict(m=2, g=9.81, l=0.5)
    for constraint, line in (
            (lambda q, l: q @ q - l**2, "constraint constraint1: x*x + y*y - l^2 = 0"),
            (lambda q: {"rod": np.hypot(q[0], q[1]) - 1}, "constraint rod: sqrt(x^2 + y^2) - 1 = 0"),
            (lambda t, q: [q[0] - np.sin(t)], "constraint constraint1: x - sin(t) = 0")):
        assert line in noether.System.from_function(L, "x y", given, constraint=constraint).text
    rod = noether.System.from_function(L, "x y", given, constraint=lambda q, l: {"rod": q @ q - l**2}, x=0.5)
    run = rod.run("simpson", 0.01, 2, columns="t,x,y,rod.error,rod.force")
    angle = noether.System("coordinate a\nkinetic a'^2/8\npotential 9.81*sin(a)/2").run("gauss 4", 0.01, 2)["a"]
    assert rod.constraints == ("rod",) and np.abs(run["rod.error"]).max() < 1e-15
    assert np.abs(np.arctan2(run["y"], run["x"]) - np.arctan2(np.sin(angle), np.cos(angle))).max() < 1e-5
    for wrong in (lambda q, v: v[0], lambda q: {"x": q[0]}, lambda q: {"sin": q[0]}, lambda q: np.ones(2), lambda q: None,
                  lambda q: {3: q[0]}, lambda q: 1 if q[0] > 0 else 2, lambda q: [[q[0]], [1, 2]]):
        with pytest.raises((ValueError, TypeError)):
            noether.System.from_function(L, "x y", given, constraint=wrong).run("simpson", 0.1, 1)


def test_names_that_the_language_has():
    """What is refused here is refused there; words at the beginning of a line are names like others."""
    for name in sorted(expression.RESERVED):
        with pytest.raises(noether.Error):
            noether.System(f"coordinate {name}\nkinetic {name}'^2/2\npotential cos({name})")
    for name in ("mass", "force", "point", "vector", "kinetic", "start"):
        def L(q, v, **given):
            return given[name] * v[0]**2 / 2 + np.cos(q[0])
        L.__signature__ = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in ("q", "v", name)])
        assert noether.System.from_function(L, "x", {name: 2})[name] == 2
        assert noether.System.from_function(lambda q, v: v[0]**2, name).run("simpson", 0.1, 1)[name].shape == (11,)
