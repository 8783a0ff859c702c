/* Reports a study of drift as text, CSV or a picture: a row for every window.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_drift.h"
#include "study/study_report.h"

#include "plot/figure.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 12 };

static void header(noe_text *t, const noe_study *s, const char *first)
{
    noe_text_add(t, "%18s", first);
    for (int i = 0; i < s->methods; i++)
        for (int j = 0; j < s->steps; j++)
            noe_text_add(t, "  %*.*s", WIDTH, WIDTH, s->method[i].label);
    if (s->steps > 1) {
        noe_text_add(t, "\n%18s", "step");
        for (int i = 0; i < s->methods; i++)
            for (int j = 0; j < s->steps; j++)
                noe_text_add(t, "  %*.6g", WIDTH, (double)s->step[j].h);
    }
    noe_text_add(t, "\n");
}

/* Writes one line with a number for every run; at: offset of the number in noe_drift_growth. */
static void line(noe_text *t, const noe_study *s, const noe_drift *d, int u, const char *name,
                 const char *format, size_t at)
{
    noe_text_add(t, "%18s", name);
    for (int i = 0; i < s->methods; i++)
        for (int j = 0; j < s->steps; j++) {
            noe_text_add(t, "  ");
            noe_study_text_add_number(
                t, WIDTH, format,
                *(const double *)((const char *)noe_study_drift_growth_at(s, d, u, i, j) + at));
        }
    noe_text_add(t, "\n");
}

static void block(noe_text *t, const noe_study *s, const noe_drift *d, int u)
{
    char words[320];
    noe_text_add(t, "\n%s: in each window\n", noe_study_text_quantity(&s->quantity[u], words));
    header(t, s, "t to");
    for (int w = 0; w < d->windows; w++) {
        noe_text_add(t, "%18.10g", d->end[w]);
        for (int i = 0; i < s->methods; i++)
            for (int j = 0; j < s->steps; j++) {
                noe_text_add(t, "  ");
                noe_study_text_add_number(t, WIDTH, "%.4e",
                                          noe_study_drift_growth_at(s, d, u, i, j)->most[w]);
            }
        noe_text_add(t, "\n");
    }
    line(t, s, d, u, "grows like t^", "%.2f", offsetof(noe_drift_growth, power));
    line(t, s, d, u, "+-", "%.2f", offsetof(noe_drift_growth, power_error));
    line(t, s, d, u, "gained by the end", "%+.2e", offsetof(noe_drift_growth, gained));
    line(t, s, d, u, "+-", "%.0e", offsetof(noe_drift_growth, scatter));
}

void noe_study_drift_report_text(noe_text *t, const noe_study *s, const noe_drift *d)
{
    noe_study_text_add_head(t, s);
    for (int j = 0; j < s->steps; j++)
        noe_text_add(t, "%s%.10g", j ? ", " : "t to ",
                     j ? (double)s->step[j].h : (double)s->until[0]);
    noe_text_add(t, ", step %.10g, %.0f steps\n", (double)s->step[0].h,
                 fmax(noe_study_steps_count(s, 0, 0), 0));
    for (int u = 0; u < s->quantities; u++) block(t, s, d, u);
    noe_text_add(t, "\nt^0: bounded; t^0.5: the random walk of round-off; t^1: a drift.  Fitted "
                    "over the last two decades of time.\n");
    noe_study_text_add_failures(t, s);
}

static void csv_row(noe_text *t, const noe_study *s, const noe_drift *d, int u, int i, int j, int w)
{
    noe_study_csv_add_string(t, s->method[i].label);
    noe_text_add(t, ",");
    noe_study_csv_add_string(t, s->quantity[u].label);
    const double x[] = { (double)s->step[j].h, d->end[w],
                         noe_study_drift_growth_at(s, d, u, i, j)->most[w] };
    for (int k = 0; k < 3; k++) noe_text_add(t, ","), noe_study_csv_add_number(t, x[k]);
    noe_text_add(t, "\n");
}

void noe_study_drift_report_csv(noe_text *t, const noe_study *s, const noe_drift *d)
{
    noe_text_add(t, "method,error,step,until,value\n");
    for (int u = 0; u < s->quantities; u++)
        for (int i = 0; i < s->methods; i++)
            for (int j = 0; j < s->steps; j++)
                for (int w = 0; w < d->windows; w++) csv_row(t, s, d, u, i, j, w);
}

noe_status noe_study_drift_report_plot(const noe_study *s, const noe_drift *d, const char *path)
{
    const int lines = s->methods * s->steps,
              charts = s->quantities < NOE_CHARTS_MOST ? s->quantities : NOE_CHARTS_MOST;
    noe_chart  *chart = noe_arena_take(s->arena, (size_t)charts * sizeof *chart);
    noe_series *series = noe_arena_take(s->arena, (size_t)(charts * lines) * sizeof *series);
    char       *label = noe_arena_take(s->arena, (size_t)lines * 64), title[400];
    char       *title_of = noe_arena_take(s->arena, (size_t)charts * 100);
    if (!chart || !series || !label || !title_of) return NOE_NO_MEMORY;
    for (int u = 0; u < charts; u++) {
        char *text = title_of + u * 100;
        snprintf(text, 100, "largest%s error of %.40s in a window",
                 s->quantity[u].scaling ? " relative" : "", s->quantity[u].label);
        chart[u] = (noe_chart){ text, "t", d->log, true, series + u * lines, lines };
        for (int k = 0; k < lines; k++) {
            const noe_drift_growth *g = noe_study_drift_growth_at(s, d, u, k / s->steps,
                                                                  k % s->steps);
            char                   *name = label + k * 64;
            if (s->steps > 1)
                snprintf(name, 64, "%.30s %.4g", s->method[k / s->steps].label,
                         (double)s->step[k % s->steps].h);
            else snprintf(name, 64, "%.60s", s->method[k].label);
            /* another step of a method is another colour */
            noe_style_look look = noe_style_of_method(s->method[k / s->steps].label);
            look.colour = (look.colour + k % s->steps) % NOE_STYLE_COLOURS;
            series[u * lines + k] = (noe_series){ name,    d->windows, look, d->end,
                                                  g->most, 0,          0,    false };
        }
    }
    const char *slash = strrchr(s->system->source, '/');
    snprintf(title, sizeof title, "%.300s",
             s->title ? s->title
             : slash  ? slash + 1
                      : s->system->source);
    return noe_figure_draw(path, title, chart, charts);
}
