/* a structure's step by factors of M + lambda K, or by polynomials of K.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_STRUCTURE_ENGINE_H
#define NOE_LINEAR_STRUCTURE_ENGINE_H

#include "base/arena.h"
#include "matrix/eigen_max.h"
#include "linear/chebyshev_stage.h"
#include "linear/linear_state.h"
#include "base/thread_team.h"

typedef struct {
    noe_arena           *arena;
    const noe_dynamics  *dyn;
    const noe_structure *s;
    noe_method           method;
    noe_linear_state     at;
    double              *q, *p, *dq, *dp, *r; /* of the state: q, pi = h p, and rho = k q with it */
    double              *vh, *ah;             /* of the state of Newmark's step: h v and h^2 a */
    double               scale;               /* what its equations were divided by */
    double              *v;                   /* [n] given velocities */
    noe_block_rows      *k;                   /* h^2 K/24 */
    noe_thread_team     *team;
    const noe_chebyshev_stage *kernel;
    noe_factorization         *mass;   /* solves with M */
    double                     omega2; /* of the fastest mode, from above; NAN: not known yet */
    double                     h;      /* what follows is made for this step; 0: nothing yet */
    noe_stage_pencil           x;
    noe_factorization         *shift[NOE_PENCIL]; /* one each, NULL: that is the mass */
    noe_factorization         *whole; /* all modes at once: damping that is no sum of M and K */
    bool                       polynomial;
    noe_chebyshev_step         poly;
    double                    *room, **f; /* scratch; [r][n] loads */
    double                    *g, *y[NOE_PENCIL], *u, *d, *e;
    bool                       books; /* something changes the energy: */
    double   look[8], share[8];       /* of a kick: where its power is looked at, Gauss */
    double **hv, **kick;      /* [r][n] h v at the nodes; of Runge-Kutta the stages, hv and h p' */
    int      threads, window; /* options */
    bool     factorise;
    noe_factor_bits bits;
    noe_status      why;
} noe_structure_engine;

/* All that depends on the length of the step. */
noe_status noe_structure_prepare_make(noe_structure_engine *); /* with a message when it fails */
void       noe_structure_prepare_forget(noe_structure_engine *);
/* y = k x, by all threads. */
void       noe_chebyshev_sweep_product(noe_structure_engine *, const double *x, double *y);
void       noe_chebyshev_sweep_step(noe_structure_engine *); /* one step */
void       noe_structure_direct_step(noe_structure_engine *);
noe_status noe_structure_newmark_factorize(
    noe_structure_engine *);                                    /* factorises Newmark's equations */
void       noe_structure_newmark_start(noe_structure_engine *); /* its v and a at the start */
void       noe_structure_newmark_step(noe_structure_engine *);  /* one step */
noe_status noe_coupled_solve_factorize(
    noe_structure_engine *);                          /* factorises the equations of all modes */
void noe_coupled_solve_modes(noe_structure_engine *); /* solves them: d and u */
void noe_structure_newmark_damping(noe_structure_engine *,
                                   const double *x); /* e = h C x by all its parts; needs u */
bool noe_load_at_node(noe_structure_engine *, double c,
                      double *f); /* at t + c h; false: it is not finite */
bool noe_structure_explicit_step(
    noe_structure_engine *); /* one step, splitting or Runge-Kutta; false: its load is not finite */
void noe_structure_balance_look(noe_structure_engine *); /* hv of the polynomials */
void noe_structure_balance_add(noe_structure_engine *);  /* the books of a step, from hv */

const noe_engine *noe_structure_engine_select(const noe_dynamics *,
                                              const noe_method *); /* NULL: not covered */

#endif
