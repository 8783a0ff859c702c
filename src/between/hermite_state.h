/* A finite-element structure between two grid points, by Hermite interpolation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * q by the polynomial of degree 5 with q, q', q'' of both ends, and p by that with p, p', p'',
 * p' = F = f - K q - C v; with a load f(t), whose derivative is not known, p by that of degree 3.
 * Errors O(h^6), and O(h^4) of p with a load.  Sums of p that F does not change stay constant. */
#ifndef NOE_BETWEEN_HERMITE_STATE_H
#define NOE_BETWEEN_HERMITE_STATE_H

#include "integrate/integrator.h"

/* A grid point: time t; [n] positions q, velocities v, accelerations a, momenta p, forces F and,
 * without a load, G = dF/dt. */
typedef struct {
    double t, *q, *v, *a, *p, *F, *G;
} noe_hermite_end;

enum { NOE_HERMITE_ROOM = 12 };
/* Lays the arrays of both ends out in room [NOE_HERMITE_ROOM][n]. */
void noe_hermite_state_lay_out(noe_hermite_end ends[2], int n, double *room);
/* Reads the present state of the integrator, of an engine with `place`. */
noe_status noe_hermite_state_read(noe_integrator *, noe_hermite_end *);
/* q and p [n] at the fraction c of the way from ends[0] to ends[1]. */
void noe_hermite_state_between(const struct noe_structure *, const noe_hermite_end ends[2],
                               double c, double *q, double *p);

#endif
