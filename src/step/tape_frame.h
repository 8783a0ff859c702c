/* Frame of the tapes, in rows: t, q, v | constants of each tape | intermediate values | F, P, ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Behind these rows are those of the constraints, where they stay while other tapes run.
 * A row has as many batches as hold all nodes.  The tapes of a system read the same inputs and
 * write their outputs to the same rows: nothing is copied in or out.  Instructions hold offsets
 * in bytes from the beginning of the frame. */
#ifndef NOE_STEP_TAPE_FRAME_H
#define NOE_STEP_TAPE_FRAME_H

#include "step/engine_state.h"

enum { COMPILES_TAPES = NOE_REAL != NOE_QUAD && NOE_BUILD_LEVEL > 0 };

/* The rows of a frame with room for these numbers of outputs; own: of the tape CONSTRAINT, 0: it
 * writes to the rows of the others. */
static frame_plan plan_frame(const work *w, int outputs, int own)
{
    frame_plan p = { .size = noe_tape_inputs(w->n) };
    int        most = 0;
    for (int k = GRADIENT; k < TAPES; k++) {
        const noe_tape *t = w->eval.tape[k];
        if (!t) continue;
        const int computed = t->slots - t->inputs - t->constants;
        p.constants[k] = p.size;
        p.size += t->constants;
        most = computed > most ? computed : most;
    }
    p.computed = p.size;
    p.out = p.size += most;
    p.size += outputs;
    p.constraint_out = own ? p.size : p.out;
    p.size += own;
    return p;
}

/* Places tape k in the frame: map[slot] is the offset of each of its slots.  A value that is an
 * output is computed in the row of that output, unless it already has the row of another.
 * Writes the instructions with offsets, the outputs that have to be copied, and the machine
 * code.  false without memory. */
static bool relocate(work *w, int k)
{
    const frame_plan *p = &w->eval.plan;
    int *const        map = w->eval.map;
    const noe_tape   *t = w->eval.tape[k];
    const int         fixed = t->inputs + t->constants, size = (int)sizeof(batch) * w->B,
              out = k == CONSTRAINT ? p->constraint_out : p->out;
    for (int i = 0; i < t->slots; i++)
        map[i] = size
               * (i < t->inputs ? i
                  : i < fixed   ? p->constants[k] + i - t->inputs
                                : p->computed + i - fixed);
    w->eval.copies[k] = 0;
    for (int o = 0; o < t->outputs; o++) {
        const int slot = t->out[o], here = size * (out + o);
        if (slot >= fixed && map[slot] < size * p->out) map[slot] = here;
        else w->eval.copy[k][w->eval.copies[k]++] = (frame_copy){ here, slot };
    }
    for (int c = 0; c < w->eval.copies[k]; c++)
        w->eval.copy[k][c].from = map[w->eval.copy[k][c].from];
    for (int i = 0; i < t->length; i++) {
        const noe_ins x = t->ins[i];
        w->eval.code[k][i] = (noe_ins){ map[x.d], map[x.a], map[x.b], map[x.c] };
    }
    return !w->eval.machine || noe_tape_compiler_add(w->eval.machine, k, t, map, w->eval.code[k]);
}

/* w->eval.tape = the tapes of the system; where they become machine code, copies in an order for
 * registers.  false without memory. */
static bool make_tapes(work *w)
{
    bool ok = true;
    for (int k = GRADIENT; ok && k < TAPES && !w->dyn->L; k++) {
        noe_tape *t = tape_of(w->dyn, k);
        w->eval.tape[k] = t && COMPILES_TAPES ? noe_register_schedule_make(t) : t;
        ok = !t || w->eval.tape[k];
    }
    return ok;
}

/* Frees those copies. */
static void drop_tapes(work *w)
{
    for (int k = GRADIENT; COMPILES_TAPES && k < TAPES && !w->dyn->L; k++) free(w->eval.tape[k]);
}

_Static_assert((int)TAPES <= (int)NOE_COMPILED_TAPES_MOST, "NOE_COMPILED_TAPES_MOST");
/* Places all tapes in the frame and compiles them where the machine allows it.  false without
 * memory. */
static bool relocate_all(work *w)
{
    bool ok = true;
#if NOE_REAL != NOE_QUAD
    if (COMPILES_TAPES)
        ok = w->dyn->L || (w->eval.machine = noe_tape_compiler_new(NOE_BUILD_LEVEL, call_of));
#endif
    for (int k = GRADIENT; ok && k < TAPES; k++)
        if (w->eval.tape[k]) ok = relocate(w, k);
    if (ok && w->eval.machine) noe_tape_compiler_seal(w->eval.machine);
    for (int k = GRADIENT; ok && k < TAPES; k++)
        w->eval.run[k] = noe_tape_compiler_at(w->eval.machine, k);
    return ok;
}

#endif
