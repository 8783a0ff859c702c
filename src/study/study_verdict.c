/* Compares with published numbers: |computed - printed| <= one unit of the last printed digit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_verdict.h"

#include "study/order_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const noe_study_verdict_word[NOE_VERDICTS] = { "",        "reproduced", "round-off",
                                                           "erratum", "DIFFERS",    "NO ERRATUM" };

/* One unit of the last digit of a printed number: 1e-08 for "1.05e-06". */
static double unit(const char *text)
{
    const char *point = strchr(text, '.'), *e = text + strcspn(text, "eE");
    const int   digits = point && point < e ? (int)(e - point) - 1 : 0;
    return pow(10, (*e ? atoi(e + 1) : 0) - digits);
}

bool noe_study_verdict_digits_agree(const char *printed, double computed, double least)
{
    quad x = strtoflt128(printed, NULL);
    return fabs((double)(x - (quad)computed)) <= fmax(unit(printed) * (1 + 1e-9), least);
}

double noe_study_verdict_order_of_pair(const noe_study *s, int w, int u, int i, int j)
{
    if (j < 1) return NAN;
    return noe_order_fit_pair((double)s->step[j - 1].h,
                              noe_study_setup_cell(s, w, u, i, j - 1)->value, (double)s->step[j].h,
                              noe_study_setup_cell(s, w, u, i, j)->value);
}

double noe_study_verdict_order_of_ends(const noe_study *s, int w, int u, int i)
{
    const int last = s->steps - 1;
    return noe_order_fit_pair((double)s->step[0].h, noe_study_setup_cell(s, w, u, i, 0)->value,
                              (double)s->step[last].h,
                              noe_study_setup_cell(s, w, u, i, last)->value);
}

double noe_study_verdict_order_by_fit(const noe_study *s, int w, int u, int i, bool *masked)
{
    double h[NOE_STUDY_STEPS_MOST], e[NOE_STUDY_STEPS_MOST], floor[NOE_STUDY_STEPS_MOST];
    bool   own[NOE_STUDY_STEPS_MOST];
    for (int j = 0; j < s->steps; j++) {
        const noe_cell *c = noe_study_setup_cell(s, w, u, i, j);
        h[j] = (double)s->step[j].h;
        e[j] = c->value;
        floor[j] = fmax(c->floor, 10 * c->doubt);
    }
    noe_order_fit_mask(s->steps, h, e, floor, noe_method_order(s->method[i].method),
                       masked ? masked : own);
    return noe_order_fit_slope(s->steps, h, e, masked ? masked : own);
}

static double computed(const noe_study *s, int w, int u, int i, int at)
{
    if (at >= 0) return noe_study_setup_cell(s, w, u, i, at)->value;
    return s->order == NOE_ORDER_LAST ? noe_study_verdict_order_of_pair(s, w, u, i, s->steps - 1)
         : s->order == NOE_ORDER_FIT  ? noe_study_verdict_order_by_fit(s, w, u, i, NULL)
                                      : noe_study_verdict_order_of_ends(s, w, u, i);
}

static const noe_published *line(const noe_study *s, noe_says says, int w, int u, int i)
{
    for (int k = 0; k < s->publisheds; k++) {
        const noe_published *x = &s->published[k];
        if (x->says == says && x->window == w && x->quantity == u && x->method == i) return x;
    }
    return NULL;
}

/* True if the numbers agree: an order to 0.02, or to the digits printed if these are fewer. */
static bool agrees(const char *printed, double x, int at)
{
    if (at >= 0) return noe_study_verdict_digits_agree(printed, x, 0);
    return fabs(strtod(printed, NULL) - x) <= fmax(0.02, unit(printed) / 2) * (1 + 1e-9);
}

noe_study_verdict noe_study_verdict_find(const noe_study *s, int w, int u, int i, int at)
{
    const noe_published *numbers = line(s, at < 0 ? NOE_SAYS_ORDER : NOE_SAYS_NUMBERS, w, u, i);
    const noe_published *bound = at < 0 ? NULL : line(s, NOE_SAYS_BOUND, w, u, i);
    noe_study_verdict    x = { NOE_NOT_PRINTED, numbers ? numbers->number[at < 0 ? 0 : at] : NULL,
                               NULL, computed(s, w, u, i, at) };
    if (x.printed && !strcmp(x.printed, "-")) x.printed = NULL;
    for (int k = 0; k < s->errata; k++) {
        const noe_erratum *e = &s->erratum[k];
        if (e->window == w && e->quantity == u && e->method == i && e->at == at) x.erratum = e;
    }
    if (bound) {
        x.is = x.computed <= strtod(bound->number[0], NULL) ? NOE_AT_ROUND_OFF : NOE_DIFFERS;
        return x;
    }
    if (!x.printed && !x.erratum) return x;
    const bool same = x.printed && agrees(x.printed, x.computed, at);
    if (!x.erratum) x.is = same ? NOE_REPRODUCED : NOE_DIFFERS;
    else if (same) x.is = NOE_ERRATUM_REFUTED;
    else x.is = agrees(x.erratum->correct, x.computed, at) ? NOE_ERRATUM_CONFIRMED : NOE_DIFFERS;
    return x;
}

void noe_study_verdict_count(const noe_study *s, int count[NOE_VERDICTS])
{
    for (int v = 0; v < NOE_VERDICTS; v++) count[v] = 0;
    for (int w = 0; w < s->windows; w++)
        for (int u = 0; u < s->quantities; u++)
            for (int i = 0; i < s->methods; i++)
                for (int at = -1; at < s->steps; at++)
                    count[noe_study_verdict_find(s, w, u, i, at).is]++;
}
