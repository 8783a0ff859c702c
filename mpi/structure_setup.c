/* Set-up of the engine for structures of many processes: owners, layers, stability, the share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A share is made at the first start, when the length of a step h and so the number of its products
 * are known: 1 + sum_j of the degrees of the Chebyshev polynomials of its stages. */
#include "structure_together.h"

#include "partition.h"

#include "base/hash.h"
#include "base/status.h"
#include "linear/mode_stability.h"

#include <stdlib.h>
#include <string.h>

/* Work on the rows around the own ones, relative to these, up to which one exchange a step pays. */
static const double DEEP_MOST = 0.3;

/* The owners of the rows, and the fastest mode: the same for all engines of one structure. */
static struct {
    uint64_t hash;
    int     *owner, n;
    double   omega2;
} known;

void structure_close(structure_engine *w)
{
    if (w->own) w->engine->drop(w->own);
    w->own = NULL;
    share_drop(&w->share);
    free(w->local), free(w->wide);
    w->local = NULL, w->wide = NULL;
}

void structure_drop(void *self)
{
    structure_engine *w = self;
    structure_close(w);
    noe_arena_free(w->arena);
    free(w->q);
    free(w);
}

void *structure_make(const noe_dynamics *d, const noe_method *f)
{
    structure_engine *w = noe_status_alloc(1, sizeof *w);
    const size_t      n = (size_t)d->n;
    if (!w) return NULL;
    w->dyn = d, w->method = *f, w->engine = noe_structure_engine_select(d, f);
    w->q = noe_status_alloc(3 * n, sizeof *w->q);
    w->v = w->q + n, w->p = w->v + n;
    for (int i = 0; i < STRUCTURE_OPTIONS; i++) w->option[i] = -1;
    if (w->q) return w;
    structure_drop(w);
    return NULL;
}

static uint64_t hash_of(const noe_structure *s)
{
    const noe_sparse *const matrix[] = { s->M, s->K };
    uint64_t                x = NOE_HASH_BEGIN;
    for (int i = 0; i < 2; i++)
        x = noe_hash(x, matrix[i]->value, (size_t)matrix[i]->start[matrix[i]->n] * sizeof(double));
    return x;
}

/* Is it the structure that is known, in all processes? */
static bool is_known(const noe_structure *s, uint64_t hash)
{
    int same = known.owner && known.hash == hash && known.n == s->n;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same;
}

/* Owners and fastest mode, by a share of one layer. */
static noe_status know(const noe_structure *s)
{
    const uint64_t hash = hash_of(s);
    int            width = 1;
    if (is_known(s, hash)) return NOE_OK;
    share x = { 0 };
    free(known.owner);
    known.owner = noe_status_alloc((size_t)s->n, sizeof *known.owner);
    known.hash = hash, known.n = s->n;
    noe_status status = known.owner ? NOE_OK : NOE_NO_MEMORY;
    if (!(status = together_agree(status))) status = partition_width(s, &width);
    if (status) return status;
    status = partition_rows(s, width, known.owner);
    if (!status) status = share_cut(&x, s, known.owner, 1);
    if (!(status = together_agree(status))) status = share_join(&x);
    if (!(status = together_agree(status))) status = fastest_mode(&x, &known.omega2);
    share_drop(&x);
    status = together_agree(status);
    if (status) free(known.owner), known.owner = NULL;
    return status;
}

/* Products of a step by polynomials one after another; 0: it is made otherwise. */
static int products(const structure_engine *w)
{
    const noe_structure     *s = w->dyn->structure;
    const double             h = (double)w->h;
    noe_stage_pencil         x;
    noe_chebyshev_polynomial c;
    int                      count = 1;
    if (w->method.kind != NOE_GALERKIN || !s->mass || s->C || w->option[NOE_LINEAR_FACTORISE] == 1
        || !noe_stage_pencil_make(&x, &w->method, h * s->alpha, s->beta / h))
        return 0;
    for (int j = 0; j < x.count; j++) {
        if (!noe_chebyshev_polynomial_make(&c, x.lambda[j],
                                           h * h / NOE_STIFFNESS_DIVISOR * known.omega2))
            return 0;
        count += c.degree;
    }
    return count;
}

