/* The term of a sum whose force changes most with position:  max of | m^-1/2 d2U/dq dq m^-1/2 |.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/sums.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static double size_of(const noe_sums *g, const noe_sum_group *group, const int64_t *at,
                      double *slot)
{
    double sum = 0;
    noe_tape_double_run(group->stiffness, slot);
    for (int o = 0; o < group->stiffness->outputs; o++) {
        const int    a = group->stiffness_pair[o].a, b = group->stiffness_pair[o].b;
        const double m = g->inverse[at[a]] * g->inverse[at[b]], k = slot[group->stiffness->out[o]];
        if (m != 0) sum += (a == b ? 1 : 2) * k * k * m; /* m = 0: a fixed coordinate */
    }
    return isfinite(sum) ? sqrt(sum) : INFINITY;
}

/* Stores the places of the coordinates that are not fixed and contribute to the rate, each once;
 * and `curvature`. */
static void store_places(const noe_sums *g, const noe_sum_group *group, const int64_t *at,
                         const double *v, const double *slot, noe_stiffest_term *to)
{
    to->count = 0, to->curvature = 0;
    for (int o = 0; o < group->stiffness->outputs; o++) {
        const int a = group->stiffness_pair[o].a, b = group->stiffness_pair[o].b;
        to->curvature += (a == b ? 1 : 2) * slot[group->stiffness->out[o]] * v[at[a]] * v[at[b]];
    }
    for (int o = 0; o < group->stiffness->outputs; o++)
        for (int end = 0; end < 2; end++) {
            const int a = group->stiffness_pair[o].a, b = group->stiffness_pair[o].b,
                      place = (int)at[end ? b : a];
            const double k2 = slot[group->stiffness->out[o]] * slot[group->stiffness->out[o]]
                            * g->inverse[at[a]] * g->inverse[at[b]];
            int k = 0;
            if (k2 < 0.01 * to->rate * to->rate) continue; /* of INFINITY: what is finite */
            while (k < to->count && to->place[k] != place) k++;
            if (k == to->count && k < NOE_STIFFEST_MOST && g->inverse[place] != 0)
                to->place[to->count++] = place;
        }
}

static bool look(const noe_sums *g, const noe_sum_group *group, double t, const double *q,
                 const double *v, noe_stiffest_term *to)
{
    const noe_terms *x = &group->terms;
    double          *slot = noe_status_alloc((size_t)group->stiffness->slots + 1, sizeof *slot);
    int64_t         *at = noe_status_alloc((size_t)x->slots + 1, sizeof *at);
    for (int64_t r = 0; slot && at && r < x->runs; r++)
        for (int64_t e = 0; e < x->count[r]; e++) {
            slot[0] = t;
            for (int s = 0; s < x->slots; s++) {
                at[s] = x->base[r * x->slots + s] + x->stride[s] * e;
                slot[noe_tape_input(NOE_Q, s, x->slots)] = x->kind[s] == NOE_ARGUMENT_COORDINATE
                                                             ? q[at[s]]
                                                         : x->kind[s] == NOE_ARGUMENT_NUMBER
                                                             ? g->number[at[s]]
                                                             : (double)at[s];
            }
            const double rate = size_of(g, group, at, slot);
            if (rate <= to->rate) continue;
            to->rate = rate;
            store_places(g, group, at, v, slot, to);
        }
    const bool ok = slot && at;
    free(slot);
    free(at);
    return ok;
}

bool noe_max_stiffness(const noe_sums *g, double t, const double *q, const double *v,
                       noe_stiffest_term *to)
{
    *to = (noe_stiffest_term){ 0 };
    for (int k = 0; k < g->groups; k++)
        if (g->group[k].stiffness && !look(g, &g->group[k], t, q, v, to)) return false;
    return true;
}
