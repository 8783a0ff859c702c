/* Poincare's transformation: L(q, q') -> G(q) (L(q, q'/G(q)) + E), dt = G d tau.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where E is the energy H of the start, H(q, p) of the transformed L is G (H - E) = 0, its momenta
 * are those of L, and its motion is that of L, run through in another time.  The transformation is
 * made on the graph, so that everything that follows from a Lagrangian follows from this one.
 * Where L or G depends on t, t and E are unknowns at the nodes, dt/dtau = G and dE/dtau = -dLbar/dt
 * (step/discrete_action.h). */
#include "system/monitored_dynamics.h"

#include "number/digits.h"
#include "base/status.h"
#include "expr/derivative.h"
#include "expr/substitute.h"
#include "gradient/adjoint_tapes.h"

#include <stdlib.h>

noe_ex noe_monitored_dynamics_transformed(noe_model *m)
{
    noe_graph   *g = &m->graph;
    const noe_ex G = m->monitor.G;
    for (int k = 0, n = noe_evaluate_reach(g, &m->L, 1); k < n; k++) {
        const noe_ex i = g->list[k];
        const noe_ex y = g->node[i].op == NOE_V ? noe_simplify_make(g, NOE_DIV, i, G, 0)
                                                : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    const noe_ex E = noe_graph_leaf(g, NOE_H, 0),
                 sum = noe_simplify_make(g, NOE_ADD, g->bar[m->L], E, 0);
    return noe_simplify_make(g, NOE_MUL, G, sum, 0);
}

static bool depends_on_time(const noe_model *m)
{
    return (m->graph.node[m->L].has | m->graph.node[m->monitor.G].has) & NOE_HAS_T;
}

/* The tape of G and dG/dt, and of the derivative of the transformed Lagrangian by t, which `timed`
 * wants. */
static noe_tape *clock_tape(noe_model *m, bool timed)
{
    noe_graph *g = &m->graph;
    noe_ex     root[3] = { m->monitor.G, noe_derivative_rate(g, m->monitor.G) };
    if (timed) root[2] = noe_derivative_by_time(g, noe_monitored_dynamics_transformed(m));
    return noe_tape_new(g, m->param, m->n, root, timed ? 3 : 2);
}

/* to[..] = df_j/dq_k for k <= j < n, row by row; `all` [2 n] is scratch.  Returns their number. */
static int lower_triangle(noe_graph *g, int n, const noe_ex *f, noe_ex *all, noe_ex *to)
{
    int count = 0;
    for (int j = 0; j < n; j++) {
        noe_derivative_gradient(g, f[j], n, all);
        for (int k = 0; k <= j; k++) to[count++] = all[k];
    }
    return count;
}

/* The tape of L_q, dG/dq, G, V = -L(q, 0), then V_t and G_t or, of few coordinates, second
 * derivatives. */
static noe_tape *canonical_tape(noe_model *m, noe_arena *arena)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, few = n <= NOE_CANONICAL_SECOND ? n : 0;
    noe_ex    *root = noe_arena_need(arena, g->stop, 5 * (size_t)n + 4 + (size_t)(few * (few + 1)),
                                     sizeof *root);
    const noe_ex V = noe_simplify_make(g, NOE_NEG, noe_substitute_at_rest(g, m->L), 0, 0);
    noe_derivative_gradient(g, V, n, root); /* 2 n numbers, of which n are overwritten */
    for (int j = 0; j < n; j++) root[j] = noe_simplify_make(g, NOE_NEG, root[j], 0, 0);
    noe_derivative_gradient(g, m->monitor.G, n, root + n);
    root[2 * n] = m->monitor.G, root[2 * n + 1] = V;
    int outputs = 2 * n + 2;
    if (depends_on_time(m)) {
        root[outputs++] = noe_derivative_by_time(g, V);
        root[outputs++] = noe_derivative_by_time(g, m->monitor.G);
    } else {
        noe_ex *const all = root + outputs + few * (few + 1);
        outputs += lower_triangle(g, few, root, all, root + outputs);
        outputs += lower_triangle(g, few, root + n, all, root + outputs);
    }
    return noe_tape_new(g, m->param, n, root, outputs);
}

