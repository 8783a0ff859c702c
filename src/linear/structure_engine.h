/* The engine for finite-element structures: its state, and the functions of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_STRUCTURE_ENGINE_H
#define NOE_LINEAR_STRUCTURE_ENGINE_H

#include "base/arena.h"
#include "matrix/eigen_max.h"
#include "linear/chebyshev_stage.h"
#include "linear/linear_state.h"
#include "base/thread_team.h"

/* The engine state.  Units of the step: pi = h p, k = h^2 K/24, rho = k q; NOE_UNIT is 24. */
typedef struct {
    /* what a restart needs */
    noe_linear_state at;
    noe_arena       *arena; /* memory of the engine */
    /* the system and its matrices */
    const noe_dynamics  *dyn;
    const noe_structure *s;      /* mass, damping, stiffness, load */
    noe_method           method; /* coefficients of the method */

    /* [n] each, parts of `at`: q, pi, the compensation terms of both, rho */
    double *q, *p, *dq, *dp, *r;
    /* [n] each, parts of `at`, of Newmark's method only: h v and h^2 a */
    double *vh, *ah;
    /* Newmark's method: 1 + gamma h alpha, by which its equations were divided */
    double scale;
    /* [n]: velocities given for the start */
    double *v;

    /* h^2 K/24 in rows of blocks */
    noe_block_rows  *k;
    noe_thread_team *team; /* the threads; NULL: not made yet */
    /* functions for the instruction set of this machine */
    const noe_chebyshev_stage *kernel;
    /* solves with M */
    noe_factorization *mass;
    /* upper bound of the largest omega^2; NAN: not computed yet */
    double omega2;

    /* step length for which the following members were made; 0: none */
    double h;
    /* the separated equations of the stages, one for each shift lambda_j */
    noe_stage_pencil x;
    /* factor of M + lambda_j k; NULL: lambda_j = 0, use `mass` */
    noe_factorization *shift[NOE_PENCIL];
    /* factor of the equations of all modes together, for damping that is not alpha M + beta K; else
     * NULL */
    noe_factorization *whole;
    /* the equations are solved by Chebyshev polynomials of k, not by factors */
    bool               polynomial;
    noe_chebyshev_step poly; /* state of the iterations */

    /* scratch; [r][n] loads at the nodes (of a splitting one only), NULL: no load */
    double *room, **f;
    /* right sides and solutions of the shifts (2n numbers for complex ones); [n]: u = sum_j U_j
     * y_j, the change d of q, scratch e */
    double *g, *y[NOE_PENCIL], *u, *d, *e;
    /* loads or damping change the energy: work and dissipation are added up for the energy
     * balance */
    bool balance;
    /* nodes and weights of 8-point Gauss quadrature for the power along a kick */
    double look[8], share[8];
    /* [r][n]: h v at the nodes; of a Runge-Kutta method the stages h v and h p' */
    double **hv, **kick;

    /* Options. */
    /* threads: 0: chosen by the size of K; window: interval of stability in which the fastest mode
     * may lie */
    int threads, window;
    /* use factors even where polynomials would do */
    bool            factorise;
    noe_factor_bits bits; /* use of the BLAS */
} noe_structure_engine;

/* Makes all that depends on the step length: factors or polynomials.  A message is set on
 * failure. */
noe_status noe_structure_prepare_make(noe_structure_engine *);
void       noe_structure_prepare_forget(noe_structure_engine *);
/* y = k x, by all threads. */
void noe_chebyshev_sweep_product(noe_structure_engine *, const double *x, double *y);
/* One step by polynomials; one step by factors. */
void noe_chebyshev_sweep_step(noe_structure_engine *);
void noe_structure_direct_step(noe_structure_engine *);
/* Newmark's method: factorizes its equations; computes v and a at the start; makes one step. */
noe_status noe_structure_newmark_factorize(noe_structure_engine *);
void       noe_structure_newmark_start(noe_structure_engine *);
void       noe_structure_newmark_step(noe_structure_engine *);
/* The equations of all modes together: factorizes them; solves them for d and u. */
noe_status noe_coupled_solve_factorize(noe_structure_engine *);
void       noe_coupled_solve_modes(noe_structure_engine *);
/* e = h (C + alpha M + beta K) x; overwrites u. */
void noe_structure_newmark_damping(noe_structure_engine *, const double *x);
/* f[n] = load at t + c h.  False: it is not finite. */
bool noe_load_at_node(noe_structure_engine *, double c, double *f);
/* One step of a splitting or a Runge-Kutta method.  False: a load is not finite. */
bool noe_structure_explicit_step(noe_structure_engine *);
/* Energy balance: h v at the nodes after a step by polynomials; adds work and dissipation of a
 * step, from hv. */
void noe_structure_balance_look(noe_structure_engine *);
void noe_structure_balance_add(noe_structure_engine *);

/* Is M the only matrix that has to be solved with? */
static inline bool noe_structure_is_explicit(const noe_structure_engine *w)
{
    return w->method.kind == NOE_SPLITTING || w->method.kind == NOE_RUNGE_KUTTA;
}

/* structure_summary.c: one line about how the engine makes a step; does it use the BLAS? */
void noe_structure_summary_tell(void *engine, char *text, size_t size);
bool noe_structure_summary_blas(const noe_structure_engine *);

/* The engine; NULL: it does not have the method, or the system is no structure. */
const noe_engine *noe_structure_engine_select(const noe_dynamics *, const noe_method *);

#endif
