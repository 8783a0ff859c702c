/* Writes a study as a <table> of HTML.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     published or recomputed | computed | difference | verdict */
#include "study/study_report.h"

#include "base/xml_text.h"
#include "study/study_verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void say_escaped(noe_text *t, const char *text)
{
    for (; *text; text++) {
        const char *as = noe_xml_text_entity(*text);
        if (as) noe_text_add(t, "%s", as);
        else noe_text_add(t, "%c", *text);
    }
}

static const char *const css[NOE_VERDICTS] = { "none", "good", "good", "erratum", "bad", "bad" };

static void row(noe_text *t, const noe_study *s, int w, int u, int i, int at)
{
    const noe_study_verdict x = noe_study_verdict_find(s, w, u, i, at);
    if (at < 0 && !x.printed && !x.erratum && s->steps < 2) return;
    noe_text_add(t, "<tr class=\"%s\">", css[x.is]);
    if (s->windows > 1)
        noe_text_add(t, "<td>"), say_escaped(t, s->until_text[w]), noe_text_add(t, "</td>");
    noe_text_add(t, "<td>");
    say_escaped(t, s->method[i].label);
    noe_text_add(t, "</td><td>");
    say_escaped(t, s->quantity[u].label);
    noe_text_add(t, "</td><td>");
    if (at < 0) {
        noe_text_add(t, "order");
    } else {
        const double n = noe_study_steps_count(s, w, at);
        noe_text_add(t, "%.6g", fabs(n - round(n)) < 1e-6 * n ? round(n) : n);
    }
    noe_text_add(t, "</td><td>%s</td><td>", x.printed ? x.printed : "");
    noe_study_text_add_number(t, 0, at < 0 ? "%.3f" : "%.5e", x.computed);
    noe_text_add(t, "</td><td>");
    if (x.printed) noe_study_text_add_number(t, 0, "%+.1e", x.computed - strtod(x.printed, NULL));
    noe_text_add(t, "</td><td>%s", noe_study_verdict_word[x.is]);
    if (x.erratum) noe_text_add(t, ": "), say_escaped(t, x.erratum->reason);
    if (at >= 0 && *noe_study_run_at(s, i, at)->why)
        noe_text_add(t, " "), say_escaped(t, noe_study_run_at(s, i, at)->why);
    noe_text_add(t, "</td></tr>\n");
}

/* Writes the start, "start: q = 1.570796327, q' = 0; ", for up to six coordinates. */
static void say_start(noe_text *t, const noe_study *s)
{
    const noe_model *m = s->system->model;
    if (!m->begin || !m->coordinate || m->n < 1 || m->n > 6) return;
    noe_text_add(t, "start: ");
    for (int k = 0; k < 2 * m->n; k++) {
        const noe_begin *b = &m->begin[k % m->n];
        const bool       p = k >= m->n && b->has_p;
        noe_text_add(t, "%s%s", k ? ", " : "", p ? "p(" : "");
        say_escaped(t, m->coordinate[k % m->n]->name);
        noe_text_add(t, "%s = %.10g",
                     p          ? ")"
                     : k < m->n ? ""
                                : "'",
                     (double)(k < m->n ? b->q
                              : p      ? b->p
                                       : b->v));
    }
    noe_text_add(t, "; ");
}

void noe_study_html_add(noe_text *t, const noe_study *s)
{
    char words[320];
    noe_text_add(t, "<table class=\"study\">\n<caption>");
    say_escaped(t, s->title ? s->title : s->system->source);
    noe_text_add(t, "<br><small>");
    if (s->publisheds) noe_text_add(t, "%s", noe_published_kind(s));
    if (s->publisheds && strcmp(s->source, noe_published_kind(s)))
        noe_text_add(t, ": "), say_escaped(t, s->source);
    if (s->publisheds) noe_text_add(t, "; ");
    say_start(t, s);
    for (int u = 0; u < s->quantities; u++) {
        say_escaped(t, noe_study_text_quantity(&s->quantity[u], words));
        noe_text_add(t, "; ");
    }
    noe_text_add(t, "errors against ");
    say_escaped(t, s->reference_says);
    noe_text_add(t, "</small></caption>\n<thead><tr>%s<th>method</th><th>error</th><th>%s</th><th>",
                 s->windows > 1 ? "<th>until</th>" : "",
                 s->period > 0 ? "steps per period" : "steps");
    say_escaped(t, noe_published_kind(s));
    noe_text_add(
        t, "</th><th>noether</th><th>difference</th><th>verdict</th></tr></thead>\n<tbody>\n");
    for (int w = 0; w < s->windows; w++)
        for (int u = 0; u < s->quantities; u++)
            for (int i = 0; i < s->methods; i++) {
                for (int at = 0; at < s->steps; at++) row(t, s, w, u, i, at);
                row(t, s, w, u, i, -1);
            }
    noe_text_add(t, "</tbody>\n</table>\n");
}

void noe_study_html_add_text(noe_text *t, const noe_study *s, const char *text)
{
    noe_text_add(t, "<table class=\"study\">\n<caption>");
    say_escaped(t, s->title ? s->title : s->system->source);
    noe_text_add(t, "</caption>\n<tbody><tr><td><pre>");
    say_escaped(t, text ? text : "");
    noe_text_add(t, "</pre></td></tr></tbody>\n</table>\n");
}
