/* --tolerance of a model with a monitor: the step at the start, verified by a run with half of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_MONITORED_TOLERANCE_H
#define NOE_ACCURACY_MONITORED_TOLERANCE_H

#include "accuracy/tolerance.h"

/* As noe_tolerance_pick(), for a system with a monitor.  most: steps of one run, INFINITY: as many
 * as it wants; NOE_NOT_CONVERGED, too, where it would be more.  end [n], or NULL: the positions at
 * `until` by another choice within the tolerance, with which the run has to agree. */
noe_status noe_monitored_tolerance_pick(const noe_system *, quad until, double tolerance,
                                        int digits, double least, double most, const quad *end,
                                        volatile sig_atomic_t *interrupted, noe_tolerance_choice *);

#endif
