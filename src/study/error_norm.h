/* Norm of an error over the nodes, node by node: sup_k |x_k - y_k|, sqrt(h sum_k |x_k - y_k|^2).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_ERROR_NORM_H
#define NOE_STUDY_ERROR_NORM_H

#include "study/study.h"

typedef struct {
    double sup, sum, of_sup, of_sum; /* of the errors; of the reference */
    double size;                     /* largest |x| and |y| */
    bool   zero;                     /* the reference vanished at a node: no relative error */
    double zero_at;
} noe_error_norm;

/* At time t the numbers x should be y; both [u->count]. */
void noe_error_norm_add(noe_error_norm *, const noe_quantity *u, const quad *x, const quad *y,
                        double t);
/* NAN when there is none */
double noe_error_norm_value(const noe_error_norm *, const noe_quantity *u, double h);
/* The same error with every x off by `delta`: what an uncertainty of the numbers does to the value. */
double noe_error_norm_share(const noe_error_norm *, const noe_quantity *u, double delta,
                            double length);

#endif