bool noe_monitored_dynamics_make(noe_model *m, noe_arena *arena, const noe_dynamics *own,
                                 noe_dynamics *to)
{
    const noe_ex L = m->L;
    noe_tape    *seen = NULL;
    jmp_buf      stop;
    noe_tape *volatile canonical = NULL;
    volatile bool ok = false;
    if (m->monitor.reversible) *to = *own;
    m->graph.stop = &stop;
    if (!setjmp(stop)) {
        ok = (to->clock = clock_tape(m, !m->monitor.reversible && depends_on_time(m))) != NULL;
        if (ok && !m->monitor.reversible && own->natural)
            ok = (canonical = canonical_tape(m, arena)) != NULL;
        if (ok && !m->monitor.reversible) m->L = noe_monitored_dynamics_transformed(m);
    }
    m->graph.stop = NULL;
    if (!ok || m->monitor.reversible) return ok;
    noe_tape *const clock = to->clock, *const natural = canonical;
    ok = noe_dynamics_make(m, arena, to, &seen, NULL);
    m->L = L;
    to->clock = clock, to->canonical = natural, to->own = own;
    to->transformed = true;
    to->clocked = depends_on_time(m);
    /* The energy of the transformed L, H - E + E, has E in it, which is an unknown where L or G
     * depends on t: power and rate, derivatives at a fixed E, do not apply. */
    if (to->clocked) {
        free(to->power), free(to->rate);
        to->power = to->rate = NULL;
    }
    free(seen);
    return ok;
}

bool noe_monitored_dynamics_differentiate(noe_model *m, noe_arena *arena, const noe_dynamics *own,
                                          noe_dynamics *to)
{
    const noe_ex  L = m->L;
    jmp_buf       stop;
    volatile bool ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) {
        if (to->transformed) m->L = noe_monitored_dynamics_transformed(m);
        ok = own->adjoint ? noe_adjoint_tapes_stepped(m, arena, own, to)
                          : noe_mixed_tapes_transformed(m, arena, own, to);
    }
    m->graph.stop = NULL;
    m->L = L;
    return ok;
}

void noe_monitored_dynamics_drop(noe_dynamics *d)
{
    free(d->mixed);
    free(d->clock_adjoint);
    if (!d->transformed) {
        free(d->clock);
        return;
    }
    free(d->force_adjoint);
    free(d->momentum_adjoint);
    noe_dynamics_drop(d);
}

bool noe_monitored_dynamics_refuse(const noe_system *s, const char *what)
{
    if (!noe_system_monitored(s)) return false;
    noe_status_fail(
        NOE_INVALID,
        "%s: the model has a monitor, and %s takes steps of one length: leave the monitor out, "
        "'monitor=none' after the model",
        s->source, what);
    return true;
}

bool noe_monitored_dynamics_check(const noe_system *s, const noe_method *f, int digits)
{
    const char *name = noe_method_name(f);
    const bool  density = !s->stepped.transformed;
    if (digits > NOE_DIGITS_QUAD) {
        noe_status_fail(NOE_INVALID,
                        "%s: a model with a monitor is stepped in 15 or 33 digits, not in %d",
                        s->source, digits);
        return false;
    }
    if (f->kind == NOE_NEWMARK) {
        noe_status_fail(
            NOE_INVALID,
            "%s: '%s' steps with one length; leave out the monitor, or take \"simpson\"", s->source,
            name);
        return false;
    }
    if (density || f->kind == NOE_GALERKIN) return true;
    noe_status_fail(
        NOE_INVALID,
        "%s: '%s' does not step the transformed Lagrangian of a monitor, whose mass is M/G(q): "
        "take a method of a discrete action, \"simpson\" or \"gauss 4\", or write 'monitor .. "
        "reversible'",
        s->source, name);
    return false;
}
