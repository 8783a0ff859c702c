/* Evaluates a tape in binary128, one instruction at a time: slot_d <- op(slot_a, slot_b, slot_c).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/tape.h"

#include <string.h>

void noe_tape_quad_run(const noe_tape *tape, const quad *input, quad *slot, quad *out)
{
    const noe_ins *i = tape->ins;
    memcpy(slot, input, (size_t)tape->inputs * sizeof *slot);
    memcpy(slot + tape->inputs, tape->constant, (size_t)tape->constants * sizeof *slot);
    for (int k = 0; k < tape->runs; k++)
        for (int left = tape->run[k].count; left > 0; left--, i++) {
            const noe_op op = (noe_op)tape->run[k].op;
            const quad   a = slot[i->a];
            if (op == NOE_SINCOS) sincosq(a, &slot[i->d], &slot[i->c]);
            else slot[i->d] = noe_evaluate_apply(op, tape->tables, a, slot[i->b], slot[i->c]);
        }
    for (int k = 0; k < tape->outputs; k++) out[k] = slot[tape->out[k]];
}
