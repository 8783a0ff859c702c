"""The rows of a run are those of the command, bit for bit, on all systems.

SPDX-License-Identifier: BSD-3-Clause
"""
import copy
import csv
import io
import pickle

import numpy as np
import pytest

import noether
from conftest import SYSTEMS

STEPS = 60


def rows_of(text):
    """A CSV of the command: names and numbers."""
    lines = list(csv.reader(io.StringIO(text)))
    return lines[0], np.array([[float(x) for x in line] for line in lines[1:]])


def end_of(system, steps):
    """A time so many steps after the start, as a word both sides read alike."""
    g = system.integrator()
    return repr(float(f"{g.time + steps * g['step']:.12g}"))


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda p: p.stem)
def test_same_bits_as_the_command(path, command):
    system = noether.System(path)
    until = end_of(system, STEPS)
    names, table = rows_of(command("run", path, "--until", until, "--quiet"))
    run = system.run(until=until)
    assert list(run.columns) == names
    assert len(run) == len(table) > STEPS // 10  # steps that follow a monitor grow
    for j, name in enumerate(names):
        assert run[name].tobytes() == table[:, j].tobytes(), name


@pytest.mark.parametrize("words", [("every", 7), ("method", "gauss 3"), ("step", "0.0123"), ("tolerance", 1e-9), ("digits", 33)],
                         ids=lambda w: w[0])
def test_same_bits_with_options(words, pendulum, command):
    name, value = words
    names, table = rows_of(command("run", pendulum.source, "l1=0.4", f"--{name}", value, "--until", "1.5", "--quiet"))
    run = pendulum.let(l1=0.4).run(until=1.5, **{name: float(value) if name == "step" else value})
    assert len(run) == len(table)
    for j, column in enumerate(names):
        assert run[column].tobytes() == table[:, j].tobytes(), column


def test_columns_and_found_momenta(command):
    path = next(p for p in SYSTEMS if p.stem == "kepler")
    asked = "t,x,x.v,rotation_x_y,balance"
    names, table = rows_of(command("run", path, "--until", "1", "--columns", asked, "--quiet"))
    run = noether.System(path).run(until=1, columns=asked)
    for j, column in enumerate(asked.split(",")):
        assert run[column].tobytes() == table[:, j].tobytes(), column


def test_long_runs_are_those_of_short_pieces(pendulum, command):
    """Runs are made in pieces, between which Ctrl-C is seen; the rows do not show it."""
    names, table = rows_of(command("run", pendulum.source, "--until", "3000", "--every", "700", "--quiet"))
    run = pendulum.run(until=3000, every=700)
    assert len(run) == len(table)
    for j, column in enumerate(names):
        assert run[column].tobytes() == table[:, j].tobytes(), column


@pytest.mark.parametrize("ending", ["csv", "json", "h5"])
def test_saved_as_the_command_saves(ending, pendulum, command, tmp_path):
    mine, theirs = tmp_path / f"mine.{ending}", tmp_path / f"theirs.{ending}"
    pendulum.run(until=0.5).save(mine)
    command("run", pendulum.source, "--until", "0.5", "--quiet", "--output", theirs)
    if ending == "csv":
        assert mine.read_bytes() == theirs.read_bytes()
    elif ending == "json":
        import json
        a, b = json.loads(mine.read_text()), json.loads(theirs.read_text())
        assert {k: v for k, v in b.items() if k in a and "local" not in k and k != "warning"} == \
            {k: v for k, v in a.items() if k in b and "local" not in k and k != "warning"}
    else:
        assert mine.stat().st_size > 1000 and mine.read_bytes()[:4] == b"\x89HDF"


def test_ensembles_are_the_commands_and_single_runs(pendulum, command, tmp_path):
    q1 = np.linspace(0.1, 3, 19)
    many = pendulum.sweep(q1=q1, q2=0.25, until=1)
    assert many["q1"].shape == (19, 101) and many["q1"].flags.owndata
    for k in (0, 7, 18):
        one = pendulum.let(q1=q1[k], q2=0.25).run(until=1)
        for name in one.columns:
            assert many[name][k].tobytes() == one[name].tobytes(), (k, name)


def test_every_combination(pendulum):
    many = pendulum.sweep(q1=np.array([0.1, 0.5, 1.0])[:, None], q2=np.array([0.2, 0.3]), until=0.1)
    assert many.shape == (3, 2) and len(many) == 6 and pendulum.sweep(q1=[1, 2], until=0.1).shape == (2,)
    part = many["q1"].reshape(*many.shape, -1)[2, 1]
    assert part.tobytes() == pendulum.let(q1=1.0, q2=0.3).run(until=0.1)["q1"].tobytes()


def test_times_between_steps_are_fractional_steps(pendulum):
    """At a time between grid points: the method's own step from the point before, which a run of that step makes."""
    run = pendulum.run("gauss 4", 0.01, times=[0, 0.0154, 0.02, 0.9, 1.0])
    grid = pendulum.run("gauss 4", 0.01, 1)
    part = pendulum.integrator("gauss 4", 0.0054)
    part.start(0.01, grid.q[1], p=grid.p[1])
    part.step()
    assert abs(run.q[1] - part.q).max() <= 4e-16 * 2
    for row, k in ((0, 0), (2, 2), (3, 90), (4, 100)):
        assert run.q[row].tobytes() == grid.q[k].tobytes()
    even = pendulum.run("gauss 4", 0.01, 1, rows=101)
    assert np.abs(even.q - grid.q).max() <= 8 * np.spacing(np.pi)  # at these times to rounding


