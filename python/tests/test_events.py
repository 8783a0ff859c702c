"""Events of a run: the table, sections, stops and warnings are those of the command.

SPDX-License-Identifier: BSD-3-Clause
"""
import json
import pickle
import re
import subprocess

import numpy as np
import pytest

import noether
from conftest import BUILD, ROOT

BALL = """
parameter  g = 9.81, e = 0.8
coordinate x, y
kinetic    (x'^2 + y'^2)/2
potential  g*y
start      y = 1, x' = 0.3
event      floor: y = 0 falling then bounce e
event      top: y' = 0 falling
event      third: t = 1.2
suggest    method = "verlet", step = 0.01, until = 2
"""


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.lag"
    path.write_text(BALL)
    return path


def test_events_are_the_commands(ball, command, tmp_path):
    told = tmp_path / "run.json"
    command("run", ball, "e=0.7", "--quiet", "--output", told)
    table = json.loads(told.read_text())["events"]
    run = noether.System(ball, e=0.7).run()
    events = run.events
    assert len(events) == len(table["rows"]) > 4
    assert [event.name for event in events] == [row[0] for row in table["rows"]]
    assert ["event", *events.columns] == table["columns"]
    for j, column in enumerate(events.columns):
        assert events[column].tobytes() == np.array([row[j + 1] for row in table["rows"]]).tobytes(), column
    assert isinstance(events[0], noether.Event) and isinstance(events.of("top"), noether.Events)
    assert events.q.shape == (len(events), 2) and np.array_equal(events.q[:, 1], events["y"])


def test_events_are_where_the_formula_has_them(chance):
    """A ball falls from y0: impacts at t_1 and then every 2 e^k v/g, each of them at y = 0."""
    for _ in range(5):
        g, e, y0 = chance.uniform(5, 15), chance.uniform(0.6, 0.9), chance.uniform(0.5, 2)
        v = np.sqrt(2 * g * y0)
        floor = noether.System(BALL, g=g, e=e, y=y0).run(step=0.01, until=v / g * (1 + 2 * e + e ** 2)).events.of("floor")
        expected = v / g * np.array([1, 1 + 2 * e])
        assert len(floor) == 2 and np.abs(floor.t - expected).max() < 1e-13 * expected[1]
        assert np.abs(floor["y"]).max() < 1e-14


def test_sections_and_stops_are_the_commands(ball, command):
    from test_rows import rows_of
    system = noether.System(ball)
    for words in ({"section": "top"}, {"stop": "floor"}, {"section": "floor", "stop": "third"}, {"columns": "t,y,event"},
                  {"rows": 10}):
        said = [x for name, value in words.items() for x in (f"--{name}", value)]
        names, table = rows_of(command("run", ball, "--quiet", *said))
        run = system.run(**words)
        assert list(run.columns) == names and len(run) == len(table)
        for j, name in enumerate(names):
            assert run[name].tobytes() == table[:, j].tobytes(), (words, name)
    assert system.events == ("floor", "top", "third")
    with pytest.raises(ValueError, match="did you mean 'floor'"):
        system.run(stop="flor")


def test_events_that_accumulate_end_the_run_with_its_rows(ball):
    with pytest.raises(noether.StepError) as caught:
        noether.System(ball, e=0.5).run(until=10)
    run = caught.value.run
    v, g = np.sqrt(2 * 9.81), 9.81
    limit = v / g * (1 + 2 * 0.5 / (1 - 0.5))
    # run.ended is what files say; the exception names the option as Python does.
    assert "infinitely often" in str(caught.value) and run.ended.replace("--until", "until") == str(caught.value)
    told = float(re.search(r"before t = (\S+),", run.ended).group(1))
    assert abs(told - limit) < 1e-12
    t = run.events.of("floor").t  # what is left of a geometric series of ratio 1/2 is its last term
    assert abs((limit - t[-1]) / (t[-1] - t[-2]) - 1) < 1e-6 and run.t[-1] <= limit


def test_saved_with_events(ball, command, tmp_path):
    mine, theirs = tmp_path / "mine.json", tmp_path / "theirs.json"
    run = noether.System(ball).run()
    run.save(mine)
    command("run", ball, "--quiet", "--output", theirs)
    assert json.loads(mine.read_text())["events"] == json.loads(theirs.read_text())["events"]
    again = pickle.loads(pickle.dumps(run)).events
    assert np.array_equal(again.q, run.events.q) and list(again.name) == list(run.events.name)


def test_names_of_events(ball):
    run = noether.System(ball).run(until=0.5)
    assert len(run.events.of("floor")) == 1 and len(run.events.of("third")) == 0 and len(run.events.of("third").of("top")) == 0
    with pytest.raises(KeyError, match="did you mean 'floor'.*floor, top, third"):
        run.events.of("top", "flor")
    with pytest.raises(TypeError, match="expected a string"):
        run.events.of(3)
    none = noether.System(ball).run(until=0.1).events
    assert len(none.of("floor")) == 0
    for events in (none, pickle.loads(pickle.dumps(none))):
        with pytest.raises(KeyError, match="no event 'flor'"):
            events.of("flor")
    with pytest.raises(KeyError, match="has no events"):
        noether.System("coordinate x\nkinetic x'^2/2").run("simpson", 0.1, 1).events.of("floor")


def test_events_in_pandas(ball):
    pytest.importorskip("pandas")
    events = noether.System(ball).run().events
    assert list(events.to_pandas()["event"]) == list(events.name)


def test_a_system_without_events(pendulum):
    events = pendulum.run(until=0.1).events
    assert len(events) == 0 and events.q.shape == (0, 0) and not pendulum.events
    with pytest.raises(ValueError, match="has no events"):
        pendulum.run(until=0.1, stop="top")


@pytest.mark.parametrize("words", [("systems/kepler.lag", "--method", "gauss 2", "--step", "0.6", "--until", "20"),
                                   ("systems/kepler.lag", "--method", "rk4", "--step", "0.3", "--until", "200"),
                                   ("systems/pleiades.lag", "--method", "verlet", "--step", "0.02", "--until", "3")],
                         ids=lambda words: " ".join(words[:3]))
@pytest.mark.filterwarnings("ignore::noether.RunWarning")
def test_warnings_are_the_commands(words, tmp_path):
    done = subprocess.run([str(BUILD / "noether"), "run", *words, "--quiet", "--output", str(tmp_path / "x.csv")],
                          capture_output=True, text=True, cwd=ROOT)
    mark = "noether: WARNING: "
    told = [line[len(mark):].replace("--tolerance", "tolerance") for line in done.stderr.splitlines()
            if line.startswith(mark)]
    options = dict(zip((w[2:] for w in words[1::2]), words[2::2]))
    run = noether.System(ROOT / words[0]).run(**options)
    assert told and list(run.warnings) == told


def test_the_summary_has_the_energy_of_all_rows(tmp_path):
    """Of 30000 rows momenta are looked at in some hundred; the energy's error is that of all of them."""
    path = tmp_path / "x.csv"
    done = subprocess.run([str(BUILD / "noether"), "run", "systems/double_pendulum.lag", "--until", "300", "--output", str(path)],
                          capture_output=True, text=True, cwd=ROOT)
    worst, scale, rows = re.search(r"energy error at most (\S+) of (\S+) = .* at (\d+) rows", done.stderr).groups()
    H = np.loadtxt(path, delimiter=",", skiprows=1)[:, -1]
    assert int(rows) == len(H) == 30001
    assert abs(float(worst) * float(scale) / np.abs(H - H[0]).max() - 1) < 0.01
