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
    text = noether.System(path).latex()
    assert text.count("{") == text.count("}") and text.count("\\left") == text.count("\\right") and "mathtt" not in text
    mathtext = pytest.importorskip("matplotlib.mathtext")
    for line in re.sub(r"\\(begin|end)\{aligned\}", "", text).split("\\\\"):
        if "cases" not in line:
            mathtext.MathTextParser("path").parse("$" + line.replace("&", "").replace("\\ ", " ") + "$")


def test_latex_is_what_is_written():
    said = noether.System("parameter m = 1, k_1 = 2\ncoordinate theta\nkinetic m/2*theta'^2\npotential k_1*(1 - cos(theta))").latex()
    assert said == ("\\begin{aligned} L &= \\frac{m}{2} \\dot{\\theta}^{2} - k_{1} \\left(1 - \\cos\\left(\\theta\\right)\\right)"
                    " \\end{aligned}")


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
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: getattr(p, "stem", "none"))
def test_notebooks_run(path, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(noether.__file__).parents[1]))
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "notebooks are kept without what they print"
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
