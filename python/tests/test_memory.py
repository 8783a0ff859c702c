"""Memory: constant over ten thousand runs; and random calls, sane and not, under Python's debug allocator.

SPDX-License-Identifier: BSD-3-Clause
"""
import gc
import os
import pathlib
import resource
import subprocess
import sys
import tracemalloc
import weakref

import pytest

import noether
from conftest import SEED
from noether import native

SWING = "coordinate q\nkinetic q'^2/2\npotential -cos(q)\nobserve half = q/2\nstart q = 1\nevent top: q' = 0\nsuggest method = \"simpson\", step = 0.1, until = 1"


def resident():
    """Bytes of memory that the process holds."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def work(swing, k):
    """What a program does with a run."""
    run = swing.run(columns="t,q,energy" if k % 2 else None)
    assert len(run["q"]) == 11
    if k % 50 == 0:
        swing.let(q=k / 1e4).run()["half"], swing.sweep(q=[0.1, 0.2]), swing.integrator().step()
        with pytest.raises(noether.Error):
            swing.run(section="nothing")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_memory_is_constant_over_ten_thousand_runs():
    """A run that kept 100 bytes would show: a megabyte.  What allocators hold back differs by less than two."""
    swing = noether.System(SWING)
    for k in range(2000):
        work(swing, k)
    gc.collect()
    tracemalloc.start()
    traced, held = tracemalloc.get_traced_memory()[0], resident()
    for k in range(10000):
        work(swing, k)
    gc.collect()
    traced, held = tracemalloc.get_traced_memory()[0] - traced, resident() - held
    tracemalloc.stop()
    assert traced < 300e3, f"Python's memory grew by {traced} bytes"
    assert held < 4e6, f"the process grew by {held} bytes"


def test_objects_are_freed_before_what_they_refer_to():
    """An integrator looks at its system when it is freed; Python drops attributes in an order of its own."""
    class Named(str):
        pass

    freed, name = [], Named("system")
    left = weakref.ref(name)
    g = native.owned(native.ffi.new("int *"), lambda _: freed.append(left() is not None), (name,))
    del name
    gc.collect()
    assert left() is not None and not freed
    del g
    gc.collect()
    assert left() is None and freed == [True]
    swing = noether.System(SWING)
    kept = [swing.integrator()]
    swing.run(observer=lambda g: kept.append(g) and None)
    for g in kept[:2]:
        assert any(swing is x or isinstance(x, tuple) and swing in x for x in gc.get_referents(*gc.get_referents(g._g)))


ABUSE = """
import copy, os, pickle, random, sys, weakref, warnings
import numpy as np
import noether
warnings.simplefilter("ignore")
chance = random.Random(int(sys.argv[1]))
swing = noether.System(sys.argv[2])
numbers = [0, 1, -1, 0.1, 2.5, 1e-9, float("nan"), float("inf"), True, None, "1/3", "", "q", "a\\0b", b"1", [1], (1, 2), {},
           np.float32(0.5), np.array(0.5), np.array([]), np.zeros((2, 2)), np.arange(6.)[::2], 1j, object(), [1, "a"], [[1], [2, 3]]]
words = ["q", "q'", "x", "r", "x(0)", "l", "e", "k", "rod", "floor", "p(q)", "half", "t", "energy", "", "nothing", "q[1]", "a\\0b", "\\u20ac", "q" * 5000, None, 3, b"q"]
either = lambda usual, odd: chance.choice(usual if chance.random() < 0.7 else odd)
some = lambda: either([0.3, 0.7, [0.5], [0.1, 0.2], np.array([0.4]), [0.6, 0, 0.8]], numbers)
word = lambda: either(["q", "x", "y", "r.x", "t", "energy", "l", "e", "x'", "x, l", "t,x"], words)
until = lambda: either([1, 0.35, "1/2"], [0, -1, float("nan"), "x", None, [1], 1j])
step = lambda: either([0.1, 0.05, "1/10"], [0, float("nan"), float("inf"), "a", None, {}])
method = lambda: either(["simpson", "gauss 2", "verlet", "rk4", noether.Method("gauss 3")], ["nonsense", "", None, 3])
kept = []

def integrator():
    g = swing.integrator(chance.choice(["simpson", "verlet"]), 0.1)
    kept.append(g)
    for act in chance.choices([g.step, lambda: g.start(some(), some(), some()), lambda: g.run(until=chance.choice([0.5, 1, None, "a"])),
                               lambda: g[word()], lambda: g.at(some()), g.jacobian, lambda: g.q[0], lambda: g.__setitem__(word(), some())], k=3):
        act()

models = [swing] + [noether.System(text) for text in (
    "coordinate x, y\\nparameter l = 1\\nkinetic (x'^2 + y'^2)/2\\npotential 9.81*y\\nconstraint rod: x^2 + y^2 = l^2\\nstart x = l",
    "coordinate y\\nparameter e = 0.8\\nkinetic y'^2/2\\npotential 9.81*y\\nstart y = 1\\nevent floor: y = 0 falling then bounce e",
    "coordinate x\\nhamiltonian p(x)^2/2 + x^4\\nstart x = 1\\nmonitor 1 + x^2",
    "coordinate vector r\\nkinetic dot(r', r')/2\\npotential norm(r)\\nstart r = (1, 0, 0)",
    "coordinate x\\ncontrol u\\nkinetic x'^2/2\\nforce x = u\\ncost u^2\\nfinal x = 1, x' = 0")]
model = lambda: chance.choice(models)
own = lambda work: (lambda m: work(m, lambda: either(m.coordinates, words)))(model())
short = lambda: model().run("simpson", 0.1, chance.choice([0, 0.3, 1]))

