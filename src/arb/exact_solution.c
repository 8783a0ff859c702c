/* The closed-form solution that a model names, from its start or another one; verified before use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "arb/closed_form.h"

#include "base/optional_library.h"
#include "base/status.h"
#include "tape/tape.h"

#include <stdlib.h>
#include <string.h>

static const noe_closed_form *const families[] = {
#define EXACT(name) &noe_##name##_solution,
#include "model/exact_families.def"
#undef EXACT
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Copies the initial conditions to x->given. */
static bool copy_start(noe_exact_solution *x, const noe_start_point *p)
{
    const size_t n = (size_t)x->n;
    if (!p) return true;
    if (!(x->given = noe_status_alloc(4 * n, sizeof *x->given))) return false;
    memcpy(x->given, p->q, n * sizeof *p->q);
    memcpy(x->given + n, p->v, n * sizeof *p->v);
    memcpy(x->given + 2 * n, p->p, n * sizeof *p->p);
    bool *momentum = (bool *)(x->given + 3 * n);
    memcpy(momentum, p->momentum, n * sizeof *momentum);
    x->point = (noe_start_point){ p->t0, x->given, x->given + n, x->given + 2 * n, momentum };
    return true;
}

noe_exact_solution *noe_exact_solution_new(const noe_model *m, int digits, const noe_start_point *p)
{
    if (noe_optional_library_require(NOE_OF_FLINT, "a solution in closed form")) return NULL;
    if (!m->exact) {
        noe_status_fail(NOE_INVALID,
                        "%.200s: the model names no exact solution: write 'exact NAME' into it",
                        m->name);
        return NULL;
    }
    for (int k = 0; k < m->events; k++)
        if (m->event[k].then) {
            noe_status_fail(NOE_INVALID,
                            "%.200s: exact %s: the closed form is that of the smooth motion, which "
                            "the event '%.60s' changes",
                            m->name, m->exact, m->event[k].name);
            return NULL;
        }
    noe_exact_solution *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = m->n;
    x->digits = digits;
    x->source = m->name;
    for (int i = 0; i < FAMILIES; i++)
        if (!strcmp(families[i]->name, m->exact)) x->family = families[i];
    x->jet = noe_arb_jet_new(m);
    x->momentum = noe_status_alloc(2 * (size_t)m->n, sizeof *x->momentum);
    x->slow = x->momentum ? x->momentum + m->n : NULL;
    x->all = true;
    const int inputs = noe_tape_inputs(m->n);
    x->start = _arb_vec_init(inputs);
    x->parameter_input = _arb_vec_init(inputs);
    x->now = _arb_vec_init(inputs);
    x->out = _arb_vec_init(4 * m->n * m->n + 2 * m->n + 1);
    x->seen = _arb_vec_init(m->observables + 1);
    if (x->jet && x->momentum && copy_start(x, p) && noe_solution_check(x)) return x;
    noe_exact_solution_free(x);
    return NULL;
}

void noe_exact_solution_free(noe_exact_solution *x)
{
    if (!x) return;
    noe_solution_state_forget(x);
    const int inputs = noe_tape_inputs(x->n);
    _arb_vec_clear(x->start, inputs), _arb_vec_clear(x->parameter_input, inputs),
        _arb_vec_clear(x->now, inputs);
    _arb_vec_clear(x->out, 4 * x->n * x->n + 2 * x->n + 1);
    _arb_vec_clear(x->seen, (x->jet ? x->jet->model->observables : 0) + 1);
    noe_arb_jet_free(x->jet);
    free(x->momentum);
    free(x->given);
    free(x);
}

bool noe_exact_solution_get(noe_exact_solution *x, const noe_wide *t, int what, int index,
                            noe_wide *out)
{
    const int  n = x->n;
    const bool all = what == NOE_AT_OBSERVABLE || (what == NOE_AT_Q && x->slow[index]);
    if (!x->fresh || !arb_equal(x->now, t->x) || (all && !x->all)) {
        x->looked = false;
        x->all = all;
        x->fresh = noe_solution_state_at(x, t->x, x->digits, x->now);
    }
    if (!x->fresh) {
        arb_indeterminate(out->x);
        return false;
    }
    if (what == NOE_AT_OBSERVABLE && !x->looked) {
        noe_arb_program_run(x->jet->observe, x->now, x->seen, x->prec, false);
        x->looked = true;
    }
    arb_set(out->x, what == NOE_AT_OBSERVABLE ? x->seen + index
                                              : x->now
                                                    + (what == NOE_AT_Q   ? 1 + index
                                                       : what == NOE_AT_V ? 1 + n + index
                                                       : what == NOE_AT_P ? 1 + 2 * n + index
                                                                          : 1 + 3 * n));
    return true;
}
