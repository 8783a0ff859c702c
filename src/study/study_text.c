/* Writes a study as tables of text: a block for every error and window, a row for every step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"

#include "study/study_verdict.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 11 };

void noe_study_text_add_number(noe_text *t, int width, const char *format, double x)
{
    char text[64];
    snprintf(text, sizeof text, format, x);
    noe_text_add(t, "%*s", width, isnan(x) ? "-" : text);
}

/* Writes the number of steps in a period or in the window. */
static void say_step(noe_text *t, const noe_study *s, int w, int j)
{
    const double n = noe_study_steps_count(s, w, j), whole = round(n);
    noe_text_add(t, "%14.8g ", (double)s->step[j].h);
    if (isnan(n)) noe_text_add(t, "%9s", "-");
    else if (fabs(n - whole) < 1e-6 * whole) noe_text_add(t, "%9.0f", whole);
    else noe_text_add(t, "%9.2f", n);
}

const char *noe_study_text_quantity(const noe_quantity *u, char words[320])
{
    static const char *const scaling[] = { "", ", relative to the reference at each node",
                                           ", relative to its largest value" };
    snprintf(words, 320, "%.60s%s%.60s%s, %s over the nodes%s%s", u->label,
             strcmp(u->label, u->name) ? " = error of " : "",
             strcmp(u->label, u->name) ? u->name : "",
             u->constant && strcmp(u->name, "energy") ? " against its start" : "",
             u->l2 ? "sqrt(h sum of squares)" : "largest",
             u->count < 2 ? ""
             : u->euclid  ? ", Euclidean norm of the coordinates"
                          : ", largest of the coordinates",
             u->scaling == NOE_RELATIVE && u->constant ? ", relative to its value at the start"
                                                       : scaling[u->scaling]);
    return words;
}

static void block(noe_text *t, const noe_study *s, int w, int u)
{
    bool masked[NOE_STUDY_STEPS_MOST], any = false, doubtful = false;
    char words[320];
    noe_text_add(t, "\n%s, t = %.10g .. %.10g\n", noe_study_text_quantity(&s->quantity[u], words),
                 (double)s->system->model->t0, (double)s->until[w]);
    noe_text_add(t, "%14s %9s", "h", s->period > 0 ? "N/period" : "N");
    for (int i = 0; i < s->methods; i++)
        noe_text_add(t, "  %*.*s  order", WIDTH, WIDTH + 9, s->method[i].label);
    noe_text_add(t, "\n");
    for (int j = 0; j < s->steps; j++) {
        say_step(t, s, w, j);
        for (int i = 0; i < s->methods; i++) {
            noe_study_verdict_order_by_fit(s, w, u, i, masked);
            any |= masked[j];
            noe_text_add(t, "  ");
            const noe_cell *cell = noe_study_setup_cell(s, w, u, i, j);
            const bool      doubt = !masked[j] && cell->value < 10 * cell->doubt;
            doubtful |= doubt;
            noe_study_text_add_number(t, WIDTH, "%.4e", cell->value);
            noe_text_add(t, "%c", masked[j] ? '*' : doubt ? '?' : ' ');
            noe_study_text_add_number(t, 6, "%.2f", noe_study_verdict_order_of_pair(s, w, u, i, j));
        }
        noe_text_add(t, "\n");
    }
    static const char *const of[] = { "all steps", "regression" };
    for (int k = 0; k < 2 && s->steps > 2; k++) {
        noe_text_add(t, "%24s", of[k]);
        for (int i = 0; i < s->methods; i++) {
            noe_text_add(t, "  %*s ", WIDTH, "");
            noe_study_text_add_number(t, 6, "%.2f",
                                      k ? noe_study_verdict_order_by_fit(s, w, u, i, NULL)
                                        : noe_study_verdict_order_of_ends(s, w, u, i));
        }
        noe_text_add(t, "\n");
    }
    if (any) noe_text_add(t, "  * round-off: left out of the regression\n");
    if (doubtful) noe_text_add(t, "  ? less than ten times the error of the reference itself\n");
}

/* One line: how many of each verdict. */
static void print_count_of_verdicts(noe_text *t, const noe_study *s, const int count[NOE_VERDICTS])
{
    noe_text_add(t, "\n%.200s: ", s->source);
    const char *before = "";
    for (int v = 1; v < NOE_VERDICTS; v++)
        if (count[v])
            noe_text_add(t, "%s%d %s", before, count[v], noe_study_verdict_word[v]), before = ", ";
    noe_text_add(t, "\n");
    for (int w = 0; w < s->windows; w++)
        for (int u = 0; u < s->quantities; u++)
            for (int i = 0; i < s->methods; i++)
                for (int at = -1; at < s->steps; at++) {
                    const noe_study_verdict x = noe_study_verdict_find(s, w, u, i, at);
                    if (x.is < NOE_ERRATUM_CONFIRMED) continue;
                    noe_text_add(t, "  %s: %.40s %.40s", noe_study_verdict_word[x.is],
                                 s->method[i].label, s->quantity[u].label);
                    if (s->windows > 1) noe_text_add(t, " until %.40s", s->until_text[w]);
                    if (at < 0) noe_text_add(t, ", order");
                    else noe_text_add(t, ", h = %.8g", (double)s->step[at].h);
                    noe_text_add(t, ": %.40s %s, computed %.5g", x.printed ? x.printed : "nothing",
                                 s->recomputed ? "recomputed" : "in print", x.computed);
                    if (x.erratum) noe_text_add(t, ": %.300s", x.erratum->reason);
                    noe_text_add(t, "\n");
                }
}

void noe_study_text_add_head(noe_text *t, const noe_study *s)
{
    if (s->title) noe_text_add(t, "%.400s\n", s->title);
    noe_text_add(t, "%.200s", s->system->source);
    for (int i = 0; i < s->system->changes; i++) noe_text_add(t, ", %.100s", s->system->change[i]);
    if (s->digits > NOE_DIGITS_DOUBLE) noe_text_add(t, "; %d digits", s->digits);
    if (*s->reference_says) noe_text_add(t, "; errors against %s", s->reference_says);
    noe_text_add(t, "\n");
}

/* Writes the runs that could not be computed, each with the reason. */
void noe_study_text_add_failures(noe_text *t, const noe_study *s)
{
    const char *before = "";
    for (int i = 0; i < s->methods; i++)
        for (int j = 0; j < s->steps; j++) {
            const char *why = noe_study_run_at(s, i, j)->why;
            if (!*why) continue;
            noe_text_add(t, "  %.40s, h = %.8g: %.590s\n", s->method[i].label, (double)s->step[j].h,
                         strcmp(why, before) ? why : "the same");
            before = why;
        }
}

void noe_study_text_add(noe_text *t, const noe_study *s)
{
    int count[NOE_VERDICTS];
    noe_study_text_add_head(t, s);
    for (int w = 0; w < s->windows; w++)
        for (int u = 0; u < s->quantities; u++) block(t, s, w, u);
    noe_study_text_add_failures(t, s);
    noe_study_verdict_count(s, count);
    if (s->publisheds) print_count_of_verdicts(t, s, count);
}
