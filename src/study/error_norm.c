/* Norm of an error over the nodes, node by node: sup_k |x_k - y_k|, sqrt(h sum_k |x_k - y_k|^2).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/error_norm.h"

#include <math.h>

static double length(const noe_quantity *u, const quad *x, const quad *y)
{
    double all = 0;
    for (int i = 0; i < u->count; i++) {
        const double d = fabs((double)(y ? x[i] - y[i] : x[i]));
        if (!isfinite(d)) return INFINITY;
        all = u->euclid ? hypot(all, d) : fmax(all, d);
    }
    return all;
}

void noe_error_norm_add(noe_error_norm *a, const noe_quantity *u, const quad *x, const quad *y,
                        double t)
{
    double       e = length(u, x, y);
    const double of = length(u, y, NULL);
    a->of_sup = fmax(a->of_sup, of);
    a->of_sum += of * of;
    a->size = fmax(a->size, fmax(of, e));
    if (u->scaling == NOE_RELATIVE) {
        if (of == 0 && !a->zero) a->zero = true, a->zero_at = t;
        e /= of;
    }
    if (e > a->sup) a->sup = e; /* NAN, from 0/0, is reported by `zero` */
    a->sum += e * e;
}

double noe_error_norm_value(const noe_error_norm *a, const noe_quantity *u, double h)
{
    if (u->scaling == NOE_RELATIVE && a->zero) return NAN;
    if (u->scaling == NOE_SCALED) return u->l2 ? sqrt(a->sum / a->of_sum) : a->sup / a->of_sup;
    return u->l2 ? sqrt(h * a->sum) : a->sup;
}

double noe_error_norm_share(const noe_error_norm *a, const noe_quantity *u, double delta,
                            double length)
{
    const double share = u->scaling == NOE_ABSOLUTE ? delta : delta / a->of_sup;
    return u->l2 && u->scaling != NOE_SCALED ? share * sqrt(length) : share;
}
