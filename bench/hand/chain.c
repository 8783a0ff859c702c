/* Simpson's step of the chain of Fermi, Pasta, Ulam and Tsingou as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The middle by the fixed point. m = 1:  d = h/2 (p + h/6 F(q)) + h^2/24 F(q + d) while it
 * moves, predicted by the differences of four steps; q <- q + h (p + h/6 (F_0 + 2 F_m)),
 * p <- p + h/6 (F_0 + 4 F_m + F_1).  The ends stand still. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAST = 4 };

static inline double pull(double r) { return r + 0.25 * r * r; }

static void forces(int n, const double *q, double *F)
{
    F[0] = pull((n > 1 ? q[1] : 0) - q[0]) - pull(q[0]);
    for (int i = 1; i < n - 1; i++) F[i] = pull(q[i + 1] - q[i]) - pull(q[i] - q[i - 1]);
    if (n > 1) F[n - 1] = pull(-q[n - 1]) - pull(q[n - 1] - q[n - 2]);
}

/* `steps` steps of q, p in place; *evaluations those of the forces. */
int chain_go(int n, double *q, double *p, double h, int steps, double *evaluations);
int chain_go(int n, double *q, double *p, double h, int steps, double *evaluations)
{
    static const double binomial[PAST + 1][PAST] = {
        { 0 }, { 1 }, { 2, -1 }, { 3, -3, 1 }, { 4, -6, 4, -1 }
    };
    double *room = malloc((size_t)(5 + PAST) * (size_t)n * sizeof *room), *F0 = room, *Fm = F0 + n,
           *base = Fm + n, *m = base + n, *d = m + n, *past[PAST];
    int known = 0;
    if (!room) return 1;
    for (int k = 0; k < PAST; k++) past[k] = d + (k + 1) * n;
    *evaluations = 1;
    forces(n, q, F0);
    for (int s = 0; s < steps; s++) {
        const double *c = binomial[known];
        for (int i = 0; i < n; i++) {
            base[i] = h / 2 * (p[i] + h / 6 * F0[i]);
            d[i] = known == PAST
                     ? c[0] * past[0][i] + c[1] * past[1][i] + c[2] * past[2][i] + c[3] * past[3][i]
                     : base[i];
            m[i] = q[i] + d[i];
        }
        for (int it = 0;; it++) {
            double off = 0, size = 0;
            forces(n, m, Fm);
            ++*evaluations;
            for (int i = 0; i < n; i++) {
                const double next = base[i] + h * h / 24 * Fm[i], x = fabs(next - d[i]);
                off = x > off ? x : off, size = fabs(next) > size ? fabs(next) : size;
                d[i] = next, m[i] = q[i] + next;
            }
            if (!(off < HUGE_VAL) || it == 60) return free(room), 1;
            if (off * h * h / 6 <= DBL_EPSILON * size) break; /* what the next one would change */
        }
        double *oldest = past[PAST - 1];
        memmove(past + 1, past, (PAST - 1) * sizeof *past);
        past[0] = oldest;
        if (known < PAST) known++;
        for (int i = 0; i < n; i++) {
            past[0][i] = d[i];
            q[i] += h * (p[i] + h / 6 * (F0[i] + 2 * Fm[i]));
            p[i] += h / 6 * (F0[i] + 4 * Fm[i]);
        }
        forces(n, q, F0);
        ++*evaluations;
        for (int i = 0; i < n; i++) p[i] += h / 6 * F0[i];
    }
    free(room);
    return 0;
}
