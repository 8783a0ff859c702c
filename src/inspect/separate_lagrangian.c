/* L as a sum of parts of uncoupled blocks of coordinates, and a tape of their first derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/separate_lagrangian.h"

#include "base/status.h"
#include "expr/derivative.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of terms and of blocks; where there are more, all coordinates are one block. */
enum { TERMS_MOST = 4096, BLOCKS_MOST = 64 };
enum { OF_COORDINATES = NOE_HAS_Q | NOE_HAS_V | NOE_HAS_P | NOE_HAS_C | NOE_HAS_SUM };

typedef struct {
    noe_ex sum, factor; /* a part of L is sum * factor; the factor has no coordinates */
} product;

typedef struct {
    noe_graph *graph; /* of the model */
    int        n;     /* coordinates; the multipliers of constraints have the numbers n .. 2n - 1 */
    product   *todo, *term;    /* [TERMS_MOST] still to be split; terms of L */
    int        waiting, terms; /* their numbers */
    int       *parent;         /* [2n] union-find forest, the least number of a block is its root */
} splitter;

/* L + sum_a p_a g_a: in this tape the inputs of the momenta are multipliers of the constraints,
 * which are 0 unless noe_random_state_constrain() was called. */
static noe_ex with_constraints(noe_model *m)
{
    noe_ex L = m->L;
    for (int a = 0; a < m->constraints && a < m->n; a++)
        L = noe_simplify_make(&m->graph, NOE_ADD, L,
                              noe_simplify_make(&m->graph, NOE_MUL,
                                                noe_graph_leaf(&m->graph, NOE_P, a),
                                                m->constraint[a].g, 0),
                              0);
    return L;
}

static bool has_coordinates(const splitter *s, noe_ex x)
{
    return s->graph->node[x].has & OF_COORDINATES;
}

static void put_off(splitter *s, noe_ex sum, noe_ex factor)
{
    if (s->waiting < TERMS_MOST) s->todo[s->waiting++] = (product){ sum, factor };
    else s->terms = TERMS_MOST + 1;
}

static noe_ex make(splitter *s, noe_op op, noe_ex a, noe_ex b)
{
    return noe_simplify_make(s->graph, op, a, b, 0);
}

/* Takes sum * factor apart by the operation of the sum; what cannot be is a term. */
static void split(splitter *s, noe_ex sum, noe_ex factor)
{
    const noe_node x = s->graph->node[sum]; /* a copy: new nodes move the array */
    if (x.op == NOE_ADD || x.op == NOE_SUB) {
        put_off(s, x.a, factor);
        put_off(s, x.b, x.op == NOE_SUB ? make(s, NOE_NEG, factor, 0) : factor);
    } else if (x.op == NOE_NEG) put_off(s, x.a, make(s, NOE_NEG, factor, 0));
    else if (x.op == NOE_MUL && !has_coordinates(s, x.a))
        put_off(s, x.b, make(s, NOE_MUL, factor, x.a));
    else if (x.op == NOE_MUL && !has_coordinates(s, x.b))
        put_off(s, x.a, make(s, NOE_MUL, factor, x.b));
    else if (x.op == NOE_DIV && !has_coordinates(s, x.b))
        put_off(s, x.a, make(s, NOE_DIV, factor, x.b));
    else if (s->terms < TERMS_MOST) s->term[s->terms++] = (product){ sum, factor };
    else s->terms = TERMS_MOST + 1;
}

static int root_of(const splitter *s, int i)
{
    while (s->parent[i] != i) i = s->parent[i];
    return i;
}

/* Joins the coordinates of a term; returns one of them, -1: it has none. */
static int join(splitter *s, noe_ex term)
{
    const int nodes = noe_evaluate_reach(s->graph, &term, 1);
    int       first = -1;
    for (int k = 0; k < nodes; k++) {
        const noe_node *x = &s->graph->node[s->graph->list[k]];
        if (x->op != NOE_Q && x->op != NOE_V && x->op != NOE_P) continue;
        const int i = root_of(s, x->op == NOE_P ? s->n + x->a : x->a);
        if (first < 0) first = i;
        const int one = root_of(s, first);
        s->parent[i > one ? i : one] = i > one ? one : i;
    }
    return first;
}

