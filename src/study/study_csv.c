/* a study as rows (method, error, window, step, value, order ..) in CSV and JSON.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"

#include "study/study_verdict.h"
#include "number/decimal.h"

#include <math.h>
#include <string.h>

void noe_say_exact(noe_text *t, double x, const char *none)
{
    char text[NOE_NUMBER_SIZE + 1];
    text[isfinite(x) ? noe_number(text, x, 15) : 0] = 0;
    noe_say(t, "%s", isfinite(x) ? text : none);
}

void noe_say_string(noe_text *t, const char *text, const char *quote)
{
    noe_say(t, "\"");
    for (; *text; text++) {
        if (*text == '"') noe_say(t, "%s", quote);
        else if (*text == '\\' && *quote == '\\') noe_say(t, "\\\\");
        else noe_say(t, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
    }
    noe_say(t, "\"");
}

typedef struct {
    int  w, u, i, j;
    bool masked[64];
} place;

static void csv_row(noe_text *t, const noe_study *s, const place *x)
{
    const noe_judged      judged = noe_judge(s, x->w, x->u, x->i, x->j);
    const noe_study_run_of *run = noe_run_at(s, x->i, x->j);
    noe_say_string(t, s->method[x->i].label, "\"\"");
    noe_say(t, ",");
    noe_say_string(t, s->quantity[x->u].label, "\"\"");
    const double number[] = { (double)s->until[x->w], (double)s->step[x->j].h, judged.computed,
                              noe_row_order(s, x->w, x->u, x->i, x->j), x->masked[x->j] };
    for (int k = 0; k < 5; k++) noe_say(t, ","), noe_say_exact(t, number[k], "");
    if (s->kind == NOE_WORK)
        for (int k = 0; k < 2; k++) noe_say(t, ","), noe_say_exact(t, k ? run->seconds : noe_work_evaluations(s, x->i, x->j), "");
    noe_say(t, ",%s,%s,", judged.printed ? judged.printed : "", noe_verdict_word[judged.is]);
    if (*run->why) noe_say_string(t, run->why, "\"\"");
    noe_say(t, "\n");
}

void noe_say_csv(noe_text *t, const noe_study *s)
{
    place x;
    noe_say(t, "method,error,until,step,value,order,roundoff,%s%s,verdict,failure\n", s->kind == NOE_WORK ? "evaluations,seconds," : "",
            s->recomputed ? "recomputed" : "published");
    for (x.w = 0; x.w < s->windows; x.w++)
        for (x.u = 0; x.u < s->quantities; x.u++)
            for (x.i = 0; x.i < s->methods; x.i++) {
                noe_row_fit(s, x.w, x.u, x.i, x.masked);
                for (x.j = 0; x.j < s->steps; x.j++) csv_row(t, s, &x);
            }
}

static void json_step(noe_text *t, const noe_study *s, const place *x)
{
    const noe_judged judged = noe_judge(s, x->w, x->u, x->i, x->j);
    const char      *why = noe_run_at(s, x->i, x->j)->why;
    noe_say(t, "%s\n      {\"step\": ", x->j ? "," : "");
    noe_say_exact(t, (double)s->step[x->j].h, "null");
    noe_say(t, ", \"value\": ");
    noe_say_exact(t, judged.computed, "null");
    noe_say(t, ", \"order\": ");
    noe_say_exact(t, noe_row_order(s, x->w, x->u, x->i, x->j), "null");
    noe_say(t, ", \"roundoff\": %s, \"reference known to\": ", x->masked[x->j] ? "true" : "false");
    noe_say_exact(t, noe_cell_at(s, x->w, x->u, x->i, x->j)->doubt, "null");
    if (s->kind == NOE_WORK) {
        noe_say(t, ", \"evaluations\": ");
        noe_say_exact(t, noe_work_evaluations(s, x->i, x->j), "null");
        noe_say(t, ", \"seconds\": ");
        noe_say_exact(t, noe_run_at(s, x->i, x->j)->seconds, "null");
    }
    if (judged.printed) noe_say(t, ", \"%s\": \"%.60s\"", s->recomputed ? "recomputed" : "published", judged.printed);
    if (judged.is) noe_say(t, ", \"verdict\": \"%s\"", noe_verdict_word[judged.is]);
    if (judged.erratum) noe_say(t, ", \"reason\": "), noe_say_string(t, judged.erratum->reason, "\\\"");
    if (*why) noe_say(t, ", \"failure\": "), noe_say_string(t, why, "\\\"");
    noe_say(t, "}");
}

static void json_row(noe_text *t, const noe_study *s, place *x)
{
    const noe_judged order = noe_judge(s, x->w, x->u, x->i, -1);
    const double     orders[] = { noe_row_ends(s, x->w, x->u, x->i), noe_row_fit(s, x->w, x->u, x->i, x->masked) };
    noe_say(t, "    {\"method\": ");
    noe_say_string(t, s->method[x->i].label, "\\\"");
    noe_say(t, ", \"error\": ");
    noe_say_string(t, s->quantity[x->u].label, "\\\"");
    noe_say(t, ", \"until\": ");
    noe_say_exact(t, (double)s->until[x->w], "null");
    for (int k = 0; k < 2; k++) {
        noe_say(t, k ? ", \"order fit\": " : ", \"order ends\": ");
        noe_say_exact(t, orders[k], "null");
    }
    if (order.printed)
        noe_say(t, ", \"order %s\": \"%.60s\", \"order verdict\": \"%s\"", s->recomputed ? "recomputed" : "published", order.printed,
                noe_verdict_word[order.is]);
    noe_say(t, ",\n     \"steps\": [");
    for (x->j = 0; x->j < s->steps; x->j++) json_step(t, s, x);
    noe_say(t, "]}");
}

void noe_say_json(noe_text *t, const noe_study *s)
{
    place       x;
    const char *before = "";
    char        words[320];
    noe_say(t, "{\n  \"study\": \"%s\",\n  \"title\": ", s->kind == NOE_WORK ? "work" : "convergence");
    noe_say_string(t, s->title ? s->title : "", "\\\"");
    noe_say(t, ",\n  \"system\": ");
    noe_say_string(t, s->system->source, "\\\"");
    noe_say(t, ",\n  \"reference\": ");
    noe_say_string(t, s->reference_says, "\\\"");
    noe_say(t, ",\n  \"errors\": {");
    for (int u = 0; u < s->quantities; u++) {
        noe_say(t, "%s", u ? ", " : "");
        noe_say_string(t, s->quantity[u].label, "\\\"");
        noe_say(t, ": ");
        noe_say_string(t, noe_quantity_words(&s->quantity[u], words), "\\\"");
    }
    noe_say(t, "},\n  \"rows\": [\n");
    for (x.w = 0; x.w < s->windows; x.w++)
        for (x.u = 0; x.u < s->quantities; x.u++)
            for (x.i = 0; x.i < s->methods; x.i++) {
                noe_say(t, "%s", before);
                json_row(t, s, &x);
                before = ",\n";
            }
    noe_say(t, "\n  ]\n}\n");
}
