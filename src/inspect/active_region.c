/* Finds states where local terms of L, such as max(x - 1e4, 0) or exp(-1000 r^2), are active.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/active_region.h"

#include "number/random.h"
#include "base/status.h"
#include "inspect/least_point.h"
#include "inspect/local_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITERATIONS = 80, /* of Newton's method for one argument */
    /* How far an argument may stay from its target where exp of it counts. */
    EXP_DISTANCE_MOST = 40,
    OTHERS_MOST = 3,   /* other terms of the kind of a term that are made active besides it */
    VARIABLES_MOST = 8 /* in which a state is spread */
};

/* Distance from a number, by that at the beginning, at which lines have led to it.  No measurement
 * of other values is recorded of these three; `noether check` of systems/ comes to none. */
static const quad NUMBER_REACHED = (quad)1e-9;
/* Distance of an argument from 0 where a function jumps, in the unit of approach(), and that of the
 * states on the two sides in the scales: far above the first, and far below all that L varies
 * over. */
static const quad JUMP_REACHED = (quad)1e-24, ACROSS = (quad)1e-20;

/* True if the function of the argument may jump where the argument is 0. */
static bool jumps(noe_op op)
{
    return op == NOE_LT || op == NOE_LE || op == NOE_FN_sign || op == NOE_FN_floor || op == NOE_MOD;
}

static bool compares(noe_op op) { return op == NOE_LT || op == NOE_LE; }

bool noe_active_region_open(noe_active_region *x, noe_model *m)
{
    *x = (noe_active_region){ .model = m, .n = m->n };
    noe_ex *root = noe_status_alloc((size_t)NOE_ACTIVE_MOST * (2 + 2 * (size_t)m->n), sizeof *root);
    jmp_buf stop;
    m->graph.stop = &stop;
    bool ok = root != NULL;
    if (ok && !setjmp(stop)) {
        noe_local_terms_list(x, m, root);
        if (x->count)
            x->tape = noe_tape_new(&m->graph, m->param, m->n, root, x->count * (2 + 2 * m->n));
    } else ok = false;
    free(root);
    if (!ok || !x->count) return ok;
    x->slot = x->tape ? noe_status_alloc((size_t)x->tape->slots, sizeof *x->slot) : NULL;
    x->out = x->slot ? noe_status_alloc((size_t)x->tape->outputs, sizeof *x->out) : NULL;
    return x->out != NULL;
}

void noe_active_region_close(noe_active_region *x)
{
    free(x->tape);
    free(x->slot);
    free(x->out);
}

/* u of term k and its gradient in (t, q, v), [2n+2]. */
static const quad *look(noe_active_region *x, int k, quad t, const quad *q, const quad *v)
{
    const size_t size = (size_t)x->n * sizeof *q;
    quad         input[noe_tape_inputs(x->n)];
    memset(input, 0, sizeof input);
    input[0] = t;
    memcpy(input + noe_tape_input(NOE_Q, 0, x->n), q, size);
    memcpy(input + noe_tape_input(NOE_V, 0, x->n), v, size);
    noe_tape_quad_run(x->tape, input, x->slot, x->out);
    return x->out + (size_t)k * (2 + 2 * (size_t)x->n);
}

/* Target value of u: a number; or, where two sides are equal at u = 0, a multiple (*part is set) of
 * the change of u over the scales, near and far, on the side `below` or above. */
static quad target_value(const struct noe_spot *x, uint64_t *seed, bool below, bool *part)
{
    const double uniform = noe_random_uniform(seed);
    *part = false;
    if (x->op == NOE_FN_exp || x->op == NOE_POW) return -3 * uniform;
    if (x->op == NOE_FN_tanh) return 4 * uniform - 2;
    if (x->op == NOE_TABLE && x->from < x->to) return x->from + (x->to - x->from) * uniform;
    *part = true;
    return pow(10, -6 * uniform) * (below ? -1 : 1);
}

/* Does the term grow with u without end, exp(u), with u at most about 0? */
static bool exponential(const noe_active_region *x, int k)
{
    return x->spot[k].op == NOE_FN_exp || x->spot[k].op == NOE_POW;
}

/* Newton's method towards u = want, or want times the reach (the change of u over the scales), to
 * within a part of the target, or of the reach; best: the nearest state so far. */
