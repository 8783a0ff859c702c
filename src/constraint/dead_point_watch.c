/* Steps that pass close to a dead point of constraints without resolving it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * r is the part of a constraint's unit gradient that is independent of the others; its length is
 * the sine of an angle between them.  Beside a dead point r turns while it is short, and where it
 * turns within one step the step does not see which way the motion goes on, or takes the other one.
 * Through a true dead point, as the flat pose of a parallelogram, r goes through 0 and changes its
 * sign as well.  There all constraints hold; beside it there is no such place.
 *
 * Lengths and angles are those of coordinates times sqrt(M_jj), M = L_vv, which do not depend on
 * the units of coordinates, nor on that of masses in what is compared.  The engine finds S = G M^-1
 * G^T at the end of every step, and from its pivots whether a dead point may be close: only then
 * the gradients themselves are looked at.  Parts of a system that nothing couples are judged
 * each for itself. */
#include "constraint/dead_point_watch.h"

#include "number/dot.h"
#include "base/status.h"
#include "tape/coupled_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORK_MOST = 20000, /* constraints^2 coordinates */
    WAIT_MOST = 64,    /* steps without a look */
    ROUNDS = 4         /* of Newton's method */
};
static const double
    /* Sine from which on no dead point is close. */
    CLOSE = 0.1,
    /* Cosine of the turn of r in one step below which it is not resolved. */
    TURNED = 0.9,
    /* By how much a constraint is off where r is 0, by the change of r times the length of the
     * step: what is less is a dead point, up to errors of the interpolation. */
    PASSES = 1e-4;

noe_dead_point_watch *noe_dead_point_watch_new(const noe_dynamics *d)
{
    const size_t n = (size_t)d->n, m = (size_t)d->constraints;
    if (m < 2 || m * m * n > WORK_MOST || !d->constraint || !d->legendre) return NULL;
    noe_dead_point_watch *w = noe_status_alloc(1, sizeof *w);
    if (!w) return NULL;
    w->x = noe_constraint_point_new(d);
    w->before = noe_status_alloc(3 * m * n + 4 * n, sizeof *w->before);
    w->q0 = noe_status_alloc(2 * n + (size_t)(d->constraint->slots + d->legendre->slots),
                             sizeof *w->q0);
    w->t = NAN;
    w->block_of = noe_status_alloc(n + m, sizeof *w->block_of);
    if (!w->x || !w->before || !w->q0 || !w->block_of) return noe_dead_point_watch_free(w), NULL;
    w->blocks = noe_coupled_blocks_find(d, w->block_of), w->set = w->block_of + n;
    for (int k = 0; k < d->G_entries; k++)
        w->set[d->G_entry[k].constraint] = w->block_of[d->G_entry[k].row];
    w->now = w->before + m * n, w->others = w->now + m * n, w->r0 = w->others + m * n;
    w->r1 = w->r0 + n, w->root = w->r1 + n, w->inverse = w->root + n;
    w->v0 = w->q0 + n, w->slot = w->v0 + n, w->mass_slot = w->slot + d->constraint->slots;
    noe_tape_double_run(d->constraint, w->slot); /* puts the constants in their slots */
    noe_tape_double_run(d->legendre, w->mass_slot);
    return w;
}

void noe_dead_point_watch_free(noe_dead_point_watch *w)
{
    if (!w) return;
    noe_constraint_point_free(w->x);
    /* these two change places; the lower one is what was allocated */
    free(w->now && w->now < w->before ? w->now : w->before), free(w->q0);
    free(w->block_of), free(w);
}

