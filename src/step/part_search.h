/* The part c of a step that ends at time t, where the time of a step depends on the state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Newton's method on the time that a part takes, which grows with c: between a part that ends
 * before t and one that ends after it, or was not solved.  A rounding of t may lie before the step,
 * c < 0.  between/fractional_step.c for one trajectory, ensemble/lane_times.c for eight. */
#ifndef NOE_STEP_PART_SEARCH_H
#define NOE_STEP_PART_SEARCH_H

#include "number/quad.h"

enum {
    /* Most trials: halving a part of 1 down to 2^-111 takes 111.  8479 searches in steps of
     * Kepler's problem with five monitors and eccentricities up to 0.97: 16 at most, 2.7 in the
     * mean; 450 thousand of the tests: 11 at most. */
    NOE_PART_TRIALS = 240,
    /* Distance from t, in units of what counts as none, at which one that shrinks no more is
     * rounding.  In the same searches it was 1.1 and 1.3 units or 1e13; 0 to 2^20, no
     * difference. */
    NOE_PART_STALL = 1 << 10
};
typedef enum { NOE_PART_GOES_ON, NOE_PART_FOUND, NOE_PART_NONE } noe_part_outcome;

typedef struct {
    quad t,     /* the time to be reached */
        c,      /* the part to be tried */
        before, /* the longest part that ends before t */
        after,  /* the shortest that ends after it or was not solved */
        last,   /* distance from t of the last part */
        least;  /* what counts as no distance */
    bool back;  /* the step leads back in time */
} noe_part_search;

/* A step from the time `begin` that takes about the time span; unit: relative rounding of times. */
static inline noe_part_search noe_part_search_begin(quad t, quad begin, quad span, quad unit)
{
    return (noe_part_search){ .t = t,
                              .c = fminq((t - begin) / span, 1),
                              .before = -1,
                              .after = INFINITY,
                              .last = INFINITY,
                              .least = 2 * unit * fmaxq(fabsq(t), fabsq(begin)),
                              .back = span < 0 };
}

/* What follows from the part x->c: made: it was solved, and ended at the time `there`, where a
 * whole step would take the time span. */
static inline noe_part_outcome noe_part_search_next(noe_part_search *x, bool made, quad there,
                                                    quad span)
{
    const quad miss = fabsq(x->t - there), c = x->c;
    if (made && (miss <= x->least || (miss >= x->last / 2 && miss <= NOE_PART_STALL * x->least)))
        return NOE_PART_FOUND;
    if (made) x->last = miss;
    if (!made || (there > x->t) != x->back) x->after = c;
    else x->before = c;
    x->c = made ? c + (x->t - there) / span : INFINITY;
    if (!(x->c > x->before && x->c < x->after)) x->c = (x->before + x->after) / 2;
    return x->c == c || !finiteq(x->c) ? NOE_PART_NONE : NOE_PART_GOES_ON;
}

#endif