static bool approach(noe_active_region *x, int k, const quad *scale, quad want, bool of_reach,
                     quad part, quad *best)
{
    const int N = 2 * x->n + 1;
    quad      z[N], nearest = INFINITY;
    memcpy(z, best, sizeof z);
    for (int round = 0; round < ITERATIONS; round++) {
        const quad *u = look(x, k, z[0], z + 1, z + 1 + x->n), *g = u + 1;
        quad        sum = 0;
        for (int i = 0; i < N; i++) sum += g[i] * scale[i] * g[i] * scale[i];
        const quad target = of_reach ? want * sqrtq(sum) : want,
                   within = part * (target != 0 ? fabsq(target) : sqrtq(sum));
        if (finiteq(u[0]) && fabsq(u[0] - target) < nearest)
            nearest = fabsq(u[0] - target), memcpy(best, z, sizeof z);
        if (nearest <= within) return true;
        if (!finiteq(u[0]) || !finiteq(sum)) { /* too far: halve the step */
            for (int i = 0; i < N; i++) z[i] = (z[i] + best[i]) / 2;
            continue;
        }
        if (!(sum > 0)) break;
        for (int i = 0; i < N; i++) z[i] += (target - u[0]) / sum * scale[i] * scale[i] * g[i];
    }
    /* the largest value that exp takes may be small */
    return exponential(x, k) && nearest < EXP_DISTANCE_MOST;
}

static void pack(int n, quad *z, quad t, const quad *q, const quad *v)
{
    z[0] = t;
    memcpy(z + 1, q, (size_t)n * sizeof *q), memcpy(z + 1 + n, v, (size_t)n * sizeof *v);
}

static void unpack(int n, const quad *z, quad *t, quad *q, quad *v)
{
    *t = z[0];
    memcpy(q, z + 1, (size_t)n * sizeof *q), memcpy(v, z + 1 + n, (size_t)n * sizeof *v);
}

/* Is u above the level where variable i of z is moved by `by`? */
static bool above(noe_active_region *x, int k, quad level, int i, quad by, const quad *z)
{
    quad y[2 * x->n + 1];
    memcpy(y, z, sizeof y);
    y[i] += by;
    return look(x, k, y[0], y + 1, y + 1 + x->n)[0] > level;
}

/* How far variable i of z can go along the unit, until u crosses the level; a thousand units at
 * most. */
static quad room(noe_active_region *x, int k, quad level, int i, quad unit, const quad *z)
{
    enum { HALVINGS = 200, SECTIONS = 12 };
    const bool side = above(x, k, level, i, 0, z);
    quad       inside = 1;
    int        d = 0;
    for (; d < HALVINGS && above(x, k, level, i, inside * unit, z) != side; d++) inside /= 2;
    if (!d)
        while (inside < 1000 && above(x, k, level, i, 2 * inside * unit, z) == side) inside *= 2;
    quad outside = 2 * inside;
    for (d = 0; d < SECTIONS; d++) {
        const quad middle = (inside + outside) / 2;
        *(above(x, k, level, i, middle * unit, z) == side ? &inside : &outside) = middle;
    }
    return inside * unit;
}

/* Moves z within the region where term k acts, one after the other along the variables that it has:
 * Newton's method comes from one side, that of the largest scale. */
static void spread(noe_active_region *x, int k, const bool *has, uint64_t *seed, const quad *scale,
                   quad *z)
{
    const quad level = exponential(x, k) ? -4 : 0;
    for (int i = 0, moved = 0; i < 2 * x->n + 1 && moved < VARIABLES_MOST; i++) {
        if (!has[i]) continue;
        const quad up = room(x, k, level, i, scale[i], z),
                   down = room(x, k, level, i, -scale[i], z);
        z[i] += down + (up - down) * noe_random_uniform(seed);
        moved++;
    }
}

/* u of term k less a number, as a function of a state [2n + 1]. */
struct difference {
    noe_active_region *x;
    int                k;    /* the term */
    quad               want; /* the number, in the unit of u */
};

static quad difference_at(void *of, const quad *z, quad *g)
{
    const struct difference *y = of;
    const quad              *u = look(y->x, y->k, z[0], z + 1, z + 1 + y->x->n);
    memcpy(g, u + 1, (2 * (size_t)y->x->n + 1) * sizeof *g);
    return u[0] - y->want;
}

/* Moves z towards where the divisor of term k is least, to where it is up to four times as large:
 * in the variables that it has, on a straight line, so that no direction is preferred. */
static bool reach_divisor(noe_active_region *x, int k, uint64_t *seed, const quad *scale, quad *z)
{
    enum { HALVINGS = 120 };
    const int         N = 2 * x->n + 1;
    struct difference of = { x, k, 0 };
    quad              least[N], y[N], g[N];
    memcpy(least, z, sizeof least);
    const quad value = noe_least_point_find(N, difference_at, &of, scale, least),
               want = value * (1 + 3 * noe_random_uniform(seed));
    quad low = 0, high = 1; /* parts of the way from the least point to z */
    for (int i = 0; i < HALVINGS && value > 0; i++) {
        const quad part = low > 0 ? (low + high) / 2 : high / 4;
        for (int j = 0; j < N; j++) y[j] = least[j] + part * (z[j] - least[j]);
        *(fabsq(difference_at(&of, y, g)) > want ? &high : &low) = part;
    }
    for (int j = 0; j < N; j++) z[j] = least[j] + high * (z[j] - least[j]);
    return value > 0;
}