/* Numbers the blocks of the coordinates; returns how many. */
static int number(splitter *s, int *block)
{
    int blocks = 0;
    for (int i = 0; i < s->n; i++) block[i] = root_of(s, i) == i ? blocks++ : block[root_of(s, i)];
    return blocks;
}

/* The parts L_b of L in part [blocks]; returns whether there is an L_0. */
static bool add_up(splitter *s, const int *block, int blocks, noe_ex *part)
{
    bool apart = false;
    for (int b = 0; b < blocks; b++) part[b] = noe_graph_number(s->graph, 0);
    for (int k = 0; k < s->terms; k++) {
        const int i = join(s, s->term[k].sum);
        apart |= i < 0;
        if (i < 0) continue;
        const int b = block[root_of(s, i)];
        part[b] = make(s, NOE_ADD, part[b], make(s, NOE_MUL, s->term[k].factor, s->term[k].sum));
    }
    return apart;
}

/* Splits L; returns the number of its blocks, and the parts where there are several, with L_0. */
static int separate(splitter *s, noe_ex L, int *block, noe_ex *part, bool *several)
{
    for (int i = 0; i < 2 * s->n; i++) s->parent[i] = i;
    s->todo[s->waiting++] = (product){ L, noe_graph_number(s->graph, 1) };
    while (s->waiting > 0 && s->terms <= TERMS_MOST) {
        const product x = s->todo[--s->waiting];
        split(s, x.sum, x.factor);
    }
    for (int k = 0; k < s->terms && s->terms <= TERMS_MOST; k++) join(s, s->term[k].sum);
    const int blocks = number(s, block);
    *several = false;
    if (s->terms <= TERMS_MOST && blocks > 0 && blocks <= BLOCKS_MOST) {
        *several = add_up(s, block, blocks, part) || blocks > 1;
        return blocks;
    }
    memset(block, 0, (size_t)s->n * sizeof *block);
    return 1;
}

/* The copy is made because a system is immutable and derivatives add expressions to the graph. */
noe_tape *noe_separate_lagrangian_tape(const noe_system *system, noe_model **own, int *block,
                                       int *blocks, bool *several)
{
    const noe_model *old = system->model;
    noe_model *m = *own = noe_parse_model_text_as(NOE_MODEL_WRITTEN, system->source, old->text,
                                                  old->length, system->change, system->changes);
    if (!m) return NULL;
    if (m->n != system->dyn.n) {
        noe_status_fail(NOE_INVALID, "symmetries are searched in the coordinates of the text, not "
                                     "where those without mass follow the others");
        return NULL;
    }
    const int n = m->n, plain = 3 * n + 2;
    noe_ex   *root = noe_status_alloc((size_t)(6 * n + 2 + 3 * BLOCKS_MOST), sizeof *root);
    noe_ex   *part = root ? root + 6 * n + 2 + 2 * BLOCKS_MOST : NULL;
    splitter  s = { .graph = &m->graph, .n = n };
    noe_tape *tape = NULL;
    jmp_buf   stop;
    s.todo = noe_status_alloc(2 * TERMS_MOST, sizeof *s.todo);
    s.parent = noe_status_alloc(2 * (size_t)n, sizeof *s.parent);
    if (root && s.todo && s.parent) {
        s.term = s.todo + TERMS_MOST;
        m->graph.stop = &stop;
        if (!setjmp(stop)) {
            root[0] = with_constraints(m);
            noe_derivative_gradient(&m->graph, root[0], n, root + 2);
            root[1] = noe_derivative_by_time(&m->graph, root[0]);
            noe_force_statement_forces(m, root + 2 + 2 * n, root + 2 + 3 * n);
            *blocks = separate(&s, root[0], block, part, several);
            const int parts = *several ? *blocks : 0;
            for (int b = 0; b < parts; b++) {
                root[plain + 2 * b] = part[b];
                root[plain + 2 * b + 1] = noe_derivative_by_time(&m->graph, part[b]);
            }
            tape = noe_tape_new(&m->graph, m->param, n, root, plain + 2 * parts);
        }
    }
    free(root), free(s.todo), free(s.parent);
    return tape;
}
