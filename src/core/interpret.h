/* x_d <- x_a x_b + x_c, one batch after another.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_INTERPRET_H
#define NOE_CORE_INTERPRET_H

#include "core/elementary.h"
#include "lang/tape.h"

/* One run: so many times the same operation. */
#define OPERATION(op, value)                                                 \
    case op:                                                                 \
        for (; i < end; i++) *AT(d) = (value);                               \
        break;
#define AT(x) ((batch *)(frame + i->x))
#define A (*AT(a))
#define B (*AT(b))
#define C (*AT(c))
#define F(name) f_##name
#define TABLES tape->tables

/* Instructions hold offsets in bytes from the frame. */
static void interpret(const noe_tape *tape, const noe_ins *i, char *frame)
{
    for (const noe_run_of *run = tape->run, *last = run + tape->runs; run < last; run++) {
        const noe_ins *end = i + run->count;
        switch (run->op) {
#include "lang/operations.def"
        case NOE_SINCOS:
            for (; i < end; i++) f_sincos(A, AT(d), AT(c));
            break;
        default: __builtin_unreachable();
        }
    }
}

#undef OPERATION
#undef AT
#undef A
#undef B
#undef C
#undef F
#undef TABLES

#endif
