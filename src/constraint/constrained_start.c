/* Initial conditions of systems with constraints: g(t, q) = 0 and G v + g_t = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Positions move by q <- q - M^-1 G^T (G M^-1 G^T)^-1 g, the shortest way in the metric of the
 * kinetic energy, as momenta do by p <- p + G^T mu.
 *
 * Where constraints depend on each other, the independent ones leave a surface on which the others
 * hold: nearby, too, if they are redundant, and at the start alone if that is a dead point. */
#include "constraint/constrained_start.h"

#include "base/status.h"
#include "number/random.h"
#include "tape/left_out_bounds.h"
#include "constraint/constraint_point.h"
#include "tape/coupled_blocks.h"
#include "token/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 60, /* iterations towards the constraints, at most */
    SHOWN = 6,   /* coordinates named in a message */
    TRIALS = 4   /* moves along the constraints by which their rank near the start is found */
};
static const double
    /* A random move of size 1 of which the constraints leave this is none: in systems/ 0 exactly
     * without a degree of freedom, else 0.075 at least. */
    FREE_LEAST = 1e-15,
    /* Part of a length of the mechanism up to which a start is moved without a word: the digits
     * that a start is usually written with. */
    MOVED_MOST = 1e-6,
    /* Part of a position that is its rounding in double. */
    ROUNDED = 0x1p-50,
    /* NOE_DEPENDENT_AT_START for a start that is off the constraints by MOVED_MOST. */
    NEARLY_DEPENDENT = 1e-8,
    /* To tell redundant constraints from a dead point: part of a length of the mechanism by which
     * the start is moved along the surface, and by which a redundant constraint is off there at
     * most.  At a dead point it is off by the square, or the third power, of the first. */
    TRIAL_MOVE = 1e-2, OFF_MOST = 1e-9;

/* "FILE:LINE: the constraint 'NAME'"; functions in C have no lines. */
enum { PLACE = 400 };
static const char *place(const noe_system *system, int a, char *text)
{
    const noe_model *m = system->model;
    char             line[20] = "";
    if (m) {
        const noe_source s = { m->name, m->text, m->length, NULL };
        snprintf(line, sizeof line, ":%d", noe_source_line(&s, m->constraint[a].named));
    }
    snprintf(text, PLACE, "%.200s%s: the constraint '%.60s'", system->source, line,
             noe_system_constraint(system, a));
    return text;
}

/* |g_a| / |G_a|, the largest of the constraints order[from] .. order[to - 1]: a distance, by the
 * length of each where length [m] is not NULL. */
static quad distance_off(const noe_constraint_point *x, int from, int to, const quad *length,
                         int *worst)
{
    quad most = 0;
    for (int k = from; k < to; k++) {
        const int  a = x->order[k];
        const quad d = x->g[a] == 0 ? 0 : fabsq(x->g[a]) / x->size[a] / (length ? length[a] : 1);
        if (!(d <= most)) most = d, *worst = a;
    }
    return most;
}

/* |g_a|/|G_a| by the largest |q_j| at which Newton's method ends, and, where it no longer falls
 * after SETTLING iterations, the most that rounding may be: units of binary128 (2^-113), or of
 * double.  In the 12 systems of systems/ with constraints it always ends by END, at 1e-34 for
 * the most part, and never stalls. */
enum { SETTLING = 20 };
static const quad END = 0x1p-108, STALL = 0x1p-90, END_DOUBLE = 0x1p-48, STALL_DOUBLE = 0x1p-44;

/* Newton's method from q to the independent constraints; false: it does not lead to them.
 * Functions in C have the rounding of double. */
