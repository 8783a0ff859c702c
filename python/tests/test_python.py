"""Examples in the docstrings run; every public name is described and tested; import is short.

SPDX-License-Identifier: BSD-3-Clause
"""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import noether
from conftest import ROOT

MODULES = [m.name for m in pkgutil.iter_modules(noether.__path__) if m.name != "_noether"]


@pytest.mark.parametrize("name", ["noether", *("noether." + m for m in MODULES)])
def test_examples(name):
    if name == "noether.from_sympy":
        pytest.importorskip("sympy")
    finder = doctest.DocTestFinder()
    module = importlib.import_module(name)
    if name == "noether.system" and importlib.util.find_spec("sympy") is None:
        pytest.skip("without sympy")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(module, name):
        runner.run(test)
    assert runner.failures == 0


def public():
    for name in noether.__all__:
        thing = getattr(noether, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            parts = [base for base in thing.__mro__ if base.__module__.startswith("noether.")]
            for own, what in {k: v for base in parts for k, v in vars(base).items()}.items():
                if not own.startswith("_") and (callable(what) or isinstance(what, (property, classmethod))):
                    yield f"{name}.{own}", what


@pytest.mark.parametrize("name, thing", [(n, t) for n, t in public() if n != "__version__"], ids=lambda x: x if isinstance(x, str) else "")
def test_every_name_has_a_docstring_and_a_test(name, thing):
    assert (inspect.getdoc(thing) or "").strip()
    tests = "".join(p.read_text() for p in pathlib.Path(__file__).parent.glob("test_*.py"))
    examples = "".join(p.read_text() for p in pathlib.Path(noether.__file__).parent.glob("*.py"))
    last = name.split(".")[-1]
    assert re.search(rf"\b{last}\b", tests) or re.search(rf">>>.*\b{last}\b", examples), f"{name} is in no test"


def test_the_version_is_the_headers():
    header = (ROOT / "include" / "noether.h").read_text()
    assert noether.__version__ == re.search(r'NOE_VERSION "(.*)"', header).group(1)


def test_import_is_short():
    """At most half of NumPy's, which takes some 100 ms, in time of the processor: the least of some tries. python/speed has milliseconds."""
    code = ("import time; z = time.process_time(); import numpy; a = time.process_time(); import noether; b = time.process_time(); "
            "import sys; assert not {'sympy', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules); print((b - a) / (a - z))")
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    ratios = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=own).stdout)
              for _ in range(7)]
    print(f"import noether: {min(ratios):.2f} of the time of NumPy's")
    assert min(ratios) < 0.5


def test_types():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(ROOT / "python" / "pyproject.toml"),
                           "--cache-dir", "/dev/null", str(ROOT / "python" / "noether")],
                          capture_output=True, text=True, cwd=ROOT / "python")
    assert done.returncode == 0, done.stdout


def test_a_page_that_plays_the_motion(pendulum, command, tmp_path):
    """The page of the command, and the rows of a run without it."""
    run = pendulum.run(until=2, animate=tmp_path / "mine.html")
    command("run", pendulum.source, "--until", "2", "--quiet", "--animate", tmp_path / "theirs.html")
    assert (tmp_path / "mine.html").read_bytes() == (tmp_path / "theirs.html").read_bytes()
    assert run["q1"].tobytes() == pendulum.run(until=2)["q1"].tobytes()
    with pytest.raises(noether.ArgumentError, match="mine.bmp"):
        pendulum.run(until=2, animate=tmp_path / "mine.bmp")


def test_an_unknown_momentum_is_answered_by_those_found():
    ball = noether.System("coordinate vector r\nkinetic dot(r', r')/2\npotential dot(r, r)/2 + r.z\nstart r = (1, 0, 0)")
    with pytest.raises(noether.ArgumentError, match=r"'rotation_x_y': the symmetries .* 'rotation_r_x_r_y'"):
        ball.run("simpson", 0.1, 1, columns="t,rotation_x_y")
    ball = ball.let({"r.v": [0.1, 0.7, 0.2]})
    run = ball.run("simpson", 0.1, 5, columns="t,r,p(r),rotation_r.x_r.y")
    x, p = run["r"], run["p(r)"]
    momentum = x[:, 0] * p[:, 1] - x[:, 1] * p[:, 0]
    assert abs(abs(run["rotation_r.x_r.y"]) - abs(momentum)).max() < 1e-15 and abs(momentum).min() > 0.5
    with pytest.raises(noether.ArgumentError, match="no symmetry with a momentum was found"):
        noether.System("coordinate x\nkinetic x'^2/2\npotential x^4").run("simpson", 0.1, 1, columns="t,translation_x")


def test_installed_models_by_their_names(tmp_path, monkeypatch):
    installed = tmp_path / "share/noether/systems"
    installed.mkdir(parents=True)
    (installed / "spring_of_a_test.lag").write_text("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1")
    with pytest.raises(FileNotFoundError):
        noether.System("spring_of_a_test.lag")
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert noether.System("spring_of_a_test.lag").coordinates == ("x",)
    with pytest.raises(FileNotFoundError):
        noether.System("./spring_of_a_test.lag")
