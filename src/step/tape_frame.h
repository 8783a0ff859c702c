/* one row for all tapes, so many batches wide as hold all nodes: t, q, v, .. | constants of each | what is computed | F, P, ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The tapes of a system read the same inputs and write their outputs to the same place: nothing is copied in or out.
 * Instructions hold offsets in bytes. */
#ifndef NOE_STEP_TAPE_FRAME_H
#define NOE_STEP_TAPE_FRAME_H

#include "step/engine_state.h"

enum { COMPILES_TAPES = NOE_REAL != NOE_QUAD && NOE_BUILD_LEVEL > 0 };

static frame_plan plan_frame(const work *w, int outputs)
{
    frame_plan p = { .size = noe_tape_inputs(w->n) };
    int        most = 0;
    for (int k = GRADIENT; k < TAPES; k++) {
        const noe_tape *t = w->tape[k];
        if (!t) continue;
        const int computed = t->slots - t->inputs - t->constants;
        p.constants[k] = p.size;
        p.size += t->constants;
        most = computed > most ? computed : most;
    }
    p.computed = p.size;
    p.out = p.size += most;
    p.size += outputs;
    return p;
}

/* Where the slots of a tape are in the frame, map[slot]; what is computed for an output is computed in its place, unless
 * it is one already.  Then its instructions, the outputs that have to be copied, and its machine code.  false without
 * memory. */
static bool relocate(work *w, int k)
{
    const frame_plan *p = &w->plan;
    int *const        map = w->map;
    const noe_tape   *t = w->tape[k];
    const int         fixed = t->inputs + t->constants, size = (int)sizeof(batch) * w->B;
    for (int i = 0; i < t->slots; i++)
        map[i] = size
               * (i < t->inputs ? i
                  : i < fixed   ? p->constants[k] + i - t->inputs
                                : p->computed + i - fixed);
    w->copies[k] = 0;
    for (int o = 0; o < t->outputs; o++) {
        const int slot = t->out[o], here = size * (p->out + o);
        if (slot >= fixed && map[slot] < size * p->out) map[slot] = here;
        else w->copy[k][w->copies[k]++] = (frame_copy){ here, slot };
    }
    for (int c = 0; c < w->copies[k]; c++) w->copy[k][c].from = map[w->copy[k][c].from];
    for (int i = 0; i < t->length; i++) {
        const noe_ins x = t->ins[i];
        w->code[k][i] = (noe_ins){ map[x.d], map[x.a], map[x.b], map[x.c] };
    }
    return !w->machine || noe_tape_compiler_add(w->machine, k, t, map, w->code[k]);
}

/* The tapes, in an order for registers where they become machine code.  false without memory. */
static bool make_tapes(work *w)
{
    bool ok = true;
    for (int k = GRADIENT; ok && k < TAPES && !w->dyn->L; k++) {
        noe_tape *t = tape_of(w->dyn, k);
        w->tape[k] = t && COMPILES_TAPES ? noe_register_schedule_make(t) : t;
        ok = !t || w->tape[k];
    }
    return ok;
}

static void drop_tapes(work *w)
{
    for (int k = GRADIENT; COMPILES_TAPES && k < TAPES && !w->dyn->L; k++) free(w->tape[k]);
}

/* All tapes; to machine code where that can be.  false without memory. */
static bool relocate_all(work *w)
{
    bool ok = true;
#if NOE_REAL != NOE_QUAD
    if (COMPILES_TAPES)
        ok = w->dyn->L || (w->machine = noe_tape_compiler_new(NOE_BUILD_LEVEL, call_of));
#endif
    for (int k = GRADIENT; ok && k < TAPES; k++)
        if (w->tape[k]) ok = relocate(w, k);
    if (ok && w->machine) noe_tape_compiler_seal(w->machine);
    for (int k = GRADIENT; ok && k < TAPES; k++) w->run[k] = noe_tape_compiler_at(w->machine, k);
    return ok;
}

#endif