static bool approach(noe_constraint_point *x, quad t, quad *q, const quad *rest, double least)
{
    const bool rough = x->d->constraint_function;
    const quad end = rough ? END_DOUBLE : END, stall = rough ? STALL_DOUBLE : STALL;
    quad       mu[x->m], last = INFINITY;
    int        worst = 0;
    for (int it = 0; it < ROUNDS; it++) {
        quad most = 0;
        noe_constraint_point_at(x, t, q, rest, least);
        if (!x->regular) return false;
        const quad far = distance_off(x, 0, x->rank, NULL, &worst);
        for (int j = 0; j < x->n; j++) most = fmaxq(most, fabsq(q[j]));
        if (far <= end * most || far == 0) return true;
        if (!(far < last) && it > SETTLING) return far <= stall * most;
        last = far;
        noe_constraint_point_solve(x, x->g, mu);
        for (int a = 0; a < x->m; a++)
            for (int j = 0; j < x->n; j++) q[j] -= x->NG[a * x->n + j] * mu[a];
    }
    return false;
}

static noe_status off(const noe_system *system, int worst, quad difference, const quad *q,
                      bool found)
{
    char      at[PLACE], text[400] = "";
    size_t    used = 0;
    const int n = system->dyn.n, shown = n < SHOWN ? n : SHOWN;
    for (int j = 0; j < shown && found && used < sizeof text; j++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.40s = %.10g", j ? ", " : "",
                                 noe_system_name(system, j), (double)q[j]);
    return noe_status_fail(NOE_INVALID,
                           "%s does not hold at the start: its sides differ by %.3g; %s%s%s",
                           place(system, worst, at), (double)difference,
                           found ? "the nearest start that satisfies all constraints is "
                                 : "no start near it satisfies "
                                   "all constraints",
                           text, found && n > SHOWN ? ", .." : "");
}

/* Do the constraints that are left out hold where q [n] is moved along the surface of the others?
 * The point is at q; near [2 n]: scratch; length [m + n]: as from lengths(). */
static bool redundant(noe_constraint_point *x, quad t, const quad *q, const quad *rest,
                      const quad *length, quad *near)
{
    const int n = x->n, m = x->m;
    uint64_t  seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        quad *const along = near + n, size = 0, push[m], mu[m];
        int         worst = 0, independent;
        noe_constraint_point_at(x, t, q, rest, NOE_DEPENDENT_AT_START);
        for (int j = 0; j < n; j++) along[j] = noe_random_normal(&seed);
        for (int a = 0; a < m; a++) {
            push[a] = 0;
            for (int j = 0; j < n; j++) push[a] += x->G[a * n + j] * along[j];
        }
        noe_constraint_point_solve(x, push, mu);
        for (int a = 0; a < m; a++)
            for (int j = 0; j < n; j++) along[j] -= x->NG[a * n + j] * mu[a];
        for (int j = 0; j < n; j++) size = fmaxq(size, fabsq(along[j]));
        if (size < FREE_LEAST) return true; /* no degree of freedom is left */
        for (int j = 0; j < n; j++) near[j] = q[j] + along[j] / size * (TRIAL_MOVE * length[m + j]);
        if (!approach(x, t, near, rest, 0)) return false;
        independent = x->rank;
        if (distance_off(x, independent, m, length, &worst) > OFF_MOST) return false;
    }
    return true;
}

/* Lengths by which constraint a, [a], and coordinate j, [m + j], are judged: the radius of
 * curvature |G|/|G_q| of what is coupled to them, the largest, which no frame changes; or, where
 * that is less, the largest position that a constraint depends on or length that stands in one: the
 * numbers of a start are written with so many digits.  Of positions that are 0 rounding is left
 * where they were `given` otherwise, and that is no length.  The point is at q. */
static void lengths(noe_constraint_point *x, const quad *q, const quad *given, const int *block_of,
                    quad *length)
{
    const noe_dynamics         *d = x->d;
    const noe_constraint_entry *y;
    const int                   n = x->n, m = x->m;
    quad                        bent[m], radius[n], far[n], was[n];
    int                         block[m];
    for (int j = 0; j < n; j++) radius[j] = far[j] = was[j] = 0;
    for (int a = 0; a < m; a++) bent[a] = 0, block[a] = 0;
    noe_constraint_point_outputs(x);
    for (y = d->G_q_entry; y < d->G_q_entry + d->G_q_entries; y++)
        bent[y->constraint] += (y->row == y->col ? 1 : 2) * x->out[y->output] * x->out[y->output];
    for (y = d->G_entry; y < d->G_entry + d->G_entries; y++) {
        const int b = block[y->constraint] = block_of[y->row];
        far[b] = fmaxq(far[b], fabsq(q[y->row]));
        was[b] = fmaxq(was[b], fabsq(given[y->row]));
    }
    for (int a = 0; a < m; a++) {
        const quad  own = x->size[a] / sqrtq(bent[a]), in_it = x->constants[a] / x->size[a];
        quad *const r = &radius[block[a]], *const f = &far[block[a]];
        if (own > *r && finiteq(own)) *r = own;
        if (in_it > *f && finiteq(in_it)) *f = in_it;
    }
    for (int k = 0; k < m + n; k++) {
        const int b = k < m ? block[k] : block_of[k - m];
        length[k] = radius[b] > 0 && radius[b] < far[b] ? radius[b]
                  : far[b] > ROUNDED * was[b]           ? far[b]
                                                        : 1;
    }
}

