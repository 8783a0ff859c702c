"""What the tests share: the systems of the repository, the command, a seed.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import pathlib
import random
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("NOETHER_BUILD", ROOT / "build"))
SYSTEMS = sorted((ROOT / "systems").glob("*.lag"))
SEED = int(os.environ.get("NOE_SEED", "1"))


def pytest_report_header():
    return f"NOE_SEED={SEED}"


@pytest.fixture
def chance():
    """Random numbers that NOE_SEED repeats."""
    return random.Random(SEED)


@pytest.fixture
def pendulum():
    import noether
    return noether.System(ROOT / "systems" / "double_pendulum.lag")


@pytest.fixture(scope="session")
def command():
    """Runs the command in the folder of the models; what it prints."""
    path = BUILD / "noether"
    if not path.exists():
        pytest.fail(f"{path} is not there: make all")

    def run(*words, status=0):
        done = subprocess.run([str(path), *map(str, words)], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == status, done.stderr
        return done.stdout
    return run