def later():
    run = model().run("simpson", 0.1, 1)
    kept.append(weakref.ref(run.system)), kept.append(run)
    run.gradient({either(run.columns[1:], words): either([np.ones(len(run))], [1, np.ones(3), None])}, memory=chance.choice([0, 1, 1e9]))

more = [
    lambda: model().check(method(), step(), within=chance.choice([0, 1, -1, None])), short, later, lambda: short().note, lambda: short().v,
    lambda: model().latex(), lambda: model().hamiltonian(), lambda: model().c_source(word()), lambda: copy.deepcopy(short()).q,
    lambda: pickle.loads(pickle.dumps(chance.choice([model(), short(), noether.Method("verlet")]))), lambda: short()._repr_html_(),
    lambda: model().fit({"t": either([[0.1, 0.2, 0.3]], [some(), [1, np.nan, 2]]), word(): either([[1, 0.9, 0.8]], numbers)}, either(["x(0)", "y(0)", "q(0)"], words), "simpson", 0.1),
    lambda: either(models[-1:], models).optimize(either(["simpson", "gauss 2"], ["", 3, "verlet"]), either([2, 3], [0, None]), until(), iterations=chance.choice([1, 5, 0])),
    lambda: model().run("simpson", 0.1, 1, monitor=word()), lambda: own(lambda m, name: m.differentiated(name()).run("simpson", 0.1, 0.5).sensitivity),
    lambda: own(lambda m, name: m.run("simpson", 0.1, 1, columns="t," + name())), lambda: model().run("gauss 2", 0.1, 0.3, digits=chance.choice([33, 40, 50, 1])).q,
    lambda: model().run("simpson", 0.1, 1, observer=lambda g: kept.append(g.q) or chance.choice([g.step, g.jacobian, lambda: g.q[0] > 9])()), lambda: models[1:] and kept.clear(),
    lambda: (lambda m: noether.solve(m, (0, until()), [0.7] * m.dim, [0] * m.dim, method="gauss 2", step=0.1).sol(some()))(model()),
    lambda: noether.System.from_function(lambda q, v: v @ v + either([0, 1], numbers), 2, constraint=lambda q: either([q @ q - 1], numbers), q1=1).run("simpson", 0.1, 1), lambda: model().integrator("simpson", 0.1, digits=33).jacobian(),
    lambda: own(lambda m, name: m.let({name(): some()}).run(method(), step(), times=either([[0, 0.25]], numbers)).events[name()]),
    lambda: own(lambda m, name: m.sweep({name(): either([[0.1, 0.2, 0.3]], [[np.nan], some()])}, method=method(), step=step(), until=until(), threads=either([0, 1, 5], [-1]))),
    lambda: model().run("simpson", 0.1, 1, animate=either(["a.html", "a.svg"], words)), lambda: [short() for _ in range(2)][0].to_dict()[word()],
]
calls = [
    lambda: noether.System(word()), lambda: noether.System(sys.argv[2], {word(): some()}), lambda: swing.let({word(): some()}),
    lambda: swing.run(method(), step(), until(), columns=chance.choice([None, word(), [word()], some()])),
    lambda: swing.run(q0=some(), v0=some(), until=until()), lambda: swing.run(times=some(), until=until()),
    lambda: swing.run(rows=chance.choice([2, 5, 0, 1.5, "a"]), until=1), lambda: swing.run(every=chance.choice([1, 3, 0, -1, "a"])),
    lambda: swing.run(section=word(), stop=word()), lambda: swing.run(options={word(): some()}), lambda: swing.run(digits=chance.choice([15, 33, 34, some()])),
    lambda: swing.run(observer=chance.choice([lambda g: g[word()], lambda g: 1 / 0, lambda g: kept.append(g), 3])),
    lambda: swing.sweep({word(): some()}, until=until()), lambda: swing.sweep(q=some(), times=some()), lambda: swing.run()[word()],
    lambda: swing.run().events[word()], lambda: swing[word()], integrator, lambda: kept and kept[chance.randrange(len(kept))].step(),
    lambda: kept and kept.pop(chance.randrange(len(kept))), lambda: noether.System.from_matrices(either([np.eye(2)], numbers), either([np.eye(2), [[2, -1], [-1, 2]]], numbers)).run(method(), step(), until(), q0=some()),
    lambda: noether.solve(swing, (0, 1), some(), some(), t_eval=some()), lambda: noether.Method(either(["gauss 7", "lobatto 3", "yoshida6"], words)),
    lambda: noether.System.from_function(lambda q, v: some(), 1), lambda: swing.run().save(either(["a.csv", "a.json", "a.h5"], words)),
    lambda: kept.append(noether.System(sys.argv[2]).integrator("simpson", 0.1)), lambda: noether.System(sys.argv[2]).run("verlet", 0.1, 5).note,
    lambda: swing.differentiated(word()).run(method(), step(), until()).sensitivity, lambda: swing.differentiated("q").integrator().sensitivity,
]
for k in range(600):
    try:
        chance.choice(more if k % 3 == 0 else calls)()
    except (Exception, noether.Interrupted):
        pass
assert swing.run()["half"].shape == (11,)
print("done")
"""


@pytest.mark.parametrize("more", range(3))
def test_random_calls_break_nothing(more, tmp_path):
    """Whatever is given, an exception at worst: no signal, no write outside of what Python's allocator gave."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", ABUSE, str(3 * SEED + more), SWING], capture_output=True, text=True,
                          cwd=tmp_path, env={"PYTHONMALLOC": "debug", **os.environ}, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr[-3000:]
