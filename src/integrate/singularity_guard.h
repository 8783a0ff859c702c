/* Singularity guard: detects steps that passed det L_vv = 0 or a singularity of L.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SINGULARITY_GUARD_H
#define NOE_INTEGRATE_SINGULARITY_GUARD_H

#include "integrate/integrator.h"
#include "tape/tape_double.h"

enum {
    /* Coordinates up to which a singular mass matrix is looked for. */
    NOE_SINGULAR_MASS_MOST = 32,
    /* Coordinates up to which a singularity of L is looked for. */
    NOE_SINGULAR_BARRIER_MOST = 128,
    /* Short intervals of another sign that are looked for within a step. */
    NOE_SPLITS_MOST = 8,
    /* Kinks of L in positions that are looked for within a step. */
    NOE_KINKS_MOST = 16
};

typedef struct noe_impulse_losses noe_impulse_losses;

struct noe_singularity_guard {
    /* Coordinates; steps until the next check; steps since the last one. */
    int    n, wait, since;
    bool   checks_mass; /* L_vv is checked */
    double last;        /* m = scaled least pivot of L_vv at the last check; NAN: none so far */
    bool   follows; /* the step before was checked: t1, q1 and u1 are the state before this step */
    /* Times and [n] positions before and after the step that is checked. */
    double t0, t1, *q0, *q1;
    /* [bytes] engine state before that step, where the engine cannot remember it itself. */
    void  *memory;
    size_t bytes;
    /* Scratch of singular_mass.c: */
    quad *q, *v,          /* [n] each: a state on the path */
        *wide,            /* slots of the Legendre tape in binary128 */
        *in, *out;        /* inputs and outputs of that tape */
    double *most,         /* [n] largest entries of row i of L_vv so far */
        *slot,            /* slots of the Legendre tape in double */
        *z, *grad,        /* [2n] each: arguments and gradient of an L in C */
        *hess;            /* [2n][2n] its Hessian */
    long double *M;       /* [n][n] the scaled mass matrix */
    double      *way, *u; /* the memory of q0 and q1; of u0 to u_slot */
    /* Scratch of singular_barrier.c: */
    double *u0, *u_half, *u1, /* arguments u of singular terms at 0, 1/2 and 1 of the step */
        *u_rate,              /* change of u within the step that was checked last */
        *u_there,             /* the same at any other fraction of the step */
        *u_slot;              /* slots of the tape of u */
    noe_double_pair *u_slots; /* the same for two places at once */
    bool             rated;   /* u_rate is known */
    quad            *f_in, *f_slot, *f_out; /* inputs, slots and outputs of the tape of F */
    double           share; /* fraction of the step checked last at which L is singular */
    /* Smallest ratio so far of the least |u| within a step to the lesser |u| of its ends (1: it was
     * at an end in each step); its time. */
    double least_u_ratio, least_u_t;
    double least_m_ratio, least_m_t; /* the same for m */
    double narrow_t; /* time of a step that jumped over a narrow term of L; NAN: none */
    /* Fractions of the step checked last between which an argument of dyn.times that has one sign
     * at both ends has the other. */
    double              split[NOE_SPLITS_MOST];
    int                 splits;
    noe_impulse_losses *impulse; /* what jumps in time cost: integrate/lost_impulse.c; or NULL */
};

/* A path from (t0, q0) to (t1, q1), positions [n]: a straight line, or the polynomial of the step
 * that the integrator has just made. */
typedef struct {
    noe_integrator *g;
    double          t0, t1;
    const double   *q0, *q1;
    bool            curved; /* it is that polynomial */
} noe_step_path;

/* step_path.c: the time at a fraction of the path; there the difference to q0, and velocities
 * [n]. */
double noe_step_path_at(const noe_step_path *, double share, double *dq, double *v);
/* t, q and, of a tape with velocities, v there into the slots of that tape. */
void noe_step_path_place(const noe_step_path *, double share, double *slot, bool moves);
/* u = the outputs of the tape dyn.singular there, by its slots. */
void noe_step_path_arguments(const noe_step_path *, double share, double *slot, double *u);
/* The minimum of the parabola through a, b, c at 0, 1/2 and 1 of the path; *share: its place, where
 * it is between the ends. */
double noe_step_path_least_of_parabola(double a, double b, double c, double *share);

/* A place on a path where L_vv is singular. */
typedef struct {
    double share; /* fraction of the path */
    double dip;   /* least m on the path over the lesser m of its ends; 1 where not looked for */
    /* [n] the velocities of these coordinates are not determined by the momenta there; the caller's
     * memory, or NULL. */
    bool *lost;
    /* [n] the motion of this coordinate alone leads to the place; the caller's memory, or NULL. */
    bool *moved;
} noe_singular_mass;

