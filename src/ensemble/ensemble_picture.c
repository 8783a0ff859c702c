/* Pictures of ensembles: members over time or their quantiles, final states against a value given.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/ensemble.h"

#include "base/spelling.h"
#include "ensemble/statistics.h"
#include "model/unit.h"
#include "plot/curves.h"
#include "plot/panel_stack.h"
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most columns that are drawn unasked; most members drawn as curves; most rows of quantiles; most
 * panels. */
enum { COLUMNS = 2, CURVES = 48, ROWS = 1000, PANELS = 6 };

typedef struct {
    const noe_ensemble *e;
    noe_arena          *memory;
    noe_curves          curves;
    long                rows;          /* of the member that has the most */
    double             *given;         /* [members] the value that varies, where there is but one */
    noe_panel           panel[PANELS]; /* [panels] from the top down */
    int                 panels;
} ensemble_picture;

/* ---- columns ---- */

/* The column of a name: 0 is t; -1: none. */
static int column_of(const noe_ensemble *e, const char *name)
{
    for (int c = 0; c < e->columns->count; c++)
        if (noe_spelling_same(e->columns->name[c], name)) return 1 + c;
    return strcmp(name, "t") ? -1 : 0;
}

/* The number of a value that varies; -1: none of this name. */
static int given_of(const noe_ensemble *e, const char *name)
{
    for (int i = 0; i < e->m.names; i++)
        if (noe_spelling_same(e->m.name[i], name)) return i;
    return -1;
}

/* Can the curves be drawn?  False with a message. */
static bool known(const noe_ensemble *e, const noe_curves *c)
{
    if (c->maps)
        return noe_status_fail(NOE_INVALID, "--plot-columns '%s': a map is of one run", c->map[0]),
               false;
    for (int i = 0; i < c->count; i++)
        for (int y = 0; y < 2; y++) {
            const char *name = y ? c->y[i] : c->x[i];
            if (column_of(e, name) >= 0 || (!y && given_of(e, name) >= 0)) continue;
            noe_status_fail(NOE_INVALID,
                            "--plot-columns: '%s' is no column of the members%s: name it in "
                            "--columns",
                            name, y ? "" : " and not varied");
            return false;
        }
    return c->count > 0
        || (noe_status_fail(NOE_INVALID, "--plot: no coordinate to draw: name --plot-columns"),
            false);
}

/* The columns to draw: those named, else the first coordinates. */
static noe_status choose(const noe_ensemble *e, noe_arena *memory, noe_curves *c)
{
    if (e->job->plot_columns) {
        char            *list = noe_column_list_spread(e->system, e->job->plot_columns);
        const noe_status s = list ? noe_curves_named(c, memory, list) : NOE_INVALID;
        free(list);
        return s;
    }
    *c = (noe_curves){ .x = noe_arena_take(memory, COLUMNS * sizeof *c->x),
                       .y = noe_arena_take(memory, COLUMNS * sizeof *c->y) };
    if (!c->x || !c->y) return NOE_NO_MEMORY;
    for (int i = 0; i < e->system->dyn.n && c->count < COLUMNS; i++)
        if (column_of(e, noe_system_name(e->system, i)) >= 0) {
            c->x[c->count] = "t";
            c->y[c->count++] = noe_system_name(e->system, i);
        }
    return NOE_OK;
}

bool noe_ensemble_picture_ready(const noe_ensemble *e)
{
    if (noe_plot_check(e->job->plot, NULL)) return false;
    noe_arena *memory = noe_arena_new();
    noe_curves c;
    const bool ok = memory && !choose(e, memory, &c) && known(e, &c);
    noe_arena_free(memory);
    return ok;
}

/* ---- panels ---- */

static double *values_given(const ensemble_picture *x, int i)
{
    const noe_ensemble *e = x->e;
    double             *to = noe_arena_array(x->memory, (size_t)e->m.count, sizeof *to);
    for (long k = 0; to && k < e->m.count; k++) {
        quad value;
        if (noe_ensemble_member_given(e, k, i, &value)) return NULL;
        to[k] = (double)value;
    }
    return to;
}

