/* Is the monitor G > 0 at the start, and on the way of a step that failed?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_MONITOR_CHECK_H
#define NOE_INTEGRATE_MONITOR_CHECK_H

#include "integrate/integrator.h"

/* G at (t, q [n]); 1 where there is no monitor, NAN without memory. */
quad noe_monitor_check_value(const noe_integrator *, quad t, const quad *q);
/* The message where G is not positive in the present state or on the straight path of two steps
 * ahead of it; NOE_OK where it is. */
noe_status noe_monitor_check_path(noe_integrator *);
/* The message where the last step, to the time `now`, `took` so little that it did not move the
 * time: G has fallen to 0, which the motion reaches after infinitely many steps. */
noe_status noe_monitor_check_progress(noe_integrator *, double now, double took);
/* Looks at the energy where the last step took less time than any at which it was looked: the error
 * of the energy is that of the fictitious motion divided by G, and where G falls to 0 the computed
 * motion turns around without a jump of its velocities. */
void noe_monitor_check_energy(noe_integrator *, double took);

#endif
