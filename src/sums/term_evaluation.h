/* one tape over all terms of a sum: what the set-up and the stepping of groups share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_TERM_EVALUATION_H
#define NOE_SUMS_TERM_EVALUATION_H

#include "sums/sums.h"

typedef struct {
    /* out[place] += or = the outputs of the force tape at q, v, p [places]; false without memory. */
    bool (*scatter)(const noe_sums *, const noe_sum_group *, const double *q, double *out,
                    bool add);
    bool (*total)(const noe_sums *, const noe_sum_group *, double t, const double *q,
                  const double *v, const double *p,
                  double *sum); /* of the value tape, compensated */
    const noe_engine *core;
} noe_sums_kernel;

const noe_sums_kernel *noe_sums_dispatch(void);

#endif
