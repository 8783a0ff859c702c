/* f = op(a, b, c): expressions as a graph in which equal expressions are one node.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/graph.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void noe_graph_free(noe_graph *g)
{
    free(g->node);
    free(g->table);
    free(g->stamp);
    free(g->list);
    free(g->bar);
    free(g->number);
    *g = (noe_graph){ 0 };
}

int noe_arity(noe_op op)
{
    if (op <= NOE_H) return 0;
    if (op == NOE_IF) return 3;
    return op >= NOE_ADD && op <= NOE_LE ? 2 : 1;
}

static uint32_t hash(const noe_node *x)
{
    uint64_t half[2], h = x->op;
    memcpy(half, &x->value, sizeof half);
    const uint64_t part[5] = { half[0], half[1], (uint32_t)x->a, (uint32_t)x->b, (uint32_t)x->c };
    for (int i = 0; i < 5; i++) h = (h ^ part[i]) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return (uint32_t)(h >> 16);
}

static bool same(const noe_node *x, const noe_node *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c
        && !memcmp(&x->value, &y->value, sizeof x->value);
}

static int *place(noe_graph *g, const noe_node *x)
{
    uint32_t mask = (uint32_t)g->table_size - 1, i = hash(x) & mask;
    while (g->table[i] && !same(&g->node[g->table[i] - 1], x)) i = (i + 1) & mask;
    return &g->table[i];
}

static void resize(noe_graph *g, void *array, size_t n, size_t size)
{
    void **at = array, *p = realloc(*at, n * size);
    if (!p) {
        noe_fail(NOE_NO_MEMORY, "out of memory: %zu x %zu bytes wanted for the model's expressions", n, size);
        longjmp(*g->stop, 1);
    }
    *at = p;
}

static void grow(noe_graph *g)
{
    if (g->count >= NOE_GRAPH_MOST) {
        noe_fail(NOE_SYNTAX, "the model is too large: its expressions and their derivatives need more than %d nodes",
                 NOE_GRAPH_MOST);
        longjmp(*g->stop, 1);
    }
    int room = g->room ? 2 * g->room : 1024;
    resize(g, &g->node, (size_t)room, sizeof *g->node);
    resize(g, &g->list, (size_t)room, sizeof *g->list);
    resize(g, &g->bar, (size_t)room, sizeof *g->bar);
    resize(g, &g->number, (size_t)room, sizeof *g->number);
    resize(g, &g->stamp, (size_t)room, sizeof *g->stamp);
    memset(g->stamp + g->room, 0, (size_t)(room - g->room) * sizeof *g->stamp);
    resize(g, &g->table, (size_t)room * 2, sizeof *g->table);
    g->table_size = room * 2;
    g->room = room;
    memset(g->table, 0, (size_t)g->table_size * sizeof *g->table);
    for (int i = 0; i < g->count; i++) *place(g, &g->node[i]) = i + 1;
}

static noe_ex intern(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c, quad value, uint8_t has)
{
    if (g->count == g->room) grow(g);
    noe_node x;
    memset(&x, 0, sizeof x);
    x.op = (uint8_t)op, x.a = a, x.b = b, x.c = c, x.value = value, x.has = has;
    int *at = place(g, &x);
    if (!*at) {
        g->node[g->count] = x;
        *at = ++g->count;
    }
    return *at - 1;
}

noe_ex noe_num(noe_graph *g, quad value) { return intern(g, NOE_NUM, 0, 0, 0, value == 0 ? 0 : value, 0); }

noe_ex noe_leaf(noe_graph *g, noe_op op, int index)
{
    static const uint8_t has[] = { [NOE_PARAM] = NOE_HAS_PARAM, [NOE_T] = NOE_HAS_T, [NOE_Q] = NOE_HAS_Q,
                                   [NOE_V] = NOE_HAS_V, [NOE_P] = NOE_HAS_P, [NOE_H] = NOE_HAS_P };
    return intern(g, op, index, 0, 0, 0, has[op]);
}

bool noe_is(const noe_graph *g, noe_ex x, quad value)
{
    return g->node[x].op == NOE_NUM && g->node[x].value == value;
}

/* Algebra that is exact or spares an operation; returns -1 when nothing applies.  Rules name a and b by
 * their own form only, so the order in which they are tried does not matter. */
