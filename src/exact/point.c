/* (t0, q0, v0 or p0) of a model's start, or of a point given in binary128, at any precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "exact/closed.h"

#include "base/status.h"

#include <stdlib.h>

/* The values of what the model says of its start: t0, q, v, p, one expression each. */
static void written(noe_exact *x)
{
    const noe_model *m = x->jet->model;
    const int        n = x->n;
    noe_ex          *root = noe_alloc(3 * (size_t)n + 1, sizeof *root);
    noe_program     *p = NULL;
    if (root) {
        root[0] = m->ex_t0; /* what is silent is node 0, and replaced below */
        for (int i = 0; i < n; i++)
            root[1 + i] = m->begin[i].ex_q, root[1 + n + i] = m->begin[i].ex_v, root[1 + 2 * n + i] = m->begin[i].ex_p;
        p = noe_program_new(x->jet->model, root, 3 * n + 1);
    }
    if (p) noe_program_run(p, NULL, x->start, x->prec, false);
    if (!m->has_t0) arb_zero(x->start);
    for (int i = 0; i < n; i++) {
        const noe_begin *b = &m->begin[i];
        if (!b->has_q) arb_zero(x->start + 1 + i);
        if (!b->has_v) arb_zero(x->start + 1 + n + i);
        if (!b->has_p) arb_zero(x->start + 1 + 2 * n + i);
        x->momentum[i] = b->has_p;
    }
    noe_program_free(p);
    free(root);
}

static void given(noe_exact *x)
{
    const int n = x->n;
    noe_wide_from(x->start, x->point.t0);
    for (int i = 0; i < n; i++) {
        noe_wide_from(x->start + 1 + i, x->point.q[i]);
        noe_wide_from(x->start + 1 + n + i, x->point.v[i]);
        noe_wide_from(x->start + 1 + 2 * n + i, x->point.p[i]);
        x->momentum[i] = x->point.momentum[i];
    }
}

bool noe_exact_begin(noe_exact *x, slong prec)
{
    const int n = x->n;
    arb_ptr   v = x->start + 1 + n, p = v + n;
    bool      any = false;
    x->prec = prec;
    if (x->point.q) given(x);
    else written(x);
    for (int i = 0; i < n; i++) any |= x->momentum[i];
    if (any && !noe_jet_velocities(x->jet, x->start, p, x->momentum, prec + 32)) {
        noe_exact_refuse(x, "the velocities of the start do not follow from its momenta");
        return false;
    }
    for (int i = 0; i < n; i++)
        if (x->momentum[i] && !arb_is_zero(v + i)) arb_add_error_2exp_si(v + i, arf_abs_bound_lt_2exp_si(arb_midref(v + i)) - prec);
    noe_program_run(x->jet->legendre, x->start, x->out, prec, false);
    for (int i = 0; i < n; i++)
        if (!x->momentum[i]) arb_set(p + i, x->out + i);
    noe_jet_energy(x->jet, x->start, p + n, prec);
    _arb_vec_zero(x->zero, 2 + 3 * n);
    arb_set(x->zero, x->start);
    for (int i = 0; i < 1 + 2 * n; i++)
        if (!arb_is_finite(x->start + i)) {
            noe_exact_refuse(x, "the start is not finite");
            return false;
        }
    return true;
}