/* Layers around the own rows: those of a whole step where they cost little, else one. */
static noe_status choose_depth(const structure_engine *w, int *depth)
{
    const char *ask = getenv("NOETHER_HALO"); /* deep, shallow: for measurements and tests */
    const int   deep = products(w);
    double      part = 0;
    *depth = 0;
    if (!deep || (ask && !strcmp(ask, "shallow"))) return NOE_OK;
    if (ask && !strcmp(ask, "deep")) return *depth = deep, NOE_OK;
    const noe_status status = share_around(w->dyn->structure, known.owner, deep, DEEP_MOST, &part);
    if (status) return status;
    MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (part <= DEEP_MOST) *depth = deep;
    return NOE_OK;
}

/* A window of stability beyond the first needs the whole structure in each process. */
static noe_status stable(const structure_engine *w)
{
    const int        window = w->option[NOE_LINEAR_WINDOW];
    const noe_status status = window > 1 ? noe_structure_complete(w->dyn->structure) : NOE_OK;
    if (status) return status;
    return noe_mode_stability_check(w->dyn->structure, &w->method, (double)w->h, known.omega2,
                                    window > 0 ? window : 1);
}

noe_status structure_open(structure_engine *w)
{
    const noe_structure *s = w->dyn->structure;
    int                  depth = 0;
    noe_status           status = together_agree(NOE_OK);
    if (!status) status = know(s);
    if (!status) status = together_agree(stable(w));
    if (status) return status;
    if ((status = choose_depth(w, &depth))) return status;
    status = together_agree(share_cut(&w->share, s, known.owner, depth ? depth : 1));
    if (!status) status = together_agree(share_join(&w->share));
    if (status) return status;
    w->share.functions.depth = depth;
    w->share.functions.omega2 = known.omega2;
    w->part = (noe_dynamics){ .n = w->share.own.n,
                              .linear = true,
                              .constant = true,
                              .forced = w->dyn->forced,
                              .autonomous = w->dyn->autonomous,
                              .structure = &w->share.own };
    w->local = noe_status_alloc((size_t)w->part.n, sizeof *w->local);
    w->wide = noe_status_alloc((size_t)w->part.n, sizeof *w->wide);
    w->own = w->local && w->wide ? w->engine->make(&w->part, &w->method) : NULL;
    if (!w->own || !halo_prepare_gather(w->share.halo, w->share.global)) status = NOE_NO_MEMORY;
    if (!status) {
        w->engine->set(w->own, NOE_AT_T0, 0, &w->t0);
        w->engine->set(w->own, NOE_AT_STEP, 0, &w->h);
        for (int i = 0; i < STRUCTURE_OPTIONS; i++)
            if (w->option[i] >= 0) w->engine->linear->set(w->own, (noe_linear_at)i, w->option[i]);
        w->engine->large->set_threads(w->own, w->threads ? w->threads : 1);
    }
    return together_agree(status);
}

int structure_slowest(const noe_structure *s, double top2, int count, double *vector)
{
    share      x = { 0 };
    double    *own = NULL, *omega2 = noe_status_alloc((size_t)count, sizeof *omega2);
    int        found = 0;
    noe_status status = together_agree(omega2 ? NOE_OK : NOE_NO_MEMORY);
    if (!status && s->n < together.count)
        status = noe_status_fail(NOE_INVALID,
                                 "%d processes for a structure of %d coordinates: take at most "
                                 "%d, mpirun -n %d",
                                 together.count, s->n, s->n, s->n);
    if (!(status = together_agree(status))) status = know(s);
    if (!status) status = together_agree(share_cut(&x, s, known.owner, 1));
    if (!status) status = together_agree(share_join(&x));
    if (!status) {
        own = noe_status_alloc((size_t)count * (size_t)x.own.n, sizeof *own);
        const bool ok = halo_prepare_gather(x.halo, x.global) && own;
        status = together_agree(ok ? NOE_OK : NOE_NO_MEMORY);
    }
    if (!status) status = together_agree(slowest_modes(&x, top2, count, omega2, own, &found));
    for (int i = 0; i < found && !status; i++)
        halo_gather(x.halo, own + (size_t)i * (size_t)x.own.n, vector + (size_t)i * (size_t)s->n);
    share_drop(&x);
    free(own), free(omega2);
    return status ? -1 : found;
}