/* w->root = sqrt(M_jj) at (t, q, v), w->inverse = 1 over that; 0 where it is not finite. */
static void masses(noe_dead_point_watch *w, double t, const double *q, const double *v)
{
    const noe_dynamics *d = w->x->d;
    const int           n = w->x->n;
    if (d->mass_constant && w->weighed) return;
    w->weighed = true;
    w->mass_slot[0] = t;
    memcpy(w->mass_slot + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *q);
    memcpy(w->mass_slot + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *v);
    noe_tape_double_run_again(d->legendre, w->mass_slot);
    for (const noe_entry *y = d->mass; y < d->mass + d->masses; y++) {
        if (y->row != y->col) continue;
        w->root[y->row] = sqrt(fabs(w->mass_slot[d->legendre->out[y->output]]));
        const double inverse = 1 / w->root[y->row];
        w->inverse[y->row] = isfinite(inverse) ? inverse : 0;
    }
}

/* The unit gradients at (t, q), in the masses of w->root. */
static void gradients(noe_dead_point_watch *w, double t, const double *q, double *U)
{
    const noe_dynamics *d = w->x->d;
    const int           n = w->x->n, m = w->x->m;
    w->slot[0] = t;
    memcpy(w->slot + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *q);
    noe_tape_double_run_again(d->constraint, w->slot);
    memset(U, 0, (size_t)(m * n) * sizeof *U);
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++)
        U[y->constraint * n + y->row] = w->inverse[y->row] * w->slot[d->constraint->out[y->output]];
    for (int a = 0; a < m; a++) {
        const double size = sqrt(noe_dot(U + a * n, U + a * n, n));
        for (int j = 0; j < n && size > 0; j++) U[a * n + j] /= size;
    }
}

/* r of constraint `last`, or of the most dependent one of a set where that is -1, the others of the
 * set taken in the order of their independence.  Returns |r|; which: its constraint. */
static double independent_part(noe_dead_point_watch *w, const double *U, int set, int last,
                               double *r, int *which)
{
    const int n = w->x->n, m = w->x->m;
    bool      used[m];
    double   *V = w->others, size = 0, left[m]; /* squares of what is independent so far */
    memcpy(V, U, (size_t)(m * n) * sizeof *V);
    for (int a = 0; a < m; a++) used[a] = w->x->left_out[a] || w->set[a] != set, left[a] = 1;
    for (;;) {
        int    next = -1;
        double best = -INFINITY;
        for (int a = 0; a < m; a++)
            if (!used[a] && a != last && left[a] > best) {
                best = left[a];
                next = a;
            }
        if (next < 0) next = last;
        if (next < 0 || used[next]) return size;
        used[next] = true, *which = next;
        memcpy(r, V + next * n, (size_t)n * sizeof *r);
        const double square = noe_dot(r, r, n), inverse = 1 / square;
        size = sqrt(square);
        for (int a = 0; a < m && size > 0; a++) {
            const double along = used[a] ? 0 : noe_dot(V + a * n, r, n) * inverse;
            if (along == 0) continue;
            for (int j = 0; j < n; j++) V[a * n + j] -= along * r[j];
            left[a] -= along * along * square;
        }
    }
}

/* Constraints whose pivot of G M^-1 G^T is below this part depend on others: far above the rounding
 * of binary128, and far below NOE_DEPENDENT_AT_START.  No measurement of other values is
 * recorded. */
static const double DEPENDENT = 0x1p-80;

/* |g_a| over the length of its gradient in the masses of w->root, at the part s of the step, on the
 * surface of the other constraints. */
static double off(noe_dead_point_watch *w, int a, double s, double t, const double *q,
                  const double *v)
{
    noe_constraint_point *x = w->x;
    const int             n = x->n, m = x->m;
    const bool            kept = x->left_out[a];
    const quad            h = (quad)t - w->t0, S = s;
    quad                  there[n], rest[n], mu[m];
    memset(rest, 0, sizeof rest);
    for (int j = 0; j < n; j++)
        there[j] = w->q0[j] + ((quad)q[j] - w->q0[j]) * S * S * (3 - 2 * S)
                 + h * S * (1 - S) * (w->v0[j] * (1 - S) - v[j] * S);
    x->left_out[a] = true;
    for (int round = 0; round <= ROUNDS; round++) {
        noe_constraint_point_at(x, w->t0 + S * h, there, rest, DEPENDENT);
        noe_constraint_point_solve(x, x->g, mu);
        for (int b = 0; b < m && round < ROUNDS; b++)
            for (int j = 0; j < n; j++) there[j] -= x->NG[b * n + j] * mu[b];
    }
    x->left_out[a] = kept;
    quad size = 0;
    for (int j = 0; j < n; j++) size = hypotq(size, x->G[a * n + j] * w->inverse[j]);
    return x->regular ? (double)(fabsq(x->g[a]) / size) : 0;
}

