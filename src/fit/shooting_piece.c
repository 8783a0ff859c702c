/* A piece of a motion: what it leaves of its data, and of the state where the next piece begins.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/shooting.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* The residuals of continuity at the end of a piece. */
static bool join(const noe_shooting *h, noe_integrator *at)
{
    const int     n = h->n, k = h->piece ? h->columns : h->s->varieds;
    const int     next = noe_shooting_state(h, h->file, h->piece + 1);
    const int     row = h->s->data + next - h->s->unknowns;
    double       *S = noe_status_alloc(2 * (size_t)n * (size_t)k, sizeof *S);
    const double *q = noe_q(at), *p = noe_p(at);
    bool          ok = S && q && p && !noe_sensitivity(at, S);
    for (int i = 0; ok && i < 2 * n; i++) {
        const double w = h->w / h->size[i];
        h->r[row + i] = w * ((i < n ? q[i] : p[i - n]) - h->x[next + i]);
        *noe_shooting_entry(h, row + i, next + i) = -w;
        for (int j = 0; j < h->s->varieds; j++) {
            const int c = h->piece ? h->parameter[j] : j;
            if (c >= 0)
                *noe_shooting_entry(h, row + i, noe_fit_unknown(h->s, j, h->file)) = w
                                                                                   * S[i * k + c];
        }
        for (int j = 0; h->piece && j < 2 * n; j++)
            *noe_shooting_entry(h, row + i, noe_shooting_state(h, h->file, h->piece) + j) =
                w * S[i * k + h->first + j];
        ok = isfinite(h->r[row + i]);
    }
    free(S);
    return ok;
}

/* The residuals of data [from, to), or of the end of the piece. */
static bool read(void *ctx, noe_integrator *run, noe_integrator *at, int from, int to)
{
    noe_shooting  *h = ctx;
    const noe_fit *s = h->s;
    double         value;
    if (from == to) return join(h, at);
    for (int i = from; i < to; i++) {
        const int           of = s->datum[i].column;
        const noe_compared *c = &s->compared[of];
        if (!noe_fitted_run_value(s, run, at, i, &c->value, &value)) return false;
        h->r[i] = (value - s->datum[i].y) / h->sigma[of];
        for (int j = 0; j < s->varieds; j++) {
            const int k = h->piece ? h->parameter[j] : j;
            if (k < 0) continue;
            const noe_column *slope = h->piece ? &h->slope[of * h->columns + k] : &c->slope[k];
            if (!noe_fitted_run_value(s, run, at, i, slope, &value)) return false;
            *noe_shooting_entry(h, i, noe_fit_unknown(s, j, h->file)) = value / h->sigma[of];
        }
        for (int j = 0; h->piece && j < 2 * h->n; j++) {
            const noe_column *slope = &h->slope[of * h->columns + h->first + j];
            if (!noe_fitted_run_value(s, run, at, i, slope, &value)) return false;
            *noe_shooting_entry(h, i, noe_shooting_state(h, h->file, h->piece) + j) = value
                                                                                    / h->sigma[of];
        }
    }
    return true;
}

/* A piece, whose data begin at number `from`; returns the number of the next one, -1: it failed. */
int noe_shooting_piece_follow(noe_shooting *h, int from)
{
    noe_fit        *s = h->s;
    const double   *T = h->T + h->file * (h->pieces + 1) + h->piece;
    const bool      last = h->piece + 1 == h->pieces;
    int             end = from;
    noe_system     *own = noe_fitted_run_system(s, h->piece ? h->system : s->system, h->file, h->x);
    noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL;
    const double   *z = h->piece ? h->x + noe_shooting_state(h, h->file, h->piece) : NULL;
    while (end < s->data && s->datum[end].file == h->file && (last || s->datum[end].t < T[1]))
        end++;
    noe_visit v = { s, from, end, last ? INFINITY : T[1], read, h };
    bool      ok = g != NULL;
    if (ok && h->piece) ok = !noe_start_momentum(g, T[0], z, z + h->n);
    ok = ok && noe_fitted_run_follow(&v, g);
    noe_integrator_free(g);
    noe_system_free(own);
    return ok ? end : -1;
}
