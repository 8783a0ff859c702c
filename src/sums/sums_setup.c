/* Sets up a system of sums from a model: masses, tapes of forces and energy, initial conditions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/sums.h"

#include "base/status.h"
#include "sums/term_evaluation.h"
#include "expr/derivative.h"
#include "model/sum_group.h"
#include "expr/substitute.h"
#include "token/source.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_model   *m;    /* the model */
    noe_sums    *g;    /* receives the system of sums */
    const char **why;  /* reason why sums are written out instead */
    noe_graph    seen; /* the observables, in the few coordinates and sums in them */
    jmp_buf      stop; /* target of errors */
} maker;

static void *take(maker *x, size_t n, size_t size)
{
    return noe_arena_need(x->g->arena, &x->stop, n, size);
}

static _Noreturn void give_up(maker *x, const char *why)
{
    *x->why = why;
    longjmp(x->stop, 1);
}

static noe_tape *tape(maker *x, noe_graph *g, int slots, const noe_ex *root, int roots)
{
    jmp_buf *outer = g->stop;
    g->stop = &x->stop;
    noe_tape *t = noe_tape_new(g, x->m->param, slots, root, roots);
    g->stop = outer;
    if (!t) longjmp(x->stop, 1);
    return t;
}

/* Doubles the memory for pairs of slots and their entries. */
static noe_ex *wider(maker *x, noe_site_pair **pair, const noe_ex *entry, int count, int *capacity)
{
    *capacity = *capacity ? 2 * *capacity : 8;
    noe_ex        *entries = take(x, (size_t)*capacity, sizeof *entries);
    noe_site_pair *pairs = take(x, (size_t)*capacity, sizeof *pairs);
    if (count)
        memcpy(entries, entry, (size_t)count * sizeof *entries),
            memcpy(pairs, *pair, (size_t)count * sizeof *pairs);
    *pair = pairs;
    return entries;
}

/* Adds the constants c_s of P_s = c_s V_s to the masses. */
static void add_masses(maker *x, noe_sum_group *to, noe_graph *g, int k, const noe_ex *P)
{
    noe_ex *row = take(x, 2 * (size_t)k, sizeof *row), *mass = take(x, (size_t)k, sizeof *mass),
           *couple = NULL;
    int           *slot = take(x, (size_t)k, sizeof *slot), masses = 0, couples = 0, capacity = 0;
    noe_site_pair *pair = NULL;
    for (int s = 0; s < k; s++) {
        if (noe_graph_is(g, P[s], 0)) continue;
        noe_derivative_gradient(g, P[s], k, row);
        for (int r = 0; r < k; r++) {
            if (!noe_graph_is(g, row[r], 0)) give_up(x, "its masses depend on the positions");
            if (g->node[row[k + r]].has & ~(NOE_HAS_PARAM | NOE_HAS_C))
                give_up(x, "its masses are not constant");
            if (r >= s || noe_graph_is(g, row[k + r], 0)) continue;
            if (couples == capacity) couple = wider(x, &pair, couple, couples, &capacity);
            pair[couples] = (noe_site_pair){ s, r };
            couple[couples++] = row[k + r];
        }
        if (!noe_graph_is(g, noe_substitute_at_rest(g, P[s]), 0))
            give_up(x, "L contains terms linear in the velocities");
        slot[masses] = s;
        mass[masses++] = row[k + s];
    }
    to->mass_pair = pair;
    if (couples) {
        to->mass = tape(x, g, k, couple, couples);
        x->g->coupled = true;
    }
    if (!masses) return;
    noe_sum_group now = *to;
    now.force = tape(x, g, k, mass, masses);
    now.to = slot;
    /* 1/m later */
    const bool ok = noe_sums_dispatch()->scatter(x->g, &now, x->g->q, x->g->inverse, true);
    free(now.force);
    if (!ok) longjmp(x->stop, 1);
}