void noe_dead_point_watch_begin(noe_dead_point_watch *w, double t, const double *q, const double *v,
                                const quad *left_out)
{
    const size_t bytes = (size_t)w->x->n * sizeof *q;
    noe_constraint_point_leave_out(w->x, left_out);
    if (!w->follows || w->t0 != t || memcmp(w->q0, q, bytes))
        masses(w, t, q, v), gradients(w, t, q, w->before);
    memcpy(w->q0, q, bytes), memcpy(w->v0, v, bytes);
    w->t0 = t;
}

/* How much the gradients of a set turn in the step, at most. */
static double turning(const noe_dead_point_watch *w, int set)
{
    double most = 0;
    for (int a = 0; a < w->x->m; a++) {
        if (w->set[a] != set) continue;
        double sum = 0;
        for (int j = 0; j < w->x->n; j++) {
            const double by = w->now[a * w->x->n + j] - w->before[a * w->x->n + j];
            sum += by * by;
        }
        most = fmax(most, sqrt(sum));
    }
    return most;
}

/* Steps until r, of the length `now`, may matter: until |r| < CLOSE at 2 `turned` a step, or until
 * |r| < `turned` at m `turned` a step, m the number of constraints, whichever comes later; 1 and 3
 * steps are kept in reserve.  r changes in one step by twice `turned` for two constraints, in near
 * dependence of more by at most about as many times. */
static double steps_to_turn(const noe_dead_point_watch *w, double now, double turned)
{
    if (!(turned > 0)) return WAIT_MOST;
    return fmax((now - CLOSE) / (2 * turned) - 1, now / (w->x->m * turned) - 3);
}

/* Has the set a dead point that the step did not resolve?  Returns the steps that need no look. */
static double look(noe_dead_point_watch *w, int set, double t, const double *q, const double *v)
{
    const int    n = w->x->n;
    int          a = -1, same;
    const double now = independent_part(w, w->now, set, -1, w->r1, &a);
    if (a < 0) return WAIT_MOST; /* no constraints */
    const double turned = turning(w, set), rest = steps_to_turn(w, now, turned);
    if (now > CLOSE && turned <= now) return rest;
    const double before = independent_part(w, w->before, set, a, w->r0, &same), both = now * before,
                 part = before / (before + now);
    if (!(fmin(now, before) < CLOSE && noe_dot(w->r0, w->r1, n) < TURNED * both)) return rest;
    double change = 0, way = 0;
    for (int j = 0; j < n; j++) {
        if (w->block_of[j] != set) continue;
        change = hypot(change, w->r1[j] - w->r0[j]);
        way = hypot(way, w->root[j] * (q[j] - w->q0[j]));
    }
    if (off(w, a, part, t, q, v) > PASSES * change * way) w->t = t, w->constraint = a;
    return rest;
}

void noe_dead_point_watch_end(noe_dead_point_watch *w, double t, const double *q, const double *v)
{
    double *const U = w->before;
    double        rest = WAIT_MOST;
    masses(w, t, q, v), gradients(w, t, q, w->now);
    for (int set = 0; set < w->blocks && isnan(w->t); set++)
        rest = fmin(rest, look(w, set, t, q, v));
    w->wait = rest > 0 ? (int)rest : 0;
    w->before = w->now, w->now = U, w->follows = true;
    memcpy(w->q0, q, (size_t)w->x->n * sizeof *q);
    w->t0 = t;
}
