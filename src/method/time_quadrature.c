/* The quadrature that a method applies to a force of the time alone: sum_i b_i F(t + c_i h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "method/time_quadrature.h"

int noe_time_quadrature_count(const noe_method *f)
{
    if (f->kind == NOE_SPLITTING) return (f->flows + !f->drift_first) / 2;
    if (f->kind == NOE_NEWMARK) return 2;
    return f->r * (f->parts ? f->parts : 1);
}

/* The time of a kick is the sum of the drifts before it. */
static void of_splitting(const noe_method *f, double *c, double *b)
{
    quad t = 0;
    for (int k = 0, i = 0; k < f->flows; k++)
        if ((k % 2 == 0) == f->drift_first) t += f->flow[k];
        else c[i] = (double)t, b[i++] = (double)f->flow[k];
}

void noe_time_quadrature_fill(const noe_method *f, double *c, double *b)
{
    if (f->kind == NOE_SPLITTING) {
        of_splitting(f, c, b);
        return;
    }
    if (f->kind == NOE_NEWMARK) {
        c[0] = 0, c[1] = 1, b[0] = b[1] = 0.5;
        return;
    }
    quad from = 0;
    for (int k = 0, at = 0; k < (f->parts ? f->parts : 1); k++) {
        const quad length = f->parts ? f->part[k] : 1;
        for (int i = 0; i < f->r; i++, at++) {
            c[at] = (double)(from + length * f->c[i]);
            b[at] = (double)(length * f->b[i]);
        }
        from += length;
    }
}
