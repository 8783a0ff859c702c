/* slot_d <- op(slot_a, slot_b, slot_c) in double, by the functions of libm.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/tape.h"

#include <math.h>

static double rough_apply(noe_op op, double a, double b, double c)
{
#define abs fabs
    switch (op) {
    case NOE_MULADD: return a * b + c;
    case NOE_SUBMUL: return c - a * b;
    case NOE_DIV: return a / b;
    case NOE_POW: return pow(a, b);
    case NOE_ATAN2: return atan2(a, b);
    case NOE_LT: return a < b;
    case NOE_LE: return a <= b;
    case NOE_MIN: return a < b ? a : b;
    case NOE_MAX: return a < b ? b : a;
    case NOE_IF: return a != 0 ? b : c;
#define FUNCTION(name, derivative) case NOE_FN_##name: return name(a);
#include "lang/functions.def"
#undef FUNCTION
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
            else slot[i->d] = rough_apply((noe_op)tape->run[k].op, a, slot[i->b], slot[i->c]);
        }
}
