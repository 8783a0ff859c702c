/* The search for a method and a step h = T/N with e(h) <= tolerance.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_TOLERANCE_SEARCH_H
#define NOE_ACCURACY_TOLERANCE_SEARCH_H

#include "accuracy/tolerance.h"
#include "accuracy/within_steps.h"

typedef struct {
    noe_trajectory_difference difference;
    double                    T, least; /* duration of the run; smallest number of steps */
    noe_within_steps          within;
    double                    limit; /* largest number of steps of all trials */
} noe_tolerance_search;

static inline bool noe_tolerance_search_stopped(const noe_tolerance_search *a)
{
    return noe_trajectory_difference_stopped(&a->difference);
}

/* Searches for a run to the time `until`.  NOE_NOT_CONVERGED, without a message: no step reaches
 * the end within the tolerance, and the choice is the best there is. */
noe_status noe_tolerance_search_to(noe_tolerance_search *, quad until, noe_tolerance_choice *);

#endif
