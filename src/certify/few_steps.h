/* A few steps for a law: states, and the sizes to which their rounding is relative.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A state is x[2n] = (q, p); size[2n] are the largest moduli of its numbers so far, or more. */
#ifndef NOE_CERTIFY_FEW_STEPS_H
#define NOE_CERTIFY_FEW_STEPS_H

#include "integrate/integrator.h"

/* An integrator at the start of the system; NULL where it cannot start. */
noe_integrator *noe_few_steps_new(const noe_system *, const noe_method *, quad h, int digits);
/* Starts an integrator at time t from positions q and momenta (or velocities) z. */
noe_status noe_few_steps_begin(noe_integrator *, quad t, const quad *q, const quad *z,
                               bool momenta);
void       noe_few_steps_state(noe_integrator *, quad *x);
/* False where a step fails. */
bool noe_few_steps_walk(noe_integrator *, int steps, quad *size);
/* Walks, and raises size_i to sum_j |M_ij z_j|, M the derivative of the step and z the state
 * before it.  A relative rounding error in every z_j becomes one of this sum in coordinate i:
 * where large terms cancel, a coordinate still at rest has that size. */
bool noe_few_steps_walk_conditioned(noe_integrator *, int steps, quad *size);
/* Largest |x_i - y_i| / size_i of two states, N = 2n.  A coordinate whose position and momentum
 * both stay below 2^-20 of the largest position and momentum is at rest but for rounding; 2^-20 of
 * the largest then is its size. */
double noe_few_steps_distance(const quad *x, const quad *y, const quad *size, int N);
/* With constraints, sizes of positions and momenta that are as large in any frame: the largest of
 * q_j sqrt(M_jj) and of p_j / sqrt(M_jj) among coordinates that are coupled, where p_j is at least
 * the impulses of a step.  One that constraints hold at rest, at 0 or elsewhere, has the rounding
 * of what holds it. */
void noe_few_steps_share_sizes(noe_integrator *, quad *size);

#endif
