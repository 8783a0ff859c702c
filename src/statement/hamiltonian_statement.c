/* hamiltonian EXPR: H(t, q, p), from which L = p.q' - H with q' = H_p.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "expr/legendre_dual.h"
#include "expr/time_alone.h"
#include "model/parser.h"

#include <string.h>

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

/* A coordinate whose velocity is in x, or NULL. */
static const noe_symbol *with_velocity(noe_parser *p, noe_ex x)
{
    for (int k = noe_evaluate_reach(p->graph, &x, 1); k-- > 0;) {
        const noe_node *y = &p->graph->node[p->graph->list[k]];
        if (y->op == NOE_V) return p->model->coordinate[y->a];
    }
    return NULL;
}

void noe_hamiltonian_statement_parse(noe_parser *p)
{
    noe_hamiltonian  *h = &p->model->hamiltonian;
    const noe_source *s = &p->lex.source;
    const size_t      at = p->lex.token.at;
    if (p->model->stated_L)
        noe_source_fail(s, at,
                        "the model has a Lagrangian: a Hamiltonian stands in place of kinetic, "
                        "potential and lagrangian");
    p->momenta = true;
    const noe_ex x = noe_time_alone_drop(p->graph, noe_constant_expression_checked(p));
    p->momenta = false;
    const noe_symbol *q = with_velocity(p, x);
    if (q)
        noe_source_fail(s, at,
                        "a Hamiltonian has momenta and no velocities: write p(%.*s) in place of "
                        "%.*s'",
                        shown(q), q->name, shown(q), q->name);
    h->ex = h->given ? noe_simplify_make(p->graph, NOE_ADD, h->ex, x, 0) : x;
    if (!h->given) h->at = at;
    h->given = true;
}

void noe_hamiltonian_statement_exclude(noe_parser *p, size_t at)
{
    if (p->model->hamiltonian.given)
        noe_source_fail(&p->lex.source, at,
                        "the model has a Hamiltonian, in line %d, which stands in place of "
                        "kinetic, potential and lagrangian",
                        noe_source_line(&p->lex.source, p->model->hamiltonian.at));
    p->model->stated_L = true;
}

/* Values as the motion starts with them; of what is not given 0. */
static noe_leaf_values start_values(noe_parser *p)
{
    const noe_model *m = p->model;
    const size_t     n = (size_t)m->n;
    quad            *z = noe_model_alloc(p, 3 * n * sizeof *z);
    for (size_t i = 0; i < n; i++) {
        z[i] = m->begin[i].q;
        z[n + i] = m->begin[i].v;
        z[2 * n + i] = m->begin[i].p;
    }
    return (noe_leaf_values){ m->t0, z, z + n, z + 2 * n };
}

static _Noreturn void refuse(noe_parser *p, noe_dual_verdict verdict, const noe_symbol *q)
{
    const noe_source *s = &p->lex.source;
    const size_t      at = p->model->hamiltonian.at;
    if (verdict == NOE_DUAL_CONSTANT)
        noe_source_fail(s, at,
                        "the Hamiltonian does not contain the momentum p(%.*s): the velocity of "
                        "'%.*s' would be 0",
                        shown(q), q->name, shown(q), q->name);
    if (verdict == NOE_DUAL_SINGULAR)
        noe_source_fail(
            s, at,
            "the Hamiltonian is singular in the momentum p(%.*s): the matrix of its second "
            "derivatives by the momenta has no inverse, so that velocities do not give momenta",
            shown(q), q->name);
    if (verdict == NOE_DUAL_KINKED)
        noe_source_fail(s, at,
                        "the Hamiltonian has a kink or jump in a momentum: expected a smooth "
                        "function of the momenta, without abs, min, max and if");
    noe_source_fail(
        s, at,
        "q' = dH/dp is not solved for the momenta of the start: no closed form, and Newton's "
        "method from p = 0 finds none or others; expected H with a unique p for each q', best "
        "quadratic in p, or a sqrt(..) of what is quadratic");
}

void noe_hamiltonian_statement_finish(noe_parser *p)
{
    noe_model        *m = p->model;
    const noe_source *s = &p->lex.source;
    const size_t      at = m->hamiltonian.at;
    if (!m->hamiltonian.given) return;
    if (m->solids)
        noe_source_fail(s, at,
                        "the model has rigid bodies, whose kinetic energy is a Lagrangian: write "
                        "'kinetic' and 'potential' beside them");
    if (m->matrix[NOE_MASS].path || m->matrix[NOE_STIFFNESS].path)
        noe_source_fail(s, at, "a system is given by matrices or by a Hamiltonian, not by both");
    if (!m->n) noe_source_fail(s, s->length, "no coordinate is declared: write 'coordinate q'");
    noe_arena *const      arena = m->arena;
    bool                 *absent = noe_model_alloc(p, (size_t)m->n * sizeof *absent);
    const noe_leaf_values near = start_values(p);
    noe_ex               *by = noe_model_alloc(p, ((size_t)m->n + 1) * sizeof *by);
    noe_derivative_by_momenta(p->graph, m->hamiltonian.ex, m->n, by);
    for (int i = 0; i < m->n; i++) absent[i] = m->fix[i] >= 0 && noe_graph_is(p->graph, by[i], 0);
    noe_legendre_dual      task = { .g = p->graph,
                                    .arena = arena,
                                    .n = m->n,
                                    .from = NOE_P,
                                    .to = NOE_V,
                                    .absent = absent,
                                    .near = &near,
                                    .param = m->param,
                                    .f = m->hamiltonian.ex };
    const noe_dual_verdict verdict = noe_legendre_dual_find(&task);
    if (verdict != NOE_DUAL_FOUND)
        refuse(p, verdict, m->coordinate[task.index < m->n ? task.index : 0]);
    m->L = task.dual;
}
