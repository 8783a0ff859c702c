/* slot_d <- slot_a slot_b + slot_c, one batch after another.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_INTERPRET_H
#define NOE_CORE_INTERPRET_H

#include "core/elementary.h"
#include "lang/tape.h"

/* One run: `count` times the same operation, written with A, B, C for the operands. */
#define RUN(operation, value)                                                \
    case operation:                                                          \
        for (; i < end; i++) slot[i->d] = (value);                           \
        break;
#define A slot[i->a]
#define B slot[i->b]
#define C slot[i->c]

static void interpret(const noe_tape *tape, batch *slot)
{
    const noe_ins *i = tape->ins;
    for (const noe_run_of *run = tape->run, *last = run + tape->runs; run < last; run++) {
        const noe_ins *end = i + run->count;
        switch (run->op) {
            RUN(NOE_MULADD, A * B + C)
            RUN(NOE_SUBMUL, C - A * B)
            RUN(NOE_DIV, A / B)
            RUN(NOE_POW, f_pow(A, B))
            RUN(NOE_ATAN2, f_atan2(A, B))
            RUN(NOE_LT, b_truth(A < B))
            RUN(NOE_LE, b_truth(A <= B))
            RUN(NOE_MIN, b_if(b_truth(A < B), A, B))
            RUN(NOE_MAX, b_if(b_truth(A < B), B, A))
            RUN(NOE_IF, b_if(A, B, C))
        case NOE_SINCOS:
            for (; i < end; i++) f_sincos(A, &slot[i->d], &slot[i->c]);
            break;
#define FUNCTION(name, derivative) RUN(NOE_FN_##name, f_##name(A))
#include "lang/functions.def"
#undef FUNCTION
        default: __builtin_unreachable();
        }
    }
}

#undef RUN
#undef A
#undef B
#undef C

#endif
