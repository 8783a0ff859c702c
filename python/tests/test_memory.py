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
import random, sys, warnings
import numpy as np
import noether
warnings.simplefilter("ignore")
chance = random.Random(int(sys.argv[1]))
swing = noether.System(sys.argv[2])
numbers = [0, 1, -1, 0.1, 2.5, 1e-9, float("nan"), float("inf"), True, None, "1/3", "", "q", "a\\0b", b"1", [1], (1, 2), {},
           np.float32(0.5), np.array(0.5), np.array([]), np.zeros((2, 2)), np.arange(6.)[::2], 1j, object(), [1, "a"], [[1], [2, 3]]]
words = ["q", "q'", "p(q)", "half", "t", "energy", "", "nothing", "q[1]", "a\\0b", "\\u20ac", "q" * 5000, None, 3, b"q"]
some = lambda: chance.choice(numbers)
word = lambda: chance.choice(words)
until = lambda: chance.choice([1, 0.35, 0, -1, float("nan"), "1", "x", None, [1], 1j])
step = lambda: chance.choice([0.1, 0.05, 0, float("nan"), float("inf"), "1/10", "a", None, {}])
method = lambda: chance.choice(["simpson", "gauss 2", "verlet", "nonsense", "", None, 3, noether.Method("gauss 3")])
kept = []

def integrator():
    g = swing.integrator(chance.choice(["simpson", "verlet"]), 0.1)
    kept.append(g)
    for act in chance.choices([g.step, lambda: g.start(some(), some(), some()), lambda: g.run(until=chance.choice([0.5, 1, None, "a"])),
                               lambda: g[word()], lambda: g.at(some()), g.jacobian, lambda: g.q[0], lambda: g.__setitem__(word(), some())], k=3):
        act()

calls = [
    lambda: noether.System(word()), lambda: noether.System(sys.argv[2], {word(): some()}), lambda: swing.let({word(): some()}),
    lambda: swing.run(method(), step(), until(), columns=chance.choice([None, word(), [word()], some()])),
    lambda: swing.run(q0=some(), v0=some(), until=until()), lambda: swing.run(times=some(), until=until()),
    lambda: swing.run(rows=chance.choice([2, 5, 0, 1.5, "a"]), until=1), lambda: swing.run(every=chance.choice([1, 3, 0, -1, "a"])),
    lambda: swing.run(section=word(), stop=word()), lambda: swing.run(options={word(): some()}), lambda: swing.run(digits=some()),
    lambda: swing.run(observer=chance.choice([lambda g: g[word()], lambda g: 1 / 0, lambda g: kept.append(g), 3])),
    lambda: swing.sweep({word(): some()}, until=until()), lambda: swing.sweep(q=some(), times=some()), lambda: swing.run()[word()],
    lambda: swing.run().events[word()], lambda: swing[word()], integrator, lambda: kept and kept[chance.randrange(len(kept))].step(),
    lambda: kept and kept.pop(chance.randrange(len(kept))), lambda: noether.System.from_matrices(some(), some()),
    lambda: noether.solve(swing, (0, 1), some(), some(), t_eval=some()), lambda: noether.Method(word()),
    lambda: noether.System.from_function(lambda q, v: some(), 1), lambda: swing.run().save(word()),
    lambda: kept.append(noether.System(sys.argv[2]).integrator("simpson", 0.1)), lambda: noether.System(sys.argv[2]).run("verlet", 0.1, 5).note,
    lambda: swing.differentiated(word()).run(method(), step(), until()).sensitivity, lambda: swing.differentiated("q").integrator().sensitivity,
]
for _ in range(600):
    try:
        chance.choice(calls)()
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
