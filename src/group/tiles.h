/* one step of all tiles: the present state stays, the next one is written beside it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_GROUP_TILES_H
#define NOE_GROUP_TILES_H

#include "group/explicit.h"

static outcome step_tile(const work *w, desk *d, int64_t k, int *rounds, double *residual)
{
    const double h = w->length * w->now[STEP], t = w->now[T0] + w->now[COUNT] * w->now[STEP];
    outcome      o = SOLVED;
    cut(w->g, &w->t, k, d);
    *rounds = 0, *residual = 0;
    if (w->explicit) return w->flows ? split_tile(w, d, h) : stages_tile(w, d, h);
    const double size = predict(w, d, h);
    if (w->lo < w->hi) o = solve(w, d, h, t, size, rounds, residual);
    if (o != SOLVED) return o;
    return arrive(w, d, h, t) & deliver_state(w, d, h) ? SOLVED : BROKEN;
}

static bool widen(work *w, int rounds);

/* All tiles; the state stays as it is, the next one stands beside it. */
static outcome step_tiles(work *w, double *most, double *left)
{
    outcome worst = SOLVED;
    double  rounds, residual;
    do {
        worst = SOLVED, rounds = residual = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(w->desks) if (w->t.tiles > 1) reduction(max : worst, rounds, residual)
#endif
        for (int64_t k = 0; k < w->t.tiles; k++) {
            int    n;
            double rest;
#ifdef _OPENMP
            desk *d = &w->desk[omp_get_thread_num()];
#else
            desk *d = w->desk;
#endif
            const outcome o = step_tile(w, d, k, &n, &rest);
            if (o > worst) worst = o;
            if (n > rounds) rounds = n;
            if (rest > residual) residual = rest;
        }
    } while (worst == MORE && widen(w, 2 * w->rounds));
    *most = rounds, *left = residual;
    return worst;
}

#endif
