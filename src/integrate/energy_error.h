/* Energy error of a run relative to the energy that the motion exchanges: |H_B(t) - H_B(0)| / Y_B.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_ENERGY_ERROR_H
#define NOE_INTEGRATE_ENERGY_ERROR_H

#include "integrate/integrator.h"

/* Steps of a run, or rows, before which its velocities have hardly begun to vary: guards that
 * compare with what they have varied take other limits there. */
enum { NOE_FEW_STEPS = 16 };
/* Coordinates up to which it is measured. */
enum { NOE_ENERGY_COORDINATES = 64 };

typedef struct {
    double size;   /* the largest since the start, relative; NAN: not measured */
    double t;      /* time at which it was found */
    int    place;  /* number of a coordinate in its block B */
    bool   driven; /* it is that of the energy balance: t, forces or impacts act on B */
    bool   large;  /* so large that the computed motion is not that of the system */
} noe_energy_error;

/* Is it measured for this integrator? */
bool noe_energy_error_known(const noe_integrator *);
/* Begins the measurement, at a start. */
noe_status noe_energy_error_begin(noe_integrator *);
/* Measures the present state; returns the largest error so far over the present Y. */
noe_energy_error noe_energy_error_look(noe_integrator *);
/* |L_vv| [n][n] of the last state that was looked at; NULL: not measured. */
const double *noe_energy_error_masses(const noe_integrator *);
void          noe_energy_error_free(noe_energy_monitor *);

#endif