/* The second derivatives of U, from the forces. */
static void add_stiffness(maker *x, noe_sum_group *to, noe_graph *g, int k, const noe_ex *force)
{
    const int      forces = to->force->outputs;
    noe_ex        *row = take(x, 2 * (size_t)k, sizeof *row), *entry = NULL;
    noe_site_pair *pair = NULL;
    int            count = 0, capacity = 0;
    for (int i = 0; i < forces; i++) {
        if (!(g->node[force[i]].has & NOE_HAS_Q)) continue;
        noe_derivative_gradient(g, force[i], k, row);
        for (int j = 0; j <= to->to[i]; j++) {
            if (noe_graph_is(g, row[j], 0)) continue;
            if (count == capacity) entry = wider(x, &pair, entry, count, &capacity);
            to->nonlinear |= (g->node[row[j]].has & (NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T)) != 0;
            pair[count] = (noe_site_pair){ to->to[i], j };
            entry[count++] = noe_simplify_make(g, NOE_NEG, row[j], 0, 0);
        }
    }
    to->stiffness_pair = pair;
    if (count) to->stiffness = tape(x, g, k, entry, count);
}

/* Offset of a coordinate from the index of its term; on a ring the smaller of the two ways
 * round. */
static int64_t offset_of(const noe_slot *s)
{
    const int64_t m = s->index.modulus,
                  a = m ? noe_index_expression_mod(s->index.constant, m) : s->index.constant;
    return (2 * a > m && m ? a - m : a) + s->index.offset - s->lo;
}

static void add_group(maker *x, const struct noe_sum *s)
{
    noe_graph     *g = s->graph;
    const int      k = s->slots;
    noe_sum_group *to = &x->g->group[x->g->groups];
    jmp_buf       *outer = g->stop;
    g->stop = &x->stop;
    noe_term_runs_list(x->m, x->g, s, &to->terms, &x->stop);
    const noe_ex L = noe_simplify_make(g, NOE_MUL, noe_graph_number(g, s->weight), s->ex, 0);
    noe_ex *grad = take(x, 2 * (size_t)k, sizeof *grad), *force = take(x, (size_t)k, sizeof *force);
    int     forces = 0;
    int    *slot = take(x, (size_t)k, sizeof *slot);
    to->to = slot;
    noe_derivative_gradient(g, L, k, grad);
    for (int i = 0; i < k; i++) {
        if (g->node[grad[i]].has & NOE_HAS_V) give_up(x, "its forces depend on the velocities");
        if (noe_graph_is(g, grad[i], 0)) continue;
        if (g->node[grad[i]].has & NOE_HAS_T) give_up(x, "its forces depend on t");
        int at = forces++;
        for (; at && offset_of(&s->slot[slot[at - 1]]) < offset_of(&s->slot[i]); at--) {
            slot[at] = slot[at - 1];
            force[at] = force[at - 1];
        }
        slot[at] = i, force[at] = grad[i];
    }
    x->g->groups++; /* what is made so far is freed with it */
    add_masses(x, to, g, k, grad + k);
    const noe_ex U = noe_simplify_make(g, NOE_NEG, noe_substitute_at_rest(g, L), 0, 0);
    if (forces) {
        to->force = tape(x, g, k, force, forces);
        add_stiffness(x, to, g, k, force);
        to->nonlinear |= noe_evaluate_kinks(g, force, forces) != 0;
    }
    if (!noe_graph_is(g, U, 0)) to->value = tape(x, g, k, &U, 1);
    g->stop = outer;
}

static void list_families(maker *x)
{
    noe_model *m = x->m;
    noe_sums  *g = x->g;
    g->family = take(x, (size_t)m->symbols, sizeof *g->family);
    for (int i = 0; i < m->symbols; i++) {
        const noe_symbol *s = m->symbol[i];
        if (s->what != NOE_IS_COORDINATE) continue;
        g->family[g->families++] = (noe_family_range){ s->index,
                                                       s->family ? s->hi - s->lo + 1 : 1 };
    }
    g->number = take(x, (size_t)m->params + NOE_TERM_BLOCK, sizeof *g->number);
    for (int i = 0; i < m->params; i++) g->number[i] = (double)m->param[i];
}