/* A column of member k at every stride-th row; NAN after its end. */
static double *values_of(const ensemble_picture *x, int column, long k, long stride)
{
    const long rows = (x->rows - 1) / stride + 1;
    double    *to = noe_arena_array(x->memory, (size_t)rows, sizeof *to);
    for (long r = 0; to && r < rows; r++)
        to[r] = r * stride < x->e->end[k].rows ? *noe_ensemble_at(x->e, r * stride, column, k)
                                               : NAN;
    return to;
}

/* "x [m]"; the name alone where there is no unit. */
static const char *labelled(const ensemble_picture *x, const char *name)
{
    const size_t size = strlen(name) + 30;
    char        *text = noe_arena_take(x->memory, size);
    return text ? noe_unit_label(x->e->system->model, name, name, text, size) : NULL;
}

/* Members as curves y over x, in the colours of the value that varies. */
static noe_status add_members(ensemble_picture *x, const char *of_x, const char *of_y)
{
    const noe_ensemble *e = x->e;
    noe_panel          *p = &x->panel[x->panels++];
    const long          n = e->m.count, apart = (n - 1) / CURVES + 1;
    p->time = !strcmp(of_x, "t"), p->ends = false;
    p->equal = !p->time && noe_curves_position(of_x) && noe_curves_position(of_y);
    p->rows = (size_t)x->rows;
    p->weight = 1;
    p->x_label = labelled(x, of_x);
    p->y_label = labelled(x, of_y);
    p->curve = noe_arena_array(x->memory, (size_t)((n - 1) / apart + 1), sizeof *p->curve);
    if (!p->curve || !p->x_label || !p->y_label) return NOE_NO_MEMORY;
    for (long k = 0; k < n; k += apart) {
        noe_curve *c = &p->curve[p->curves++];
        *c = (noe_curve){ .x = values_of(x, column_of(e, of_x), k, 1),
                          .y = values_of(x, column_of(e, of_y), k, 1),
                          .colour = x->given ? NOE_PANEL_SCALED : 0,
                          .at = x->given ? x->given[k] : 0 };
        if (!c->x || !c->y) return NOE_NO_MEMORY;
    }
    if (apart > 1) {
        char *note = noe_arena_take(x->memory, 60);
        if ((p->note = note)) snprintf(note, 60, "%d of %ld members", p->curves, n);
    }
    if (!x->given) return NOE_OK;
    p->bar = (noe_colour_bar){
        .shown = true, .name = e->m.name[0], .lo = x->given[0], .hi = x->given[0]
    };
    for (long k = 0; k < n; k++) {
        p->bar.lo = fmin(p->bar.lo, x->given[k]);
        p->bar.hi = fmax(p->bar.hi, x->given[k]);
    }
    return NOE_OK;
}

/* Median, the band that holds 90 % of the members, and that of all, over time. */
static noe_status add_quantiles(ensemble_picture *x, const char *name)
{
    static const int         of[] = { NOE_STATISTIC_LEAST, NOE_STATISTIC_MOST, NOE_STATISTIC_Q05,
                                      NOE_STATISTIC_Q95, NOE_STATISTIC_MEDIAN };
    static const char *const label[] = { "all", "5 to 95 %", "median" };
    const noe_ensemble      *e = x->e;
    noe_panel               *p = &x->panel[x->panels++];
    const long               stride = (x->rows - 1) / ROWS + 1, rows = (x->rows - 1) / stride + 1;
    const int                column = column_of(e, name);
    double                  *list[6], *member = noe_arena_array(x->memory, (size_t)e->m.count, 8);
    for (int i = 0; i < 6; i++)
        if (!(list[i] = noe_arena_array(x->memory, (size_t)rows, sizeof **list)))
            return NOE_NO_MEMORY;
    p->curve = noe_arena_array(x->memory, 3, sizeof *p->curve);
    if (!member || !p->curve) return NOE_NO_MEMORY;
    for (long r = 0; r < rows; r++) {
        double statistic[NOE_STATISTICS];
        long   n = 0;
        for (long k = 0; k < e->m.count; k++) {
            if (r * stride >= e->end[k].rows) continue;
            list[5][r] = *noe_ensemble_at(e, r * stride, 0, k);
            member[n] = *noe_ensemble_at(e, r * stride, column, k);
            n += isfinite(member[n]);
        }
        noe_statistics(member, n, statistic);
        for (int i = 0; i < 5; i++) list[i][r] = statistic[of[i]];
    }
    for (int i = 0; i < 3; i++)
        p->curve[i] = (noe_curve){ .x = list[5],
                                   .y = list[i < 2 ? 2 * i : 4],
                                   .upper = i < 2 ? list[2 * i + 1] : NULL,
                                   .label = label[i] };
    p->curves = 3, p->time = true, p->rows = (size_t)rows, p->weight = 1;
    p->x_label = labelled(x, "t"), p->y_label = labelled(x, name);
    return p->x_label && p->y_label ? NOE_OK : NOE_NO_MEMORY;
}

