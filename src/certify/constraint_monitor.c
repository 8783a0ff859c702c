/* |g| and |G v + g_t| along a run, relative to their terms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * |g_a| / (sum_j |G_aj| (Q_j + |h| V_j) + |t g_t| + rounding of g in units of 2^-53), Q_j and V_j
 * the largest |q_j| and |v_j| so far: a rounding of the largest positions is 2^-53 of it.  In the
 * same way |hidden_a| / (sum_j |G_aj| (V_j + |h| sum_b |G_bj lambda_b| / M_jj) + |g_t| + rounding
 * of both) with v from L_v(v) = p: impulses that cancel in p leave their rounding in v. */
#include "certify/constraint_monitor.h"

#include "base/status.h"
#include "constraint/constraint_point.h"
#include "tape/coupled_blocks.h"
#include "tape/left_out_bounds.h"

#include <math.h>
#include <stdlib.h>

/* Units of rounding up to which the laws hold.  A step ends where g and G v + g_t are 2 of them at
 * its own positions and velocities (CONSTRAINT_ROUNDINGS, HIDDEN_ROUNDINGS of
 * step/solver_constants.h).  Measured: 6 at most over 110 random mechanisms, Bennett's linkage, and
 * chains with loads of 1000 times their masses. */
enum { ROUNDINGS = 64 };

bool noe_constraint_monitor_open(noe_constraint_monitor *k, const noe_system *s)
{
    *k = (noe_constraint_monitor){ 0 };
    if (!s->dyn.constraints) return true;
    k->at = noe_constraint_point_new(&s->dyn);
    const noe_tape *tape = s->dyn.constraint;
    k->rough = noe_status_alloc(tape ? (size_t)tape->slots : 1, sizeof *k->rough);
    k->most = noe_status_alloc(2 * (size_t)s->dyn.n, sizeof *k->most);
    k->block = noe_status_alloc((size_t)s->dyn.constraints, sizeof *k->block);
    int block_of[s->dyn.n];
    noe_coupled_blocks_find(&s->dyn, block_of);
    for (int i = 0; i < s->dyn.G_entries && k->block; i++)
        k->block[s->dyn.G_entry[i].constraint] = block_of[s->dyn.G_entry[i].row];
    return k->at && k->rough && k->most && k->block;
}

void noe_constraint_monitor_close(noe_constraint_monitor *k)
{
    noe_constraint_point_free(k->at);
    free(k->rough), free(k->most), free(k->block);
}

/* size [m] of g or of G v + g_t, and what it is of the constraints that share coordinates: size_a
 * <- scale_a max_b size_b/scale_b, as large in any frame.  A coordinate that stays at 0 has the
 * rounding of those that it is coupled to, and a constraint that follows from others that of these.
 */
static void share_sizes(const noe_constraint_monitor *k, quad *size)
{
    const noe_constraint_point *x = k->at;
    quad                        most[x->n];
    for (int j = 0; j < x->n; j++) most[j] = 0;
    for (int a = 0; a < x->m; a++) {
        quad *const all = &most[k->block[a]];
        if (x->scale[a] > 0) *all = fmaxq(*all, size[a] / x->scale[a]);
    }
    for (int a = 0; a < x->m; a++) size[a] = fmaxq(size[a], x->scale[a] * most[k->block[a]]);
}

/* The outputs of the constraints' tape at time t and the present positions, in double: k->rough. */
static void run_in_double(noe_constraint_monitor *k, quad t)
{
    const noe_tape *tape = k->at->d->constraint;
    for (int i = 0; i < tape->inputs; i++) k->rough[i] = (double)k->at->in[i];
    k->rough[0] = (double)t;
    noe_tape_double_run(tape, k->rough);
}

/* hidden [m] = G v + g_t of these outputs. */
static void hidden_of(const noe_constraint_monitor *k, const quad *v, double *hidden)
{
    const noe_constraint_point *x = k->at;
    const int                  *out = x->d->constraint->out;
    for (int a = 0; a < x->m; a++) hidden[a] = k->rough[out[x->m + a]];
    for (int i = 0; i < x->d->G_entries; i++) {
        const noe_constraint_entry *y = &x->d->G_entry[i];
        hidden[y->constraint] += k->rough[out[y->output]] * (double)v[y->row];
    }
}