/* The values of a setting, slot 0 by slot 0, into `to`. */
static void set(maker *x, const struct noe_sum *s, double *to)
{
    noe_sum_group    now = { .terms = { 0 } };
    static const int first[] = { 0 };
    noe_term_runs_list(x->m, x->g, s, &now.terms, &x->stop);
    now.force = tape(x, s->graph, s->slots, &s->ex, 1);
    now.to = first;
    const bool ok = noe_sums_dispatch()->scatter(x->g, &now, x->g->q, to, false);
    free(now.force);
    if (!ok) longjmp(x->stop, 1);
}

/* "coordinate 'x[3]' <what>" where its family is declared. */
static _Noreturn void refuse(maker *x, int64_t place, const char *what)
{
    const noe_model  *m = x->m;
    const noe_source  text = { m->name, m->text, m->length, &x->stop };
    const noe_symbol *s = noe_site_names_family(m, place);
    const int         shown = noe_source_shown(s->name, strlen(s->name), 60);
    if (s->family)
        noe_source_fail(&text, s->at, "coordinate '%.*s[%lld]' %s", shown, s->name,
                        (long long)(s->lo + place - s->index), what);
    noe_source_fail(&text, s->at, "coordinate '%.*s' %s", shown, s->name, what);
}

/* Masses, positions, velocities; momenta where those are given. */
static void start(maker *x)
{
    noe_sums  *g = x->g;
    noe_model *m = x->m;
    double    *fixed = take(x, (size_t)g->places + NOE_TERM_BLOCK, sizeof *fixed);
    for (int i = 0; i < g->places; i++) fixed[i] = NAN;
    for (int what = NOE_RULE_Q; what >= NOE_RULE_FIX; what--) { /* what is fixed goes before */
        for (int k = 0; k < m->settings; k++)
            if ((int)m->setting[k].what == what)
                set(x, m->setting[k].sum, what == NOE_RULE_FIX ? fixed : g->q);
    }
    for (int i = 0; i < g->places; i++) {
        if (!isnan(fixed[i])) {
            g->q[i] = fixed[i], g->inverse[i] = 0;
            continue;
        }
        if (g->inverse[i] == 0)
            refuse(x, i, "has no kinetic energy: its momentum contains no velocity");
        if (!isfinite(g->inverse[i])) refuse(x, i, "has a mass that is not finite");
        if (fabs(g->inverse[i]) < DBL_MIN)
            refuse(x, i,
                   "has a mass below 2.2e-308, the least number that double holds in full: measure "
                   "it in other units");
        g->inverse[i] = 1 / g->inverse[i];
        g->n++;
    }
    if (!g->n) refuse(x, 0, "is fixed, as every coordinate is fixed: nothing moves");
    double *p = fixed;
    for (int k = 0; k < m->settings; k++) { /* of velocity and momentum the later one counts */
        const noe_rule_what what = m->setting[k].what;
        if (what != NOE_RULE_V && what != NOE_RULE_P) continue;
        if (what == NOE_RULE_P && g->coupled)
            give_up(x, "it starts by momenta, and its kinetic energy couples velocities");
        for (int i = 0; i < g->places; i++) p[i] = NAN;
        set(x, m->setting[k].sum, p);
        for (int i = 0; i < g->places; i++)
            if (!isnan(p[i]))
                g->v[i] = what == NOE_RULE_P ? p[i] * g->inverse[i] : g->inverse[i] == 0 ? 0 : p[i];
    }
}

