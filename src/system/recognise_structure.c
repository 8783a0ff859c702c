/* Recognises a quadratic L as matrices: M = L_vv, K = -L_qq constant, L_vq = 0, no forces.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/recognise_structure.h"

#include "base/status.h"
#include "sums/term_evaluation.h"
#include "sums/sums_stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The constant force w.  Its potential is part of the energy, so that it does no work. */
static void push(double t, double *f, void *ctx)
{
    const noe_structure *s = ctx;
    (void)t;
    memcpy(f, s->weight, (size_t)s->n * sizeof *f);
}

static noe_structure *finish(noe_sparse *M, noe_sparse *K, double *weight, double rest)
{
    noe_structure *s = noe_structure_new(M, NULL, K);
    bool           some = false;
    for (int i = 0; s && i < s->n; i++) some |= weight[i] != 0;
    if (!s || !some) free(weight), weight = NULL;
    if (!s) return NULL;
    s->rest = rest;
    if (weight) s->weight = weight, s->load = push, s->ctx = s;
    return s;
}

/* ---- from tapes ---- */

typedef struct {
    const noe_dynamics *d;                  /* the system */
    quad               *input, *slot, *out; /* arrays of its tapes */
} tapes;

static quad lagrangian(tapes *x)
{
    noe_tape_quad_run(x->d->legendre, x->input, x->slot, x->out);
    return x->out[x->d->n];
}

/* The entries of one kind as a sparse matrix; d->entry is ordered by row and column. */
static noe_sparse *collect(const tapes *x, noe_d_kind kind, int sign)
{
    const noe_dynamics *d = x->d;
    noe_sparse         *A = noe_sparse_new(d->n, d->entries);
    int64_t             at = 0;
    int                 row = 0;
    for (int k = 0; A && k < d->entries; k++) {
        if (d->entry[k].kind != kind) continue;
        while (row < d->entry[k].row) A->start[++row] = at;
        A->col[at] = d->entry[k].col;
        A->value[at++] = sign * (double)x->out[d->entry[k].output];
    }
    while (A && row < d->n) A->start[++row] = at;
    return A;
}

static noe_structure *from_tapes(const noe_dynamics *d)
{
    const int      n = d->n;
    const size_t   slots = (size_t)(d->hessian->slots + d->legendre->slots);
    const size_t   outputs = (size_t)(d->hessian->outputs + d->legendre->outputs);
    tapes          x = { .d = d,
                         .input = noe_status_alloc((size_t)noe_tape_inputs(n), sizeof(quad)),
                         .slot = noe_status_alloc(slots, sizeof(quad)),
                         .out = noe_status_alloc(outputs, sizeof(quad)) };
    double        *weight = noe_status_alloc((size_t)n, sizeof *weight), rest = 0;
    bool           mixed = false, ok = x.input && x.slot && x.out && weight;
    noe_structure *s = NULL;
    if (ok) {
        noe_tape_quad_run(d->hessian, x.input, x.slot, x.out);
        for (int i = 0; i < n; i++) weight[i] = (double)x.out[i], mixed |= x.out[n + i] != 0;
        for (int k = 0; k < d->entries; k++)
            mixed |= (d->entry[k].kind == NOE_D_PQ || d->entry[k].kind == NOE_D_FV)
                  && x.out[d->entry[k].output] != 0;
    }
    if (ok && !mixed) {
        noe_sparse *M = collect(&x, NOE_D_PV, 1), *K = collect(&x, NOE_D_FQ, -1);
        rest = (double)lagrangian(&x);
        s = finish(M, K, weight, rest);
        weight = NULL;
    }
    free(x.input), free(x.slot), free(x.out), free(weight);
    return s;
}

/* ---- from sums ---- */

/* Adds d2U/dq dq of every term; slots of a term that are no coordinates hold their numbers. */
static bool add_up(const noe_sums *g, const noe_sums_stiffness *at, double *K)
{
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        const noe_terms     *t = &group->terms;
        if (!group->stiffness) continue;
        quad *input = noe_status_alloc((size_t)(noe_tape_inputs(t->slots) + group->stiffness->slots
                                                + group->stiffness->outputs),
                                       sizeof *input);
        quad *out = input + noe_tape_inputs(t->slots), *slot = out + group->stiffness->outputs;
        if (!input) return false;
        bool same = true, done = false; /* of all terms: none of them has numbers of its own */
        for (int s = 0; s < t->slots; s++) same &= t->kind[s] == NOE_ARGUMENT_COORDINATE;
        for (int64_t r = 0; r < t->runs; r++)
            for (int64_t e = 0; e < t->count[r]; e++) {
                for (int s = 0; s < t->slots; s++) {
                    const int64_t place = t->base[r * t->slots + s] + t->stride[s] * e;
                    if (t->kind[s] != NOE_ARGUMENT_COORDINATE)
                        input[noe_tape_input(NOE_C, s, t->slots)] = t->kind[s] == NOE_ARGUMENT_INDEX
                                                                      ? (quad)place
                                                                      : (quad)g->number[place];
                }
                if (!same || !done)
                    noe_tape_quad_run(group->stiffness, input, slot, out), done = true;
                for (int o = 0; o < group->stiffness->outputs; o++) {
                    const int     s = group->stiffness_pair[o].a, u = group->stiffness_pair[o].b;
                    const int32_t a = at->unknown[t->base[r * t->slots + s] + t->stride[s] * e],
                                  b = at->unknown[t->base[r * t->slots + u] + t->stride[u] * e];
                    if (a < 0 || b < 0) continue;
                    K[noe_sums_stiffness_at(at, a, b)] += (double)out[o]
                                                        * (a == b && s != u ? 2 : 1);
                }
            }
        free(input);
    }
    return true;
}