/* The final state of the members that reached the end, against a value given to them. */
static noe_status add_final(ensemble_picture *x, int given, const char *name)
{
    const noe_ensemble *e = x->e;
    noe_panel          *p = &x->panel[x->panels++];
    const int           column = column_of(e, name);
    const char         *of = labelled(x, name);
    char               *label = of ? noe_arena_take(x->memory, strlen(of) + 40) : NULL;
    double             *value = values_given(x, given),
           *y = noe_arena_array(x->memory, (size_t)e->m.count, sizeof *y);
    p->curve = noe_arena_array(x->memory, 1, sizeof *p->curve);
    if (!label || !value || !y || !p->curve) return NOE_NO_MEMORY;
    for (long k = 0; k < e->m.count; k++)
        y[k] = e->end[k].ended && e->end[k].rows > 0
                 ? *noe_ensemble_at(e, e->end[k].rows - 1, column, k)
                 : NAN;
    sprintf(label, "%s at the end, t = %.6g", of, (double)e->last);
    *p->curve = (noe_curve){ .x = value, .y = y };
    p->curves = 1, p->points = true, p->rows = (size_t)e->m.count, p->weight = 0.8;
    p->x_label = labelled(x, e->m.name[given]), p->y_label = label;
    return p->x_label ? NOE_OK : NOE_NO_MEMORY;
}

static noe_status add_panels(ensemble_picture *x)
{
    const noe_curves *c = &x->curves;
    noe_status        s = NOE_OK;
    const bool        bands = !x->given && x->e->m.count > CURVES;
    for (int i = 0; i < c->count && x->panels < PANELS && !s; i++) {
        const int given = c->pairs ? given_of(x->e, c->x[i]) : -1;
        s = given >= 0         ? add_final(x, given, c->y[i])
          : bands && !c->pairs ? add_quantiles(x, c->y[i])
                               : add_members(x, c->x[i], c->y[i]);
        if (!s && x->given && !c->pairs && x->panels < PANELS) s = add_final(x, 0, c->y[i]);
    }
    return s;
}

const char *noe_ensemble_picture_varied(const noe_ensemble *e)
{
    const noe_job *j = e->job;
    return j->sweep ? j->sweep : j->scatter ? j->scatter : j->ensemble;
}

static noe_status draw(ensemble_picture *x)
{
    const noe_ensemble *e = x->e;
    const noe_job      *j = e->job;
    const char         *slash = strrchr(e->system->source, '/');
    char                title[200], about[600] = "";
    snprintf(title, sizeof title, "%.90s: %ld members, %.40s, step %.6g",
             slash ? slash + 1 : e->system->source, e->m.count, noe_method_name(e->x.method),
             (double)e->x.step);
    for (int i = 0; i < x->panels; i++)
        noe_status_append(about, sizeof about, "%s%.80s against %.60s", i ? "; " : "",
                          x->panel[i].y_label, x->panel[i].x_label);
    noe_picture picture = { .path = j->plot,
                            .title = title,
                            .parameters = noe_ensemble_picture_varied(e),
                            .about = about };
    noe_panel_stack_arrange(&picture, x->panel, x->panels);
    return noe_panel_stack_draw(&picture, x->panel, x->panels, x->memory);
}

bool noe_ensemble_picture_draw(const noe_ensemble *e)
{
    ensemble_picture x = { .e = e, .memory = noe_arena_new() };
    noe_status       s = x.memory ? choose(e, x.memory, &x.curves) : NOE_NO_MEMORY;
    for (long k = 0; k < e->m.count; k++)
        if (e->end[k].rows > x.rows) x.rows = e->end[k].rows;
    if (!s && e->m.names == 1 && !(x.given = values_given(&x, 0))) s = NOE_INVALID;
    if (!s) s = add_panels(&x);
    if (!s) s = draw(&x);
    noe_arena_free(x.memory);
    return !s;
}
