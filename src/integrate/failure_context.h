/* the last good state, the straight way q + s h v ahead of it, and what is said about them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_FAILURE_CONTEXT_H
#define NOE_INTEGRATE_FAILURE_CONTEXT_H

#include "integrate/linearization.h"

typedef struct {
    noe_integrator   *g;
    noe_linearization x;
    int               n;
    quad              t, h, *q, *v, *there; /* the last good state; a state ahead */
    double           *rate;                 /* [n]: sums of rows of |L_qq| over the masses */
    char              cause[560], advice[320];
    noe_status        status;
} noe_failure_context;

/* False where there is nothing to look at; close it all the same. */
bool noe_failure_context_open(noe_failure_context *, noe_integrator *, noe_status why);
void noe_failure_context_close(noe_failure_context *);

#define noe_scene_cause(s, ...) noe_status_append((s)->cause, sizeof(s)->cause, __VA_ARGS__)
#define noe_scene_advise(s, ...) snprintf((s)->advice, sizeof(s)->advice, __VA_ARGS__)
static inline const char *noe_failure_context_name(const noe_failure_context *s, int i)
{
    return noe_system_name(s->g->system, i);
}
/* "x, y and z" of the chosen ones; how many. */
int noe_failure_context_names(noe_failure_context *, const bool *chosen);
/* "theta = 0, phi = 1.2" at a share of the way d from q. */
void       noe_failure_context_places(noe_failure_context *, const bool *chosen, const quad *q,
                                      const quad *d, double share);
noe_status noe_failure_context_tell(noe_failure_context *); /* the message, and its status */

/* L and its derivatives at a share of the way: are they finite? */
bool   noe_failure_context_good(noe_failure_context *, double share);
double noe_failure_context_stiffness(
    noe_failure_context *); /* the rates, with the state good; the largest of them */
/* The angle omega h at which a method becomes unstable; INFINITY: it does not, or no step is stable. */
double noe_failure_context_edge(const char *method);
/* kink.c: does a force jump with a velocity that vanishes within the step? */
bool noe_kink_find(noe_failure_context *);
/* collision.c: a collision, or a motion that runs away? */
bool noe_collision_find(noe_failure_context *, double edge);

#endif
