/* Steps that pass close to a dead point of constraints without resolving it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONSTRAINT_DEAD_POINT_WATCH_H
#define NOE_CONSTRAINT_DEAD_POINT_WATCH_H

#include "constraint/constraint_point.h"

typedef struct noe_dead_point_watch {
    noe_constraint_point *x;
    double               *before, *now, /* [constraints][n] unit gradients at the ends of a step */
        *others,                        /* [constraints][n] scratch */
        *r0, *r1,                       /* [n] what of one of them is independent of the others */
        *root, *inverse;                /* [n] sqrt(M_jj), 1 over that: units of the coordinates */
    double *q0, *v0;                    /* [n] positions and velocities before the step */
    double *slot, *mass_slot;           /* slots of the tapes of constraints and masses */
    int    *block_of, blocks;           /* [n] coupled sets of coordinates, and their number */
    int    *set;                        /* [constraints] that of their coordinates */
    double  t0;                         /* time before the step */
    bool    follows;                    /* `before` is known, at (t0, q0) */
    bool    weighed;                    /* `root` is known, at the state that was looked at last */
    int     wait;                       /* steps that need no look */
    int     constraint;                 /* of the first dead point that a step did not resolve */
    double  t;                          /* end of that step; NAN: there was none */
} noe_dead_point_watch;

/* 1/sine^2 between gradients, as NOE_AT_DEPENDENCE, below which no step has to be looked at: a sine
 * of 0.3, three times CLOSE of dead_point_watch.c, from which on nothing is told. */
static const double NOE_DEPENDENCE_NEAR = 1 / (0.3 * 0.3);

/* NULL: there is nothing to watch (one constraint, or too many), or no memory. */
noe_dead_point_watch *noe_dead_point_watch_new(const noe_dynamics *);
void                  noe_dead_point_watch_free(noe_dead_point_watch *);
/* Before and after a step that has to be looked at, wait <= 0; left_out [constraints]: those that
 * the run leaves out. */
void noe_dead_point_watch_begin(noe_dead_point_watch *, double t, const double *q, const double *v,
                                const quad *left_out);
void noe_dead_point_watch_end(noe_dead_point_watch *, double t, const double *q, const double *v);

#endif
