/* Drift in a long run and its growth.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     max |x(t) - x(0)| over each window of time */
#ifndef NOE_STUDY_STUDY_DRIFT_H
#define NOE_STUDY_STUDY_DRIFT_H

#include "study/study.h"

enum { NOE_BLOCKS = 20 };

/* Growth of the error of one quantity in one run; the memory does not grow with the run. */
typedef struct {
    double *most; /* [windows] largest error in each window */
    /* change of the mean error over the run, by regression over 20 blocks of time; NAN: not a
     * single component */
    double gained;
    double scatter; /* standard error of `gained` */
    /* most ~ t^power and the standard error of the power: 0 bounded, 1/2 random walk of
     * rounding, 1 linear drift */
    double power, power_error;
    double floor; /* bound of the error by rounding */
} noe_drift_growth;

typedef struct {
    bool              log;     /* windows spaced logarithmically in time */
    int               windows; /* number of windows */
    double           *end;     /* [windows] end of each window; all begin at t0 */
    noe_drift_growth *growth;  /* [quantities][methods][steps] */
} noe_drift;

/* Adds the momenta of the symmetries as columns; to be called before the quantities are read.
 * False with a message. */
bool noe_study_drift_columns(noe_study *);
/* The default of the option `error`: the energy and those momenta. */
noe_study_option noe_study_drift_error(noe_study *);
bool             noe_study_drift_make(noe_study *, noe_drift *); /* false with a message */
static inline noe_drift_growth *noe_study_drift_growth_at(const noe_study *s, const noe_drift *d,
                                                          int u, int i, int j)
{
    return &d->growth[(u * s->methods + i) * s->steps + j];
}

#endif
