/* Evaluates a tape over all terms of a sum: the interface between set-up and stepping of sums.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_TERM_EVALUATION_H
#define NOE_SUMS_TERM_EVALUATION_H

#include "sums/sums.h"

/* What is compiled once for every instruction set. */
typedef struct {
    /* Evaluates the force tape at q [places] and adds its outputs to out [places], or (add = false)
     * stores them there. False: out of memory. */
    bool (*scatter)(const noe_sums *, const noe_sum_group *, const double *q, double *out,
                    bool add);
    /* *sum: sum over all terms of the value tape at t, q, v, p [places], compensated.  False: out
     * of memory. */
    bool (*total)(const noe_sums *, const noe_sum_group *, double t, const double *q,
                  const double *v, const double *p, double *sum);
    /* the engine */
    const noe_engine *engine;
} noe_sums_kernel;

/* The build for the instruction set of this machine. */
const noe_sums_kernel *noe_sums_dispatch(void);

#endif
