"""Wrong input: each its own exception, with the place and what to do.

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import pickle
import warnings
import weakref

import numpy as np
import pytest

import noether
from conftest import ROOT

SYSTEMS = ROOT / "systems"
SPRING = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1"
WALL = "coordinate x\nkinetic x^2*x'^2/2\nstart x = 1, x' = -1"


def test_the_place_of_an_error():
    with pytest.raises(noether.ModelError) as caught:
        noether.System("coordinate x\nkinetic x'^2/2\npotential  sinn(x)")
    e = caught.value
    assert (e.line, e.column, e.text, e.caret) == (3, 12, "potential  sinn(x)", " " * 11 + "^")
    assert "did you mean 'sin'?" in e.reason and isinstance(e, ValueError) and isinstance(e, noether.Error)
    again = pickle.loads(pickle.dumps(e))
    assert (again.line, again.text, str(again)) == (e.line, e.text, str(e))
    with pytest.raises(noether.ModelError, match="no such parameter"):
        noether.System(SPRING, mass=2)
    with pytest.raises(noether.ModelError):
        noether.System(SPRING).run("simpson", step="0.1*", until=1)


def test_a_run_that_cannot_go_on_keeps_its_rows():
    with pytest.raises(noether.StepError) as caught:
        noether.System(WALL).run("simpson", 0.1, 10)
    e = caught.value
    assert e.cause == "singular" and e.step == 6 and abs(e.time - 0.5) < 1e-15
    assert len(e.run) == 6 and e.run.t[-1] == 0.5 and e.run.ended == str(e)
    again = pickle.loads(pickle.dumps(e))
    assert again.cause == e.cause and np.array_equal(again.run.t, e.run.t)


@pytest.mark.parametrize("kind, call", [
    (TypeError, lambda s: noether.System(3)),
    (TypeError, lambda s: noether.System(b"coordinate x\n")),
    (TypeError, lambda s: noether.System(None)),
    (TypeError, lambda s: noether.System(s)),
    (FileNotFoundError, lambda s: noether.System("nowhere.lag")),
    (IsADirectoryError, lambda s: noether.System("/tmp")),
    (ValueError, lambda s: noether.System("coordinate x\0\n")),
    (noether.ModelError, lambda s: noether.System("coordinate x\nkinetic")),
    (TypeError, lambda s: noether.System(SPRING, x=[1, 2])),
    (TypeError, lambda s: noether.System(SPRING, x=1j)),
    (TypeError, lambda s: noether.System(SPRING, x=None)),
    (TypeError, lambda s: noether.System(SPRING, x=True)),
    (ValueError, lambda s: noether.System(SPRING, x=float("nan"))),
    (ValueError, lambda s: noether.System(SPRING, x="")),
    (ValueError, lambda s: noether.Method("gaus 4")),
    (TypeError, lambda s: noether.Method(4)),
    (ValueError, lambda s: s.run()),
    (ValueError, lambda s: s.run("gauss 2", 0.1)),
    (ValueError, lambda s: s.run("gauss 2", 0, 1)),
    (ValueError, lambda s: s.run("gauss 2", float("inf"), 1)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, float("nan"))),
    (ValueError, lambda s: s.run("gauss 2", 0.1, -1)),
    (TypeError, lambda s: s.run("gauss 2", 0.1, [1, 2])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, every=1.5)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, every=0)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, rows=1)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, rows=3, times=[1])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, times=[])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, times=[1, 0.5])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, times=[0, np.nan])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, columns="t,y")),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, columns=[1])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, nonsense=1)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, digits=20)),
    (ValueError, lambda s: s.run("gauss 2", tolerance=1e-9, until=1)),
    (ValueError, lambda s: s.run(tolerance=1, until=1)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, q0=[1, 2])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, q0=[np.nan])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, q0=["a"])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, q0=[1], v0=[0], p0=[0])),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, options={"solvr": 1})),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, observer=3)),
    (ValueError, lambda s: s.sweep(until=1)),
    (ValueError, lambda s: s.sweep(x=[], method="gauss 2", step=0.1, until=1)),
    (ValueError, lambda s: s.sweep(x=[1, np.inf], method="gauss 2", step=0.1, until=1)),
    (ValueError, lambda s: s.sweep(x=["a"], method="gauss 2", step=0.1, until=1)),
    (ValueError, lambda s: s.sweep(y=[1, 2], method="gauss 2", step=0.1, until=1)),
    (ValueError, lambda s: s.check("gauss 2", 0)),
    (ValueError, lambda s: s.check("gauss 2", 0.1, within=-1)),
    (KeyError, lambda s: s["nothing"]),
    (KeyError, lambda s: s.integrator("gauss 2", 0.1)["nothing"]),
    (KeyError, lambda s: s.run("gauss 2", 0.1, 1)["nothing"]),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1)[0]),
    (ValueError, lambda s: noether.System.from_matrices([[1, 0]], [[1]])),
    (ValueError, lambda s: noether.System.from_matrices([[1]], [[np.nan]])),
    (TypeError, lambda s: noether.System.from_matrices([[1]], [[1]], load=3)),
    (TypeError, lambda s: noether.solve(3, (0, 1), [1])),
    (ValueError, lambda s: noether.solve(s, (0, 1), [1, 2])),
    (ValueError, lambda s: noether.solve(s, (0, 1), [1], t_eval=[2])),
    (ValueError, lambda s: noether.solve(s, (0, 1), [1], method="gauss 2")),
    (ValueError, lambda s: noether.solve(s, (1, 0), [1])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, times="1,2")),
    (TypeError, lambda s: s.run("gauss 2", 0.1, times=[1, 2j])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, times=[1, "a"])),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, digits="33")),
    (TypeError, lambda s: s.integrator("gauss 2", 0.1, digits="33")),
    (TypeError, lambda s: s.run("gauss 2", 0.1, 1, t0="5")),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, t0=np.nan)),
    (ValueError, lambda s: s.run("gauss 2", 0.1, 1, t0=np.nan, q0=[1])),
])
def test_wrong_use(kind, call):
    with pytest.raises(kind) as caught:
        call(noether.System(SPRING))
    assert str(caught.value).strip() and "\0" not in str(caught.value)
    assert noether.System(SPRING).run("gauss 2", 0.1, 1).t.shape == (11,)  # and nothing stays behind


def test_warnings_are_pythons():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kepler = noether.System(SYSTEMS / "kepler.lag", e=0.5)
        kepler.run("gauss 2", 0.1, 20)
        assert not caught
        run = kepler.run("gauss 2", 0.6, 20)
        assert any(issubclass(w.category, noether.RunWarning) for w in caught)
        assert run.warnings and str(caught[-1].message) == run.warnings[0]
        assert caught[-1].filename == __file__


def test_copies_pickles_and_weak_references(pendulum):
    let = pendulum.let(l1=0.5)
    for other in (pickle.loads(pickle.dumps(let)), copy.copy(let), copy.deepcopy(let)):
        assert np.array_equal(other.run(until=1).q, let.run(until=1).q)
    text = noether.System(SPRING, x=2)
    assert pickle.loads(pickle.dumps(text)).run("gauss 2", 0.1, 1)["x"][0] == 2
    assert weakref.ref(text)() is text
    M = noether.System.from_matrices(np.eye(2), np.eye(2))
    assert pickle.loads(pickle.dumps(M)).coordinates == M.coordinates
    run = pickle.loads(pickle.dumps(let.run(until=1)))
    assert np.array_equal(run.q, let.run(until=1).q)
    assert pickle.loads(pickle.dumps(noether.Method("gauss 3"))) == noether.Method("gauss3")
    found = noether.solve(let, (0, 1.003), [1, 1], [0, 0], method="gauss 3", step=0.01)
    for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert np.array_equal(other.y, found.y) and other.success and other.sol is not None
        assert np.array_equal(other.sol([0.337, 1.0025]), found.sol([0.337, 1.0025])) and other.sol.t_max == 1.003
    with pytest.raises(TypeError):
        pickle.dumps(let.integrator())
    with pytest.raises(TypeError):
        copy.copy(let.integrator())


def test_what_numpy_has_is_taken(pendulum):
    q, v = np.array([[0.1, 0.2], [0.3, 0.4]])[:, 1], [np.float32(0.5), 1]
    a = pendulum.run(until=0.1, q0=q, v0=v)
    b = pendulum.run(until=0.1, q0=[0.2, 0.4], v0=(0.5, 1.0))
    assert np.array_equal(a.q, b.q) and a.q[0, 0] == 0.2
    assert np.array_equal(pendulum.let(q1=np.float64(0.3)).run(until=0.1).q, pendulum.let(q1="3/10").run(until=0.1).q)
    chain = noether.System("coordinate x[1..4]\nkinetic sum(i in 1..4) x[i]'^2/2\npotential sum(i in 1..4) x[i]^2/2",
                           x=np.arange(8.)[::2])
    run = chain.run("gauss 2", 0.1, 0.1)
    assert list(run["x"][0]) == [0, 2, 4, 6] and run["x"].shape == (2, 4)


def test_arrays_are_the_callers(pendulum):
    run = pendulum.run(until=1)
    for name in run.columns:
        assert run[name].flags.owndata and run[name].flags.writeable
    q, keep = run.q, run.q.copy()
    g = pendulum.integrator()
    before, kept = g.q, g.q.copy()
    g.run(1)
    pendulum.run(until=1)
    assert np.array_equal(before, kept) and np.array_equal(q, keep) and not np.array_equal(g.q, before)


def test_arguments_that_sweep_does_not_have(pendulum):
    for name, said in (("tolerance", "run.tolerance=..+choice"), ("q0", "parameters and starts"), ("digits", "for one motion")):
        with pytest.raises(TypeError, match=f"there is no {name}=.*{said}"):
            pendulum.sweep(q1=[1, 2], until=1, **{name: 1e-6})
    own = noether.System("parameter tolerance = 1\ncoordinate x\nkinetic x'^2/2\npotential tolerance*x^2/2\nstart x = 1")
    assert own.sweep(tolerance=[1, 2], method="gauss 2", step=0.1, until=1)["x"].shape == (2, 11)


def test_arguments_that_run_does_not_have(pendulum):
    for words, said in (({"colums": "t"}, "did you mean 'columns'"), ({"q1": 1}, "system.let")):
        with pytest.raises(TypeError, match=said):
            pendulum.run(until=1, **words)
    pendulum.run(until=0.1, **{name: None for name in run_arguments() if name != "digits"})
    with pytest.raises(TypeError, match="two times"):
        noether.solve(pendulum, 10, [1, 1])


def run_arguments():
    """What System.run takes, from the function that does it."""
    import inspect
    from noether.job import ARGUMENTS, run_system
    assert set(ARGUMENTS) == set(inspect.signature(run_system).parameters) - {"system", "method", "step", "until"}
    return ARGUMENTS
