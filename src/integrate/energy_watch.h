/* Energy error between looks: steps around a risen velocity jump are repeated, with looks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_ENERGY_WATCH_H
#define NOE_INTEGRATE_ENERGY_WATCH_H

#include "integrate/energy_error.h"

/* After so many steps the jumps of the velocities are read. */
enum { NOE_WATCH_STEPS = 128 };

/* Begins the watch over integrators whose engine state is one: [members] integrators, which stay
 * where they are.  *to = NULL where their energy errors are not measured. */
noe_status noe_energy_watch_new(noe_integrator *const *, int members, noe_energy_watch **to);
void       noe_energy_watch_free(noe_energy_watch *);
/* Before a change of the state otherwise than by steps: looks back, and stores a state anew after
 * the next step. */
void noe_energy_watch_forget(noe_energy_watch *);

/* After a step of the integrators of which `going` has a bit, when nobody wants that step's
 * derivative or polynomial any more. */
void noe_energy_watch_step(noe_energy_watch *, unsigned going);
/* The same as noe_energy_error_look, and for what has happened since the last look. */
noe_energy_error noe_energy_watch_look(noe_integrator *);

#endif
