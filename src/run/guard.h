/* det L_vv = 0 between two states? There velocities do not follow from momenta.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_RUN_GUARD_H
#define NOE_RUN_GUARD_H

#include "run/integrator.h"

enum { NOE_GUARD_MOST = 32 }; /* coordinates up to which it is looked for */

struct noe_guard {
    int         n, wait, since;
    double      last;  /* m when it was looked at, `since` steps ago; NAN: never */
    quad        t0, *q0;
    void       *memory; /* of the state before a step */
    size_t      bytes;
    quad       *q, *v, *wide, *in, *out; /* scratch of pole.c */
    double     *most, *slot, *z, *grad, *hess;
    long double *M;
};

typedef struct { /* the way from one state to another */
    noe_integrator *g;
    quad            t0, t1;
    const quad     *q0, *q1;
} noe_way;

typedef struct { /* a place on it where L_vv is singular */
    double share;  /* of the way */
    bool  *lost;   /* [n] coordinates whose velocities do not follow there, */
    bool  *moved;  /* [n] and those whose motion alone leads there; both the caller's, or NULL */
} noe_pole;

/* Before a step: is it time to look?  Remembers the state if so. */
bool noe_guard_due(noe_integrator *);
/* After a step that was due: true when it passed a pole; the state is then that before the step (but of a guest,
 * whose state stays), q1 the one after it. */
bool noe_guard_passed(noe_integrator *, quad *t1, quad *q1);
/* So many steps to come are not looked at; that many, at most, are made without asking. */
int  noe_guard_rest(noe_integrator *);
void noe_guard_skip(noe_integrator *, int steps);
bool noe_guard_ready(noe_integrator *);  /* makes it; false where it is not looked for */
void noe_guard_reset(noe_guard *); /* what was seen before is of another motion */
void noe_guard_free(noe_guard *);

/* pole.c: m = the least pivot of L_vv at a share of the way, with the sign of det; is there a pole on it? */
double noe_pole_pivot(const noe_way *, double share);
bool   noe_pole_find(const noe_way *, noe_pole *);

#endif
