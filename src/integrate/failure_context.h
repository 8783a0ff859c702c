/* the last good state, the straight way q + s h v ahead of it, and what is said about them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_FAILURE_CONTEXT_H
#define NOE_INTEGRATE_FAILURE_CONTEXT_H

#include "integrate/linearization.h"

typedef struct {
    noe_integrator *g;
    noe_local       x;
    int             n;
    quad            t, h, *q, *v, *there; /* the last good state; a state ahead */
    double         *rate; /* [n]: sums of rows of |L_qq| over the masses */
    char            cause[560], advice[320];
    noe_status      status;
} noe_scene;

/* False where there is nothing to look at; close it all the same. */
bool noe_scene_open(noe_scene *, noe_integrator *, noe_status why);
void noe_scene_close(noe_scene *);

#define noe_scene_cause(s, ...) noe_append((s)->cause, sizeof (s)->cause, __VA_ARGS__)
#define noe_scene_advise(s, ...) snprintf((s)->advice, sizeof (s)->advice, __VA_ARGS__)
static inline const char *noe_scene_name(const noe_scene *s, int i) { return noe_system_name(s->g->system, i); }
/* "x, y and z" of the chosen ones; how many. */
int        noe_scene_names(noe_scene *, const bool *chosen);
/* "theta = 0, phi = 1.2" at a share of the way d from q. */
void       noe_scene_places(noe_scene *, const bool *chosen, const quad *q, const quad *d, double share);
noe_status noe_scene_tell(noe_scene *); /* the message, and its status */

/* L and its derivatives at a share of the way: are they finite? */
bool   noe_scene_good(noe_scene *, double share);
double noe_scene_stiffness(noe_scene *); /* the rates, with the state good; the largest of them */
/* The angle omega h at which a method becomes unstable; INFINITY: it does not, or no step is stable. */
double noe_scene_edge(const char *method);
/* kink.c: does a force jump with a velocity that vanishes within the step? */
bool   noe_scene_sticks(noe_scene *);
/* collision.c: a collision, or a motion that runs away? */
bool   noe_scene_collides(noe_scene *, double edge);

#endif
