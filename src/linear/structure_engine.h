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
    noe_arena          *arena;
    const noe_dynamics *dyn;
    const noe_linear   *s;
    noe_method          method;
    noe_state           at;
    double             *q, *p, *dq, *dp, *r; /* of the state: q, pi = h p, and rho = k q with it */
    double             *vh, *ah;             /* of the state of Newmark's step: h v and h^2 a */
    double              scale;               /* what its equations were divided by */
    double             *v;                   /* [n] given velocities */
    noe_blocked        *k;                   /* h^2 K/24 */
    noe_team           *team;
    const noe_stages   *kernel;
    noe_shift          *mass;                /* solves with M */
    double              omega2;              /* of the fastest mode, from above; NAN: not known yet */
    double              h;                   /* what follows is made for this step; 0: nothing yet */
    noe_pencil          x;
    noe_shift          *shift[NOE_PENCIL];   /* one each, NULL: that is the mass */
    noe_shift          *whole;               /* all modes at once: damping that is no sum of M and K */
    bool                polynomial;
    noe_poly            poly;
    double             *room, **f;           /* scratch; [r][n] loads */
    double             *g, *y[NOE_PENCIL], *u, *d, *e;
    bool                books;               /* something changes the energy: */
    double              look[8], share[8];   /* of a kick: where its power is looked at, Gauss */
    double            **hv, **kick;          /* [r][n] h v at the nodes; of Runge-Kutta the stages, hv and h p' */
    int                 threads, window;     /* options */
    bool                factorise;
    noe_bits            bits;
    noe_status          why;
} noe_large;

/* All that depends on the length of the step. */
noe_status noe_large_prepare(noe_large *); /* with a message when it fails */
void       noe_large_forget(noe_large *);
/* y = k x, by all threads. */
void       noe_large_times(noe_large *, const double *x, double *y);
void       noe_large_polynomial(noe_large *); /* one step */
void       noe_large_direct(noe_large *);
noe_status noe_large_effective(noe_large *); /* factorises Newmark's equations */
void       noe_large_at_rest(noe_large *);   /* its v and a at the start */
void       noe_large_newmark(noe_large *);   /* one step */
noe_status noe_large_whole(noe_large *); /* factorises the equations of all modes */
void       noe_large_modes(noe_large *); /* solves them: d and u */
void       noe_large_damping(noe_large *, const double *x); /* e = h C x by all its parts; needs u */
bool       noe_large_load(noe_large *, double c, double *f); /* at t + c h; false: it is not finite */
bool       noe_large_explicit(noe_large *);  /* one step, splitting or Runge-Kutta; false: its load is not finite */
void       noe_large_looks(noe_large *);     /* hv of the polynomials */
void       noe_large_settle(noe_large *);    /* the books of a step, from hv */

const noe_core *noe_large_core(const noe_dynamics *, const noe_method *); /* NULL: not covered */

#endif
