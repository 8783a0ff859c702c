/* p(c) = p_k + h sum_i F_i int_0^c l_i,  L_v(q, v) = p,  multiplier(c) = sum_j phi_j(c) lambda_j/h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The multiplier of a coordinate is the change of the cost by a unit of impulse along it. */
#include "control/trajectory.h"

#include "control/guess.h"
#include "base/status.h"
#include "base/table.h"
#include "matrix/small_solve.h"
#include "method/quadrature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_MOST = 30, GAUSS = NOE_MAX_POINTS };

typedef struct {
    noe_transcription *t;
    double             T, h;  /* duration; length of a step */
    double            *p, *F; /* [n] momenta at the start of the step; [r][n] forces at its nodes */
    double            *A, *y; /* [n][n] L_vv, [n] correction of velocities */
    double            *row;   /* [columns] of the table */
    noe_table         *table;
} tracing;

/* L_v(q, v) = p at time tau T: v in and out. */
static void velocities(tracing *x, double tau, const double *q, const double *p, double *v)
{
    noe_transcription     *t = x->t;
    noe_exact_derivatives *end = &t->f->end;
    const int              n = t->n;
    double                 before = INFINITY;
    noe_transcription_end(t, t->x, true);
    memcpy(t->input + noe_control_functions_input(t->f, 0), q, (size_t)n * sizeof *q);
    t->input[noe_control_functions_input(t->f, t->f->in.tau)] = tau;
    for (int k = 0; k < NEWTON_MOST; k++) {
        double size = 0;
        memcpy(t->input + noe_control_functions_velocity(t->f, 0), v, (size_t)n * sizeof *v);
        noe_exact_derivatives_at(end, NOE_VALUES, t->input, t->out);
        for (int a = 0; a < n; a++) x->y[a] = p[a] / x->h - t->out[a];
        noe_exact_derivatives_at(end, NOE_FIRST, t->input, t->out);
        memset(x->A, 0, (size_t)(n * n) * sizeof *x->A);
        for (int e = 0; e < end->first->outputs; e++) {
            const noe_derivative_at at = end->at_first[e];
            if (at.row < n && at.col >= n && at.col < 2 * n)
                x->A[at.row * n + at.col - n] = t->out[e];
        }
        if (!noe_small_solve_doubles(x->A, n, x->y, 1)) return;
        for (int a = 0; a < n; a++) size = fmax(size, fabs(x->y[a]));
        if (!(size < before)) return;
        before = size;
        for (int a = 0; a < n; a++) v[a] += x->y[a];
    }
}

/* a_i = int_0^c l_i, with Lagrange's polynomials of the nodes. */
static void integrals(const noe_transcription *t, double c, double *a)
{
    quad   node[GAUSS], weight[GAUSS];
    double value[NOE_MAX_POINTS];
    noe_quadrature_gauss(t->r, node, weight);
    for (int i = 0; i < t->r; i++) a[i] = 0;
    for (int k = 0; k < t->r; k++) {
        noe_guess_lagrange(t->c, t->r, c * (double)node[k], value);
        for (int i = 0; i < t->r; i++) a[i] += c * (double)weight[k] * value[i];
    }
}

/* Controls at c: those of a node; else between the neighbours. */
static void controls(const noe_transcription *t, int k, double c, double *u)
{
    int i = 0;
    while (i < t->r && t->c[i] < c) i++;
    const int to = i < t->r     ? noe_transcription_control(t, k, i)
                 : k + 1 < t->N ? noe_transcription_control(t, k + 1, 0)
                                : noe_transcription_control(t, k, t->r - 1),
              from = i < t->r && t->c[i] == c ? to
                   : i > 0                    ? noe_transcription_control(t, k, i - 1)
                   : k > 0                    ? noe_transcription_control(t, k - 1, t->r - 1)
                                              : to;
    /* only at the ends of steps, midway between nodes */
    for (int a = 0; a < t->nu; a++) u[a] = (t->x[from + a] + t->x[to + a]) / 2;
}