static noe_ex simplify(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    const noe_node x = g->node[a], y = g->node[b];
    const bool xn = x.op == NOE_NEG, yn = y.op == NOE_NEG;
    switch (op) {
    case NOE_NEG:
        if (xn) return x.a;
        if (x.op == NOE_SUB) return noe_make(g, NOE_SUB, x.b, x.a, 0);
        break;
    case NOE_ADD:
        if (noe_is(g, a, 0)) return b;
        if (noe_is(g, b, 0)) return a;
        if (yn) return noe_make(g, NOE_SUB, a, y.a, 0);
        if (xn) return noe_make(g, NOE_SUB, b, x.a, 0);
        if (a == b) return noe_make(g, NOE_MUL, noe_num(g, 2), a, 0);
        break;
    case NOE_SUB:
        if (a == b) return noe_num(g, 0);
        if (noe_is(g, b, 0)) return a;
        if (noe_is(g, a, 0)) return noe_make(g, NOE_NEG, b, 0, 0);
        if (yn) return noe_make(g, NOE_ADD, a, y.a, 0);
        break;
    case NOE_MUL:
        if (noe_is(g, a, 0) || noe_is(g, b, 0)) return noe_num(g, 0);
        if (noe_is(g, a, 1)) return b;
        if (noe_is(g, b, 1)) return a;
        if (noe_is(g, a, -1)) return noe_make(g, NOE_NEG, b, 0, 0);
        if (noe_is(g, b, -1)) return noe_make(g, NOE_NEG, a, 0, 0);
        if (xn) return noe_make(g, NOE_NEG, noe_make(g, NOE_MUL, x.a, b, 0), 0, 0);
        if (yn) return noe_make(g, NOE_NEG, noe_make(g, NOE_MUL, a, y.a, 0), 0, 0);
        if (y.op == NOE_DIV && noe_is(g, y.a, 1)) return noe_make(g, NOE_DIV, a, y.b, 0);
        if (x.op == NOE_DIV && noe_is(g, x.a, 1)) return noe_make(g, NOE_DIV, b, x.b, 0);
        if (x.op == NOE_NUM && y.op == NOE_MUL && g->node[y.a].op == NOE_NUM)
            return noe_make(g, NOE_MUL, noe_num(g, x.value * g->node[y.a].value), y.b, 0);
        break;
    case NOE_DIV:
        if (noe_is(g, a, 0)) return a;
        if (noe_is(g, b, 1)) return a;
        if (xn) return noe_make(g, NOE_NEG, noe_make(g, NOE_DIV, x.a, b, 0), 0, 0);
        if (yn) return noe_make(g, NOE_NEG, noe_make(g, NOE_DIV, a, y.a, 0), 0, 0);
        break;
    case NOE_POW:
        if (noe_is(g, b, 0)) return noe_num(g, 1);
        if (noe_is(g, b, 1)) return a;
        if (noe_is(g, b, -1)) return noe_make(g, NOE_DIV, noe_num(g, 1), a, 0);
        if (noe_is(g, b, (quad)1 / 2)) return noe_make(g, NOE_FN_sqrt, a, 0, 0);
        break;
    case NOE_IF:
        if (x.op == NOE_NUM) return x.value != 0 ? b : c;
        if (b == c) return b;
        break;
    default: break;
    }
    return -1;
}

noe_ex noe_make(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    const int arity = noe_arity(op);
    const noe_node *x = &g->node[a], *y = &g->node[b], *z = &g->node[c];
    if (x->op == NOE_NUM && (arity < 2 || y->op == NOE_NUM) && (arity < 3 || z->op == NOE_NUM)) {
        quad value = noe_apply(op, x->value, y->value, z->value);
        if (finiteq(value)) return noe_num(g, value);
    }
    noe_ex s = simplify(g, op, a, b, c);
    if (s >= 0) return s;
    x = &g->node[a], y = &g->node[b], z = &g->node[c];
    uint8_t has = x->has;
    if (arity > 1) has |= y->has;
    if (arity > 2) has |= z->has;
    /* One order for what commutes: numbers first, then by age. */
    if ((op == NOE_ADD || op == NOE_MUL)
        && (x->op == NOE_NUM ? -1 : a) > (y->op == NOE_NUM ? -1 : b)) {
        noe_ex swap = a;
        a = b, b = swap;
    }
    return intern(g, op, a, arity > 1 ? b : 0, arity > 2 ? c : 0, 0, has);
}
