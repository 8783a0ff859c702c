"""noether: L(q, q') becomes a trajectory that keeps what the physics keeps.

SPDX-License-Identifier: BSD-3-Clause

>>> import noether
>>> pendulum = noether.System('''
... parameter  g = 9.81, l = 1
... coordinate q
... kinetic    l^2*q'^2/2
... potential  -g*l*cos(q)''', q=2)
>>> run = pendulum.run("gauss 4", step=0.01, until=10)
>>> float(abs(run.energy - run.energy[0]).max()) < 1e-12
True
"""
from .events import Event, Events
from .errors import ArgumentError, Error, Interrupted, ModelError, ModelWarning, OptimumError, RunWarning, StepError
from .integrator import Integrator, options
from .method import Method
from .native import version as __version__
from .run import Run
from .system import System
from .certificate import Certificate
from .ensemble import Ensemble
from .fit import Fit
from .optimum import Optimum
from .solve import Solution, solve

__all__ = ["ArgumentError", "Certificate", "Ensemble", "Error", "Event", "Events", "Fit", "Integrator", "Interrupted", "Method", "ModelError",
           "ModelWarning", "Optimum", "OptimumError", "Run", "RunWarning", "Solution", "StepError", "System", "options", "solve", "__version__"]
