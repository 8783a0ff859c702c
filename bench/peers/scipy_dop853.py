# scipy's DOP853 on one problem, the equations in C: lines as compare prints them.
# SPDX-License-Identifier: BSD-3-Clause
# usage: scipy_dop853.py FIELDS.so PROBLEM < what compare says of the start
import ctypes, sys, time
import numpy as np
from scipy.integrate import solve_ivp

LONGEST, REPEATS = 1.0, 3
name = sys.argv[2]
field = getattr(ctypes.CDLL(sys.argv[1]), name + "_field")
field.argtypes = [ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
field.restype = None
n, T, *numbers = map(float, sys.stdin.read().split())
n = int(n)
start, end = np.array(numbers[:2 * n]), np.array(numbers[2 * n:])
f = np.empty(2 * n)


def F(t, y):
    if not y.flags.c_contiguous:
        y = np.ascontiguousarray(y)
    field(t, y.ctypes.data, f.ctypes.data)
    return f.copy()


def once(tolerance):
    t = time.thread_time()
    s = solve_ivp(F, (0, T), start, method="DOP853", rtol=tolerance, atol=tolerance, t_eval=[T])
    return time.thread_time() - t, float(np.max(np.abs(s.y[:n, -1] - end))) if s.success else float("inf")


for k in range(5, 14):
    tolerance = 10.0 ** -k
    run = [once(tolerance)]
    if run[0][0] < LONGEST / 2:
        run += [once(tolerance) for _ in range(REPEATS - 1)]
    t = sorted(r[0] for r in run)
    print(f"{name},state,scipy DOP853,{tolerance:g},tolerance,{run[0][1]:.3e},{t[len(t) // 2]:.4e},{t[0]:.4e},{t[-1]:.4e}", flush=True)
    if t[0] > LONGEST:
        break
