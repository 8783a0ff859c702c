"""System.fit: the numbers of the command, arrays and files, and what it refuses.

SPDX-License-Identifier: BSD-3-Clause
"""
import json

import numpy as np
import pytest

import noether

SWING = """
parameter   g = 9.81, l = 0.8, c = 0.15
coordinate  theta
kinetic     l^2/2*theta'^2
potential   -g*l*cos(theta)
dissipation c*l^2/2*theta'^2
start       theta = 1.2
suggest     method = "simpson", step = 0.05, until = 10"""


def measured(chance, sigma=0.01, **changes):
    run = noether.System(SWING, **changes).run(until=8, columns="t,theta")
    return {"t": run.t, "theta": run["theta"] + sigma * np.array([chance.gauss(0, 1) for _ in run.t])}


def test_the_numbers_of_the_command(command, tmp_path, chance):
    data = measured(chance)
    data["theta"][5:9] = np.nan
    model, file = tmp_path / "swing.lag", tmp_path / "data.csv"
    model.write_text(SWING)
    file.write_text("t,theta\n" + "".join(f"{t!r},{'' if x != x else repr(x)}\n"
                                          for t, x in zip(data["t"].tolist(), data["theta"].tolist())))
    said = json.loads(command("fit", model, "--data", file, "--vary", "l in 0.1..2, c, theta(0)", "--json", "--quiet"))
    for found in (noether.System(SWING).fit(data, "l in 0.1..2, c, theta(0)"),
                  noether.System(SWING).fit(file, ["l in 0.1..2", "c", "theta(0)"], "simpson", 0.05)):
        for e in said["estimates"]:
            assert found[e["name"]] == pytest.approx(e["value"], rel=1e-13)
            assert found.errors[e["name"]] == pytest.approx(e["error"], rel=1e-12)
            assert abs(found[e["name"]] - {"l": 0.8, "c": 0.15, "theta(0)": 1.2}[e["name"]]) < 6 * e["error"]
        assert isinstance(found, noether.Fit) and found.undetermined is None and found.correlations.shape == (3, 3)
        assert found.fitted["l"] == found["l"] and found.fitted.run(until=1).q[0, 0] == found["theta(0)"]
        assert "l = 0." in repr(found)


def test_several_runs(chance):
    data = [measured(chance), measured(chance, theta=0.7)]
    found = noether.System(SWING).fit(data, "l, each theta(0)", weights=0.01)
    assert len(found.values) == 3 and found.fitted is None
    assert all(abs(x - y) < 0.05 for x, y in zip(found.values.values(), (0.8, 1.2, 0.7)))


def test_frames_of_pandas(chance):
    pandas = pytest.importorskip("pandas")
    system, data = noether.System(SWING), measured(chance)
    data["theta"][5:9] = np.nan
    expected = system.fit(data, "l, theta(0)").values
    frame = pandas.DataFrame(data)
    for same in (frame, frame.set_index("t"), frame[["theta", "t"]], frame.convert_dtypes()):
        assert system.fit(same, "l, theta(0)").values == expected
    two = measured(chance, theta=0.7)
    assert system.fit([frame.set_index("t"), pandas.DataFrame(two)], "l, each theta(0)").values == \
        system.fit([data, two], "l, each theta(0)").values
    for wrong, said in ((frame.rename(columns={"t": "time"}), "t"), (frame.assign(who="me"), "'who': expected numbers"),
                        (frame.assign(theta=pandas.to_datetime(frame["t"])), "'theta': expected numbers"),
                        (pandas.concat([frame, frame[["t"]]], axis=1), "different names")):
        with pytest.raises(noether.ArgumentError, match=said):
            system.fit(wrong, "l")


def test_what_it_refuses(chance):
    system, data = noether.System(SWING), measured(chance)
    assert "cannot tell apart" in system.fit(data, "l, g").undetermined
    for wrong, said in ((dict(vary="k"), "'k' is neither"), (dict(vary="l in 2..1"), "wrong way round"),
                        (dict(vary="l", data={"t": [1, 2], "phi": [1, 2]}), "no column"),
                        (dict(vary="l", data={"t": [1, 2], "theta": [1]}), "of one length"),
                        (dict(vary="l", data=[]), "there are none"), (dict(vary="l", step=-1), "the step is -1"),
                        (dict(vary="l", data={"t": [-1], "theta": [1]}), "before the start")):
        with pytest.raises(noether.ArgumentError, match=said):
            system.fit(**{"data": data, **wrong})
    for data, vary in ((3, "l"), (data, 3), (data, None), (data, ["l", 3])):
        with pytest.raises(TypeError):
            system.fit(data, vary)
