/* noe_gradient_of: the gradient of a function of rows, a row for each parameter and start.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "adjoint/adjoint.h"
#include "base/table.h"
#include "event/event_step.h"
#include "gradient/gradient.h"
#include "rows/column_list.h"
#include "system/event_tapes.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MEMORY = 0x1p28; /* bytes for the way back where nothing else is said */

static noe_status bad(const char *why) { return noe_status_fail(NOE_INVALID, "%s", why); }

static bool check(const noe_gradient_rows *r, quad step)
{
    if (r->every < 0 || r->times < 0 || (r->every > 0) == (r->times > 0))
        return bad("rows of a gradient: expected either `every`, 1 or more, or `times`"), false;
    if (!(r->memory >= 0)) return bad("memory for a gradient: expected 0 or more bytes"), false;
    if (r->every && !isfinite(r->until)) return bad("until: expected a finite number"), false;
    for (long i = 0; i < r->times; i++) {
        if (!isfinite(r->time[i])) return bad("times: expected finite numbers"), false;
        if (i && (step < 0 ? r->time[i] > r->time[i - 1] : r->time[i] < r->time[i - 1]))
            return bad("times: expected them in the order of the run"), false;
    }
    return true;
}

/* "q1,q1.p,q2,..", which the caller frees. */
static char *positions_and_momenta(const noe_system *s)
{
    size_t size = 1;
    for (int i = 0; i < s->dyn.n; i++) size += 2 * strlen(noe_system_name(s, i)) + 5;
    char *text = noe_status_alloc(size, 1), *at = text;
    for (int i = 0; text && i < s->dyn.n; i++) {
        const char *name = noe_system_name(s, i);
        at += sprintf(at, "%s%s,%s.p", i ? "," : "", name, name);
    }
    return text;
}

static bool add(noe_table *t, const char *name, quad value, quad gradient)
{
    const double row[2] = { (double)value, (double)gradient };
    return !noe_table_add_labelled(t, row, name);
}

/* The table of parameters and starts. */
static noe_table *tabulate(noe_integrator *g, const quad *by_parameter, const quad *by_start)
{
    static const char *const column[2] = { "value", "gradient" };
    const noe_model         *m = g->system->model;
    const int                n = m->n;
    noe_table               *t = noe_table_new(2, column);
    bool                     ok = t != NULL;
    char                     name[300];
    for (int k = 0; ok && k < m->symbols; k++) {
        const noe_symbol *x = m->symbol[k];
        const noe_by      by = { NOE_BY_PARAMETER, x->index, x->name };
        if (x->what != NOE_IS_PARAMETER || x->family || noe_differentiable_counts(m, &by)) continue;
        ok = add(t, by.name, m->param[by.index], by_parameter[by.index]);
    }
    for (int i = 0; ok && i < 2 * n; i++) {
        const noe_begin *b = &m->begin[i % n];
        const char      *of = m->coordinate[i % n]->name;
        snprintf(name, sizeof name, i < n ? "%.280s" : b->has_p ? "p(%.280s)" : "%.280s'", of);
        ok = add(t, name, i < n ? b->q : b->has_p ? b->p : b->v, by_start[i]);
    }
    if (ok) return t;
    noe_table_free(t);
    return NULL;
}

/* The run, J and the way back. */
static noe_table *differentiate(noe_adjoint_run *x, noe_weights *weights, void *ctx)
{
    const noe_model *m = x->g->system->model;
    if (!noe_adjoint_forward_make(x)) return NULL;
    const size_t numbers = x->rows * (size_t)x->columns->count;
    double      *weight = noe_status_alloc(numbers, sizeof *weight);
    quad        *by = noe_status_alloc((size_t)(m->params + 2 * m->n), sizeof *by);
    noe_table   *t = NULL;
    bool         ok = weight && by;
    if (ok && weights(ctx, x->rows, x->row, weight))
        bad("the function of weights gave up"), ok = false;
    for (size_t i = 0; ok && i < numbers; i++)
        if (!isfinite(weight[i]))
            bad("the weights of a gradient: expected finite numbers"), ok = false;
    if (ok && noe_adjoint_back(x, weight, by, by + m->params))
        t = tabulate(x->g, by, by + m->params);
    free(weight);
    free(by);
    return t;
}

noe_table *noe_row_gradient_make(const noe_system *s, const noe_method *f, quad step,
                                 const noe_gradient_rows *r, volatile int *interrupted,
                                 noe_weights *weights, void *ctx)
{
    if (!s || !f || !r || !weights || !check(r, step)) return NULL;
    noe_system     *own = noe_system_adjoint(s);
    noe_integrator *g = own ? noe_integrator_make(own, f, step, NOE_DIGITS_DOUBLE) : NULL;
    if (g && own->events && own->events->acts && noe_event_step_attach(g)) {
        noe_integrator_free(g);
        g = NULL;
    }
    char           *usual = g && !r->columns ? positions_and_momenta(own) : NULL;
    noe_columns    *c = g ? noe_column_list_parse(own, r->columns ? r->columns : usual) : NULL;
    noe_adjoint_run x = { .g = g,
                          .columns = c,
                          .until = r->until,
                          .every = r->every,
                          .time = r->time,
                          .times = r->times,
                          .memory = r->memory > 0 ? r->memory : MEMORY,
                          .interrupted = interrupted };
    noe_table      *t = c ? differentiate(&x, weights, ctx) : NULL;
    noe_adjoint_forward_drop(&x);
    free(c);
    free(usual);
    noe_integrator_free(g);
    noe_system_free(own);
    return t;
}

noe_table *noe_gradient_of(const noe_system *s, const noe_method *f, double step,
                           const noe_gradient_rows *r, noe_weights *weights, void *ctx)
{
    return noe_row_gradient_make(s, f, step, r, NULL, weights, ctx);
}
