/* Evaluates a tape in double with the functions of libm: slot_d <- op(slot_a, slot_b, slot_c).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/tape_double.h"

#include <math.h>

static double sign(double x) { return x < 0 ? -1 : x > 0 ? 1 : x; }

static double mod(double x, double y)
{
    double r = x - y * floor(x / y);
    if (r != 0 && (r < 0) != (y < 0)) r += y;
    return fabs(r) >= fabs(y) ? 0 : r;
}

static double table(const noe_tables *t, double x, double which)
{
    return noe_tabulated_near(t, which, x);
}

static double rough_apply(noe_op op, const noe_tables *tables, double A, double B, double C)
{
#define abs fabs
#define F(name) name
#define TABLES tables
#define b_truth(x) (x)
#define b_if(x, y, z) ((x) != 0 ? (y) : (z))
#define OPERATION(op, value) \
    case op: return value;
    switch (op) {
#include "expr/operations.def"
    default: return NAN;
    }
#undef abs
}

/* The operations of a tape in turn, of slots with LANES doubles, which AT(slot, j) selects.  Most
 * are sums and products: these have separate loops, and are computed for all lanes at once. */
#define EVALUATE(tape, slot, LANES, AT)                                                          \
    const noe_ins *i = (tape)->ins;                                                              \
    for (int k = 0; k < (tape)->runs; k++) {                                                     \
        const noe_ins *const end = i + (tape)->run[k].count;                                     \
        const noe_op         op = (noe_op)(tape)->run[k].op;                                     \
        if (op == NOE_MULADD)                                                                    \
            for (; i < end; i++) (slot)[i->d] = (slot)[i->a] * (slot)[i->b] + (slot)[i->c];      \
        else if (op == NOE_SUBMUL)                                                               \
            for (; i < end; i++) (slot)[i->d] = (slot)[i->c] - (slot)[i->a] * (slot)[i->b];      \
        else if (op == NOE_SINCOS)                                                               \
            for (; i < end; i++)                                                                 \
                for (int j = 0; j < (LANES); j++) {                                              \
                    const double a = AT((slot)[i->a], j);                                        \
                    AT((slot)[i->d], j) = sin(a), AT((slot)[i->c], j) = cos(a);                  \
                }                                                                                \
        else                                                                                     \
            for (; i < end; i++)                                                                 \
                for (int j = 0; j < (LANES); j++)                                                \
                    AT((slot)[i->d], j) = rough_apply(op, (tape)->tables, AT((slot)[i->a], j),   \
                                                      AT((slot)[i->b], j), AT((slot)[i->c], j)); \
    }
#define ITSELF(x, j) (x)
#define LANE(x, j) (x)[j]

void noe_tape_double_run(const noe_tape *tape, double *slot)
{
    for (int k = 0; k < tape->constants; k++) slot[tape->inputs + k] = (double)tape->constant[k];
    noe_tape_double_run_again(tape, slot);
}

void noe_tape_double_run_again(const noe_tape *tape, double *slot)
{
    EVALUATE(tape, slot, 1, ITSELF)
}

void noe_tape_double_run_two(const noe_tape *tape, noe_double_pair *slot)
{
    EVALUATE(tape, slot, 2, LANE)
}