/* Moves z to where u is nearest to a number: along lines, where Newton's method goes to and fro
 * across a narrow region. */
static bool reach_number(noe_active_region *x, int k, quad want, const quad *scale, quad *z)
{
    const int         N = 2 * x->n + 1;
    struct difference of = { x, k, want };
    quad              y[N], g[N];
    memcpy(y, z, sizeof y);
    const quad first = fabsq(difference_at(&of, y, g)),
               left = noe_least_point_find(N, difference_at, &of, scale, y);
    if (!(left <= (exponential(x, k) ? EXP_DISTANCE_MOST : first * NUMBER_REACHED))) return false;
    memcpy(z, y, sizeof y);
    return true;
}

/* Moves z to where term k is active; where u does not go as far as asked, nearer. */
static bool reach(noe_active_region *x, int k, bool below, uint64_t *seed, const quad *scale,
                  quad *z)
{
    const int           N = 2 * x->n + 1;
    static const double nearer[] = { 1, 1e-2, 1e-4 }; /* parts of the target, in turn */
    bool                of_reach;
    const quad          want = target_value(&x->spot[k], seed, below, &of_reach);
    if (x->spot[k].least) return reach_divisor(x, k, seed, scale, z);
    for (size_t i = 0; i < (of_reach ? sizeof nearer / sizeof *nearer : 1); i++) {
        quad y[N];
        memcpy(y, z, sizeof y);
        if (!approach(x, k, scale, want * nearer[i], of_reach, (quad)0.01, y)) continue;
        memcpy(z, y, sizeof y);
        return true;
    }
    return reach_number(x, k, of_reach ? 0 : want, scale, z);
}

/* Moves z to where the terms after k of its kind are active, too: factors of one product, parts of
 * one condition, which holds where both are below. */
static void reach_others(noe_active_region *x, int k, uint64_t *seed, const quad *scale, quad *z)
{
    const bool condition = compares(x->spot[k].op);
    for (int i = 1, moved = 0; i < x->count && moved < OTHERS_MOST; i++) {
        const int j = (k + i) % x->count;
        if (compares(x->spot[j].op) != condition) continue;
        reach(x, j, condition || noe_random_uniform(seed) < 0.5, seed, scale, z);
        moved++;
    }
}

/* Half of the states, in pairs, have other terms active besides. */
static bool together(int state) { return state & 2; }

bool noe_active_region_move(noe_active_region *x, int k, int state, uint64_t *seed,
                            const quad *scale, quad *t, quad *q, quad *v)
{
    const int    N = 2 * x->n + 1;
    const noe_op op = x->spot[k].op;
    const bool   all = together(state) && compares(op);
    quad         z[N];
    bool         has[N];
    pack(x->n, z, *t, q, v);
    const quad *slope = look(x, k, z[0], z + 1, z + 1 + x->n) + 1;
    for (int i = 0; i < N; i++) has[i] = slope[i] != 0;
    if (together(state)) reach_others(x, k, seed, scale, z);
    if (!reach(x, k, all || state & 1, seed, scale, z)) return false;
    if (state & 4 && !x->spot[k].least && op != NOE_FN_tanh && op != NOE_TABLE)
        spread(x, k, has, seed, scale, z);
    unpack(x->n, z, t, q, v);
    return true;
}

bool noe_active_region_meet(noe_active_region *x, int k, int state, uint64_t *seed,
                            const quad *scale, quad *t, quad *q, quad *v, quad *across, quad *slope)
{
    const int n = x->n, N = 2 * n + 1;
    quad      z[N], sum = 0;
    if (!jumps(x->spot[k].op)) return false;
    pack(n, z, *t, q, v);
    if (together(state)) reach_others(x, k, seed, scale, z);
    if (!approach(x, k, scale, 0, false, JUMP_REACHED, z)) return false;
    memcpy(slope, look(x, k, z[0], z + 1, z + 1 + n) + 1, sizeof z);
    for (int i = 0; i < N; i++) sum += slope[i] * scale[i] * slope[i] * scale[i];
    for (int i = 0; i < N; i++) across[i] = ACROSS * scale[i] * scale[i] * slope[i] / sqrtq(sum);
    unpack(n, z, t, q, v);
    return true;
}
