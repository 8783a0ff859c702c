/* Constraints that follow from others: renews the choice of those left out, and names them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first choice is made in constraint/constrained_start.c. */
#include "base/status.h"
#include "integrate/integrator.h"
#include "constraint/constraint_point.h"
#include "tape/left_out_bounds.h"

#include <stdio.h>
#include <string.h>

void noe_redundant_constraints_at(const noe_integrator *g, noe_constraint_point *x, quad t,
                                  const quad *q, const quad *v, double least)
{
    quad left_out[x->m + 1], h = 0;
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
    noe_constraint_point_leave_out(x, left_out);
    g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    noe_constraint_point_parameters(x, g->param, (double)h);
    noe_constraint_point_at(x, t, q, v, least);
}

/* The least pivot of the independent constraints, 0 if there are fewer than `count`. */
static quad least_pivot(const noe_constraint_point *x, int count)
{
    const quad root = x->rank == count && count ? x->root[(count - 1) * (x->m + 1)] : 0;
    return root * root;
}

void noe_redundant_constraints_renew(noe_integrator *g)
{
    enum {
        RENEWAL_STEPS = 8, /* steps between two looks */
        PIVOT_GAIN = 16    /* factor by which the least pivot must grow */
    };
    const int n = g->system->dyn.n, m = g->system->dyn.constraints;
    quad      left_out[m + 1], count, t, *q = g->x, *v = g->x + n;
    int       kept = m;
    if (!m) return;
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    if ((long long)(double)count % RENEWAL_STEPS) return;
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
    for (int a = 0; a < m; a++) kept -= left_out[a] != 0;
    if (kept == m) return;
    if (!g->point) g->point = noe_constraint_point_new(&g->system->dyn);
    if (!g->point) return; /* without memory the choice stays */
    g->fresh_point = false;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    noe_redundant_constraints_at(g, g->point, t, q, v, NOE_DEPENDENT_AT_START);
    const quad present = least_pivot(g->point, kept);
    memset(g->point->left_out, 0, (size_t)m * sizeof *g->point->left_out);
    noe_constraint_point_at(g->point, t, q, v, NOE_DEPENDENT_AT_START);
    if (!(least_pivot(g->point, kept) > PIVOT_GAIN * present)) return;
    for (int k = 0; k < m; k++) left_out[g->point->order[k]] = k >= kept;
    g->engine->set(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
}

/* "a, b, c and 4 more" of the constraints chosen[a]. */
static void names(const noe_system *s, const bool *chosen, char *text, size_t capacity)
{
    enum { SHOWN = 5 };
    int shown = 0, count = 0;
    for (int a = 0; a < s->dyn.constraints; a++) {
        if (!chosen[a]) continue;
        if (count++ >= SHOWN) continue;
        noe_status_append(text, capacity, "%s%.40s", shown++ ? ", " : "",
                          noe_system_constraint(s, a));
    }
    if (count > shown) noe_status_append(text, capacity, " and %d more", count - shown);
}

int noe_redundant_constraints_name(noe_integrator *g, char *text, size_t capacity)
{
    const noe_dynamics   *d = &g->system->dyn;
    const int             n = d->n, m = d->constraints;
    noe_constraint_point *x = m ? noe_constraint_point_new(d) : NULL;
    bool                  chosen[m + 1];
    int                   count = 0;
    quad                  t, *q = g->x, *v = g->x + n;
    text[0] = 0;
    if (!x) return 0;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    noe_redundant_constraints_at(g, x, t, q, v, NOE_DEPENDENT_ROUNDING);
    for (int a = 0; a < m; a++) count += chosen[a] = x->left_out[a];
    if (count && x->regular && x->rank == m - count) {
        noe_status_append(text, capacity, "%d of %d constraints follow%s from the others (", count,
                          m, count == 1 ? "s" : "");
        names(g->system, chosen, text, capacity);
        noe_status_append(text, capacity, "); the forces of ");
        noe_constraint_point_unique(x, chosen);
        for (int a = 0; a < m; a++) chosen[a] = !chosen[a];
        names(g->system, chosen, text, capacity);
        noe_status_append(text, capacity,
                          " are not unique: columns have those with the least sum of squares");
    }
    noe_constraint_point_free(x);
    return count;
}
