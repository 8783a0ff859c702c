/* (model, method, N) -> unknowns x_kj, u_ki, v, T with their bounds; cost and rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/transcription.h"

#include "base/status.h"
#include "method/quadrature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MOST = 2000000 };

int noe_transcription_position(const noe_transcription *t, int k, int j)
{
    return (k * t->s + j) * t->n;
}

int noe_transcription_control(const noe_transcription *t, int k, int i)
{
    return t->u_at + (k * (t->r - t->shared) + i) * t->nu;
}

int noe_transcription_row(const noe_transcription *t, int k, int j)
{
    if (j > 0 && j < t->s) return (k * (t->s - 1) + j - 1) * t->n;
    return t->momenta_at + (k + (j > 0)) * t->n;
}

/* phi_j(c) and phi'_j(c) of Lagrange's polynomials through d[count]. */
static void lagrange(const quad *d, int count, int j, quad c, double *value, double *slope)
{
    quad y = 1, y1 = 0;
    for (int l = 0; l < count; l++) {
        if (l == j) continue;
        quad rest = 1;
        for (int m = 0; m < count; m++)
            if (m != j && m != l) rest *= (c - d[m]) / (d[j] - d[m]);
        y1 += rest / (d[j] - d[l]);
        y *= (c - d[l]) / (d[j] - d[l]);
    }
    *value = (double)y, *slope = (double)y1;
}

static void coefficients(noe_transcription *t)
{
    quad d[NOE_MAX_DEGREE + 1] = { 0, 1 }, b[NOE_MAX_DEGREE + 1];
    for (const noe_quadrature *q = noe_quadrature_rules; q->name; q++)
        if (!strcmp(q->name, "lobatto")) q->fill(t->s + 1, d, b);
    for (int j = 0; j <= t->s; j++) t->d[j] = (double)d[j];
    for (int i = 0; i < t->r; i++) {
        t->c[i] = (double)t->method->c[i], t->b[i] = (double)t->method->b[i];
        for (int j = 0; j <= t->s; j++)
            lagrange(d, t->s + 1, j, t->method->c[i], &t->phi[i][j], &t->dphi[i][j]);
    }
    t->shared = t->c[0] == 0 && t->c[t->r - 1] == 1;
}

static bool refuse(const noe_method *m)
{
    if (m->kind == NOE_GALERKIN && !m->parts) return false;
    noe_status_fail(NOE_INVALID,
                    "%s: an optimal control problem is discretised by a Galerkin method: midpoint, "
                    "simpson, \"lobatto 3\", \"gauss 2\"",
                    noe_method_name(m));
    return true;
}

static bool allocate(noe_transcription *t)
{
    const int    n = t->n, block = (t->s + 1) * n * t->columns;
    const size_t x = (size_t)t->unknowns, g = (size_t)t->rows + 1,
                 inputs = (size_t)noe_tape_inputs(t->f->in.n),
                 square = (size_t)(t->columns > (t->s + 1) * n ? t->columns * t->columns : block),
                 y = (size_t)(3 * n + t->nu + t->f->rows + 3);
    t->x = noe_status_alloc(x, sizeof(double)), t->lower = noe_status_alloc(x, sizeof(double));
    t->upper = noe_status_alloc(x, sizeof(double)), t->least = noe_status_alloc(g, sizeof(double));
    t->most = noe_status_alloc(g, sizeof(double)), t->lambda = noe_status_alloc(g, sizeof(double));
    t->input = noe_status_alloc(inputs, sizeof(double));
    t->out = noe_status_alloc(y * y, sizeof(double));
    t->block = noe_status_alloc(square, sizeof(double));
    return t->x && t->lower && t->upper && t->least && t->most && t->lambda && t->input && t->out
        && t->block;
}

/* The place of a coordinate or a velocity that a condition bounds: of the last positions, or of the
 * velocity of the end; -1: it is neither. */
static int variable(const noe_transcription *t, noe_ex x)
{
    const noe_node *node = &t->f->model->graph.node[x];
    if (node->op == NOE_Q) return noe_transcription_position(t, t->N - 1, t->s) + node->a;
    return node->op == NOE_V ? t->end_at + node->a : -1;
}

