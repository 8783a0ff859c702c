/* A system of L, dL, d2L and constraints given as functions in C: every derivative may be nonzero.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "system/system.h"

#include <stdio.h>

enum {
    COORDINATES_MOST = 10000,  /* dense: 4 n^2 entries, 6.4 GB at the limit */
    PARAMETERS_MOST = 1000000, /* rather a mistake */
    CONSTRAINED_MOST = 1000 /* constraints, and coordinates with them: m n^2/2 second derivatives */
};

/* Names `stem`.1 .. of each of `count`; NULL without memory. */
static char (*names(noe_arena *arena, const char *stem, int count))[16]
{
    char(*name)[16] = noe_arena_take(arena, ((size_t)count + 1) * sizeof *name);
    for (int i = 0; name && i < count; i++) snprintf(name[i], sizeof *name, "%s.%d", stem, i + 1);
    return name;
}

/* All derivatives of m constraints, in the order of the outputs of a tape. */
static bool add_constraints(noe_system *s, int m, noe_constraints *g)
{
    noe_dynamics *const d = &s->dyn;
    const int           n = d->n, pairs = n * (n + 1) / 2;
    int                 next = 2 * m;
    d->constraint_function = g, d->constraints = m;
    d->G_entries = m * n, d->G_q_entries = m * pairs;
    d->G_entry = noe_arena_take(s->arena, (size_t)m * (size_t)n * sizeof *d->G_entry);
    d->G_q_entry = noe_arena_take(s->arena, (size_t)m * (size_t)pairs * sizeof *d->G_q_entry);
    s->constraint = names(s->arena, "g", m);
    if (!d->G_entry || !d->G_q_entry || !s->constraint) return false;
    for (int k = 0; k < m * n; k++)
        d->G_entry[k] = (noe_constraint_entry){ k / n, k % n, 0, next++ };
    for (int a = 0, k = 0; a < m; a++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                d->G_q_entry[k++] = (noe_constraint_entry){ a, i, j, next++ };
    return true;
}

/* A system without constraints; NULL without memory. */
static noe_system *without_constraints(int dim, int nparam, noe_lagrangian *L,
                                       noe_lagrangian_rate *L_t, noe_force *f, void *ctx)
{
    const size_t n = (size_t)dim;
    noe_arena   *arena = noe_arena_new();
    noe_system  *s = noe_arena_take(arena, sizeof *s);
    noe_entry   *entry = noe_arena_take(arena, 4 * n * n * sizeof *entry);
    noe_entry   *mass = noe_arena_take(arena, n * n * sizeof *mass);
    int         *at = noe_arena_take(arena, 4 * n * n * sizeof *at);
    char(*name)[16] = s && entry && mass && at ? names(arena, "x", dim) : NULL;
    if (!name) {
        noe_arena_free(arena);
        return NULL;
    }
    /* The four derivatives of one pair of coordinates after another, in the order of noe_d_kind, PV
     * PQ FV FQ.  In the Hessian rows of F come before those of P, columns q before columns v. */
    for (int k = 0; k < 4 * dim * dim; k++) {
        const int row = k / 4 / dim, col = k / 4 % dim, kind = k % 4, F = kind / 2, q = kind % 2;
        entry[k] = (noe_entry){ (noe_d_kind)kind, row, col,
                                2 * dim + (row + !F * dim) * 2 * dim + col + !q * dim };
        at[k] = entry[k].output;
    }
    for (int i = 0; i < dim * dim; i++)
        mass[i] = (noe_entry){ NOE_D_PV, i / dim, i % dim, dim + 1 + i };
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

static bool in_range(const char *of, int dim, int nparam)
{
    if (dim >= 1 && dim <= COORDINATES_MOST && nparam >= 0 && nparam <= PARAMETERS_MOST)
        return true;
    noe_status_fail(NOE_INVALID, "%s: %d coordinates and %d parameters: expected 1 to %d, 0 to %d",
                    of, dim, nparam, COORDINATES_MOST, PARAMETERS_MOST);
    return false;
}

noe_system *noe_system_new(int dim, int nparam, noe_lagrangian *L, noe_force *f, void *ctx)
{
    if (!L || !in_range("noe_system_new", dim, nparam)) return NULL;
    return without_constraints(dim, nparam, L, NULL, f, ctx);
}

noe_system *noe_system_driven(int dim, int nparam, noe_lagrangian *L, noe_lagrangian_rate *L_t,
                              noe_force *f, void *ctx)
{
    if (!L) return NULL;
    return in_range("noe_system_driven", dim, nparam)
             ? without_constraints(dim, nparam, L, L_t, f, ctx)
             : NULL;
}

noe_system *noe_system_constrained(int dim, int nparam, int m, noe_lagrangian *L,
                                   noe_lagrangian_rate *L_t, noe_force *f, noe_constraints *g,
                                   void *ctx)
{
    if (!L || !g || !in_range("noe_system_constrained", dim, nparam)) return NULL;
    if (m < 1 || m > CONSTRAINED_MOST || dim > CONSTRAINED_MOST) {
        noe_status_fail(NOE_INVALID,
                        "noe_system_constrained: %d constraints between %d coordinates: expected 1 "
                        "to %d of either; larger ones need a model text, whose matrices are sparse",
                        m, dim, CONSTRAINED_MOST);
        return NULL;
    }
    noe_system *s = without_constraints(dim, nparam, L, L_t, f, ctx);
    if (!s || add_constraints(s, m, g)) return s;
    noe_arena_free(s->arena);
    return NULL;
}
