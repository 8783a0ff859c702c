/* Expressions as a graph of nodes f = op(a, b, c) in which equal expressions are one node.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/graph.h"

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
    free(g->rate);
    free(g->done);
    *g = (noe_graph){ 0 };
}

int noe_graph_arity(noe_op op)
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
        noe_status_fail(NOE_NO_MEMORY,
                        "out of memory: %zu x %zu bytes wanted for the model's expressions", n,
                        size);
        longjmp(*g->stop, 1);
    }
    *at = p;
}

static void grow(noe_graph *g)
{
    if (g->count >= NOE_GRAPH_MOST) {
        noe_status_fail(
            NOE_SYNTAX,
            "the model is too large: with its derivatives it has more than %d operations",
            NOE_GRAPH_MOST);
        longjmp(*g->stop, 1);
    }
    int capacity = g->capacity ? 2 * g->capacity : 1024;
    resize(g, &g->node, (size_t)capacity, sizeof *g->node);
    resize(g, &g->list, (size_t)capacity, sizeof *g->list);
    resize(g, &g->bar, (size_t)capacity, sizeof *g->bar);
    resize(g, &g->number, (size_t)capacity, sizeof *g->number);
    resize(g, &g->rate, (size_t)capacity, sizeof *g->rate);
    resize(g, &g->stamp, (size_t)capacity, sizeof *g->stamp);
    resize(g, &g->done, (size_t)capacity, sizeof *g->done);
    memset(g->stamp + g->capacity, 0, (size_t)(capacity - g->capacity) * sizeof *g->stamp);
    memset(g->done + g->capacity, 0, (size_t)(capacity - g->capacity) * sizeof *g->done);
    resize(g, &g->table, (size_t)capacity * 2, sizeof *g->table);
    g->table_size = capacity * 2;
    g->capacity = capacity;
    memset(g->table, 0, (size_t)g->table_size * sizeof *g->table);
    for (int i = 0; i < g->count; i++) *place(g, &g->node[i]) = i + 1;
}

noe_ex noe_graph_intern(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c, quad value,
                        uint8_t has)
{
    if (g->count == g->capacity) grow(g);
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

noe_ex noe_graph_number(noe_graph *g, quad value)
{
    /* zeros have no sign */
    return noe_graph_intern(g, NOE_NUM, 0, 0, 0, value == 0 ? 0 : value, 0);
}

noe_ex noe_graph_leaf(noe_graph *g, noe_op op, int index)
{
    static const uint8_t has[] = {
        [NOE_PARAM] = NOE_HAS_PARAM, [NOE_T] = NOE_HAS_T,    [NOE_Q] = NOE_HAS_Q,
        [NOE_V] = NOE_HAS_V,         [NOE_P] = NOE_HAS_P,    [NOE_H] = NOE_HAS_P,
        [NOE_C] = NOE_HAS_C,         [NOE_SUM] = NOE_HAS_SUM
    };
    return noe_graph_intern(g, op, index, 0, 0, 0, has[op]);
}

bool noe_graph_is(const noe_graph *g, noe_ex x, quad value)
{
    return g->node[x].op == NOE_NUM && g->node[x].value == value;
}
