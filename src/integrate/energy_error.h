/* |H_B(t) - H_B(0)| / Y_B: what a run has got wrong of the energy, by what the motion exchanges.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_ENERGY_ERROR_H
#define NOE_INTEGRATE_ENERGY_ERROR_H

#include "integrate/integrator.h"

typedef struct {
    double size;  /* the largest since the start; NAN: not measured */
    double t;     /* when */
    int    place; /* a coordinate of its block */
    bool   large; /* the motion is not this one */
} noe_energy_error;

noe_status       noe_energy_error_begin(noe_integrator *); /* at a start */
noe_energy_error noe_energy_error_look(
    noe_integrator *); /* looks now: the largest so far by the Y of now */
void noe_energy_error_free(noe_energy_books *);

#endif
