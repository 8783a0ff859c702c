/* Writes a study as JSON: a row for each method, error and window, with its steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"

#include "base/json.h"
#include "study/study_verdict.h"

/* `order`: of a published order; else of a value. */
static void put_published(noe_json *j, const noe_study *s, const noe_study_verdict *x, bool order)
{
    const char *const name = s->recomputed ? order ? "order recomputed" : "recomputed"
                           : order         ? "order published"
                                           : "published";
    if (x->printed) noe_json_text(j, name, x->printed);
    if (x->is) noe_json_text(j, order ? "order verdict" : "verdict", noe_study_verdict_word[x->is]);
}

/* masked: is the error on the plateau of rounding? */
static void put_step(noe_json *out, const noe_study *s, int w, int u, int i, int j, bool masked)
{
    const noe_study_verdict         judged = noe_study_verdict_find(s, w, u, i, j);
    const noe_study_run_statistics *run = noe_study_run_at(s, i, j);
    noe_json_open(out, NULL, '{');
    noe_json_double(out, "step", (double)s->step[j].h);
    noe_json_double(out, "value", judged.computed);
    noe_json_double(out, "order", noe_study_verdict_order_of_pair(s, w, u, i, j));
    noe_json_bool(out, "roundoff", masked);
    noe_json_double(out, "reference known to", noe_study_setup_cell(s, w, u, i, j)->doubt);
    if (s->kind == NOE_WORK) {
        noe_json_double(out, "evaluations", noe_study_work_evaluations(s, i, j));
        noe_json_double(out, "seconds", run->seconds);
    }
    put_published(out, s, &judged, false);
    if (judged.erratum) noe_json_text(out, "reason", judged.erratum->reason);
    if (*run->why) noe_json_text(out, "failure", run->why);
    noe_json_close(out);
}

static void put_row(noe_json *out, const noe_study *s, int w, int u, int i)
{
    const noe_study_verdict order = noe_study_verdict_find(s, w, u, i, -1);
    bool                    masked[NOE_STUDY_STEPS_MOST];
    const double            by_fit = noe_study_verdict_order_by_fit(s, w, u, i, masked);
    noe_json_open(out, NULL, '{');
    noe_json_text(out, "method", s->method[i].label);
    noe_json_text(out, "error", s->quantity[u].label);
    noe_json_double(out, "until", (double)s->until[w]);
    noe_json_double(out, "order ends", noe_study_verdict_order_of_ends(s, w, u, i));
    noe_json_double(out, "order fit", by_fit);
    if (order.printed) put_published(out, s, &order, true);
    noe_json_open(out, "steps", '[');
    for (int j = 0; j < s->steps; j++) put_step(out, s, w, u, i, j, masked[j]);
    noe_json_close(out);
    noe_json_close(out);
}

void noe_study_json_add(noe_text *t, const noe_study *s)
{
    noe_json out = { .text = t };
    char     words[320];
    noe_json_open(&out, NULL, '{');
    noe_json_text(&out, "study", s->kind == NOE_WORK ? "work" : "convergence");
    noe_json_text(&out, "title", s->title ? s->title : "");
    noe_json_text(&out, "system", s->system->source);
    noe_json_text(&out, "reference", s->reference_says);
    noe_json_open(&out, "errors", '{');
    for (int u = 0; u < s->quantities; u++)
        noe_json_text(&out, s->quantity[u].label, noe_study_text_quantity(&s->quantity[u], words));
    noe_json_close(&out);
    noe_json_open(&out, "rows", '[');
    for (int w = 0; w < s->windows; w++)
        for (int u = 0; u < s->quantities; u++)
            for (int i = 0; i < s->methods; i++) put_row(&out, s, w, u, i);
    noe_json_close(&out);
    noe_json_close(&out);
}

static void put_growth(noe_json *out, const noe_study *s, const noe_drift *d, int u, int i, int j)
{
    const noe_drift_growth *g = noe_study_drift_growth_at(s, d, u, i, j);
    const char             *why = noe_study_run_at(s, i, j)->why;
    noe_json_open(out, NULL, '{');
    noe_json_text(out, "method", s->method[i].label);
    noe_json_text(out, "error", s->quantity[u].label);
    noe_json_double(out, "step", (double)s->step[j].h);
    noe_json_double(out, "power", g->power);
    noe_json_double(out, "gained", g->gained);
    if (*why) noe_json_text(out, "failure", why);
    noe_json_open(out, "largest", '[');
    for (int w = 0; w < d->windows; w++) noe_json_double(out, NULL, g->most[w]);
    noe_json_close(out);
    noe_json_close(out);
}

void noe_study_json_add_drift(noe_text *t, const noe_study *s, const noe_drift *d)
{
    noe_json out = { .text = t };
    noe_json_open(&out, NULL, '{');
    noe_json_text(&out, "study", "drift");
    noe_json_text(&out, "system", s->system->source);
    noe_json_open(&out, "until", '[');
    for (int w = 0; w < d->windows; w++) noe_json_double(&out, NULL, d->end[w]);
    noe_json_close(&out);
    noe_json_open(&out, "rows", '[');
    for (int u = 0; u < s->quantities; u++)
        for (int i = 0; i < s->methods; i++)
            for (int j = 0; j < s->steps; j++) put_growth(&out, s, d, u, i, j);
    noe_json_close(&out);
    noe_json_close(&out);
}