/* A constraint follows from the others, but for a difference of its sides. */
static noe_status contradiction(const noe_system *system, int a, quad difference)
{
    char at[PLACE];
    return noe_status_fail(
        NOE_INVALID,
        "%s does not hold where the others do, and depends on them: at the start its sides differ "
        "by %.3g.  Lengths and angles of a closed loop have to agree: compute them from each other "
        "by expressions",
        place(system, a, at), (double)difference);
}

/* Refuses constraints that depend on each other at the point alone, by name. */
static noe_status dead_point(const noe_system *system, const noe_constraint_point *x)
{
    const int a = x->order[x->rank];
    char      at[PLACE], more[40] = "";
    if (x->m - x->rank > 1) snprintf(more, sizeof more, " (and %d more)", x->m - x->rank - 1);
    if (x->size[a] == 0)
        return noe_status_fail(
            NOE_SINGULAR,
            "%s%s has the gradient 0 at the start, and no force: write it so that its two sides "
            "cross, 'x = 0' for 'x^2 = 0'",
            place(system, a, at), more);
    return noe_status_fail(
        NOE_SINGULAR,
        "%s%s follows from the others at the start, and not near it (a dead point): its force is "
        "not determined there: start elsewhere",
        place(system, a, at), more);
}

/* Tells redundant constraints from a dead point and from a contradiction; the point is at q. */
static noe_status dependent(const noe_system *system, noe_constraint_point *x, quad t,
                            const quad *q, const quad *rest, const quad *length, quad *left_out)
{
    const int n = x->n, m = x->m;
    int       worst = 0;
    for (int k = x->rank; k < m; k++)
        if (x->size[x->order[k]] == 0) return dead_point(system, x);
    if (distance_off(x, x->rank, m, length, &worst) > NOE_LEFT_OUT_AT_START)
        return contradiction(system, worst, fabsq(x->g[worst]));
    for (int k = x->rank; k < m; k++) left_out[x->order[k]] = 1;
    noe_constraint_point_leave_out(x, left_out);
    quad *near = noe_status_alloc(2 * (size_t)n, sizeof *near);
    if (!near) return NOE_NO_MEMORY;
    const bool same = redundant(x, t, q, rest, length, near);
    free(near);
    noe_constraint_point_at(x, t, q, rest, NOE_DEPENDENT_AT_START);
    return same ? NOE_OK : dead_point(system, x);
}

/* Refuses a constraint that has no finite value or derivatives at the point. */
static noe_status not_finite(const noe_system *system, const noe_constraint_point *x)
{
    char at[PLACE];
    for (int a = 0; a < x->m; a++) {
        quad sum = x->g[a] + x->rate[a];
        for (int j = 0; j < x->n; j++) sum += x->G[a * x->n + j];
        if (finiteq(sum)) continue;
        return noe_status_fail(NOE_NOT_FINITE,
                               "%s or its derivatives are not finite at the start: a division by "
                               "zero, or the root of 0, as in a rod of length 0?",
                               place(system, a, at));
    }
    return NOE_OK;
}

