"""What notebooks show: LaTeX, pictures, tables; and the notebooks of the package, run without a screen.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import xml.etree.ElementTree as tree

import numpy as np
import pytest

import noether
from conftest import ROOT, SYSTEMS

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda p: p.stem)
def test_latex_of_all_systems(path):
    """Brackets balance, and nothing was left as it is; Matplotlib's parser takes a definition or L at a time."""
    system = noether.System(path)
    if re.search("^body ", path.read_text(), re.M):
        with pytest.raises(noether.Error, match="a rigid body has no form in LaTeX"):
            system.latex()
        assert system._repr_latex_() is None
        return
    text = system.latex()
    assert text.count("{") == text.count("}") and text.count("\\left") == text.count("\\right") and "mathtt" not in text
    mathtext = pytest.importorskip("matplotlib.mathtext")
    for line in re.sub(r"\\(begin|end)\{aligned\}", "", text).split("\\\\"):
        if "cases" not in line:
            mathtext.MathTextParser("path").parse("$" + line.replace("&", "").replace("\\ ", " ") + "$")


def test_latex_is_what_is_written():
    said = noether.System("parameter m = 1, k_1 = 2\ncoordinate theta\nkinetic m/2*theta'^2\npotential k_1*(1 - cos(theta))").latex()
    assert said == ("\\begin{aligned} L &= \\frac{m}{2} \\dot{\\theta}^{2} - k_{1} \\left(1 - \\cos\\left(\\theta\\right)\\right)"
                    " \\end{aligned}")


@pytest.mark.parametrize("text, expected", [
    ("a*(x + 1)^2/b/c", r"\frac{a \left(x + 1\right)^{2}}{b c}"),
    ("-a*-x - (x - 1)", r"-a \left(-x\right) - \left(x - 1\right)"),
    ("2^-x*3", r"2^{-x} \cdot 3"),
    ("m/2*x'^2 - x^2^3", r"\frac{m}{2} \dot{x}^{2} - x^{2^{3}}"),
    ("sqrt(1 + x'^2)*abs(x)*exp(-x)", r"\sqrt{1 + \dot{x}^{2}} \left|x\right| \exp\left(-x\right)"),
    ("1.5e-3*sin(omega*t)^2", r"1.5 \cdot 10^{-3} \left(\sin\left(\omega t\right)\right)^{2}"),
    ("if(x >= 0, x, b)", r"\begin{cases} x & x \ge 0 \\ b & \text{else} \end{cases}"),
    ("min(x, b) + floor(x)", r"\min\left(x, b\right) + \left\lfloor x \right\rfloor"),
    ("c*sum(i in 1..3) q[i]*q[i+1]", r"c \sum_{i=1}^{3} q_{i} q_{i + 1}"),
    ("sum(i in 1..3, j in i..4) (q[i]' - q[j])", r"\sum_{i=1}^{3} \sum_{j=i}^{4} \left(\dot{q}_{i} - q_{j}\right)"),
    ("rest_length*x*k_1*m12", r"\mathit{rest\_length} x k_{1} m_{12}"),
], ids=lambda x: None)
def test_latex_of_expressions(text, expected):
    model = "parameter m = 1, a = 1, b = 2, c = 3, omega = 1, rest_length = 1, k_1 = 1, m12 = 2\ncoordinate x, q[1..4]\n"
    model += "kinetic x'^2/2 + sum(i in 1..4) q[i]'^2/2\n"
    said = noether.System(model + f"lagrangian {text}\nw[i in 1..4] = i*a\nu = a/b").latex()
    first, rest = said.split(" \\\\ w", 1) if "cases" not in text else said.rsplit(" \\\\ w", 1)
    assert first.endswith("\\frac{\\dot{q}_{i}^{2}}{2} + " + expected)
    assert rest == r"_{i} &= i a\quad i = 1, \ldots, 4 \\ u &= \frac{a}{b} \end{aligned}"


def test_latex_of_vectors():
    said = noether.System("""coordinate vector r
A = cross((0, 0, 1), r)/2
lagrangian dot(r', r' + A)/2 - r.x^2 + norm(r)*cross(r, A).z""", r="(1, 0, 0)").latex()
    assert said == (r"\begin{aligned} L &= \frac{\dot{r} \cdot \left(\dot{r} + A\right)}{2} - r_{x}^{2} + "
                    r"\left\|r\right\| \left(r \times A\right)_{z} \\ "
                    r"A &= \frac{\left(0, 0, 1\right) \times r}{2} \end{aligned}")


def test_latex_of_the_command(command):
    for name in ("double_pendulum", "toda"):
        path = ROOT / "systems" / f"{name}.lag"
        assert command("show", path, "--latex") == noether.System(path).latex() + "\n"
    with pytest.raises(ValueError, match="no model text"):
        noether.System.from_matrices([[1]], [[1]]).latex()


def test_what_is_shown(pendulum):
    run = pendulum.run(until=1)
    shown = run._repr_html_()
    root = tree.fromstring("<x>" + shown + "</x>")
    assert len(root.findall(".//polyline")) == 2 and "script" not in shown
    certificate = noether.System("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1").check("simpson", 0.1)
    table = tree.fromstring("<x>" + certificate._repr_html_() + "</x>")
    assert len(table.findall(".//tr")) >= len(certificate.laws)
    assert pendulum._repr_latex_().startswith("$")


def test_pictures(pendulum):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = pendulum.run(until=1)
    axes = run.plot()
    assert len(axes) == 2 and np.array_equal(axes[0].lines[1].get_ydata(), run["q2"])
    assert np.array_equal(run.plot("q1", "q1.p").lines[0].get_xdata(), run["q1"])
    assert len(run.plot("q1", "q2", "energy").lines) == 3
    many = pendulum.sweep(q1=[0.1, 0.2], until=1)
    assert len(many.plot("q1").lines) == 2
    fall = noether.System('coordinate x, y\nkinetic (x\'^2 + y\'^2)/2\npotential 9.81*y\nunit x, y = "m", t = "s", energy = "J"').run(
        "verlet", 0.1, 1, columns="t,x,y,y',energy")
    above, below = fall.plot()
    assert (above.get_ylabel(), below.get_xlabel(), below.get_ylabel()) == ("m", "t / s", "energy - energy(0) / J")
    assert fall.plot("y", "y.v").get_ylabel() == "y.v / m/s" and fall.plot("x", "y").get_xlabel() == "x / m"
    assert fall.system.unit("y") == "m" and run.system.unit("q1.v") == "rad/s" and run.system.unit("m1") != "rad"
    assert noether.System.from_matrices(np.eye(2), np.eye(2)).unit("x.1") is None
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: getattr(p, "stem", "none"))
def test_notebooks_run(path, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(noether.__file__).parents[1]))
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "notebooks are kept without what they print"
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
