/* Draws data and model over time, and their differences: two charts for each column.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "model/unit.h"
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = NOE_CHARTS_MOST / 2, POINTS = 4000 };

/* The motion of a file with the estimates, at the ends of its steps: t and each drawn column
 * [POINTS]; returns their number. */
static int motion(const noe_fit *s, int file, double *t, double *y, int columns)
{
    double last = -INFINITY;
    for (int i = 0; i < s->data; i++)
        if (s->datum[i].file == file) last = fmax(last, s->datum[i].t);
    const double    steps = fabs((last - (double)s->system->model->t0) / s->step);
    const long      every = 1 + (long)(steps / (POINTS - 2));
    noe_system     *own = noe_fitted_run_system(s, s->system, file, s->x);
    noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL;
    int             points = 0;
    for (double k = 0; g && points < POINTS; k++) {
        if (fmod(k, (double)every) == 0) {
            t[points] = noe_time(g);
            for (int c = 0; c < columns; c++)
                y[c * POINTS + points] = (double)noe_column_value(g, &s->compared[c].value);
            points++;
        }
        if (noe_time(g) >= last || noe_step(g)) break;
    }
    noe_integrator_free(g);
    noe_system_free(own);
    return points;
}

/* The data of a column of a file: times, values, differences from the model. */
static int measured(const noe_fit *s, int c, int file, double *t, double *y, double *r)
{
    int n = 0;
    for (int i = 0; i < s->data; i++) {
        if (s->datum[i].column != c || s->datum[i].file != file) continue;
        t[n] = s->datum[i].t, y[n] = s->datum[i].y, r[n] = s->datum[i].y - s->f[i];
        n++;
    }
    return n;
}

bool noe_fit_plot_draw(const noe_fit *s, const char *path)
{
    const int    columns = s->compareds < COLUMNS ? s->compareds : COLUMNS, files = s->files;
    const size_t data = (size_t)s->data, line = (size_t)(columns + 1) * POINTS;
    noe_chart   *chart = noe_arena_take(s->arena, 2 * (size_t)columns * sizeof *chart);
    noe_series  *series = noe_arena_take(s->arena, 3 * (size_t)(columns * files) * sizeof *series);
    double *all = noe_status_alloc(3 * data * (size_t)columns + (size_t)files * line, sizeof *all);
    char   *text = noe_arena_take(s->arena, (size_t)(columns + files) * 200), title[400];
    if (!chart || !series || !all || !text) return free(all), false;
    char *name = text + columns * 200;
    for (int d = 0; d < files; d++) {
        const char *slash = strrchr(s->file[d].path, '/');
        snprintf(name + d * 200, 200, "%.190s", slash ? slash + 1 : s->file[d].path);
    }
    const noe_model *const m = s->plain->model;
    char                  *time = noe_arena_take(s->arena, 40), residual[100];
    if (!time) return free(all), false;
    noe_unit_label(m, "t", "t", time, 40);
    for (int c = 0; c < columns; c++, text += 200) {
        const char *const column = s->compared[c].name;
        noe_series       *a = series + 3 * c * files, *b = a + 2 * files;
        double           *t = all + (size_t)files * line + 3 * data * (size_t)c;
        snprintf(residual, sizeof residual, "%.60s: data minus model", column);
        chart[2 * c] = (noe_chart){ .title = noe_unit_label(m, column, column, text, 100),
                                    .x = time,
                                    .series = a,
                                    .count = 2 * files };
        chart[2 * c + 1] = (noe_chart){ .title = noe_unit_label(m, column, residual, text + 100,
                                                                100),
                                        .x = time,
                                        .series = b,
                                        .count = files };
        for (int d = 0; d < files; d++) {
            double   *run = all + (size_t)d * line, *y = t + data, *r = y + data;
            const int n = measured(s, c, d, t, y, r);
            const int points = c ? series[2 * d + 1].points
                                 : motion(s, d, run, run + POINTS, columns);
            a[2 * d] = (noe_series){ .label = name + d * 200,
                                     .points = n,
                                     .look.colour = 2 * d,
                                     .x = t,
                                     .y = y,
                                     .dots = true };
            a[2 * d + 1] = (noe_series){ .label = "model",
                                         .points = points,
                                         .look.colour = 2 * d + 1,
                                         .x = run,
                                         .y = run + (size_t)(c + 1) * POINTS };
            b[d] = (noe_series){
                .label = "", .points = n, .look.colour = 2 * d, .x = t, .y = r, .dots = true
            };
            t += n;
        }
    }
    const char *slash = strrchr(s->plain->source, '/');
    snprintf(title, sizeof title, "%.200s: fit to %d data, %s, step %.6g",
             slash ? slash + 1 : s->plain->source, s->data, noe_method_name(s->method), s->step);
    const bool ok = !noe_figure_draw(path, title, chart, 2 * columns);
    free(all);
    return ok;
}
