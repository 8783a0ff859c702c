/* Interprets a tape, batch by batch: x_d <- x_a x_b + x_c and other operations.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_TAPE_INTERPRETER_H
#define NOE_TAPE_TAPE_INTERPRETER_H

#include "tape/elementary.h"
#include "tape/tape.h"

/* One run: so many times the same operation, on one to three batches in turn, which do not wait
 * for one another. */
#define OPERATION(op, value)      \
    case op:                      \
        for (; i < end; i++) {    \
            {                     \
                enum { AT_ = 0 }; \
                *AT(d) = (value); \
            }                     \
            if (nb > 1) {         \
                enum { AT_ = 1 }; \
                *AT(d) = (value); \
            }                     \
            if (nb > 2) {         \
                enum { AT_ = 2 }; \
                *AT(d) = (value); \
            }                     \
        }                         \
        break;
#define AT(x) ((batch *)(frame + i->x) + AT_)
#define A (*AT(a))
#define B (*AT(b))
#define C (*AT(c))
#define F(name) f_##name
#define TABLES tape->tables

/* Instructions hold offsets in bytes from the frame. */
INLINE void interpret_batches(const noe_tape *tape, const noe_ins *i, char *frame, const int nb)
{
    for (const noe_run_of *run = tape->run, *last = run + tape->runs; run < last; run++) {
        const noe_ins *end = i + run->count;
        switch (run->op) {
#include "expr/operations.def"
        case NOE_SINCOS:
            for (; i < end; i++) {
                {
                    enum { AT_ = 0 };
                    f_sincos(A, AT(d), AT(c));
                }
                if (nb > 1) {
                    enum { AT_ = 1 };
                    f_sincos(A, AT(d), AT(c));
                }
                if (nb > 2) {
                    enum { AT_ = 2 };
                    f_sincos(A, AT(d), AT(c));
                }
            }
            break;
        default: __builtin_unreachable();
        }
    }
}

/* The first nb batches of every row of the frame. */
static void interpret(const noe_tape *tape, const noe_ins *code, char *frame, int nb)
{
    for (; nb == 3 || nb > 4; nb -= 3, frame += 3 * sizeof(batch))
        interpret_batches(tape, code, frame, 3);
    for (; nb > 1; nb -= 2, frame += 2 * sizeof(batch)) interpret_batches(tape, code, frame, 2);
    if (nb) interpret_batches(tape, code, frame, 1);
}

#undef OPERATION

#if NOE_REAL != NOE_QUAD
/* One instruction on one batch: what machine code calls. */
#undef AT
#define AT(x) ((batch *)(frame + i->x))
#define OPERATION(op, value)                                                   \
    static void call_##op(char *frame, const noe_ins *i, const noe_tape *tape) \
    {                                                                          \
        (void)tape;                                                            \
        *AT(d) = (value);                                                      \
    }
#include "expr/operations.def"
#undef OPERATION
static void call_NOE_SINCOS(char *frame, const noe_ins *i, const noe_tape *tape)
{
    (void)tape;
    f_sincos(A, AT(d), AT(c));
}
#define OPERATION(op, value) [op] = call_##op,
static __attribute__((unused)) noe_compiled_call *const call_of[NOE_OPS] = {
#include "expr/operations.def"
    [NOE_SINCOS] = call_NOE_SINCOS
};
#undef OPERATION
#endif

#undef AT
#undef A
#undef B
#undef C
#undef F
#undef TABLES

#endif
