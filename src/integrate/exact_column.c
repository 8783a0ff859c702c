/* Columns NAME.exact: q(t), v(t), p(t) of the solution in closed form that the model names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

#include "base/optional_library.h"

#ifndef NOE_ARB

noe_status noe_exact_column_ready(noe_integrator *g, const noe_columns *x)
{
    (void)g;
    for (int i = 0; i < x->count; i++)
        if (x->column[i].exact) return noe_optional_library_require(NOE_OF_FLINT, x->name[i]);
    return NOE_OK;
}

quad noe_exact_column_value(noe_integrator *g, const noe_column *c, const quad *t)
{
    (void)t;
    const char *name[] = { "NAME.exact" };
    noe_columns one = { 1, name, (noe_column *)c };
    noe_exact_column_ready(g, &one);
    return nanq("");
}

/* Never called in a build without Arb: no integrator has more than 33 digits. */
char *noe_exact_column_text(noe_integrator *g, const noe_column *c)
{
    return (void)g, (void)c, NULL;
}
noe_status noe_exact_column_set_step(noe_integrator *g, const char *expression)
{
    return (void)g, (void)expression, NOE_INVALID;
}

#else

/* Digits of the closed form beyond those of the steps. */
enum { EXTRA_DIGITS = 8 };

/* Makes the closed form, from the start of the integrator; an error with a message. */
static noe_status ready(noe_integrator *g)
{
    const noe_system *s = g->system;
    if (g->exact) return NOE_OK;
    noe_status state = noe_optional_library_require(NOE_OF_FLINT, "a solution in closed form");
    if (!state) state = noe_integrator_start_ready(g);
    if (state) return state;
    const quad           *q = g->from;
    const int             n = s->dyn.n;
    const noe_start_point p = { g->from_t, q, q ? q + n : NULL, q ? q + 2 * n : NULL,
                                g->from_momentum };
    if (!g->wide) g->wide = noe_wide_new();
    if (!g->wide) return NOE_NO_MEMORY;
    g->exact = noe_exact_solution_new(s->model, g->digits + EXTRA_DIGITS, q ? &p : NULL);
    return g->exact ? NOE_OK : NOE_INVALID;
}

noe_status noe_exact_column_ready(noe_integrator *g, const noe_columns *x)
{
    for (int i = 0; i < x->count; i++)
        if (x->column[i].exact) return ready(g);
    return NOE_OK;
}

/* Present time of the integrator into w. */
static void now(noe_integrator *g, noe_wide *w)
{
    quad t;
    if (g->engine->digits) g->engine->digits->get(g->work, NOE_AT_T, 0, w);
    else g->engine->get(g->work, NOE_AT_T, g->member, &t), noe_wide_set(w, t);
}

/* The quantity of a column, as the closed form and the multiple-precision engine number it. */
static int what(const noe_column *c)
{
    return c->kind == NOE_COL_OBSERVABLE ? NOE_AT_OBSERVABLE
         : c->kind == NOE_COL_PARAMETER  ? NOE_AT_PARAM
                                         : (int)c->at;
}

quad noe_exact_column_value(noe_integrator *g, const noe_column *c, const quad *t)
{
    if (ready(g)) return nanq("");
    if (t) noe_wide_set(g->wide, *t);
    else now(g, g->wide);
    noe_exact_solution_get(g->exact, g->wide, what(c), c->index, g->wide);
    return noe_wide_get(g->wide);
}

char *noe_exact_column_text(noe_integrator *g, const noe_column *c)
{
    if (noe_integrator_start_ready(g) || (c->exact && ready(g))) return NULL;
    if (!g->wide && !(g->wide = noe_wide_new())) return NULL;
    if (c->exact) {
        now(g, g->wide);
        noe_exact_solution_get(g->exact, g->wide, what(c), c->index, g->wide);
    } else g->engine->digits->get(g->work, what(c), c->index, g->wide);
    return noe_wide_text(g->wide, g->digits);
}

noe_status noe_exact_column_set_step(noe_integrator *g, const char *expression)
{
    return g->engine->digits->stride(g->work, expression) ? NOE_OK : NOE_INVALID;
}

#endif