/* Adds to speed [m] what a rounding of t and of q makes of G v + g_t: |t (G_t v + g_tt)|, by a
 * difference, of which one digit is enough, and sum_jk |g_qjqk v_j| max |q_k|.  After own_sizes(),
 * whose outputs these are. */
static void add_roundings_of_state(noe_constraint_monitor *k, quad t, const quad *v, quad *speed)
{
    enum { PARTS = 1 << 20 };
    const noe_constraint_point *x = k->at;
    double                      now[x->m], later[x->m];
    if (!x->d->constraint) return; /* functions in C */
    hidden_of(k, v, now);
    for (int i = 0; i < x->d->G_q_entries; i++) {
        const noe_constraint_entry *y = &x->d->G_q_entry[i];
        const double                G_q = fabs(k->rough[x->d->constraint->out[y->output]]);
        speed[y->constraint] += G_q * fabsq(v[y->row]) * k->most[y->col];
        if (y->row != y->col) speed[y->constraint] += G_q * fabsq(v[y->col]) * k->most[y->row];
    }
    run_in_double(k, t + t / PARTS);
    hidden_of(k, v, later);
    for (int a = 0; a < x->m; a++) speed[a] += fabs(later[a] - now[a]) * PARTS;
}

/* size [m] of g and speed [m] of G v + g_t in a step of length h: their terms, and the rounding of
 * what the tape computes in units of 2^-53. */
static void own_sizes(noe_constraint_monitor *k, quad t, quad h, const quad *v, quad *size,
                      quad *speed)
{
    noe_constraint_point       *x = k->at;
    const int                   n = x->n, m = x->m;
    const noe_tape             *tape = x->d->constraint; /* NULL: functions in C */
    const noe_constraint_entry *y = x->d->G_entry, *end = y + x->d->G_entries;
    if (tape) run_in_double(k, t);
    for (int a = 0; a < m; a++) {
        size[a] = fabsq(t * x->rate[a]) + (quad)1e-300, speed[a] = fabsq(x->rate[a]) + (quad)1e-300;
        if (!tape) continue;
        size[a] += fabsq(k->rough[tape->out[a]] - x->g[a]) * (quad)0x1p53;
        speed[a] += fabsq(k->rough[tape->out[m + a]] - x->rate[a]) * (quad)0x1p53;
    }
    quad push[n];
    noe_constraint_point_pushes(x, h, push);
    for (; y < end; y++) {
        const quad G = x->G[y->constraint * n + y->row],
                   off = tape ? k->rough[tape->out[y->output]] - G : 0;
        size[y->constraint] += fabsq(G) * (k->most[y->row] + fabsq(h) * k->most[n + y->row]);
        speed[y->constraint] += fabsq(G) * (k->most[n + y->row] + push[y->row])
                              + fabsq(off * v[y->row]) * (quad)0x1p53;
    }
}

void noe_constraint_monitor_look(noe_constraint_monitor *k, noe_integrator *g)
{
    noe_constraint_point *x = k->at;
    if (!x) return;
    const int n = x->n, m = x->m;
    quad      q[n], v[n], t, h, size[m], speed[m];
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, NOE_AT_V, v);
    noe_constraint_point_at(x, t, q, v, NOE_DEPENDENT_ROUNDING);
    for (int j = 0; j < n; j++) {
        k->most[j] = fmax(k->most[j], fabs((double)q[j]));
        k->most[n + j] = fmax(k->most[n + j], fabs((double)v[j]));
    }
    own_sizes(k, t, h, v, size, speed);
    add_roundings_of_state(k, t, v, speed);
    share_sizes(k, size), share_sizes(k, speed);
    for (int a = 0; a < m; a++) {
        const double off = (double)(fabsq(x->g[a]) / size[a]),
                     slip = (double)(fabsq(x->hidden[a]) / speed[a]);
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
                     steps, noe_system_constraint(s, k->worst[0]));
    noe_law_list_add(laws, "hidden constraints", k->hidden, ROUNDINGS * 0x1p-53,
                     "largest |G v + g_t| over %d steps, of its terms, at '%.40s'", steps,
                     noe_system_constraint(s, k->worst[1]));
}
