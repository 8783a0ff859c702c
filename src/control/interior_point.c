/* min J(x), least <= g(x) <= most, lower <= x <= upper: Ipopt with exact derivatives and MUMPS.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/interior_point.h"

#include "base/optional_library.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "optimal control";

#ifdef NOE_IPOPT
#include <IpStdCInterface.h>

typedef struct {
    noe_transcription  *t;
    noe_interior_point *o;
    /* The best of the points that the search has come to, and its residuals; room for both. */
    double *best, *residual;
    double  violation, cost;
} solving;

/* Below this a point keeps to all conditions, and the one with the least cost is the best. */
static const double KEPT = 1e-8;

static double violation(const noe_transcription *t, const double *g)
{
    double most = 0;
    for (int i = 0; i < t->rows; i++)
        most = fmax(most, fmax(t->least[i] - g[i], g[i] - t->most[i]));
    return most;
}

/* Is the point better than the best so far?  Then it is the best. */
static void compare(solving *s, const double *x)
{
    double cost;
    if (!noe_transcription_residual(s->t, x, s->residual)
        || !noe_transcription_cost(s->t, x, &cost))
        return;
    const double off = violation(s->t, s->residual);
    if (off < KEPT && s->violation < KEPT ? cost >= s->cost : off >= s->violation) return;
    s->violation = off, s->cost = cost;
    memcpy(s->best, x, (size_t)s->t->unknowns * sizeof *x);
}

static Bool cost(Index n, Number *x, Bool fresh, Number *J, UserDataPtr data)
{
    return (void)n, (void)fresh, noe_transcription_cost(((solving *)data)->t, x, J);
}

static Bool slope(Index n, Number *x, Bool fresh, Number *gradient, UserDataPtr data)
{
    return (void)n, (void)fresh, noe_problem_derivatives_slope(((solving *)data)->t, x, gradient);
}

static Bool rows(Index n, Number *x, Bool fresh, Index m, Number *g, UserDataPtr data)
{
    return (void)n, (void)fresh, (void)m, noe_transcription_residual(((solving *)data)->t, x, g);
}

static Bool jacobian(Index n, Number *x, Bool fresh, Index m, Index entries, Index *row, Index *col,
                     Number *value, UserDataPtr data)
{
    noe_transcription *t = ((solving *)data)->t;
    (void)n, (void)fresh, (void)m, (void)entries;
    if (value) { /* an iterate, not a trial */
        compare(data, x);
        return noe_problem_derivatives_jacobian(t, x, value);
    }
    noe_problem_derivatives_places(t, row, col);
    return TRUE;
}

static Bool hessian(Index n, Number *x, Bool fresh, Number sigma, Index m, Number *lambda,
                    Bool fresh_lambda, Index entries, Index *row, Index *col, Number *value,
                    UserDataPtr data)
{
    noe_transcription *t = ((solving *)data)->t;
    (void)n, (void)fresh, (void)m, (void)fresh_lambda, (void)entries;
    if (value) return noe_problem_derivatives_hessian(t, x, sigma, lambda, value);
    noe_problem_derivatives_second_places(t, row, col);
    return TRUE;
}

static Bool look(Index mode, Index iteration, Number J, Number primal, Number dual, Number mu,
                 Number step, Number regular, Number ad, Number ap, Index trials, UserDataPtr data)
{
    noe_interior_point *o = ((solving *)data)->o;
    (void)mode, (void)J, (void)dual, (void)mu, (void)step, (void)regular, (void)ad, (void)ap;
    (void)trials;
    o->iterations = iteration;
    o->violation = primal;
    return !o->interrupted || !*o->interrupted;
}

