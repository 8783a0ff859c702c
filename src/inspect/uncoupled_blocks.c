/* Energies of uncoupled blocks: H = sum of H_b, and each H_b is conserved.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H_b(t) - H_b(0) = H(block b at t, all other blocks at the start) - H(start). */
#include "inspect/uncoupled_blocks.h"

#include "base/status.h"
#include "integrate/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool noe_uncoupled_blocks_open(noe_uncoupled_blocks *b, const noe_system *s,
                               const noe_properties *facts, double h, int rows)
{
    *b = (noe_uncoupled_blocks){ .facts = facts, .rows = rows, .h = fabs(h) };
    if (!s->model || !facts || facts->blocks < 2 || facts->blocks > NOE_BLOCKS_MOST
        || !facts->autonomous.holds || facts->forces)
        return true;
    b->H = noe_status_alloc(2 * (size_t)facts->blocks * (size_t)rows, sizeof *b->H);
    b->scale = noe_status_alloc(2 * (size_t)facts->blocks, sizeof *b->scale);
    b->x = noe_state_values_new(s->dyn.n);
    b->q0 = noe_status_alloc(2 * (size_t)s->dyn.n, sizeof *b->q0);
    b->v0 = b->q0 ? b->q0 + s->dyn.n : NULL;
    if (!b->H || !b->scale || !b->x || !b->q0 || !noe_random_state_open(&b->at, s)) return false;
    b->unit = b->scale + facts->blocks;
    b->terms = b->H + (size_t)facts->blocks * (size_t)rows;
    b->count = facts->blocks;
    return true;
}

static quad energy(noe_uncoupled_blocks *b)
{
    noe_state_values_find(&b->at, b->x);
    quad H = -b->x->L;
    for (int i = 0; i < b->x->n; i++) H += b->x->P[i] * b->x->v[i];
    return H;
}

void noe_uncoupled_blocks_look(noe_uncoupled_blocks *b, noe_integrator *g)
{
    if (!b->count || b->row == b->rows) return;
    const int n = b->x->n;
    quad      q[n], v[n];
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, NOE_AT_V, v);
    noe_integrator_state_get(g, NOE_AT_T, &b->x->t);
    if (!b->row) memcpy(b->q0, q, sizeof q), memcpy(b->v0, v, sizeof v);
    for (int k = 0; k < b->count; k++) {
        double T = 0, unit = 0;
        for (int i = 0; i < n; i++) {
            const bool own = b->facts->block[i] == k;
            b->x->q[i] = own ? q[i] : b->q0[i];
            b->x->v[i] = own ? v[i] : b->v0[i];
        }
        const quad H = energy(b);
        double     dF[n], dP[n];
        noe_state_values_rounding(&b->at, b->x, dF, dP);
        if (!b->row) b->H0 = H; /* H of the start, for every block */
        for (int i = 0; i < n; i++) {
            if (b->facts->block[i] != k) continue;
            const double moved = fabs((double)(b->x->P[i] * v[i]));
            T += moved / 2;
            unit += moved + (b->h * dF[i] + dP[i]) * fabs((double)v[i]) * 0x1p53;
        }
        b->H[k * b->rows + b->row] = (double)(H - b->H0);
        b->scale[k] = fmax(b->scale[k], T), b->unit[k] = fmax(b->unit[k], unit);
        b->terms[k * b->rows + b->row] = b->unit[k];
    }
    b->row++;
}

const double *noe_uncoupled_blocks_energies(const noe_uncoupled_blocks *b, int block)
{
    return b->H + (size_t)block * (size_t)b->rows;
}

const double *noe_uncoupled_blocks_terms(const noe_uncoupled_blocks *b, int block)
{
    return b->terms + (size_t)block * (size_t)b->rows;
}

double noe_uncoupled_blocks_unit(const noe_uncoupled_blocks *b, int block)
{
    return b->unit[block];
}

double noe_uncoupled_blocks_scale(const noe_uncoupled_blocks *b, int block)
{
    return b->scale[block] > 0 ? b->scale[block] : b->unit[block] > 0 ? b->unit[block] : 1;
}

void noe_uncoupled_blocks_close(noe_uncoupled_blocks *b)
{
    if (b->x) noe_random_state_close(&b->at);
    free(b->H), free(b->scale), free(b->x), free(b->q0);
}

void noe_uncoupled_blocks_name(const noe_properties *s, int block, const char *before, char *to,
                               size_t capacity)
{
    enum { SHOWN = 4 };
    static const char more[] = ", ..}";
    size_t            used = (size_t)snprintf(to, capacity, "%s{", before);
    int               count = 0, shown = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->block[i] != block || count++ > shown) continue;
        const char *comma = shown ? ", " : "";
        const int   room = (int)(capacity - used - sizeof more - strlen(comma));
        if (shown == SHOWN || (shown && (int)strlen(s->name[i]) > room)) continue;
        used += (size_t)snprintf(to + used, capacity - used, "%s%.*s", comma, room, s->name[i]);
        shown++;
    }
    snprintf(to + used, capacity - used, "%s", count > shown ? more : "}");
}
