/* What a study prints and writes: tables, files, picture and exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_files.h"

#include "base/status.h"
#include "plot/picture.h"
#include "study/study_verdict.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcasecmp(path + n - m, ending);
}

/* Writes the text to standard output, or CSV or JSON to a file by its ending. */
static bool hand_over(noe_text *t, const char *path, FILE *to)
{
    const bool ok = t->data && (to ? fputs(t->data, to) >= 0 : !noe_text_write(path, t->data));
    free(t->data);
    return ok;
}

/* The report, and what the job wants of a table and a page. */
static bool hand_over_all(const noe_study_job *j, noe_text *report, noe_text *file, noe_text *page,
                          FILE *to)
{
    bool ok = hand_over(report, NULL, to);
    if (j->output) ok &= hand_over(file, j->output, NULL);
    else free(file->data);
    if (j->html) ok &= hand_over(page, j->html, NULL);
    else free(page->data);
    return ok;
}

bool noe_study_files_fit(const noe_study_job *j)
{
    if (j->plot && noe_picture_check(j->plot)) return false;
    if (j->output && !ends(j->output, ".csv") && !ends(j->output, ".json"))
        return noe_status_fail(
                   NOE_INVALID,
                   "cannot write '%s': the name of a study's table must end in .csv or .json",
                   j->output),
               false;
    return true;
}

static bool show_convergence(const noe_study *s, FILE *to)
{
    const noe_study_job *j = s->job;
    noe_text t = noe_text_new(NULL), file = noe_text_new(NULL), page = noe_text_new(NULL);
    (s->kind == NOE_WORK ? noe_study_work_text : noe_study_text_add)(&t, s);
    if (j->output) (ends(j->output, ".csv") ? noe_study_csv_add : noe_study_json_add)(&file, s);
    if (j->html && s->kind == NOE_WORK) noe_study_html_add_text(&page, s, t.data);
    else if (j->html) noe_study_html_add(&page, s);
    return hand_over_all(j, &t, &file, &page, to)
        && (!j->plot
            || !(s->kind == NOE_WORK ? noe_study_work_plot : noe_study_plot_draw)(s, j->plot));
}

static bool show_drift(const noe_study *s, const noe_drift *d, FILE *to)
{
    const noe_study_job *j = s->job;
    noe_text t = noe_text_new(NULL), file = noe_text_new(NULL), page = noe_text_new(NULL);
    noe_study_drift_report_text(&t, s, d);
    if (j->html) noe_study_html_add_text(&page, s, t.data);
    if (j->output)
        (ends(j->output, ".csv") ? noe_study_drift_report_csv : noe_study_json_add_drift)(&file, s,
                                                                                          d);
    return hand_over_all(j, &t, &file, &page, to)
        && (!j->plot || !noe_study_drift_report_plot(s, d, j->plot));
}

bool noe_study_files_write(const noe_study *s, const noe_drift *d, FILE *to)
{
    return s->kind == NOE_DRIFT ? show_drift(s, d, to) : show_convergence(s, to);
}

int noe_study_files_verdict(const noe_study *s, int signal)
{
    int count[NOE_VERDICTS];
    if (s->stopped) return NOE_EXIT_SIGNALLED + signal;
    for (int k = 0; k < s->methods * s->steps; k++)
        if (*s->run[k].why) return NOE_EXIT_STOPPED;
    noe_study_verdict_count(s, count);
    return count[NOE_DIFFERS] || count[NOE_ERRATUM_REFUTED] ? NOE_EXIT_FAILS : NOE_EXIT_DONE;
}
