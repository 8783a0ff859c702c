/* A finite-element structure between two grid points, by Hermite interpolation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "between/hermite_state.h"

#include "base/status.h"
#include "matrix/structure.h"

#include <stdlib.h>
#include <string.h>

void noe_hermite_state_lay_out(noe_hermite_end ends[2], int n, double *room)
{
    for (int i = 0; i < 2; i++, room += 6 * (size_t)n)
        ends[i] = (noe_hermite_end){ .q = room,
                                     .v = room + n,
                                     .a = room + 2 * (size_t)n,
                                     .p = room + 3 * (size_t)n,
                                     .F = room + 4 * (size_t)n,
                                     .G = room + 5 * (size_t)n };
}

/* y = -K x - (C + beta K) x' - alpha p, where p = M x'. */
static void forces(const noe_structure *s, const double *x, const double *rate, const double *p,
                   double *y, double *scratch)
{
    noe_sparse_times(s->K, x, y);
    for (int i = 0; i < s->n; i++) y[i] = -y[i] - s->alpha * p[i];
    if (s->beta != 0) noe_sparse_times(s->K, rate, scratch);
    for (int i = 0; i < s->n && s->beta != 0; i++) y[i] -= s->beta * scratch[i];
    if (s->C) noe_sparse_times(s->C, rate, scratch);
    for (int i = 0; i < s->n && s->C; i++) y[i] -= scratch[i];
}

noe_status noe_hermite_state_read(noe_integrator *g, noe_hermite_end *x)
{
    noe_structure   *s = g->stepped.structure;
    const size_t     n = (size_t)s->n, bytes = n * sizeof(double);
    const noe_status whole = noe_structure_complete(s);
    double          *scratch = whole ? NULL : noe_status_alloc(n, sizeof *scratch);
    if (whole) return whole;
    if (!scratch) return NOE_NO_MEMORY;
    x->t = noe_time(g);
    memcpy(x->q, noe_q(g), bytes), memcpy(x->v, noe_v(g), bytes), memcpy(x->p, noe_p(g), bytes);
    forces(s, x->q, x->v, x->p, x->F, scratch);
    memset(scratch, 0, bytes);
    if (s->load) s->load(x->t, scratch, s->ctx);
    for (size_t i = 0; i < n; i++) x->F[i] += scratch[i];
    /* a = M^-1 F: the velocities of the momenta F */
    size_t      size;
    void *const memory = g->engine->memory(g->work, &size), *kept = noe_status_alloc(1, size);
    noe_status  status = kept ? NOE_OK : NOE_NO_MEMORY;
    if (kept) {
        memcpy(kept, memory, size);
        status = g->engine->fraction->place(g->work, x->t, x->q, x->F);
        noe_integrator_moved(g);
        memcpy(x->a, noe_v(g), bytes);
        memcpy(memory, kept, size);
        noe_integrator_moved(g);
        if (!s->load) forces(s, x->v, x->a, x->F, x->G, scratch);
    }
    free(scratch), free(kept);
    return status;
}

/* The polynomial with the values x, slopes u and, for degree 5, curvatures w of both ends at c;
 * u and w in units of a whole step. */
static double cubic(double c, double x0, double x1, double u0, double u1)
{
    const double d = 1 - c;
    return x0 + c * c * (3 - 2 * c) * (x1 - x0) + c * d * (d * u0 - c * u1);
}

static double quintic(double c, double x0, double x1, double u0, double u1, double w0, double w1)
{
    const double d = 1 - c, c3 = c * c * c;
    return x0 + c3 * (10 - 15 * c + 6 * c * c) * (x1 - x0) + c * d * d * d * (1 + 3 * c) * u0
         - c3 * d * (4 - 3 * c) * u1 + c * c * d * d * (d * w0 + c * w1) / 2;
}

void noe_hermite_state_between(const noe_structure *s, const noe_hermite_end ends[2], double c,
                               double *q, double *p)
{
    const noe_hermite_end *a = &ends[0], *b = &ends[1];
    const double           h = b->t - a->t, hh = h * h;
    for (int i = 0; i < s->n; i++) {
        q[i] = quintic(c, a->q[i], b->q[i], h * a->v[i], h * b->v[i], hh * a->a[i], hh * b->a[i]);
        p[i] = s->load ? cubic(c, a->p[i], b->p[i], h * a->F[i], h * b->F[i])
                       : quintic(c, a->p[i], b->p[i], h * a->F[i], h * b->F[i], hh * a->G[i],
                                 hh * b->G[i]);
    }
}
