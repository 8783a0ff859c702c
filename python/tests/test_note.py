"""The note of a run: found when it is read, the same as the command's.

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import gc
import pickle
import subprocess
import threading
import weakref

import pytest

import noether
from conftest import BUILD, ROOT, SYSTEMS

BY_NAME = {p.stem: p for p in SYSTEMS}


def told_by_the_command(*words):
    """Its NOTE of a run, or ""."""
    done = subprocess.run([str(BUILD / "noether"), "run", *map(str, words), "--quiet", "--every", "1000"],
                          capture_output=True, text=True, cwd=ROOT)
    lines = [line.split("NOTE: ", 1)[1] for line in done.stderr.splitlines() if "NOTE: " in line]
    return lines[0] if lines else ""


@pytest.mark.parametrize("name, until", [("double_pendulum", 200), ("kepler", 500), ("henon_heiles", 20), ("pendulum", 5)])
def test_note_is_the_commands(name, until):
    run = noether.System(BY_NAME[name]).run(until=until, every=1000)
    assert run._told[1]._of is not None, "it was found before it was read"
    told = told_by_the_command(BY_NAME[name], "--until", until)
    assert run.note == told.replace("--tolerance", "tolerance") and (not told or told != run.note)
    assert run._told[1]._of is None
    assert bool(run.note) == (name == "double_pendulum")


def test_note_goes_wherever_a_run_goes(pendulum, tmp_path):
    said = pendulum.run(until=200, every=1000).note
    assert "half the step has another" in said
    for way in (lambda r: pickle.loads(pickle.dumps(r)), copy.copy, copy.deepcopy, lambda r: r):
        assert way(pendulum.run(until=200, every=1000)).note == said
    pendulum.run(until=200, every=1000).save(tmp_path / "x.json")
    assert said.replace("use tolerance", "use --tolerance") in (tmp_path / "x.json").read_text()
    assert "note: " + said[:40] in pendulum.run(until=200, every=1000)._repr_html_()
    observed = pendulum.run(until=200, every=1000, observer=lambda g: None)
    assert observed._told[1]._of is None and observed.note == said


def test_note_of_a_given_start(chance):
    """The run is made again from the start that it was given, not from the model's."""
    model = noether.System("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4/4 + y^2*(1 + x^2)\nstart x = 1, y = 2")
    for method in ("gauss 4", "rk4"):
        run = model.run(method, 0.01, 10, q0=[2 + chance.random(), -1], v0=[0, chance.random()], t0=2)
        assert run.note == "" and run.warnings == ()


def test_note_in_many_threads(pendulum):
    run = pendulum.run(until=200, every=1000)
    system = weakref.ref(pendulum)
    found = []
    threads = [threading.Thread(target=lambda: found.append(run.note)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8 and len(set(found)) == 1 and found[0]
    left = pendulum.run(until=200, every=1000)  # a run whose note nobody reads leaves nothing
    watched = weakref.ref(left)
    del left
    gc.collect()
    assert watched() is None and system() is not None


def test_runge_kutta_warns_at_once(pendulum):
    """What a method that loses energy does to a motion is a warning, for which nobody has to ask."""
    with pytest.warns(noether.RunWarning, match="half the step has another"):
        run = pendulum.run("rk4", 0.02, 100)
    assert run._told[1]._of is None and run.note == ""


def test_observer_keeps_an_integrator_with_events():
    """After the run its events are no longer rows of that run."""
    ball = noether.System("coordinate y\nkinetic y'^2/2\npotential 9.81*y\nstart y = 1\nevent floor: y = 0 falling then bounce 0.8")
    kept = []
    run = ball.run("verlet", 0.01, 0.2, observer=lambda g: kept.append(g) and None)
    for _ in range(100):
        kept[0].step()
    assert abs(kept[0].time - 1.2) < 1e-12 and kept[0].p[0] != 0 and len(run) == 21
    until = ball.run("verlet", 0.01, 1.2)
    assert kept[0].q.tobytes() == until.q[-1].tobytes() and len(until.events) == 2


def test_note_of_an_ensemble(pendulum, tmp_path):
    """The members whose phase may run ahead, as the command says it."""
    file = tmp_path / "members.csv"
    file.write_text("q1\n0.5\n2\n1.9\n")
    done = subprocess.run([str(BUILD / "noether"), "run", pendulum.source, "--ensemble", str(file), "--until", "200", "--quiet",
                           "--output", str(tmp_path / "out.csv")], capture_output=True, text=True)
    said = [line.split("NOTE: ", 1)[1] for line in done.stderr.splitlines() if "NOTE: " in line]
    many = pendulum.sweep(q1=[0.5, 2, 1.9], until=200, every=1000)
    assert said == [many.note] and "of 3 members" in many.note
    assert pendulum.sweep(q1=[0.01, 0.02], until=1).note == ""
