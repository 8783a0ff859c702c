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

void noe_tape_double_run(const noe_tape *tape, double *slot)
{
    for (int k = 0; k < tape->constants; k++) slot[tape->inputs + k] = (double)tape->constant[k];
    noe_tape_double_run_again(tape, slot);
}

/* Most operations of a tape are sums and products: these have separate loops. */
void noe_tape_double_run_again(const noe_tape *tape, double *slot)
{
    const noe_ins *i = tape->ins;
    for (int k = 0; k < tape->runs; k++) {
        const noe_ins *const end = i + tape->run[k].count;
        const noe_op         op = (noe_op)tape->run[k].op;
        if (op == NOE_MULADD)
            for (; i < end; i++) slot[i->d] = slot[i->a] * slot[i->b] + slot[i->c];
        else if (op == NOE_SUBMUL)
            for (; i < end; i++) slot[i->d] = slot[i->c] - slot[i->a] * slot[i->b];
        else if (op == NOE_SINCOS)
            for (; i < end; i++) {
                const double a = slot[i->a];
                slot[i->d] = sin(a), slot[i->c] = cos(a);
            }
        else
            for (; i < end; i++)
                slot[i->d] = rough_apply(op, tape->tables, slot[i->a], slot[i->b], slot[i->c]);
    }
}

void noe_tape_double_run_two(const noe_tape *tape, noe_two *slot)
{
    const noe_ins *i = tape->ins;
    for (int k = 0; k < tape->runs; k++) {
        const noe_ins *const end = i + tape->run[k].count;
        const noe_op         op = (noe_op)tape->run[k].op;
        if (op == NOE_MULADD)
            for (; i < end; i++) slot[i->d] = slot[i->a] * slot[i->b] + slot[i->c];
        else if (op == NOE_SUBMUL)
            for (; i < end; i++) slot[i->d] = slot[i->c] - slot[i->a] * slot[i->b];
        else
            for (; i < end; i++)
                for (int j = 0; j < 2; j++) {
                    const double a = slot[i->a][j];
                    if (op == NOE_SINCOS) slot[i->d][j] = sin(a), slot[i->c][j] = cos(a);
                    else
                        slot[i->d][j] = rough_apply(op, tape->tables, a, slot[i->b][j],
                                                    slot[i->c][j]);
                }
    }
}
