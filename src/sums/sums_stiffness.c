/* Stiffness matrix of sums, its pattern, and M: a term with arguments a and b has an entry (a, b).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A place is where a number of the state stands, sums/sums.h; an unknown is a place that moves,
 * in the order of elimination.  K is allocated here and filled in every step that needs it
 * (sums/sums_factorization.h). */
#include "sums/sums_stiffness.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void noe_sums_stiffness_free(noe_sums_stiffness *x)
{
    if (!x) return;
    free(x->at.start), free(x->at.col), free(x->place), free(x->unknown), free(x->K), free(x->M);
    free(x);
}

/* Counts the entries of each row below the diagonal in start[row + 1], or, where `list`, puts their
 * columns at start[row]++. */
static void visit_pairs(const noe_terms *t, const noe_site_pair *pair, int count,
                        noe_sums_stiffness *x, bool list)
{
    for (int o = 0; o < count; o++) {
        const int s = pair[o].a, u = pair[o].b;
        for (int64_t r = 0; r < t->runs; r++)
            for (int64_t e = 0; e < t->count[r]; e++) {
                const int32_t a = x->unknown[t->base[r * t->slots + s] + t->stride[s] * e],
                              b = x->unknown[t->base[r * t->slots + u] + t->stride[u] * e];
                if (a < 0 || b < 0 || a == b) continue;
                const int32_t row = a > b ? a : b, col = a > b ? b : a;
                if (list) x->at.col[x->at.start[row]++] = col;
                else x->at.start[row + 1]++;
            }
    }
}

static void visit(const noe_sums *g, noe_sums_stiffness *x, bool list)
{
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        if (group->stiffness)
            visit_pairs(&group->terms, group->stiffness_pair, group->stiffness->outputs, x, list);
        if (group->mass)
            visit_pairs(&group->terms, group->mass_pair, group->mass->outputs, x, list);
    }
}

/* Adds the entries of M between two places, which depend on numbers alone.  A term m v_a v_b has
 * L_vv = m in (a, b) and in (b, a), or 2 m where a = b. */
static bool add_masses(const noe_sums *g, const noe_sum_group *group, noe_sums_stiffness *x)
{
    const noe_terms *t = &group->terms;
    double          *slot = noe_status_alloc((size_t)group->mass->slots + 1, sizeof *slot);
    for (int64_t r = 0; slot && r < t->runs; r++)
        for (int64_t e = 0; e < t->count[r]; e++) {
            const int64_t *base = t->base + r * t->slots;
            for (int s = 0; s < t->slots; s++) {
                const int64_t at = base[s] + t->stride[s] * e;
                if (t->kind[s] == NOE_ARGUMENT_COORDINATE) continue;
                slot[noe_tape_input(NOE_Q, s, t->slots)] = t->kind[s] == NOE_ARGUMENT_INDEX
                                                             ? (double)at
                                                             : g->number[at];
            }
            noe_tape_double_run(group->mass, slot);
            for (int o = 0; o < group->mass->outputs; o++) {
                const int     s = group->mass_pair[o].a, u = group->mass_pair[o].b;
                const int32_t a = x->unknown[base[s] + t->stride[s] * e],
                              b = x->unknown[base[u] + t->stride[u] * e];
                const double m = slot[group->mass->out[o]];
                if (a >= 0 && b >= 0) x->M[noe_sums_stiffness_at(x, a, b)] += a == b ? 2 * m : m;
            }
        }
    free(slot);
    return slot != NULL;
}

/* For qsort. */
static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A row is short, and often in order already. */
static void sort(int32_t *x, int64_t count)
{
    if (count > 64) {
        qsort(x, (size_t)count, sizeof *x, ascending);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        const int32_t y = x[i];
        int64_t       k = i;
        for (; k > 0 && x[k - 1] > y; k--) x[k] = x[k - 1];
        x[k] = y;
    }
}

/* x->at.start and x->at.col of the lower triangle with its diagonal, in the present order of the
 * unknowns. */
