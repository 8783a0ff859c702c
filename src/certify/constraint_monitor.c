/* |g| and |G v + g_t| along a run, relative to their terms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * |g_a| / (sum_j |G_aj| Q_j + |t g_t| + rounding of g in units of 2^-53), Q_j the largest |q_j| so
 * far: a rounding of the largest positions is 2^-53 of it.  In the same way |hidden_a| /
 * (sum_j |G_aj| V_j + |g_t| + rounding of both) with v from L_v(v) = p. */
#include "certify/constraint_monitor.h"

#include "base/status.h"
#include "system/constraint_point.h"

#include <math.h>
#include <stdlib.h>

/* Units of rounding up to which the laws hold.  A step ends where g and G v + g_t are 2 of them, or
 * where its iteration stalls: HIDDEN_STALL of step/solver_constants.h; short rods of long chains
 * were seen to reach 1,600 in 10,000 steps. */
enum { ROUNDINGS = 1 << 13 };

bool noe_constraint_monitor_open(noe_constraint_monitor *k, const noe_system *s)
{
    *k = (noe_constraint_monitor){ 0 };
    if (!s->dyn.constraints) return true;
    k->at = noe_constraint_point_new(&s->dyn);
    k->rough = noe_status_alloc((size_t)s->dyn.constraint->slots, sizeof *k->rough);
    k->most = noe_status_alloc(2 * (size_t)s->dyn.n, sizeof *k->most);
    return k->at && k->rough && k->most;
}

void noe_constraint_monitor_close(noe_constraint_monitor *k)
{
    noe_constraint_point_free(k->at);
    free(k->rough), free(k->most);
}

void noe_constraint_monitor_look(noe_constraint_monitor *k, noe_integrator *g)
{
    noe_constraint_point *x = k->at;
    if (!x) return;
    const int       n = x->n, m = x->m;
    const noe_tape *tape = x->d->constraint;
    quad            q[n], v[n], t;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, NOE_AT_V, v);
    noe_constraint_point_at(x, t, q, v, 1e-30);
    for (int i = 0; i < tape->inputs; i++) k->rough[i] = (double)x->in[i];
    noe_tape_double_run(tape, k->rough);
    for (int j = 0; j < n; j++) {
        k->most[j] = fmax(k->most[j], fabs((double)q[j]));
        k->most[n + j] = fmax(k->most[n + j], fabs((double)v[j]));
    }
    for (int a = 0; a < m; a++) {
        quad size = fabsq(t * x->rate[a]) + (quad)1e-300, speed = fabsq(x->rate[a]) + (quad)1e-300;
        size += fabsq(k->rough[tape->out[a]] - x->g[a]) * (quad)0x1p53;
        speed += fabsq(k->rough[tape->out[m + a]] - x->rate[a]) * (quad)0x1p53;
        for (int j = 0; j < n; j++) {
            size += fabsq(x->G[a * n + j]) * k->most[j];
            speed += fabsq(x->G[a * n + j]) * k->most[n + j];
        }
        const noe_constraint_entry *y = x->d->G_entry, *end = y + x->d->G_entries;
        for (; y < end; y++)
            if (y->constraint == a)
                speed += fabsq((k->rough[tape->out[y->output]] - x->G[a * n + y->row]) * v[y->row])
                       * (quad)0x1p53;
        const double off = (double)(fabsq(x->g[a]) / size),
                     slip = (double)(fabsq(x->hidden[a]) / speed);
        if (off > k->g) k->g = off, k->worst[0] = a;
        if (slip > k->hidden) k->hidden = slip, k->worst[1] = a;
    }
}

void noe_constraint_monitor_laws(const noe_constraint_monitor *k, const noe_system *s, int steps,
                                 noe_laws *laws)
{
    if (!k->at) return;
    noe_law_list_add(laws, "constraints", k->g, ROUNDINGS * 0x1p-53,
                     "largest |g| over %d steps, of its terms, at '%.40s': positions stay where "
                     "they must",
                     steps, s->model->constraint[k->worst[0]].name);
    noe_law_list_add(laws, "hidden constraints", k->hidden, ROUNDINGS * 0x1p-53,
                     "largest |G v + g_t| over %d steps, of its terms, at '%.40s'", steps,
                     s->model->constraint[k->worst[1]].name);
}
