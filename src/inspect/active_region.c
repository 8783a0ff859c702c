/* Finds states where local terms of L, such as max(x - 1e4, 0) or exp(-1000 r^2), are active.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/active_region.h"

#include "number/random.h"
#include "base/status.h"
#include "expr/derivative.h"
#include "expr/tabulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 80, NUMBERS_MOST = 20000, EXP_LEAST = 40 };

static bool local(const noe_node *x)
{
    switch ((noe_op)x->op) {
    case NOE_FN_exp:
    case NOE_FN_tanh:
    case NOE_FN_abs:
    case NOE_MIN:
    case NOE_MAX:
    case NOE_LT:
    case NOE_LE:
    case NOE_TABLE:
    case NOE_FN_sign:
    case NOE_FN_floor:
    case NOE_MOD: break;
    default: return false;
    }
    return x->has;
}

/* True if the function of the argument may jump where the argument is 0. */
static bool jumps(noe_op op)
{
    return op == NOE_LT || op == NOE_LE || op == NOE_FN_sign || op == NOE_FN_floor || op == NOE_MOD;
}

/* The argument u; of an operation with two sides, their difference. */
static noe_ex argument(noe_graph *g, noe_ex e)
{
    const noe_node x = g->node[e];
    return x.op == NOE_MIN || x.op == NOE_MAX || x.op == NOE_LT || x.op == NOE_LE
             ? noe_simplify_make(g, NOE_SUB, x.a, x.b, 0)
             : x.a;
}

static void list(noe_active_region *x, noe_model *m, noe_ex *root)
{
    noe_graph *g = &m->graph;
    const int  all = noe_evaluate_reach(g, &m->L, 1), width = 2 + 2 * m->n,
              most = NUMBERS_MOST / width;
    int    found = 0;
    noe_ex spots[NOE_ACTIVE_MOST];
    for (int k = 0; k < all; k++) found += local(&g->node[g->list[k]]);
    const int wanted = found < NOE_ACTIVE_MOST ? found : NOE_ACTIVE_MOST,
              share = wanted < most ? wanted : most;
    for (int k = 0, seen = 0; k < all && x->count < share; k++)
        if (local(&g->node[g->list[k]]) && (long)seen++ * share / found >= x->count)
            spots[x->count++] = g->list[k];
    for (int k = 0; k < x->count; k++) {
        const noe_node node = g->node[spots[k]];
        noe_ex        *to = root + k * width;
        x->spot[k].op = (noe_op)node.op;
        if (node.op == NOE_TABLE && g->node[node.b].op == NOE_NUM) {
            const noe_tabulated *s = g->tables->item[(int)g->node[node.b].value / 4];
            x->spot[k].from = s->x[0], x->spot[k].to = s->x[s->pieces];
        }
        to[0] = argument(g, spots[k]);
        to[1] = noe_derivative_by_time(g, to[0]);
        noe_derivative_gradient(g, to[0], m->n, to + 2);
    }
}

bool noe_active_region_open(noe_active_region *x, noe_model *m)
{
    *x = (noe_active_region){ .model = m, .n = m->n };
    noe_ex *root = noe_status_alloc((size_t)NOE_ACTIVE_MOST * (2 + 2 * (size_t)m->n), sizeof *root);
    jmp_buf stop;
    m->graph.stop = &stop;
    bool ok = root != NULL;
    if (ok && !setjmp(stop)) {
        list(x, m, root);
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
 * the change of u over the scales, on either side, near and far. */
static quad target_value(const struct noe_spot *x, uint64_t *seed, bool *part)
{
    const double uniform = noe_random_uniform(seed);
    *part = false;
    if (x->op == NOE_FN_exp) return -3 * uniform;
    if (x->op == NOE_FN_tanh) return 4 * uniform - 2;
    if (x->op == NOE_TABLE && x->from < x->to) return x->from + (x->to - x->from) * uniform;
    *part = true;
    return pow(10, -6 * uniform) * (noe_random_uniform(seed) < 0.5 ? -1 : 1);
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
    return x->spot[k].op == NOE_FN_exp && nearest < EXP_LEAST;
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

bool noe_active_region_move(noe_active_region *x, int k, uint64_t *seed, const quad *scale, quad *t,
                            quad *q, quad *v)
{
    quad       z[2 * x->n + 1];
    bool       of_reach;
    const quad want = target_value(&x->spot[k], seed, &of_reach);
    pack(x->n, z, *t, q, v);
    if (!approach(x, k, scale, want, of_reach, (quad)0.01, z)) return false;
    unpack(x->n, z, t, q, v);
    return true;
}

bool noe_active_region_meet(noe_active_region *x, int k, const quad *scale, quad *t, quad *q,
                            quad *v, quad *across, quad *slope)
{
    const int n = x->n, N = 2 * n + 1;
    quad      z[N], sum = 0;
    pack(n, z, *t, q, v);
    if (!jumps(x->spot[k].op) || !approach(x, k, scale, 0, false, (quad)1e-24, z)) return false;
    memcpy(slope, look(x, k, z[0], z + 1, z + 1 + n) + 1, sizeof z);
    for (int i = 0; i < N; i++) sum += slope[i] * scale[i] * slope[i] * scale[i];
    for (int i = 0; i < N; i++)
        across[i] = (quad)1e-20 * scale[i] * scale[i] * slope[i] / sqrtq(sum);
    unpack(n, z, t, q, v);
    return true;
}
