/* (t0, q0, v0 or p0) of a model's start, or of a point given in binary128, at any precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "arb/closed_form.h"

#include "arb/arb_constants.h"
#include "base/status.h"

#include <stdlib.h>

/* The start of the model: start [1 + 3n] = t0, q, v, p, one expression each; what the model does
 * not give is 0. has_momentum [n]: coordinates whose momentum is given. */
static bool written(noe_arb_jet *j, slong prec, arb_ptr start, bool *has_momentum)
{
    const noe_model *m = j->model;
    const int        n = j->n;
    noe_ex          *root = noe_status_alloc(3 * (size_t)n + 1, sizeof *root);
    noe_arb_program *p = NULL;
    if (root) {
        root[0] = m->ex_t0;
        for (int i = 0; i < n; i++) {
            root[1 + i] = m->begin[i].ex_q;
            root[1 + n + i] = m->begin[i].ex_v;
            root[1 + 2 * n + i] = m->begin[i].ex_p;
        }
        p = noe_arb_program_new(j->model, root, 3 * n + 1);
    }
    if (p) noe_arb_program_run(p, NULL, start, prec, false);
    if (!m->has_t0) arb_zero(start);
    for (int i = 0; i < n; i++) {
        const noe_begin *b = &m->begin[i];
        if (!b->has_q) arb_zero(start + 1 + i);
        if (!b->has_v) arb_zero(start + 1 + n + i);
        if (!b->has_p) arb_zero(start + 1 + 2 * n + i);
        has_momentum[i] = b->has_p;
    }
    noe_arb_program_free(p);
    free(root);
    return p != NULL;
}

/* The same of a given point. */
static void given(int n, const noe_start_point *x, arb_ptr start, bool *has_momentum)
{
    noe_wide_from(start, x->t0);
    for (int i = 0; i < n; i++) {
        has_momentum[i] = x->momentum[i];
        noe_wide_from(start + 1 + i, x->q[i]);
        noe_wide_from(start + 1 + n + i, has_momentum[i] ? 0 : x->v[i]);
        noe_wide_from(start + 1 + 2 * n + i, x->p[i]);
    }
}

/* start [2 + 3n]: t0, q, v, p, H. */
bool noe_arb_start_at(noe_arb_jet *j, const noe_start_point *point, slong prec, arb_ptr start,
                      bool *has_momentum)
{
    const int n = j->n;
    arb_ptr   v = start + 1 + n, p = v + n, out = _arb_vec_init(2 * n);
    bool      any = false, ok = true;
    if (point) given(n, point, start, has_momentum);
    else ok = written(j, prec, start, has_momentum);
    for (int i = 0; i < n; i++) any |= has_momentum[i];
    if (any) ok = ok && noe_arb_jet_velocities(j, start, p, has_momentum, prec + START_BITS);
    /* Velocities that were solved for are midpoints, correct to about prec + START_BITS bits; a
     * radius of a unit of their last bit of prec makes the balls hold the exact ones. */
    for (int i = 0; i < n; i++)
        if (has_momentum[i] && !arb_is_zero(v + i))
            arb_add_error_2exp_si(v + i, arf_abs_bound_lt_2exp_si(arb_midref(v + i)) - prec);
    noe_arb_program_run(j->gradient, start, out, prec, false);
    for (int i = 0; i < n; i++)
        if (!has_momentum[i]) arb_set(p + i, out + n + i);
    noe_arb_jet_energy(j, start, p + n, prec);
    _arb_vec_clear(out, 2 * n);
    return ok;
}

bool noe_arb_start_of_solution(noe_exact_solution *x, slong prec)
{
    const int n = x->n;
    x->prec = prec;
    if (!noe_arb_start_at(x->jet, x->point.q ? &x->point : NULL, prec, x->start, x->momentum)) {
        noe_solution_refusal(x, "the velocities of the start do not follow from its momenta");
        return false;
    }
    _arb_vec_zero(x->parameter_input, 2 + 3 * n);
    arb_set(x->parameter_input, x->start);
    /* t, q and v.  p and H are not asked: balls that are too wide for them become finite with more
     * bits. */
    for (int i = 0; i < 1 + 2 * n; i++)
        if (!arb_is_finite(x->start + i)) {
            noe_solution_refusal(x, "the start is not finite");
            return false;
        }
    return true;
}