/* The observables as a tape of the few coordinates and sums in them. */
static void observe(maker *x)
{
    noe_model *m = x->m;
    noe_sums  *g = x->g;
    noe_graph *from = &m->graph, *to = &x->seen;
    noe_ex    *root = take(x, (size_t)m->observables, sizeof *root),
           *image = take(x, (size_t)from->count + 1, sizeof *image);
    jmp_buf *outer = from->stop;
    from->stop = to->stop = &x->stop;
    for (int i = 0; i < m->observables; i++) root[i] = m->observable[i]->ex;
    const int count = m->observables ? noe_evaluate_reach(from, root, m->observables) : 0;
    g->place = take(x, (size_t)count, sizeof *g->place);
    g->sum = take(x, (size_t)count, sizeof *g->sum);
    for (int k = 0; k < count; k++) {
        const noe_ex   i = from->list[k];
        const noe_node y = from->node[i];
        const int      arity = noe_graph_arity(y.op);
        const bool sum = y.op == NOE_SUM, placed = y.op == NOE_Q || y.op == NOE_V || y.op == NOE_P;
        int        slot = 0;
        if (sum) {
            const struct noe_sum *s = m->sum[y.a];
            noe_sum_group        *now = &g->sum[g->sums];
            noe_term_runs_list(m, g, s, &now->terms, &x->stop);
            now->value = tape(x, s->graph, s->slots, &s->ex, 1);
            g->sums++;
            g->place[slot = g->seen++] = -g->sums;
        }
        for (slot = sum ? slot : 0; placed && slot < g->seen && g->place[slot] != y.a;) slot++;
        if (placed && slot == g->seen) g->place[g->seen++] = y.a;
        image[i] = y.op == NOE_NUM ? noe_graph_number(to, y.value)
                 : sum             ? noe_graph_leaf(to, NOE_C, slot)
                 : placed          ? noe_graph_leaf(to, y.op, slot)
                 : !arity          ? noe_graph_leaf(to, y.op, y.a)
                          : noe_simplify_make(to, y.op, image[y.a], arity > 1 ? image[y.b] : 0,
                                              arity > 2 ? image[y.c] : 0);
    }
    from->stop = outer;
    for (int i = 0; i < m->observables; i++) root[i] = image[root[i]];
    if (!m->observables) root[0] = noe_graph_number(to, 0);
    g->observe = noe_tape_new(to, m->param, g->seen, root, m->observables);
    g->observables = m->observables;
    if (!g->observe) longjmp(x->stop, 1);
}

static void make(maker *x)
{
    noe_model   *m = x->m;
    noe_sums    *g = x->g;
    const size_t n = (size_t)m->n + NOE_TERM_BLOCK;
    g->places = m->n;
    list_families(x);
    g->inverse = take(x, n, sizeof *g->inverse);
    g->q = take(x, n, sizeof *g->q);
    g->v = take(x, n, sizeof *g->v);
    g->group = take(x, (size_t)m->sums, sizeof *g->group);
    for (int k = 0; k < m->sums; k++)
        if (m->sum[k]->weight != 0) add_group(x, m->sum[k]);
    start(x);
    observe(x);
    g->t0 = (double)m->t0;
}

noe_sums *noe_sums_setup_make(noe_model *m, const char **why)
{
    noe_arena *arena = noe_arena_new();
    maker     *x = noe_arena_take(arena, sizeof *x);
    *why = NULL;
    if (!x || !(x->g = noe_arena_take(arena, sizeof *x->g))) {
        noe_arena_free(arena);
        return NULL;
    }
    x->m = m, x->why = why, x->g->arena = arena;
    noe_sums *g = x->g;
    if (!setjmp(x->stop)) {
        make(x);
        noe_graph_free(&x->seen);
        return g;
    }
    noe_graph_free(&x->seen);
    noe_sums_setup_drop(g);
    return NULL;
}

void noe_sums_setup_drop(noe_sums *g)
{
    if (!g) return;
    for (int k = 0; k < g->groups; k++)
        free(g->group[k].force), free(g->group[k].stiffness), free(g->group[k].mass),
            free(g->group[k].value);
    for (int k = 0; k < g->sums; k++) free(g->sum[k].value);
    free(g->observe);
    free(g->names);
    noe_model_free(g->model);
    noe_arena_free(g->arena);
}
