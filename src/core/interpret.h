/* slot_d <- slot_a slot_b + slot_c, one batch after another.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_INTERPRET_H
#define NOE_CORE_INTERPRET_H

#include "core/elementary.h"
#include "lang/tape.h"

/* One run: `count` times the same operation. */
#define OPERATION(op, value)                                                 \
    case op:                                                                 \
        for (; i < end; i++) slot[i->d] = (value);                           \
        break;
#define A slot[i->a]
#define B slot[i->b]
#define C slot[i->c]
#define F(name) f_##name
#define TABLES tape->tables

static void interpret(const noe_tape *tape, batch *slot)
{
    const noe_ins *i = tape->ins;
    for (const noe_run_of *run = tape->run, *last = run + tape->runs; run < last; run++) {
        const noe_ins *end = i + run->count;
        switch (run->op) {
#include "lang/operations.def"
        case NOE_SINCOS:
            for (; i < end; i++) f_sincos(A, &slot[i->d], &slot[i->c]);
            break;
        default: __builtin_unreachable();
        }
    }
}

#undef OPERATION
#undef A
#undef B
#undef C
#undef F
#undef TABLES

#endif
