/* det L_vv = 0 between two states, where velocities do not follow from momenta, or L singular?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SINGULARITY_GUARD_H
#define NOE_INTEGRATE_SINGULARITY_GUARD_H

#include "integrate/integrator.h"

enum {
    NOE_SINGULAR_MASS_MOST = 32, /* coordinates up to which a singular mass is looked for, */
    NOE_SINGULAR_BARRIER_MOST = 128
}; /* and a singular L */

struct noe_singularity_guard {
    int          n, wait, since;
    bool         poles;            /* L_vv is looked at */
    double       last;             /* m when it was looked at, `since` steps ago; NAN: never */
    bool         follows;          /* t1, q1 and u1 are those before this step, too */
    double       t0, t1, *q0, *q1; /* before and after the step that is looked at */
    void        *memory; /* the state before it, where the engine has no mark of its own */
    size_t       bytes;
    quad        *q, *v, *wide, *in, *out; /* scratch of singular_mass.c */
    double      *most, *slot, *z, *grad, *hess;
    long double *M;
    double      *way, *u;                             /* memory of q0 and q1, and of: */
    double      *u0, *u_half, *u1, *u_there, *u_slot; /* scratch of singular_barrier.c */
    quad        *f_in, *f_slot, *f_out;
    double       share; /* of the last step looked at where L is singular */
    double       near,
        near_t; /* the deepest dip of a denominator within a step, against its ends; when */
    double flat, flat_t; /* the same of m */
    double narrow_t;     /* when a step jumped over a narrow term of L; NAN: none did */
};

typedef struct { /* the way from one state to another */
    noe_integrator *g;
    double          t0, t1;
    const double   *q0, *q1;
} noe_step_path;

typedef struct {  /* a place on it where L_vv is singular */
    double share; /* of the way */
    double dip;   /* least m on the way against its ends, where it was looked for; else 1 */
    bool  *lost;  /* [n] coordinates whose velocities do not follow there, */
    bool  *moved; /* [n] and those whose motion alone leads there; both the caller's, or NULL */
} noe_singular_mass;

/* Before a step: is it time to look?  Remembers the state if so. */
bool noe_singularity_guard_due(noe_integrator *);
typedef enum { NOE_PASSED_NOTHING, NOE_PASSED_SINGULAR_MASS, NOE_PASSED_SINGULARITY } noe_passed;
/* After a step that was due: what it passed; the state is then that before the step (but of a guest, whose state stays),
 * the one after it is t1 and q1 of the guard. */
noe_passed noe_singularity_guard_passed(noe_integrator *);
/* So many steps to come are not looked at; that many, at most, are made without asking. */
int  noe_singularity_guard_rest(noe_integrator *);
void noe_singularity_guard_skip(noe_integrator *, int steps);
bool noe_singularity_guard_ready(noe_integrator *); /* makes it; false where it is not looked for */
void noe_singularity_guard_reset(
    noe_singularity_guard *); /* what was seen before is of another motion */
void noe_singularity_guard_free(noe_singularity_guard *);

/* singular_mass.c: m = the least pivot of L_vv at a share of the way, with the sign of det; is there a pole on it? */
double noe_singular_mass_pivot(const noe_step_path *, double share);
bool   noe_singular_mass_find(const noe_step_path *, noe_singular_mass *);

#endif
