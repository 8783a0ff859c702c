# heyoka: Taylor's method of any order, the equations compiled by LLVM for one tolerance.
# SPDX-License-Identifier: BSD-3-Clause
# usage: heyoka_taylor.py FIELDS.so PROBLEM state|energy < what compare says of the start
# Settings as its documentation has them for small systems: unrolled code (no compact mode), fast arithmetic.  How long it compiles
# is a line of its own, of the kind `compile`.
import sys, time
import heyoka as hy
from orbits import G, MASSES, Task

OMEGA2 = 39.478417604357434475
I1, I3, MGL = 1.1125e-5, 6.25e-6, 0.02 * 0.02 * 9.81


def named(n):
    return [hy.expression(f"q{i:02}") for i in range(n)], [hy.expression(f"v{i:02}") for i in range(n)]


def with_velocities(q, v, a):
    return list(zip(q, v)) + list(zip(v, a))


def pendulum():
    (q,), (v,) = named(1)
    return with_velocities([q], [v], [-OMEGA2 * hy.sin(q)])


def double_pendulum():
    q, v = named(2)
    s, c = hy.sin(q[0] - q[1]), hy.cos(q[0] - q[1])
    r1 = -s * v[1] * v[1] - 2 * OMEGA2 * hy.sin(q[0])
    r2 = s * v[0] * v[0] - OMEGA2 * hy.sin(q[1])
    return with_velocities(q, v, [(r1 - c * r2) / (2 - c * c), (2 * r2 - c * r1) / (2 - c * c)])


def lagrange_top():
    q, v = named(3)
    s, c = hy.sin(q[1]), hy.cos(q[1])
    n = v[2] + v[0] * c
    a = (I3 / I1 * n * v[1] - 2 * v[0] * c * v[1]) / s
    return with_velocities(q, v, [a, s * (v[0] * v[0] * c - I3 / I1 * n * v[0] + MGL / I1), v[0] * s * v[1] - a * c])


def henon_heiles():
    q, v = named(2)
    return with_velocities(q, v, [-q[0] - 2 * q[0] * q[1], -q[1] - q[0] * q[0] + q[1] * q[1]])


def fput():
    q, v = named(32)
    r = [(q[i] if i < 32 else 0) - (q[i - 1] if i else 0) for i in range(33)]
    f = [x + 0.25 * x * x for x in r]
    return with_velocities(q, v, [f[i + 1] - f[i] for i in range(32)])


def kepler():
    q, v = named(2)
    k = (q[0] * q[0] + q[1] * q[1]) ** -1.5
    return with_velocities(q, v, [-q[0] * k, -q[1] * k])


def solar_system():
    return hy.model.nbody(6, masses=MASSES, Gconst=G)


def order_of(name, n):
    """Where each of (q, v) stands in heyoka's state: bodies one after another for nbody, as here else."""
    if name != "solar_system":
        return list(range(2 * n))
    return [6 * i + k for k in range(6) for i in range(6)]


def maker(name, n, start, compiled=None):
    """make(tolerance) -> begin() -> propagate(t) -> (q, v); compiled(tolerance, seconds) is told."""
    at = order_of(name, n)
    first = [0.0] * (2 * n)
    for i, k in enumerate(at):
        first[k] = start[i]

    def make(tolerance):
        t = time.perf_counter()
        ta = hy.taylor_adaptive(globals()[name](), first, tol=tolerance, fast_math=True)
        if compiled:
            compiled(tolerance, time.perf_counter() - t)

        def begin():
            ta.time = 0.0
            ta.state[:] = first

            def propagate(until):
                ta.propagate_until(until)
                y = ta.state
                return [float(y[k]) for k in at]

            return propagate

        return begin

    return make


if __name__ == "__main__":
    task, kind = Task(sys.argv[1], sys.argv[2], sys.stdin.read()), sys.argv[3]

    def compiled(tolerance, took):
        if kind == "state":
            print(f"{task.name},compile,heyoka,{tolerance:g},tolerance,0,{took:.4e},{took:.4e},{took:.4e}", flush=True)

    task.sweep(kind, "heyoka", "tolerance", [10.0 ** -k for k in range(6 if kind == "state" else 8, 18)],
               maker(task.name, task.n, task.start, compiled))
