# REBOUND 5 on what it is for, bodies under their gravity: IAS15, WHFast with its correctors, SABA.
# SPDX-License-Identifier: BSD-3-Clause
# usage: rebound_bodies.py FIELDS.so PROBLEM state|energy < what compare says of the start
import sys
import rebound
from orbits import G, MASSES, Task


def bodies(masses, gravity, start):
    """A simulation from (q, v), q = x of all bodies, then y, then z; without z they are 0."""
    n, axes = len(masses), len(start) // 2 // len(masses)
    sim = rebound.Simulation()
    sim.G = gravity
    for i, m in enumerate(masses):
        at = [start[k * n + i] for k in range(axes)] + [0] * (3 - axes)
        moves = [start[(axes + k) * n + i] for k in range(axes)] + [0] * (3 - axes)
        sim.add(m=m, x=at[0], y=at[1], z=at[2], vx=moves[0], vy=moves[1], vz=moves[2])
    return sim


def state(sim, axes=3):
    p = sim.particles
    return [getattr(p[i], k) for k in "xyz"[:axes] for i in range(sim.N)] + [getattr(p[i], "v" + k) for k in "xyz"[:axes] for i in range(sim.N)]


def ias15(sim, epsilon):
    sim.integrator = "ias15"
    sim.integrator.epsilon = epsilon


def whfast(sim, dt):
    sim.integrator = "whfast"
    sim.integrator.safe_mode, sim.integrator.corrector = 0, 17
    sim.dt = dt


def saba(kind):
    def choose(sim, dt):
        sim.integrator = "saba"
        sim.integrator.type, sim.integrator.safe_mode = kind, 0
        sim.dt = dt

    return choose


if __name__ == "__main__":
    task, kind = Task(sys.argv[1], sys.argv[2], sys.stdin.read()), sys.argv[3]
    if task.name != "solar_system":
        sys.exit(0)

    def maker(choose, value):
        def make(setting):
            def begin():
                sim = bodies(MASSES, G, task.start)
                choose(sim, value(setting))

                def propagate(until):
                    sim.integrate(until)
                    sim.synchronize()
                    return state(sim)

                return propagate

            return begin

        return make

    steps = [round(10 * 1.5 ** k) for k in range(14)]
    task.sweep(kind, "REBOUND IAS15", "tolerance", [10.0 ** -k for k in range(2, 14)], maker(ias15, lambda x: x))
    for name, choose in ("WHFast", whfast), ("SABA(10,6,4)", saba("10_6_4")), ("SABA(8,6,4)", saba("8_6_4")), ("SABAH(10,6,4)", saba("h_10_6_4")):
        task.sweep(kind, "REBOUND " + name, "steps a period", steps, maker(choose, lambda x: task.T / 100 / x))
