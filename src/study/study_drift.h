/* Drift of a long run: max |x(t) - x(0)| over each window, and how it grows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_DRIFT_H
#define NOE_STUDY_STUDY_DRIFT_H

#include "study/study.h"

enum { NOE_BLOCKS = 20 };

/* Of one quantity in one run; memory does not grow with the run. */
typedef struct {
    double *most; /* [windows] */
    /* of the mean error from the run's first twentieth to its last, by regression; NAN: not one
     * number */
    double gained;
    double scatter; /* its standard error */
    /* most ~ t^power: 0 bounded, 1/2 round-off's random walk, 1 a drift */
    double power, power_error;
    double floor; /* at most so much is round-off */
} noe_drift_growth;

typedef struct {
    bool              log;
    int               windows;
    double           *end;    /* of each; the start is t0 */
    noe_drift_growth *growth; /* [quantities][methods][steps] */
} noe_drift;

/* the momenta of its symmetries become columns; before the quantities are read */
bool noe_study_drift_columns(noe_study *);
/* energy and those momenta, as the word `error` */
noe_study_option noe_study_drift_error(noe_study *);
bool             noe_study_drift_make(noe_study *, noe_drift *); /* false with a message */
static inline noe_drift_growth *noe_study_drift_growth_at(const noe_study *s, const noe_drift *d,
                                                          int u, int i, int j)
{
    return &d->growth[(u * s->methods + i) * s->steps + j];
}

#endif
