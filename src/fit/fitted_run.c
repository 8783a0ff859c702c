/* f_i(x) and df_i/dx of the data i: runs of the model with these values, read at the data's times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "integrate/fractional_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 64 }; /* bytes of a number in an assignment */

noe_system *noe_fitted_run_system(const noe_fit *s, int file, const double *x, bool slopes)
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
    if (change && text) to = noe_system_lets(slopes ? s->system : s->plain, change, count);
    free(change);
    free(text);
    return to;
}

/* The data [from, to) of one time, at a state. */
static bool read(noe_fit *s, noe_integrator *run, noe_integrator *at, int from, int to, double *f,
                 double *J)
{
    for (int i = from; i < to; i++) {
        const noe_compared *c = &s->compared[s->datum[i].column];
        f[i] = (double)noe_fractional_step_column(run, at, &c->value);
        if (!isfinite(f[i]))
            return noe_status_fail(NOE_NOT_FINITE, "'%s' is not a finite number at t = %.10g",
                                   c->name, s->datum[i].t),
                   false;
        for (int k = 0; J && k < s->varieds; k++) {
            double *to_J =
                &J[(size_t)noe_fit_unknown(s, k, s->datum[i].file) * (size_t)s->data + (size_t)i];
            *to_J = (double)noe_fractional_step_column(run, at, &c->slope[k]);
            if (!isfinite(*to_J))
                return noe_status_fail(NOE_NOT_FINITE,
                                       "d(%s)/d(%s) is not a finite number at t = %.10g", c->name,
                                       s->varied[k].name, s->datum[i].t),
                       false;
        }
    }
    return true;
}

/* The data from number i on whose times lie in the step just made, which began at `left`. */
static bool within(noe_fit *s, noe_integrator *g, int *i, int end, double *f, double *J)
{
    while (*i < end && s->datum[*i].t <= noe_time(g)) {
        int next = *i;
        while (next < end && s->datum[next].t == s->datum[*i].t) next++;
        noe_integrator *y = noe_fractional_step_at(g, s->datum[*i].t);
        if (!y || !read(s, g, y, *i, next, f, J)) return false;
        *i = next;
    }
    noe_fractional_step_leave(g);
    return true;
}

/* All data of a file, numbers [i, end). */
static bool follow(noe_fit *s, noe_integrator *g, int i, int end, double *f, double *J)
{
    if (noe_integrator_start_ready(g)) return false;
    while (i < end) {
        if (s->job->interrupted && *s->job->interrupted) return s->stopped = true, false;
        if (noe_fractional_step_mark(g)) return false;
        const noe_status status = noe_step(g);
        if (status == NOE_STOPPED) {
            const char *event = noe_event_name(g);
            if (!within(s, g, &i, end, f, J)) return false;
            if (i == end) break;
            noe_status_fail(NOE_INVALID,
                            "%s:%d: the motion ends at the event '%.60s' at t = %.10g, the data go "
                            "on at t = %.10g",
                            s->file[s->datum[i].file].path, s->datum[i].line, event ? event : "",
                            noe_time(g), s->datum[i].t);
            return false;
        }
        if (status || !within(s, g, &i, end, f, J)) return false;
    }
    return true;
}

bool noe_fitted_run_make(noe_fit *s, const double *x, double *f, double *J)
{
    if (J) memset(J, 0, (size_t)s->unknowns * (size_t)s->data * sizeof *J);
    s->runs++;
    for (int d = 0, from = 0, end = 0; d < s->files; d++, from = end) {
        while (end < s->data && s->datum[end].file == d) end++;
        noe_system     *own = noe_fitted_run_system(s, d, x, J != NULL);
        noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL;
        const bool      ok = g && follow(s, g, from, end, f, J);
        noe_integrator_free(g);
        noe_system_free(own);
        if (!ok) return false;
    }
    return true;
}
