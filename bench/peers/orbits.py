# What the peers in Python share: a problem as compare tells it, settings from coarse to fine, lines as compare prints them.
# SPDX-License-Identifier: BSD-3-Clause
# A whole propagation is one call of the library; equations are compiled or in C, nothing of them is Python.
import ctypes, time

MASSES = [1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 1 / 1.3e8]
G = 2.95912208286e-4
STATE = dict(chunks=1, repeats=5, longest=0.15, enough=1e-15)
ENERGY = dict(chunks=100, repeats=3, longest=1.2, enough=1e-12)


class Problem(ctypes.Structure):  # as in peers.h
    _fields_ = [("name", ctypes.c_char_p), ("n", ctypes.c_int), ("swings", ctypes.c_int), ("f", ctypes.c_void_p),
                ("energy", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)))]


class Task:
    """n coordinates, start (q, v), 100 periods T and the q then; reads what `compare .. start` says."""

    def __init__(self, library, name, text):
        n, T, *x = map(float, text.split())
        self.name, self.n, self.T = name, int(n), T
        self.start, self.end = x[:2 * self.n], x[2 * self.n:]
        table = (Problem * 16).in_dll(ctypes.CDLL(library), "problems")
        self.problem = next(p for p in table if p.name == name.encode())
        self.H = self.energy(self.start)

    def energy(self, y):
        half = ctypes.c_double * self.n
        return self.problem.energy(half(*y[:self.n]), half(*y[self.n:]))

    def chunks(self, plan):
        return plan["chunks"] // 10 if self.problem.swings > 10 and plan["chunks"] > 1 else plan["chunks"]

    def once(self, plan, propagate):
        """Seconds and error; propagate(t) goes on to t and returns (q, v)."""
        error, took, chunks = 0, 0, self.chunks(plan)
        for c in range(1, chunks + 1):
            t = time.thread_time()
            y = propagate(c * self.T)
            took += time.thread_time() - t
            now = max(abs(a - b) for a, b in zip(y, self.end)) if chunks == 1 else abs(self.energy(y) / self.H - 1)
            error = max(error, now) if now == now else float("inf")
            if took > 2 * plan["longest"]:
                break
        return took, error

    def sweep(self, kind, solver, unit, settings, make):
        """make(setting) makes a propagation from the start, which once() then makes and measures."""
        plan = ENERGY if kind == "energy" else STATE
        best, worse, slow = float("inf"), 0, 0
        for x in settings:
            begin = make(x)
            if begin is None:
                return
            run = [self.once(plan, begin())]
            if run[0][0] <= plan["longest"]:
                run += [self.once(plan, begin()) for _ in range(plan["repeats"] - 1)]
            t, error = sorted(r[0] for r in run), run[0][1]
            print(f"{self.name},{kind},{solver},{x:g},{unit},{error:.3e},{t[len(t) // 2]:.4e},{t[0]:.4e},{t[-1]:.4e}", flush=True)
            worse = 0 if error < best else worse + (best < 1e-9)
            best = min(best, error)
            slow = slow + 1 if t[0] > plan["longest"] else 0
            if slow == 2 or worse >= 3 or best < plan["enough"]:
                return
