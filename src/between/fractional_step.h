/* Fractional step: (q, p)(t_n + tau) by one step of length tau from the grid point t_n.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The step is made by a second integrator of the same system and method, into which the state at
 * t_n is copied, so that the run is untouched.  It is a step of the method like any other: it has
 * the order of the method, preserves every momentum that the method preserves, and equals the grid
 * at tau = h.  Where another length costs a factorization (some structures) the state is
 * interpolated between two grid points instead: between/hermite_state.h. */
#ifndef NOE_BETWEEN_FRACTIONAL_STEP_H
#define NOE_BETWEEN_FRACTIONAL_STEP_H

#include "integrate/integrator.h"

/* Remembers the present state as the grid point t_n on the left.  The run may be stepped then.
 * Fails for more than 33 digits, with a message. */
noe_status noe_fractional_step_mark(noe_integrator *);
/* The same; fails, with a message, for a time outside the step that comes next. */
noe_status noe_fractional_step_mark_before(noe_integrator *, double t);
/* The state at t_n + tau, 0 <= tau/h <= 1: an integrator to be read by everything that reads one
 * (noe_q, noe_column_value, ..), until the next call of a function of this file; NULL with a
 * message.  Cheaper where the run is one step beyond t_n, whose polynomial predicts.  It is
 * exact at tau = 0, and at tau = h where the run is one step beyond t_n: then no step is made. */
noe_integrator *noe_fractional_step_take(noe_integrator *, quad tau);
/* The same at time t; the column t is then exactly t. */
noe_integrator *noe_fractional_step_at(noe_integrator *, quad t);
/* q and p [n] of the state at time t. */
noe_status noe_fractional_step_read(noe_integrator *, double t, double *q, double *p);
/* Takes the run back to t_n, as if the steps since then had not been made. */
void noe_fractional_step_return(noe_integrator *);
/* To be called before the run is stepped again. */
void noe_fractional_step_leave(noe_integrator *);
/* The value of a column at such a state y of the run; y may be the run itself.  Options and
 * statistics are those of the run.  NAN where states are interpolated: the work of loads, what was
 * dissipated, and with them balance, which are known at the grid points. */
quad noe_fractional_step_column(noe_integrator *run, noe_integrator *y, const noe_column *);
/* Are states between grid points interpolated? */
bool noe_fractional_step_interpolates(const noe_integrator *);

#endif
