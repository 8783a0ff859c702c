"""The blocks of doc/gradients.md for PyTorch and JAX, where these are installed: their gradient is the slope between neighbours.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

import numpy as np
import pytest

import noether
from conftest import ROOT

PAGE = (ROOT / "doc" / "gradients.md").read_text()
NAMES, AT = ["m", "l", "b"], np.array([0.7, 0.9, -0.4])


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", PAGE, re.S)[1].replace('"q"', '"a"')


@pytest.fixture
def model():
    return noether.System(re.search(r"```lag\n(# pair.lag.*?)```", PAGE, re.S)[1])


def slope(model):
    """dJ/dx of J = sum (a - 0.8)^2, by central differences."""
    def J(x):
        return ((model.let(dict(zip(NAMES, x))).run()["a"] - 0.8)**2).sum()
    return [(J(AT + e) - J(AT - e)) / 2e-6 for e in 1e-6 * np.eye(3)]


def test_pytorch(model):
    torch = pytest.importorskip("torch")
    x = torch.tensor(AT, requires_grad=True)
    names = {"torch": torch, "model": model, "names": NAMES, "x": x}
    exec(block("torch"), names)
    ((names["q"] - 0.8)**2).sum().backward()
    assert np.allclose(x.grad.numpy(), slope(model), rtol=1e-8, atol=1e-9)
    assert torch.autograd.gradcheck(names["Motion"].apply, (x,), eps=1e-6, atol=1e-6)


def test_jax(model):
    jax = pytest.importorskip("jax")
    names = {"jax": jax, "np": np, "model": model, "names": NAMES, "rows": len(model.run())}
    exec(block("jax"), names)
    found = jax.grad(lambda x: ((names["motion"](x) - 0.8)**2).sum())(jax.numpy.array(AT))
    assert np.allclose(found, slope(model), rtol=1e-8, atol=1e-9)
