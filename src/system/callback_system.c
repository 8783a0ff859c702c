/* A system of L, dL, d2L given as functions in C: every entry of the Hessian may be nonzero.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "system/system.h"

#include <stdio.h>

noe_system *noe_system_new(int dim, int nparam, noe_lagrangian *L, noe_force *f, void *ctx)
{
    return noe_system_driven(dim, nparam, L, NULL, f, ctx);
}

noe_system *noe_system_driven(int dim, int nparam, noe_lagrangian *L, noe_lagrangian_rate *L_t,
                              noe_force *f, void *ctx)
{
    if (!L) return NULL;
    if (dim < 1 || dim > 10000 || nparam < 0 || nparam > 1000000) {
        noe_status_fail(
            NOE_INVALID,
            "noe_system_new: %d coordinates and %d parameters: expected 1 to 10000, 0 to 1000000",
            dim, nparam);
        return NULL;
    }
    const size_t n = (size_t)dim;
    noe_arena   *arena = noe_arena_new();
    noe_system  *s = noe_arena_take(arena, sizeof *s);
    noe_entry   *entry = noe_arena_take(arena, 4 * n * n * sizeof *entry);
    noe_entry   *mass = noe_arena_take(arena, n * n * sizeof *mass);
    int         *at = noe_arena_take(arena, 4 * n * n * sizeof *at);
    char(*name)[16] = noe_arena_take(arena, n * sizeof *name);
    if (!s || !entry || !mass || !at || !name) {
        noe_arena_free(arena);
        return NULL;
    }
    for (int k = 0; k < 4 * dim * dim;
         k++) { /* the four derivatives of one pair of dofs after another */
        const int row = k / 4 / dim, col = k / 4 % dim, kind = k % 4, F = kind / 2, q = kind % 2;
        entry[k] = (noe_entry){ (noe_d_kind)kind, row, col,
                                2 * dim + (row + !F * dim) * 2 * dim + col + !q * dim };
        at[k] = entry[k].output;
    }
    for (int i = 0; i < dim * dim; i++)
        mass[i] = (noe_entry){ NOE_D_PV, i / dim, i % dim, dim + 1 + i };
    for (int i = 0; i < dim; i++) snprintf(name[i], sizeof *name, "x.%d", i + 1);
    s->arena = arena;
    s->source = "functions in C";
    s->name = name;
    s->dyn = (noe_dynamics){ .n = dim,
                             .entries = 4 * dim * dim,
                             .masses = dim * dim,
                             .entry = entry,
                             .mass = mass,
                             .at = at,
                             .mass_moves = true,
                             .L = L,
                             .L_t = L_t,
                             .f = f,
                             .forced = f,
                             .ctx = ctx,
                             .params = nparam };
    return s;
}
