/* Which systems many processes step together: large structures and lattices; all others each steps
 * for itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "engines.h"

#include "base/status.h"
#include "linear/structure_engine.h"
#include "sums/sums.h"

/* A group of terms whose coordinates do not advance together, as those of all pairs: its terms
 * reach everywhere.  NULL: there is none. */
static const noe_terms *reaches_everywhere(const noe_sums *g)
{
    for (int k = 0; k < g->groups; k++) {
        const noe_terms *t = &g->group[k].terms;
        int64_t          stride = 0;
        for (int64_t r = 0; g->group[k].force && r < t->runs; r++)
            for (int s = 0; s < t->slots; s++) {
                if (t->kind[s] != NOE_ARGUMENT_COORDINATE || t->count[r] < 2) continue;
                if (t->stride[s] < 1 || (stride && t->stride[s] != stride)) return t;
                stride = t->stride[s];
            }
    }
    return NULL;
}

/* Sums whose terms are not local. */
static bool refused(const noe_sums *g)
{
    enum { FEW = 64 }; /* coordinates of a system that each process may as well step whole */
    const noe_terms *t = g->n > FEW ? reaches_everywhere(g) : NULL;
    if (!t) return false;
    noe_status_fail(
        NOE_INVALID,
        "%d coordinates with forces between all of them, %lld terms in one sum: every "
        "process would need the positions of all others in every step; take one process, "
        "noether, whose threads share the terms",
        g->n, (long long)t->terms);
    return true;
}

const noe_engine *engine_together(const noe_engine *engine, const noe_dynamics *d,
                                  const noe_method *f)
{
    if (together.count == 1) return engine;
    if (d->structure && d->n < together.count) {
        noe_status_fail(
            NOE_INVALID,
            "%d processes for a structure of %d coordinates: take at most %d, mpirun -n "
            "%d",
            together.count, d->n, d->n, d->n);
        return NULL;
    }
    if (d->structure && engine == noe_structure_engine_select(d, f)) return structure_together();
    if (d->groups && engine == noe_sums_engine(d->groups, f)) {
        if (refused(d->groups)) return NULL;
        lattice_together(d->groups);
    }
    /* Each process steps the system by itself; matrices are whole then, divided ones went above. */
    return engine;
}
