/* Random states (t, q, v) on the scales of a trial run, with the values of state_values.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_RANDOM_STATE_H
#define NOE_INSPECT_RANDOM_STATE_H

#include "inspect/state_values.h"

/* False with a message; must be closed in either case. */
bool noe_random_state_open(noe_state_sampler *, const noe_system *);
/* From now on most of the states that are drawn satisfy the constraints and have random
 * multipliers; the others are anywhere, without multipliers: what holds at all of them holds for L
 * everywhere, and for the constraints where they are satisfied.  In systems of many coordinates all
 * states are anywhere and have multipliers.  False with a message. */
bool noe_random_state_constrain(noe_state_sampler *, noe_random_state *);
void noe_random_state_close(noe_state_sampler *);
/* Draws a state with normal distribution about the start, standard deviation rho times the scales;
 * false where L is not finite there.  In double, as the values have to be compared with those in
 * double arithmetic: the zero test (system/zero_test.h) draws in binary128. */
bool noe_random_state_draw(noe_state_sampler *, double rho, noe_random_state *);
/* Draws a state at the time of the last one; it satisfies the constraints if that does. */
bool noe_random_state_beside(noe_state_sampler *, double rho, const noe_random_state *,
                             noe_random_state *);
/* Draws a state that satisfies the constraints, with a velocity along them and no multipliers,
 * after noe_random_state_constrain(). */
bool noe_random_state_motion(noe_state_sampler *, noe_random_state *);
/* Draws a state, then moved to where local term k of L is active, as active_region.h says. */
bool noe_random_state_active(noe_state_sampler *, int k, int state, double rho, noe_random_state *);
/* Moves to a state where the two sides of comparison k in L are equal and L jumps; slope [2n + 1]:
 * gradient of their difference by t, q and v.  Sets only t, q and v of the state. */
bool noe_random_state_jump(noe_state_sampler *, int k, int state, double rho, noe_random_state *,
                           quad *slope);
/* State k of the trial run. */
bool noe_random_state_way(noe_state_sampler *, int k, noe_random_state *);
#endif
