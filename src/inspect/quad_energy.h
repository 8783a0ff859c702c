/* H(t) - H(0) in binary128 from the states of a run; and how much of it the rounding of a state makes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A constant in V is in neither.  Momenta that are rounded have an energy that is off by |v| |p| eps; forces that are rounded, at
 * positions that are, change it by |v| |dF| h in a step.  Positions themselves are carried with their rounding. */
#ifndef NOE_INSPECT_QUAD_ENERGY_H
#define NOE_INSPECT_QUAD_ENERGY_H

#include "inspect/random_state.h"
#include "integrate/integrator.h"

typedef struct {
    noe_state_sampler at;
    noe_random_state *x;
    bool              begun, sampled; /* a model; functions in C tell their energy in double */
    double            h;
    quad              H0;
    double            moved; /* largest sum |p_i v_i|/2: the energy of motion */
    double unit; /* largest change of H that a relative rounding of 1 makes, within a step */
} noe_quad_energy;

bool   noe_quad_energy_open(noe_quad_energy *, const noe_system *,
                            quad h); /* false with a message; close it all the same */
quad   noe_quad_energy_look(noe_quad_energy *,
                            noe_integrator *); /* H - H0; the first state is the start */
double noe_quad_energy_scale(
    const noe_quad_energy *); /* what errors compare with: the energy of motion */
void noe_quad_energy_close(noe_quad_energy *);

#endif
