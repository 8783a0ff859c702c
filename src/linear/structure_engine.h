/* The engine for finite-element structures: its state, and the functions of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_STRUCTURE_ENGINE_H
#define NOE_LINEAR_STRUCTURE_ENGINE_H

#include "base/arena.h"
#include "matrix/eigen_max.h"
#include "linear/chebyshev_stage.h"
#include "linear/linear_state.h"
#include "matrix/structure.h"
#include "method/quadrature.h"
#include "base/thread_team.h"

/* Units of the step: pi = h p, k = h^2 K/24, rho = k q; NOE_STIFFNESS_DIVISOR is 24.  n
 * coordinates, r nodes. */

/* State of the motion: parts of `at`, which is what a restart needs. */
typedef struct {
    double *q, *p,   /* positions, and pi [n] each */
        *dq, *dp,    /* compensation of both sums: what their rounding has lost [n] each */
        *r;          /* rho [n] */
    double *vh, *ah; /* Newmark's method: h v and h^2 a [n] each; else NULL */
} noe_structure_state;

/* The matrices of the system as the engine needs them. */
typedef struct {
    noe_block_rows    *k;      /* h^2 K/24 in rows of blocks */
    noe_factorization *mass;   /* solves with M */
    double             omega2; /* upper bound of the largest omega^2; NAN: not computed yet */
} noe_structure_matrices;

/* What is made for one step length. */
typedef struct {
    double           h; /* that step length; 0: nothing is made */
    noe_stage_pencil x; /* equations of the stages, one for each shift lambda_j */
    noe_factorization
        *shift[NOE_PENCIL]; /* factors of M + lambda_j k; NULL: lambda_j = 0, or none */
    /* Factor of the equations of all modes together, for damping that is not alpha M + beta K;
     * else NULL. */
    noe_factorization *whole;
    bool               polynomial; /* solved by Chebyshev polynomials of k, not by factors */
    noe_chebyshev_step poly;       /* state of these iterations */
    double scale; /* Newmark's method: 1 + gamma h alpha, by which its equations were divided */
} noe_structure_prepared;

/* Scratch of a step. */
typedef struct {
    double **f; /* loads at the nodes [r][n], of a splitting at its kicks; NULL: no load */
    double  *g, /* right side of a shift [n], [2n] for a complex one, [s n] for all modes at once */
        *y[NOE_PENCIL]; /* solutions of the shifts, likewise */
    double *u,          /* u = sum_j U_j y_j [n] */
        *d,             /* change of q [n] */
        *e,             /* k u, h (C + alpha M + beta K) v, M v, C v, M^-1 p / h [n] */
        *v;             /* velocities given for the start [n] */
    double **hv,        /* h v at the nodes [r][n]; of a Runge-Kutta method its stages h v */
        **kick;         /* Runge-Kutta: stages h p' [r][n] */
} noe_structure_scratch;

/* Energy balance. */
typedef struct {
    bool kept; /* loads or damping change the energy: work and dissipation count */
    /* Gauss nodes and weights for the power along a kick. */
    double node[NOE_POWER_NODES], weight[NOE_POWER_NODES];
} noe_structure_balance;

/* Options. */
typedef struct {
    int             threads;   /* 0: chosen by the size of K */
    int             window;    /* interval of stability in which the fastest mode may lie */
    bool            factorise; /* use factors even where polynomials would do */
    noe_factor_bits bits;      /* use of the BLAS */
} noe_structure_options;

/* All of an engine instance. */
typedef struct {
    noe_linear_state           at;     /* numbers of the state, and what a restart needs */
    noe_arena                 *arena;  /* owns the memory of this struct */
    const noe_dynamics        *dyn;    /* the system; borrowed */
    const noe_structure       *s;      /* its mass, damping, stiffness and load; borrowed */
    noe_method                 method; /* coefficients of the method */
    noe_thread_team           *team;   /* the threads; NULL: not made yet */
    const noe_chebyshev_stage *kernel; /* functions for the instruction set of this machine */
    noe_structure_state        state;
    noe_structure_matrices     matrix;
    noe_structure_prepared     prepared;
    noe_structure_scratch      scratch;
    noe_structure_balance      balance;
    noe_structure_options      option;
} noe_structure_engine;

/* Makes all that depends on the step length: factors or polynomials.  A message is set on
 * failure. */
noe_status noe_structure_prepare_make(noe_structure_engine *);
void       noe_structure_prepare_forget(noe_structure_engine *);
/* y = k x, by all threads; fetches what other processes own of x. */
void noe_structure_product_stiffness(noe_structure_engine *, double *x, double *y);
/* e = h (C + alpha M + beta K) x; overwrites u. */
void noe_structure_product_damping(noe_structure_engine *, double *x);
/* One step by polynomials; one step by factors. */
void noe_chebyshev_sweep_step(noe_structure_engine *);
void noe_structure_direct_step(noe_structure_engine *);
/* Newmark's method: factorises its equations; computes v and a at the start; makes one step. */
noe_status noe_structure_newmark_factorise(noe_structure_engine *);
void       noe_structure_newmark_start(noe_structure_engine *);
void       noe_structure_newmark_step(noe_structure_engine *);
/* The equations of all modes together: factorises them; solves them for d and u. */
noe_status noe_coupled_solve_factorise(noe_structure_engine *);
void       noe_coupled_solve_modes(noe_structure_engine *);
/* f[n] = load at t + c h.  False: it is not finite. */
bool noe_load_at_node(noe_structure_engine *, double c, double *f);
/* One step of a splitting or a Runge-Kutta method.  False: a load is not finite. */
bool noe_structure_explicit_step(noe_structure_engine *);
/* Energy balance: h v at the nodes after a step by polynomials; adds work and dissipation of a
 * step, from hv. */
void noe_structure_balance_look(noe_structure_engine *);
void noe_structure_balance_add(noe_structure_engine *);

/* structure_state.c: w->scratch.e = M^-1 p, false without memory; one coordinate; all of them. */
bool   noe_structure_state_velocities(noe_structure_engine *);
double noe_structure_state_one(void *engine, noe_engine_value, int i);
void   noe_structure_state_pieces(void *engine, noe_engine_piece *, void *ctx);

/* structure_fraction.c: steps of another length. */
extern const noe_engine_fraction noe_structure_fraction;

/* Is M the only matrix that has to be solved with? */
static inline bool noe_structure_engine_is_explicit(const noe_structure_engine *w)
{
    return w->method.kind == NOE_SPLITTING || w->method.kind == NOE_RUNGE_KUTTA;
}

/* structure_summary.c: one line about how the engine makes a step; does it use the BLAS? */
void noe_structure_summary_print(void *engine, char *text, size_t size);
bool noe_structure_summary_blas(const noe_structure_engine *);

/* The engine; NULL: it does not have the method, or the system is no structure. */
const noe_engine *noe_structure_engine_select(const noe_dynamics *, const noe_method *);

#endif
