/* noether-mpi study: what the first process prints and writes of a study that many have made.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As study/study.c does for one process; test/mpi compares the files of both byte for byte. */
#include "study_files.h"

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

bool study_files_fit(const noe_study_job *j)
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

bool study_files_write(const noe_study *s, const noe_drift *d, FILE *to)
{
    const noe_study_job *j = s->job;
    const bool           drift = s->kind == NOE_DRIFT, csv = j->output && ends(j->output, ".csv");
    noe_text t = noe_text_new(NULL), file = noe_text_new(NULL), page = noe_text_new(NULL);
    if (drift) noe_study_drift_report_text(&t, s, d);
    else noe_study_text_add(&t, s);
    bool ok = t.data && fputs(t.data, to) >= 0;
    if (j->output && drift)
        (csv ? noe_study_drift_report_csv : noe_study_drift_report_json)(&file, s, d);
    if (j->output && !drift) (csv ? noe_study_csv_add : noe_study_csv_add_json)(&file, s);
    if (j->output) ok &= file.data && !noe_text_write(j->output, file.data);
    if (j->html && drift) noe_study_html_add_text(&page, s, t.data);
    if (j->html && !drift) noe_study_html_add(&page, s);
    if (j->html) ok &= page.data && !noe_text_write(j->html, page.data);
    free(t.data), free(file.data), free(page.data);
    if (ok && j->plot)
        ok = drift ? !noe_study_drift_report_plot(s, d, j->plot) : !noe_study_plot_draw(s, j->plot);
    return ok;
}

int study_files_verdict(const noe_study *s, int signal)
{
    int count[NOE_VERDICTS];
    if (s->stopped) return NOE_EXIT_SIGNALLED + signal;
    for (int k = 0; k < s->methods * s->steps; k++)
        if (*s->run[k].why) return NOE_EXIT_STOPPED;
    noe_study_verdict_count(s, count);
    return count[NOE_DIFFERS] || count[NOE_NO_MISPRINT] ? NOE_EXIT_FAILS : NOE_EXIT_DONE;
}
