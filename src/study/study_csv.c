/* Writes a study as rows (method, error, window, step, value, order ..) in CSV and JSON.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"

#include "study/study_verdict.h"
#include "number/decimal.h"

#include <math.h>
#include <string.h>

void noe_study_csv_add_number(noe_text *t, double x, const char *none)
{
    char text[NOE_NUMBER_SIZE + 1];
    text[isfinite(x) ? noe_decimal_write(text, x, NOE_DIGITS_DOUBLE) : 0] = 0;
    noe_text_add(t, "%s", isfinite(x) ? text : none);
}

void noe_study_csv_add_string(noe_text *t, const char *text, const char *quote)
{
    noe_text_add(t, "\"");
    for (; *text; text++) {
        if (*text == '"') noe_text_add(t, "%s", quote);
        else if (*text == '\\' && *quote == '\\') noe_text_add(t, "\\\\");
        else noe_text_add(t, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
    }
    noe_text_add(t, "\"");
}

typedef struct {
    int  w, u, i, j;                   /* indices of window, quantity, method, step */
    bool masked[NOE_STUDY_STEPS_MOST]; /* [steps] errors on the round-off plateau */
} place;

static void csv_row(noe_text *t, const noe_study *s, const place *x)
{
    const noe_study_verdict         judged = noe_study_verdict_find(s, x->w, x->u, x->i, x->j);
    const noe_study_run_statistics *run = noe_study_run_at(s, x->i, x->j);
    noe_study_csv_add_string(t, s->method[x->i].label, "\"\"");
    noe_text_add(t, ",");
    noe_study_csv_add_string(t, s->quantity[x->u].label, "\"\"");
    const double number[] = { (double)s->until[x->w], (double)s->step[x->j].h, judged.computed,
                              noe_study_verdict_order_of_pair(s, x->w, x->u, x->i, x->j),
                              x->masked[x->j] };
    for (int k = 0; k < 5; k++) noe_text_add(t, ","), noe_study_csv_add_number(t, number[k], "");
    if (s->kind == NOE_WORK)
        for (int k = 0; k < 2; k++)
            noe_text_add(t, ","),
                noe_study_csv_add_number(
                    t, k ? run->seconds : noe_study_work_evaluations(s, x->i, x->j), "");
    noe_text_add(t, ",%s,%s,", judged.printed ? judged.printed : "",
                 noe_study_verdict_word[judged.is]);
    if (*run->why) noe_study_csv_add_string(t, run->why, "\"\"");
    noe_text_add(t, "\n");
}

void noe_study_csv_add(noe_text *t, const noe_study *s)
{
    place x;
    noe_text_add(t, "method,error,until,step,value,order,roundoff,%s%s,verdict,failure\n",
                 s->kind == NOE_WORK ? "evaluations,seconds," : "",
                 s->recomputed ? "recomputed" : "published");
    for (x.w = 0; x.w < s->windows; x.w++)
        for (x.u = 0; x.u < s->quantities; x.u++)
            for (x.i = 0; x.i < s->methods; x.i++) {
                noe_study_verdict_order_by_fit(s, x.w, x.u, x.i, x.masked);
                for (x.j = 0; x.j < s->steps; x.j++) csv_row(t, s, &x);
            }
}

