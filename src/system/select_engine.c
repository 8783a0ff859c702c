/* Selects the engine that steps a system by a method with a number of digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/select_engine.h"

#include "base/optional_library.h"
#include "arb/exact_solution.h"
#include "sums/term_evaluation.h"
#include "linear/dense_engine.h"
#include "linear/structure_engine.h"
#include "system/event_tapes.h"
#include "system/splitting_check.h"
#include "system/monitored_dynamics.h"
#include "system/use_sums.h"
#include "system/recognise_structure.h"

/* The engine for sums that stay sums. */
static const noe_engine *sums_engine(const noe_system *s, const noe_method *m, int digits)
{
    const noe_engine *engine = digits <= NOE_DIGITS_DOUBLE ? noe_sums_engine(s->dyn.groups, m)
                                                           : NULL;
    if (digits > NOE_DIGITS_DOUBLE)
        noe_status_fail(
            NOE_INVALID,
            "%s: %d coordinates are stepped in double, as by \"simpson\", \"gauss 4\" or "
            "\"verlet\", not in %d digits",
            s->source, s->dyn.n, digits);
    else if (!engine)
        noe_status_fail(
            NOE_INVALID,
            "%s: %d coordinates in sums are not stepped by '%s' (a splitting with velocities that "
            "L_vv couples, or a frozen one): take \"simpson\" or \"gauss 4\"",
            s->source, s->dyn.n, noe_method_name(m));
    return engine;
}

/* The engine for a quadratic L that is recognised as matrices and too large for a dense matrix of
 * the whole step.  A model that gives matrices goes to noe_structure_engine_select() below. */
static const noe_engine *recognised_structure(const noe_system *s, const noe_method *m,
                                              noe_dynamics *as)
{
    noe_structure *x = s->dyn.structure || s->dyn.n <= NOE_DENSE_MOST
                         ? NULL
                         : noe_recognise_structure(&s->dyn);
    if (!x) return NULL;
    noe_dynamics      y = { .n = s->dyn.n,
                            .linear = true,
                            .constant = true,
                            .quadratic = true,
                            .autonomous = true,
                            .structure = x };
    const noe_engine *engine = noe_structure_engine_select(&y, m);
    if (engine && as) *as = y;
    else noe_structure_free(x);
    return engine;
}

/* Systems with constraints: Galerkin methods alone, and compositions of them. */
static const noe_engine *constrained(const noe_system *s, const noe_method *m, int digits)
{
    if (m->kind != NOE_GALERKIN)
        noe_status_fail(
            NOE_INVALID,
            "%s: '%s' cannot keep the constraint '%.60s': %s; take a Galerkin method, as "
            "\"simpson\", \"gauss 3\" or \"lobatto 1\" (RATTLE)",
            s->source, noe_method_name(m), noe_system_constraint(s, 0),
            m->kind == NOE_SPLITTING ? "its drifts leave the surface"
                                     : "its steps have no discrete action for multipliers");
    else if (s->dyn.L && digits > NOE_DIGITS_DOUBLE)
        noe_status_fail(NOE_INVALID, "%s compute in double: %d digits need a model text", s->source,
                        digits);
    else if (digits > NOE_DIGITS_QUAD)
        noe_status_fail(NOE_INVALID, "%s: constraints are kept in up to %d digits, not in %d",
                        s->source, NOE_DIGITS_QUAD, digits);
    else return digits <= NOE_DIGITS_DOUBLE ? noe_engine_double() : noe_engine_quad();
    return NULL;
}

/* Systems with derivatives by parameters: the engines whose steps are differentiated. */
static const noe_engine *differentiated(const noe_system *s, const noe_method *m, int digits)
{
    noe_splitting_check check = { 0 };
    const bool          splits = m->kind == NOE_SPLITTING;
    if (splits && noe_splitting_check_system(s, m->name, NULL, NULL, &check)) return NULL;
    const char *const why =
        digits > NOE_DIGITS_QUAD ? "more than 33 digits"
        : m->kind == NOE_NEWMARK || (splits && m->kick == NOE_KICK_FROZEN)
            ? "this method; take a Galerkin method, as \"simpson\""
        : m->in_v      ? "Runge-Kutta methods in (q, v); take \"rk4\""
        : check.damped ? "splittings of damped motions; take a Galerkin method, as \"simpson\""
                       : NULL;
    if (!why) return digits <= NOE_DIGITS_DOUBLE ? noe_engine_double() : noe_engine_quad();
    noe_status_fail(NOE_INVALID, "%s, '%s': derivatives by parameters are not known for %s",
                    s->source, noe_method_name(m), why);
    return NULL;
}

