"""What the pages say runs: every block of Python, one after the other.

SPDX-License-Identifier: BSD-3-Clause
"""
import re

import pytest

from conftest import ROOT


@pytest.mark.parametrize("page", ["doc/python.md", "python/README.md", "doc/gradients.md"])
def test_every_block_runs(page, tmp_path, monkeypatch):
    for needed in ("scipy", "sympy", "pandas", "matplotlib"):
        pytest.importorskip(needed)
    import matplotlib.pyplot
    matplotlib.use("Agg")
    (tmp_path / "systems").symlink_to(ROOT / "systems")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    for name, model in re.findall(r"^```lag\n# (\S+\.lag)(.*?)^```", text, re.M | re.S):
        (tmp_path / name).write_text("#" + model)
    blocks = [(text[:m.start()].count("\n") + 2, m.group(1)) for m in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S)]
    assert blocks
    names = {}
    for line, block in blocks:
        file = str(tmp_path / f"line_{line}.py")
        with open(file, "w") as to:
            to.write(block)
        exec(compile(block, file, "exec"), names)
    matplotlib.pyplot.close("all")


def test_links_of_the_page():
    """Headings that the list at its top names, and files."""
    text = (ROOT / "doc/python.md").read_text()
    heads = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^## (.*)", text, re.M)}
    for target in re.findall(r"\]\(#([^)]*)\)", text):
        assert target in heads, target
    for target in re.findall(r"\]\(((?!http|#)[^)#]*)", text):
        assert (ROOT / "doc" / target).exists(), target