/* Before a step: has it to be checked?  Stores the state if so. */
bool noe_singularity_guard_due(noe_integrator *);
typedef enum { NOE_PASSED_NOTHING, NOE_PASSED_SINGULAR_MASS, NOE_PASSED_SINGULARITY } noe_passed;
/* After a step that has to be checked: what it passed.  If anything, the state before the step is
 * restored (except in an integrator that borrows its engine state), and t1 and q1 of the guard have
 * the state after it. */
noe_passed noe_singularity_guard_passed(noe_integrator *);
/* noe_.._rest: the number of steps to come that need no check; noe_.._skip: so many of them were
 * made without a call of noe_singularity_guard_due. */
int  noe_singularity_guard_rest(noe_integrator *);
void noe_singularity_guard_skip(noe_integrator *, int steps);
/* Makes the guard of an integrator; false where there is nothing to check. */
bool noe_singularity_guard_ready(noe_integrator *);
/* Forgets all measurements: the motion does not continue that of before. */
void noe_singularity_guard_reset(noe_singularity_guard *);
/* The state was set back by a part of a step: what was found stays, and what that part passed. */
void noe_singularity_guard_set_back(noe_singularity_guard *);
void noe_singularity_guard_free(noe_singularity_guard *);

/* singular_mass.c: _pivot: m = the least pivot of L_vv at a fraction of the path, with the sign of
 * det L_vv; _find: is L_vv singular on the straight line? */
double noe_singular_mass_pivot(const noe_step_path *, double share);
bool   noe_singular_mass_find(const noe_step_path *, noe_singular_mass *);

/* What one step passed. */
typedef struct {
    bool   passed; /* L is singular on the path */
    double share;  /* fraction of the path at which it is */
    bool   jumps;  /* a force jumps in time within the step */
    bool   narrow; /* the step jumps over a narrow term of L */
    double near;   /* least |u| on the path over the lesser |u| of its ends; 1 where no u dips */
    double calm;   /* half the number of steps in which no u can vanish */
} noe_singular_barrier;

/* singular_barrier.c: examines the path of one step; w->g has dyn.singular and a guard. */
noe_singular_barrier noe_singular_barrier_between(const noe_step_path *);

/* A place at which an argument of dyn.singular changes its sign within a step. */
typedef struct {
    double share;    /* fraction of the path */
    int    argument; /* its number */
} noe_kink;

/* passed_region.c: what F is between the first and the last of several kinks of one step, and how L
 * jumps at each; sorts the kinks. */
void noe_passed_region_measure(const noe_step_path *, noe_kink *, int kinks);

/* What was lost since the start, at most in one step. */
typedef struct {
    double size;  /* largest loss of a velocity, by its standard deviation; 0: none */
    int    place; /* its coordinate */
    double t;     /* end of that step */
    bool   large; /* size is above LARGE_LOSS of integrate/lost_impulse.c */
    /* End of a step that passed a region between kinks of L, or a jump of L, in which a velocity
     * changes by so much; NAN: none. */
    double passed;
} noe_lost_impulse;

/* lost_impulse.c: the impulse that a step loses where a force jumps or varies within it.  _new:
 * NULL where the measure does not apply (forces that do neither, or an engine that keeps no
 * deviations of velocities), or without memory; _add: measures one step, within which an
 * argument of dyn.times changed its sign, or one of dyn.pulses changed by much. */
noe_impulse_losses *noe_lost_impulse_new(const noe_integrator *);
void                noe_lost_impulse_free(noe_impulse_losses *);
void                noe_lost_impulse_reset(noe_impulse_losses *);
void                noe_lost_impulse_add(const noe_step_path *);
noe_lost_impulse    noe_lost_impulse_of(const noe_integrator *);

/* What the two files share.  _force: F [n] there, valid until the next call; _keep: keeps
 * impulses [n] of one step, by the step, as losses of velocities that are the largest so far. */
struct noe_impulse_losses {
    int     nodes;            /* of the method's quadrature */
    double *share, *weight;   /* [nodes] c_i and b_i of the quadrature */
    double *loss, *when;      /* [n] the largest loss of velocity j so far; its time */
    double *missed, *passed;  /* [n] the same of regions between kinks */
    double *sum;              /* [n] int F - sum_i b_i F; int F - (F outside) so far */
    double *low, *high;       /* [n] least and largest F_j outside a region */
    double *most;             /* [n] largest |sum| on the way through it */
    double *force;            /* [n] F at the place that was looked at last */
    double *u, *u_slot;       /* arguments of dyn.singular and the slots of that tape */
    double *before, *after;   /* arguments at the ends of a piece */
    double *slot, *mass_slot; /* slots of the gradient's and the Legendre tape */
};
const double *noe_lost_impulse_force(const noe_step_path *, double share);
void          noe_lost_impulse_keep(const noe_step_path *, const double *impulse, double *largest,
                                    double *when);

#endif
