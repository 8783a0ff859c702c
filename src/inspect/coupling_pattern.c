/* Sparsity, bandwidth, uncoupled blocks and cyclic coordinates: i ~ j if d2L/dz_i dz_j is not 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/property_parts.h"

/* Coupling of coordinates i and j: 0 none, 1 only entries that are 0 at all states, 2 others. */
static int coupling(const noe_survey *s, int i, int j)
{
    const noe_derivative_probe *x = &s->probe;
    const int                   n = x->n, N = 2 * n;
    int                         found = 0;
    for (int k = 0; k < 4; k++) {
        const int at = (i + k / 2 * n) * N + j + k % 2 * n;
        if (x->hess[at] >= 0 && !found) found = 1;
        if (!noe_survey_vanishes(s, x->hess[at])) found = 2;
        if (x->reads && (x->reads[at] || x->reads[at % N * N + at / N])) found = 2;
        const int force = i * N + j + k % 2 * n, back = j * N + i + k % 2 * n;
        if (!noe_survey_vanishes(s, x->force[force]) || !noe_survey_vanishes(s, x->force[back]))
            found = 2;
    }
    return found;
}

/* Do i and j stand in one constraint? */
static bool are_coupled(const noe_dynamics *d, int i, int j)
{
    unsigned seen = 0;
    for (int k = 0; k < d->G_entries; k++) {
        if (k && d->G_entry[k].constraint != d->G_entry[k - 1].constraint) seen = 0;
        seen |= d->G_entry[k].row == i ? 1 : d->G_entry[k].row == j ? 2 : 0;
        if (seen == 3) return true;
    }
    return false;
}

static int root_of(const int *parent, int i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

/* block [n] is first a union-find forest, with the first coordinate of each block as root, then
 * holds the numbers of the blocks. */
void noe_coupling_pattern(noe_properties *to, const noe_survey *s)
{
    const int n = to->n;
    for (int i = 0; i < 4 * n * n; i++) {
        const int k = s->probe.hess[i];
        if (k >= 0) (*(noe_survey_vanishes(s, k) ? &to->cancelled : &to->nonzeros))++;
    }
    to->blocks_sampled = to->functions;
    for (int i = 0; i < n; i++) {
        to->block[i] = i;
        for (int j = 0; j < i; j++) {
            const int found = are_coupled(s->probe.dyn, i, j) ? 2 : coupling(s, i, j),
                      a = root_of(to->block, i), b = root_of(to->block, j);
            to->blocks_sampled |= found == 1;
            if (found < 2) continue;
            if (i - j > to->bandwidth) to->bandwidth = i - j;
            to->block[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int i = 0; i < n;
         i++) /* a parent has a smaller index than i, so its block is numbered already */
        to->block[i] = to->block[i] == i ? to->blocks++ : to->block[to->block[i]];
    for (int i = 0; i < n; i++) {
        const bool seen = noe_survey_vanishes(s, noe_derivative_probe_F(&s->probe, i));
        to->cyclic[i] = to->functions ? seen : s->probe.cyclic[i];
        for (int k = 0; k < s->probe.dyn->G_entries; k++)
            if (s->probe.dyn->G_entry[k].row == i) to->cyclic[i] = false;
        to->cyclics += to->cyclic[i];
    }
}
