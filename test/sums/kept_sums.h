/* Models with sums, kept or written out.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef KEPT_SUMS_H
#define KEPT_SUMS_H

#include "laws.h"

/* The same system with its sums written out, or kept. */
static UNUSED noe_system *as(const noe_system *old, noe_model_kind kind)
{
    noe_arena  *arena = noe_arena_new();
    noe_system *s = noe_arena_take(arena, sizeof *s);
    s->arena = arena;
    s->source = old->source;
    s->change = old->change;
    s->changes = old->changes;
    if (!noe_system_fill(s, kind, old->model->text, old->model->length))
        fail_msg("%s", noe_error());
    s->usual = s->model->observables;
    return s;
}

#endif