static bool set(IpoptProblem p, const noe_interior_point *o)
{
    static char *const word[][2] = {
        { "sb", "yes" },
        { "linear_solver", "mumps" },
        { "mu_strategy", "adaptive" },
        { "fixed_variable_treatment", "make_parameter" },
        { "hessian_approximation", "exact" },
    };
    bool ok = AddIpoptIntOption(p, "print_level", 0) && AddIpoptIntOption(p, "max_iter", o->most)
           && AddIpoptNumOption(p, "tol", o->tolerance)
           && AddIpoptNumOption(p, "constr_viol_tol", 1e-11)
           && AddIpoptNumOption(p, "bound_relax_factor", 0)
           && AddIpoptNumOption(p, "acceptable_tol", 1e-6)
           && AddIpoptNumOption(p, "acceptable_constr_viol_tol", 1e-9)
           && AddIpoptIntOption(p, "acceptable_iter", 8);
    for (size_t i = 0; ok && i < sizeof word / sizeof *word; i++)
        ok = AddIpoptStrOption(p, word[i][0], word[i][1]);
    if (o->warm) ok = ok && AddIpoptNumOption(p, "bound_push", 1e-6);
    return ok;
}

/* What Ipopt's status means, and what to try. */
static noe_solved meaning(int status, const char **why)
{
    switch (status) {
    case Solve_Succeeded:
    case Solved_To_Acceptable_Level: return NOE_OPTIMUM; /* to `tol` or `acceptable_tol` */
    case User_Requested_Stop: return NOE_INTERRUPTED;
    case Infeasible_Problem_Detected:
        *why = "no motion was found that keeps to the bounds and the final conditions: widen the "
               "bounds, give more time ('final t in a..b'), or ask less of the end";
        return NOE_STRANDED;
    case Diverging_Iterates:
        *why = "the unknowns grow without bound, as the cost seems to fall without bound: add "
               "bounds ('control u in -1..1') or a cost of what grows";
        return NOE_STRANDED;
    case Maximum_Iterations_Exceeded:
        *why = "not converged: allow more with --iterations, try other --steps, or lead to the "
               "solution by bounds and an easier problem";
        return NOE_STRANDED;
    case Not_Enough_Degrees_Of_Freedom:
        *why = "there are fewer unknowns than conditions: leave a final value free, take more "
               "--steps or another control";
        return NOE_STRANDED;
    case Invalid_Number_Detected:
        *why = "the functions of the model are not finite on the way: keep coordinates away from "
               "there by bounds, 'coordinate r in 0.1..'";
        return NOE_STRANDED;
    case Insufficient_Memory: *why = "out of memory: take fewer --steps"; return NOE_STRANDED;
    default:
        *why = "the search came to an end without an optimum: try other --steps, bounds on "
               "controls and coordinates, or a cost without kinks";
        return NOE_STRANDED;
    }
}

noe_status noe_interior_point_solve(noe_interior_point *o, noe_transcription *t, noe_solved *how)
{
    if (noe_optional_library_require(NOE_OF_IPOPT, what)) return NOE_INVALID;
    const size_t  unknowns = (size_t)t->unknowns;
    double *const best = noe_status_alloc(unknowns + (size_t)t->rows + 1, sizeof *best);
    if (!best) return NOE_NO_MEMORY;
    solving            s = { t, o, best, best + unknowns, INFINITY, INFINITY };
    const IpoptProblem p = CreateIpoptProblem(t->unknowns, t->lower, t->upper, t->rows, t->least,
                                              t->most, t->entries, t->second_entries, 0, cost, rows,
                                              slope, jacobian, hessian);
    if (!p || !set(p, o)) {
        if (p) FreeIpoptProblem(p);
        free(best);
        return noe_status_fail(NOE_INVALID, "%s: Ipopt does not take the problem or its options",
                               what);
    }
    SetIntermediateCallback(p, look);
    o->iterations = 0, o->violation = INFINITY, o->why = NULL;
    const int status = (int)IpoptSolve(p, t->x, NULL, &t->cost, t->lambda, NULL, NULL, &s);
    FreeIpoptProblem(p);
    *how = meaning(status, &o->why);
    if (*how != NOE_OPTIMUM && isfinite(s.violation)) {
        memcpy(t->x, best, unknowns * sizeof *best);
        t->cost = s.cost, o->violation = s.violation;
    }
    free(best);
    return NOE_OK;
}

#else

noe_status noe_interior_point_solve(noe_interior_point *o, noe_transcription *t, noe_solved *how)
{
    (void)o, (void)t;
    *how = NOE_STRANDED;
    return noe_optional_library_require(NOE_OF_IPOPT, what);
}

#endif
