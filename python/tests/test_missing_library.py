"""A shared library that is found by nobody, or broken: an exception that says what to install, and the process goes on.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import re
import subprocess
import sys

import pytest

from conftest import BUILD, ROOT

LATE = BUILD / "late" / "late.def"

PROGRAM = """
import sys, warnings
import numpy as np
import noether
warnings.simplefilter("ignore")
swing = noether.System(sys.argv[1])
side = np.eye(90, k=1) + np.eye(90, k=-1)
frame = noether.System.from_matrices(np.eye(90) + side / 10, 2 * np.eye(90) - side)
calls = {"FLINT": lambda: swing.run("simpson", 0.01, 0.1, digits=50),
         "FLINT exact": lambda: swing.run("simpson", 0.01, 0.1, columns="t,q.exact"),
         "SuiteSparse": lambda: frame.run("simpson", 0.1, 1),
         "LAPACK": lambda: swing.check("simpson", step=0.01),
         "HDF5": lambda: swing.run("simpson", 0.01, 0.1).save(sys.argv[2])}
for name, call in calls.items():
    try:
        call()
        print(name, "ran")
    except (noether.Error, OSError) as error:
        print(name, "raised", type(error).__name__, error)
print(swing.run("simpson", 0.01, 1)["q"].shape)
"""


@pytest.mark.skipif(not LATE.exists(), reason="all libraries are linked")
@pytest.mark.parametrize("broken", [False, True], ids=["here", "broken"])
def test_a_library_that_cannot_be_loaded(broken, tmp_path):
    """Files that are no libraries stand before those of the system."""
    names = set(re.findall(r'FAR\("([^"]+)"', LATE.read_text()))
    assert len(names) > 5
    for name in names if broken else ():
        (tmp_path / name).write_text("this is no library\n")
    env = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    if subprocess.run([sys.executable, "-c", "import numpy"], env=env, capture_output=True).returncode:
        pytest.skip("this NumPy needs one of those libraries itself")
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(ROOT / "systems" / "pendulum.lag"), str(tmp_path / "x.h5")],
                          env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("(101,)\n"), done.stderr[-2000:] + done.stdout
    for line in done.stdout.splitlines()[:-1]:
        if broken:
            assert re.search(r"raised \w+ .*(cannot be loaded|without HDF5).*install", line), line
        else:
            assert line.endswith(" ran"), line
