/* words -> study -> tables, files, picture, exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/figure.h"
#include "lab/study_say.h"
#include "lab/verdict.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NOT_REPRODUCED = 1, BAD_USE = 2, CANNOT_GO_ON = 3, SIGNALLED = 128 };

static bool ends(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcasecmp(path + n - m, ending);
}

typedef void say(noe_text *, const noe_study *);

static bool write_as(const noe_study *s, say *what, const char *path, FILE *to)
{
    noe_text t = noe_text_new();
    what(&t, s);
    const bool ok = t.data && (to ? fputs(t.data, to) >= 0 : !noe_text_write(path, t.data));
    free(t.data);
    return ok;
}

static bool files_fit(const noe_study_job *j)
{
    if (j->plot && noe_figure_check(j->plot)) return false;
    if (j->output && !ends(j->output, ".csv") && !ends(j->output, ".json"))
        return noe_fail(NOE_INVALID, "cannot write '%s': the name of a study's table must end in .csv or .json", j->output), false;
    return true;
}

static int verdict(const noe_study *s)
{
    int count[NOE_VERDICTS];
    if (s->stopped) return SIGNALLED + *s->job->interrupted;
    for (int k = 0; k < s->methods * s->steps; k++)
        if (*s->run[k].why) return CANNOT_GO_ON;
    noe_judge_all(s, count);
    return count[NOE_DIFFERS] || count[NOE_NO_MISPRINT] ? NOT_REPRODUCED : 0;
}

static bool show(const noe_study *s, FILE *to)
{
    const noe_study_job *j = s->job;
    return write_as(s, noe_say_text, NULL, to)
        && (!j->output || write_as(s, ends(j->output, ".csv") ? noe_say_csv : noe_say_json, j->output, NULL))
        && (!j->plot || !noe_study_plot(s, j->plot))
        && (!j->html || write_as(s, noe_say_html, j->html, NULL));
}

int noe_study_run(const noe_study_job *job, FILE *to)
{
    noe_study s = { .job = job };
    int       status = BAD_USE;
    if (files_fit(job) && noe_study_make(&s) && noe_convergence(&s) && show(&s, to)) status = verdict(&s);
    noe_study_drop(&s);
    return status;
}
