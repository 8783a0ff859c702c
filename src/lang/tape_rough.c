/* slot_d <- op(slot_a, slot_b, slot_c) in double, by the functions of libm.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/tape.h"

#include <math.h>

static double sign(double x) { return x < 0 ? -1 : x > 0 ? 1 : x; }

static double mod(double x, double y)
{
    double r = x - y * floor(x / y);
    if (r != 0 && (r < 0) != (y < 0)) r += y;
    return fabs(r) >= fabs(y) ? 0 : r;
}

static double table(const noe_tables *t, double x, double which) { return noe_samples_near(t, which, x); }

static double rough_apply(noe_op op, const noe_tables *tables, double A, double B, double C)
{
#define abs fabs
#define F(name) name
#define TABLES tables
#define b_truth(x) (x)
#define b_if(x, y, z) ((x) != 0 ? (y) : (z))
#define OPERATION(op, value) case op: return value;
    switch (op) {
#include "lang/operations.def"
    default: return NAN;
    }
#undef abs
}

void noe_tape_rough(const noe_tape *tape, double *slot)
{
    const noe_ins *i = tape->ins;
    for (int k = 0; k < tape->constants; k++) slot[tape->inputs + k] = (double)tape->constant[k];
    for (int k = 0; k < tape->runs; k++)
        for (int left = tape->run[k].count; left > 0; left--, i++) {
            const double a = slot[i->a];
            if (tape->run[k].op == NOE_SINCOS) slot[i->d] = sin(a), slot[i->c] = cos(a);
            else slot[i->d] = rough_apply((noe_op)tape->run[k].op, tape->tables, a, slot[i->b], slot[i->c]);
        }
}
