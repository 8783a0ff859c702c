/* f_i(x) and df_i/dx of the data i: runs of the model with these values, read at the data's times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "between/fractional_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 64 }; /* bytes of a number in an assignment */

noe_system *noe_fitted_run_system(const noe_fit *s, const noe_system *of, int file, const double *x)
{
    const noe_measurements *m = &s->file[file];
    const int               count = m->changes + s->varieds;
    size_t                  size = (size_t)s->varieds * VALUE;
    for (int k = 0; k < s->varieds; k++) size += strlen(s->varied[k].assigned);
    const char **change = noe_status_alloc((size_t)count, sizeof *change);
    char        *text = noe_status_alloc(size, 1), *at = text;
    noe_system  *to = NULL;
    for (int i = 0; change && i < m->changes; i++) change[i] = m->change[i];
    for (int k = 0; change && text && k < s->varieds; k++) {
        change[m->changes + k] = at;
        at += 1 + sprintf(at, "%s = %.36e", s->varied[k].assigned, x[noe_fit_unknown(s, k, file)]);
    }
    if (change && text) to = noe_system_lets(of, change, count);
    free(change);
    free(text);
    return to;
}

/* Values and derivatives of all data. */
typedef struct {
    noe_fit *s;
    double  *f, *J; /* [data] model values; [unknowns][data] their derivatives */
} results;

/* The data [from, to) of one time, at a state. */
static bool read(void *ctx, noe_integrator *run, noe_integrator *at, int from, int to)
{
    const results *r = ctx;
    const noe_fit *s = r->s;
    for (int i = from; i < to; i++) {
        const noe_compared *c = &s->compared[s->datum[i].column];
        if (!noe_fitted_run_value(s, run, at, i, &c->value, &r->f[i])) return false;
        for (int k = 0; r->J && k < s->varieds; k++) {
            const size_t u = (size_t)noe_fit_unknown(s, k, s->datum[i].file);
            if (!noe_fitted_run_value(s, run, at, i, &c->slope[k],
                                      &r->J[u * (size_t)s->data + (size_t)i]))
                return false;
        }
    }
    return true;
}

bool noe_fitted_run_value(const noe_fit *s, noe_integrator *run, noe_integrator *at, int i,
                          const noe_column *c, double *to)
{
    *to = (double)noe_fractional_step_column(run, at, c);
    if (isfinite(*to)) return true;
    return noe_status_fail(NOE_NOT_FINITE, "%s'%s' is not a finite number at t = %.10g",
                           c->by ? "a derivative of " : "", s->compared[s->datum[i].column].name,
                           s->datum[i].t),
           false;
}

/* The data from number *i on whose times lie in the step just made, and the state at `last`. */
static bool within(noe_visit *v, noe_integrator *g)
{
    const noe_datum *datum = v->s->datum;
    const double     now = noe_time(g);
    while (v->from < v->end && datum[v->from].t <= now) {
        int next = v->from;
        while (next < v->end && datum[next].t == datum[v->from].t) next++;
        noe_integrator *y = noe_fractional_step_at(g, datum[v->from].t);
        if (!y || !v->read(v->ctx, g, y, v->from, next)) return false;
        v->from = next;
    }
    if (v->from == v->end && v->last <= now) {
        noe_integrator *y = noe_fractional_step_at(g, v->last);
        if (!y || !v->read(v->ctx, g, y, v->end, v->end)) return false;
        v->last = INFINITY;
    }
    noe_fractional_step_leave(g);
    return true;
}

/* The motion stopped before the data did. */
static bool ended(const noe_visit *v, const noe_integrator *g)
{
    const char      *event = noe_event_name(g);
    const noe_datum *y = &v->s->datum[v->from < v->end ? v->from : v->end - 1];
    return noe_status_fail(NOE_INVALID,
                           "%s:%d: the motion ends at the event '%.60s' at t = %.10g, the data go "
                           "on at t = %.10g",
                           v->s->file[y->file].path, y->line, event ? event : "", noe_time(g),
                           y->t),
           false;
}

bool noe_fitted_run_follow(noe_visit *v, noe_integrator *g)
{
    if (noe_integrator_start_ready(g)) return false;
    while (v->from < v->end || isfinite(v->last)) {
        if (v->s->job->interrupted && *v->s->job->interrupted) return v->s->stopped = true, false;
        if (noe_fractional_step_mark(g)) return false;
        const noe_status status = noe_step(g);
        if (status && status != NOE_STOPPED) return false;
        if (!within(v, g)) return false;
        if (status && (v->from < v->end || isfinite(v->last))) return ended(v, g);
    }
    return true;
}

bool noe_fitted_run_make(noe_fit *s, const double *x, double *f, double *J)
{
    results r = { s, f, J };
    if (J) memset(J, 0, (size_t)s->unknowns * (size_t)s->data * sizeof *J);
    s->runs++;
    for (int d = 0, from = 0, end = 0; d < s->files; d++, from = end) {
        while (end < s->data && s->datum[end].file == d) end++;
        noe_system     *own = noe_fitted_run_system(s, J ? s->system : s->plain, d, x);
        noe_visit       v = { s, from, end, INFINITY, read, &r };
        noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL;
        const bool      ok = g && noe_fitted_run_follow(&v, g);
        noe_integrator_free(g);
        noe_system_free(own);
        if (!ok) return false;
    }
    return true;
}
