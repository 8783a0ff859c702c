/* Energy change H(t) - H(0) of a run in binary128, and its sensitivity to rounding of the state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Neither depends on a constant in V.  Rounded momenta change the energy by |v| |p| eps; rounded
 * forces, at rounded positions, change it by |v| |dF| h in a step.  Positions are stored
 * with the compensation of their rounding and contribute nothing. */
#ifndef NOE_INSPECT_QUAD_ENERGY_H
#define NOE_INSPECT_QUAD_ENERGY_H

#include "inspect/random_state.h"
#include "integrate/integrator.h"

typedef struct {
    noe_state_sampler at;    /* evaluates L in binary128 */
    noe_random_state *x;     /* the present state */
    bool              begun, /* H0 is known */
        sampled,     /* L is a model; for L in C the energy is the integrator's, in double */
        constrained; /* constraints hold to the rounding of positions, which moves the energy */
    double h;        /* step */
    quad   H0;       /* energy at the start */
    double motion_energy; /* largest sum |p_i v_i|/2: the energy of motion */
    double unit;          /* largest change of H in a step per relative rounding error of 1 */
    double push; /* largest momentum that forces make in a step, and that their rounding is of */
} noe_quad_energy;

/* False with a message; must be closed in either case. */
bool noe_quad_energy_open(noe_quad_energy *, const noe_system *, quad h);
/* H - H0 at the present state; the first call sets H0. */
quad noe_quad_energy_look(noe_quad_energy *, noe_integrator *);
/* Scale of energy errors: the largest energy of motion. */
double noe_quad_energy_scale(const noe_quad_energy *);
void   noe_quad_energy_close(noe_quad_energy *);

#endif
