/* (system, method, digits) -> the instance of the core that steps it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/select_engine.h"

#include "base/optional_library.h"
#include "arb/exact_solution.h"
#include "sums/term_evaluation.h"
#include "linear/dense_engine.h"
#include "linear/structure_engine.h"
#include "linear/printed_scheme.h"
#include "system/use_sums.h"
#include "system/recognise_structure.h"

enum { DOUBLE = 15, QUAD = 33 };

static const noe_core *groups(const noe_system *s, const noe_method *m, int digits)
{
    const noe_core *core = digits <= DOUBLE ? noe_core_groups(s->dyn.groups, m) : NULL;
    if (digits > DOUBLE)
        noe_fail(NOE_INVALID, "%s: %d coordinates are stepped in double, as by \"simpson\", \"gauss 4\" or \"verlet\", not in %d digits",
                 s->source, s->dyn.n, digits);
    else if (!core)
        noe_fail(NOE_INVALID, "%s: %d coordinates in sums are not stepped by '%s' (a splitting with velocities that L_vv couples, or a frozen one): "
                 "take \"simpson\" or \"gauss 4\"", s->source, s->dyn.n, noe_method_name(m));
    return core;
}

/* A quadratic text that is too large for a matrix of the whole step. */
static const noe_core *quadratic(const noe_system *s, const noe_method *m, noe_dynamics *as)
{
    noe_linear *x = s->dyn.structure || (s->dyn.n <= NOE_DENSE_MOST && !m->variant) ? NULL : noe_recognise(&s->dyn);
    if (!x) return NULL;
    noe_dynamics    y = { .n = s->dyn.n, .linear = true, .constant = true, .quadratic = true, .autonomous = true, .structure = x };
    const noe_core *core = m->variant ? noe_printed(&y, m) : noe_large_core(&y, m);
    if (core && as) *as = y;
    else noe_linear_free(x);
    return core;
}

const noe_core *noe_route(const noe_system *s, const noe_method *m, int digits, noe_dynamics *as)
{
    if (as) *as = s->dyn;
    const noe_core *sparse = digits <= DOUBLE ? quadratic(s, m, as) : NULL;
    if (sparse) return sparse;
    if (m->variant) {
        const noe_core *printed = digits <= DOUBLE ? noe_printed(&s->dyn, m) : NULL;
        if (!printed)
            noe_fail(NOE_INVALID, "%s: '%s' is for linear systems in double, M q'' + K q = 0 without damping, forces and t: Simpson's "
                     "scheme by the formulas as printed; take \"simpson\"", s->source, noe_method_name(m));
        return printed;
    }
    if (s->dyn.groups) return groups(s, m, digits);
    const noe_core *linear = digits > DOUBLE ? NULL : noe_dense(&s->dyn, m);
    if (!linear && digits <= DOUBLE) linear = noe_large_core(&s->dyn, m);
    if (linear) return linear;
    if (m->kind == NOE_NEWMARK && !s->dyn.structure) {
        noe_fail(NOE_INVALID, "%s: '%s' is for linear systems without t, in 15 digits and up to %d coordinates, or given by "
                 "matrices; what the papers call Newmark is \"midpoint\"", s->source, noe_method_name(m), NOE_DENSE_MOST);
        return NULL;
    }
    if (s->dyn.structure) {
        if (digits > DOUBLE)
            noe_fail(NOE_INVALID, "%s: a structure is stepped in double, not in %d digits", s->source, digits);
        else if (m->kind == NOE_SPLITTING)
            noe_fail(NOE_INVALID, "%s: '%s' does not step this structure: its kicks %s; take \"simpson\", \"gauss 2\" or \"rk4\"",
                     s->source, noe_method_name(m), m->kick == NOE_KICK_FROZEN ? "divide by positions"
                     : "would take a damping that is no multiple of the mass as an exponential of matrices");
        else
            noe_fail(NOE_INVALID, "%s: '%s' does not step a structure: take \"simpson\", \"lobatto 3\" or \"gauss 3\"", s->source,
                     noe_method_name(m));
        return NULL;
    }
    if (digits <= DOUBLE) {
        noe_groups *lent = noe_lend(s, m);
        if (lent && as) as->groups = lent;
        else noe_groups_drop(lent);
        return lent ? noe_group_best()->core : noe_core_double();
    }
    if (s->dyn.L) {
        noe_fail(NOE_INVALID, "functions in C compute in double: %d digits need a model text", digits);
        return NULL;
    }
    if (digits <= QUAD) return noe_core_quad();
    if (digits > NOE_DIGITS_MOST) {
        noe_fail(NOE_INVALID, "%d digits: expected at most %d", digits, NOE_DIGITS_MOST);
        return NULL;
    }
    if (m->kind == NOE_SPLITTING || m->parts) {
        noe_fail(NOE_INVALID, "%d digits: the coefficients of %s have 36; take a Galerkin method, as \"gauss 8\"", digits,
                 noe_method_name(m));
        return NULL;
    }
#ifdef NOE_ARB
    return noe_core_wide();
#else
    noe_need(NOE_OF_FLINT, "more than 33 digits");
    return NULL;
#endif
}
