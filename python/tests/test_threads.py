"""Threads gain what processes gain; Ctrl-C stops a run; a fork goes on; memory stays.

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import gc
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import noether
from conftest import ROOT


def test_results_in_threads_are_those_alone(pendulum):
    starts = np.linspace(0.1, 2, 12)
    alone = [pendulum.let(q1=x).run(until=5).q for x in starts]
    found = {}

    def work(k):
        found[k] = pendulum.let(q1=starts[k]).run(until=5).q
        with pytest.raises(noether.ModelError, match=f"nothing{k}"):
            pendulum.let({f"nothing{k}": 1})

    threads = [threading.Thread(target=work, args=(k,)) for k in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[k], alone[k]) for k in range(12))


def test_a_mix_of_everything_in_threads(pendulum, chance, tmp_path):
    """Eight threads, each with tasks in an order of its own, on shared systems, runs and solutions: what each task gives alone."""
    gate, many = noether.System("""coordinate y\nparameter e = 0.8\nkinetic y'^2/2\npotential 9.81*y\nstart y = 1
event floor: y = 0 falling then bounce e"""), np.linspace(0.1, 1, 9)
    rod = noether.System("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 1")
    free = noether.System("coordinate x\nparameter k = 2\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1")
    long = lambda: pendulum.run("simpson", 0.001, 9)
    found = noether.solve(free, (0, 3), [1.0], [0.0], method="gauss 2", step=0.1)

    def saved():
        path = tmp_path / f"{threading.get_ident()}.json"
        free.run("simpson", 0.1, 1).save(path)
        return path.read_bytes()

    tasks = [lambda: pendulum.run(until=2).q, lambda: pendulum.sweep(q1=many, until=1)["q1"], lambda: gate.run("verlet", 0.01, 2).events.t,
             lambda: rod.run("gauss 2", 0.05, 1, columns="t,x,rod.force")["rod.force"], lambda: free.check("simpson", 0.1).holds,
             lambda: list(free.run("simpson", 0.1, 1).gradient({"x": np.ones(11)}).values()), lambda: long().energy, lambda: long().v,
             lambda: rod.differentiated("x").run("simpson", 0.05, 0.5).sensitivity, lambda: found.sol(np.linspace(0, 3, 7)), saved,
             lambda: pickle.loads(pickle.dumps(pendulum)).run(until=1).p, lambda: copy.deepcopy(gate).let(e=0.5).run("verlet", 0.01, 1)["y"],
             lambda: list(free.fit({"t": [1, 2, 3], "x": [0.1, -0.9, -0.4]}, "k in 1..4", "gauss 2", 0.1).values.values()),
             lambda: noether.System.from_function(lambda q, v: v @ v / 2 - np.cos(q).sum(), 2, q1=1).run("simpson", 0.1, 1).q,
             lambda: shared[0].energy, lambda: shared[1].v, lambda: shared[2]["p(q2)"], lambda: free.run("gauss 2", 0.5, 50).note]
    shared = [long() for _ in range(3)]
    expected = [task() for task in tasks]
    for _ in range(2):
        shared[:], wrong = [long() for _ in range(3)], []
        orders = [chance.sample(range(len(tasks)), len(tasks)) for _ in range(8)]

        def work(order):
            for k in order:
                try:
                    same = np.array_equal(tasks[k](), expected[k])
                except Exception as error:
                    same = repr(error)
                if same is not True:
                    wrong.append((k, same))
                gc.collect(0)

        threads = [threading.Thread(target=work, args=(order,)) for order in orders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


def test_others_run_while_a_run_steps(pendulum):
    """The interpreter is free: a counting thread goes on while a long piece of C is stepping."""
    g = pendulum.integrator("gauss 8", 0.01)
    seen = []

    def work():
        g.run(until=100)

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(RuntimeError, match="another thread"):
        while thread.is_alive():
            seen.append(time.perf_counter())
            g.step()
    thread.join()
    assert seen


def test_an_observer_cannot_step(pendulum):
    g = pendulum.integrator()

    def meddle(now):
        now.q, now["energy"]
        now.step()

    with pytest.raises(RuntimeError, match="observer"):
        g.run(0.1, meddle)
    g.step()
    with pytest.raises(ZeroDivisionError):
        pendulum.run(until=1, observer=lambda g: 1 / 0)
    run = pendulum.run(until=1, observer=lambda g: g.time > 0.5)
    assert abs(run.t[-1] - 0.51) < 1e-12 and np.array_equal(run.q, pendulum.run(until=0.51).q)


def interrupted(code):
    """Seconds from SIGINT to what the program prints then, and that."""
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "go\n"
        time.sleep(1)
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        said = process.stdout.readline()
        spent = time.perf_counter() - began
        assert process.wait(20) == 0
    finally:
        process.kill()
    return spent, said.split()


@pytest.mark.parametrize("what", ["run(until=1e9, every=1000000)", "run(until=1e9, every=1000)", "run(until=1e6, rows=100000)",
                                  "integrator().run(1e9)", "let(n=20).check(within=1000)", "sweep(q1=np.linspace(0, 1, 64), until=1e6, every=100000)"])
def test_ctrl_c_stops_within_a_tenth_of_a_second(what):
    """The least of three tries, on a machine that does other things too."""
    name = "n_link_pendulum.lag" if "check" in what else "double_pendulum.lag"
    times = []
    for _ in range(3):
        spent, said = interrupted(f"""
            import signal, numpy as np, noether
            signal.signal(signal.SIGINT, signal.default_int_handler)
            system = noether.System({str(ROOT / "systems" / name)!r})
            print("go", flush=True)
            try:
                system.{what}
            except KeyboardInterrupt as stopped:
                print(len(getattr(stopped, "run", None) or []), flush=True)
        """)
        times.append(spent)
        assert said, "it went on to its end"
        if "run(until" in what and "1000000" not in what:
            assert int(said[0]) > 10
        if spent < 0.1:
            break
    assert min(times) < 0.1, times


class AtEntry:
    """Ctrl-C at the entry of the so many-th call of a function, before its first line."""

    def __init__(self, name, call):
        self.name, self.left = name, call

    def __call__(self, frame, event, arg):
        if event == "call" and frame.f_code.co_name == self.name:
            self.left -= 1
            if not self.left:
                sys.settrace(None)
                raise KeyboardInterrupt

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self)

    def __exit__(self, *_):
        sys.settrace(self.before)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_the_entry_of_an_observer_stops_the_run(pendulum):
    whole, calls = pendulum.run("simpson", 0.01, 1), []
    with pytest.raises(noether.Interrupted) as stopped, AtEntry("noe_py_observe", 7):
        pendulum.run("simpson", 0.01, 1, observer=lambda g: calls.append(g.time))
    assert len(calls) == 6 and np.array_equal(stopped.value.run.q, whole.q[:len(stopped.value.run)])
    assert 6 <= len(stopped.value.run) <= 8 and stopped.value.run.ended == "interrupted"
    g = pendulum.integrator("simpson", 0.01)
    with pytest.raises(noether.Interrupted), AtEntry("noe_py_observe", 7):
        g.run(until=1, observer=lambda g: False)
    assert abs(g.time - 0.07) < 1e-12
    g.run(until=1)
    assert np.array_equal(g.q, whole.q[-1])
    with pytest.raises(noether.Interrupted) as stopped:
        pendulum.run("simpson", 0.01, 1, observer=lambda g: os.kill(os.getpid(), signal.SIGINT) if g.time > 0.5 else None)
    assert 51 <= len(stopped.value.run) <= 53


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_the_entry_of_a_load_stops_the_run():
    frame = noether.System.from_matrices(np.eye(2), 2 * np.eye(2), load=lambda t: [np.sin(t), 1.0])
    whole, g = frame.run("simpson", 0.01, 1), frame.integrator("simpson", 0.01)
    for call in (3, 8, 40):
        g.start()
        with pytest.raises(KeyboardInterrupt), AtEntry("noe_py_load", call):
            while g.time < 1:
                g.step()
        g.start()
        with pytest.raises(noether.Interrupted), AtEntry("noe_py_load", call):
            g.run(until=1)
        assert g.time < 0.01 * call  # the step before it
        g.run(until=1)
        assert np.array_equal(g.q, whole.q[-1])
        with pytest.raises(noether.Interrupted) as stopped, AtEntry("noe_py_load", call):
            frame.run("simpson", 0.01, 1, observer=lambda g: False)
        rows = stopped.value.run
        assert rows is None or np.array_equal(rows.q, whole.q[:len(rows)]) and len(rows) < 50
    g.start()
    for _ in range(100):
        g.step()
    assert np.abs(g.q - whole.q[-1]).max() < 1e-13


def test_a_run_that_stops_by_itself_is_broken_off():
    """Where what was raised is lost, it shows in that nobody asked to stop."""
    from noether.integrator import _Call
    for stopped, said, expected in ((True, False, KeyboardInterrupt), (True, True, type(None)), (False, False, type(None))):
        call = _Call(None, lambda g: said, object())
        call.look(None)
        call.broken_off(stopped)
        assert type(call.error) is expected


@pytest.mark.parametrize("what", ["system.run('simpson', 1e-4, 50, every=100, observer=look)", "system.integrator('simpson', 1e-4).run(50, look)",
                                  "system.integrator('simpson', 1e-4).run(5000)", "frame.run('simpson', 1e-3, 400, observer=look)",
                                  "frame.integrator('simpson', 1e-3).run(400)"])
def test_ctrl_c_is_never_lost(what):
    """Twelve times at random: Interrupted, whose class a run or an integrator alike raises."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(f"""
        import os, random, signal, sys, threading, time, numpy as np, noether
        signal.signal(signal.SIGINT, signal.default_int_handler)
        system = noether.System({str(ROOT / "systems" / "double_pendulum.lag")!r})
        frame = noether.System.from_matrices(np.eye(2), 2 * np.eye(2), load=lambda t: [np.sin(t), 1.0])
        look = lambda g: False
        for _ in range(12):
            threading.Timer(0.05 + 0.02 * random.random(), lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                {what}
                print("lost")
            except KeyboardInterrupt as stopped:
                print(type(stopped).__name__)
    """)], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["Interrupted"] * 12 and not done.stderr, done.stdout + done.stderr


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_goes_on(pendulum):
    expected = pendulum.run(until=1).q
    many = pendulum.sweep(q1=np.linspace(0, 1, 9), until=1)["q1"]
    child = os.fork()
    if not child:
        good = np.array_equal(pendulum.run(until=1).q, expected)
        good &= np.array_equal(pendulum.sweep(q1=np.linspace(0, 1, 9), until=1)["q1"], many)
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_memory_is_constant(pendulum):
    """Over thousands of runs, errors and systems, after the first hundred."""
    def work(count):
        for k in range(count):
            pendulum.run(until=0.1)
            g = pendulum.integrator()
            g.step()
            g.q
            pendulum.let(l1=0.5 + 1e-6 * k)
            try:
                noether.System("coordinate x\nkinetic x'^2/2 +")
            except noether.ModelError:
                pass
    work(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(int(os.environ.get("NOE_RUNS", "2000")))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KB