static noe_status add(tracing *x, int k, double c)
{
    noe_transcription *t = x->t;
    const int          n = t->n;
    double            *q = x->row + 1, *v = q + n, *p = v + n, *u = p + n, *lambda = u + t->nu;
    double             value[NOE_MAX_DEGREE + 1], a[NOE_MAX_POINTS];
    const double       tau = (k + c) / t->N;
    x->row[0] = t->t0 + tau * x->T;
    noe_guess_lagrange(t->d, t->s + 1, c, value);
    integrals(t, c, a);
    for (int i = 0; i < n; i++) {
        q[i] = lambda[i] = 0, p[i] = x->p[i];
        for (int j = 0; j <= t->s; j++) {
            q[i] += value[j] * t->x[noe_transcription_position(t, k, j) + i];
            lambda[i] += value[j] * t->lambda[noe_transcription_row(t, k, j) + i] / x->h;
        }
        for (int j = 0; j < t->r; j++) p[i] += x->h * a[j] * x->F[j * n + i];
        const double *ends = t->x + noe_transcription_position(t, k, 0) + i;
        v[i] = (ends[t->s * n] - ends[0]) / x->h;
    }
    velocities(x, tau, q, p, v);
    controls(t, k, c, u);
    return noe_table_add(x->table, x->row);
}

static noe_status steps(tracing *x)
{
    noe_transcription *t = x->t;
    const int          n = t->n;
    noe_status         status = NOE_OK;
    noe_transcription_end(t, t->x, false);
    noe_exact_derivatives_at(&t->f->end, NOE_VALUES, t->input, t->out);
    for (int a = 0; a < n; a++) x->p[a] = x->h * t->out[a];
    for (int k = 0; k < t->N && !status; k++) {
        for (int i = 0; i < t->r; i++) {
            noe_transcription_node(t, t->x, k, i);
            noe_exact_derivatives_at(&t->f->node, NOE_VALUES, t->input, t->out);
            memcpy(x->F + i * n, t->out, (size_t)n * sizeof *x->F);
        }
        if (t->c[0] > 0) status = add(x, k, 0);
        for (int i = 0; i < t->r && !status; i++)
            if (t->c[i] < 1) status = add(x, k, t->c[i]);
        if (k == t->N - 1 && !status) status = add(x, k, 1);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < t->r; i++) x->p[a] += x->h * t->b[i] * x->F[i * n + a];
    }
    return status;
}

static const char *name(noe_arena *arena, const char *coordinate, const char *suffix)
{
    char      text[256];
    const int length = snprintf(text, sizeof text, "%.200s%s", coordinate, suffix);
    return noe_arena_copy(arena, text, (size_t)length);
}

static noe_table *table(noe_transcription *t, noe_arena *arena)
{
    static const char *const suffix[] = { "", ".v", ".p" };
    const noe_model         *m = t->f->model;
    const int                columns = 1 + 4 * t->n + t->nu;
    const char             **names = noe_arena_array(arena, (size_t)columns, sizeof *names);
    int                      c = 0;
    if (!names) return NULL;
    names[c++] = "t";
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < t->n; a++) names[c++] = name(arena, m->coordinate[a]->name, suffix[k]);
    for (int i = 0; i < t->nu; i++) names[c++] = m->optimal.control[i].symbol->name;
    for (int a = 0; a < t->n; a++) names[c++] = name(arena, m->coordinate[a]->name, ".multiplier");
    for (c = 0; c < columns; c++)
        if (!names[c]) return NULL;
    return noe_table_new(columns, names);
}

noe_table *noe_trajectory_table(noe_transcription *t)
{
    const size_t n = (size_t)t->n;
    tracing      x = { .t = t, .T = t->x[t->T_at], .h = t->x[t->T_at] / t->N };
    noe_arena   *arena = noe_arena_new();
    if (!arena) return NULL;
    x.p = noe_arena_array(arena, n, sizeof(double));
    x.y = noe_arena_array(arena, n, sizeof(double));
    x.F = noe_arena_array(arena, n * (size_t)t->r, sizeof(double));
    x.A = noe_arena_array(arena, n * n, sizeof(double));
    x.row = noe_arena_array(arena, 1 + 4 * n + (size_t)t->nu, sizeof(double));
    x.table = x.p && x.y && x.F && x.A && x.row ? table(t, arena) : NULL;
    if (x.table && steps(&x)) {
        noe_table_free(x.table);
        x.table = NULL;
    }
    noe_arena_free(arena);
    return x.table;
}
