# heyoka or REBOUND's IAS15 on one eccentric orbit, for monitored.c: the fastest setting whose end is right to 1e-8.
# SPDX-License-Identifier: BSD-3-Clause
# usage: eccentric.py heyoka|IAS15 REPEATS T X Y VX VY X_END Y_END    GM = 1
# Prints setting, error and REPEATS times in seconds, or, where none reaches 1e-8, the least error alone.  One call propagates.
import math, sys, time

name, repeats = sys.argv[1], int(sys.argv[2])
T, x, y, vx, vy, x_end, y_end = map(float, sys.argv[3:])


def heyoka(tolerance):
    import heyoka as hy
    from heyoka_taylor import kepler
    start = [x, y, vx, vy]
    ta = hy.taylor_adaptive(kepler(), start, tol=tolerance, fast_math=True)

    def once():
        ta.time = 0.0
        ta.state[:] = start
        t = time.thread_time()
        ta.propagate_until(T)
        return time.thread_time() - t, ta.state[0], ta.state[1]

    return once


def ias15(epsilon):
    from rebound_bodies import bodies, ias15 as choose

    def once():
        sim = bodies([1, 0], 1, [0, x, 0, y, 0, vx, 0, vy])
        choose(sim, epsilon)
        t = time.thread_time()
        sim.integrate(T)
        took, p = time.thread_time() - t, sim.particles
        return took, p[1].x - p[0].x, p[1].y - p[0].y

    return once


best, least = None, math.inf
make, settings = (heyoka, range(8, 18)) if name == "heyoka" else (ias15, range(2, 14))
for k in settings:
    once = make(10.0 ** -k)
    runs = [once() for _ in range(3)]
    took, error = min(r[0] for r in runs), math.hypot(runs[0][1] - x_end, runs[0][2] - y_end)
    least = min(least, error)
    if error <= 1e-8 and (best is None or took < best[0]):
        best = took, error, 10.0 ** -k, once
if best is None:
    print(f"{least:g}")
else:
    print(f"{best[2]:g} {best[1]:g}", *(f"{best[3]()[0]:.6g}" for _ in range(repeats)))
