/* A structure written out, L = q'.M q'/2 - q.K q/2 and forces, for derivatives of its motion.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/model_structure.h"

#include "base/status.h"
#include "matrix/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sum + x a b A_ij over the entries of A; leaf: q or q'. */
static noe_ex add_form(noe_model *m, noe_ex sum, const noe_sparse *A, double x, int leaf)
{
    noe_graph *g = &m->graph;
    for (int i = 0; A && i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            const int j = A->col[k];
            if (j > i || A->value[k] == 0) continue; /* the entry on the other side is the same */
            const quad   factor = (j < i ? 2 : 1) * (quad)x * (quad)A->value[k];
            const noe_ex both = noe_simplify_make(g, NOE_MUL, noe_graph_leaf(g, leaf, i),
                                                  noe_graph_leaf(g, leaf, j), 0),
                         term = noe_simplify_make(g, NOE_MUL, noe_graph_number(g, factor), both, 0);
            sum = noe_simplify_make(g, NOE_ADD, sum, term, 0);
        }
    return sum;
}

/* The forces of the model, -C q', and -M r a(t) where the ground has the acceleration a. */
static bool add_forces(noe_model *m, noe_arena *arena, const noe_structure *s)
{
    noe_graph    *g = &m->graph;
    const int64_t damped = s->C ? s->C->start[m->n] : 0;
    const size_t  most = (size_t)m->forces + (size_t)m->grounds * (size_t)m->n + (size_t)damped;
    noe_acting   *force = noe_arena_need(arena, g->stop, most + 1, sizeof *force);
    int           forces = m->forces;
    if (m->forces) memcpy(force, m->force, (size_t)m->forces * sizeof *force);
    for (int i = 0; i < m->n && damped; i++)
        for (int64_t e = s->C->start[i]; e < s->C->start[i + 1]; e++)
            force[forces++] = (noe_acting){
                i, noe_simplify_make(g, NOE_MUL, noe_graph_number(g, -(quad)s->C->value[e]),
                                     noe_graph_leaf(g, NOE_V, s->C->col[e]), 0)
            };
    for (int k = 0; k < m->grounds; k++) {
        int at = -1;
        for (int i = 0; i < m->n; i++)
            if ((m->n == m->rows ? i : m->row[i]) == m->ground[k].index) at = i;
        if (at < 0)
            return noe_status_fail(NOE_INVALID,
                                   "%s: the ground accelerates a fixed coordinate of matrices: no "
                                   "derivatives by parameters and starts",
                                   m->name),
                   false;
        for (int i = 0; i < m->n; i++)
            for (int64_t e = s->M->start[i]; e < s->M->start[i + 1]; e++)
                if (s->M->col[e] == at)
                    force[forces++] = (noe_acting){
                        i, noe_simplify_make(g, NOE_MUL, noe_graph_number(g, -(quad)s->M->value[e]),
                                             m->ground[k].ex, 0)
                    };
    }
    m->force = force, m->forces = forces, m->grounds = 0;
    return true;
}

/* Does a matrix change with a parameter?  Its entries are numbers here.  The model is read again
 * with each of them changed. */
static bool scaled(const noe_model *m)
{
    for (int k = 0; k < m->symbols; k++) {
        const noe_symbol *x = m->symbol[k];
        if (x->what != NOE_IS_PARAMETER || x->family) continue;
        char        text[300];
        const char *change[m->changes + 1];
        for (int i = 0; i < m->changes; i++) change[i] = m->change[i];
        const quad value = m->param[x->index];
        snprintf(text, sizeof text, "%.200s = %.20g", x->name,
                 (double)(value * (1 + 0x1p-10) + (value == 0) * 0x1p-10));
        change[m->changes] = text;
        const bool clean = !noe_error();
        noe_model *other = noe_parse_model_text(m->name, m->text, m->length, change,
                                                m->changes + 1);
        if (clean) noe_error_clear();
        bool same = other && other->factors == m->factors && other->alpha == m->alpha
                 && other->beta == m->beta;
        for (int f = 0; same && f < m->factors; f++)
            same = other->factor[f].a == m->factor[f].a && other->factor[f].b == m->factor[f].b;
        noe_model_free(other);
        if (same) continue;
        noe_status_fail(NOE_INVALID,
                        "%s: '%.60s' scales a matrix: derivatives by parameters and starts are "
                        "known where parameters stand in loads and starts alone; give the factor "
                        "as a number",
                        m->name, x->name);
        return true;
    }
    return false;
}

static bool write(noe_model *m, noe_arena *arena, const noe_structure *s)
{
    noe_ex L = add_form(m, noe_graph_number(&m->graph, 0), s->M, 0.5, NOE_V), D;
    m->L = add_form(m, L, s->K, -0.5, NOE_Q);
    D = noe_graph_number(&m->graph, 0);
    if (s->alpha != 0) D = add_form(m, D, s->M, s->alpha / 2, NOE_V);
    if (s->beta != 0) D = add_form(m, D, s->K, s->beta / 2, NOE_V);
    m->dissipation = D;
    return add_forces(m, arena, s);
}

bool noe_written_structure_make(noe_model *m, noe_arena *arena, noe_dynamics *d, noe_tape **observe)
{
    noe_structure *const s = d->structure;
    jmp_buf              stop;
    volatile bool        ok = false;
    if (m->n > NOE_WRITTEN_STRUCTURE_MOST)
        return noe_status_fail(
                   NOE_INVALID,
                   "%s: derivatives by parameters and starts are dense: for matrices of "
                   "up to %d coordinates, here are %d",
                   m->name, NOE_WRITTEN_STRUCTURE_MOST, m->n),
               false;
    if (s->massless)
        return noe_status_fail(NOE_INVALID,
                               "%s: coordinates without mass: derivatives by parameters and starts "
                               "are not known for them",
                               m->name),
               false;
    if (scaled(m)) return false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) ok = write(m, arena, s);
    m->graph.stop = NULL;
    if (!ok) return false;
    for (int k = 0; k < 3; k++) m->matrix[k].path = NULL;
    m->factors = 0, m->alpha = m->beta = 0;
    noe_structure_free(s);
    d->structure = NULL;
    free(*observe);
    *observe = NULL;
    return noe_dynamics_make(m, arena, d, observe, NULL);
}
