/* Norms of an error over the nodes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sup_k |x_k - y_k|   or   sqrt(h sum_k |x_k - y_k|^2) */
#ifndef NOE_STUDY_ERROR_NORM_H
#define NOE_STUDY_ERROR_NORM_H

#include "study/study.h"

typedef struct {
    /* of the errors: largest, sum of squares; of the reference: the same */
    double sup, sum, of_sup, of_sum;
    double size;    /* the largest |y| or |x - y| */
    bool   zero;    /* the reference was 0 at a node, so there is no relative error */
    double zero_at; /* time of the first such node */
} noe_error_norm;

/* Adds the node at time t: computed numbers x, reference y, both [u->count]. */
void noe_error_norm_add(noe_error_norm *, const noe_quantity *u, const quad *x, const quad *y,
                        double t);
/* The norm of the errors for the step h; NAN where a relative error is not defined. */
double noe_error_norm_value(const noe_error_norm *, const noe_quantity *u, double h);
/* The change of the norm when every x changes by `delta`; length: time span of the run. */
double noe_error_norm_share(const noe_error_norm *, const noe_quantity *u, double delta,
                            double length);

#endif
