/* The animation of a run: reads the columns of its scene at every row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/run_film.h"

#include "base/status.h"
#include "between/fractional_step.h"
#include "plot/style.h"
#include "system/monitored_dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool noe_run_film_open(noe_run_film *r, const noe_job *j, const noe_system *s)
{
    if (!noe_film_check(j->animate)) return false;
    r->system = s;
    if (j->beside && !(r->method = noe_method_parse(j->beside))) return false;
    if (j->beside && noe_system_monitored(s)
        && !noe_monitored_dynamics_check(s, r->method, NOE_DIGITS_DOUBLE))
        return false;
    if (j->section)
        return noe_status_fail(NOE_INVALID,
                               "--animate: the rows of a --section are no motion; leave it out"),
               false;
    r->open = true;
    if (!noe_film_begin(&r->film, s)) return false;
    r->columns = noe_column_list_parse(s, r->film.scene.columns);
    if (!r->columns) return false;
    r->film.width = r->columns->count;
    r->row = noe_status_alloc((size_t)r->columns->count, sizeof *r->row);
    return r->row;
}

/* An integrator of the other method, at the state of the run. */
static bool start_other(noe_run_film *r, noe_integrator *g)
{
    r->step = noe_get(g, "step");
    r->other = noe_integrator_new(r->system, r->method, r->step);
    return r->other && !noe_start(r->other, noe_time(g), noe_q(g), noe_v(g));
}

/* The energies of the other method, of COMPARED rows at most.  Where it stops, the curve ends. */
static bool run_other(noe_run_film *r)
{
    enum { COMPARED = 4000 };
    const noe_film *f = &r->film;
    const double    until = f->row[f->capacity * f->width];
    /* With a monitor about as many as the run has made. */
    const double steps = noe_system_monitored(r->system)
                           ? (double)r->steps
                           : fabs((until - noe_time(r->other)) / r->step);
    const int    every = (int)(1 + steps / COMPARED);
    noe_table   *t = noe_record(r->other, until, every,
                              f->scene.balance ? "t,energy,balance" : "t,energy");
    if (!t) return false;
    const bool ok = !noe_film_beside(&r->film, noe_method_name(r->method), noe_table_rows(t),
                                     noe_table_column(t, "t"), noe_table_column(t, "energy"),
                                     f->scene.balance ? noe_table_column(t, "balance") : NULL);
    noe_table_free(t);
    return ok;
}

noe_status noe_run_film_add(noe_run_film *r, noe_integrator *g, noe_integrator *y)
{
    if (!r->row) return NOE_OK;
    if (r->method && !r->other && !start_other(r, g)) return NOE_INVALID;
    g->engine->get(g->work, NOE_AT_COUNT, 0, &r->steps);
    for (int i = 0; i < r->columns->count; i++)
        r->row[i] = (double)noe_fractional_step_column(g, y, &r->columns->column[i]);
    return noe_film_add(&r->film, r->row);
}

bool noe_run_film_write(noe_run_film *r, const char *path, const noe_job_setup *x)
{
    if (!r->row) return true;
    if (r->other && r->film.rows && !run_other(r)) return false;
    const char *slash = strrchr(x->system->source, '/');
    snprintf(r->film.caption, sizeof r->film.caption, "%.60s: %.30s, step %.6g",
             slash ? slash + 1 : x->system->source, noe_method_name(x->method), (double)x->step);
    r->film.colour = noe_style_of_method(noe_method_name(x->method)).colour;
    r->film.other_colour = noe_style_of_method(r->film.other).colour;
    if (r->film.other_colour == r->film.colour)
        r->film.other_colour = (r->film.colour + 1) % NOE_STYLE_COLOURS;
    return !noe_film_finish(&r->film, path);
}

void noe_run_film_drop(noe_run_film *r)
{
    if (r->open) noe_film_drop(&r->film);
    free(r->columns);
    free(r->row);
    noe_integrator_free(r->other);
    noe_method_free(r->method);
}
