/* The state of a structure for readers: velocities, one coordinate, all of them in pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine steps pi = h p; v = M^-1 pi/h. */
#include "linear/structure_engine.h"

#include <math.h>

bool noe_structure_state_velocities(noe_structure_engine *w)
{
    if (!w->matrix.mass && !(w->matrix.mass = noe_factorization_new(w->s, 0, 1, w->option.bits)))
        return false;
    noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.e);
    for (int i = 0; i < w->at.n; i++) w->scratch.e[i] /= *w->at.h;
    return true;
}

double noe_structure_state_one(void *self, noe_engine_value what, int i)
{
    noe_structure_engine *w = self;
    const double          h = *w->at.h;
    if (what == NOE_AT_Q) return w->state.q[i];
    if (what == NOE_AT_P) return w->state.p[i] / h;
    if (w->s->mass) return w->state.p[i] / (h * w->s->mass[i]);
    return noe_structure_state_velocities(w) ? w->scratch.e[i] : NAN;
}

/* What the threads hand out. */
typedef struct {
    const noe_structure_engine *w;
    bool                        solved; /* are the velocities in w->scratch.e? */
    noe_engine_piece           *take;   /* who takes them */
    void                       *ctx;    /* its first argument */
} pieces_at_hand;

static void pieces_of_thread(void *ctx, int me)
{
    enum { PIECE = 512 };
    const pieces_at_hand       *x = ctx;
    const noe_structure_engine *w = x->w;
    const int size = noe_thread_team_size(w->team), end = (int)((int64_t)w->at.n * (me + 1) / size);
    const double one_by_h = 1 / *w->at.h, *const mass = w->s->mass;
    double p[PIECE], v[PIECE];
    for (int from = (int)((int64_t)w->at.n * me / size); from < end; from += PIECE) {
        const int count = end - from < PIECE ? end - from : PIECE;
        for (int i = 0; i < count; i++) {
            p[i] = w->state.p[from + i] * one_by_h;
            v[i] = mass ? p[i] / mass[from + i] : x->solved ? w->scratch.e[from + i] : NAN;
        }
        x->take(x->ctx, from, count, w->state.q + from, v, p);
    }
}

/* noe_engine_large.pieces */
void noe_structure_state_pieces(void *self, noe_engine_piece *take, void *ctx)
{
    noe_structure_engine *w = self;
    pieces_at_hand        x = { w, false, take, ctx };
    if (!w->s->mass) x.solved = noe_structure_state_velocities(w);
    noe_thread_team_do(w->team, pieces_of_thread, &x);
}
