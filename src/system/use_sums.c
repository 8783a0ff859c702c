/* cost of a step by sums < cost of one by all of L?
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Up to NOE_GROUPED_FROM coordinates a system is written out: laws, derivatives and symmetries look at all of it.  To step a
 * chain of twenty sites its sums do all the same: eight terms at once, one small tape, no matrix. */
#include "system/use_sums.h"

#include "base/status.h"

enum {
    FEW = 8, /* coordinates below which nobody looks */
    A_RUN =
        30, /* what a run of terms costs before the first, in operations of a tape; measured, as what follows */
    A_SLOT = 6,        /* each of its arguments, fed and put out */
    A_FLOW = 5,        /* a kick and a drift of one coordinate where all of L is written out */
    ITERATIONS = 8,    /* of a fixed point; of a smooth motion they are fewer */
    A_MATRIX = 5,      /* unknowns^3 over this: Newton's method, its matrix factorised */
    NODES_TOGETHER = 4 /* from this degree on the nodes of a step fill the lanes already */
};

/* The forces of all terms at one time. */
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

/* A step of the one and of the other.  Below degree 4 Newton's method factorises a matrix of all unknowns. */
static bool dearer(const noe_sums *g, const noe_method *m, const noe_dynamics *d)
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
        || d->n < FEW || !d->autonomous)
        return NULL;
    if ((m->kind == NOE_GALERKIN && m->s >= NODES_TOGETHER) || m->kind == NOE_NEWMARK || m->variant)
        return NULL;
    const bool  clean = !noe_error();
    const char *why;
    noe_model  *model = noe_parse_model_text_as(NOE_MODEL_GROUPED, s->source, s->model->text,
                                                s->model->length, s->change, s->changes);
    noe_sums   *g = model && model->grouped ? noe_sums_setup_make(model, &why) : NULL;
    if (g) g->model = model;
    else noe_model_free(model);
    if (clean) noe_error_clear(); /* a text that is no sum of terms of few coordinates is none */
    if (g && !g->coupled && g->n == d->n && noe_sums_engine(g, m) && !dearer(g, m, d)) return g;
    noe_sums_setup_drop(g);
    return NULL;
}
