/* Prints how R(a) = 0 was solved: the solver, why it was chosen, its steps and iterations.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/solver_report.h"

#include "sums/sums.h"
#include "integrate/integrator.h"

static int operations(const noe_tape *t) { return t ? t->length : 0; }

static double at(noe_integrator *g, noe_solver_at what)
{
    return g->engine->solver ? (double)g->engine->solver->get(g->work, what, 0) : 0;
}

/* Prints the solver that is tried first and why it was chosen. */
static void print_choice(noe_integrator *g, const noe_method *f, FILE *to)
{
    const noe_dynamics *d = &g->system->dyn;
    const int           solver = (int)at(g, NOE_SOLVER_CHOICE), N = f->s * d->n;
    const bool          contracts = at(g, NOE_SOLVER_CONTRACTS) != 0,
               with_hessian = at(g, NOE_SOLVER_CONTRACTS) > 1;
    if (g->stepped.canonical && f->s >= 4 && f->r == f->s && solver < 2)
        fprintf(to,
                "  solver: the fixed point for positions and momenta, %d nodes at once, as masses "
                "are constant: forces and the monitor with %s derivatives (%d operations); where "
                "it does not contract, Newton with a matrix of %d unknowns\n",
                f->r, with_hessian ? "first and second" : "first", operations(g->stepped.canonical),
                N);
    else if (!contracts && (solver == 1 || (!solver && f->s >= 4)))
        fprintf(to, "  solver: Newton; no fixed point, since %s\n",
                f->r < f->s
                    ? "the quadrature has fewer nodes than the degree"
                    : "the quadrature does not resolve the polynomials or masses couple too many "
                      "coordinates");
    else if (solver == 1 || (!solver && f->s >= 4))
        fprintf(to,
                "  solver: the fixed point, %s: %d nodes at once, %s (%d operations); where it "
                "does not contract, Newton with a matrix of %d unknowns\n",
                solver ? "as asked" : "the degree is 4 or more", f->r,
                with_hessian ? "forces with their derivatives" : "gradients alone",
                operations(with_hessian ? d->hessian : d->gradient), N);
    else if (solver == 3)
        fprintf(to, "  solver: Newton, as asked: a new matrix of %d unknowns for every iteration\n",
                N);
    else
        fprintf(
            to,
            "  solver: Newton, %s: a matrix of %d unknowns, second derivatives by %d operations, a "
            "gradient by %d: %s\n",
            solver ? "as asked" : "the degree is below 4", N, operations(d->hessian),
            operations(d->gradient),
            at(g, NOE_SOLVER_KEEPS) != 0 ? "the matrix is kept from step to step while it contracts"
                                         : "a new matrix in each step; one evaluation may suffice");
}

static void print_tapes(noe_integrator *g, FILE *to)
{
    const double bytes = at(g, NOE_SOLVER_MACHINE);
    if (bytes > 0)
        fprintf(to, "  tapes: %.0f bytes of machine code, %s\n", bytes,
                noe_engine_instruction_set() > 1 ? "AVX-512" : "AVX2");
    else fprintf(to, "  tapes: interpreted\n");
}

/* The solver of a system of sums; chosen by cost, again during the run (sums/sums_solver.h). */
static void print_sums(noe_integrator *g, const noe_sums *sums, FILE *to)
{
    static const char *const by[] = {
        ("the fixed point, term by term; Newton with sparse factors where that takes fewer "
         "operations or the fixed point does not contract"),
        "the fixed point, as asked, term by term",
        "Newton, as asked: sparse factors, kept while they contract",
        "Newton, as asked: new sparse factors for every iteration",
    };
    const char *said = sums->coupled ? "Newton with sparse factors, since masses couple coordinates"
                                     : by[(int)at(g, NOE_SOLVER_CHOICE)];
    fprintf(to, "  solver: %s\n", said);
}

void noe_solver_report_print(noe_integrator *g, const noe_method *f, FILE *to)
{
    const noe_sums *sums = noe_integrator_uses_sums(g) ? g->stepped.groups : g->system->dyn.groups;
    if ((g->engine->summarize && !sums) || g->digits > NOE_DIGITS_QUAD)
        return; /* linear systems: the summary describes the step */
    if (!sums) print_tapes(g, to);
    if (f->kind != NOE_GALERKIN) fprintf(to, "  solver: none, the step is explicit\n");
    else if (sums) print_sums(g, sums, to);
    if (f->kind != NOE_GALERKIN || sums) return;
    const double all = noe_get(g, "steps"), by_point = at(g, NOE_SOLVER_CONTRACTED),
                 followed = at(g, NOE_SOLVER_SUBDIVIDED);
    const double rounds = at(g, NOE_SOLVER_ROUNDS), newton = at(g, NOE_SOLVER_ITERATIONS) - rounds,
                 left = all - by_point - followed;
    print_choice(g, f, to);
    if (rounds > 0)
        fprintf(
            to,
            "  fixed point: %.0f of %.0f steps, %.3g iterations each; the first correction, or the "
            "first two together, left %.1e of the residual at the last step\n",
            by_point, all, by_point > 0 ? rounds / by_point : rounds,
            at(g, NOE_SOLVER_CONTRACTION));
    if (newton > 0 && left > 0)
        fprintf(to, "  Newton: %.0f of %.0f steps, %.0f of them by one evaluation\n", left, all,
                at(g, NOE_SOLVER_SINGLE));
    if (followed > 0)
        fprintf(to, "  continuation from a shorter step: %.0f of %.0f steps\n", followed, all);
    if (newton > 0)
        fprintf(to, "  %.0f iterations and %.0f matrices of Newton in all\n", newton,
                at(g, NOE_SOLVER_REFRESHES));
}
