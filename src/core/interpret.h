/* slot_d <- op(slot_a, slot_b, slot_c), one batch after another.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_INTERPRET_H
#define NOE_CORE_INTERPRET_H

#include "core/elementary.h"
#include "lang/tape.h"

static void interpret(const noe_tape *tape, batch *slot)
{
    const noe_ins *i = tape->ins, *end = i + tape->length;
    for (; i < end; i++) {
        const batch a = slot[i->a];
        switch (i->op) {
        case NOE_NEG: slot[i->d] = -a; break;
        case NOE_ADD: slot[i->d] = a + slot[i->b]; break;
        case NOE_SUB: slot[i->d] = a - slot[i->b]; break;
        case NOE_MUL: slot[i->d] = a * slot[i->b]; break;
        case NOE_DIV: slot[i->d] = a / slot[i->b]; break;
        case NOE_POW: slot[i->d] = f_pow(a, slot[i->b]); break;
        case NOE_ATAN2: slot[i->d] = f_atan2(a, slot[i->b]); break;
        case NOE_LT: slot[i->d] = b_truth(a < slot[i->b]); break;
        case NOE_LE: slot[i->d] = b_truth(a <= slot[i->b]); break;
        case NOE_MIN: slot[i->d] = b_if(b_truth(a < slot[i->b]), a, slot[i->b]); break;
        case NOE_MAX: slot[i->d] = b_if(b_truth(a < slot[i->b]), slot[i->b], a); break;
        case NOE_IF: slot[i->d] = b_if(a, slot[i->b], slot[i->c]); break;
        case NOE_SINCOS: f_sincos(a, &slot[i->d], &slot[i->c]); break;
#define FUNCTION(name, derivative) case NOE_FN_##name: slot[i->d] = f_##name(a); break;
#include "lang/functions.def"
#undef FUNCTION
        default: __builtin_unreachable();
        }
    }
}

#endif