@pytest.mark.parametrize("words", [("rows", 37), ("times", "0, 0.0154, 0.02, 0.31, 0.75, 1")], ids=lambda w: w[0])
def test_output_times_are_the_commands(words, pendulum, command):
    name, value = words
    names, table = rows_of(command("run", pendulum.source, "--until", "1", f"--{name}", value, "--quiet"))
    run = pendulum.run(until=1, **{name: value if name == "rows" else [float(x) for x in value.split(",")]})
    assert len(run) == len(table)
    for j, column in enumerate(names):
        assert run[column].tobytes() == table[:, j].tobytes(), column


def test_velocities_solve_the_legendre_transform(pendulum):
    run = pendulum.run(until=0.3)
    asked = pendulum.run(until=0.3, columns="t,q1.v,q2.v")
    scale = np.abs(asked["q1.v"]).max()
    assert np.abs(run.v - np.column_stack([asked["q1.v"], asked["q2.v"]])).max() < 1e-13 * max(scale, 1)


def test_observables_are_evaluated_when_they_are_read(command):
    """A run whose observables nobody reads does not evaluate them; read in any way, they are the command's."""
    path = next(p for p in SYSTEMS if p.stem == "kepler")
    names, table = rows_of(command("run", path, "--until", "3", "--quiet"))
    kepler = noether.System(path)
    for read in (lambda run: run["ex"], lambda run: run.to_dict()["ex"], lambda run: dict(run)["ex"],
                 lambda run: pickle.loads(pickle.dumps(run))["ex"], lambda run: copy.deepcopy(run)["ex"]):
        run = kepler.run(until=3)
        assert list(run.columns) == names and "ex" in run and "ex" not in run._data._made
        assert read(run).tobytes() == table[:, names.index("ex")].tobytes()
    velocities = kepler.run(until=3, columns="t,x.v,y.v")
    assert run.v.tobytes() == np.column_stack([velocities["x.v"], velocities["y.v"]]).tobytes()
    stopped = kepler.run(until=3, observer=lambda g: g.time > 1)
    assert stopped["ex"].tobytes() == run["ex"][:len(stopped)].tobytes() and len(stopped) < len(run)


LONG = ["double_pendulum", "kepler", "henon_heiles", "pendulum", "duffing_driven", "van_der_pol", "relativistic", "elastic_pendulum"]


@pytest.mark.parametrize("method", ["verlet", "simpson", "rk4", "compose 6 simpson"])
@pytest.mark.parametrize("path", [p for p in SYSTEMS if p.stem in LONG], ids=lambda p: p.stem)
def test_long_runs_of_every_step_are_the_commands(path, method, command):
    """From 8192 rows on, those of a run in memory are computed eight at a time; the command, with its summary, reads each."""
    system = noether.System(path)
    until = end_of(system, 8500)
    if method == "verlet" and path.stem in ("double_pendulum", "relativistic", "elastic_pendulum"):
        with pytest.raises(noether.ArgumentError, match="verlet"):
            system.run(method, until=until)
        return
    names, table = rows_of(command("run", path, "--method", method, "--until", until))
    run = system.run(method, until=until)
    assert list(run.columns) == names and len(run) == len(table) > 8192
    for j, name in enumerate(names):
        assert run[name].tobytes() == table[:, j].tobytes(), name


def test_long_runs_end_alike(chance):
    """Where a step fails or an energy is not finite, a run of rows kept eight at a time has the rows, the state and the
    message of one whose rows are read one by one, which an observer makes it."""
    failed = whole = 0
    for k in range(24):
        model = noether.System(f"""
            coordinate x, y
            kinetic    (x'^2 + y'^2)/2
            potential  sqrt({1 + 0.5 * chance.random()!r} - x) + (y - 1/{2 + k % 7})^4
            start      x' = 1, y = 0.3""")
        words = dict(method=chance.choice(["gauss 2", "gauss 3", "verlet", "simpson"]),
                     step=1e-4 * (0.3 + 0.7 * chance.random()), every=chance.choice([1, 2]))
        words["until"] = (9000 * words["every"] + 9000 * chance.random()) * words["step"]
        ends = []
        for more in ({}, {"observer": lambda g: None}):
            try:
                run, said = model.run(**words, **more), ""
            except noether.StepError as error:
                run, said = error.run, f"{error} {error.cause} {error.time} {error.step}"
            ends.append([said, len(run), run.local_error, run.warnings, *(run[name].tobytes() for name in run.columns)])
        assert repr(ends[0][:4]) == repr(ends[1][:4])
        assert ends[0][4:] == ends[1][4:]
        failed += ends[0][0] != ""
        whole += ends[0][0] == ""
    assert failed > 4 and whole > 4
