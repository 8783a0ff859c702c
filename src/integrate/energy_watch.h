/* Energy error between looks: steps around a risen velocity jump are repeated, with looks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_ENERGY_WATCH_H
#define NOE_INTEGRATE_ENERGY_WATCH_H

#include "integrate/energy_error.h"

/* After so many steps the jumps of the velocities are read. */
enum { NOE_WATCH_STEPS = 128 };

/* Begins the watch over integrators whose engine state is one: [members] integrators, which stay
 * where they are.  *to: NULL, or the watch of an earlier run of this engine state, whose memory is
 * used again; becomes NULL where their energy errors are not measured. */
noe_status noe_energy_watch_begin(noe_energy_watch **to, noe_integrator *const *, int members);
void       noe_energy_watch_free(noe_energy_watch *);
/* Before a change of the state otherwise than by steps: looks back, and stores a state anew after
 * the next step. */
void noe_energy_watch_forget(noe_energy_watch *);

/* Before a member is given other constants: takes the samples of halved steps that are due. */
void noe_energy_watch_settle(noe_energy_watch *);

/* After a step of the integrators of which `going` has a bit, when nobody wants that step's
 * derivative or polynomial any more. */
void noe_energy_watch_step(noe_energy_watch *, unsigned going);
/* The same as noe_energy_error_look, and for what has happened since the last look. */
noe_energy_error noe_energy_watch_look(noe_integrator *);

/* halved_steps.c: sums over the samples of one coordinate, each with the steps w that it stands
 * for. */
typedef struct {
    double w, v, vv, a, aa; /* at the end of the step; v since that of the first sample */
    double u, b, uu, ub;    /* u = v half way, b = -v'' there */
    double dd, qq;          /* what the whole step differs from its halves: dv^2, dq^2 */
    double origin, fastest; /* v of the first sample; max |v| */
} noe_halved_sums;
typedef struct noe_halved_steps noe_halved_steps;
/* Begins the samples of integrators whose engine state is one, as noe_energy_watch_begin(); *to =
 * NULL where there are none. */
noe_status noe_halved_steps_begin(noe_halved_steps **to, noe_integrator *const *, int members);
void       noe_halved_steps_free(noe_halved_steps *);
/* Before a step of the integrators of which `going` has a bit. */
void noe_halved_steps_look(noe_halved_steps *, unsigned going);
/* Takes the samples of the states that are stored. */
void noe_halved_steps_settle(noe_halved_steps *);
/* The sums [n] of a member; its samples, and all steps so far. */
const noe_halved_sums *noe_halved_steps_sums(noe_halved_steps *, int member, int *samples,
                                             double *steps);
/* States of the last samples: t, q [n] and v [n] of the k-th of them, k = 0 .. count - 1. */
enum { NOE_HALVED_STEPS_KEPT = 6 };
typedef struct {
    double        t;     /* time */
    const double *q, *v; /* [n] positions, velocities */
} noe_halved_state;
int noe_halved_steps_kept(noe_halved_steps *, int member,
                          noe_halved_state to[NOE_HALVED_STEPS_KEPT]);
/* Adds a sample to the sums [n] of one member: velocities before, half way and at the end of a
 * step h, and by what the whole step differs from its halves, dq and dv, [n] each. */
void noe_halved_steps_add(noe_halved_sums *, int n, double h, double w, const double *v0,
                          const double *vh, const double *v1, const double *dq, const double *dv);
/* Between 0 and 1, another one for each k: samples not evenly apart, or a period of the motion
 * could be a multiple of their distance. */
double noe_halved_steps_uneven(double k);
/* NULL: none. */
noe_halved_steps *noe_energy_watch_halved(noe_energy_watch *);

#endif
