/* The picture of a run: the rows that are drawn, at most 200000 of them, and what is drawn of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/run_picture.h"

#include "base/status.h"
#include "base/table.h"
#include "between/fractional_step.h"
#include "model/unit.h"
#include "plot/heat_map.h"
#include "plot/plot.h"
#include "system/event_tapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows and numbers that are kept for the picture; coordinates of a family that are curves. */
enum { ROWS_MOST = 200000, NUMBERS_MOST = 8000000, CURVES_MOST = 16 };

/* Columns of the picture without --plot-columns: heat maps of the first two families of more
 * than 16 coordinates; NULL: every coordinate as a curve. */
static char *usual_maps(const noe_system *s)
{
    const noe_model *m = s->model;
    char            *list = NULL;
    size_t           used = 0;
    for (int i = 0, maps = 0; m && i < m->symbols && maps < 2; i++) {
        const noe_symbol *f = m->symbol[i];
        if (f->what != NOE_IS_COORDINATE || !f->family || f->hi - f->lo < CURVES_MOST) continue;
        char *longer = realloc(list, used + strlen(f->name) + 8);
        if (!longer) break;
        list = longer, maps++;
        used += (size_t)sprintf(list + used, "%s%s[*]", used ? "," : "", f->name);
    }
    return list;
}

/* The columns of the picture: what --plot-columns names, else t, the coordinates and the energy. */
static noe_columns *drawn_columns(const noe_run_picture *r, const noe_job *j, const noe_system *s)
{
    char      *list = r->curves ? noe_column_list_sampled(s, r->curves, NOE_MAP_SITES) : NULL;
    const bool energy = !j->plot_columns;
    size_t     capacity = 32 + (list ? strlen(list) : 0);
    for (int i = 0; i < s->dyn.n && i < 32; i++) capacity += strlen(noe_system_name(s, i)) + 1;
    char *text = r->curves && !list ? NULL : noe_status_alloc(capacity, 1), *at = text;
    if (!text) return free(list), NULL;
    at += sprintf(at, "t");
    if (list) at += sprintf(at, ",%s", list);
    for (int i = 0; i < s->dyn.n && i < 32 && !list; i++)
        at += sprintf(at, ",%s", noe_system_name(s, i));
    free(list);
    const bool changes = !s->dyn.autonomous || (s->events && s->events->shocks);
    if (energy) sprintf(at, changes ? ",energy,balance" : ",energy");
    else if (changes && strstr(text, ",energy")) sprintf(at, ",balance"); /* its error */
    for (char *c = text; *c; c++)
        if (*c == ':') *c = ',';
    noe_columns *x = noe_column_list_parse(s, text);
    free(text);
    return x;
}

bool noe_run_picture_open(noe_run_picture *r, const noe_job *j, const noe_system *s)
{
    if (noe_plot_check(j->plot, j->plot_columns)) return false;
    r->curves = j->plot_columns ? noe_column_list_spread(s, j->plot_columns) : usual_maps(s);
    if (j->plot_columns && !r->curves) return false;
    if (!(r->drawn = drawn_columns(r, j, s))) return false;
    r->stride = 1;
    r->section = j->section != NULL;
    r->table = noe_table_new(r->drawn->count, r->drawn->name);
    r->point = noe_status_alloc((size_t)r->drawn->count, sizeof *r->point);
    return r->table && r->point;
}

void noe_run_picture_expect(noe_run_picture *r, double rows)
{
    if (r->drawn)
        r->stride = 1 + (long)(rows / fmin(ROWS_MOST, (double)NUMBERS_MOST / r->drawn->count));
}

noe_status noe_run_picture_add(noe_run_picture *r, noe_integrator *g, noe_integrator *y, long row)
{
    if (!r->table || row % r->stride) return NOE_OK;
    for (int i = 0; i < r->drawn->count; i++)
        r->point[i] = (double)noe_fractional_step_column(g, y, &r->drawn->column[i]);
    return noe_table_add(r->table, r->point);
}

noe_status noe_run_picture_point(noe_run_picture *r, const double *point)
{
    return !r->table || r->points++ % r->stride ? NOE_OK : noe_table_add(r->table, point);
}

/* The parameters and their values, "m = 1, g = 9.81". */
static void list_parameters(const noe_system *s, char *text, size_t size)
{
    const noe_model *m = s->model;
    const char      *comma = "";
    for (int i = 0; m && i < m->symbols && strlen(text) + 64 < size; i++) {
        const noe_symbol *p = m->symbol[i];
        if (p->what != NOE_IS_PARAMETER || p->family || strchr(p->name, '[')) continue;
        char       unit[24];
        const bool has = noe_unit_of(m, p->name, unit, sizeof unit);
        noe_status_append(text, size, "%s%.30s = %.6g%s%s", comma, p->name,
                          noe_system_get(s, p->name), has ? " " : "", has ? unit : "");
        comma = ", ";
    }
}

/* Units of the columns that are drawn, in one block of memory for free(); *ok: false without
 * memory. */
static const char **list_units(const noe_run_picture *r, const noe_model *m, bool *ok)
{
    enum { MOST = 24 };
    const size_t n = (size_t)r->drawn->count;
    *ok = true;
    if (!m || !m->unit) return NULL;
    const char **unit = noe_status_alloc(n, sizeof *unit + MOST);
    if (!unit) return *ok = false, NULL;
    char *text = (char *)(unit + n);
    for (size_t i = 0; i < n; i++, text += MOST)
        if (noe_unit_of(m, r->drawn->name[i], text, MOST)) unit[i] = text;
    return unit;
}

bool noe_run_picture_draw(const noe_run_picture *r, const char *path, const noe_job_setup *x,
                          const char *members)
{
    if (!r->table) return true;
    const char *slash = strrchr(x->system->source, '/');
    char        title[200], parameters[400] = "";
    snprintf(title, sizeof title, "%.100s: %s, step %.6g", slash ? slash + 1 : x->system->source,
             noe_method_name(x->method), (double)x->step);
    if (members) noe_status_append(parameters, sizeof parameters, "%s", members);
    else list_parameters(x->system, parameters, sizeof parameters);
    bool                 ok;
    const char         **unit = list_units(r, x->system->model, &ok);
    const noe_plot_words words = { .title = title,
                                   .parameters = parameters,
                                   .method = noe_method_name(x->method),
                                   .unit = unit,
                                   .points = r->section };
    ok = ok && !noe_plot_draw(path, r->table, r->curves, &words);
    free(unit);
    return ok;
}

void noe_run_picture_drop(noe_run_picture *r)
{
    free(r->drawn);
    free(r->point);
    free(r->curves);
    noe_table_free(r->table);
}
