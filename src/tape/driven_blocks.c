/* The blocks that t or forces act on: their coordinates are read by the tape of the power.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/driven_blocks.h"

#include "base/status.h"
#include "matrix/small_solve.h"
#include "tape/tape_double.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Marks the block of the coordinate that is the input in a slot. */
static void mark(const noe_dynamics *d, const int *block_of, int slot, bool *driven)
{
    const int q = slot - noe_tape_input(NOE_Q, 0, d->n), v = slot - noe_tape_input(NOE_V, 0, d->n);
    if (q >= 0 && q < d->n) driven[block_of[q]] = true;
    if (v >= 0 && v < d->n) driven[block_of[v]] = true;
}

void noe_driven_blocks_find(const noe_dynamics *d, const int *block_of, int blocks, bool *driven)
{
    const noe_tape *x = d->power;
    const bool      all = !d->autonomous && (!x || d->clocked);
    for (int b = 0; b < blocks; b++) driven[b] = all;
    if (d->autonomous || all) return;
    for (int k = 0; k < d->G_entries; k++) driven[block_of[d->G_entry[k].row]] = true;
    const noe_ins *i = x->ins;
    for (int r = 0; r < x->runs; r++)
        for (const noe_ins *end = i + x->run[r].count; i < end; i++) {
            const int of[3] = { i->a, i->b, i->c };
            for (int k = 0; k < noe_register_schedule_arity(x->run[r].op); k++)
                mark(d, block_of, of[k], driven);
        }
    for (int k = 0; k < x->outputs; k++) mark(d, block_of, x->out[k], driven);
}

/* An entry of D among the values of the tape; 0 where there is none. */
static double entry(const noe_dynamics *d, const double *slot, noe_d_kind kind, int row, int col)
{
    const int output = d->at[(row * d->n + col) * NOE_D_KINDS + (int)kind];
    return output < 0 ? 0 : slot[d->hessian->out[output]];
}

/* The rate of one block; A and C [n][n] are scratch. */
static double rate_of(const noe_dynamics *d, const int *block_of, int block, const double *slot,
                      double *A, double *C)
{
    int    at[d->n], n = 0;
    double trace = 0;
    for (int j = 0; j < d->n; j++)
        if (block_of[j] == block) at[n++] = j;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            A[j * n + k] = entry(d, slot, NOE_D_PV, at[j], at[k]);
            C[j * n + k] = entry(d, slot, NOE_D_FV, at[j], at[k])
                         - entry(d, slot, NOE_D_PQ, at[k], at[j]); /* df_j/dv_k */
        }
    if (!noe_small_solve_doubles(A, n, C, n)) return NAN;
    for (int j = 0; j < n; j++) trace += C[j * n + j];
    return -trace / (2 * n);
}

bool noe_driven_blocks_rates(const noe_dynamics *d, const int *block_of, int blocks, double t,
                             const double *q, const double *v, double *rate)
{
    if (!d->forced) return true;
    if (!d->hessian || !d->at) return false;
    const size_t  n = (size_t)d->n, slots = (size_t)d->hessian->slots;
    double *const slot = noe_status_alloc(slots + 2 * n * n, sizeof *slot);
    if (!slot) return false;
    bool known = true;
    slot[noe_tape_input(NOE_T, 0, d->n)] = t;
    memcpy(slot + noe_tape_input(NOE_Q, 0, d->n), q, n * sizeof *q);
    memcpy(slot + noe_tape_input(NOE_V, 0, d->n), v, n * sizeof *v);
    noe_tape_double_run(d->hessian, slot);
    for (int b = 0; b < blocks; b++) {
        rate[b] += rate_of(d, block_of, b, slot, slot + slots, slot + slots + n * n);
        known &= isfinite(rate[b]);
    }
    free(slot);
    return known;
}