/* A structure, given by matrices, that no engine of linear systems steps by this method. */
static void refuse_structure(const noe_system *s, const noe_method *m, int digits)
{
    if (digits > NOE_DIGITS_DOUBLE)
        noe_status_fail(NOE_INVALID, "%s: a structure is stepped in double, not in %d digits",
                        s->source, digits);
    else if (m->kind == NOE_SPLITTING)
        noe_status_fail(
            NOE_INVALID,
            "%s: '%s' does not step this structure: its kicks %s; take \"simpson\", \"gauss "
            "2\" or \"rk4\"",
            s->source, noe_method_name(m),
            m->kick == NOE_KICK_FROZEN
                ? "divide by positions"
                : "would take a damping that is no multiple of the mass as an exponential of "
                  "matrices");
    else
        noe_status_fail(NOE_INVALID,
                        "%s: '%s' does not step a structure: "
                        "take \"simpson\", \"lobatto 3\" or \"gauss 3\"",
                        s->source, noe_method_name(m));
}

/* More digits than binary128 has. */
static const noe_engine *many_digits(const noe_method *m, int digits)
{
    if (digits > NOE_DIGITS_MOST) {
        noe_status_fail(NOE_INVALID, "%d digits: expected at most %d", digits, NOE_DIGITS_MOST);
        return NULL;
    }
    if (m->kind == NOE_SPLITTING || m->parts) {
        noe_status_fail(
            NOE_INVALID,
            "%d digits: the coefficients of %s have 36; take a Galerkin method, as \"gauss 8\"",
            digits, noe_method_name(m));
        return NULL;
    }
    if (noe_optional_library_require(NOE_OF_FLINT, "more than 33 digits")) return NULL;
#ifdef NOE_ARB
    return noe_arb_engine_select();
#else
    return NULL;
#endif
}

/* The engine of one process. */
static const noe_engine *select_one(const noe_system *s, const noe_method *m, int digits,
                                    noe_dynamics *as)
{
    if (s->dyn.constraints) {
        if (as) *as = s->dyn;
        if ((s->dyn.columns || s->dyn.adjoint) && m->parts > 1) {
            noe_status_fail(
                NOE_INVALID,
                "%s, '%s': derivatives with constraints are not known for compositions; "
                "take a Galerkin method, as \"lobatto 3\"",
                s->source, noe_method_name(m));
            return NULL;
        }
        return constrained(s, m, digits);
    }
    if (s->dyn.columns || s->dyn.adjoint) {
        if (as) *as = noe_system_monitored(s) ? s->stepped : s->dyn;
        if (noe_system_monitored(s) && !noe_monitored_dynamics_check(s, m, digits)) return NULL;
        return differentiated(s, m, digits);
    }
    if (as) *as = noe_system_monitored(s) ? s->stepped : s->dyn;
    if (noe_system_monitored(s))
        return !noe_monitored_dynamics_check(s, m, digits) ? NULL
             : digits <= NOE_DIGITS_DOUBLE                 ? noe_engine_double()
                                                           : noe_engine_quad();
    const noe_engine *large = digits <= NOE_DIGITS_DOUBLE && !s->events
                                ? recognised_structure(s, m, as)
                                : NULL;
    if (large) return large;
    if (s->dyn.groups) return sums_engine(s, m, digits);
    /* Events that change the motion want steps of any length, which cost these engines a matrix. */
    const bool        shocks = s->events && s->events->shocks && !s->dyn.structure;
    const noe_engine *linear = digits > NOE_DIGITS_DOUBLE || shocks ? NULL
                                                                    : noe_dense_engine(&s->dyn, m);
    if (!linear && !shocks && digits <= NOE_DIGITS_DOUBLE)
        linear = noe_structure_engine_select(&s->dyn, m);
    if (linear) return linear;
    if (m->kind == NOE_NEWMARK && !s->dyn.structure) {
        noe_status_fail(
            NOE_INVALID,
            "%s: '%s' is for linear systems without t, in 15 digits and up to %d coordinates, or "
            "given by matrices; what the papers call Newmark is \"midpoint\"",
            s->source, noe_method_name(m), NOE_DENSE_MOST);
        return NULL;
    }
    if (s->dyn.structure) return refuse_structure(s, m, digits), NULL;
    if (digits <= NOE_DIGITS_DOUBLE) {
        noe_sums *sums = noe_use_sums(s, m);
        if (sums && as) as->groups = sums;
        else noe_sums_setup_drop(sums);
        return sums ? noe_sums_dispatch()->engine : noe_engine_double();
    }
    if (s->dyn.L) {
        noe_status_fail(NOE_INVALID,
                        "functions in C compute in double: %d digits need a model text", digits);
        return NULL;
    }
    if (digits <= NOE_DIGITS_QUAD) return noe_engine_quad();
    return many_digits(m, digits);
}

const noe_engine *noe_select_engine(const noe_system *s, const noe_method *m, int digits,
                                    noe_dynamics *as)
{
    const noe_engine *engine = select_one(s, m, digits, as);
    return engine && as && s->processes ? s->processes->engine(engine, as, m) : engine;
}
