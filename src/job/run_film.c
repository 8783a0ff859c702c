/* The animation of a run: reads the columns of its scene at every row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/run_film.h"

#include "base/status.h"
#include "integrate/fractional_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool noe_run_film_open(noe_run_film *r, const noe_job *j, const noe_system *s)
{
    if (!noe_film_check(j->animate)) return false;
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

noe_status noe_run_film_add(noe_run_film *r, noe_integrator *g, noe_integrator *y)
{
    if (!r->row) return NOE_OK;
    for (int i = 0; i < r->columns->count; i++)
        r->row[i] = (double)noe_fractional_step_column(g, y, &r->columns->column[i]);
    return noe_film_add(&r->film, r->row);
}

bool noe_run_film_write(noe_run_film *r, const char *path, const noe_job_setup *x)
{
    if (!r->row) return true;
    const char *slash = strrchr(x->system->source, '/');
    snprintf(r->film.caption, sizeof r->film.caption, "%.60s: %.30s, step %.6g",
             slash ? slash + 1 : x->system->source, noe_method_name(x->method), (double)x->step);
    return !noe_film_finish(&r->film, path);
}

void noe_run_film_drop(noe_run_film *r)
{
    if (r->open) noe_film_drop(&r->film);
    free(r->columns);
    free(r->row);
}
