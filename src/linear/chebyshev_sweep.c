/* A step by polynomials in waves through the cache: wave t is stage k of strip t - (reach + 1) k.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

static void waves(void *ctx, int me)
{
    noe_structure_engine *w = ctx;
    noe_chebyshev_step   *y = &w->prepared.poly;
    const noe_block_rows *k = w->matrix.k;
    const int             m = noe_thread_team_size(w->team), stride = k->reach + 1;
    const int             count = k->strips + stride * (y->stages - 1);
    for (int t = 0; t < count; t++) {
        for (int i = y->stages - 1; i >= 0; i--) {
            const int strip = t - stride * i;
            if (strip < 0 || strip >= k->strips) continue;
            w->kernel->stage(y, i, noe_block_rows_share(k, strip, me, m),
                             noe_block_rows_share(k, strip, me + 1, m), me);
        }
        noe_thread_team_meet(w->team);
    }
}

typedef struct {
    noe_structure_engine *w;     /* the engine */
    int                   stage; /* the stage */
} one_stage;

static void share_of_stage(void *ctx, int me)
{
    const one_stage      *x = ctx;
    const noe_block_rows *k = x->w->matrix.k;
    const int             m = noe_thread_team_size(x->w->team);
    for (int strip = 0; strip < k->strips; strip++)
        x->w->kernel->stage(&x->w->prepared.poly, x->stage, noe_block_rows_share(k, strip, me, m),
                            noe_block_rows_share(k, strip, me + 1, m), me);
}

static void stage_of_all(noe_structure_engine *w, int stage)
{
    noe_thread_team_do(w->team, share_of_stage, &(one_stage){ w, stage });
}

/* The stages one after another, each on all rows: before a stage with products other processes give
 * what they own of the vectors that it multiplies. */
static void stages_with_others(noe_structure_engine *w)
{
    noe_chebyshev_step        *y = &w->prepared.poly;
    const noe_structure_share *x = w->s->share;
    for (int i = 0; i < y->stages; i++) {
        const bool last = i == y->stages - 1, pair = !last && y->c[y->shift[i]].pair;
        double    *ends[] = { y->u, y->q },
               *terms[] = { y->d[1 - i % 2], pair ? y->di[1 - i % 2] : NULL };
        if (last) x->refresh(x->ctx, 2, ends);
        else if (y->term[i] >= 0) x->refresh(x->ctx, pair ? 2 : 1, terms);
        stage_of_all(w, i);
    }
}

/* One exchange with other processes where the rows around the own ones reach far enough for all
 * stages. */
void noe_chebyshev_sweep_step(noe_structure_engine *w)
{
    const noe_chebyshev_step  *y = &w->prepared.poly;
    const noe_structure_share *x = w->s->share;
    double *const              state[] = { y->q, y->p, y->dq, y->dp, y->r };
    if (x && y->stages - 1 > x->depth) {
        stages_with_others(w);
        return;
    }
    if (x) x->refresh(x->ctx, sizeof state / sizeof *state, state);
    noe_thread_team_do(w->team, waves, w);
}