static bool rows(const noe_sums *g, noe_sums_stiffness *x)
{
    const int n = x->at.n;
    memset(x->at.start, 0, ((size_t)n + 1) * sizeof *x->at.start);
    visit(g, x, false);
    for (int i = 0; i < n; i++) x->at.start[i + 1] += x->at.start[i] + 1; /* and the diagonal */
    free(x->at.col);
    x->at.col = noe_status_alloc((size_t)x->at.start[n] + 1, sizeof *x->at.col);
    if (!x->at.col) return false;
    for (int i = 0; i < n; i++) x->at.col[x->at.start[i]++] = i;
    visit(g, x, true); /* now start[i] is where row i ends */
    int64_t to = 0, from = 0;
    for (int i = 0; i < n; i++) {
        const int64_t end = x->at.start[i], first = to;
        sort(x->at.col + from, end - from);
        for (; from < end; from++)
            if (to == first || x->at.col[to - 1] != x->at.col[from])
                x->at.col[to++] = x->at.col[from];
        x->at.start[i] = first;
    }
    x->at.start[n] = to;
    return true;
}

/* Sets place[] and unknown[] to this order of the unknowns, given by their present numbers;
 * overwrites order[]. */
static void renumber(noe_sums_stiffness *x, int *order)
{
    for (int k = 0; k < x->at.n; k++) order[k] = x->place[order[k]];
    for (int k = 0; k < x->at.n; k++) x->place[k] = order[k], x->unknown[order[k]] = (int32_t)k;
}

/* Site after site: x[0], y[0], x[1], y[1], .. */
static void order_by_site(const noe_sums *g, noe_sums_stiffness *x, int *order)
{
    int64_t sites = 0;
    int     k = 0;
    for (int f = 0; f < g->families; f++)
        if (g->family[f].count > sites) sites = g->family[f].count;
    for (int64_t i = 0; i < sites; i++)
        for (int f = 0; f < g->families; f++) {
            const int32_t at = i < g->family[f].count ? x->unknown[g->family[f].first + i] : -1;
            if (at >= 0) order[k++] = at;
        }
    renumber(x, order);
}

noe_sums_stiffness *noe_sums_stiffness_new(const noe_sums *g)
{
    noe_sums_stiffness *x = noe_status_alloc(1, sizeof *x);
    const size_t        n = (size_t)g->n;
    int                *order = noe_status_alloc(n + 1, sizeof *order);
    bool                ok = x && order;
    if (ok) {
        x->at.n = g->n;
        x->at.start = noe_status_alloc(n + 1, sizeof *x->at.start);
        x->place = noe_status_alloc(n + 1, sizeof *x->place);
        x->unknown = noe_status_alloc((size_t)g->places + 1, sizeof *x->unknown);
        ok = x->at.start && x->place && x->unknown;
    }
    for (int i = 0, k = 0; ok && i < g->places; i++) {
        x->unknown[i] = g->inverse[i] != 0 ? k : -1;
        if (g->inverse[i] != 0) x->place[k++] = i;
    }
    if (ok) order_by_site(g, x, order);
    ok = ok && rows(g, x);
    bool sparse = false;
    ok = ok && noe_ldl_keeps(&x->at, 2 * x->at.start[n], &sparse);
    if (ok && !sparse && (ok = noe_ldl_order(&x->at, order))) renumber(x, order), ok = rows(g, x);
    if (ok) {
        x->K = noe_status_alloc((size_t)x->at.start[n], sizeof *x->K);
        x->M = noe_status_alloc((size_t)x->at.start[n], sizeof *x->M);
        ok = x->K && x->M;
    }
    for (size_t k = 0; ok && k < n; k++) x->M[x->at.start[k + 1] - 1] = 1 / g->inverse[x->place[k]];
    for (int k = 0; ok && k < g->groups; k++)
        if (g->group[k].mass) ok = add_masses(g, &g->group[k], x);
    free(order);
    if (ok) return x;
    noe_sums_stiffness_free(x);
    return NULL;
}
