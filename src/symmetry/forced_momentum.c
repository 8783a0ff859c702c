/* Do forces change the momentum of a symmetry?  dI/dt = f . (xi - tau v).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * I is linear in p and H, so dI/dt is I at p = f, H = f . v, without the gauge term. */
#include "symmetry/forced_momentum.h"

#include "symmetry/symmetry_thresholds.h"

#include <string.h>

/* A force that was 0 at all states drawn acts elsewhere, as a wall or a spike of a table, if the
 * generator moves its coordinate. */
bool noe_forced_momentum_is(noe_identity *identity, const noe_symmetries *s, const quad *x,
                            const noe_model *m)
{
    quad none[s->n], one[s->n], all = 0, moved = 0;
    int  good = 0;
    memset(none, 0, sizeof none), memset(one, 0, sizeof one);
    for (int k = 0; m && k < m->forces; k++) one[m->force[k].index] = 1;
    for (int k = 0; k < 20 * NOE_IDENTITY_FRESH && good < NOE_IDENTITY_FRESH; k++) {
        if (!noe_identity_draw(identity, 1)) continue;
        const noe_random_state *at = identity->state;
        quad                    power = 0, sum = 0, size = 0;
        for (int i = 0; i < s->n; i++) power += at->f[i] * at->v[i];
        for (int a = 0; a < s->terms; a++) {
            if (x[a] == 0) continue;
            const noe_basis_term *T = &s->term[a];
            const quad gauge = noe_generator_basis_momentum(T, x[a], at->t, at->q, none, 0),
                       y = noe_generator_basis_momentum(T, x[a], at->t, at->q, at->f, power)
                         - gauge;
            moved += noe_generator_basis_momentum(T, x[a], at->t, at->q, one, 0) - gauge;
            sum += y, size += fabsq(y);
        }
        if (fabsq(sum) > FORCE_ZERO * size) return true;
        all += size;
        good++;
    }
    return all == 0 && moved != 0;
}
