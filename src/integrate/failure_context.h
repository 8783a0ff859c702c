/* Failure context: the last good state, the straight path q + s h v ahead of it, and the message.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_FAILURE_CONTEXT_H
#define NOE_INTEGRATE_FAILURE_CONTEXT_H

#include "integrate/linearization.h"

typedef struct {
    noe_integrator   *g;
    noe_linearization x; /* L and its derivatives at the state looked at last */
    int               n; /* coordinates */
    /* Time, step and [n] positions and velocities of the last good state; [n] a position ahead. */
    quad       t, h, *q, *v, *there;
    double    *rate;                    /* [n] row sums of |L_qq| scaled by the masses, 1/time^2 */
    char       cause[560], advice[320]; /* the two parts of the message */
    noe_status status;                  /* the status that the message will have */
} noe_failure_context;

/* False where the system cannot be examined; the context has to be closed in either case. */
bool noe_failure_context_open(noe_failure_context *, noe_integrator *, noe_status why);
void noe_failure_context_close(noe_failure_context *);

#define noe_failure_context_cause(s, ...) \
    noe_status_append((s)->cause, sizeof(s)->cause, __VA_ARGS__)
#define noe_failure_context_advise(s, ...) snprintf((s)->advice, sizeof(s)->advice, __VA_ARGS__)
static inline const char *noe_failure_context_name(const noe_failure_context *s, int i)
{
    return noe_system_name(s->g->system, i);
}
/* Appends "x, y and z", the names of the chosen coordinates, to the cause; returns their number. */
int noe_failure_context_names(noe_failure_context *, const bool *chosen);
/* Appends "theta = 0, phi = 1.2", the chosen coordinates of q + share d, to the cause. */
void noe_failure_context_places(noe_failure_context *, const bool *chosen, const quad *q,
                                const quad *d, double share);
/* Sets the message of step, cause and advice; returns the status. */
noe_status noe_failure_context_tell(noe_failure_context *);

/* Evaluates L's derivatives at q + share h v: are they all finite? */
bool noe_failure_context_good(noe_failure_context *, double share);
/* Computes `rate` from the derivatives evaluated last; returns the largest. */
double noe_failure_context_stiffness(noe_failure_context *);
/* The angle omega h at which a method becomes unstable; INFINITY: never, or no step is stable. */
double noe_failure_context_edge(const char *method);
/* kink.c: does a force jump where a velocity vanishes within the step?  Sets cause and advice if
 * so. */
bool noe_kink_find(noe_failure_context *);
/* collision.c: a collision, or a motion that runs away?  Sets cause and advice if so. */
bool noe_collision_find(noe_failure_context *, double edge);

#endif