noe_status noe_constrained_start_positions(const noe_system *system, const quad *param, quad t,
                                           quad *q, quad *left_out)
{
    const int             n = system->dyn.n, m = system->dyn.constraints;
    const size_t          bytes = (size_t)n * sizeof *q;
    noe_constraint_point *x = noe_constraint_point_new(&system->dyn);
    quad *near = noe_status_alloc(3 * (size_t)n + (size_t)m, sizeof *near), *length = near + 2 * n;
    int  *block_of = noe_status_alloc((size_t)n, sizeof *block_of), worst = 0;
    noe_status s = NOE_NO_MEMORY;
    for (int a = 0; a < m; a++) left_out[a] = 0;
    if (x && near && block_of) {
        noe_constraint_point_parameters(x, param, 0);
        noe_constraint_point_at(x, t, q, near + n, NEARLY_DEPENDENT);
        const bool       regular = x->regular; /* else the engine's start tells */
        const noe_status unknown = not_finite(system, x);
        distance_off(x, 0, m, NULL, &worst);
        const quad difference = fabsq(x->g[worst]);
        memcpy(near, q, bytes);
        const bool found = approach(x, t, near, near + n, NEARLY_DEPENDENT)
                        && approach(x, t, near, near + n, NOE_DEPENDENT_AT_START);
        noe_coupled_blocks_find(&system->dyn, block_of);
        lengths(x, near, q, block_of, length);
        bool moved = false;
        for (int j = 0; j < n; j++)
            moved |= !(fabsq(near[j] - q[j]) <= MOVED_MOST * length[m + j] + ROUNDED * fabsq(q[j]));
        int        other = 0; /* of the constraints that are left out there */
        const bool all = found
                      && distance_off(x, x->rank, m, length, &other) <= NOE_LEFT_OUT_AT_START;
        if (!regular) s = unknown;
        else if (!found || moved) s = off(system, worst, difference, near, all);
        else if (x->rank == m) s = NOE_OK;
        else s = dependent(system, x, t, near, near + n, length, left_out);
        if (!s && regular) memcpy(q, near, bytes);
    }
    noe_constraint_point_free(x);
    free(near), free(block_of);
    return s;
}

unsigned noe_constrained_start_momenta(const noe_system *system, const quad *param,
                                       const noe_engine *engine, void *work, int member)
{
    const int             n = system->dyn.n, m = system->dyn.constraints;
    noe_constraint_point *x = noe_constraint_point_new(&system->dyn);
    quad *v = noe_status_alloc(3 * (size_t)n + 2 * (size_t)m, sizeof *v), *q = v + n, *p = q + n,
         *mu = p + n, *left_out = mu + m, t, last = INFINITY;
    bool    *momentum = noe_status_alloc((size_t)n, sizeof *momentum);
    unsigned failed = !x || !v || !momentum;
    for (int j = 0; j < n && momentum; j++) momentum[j] = true;
    engine->get(work, NOE_AT_T, member, &t);
    if (!failed) {
        noe_constraint_point_parameters(x, param, 0);
        engine->get(work, NOE_AT_LEFT_OUT, member, left_out);
        noe_constraint_point_leave_out(x, left_out);
    }
    for (int it = 0; it < ROUNDS && !failed; it++) {
        quad error = 0;
        engine->get(work, NOE_AT_Q, member, q);
        engine->get(work, NOE_AT_V, member, v);
        engine->get(work, NOE_AT_P, member, p);
        noe_constraint_point_at(x, t, q, v, NOE_DEPENDENT_AT_START);
        for (int a = 0; a < m; a++) {
            quad size = fabsq(x->rate[a]) + (quad)1e-300;
            for (int j = 0; j < n; j++) size += fabsq(x->G[a * n + j] * v[j]);
            if (!x->left_out[a]) error = fmaxq(error, fabsq(x->hidden[a]) / size);
        }
        if (!(error < last / 2) || error == 0) break;
        last = error;
        noe_constraint_point_solve(x, x->hidden, mu);
        for (int a = 0; a < m; a++)
            for (int j = 0; j < n; j++) p[j] -= x->G[a * n + j] * mu[a];
        engine->set(work, NOE_AT_P, member, p);
        failed = engine->start(work, momentum);
    }
    noe_constraint_point_free(x);
    free(v);
    free(momentum);
    return failed;
}
