/* Products of a structure with k = h^2 K/24 and with its damping, for steps of every kind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

typedef struct {
    noe_structure_engine *w; /* engine whose k is multiplied */
    const double         *x; /* [n] the vector */
    double               *y; /* [n] the product k x */
} factors;

static void times(void *ctx, int me)
{
    factors              *a = ctx;
    const noe_block_rows *k = a->w->matrix.k;
    const int             m = noe_thread_team_size(a->w->team);
    const int64_t         blocks = k->start[k->rows];
    int                   bound[2];
    for (int i = 0; i < 2; i++) { /* ranges of rows with equal numbers of blocks */
        const int64_t target = blocks / m * (me + i);
        int           low = 0, high = k->rows;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (k->start[middle] < target) low = middle + 1;
            else high = middle;
        }
        bound[i] = me + i == m ? k->rows : low;
    }
    a->w->kernel->product(k, bound[0], bound[1], a->x, a->y + (size_t)bound[0] * (size_t)k->d);
}

void noe_structure_product_stiffness(noe_structure_engine *w, double *x, double *y)
{
    noe_structure_share_refresh(w->s, x);
    noe_thread_team_do(w->team, times, &(factors){ w, x, y });
}

void noe_structure_product_damping(noe_structure_engine *w, double *x)
{
    const noe_structure *s = w->s;
    const double         h = *w->at.h;
    const int            n = w->at.n;
    for (int i = 0; i < n; i++) w->scratch.e[i] = 0;
    if (s->C) {
        noe_structure_share_times(s, s->C, x, w->scratch.e);
        for (int i = 0; i < n; i++) w->scratch.e[i] *= h;
    }
    if (s->alpha != 0) {
        noe_structure_share_times(s, s->M, x, w->scratch.u);
        for (int i = 0; i < n; i++) w->scratch.e[i] += h * s->alpha * w->scratch.u[i];
    }
    if (s->beta != 0) {
        noe_structure_product_stiffness(w, x, w->scratch.u);
        for (int i = 0; i < n; i++)
            w->scratch.e[i] += NOE_STIFFNESS_DIVISOR * s->beta / h * w->scratch.u[i];
    }
}