static void json_step(noe_text *t, const noe_study *s, const place *x)
{
    const noe_study_verdict judged = noe_study_verdict_find(s, x->w, x->u, x->i, x->j);
    const char             *why = noe_study_run_at(s, x->i, x->j)->why;
    noe_text_add(t, "%s\n      {\"step\": ", x->j ? "," : "");
    noe_study_csv_add_number(t, (double)s->step[x->j].h, "null");
    noe_text_add(t, ", \"value\": ");
    noe_study_csv_add_number(t, judged.computed, "null");
    noe_text_add(t, ", \"order\": ");
    noe_study_csv_add_number(t, noe_study_verdict_order_of_pair(s, x->w, x->u, x->i, x->j), "null");
    noe_text_add(
        t, ", \"roundoff\": %s, \"reference known to\": ", x->masked[x->j] ? "true" : "false");
    noe_study_csv_add_number(t, noe_study_setup_cell(s, x->w, x->u, x->i, x->j)->doubt, "null");
    if (s->kind == NOE_WORK) {
        noe_text_add(t, ", \"evaluations\": ");
        noe_study_csv_add_number(t, noe_study_work_evaluations(s, x->i, x->j), "null");
        noe_text_add(t, ", \"seconds\": ");
        noe_study_csv_add_number(t, noe_study_run_at(s, x->i, x->j)->seconds, "null");
    }
    if (judged.printed)
        noe_text_add(t, ", \"%s\": \"%.60s\"", s->recomputed ? "recomputed" : "published",
                     judged.printed);
    if (judged.is) noe_text_add(t, ", \"verdict\": \"%s\"", noe_study_verdict_word[judged.is]);
    if (judged.erratum)
        noe_text_add(t, ", \"reason\": "),
            noe_study_csv_add_string(t, judged.erratum->reason, "\\\"");
    if (*why) noe_text_add(t, ", \"failure\": "), noe_study_csv_add_string(t, why, "\\\"");
    noe_text_add(t, "}");
}

static void json_row(noe_text *t, const noe_study *s, place *x)
{
    const noe_study_verdict order = noe_study_verdict_find(s, x->w, x->u, x->i, -1);
    const double            by_ends = noe_study_verdict_order_of_ends(s, x->w, x->u, x->i);
    const double            by_fit = noe_study_verdict_order_by_fit(s, x->w, x->u, x->i, x->masked);
    const double            orders[] = { by_ends, by_fit };
    noe_text_add(t, "    {\"method\": ");
    noe_study_csv_add_string(t, s->method[x->i].label, "\\\"");
    noe_text_add(t, ", \"error\": ");
    noe_study_csv_add_string(t, s->quantity[x->u].label, "\\\"");
    noe_text_add(t, ", \"until\": ");
    noe_study_csv_add_number(t, (double)s->until[x->w], "null");
    for (int k = 0; k < 2; k++) {
        noe_text_add(t, k ? ", \"order fit\": " : ", \"order ends\": ");
        noe_study_csv_add_number(t, orders[k], "null");
    }
    if (order.printed)
        noe_text_add(t, ", \"order %s\": \"%.60s\", \"order verdict\": \"%s\"",
                     s->recomputed ? "recomputed" : "published", order.printed,
                     noe_study_verdict_word[order.is]);
    noe_text_add(t, ",\n     \"steps\": [");
    for (x->j = 0; x->j < s->steps; x->j++) json_step(t, s, x);
    noe_text_add(t, "]}");
}

void noe_study_csv_add_json(noe_text *t, const noe_study *s)
{
    place       x;
    const char *before = "";
    char        words[320];
    noe_text_add(
        t, "{\n  \"study\": \"%s\",\n  \"title\": ", s->kind == NOE_WORK ? "work" : "convergence");
    noe_study_csv_add_string(t, s->title ? s->title : "", "\\\"");
    noe_text_add(t, ",\n  \"system\": ");
    noe_study_csv_add_string(t, s->system->source, "\\\"");
    noe_text_add(t, ",\n  \"reference\": ");
    noe_study_csv_add_string(t, s->reference_says, "\\\"");
    noe_text_add(t, ",\n  \"errors\": {");
    for (int u = 0; u < s->quantities; u++) {
        noe_text_add(t, "%s", u ? ", " : "");
        noe_study_csv_add_string(t, s->quantity[u].label, "\\\"");
        noe_text_add(t, ": ");
        noe_study_csv_add_string(t, noe_study_text_quantity(&s->quantity[u], words), "\\\"");
    }
    noe_text_add(t, "},\n  \"rows\": [\n");
    for (x.w = 0; x.w < s->windows; x.w++)
        for (x.u = 0; x.u < s->quantities; x.u++)
            for (x.i = 0; x.i < s->methods; x.i++) {
                noe_text_add(t, "%s", before);
                json_row(t, s, &x);
                before = ",\n";
            }
    noe_text_add(t, "\n  ]\n}\n");
}
