/* Uses the sums of a system that is written out for its steps, where that is faster.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Up to NOE_GROUPED_FROM coordinates a system is written out, since laws, derivatives and
 * symmetries need all of L.  The steps of a chain of twenty sites can use its sums nevertheless:
 * eight terms at once, one small tape, no matrix.  The cost of a step by either is estimated. */
#include "system/use_sums.h"

#include "base/status.h"

enum {
    /* Coordinates below which sums are not tried. */
    COORDINATES_LEAST = 8,
    /* Measured costs, in operations of a tape: start of a run of terms, */
    A_RUN = 30,
    /* each argument of a term, read and written, */
    A_SLOT = 6,
    /* and a kick and a drift of one coordinate where all of L is written out. */
    A_FLOW = 5,
    /* Iterations of a fixed point; fewer for a smooth motion. */
    ITERATIONS = 8,
    /* unknowns^3 over this: one factorisation of Newton's matrix. */
    A_MATRIX = 5,
    /* Degree of a method from which on the nodes of one step fill the SIMD lanes already. */
    NODES_TOGETHER = 4
};

/* Cost of the forces of all terms, evaluated once. */
static double by_sums(const noe_sums *g)
{
    double cost = 0;
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *x = &g->group[k];
        for (int64_t r = 0; x->force && r < x->terms.runs; r++)
            cost += A_RUN + A_SLOT * x->terms.slots
                  + (double)((x->terms.count[r] + 7) / 8 * x->force->length);
    }
    return cost;
}

/* Does a step by sums cost more than one by all of L?  Below degree 4 Newton's method factorises a
 * matrix of all unknowns. */
static bool costs_more(const noe_sums *g, const noe_method *m, const noe_dynamics *d)
{
    const double n = d->n, forces = by_sums(g), unknowns = m->s * n;
    if (m->kind != NOE_GALERKIN) return d->gradient->length + A_FLOW * n <= forces;
    return d->hessian->length + unknowns * unknowns * unknowns / A_MATRIX
        <= ITERATIONS * m->s * forces;
}

noe_sums *noe_use_sums(const noe_system *s, const noe_method *m)
{
    const noe_dynamics *d = &s->dyn;
    if (s->whole || !s->model || !s->model->summed || d->structure || d->groups || !d->gradient
        || d->n < COORDINATES_LEAST || !d->autonomous)
        return NULL;
    if ((m->kind == NOE_GALERKIN && m->s >= NODES_TOGETHER) || m->kind == NOE_NEWMARK) return NULL;
    const bool  clean = !noe_error();
    const char *why;
    noe_model  *model = noe_parse_model_text_as(NOE_MODEL_GROUPED, s->source, s->model->text,
                                                s->model->length, s->change, s->changes);
    noe_sums   *g = model && model->grouped ? noe_sums_setup_make(model, &why) : NULL;
    if (g) g->model = model;
    else noe_model_free(model);
    if (clean) noe_error_clear(); /* L may be no sum of terms with few coordinates: no error */
    if (g && !g->coupled && g->n == d->n && noe_sums_engine(g, m) && !costs_more(g, m, d)) return g;
    noe_sums_setup_drop(g);
    return NULL;
}