/* The symmetric matrix of a lower triangle, in the order of the places that move. */
static noe_sparse *whole(const noe_sums_stiffness *at, const double *K, const int *number)
{
    const int   n = at->at.n;
    size_t     *start = noe_status_alloc((size_t)n + 2, sizeof *start);
    int        *row = noe_status_alloc((size_t)at->at.start[n] + 1, sizeof *row);
    double     *value = noe_status_alloc((size_t)at->at.start[n] + 1, sizeof *value);
    noe_sparse *A = NULL;
    if (start && row && value) { /* by columns; an entry on one side stands for both */
        for (int i = 0; i < n; i++)
            for (int64_t k = at->at.start[i]; k < at->at.start[i + 1]; k++) {
                const int a = number[i], b = number[at->at.col[k]];
                start[(a < b ? a : b) + 2]++;
            }
        for (int i = 0; i < n; i++) start[i + 2] += start[i + 1];
        for (int i = 0; i < n; i++)
            for (int64_t k = at->at.start[i]; k < at->at.start[i + 1]; k++) {
                const int    a = number[i], b = number[at->at.col[k]], col = a < b ? a : b;
                const size_t to = start[col + 1]++;
                row[to] = a < b ? b : a, value[to] = K[k];
            }
        A = noe_sparse_from("the stiffness", n, &(noe_csc){ start, row, value });
    }
    free(start), free(row), free(value);
    return A;
}

static noe_sparse *masses(const noe_sums *g)
{
    noe_sparse *M = noe_sparse_new(g->n, g->n);
    for (int i = 0, k = 0; M && i < g->places; i++)
        if (g->inverse[i] != 0) {
            M->col[k] = k, M->value[k] = 1 / g->inverse[i];
            k++;
            M->start[k] = k;
        }
    return M;
}

/* F and U with all coordinates that move at 0. */
static bool at_zero(const noe_sums *g, double *q, double *force, double *rest)
{
    double U = 0, part;
    for (int i = 0; i < g->places; i++) q[i] = g->inverse[i] != 0 ? 0 : g->q[i];
    for (int k = 0; k < g->groups; k++) {
        if (g->group[k].force && !noe_sums_dispatch()->scatter(g, &g->group[k], q, force, true))
            return false;
        if (!g->group[k].value) continue;
        if (!noe_sums_dispatch()->total(g, &g->group[k], g->t0, q, NULL, NULL, &part)) return false;
        U += part;
    }
    *rest = -U;
    return true;
}

static noe_structure *from_groups(const noe_sums *g)
{
    for (int k = 0; k < g->groups; k++)
        if (g->group[k].nonlinear) return NULL;
    noe_sums_stiffness *at = noe_sums_stiffness_new(g);
    const size_t        capacity = (size_t)g->places + NOE_TERM_BLOCK;
    double             *q = noe_status_alloc(capacity, sizeof *q),
           *force = noe_status_alloc(capacity, sizeof *force),
           *weight = noe_status_alloc((size_t)g->n, sizeof *weight);
    int *number = noe_status_alloc((size_t)g->places + 1, sizeof *number),
        *dof = noe_status_alloc((size_t)g->n + 1, sizeof *dof);
    double         rest = 0;
    noe_structure *s = NULL;
    if (at && q && force && weight && number && dof && add_up(g, at, at->K)
        && at_zero(g, q, force, &rest)) {
        for (int i = 0, k = 0; i < g->places; i++)
            if (g->inverse[i] != 0) {
                weight[k] = force[i];
                number[i] = k;
                k++;
            }
        for (int k = 0; k < g->n; k++) dof[k] = number[at->place[k]];
        noe_sparse *K = whole(at, at->K, dof), *M = masses(g);
        s = finish(M, K, weight, rest);
        weight = NULL;
    }
    noe_sums_stiffness_free(at);
    free(q), free(force), free(weight), free(number), free(dof);
    return s;
}

noe_structure *noe_recognise_structure(const noe_dynamics *d)
{
    if (d->groups) return from_groups(d->groups);
    if (d->L || d->structure || !d->hessian || !d->constant || !d->linear || !d->autonomous)
        return NULL;
    return from_tapes(d);
}