static bool narrow(noe_transcription *t, int at, noe_limits to, const char *what, const char *name)
{
    t->lower[at] = fmax(t->lower[at], (double)to.lo);
    t->upper[at] = fmin(t->upper[at], (double)to.hi);
    if (t->lower[at] <= t->upper[at]) return true;
    noe_status_fail(NOE_INVALID, "%s: the %s of '%.60s' is outside of its bounds",
                    t->f->model->name, what, name);
    return false;
}

static bool start(noe_transcription *t, int j)
{
    const noe_model  *m = t->f->model;
    const noe_begin  *b = &m->begin[j];
    const char *const name = m->coordinate[j]->name;
    const bool        loose = m->optimal.periodic;
    const noe_limits  q = { b->q, b->q }, v = { b->v, b->v };
    if (b->has_p) {
        noe_status_fail(NOE_INVALID, "%s: give the velocity of '%.60s' at the start, not p(%.60s)",
                        m->name, name, name);
        return false;
    }
    if ((!loose || b->has_q) && !narrow(t, j, q, "start", name)) return false;
    return (loose && !b->has_v) || narrow(t, t->v_at + j, v, "start", name);
}

static bool bounds(noe_transcription *t)
{
    const noe_model           *m = t->f->model;
    const noe_control_problem *o = &m->optimal;
    const noe_limits           time = { o->time.lo, o->time.hi };
    for (int i = 0; i < t->unknowns; i++) t->lower[i] = -INFINITY, t->upper[i] = INFINITY;
    for (int i = 0; i < o->bounds; i++)
        for (int k = 0; k <= t->N * t->s; k++)
            narrow(t, k * t->n + m->graph.node[o->bound[i].x].a, o->bound[i].within, "", "");
    for (int i = t->u_at; i < t->v_at; i++) {
        const noe_control *u = &o->control[(i - t->u_at) % t->nu];
        narrow(t, i, u->within, "control", u->symbol->name);
    }
    for (int j = 0; j < t->n; j++)
        if (!start(t, j)) return false;
    t->lower[t->T_at] = (double)time.lo - t->t0, t->upper[t->T_at] = (double)time.hi - t->t0;
    for (int k = 0; k < o->finals; k++) {
        const int at = variable(t, o->final[k].x);
        if (at >= 0
            && !narrow(t, at, o->final[k].within, "final value",
                       m->coordinate[m->graph.node[o->final[k].x].a]->name))
            return false;
    }
    for (int k = 0; k < t->f->rows; k++) {
        const noe_limits w = o->final[t->f->row[k]].within;
        t->least[t->final_at + k] = (double)w.lo, t->most[t->final_at + k] = (double)w.hi;
    }
    return true;
}

bool noe_transcription_make(noe_transcription *t, noe_control_functions *f, const noe_method *m,
                            int steps)
{
    *t = (noe_transcription){ .f = f, .method = m, .N = steps, .n = f->n, .nu = f->nu };
    if (refuse(m)) return false;
    t->s = m->s, t->r = m->r, t->t0 = (double)f->model->t0;
    coefficients(t);
    const int    n = t->n, N = t->N;
    const double size = (double)N * (t->s * n + t->r * t->nu);
    if (size > UNKNOWNS_MOST) {
        noe_status_fail(NOE_INVALID, "%d steps: %.0f unknowns, more than %d", N, size,
                        UNKNOWNS_MOST);
        return false;
    }
    t->u_at = (N * t->s + 1) * n;
    t->v_at = t->u_at + (N * (t->r - t->shared) + t->shared) * t->nu;
    t->end_at = t->v_at + n, t->T_at = t->end_at + n, t->unknowns = t->T_at + 1;
    t->momenta_at = N * (t->s - 1) * n;
    t->final_at = t->momenta_at + (N + 1) * n;
    t->period_at = t->final_at + f->rows;
    t->rows = t->period_at + (f->model->optimal.periodic ? 2 * n : 0);
    t->columns = (t->s + 1) * n + t->r * t->nu + 1;
    t->entries = N * (t->s + 1) * n * t->columns + (2 * n + f->rows) * (2 * n + 1)
               + 2 * (t->rows - t->period_at);
    t->second_entries = N * t->columns * (t->columns + 1) / 2 + 2 * (2 * n + 1) * (n + 1);
    return allocate(t) && bounds(t);
}

