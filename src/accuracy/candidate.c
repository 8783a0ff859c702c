/* Methods that --tolerance may choose, and what their steps cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/candidate.h"

#include "base/status.h"
#include "number/digits.h"
#include "system/splitting_check.h"

#include <math.h>

/* Of the splittings of method/named_methods.def those that are the cheapest to some tolerance, of
 * eight measured from 1e-3 to 1e-12 on the chains of Fermi, Pasta, Ulam and Tsingou and of Klein
 * and Gordon: one of order 10 is 1.3 times as fast as srkn11-6 at 1e-12, and has not been taken. */
const noe_candidate noe_candidate_all[NOE_CANDIDATES] = {
    { "gauss 2", 4, 2, false }, /* Galerkin methods */
    [NOE_CANDIDATE_GAUSS_4] = { "gauss 4", 8, 4, false },
    { "gauss 6", 12, 6, false },
    { "gauss 8", 16, 8, false },
    { "srkn6-4", 4, 6, true }, /* splittings */
    { "srkn11-6", 6, 11, true },
};

bool noe_candidate_suits(const noe_candidate *x, const noe_system *s)
{
    if (!x->splitting) return true;
    if (s->dyn.kinks || s->dyn.forced || !s->dyn.autonomous || s->dyn.structure) return false;
    noe_method     *f = noe_method_parse(x->name);
    noe_integrator *g = f ? noe_integrator_make(s, f, 1, NOE_DIGITS_DOUBLE) : NULL;
    const bool      suits = g && g->stepped.groups
                    && noe_splitting_check_order(&g->splitting, f) == x->order;
    noe_integrator_free(g);
    noe_method_free(f);
    noe_error_clear();
    return suits;
}

/* An iteration counts as nodes + 2, with two for what it solves and adds, a Newton matrix as nodes
 * n/4 iterations.  Neither is measured; their ratios by the nodes alone choose among Gauss methods,
 * and no other values were tried. */
double noe_candidate_cost_least(const noe_candidate *x, double steps)
{
    return steps * (x->splitting ? x->nodes : x->nodes + 2);
}
double noe_candidate_cost(const noe_candidate *x, noe_integrator *g, double steps)
{
    if (x->splitting) return noe_candidate_cost_least(x, steps);
    const double matrices = noe_get(g, "refreshes") * x->nodes * g->system->dyn.n / 4;
    return noe_candidate_cost_least(x, fmax(noe_get(g, "iterations"), steps) + matrices);
}
