/* A system M q'' + C q' + K q = f(t) from matrices given by a program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "matrix/structure.h"
#include "system/system.h"

#include <stdio.h>

noe_system *noe_structure_system_new(noe_structure *x)
{
    const int   n = x->n;
    noe_arena  *arena = noe_arena_new();
    noe_system *s = noe_arena_take(arena, sizeof *s);
    char(*name)[16] = noe_arena_take(arena, (size_t)n * sizeof *name);
    if (!s || !name) {
        noe_arena_free(arena);
        return NULL;
    }
    for (int i = 0; i < n; i++) snprintf(name[i], sizeof *name, "x.%d", i + 1);
    const bool damped = x->C || x->alpha != 0 || x->beta != 0;
    s->arena = arena;
    s->source = "matrices";
    s->name = name;
    s->dyn = (noe_dynamics){ .n = n,
                             .linear = true,
                             .constant = true,
                             .forced = damped || x->load,
                             .autonomous = !damped && !x->load,
                             .structure = x };
    return s;
}

noe_system *noe_system_structure(int n, const noe_csc *M, const noe_csc *C, const noe_csc *K,
                                 noe_load *load, void *ctx)
{
    if (!M || !K) return NULL;
    if (n < 1) {
        noe_status_fail(NOE_INVALID, "noe_system_structure: %d coordinates: expected at least 1",
                        n);
        return NULL;
    }
    noe_sparse *m = noe_sparse_from("the mass matrix", n, M),
               *k = noe_sparse_from("the stiffness matrix", n, K);
    noe_sparse    *c = C ? noe_sparse_from("the damping matrix", n, C) : NULL;
    noe_structure *x = NULL;
    if (m && k && (c || !C)) x = noe_structure_new(m, c, k);
    else noe_sparse_free(m), noe_sparse_free(c), noe_sparse_free(k);
    if (!x) return NULL;
    x->load = load;
    x->ctx = ctx;
    noe_system *s = noe_structure_system_new(x);
    if (!s) noe_structure_free(x);
    return s;
}