void noe_transcription_drop(noe_transcription *t)
{
    free(t->x), free(t->lower), free(t->upper), free(t->least), free(t->most), free(t->lambda);
    free(t->input), free(t->out), free(t->block);
    *t = (noe_transcription){ 0 };
}

static void time_input(noe_transcription *t, const double *x, double tau)
{
    t->input[noe_control_functions_input(t->f, t->f->in.T)] = x[t->T_at];
    t->input[noe_control_functions_input(t->f, t->f->in.tau)] = tau;
    t->input[noe_control_functions_input(t->f, t->f->in.part)] = 1.0 / t->N;
}

void noe_transcription_node(noe_transcription *t, const double *x, int k, int i)
{
    double *const       q = t->input + noe_control_functions_input(t->f, 0);
    double *const       w = t->input + noe_control_functions_velocity(t->f, 0);
    const double *const at = x + noe_transcription_position(t, k, 0);
    for (int a = 0; a < t->n; a++) {
        q[a] = w[a] = 0;
        for (int j = 0; j <= t->s; j++) {
            q[a] += t->phi[i][j] * at[j * t->n + a];
            w[a] += t->dphi[i][j] * at[j * t->n + a];
        }
    }
    memcpy(q + t->f->in.u, x + noe_transcription_control(t, k, i), (size_t)t->nu * sizeof *q);
    time_input(t, x, (k + t->c[i]) / t->N);
}

void noe_transcription_end(noe_transcription *t, const double *x, bool last)
{
    const int q = last ? noe_transcription_position(t, t->N - 1, t->s) : 0;
    memcpy(t->input + noe_control_functions_input(t->f, 0), x + q, (size_t)t->n * sizeof *x);
    memcpy(t->input + noe_control_functions_velocity(t->f, 0), x + (last ? t->end_at : t->v_at),
           (size_t)t->n * sizeof *x);
    time_input(t, x, last);
}

bool noe_transcription_cost(noe_transcription *t, const double *x, double *cost)
{
    double sum = 0;
    bool   finite = true;
    for (int k = 0; k < t->N; k++)
        for (int i = 0; i < t->r; i++) {
            noe_transcription_node(t, x, k, i);
            finite = noe_exact_derivatives_at(&t->f->node, NOE_VALUES, t->input, t->out) && finite;
            sum += t->b[i] * t->out[2 * t->n];
        }
    noe_transcription_end(t, x, true);
    finite = noe_exact_derivatives_at(&t->f->end, NOE_VALUES, t->input, t->out) && finite;
    *cost = sum + t->out[t->n + t->f->rows];
    return finite && isfinite(*cost);
}

bool noe_transcription_residual(noe_transcription *t, const double *x, double *g)
{
    const int n = t->n;
    bool      finite = true;
    memset(g, 0, (size_t)t->rows * sizeof *g);
    for (int k = 0; k < t->N; k++)
        for (int i = 0; i < t->r; i++) {
            noe_transcription_node(t, x, k, i);
            finite = noe_exact_derivatives_at(&t->f->node, NOE_VALUES, t->input, t->out) && finite;
            for (int j = 0; j <= t->s; j++)
                for (int a = 0; a < n; a++)
                    g[noe_transcription_row(t, k, j) + a] +=
                        t->b[i] * (t->phi[i][j] * t->out[a] + t->dphi[i][j] * t->out[n + a]);
        }
    for (int last = 0; last < 2; last++) {
        noe_transcription_end(t, x, last);
        finite = noe_exact_derivatives_at(&t->f->end, NOE_VALUES, t->input, t->out) && finite;
        for (int a = 0; a < n; a++)
            g[t->momenta_at + (last ? t->N * n : 0) + a] += last ? -t->out[a] : t->out[a];
    }
    memcpy(g + t->final_at, t->out + n, (size_t)t->f->rows * sizeof *g);
    for (int a = 0; t->period_at + a < t->rows; a++) {
        const int start = a < n ? a : t->v_at + a - n,
                  end = a < n ? t->N * t->s * n + a : t->end_at + a - n;
        g[t->period_at + a] = x[end] - x[start];
    }
    return finite;
}
