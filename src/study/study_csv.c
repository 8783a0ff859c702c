/* Writes a study as rows (method, error, window, step, value, order ..) in CSV.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"

#include "study/study_verdict.h"
#include "number/decimal.h"

#include <math.h>
#include <string.h>

void noe_study_csv_add_number(noe_text *t, double x)
{
    char text[NOE_NUMBER_SIZE + 1];
    text[isfinite(x) ? noe_decimal_write(text, x, NOE_DIGITS_DOUBLE) : 0] = 0;
    noe_text_add(t, "%s", text);
}

void noe_study_csv_add_string(noe_text *t, const char *text)
{
    noe_text_add(t, "\"");
    for (; *text; text++)
        if (*text == '"') noe_text_add(t, "\"\"");
        else noe_text_add(t, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
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
    noe_study_csv_add_string(t, s->method[x->i].label);
    noe_text_add(t, ",");
    noe_study_csv_add_string(t, s->quantity[x->u].label);
    const double number[] = { (double)s->until[x->w], (double)s->step[x->j].h, judged.computed,
                              noe_study_verdict_order_of_pair(s, x->w, x->u, x->i, x->j),
                              x->masked[x->j] };
    for (int k = 0; k < 5; k++) noe_text_add(t, ","), noe_study_csv_add_number(t, number[k]);
    if (s->kind == NOE_WORK)
        for (int k = 0; k < 2; k++)
            noe_text_add(t, ","),
                noe_study_csv_add_number(t, k ? run->seconds
                                              : noe_study_work_evaluations(s, x->i, x->j));
    noe_text_add(t, ",%s,%s,", judged.printed ? judged.printed : "",
                 noe_study_verdict_word[judged.is]);
    if (*run->why) noe_study_csv_add_string(t, run->why);
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
