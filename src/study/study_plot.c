/* Draws log e over log h: a chart for every error and window, a line for every method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A dashed line has the slope of the method's order. */
#include "study/study_report.h"

#include "model/unit.h"
#include "plot/figure.h"
#include "study/study_verdict.h"

#include <math.h>
#include <string.h>

/* The dashed line passes through the smallest error above round-off. */
static void fill(const noe_study *s, int w, int u, int i, noe_series *to, double *h, double *e)
{
    bool masked[NOE_STUDY_STEPS_MOST];
    noe_study_verdict_order_by_fit(s, w, u, i, masked);
    *to = (noe_series){ s->method[i].label,
                        s->steps,
                        noe_style_of_method(s->method[i].label),
                        h,
                        e,
                        noe_method_order(s->method[i].method),
                        -1,
                        false };
    for (int j = 0; j < s->steps; j++) {
        h[j] = (double)s->step[j].h;
        e[j] = noe_study_setup_cell(s, w, u, i, j)->value;
        if (!masked[j] && e[j] > 0 && isfinite(e[j])) to->guide = j;
    }
    if (to->guide < 0) to->slope = 0, to->guide = 0;
}

noe_status noe_study_plot_draw(const noe_study *s, const char *path)
{
    const int   charts = s->windows * s->quantities < NOE_CHARTS_MOST ? s->windows * s->quantities
                                                                      : NOE_CHARTS_MOST;
    noe_chart  *chart = noe_arena_take(s->arena, (size_t)charts * sizeof *chart);
    noe_series *series = noe_arena_take(s->arena, (size_t)(charts * s->methods) * sizeof *series);
    double     *numbers = noe_arena_take(s->arena, (size_t)(charts * s->methods * s->steps * 2)
                                                       * sizeof *numbers);
    char       *text = noe_arena_take(s->arena, (size_t)charts * 200), title[400];
    const noe_model *const m = s->system->model;
    char                   step[60], words[160];
    noe_unit_label(m, "t", "step h", step, sizeof step);
    if (!chart || !series || !numbers || !text) return NOE_NO_MEMORY;
    for (int k = 0; k < charts; k++, text += 200) {
        const noe_quantity *u = &s->quantity[k % s->quantities];
        char                error[100], until[60], unit[24];
        snprintf(error, sizeof error, "%serror of %.60s", u->scaling ? "relative " : "", u->label);
        snprintf(until, sizeof until, "t to %.6g", (double)s->until[k / s->quantities]);
        const bool time = m && noe_unit_of(m, "t", unit, sizeof unit);
        snprintf(text, 200, "%s, %s%s%s",
                 noe_unit_label(u->what == NOE_OF_COLUMN && !u->scaling ? m : NULL, u->name, error,
                                words, sizeof words),
                 until, time ? " " : "", time ? unit : "");
        chart[k] = (noe_chart){ text, step, true, true, series + k * s->methods, s->methods };
        for (int i = 0; i < s->methods; i++, numbers += 2 * s->steps)
            fill(s, k / s->quantities, k % s->quantities, i, &series[k * s->methods + i], numbers,
                 numbers + s->steps);
    }
    const char *slash = strrchr(s->system->source, '/');
    snprintf(title, sizeof title, "%.300s%s",
             s->title ? s->title
             : slash  ? slash + 1
                      : s->system->source,
             s->title ? "" : "; dashed: the order of the method");
    return noe_figure_draw(path, title, chart, charts);
}
